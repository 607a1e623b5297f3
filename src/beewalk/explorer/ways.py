"""Ways: how to get to states with the fewest calls, within what a run survives."""

from collections import deque
from collections.abc import Iterable, Iterator

from beewalk.explorer.counting import failures_allowed
from beewalk.explorer.graph import StateGraph
from beewalk.explorer.moves import Move
from beewalk.policy.policy import Limits
from beewalk.policy.tool import ERROR

# A state, and how many calls have failed on the way there (0 where that is not counted).
Place = tuple[int, int]


class Ways:
    """The ways from some states to all that can be reached, those with the fewest calls; a repeated call is none.

    Args:
        graph: where the states are.
        starts: states to begin with.
        failures: how many calls may fail; None where that is not counted.
    """

    def __init__(self, graph: StateGraph, starts: Iterable[int], failures: int | None) -> None:
        self._graph = graph
        self._failures = failures
        self._moves = graph.alphabet.moves
        self._repeats = frozenset(graph.alphabet.repeats.values())
        self._calls: dict[Place, int] = {(state, 0): 0 for state in starts}
        self._came: dict[Place, tuple[Place, int]] = {}

    def visits(self) -> Iterator[tuple[Place, int]]:
        """Each place with the number of calls on the way there, fewest first.

        Cost: O(moves * failures).
        """
        waiting, done = deque(self._calls), set[Place]()
        while waiting:
            place = waiting.popleft()
            if place in done:
                continue
            done.add(place)
            yield place, self._calls[place]
            for move, there in self._onward(place):
                calls = self._calls[place] + (move not in self._repeats)
                if calls < self._calls.get(there, calls + 1):
                    self._calls[there], self._came[there] = calls, (place, move)
                    (waiting.appendleft if move in self._repeats else waiting.append)(there)

    def _onward(self, place: Place) -> Iterator[tuple[int, Place]]:
        state, failures = place
        for move, target in self._graph.arcs[state]:
            failed = failures + (self._failures is not None and self._moves[move].outcome == ERROR)
            if target >= 0 and (self._failures is None or failed <= self._failures):
                yield move, (target, failed)

    def to(self, place: Place) -> tuple[int, tuple[Move, ...]]:
        """The way to a place that was visited: the start that it comes from, and its moves."""
        moves = []
        while place in self._came:
            place, move = self._came[place]
            moves.append(self._moves[move])
        return place[0], tuple(moves[::-1])


def fits(limits: Limits, moves: Iterable[Move]) -> bool:
    """Whether a run within the limits can make these moves and one request more."""
    made = list(moves)
    calls = sum(not move.repeated for move in made)
    failures = sum(move.outcome == ERROR for move in made)
    return failures <= failures_allowed(limits) and (not limits.max_iterations or calls < limits.max_iterations)
