"""Muting: what a policy would do without the effects of some grounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from beewalk.errors import RequirementError
from beewalk.explorer.blame import Ground
from beewalk.explorer.tables import FullTable, GrowingTable, Table, minimise
from beewalk.policy.rule import Rule
from beewalk.reasoner.request import without
from beewalk.reasoner.ruling import Vote
from beewalk.reasoner.stance import Stance, stance_of


@dataclass(frozen=True)
class MutedTable:
    """A table whose rules have lost the effects of some grounds."""

    table: GrowingTable
    muted: frozenset[Ground]
    size: ClassVar[int | None] = None

    def step(self, row: int, move: int) -> int:
        """As without muting."""
        return self.table.step(row, move)

    def permission(self, row: int, tool: int) -> bool | None:
        """As without muting."""
        return self.table.permission(row, tool)

    def stance(self, row: int) -> Stance | None:
        """What is left of what the machine says in `row`; None where it raises, and no parameter of that is muted."""
        said = self.table.said(row)
        if isinstance(said, RequirementError):
            index = self.table.bound.index
            if self.muted.isdisjoint((index, parameter) for parameter in said.parameters or (None,)):
                return None
            said = said.otherwise
        numbers = {tool: number for number, tool in enumerate(self.table.tools)}
        return stance_of(without([vote_of(self.table, said)], self.muted)[0].rules, numbers)


def vote_of(table: GrowingTable, rules: tuple[Rule, ...]) -> Vote:
    """The rules of a table's row as the vote of its requirement."""
    return Vote(table.bound.index, table.bound.name, table.bound.priority, rules)


Small = tuple[FullTable, Sequence[int]]


def muted_tables(
    raw: Sequence[GrowingTable],
    full: Sequence[FullTable | None],
    small: Sequence[Small | None],
    rows: Sequence[int],
    muted: frozenset[Ground],
) -> tuple[list[Table], tuple[int, ...]]:
    """The tables without the effects of `muted`, minimised where they are finished, and where `rows` are in them.

    Minimising matters: what is muted has nothing left to say, and must not multiply the states. `small` has the tables
    minimised with nothing muted, and which row became which.
    """
    tables: list[Table] = []
    places = []
    silent = {index for index, _ in muted}
    for growing, finished, unmuted, row in zip(raw, full, small, rows, strict=True):
        silenced = MutedTable(growing, muted)
        if finished is None:
            tables.append(silenced)
            places.append(row)
        elif unmuted is not None and growing.bound.index not in silent:
            tables.append(unmuted[0])
            places.append(unmuted[1][row])
        else:
            stances = [silenced.stance(number) for number in range(len(finished.steps))]
            quiet, block = minimise(FullTable(finished.steps, stances, finished.permissions))
            tables.append(quiet)
            places.append(block[row])
    return tables, tuple(places)
