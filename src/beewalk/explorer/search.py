"""Search: a policy's requirements as tables, and the graph of all its states."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from beewalk.errors import RequirementError
from beewalk.explorer.blame import REPEATED_CALLS, Ground
from beewalk.explorer.compact import Rows
from beewalk.explorer.graph import StateGraph
from beewalk.explorer.loop import LoopTable
from beewalk.explorer.moves import Alphabet
from beewalk.explorer.muting import Small, muted_tables, vote_of
from beewalk.explorer.tables import FullTable, GrowingTable, Table, minimise, tabulate
from beewalk.explorer.walk import Walk, Watch
from beewalk.policy.ask_permission import AskPermissionRequirement
from beewalk.policy.binding import Bound, bind
from beewalk.policy.policy import Policy
from beewalk.policy.requirement import Evaluate
from beewalk.policy.state import Run
from beewalk.reasoner.request import DeadEnd, Request, make_request
from beewalk.reasoner.stance import Decision, Stance

DEFAULT_MAX_STATES = 100_000
LONGEST_HISTORY = 50
MOST_INFERRED = 300  # memories of code that is not beewalk's own; each is asked with ever longer histories
MUTED_STATES = 3_000


class _NoLoop:
    """The loop of a policy whose calls are never taken as repeated."""

    size = 1

    def step(self, row: int, move: int) -> int:  # noqa: ARG002 - the protocol's signature
        """There is one row."""
        return row

    def stance(self, row: int) -> Stance | None:  # noqa: ARG002 - as above
        """No rule."""
        return Stance()

    def permission(self, row: int, tool: int) -> bool | None:  # noqa: ARG002 - as above
        """Every call runs."""
        return True


NO_LOOP = _NoLoop()


@dataclass(frozen=True)
class Settings:
    """What is explored, and how far.

    `errors`: calls may fail; `denied`: the user may refuse. `max_states` and `max_depth` bound the search;
    `watch` is told how many states are known, and may stop it.
    `evaluate` runs requirement code that waits.
    """

    errors: bool = False
    denied: bool = True
    max_states: int | None = DEFAULT_MAX_STATES
    max_depth: int | None = None
    watch: Watch | None = None
    evaluate: Evaluate | None = None


@dataclass(frozen=True)
class Search:
    """An explored policy.

    `graph` is over minimised tables; `raw` are the tables before that, which still know who decided what, and `full`
    the same tables finished, None for one that does not finish; `small` has those minimised, with which row became
    which. `loop` is the loop's table before it was minimised. `origins[s]` are the raw rows of the graph's start number
    `s`. `blocks[t]` are the walked rows that the raw rows of table `t` became, None where it is walked as it is.
    """

    policy: Policy
    settings: Settings
    alphabet: Alphabet
    bound: tuple[Bound, ...]
    raw: tuple[GrowingTable, ...]
    full: tuple[FullTable | None, ...]
    small: tuple[Small | None, ...]
    loop: LoopTable
    walk: Walk
    graph: StateGraph
    origins: tuple[Rows, ...]
    blocks: tuple[Sequence[int] | None, ...]

    def raw_rows(self, moves: Sequence[int], start: int = 0) -> Rows:
        """The rows of the raw tables after `moves` from one of the graph's starts."""
        rows = self.origins[start]
        for move in moves:
            rows = tuple(table.step(row, move) for table, row in zip(self.raw, rows, strict=True))
        return rows

    def raw_rows_at(self, state: int) -> Rows:
        """The rows of the raw tables at the end of a shortest way to `state`."""
        start, moves = self.graph.way(state)
        return self.raw_rows(moves, start)

    def loop_row(self, table: Table, moves: Sequence[int]) -> int:
        """The row of a table of the loop after `moves`."""
        row = 0
        for move in moves:
            row = table.step(row, move)
        return row

    def request_after(self, moves: Sequence[int], start: int = 0) -> Request | DeadEnd | RequirementError:
        """What comes after `moves`: a request or dead end with its rulings, or what a requirement raises."""
        votes = []
        for table, row in zip(self.raw, self.raw_rows(moves, start), strict=True):
            said = table.said(row)
            if isinstance(said, RequirementError):
                return said
            if table.bound.requirement.enabled:
                votes.append(vote_of(table, said))
        extra = self.loop.own_rules(self.loop_row(self.loop, moves))
        return make_request(self.graph.tools, votes, answer_is_call=self.walk.answer_is_call, extra=extra)

    def request_at(self, state: int) -> Request | DeadEnd | RequirementError:
        """What comes in `state`."""
        start, moves = self.graph.way(state)
        return self.request_after(moves, start)

    def never(self, happens: Callable[[Decision], bool], muted: frozenset[Ground], state: int = 0) -> bool | None:
        """Whether, from `state` on, no request for which `happens` can be reached, had the policy not some grounds.

        Returns:
            None where there are too many states to tell.
        """
        tables, rows = muted_tables(self.raw, self.full, self.small, self.raw_rows_at(state), muted)
        loop: Table = NO_LOOP if REPEATED_CALLS in muted else self.walk.loop
        start = (*rows, self.loop_row(loop, self.graph.path(state)))
        decisions = replace(self.walk, tables=tables, loop=loop, max_states=None, watch=None).decisions(start)
        for decision in islice(decisions, MUTED_STATES):
            if decision is not None and happens(decision):
                return False
        return True if next(decisions, self) is self else None


