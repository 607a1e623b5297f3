"""Every code is raised by the policies that deserve it and not by their near twins."""

from pathlib import Path
from shutil import copy

import pytest

from beewalk.opening.opening import load_policy
from beewalk.properties.exploration import Exploration, explore_policy
from tests.support.finding_cases import CODE_FILES, CODES, Case, cases_of

EACH = [pytest.param(code, case, id=f"{code}: {case.name}") for code in CODES for case in cases_of(code)]


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


@pytest.mark.parametrize(("code", "case"), EACH)
def test_the_twin_does_not(code: str, case: Case, tmp_path: Path) -> None:
    found = explored(case.twin_text, case, tmp_path)
    assert [str(finding.message) for finding in found.findings if finding.code == code] == [], case.why


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_twenty_different_cases(code: str) -> None:
    cases = cases_of(code)
    assert len(cases) >= 20
    assert len({case.name for case in cases}) == len({case.policy_text for case in cases}) == len(cases)
    assert all(case.policy_text != case.twin_text for case in cases)
