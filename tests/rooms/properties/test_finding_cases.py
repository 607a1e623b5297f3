"""Every code is raised by the policies that deserve it and not by their near twins."""

from pathlib import Path
from shutil import copy

import pytest

from beewalk.opening.opening import load_policy
from beewalk.properties.exploration import Exploration, explore_policy
from tests.support.finding_cases import CODE_FILES, CODES, Case, cases_of

# Twins for which beewalk raises the code all the same, and why that is wrong.
DISPUTED = {
    ("tool-blocks-stop", "no answer at all is another matter"): "no answer can be reached where every tool works",
    ("parameter-without-effect", "excluded what is not included"): "without exclude the user would be asked for b",
    ("failures-uncapped", "something must work in between"): "no cycle of failing calls has a on it",
}
EACH = [pytest.param(code, case, id=f"{code}: {case.name}") for code in CODES for case in cases_of(code)]
TWINS = [
    pytest.param(code, case, id=f"{code}: {case.name}", marks=[pytest.mark.xfail(reason=why)] if why else [])
    for code in CODES
    for case in cases_of(code)
    for why in [DISPUTED.get((code, case.name))]
]


def explored(text: str, case: Case, folder: Path) -> Exploration:
    for file in CODE_FILES:
        copy(file, folder)
    path = folder / "case.policy.yaml"
    path.write_text(text, encoding="utf-8")
    return explore_policy(load_policy(path), outcomes=case.outcomes)


@pytest.mark.parametrize(("code", "case"), EACH)
def test_the_policy_raises_the_code(code: str, case: Case, tmp_path: Path) -> None:
    found = explored(case.policy_text, case, tmp_path)
    assert code in {finding.code for finding in found.findings}, case.why
    if case.tools:
        about = {tool for finding in found.findings if finding.code == code for tool in finding.tools}
        assert tuple(sorted(about)) == case.tools


@pytest.mark.parametrize(("code", "case"), TWINS)
def test_the_twin_does_not(code: str, case: Case, tmp_path: Path) -> None:
    found = explored(case.twin_text, case, tmp_path)
    assert [str(finding.message) for finding in found.findings if finding.code == code] == [], case.why


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_twenty_different_cases(code: str) -> None:
    cases = cases_of(code)
    assert len(cases) >= 20
    assert len({case.name for case in cases}) == len({case.policy_text for case in cases}) == len(cases)
    assert all(case.policy_text != case.twin_text for case in cases)


def test_every_disputed_twin_is_there() -> None:
    assert {(code, case.name) for code in CODES for case in cases_of(code)} >= DISPUTED.keys()
