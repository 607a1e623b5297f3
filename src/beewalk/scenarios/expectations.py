"""Expectations: what a scenario says must be true, judged; what is not explains itself."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from beewalk.errors import Path, counted
from beewalk.policy.step import Step
from beewalk.reasoner.request import Request
from beewalk.scenarios.scenario import ArgumentsWanted, CallsWanted, Expectation, RequestWanted
from beewalk.turn.trajectory import Offered, Trajectory, move_text

_NOTHING = object()


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that is not as a scenario says.

    `path` leads to what it says, for example `("expect", "requests", 0, "allowed")`; `expected` and `got` are texts;
    `turn` is the turn it is about, None where it is about the whole run; `notes` explain, a line each.
    """

    path: Path
    expected: str
    got: str
    turn: int | None = None
    notes: tuple[str, ...] = ()


def judge(wanted: Expectation, run: Trajectory) -> list[Failure]:
    """What is not as `wanted`, in the order of the file's keys."""
    return [
        *_trajectory(wanted, run),
        *_ending(wanted, run),
        *_answer(wanted, run),
        *(failure for tool, calls in wanted.calls.items() for failure in _calls(wanted, tool, calls, run)),
        *(failure for index in range(len(wanted.requests)) for failure in _request(wanted, index, run)),
    ]


def _trajectory(wanted: Expectation, run: Trajectory) -> Iterator[Failure]:
    if wanted.trajectory is None:
        return
    expected = [move for group in wanted.trajectory for move in group]
    parted = next((at for at, step in enumerate(run.steps) if at >= len(expected) or not _is(expected[at], step)), None)
    if parted is None and len(run.steps) < len(expected):
        parted = len(run.steps)
    path = (*wanted.path, "trajectory")
    text = " ".join(" & ".join(group) for group in wanted.trajectory)
    if parted is not None:
        turn = run.steps[parted].iteration if parted < len(run.steps) else None
        notes = (f"they part at call {parted + 1}: {_parting(expected, run, parted)}", *_why(expected, run, parted))
        yield Failure(path, text or "no call at all", str(run) or "no call at all", turn, notes)
        return
    for group, first in _places(wanted.trajectory):
        turns = {step.iteration for step in run.steps[first : first + len(group)]}
        if len(turns) > 1:
            notes = (f"{' & '.join(group)} were called in the turns {', '.join(map(str, sorted(turns)))}",)
            yield Failure(path, text, str(run), min(turns), notes)


def _places(groups: tuple[tuple[str, ...], ...]) -> Iterator[tuple[tuple[str, ...], int]]:
    first = 0
    for group in groups:
        yield group, first
        first += len(group)


def _is(move: str, step: Step) -> bool:
    """Whether `step` is `move`, in which a bare name stands for any outcome but a call that was not offered."""
    if ":" in move or step.tool is None:
        return move == (move_text(step) if step.tool is None else f"{step.name}:{step.outcome}")
    return move == step.name


def _parting(expected: list[str], run: Trajectory, at: int) -> str:
    wanted = f"expected {expected[at]}" if at < len(expected) else "expected nothing more"
    return f"{wanted}, got {move_text(run.steps[at]) if at < len(run.steps) else 'nothing more'}"


def _why(expected: list[str], run: Trajectory, at: int) -> Iterator[str]:
    """What was offered where expected and got part, and why the expected tool was not called."""
    turn = run.steps[at].iteration if at < len(run.steps) else None
    offered = [one for one in run.offers if turn is None or one.turn == turn]
    if at >= len(run.steps):
        yield f"the run ended: {run.ends}: {run.message.splitlines()[0]}"
    if offered:
        yield from _offer(offered[-1], expected[at].partition(":")[0] if at < len(expected) else None)
    if run.dead_end is not None and at >= len(run.steps):
        yield from (ruling.sentence() for ruling in run.dead_end.rulings.values())


def _offer(offered: Offered, tool: str | None) -> Iterator[str]:
    request = offered.request
    yield f"offered in turn {offered.turn}: {_offer_text(request)}"
    if tool is not None and tool in request.tools and tool not in request.allowed:
        yield request.rulings[tool].sentence()


def _offer_text(request: Request) -> str:
    stop = "can stop" if request.can_stop else "cannot stop"
    return f"{', '.join(request.offered)} (tool_choice {request.tool_choice}, {stop})"


def _ending(wanted: Expectation, run: Trajectory) -> Iterator[Failure]:
    if wanted.ends is None or wanted.ends == run.ends:
        return
    notes = [f"it ended because {run.message.splitlines()[0]}"]
    if run.dead_end is not None:
        notes += [ruling.sentence() for ruling in run.dead_end.rulings.values()]
    elif run.offers:
        notes += _offer(run.offers[-1], None)
    turn = run.offers[-1].turn if run.offers else None
    yield Failure((*wanted.path, "ends"), wanted.ends, str(run.ends), turn, tuple(notes))


