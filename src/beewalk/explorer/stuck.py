"""Stuck: runs that cannot end well: dead ends, requirements that raise, runs that cannot stop."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from beewalk.errors import RequirementError
from beewalk.explorer.blame import Blame, Ground, causes_of_nothing_allowed, smallest_cause
from beewalk.explorer.endings import doomed, endless
from beewalk.explorer.finding import Finding, after_text, needs_of, rulings_at, way_to
from beewalk.explorer.graph import closure, reaching
from beewalk.explorer.mending import changes, grounds_by_say, helping
from beewalk.explorer.search import Search
from beewalk.explorer.ways import fits
from beewalk.reasoner.stance import Decision


def stuck_runs(search: Search) -> list[Finding]:
    """Dead ends, requirements that raise, and runs that cannot stop, those with a short witness first.

    What cannot stop and follows from the same as a dead end that a run can show is not told again.
    """
    dead_ends = list(_dead_ends(search))
    shown = [one for one in dead_ends if fits(search.policy.limits, one.last_run)]
    errors = [*dead_ends, *_requirement_errors(search)]
    errors += [one for one in _cannot_stop(search) if not explained(one, shown)]
    return sorted(errors, key=lambda one: (len(one.last_run), one.code, one.blame[0][0] if one.blame else -1))


def explained(finding: Finding, errors: Iterable[Finding]) -> bool:
    """Whether all that is to blame for one of `errors` is also to blame for `finding`: mending that mends both."""
    return any(set(error.blame) <= set(finding.blame) for error in errors if error.blame)


def _dead_ends(search: Search) -> Iterator[Finding]:
    graph = search.graph
    dead = [state for state in range(len(graph)) if graph.is_dead_end(state)]
    causes: dict[Blame, list[int]] = {}
    for state, blame in causes_of_nothing_allowed({state: rulings_at(search, state) for state in dead}).items():
        causes.setdefault(blame, []).append(state)
    lost = doomed(graph)
    for blame, states in causes.items():
        states.sort()
        leading = reaching(graph, states) & lost
        lost -= leading  # each counted once, with the nearest cause
        text = "nothing is allowed, not even the final answer, and the run fails"
        yield replace(_stuck(search, blame, states, code="dead-end", text=text), point_of_no_return=len(leading))


def _stuck(search: Search, blame: Blame, states: Sequence[int], *, code: str, text: str) -> Finding:
    """The finding that `states` are stuck, for one cause."""
    state, start, witness = way_to(search, states)
    return Finding(
        code=code,
        message=f"{after_text(witness)} {text}",
        witness=witness,
        count=len(states),
        needs=needs_of(search.graph, states),
        rulings=rulings_at(search, state),
        start=start,
        blame=blame,
        mends=_mends(search, blame, state),
    )


def _requirement_errors(search: Search) -> Iterator[Finding]:
    graph = search.graph
    causes: dict[Blame, list[int]] = {}
    for state in range(len(graph)):
        if graph.raises(state):
            causes.setdefault(_raised(search, state)[0], []).append(state)
    for blame, states in causes.items():
        state, _, witness = way_to(search, states)
        yield Finding(
            code="requirement-error",
            message=f"{after_text(witness)} the run ends, because {_raised(search, state)[1]}",
            witness=witness,
            count=len(states),
            needs=needs_of(graph, states),
            blame=blame,
            mends=changes(search, blame),
        )


def _raised(search: Search, state: int) -> tuple[Blame, str]:
    """Who raises in `state`, and what it says."""
    for table, row in zip(search.raw, search.raw_rows_at(state), strict=True):
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
        text = "the run can go on for ever, but it can never reach a final answer"
        yield _stuck(search, blame, states, code="cannot-stop", text=text)


def _why_endless(search: Search, state: int, known: Iterable[Blame]) -> Blame:
    """The cause that holds in `state`: one that is known already, if it is enough, else the smallest."""
    grounds = grounds_by_say(search, state)
    holds = partial(cannot_end_well, search, state)
    for blame in known:
        if holds(frozenset(grounds).difference(blame)):
            return blame
    return smallest_cause(grounds, holds)


def cannot_end_well(search: Search, state: int, muted: frozenset[Ground]) -> bool | None:
    """Whether no final answer can be reached from `state` although some grounds are muted; None if unknown."""
    answer = len(search.graph.tools) - 1

    def can_answer(decision: Decision) -> bool:
        return decision.choice == answer or (decision.choice < 0 and bool(decision.allowed >> answer & 1))

    return search.never(can_answer, muted, state)


def _mends(search: Search, blame: Blame, state: int) -> tuple[str, ...]:
    """Changes after which the run can end well from `state`."""
    return helping(search, blame, state, lambda muted: cannot_end_well(search, state, muted) is False)
