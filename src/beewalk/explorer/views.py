"""Views of a graph: which tool can follow which, and what each tool may do at each step."""

from dataclasses import dataclass

from beewalk.explorer.graph import StateGraph
from beewalk.reasoner.stance import Decision, members

_MOST_VISITS = 100_000


@dataclass(frozen=True, slots=True)
class Following:
    """Which tool can directly follow which: `first` may come first, `after[tool]` directly after a call of `tool`.

    Tools are in registration order; one that is never called has no entry in `after`.
    """

    first: tuple[str, ...]
    after: dict[str, tuple[str, ...]]


def following(graph: StateGraph) -> Following:
    """Read off which calls can follow each other; a refused or failed call is a call, a repeated one is none."""
    tools = graph.tools
    owner = {move: tool for tool, moves in enumerate(graph.alphabet.of_tool) for move in moves}
    came = [0] * len(graph)
    next_ = [0] * len(graph)
    for state in range(len(graph)):
        for move, target in graph.arcs[state]:
            tool = owner.get(move)
            if tool is None:
                continue
            next_[state] |= 1 << tool
            if target >= 0:
                came[target] |= 1 << tool
    _through_repeats(graph, owner, came)
    after = [0] * len(tools)
    called = 0
    for before, then in zip(came, next_, strict=True):
        called |= then
        for tool in members(before):
            after[tool] |= then
    return Following(
        tuple(tools[tool] for tool in members(next_[0])),
        {tools[tool]: tuple(tools[one] for one in members(after[tool])) for tool in members(called)},
    )


def _through_repeats(graph: StateGraph, owner: dict[int, int], came: list[int]) -> None:
    """Let what came before a repeated call also have come before what follows it."""
    grew = bool(graph.alphabet.repeats)
    while grew:
        grew = False
        for state, arcs in enumerate(graph.arcs):
            for move, target in arcs:
                if target >= 0 and move not in owner and came[state] | came[target] != came[target]:
                    came[target] |= came[state]
                    grew = True


@dataclass(frozen=True, slots=True)
class Steps:
    """What each tool may do at each step of a run: `cells[step][tool]` holds words of "allowed", "forced", ...

    `cut` says why there are no more steps; empty where no run is longer.
    """

    cells: list[list[tuple[str, ...]]]
    cut: str


def steps_of(graph: StateGraph, most: int) -> Steps:
    """How the tools stand before the first call, the second, ... up to call number `most`.

    Each cell is a subset of allowed, forced, forbidden, hidden, over all states that a run can be in then.
    """
    repeats = frozenset(graph.alphabet.repeats.values())
    here, seen, cells, visits = frozenset([0]), set[frozenset[int]](), list[list[tuple[str, ...]]](), 0
    while here and len(cells) < most:
        if here in seen:
            return Steps(cells, "later calls add nothing new")
        seen.add(here)
        visits += len(here)
        if visits > _MOST_VISITS:
            return Steps(cells, f"later steps are left out: there are {len(graph):,} states")
        ready = _through(graph, here, repeats)
        cells.append(_cells(graph, ready))
        here = frozenset(
            target for state in ready for move, target in graph.arcs[state] if target >= 0 and move not in repeats
        )
    return Steps(cells, f"a run has at most {most} calls" if here else "")


def _through(graph: StateGraph, here: frozenset[int], repeats: frozenset[int]) -> frozenset[int]:
    """The states with those that repeated calls lead to: these take no step."""
    ready = set(here)
    waiting = list(here) if repeats else []
    while waiting:
        for move, target in graph.arcs[waiting.pop()]:
            if move in repeats and target >= 0 and target not in ready:
                ready.add(target)
                waiting.append(target)
    return frozenset(ready)


def _cells(graph: StateGraph, here: frozenset[int]) -> list[tuple[str, ...]]:
    decisions = {decision for decision in map(graph.decisions.__getitem__, here) if decision is not None}
    words = [{_word(decision, tool) for decision in decisions} for tool in range(len(graph.tools))]
    return [tuple(word for word in ("allowed", "forced", "forbidden", "hidden") if word in found) for found in words]


def _word(decision: Decision, tool: int) -> str:
    if decision.forced == tool:
        return "forced"
    if decision.choice >= 0 and decision.choice != tool:
        return "hidden" if decision.hidden >> tool & 1 else "forbidden"
    if decision.allowed >> tool & 1:
        return "allowed"
    return "hidden" if decision.hidden >> tool & 1 else "forbidden"
