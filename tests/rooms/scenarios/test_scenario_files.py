"""Scenario files: each key comes to the value it means, and policies and chat models come from where they are named."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from beewalk import Policy, RandomChatModel, ScriptedChatModel, Tool
from beewalk.agent.tools import Scripted
from beewalk.errors import BeewalkError, NotInThisVersion, PolicyError, Problem
from beewalk.opening.scenarios import load_scenarios
from beewalk.policy.call import Call
from beewalk.scenarios.python_code import CodeError
from beewalk.scenarios.scenario import ArgumentsWanted, CallsWanted, Expectation, RequestWanted, Scenario
from beewalk.scenarios.scenario_files import read_scenarios

HEAD = "scenario: s\npolicy: {policy: p, tools: [a, b], input: Go.}\n"
LEAST = f"{HEAD}chat_model: {{script: []}}\n"
CHATS = """\
from beewalk import ScriptedChatModel, call

played = ScriptedChatModel([call.a()])

class Own:
    def reply(self, prompt):
        return None

def made():
    return Own()

class Stubborn(Own):
    def __deepcopy__(self, memo):
        raise TypeError("it holds a connection")

stubborn = Stubborn()

def number():
    return 3
"""


def never(reference: str, folders: Sequence[Path]) -> Policy:
    raise AssertionError("the policy is written out")


def read(folder: Path, text: str, source: Any = never) -> list[Scenario]:
    path = folder / "s.scenario.yaml"
    path.write_text(text, encoding="utf-8")
    return read_scenarios(path, "s.yaml", source)


def one(folder: Path, text: str, source: Any = never) -> Scenario:
    (scenario,) = read(folder, text, source)
    return scenario


def expected(folder: Path, more: str) -> Expectation:
    (found,) = one(folder, LEAST + more).expect
    assert found is not None
    return found


def problems(folder: Path, text: str, source: Any = never) -> list[str]:
    with pytest.raises(PolicyError) as raised:
        read(folder, text, source)
    return list(map(str, raised.value.problems))


def test_the_least_scenario_has_defaults(tmp_path: Path) -> None:
    scenario = one(tmp_path, LEAST)
    assert (scenario.name, scenario.input, scenario.runs, scenario.engine) == ("s", "Go.", 1, "beewalk")
    assert (scenario.tools, scenario.permissions, scenario.expect) == ({}, {}, (None,))
    assert (scenario.policy.name, scenario.place) == ("p", "s.yaml:1:11")


def test_the_input_of_the_scenario_wins_even_where_it_is_empty(tmp_path: Path) -> None:
    assert one(tmp_path, f"{LEAST}input: Run.\n").input == "Run."
    assert one(tmp_path, f"{LEAST}input: ''\n").input == ""


def test_every_entry_of_a_script_is_what_it_says(tmp_path: Path) -> None:
    script = """\
        chat_model:
          script:
            - a: {x: 1}
            - a:
            - [a: {}, b: {y: é}]
            - Sounds nice.
            - ""
            - null
          conduct: [parallel, text]
    """
    made = one(tmp_path, HEAD + dedent(script)).chat_model()
    assert isinstance(made, ScriptedChatModel)
    a, b = Call("a"), Call("b", '{"y": "é"}')
    assert made.script == (Call("a", '{"x": 1}'), a, [a, b], "Sounds nice.", "", None)
    assert made.conduct == {"parallel", "text"}


def test_conduct_may_be_one_word(tmp_path: Path) -> None:
    made = one(tmp_path, f"{HEAD}chat_model: {{script: [x], conduct: text}}\n").chat_model()
    assert isinstance(made, ScriptedChatModel)
    assert made.conduct == {"text"}


def test_random_is_dice_with_the_seed(tmp_path: Path) -> None:
    made = one(tmp_path, f"{HEAD}chat_model: {{random: {{seed: 7, conduct: [silent]}}}}\n").chat_model()
    assert isinstance(made, RandomChatModel)
    assert (made.seed, made.conduct) == (7, ("silent",))


def from_python(folder: Path, name: str) -> Scenario:
    (folder / "chats.py").write_text(CHATS, encoding="utf-8")
    return one(folder, f'{HEAD}chat_model: {{python: "chats.py:{name}"}}\n')


@pytest.mark.parametrize("name", ["Own", "made"])
def test_a_class_or_function_makes_the_chat_model(name: str, tmp_path: Path) -> None:
    make = from_python(tmp_path, name).chat_model
    assert type(make()).__name__ == "Own"
    assert make() is not make()


def test_an_object_is_copied_for_each_play(tmp_path: Path) -> None:
    make = from_python(tmp_path, "played").chat_model
    first = make()
    assert isinstance(first, ScriptedChatModel)
    first.prompts.append(None)  # type: ignore[arg-type]  # anything, as if it had been played
    second = make()
    assert isinstance(second, ScriptedChatModel)
    assert second.prompts == []


def test_an_object_that_cannot_be_copied_is_taken_as_it_is(tmp_path: Path) -> None:
    make = from_python(tmp_path, "stubborn").chat_model
    assert make() is make()


def test_a_function_that_gives_no_chat_model_is_told_when_it_is_called(tmp_path: Path) -> None:
    make = from_python(tmp_path, "number").chat_model
    with pytest.raises(BeewalkError, match=r"'chats\.py:number' gave a int: it must be an object with a method reply"):
        make()


def test_outcomes_are_names_or_values(tmp_path: Path) -> None:
    policy = "{policy: p, tools: {a: {outcomes: {empty: ''}}, b: {}}}"
    tools = "{a: [empty, ok, error, crash, real, {returns: [1]}, {returns: null}, {raises: quota}], b: {returns: 5}}"
    scenario = one(tmp_path, f"scenario: s\npolicy: {policy}\nchat_model: {{script: []}}\ntools: {tools}\n")
    names = tuple(map(Scripted, ["empty", "ok", "error", "crash", "real"]))
    values = (Scripted("ok", [1]), Scripted("ok", None), Scripted("error", "quota"))
    assert scenario.tools == {"a": names + values, "b": (Scripted("ok", 5),)}


def test_permissions_are_answers(tmp_path: Path) -> None:
    policy = "{policy: p, tools: [a, b], requirements: [{ask_permission: '*'}]}"
    more = "permissions: {a: [deny, allow], b: allow}\n"
    scenario = one(tmp_path, f"scenario: s\npolicy: {policy}\nchat_model: {{script: []}}\n{more}")
    assert scenario.permissions == {"a": (False, True), "b": (True,)}


def test_a_mapping_is_expected_of_the_last_run(tmp_path: Path) -> None:
    found = one(tmp_path, f"{LEAST}runs: 3\nexpect: {{ends: dead_end}}\n").expect
    assert found == (None, None, Expectation(("expect",), ends="dead_end"))


def test_a_list_is_expected_of_one_run_each(tmp_path: Path) -> None:
    found = one(tmp_path, f"{LEAST}runs: 3\nexpect: [{{ends: dead_end}}, {{}}]\n").expect
    assert found == (Expectation(("expect", 0), ends="dead_end"), Expectation(("expect", 1)), None)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", ()),
        ("a b final_answer", (("a",), ("b",), ("final_answer",))),
        (" a:error & b:denied  ghost:unoffered ", (("a:error", "b:denied"), ("ghost:unoffered",))),
        ("a & b & a b", (("a", "b", "a"), ("b",))),
    ],
)
def test_trajectories_are_moves_in_turns(text: str, moves: tuple[tuple[str, ...], ...], tmp_path: Path) -> None:
    assert expected(tmp_path, f'expect: {{trajectory: "{text}"}}\n').trajectory == moves


def test_a_trajectory_that_is_not_written_is_not_looked_at(tmp_path: Path) -> None:
    assert expected(tmp_path, "expect: {}\n") == Expectation(("expect",))


@pytest.mark.parametrize("name", ["a.b", "a+", "(a)", "a|b", "!a", "..."])
def test_signs_of_patterns_may_be_in_the_name_of_a_tool(name: str, tmp_path: Path) -> None:
    policy = f"{{policy: p, tools: ['{name}']}}"
    more = f'expect: {{trajectory: "{name} {name}:error"}}\n'
    (found,) = one(tmp_path, f"scenario: s\npolicy: {policy}\nchat_model: {{script: []}}\n{more}").expect
    assert found is not None
    assert found.trajectory == ((name,), (f"{name}:error",))


def test_answers_hold_what_is_written_and_nothing_else(tmp_path: Path) -> None:
    assert expected(tmp_path, "expect: {answer: {equals: null}}\n").answer == {"equals": None}
    assert expected(tmp_path, "expect: {answer: {contains: x, matches: '^x[[]'}}\n").answer == {
        "contains": "x",
        "matches": "^x[[]",
    }


def test_calls_and_their_arguments(tmp_path: Path) -> None:
    more = """\
        expect:
          calls:
            a: {at_least: 1, at_most: 2, arguments: [{x: 1}, {subset: {x: 1}}, {subset: 3}, {subset: {}, x: 1}]}
            b: {at_most: 0}
    """
    whole = [{"x": 1}, {"subset": 3}, {"subset": {}, "x": 1}]
    first, third, fourth = map(ArgumentsWanted, whole)
    wanted = CallsWanted(1, 2, (first, ArgumentsWanted({"x": 1}, subset=True), third, fourth))
    assert expected(tmp_path, dedent(more)).calls == {"a": wanted, "b": CallsWanted(at_most=0)}


def test_requests(tmp_path: Path) -> None:
    more = """\
        expect:
          requests:
            - {turn: 1, allowed: [b, a], hidden: [], tool_choice: a, can_stop: false, reason: {b: not now}}
            - {request: 3}
    """
    assert expected(tmp_path, dedent(more)).requests == (
        RequestWanted(
            turn=1,
            allowed=frozenset({"a", "b"}),
            hidden=frozenset(),
            tool_choice="a",
            can_stop=False,
            reason={"b": "not now"},
        ),
        RequestWanted(request=3),
    )


def test_documents_are_scenarios_in_order_with_their_own_places(tmp_path: Path) -> None:
    text = f"# first\n{LEAST}---\n# nothing\n---\n{LEAST.replace('scenario: s', 'scenario: t')}"
    assert [(scenario.name, scenario.place) for scenario in read(tmp_path, text)] == [
        ("s", "s.yaml:2:11"),
        ("t", "s.yaml:8:11"),
    ]


def test_a_policy_is_opened_with_the_folders_to_look_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def source(reference: str, folders: Sequence[Path]) -> Policy:
        asked.append((reference, list(folders)))
        return Policy([Tool("a")], input="Its own.")

    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    scenario = one(tmp_path / "there", "scenario: s\npolicy: 'x:y'\nchat_model: {script: []}\n", source)
    assert asked == [("x:y", [tmp_path / "there", tmp_path / "here"])]
    assert scenario.input == "Its own."


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (CodeError("no such module: install it"), ["s.yaml:2:9: no such module: install it"]),
        (NotInThisVersion("later"), ["s.yaml:2:9: later"]),
        (BeewalkError("never"), ["s.yaml:2:9: never"]),
        (OSError("disk"), ["s.yaml:2:9: disk"]),
        (
            PolicyError([Problem(("tools", 0), "wrong", "mend it", "p.yaml:7:3")]),
            ["s.yaml:2:9: 'x' cannot be used: mend what is told of it below", "p.yaml:7:3: wrong: mend it"],
        ),
        (
            PolicyError([Problem(("requirements", 0, "target"), "wrong", "mend it"), Problem((), "bad", "")]),
            ["s.yaml:2:9: 'x': bad", "s.yaml:2:9: 'x': requirements[0].target: wrong: mend it"],
        ),
    ],
)
def test_a_policy_that_cannot_be_opened_is_told_where_it_is_named(
    error: Exception, said: list[str], tmp_path: Path
) -> None:
    def source(reference: str, folders: Sequence[Path]) -> Policy:
        raise error

    text = "scenario: s\npolicy: x\nchat_model: {script: [{}]}\ntools: {q: what}\nexpect: {trajectory: q (r)}\n"
    rest = "s.yaml:3:23: a call of 0 tools: write one tool; several calls are a list"
    found = problems(tmp_path, text, source)
    assert [line for line in found if line.startswith("s.yaml:2")] == [line for line in said if "s.yaml" in line]
    assert sorted(found) == sorted([*said, rest])


def test_problems_of_a_policy_file_come_last_and_once(tmp_path: Path) -> None:
    (tmp_path / "p.policy.yaml").write_text("policy: p\ntools: [a]\ntoolz: 1\n", encoding="utf-8")
    text = "scenario: {}\npolicy: p.policy.yaml\nchat_model: {{script: []}}\nexpect: {{ends: never}}\n"
    path = tmp_path / "s.scenario.yaml"
    path.write_text("---\n".join([text.format("s"), text.format("t")]), encoding="utf-8")
    with pytest.raises(PolicyError) as raised:
        load_scenarios(path)
    places = [problem.at.removeprefix(f"{tmp_path}/") for problem in raised.value.problems]
    first = [f"s.scenario.yaml:{place}" for place in ("2:9", "4:16", "7:9", "9:16")]
    assert places == [*first, "p.policy.yaml:3:1"]


def test_policies_and_their_code_are_looked_for_beside_the_scenario(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "files").mkdir()
    monkeypatch.chdir(tmp_path)
    files = {
        "beside.policy.yaml": "policy: beside\ntools: [a]\n",
        "policies_of_files.py": "from beewalk import Policy, Tool\n\ncode = Policy([Tool('a')], name='code')\n",
        "s.scenario.yaml": "---\n".join(
            f"scenario: s{number}\npolicy: '{reference}'\nchat_model: {{script: []}}\n"
            for number, reference in enumerate(
                ["beside.policy.yaml", "policies_of_files:code", "policies_of_files.py:code"]
            )
        ),
    }
    for name, text in files.items():
        (tmp_path / "files" / name).write_text(text, encoding="utf-8")
    scenarios = load_scenarios("files/s.scenario.yaml")
    assert [scenario.policy.name for scenario in scenarios] == ["beside", "code", "code"]
    assert scenarios[1].place == "files/s.scenario.yaml:5:11"
