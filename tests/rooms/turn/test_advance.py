"""One step of the loop; whole runs are compared with the framework's in tests/agreement."""

from collections.abc import Sequence
from typing import Any

import pytest

from beewalk import Call, Ending, Limits, Loop, Policy, Reply, RequirementError, Rule
from beewalk.policy.call import Call as PlainCall
from beewalk.policy.step import ToolError
from beewalk.reasoner.ruling import Vote
from beewalk.turn.advance import advance, begin
from beewalk.turn.events import (
    Ask,
    AskPermission,
    Crashed,
    Effect,
    End,
    Event,
    Failed,
    Finish,
    Kept,
    MakeRules,
    Permission,
    Permitted,
    Raised,
    Ran,
    Replied,
    Result,
    Ruled,
    Rules,
    RunCalls,
)
from beewalk.turn.state import LoopState, terms_of
from tests.support.builders import a_policy

DONE = Result("ok", answer="done", value={"response": "done"})
FAILED = Result("error", error=ToolError("no"))


def after(policy: Policy, *events: Event) -> tuple[LoopState, Effect]:
    """Where a run is after these events."""
    state, effect = begin(terms_of(policy))
    for event in events:
        state, effect = advance(state, event)
    return state, effect


def says(*calls: str, text: str | None = None) -> Replied:
    return Replied(Reply(tuple(Call(name) for name in calls), text))


def turn(*results: Result, calls: Sequence[str] = ("a",)) -> tuple[Event, ...]:
    """The events of a turn in which `calls` come to `results`."""
    return (Ruled(Rules()), says(*calls), Ran(results), Kept())


def unchecked(**options: Any) -> Policy:
    return a_policy("a b", loop=Loop(parallel_tool_calls=True, repeated_calls=None), **options)


def test_a_run_starts_with_the_rules_of_turn_1_and_asks_with_what_they_leave() -> None:
    assert after(unchecked())[1] == MakeRules(1, dropped=False)
    vote = Vote(0, "no b", 10, (Rule(target="b", allowed=False),))
    effect = after(unchecked(), Ruled(Rules((vote,))))[1]
    assert isinstance(effect, Ask)
    assert (effect.turn, effect.number, effect.ask, effect.asked) == (1, 1, 1, 1)
    assert effect.request.allowed == {"a", "final_answer"}


def test_a_turn_is_kept_and_the_next_one_begins() -> None:
    finish = after(unchecked(), *turn(Result("ok"))[:-1])[1]
    assert isinstance(finish, Finish)
    assert [step.name for step in finish.turn.steps] == ["a"]
    assert after(unchecked(), *turn(Result("ok")))[1] == MakeRules(2, dropped=False)


def test_the_final_answer_ends_the_run_and_other_calls_of_its_reply_run_too() -> None:
    end = after(unchecked(), *turn(Result("ok"), DONE, calls=("a", "final_answer")))[1]
    assert isinstance(end, End)
    assert (end.ends, end.answer, end.value) == (Ending.FINAL_ANSWER, "done", {"response": "done"})


def test_failures_beyond_the_retries_of_a_turn_end_the_run_and_later_calls_leave_no_step() -> None:
    policy = unchecked(limits=Limits(max_retries_per_step=1))
    state, finish = after(policy, *turn(FAILED, FAILED, DONE, calls=("a", "a", "final_answer"))[:-1])
    assert isinstance(finish, Finish)
    assert len(finish.turn.steps) == 2
    end = advance(state, Kept())[1]
    assert isinstance(end, End)
    assert (end.ends, end.message) == (
        Ending.RETRY_LIMIT,
        "'a' failed, and the turn has no retry left (of 1)",
    )


def test_failures_of_several_turns_use_up_the_retries_of_the_run() -> None:
    policy = unchecked(limits=Limits(max_retries_per_step=1, total_max_retries=2))
    end = after(policy, *turn(FAILED), *turn(FAILED), *turn(FAILED))[1]
    assert isinstance(end, End)
    assert end.message == "'a' failed, and the run has no retry left (of 2)"


def test_more_turns_than_are_allowed_end_the_run() -> None:
    end = after(unchecked(limits=Limits(max_iterations=1)), *turn(Result("ok")))[1]
    assert isinstance(end, End)
    assert (end.ends, end.message) == (Ending.ITERATION_LIMIT, "there was no final answer within 1 turn")


