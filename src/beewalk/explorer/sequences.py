"""Sequences: the complete runs of a graph, one after the other, shortest first."""

from collections.abc import Iterator

from beewalk.explorer.counting import failures_allowed
from beewalk.explorer.graph import ANSWERED, StateGraph
from beewalk.explorer.moves import Move
from beewalk.policy.policy import Limits
from beewalk.policy.tool import ERROR


def sequences(graph: StateGraph, limits: Limits, max_length: int) -> Iterator[tuple[Move, ...]]:
    """Every sequence of moves that `complete_runs` counts: shortest first, then in the order of moves.

    Cost: O(max_length * moves) between two of them, and O(states) memory a length; nothing is made in advance.
    """
    finder = _Finder(graph, failures_allowed(limits))
    for length in range(1, max_length + 1):
        yield from finder.of_length(length)


class _Finder:
    """Walks only where a run of the right length can still end well; `_ready[n]` has the states n calls from one."""

    def __init__(self, graph: StateGraph, failures: int) -> None:
        self._graph = graph
        self._failures = failures
        self._moves = graph.alphabet.moves
        self._repeats = frozenset(graph.alphabet.repeats.values())
        self._ready: list[set[int]] = []

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
                if target >= 0 and target in self._ready[left - 1]:
                    yield move, target, left, failures
            elif target == ANSWERED:
                if left == 1:
                    yield move, target, 0, failures
            elif target >= 0 and left > 1 and target in self._ready[left - 2]:
                failed = failures + (self._moves[move].outcome == ERROR)
                if failed <= self._failures:
                    yield move, target, left - 1, failed

    def _one_more(self) -> set[int]:
        """The states from which some run has exactly one call more than the last set's."""
        last = self._ready[-1] if self._ready else None
        found = {
            state
            for state, arcs in enumerate(self._graph.arcs)
            for move, target in arcs
            if move not in self._repeats and (target == ANSWERED if last is None else target in last)
        }
        for _ in self._repeats:  # a repeated call takes no length, and each tool can repeat once in a row
            found |= {
                state
                for state, arcs in enumerate(self._graph.arcs)
                for move, target in arcs
                if move in self._repeats and target in found
            }
        return found
