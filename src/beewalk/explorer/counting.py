"""Counting: complete runs, and what each tool may do, read off the graph."""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from beewalk.explorer.graph import ANSWERED, StateGraph
from beewalk.explorer.knots import knots_of
from beewalk.explorer.moves import Alphabet
from beewalk.policy.policy import Limits
from beewalk.policy.tool import ERROR

DEFAULT_LENGTH = 20


def longest_run(limits: Limits, max_length: int | None) -> int:
    """How many calls a counted run may have: `max_length` or max_iterations, the smaller; 20 where there is neither."""
    bounds = [bound for bound in (limits.max_iterations, max_length) if bound]
    return min(bounds, default=DEFAULT_LENGTH)


def failures_allowed(limits: Limits) -> int:
    """How many failing calls a run survives: the total budget, at least that of one turn."""
    return max(limits.total_max_retries or 0, limits.max_retries_per_step or 0)


def complete_runs(graph: StateGraph, limits: Limits, max_length: int) -> int:
    """How many sequences of moves of at most `max_length` calls end in the final answer, its own call included.

    Args:
        graph: a graph; one that is not complete gives a lower bound.
        limits: a run with more failing calls than they allow is not counted.
        max_length: from `longest_run`.

    Cost: O(max_length * failures * moves) additions of whole numbers of any size.
    """
    most = failures_allowed(limits)
    bound = most if most < max_length else None  # otherwise failures can't run out within max_length calls
    fails = [move.outcome == ERROR for move in graph.alphabet.moves]
    repeats = frozenset(graph.alphabet.repeats.values())
    total = 0
    here: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for _ in range(max_length):
        there: Counter[tuple[int, int]] = Counter()
        # A repeated call takes no turn; the call after it is another one, so that none follows another.
        for (state, failures), ways in [*here.items()] if repeats else ():
            for move, target in graph.arcs[state]:
                if move in repeats and target >= 0:
                    here[target, failures] += ways
        for (state, failures), ways in here.items():
            for move, target in graph.arcs[state]:
                if move in repeats:
                    continue
                used = failures + fails[move] if bound is not None else 0
                if target == ANSWERED:
                    total += ways
                elif target >= 0 and (bound is None or used <= bound):
                    there[target, used] += ways
        here = there
    return total


@dataclass(frozen=True, slots=True)
class ToolFacts:
    """What a tool may do in all runs together.

    `allowed`: in some request's allowed set. `forced`: some request names it because a rule forces it. `first_step`:
    the number of the earliest call that can be of it, None if it is never called. `max_calls`: the most calls of it in
    one run, None where only the limits of the run bound them, or where the search was cut short.
    """

    allowed: bool
    forced: bool
    first_step: int | None
    max_calls: int | None


def tool_facts(graph: StateGraph) -> dict[str, ToolFacts]:
    """The facts of each tool, in registration order."""
    most = _max_calls(graph) if graph.complete else dict.fromkeys(graph.tools)
    first = first_steps(graph)
    decided = [decision for decision in graph.decisions.values if decision is not None]
    facts = {}
    for number, tool in enumerate(graph.tools):
        facts[tool] = ToolFacts(
            allowed=any(decision.allowed >> number & 1 for decision in decided),
            forced=any(decision.forced == number for decision in decided),
            first_step=min((first[move] for move in graph.alphabet.of_tool[number] if move in first), default=None),
            max_calls=most[tool],
        )
    return facts


def _calls_before(graph: StateGraph) -> Sequence[int]:
    """How many calls the shortest way to each state has; repeated ones, which do not run, are none."""
    if not graph.alphabet.repeats:
        return graph.depths
    repeats = frozenset(graph.alphabet.repeats.values())
    calls = {0: 0}
    waiting = deque(calls)
    while waiting:
        state = waiting.popleft()
        for move, target in graph.arcs[state]:
            distance = calls[state] + (move not in repeats)
            if target >= 0 and distance < calls.get(target, distance + 1):
                calls[target] = distance
                (waiting.appendleft if move in repeats else waiting.append)(target)
    return [calls[state] for state in range(len(graph))]


def first_steps(graph: StateGraph) -> dict[int, int]:
    """The number of the earliest call that each move can be."""
    calls = _calls_before(graph)
    ends, moves = graph.arcs.ends, graph.arcs.moves
    first: dict[int, int] = {}
    for state in range(len(graph)):
        step = calls[state] + 1
        for move in moves[ends[state] : ends[state + 1]]:
            if first.get(move, step) >= step:
                first[move] = step
    return first


def _max_calls(graph: StateGraph) -> dict[str, int | None]:
    """The greatest number of calls of each tool along any path; None where a cycle has one."""
    knots = knots_of(len(graph), graph.successors)
    owner = _tools_of_moves(graph.alphabet)
    nothing = (0.0,) * len(graph.tools)
    most: list[tuple[float, ...]] = [nothing] * (max(knots) + 1)  # knots lead to smaller numbers only
    for state in sorted(range(len(graph)), key=knots.__getitem__):
        knot = knots[state]
        ahead = {most[knot]}
        for move, target in graph.arcs[state]:
            tool = owner[move]
            after = nothing if target < 0 else most[knots[target]]
            if tool >= 0:
                again = inf if target >= 0 and knots[target] == knot else 1
                after = (*after[:tool], after[tool] + again, *after[tool + 1 :])
            ahead.add(after)
        most[knot] = tuple(map(max, zip(*ahead, strict=True)))
    first = most[knots[0]]
    return {tool: None if calls == inf else int(calls) for tool, calls in zip(graph.tools, first, strict=True)}


def _tools_of_moves(alphabet: Alphabet) -> list[int]:
    owner = [-1] * len(alphabet.moves)  # a repeated call is nobody's: it does not run
    for tool, moves in enumerate(alphabet.of_tool):
        for move in moves:
            owner[move] = tool
    return owner