def test_a_requirement_that_raises_ends_the_run_and_so_does_a_rule_for_what_is_no_tool() -> None:
    raised = after(unchecked(), Raised(RequirementError("no way")))[1]
    assert raised == End(Ending.REQUIREMENT_ERROR, "no way")
    vote = Vote(0, "odd", 10, (Rule(target="ghost"),))
    odd = after(unchecked(), Ruled(Rules((vote,))))[1]
    assert isinstance(odd, End)
    assert odd.ends is Ending.REQUIREMENT_ERROR
    assert "'ghost', which is no tool" in odd.message


def test_nothing_allowed_is_a_dead_end_with_its_rulings() -> None:
    rules = tuple(Rule(target=name, allowed=False) for name in ("a", "b", "final_answer"))
    end = after(unchecked(), Ruled(Rules((Vote(0, "no", 10, rules),))))[1]
    assert isinstance(end, End)
    assert (end.ends, list(end.dead_end.rulings) if end.dead_end else []) == (
        Ending.DEAD_END,
        ["a", "b", "final_answer"],
    )


def test_a_chat_model_that_raises_is_asked_again_unless_that_is_fatal() -> None:
    start = (Ruled(Rules()),)
    again = after(unchecked(), *start, Failed("busy"))[1]
    assert isinstance(again, Ask)
    assert (again.ask, again.asked, again.rejected) == (2, 2, ())
    assert after(unchecked(), *start, Failed("gone", fatal=True))[1] == End(Ending.CHAT_MODEL_ERROR, "gone")
    assert after(unchecked(), *start, *[Failed("busy")] * 4)[1] == End(Ending.CHAT_MODEL_ERROR, "busy")


def test_permission_is_asked_by_each_requirement_and_one_refusal_is_enough() -> None:
    rules = Rules((), {"a": Permission(ask=(0, 2)), "b": Permission(refused=True)})
    state, effect = after(unchecked(), Ruled(rules), says("a", "b", "a"))
    assert isinstance(effect, AskPermission)
    assert [(question.call.tool, question.requirement) for question in effect.questions] == [
        ("a", 0),
        ("a", 2),
        ("a", 0),
        ("a", 2),
    ]
    state, effect = advance(state, Permitted((True, False, True, True)))
    assert effect == RunCalls(1, (PlainCall("a"),))
    _, finish = advance(state, Ran((Result("ok"),)))
    assert isinstance(finish, Finish)
    assert [step.outcome for step in finish.turn.steps] == ["denied", "denied", "ok"]


def test_nobody_is_asked_about_what_is_not_offered() -> None:
    vote = Vote(0, "no a", 10, (Rule(target="a", allowed=False),))
    policy = a_policy("a b", loop=Loop(final_answer_as_tool=False))
    effect = after(policy, Ruled(Rules((vote,), {"a": Permission(ask=(0,))})), says("a"))[1]
    assert effect == RunCalls(1, ())


def test_arguments_that_are_a_list_end_the_run() -> None:
    end = after(unchecked(), Ruled(Rules()), Replied(Reply((Call("a", "[1]"),))))[1]
    assert end == End(Ending.FRAMEWORK_ERROR, "the arguments of 'a' are no mapping: [1]")


def test_a_crash_ends_the_run() -> None:
    assert after(unchecked(), Ruled(Rules()), says("a"), Crashed("it broke"))[1] == End(Ending.TOOL_CRASH, "it broke")


def test_a_repeated_name_that_is_no_tool_ends_the_run() -> None:
    policy = a_policy("a", loop=Loop(final_answer_as_tool=False))
    start = (Ruled(Rules()), says("ghost"), Ran(()), Kept())
    end = after(policy, *start, Ruled(Rules()), says("ghost"))[1]
    assert isinstance(end, End)
    assert end.ends is Ending.FRAMEWORK_ERROR


def test_silence_that_uses_up_the_retries_ends_the_run() -> None:
    policy = a_policy(
        "a", loop=Loop(final_answer_as_tool=False), limits=Limits(max_retries_per_step=0, total_max_retries=0)
    )
    end = after(policy, Ruled(Rules()), says(text=""))[1]
    assert isinstance(end, End)
    assert (end.ends, end.message) == (
        Ending.RETRY_LIMIT,
        "no tool was called, and the turn has no retry left (of 0)",
    )


def test_an_answer_to_another_effect_is_a_mistake_of_the_caller() -> None:
    state, _ = begin(terms_of(unchecked()))
    with pytest.raises(AssertionError, match="once it was asked"):
        advance(state, says("a"))
