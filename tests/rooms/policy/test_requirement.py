import asyncio
import pickle
from typing import Any

import pytest

from beewalk import (
    NotInThisVersion,
    Policy,
    PolicyError,
    Requirement,
    RequirementAgentRunState,
    RequirementError,
    Rule,
    RunContext,
    Tool,
    requirement,
    run_with_context,
)
from beewalk.policy.messages import AssistantMessage, Memory, SystemMessage, ToolMessage, UserMessage
from beewalk.policy.requirement import rules_from
from beewalk.policy.state import Run
from beewalk.policy.step import Turn
from tests.support.builders import a_policy, turns_of

RULE = Rule(target="a", allowed=False)


def a_state(history: str = "") -> RequirementAgentRunState:
    policy = a_policy("think a b")
    return RequirementAgentRunState(Run("Boston?", number=2), policy.tools, turns_of(policy, history))


class Plain(Requirement[RequirementAgentRunState]):
    name = "plain"

    def run(self, state: RequirementAgentRunState) -> list[Rule]:
        return [RULE]


class Awaited(Requirement):
    name = "awaited"

    async def run(self, state: RequirementAgentRunState) -> list[Rule]:
        return [RULE]


class WithContext(Requirement[RequirementAgentRunState]):
    name = "with_context"

    @run_with_context
    async def run(self, state: RequirementAgentRunState, context: RunContext) -> list[Rule]:
        return [Rule(target="a", reason=f"{context.run_id} of {context.instance.name}")]


class TwoArguments(Requirement[Any]):
    name = "two_arguments"

    def run(self, state: RequirementAgentRunState, context: RunContext) -> list[Rule]:  # type: ignore[override]
        return [Rule(target="a", reason=context.run_id)]


@pytest.mark.parametrize("made", [Plain(), Awaited()], ids=["sync", "async"])
def test_run_may_be_sync_or_async(made: Requirement[Any]) -> None:
    assert rules_from(made, a_state()) == (RULE,)


def test_run_may_take_a_context() -> None:
    assert rules_from(WithContext(), a_state())[0].reason == "run-2 of with_context"
    assert rules_from(TwoArguments(), a_state())[0].reason == "run-2"
    assert asyncio.run(WithContext().run(a_state()))[0].reason == "run-2 of with_context"


def test_a_function_may_take_the_state_or_the_state_and_a_context() -> None:
    @requirement(targets=["a"])
    def one(state: RequirementAgentRunState) -> list[Rule]:
        return [RULE]

    @requirement(name="second")
    async def two(state: RequirementAgentRunState, ctx: RunContext) -> list[Rule]:
        return [RULE]

    assert (one.name, two.name) == ("one", "second")
    assert rules_from(one, a_state()) == rules_from(two, a_state()) == (RULE,)


def test_code_that_waits_is_not_in_this_version() -> None:
    @requirement()
    async def slow(state: RequirementAgentRunState) -> list[Rule]:
        await asyncio.sleep(0.01)
        return []

    with pytest.raises(NotInThisVersion, match="waits for a timer or the network"):
        rules_from(slow, a_state())


@pytest.mark.parametrize("said", [None, "text", [1], Rule(target="a")], ids=str)
def test_only_a_list_of_rules_will_do(said: object) -> None:
    @requirement(name="odd")
    def odd(state: RequirementAgentRunState) -> Any:
        return said

    with pytest.raises(RequirementError, match="return a list of Rule"):
        rules_from(odd, a_state())


def test_what_code_raises_is_told_with_its_requirement() -> None:
    @requirement(name="broken")
    def broken(state: RequirementAgentRunState) -> list[Rule]:
        return [Rule(target=state.steps[5].name)]

    with pytest.raises(RequirementError, match="'broken' raised IndexError") as caught:
        rules_from(broken, a_state())
    assert caught.value.requirement == "broken"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.requirement) == (str(caught.value), "broken")


def test_a_base_without_run_says_so() -> None:
    class Empty(Requirement[Any]):
        name = "empty"

    with pytest.raises(RequirementError, match=r"Empty has no run\(state\)"):
        rules_from(Empty(), a_state())


@pytest.mark.parametrize("priority", [0, -1, True, "high"])
def test_priority_is_a_whole_number_from_one(priority: Any) -> None:
    made = Plain()
    with pytest.raises(ValueError, match="whole number from 1"):
        made.priority = priority
    made.priority = 3
    assert made.priority == 3


def test_the_state_has_what_requirement_code_reads() -> None:
    state = a_state("think a:error")
    assert (state.input.text, state.iteration, state.answer, state.result) == ("Your task: Boston?", 3, None, None)
    last = state.steps[-1]
    assert last.tool is not None
    assert (last.tool.name, last.input, last.output.get_text_content(), last.iteration) == ("a", {}, "", 2)
    assert last.error is not None
    roles = [message.role for message in state.memory.messages]
    assert roles == ["user", "assistant", "tool", "assistant", "tool"]


def test_a_memory_takes_and_gives_messages() -> None:
    async def use() -> Memory:
        memory = Memory([UserMessage("hi")])
        note = AssistantMessage("note", {"tempMessage": True})
        await memory.add(note)
        await memory.add(SystemMessage("first"), 0)
        await memory.add_many([ToolMessage("12 °C")])
        assert await memory.delete(note)
        assert not await memory.delete(note)
        return memory

    assert [message.text for message in asyncio.run(use()).messages] == ["first", "hi", "12 °C"]
    assert repr(UserMessage("hi")) == "UserMessage('hi')"


class Picky(Plain):
    name = "picky"

    async def init(self, *, tools: list[Tool], ctx: RunContext) -> None:
        if not any(tool.name == "delete" for tool in tools):
            raise LookupError("needs delete")


def test_what_init_raises_is_a_problem_of_the_policy() -> None:
    with pytest.raises(PolicyError, match=r"requirements\[0\]: init\(\) of 'picky' raised LookupError: needs delete"):
        Policy([Tool("a")], [Picky()])
    assert Policy([Tool("a"), Tool("delete")], [Picky()]).requirements[0].name == "picky"


class Nameless(Requirement[Any]):
    def run(self, state: Any) -> list[Rule]:
        return []


def test_all_problems_of_a_policy_come_at_once() -> None:
    @requirement(name="about", targets=["ghost"])
    def about(state: Any) -> list[Rule]:
        return []

    with pytest.raises(PolicyError) as caught:
        Policy([Tool("a"), Tool("a"), Tool("final_answer"), "b"], [Nameless(), about, "x"])  # type: ignore[list-item]
    assert [(problem.path, problem.what.split(",")[0]) for problem in caught.value.problems] == [
        (("tools", 1), "two tools are named 'a'"),
        (("tools", 2), "a tool is named 'final_answer'"),
        (("tools", 3), "'b' is not a tool"),
        (("requirements", 0), "Nameless has no name"),
        (("requirements", 1, "targets"), "targets names 'ghost'"),
        (("requirements", 2), "'x' is not a requirement"),
    ]
    assert len(str(caught.value).splitlines()) == 6
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


def test_turns_hold_their_steps() -> None:
    (turn,) = turns_of(a_policy("a"), "a")
    assert turn == Turn(1, turn.steps)
