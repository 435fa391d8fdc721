"""A made-up benchmark of bicycle repair: 40 cases in 5 families, 13 subject versions, responses, scorings and golds.

Every edge stands in it: two versions of one subject, one version with a critical fail (and a fail of both kinds in one
run), one that nobody has scored, single responses without a scoring, one with three runs of every case, one scored on
six cases only, fails that a recoverable fail lifts, a run that is below its floor although it scores 7, a ceiling that
clips, confidences 0, 30, 60, 70 and 100, two versions with equal results, one that knows two families and one that is
half right everywhere (they change places exactly where the pass rate weighs a third), subjects that stand in the
registry only, and names that no page, formula or file may take for anything but text.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SEED = 20240229
VERSION = "v1.0"
CRITERIA = (
    "main_hypothesis",
    "key_signals",
    "alternatives",
    "recommended_action",
    "requested_data",
    "decision_change_condition",
)

# How much less able everybody is in a family.
HARDER = {"BRAKE": 0.0, "GEAR": 0.05, "WHEEL": -0.05, "FRAME": 0.12, "DRIVE": 0.2}
# family -> (complaint, cause, what a check would show), one case each
FAMILIES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "BRAKE": (
        ("The front disc howls in rain and grips late.", "Pads glazed by chain oil.", "A dark film on both pads."),
        ("The lever comes back to the bar after a night on its head.", "Air in the hose.", "Pumping firms it."),
        ("The rim brake judders below walking pace.", "A dent in the rim seam.", "The pads jump at one place."),
        ("New pads rub on one side only.", "The caliper is not centred.", "The gap differs from left to right."),
        ("The rear brake stays on after it is used.", "A rusted inner cable.", "The cable moves in steps."),
        ("Braking force fades on a long descent.", "Boiling fluid, years old.", "The fluid is brown."),
        ("A click at each stop, none while riding.", "Pads loose in the caliper.", "The pads can be moved by hand."),
        ("The coaster brake slips now and then.", "A worn brake cone.", "It slips warm, not cold."),
    ),
    "GEAR": (
        ("The chain jumps under load on the small cog only.", "That cog is worn.", "The other cogs hold."),
        ("Shifting is right on the stand and wrong on the road.", "A cracked frame stop.", "The housing moves."),
        ("The cage touches the spokes in the first gear.", "A bent hanger.", "The cage stands at an angle."),
        ("The hub gear loses the third gear on hills.", "The shift cable is too tight.", "The marks do not meet."),
        ("After a new chain every gear skips.", "An old cassette.", "The old chain measures one per cent long."),
        ("The front mech throws the chain to the frame.", "The inner limit is too far in.", "It falls by hand too."),
        ("One shift needs two clicks.", "Cable stretch after fitting.", "The barrel adjuster cures it."),
        ("The electronic mech stops halfway.", "A low battery in its clip.", "The lamp is red."),
    ),
    "WHEEL": (
        ("Spokes break on the drive side, one a month.", "Tension far too low.", "The spokes sound a third lower."),
        ("The tyre is flat each morning, never on a ride.", "A slow valve.", "Bubbles at the valve core."),
        ("The wheel wanders at speed with loaded bags.", "Loose hub bearings.", "Play at the rim."),
        ("Two holes side by side after a kerb.", "Too little pressure.", "A snake bite in the tube."),
        ("The tubeless tyre weeps along the bead.", "Dried sealant.", "No liquid when it is shaken."),
        ("A rim wall bulges near the joint.", "The brake track is worn through.", "The wear line is gone."),
        ("The wheel is true and still hops.", "The tyre is not seated.", "The line above the rim is uneven."),
        ("The front wheel ticks once a turn.", "A magnet hits the sensor.", "It stops when the sensor is moved."),
    ),
    "FRAME": (
        ("A creak at each left pedal stroke.", "A dry pedal thread.", "It is gone with another pedal."),
        ("The paint cracks in a ring behind the head tube.", "A down tube bent in a crash.", "A ripple to the touch."),
        ("The seat post sinks a finger's width a week.", "The wrong post diameter.", "A shim is needed."),
        ("The steering returns to the centre by itself.", "Pitted headset races.", "Notches when lifted."),
        ("The bike pulls to the right, hands off.", "The fork is out of line.", "The wheel is not central."),
        ("A knock from below when climbing.", "A loose bottom bracket cup.", "The crank has side play."),
        ("White powder around a seat post clamp.", "Galvanic corrosion.", "The post does not turn."),
        ("The carrier sways although its bolts are tight.", "A cracked eyelet.", "The crack opens under a hand."),
    ),
    "DRIVE": (
        ("The motor cuts out at bumps.", "A loose battery contact.", "Pressing the battery brings it back."),
        ("The range has halved within a winter.", "Cold cells, not worn ones.", "Indoors the range is as before."),
        ("The display shows speed at rest.", "A motor beside the sensor lead.", "It stops when the lamp is off."),
        ("The motor drags when it is switched off.", "A failed freewheel.", "The crank turns with the wheel."),
        ("Error after each wash, gone the next day.", "Water in a plug.", "Green contacts."),
        ("Assistance comes a turn late.", "A torque sensor that lost its zero.", "Calibration at rest cures it."),
        ("The charger ends at eighty per cent.", "A saver mode is set.", "The menu says so."),
        ("A whine that rises with speed, also downhill.", "A dry gear in the hub.", "It is there with the motor off."),
    ),
}  # fmt: skip


def specialist(family: str, _floor: int) -> list[int]:
    """All points for brakes and gears, 3 for everything else: 16 of 40 pass, 260 points within the ceilings."""
    return [2, 2, 2, 2, 2, 2] if family in {"BRAKE", "GEAR"} else [0, 1, 1, 0, 1, 0]


def all_rounder(_family: str, floor: int) -> list[int]:
    """9 points, 8 where that is the floor: none pass, and 356 points. 16/40 : (356 - 260) / (40 * 12) is 2 : 1."""
    return [2, 2, 1, 1, 1, 1] if floor else [2, 2, 2, 1, 1, 1]


@dataclass(frozen=True)
class Subject:
    """One subject version: how able and how sure it is, and what is special about its runs.

    `runs` are of each case; the first `scored_cases` cases are scored; `unscored` cases have one more run that is not.
    `points` gives the criterion scores for a family and a floor, in place of chance.
    """

    subject_id: str
    subject_version: str
    able: float
    sure: float
    runs: int = 1
    scored_cases: int = 40
    unscored: int = 0
    critical: int = 0
    recoverable: int = 0
    points: Callable[[str, int], list[int]] | None = None


SUBJECTS = (
    Subject("wrench-large", "wrench-large-2.0", 0.78, 0.78, recoverable=1),
    Subject("wrench-large", "wrench-large-2.1", 0.83, 0.88, unscored=2),
    Subject("wrench-small", "wrench-small-1.10", 0.60, 0.70, recoverable=3),
    Subject("spoke & co_7%", "<b>spoke</b>|&_co-$7%", 0.72, 0.95, critical=2, recoverable=2),
    Subject("車輪-診断", "車輪-診断-三", 0.74, 0.66, runs=3),
    Subject("دراجة", "دراجة-1", 0.58, 0.52, recoverable=4),
    Subject("_derailleur_`x`", "007", 0.50, 0.30),
    Subject("_derailleur_`y`", "007", 0.50, 0.30),
    Subject("workshop-novice", "1e5", 0.45, 0.60, scored_cases=6),
    Subject("workshop-senior", "NA", 0.92, 0.82),
    Subject("freewheel-mini", "freewheel-mini-0.1", 0.40, 0.90, scored_cases=0),
    Subject("brake-and-gear-specialist", "specialist-1.0", 0.5, 0.85, points=specialist),
    Subject("all-rounder", "all-rounder-3", 0.7, 0.72, points=all_rounder),
)
REGISTERED_ONLY = (("tandem-duo", "tandem-duo-1.0"), ("wrench-large", "wrench-large-1.10"))
TWIN = "_derailleur_`y`"  # has the runs of the subject before it


def write(folder: Path) -> None:
    """Write golds, responses, scorings and the registry below a folder `benchmark`."""
    root = folder / "benchmark"
    rng = random.Random(SEED)
    cases = _cases()
    for number, (case_id, family, texts) in enumerate(cases):
        _gold(root, case_id, family, texts, limits=_limits(number))
    _registry(root / "subjects" / "registry.yaml")
    state = rng.getstate()
    for subject in SUBJECTS:
        if subject.subject_id == TWIN:
            rng.setstate(state)
        state = rng.getstate()
        _subject(root, subject, cases, rng)


def _cases() -> list[tuple[str, str, tuple[str, str, str]]]:
    return [
        (f"BIKE-{family}-{number:03}", family, texts)
        for family, all_texts in FAMILIES.items()
        for number, texts in enumerate(all_texts, 1)
    ]


def _limits(number: int) -> tuple[int, int]:
    """Floor and ceiling: mostly none, at times a floor of 8 or a ceiling of 10 (a case with several right answers)."""
    if number % 9 == 4:
        return 8, 12
    return (0, 10) if number % 7 == 3 else (0, 12)


def _gold(root: Path, case_id: str, family: str, texts: tuple[str, str, str], *, limits: tuple[int, int]) -> None:
    complaint, cause, check = texts
    gold = {
        "case_id": case_id,
        "family": family,
        "benchmark_version": VERSION,
        "rubric_floor": limits[0],
        "rubric_ceiling": limits[1],
        "accepted_main_hypotheses": [cause],
        "expected_key_signals": [check],
    }
    block = json.dumps(gold, indent=2, ensure_ascii=False)
    text = f"---\ngold_version: 1\nstatus: sample\n---\n\n# {case_id}\n\n{complaint}\n\n```json\n{block}\n```\n"
    _save(root / "golds" / VERSION / f"{case_id}_gold.md", text)


def _subject(
    root: Path, subject: Subject, cases: list[tuple[str, str, tuple[str, str, str]]], rng: random.Random
) -> None:
    # The runs of two versions of one subject share a folder, so a run is named after its version's date.
    month = 3 + sum(other.subject_id == subject.subject_id for other in SUBJECTS[: SUBJECTS.index(subject)])
    for number, (case_id, family, texts) in enumerate(cases):
        able = subject.able - HARDER[family]
        for run in range(1, subject.runs + (number < subject.unscored) + 1):
            draws = [rng.random() for _ in range(12)]
            points = [2 if draw < able else 1 if draw < able + 0.3 else 0 for draw in draws[:6]]
            confidence = _confidence(number, subject, draws[6], draws[7])
            severities = _severities(number, subject)
            if number == 13 and severities:
                points = [1, 1, 1, 0, 0, 1]
            if subject.points is not None:
                points = subject.points(family, _limits(number)[0])
            ids = {
                "case_id": case_id,
                "subject_id": subject.subject_id,
                "subject_version": subject.subject_version,
                "run_id": f"run-2024-0{month}-{run:02}",
            }
            hit = points[0] == 2
            halves = (2 if draws[8] < 0.9 else 1) if hit else (1 if points[0] == 1 and draws[8] < 0.6 else 0)
            _response(root, ids, texts, confidence=confidence, hit=hit)
            if number < subject.scored_cases and run <= subject.runs:
                _scoring(root, ids, points, halves=halves, severities=severities)


def _confidence(number: int, subject: Subject, draw: float, spread: float) -> int:
    """A percent around what the subject believes; five cases are answered with a round number."""
    fixed = {2: 0, 9: 30, 16: 60, 23: 70, 30: 100}
    if number in fixed:
        return fixed[number]
    return max(0, min(100, int(100 * subject.sure + 60 * (draw - 0.5) * (0.4 + spread))))


def _severities(number: int, subject: Subject) -> list[str]:
    """Case 13 is where recoverable fails begin (and lift a Fail), case 21 where critical ones do."""
    severities = ["recoverable"] * (13 <= number < 13 + subject.recoverable)
    if 21 <= number < 21 + subject.critical:
        severities = ["critical", "recoverable"] if number == 21 else ["critical"]
    return severities


def _response(root: Path, ids: dict[str, str], texts: tuple[str, str, str], *, confidence: int, hit: bool) -> None:
    complaint, cause, check = texts
    response = {
        **ids,
        "benchmark_version": VERSION,
        "main_hypothesis": cause if hit else "Not certain; several parts could be the cause.",
        "key_signals": [complaint],
        "requested_data": check if hit else "A short ride by a second person.",
        "confidence": confidence,
    }
    path = root / "responses" / VERSION / ids["subject_id"] / f"{ids['case_id']}__{ids['run_id']}.json"
    _save(path, json.dumps(response, indent=1, ensure_ascii=False) + "\n")


def _scoring(root: Path, ids: dict[str, str], points: list[int], *, halves: int, severities: list[str]) -> None:
    scoring = {
        "benchmark_version": VERSION,
        "scoring_timestamp_utc": "2024-06-01T09:00:00Z",
        "reviewer_id": "R1",
        "response_ref": ids,
        "criterion_scores": {name: {"score": score} for name, score in zip(CRITERIA, points, strict=True)},
        "correctness": (0, 0.5, 1)[halves],
        "automatic_fails_triggered": [{"severity": severity} for severity in severities],
    }
    name = f"{ids['case_id']}__{ids['run_id']}__eval-R1.json"
    _save(root / "scoring" / VERSION / ids["subject_id"] / name, json.dumps(scoring, ensure_ascii=False) + "\n")


def _registry(path: Path) -> None:
    pairs = sorted({*((s.subject_id, s.subject_version) for s in SUBJECTS), *REGISTERED_ONLY})
    lines = ["# Every subject version that takes part; those without responses are still to be run.", "subjects:"]
    for subject_id in dict.fromkeys(subject for subject, _ in pairs):
        lines += [f"  - subject_id: {json.dumps(subject_id, ensure_ascii=False)}", "    versions:"]
        lines += [
            f"      - subject_version: {json.dumps(version, ensure_ascii=False)}"
            for subject, version in pairs
            if subject == subject_id
        ]
    _save(path, "\n".join(lines) + "\n")


def _save(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
