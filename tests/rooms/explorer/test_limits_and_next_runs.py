"""Limits count calls, not moves; and what is said to have no effect has none in a next run either."""

from typing import Any

from beewalk import AskPermissionRequirement, Limits, Policy, Rule, Tool, call, requirement, run
from beewalk.explorer.graph import StopReason
from beewalk.properties.exploration import Exploration, explore_policy
from tests.support.builders import a_policy, names, when


def silent_b(*requirements: Any, **options: Any) -> Policy:
    """A policy of a and b, where b takes no arguments."""
    return Policy([Tool("a"), Tool("b", arguments="none")], requirements, **options)


@requirement(name="two of b are the end")
def two_of_b(state: Any) -> list[Rule]:
    over = sum(step.name == "b" for step in state.steps) >= 2
    return [Rule(target=tool, allowed=not over) for tool in ("a", "b", "final_answer")]


def codes(found: Exploration) -> list[str]:
    return [one.code for one in found.findings]


def test_a_way_with_a_repeated_call_may_fit_where_one_with_fewer_moves_does_not() -> None:
    policy = silent_b(two_of_b, limits=Limits(4, 3, 20))
    (error,) = explore_policy(policy).errors
    assert (error.code, names(error.witness)) == ("dead-end", ["b", "repeat b", "a", "b"])
    assert str(run(policy, [call.b(), call.b(), call.a(), call.b()]).ends) == "dead_end"


def test_the_shortest_run_that_is_too_late_has_as_many_calls_as_are_told() -> None:
    (error,) = explore_policy(silent_b(when("b", min_invocations=2), limits=Limits(3, 3, 20))).errors
    assert error.message.startswith("the shortest run to a final answer has 4 calls")
    assert sum(not move.repeated for move in error.witness) == 4


def test_a_first_run_must_fit_into_the_limits_too() -> None:
    def found(most: int) -> Exploration:
        asking = AskPermissionRequirement(remember_choices=True)
        return explore_policy(a_policy("a b c", asking, when("b", force_at_step=1), limits=Limits(most, 3, 20)))

    assert found(2).errors == ()
    assert "remembered-choice-blocks" in codes(found(4))


def test_a_second_run_that_was_cut_short_is_told() -> None:
    asking = AskPermissionRequirement(remember_choices=True)
    policy = a_policy("a b c", asking, when("c", force_at_step=3, only_after="*"))
    whole = explore_policy(policy)
    cut = explore_policy(policy, max_states=whole.states)
    assert whole.complete
    assert cut.graph.complete
    assert (cut.complete, cut.stop_reason) == (False, StopReason.STATE_LIMIT)


def test_what_matters_only_in_a_next_run_has_an_effect() -> None:
    once = when("a", max_invocations=1, only_success_invocations=False)
    assert "parameter-without-effect" not in codes(
        explore_policy(a_policy("a b", AskPermissionRequirement("a", remember_choices=True), once))
    )
    assert "parameter-without-effect" in codes(
        explore_policy(a_policy("a b", AskPermissionRequirement("a", hide_disallowed=True), once))
    )


def test_a_requirement_that_writes_messages_is_not_said_to_be_superfluous() -> None:
    @requirement(name="hint")
    async def hint(state: Any) -> list[Rule]:
        from beewalk import AssistantMessage  # noqa: PLC0415 - what a user would import

        await state.memory.add(AssistantMessage("think of b", {"tempMessage": True}))
        return []

    @requirement(name="nothing")
    def nothing(state: Any) -> list[Rule]:
        return []

    assert codes(explore_policy(a_policy("a b", hint))) == []
    assert codes(explore_policy(a_policy("a b", nothing))) == ["requirement-without-effect"]


def test_a_choice_that_blocks_is_to_blame() -> None:
    asking = AskPermissionRequirement(["a", "b"], remember_choices=True)
    policy = a_policy("a b", asking, when("b", min_invocations=1), when("final_answer", force_after="a"))
    blocked = [error for error in explore_policy(policy).errors if error.code == "remembered-choice-blocks"]
    assert blocked
    for error in blocked:
        assert any(parameter in {"remember_choices", "hide_disallowed"} for _, parameter in error.blame)


def test_every_parameter_that_forces_in_vain_is_to_blame() -> None:
    strong = when("a", force_at_step=2, force_after="x", priority=20)
    found = explore_policy(a_policy("x a b", strong, when("b", force_at_step=2, force_after="x")))
    (vain,) = [one for one in found.findings if one.code == "force-never-obeyed"]
    assert vain.blame == ((1, "force_after"), (1, "force_at_step"))


def test_asking_before_a_tool_that_is_never_allowed_is_not_said_to_be_superfluous() -> None:
    mistake = when("check", max_invocations=0)
    found = explore_policy(
        a_policy("check pay", when("pay", only_after="check"), mistake, AskPermissionRequirement("pay"))
    )
    assert "tool-never-allowed" in codes(found)
    assert "requirement-without-effect" not in codes(found)


def test_what_has_no_effect_beside_an_error_is_said_to_have_none_so_far() -> None:
    stuck = [when("a", max_invocations=1), when("a", min_invocations=2)]
    found = explore_policy(
        a_policy("a b", *stuck, when("b", only_after="a", max_invocations=0), when("a", only_before="b"))
    )
    told = [one.message for one in found.findings if one.code.endswith("-without-effect")]
    assert found.errors
    assert told
    assert all(message.endswith(", as long as the errors stand") for message in told)
