"""What is found out about requirements of unknown code."""

import random
import threading
from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from beewalk import (
    AssistantMessage,
    BeewalkError,
    Limits,
    Policy,
    Requirement,
    RequirementAgentRunState,
    Rule,
    Tool,
    requirement,
)
from beewalk.policy.declared import MergeError
from beewalk.properties.exploration import Exploration, explore_policy
from tests.support.builders import a_policy, when

State = RequirementAgentRunState


def rule_when(target: str, allowed: Callable[[State], bool], name: str = "custom") -> Requirement[Any]:
    """A requirement that allows `target` while a function of the state is true."""

    @requirement(name=name)
    def made(state: State) -> list[Rule]:
        return [Rule(target=target, allowed=bool(allowed(state)))]

    return made


def called(state: State, tool: str) -> int:
    return sum(1 for step in state.steps if step.tool is not None and step.tool.name == tool)


def note_of(found: Exploration) -> str:
    (bound,) = (bound for bound in found.search.bound if bound.inferred is not None)
    assert bound.inferred is not None
    return bound.inferred.note


def test_a_requirement_that_ignores_the_run_has_one_memory() -> None:
    found = explore_policy(a_policy("a b", rule_when("a", lambda state: False)))
    assert note_of(found) == "does not look at the run"
    assert (found.states, found.moves) == (1, 2)


def test_a_requirement_that_looks_only_at_the_last_step_is_exact() -> None:
    found = explore_policy(
        a_policy("a b", rule_when("b", lambda state: not state.steps or state.steps[-1].name == "a"))
    )
    assert note_of(found).startswith("looks only at whether anything was called and the last step")
    assert found.states == 2


def test_a_call_anywhere_in_the_history_is_learned_as_two_memories() -> None:
    found = explore_policy(a_policy("a b c", rule_when("b", lambda state: called(state, "a") > 0)))
    assert "looks at all steps" in note_of(found)
    assert "2 memories" in note_of(found)
    assert (found.states, found.moves) == (2, 7)


@pytest.mark.parametrize("most", [1, 2, 5, 11, 20])
def test_a_count_is_learned_up_to_the_number_it_is_compared_with(most: int) -> None:
    found = explore_policy(a_policy("a b", rule_when("a", lambda state: called(state, "a") < most)))
    assert found.complete
    assert (found.states, found.tools["a"].max_calls) == (most + 1, most)


def test_two_counts_are_told_apart() -> None:
    def both(state: State) -> bool:
        return called(state, "a") >= 2 and called(state, "b") >= 3

    found = explore_policy(a_policy("a b c", rule_when("c", both)))
    assert (found.states, found.depth) == (12, 5)


def test_a_parity_is_learned() -> None:
    found = explore_policy(a_policy("a b", rule_when("b", lambda state: called(state, "a") % 2 == 1)))
    assert found.states == 2


def test_the_number_of_steps_and_the_iteration_are_learned() -> None:
    by_steps = explore_policy(a_policy("a b", rule_when("b", lambda state: len(state.steps) >= 4)))
    by_turns = explore_policy(a_policy("a b", rule_when("b", lambda state: state.iteration > 4)))
    assert by_steps.states == by_turns.states == 5
    assert "the number of steps" in note_of(by_steps)
    assert "the iteration" in note_of(by_turns)


def test_an_outcome_in_the_last_text_is_seen() -> None:
    policy = Policy(
        [Tool("search", outcomes={"ok": "hits", "empty": ""}), Tool("stop")],
        [rule_when("stop", lambda state: bool(state.steps) and state.steps[-1].output.is_empty())],
    )
    found = explore_policy(policy)
    assert [str(move) for move in found.graph.witness(1)] == ["search:empty"]


def test_texts_in_the_messages_are_seen() -> None:
    def told(state: State) -> bool:
        return any("b" in message.text for message in state.memory.messages)

    found = explore_policy(a_policy("a b c", rule_when("c", told), input="task"))
    assert "the messages" in note_of(found)
    assert found.states == 2


def test_reading_an_input_that_the_policy_does_not_give_is_said() -> None:
    asking = rule_when("a", lambda state: "x" not in state.input.text)
    assert any(note.startswith("input: empty") for note in explore_policy(a_policy("a", asking)).assumed)
    given = explore_policy(a_policy("a", asking, input="what is x?"))
    assert not any(note.startswith("input:") for note in given.assumed)
    assert not given.tools["a"].allowed


def test_reading_arguments_is_said() -> None:
    asking = rule_when("a", lambda state: all(not step.input for step in state.steps))
    assert any(note.startswith("arguments: empty") for note in explore_policy(a_policy("a b", asking)).assumed)


class Countdown(Requirement[State]):
    """Keeps a number in itself."""

    name = "countdown"

    def __init__(self, limit: int, *, kept: bool) -> None:
        super().__init__()
        self.left = limit
        self.limit = limit
        self.kept = kept

    def run(self, state: State) -> list[Rule]:
        last = state.steps[-1].name if state.steps else ""
        if last != "a":
            self.left = self.left if self.kept else self.limit
            return []
        self.left -= 1
        return [Rule(target="a", allowed=self.left > 0)]


