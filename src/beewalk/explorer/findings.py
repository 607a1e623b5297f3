"""Findings: what is wrong or useless in a policy, each once per cause, with a shortest witness."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from beewalk.errors import RequirementError
from beewalk.explorer.blame import (
    REPEATED_CALLS,
    Blame,
    Ground,
    all_grounds,
    causes_of_nothing_allowed,
    in_order,
    smallest_cause,
)
from beewalk.explorer.counting import failures_allowed
from beewalk.explorer.endings import doomed, endless
from beewalk.explorer.graph import StateGraph, closure, reaching
from beewalk.explorer.mending import changes
from beewalk.explorer.moves import Move
from beewalk.explorer.search import Search
from beewalk.policy.tool import ERROR, OK
from beewalk.reasoner.request import DeadEnd, Request
from beewalk.reasoner.ruling import Ruling
from beewalk.reasoner.stance import Decision

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong or useless in a policy.

    `count` is how many states show it, or how many `tools` where it is about tools; `point_of_no_return` how many more
    states lead nowhere else. `witness` is a shortest way to it from the start, `needs` the outcomes without which it
    cannot happen, `rulings` what was decided at the witness's last state, `blame` the smallest set of (requirement,
    parameter) it follows from. After any one of `mends` the run can end well from there.
    """

    code: str
    severity: Severity
    message: str
    witness: tuple[Move, ...]
    count: int = 1
    point_of_no_return: int = 0
    needs: tuple[str, ...] = ()
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    blame: Blame = ()
    mends: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """All findings of a search; `beyond_limit` counts errors whose shortest witness is longer than a run may be."""

    found: tuple[Finding, ...]
    beyond_limit: int


def findings_of(search: Search) -> Findings:
    """Every finding, errors first, those with a short witness before others."""
    dead_ends = list(_dead_ends(search))
    told = [one for one in dead_ends if _fits(search, one)]
    stuck = [one for one in _cannot_stop(search) if not _explained(one, told)]
    errors = [*dead_ends, *_requirement_errors(search), *stuck]
    errors.sort(key=lambda one: (len(one.witness), one.code, one.blame[0][0] if one.blame else -1))
    fitting = [one for one in errors if _fits(search, one)]
    warnings = [one for one in _never_allowed(search) if not _part_of(one, fitting)]
    return Findings((*fitting, *warnings), len(errors) - len(fitting))


def _explained(finding: Finding, errors: Sequence[Finding]) -> bool:
    """Whether all that is to blame for one of `errors` is also to blame for `finding`: mending that mends both."""
    return any(set(error.blame) <= set(finding.blame) for error in errors if error.blame)


def _part_of(finding: Finding, errors: Sequence[Finding]) -> bool:
    """Whether `finding` and one of `errors` have one cause: what is to blame for one is part of the other's blame."""
    return _explained(finding, errors) or any(
        set(finding.blame) <= set(error.blame) for error in errors if finding.blame
    )


def _fits(search: Search, finding: Finding) -> bool:
    """Whether a run within the policy's limits can show the finding: it shows at the request after the witness."""
    limits = search.policy.limits
    calls = sum(not move.repeated for move in finding.witness)
    failures = sum(move.outcome == ERROR for move in finding.witness)
    return failures <= failures_allowed(limits) and (not limits.max_iterations or calls < limits.max_iterations)


def _dead_ends(search: Search) -> Iterator[Finding]:
    graph = search.graph
    dead = [state for state in range(len(graph.rows)) if graph.is_dead_end(state)]
    causes: dict[Blame, list[int]] = {}
    for state, blame in causes_of_nothing_allowed({state: _rulings(search, state) for state in dead}).items():
        causes.setdefault(blame, []).append(state)
    for states in causes.values():
        states.sort()
    lost = doomed(graph)
    for blame, states in causes.items():
        leading = reaching(graph, states) & lost
        lost -= leading  # each counted once, with the nearest cause
        yield Finding(
            code="dead-end",
            severity="error",
            message=f"{_after(graph, states[0])} nothing is allowed, not even the final answer, and the run fails",
            witness=tuple(graph.witness(states[0])),
            count=len(states),
            point_of_no_return=len(leading),
            needs=_needs(graph, states),
            rulings=_rulings(search, states[0]),
            blame=blame,
            mends=_mends(search, blame, states[0]),
        )


def _requirement_errors(search: Search) -> Iterator[Finding]:
    graph = search.graph
    causes: dict[Blame, list[int]] = {}
    for state in range(len(graph.rows)):
        if graph.raises(state):
            causes.setdefault(_raised(search, state)[0], []).append(state)
    for blame, states in causes.items():
        yield Finding(
            code="requirement-error",
            severity="error",
            message=f"{_after(graph, states[0])} the run ends, because {_raised(search, states[0])[1]}",
            witness=tuple(graph.witness(states[0])),
            count=len(states),
            needs=_needs(graph, states),
            blame=blame,
            mends=changes(search, blame),
        )


def _raised(search: Search, state: int) -> tuple[Blame, str]:
    """Who raises in `state`, and what it says."""
    rows = search.raw_rows(search.graph.path(state))
    for table, row in zip(search.raw, rows, strict=True):
        said = table.said(row)
        if isinstance(said, RequirementError):
            index = table.bound.index
            parameters: Sequence[str | None] = said.parameters or (None,)
            return tuple((index, parameter) for parameter in parameters), str(said)
    raise AssertionError("the graph and a replay of its own path disagree")


