"""`run(...)`: a policy, whatever it is called, played with a script."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from beewalk import (
    AskPermissionRequirement,
    BeewalkError,
    Ending,
    FunctionChatModel,
    Limits,
    Loop,
    Policy,
    PolicyError,
    RandomChatModel,
    RequirementAgent,
    Scripted,
    ScriptedChatModel,
    ScriptError,
    Tool,
    call,
    final_answer,
    run,
    tool,
)
from beewalk.chat_models.entries import Entry
from tests.support.builders import a_policy, when

DONE = final_answer("x")
ASKS = a_policy("a b", AskPermissionRequirement("a"))


def test_a_policy_is_named_in_any_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p.policy.yaml").write_text("policy: p\ntools: [a]\n", encoding="utf-8")
    (tmp_path / "played.py").write_text("from beewalk import Policy, Tool\np = Policy([Tool('a')])\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    agent = RequirementAgent(llm=ScriptedChatModel([]), tools=[Tool("a")])
    for policy in ("p.policy.yaml", Path("p.policy.yaml"), "played.py:p", a_policy("a"), agent):
        assert run(policy, [call.a(), DONE]) == ["a", "final_answer"]


def test_an_agent_is_played_without_its_own_chat_model_and_memory() -> None:
    own = ScriptedChatModel([DONE])
    agent = RequirementAgent(llm=own, tools=[Tool("a"), Tool("b")], requirements=[when("b", only_after="a")])
    made = run(agent, [call.a(), call.b(), DONE])
    assert made == ["a", "b", "final_answer"]
    assert (own.prompts, agent.memory.messages) == ([], [])


def test_a_policy_with_problems_is_not_played(tmp_path: Path) -> None:
    path = tmp_path / "p.policy.yaml"
    path.write_text("policy: p\ntools: 3\n", encoding="utf-8")
    with pytest.raises(PolicyError):
        run(path, [DONE])


@pytest.mark.parametrize("script", [[call.a(), DONE], (call.a(), DONE), ScriptedChatModel([call.a(), DONE])])
def test_a_script_is_any_sequence_or_a_chat_model(script: Any) -> None:
    assert run(a_policy("a"), script) == ["a", "final_answer"]


def test_a_chat_model_may_be_a_function_or_dice() -> None:
    model = FunctionChatModel(lambda prompt: DONE if prompt.ask.turn == 2 else call.a())
    assert run(a_policy("a"), model) == ["a", "final_answer"]
    assert len(model.prompts) == 2
    first, second = (run(a_policy("a b"), RandomChatModel(seed=7)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("script", ["final_answer", None, DONE, lambda prompt: DONE, iter([DONE])])
def test_what_is_no_script_is_refused(script: Any) -> None:
    with pytest.raises(BeewalkError, match=r"^the script is .*: pass a list, an entry an ask, or an object with"):
        run(a_policy("a"), script)


def test_the_task_is_given_or_the_policys_own() -> None:
    for given, told in ((None, "Own."), ("Other.", "Other."), ("", "")):
        model = ScriptedChatModel([DONE])
        run(a_policy("a", input="Own."), model, input=given)
        assert model.prompts[0].messages[-1].text == f"Your task: {told}"


def test_a_script_says_what_it_means_to_do_against_its_requests() -> None:
    script: list[Entry] = ["text", DONE]
    with pytest.raises(ScriptError, match=r"declare conduct: \[text\]"):
        run(a_policy("a"), script)
    assert run(a_policy("a"), script, conduct=["text"]) == ["final_answer"]
    assert run(a_policy("a"), ["", call.a(), call.a(), DONE], conduct={"silent", "text", "repeat"}) == [
        "a",
        "final_answer",
    ]
    with pytest.raises(BeewalkError, match="conduct has 'rude': possible: repeat, text"):
        run(a_policy("a"), script, conduct=["rude"])
    with pytest.raises(BeewalkError, match="there is no script: give it to the chat model instead"):
        run(a_policy("a"), ScriptedChatModel(script), conduct=["text"])


@pytest.mark.parametrize(
    ("outcomes", "moves"),
    [
        ("error", ["a:error", "a:error", "final_answer"]),
        (Scripted("error", "quota"), ["a:error", "a:error", "final_answer"]),
        (["error", "none"], ["a:error", "a:none", "final_answer"]),
        (("none", Scripted(said="3 hits")), ["a:none", "a", "final_answer"]),
        ([], ["a", "a", "final_answer"]),
    ],
)
def test_outcomes_are_one_or_a_list(outcomes: Any, moves: list[str]) -> None:
    policy = Policy([Tool("a", outcomes={"none": ""})])
    assert run(policy, [call.a(n=1), call.a(n=2), DONE], outcomes={"a": outcomes}) == moves


def test_an_outcome_has_its_own_text() -> None:
    made = run(a_policy("a"), [call.a(), DONE], outcomes={"a": Scripted(said="3 hits")})
    assert made.steps[0].output.get_text_content() == "3 hits"
    crashed = run(a_policy("a"), [call.a()], outcomes={"a": Scripted("crash", "disk full")})
    assert (crashed.ends, crashed.message) == (Ending.TOOL_CRASH, "the tool 'a' raised AgentError: disk full")


@pytest.mark.parametrize(("answers", "move"), [(True, "a"), (False, "a:denied"), ([True, False], "a"), ((True,), "a")])
def test_permissions_are_one_or_a_list(answers: bool | Sequence[bool], move: str) -> None:
    assert run(ASKS, [call.a(), DONE], permissions={"a": answers}) == [move, "final_answer"]


def test_the_last_permission_repeats() -> None:
    script = [call.a(n=1), call.a(n=2), call.a(n=3), DONE]
    assert run(ASKS, script, permissions={"a": [True, False]}) == ["a", "a:denied", "a:denied", "final_answer"]


@pytest.mark.parametrize("permissions", [None, {}, {"b": True}, {"a": []}])
def test_a_permission_that_is_not_scripted_is_the_scripts_fault(permissions: Any) -> None:
    with pytest.raises(ScriptError, match=r"no answer is scripted: add permissions: \{a: \[allow\]\}, or deny"):
        run(ASKS, [call.a(), DONE], permissions=permissions)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"outcomes": {"weathr": "ok"}},
            "outcomes has 'weathr', which is no tool of the policy: did you mean 'weather'",
        ),
        ({"outcomes": {"weather": "eror"}}, "'weather' has no outcome 'eror': did you mean 'error'"),
        ({"outcomes": {"weather": ["ok", Scripted("wet")]}}, "'weather' has no outcome 'wet': possible: ok, error"),
        ({"permissions": {"b": True}}, "permissions has 'b', which is no tool of the policy: possible: weather"),
        ({"permissions": {"weather": "deny"}}, "the permissions of 'weather' are 'deny': write True or False"),
        ({"permissions": {"weather": [True, None]}}, "are [True, None]: write True or False"),
        ({"runs": 0}, "runs is 0: it must be at least 1"),
    ],
)
def test_what_cannot_be_played_is_said(options: dict[str, Any], said: str) -> None:
    with pytest.raises(BeewalkError) as caught:
        run(a_policy("weather"), [DONE], **options)
    assert said in str(caught.value)
    assert not isinstance(caught.value, ScriptError)


def test_an_outcome_with_its_text_needs_no_name_in_the_policy() -> None:
    assert run(a_policy("a"), [call.a(), DONE], outcomes={"a": Scripted("wet", "rain")}) == ["a:wet", "final_answer"]


def test_limits_are_given_or_the_policys_own() -> None:
    policy = a_policy("a", limits=Limits(max_iterations=1))
    assert run(policy, [call.a()]).ends is Ending.ITERATION_LIMIT
    assert run(policy, [call.a(), DONE], limits=Limits(max_iterations=2)).ends is Ending.FINAL_ANSWER
    assert policy.limits.max_iterations == 1


def test_the_last_of_several_runs_is_given_and_the_script_goes_on() -> None:
    assert run(a_policy("a"), [call.a(), DONE, DONE], runs=2) == ["final_answer"]
    with pytest.raises(ScriptError, match="the script has ended after 2 entries"):
        run(a_policy("a"), [call.a(), DONE], runs=2)


@pytest.mark.parametrize(
    ("script", "said", "turn"),
    [
        ([call.a()], "turn 2, ask 1: the script has ended after 1 entry", "called so far: a"),
        ([DONE, call.a()], "1 entry of its script was not played, from entry 2 on: a {}", "ended with final_answer"),
        ([call.b()], "calls 'b', which is not offered; offered: a, final_answer", "only_after of 'conditional b'"),
        ([call.ghost()], "calls 'ghost', which is no tool of the policy: possible: a, b", ""),
        ([[call.a(), DONE]], "makes 2 calls at once, which the policy's loop does not allow", "conduct: [parallel]"),
        ([5], "turn 1, ask 1: the script says 5: write call.TOOL(...)", ""),
    ],
)
def test_a_script_that_does_not_fit_is_an_error(script: Any, said: str, turn: str) -> None:
    with pytest.raises(ScriptError) as caught:
        run(a_policy("a b", when("b", only_after="a")), script)
    assert said in str(caught.value)
    assert turn in str(caught.value)


def test_however_the_run_ends_there_is_a_trajectory() -> None:
    stuck = a_policy("a", when("a", max_invocations=0), when("final_answer", only_after="a"))
    assert run(stuck, []).ends is Ending.DEAD_END
    busy = run(a_policy("a"), [RuntimeError("busy")], limits=Limits(max_retries_per_step=0))
    assert busy.ends is Ending.CHAT_MODEL_ERROR


def hanging(released: threading.Event) -> dict[str, Tool]:
    @tool
    def slow(n: int) -> str:
        """Hang in a thread."""
        released.wait(20)
        return "late"

    @tool
    async def patient(n: int) -> str:
        """Hang in the event loop."""
        await asyncio.sleep(20)
        return "late"

    return {"slow": slow, "patient": patient}


@pytest.mark.parametrize("name", ["slow", "patient"])
def test_a_tool_that_takes_too_long_is_an_error(name: str) -> None:
    released = threading.Event()
    policy = Policy([hanging(released)[name]])
    with pytest.raises(ScriptError, match=rf"the tool '{name}' took more than 0.05 s for {name} \{{"):
        run(policy, [call(name, n=1), DONE], outcomes={name: "real"}, timeout=0.05)
    released.set()
    assert run(policy, [call(name, n=1), DONE], timeout=5) == [name, "final_answer"]


def test_calls_of_one_reply_hang_no_longer_than_the_slowest_may() -> None:
    released = threading.Event()
    policy = Policy(list(hanging(released).values()), loop=Loop(parallel_tool_calls=True))
    with pytest.raises(ScriptError, match=r"took more than 0\.05 s"):
        run(
            policy,
            [[call.slow(n=1), call.patient(n=1)], DONE],
            outcomes={"slow": "real", "patient": "real"},
            timeout=0.05,
        )
    released.set()


def test_no_code_of_a_tool_runs_unless_it_is_real() -> None:
    ran = []

    @tool
    def note(n: int) -> str:
        """Note."""
        ran.append(n)
        return "noted"

    policy = Policy([note])
    assert run(policy, [call.note(n=1), DONE]) == ["note", "final_answer"]
    assert ran == []
    assert run(policy, [call.note(n=1), DONE], outcomes={"note": "real"}) == ["note", "final_answer"]
    assert ran == [1]


@pytest.mark.parametrize("within", [lambda made: made(), lambda made: asyncio.run(_awaited(made))])
def test_an_event_loop_may_be_running(within: Callable[[Callable[[], Any]], Any]) -> None:
    assert within(lambda: run(a_policy("a"), [call.a(), DONE])) == ["a", "final_answer"]
    with pytest.raises(ScriptError):
        within(lambda: run(a_policy("a"), []))


async def _awaited(made: Callable[[], Any]) -> Any:
    return made()
