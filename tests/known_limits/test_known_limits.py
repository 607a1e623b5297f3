"""What beewalk does not get right yet; each test shows the wrong answer and says what would be right."""

from typing import Any

from beewalk import AskPermissionRequirement, Rule, requirement
from beewalk.properties.exploration import explore_policy
from tests.support.builders import a_policy


def test_a_refusal_counts_for_every_requirement_that_asks_for_the_tool() -> None:
    # Right would be three memories: either of the two users may have refused, and only the first one's answer is kept.
    both = [AskPermissionRequirement("a", remember_choices=True), AskPermissionRequirement("a")]
    found = explore_policy(a_policy("a b", *both))
    refused = found.search.request_after([found.graph.alphabet.moves.index(found.graph.witness(1)[0])])
    assert found.states == 3
    assert "a" in getattr(refused, "allowed", ())  # granted by both
    assert [str(move) for state in range(3) for move in found.graph.witness(state)] == ["a", "a:denied"]


def test_a_number_far_beyond_what_is_tried_is_not_seen() -> None:
    # Right would be 71 states. docs/ideas/memory.md tells to write remembers(state).
    far = 7 * 10

    @requirement(name="far")
    def far_off(state: Any) -> list[Rule]:
        return [Rule(target="a", allowed=len(state.steps) < int("7" + "0"))]

    assert far == 70
    assert explore_policy(a_policy("a", far_off)).states == 1
