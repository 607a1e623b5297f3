"""Finding: something wrong or useless in a policy; and the codes that there are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from beewalk.explorer.blame import Blame
from beewalk.explorer.counting import failures_allowed
from beewalk.explorer.graph import StateGraph, closure
from beewalk.explorer.moves import Move
from beewalk.explorer.search import Search
from beewalk.explorer.ways import Ways, fits
from beewalk.policy.tool import OK
from beewalk.reasoner.request import DeadEnd, Request
from beewalk.reasoner.ruling import Ruling

Severity = Literal["error", "warning", "note"]

# Code -> severity and meaning, in the order of reports.
CODES: Final[Mapping[str, tuple[Severity, str]]] = {
    "dead-end": ("error", "a state where nothing is allowed, not even the final answer"),
    "requirement-error": ("error", "a requirement raises in a state that can be reached"),
    "cannot-stop": ("error", "a state from which runs can go on for ever, but never reach a final answer"),
    "remembered-choice-blocks": ("error", "a run gets stuck because of what the user chose in an earlier one"),
    "stops-too-late": ("error", "no run that ends in a final answer fits into max_iterations"),
    "impure-requirement": ("warning", "a requirement says different things after the same history"),
    "tool-never-allowed": ("warning", "a tool that is allowed in no request that can be reached"),
    "tool-blocks-stop": ("warning", "when one tool always fails, no final answer can be reached"),
    "force-never-obeyed": ("warning", "a rule forces a tool, and never wins"),
    "forced-answer-overrides": ("warning", "a forced final answer ends a run that a rule keeps from stopping"),
    "requirement-without-effect": ("warning", "without the requirement every request would be the same"),
    "parameter-without-effect": ("note", "without the parameter every request would be the same"),
    "level-borrowed": ("note", "a force wins by the priority of another rule on its tool"),
    "denial-counts-as-success": ("note", "a call that the user refused counts as a call that was made"),
    "failures-uncapped": ("note", "a tool with max_invocations can fail without end"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong or useless in a policy.

    `count` is how many states show it, or how many `tools` where it is about tools; `point_of_no_return` how many more
    states lead nowhere else. `witness` is a shortest way to it from the start, `needs` the outcomes without which it
    cannot happen, `rulings` what was decided at the witness's last state, `blame` the smallest set of (requirement,
    parameter) it follows from. After any one of `mends` the run can end well from there. Where it takes more than one
    run `runs` has the moves of each, and `witness` is empty; `start` is the graph's start that the last one begins in.
    """

    code: str
    message: str
    witness: tuple[Move, ...] = ()
    count: int = 1
    point_of_no_return: int = 0
    needs: tuple[str, ...] = ()
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    blame: Blame = ()
    mends: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    runs: tuple[tuple[Move, ...], ...] = ()
    start: int = 0

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return CODES[self.code][0]

    @property
    def last_run(self) -> tuple[Move, ...]:
        """The moves of the run that shows it."""
        return self.runs[-1] if self.runs else self.witness


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A sentence on what could not be judged, because it would take too long."""

    text: str


def way_to(search: Search, states: Sequence[int]) -> tuple[int, int, tuple[Move, ...]]:
    """One of `states`, and a shortest way there that fits into the limits of a run; else a shortest of all.

    Returns:
        The state, the start that the way comes from, and its moves.

    Cost: O(moves * failures that a run survives), where a shortest of all does not fit.
    """
    graph, limits = search.graph, search.policy.limits
    shortest = states[0], graph.way(states[0])[0], tuple(graph.witness(states[0]))
    if fits(limits, shortest[2]):
        return shortest
    wanted = set(states)
    ways = Ways(graph, range(len(search.origins)), failures_allowed(limits))
    for place, _ in ways.visits():
        if place[0] in wanted:
            start, moves = ways.to(place)
            return (place[0], start, moves) if fits(limits, moves) else shortest
    return shortest


def rulings_at(search: Search, state: int) -> Mapping[str, Ruling]:
    """What was decided on each tool in `state`; nothing where a requirement raises."""
    request = search.request_at(state)
    return request.rulings if isinstance(request, Request | DeadEnd) else {}


def after_text(moves: Sequence[Move]) -> str:
    """The way to a place, as the beginning of a sentence."""
    return f"after {', '.join(map(str, moves))}:" if moves else "at the very start:"


def listed(words: Sequence[str]) -> str:
    """Names in quotes, as a sentence has them.

    Example:
        >>> listed(["a", "b", "c"])
        "'a', 'b' and 'c'"
    """
    *others, last = map(repr, words)
    return f"{', '.join(others)} and {last}" if others else last


def needs_of(graph: StateGraph, states: Sequence[int]) -> tuple[str, ...]:
    """The outcomes other than ok that it takes: with all of them some of `states` is reached, without one none is."""
    moves = graph.alphabet.moves
    usual = {number for number, move in enumerate(moves) if move.outcome == OK}
    needed = [move for move in dict.fromkeys(graph.path(states[0])) if move not in usual]
    for move in list(needed):
        if _reached_by(graph, usual.union(needed) - {move}, states):
            needed.remove(move)
    return tuple(str(moves[move]) for move in needed)


def _reached_by(graph: StateGraph, usable: set[int], states: Sequence[int]) -> bool:
    start = graph.way(states[0])[0]

    def onward(state: int) -> list[int]:
        return [target for move, target in graph.arcs[state] if move in usable and target >= 0]

    return not closure([start], onward).isdisjoint(states)
