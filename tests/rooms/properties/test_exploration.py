"""The anchor of the whole project: the quickstart policy of beeai-framework."""

from beewalk import Policy
from beewalk.properties.exploration import explore_policy
from tests.support.builders import a_policy, when


def quickstart() -> Policy:
    return a_policy(
        "think weather search",
        when("think", force_at_step=1),
        when("search", only_after="weather", min_invocations=1, max_invocations=2),
        when("weather", consecutive_allowed=False, min_invocations=1, max_invocations=2),
    )


def test_quickstart_has_the_agreed_figures() -> None:
    found = explore_policy(quickstart())
    assert (found.states, found.moves, found.depth, found.complete_runs) == (9, 22, 5, 43_605)
    assert explore_policy(quickstart(), max_length=8).complete_runs == 168


def test_quickstart_with_failing_tools_has_as_many_states_and_more_runs() -> None:
    found = explore_policy(quickstart(), outcomes=["ok", "error"])
    assert (found.states, found.moves, found.complete_runs) == (9, 40, 793_775_537_585)