def _cannot_stop(search: Search) -> Iterator[Finding]:
    graph = search.graph
    left = endless(graph)
    causes: dict[Blame, list[int]] = {}
    while left:
        first = left[0]
        after = closure([first], graph.successors)
        blame = _why_endless(search, first, causes)
        causes.setdefault(blame, []).extend(state for state in left if state in after)
        left = [state for state in left if state not in after]
    for blame, states in causes.items():
        yield Finding(
            code="cannot-stop",
            severity="error",
            message=f"{_after(graph, states[0])} the run can go on for ever, but it can never reach a final answer",
            witness=tuple(graph.witness(states[0])),
            count=len(states),
            needs=_needs(graph, states),
            rulings=_rulings(search, states[0]),
            blame=blame,
            mends=_mends(search, blame, states[0]),
        )


def _why_endless(search: Search, state: int, known: Iterable[Blame]) -> Blame:
    """The cause that holds in `state`: one that is known already, if it is enough, else the smallest."""
    grounds = _grounds(search, state)
    holds = partial(_cannot_end_well, search, search.graph.path(state))
    for blame in known:
        if holds(frozenset(grounds).difference(blame)):
            return blame
    return smallest_cause(grounds, holds)


def _cannot_end_well(search: Search, moves: Sequence[int], muted: frozenset[Ground]) -> bool | None:
    """Whether no final answer can be reached after `moves` although some grounds are muted; None if unknown."""
    answer = len(search.graph.tools) - 1

    def can_answer(decision: Decision) -> bool:
        return decision.choice == answer or (decision.choice < 0 and bool(decision.allowed >> answer & 1))

    return search.never(can_answer, muted, moves)


def _never_allowed(search: Search) -> Iterator[Finding]:
    graph = search.graph
    decided = [decision for decision in graph.decisions if decision is not None and decision.allowed]
    if not graph.complete or not decided:
        return
    causes: dict[Blame, list[str]] = {}
    for number, tool in enumerate(graph.tools[:-1]):
        if not any(decision.allowed >> number & 1 for decision in decided):
            blame = smallest_cause(_grounds(search, 0), partial(_stays_forbidden, search, number))
            causes.setdefault(blame, []).append(tool)
    for blame, tools in causes.items():
        listed = ", ".join(map(repr, tools))
        yield Finding(
            code="tool-never-allowed",
            severity="warning",
            message=f"{listed} {'is' if len(tools) == 1 else 'are'} allowed in no request that can be reached",
            witness=(),
            count=len(tools),
            rulings=_rulings(search, 0),
            blame=blame,
            mends=_helping(search, blame, 0, partial(_opens, search, graph.tools.index(tools[0]))),
            tools=tuple(tools),
        )


def _stays_forbidden(search: Search, tool: int, muted: frozenset[Ground]) -> bool | None:
    """Whether a tool is allowed in no request although some grounds are muted; None if unknown."""
    return search.never(lambda decision: bool(decision.allowed >> tool & 1), muted)


def _opens(search: Search, tool: int, muted: frozenset[Ground]) -> bool:
    """Whether a tool is allowed in some request when some grounds are muted."""
    return _stays_forbidden(search, tool, muted) is False


def _grounds(search: Search, state: int) -> list[Ground]:
    """All grounds of the policy, those that have a say in `state` last."""
    rulings = _rulings(search, state)
    here = {(one.index, one.parameter) for ruling in rulings.values() for one in ruling.because}
    loop = [REPEATED_CALLS] if search.alphabet.repeats else []
    return sorted([*all_grounds(search.raw), *loop], key=lambda ground: ground in here)


def _mends(search: Search, blame: Blame, state: int) -> tuple[str, ...]:
    """Changes after which the run can end well after the way to `state`."""
    moves = search.graph.path(state)
    return _helping(search, blame, state, lambda muted: _cannot_end_well(search, moves, muted) is False)


def _helping(search: Search, blame: Blame, state: int, helps: Callable[[frozenset[Ground]], bool]) -> tuple[str, ...]:
    """Changes of which any one helps; where none does alone, some that help together; nothing where none are found.

    Those to blame are told rather than others that have a say in `state`.
    """
    rulings = _rulings(search, state)
    here = [(one.index, one.parameter) for ruling in rulings.values() for one in ruling.because]
    tried = tuple(dict.fromkeys([*blame, *here]))
    enough = [ground for ground in tried if helps(frozenset([ground]))]
    if enough:
        return changes(search, [ground for ground in blame if ground in enough] or enough)
    needed = frozenset(tried)
    if not helps(needed):
        return ()
    for ground in reversed(tried):
        if helps(needed - {ground}):
            needed -= {ground}
    return (" and ".join(changes(search, in_order(needed))),)


def _rulings(search: Search, state: int) -> Mapping[str, Ruling]:
    request = search.request_after(search.graph.path(state))
    return request.rulings if isinstance(request, Request | DeadEnd) else {}


def _after(graph: StateGraph, state: int) -> str:
    moves = graph.witness(state)
    return f"after {', '.join(map(str, moves))}:" if moves else "at the very start:"


def _needs(graph: StateGraph, states: Sequence[int]) -> tuple[str, ...]:
    """The outcomes other than ok that it takes: with all of them some of `states` is reached, without one none is."""
    moves = graph.alphabet.moves
    usual = {number for number, move in enumerate(moves) if move.outcome == OK}
    needed = [move for move in dict.fromkeys(graph.path(states[0])) if move not in usual]
    for move in list(needed):
        if _reached_by(graph, usual.union(needed) - {move}, states):
            needed.remove(move)
    return tuple(str(moves[move]) for move in needed)


def _reached_by(graph: StateGraph, usable: set[int], states: Sequence[int]) -> bool:
    def onward(state: int) -> list[int]:
        return [target for move, target in graph.arcs[state] if move in usable and target >= 0]

    return not closure([0], onward).isdisjoint(states)