def _answer(wanted: Expectation, run: Trajectory) -> Iterator[Failure]:
    for key, value in wanted.answer.items():
        if not _answers(key, value, run):
            got = "no answer" if run.answer is None else run.answer
            notes = () if run.answer is not None else (f"the run ended: {run.ends}: {run.message.splitlines()[0]}",)
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            yield Failure((*wanted.path, "answer", key), text, got, None, notes)


def _answers(key: str, value: Any, run: Trajectory) -> bool:
    if run.answer is None:
        return False
    if key == "equals":
        return run.answer == value if isinstance(value, str) else _equal(run.result, value)
    return value in run.answer if key == "contains" else re.search(value, run.answer) is not None


def _calls(wanted: Expectation, tool: str, calls: CallsWanted, run: Trajectory) -> Iterator[Failure]:
    made = [step for step in run.steps if step.tool is not None and step.name == tool]
    path = (*wanted.path, "calls", tool)
    got = counted(len(made), "call")
    if calls.at_least is not None and len(made) < calls.at_least:
        yield Failure((*path, "at_least"), f"at least {calls.at_least}", got, None, (f"the calls: {run}",))
    if calls.at_most is not None and len(made) > calls.at_most:
        notes = (f"the calls: {run}",)
        yield Failure((*path, "at_most"), f"at most {calls.at_most}", got, made[calls.at_most].iteration, notes)
    for index, arguments in enumerate(calls.arguments):
        given = made[index].input if index < len(made) else _NOTHING
        if not _fit(arguments, given):
            text = json.dumps(arguments.value, ensure_ascii=False)
            shown = f"there is no call {index + 1}" if given is _NOTHING else json.dumps(given, ensure_ascii=False)
            turn = made[index].iteration if index < len(made) else None
            expected = f"at least {text}" if arguments.subset else text
            yield Failure((*path, "arguments", index), expected, shown, turn, (f"call {index + 1} of {tool}",))


def _fit(wanted: ArgumentsWanted, given: Any) -> bool:
    if not wanted.subset:
        return _equal(given, wanted.value)
    return isinstance(given, Mapping) and all(
        key in given and _equal(given[key], value) for key, value in wanted.value.items()
    )


def _equal(one: Any, other: Any) -> bool:
    """Whether two values are the same in JSON, where true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    return bool(one == other)


def _request(wanted: Expectation, index: int, run: Trajectory) -> Iterator[Failure]:
    request = wanted.requests[index]
    path = (*wanted.path, "requests", index)
    found = _selected(request, run)
    if found is None:
        key = "turn" if request.turn is not None else "request"
        number: int = getattr(request, key)
        last = run.offers[-1].turn if run.offers else 0
        got = f"the last request was in turn {last}" if key == "turn" else counted(len(run.offers), "request")
        note = f"it ended: {run.ends}: {run.message.splitlines()[0]}"
        yield Failure((*path, key), f"{key} {number}", got, None, (note,))
        return
    offer = found.request
    for key, names, real in (("allowed", request.allowed, offer.allowed), ("hidden", request.hidden, offer.hidden)):
        if names is not None and names != real:
            notes = tuple(offer.rulings[tool].sentence() for tool in offer.tools if (tool in names) != (tool in real))
            yield Failure((*path, key), _listed(names, offer), _listed(real, offer), found.turn, notes)
    yield from _choice(request, found, path)
    for tool, text in request.reason.items():
        if offer.reason(tool) != text:
            got = offer.reason(tool) or "no reason"
            yield Failure((*path, "reason", tool), text, got, found.turn, (offer.rulings[tool].sentence(),))


def _choice(wanted: RequestWanted, found: Offered, path: Path) -> Iterator[Failure]:
    offer = found.request
    notes = tuple(_offer(found, wanted.tool_choice))
    if wanted.tool_choice is not None and wanted.tool_choice != offer.tool_choice:
        yield Failure((*path, "tool_choice"), wanted.tool_choice, offer.tool_choice, found.turn, notes)
    if wanted.can_stop is not None and wanted.can_stop != offer.can_stop:
        held = [
            because.sentence(ruling.tool)
            for ruling in offer.rulings.values()
            for because in ruling.because
            if because.effect == "prevents_stop" and because.tool == ruling.tool
        ]
        texts = ("true", "false") if wanted.can_stop else ("false", "true")
        yield Failure((*path, "can_stop"), *texts, found.turn, (*notes[:1], *held))


def _selected(wanted: RequestWanted, run: Trajectory) -> Offered | None:
    if wanted.turn is not None:
        return next((one for one in run.offers if one.turn == wanted.turn), None)
    number = wanted.request or 0
    return run.offers[number - 1] if number <= len(run.offers) else None


def _listed(names: frozenset[str], request: Request) -> str:
    return ", ".join(tool for tool in request.tools if tool in names) or "none"
