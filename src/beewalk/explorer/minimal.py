"""The minimal graph: states with the same future drawn as one, with words that hold for all of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from beewalk.explorer.graph import StateGraph
from beewalk.explorer.search import Search
from beewalk.explorer.tables import numbered
from beewalk.reasoner.stance import NOTHING

_MOST_BEFORE = 2
MOST_STATES = 20_000  # more are not merged: no picture could show them


@dataclass(frozen=True)
class MinimalGraph:
    """Groups of states with the same future, by number in the order of their first states.

    `group_of[s]` is the group of state `s`, `members[g]` its states, nearest first.
    """

    group_of: Sequence[int]
    members: Sequence[Sequence[int]]


def minimal_graph(graph: StateGraph) -> MinimalGraph:
    """Merge the states in which the same is offered, now and after any moves.

    Cost: O(states * moves) a round, at most as many rounds as there are groups in the end.
    Source: Moore's partition refinement.
    """
    group_of = numbered(
        None if one is None else (one.allowed, one.hidden, one.forced, one.choice, one.prevents_stop)
        for one in graph.decisions
    )
    while True:
        finer = numbered(
            (group_of[state], tuple((move, target if target < 0 else group_of[target]) for move, target in arcs))
            for state, arcs in enumerate(graph.arcs)
        )
        if max(finer) == max(group_of):
            break
        group_of = finer
    members: list[list[int]] = [[] for _ in range(max(group_of) + 1)]
    for state, group in enumerate(group_of):
        members[group].append(state)
    return MinimalGraph(group_of, members)


class Words:
    """What is true of states, in words: what was called, how far counts are, and what can happen next."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._before: dict[int, set[tuple[int, str]]] = {}
        moves = search.graph.alphabet.moves
        for state, arcs in enumerate(search.graph.arcs):
            for move, target in arcs:
                if target >= 0:
                    self._before.setdefault(target, set()).add((state, moves[move].tool))
        self._parts = [_parts(search, place, table.size or 0) for place, table in enumerate(search.walk.tables)]

    def of(self, states: Iterable[int]) -> tuple[str, ...]:
        """Parts that hold in each of `states`, which have the same future."""
        states = list(states)
        came = self._came(states)
        remembered = [self._remembered(state) for state in states]
        common = [part for part in remembered[0] if all(part in others for others in remembered)]
        return (*came, *common, *self._now(states[0]))

    def _came(self, states: Sequence[int]) -> list[str]:
        """By which calls these states are entered from others, where those are few; the start needs none."""
        entering = [one for state in states for one in self._before.get(state, ())]
        tools = {tool for state, tool in entering if state not in states}
        if 0 in states or not 0 < len(tools) <= _MOST_BEFORE:
            return []
        return [f"after {' or '.join(sorted(tools, key=self._search.graph.tools.index))}"]

    def _remembered(self, state: int) -> list[str]:
        rows = self._search.graph.rows[state]
        return [part for parts, row in zip(self._parts, rows, strict=False) for part in parts.get(row, ())]

    def _now(self, state: int) -> list[str]:
        decision = self._search.graph.decisions[state]
        if decision is None or not decision.allowed:
            return []
        forced = [] if decision.forced == NOTHING else [f"{self._search.graph.tools[decision.forced]} forced"]
        return [*forced, "cannot stop"] if decision.prevents_stop else forced


def _parts(search: Search, place: int, rows: int) -> dict[int, tuple[str, ...]]:
    """Row of a minimised table -> what is true of every memory that the row stands for."""
    raw, block = search.raw[place], search.blocks[place]
    if block is None:
        return {}
    said: dict[int, list[tuple[str, ...]]] = {row: [] for row in range(rows)}
    for row, small in enumerate(block):
        said[small].append(raw.machine.words(raw.rows[row]))
    return {
        row: tuple(part for part in all_said[0] if all(part in one for one in all_said))
        for row, all_said in said.items()
        if all_said
    }
