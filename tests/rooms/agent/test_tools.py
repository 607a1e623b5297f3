"""Tools at work: their own code, sync and async, alone and together."""

import asyncio
import threading
from typing import Any

import pytest

from beewalk import (
    AgentError,
    BeewalkError,
    Loop,
    Policy,
    Scripted,
    ScriptError,
    Tool,
    ToolError,
    ToolOutput,
    final_answer,
    run,
    tool,
)
from beewalk import call as a_call
from beewalk.agent.arguments import reader_of
from beewalk.agent.tools import Toolbox
from beewalk.turn.trajectory import Trajectory

DONE = final_answer("done")
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def really(function: Any, *, calls: int = 1, parallel: bool = False, **options: Any) -> Trajectory:
    """A run in which the tool `t` runs its own code."""
    made = function if isinstance(function, Tool) else Tool("t", function=function)
    policy = Policy([made], loop=Loop(parallel_tool_calls=parallel))
    listed = [a_call(made.name, n=number) for number in range(calls)]
    script: list[Any] = [listed, DONE] if parallel else [*listed, DONE]
    return run(policy, script, outcomes={made.name: "real"}, **options)


def test_sync_and_async_code_runs_with_its_arguments() -> None:
    async def patient(n: int) -> str:
        await asyncio.sleep(0)
        return f"waited {n}"

    def quick(n: int) -> dict[str, int]:
        return {"n": n}

    assert really(patient).steps[0].output.get_text_content() == "waited 0"
    assert really(quick).steps[0].output.get_text_content() == '{"n": 0}'
    assert really(lambda n: ToolOutput("as it is")).steps[0].output.get_text_content() == "as it is"


@pytest.mark.parametrize("error", [ValueError("no"), ToolError("no"), RuntimeError()])
def test_what_a_tool_raises_is_a_failed_call(error: Exception) -> None:
    def broken(n: int) -> str:
        raise error

    made = really(broken)
    assert made == ["t:error", "final_answer"]
    assert str(made.steps[0].error) == (str(error) or "RuntimeError")


def test_an_agent_that_fails_inside_a_tool_ends_the_run() -> None:
    def inner(n: int) -> str:
        raise AgentError("dead end")

    made = run(Policy([Tool("t", function=inner)]), [a_call.t(n=1)], outcomes={"t": "real"})
    assert (made.ends, made.message) == ("tool_crash", "the tool 't' raised AgentError: dead end")
    assert made == []


def test_arguments_that_do_not_fit_are_a_failed_call() -> None:
    def quick(n: int, word: str) -> str:
        return "x"

    made = really(quick)
    assert made == ["t:error", "final_answer"]
    assert "word" in str(made.steps[0].error)


def test_scripted_calls_are_checked_against_the_schema_too() -> None:
    policy = Policy([Tool("t", arguments=NUMBER)])
    made = run(policy, [a_call.t(n="x"), a_call.t(n=1), DONE])
    assert made == ["t:error", "t", "final_answer"]
    assert str(made.steps[0].error) == "the arguments are not valid: n: 'x' is not of type 'integer'"


def test_a_schema_that_is_none_is_told_as_such() -> None:
    policy = Policy([Tool("t", arguments={"type": "objekt", "properties": {"n": {}}})])
    made = run(policy, [a_call.t(n=1)])
    assert made.ends == "tool_crash"
    assert "the arguments of 't' are described by no JSON schema" in made.message


def test_calls_of_one_reply_run_at_the_same_time() -> None:
    meet = threading.Barrier(2, timeout=5)

    def waits_for_the_other(n: int) -> str:
        meet.wait()
        return "met"

    assert really(waits_for_the_other, calls=2, parallel=True) == ["t", "t", "final_answer"]


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_tool_that_hangs_is_told_with_its_arguments(kind: str) -> None:
    released = threading.Event()

    def hangs(n: int) -> str:
        released.wait(10)
        return "late"

    async def waits(n: int) -> str:
        await asyncio.sleep(10)
        return "late"

    with pytest.raises(ScriptError, match=r"the tool 't' took more than 0\.05 s for t \{\"n\": 0\}: make it quicker"):
        really(hangs if kind == "sync" else waits, timeout=0.05)
    released.set()


def test_a_decorated_function_is_checked_by_its_signature() -> None:
    @tool
    def add(one: int, two: int = 1) -> int:
        """Add."""
        return one + two

    policy = Policy([add])
    made = run(policy, [a_call.add(one=2), a_call.add(), DONE], outcomes={"add": "real"})
    assert made == ["add", "add:error", "final_answer"]
    assert made.steps[0].output.result == 3


def test_outcomes_come_in_order_and_the_last_repeats() -> None:
    policy = Policy([Tool("t", outcomes={"empty": ""})])
    outcomes: dict[str, list[str | Scripted]] = {"t": ["empty", Scripted("ok", "5 hits"), Scripted("error", "quota")]}
    made = run(policy, [*(a_call.t(n=number) for number in range(4)), DONE], outcomes=outcomes)
    assert made == ["t:empty", "t:ok", "t:error", "t:error", "final_answer"]
    assert made.steps[1].output.result == "5 hits"
    assert str(made.steps[2].error) == "quota"


def test_real_without_code_is_ok_and_crash_has_a_text() -> None:
    policy = Policy([Tool("t")])
    assert run(policy, [a_call.t(), DONE], outcomes={"t": "real"}) == ["t", "final_answer"]
    crashed = run(policy, [a_call.t()], outcomes={"t": "crash"})
    assert crashed.message == "the tool 't' raised AgentError: t crashed"


def test_a_toolbox_without_a_script_runs_real_code() -> None:
    made = Tool("t", function=lambda: "real")
    result = asyncio.run(Toolbox(reader_of("text")).run(made, a_call.t()))
    assert result.output.result == "real"
    assert issubclass(ScriptError, BeewalkError)
