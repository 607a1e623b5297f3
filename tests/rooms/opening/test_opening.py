"""Opening: whatever a user calls a policy, and what this version cannot heed."""

import pickle
from pathlib import Path

import pytest

import beewalk
from beewalk import NotInThisVersion, Policy, PolicyError, Tool, load_policy
from beewalk.opening.opening import explorable, explore
from beewalk.scenarios.python_code import CodeError

VALID = "policy: p\ntools: [a]\n"
LATER = f"{VALID}properties: ['never: a a']\naccept: [{{code: dead-end, reason: known}}]\n"


def saved(tmp_path: Path, text: str, name: str = "p.policy.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_policy_is_opened_as_it_is() -> None:
    policy = Policy([Tool("a")])
    assert load_policy(policy) is policy
    assert explorable(policy).policy is policy


def test_file_is_opened_by_path_and_by_name(tmp_path: Path) -> None:
    path = saved(tmp_path, VALID)
    assert load_policy(path).name == load_policy(str(path)).name == "p"


@pytest.mark.parametrize("name", ["a:b.policy.yaml", "a:b.yml", "a:b"])
def test_file_with_a_colon_in_its_name_is_a_file(name: str, tmp_path: Path) -> None:
    assert load_policy(saved(tmp_path, VALID, name)).name == "p"


def test_code_is_opened_by_module_and_by_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "from beewalk import Policy, Tool\n\ndef make():\n    return Policy([Tool('a')], name='made')\n"
    saved(tmp_path, text, "agents_to_open.py")
    monkeypatch.chdir(tmp_path)
    assert load_policy("agents_to_open:make").name == load_policy("agents_to_open.py:make").name == "made"
    with pytest.raises(CodeError, match="must be a Policy or a callable that returns one"):
        load_policy("agents_to_open:Tool.name")


def test_file_with_later_parts_is_read_but_not_explored(tmp_path: Path) -> None:
    path = saved(tmp_path, LATER)
    assert load_policy(path).name == "p"
    with pytest.raises(NotInThisVersion) as caught:
        explore(path)
    assert isinstance(caught.value, PolicyError)
    assert [problem.at.rpartition("yaml:")[2] for problem in caught.value.problems] == ["3:1"]
    assert caught.value.slug == NotInThisVersion.slug


def test_later_parts_beside_problems_are_problems(tmp_path: Path) -> None:
    with pytest.raises(PolicyError) as caught:
        explorable(saved(tmp_path, f"{LATER}extra: 1\n"))
    assert not isinstance(caught.value, NotInThisVersion)
    assert len(caught.value.problems) == 2


def test_error_of_later_parts_travels_between_processes(tmp_path: Path) -> None:
    with pytest.raises(NotInThisVersion) as caught:
        explorable(saved(tmp_path, LATER))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (type(caught.value), str(caught.value))


@pytest.mark.parametrize(
    ("loop", "states"), [("", 4), ("loop: {repeated_calls: {}}", 4), ("loop: {repeated_calls: false}", 1)]
)
def test_tool_without_arguments_can_repeat_itself_unless_the_checker_is_off(
    loop: str, states: int, tmp_path: Path
) -> None:
    path = saved(tmp_path, f"policy: p\ntools: {{a: {{arguments: none}}, b: }}\n{loop}\n")
    assert explore(path).states == states


def test_exploring_takes_options(tmp_path: Path) -> None:
    path = saved(tmp_path, "policy: p\ntools: [a]\nrequirements: [{conditional: a, max_invocations: 9}]\n")
    assert beewalk.explore(path).states == 10
    assert beewalk.explore(path, max_states=4).states == 4
    assert beewalk.explore(path, max_length=3).complete_runs == 3
