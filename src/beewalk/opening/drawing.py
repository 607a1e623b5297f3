"""The graph as it is drawn, and as it is exported."""

from collections.abc import Iterator, Sequence

from beewalk.explorer.finding import Finding
from beewalk.explorer.graph import ANSWERED, NOT_FOLLOWED, StateGraph, can_answer, reaching
from beewalk.explorer.minimal import MOST_STATES, MinimalGraph, Words
from beewalk.properties.exploration import Exploration
from beewalk.reports.document import Drawing, Edge, Node

MOST_DRAWN = 60


def drawing_of(exploration: Exploration) -> Drawing | None:
    """The graph with states merged that have the same future; None where even so it has more than MOST_DRAWN nodes."""
    graph = exploration.graph
    if len(graph) > MOST_STATES:
        return None
    minimal = exploration.minimal_graph
    return _drawing(exploration, minimal) if len(minimal.members) <= MOST_DRAWN else None


def whole_drawing(exploration: Exploration) -> Drawing:
    """The graph with every state a node of its own, for other programs."""
    states = range(len(exploration.graph))
    return _drawing(exploration, MinimalGraph(states, [[state] for state in states]))


def _drawing(exploration: Exploration, minimal: MinimalGraph) -> Drawing:
    graph = exploration.graph
    words = Words(exploration.search)
    saved = reaching(graph, [ANSWERED, NOT_FOLLOWED])
    nodes = []
    for number, states in enumerate(minimal.members):
        state = states[0]
        kind = "dead_end" if graph.is_dead_end(state) else "requirement_error" if graph.raises(state) else "state"
        decision = graph.decisions[state]
        node = Node(
            number=number,
            depth=graph.depths[state],
            kind=kind,
            label=words.of(states),
            can_answer=can_answer(graph, state),
            can_stop=decision is not None and not decision.prevents_stop,
            lost=state not in saved,
            offered=tuple(graph.allowed(state)),
            loops=tuple(_loops(graph, minimal.group_of, number, state)),
            states=len(states),
        )
        nodes.append(node)
    first = next((one for one in exploration.findings if one.witness), None)
    return Drawing(tuple(nodes), tuple(_edges(graph, minimal, first)))


def _loops(graph: StateGraph, group_of: Sequence[int], number: int, state: int) -> Iterator[str]:
    for move, target in graph.arcs[state]:
        if target >= 0 and group_of[target] == number:
            yield str(graph.alphabet.moves[move])


def _edges(graph: StateGraph, minimal: MinimalGraph, finding: Finding | None) -> Iterator[Edge]:
    witness = _pairs_of(graph, minimal.group_of, finding) if finding is not None else set()
    for number, states in enumerate(minimal.members):
        moves: dict[int, list[str]] = {}
        for move, target in graph.arcs[states[0]]:
            if target >= 0 and minimal.group_of[target] != number:
                moves.setdefault(minimal.group_of[target], []).append(str(graph.alphabet.moves[move]))
        for target, texts in sorted(moves.items()):
            yield Edge(number, target, tuple(texts), (number, target) in witness)


def _pairs_of(graph: StateGraph, group_of: Sequence[int], finding: Finding) -> set[tuple[int, int]]:
    """The pairs of groups that a witness goes through, as far as its moves are in the graph."""
    pairs, state = set(), 0
    for made in finding.witness:
        target = next((target for move, target in graph.arcs[state] if graph.alphabet.moves[move] == made), -1)
        if target < 0:
            break
        pairs.add((group_of[state], group_of[target]))
        state = target
    return pairs
