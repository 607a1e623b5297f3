"""Which tool can follow which, and what each tool may do at each step."""

from beewalk import FixedRules, Policy, Rule, Tool
from beewalk.explorer.views import following, steps_of
from beewalk.properties.exploration import explore_policy
from tests.support.builders import a_policy, when


def test_what_follows_is_read_off_all_states() -> None:
    found = following(explore_policy(a_policy("a b c", when("b", only_after="a", max_invocations=1))).graph)
    assert found.first == ("a", "c", "final_answer")
    assert found.after["a"] == ("a", "b", "c", "final_answer")
    assert found.after["b"] == ("a", "c", "final_answer")
    assert found.after["final_answer"] == ()


def test_a_tool_that_is_never_called_follows_nothing() -> None:
    found = following(explore_policy(a_policy("a b", when("b", max_invocations=0))).graph)
    assert "b" not in found.after
    assert all("b" not in after for after in found.after.values())


def test_a_repeated_call_does_not_run_and_parts_nothing() -> None:
    tools = [Tool("a", arguments="none"), Tool("b")]
    found = following(explore_policy(Policy(tools, [])).graph)
    assert found.first == ("a", "b", "final_answer")
    assert found.after["a"] == ("b", "final_answer"), "after a repeated call of a, b can come as well"


def test_each_step_says_how_tools_stand() -> None:
    hidden = FixedRules([Rule(target="c", hidden=True)])
    graph = explore_policy(a_policy("a b c", when("a", force_at_step=1), when("b", max_invocations=1), hidden)).graph
    steps = steps_of(graph, 20)
    assert steps.cells[0] == [("forced",), ("forbidden",), ("hidden",), ("forbidden",)]
    assert steps.cells[1] == [("allowed",), ("allowed",), ("hidden",), ("allowed",)]
    assert steps.cells[2] == [("allowed",), ("allowed", "forbidden"), ("hidden",), ("allowed",)]
    assert (len(steps.cells), steps.cut) == (3, "later calls add nothing new")


def test_steps_end_with_the_longest_run_or_at_their_bound() -> None:
    graph = explore_policy(a_policy("a", when("a", max_invocations=2))).graph
    assert (len(steps_of(graph, 20).cells), steps_of(graph, 20).cut) == (3, "")
    assert (len(steps_of(graph, 2).cells), steps_of(graph, 2).cut) == (2, "a run has at most 2 calls")


def test_a_repeated_call_takes_no_step() -> None:
    tools = [Tool("a", arguments="none"), Tool("b")]
    steps = steps_of(explore_policy(Policy(tools, [when("b", max_invocations=0)])).graph, 20)
    assert steps.cells[1] == [("allowed", "forbidden"), ("forbidden",), ("allowed",)]
