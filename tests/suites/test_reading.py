"""What is common to the reading of every suite."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalreport.core.suite import NOTHING_OF_ITS_OWN, Settings
from evalreport.errors import EvalreportError
from evalreport.suites import all_suites


@pytest.mark.parametrize("name", sorted(all_suites()))
def test_an_input_without_a_file_that_the_suite_knows_is_refused_with_the_kind_that_says_so(
    tmp_path: Path, name: str
) -> None:
    suite = all_suites()[name]
    settings = Settings({setting.name: setting.default for setting in suite.settings})
    (tmp_path / "notes.txt").write_text("none of yours", "utf-8")
    with pytest.raises(EvalreportError) as refused:
        suite.read([tmp_path], settings)
    assert [problem.kind for problem in refused.value.problems] == [NOTHING_OF_ITS_OWN]
    assert refused.value.problems[0].expected


@pytest.mark.parametrize("name", sorted(all_suites()))
def test_every_count_of_draws_has_an_upper_bound(name: str) -> None:
    """More would fill the memory before anybody could say what is wrong."""
    counts = [s for s in all_suites()[name].settings if s.kind == "integer" and s.name != "seed"]
    assert [s.name for s in counts if s.low is None or s.high is None or not 1 <= s.low < s.high <= 10**6] == []
