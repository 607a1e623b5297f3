"""`sequences` makes exactly the runs that `complete_runs` counts and brute force finds, shortest first."""

from dataclasses import replace
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from beewalk import Limits, Policy
from beewalk.properties.exploration import explore_policy
from tests.support import brute_force
from tests.support.builders import a_policy, when
from tests.support.strategies import policies, with_silent_tools

LENGTH = 4


@given(policies(), st.integers(0, 7), st.integers(0, 3), st.booleans())
def test_every_run_once_and_shortest_first(policy: Policy | None, silent: int, failures: int, errors: bool) -> None:
    if policy is None:
        return
    policy = with_silent_tools(policy, silent)
    outcomes = ["ok", "error"] if errors else ["ok"]
    limits = replace(Limits(), max_retries_per_step=failures, total_max_retries=failures)
    found = explore_policy(policy, outcomes=outcomes, limits=limits, max_length=LENGTH)
    runs = list(found.sequences())
    assert len(runs) == len(set(runs)) == found.complete_runs
    lengths = [sum(not move.repeated for move in moves) for moves in runs]
    assert lengths == sorted(lengths)
    if failures == 0 and not errors:
        naive = brute_force.sequences(policy, errors=False, denied=True, length=LENGTH)
        told = {" ".join(map(str, moves)) for moves in runs}
        assert told == {" ".join(one.moves) for one in naive if one.ending == "answered"}


def test_they_are_made_one_by_one() -> None:
    found = explore_policy(a_policy("a b c d e f"))
    assert found.complete_runs > 10**12
    assert [len(moves) for moves in islice(found.sequences(), 8)] == [1, 2, 2, 2, 2, 2, 2, 3]


def test_long_runs_need_no_recursion() -> None:
    limits = Limits(max_iterations=3_000)
    found = explore_policy(a_policy("a", when("a", min_invocations=2_500), limits=limits), max_states=None)
    assert len(next(found.sequences())) == 2_501
