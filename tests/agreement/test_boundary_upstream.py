"""Every cell of the boundary table on the real agent, and that its helper tells all endings of a run apart."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

import pytest

from beewalk import AskPermissionRequirement, Limits, Loop, Policy, ThinkTool, Tool
from beewalk.policy.call import Call
from beewalk.turn.reply import Reply
from beewalk.turn.trajectory import Ending
from tests.support.boundary_cases import ASKS, CASES, DONE, LIMITS, MALFORMED, SILENCE, Case, auto, call, required, text
from tests.support.builders import a_policy, when
from tests.support.upstream_agent import SCRIPT_RAN_OUT, Record, UpstreamAgent

Entries = Sequence[Reply | Exception]
PARALLEL = Loop(parallel_tool_calls=True)


def runs(
    loop: asyncio.AbstractEventLoop,
    policy: Policy,
    script: Entries,
    *,
    outcomes: Mapping[str, Sequence[str]] | None = None,
    permissions: Mapping[str, Sequence[bool]] | None = None,
    count: int = 1,
) -> list[Record]:
    agent = UpstreamAgent(policy, loop, script=script, outcomes=outcomes or {}, permissions=permissions or {})
    return [agent.run() for _ in range(count)]


@pytest.mark.parametrize("case", [*CASES, *MALFORMED], ids=lambda case: case.name)
def test_the_real_agent_does_what_the_table_says(case: Case, loop: asyncio.AbstractEventLoop) -> None:
    (record,) = runs(loop, case.policy(), case.script)
    assert record.ends == case.ends
    assert len(record.asks) == case.asks
    assert tuple(request[3] for request in record.requests) == case.choices
    assert record.steps == case.steps
    assert record.answer == case.answer


@pytest.mark.parametrize(
    ("rejected", "messages"),
    [(SILENCE, 1), (text("one"), 2), (call("ghost"), 2), (call("ghost", text="aside"), 2)],
    ids=["silence", "text", "call", "call with text"],
)
def test_a_rejected_reply_is_shown_to_the_next_asks_of_its_request_only(
    rejected: Reply, messages: int, loop: asyncio.AbstractEventLoop
) -> None:
    (record,) = runs(loop, required(), [rejected, rejected, call("a"), DONE])
    assert [ask[2] for ask in record.asks] == [2, 2 + messages, 2 + 2 * messages, 4]


def test_a_rejected_call_is_shown_without_a_text_of_its_own_where_one_tool_is_named(
    loop: asyncio.AbstractEventLoop,
) -> None:
    policy = required(when("a", force_at_step=1))
    (record,) = runs(loop, policy, [call("b"), call("b", text="aside"), call("a"), DONE])
    assert [ask[2] for ask in record.asks] == [2, 3, 5, 4]


ENDINGS: dict[str, tuple[Callable[[], Policy], Entries, Mapping[str, Sequence[str]], str]] = {
    "dead end": (
        lambda: a_policy("a", when("a", max_invocations=0), when("final_answer", only_after="a")),
        [],
        {},
        Ending.DEAD_END,
    ),
    "a force that cannot be obeyed": (
        lambda: a_policy("a b", when("a", force_at_step=1, only_after="b")),
        [],
        {},
        Ending.REQUIREMENT_ERROR,
    ),
    "a check that raises": (
        lambda: a_policy("a", when("a", custom_checks=[lambda state: 1 // len(state.steps) > 0])),
        [],
        {},
        Ending.REQUIREMENT_ERROR,
    ),
    "too many turns": (
        lambda: a_policy("a", limits=Limits(max_iterations=1)),
        [call("a"), DONE],
        {},
        Ending.ITERATION_LIMIT,
    ),
    "too many failures in a turn": (
        lambda: a_policy("a", limits=Limits(max_retries_per_step=0)),
        [call("a"), DONE],
        {"a": ["error"]},
        Ending.RETRY_LIMIT,
    ),
    "a chat model that raises each time": (
        lambda: a_policy("a", limits=LIMITS),
        [TimeoutError()] * ASKS,
        {},
        Ending.CHAT_MODEL_ERROR,
    ),
    "an agent in a tool that fails": (lambda: a_policy("a"), [call("a"), DONE], {"a": ["crash"]}, Ending.TOOL_CRASH),
    "a name that is no tool called again": (
        lambda: a_policy("a", loop=Loop(final_answer_as_tool=False)),
        [call("ghost"), call("ghost"), DONE],
        {},
        Ending.FRAMEWORK_ERROR,
    ),
    # Place: tools/tool.py, run(): the error event that tells of invalid arguments refuses to hold a list.
    "a list as arguments": (lambda: a_policy("a"), [call("a", "[1]"), DONE], {}, Ending.FRAMEWORK_ERROR),
    "text with braces that are mended to a list": (auto, [text("see {a}"), DONE], {}, Ending.FRAMEWORK_ERROR),
    # Place: middleware/stream_tool_call.py, _process(): a structured answer's `response` is taken to be a text.
    "a number as response, called": (
        lambda: required(answer="structured"),
        [call("final_answer", '{"response": 5}'), DONE],
        {},
        Ending.FRAMEWORK_ERROR,
    ),
    "a number as response, as text": (
        lambda: auto(answer="structured"),
        [text('{"response": 5}'), DONE],
        {},
        Ending.FRAMEWORK_ERROR,
    ),
    "a script that is too short": (lambda: a_policy("a"), [call("a")], {}, SCRIPT_RAN_OUT),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_endings_are_told_apart(name: str, loop: asyncio.AbstractEventLoop) -> None:
    make, script, outcomes, ends = ENDINGS[name]
    (record,) = runs(loop, make(), script, outcomes=outcomes)
    assert record.ends == ends
    assert record.answer is None


def test_an_exception_of_the_chat_model_is_an_ask(loop: asyncio.AbstractEventLoop) -> None:
    (record,) = runs(loop, required(), [TimeoutError(), DONE])
    assert (record.ends, len(record.asks)) == (Ending.FINAL_ANSWER, 2)


def test_invalid_arguments_fail_and_take_no_outcome(loop: asyncio.AbstractEventLoop) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    tools = [ThinkTool(), Tool("a", arguments=schema, outcomes={"empty": ""})]
    policy = Policy(tools, [when(ThinkTool, force_at_step=1)])  # type: ignore[arg-type]
    script = [call("think"), call("a"), call("a", '{"n": "x"}'), call("a", '{"n": 1}'), DONE]
    (record,) = runs(loop, policy, script, outcomes={"a": ["empty", "error"]})
    assert record.requests[0][3] == "think"
    assert [step[:2] for step in record.steps] == [
        ("think", "ok"),
        ("a", "error"),
        ("a", "error"),
        ("a", "empty"),
        ("final_answer", "ok"),
    ]


def test_what_a_failed_run_was_told_is_not_remembered(loop: asyncio.AbstractEventLoop) -> None:
    # Place: agents/requirement/agent.py, run(): the memory is written after runner.run() only.
    policy = a_policy("a", input="go", limits=Limits(max_retries_per_step=0))
    failed, second = runs(loop, policy, [call("a"), TimeoutError(), DONE], count=2)
    assert failed.ends == Ending.CHAT_MODEL_ERROR
    assert [ask[2] for ask in (*failed.asks, *second.asks)] == [2, 4, 2]


def test_a_second_run_of_a_rule_on_the_final_answer_fails_at_binding(loop: asyncio.AbstractEventLoop) -> None:
    policy = a_policy("a", when("final_answer", only_after="a"))
    first, second = runs(loop, policy, [call("a"), DONE, DONE], count=2)
    assert first.ends == Ending.FINAL_ANSWER
    assert (second.ends, second.requests, second.asks) == (Ending.BINDING_ERROR, (), ())


def test_a_second_run_goes_on_with_script_outcomes_permissions_and_memory(loop: asyncio.AbstractEventLoop) -> None:
    policy = a_policy("a", AskPermissionRequirement("a"), input="go")
    first, second = runs(
        loop,
        policy,
        [call("a"), DONE, call("a"), call("a", '{"x": 1}'), DONE],
        outcomes={"a": ["ok", "error"]},
        permissions={"a": [True, False, True]},
        count=2,
    )
    assert first.steps == (("a", "ok", 1), ("final_answer", "ok", 2))
    assert second.steps == (("a", "denied", 1), ("a", "error", 2), ("final_answer", "ok", 3))
    assert second.permissions == (
        ("a", '{"input": {}, "options": null}'),
        ("a", '{"input": {"x": 1}, "options": null}'),
    )
    assert [ask[2] for ask in (*first.asks, *second.asks)] == [2, 4, 7, 9, 11]


def test_a_crash_among_several_calls_leaves_nothing_running(loop: asyncio.AbstractEventLoop) -> None:
    policy = a_policy("a b", AskPermissionRequirement("b"), loop=PARALLEL)
    script = [Reply((Call("b"), Call("a"), Call("b", '{"x": 1}'))), DONE]
    crashed, after = runs(loop, policy, script, outcomes={"a": ["crash"]}, count=2)
    assert (crashed.ends, crashed.steps, len(crashed.permissions)) == (Ending.TOOL_CRASH, (), 2)
    assert (after.ends, after.answer) == (Ending.FINAL_ANSWER, "done")
    assert not asyncio.all_tasks(loop)
