"""The three input files of a benchmark as record types, and the JSON Schemas made of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

CASE_ID = r"^[A-Z][A-Z0-9]*-[A-Z][A-Z0-9]*-[0-9]{3}(?!\n)$"
_CASE_WORDS = "<PREFIX>-<FAMILY>-<NNN>, such as GH-PEST-007"

Id = Annotated[str, Meta(min_length=1)]
CaseId = Annotated[str, Meta(pattern=CASE_ID, extra={"kind": "case_id", "expected": _CASE_WORDS})]
Points = Annotated[int, Meta(ge=0, le=12, extra={"kind": "rubric_limit"})]


class Halves(int):
    """Graded correctness in halves: 0, 1 or 2 for the 0, 0.5 or 1 of the file.

    >>> Halves.from_json(Fraction(1, 2))
    1
    """

    expected = "0, 0.5 or 1"

    @classmethod
    def from_json(cls, value: object) -> Halves:
        """The halves of a correctness; `ValueError` for anything but 0, 0.5 and 1."""
        if isinstance(value, (int, Fraction)) and not isinstance(value, bool) and 2 * value in (0, 1, 2):
            return cls(2 * value)
        raise ValueError(cls.expected)


class Response(msgspec.Struct, frozen=True, gc=False):
    """What a subject answered to a case: who, which case and run, and how confident in percent."""

    case_id: CaseId
    subject_id: Id
    subject_version: Id
    run_id: Id
    confidence: Annotated[int, Meta(ge=0, le=100, extra={"kind": "confidence"})]
    benchmark_version: str | None = None


class ResponseRef(msgspec.Struct, frozen=True, gc=False):
    """Which response a scoring is about."""

    case_id: CaseId
    subject_id: Id
    subject_version: Id
    run_id: Id


class Criterion(msgspec.Struct, frozen=True, gc=False):
    """The points for one criterion of the rubric."""

    score: Annotated[Literal[0, 1, 2], Meta(extra={"kind": "criterion_score_range"})]


class CriterionScores(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The six criteria of the rubric: all of them and no other, since a score left out of the sum would be lost."""

    main_hypothesis: Criterion
    key_signals: Criterion
    alternatives: Criterion
    recommended_action: Criterion
    requested_data: Criterion
    decision_change_condition: Criterion


class AutomaticFail(msgspec.Struct, frozen=True, gc=False):
    """One automatic fail that a response triggered."""

    severity: Annotated[Literal["critical", "recoverable"], Meta(extra={"kind": "severity"})]


class Scoring(msgspec.Struct, frozen=True, gc=False):
    """What a reviewer gave a response."""

    reviewer_id: Id
    response_ref: ResponseRef
    criterion_scores: Annotated[CriterionScores, Meta(extra={"kind": "criterion_set"})]
    correctness: Annotated[Halves, Meta(extra={"kind": "correctness"})]
    automatic_fails_triggered: tuple[AutomaticFail, ...]
    benchmark_version: str | None = None
    scoring_timestamp_utc: str | None = None


class Gold(msgspec.Struct, frozen=True, gc=False):
    """The limits of a case: its score is clipped to the ceiling, and below the floor it fails."""

    case_id: CaseId
    rubric_floor: Points
    rubric_ceiling: Points
    family: str | None = None
    benchmark_version: str | None = None


FILES: tuple[tuple[str, type[msgspec.Struct]], ...] = (("response", Response), ("scoring", Scoring), ("gold", Gold))


def _own_schema(kind: type) -> dict[str, object]:
    if kind is Halves:
        return {"enum": [0, 0.5, 1]}
    raise NotImplementedError(kind)


def json_schema(kind: type[msgspec.Struct]) -> dict[str, object]:
    """The JSON Schema (draft 2020-12) of one of the three input files.

    It says what one file may hold; that files agree with each other and with their paths is checked on reading.
    """
    schema = msgspec.json.schema(kind, schema_hook=_own_schema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def json_schemas() -> dict[str, dict[str, object]]:
    """The JSON Schema of each input file, by file name; that of a gold is of its JSON block.

    >>> sorted(json_schemas())
    ['gold.schema.json', 'response.schema.json', 'scoring.schema.json']
    """
    return {f"{name}.schema.json": json_schema(kind) for name, kind in FILES}
