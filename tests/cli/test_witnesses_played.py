"""Every error that is found happens: its witness, made into a scenario file and played by `beewalk run`, ends so."""

import json
from collections.abc import Iterator
from pathlib import Path
from shutil import copy

import pytest
import yaml

from beewalk.errors import PolicyError
from beewalk.explorer.finding import Finding
from beewalk.opening.opening import load_policy
from beewalk.properties.exploration import Exploration, explore_policy
from tests.cli.conftest import Beewalk
from tests.support.finding_cases import CODE_FILES, Case, cases_of
from tests.support.played_witnesses import ERRORS, from_the_witness_on, scenario_of
from tests.support.shared import POLICIES

SHIPPED = sorted((Path(__file__).parents[2] / "scenarios").glob("*.policy.yaml"))
OWN = [pytest.param(case, id=f"{code}: {case.name}") for code in ERRORS for case in cases_of(code)]


def errors_of(file: Path) -> Iterator[tuple[Exploration, Finding]]:
    try:
        policy = load_policy(file)
    except PolicyError:
        return
    for outcomes in (["ok"], ["ok", "error"]):
        found = explore_policy(policy, outcomes=outcomes)
        for finding in found.findings:
            if finding.code in ERRORS:
                yield found, finding


def play(beewalk: Beewalk, folder: Path, found: Exploration, finding: Finding, file: Path) -> None:
    made = folder / "witness.scenario.yaml"
    made.write_text(yaml.safe_dump(scenario_of(file, found, finding), sort_keys=False), encoding="utf-8")
    done = beewalk("run", made, "--format", "json")
    assert done.code == 0, (finding.message, made.read_text(), done.out, done.err)
    if finding.code == "cannot-stop":
        requests = json.loads(done.out)["scenarios"][0]["runs"][-1]["requests"]
        later = [one for one in requests if one["turn"] >= from_the_witness_on(finding)]
        assert later
        ways = ("required", "auto", "final_answer")
        assert not any(one["tool_choice"] in ways and "final_answer" in one["allowed"] for one in later)
        assert not any(one["can_stop"] for one in later) or any(mend_lets_stop(one) for one in finding.blame)


def mend_lets_stop(ground: tuple[int, str | None]) -> bool:
    """Whether stopping is not prevented there: what keeps the answer out is a force, or a rule that forbids it."""
    return ground[1] is None or ground[1] not in {"min_invocations", "force_prevent_stop"}


@pytest.mark.parametrize("file", [*SHIPPED, *POLICIES], ids=lambda file: file.name.partition(".")[0])
def test_errors_of_shipped_and_shared_policies_happen(file: Path, beewalk: Beewalk, folder: Path) -> None:
    for found, finding in errors_of(file):
        play(beewalk, folder, found, finding, file)


@pytest.mark.parametrize("case", OWN)
def test_errors_of_our_own_policies_happen(case: Case, beewalk: Beewalk, folder: Path) -> None:
    for code in CODE_FILES:
        copy(code, folder)
    file = folder / "own.policy.yaml"
    file.write_text(case.policy_text, encoding="utf-8")
    played = 0
    for found, finding in errors_of(file):
        play(beewalk, folder, found, finding, file)
        played += 1
    assert played
