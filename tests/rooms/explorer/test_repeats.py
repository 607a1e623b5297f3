"""Tools without arguments, counted by hand."""

from typing import Any

import pytest

from beewalk import AskPermissionRequirement, ConditionalRequirement, Limits, Loop, Policy, RepeatedCalls, Tool, explore
from tests.support.builders import names, when


def silent(tools: str, *requirements: ConditionalRequirement, others: str = "", **options: Any) -> Policy:
    """A policy whose `tools` take no arguments, and `others` do."""
    made = [Tool(name, arguments="none") for name in tools.split()]
    return Policy([*made, *map(Tool, others.split())], requirements, **options)


def test_one_tool_can_be_called_once_and_then_repeated() -> None:
    # start -a-> called -repeat-> only the answer is left; the answer can be given everywhere
    found = explore(silent("a"))
    assert (found.states, found.moves, found.depth) == (3, 5, 2)
    assert found.complete_runs == 3  # answer; a, answer; a, repeat a, answer
    assert (found.tools["a"].first_step, found.tools["a"].max_calls) == (1, 1)


def test_a_repeated_call_is_no_call_in_max_length() -> None:
    assert explore(silent("a"), max_length=2).complete_runs == 3
    assert explore(silent("a"), max_length=1).complete_runs == 1


def test_another_tool_in_between_two_registrations_back_still_counts() -> None:
    # a is remembered for two calls: a b a is a cycle, a b b a is none
    found = explore(silent("a", others="b"))
    assert (found.states, found.moves, found.depth) == (4, 11, 2)
    moves = {str(found.graph.alphabet.moves[move]) for arcs in found.graph.arcs for move, _ in arcs}
    assert moves == {"a", "b", "repeat a", "final_answer"}


def test_two_calls_demanded_of_a_tool_that_can_make_one_are_a_dead_end() -> None:
    found = explore(silent("a", when("a", min_invocations=2)))
    (finding,) = found.errors
    assert (finding.code, names(finding.witness), finding.needs) == ("dead-end", ["a", "repeat a"], ())
    assert found.blamed(finding) == ("loop.repeated_calls", "requirements[0].min_invocations (conditional a)")
    assert finding.mends[0] == "let a take arguments, or do not look for repeated calls (repeated_calls: false)"
    assert finding.rulings["a"].sentence() == "a: forbidden by repeated_calls of 'the loop'"


def test_the_dead_end_is_told_where_one_call_is_all_that_fits() -> None:
    # the repeated call takes no turn: the second request of turn 2 has nothing left
    found = explore(silent("a", when("a", min_invocations=2)), limits=Limits(max_iterations=2))
    assert [finding.code for finding in found.errors] == ["dead-end"]
    assert found.beyond_limit == 0


def test_a_repeat_lifts_a_force_and_what_is_offered_then_is_in_the_graph() -> None:
    found = explore(silent("a", when("a", force_after="b", consecutive_allowed=False), others="b"))
    graph = found.graph
    repeats = {
        state for state, arcs in enumerate(graph.arcs) for move, _ in arcs if graph.alphabet.moves[move].repeated
    }
    assert repeats
    for state in repeats:
        (after,) = [target for move, target in graph.arcs[state] if graph.alphabet.moves[move].repeated]
        assert "a" not in graph.allowed(after)


@pytest.mark.parametrize(
    ("checker", "states"), [(None, 1), (RepeatedCalls(max_strike_length=2), 4), (RepeatedCalls(3, 1, 1), 3)]
)
def test_other_settings_of_the_checker(checker: RepeatedCalls | None, states: int) -> None:
    # 2: a a repeat: start, one a, two a, only the answer. (3, 1, 1): more than one in all is one too many.
    assert explore(silent("a", loop=Loop(repeated_calls=checker))).states == states


def test_failing_calls_are_remembered_too() -> None:
    found = explore(silent("a"), outcomes=["ok", "error"])
    assert (found.states, found.moves) == (3, 6)


def test_no_call_survives_where_no_failure_does() -> None:
    found = explore(silent("a"), outcomes=["ok", "error"], limits=Limits(max_retries_per_step=0, total_max_retries=0))
    assert (found.states, found.moves) == (3, 6)
    assert "retry_limit" in found.to_networkx().nodes


def test_two_tools_counted_by_hand() -> None:
    # 0 start; 1 a called; 2 b called; 3 both (in either order: both would repeat); 4 a forbidden; 5 b forbidden.
    # 0: a b answer; 1: repeat-a b answer; 2: a repeat-b answer; 3: repeat-a repeat-b answer; 4: b answer; 5: a answer.
    found = explore(silent("a b"), max_length=3)
    assert (found.states, found.moves, found.depth) == (6, 16, 2)
    # One call: the answer. Two: a, perhaps repeated, and the answer; the same with b: 4.
    # Three: a b and b a with nothing, one of both repeated (3 each); a repeat-a b and b repeat-b a: after those the one
    # call that is remembered can be repeated once more (2 each): 6 + 4 = 10.
    assert found.complete_runs == 1 + 4 + 10
    assert explore(silent("a b"), max_length=2).complete_runs == 1 + 4
    assert [found.tools[name].max_calls for name in ("a", "b", "final_answer")] == [None, None, 1]


def test_first_steps_count_calls_and_no_repeated_ones() -> None:
    # a is forced at steps 1 and 2; its repeat lifts the second force, but the answer stays prevented: b is the second
    # call, and the answer the third, though it is the fourth move.
    found = explore(silent("a", when("a", force_at_step=1), when("a", force_at_step=2), others="b"))
    assert [found.tools[name].first_step for name in ("a", "b", "final_answer")] == [1, 2, 3]
    assert names(found.graph.witness(2)) == ["a", "repeat a"]
    assert found.graph.allowed(2) == ["b"]


def test_a_requirement_that_raises_after_a_repeated_call() -> None:
    # a, repeat a, b: the third step has to be a, which b forbids.
    found = explore(silent("a", when("a", force_at_step=3, only_before="b"), others="b"))
    raising = [finding for finding in found.errors if finding.code == "requirement-error"]
    ways = [names(found.graph.witness(state)) for state in range(found.states) if found.graph.raises(state)]
    assert raising
    assert any(way[-1] == "b" for way in ways)


def test_a_denied_call_is_remembered_too() -> None:
    # The user is asked once: the call that is repeated does not run, so that nobody is asked again.
    policy = Policy([Tool("a", arguments="none")], [AskPermissionRequirement("a")])
    found = explore(policy)
    moves = [[str(found.graph.alphabet.moves[move]) for move, _ in arcs] for arcs in found.graph.arcs]
    assert moves == [["a", "a:denied", "final_answer"], ["repeat a", "final_answer"], ["final_answer"]]


def test_a_tool_that_the_user_refused_for_good_is_a_dead_end_without_a_repeat() -> None:
    asking = AskPermissionRequirement("a", remember_choices=True)
    found = explore(Policy([Tool("a", arguments="none")], [asking, when("a", min_invocations=2)]))
    assert {finding.code for finding in found.errors} == {"dead-end"}
    (short,) = [finding for finding in found.errors if names(finding.witness) == ["a:denied"]]
    assert short.code == "dead-end"
