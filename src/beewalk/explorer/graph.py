"""StateGraph: every state that a policy can be in, and every move between them."""

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from beewalk.explorer.compact import Arcs, Interned, PackedRows, Packing, Parents
from beewalk.explorer.moves import Alphabet, Move
from beewalk.reasoner.stance import NOTHING, Decision, members

if TYPE_CHECKING:
    import networkx

ANSWERED: Final = -1
OUT_OF_RETRIES: Final = -2
NOT_FOLLOWED: Final = -3


class StopReason(Enum):
    """Why a search ended."""

    EXHAUSTED = "exhausted"
    STATE_LIMIT = "max_states"
    DEPTH_LIMIT = "max_depth"
    TIME_LIMIT = "max_seconds"
    INTERRUPTED = "interrupted"


class StateGraph:
    """States by number, 0 the start, in breadth-first order; about 60 bytes a state with its arcs.

    `rows[s]` is the state itself: one table row per requirement, and the loop's. `decisions[s]` is what is offered
    there, None where a requirement raises; `decisions.firsts` has one state for each way in which all requirements
    speak. `arcs[s]` holds (move, target): a state, or ANSWERED (the final answer), OUT_OF_RETRIES (a failing call that
    ends the run) or NOT_FOLLOWED (beyond a bound of the search). `depths[s]` is
    the distance from the start, `parents[s]` the (state, move) it was first reached by; a start has (-1, -1).
    """

    def __init__(self, tools: tuple[str, ...], alphabet: Alphabet, packing: Packing) -> None:
        self.tools = tools
        self.alphabet = alphabet
        self.stop_reason = StopReason.EXHAUSTED
        self.rows = PackedRows(packing)
        self.decisions: Interned[Decision | None] = Interned()
        self.arcs = Arcs()
        self.depths = array("I")
        self.parents = Parents()

    def cut(self, length: int) -> None:
        """Keep the first `length` states; moves to others are not followed."""
        self.rows.cut(length)
        self.decisions.cut(length)
        self.arcs.cut(length, NOT_FOLLOWED)
        del self.depths[length:]
        self.parents.cut(length)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def complete(self) -> bool:
        """Whether every reachable state is in the graph."""
        return self.stop_reason is StopReason.EXHAUSTED

    @property
    def moves(self) -> int:
        """How many (state, move) pairs there are, the final answer's included."""
        return len(self.arcs.moves)

    @property
    def depth(self) -> int:
        """The greatest distance of a state from the start."""
        return max(self.depths)

    def is_dead_end(self, state: int) -> bool:
        """Whether nothing is allowed in `state`, and no requirement raises there."""
        decision = self.decisions[state]
        return decision is not None and not decision.allowed

    def raises(self, state: int) -> bool:
        """Whether a requirement raises in `state`."""
        return self.decisions[state] is None

    def way(self, state: int) -> tuple[int, list[int]]:
        """A shortest way to `state`: the start that it comes from, and the numbers of its moves."""
        moves = []
        parent, move = self.parents[state]
        while parent >= 0:
            moves.append(move)
            state = parent
            parent, move = self.parents[state]
        return state, moves[::-1]

    def path(self, state: int) -> list[int]:
        """The numbers of the moves of a shortest way from the start to `state`."""
        return self.way(state)[1]

    def witness(self, state: int) -> list[Move]:
        """The moves of a shortest way from the start to `state`."""
        return [self.alphabet.moves[move] for move in self.path(state)]

    def allowed(self, state: int) -> list[str]:
        """Tools allowed in `state`, in registration order; none where a requirement raises."""
        decision = self.decisions[state]
        return [] if decision is None else [self.tools[number] for number in members(decision.allowed)]

    def successors(self, state: int) -> Iterator[int]:
        """The states that one move leads to, each once."""
        first, last = self.arcs.ends[state], self.arcs.ends[state + 1]
        return iter(dict.fromkeys(target for target in self.arcs.targets[first:last] if target >= 0))

    def to_networkx(self) -> "networkx.MultiDiGraph[Any]":
        """The graph for networkx: a node a state, an edge a move, and the node "answered" where runs end well.

        Node attributes: `depth`, `ending` ("dead_end", "requirement_error", "answered" or ""), `allowed`, `hidden`,
        `forced`, `can_stop`. Edge attributes: `tool`, `outcome`, `repeated`; the edge's key is the move as text.
        """
        import networkx as nx  # noqa: PLC0415 - heavy, and only this function needs it

        graph: networkx.MultiDiGraph[Any] = nx.MultiDiGraph()
        for state in range(len(self)):
            graph.add_node(state, **self._attributes(state))
        names = {ANSWERED: "answered", OUT_OF_RETRIES: "retry_limit", NOT_FOLLOWED: "not followed"}
        for state, arcs in enumerate(self.arcs):
            for move_number, target in arcs:
                if target < 0:
                    graph.add_node(names[target], ending=names[target])
                move = self.alphabet.moves[move_number]
                node = names.get(target, target)
                graph.add_edge(state, node, key=str(move), tool=move.tool, outcome=move.outcome, repeated=move.repeated)
        return graph

    def _attributes(self, state: int) -> dict[str, Any]:
        decision = self.decisions[state]
        if decision is None:
            return {"depth": self.depths[state], "ending": "requirement_error"}
        return {
            "depth": self.depths[state],
            "ending": "" if decision.allowed else "dead_end",
            "allowed": self.allowed(state),
            "hidden": [self.tools[number] for number in members(decision.hidden)],
            "forced": None if decision.forced == NOTHING else self.tools[decision.forced],
            "can_stop": not decision.prevents_stop,
        }


def can_answer(graph: StateGraph, state: int) -> bool:
    """Whether the final answer can be given in `state`."""
    return any(target == ANSWERED for _, target in graph.arcs[state])


def reaching(graph: StateGraph, targets: Collection[int]) -> set[int]:
    """The states from which some state or ending in `targets` can be reached, those states included.

    States mostly lead to later ones, so a few passes from the last state to the first find all.
    """
    found = {target for target in targets if target < 0}
    reached = bytearray(len(graph))
    for target in targets:
        if target >= 0:
            reached[target] = True
    ends, ahead = graph.arcs.ends, graph.arcs.targets
    grew = True
    while grew:
        grew = False
        for state in range(len(graph) - 1, -1, -1):
            if not reached[state]:
                after = ahead[ends[state] : ends[state + 1]]
                if any(reached[target] if target >= 0 else target in found for target in after):
                    reached[state] = grew = True
    return {state for state in range(len(graph)) if reached[state]}


def closure(starts: Iterable[int], onward: Callable[[int], Iterable[int]]) -> set[int]:
    """Everything that can be reached from `starts` by `onward`, those included.

    Example:
        >>> sorted(closure([1], lambda number: [2 * number] if number < 8 else []))
        [1, 2, 4, 8]
    """
    found = set(starts)
    waiting = list(found)
    while waiting:
        for after in onward(waiting.pop()):
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found
