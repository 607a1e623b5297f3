"""Tools at work: their own code, sync and async, alone and together."""

import asyncio
import contextvars
import threading
from pathlib import Path
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


def test_async_calls_of_one_reply_wait_for_each_other() -> None:
    arrived: list[asyncio.Event] = []

    async def waits_for_the_other(n: int) -> str:
        arrived.append(asyncio.Event())
        if len(arrived) == 2:
            for one in arrived:
                one.set()
        await arrived[0].wait()
        return f"met {n}"

    made = really(waits_for_the_other, calls=2, parallel=True)
    assert [step.output.get_text_content() for step in made.steps[:2]] == ["met 0", "met 1"]


def test_results_are_in_the_order_of_the_calls_whichever_is_done_first() -> None:
    second_is_done = asyncio.Event()

    async def late_or_early(n: int) -> str:
        if n == 0:
            await second_is_done.wait()
        second_is_done.set()
        return str(n)

    made = really(late_or_early, calls=2, parallel=True)
    assert [step.output.get_text_content() for step in made.steps[:2]] == ["0", "1"]


def test_calls_beside_one_that_crashes_come_to_their_end_and_leave_no_step() -> None:
    crashed, done = asyncio.Event(), list[str]()

    async def crashes() -> str:
        crashed.set()
        raise AgentError("inner")

    async def goes_on() -> str:
        await crashed.wait()
        done.append("done")
        return "x"

    policy = Policy([Tool("a", function=goes_on), Tool("b", function=crashes)], loop=Loop(parallel_tool_calls=True))
    made = run(policy, [[a_call.a(), a_call.b()]], outcomes={"a": "real", "b": "real"})
    assert (made.ends, made.steps, done) == ("tool_crash", (), ["done"])


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


def test_sync_code_sees_the_context_of_the_run() -> None:
    who = contextvars.ContextVar("who", default="nobody")

    def get() -> str:
        return who.get()

    async def within() -> str:
        who.set("somebody")
        result = await Toolbox(reader_of("text")).run(Tool("t", function=get), a_call.t())
        return result.output.get_text_content()

    assert asyncio.run(within()) == "somebody"


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_tool_that_stops_an_iteration_has_failed(kind: str) -> None:
    def empty(n: int) -> str:
        return next(iter(()))

    async def empty_too(n: int) -> str:
        return next(iter(()))

    assert really(empty if kind == "sync" else empty_too, timeout=1) == ["t:error", "final_answer"]


def test_a_function_that_returns_an_awaitable_is_awaited() -> None:
    async def patient(n: int) -> str:
        await asyncio.sleep(0)
        return f"waited {n}"

    def starts(n: int) -> Any:
        return patient(n)

    assert really(starts).steps[0].output.get_text_content() == "waited 0"


class Adds:
    """Can be called, and is no function."""

    def __call__(self, n: int) -> int:
        return n + 1


@pytest.mark.xfail(reason="pydantic's validate_call takes functions only, and its error ends run()", strict=True)
def test_an_object_that_can_be_called_can_be_a_tool() -> None:
    assert really(Adds()).steps[0].output.result == 1


@pytest.mark.parametrize("reference", ["#/$defs/nowhere", "#/properties/n"])
def test_a_reference_that_leads_nowhere_is_told_as_a_schema_that_is_none(reference: str) -> None:
    policy = Policy([Tool("t", arguments={"type": "object", "properties": {"n": {"$ref": reference}}})])
    made = run(policy, [a_call.t(n=1)])
    assert "the arguments of 't' are described by no JSON schema" in made.message


def test_a_schema_reads_no_file(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text('{"type": "string"}', encoding="utf-8")
    policy = Policy([Tool("t", arguments={"type": "object", "properties": {"n": {"$ref": other.as_uri()}}})])
    made = run(policy, [a_call.t(n=1)])
    assert (made.ends, made.steps) == ("tool_crash", ())
    assert "the arguments of 't' are described by no JSON schema: it cannot be read: Unresolvable" in made.message
