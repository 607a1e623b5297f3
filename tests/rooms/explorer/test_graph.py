"""The graph of states: bounds, ways, counts, and its form for networkx."""

import pytest

from beewalk import BeewalkError, Limits, Policy
from beewalk.explorer.counting import failures_allowed, longest_run
from beewalk.explorer.graph import NOT_FOLLOWED, StopReason, reaching
from beewalk.properties.exploration import explore_policy
from tests.support.builders import a_policy, names, when

DEEP = "a b c d"


def deep_policy(**options: object) -> Policy:
    return a_policy(DEEP, *(when(name, max_invocations=3) for name in DEEP.split()), **options)


def test_a_search_without_bounds_sees_everything() -> None:
    found = explore_policy(deep_policy(), max_states=None)
    assert (found.states, found.complete, found.graph.stop_reason) == (4**4, True, StopReason.EXHAUSTED)


def test_a_search_stops_at_its_number_of_states() -> None:
    found = explore_policy(deep_policy(), max_states=10)
    assert (found.states, found.complete, found.graph.stop_reason) == (10, False, StopReason.STATE_LIMIT)
    assert all(one.severity != "warning" for one in found.findings)


def test_a_search_stops_at_its_depth() -> None:
    found = explore_policy(deep_policy(), max_depth=2)
    assert (found.states, found.depth, found.graph.stop_reason) == (15, 2, StopReason.DEPTH_LIMIT)
    assert any(target == NOT_FOLLOWED for arcs in found.graph.arcs for _, target in arcs)


def test_a_depth_that_is_never_reached_is_no_bound() -> None:
    assert explore_policy(a_policy("a", when("a", max_invocations=1)), max_depth=1).complete


def test_what_may_end_well_beyond_a_bound_is_not_called_stuck() -> None:
    policy = a_policy("a", when("a", min_invocations=5))
    assert explore_policy(policy, max_depth=2).errors == ()


def test_a_way_is_a_shortest_one() -> None:
    found = explore_policy(a_policy("a b", when("b", only_after="a", max_invocations=1)))
    ways = [names(found.graph.witness(state)) for state in range(found.states)]
    assert ways == [[], ["a"], ["a", "b"]]
    assert found.graph.path(2) == [0, 1]


def test_states_from_which_something_can_be_reached() -> None:
    found = explore_policy(a_policy("a b", when("a", max_invocations=1), when("b", max_invocations=1)))
    assert reaching(found.graph, [1]) == {0, 1}


def test_the_graph_for_networkx_has_readable_attributes() -> None:
    policy = a_policy(
        "think d", when("think", max_invocations=1), when("d", min_invocations=2, consecutive_allowed=False)
    )
    graph = explore_policy(policy, outcomes=["ok", "error"]).to_networkx()
    assert graph.nodes[0]["allowed"] == ["think", "d"]
    assert {data["ending"] for _, data in graph.nodes(data=True)} == {"", "dead_end", "answered"}
    assert ("answered" in graph) is True
    moves = {(key, data["tool"], data["outcome"]) for _, _, key, data in graph.edges(keys=True, data=True)}
    assert ("d:error", "d", "error") in moves
    assert ("final_answer", "final_answer", "ok") in moves


def test_the_graph_for_networkx_shows_every_ending() -> None:
    raising = explore_policy(a_policy("a b", when("a", force_at_step=2, consecutive_allowed=False))).to_networkx()
    assert "requirement_error" in {data["ending"] for _, data in raising.nodes(data=True)}
    failing = explore_policy(
        a_policy("a", limits=Limits(max_retries_per_step=0)), outcomes=["ok", "error"]
    ).to_networkx()
    assert failing.has_edge(0, "retry_limit")
    cut = explore_policy(deep_policy(), max_states=2).to_networkx()
    assert "not followed" in cut
    forced = explore_policy(a_policy("a", when("a", force_at_step=1))).to_networkx()
    assert (forced.nodes[0]["forced"], forced.nodes[0]["can_stop"]) == ("a", False)


@pytest.mark.parametrize(
    ("limits", "asked", "length"),
    [
        (Limits(), None, 20),
        (Limits(max_iterations=5), None, 5),
        (Limits(max_iterations=5), 9, 5),
        (Limits(max_iterations=5), 3, 3),
        (Limits(max_iterations=0), None, 20),
        (Limits(max_iterations=None), 50, 50),
    ],
)
def test_the_smaller_of_two_lengths_counts(limits: Limits, asked: int | None, length: int) -> None:
    assert longest_run(limits, asked) == length


def test_a_run_survives_as_many_failures_as_its_limits_say_and_at_least_those_of_one_turn() -> None:
    assert failures_allowed(Limits()) == 20
    assert failures_allowed(Limits(total_max_retries=0)) == 3
    assert failures_allowed(Limits(max_retries_per_step=None, total_max_retries=None)) == 0


def test_runs_with_more_failures_than_allowed_are_not_counted() -> None:
    policy = a_policy("a", when("a", max_invocations=1), limits=Limits(max_retries_per_step=1, total_max_retries=1))
    # Before the answer: any number of failures, at most one, and at most one success, in any order.
    # (), a, f, fa, af  -> but only while the cap of a is not reached can it fail, so af is out.
    assert explore_policy(policy, outcomes=["ok", "error"], max_length=4).complete_runs == 4


def test_facts_of_a_tool_that_cycles_or_ends() -> None:
    found = explore_policy(a_policy("a b c", when("a", max_invocations=2), when("c", max_invocations=0)))
    assert [found.tools[name].max_calls for name in ("a", "b", "c", "final_answer")] == [2, None, 0, 1]
    assert (found.tools["c"].allowed, found.tools["c"].first_step) == (False, None)


def test_an_error_that_no_run_within_the_limits_can_show_is_only_counted() -> None:
    stuck = [when("a", min_invocations=4), when("a", max_invocations=3)]
    within = explore_policy(a_policy("a", *stuck, limits=Limits(max_iterations=4)))
    beyond = explore_policy(a_policy("a", *stuck, limits=Limits(max_iterations=3)))
    assert ([one.code for one in within.errors], within.beyond_limit) == (["dead-end"], 0)
    assert (beyond.errors, beyond.beyond_limit) == ((), 1)


def test_other_limits_may_be_asked_for() -> None:
    found = explore_policy(a_policy("a"), limits=Limits(max_iterations=3))
    assert (found.max_length, found.complete_runs) == (3, 3)
    assert found.assumed == ()
    assert explore_policy(a_policy("a")).assumed == ("limits: the framework's defaults",)


def test_only_known_outcomes_can_be_asked_for() -> None:
    with pytest.raises(BeewalkError, match="possible are ok and error"):
        explore_policy(a_policy("a"), outcomes=["ok", "empty"])