def test_what_a_requirement_keeps_in_itself_is_followed_and_put_back() -> None:
    countdown = Countdown(3, kept=True)
    found = explore_policy(a_policy("a b", countdown))
    assert countdown.left == 3
    assert "its own attributes" in note_of(found)
    assert [finding.code for finding in found.findings] == []
    # The rule falls silent after b, so that a comes back once: 3 is spent after three calls, then a, b, a, b ...
    assert found.tools["a"].max_calls is None


def test_a_counter_that_is_set_back_is_not_taken_for_a_total() -> None:
    found = explore_policy(a_policy("a b", Countdown(2, kept=False)))
    assert (found.states, found.depth) == (3, 2)


def test_a_balance_needs_the_whole_history() -> None:
    balanced = rule_when("b", lambda state: called(state, "a") > called(state, "b"))
    found = explore_policy(a_policy("a b", balanced), max_states=500)
    assert not found.complete
    assert "needs the whole history" in note_of(found)


def test_what_nobody_could_foresee_needs_the_whole_history() -> None:
    def drawn(state: State) -> bool:
        names = " ".join(step.name for step in state.steps)
        return random.Random(names).random() < 0.9

    found = explore_policy(a_policy("a b", rule_when("b", drawn)), max_states=500)
    assert not found.complete
    assert found.graph.stop_reason.value == "max_states"


def test_a_whole_history_that_ends_is_explored_to_the_end() -> None:
    once = [when(name, max_invocations=1) for name in ("a", "b", "c")]
    mirrored = rule_when("c", lambda state: hash(tuple(step.name for step in state.steps)) is not None)
    mirrored.remembers = lambda state: tuple(step.name for step in state.steps)  # type: ignore[attr-defined]
    found = explore_policy(a_policy("a b c", *once, mirrored))
    assert found.complete
    # Every order of at most three different calls: 1 + 3 + 6 + 6, the memory being the whole order.
    assert found.states <= 16


class Declared(Requirement[State]):
    """Forbids b until a was called twice."""

    name = "declared"

    def run(self, state: State) -> list[Rule]:
        return [Rule(target="b", allowed=called(state, "a") >= 2)]


class Enough(Declared):
    def remembers(self, state: State) -> int:
        return min(called(state, "a"), 2)


class TooLittle(Declared):
    def remembers(self, state: State) -> bool:
        return called(state, "a") > 0


class RightNowOnly(Declared):
    def remembers(self, state: State) -> bool:
        return called(state, "a") >= 2


def test_a_declared_memory_is_used_as_it_is() -> None:
    found = explore_policy(a_policy("a b", Enough()))
    assert found.states == 3
    assert note_of(found).startswith("remembers what its remembers(state) returns")


def test_a_declared_memory_that_is_too_small_is_reported_with_both_histories() -> None:
    with pytest.raises(MergeError, match=r"'declared'.*after \[a\] and \[a a\], but the rules differ"):
        explore_policy(a_policy("a b", TooLittle()))


def test_a_declared_memory_that_forgets_what_comes_is_reported() -> None:
    with pytest.raises(MergeError, match=r"after \[\] and \[a\], but not any more once \[a\] follows both"):
        explore_policy(a_policy("a b", RightNowOnly()))


def test_code_that_raises_is_a_finding_not_a_crash() -> None:
    def third(state: State) -> bool:
        return state.steps[2].name == "a" if len(state.steps) > 1 else True

    found = explore_policy(a_policy("a b", rule_when("b", third)))
    (finding,) = found.findings
    assert (finding.code, [str(move) for move in finding.witness]) == ("requirement-error", ["a", "a"])
    assert "IndexError" in finding.message


def test_code_that_writes_to_the_memory_does_not_disturb_other_histories() -> None:
    lengths: Counter[int] = Counter()

    @requirement(name="writer")
    async def writer(state: State) -> list[Rule]:
        await state.memory.add(AssistantMessage("note", {"tempMessage": True}))
        lengths[len(state.memory.messages) - 2 * called(state, "a")] += 1
        return [Rule(target="a", allowed=called(state, "a") < 2)]

    found = explore_policy(a_policy("a", writer))
    assert found.states == 3
    assert set(lengths) == {2}


def test_custom_checks_are_asked_only_where_nothing_else_forbids() -> None:
    def last_is_a(state: State) -> bool:
        return state.steps[-1].name == "a"  # raises at the start, where only_after forbids already

    found = explore_policy(a_policy("a b c", when("b", only_after="a", custom_checks=[last_is_a])))
    assert found.findings == ()
    assert found.tools["b"].first_step == 2


def test_learning_takes_a_policy_of_many_tools() -> None:
    many = " ".join(f"t{number}" for number in range(25))
    found = explore_policy(
        a_policy(many, rule_when("t3", lambda state: called(state, "t7") > 1)), outcomes=["ok", "error"]
    )
    assert found.complete
    assert found.states == 3


