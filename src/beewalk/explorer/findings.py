"""Findings: what is wrong or useless in a policy, each once per cause, with a shortest witness."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from beewalk.explorer.blame import MAX_ITERATIONS
from beewalk.explorer.counting import first_steps
from beewalk.explorer.effects import without_effect
from beewalk.explorer.finding import CODES, Finding, Unjudged, after_text, needs_of
from beewalk.explorer.forces import odd_forces
from beewalk.explorer.graph import StopReason, can_answer
from beewalk.explorer.lost_tools import blocks_stop, denial_counts, failures_uncapped, never_allowed
from beewalk.explorer.moves import Move
from beewalk.explorer.search import Search, search
from beewalk.explorer.second_run import blocked_by_choices, second_runs
from beewalk.explorer.stuck import explained, stuck_runs
from beewalk.explorer.ways import Ways, fits
from beewalk.policy.conditional import ConditionalRequirement
from beewalk.policy.target import matches
from beewalk.policy.tool import OK


@dataclass(frozen=True, slots=True)
class Findings:
    """All findings of a search; `beyond_limit` counts errors whose shortest witness is longer than a run may be.

    `wide` is the search, of the same policy, in which calls may fail and be refused; its graph has only the start.
    `stopped` says why the judging stopped, EXHAUSTED where it came to its end; `unjudged` what would have taken too
    long.
    """

    found: tuple[Finding, ...]
    beyond_limit: int
    wide: Search
    stopped: StopReason
    unjudged: tuple[str, ...]


def findings_of(found: Search) -> Findings:
    """Every finding in the order of CODES, those with a short witness before others."""
    wide = _wide(found)
    limits = found.policy.limits
    stuck = stuck_runs(found)
    second = second_runs(found)
    if second is not None:
        stuck += blocked_by_choices(found, second, [one for one in stuck if fits(limits, one.last_run)])
    errors = [*(one for one in stuck if fits(limits, one.last_run)), *_stops_too_late(found)]
    others: list[Finding] = []
    unjudged: list[str] = []
    stopped = StopReason.EXHAUSTED if second is None else second.search.graph.stop_reason
    for judge in _judges(found, wide):
        told_to_stop = (found.settings.watch or _nobody)(len(found.graph))
        if told_to_stop is not None:
            stopped = told_to_stop
            unjudged.append("warnings and notes: not all were judged, because the search was stopped")
            break
        for one in judge():
            if isinstance(one, Unjudged):
                unjudged.append(one.text)
            else:
                others.append(one)
    order = list(CODES)
    others = sorted(_worth_telling(others, errors), key=lambda one: order.index(one.code))
    beyond = sum(not fits(limits, one.last_run) for one in stuck)
    return Findings((*errors, *others), beyond, wide, stopped, tuple(unjudged))


def _wide(found: Search) -> Search:
    """A search of the same policy whose calls may fail and be refused; what was found out of its code stays so."""
    settings = replace(found.settings, errors=True, denied=True, max_states=1, watch=None)
    if found.settings.errors and found.settings.denied:
        return replace(found, settings=settings, graph=replace(found.walk, max_states=1, watch=None).graph())
    return search(found.policy, settings)


def _nobody(states: int) -> None:
    """Nobody watches."""


def _judges(found: Search, wide: Search) -> Iterator[Callable[[], Iterable[Finding | Unjudged]]]:
    yield partial(_impure, found)
    yield partial(never_allowed, found)
    yield partial(odd_forces, found)
    yield partial(denial_counts, found)
    yield partial(failures_uncapped, found)
    yield partial(blocks_stop, wide)
    yield partial(without_effect, wide)


def _worth_telling(others: Sequence[Finding], errors: Sequence[Finding]) -> Iterator[Finding]:
    """What does not follow from another finding that is told.

    A tool-never-allowed that an error explains; that a force without effect has none; that anything about a tool that
    is never allowed has none.
    """
    powerless = [ground for one in others if one.code == "force-never-obeyed" for ground in one.blame]
    powerless += [(index, None) for index, _ in powerless]
    lost = {tool for one in others if one.code == "tool-never-allowed" for tool in one.tools}
    for one in others:
        if one.code.endswith("-without-effect"):
            if one.blame[0] not in powerless and not (one.tools and lost.issuperset(one.tools)):
                yield replace(one, message=f"{one.message}, as long as the errors stand") if errors else one
        elif one.code != "tool-never-allowed" or not explained(one, errors):
            yield one


def _stops_too_late(found: Search) -> Iterator[Finding]:
    """Runs that need more calls than max_iterations, where no shorter run ends in a final answer."""
    graph, most = found.graph, found.policy.limits.max_iterations
    calls = first_steps(graph).get(graph.alphabet.end)
    if not most or calls is None or calls <= most:
        return
    ways = Ways(graph, [0], None)
    place = next(place for place, _ in ways.visits() if can_answer(graph, place[0]))
    witness = (*ways.to(place)[1], graph.alphabet.moves[graph.alphabet.end])
    yield Finding(
        code="stops-too-late",
        message=f"the shortest run to a final answer has {calls} calls, more than max_iterations, which is {most}",
        witness=witness,
        needs=needs_of(graph, [place[0]]),
        blame=(MAX_ITERATIONS,),
        mends=(f"raise max_iterations to {calls} or more",),
    )


def _impure(found: Search) -> Iterator[Finding]:
    """Requirements whose rules change although the history does not."""
    for bound in found.bound:
        word = None if bound.inferred is None else bound.inferred.impure
        if word is not None:
            witness = tuple(Move(tool, outcome) for letter in word for tool, outcome in letter)
            yield Finding(
                code="impure-requirement",
                message=f"{after_text(witness)} {bound.name!r} says different things when it is asked again",
                witness=witness,
                needs=tuple(dict.fromkeys(str(move) for move in witness if move.outcome != OK)),
                blame=((bound.index, None),),
                mends=("let its rules follow from the state alone: no dice, clock, files or counters outside of it",),
            )


def about_tools(found: Search, finding: Finding) -> frozenset[str]:
    """The tools that a finding is about: its own, and those that the requirements to blame make rules for."""
    blamed = {index for index, _ in finding.blame}
    targets = {
        tool.name
        for bound in found.bound
        if bound.index in blamed and isinstance(bound.requirement, ConditionalRequirement)
        for tool in found.policy.tools
        if matches(bound.requirement.target, tool)
    }
    return frozenset(targets.union(finding.tools))
