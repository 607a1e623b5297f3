"""Scenario files: which are found, the policies that they name, and the report of what was played."""

from pathlib import Path

import pytest

from beewalk import BeewalkError, PolicyError, load_policy
from beewalk.opening.run_report import run_report
from beewalk.opening.scenarios import load_scenarios, scenario_files
from beewalk.scenarios.running import OwnEngine, run_all

TEXT = """\
scenario: s
policy: p.policy.yaml
chat_model: {script: [a: {n: 1}, final_answer: {response: x}]}
expect: {trajectory: final_answer, calls: {a: {arguments: [{n: 2}]}}}
"""
POLICY = "policy: p\ntools: [a]\nrequirements: [{conditional: a, max_invocations: 1}]\n"


def saved(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_policy_is_looked_for_beside_the_scenario(tmp_path: Path) -> None:
    saved(tmp_path, "sub/p.policy.yaml", POLICY)
    (scenario,) = load_scenarios(saved(tmp_path, "sub/s.scenario.yaml", TEXT))
    assert (scenario.name, scenario.policy.name) == ("s", "p")
    assert scenario.place == f"{tmp_path}/sub/s.scenario.yaml:1:11"


def test_the_problems_of_a_policy_are_told_with_the_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(tmp_path, "sub/p.policy.yaml", "policy: p\ntools: 3\n")
    saved(tmp_path, "sub/s.scenario.yaml", TEXT)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PolicyError) as caught:
        load_scenarios("sub/s.scenario.yaml")
    assert [problem.at for problem in caught.value.problems] == ["sub/s.scenario.yaml:2:9", "sub/p.policy.yaml:2:8"]


def test_files_are_taken_as_they_are_named_and_folders_in_order(tmp_path: Path) -> None:
    for name in ("b/two.scenario.yaml", "b/one.scenario.yaml", "b/a/three.scenario.yaml", "b/other.yaml", "any.yaml"):
        saved(tmp_path, name, TEXT)
    (tmp_path / "b" / "folder.scenario.yaml").mkdir()
    found = scenario_files([tmp_path / "any.yaml", str(tmp_path / "b"), tmp_path / "any.yaml"])
    assert [str(path.relative_to(tmp_path)) for path in found] == [
        "any.yaml",
        "b/a/three.scenario.yaml",
        "b/one.scenario.yaml",
        "b/two.scenario.yaml",
        "any.yaml",
    ]


@pytest.mark.parametrize(
    ("name", "said"), [("gone", "no such file or folder"), (".", "no scenario file in this folder")]
)
def test_a_place_with_nothing_in_it_is_named(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(BeewalkError, match=said):
        list(scenario_files([tmp_path / name]))


def test_a_report_has_what_was_played(tmp_path: Path) -> None:
    saved(tmp_path, "p.policy.yaml", POLICY)
    scenarios = load_scenarios(saved(tmp_path, "s.scenario.yaml", TEXT))
    document = run_report(list(run_all(scenarios, OwnEngine())), engine="other", left=3)
    assert (document.engine, document.stop_reason, document.left) == ("other", "interrupted", 3)
    assert run_report([]).stop_reason == "finished"
    assert run_report([], left=0).stop_reason == "interrupted"
    (entry,) = document.failed
    assert (entry.name, entry.file, entry.line) == ("s", str(tmp_path / "s.scenario.yaml"), 1)
    assert [(one.path, one.at.rpartition("yaml:")[2], one.turn) for one in entry.failures] == [
        ("expect.trajectory", "4:22", 1),
        ("expect.calls.a.arguments[0]", "4:60", 1),
    ]
    (run,) = entry.runs
    assert (run.moves, run.text, run.ends) == (("a", "final_answer"), "a final_answer", "final_answer")
    assert [(one.turn, one.allowed, one.hidden, one.tool_choice, one.can_stop) for one in run.requests] == [
        (1, ("a", "final_answer"), (), "required", True),
        (2, ("final_answer",), (), "final_answer", True),
    ]


def test_code_without_the_name_of_the_policy_in_it_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"this is Python code: name the policy in it: .*agents\.py:ATTRIBUTE"):
        load_policy(saved(tmp_path, "agents.py", ""))


def test_what_is_too_long_for_a_path_is_still_no_path() -> None:
    with pytest.raises(PolicyError):
        load_policy("x" * 5000 + ".policy.yaml")
    with pytest.raises(BeewalkError):
        load_policy("x" * 5000 + ":policy")
