"""Tables: one machine at a time, tabulated over all moves and minimised."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, ClassVar, Protocol

from beewalk.errors import RequirementError
from beewalk.explorer.moves import Alphabet
from beewalk.policy.binding import Bound
from beewalk.policy.machine import Machine
from beewalk.policy.rule import Rule
from beewalk.policy.state import Run
from beewalk.reasoner.stance import Stance, stance_of

MAX_ROWS = 10_000


class Table(Protocol):
    """A machine as numbered rows; row 0 is its first memory."""

    @property
    def size(self) -> int | None:
        """How many rows there are; None where rows are still numbered as they are met."""
        ...

    def step(self, row: int, move: int) -> int:
        """The row after `move`."""
        ...

    def stance(self, row: int) -> Stance | None:
        """What the machine says in `row`; None where it raises."""
        ...

    def permission(self, row: int, tool: int) -> bool | None:
        """What happens when tool number `tool` is called: None asks, False refuses, True lets it run."""
        ...


class GrowingTable:
    """A machine's memories, numbered as they are met. `rows[r]` is the memory of row `r`."""

    size: ClassVar[int | None] = None

    def __init__(self, bound: Bound, alphabet: Alphabet, tools: Sequence[str], run: Run) -> None:
        self.bound = bound
        self.machine: Machine[Any] = bound.machine
        self.alphabet = alphabet
        self.tools = tools
        self.rows: list[Hashable] = []
        self._numbers = {tool: number for number, tool in enumerate(tools)}
        self._row_of: dict[Hashable, int] = {}
        self._steps: dict[tuple[int, int], int] = {}
        self._said: dict[int, tuple[Rule, ...] | RequirementError] = {}
        self._stances: dict[int, Stance | None] = {}
        self._number(self.machine.start(run))

    def step(self, row: int, move: int) -> int:
        """The row after `move`, numbered now if it is new; a repeated call finishes no turn and changes nothing."""
        if move >= len(self.alphabet.turns):
            return row
        known = self._steps.get((row, move))
        if known is None:
            memory = self.machine.after(self.rows[row], self.alphabet.turns[move])
            known = self._steps[row, move] = self._number(memory)
        return known

    def stance(self, row: int) -> Stance | None:
        """What the machine says in `row`; None where it raises."""
        if row not in self._stances:
            said = self.said(row)
            self._stances[row] = None if isinstance(said, RequirementError) else self._stance(said)
        return self._stances[row]

    def said(self, row: int) -> tuple[Rule, ...] | RequirementError:
        """The rules of `row`, or what is raised there (rules for something that is no tool count as raised)."""
        if not self.bound.requirement.enabled:
            return ()
        if row not in self._said:
            try:
                rules = tuple(self.machine.rules(self.rows[row]))
                self._stance(rules)
                self._said[row] = rules
            except RequirementError as error:
                self._said[row] = error
        return self._said[row]

    def permission(self, row: int, tool: int) -> bool | None:
        """As the machine says."""
        return self.machine.permission(self.rows[row], self.tools[tool])

    def _stance(self, rules: Sequence[Rule]) -> Stance:
        return stance_of(rules, self._numbers, requirement=self.bound.name)

    def _number(self, memory: Hashable) -> int:
        row = self._row_of.get(memory)
        if row is None:
            row = self._row_of[memory] = len(self.rows)
            self.rows.append(memory)
        else:
            self.machine.confirm(self.rows[row], memory)
        return row


class FullTable:
    """A finished table: `steps[row][move]`, `stances[row]`, `permissions[row][tool]`."""

    def __init__(
        self,
        steps: Sequence[Sequence[int]],
        stances: Sequence[Stance | None],
        permissions: Sequence[Sequence[bool | None]],
    ) -> None:
        self.steps = steps
        self.stances = stances
        self.permissions = permissions

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.steps)

    def step(self, row: int, move: int) -> int:
        """The row after `move`."""
        return self.steps[row][move]

    def stance(self, row: int) -> Stance | None:
        """What the machine says in `row`; None where it raises."""
        return self.stances[row]

    def permission(self, row: int, tool: int) -> bool | None:
        """What happens when tool number `tool` is called in `row`."""
        return self.permissions[row][tool]


class Growing(Table, Protocol):
    """A table whose rows are numbered as they are met; `rows` has those met so far."""

    alphabet: Alphabet
    tools: Sequence[str]

    @property
    def rows(self) -> Sequence[Hashable]:
        """What the rows stand for."""
        ...


def tabulate(table: Growing, *, most: int = MAX_ROWS) -> FullTable | None:
    """All rows that any moves lead to, or None where there are more than `most`."""
    moves = range(table.alphabet.end)
    steps: list[list[int]] = []
    while len(steps) < len(table.rows):
        row = len(steps)
        steps.append([table.step(row, move) for move in moves])
        if len(table.rows) > most:
            return None
    rows, tools = range(len(steps)), range(len(table.tools))
    permissions = [[table.permission(row, tool) for tool in tools] for row in rows]
    return FullTable(steps, [table.stance(row) for row in rows], permissions)


def minimise(table: FullTable, *, levels: int = -1, denied: bool = True) -> tuple[FullTable, list[int]]:
    """The table with rows merged that say the same now and after any moves.

    Args:
        table: any finished table.
        levels: bits of the tools whose level matters, because some requirement may force them.
        denied: whether it matters that a call is asked for, because it may be refused.

    Returns:
        The small table, rows numbered in the order of the old ones, and old row -> new row.

    Cost: O(rows * moves) a round, at most as many rounds as there are rows in the end.
    Source: Moore's partition refinement.
    """
    block = numbered(
        (
            stance and stance._replace(speaks=stance.speaks & levels),
            tuple(granted if denied else granted is not False for granted in permissions),
        )
        for stance, permissions in zip(table.stances, table.permissions, strict=True)
    )
    # What is raised ends the run, so nothing follows it.
    moves = [[row] * len(steps) if table.stances[row] is None else steps for row, steps in enumerate(table.steps)]
    while True:
        finer = numbered((block[row], tuple(block[after] for after in steps)) for row, steps in enumerate(moves))
        if max(finer) == max(block):
            break
        block = finer
    first = {number: row for row, number in reversed(list(enumerate(block)))}
    kept = [first[number] for number in range(len(first))]
    small = FullTable(
        [[block[after] for after in moves[row]] for row in kept],
        [table.stances[row] for row in kept],
        [table.permissions[row] for row in kept],
    )
    return small, block


def numbered(keys: Iterable[Hashable]) -> list[int]:
    """A number for each key, equal ones the same, in the order in which they are first met.

    Example:
        >>> numbered("abca")
        [0, 1, 2, 0]
    """
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
