"""Sequences: the complete runs of a graph, one after the other, shortest first."""

from collections.abc import Iterator

from beewalk.explorer.counting import failures_allowed
from beewalk.explorer.graph import ANSWERED, StateGraph
from beewalk.explorer.moves import Move
from beewalk.policy.policy import Limits
from beewalk.policy.tool import ERROR


def sequences(graph: StateGraph, limits: Limits, max_length: int) -> Iterator[tuple[Move, ...]]:
    """Every sequence of moves that `complete_runs` counts: shortest first, then in the order of each state's moves.

    Cost: O(max_length * moves) between two of them, and O(states) memory a length; nothing is made in advance.
    """
    finder = _Finder(graph, failures_allowed(limits))
    for length in range(1, max_length + 1):
        yield from finder.of_length(length)


class _Finder:
    """Walks only where a run of the right length can still end well.

    `_ready[n]` has the states from which some run ends well after n + 1 calls, and how many of these must fail at
    least.
    """

    def __init__(self, graph: StateGraph, failures: int) -> None:
        self._graph = graph
        self._failures = failures
        self._moves = graph.alphabet.moves
        self._repeats = frozenset(graph.alphabet.repeats.values())
        self._ready: list[dict[int, int]] = []

    def of_length(self, calls: int) -> Iterator[tuple[Move, ...]]:
        while len(self._ready) < calls:
            self._ready.append(self._one_more())
        # One iterator a move made, so that long runs need no deep recursion.
        path: list[int] = []
        stack = [iter(self._onward(0, calls, 0))]
        while stack:
            for move, target, left, failures in stack[-1]:
                path.append(move)
                if target == ANSWERED:
                    yield tuple([self._moves[one] for one in path])
                    path.pop()
                else:
                    stack.append(iter(self._onward(target, left, failures)))
                    break
            else:
                stack.pop()
                if path:
                    path.pop()

    def _onward(self, state: int, left: int, failures: int) -> Iterator[tuple[int, int, int, int]]:
        """The moves after which a run of `left` more calls can still end well: (move, target, calls left, failures)."""
        for move, target in self._graph.arcs[state]:
            if move in self._repeats:
                if self._can_end(target, left, failures):
                    yield move, target, left, failures
            elif target == ANSWERED:
                if left == 1:
                    yield move, target, 0, failures
            else:
                failed = failures + self._fails(move)
                if left > 1 and self._can_end(target, left - 1, failed):
                    yield move, target, left - 1, failed

    def _can_end(self, state: int, left: int, failures: int) -> bool:
        least = self._ready[left - 1].get(state)
        return least is not None and failures + least <= self._failures

    def _fails(self, move: int) -> bool:
        return self._moves[move].outcome == ERROR

    def _one_more(self) -> dict[int, int]:
        """The states from which some run has exactly one call more than those of the last step."""
        last = self._ready[-1] if self._ready else {ANSWERED: 0}
        found: dict[int, int] = {}
        for state, arcs in enumerate(self._graph.arcs):
            ahead = [last[to] + self._fails(move) for move, to in arcs if move not in self._repeats and to in last]
            if ahead:
                found[state] = min(ahead)
        for _ in self._repeats:  # a repeated call takes no length
            for state, arcs in enumerate(self._graph.arcs):
                ahead = [found[target] for move, target in arcs if move in self._repeats and target in found]
                if ahead:
                    found[state] = min([*ahead, found[state]] if state in found else ahead)
        return found
