"""Where whole runs differ from beeai-framework on purpose; each test fails when the framework changes.

The drawn runs of test_runs.py leave these out. Besides, requests differ as test_pins.py has it.
"""

import asyncio
from collections.abc import Mapping, Sequence

from beewalk import AskPermissionRequirement, Loop, Policy
from beewalk.policy.call import Call
from beewalk.turn.reply import Reply
from tests.support.boundary_cases import DONE, call
from tests.support.builders import a_policy, when
from tests.support.own_agent import OwnAgent, Playing
from tests.support.upstream_agent import Record, UpstreamAgent


def both(
    policy: Policy,
    script: Sequence[Reply | Exception],
    loop: asyncio.AbstractEventLoop,
    *,
    permissions: Mapping[str, Sequence[bool]] | None = None,
    runs: int = 1,
) -> list[tuple[Record, Record]]:
    """Each run on beewalk's agent, and on the real one."""
    given = permissions or {}
    chat_model = Playing(script)
    own = OwnAgent(policy, chat_model, chat_model.asks, outcomes={}, permissions=given)
    real = UpstreamAgent(policy, loop, script=script, outcomes={}, permissions=given)
    return [(own.run()[0], real.run()) for _ in range(runs)]


def test_a_requirement_on_the_final_answer_can_be_used_once_upstream(loop: asyncio.AbstractEventLoop) -> None:
    # Place: _runner.py, __init__: the tool final_answer is made anew for each run, the requirement's target is not.
    policy = a_policy("a", when("final_answer", only_after="a"), input="go")
    first, second = both(policy, [call("a"), DONE, call("a"), DONE], loop, runs=2)
    assert first[0].ends == first[1].ends == "final_answer"
    assert (second[0].ends, second[1].ends) == ("final_answer", "binding_error")


def test_a_structured_answer_with_a_response_that_is_no_text_breaks_off_upstream(
    loop: asyncio.AbstractEventLoop,
) -> None:
    # Place: middleware/stream_tool_call.py: the field `response` is sliced as a text.
    policy = a_policy("a", answer="structured", input="go")
    ((own, real),) = both(policy, [call("final_answer", '{"response": 5}')], loop)
    assert (own.ends, own.answer, real.ends) == ("final_answer", '{"response":5}', "framework_error")


def test_questions_about_one_reply_cross_upstream(loop: asyncio.AbstractEventLoop) -> None:
    # Place: agents/_utils.py, run_tools: each call is a task, and each task asks its own questions.
    asking = [AskPermissionRequirement("*"), AskPermissionRequirement("*")]
    policy = a_policy("a b", *asking, loop=Loop(parallel_tool_calls=True), input="go")
    ((own, real),) = both(policy, [Reply((Call("a"), Call("b"))), DONE], loop)
    assert [tool for tool, _ in own.permissions] == ["a", "a", "b", "b"]
    assert [tool for tool, _ in real.permissions] == ["a", "b", "a", "b"]


def test_a_choice_made_at_once_is_remembered_for_the_next_call_of_a_reply_upstream(
    loop: asyncio.AbstractEventLoop,
) -> None:
    # Place: requirements/ask_permission.py, _ask: a handler that does not wait is done before the next call is asked.
    asking = AskPermissionRequirement("a", remember_choices=True)
    policy = a_policy("a", asking, loop=Loop(parallel_tool_calls=True), input="go")
    script = [Reply((Call("a", '{"n": 1}'), Call("a", '{"n": 2}'))), DONE]
    ((own, real),) = both(policy, script, loop, permissions={"a": [True, False]})
    assert [step[1] for step in own.steps] == ["ok", "denied", "ok"]
    assert [step[1] for step in real.steps] == ["ok", "ok", "ok"]
