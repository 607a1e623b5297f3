"""Machines tabulated alone and minimised."""

from collections.abc import Sequence

from beewalk import AskPermissionRequirement, Policy
from beewalk.explorer.moves import Alphabet
from beewalk.explorer.tables import FullTable, GrowingTable, minimise, tabulate
from beewalk.policy.binding import bind
from beewalk.policy.state import Run
from beewalk.properties.exploration import explore_policy
from tests.support.builders import a_policy, when


def a_table(policy: Policy, index: int = 0, *, denied: bool = False) -> GrowingTable:
    managed = frozenset(tool.name for tool in policy.tools[:-1]) if denied else frozenset()
    alphabet = Alphabet(policy, errors=False, denied=denied, managed=managed)
    bound = bind(policy.requirements[index], index, policy.tools, Run(), alphabet.letters)
    return GrowingTable(bound, alphabet, [tool.name for tool in policy.tools], Run())


def small(table: GrowingTable, *, levels: int = -1, denied: bool = True) -> FullTable:
    full = tabulate(table)
    assert full is not None
    return minimise(full, levels=levels, denied=denied)[0]


def test_a_table_has_a_row_for_each_memory_that_any_moves_lead_to() -> None:
    growing = a_table(a_policy("a b", when("a", max_invocations=2, consecutive_allowed=False)))
    full = tabulate(growing)
    assert full is not None
    # no call; one, last; one, not last; two, last; two, not last; not yet one, not last is the start
    assert len(full.steps) == 5
    assert len(small(growing).steps) == 4  # after two calls it is forbidden for ever


def test_rows_are_numbered_in_the_order_in_which_they_are_met() -> None:
    table = small(a_table(a_policy("a b", when("b", only_after="a", max_invocations=1))))
    assert [row.forbids for row in table.stances if row is not None] == [2, 0, 2]
    assert table.steps == [[1, 2], [1, 2], [2, 2]]


def test_what_never_ends_is_left_growing() -> None:
    growing = a_table(a_policy("a b", when("a", min_invocations=50)))
    assert tabulate(growing, most=20) is None
    assert growing.step(0, 0) == 1


def test_nothing_follows_a_row_that_raises() -> None:
    table = small(a_table(a_policy("a b", when("a", force_at_step=2, only_after="b", max_invocations=1))))
    raising = [row for row in range(len(table.steps)) if table.stance(row) is None]
    assert len(raising) == 1
    assert table.steps[raising[0]] == [raising[0]] * 2


def test_a_level_matters_only_where_some_tool_may_be_forced() -> None:
    policy = a_policy("a b", AskPermissionRequirement("a", remember_choices=True))
    growing = a_table(policy)
    assert len(small(growing, levels=-1, denied=False).steps) == 2
    assert len(small(growing, levels=0, denied=False).steps) == 1
    assert len(small(growing, levels=0, denied=True).steps) == 2


def states(denied: bool, *requirements: object) -> int:
    return explore_policy(a_policy("a b", *requirements), denied=denied).states  # type: ignore[arg-type]


def test_a_granted_permission_is_a_state_of_its_own_only_where_it_changes_something() -> None:
    ask = AskPermissionRequirement("a", remember_choices=True)
    forces: Sequence[object] = (when("a", force_after="b"), when("b", force_after="a", priority=10))
    assert states(False, ask) == 1
    assert states(True, ask) == 3
    # Here the granted permission lends a its level, so that it outranks b from then on.
    assert states(False, ask, *forces) > states(False, *forces)