def search(policy: Policy, settings: Settings) -> Search:
    """Explore `policy`.

    Raises:
        MergeError: a requirement's `remembers(state)` claims too little.
    """
    tools = tuple(tool.name for tool in policy.tools)
    asking = [one for one in policy.requirements if isinstance(one, AskPermissionRequirement)]
    managed = frozenset(
        tool.name for tool in policy.tools for one in asking if one.manages(tool) and not one.always_allow
    )
    alphabet = Alphabet(policy, errors=settings.errors, denied=settings.denied, managed=managed)
    run = Run(policy.input)
    bound = tuple(
        bind(one, index, policy.tools, run, alphabet.letters, settings.evaluate)
        for index, one in enumerate(policy.requirements)
        if one.enabled or one in asking
    )
    raw = tuple(GrowingTable(one, alphabet, tools, run) for one in bound)
    full = tuple(_finished(table) for table in raw)
    loop = LoopTable(policy, alphabet)
    finished_loop = tabulate(loop)
    tables, blocks = _smallest(raw, full, denied=settings.denied)
    walk = Walk(
        tools=tools,
        alphabet=alphabet,
        tables=tables,
        priorities=[one.priority for one in bound],
        loop=loop if finished_loop is None else minimise(finished_loop)[0],
        endings=loop.endings,
        answer_is_call=policy.loop.final_answer_as_tool,
        max_states=settings.max_states,
        max_depth=_max_depth(policy, settings, full),
        watch=settings.watch,
    )
    origins = ((0,) * len(raw),)
    small = tuple(None if finished is None else minimise(finished) for finished in full)
    return Search(policy, settings, alphabet, bound, raw, full, small, loop, walk, walk.graph(), origins, blocks)


def _max_depth(policy: Policy, settings: Settings, full: Sequence[FullTable | None]) -> int | None:
    """The depth that was asked for; else none, unless histories are not merged: then as far as a run can go."""
    if settings.max_depth is None and None in full:
        return policy.limits.max_iterations or LONGEST_HISTORY
    return settings.max_depth


def _finished(table: GrowingTable) -> FullTable | None:
    """The table finished, None where it has too many rows or is known not to finish."""
    inferred = table.bound.inferred
    if inferred is None:
        return tabulate(table)
    return tabulate(table, most=MOST_INFERRED) if inferred.finite else None


def _smallest(
    raw: Sequence[GrowingTable], full: Sequence[FullTable | None], *, denied: bool
) -> tuple[list[Table], tuple[Sequence[int] | None, ...]]:
    """The tables minimised, or as they are where they do not finish; and which rows became which.

    The level that a rule lends to its tool matters only where some requirement may force that tool.
    """
    levels = 0
    for finished in full:
        for stance in () if finished is None else finished.stances:
            levels |= stance.forces if stance is not None else 0
    if None in full:
        levels = -1
    small = [None if finished is None else minimise(finished, levels=levels, denied=denied) for finished in full]
    tables: list[Table] = [growing if one is None else one[0] for growing, one in zip(raw, small, strict=True)]
    return tables, tuple(None if one is None else one[1] for one in small)
