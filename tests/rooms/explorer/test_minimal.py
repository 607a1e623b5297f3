"""States with the same future are one in pictures, with words that hold for all of them."""

from hypothesis import given

from beewalk import AskPermissionRequirement, Policy
from beewalk.explorer.minimal import Words, minimal_graph
from beewalk.properties.exploration import Exploration, explore_policy
from tests.support.builders import a_policy, when
from tests.support.strategies import policies


def labels(found: Exploration) -> list[str]:
    words = Words(found.search)
    return [" · ".join(words.of(states)) for states in found.minimal_graph.members]


@given(policies())
def test_states_of_a_group_offer_the_same_and_lead_to_the_same_groups(policy: Policy | None) -> None:
    if policy is None:
        return
    graph = explore_policy(policy, outcomes=["ok", "error"]).graph
    minimal = minimal_graph(graph)
    for states in minimal.members:
        ways = {
            (
                graph.decisions[state] and graph.decisions[state][:5],  # type: ignore[index]
                tuple((move, target if target < 0 else minimal.group_of[target]) for move, target in graph.arcs[state]),
            )
            for state in states
        }
        assert len(ways) == 1
    assert sorted(state for states in minimal.members for state in states) == list(range(len(graph)))


def test_labels_tell_counts_the_last_call_and_what_is_forced() -> None:
    found = explore_policy(
        a_policy(
            "think weather search",
            when("think", force_at_step=1),
            when("search", only_after="weather", min_invocations=1, max_invocations=2),
        )
    )
    assert labels(found) == [
        "think forced · cannot stop",
        "after think · cannot stop",
        "after weather · cannot stop",
        "after search · search 1/2",
        "after search · search 2/2",
    ]


def test_labels_tell_demands_prohibitions_and_choices() -> None:
    asking = AskPermissionRequirement("a", remember_choices=True)
    found = explore_policy(a_policy("a b", when("a", min_invocations=2, only_before="b"), asking))
    said = {part for label in labels(found) for part in label.split(" · ")}
    assert {"a 1 of 2", "no more a", "a granted"} <= said
    assert "after a · a refused" in labels(explore_policy(a_policy("a b", asking)))


def test_a_label_is_left_out_where_it_is_not_true_of_all() -> None:
    found = explore_policy(a_policy("a b c", when("c", only_after="*", max_invocations=1)))
    assert "after a or b or c" not in labels(found)
