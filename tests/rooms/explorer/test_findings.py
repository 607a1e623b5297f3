"""Blame, needs and mends where they are easily wrong; the clashes themselves stand in test_dead_ends.py."""

from collections.abc import Sequence
from typing import Any

from beewalk import AskPermissionRequirement, FixedRules, Limits, Rule, requirement
from beewalk.explorer.finding import Finding
from beewalk.properties.exploration import explore_policy
from tests.support.builders import a_policy, names, when


def rule(target: str, **flags: bool) -> FixedRules:
    return FixedRules([Rule(target=target, **flags)])  # type: ignore[arg-type]


STUCK = ("dead-end", "requirement-error", "cannot-stop", "tool-never-allowed")


def findings(tools: str, *requirements: Any, codes: Sequence[str] = STUCK, **options: Any) -> tuple[Finding, ...]:
    found = explore_policy(a_policy(tools, *requirements), **options).findings
    return tuple(one for one in found if one.code in codes)


def the(tools: str, *requirements: Any, **options: Any) -> Finding:
    (found,) = findings(tools, *requirements, **options)
    return found


def test_tools_that_force_each_other_for_ever_are_to_blame_not_what_their_force_prevents() -> None:
    found = the("a b", when("a", force_after="b"), when("b", force_after="a"))
    assert found.code == "cannot-stop"
    assert found.blame == ((0, "force_after"), (1, "force_after"))
    assert found.mends == ("drop force_after of a", "drop force_after of b")


def test_a_mend_that_only_turns_a_dead_end_into_an_endless_run_is_not_told() -> None:
    found = the("a", rule("a", prevent_stop=True), when("a", max_invocations=1))
    assert found.blame == ((0, "rules[0].prevent_stop"), (1, "max_invocations"))
    assert found.mends == ("drop prevent_stop: true from rules[0] of 'rules'",)


def test_a_mend_that_leaves_another_prohibition_standing_is_not_told() -> None:
    found = the("a", when("a", consecutive_allowed=False, max_invocations=1), when("a", min_invocations=2))
    assert found.mends == ("drop min_invocations of a, or lower it",)
    found = the("a", when("a", max_invocations=1), when("a", min_invocations=2), when("a", min_invocations=3))
    assert found.mends == ("drop max_invocations of a",)


def test_changes_that_help_only_together_are_told_together() -> None:
    never_a, never_answer = when("a", max_invocations=0), when("final_answer", max_invocations=0)
    alone = the("a", never_a, when("a", max_invocations=0), never_answer)
    assert alone.mends == ("drop max_invocations of final_answer",)
    together = the("a", never_a, never_answer, rule("final_answer", allowed=False))
    assert together.mends == ("drop max_invocations of final_answer; and drop allowed: false from rules[0] of 'rules'",)


def test_one_cause_is_one_finding_whatever_the_way_to_it() -> None:
    found = the(
        "think a",
        when("a", consecutive_allowed=False),
        when("a", max_invocations=1),
        when("a", min_invocations=2),
        when("think", max_invocations=1),
    )
    assert found.blame == ((1, "max_invocations"), (2, "min_invocations"), (3, "max_invocations"))
    assert found.count == 2


def test_an_endless_run_has_the_smallest_cause() -> None:
    found, hidden = findings(
        "think a", rule("think", prevent_stop=True), rule("a", hidden=True), when("a", min_invocations=1)
    )
    assert (found.code, found.blame) == ("cannot-stop", ((0, "rules[0].prevent_stop"),))
    assert (hidden.code, hidden.blame) == ("tool-never-allowed", ((1, "rules[0].hidden"),))


def test_an_outcome_is_needed_where_any_of_several_would_do() -> None:
    def none_failed(state: Any) -> bool:
        return all(step.error is None for step in state.steps)

    once = {"max_invocations": 1, "only_success_invocations": False}
    found = the(
        "a b",
        when("final_answer", custom_checks=[none_failed]),
        when("a", **once),
        when("b", **once),
        outcomes=["ok", "error"],
    )
    assert names(found.witness) == ["a", "b:error"]
    assert found.needs == ("b:error",)


def test_tools_that_wait_for_each_other_are_one_finding() -> None:
    found = the("a b c d", when("a", only_after="b"), when("b", only_after="c"), when("c", only_after="a"))
    assert (found.code, found.tools, found.count) == ("tool-never-allowed", ("a", "b", "c"), 3)
    assert found.message == "'a', 'b' and 'c' are allowed in no request that can be reached"


def test_a_tool_that_an_earlier_error_keeps_from_ever_being_reached_is_no_finding_of_its_own() -> None:
    raising = when("a", force_at_step=2, max_invocations=1)
    codes = [one.code for one in findings("a b", when("a", force_at_step=1), raising, when("b", only_after="a"))]
    assert codes == ["requirement-error"]


def test_a_requirement_that_says_nothing_of_its_parameters_is_blamed_as_a_whole() -> None:
    @requirement(name="never")
    def never(state: Any) -> list[Rule]:
        return [Rule(target="a", allowed=False), Rule(target="final_answer", allowed=False)]

    found = the("a", never)
    assert (found.code, found.blame) == ("dead-end", ((0, None),))
    assert found.mends == ("change what requirements[0] (never) says",)


def test_refusals_that_are_remembered_can_leave_nothing() -> None:
    ask = AskPermissionRequirement(remember_choices=True, hide_disallowed=True)
    found = the("a", ask, when("a", min_invocations=2))
    assert (names(found.witness), found.needs) == (["a:denied"], ("a:denied",))
    assert "do not remember refusals (remember_choices: false)" in found.mends


def test_many_ways_to_the_same_states_are_no_more_work_than_one() -> None:
    least = [when(name, min_invocations=9) for name in "abc"]
    found = the("a b c d", when("d", max_invocations=1), when("d", min_invocations=2), *least)
    assert (found.code, found.count) == ("cannot-stop", 2_000)


def test_an_error_that_no_run_can_show_explains_none_that_a_run_can_show() -> None:
    ask = AskPermissionRequirement(remember_choices=True)
    found = the("a b d", when("d", min_invocations=2), ask, limits=Limits(max_iterations=3))
    assert (found.code, names(found.witness)) == ("cannot-stop", ["d:denied"])


def test_what_a_requirement_raises_does_not_explain_runs_that_never_end() -> None:
    loop = [when("b", force_at_step=2, only_before="a", force_after="c"), when("c", force_after="b")]
    codes = [one.code for one in findings("a b c", *loop, when("a", min_invocations=1))]
    assert codes == ["cannot-stop", "requirement-error"]


def test_a_failing_call_that_leads_elsewhere_is_another_way_out() -> None:
    # After b:error a run can still end well: a:error, b, final_answer.
    seen = {"consecutive_allowed": False, "only_success_invocations": False}
    last = when("b", only_before="a", min_invocations=1)
    found = the("a b", when("a", consecutive_allowed=False), when("b", **seen), last, outcomes=["ok", "error"])
    assert (found.code, names(found.witness), found.point_of_no_return) == ("dead-end", ["a"], 0)