def test_the_iteration_of_the_last_step_is_not_taken_for_the_step_alone() -> None:
    early = rule_when("b", lambda state: not state.steps or state.steps[-1].iteration < 3)
    found = explore_policy(a_policy("a b", early))
    assert (found.states, found.tools["b"].max_calls) == (4, 3)


@pytest.mark.parametrize(
    "look",
    [
        lambda state: len([*state.steps, None]) < 3,
        lambda state: len(state.steps + []) < 2,  # noqa: RUF005 - another way of reading
        lambda state: state.steps != [] and state.steps.count(None) == 0 and len(state.steps.copy()) < 2,
        lambda state: len(list(reversed(state.steps))) < 2,
        lambda state: len(state.steps[0:]) < 2,
        lambda state: len(state.turns) < 2,
    ],
    ids=["star", "add", "copy", "reversed", "slice", "turns"],
)
def test_every_way_of_reading_the_steps_is_noticed(look: Callable[[State], bool]) -> None:
    found = explore_policy(a_policy("a b", rule_when("b", look)))
    assert "looks at all steps" in note_of(found) or "all steps" in note_of(found)
    assert found.states == 3


LIMIT = 19


class WithAClassAttribute(Requirement[State]):
    name = "class_attribute"
    most = 33

    def run(self, state: State) -> list[Rule]:
        return [Rule(target="a", allowed=called(state, "a") < self.most)]


def test_numbers_far_off_are_found_where_the_code_keeps_them() -> None:
    assert explore_policy(a_policy("a b", WithAClassAttribute())).tools["a"].max_calls == 33
    in_a_global = rule_when("a", lambda state: called(state, "a") < LIMIT)
    assert explore_policy(a_policy("a b", in_a_global)).tools["a"].max_calls == LIMIT
    assert explore_policy(a_policy("a b", rule_when("b", lambda state: len(state.steps) < 30))).depth == 30


class ForgetsLater(Declared):
    """Wrong only two turns on."""

    def remembers(self, state: State) -> bool:
        return bool(state.steps)

    def run(self, state: State) -> list[Rule]:
        return [Rule(target="b", allowed=len(state.steps) < 3)]


def test_a_declared_memory_is_checked_on_long_histories() -> None:
    with pytest.raises(MergeError, match="the rules differ"):
        explore_policy(a_policy("a b", ForgetsLater()))


class Unhashable(Declared):
    def remembers(self, state: State) -> list[str]:
        return [step.name for step in state.steps]


def test_a_memory_that_cannot_be_hashed_is_refused_by_name() -> None:
    with pytest.raises(BeewalkError, match=r"remembers\(\) of 'declared' raised TypeError.*can be hashed"):
        explore_policy(a_policy("a b", Unhashable()))


def test_dice_are_noticed() -> None:
    dice = random.Random(1)
    found = explore_policy(a_policy("a b", rule_when("b", lambda state: dice.random() < 0.5)), max_states=50)
    assert "says different things after the same history" in note_of(found)
    assert not found.complete


class WithALock(Requirement[State]):
    name = "locked"

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()

    def run(self, state: State) -> list[Rule]:
        with self.lock:
            return [Rule(target="a")]


def test_what_cannot_be_copied_is_never_merged_and_that_is_said() -> None:
    found = explore_policy(a_policy("a", WithALock()))
    assert "keeps what cannot be copied (lock)" in note_of(found)
    # No two histories are one, but no run is longer than the limits allow.
    assert (found.states, found.graph.stop_reason.value) == (21, "max_depth")
    assert explore_policy(a_policy("a", WithALock()), limits=Limits(max_iterations=0)).depth == 50


def test_attributes_of_any_kind_are_put_back() -> None:
    class Keeper(Requirement[State]):
        name = "keeper"

        def __init__(self) -> None:
            super().__init__()
            self.seen: dict[str, list[int]] = {"calls": []}
            self.pair = (1, [2])
            self.tool = Tool("x")
            self.date = date(2026, 1, 1)

        def run(self, state: State) -> list[Rule]:
            self.seen["calls"].append(len(self.seen["calls"]))
            self.pair[1].append(3)
            return [Rule(target="a", allowed=len(self.seen["calls"]) <= 2)]

    keeper = Keeper()
    found = explore_policy(a_policy("a b", keeper))
    assert (found.states, found.tools["a"].max_calls) == (3, 2)
    assert (keeper.seen, keeper.pair) == ({"calls": []}, (1, [2]))


def test_what_waits_for_several_of_many_tools_is_learned() -> None:
    needed = ("t2", "t7", "t11", "t15")
    after_all = rule_when("t0", lambda state: set(needed) <= {step.name for step in state.steps})
    many = " ".join(f"t{number}" for number in range(18))
    learned = explore_policy(a_policy(many, after_all))
    exact = explore_policy(a_policy(many, when("t0", only_after=list(needed))))
    assert (learned.states, learned.moves) == (exact.states, exact.moves)
