"""Forces: forced tools that never win, win by another rule's priority, or end a run that must go on."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from beewalk.errors import RequirementError
from beewalk.explorer.blame import Blame, in_order
from beewalk.explorer.finding import Finding, after_text, rulings_at
from beewalk.explorer.mending import changes, name_of
from beewalk.explorer.search import Search
from beewalk.reasoner.request import Request
from beewalk.reasoner.ruling import Because, Ruling, Vote


@dataclass
class _Seen:
    """What was seen of the forces: where each (requirement, tool) forces, and which ones won.

    `borrowed` has the states where one tool won by another rule's priority rather than a second tool, `overriding`
    those where a final answer is forced against a rule.
    """

    forcing: dict[tuple[int, str], int] = field(default_factory=dict)
    won: set[tuple[int, str]] = field(default_factory=set)
    borrowed: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    overriding: list[int] = field(default_factory=list)


def odd_forces(search: Search) -> Iterator[Finding]:
    """Forces that are never obeyed, that borrow a level, or that override a prohibition to stop."""
    seen = _look(search)
    yield from _overriding(search, seen)
    if search.graph.complete:
        yield from _never_obeyed(search, seen)
    for (tool, loser), states in seen.borrowed.items():
        yield _borrowing(search, tool, loser, states)


def _look(search: Search) -> _Seen:
    """Look at one state for each way in which all requirements speak."""
    seen = _Seen()
    stances = [stance for table in search.full if table is not None for stance in table.stances]
    if None not in search.full and not any(stance.forces for stance in stances if stance is not None):
        return seen
    for state in search.graph.decisions.firsts:
        request = search.request_at(state)
        if isinstance(request, Request):
            _note(request, state, seen)
    return seen


def _note(request: Request, state: int, seen: _Seen) -> None:
    rulings = request.rulings
    for ruling in rulings.values():
        for one in _own(ruling, "forces"):
            key = (one.index, ruling.tool)
            seen.forcing.setdefault(key, state)
    forced = request.forced
    if forced is None:
        return
    seen.won.update((one.index, forced) for one in _own(rulings[forced], "forces"))
    loser = _would_win(request, rulings)
    if loser != forced:
        seen.borrowed.setdefault((forced, loser), []).append(state)
    if forced == request.tools[-1] and _prevented_by_others(rulings):
        seen.overriding.append(state)


def _would_win(request: Request, rulings: dict[str, Ruling]) -> str:
    """The tool that would be forced if only the forcing rules' own priorities counted."""
    barred = {one.tool for ruling in rulings.values() for one in ruling.because if one.effect in {"forbids", "hides"}}
    levels = {
        tool: max(_forcing_priorities(request.votes, tool), default=0) for tool in request.tools if tool not in barred
    }
    return max(levels, key=lambda tool: (levels[tool], -request.tools.index(tool)))


def _forcing_priorities(votes: tuple[Vote, ...], tool: str) -> Iterator[int]:
    return (vote.priority for vote in votes for rule in vote.rules if rule.target == tool and rule.forced)


def _prevented_by_others(rulings: dict[str, Ruling]) -> list[Because]:
    """What keeps the run from stopping besides the force of the final answer itself."""
    *others, answer = rulings.values()
    found = [one for ruling in others for one in _own(ruling, "prevents_stop")]
    forcing = {(one.index, _rule_of(one.parameter)) for one in _own(answer, "forces")}
    return found + [
        one
        for one in _own(answer, "prevents_stop")
        if one.parameter != "force_prevent_stop" and (one.index, _rule_of(one.parameter)) not in forcing
    ]


def _rule_of(parameter: str | None) -> str | None:
    """The rule that a parameter such as `rules[0].forced` belongs to; any other parameter by itself."""
    return None if parameter is None else parameter.partition(".")[0]


def _own(ruling: Ruling, effect: str) -> list[Because]:
    return [one for one in ruling.because if one.effect == effect and one.tool == ruling.tool]


def _never_obeyed(search: Search, seen: _Seen) -> Iterator[Finding]:
    for (index, tool), state in seen.forcing.items():
        if (index, tool) in seen.won:
            continue
        blame: Blame = in_order((index, parameter) for parameter in _forcing_parameters(search, index, tool))
        witness, by = tuple(search.graph.witness(state)), name_of(search, index)
        yield Finding(
            code="force-never-obeyed",
            message=f"{after_text(witness)} {by!r} forces {tool!r}, but {_why_not(search, state, tool)}",
            witness=witness,
            rulings=rulings_at(search, state),
            blame=blame,
            mends=changes(search, blame),
            tools=(tool,),
        )


def _forcing_parameters(search: Search, index: int, tool: str) -> set[str | None]:
    """The parameters by which a requirement forces a tool, wherever it does."""
    table = next(table for table in search.raw if table.bound.index == index)
    found: set[str | None] = set()
    for row in range(len(table.rows)):
        said = table.said(row)
        for rule in () if isinstance(said, RequirementError) else said:
            if rule.forced and rule.target == tool:
                found.update(rule.parameters("forces") or (None,))
    return found


def _why_not(search: Search, state: int, tool: str) -> str:
    """Why the force does not win in `state`; it wins nowhere."""
    request = search.request_at(state)
    assert isinstance(request, Request)
    if request.forced is not None:
        return f"{request.forced!r} is forced rather; it never wins"
    (by, *_) = [one.requirement for one in request.rulings[tool].because if one.effect in {"forbids", "hides"}]
    return f"{by!r} keeps it out; it never wins"


def _borrowing(search: Search, tool: str, loser: str, states: list[int]) -> Finding:
    witness = tuple(search.graph.witness(states[0]))
    rulings = rulings_at(search, states[0])
    forces = {(one.index, one.parameter) for one in _own(rulings[tool], "forces")}
    request = search.request_at(states[0])
    votes = request.votes if isinstance(request, Request) else ()
    lender = max(
        (vote for vote in votes if any(rule.target == tool for rule in vote.rules)), key=lambda one: one.priority
    )
    blame = in_order({*forces, (lender.index, "priority")})
    by = f"only by the priority of {lender.requirement!r}"
    return Finding(
        code="level-borrowed",
        message=f"{after_text(witness)} {tool!r} is forced rather than {loser!r} {by}",
        witness=witness,
        count=len(states),
        rulings=rulings,
        blame=blame,
        mends=(f"give the rule that forces {tool} the priority that it is to have",),
        tools=(tool,),
    )


def _overriding(search: Search, seen: _Seen) -> Iterator[Finding]:
    if not seen.overriding:
        return
    state = seen.overriding[0]
    witness = tuple(search.graph.witness(state))
    rulings = rulings_at(search, state)
    kept = _prevented_by_others(dict(rulings))
    forces = _own(rulings[search.graph.tools[-1]], "forces")
    against = f"although {kept[0].requirement!r} keeps the run from stopping"
    yield Finding(
        code="forced-answer-overrides",
        message=f"{after_text(witness)} the final answer is forced {against}",
        witness=witness,
        count=len(seen.overriding),
        rulings=rulings,
        blame=in_order({(one.index, one.parameter) for one in [*forces, *kept]}),
        mends=changes(search, in_order({(one.index, one.parameter) for one in forces})),
        tools=(search.graph.tools[-1],),
    )
