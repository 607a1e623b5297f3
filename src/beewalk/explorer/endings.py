"""Endings: from which states a run can still end, and how."""

from beewalk.explorer.graph import ANSWERED, NOT_FOLLOWED, OUT_OF_RETRIES, StateGraph, reaching
from beewalk.explorer.knots import knots_of
from beewalk.policy.tool import ERROR


def doomed(graph: StateGraph) -> set[int]:
    """The states that are no dead end, but all of whose runs end in one.

    A run that only repeats failing calls is not counted as another way out.
    """
    dead = {state for state in range(len(graph)) if graph.is_dead_end(state)}
    return _all_runs_end_in(graph, dead) if dead else set()


def endless(graph: StateGraph) -> list[int]:
    """The states from which no final answer can be reached although runs can go on for ever, nearest first.

    Loops of failing calls are left out, and a state beyond a bound of the search might still end well.
    """
    saved = reaching(graph, [ANSWERED, NOT_FOLLOWED])
    stuck = [state for state in range(len(graph)) if state not in saved]
    if not stuck:
        return []
    ended = {state for state in stuck if graph.raises(state) or graph.is_dead_end(state)}
    finite = ended | _all_runs_end_in(graph, ended | {OUT_OF_RETRIES})
    return [state for state in stuck if state not in finite]


def _all_runs_end_in(graph: StateGraph, ends: set[int]) -> set[int]:
    """The states that are not among `ends`, but all of whose runs lead there, loops of failing calls left out.

    States that failing calls lead to and fro between count as one: what leads out of one leads out of all.
    """
    knots = _knots_of_failures(graph)
    ways = _ways_out(graph, knots)
    before: dict[int, list[int]] = {}
    for knot, targets in ways.items():
        for target in targets:
            before.setdefault(target, []).append(knot)
    left = {knot: len(targets) for knot, targets in ways.items()}
    found: set[int] = set()
    ring = [end if end < 0 else knots[end] for end in ends]
    while ring:
        for knot in before.get(ring.pop(), ()):
            left[knot] -= 1
            if left[knot] == 0:
                found.add(knot)
                ring.append(knot)
    return {state for state, knot in enumerate(knots) if knot in found and state not in ends}


def _ways_out(graph: StateGraph, knots: list[int]) -> dict[int, set[int]]:
    """Knot -> the knots and endings that one move leads to, but for failing calls within it."""
    ways: dict[int, set[int]] = {}
    for state, arcs in enumerate(graph.arcs):
        out = ways.setdefault(knots[state], set())
        for move, target in arcs:
            place = target if target < 0 else knots[target]
            if place != knots[state] or not _fails(graph, move):
                out.add(place)
    return ways


def _knots_of_failures(graph: StateGraph) -> list[int]:
    """A number for each state; states that failing calls lead to and fro between share one."""
    if not any(_fails(graph, move) for move in range(len(graph.alphabet.moves))):
        return list(range(len(graph)))

    def onward(state: int) -> list[int]:
        return [target for move, target in graph.arcs[state] if target >= 0 and _fails(graph, move)]

    return knots_of(len(graph), onward)


def _fails(graph: StateGraph, move: int) -> bool:
    return graph.alphabet.moves[move].outcome == ERROR
