"""Expectations: what a scenario says must be true, judged; what is not explains itself."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from beewalk.errors import Path, counted
from beewalk.policy.step import Step
from beewalk.policy.tool import FINAL_ANSWER
from beewalk.reasoner.request import Request
from beewalk.scenarios.scenario import ArgumentsWanted, CallsWanted, Expectation, RequestWanted
from beewalk.turn.trajectory import Ending, Offered, Trajectory, move_text

_NOTHING = object()
_MOST_LINES = 10  # of a message that code of a user may have written


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
        turn = run.steps[parted].iteration if parted < len(run.steps) else _last_turn(run)
        notes = (f"they part at call {parted + 1}: {_parting(expected, run, parted)}", *_why(expected, run, parted))
        yield Failure(path, text or "no call at all", str(run) or "no call at all", turn, notes)
        return
    for group, first in _places(wanted.trajectory):
        turns = {step.iteration for step in run.steps[first : first + len(group)]}
        if len(turns) > 1:
            apart = f"{' & '.join(group)} were called in the turns {', '.join(map(str, sorted(turns)))}"
            yield Failure(path, text, str(run), min(turns), (apart, *_offered_in(min(turns), run)))


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
    tool = expected[at].partition(":")[0] if at < len(expected) else None
    if at < len(run.steps):
        yield from _offered_in(run.steps[at].iteration, run, tool)
    else:
        yield from _at_the_end(run, tool)


def _at_the_end(run: Trajectory, tool: str | None = None) -> Iterator[str]:
    """How the run ended, and what was offered then, or why `tool` was not; without a tool, why nothing was."""
    yield f"the run ended: {run.ends}: {_message(run)[0]}"
    if run.dead_end is not None:
        yield from (one.sentence() for name, one in run.dead_end.rulings.items() if tool in {None, name})
    elif run.ends is not Ending.REQUIREMENT_ERROR and run.offers:
        yield from _offer(run.offers[-1], tool)


def _message(run: Trajectory) -> list[str]:
    """The lines of why the run ended; at least one, and of a dead end only the first, as its rulings are the rest."""
    lines = [line.rstrip(": ") for line in run.message.splitlines() if line.strip()] or ["no reason was given"]
    return lines[:1] if run.dead_end is not None else lines[:_MOST_LINES]


def _last_turn(run: Trajectory) -> int | None:
    """The turn in which the run ended; where no request could be made that is the one after the finished turns."""
    if run.ends in {Ending.DEAD_END, Ending.REQUIREMENT_ERROR}:
        return len(run.turns) + 1
    return run.offers[-1].turn if run.offers else None


def _offered_in(turn: int, run: Trajectory, tool: str | None = None) -> Iterator[str]:
    """What the last request of a turn offered: the one that its calls answered."""
    requests = [one for one in run.offers if one.turn == turn]
    if requests:
        yield from _offer(requests[-1], tool)


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
    first, *more = _message(run)
    notes = (f"it ended: {first}", *more, *list(_at_the_end(run))[1:])
    yield Failure((*wanted.path, "ends"), wanted.ends, str(run.ends), _last_turn(run), notes)


def _answer(wanted: Expectation, run: Trajectory) -> Iterator[Failure]:
    for key, value in wanted.answer.items():
        if not _answers(key, value, run):
            notes = () if run.answer is not None else tuple(_at_the_end(run, FINAL_ANSWER))
            text = value if isinstance(value, str) else _json(value)
            yield Failure((*wanted.path, "answer", key), text, _answer_text(value, run), None, notes)


def _answers(key: str, value: Any, run: Trajectory) -> bool:
    if run.answer is None:
        return False
    if key == "equals":
        return run.answer == value if isinstance(value, str) else _is_value(value, run)
    return value in run.answer if key == "contains" else re.search(value, run.answer) is not None


def _is_value(value: Any, run: Trajectory) -> bool:
    """Whether the answer is a value that is no text: as it was given, or as its text reads."""
    return _equal(run.result, value) or _equal(_parsed(run.answer), value)


def _parsed(answer: str | None) -> Any:
    try:
        return json.loads(answer or "")
    except (ValueError, RecursionError):
        return _NOTHING


def _answer_text(wanted: Any, run: Trajectory) -> str:
    """The answer, written as what is wanted is: as JSON where that is no text and the answer can be read as JSON."""
    if run.answer is None:
        return "no answer"
    parsed = _NOTHING if isinstance(wanted, str) else _parsed(run.answer)
    return run.answer if parsed is _NOTHING else _json(parsed)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _calls(wanted: Expectation, tool: str, calls: CallsWanted, run: Trajectory) -> Iterator[Failure]:
    made = [step for step in run.steps if step.tool is not None and step.name == tool]
    path = (*wanted.path, "calls", tool)
    got = counted(len(made), "call")
    all_calls = f"the calls: {run}" if run.steps else "there was no call at all"
    if calls.at_least is not None and len(made) < calls.at_least:
        notes = (all_calls, *_at_the_end(run, tool))
        yield Failure((*path, "at_least"), f"at least {calls.at_least}", got, None, notes)
    if calls.at_most is not None and len(made) > calls.at_most:
        turn = made[calls.at_most].iteration
        yield Failure((*path, "at_most"), f"at most {calls.at_most}", got, turn, (all_calls, *_offered_in(turn, run)))
    for index, arguments in enumerate(calls.arguments):
        expected = f"at least {_json(arguments.value)}" if arguments.subset else _json(arguments.value)
        if index >= len(made):
            notes = (all_calls, *_at_the_end(run, tool))
            yield Failure((*path, "arguments", index), expected, f"there is no call {index + 1}", None, notes)
        elif not _fit(arguments, made[index].input):
            given = made[index]
            notes = (f"call {index + 1} of {tool}",)
            yield Failure((*path, "arguments", index), expected, _json(given.input), given.iteration, notes)


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
        got = counted(len(run.offers), "request") if run.offers else "no request"
        if key == "turn" and run.offers:
            got = f"the last request was in turn {run.offers[-1].turn} ({got})"
        why = tuple(_at_the_end(run))
        there = key == "turn" and number == _last_turn(run)
        yield Failure((*path, key), f"{key} {number}", got, None, why if there else why[:1])
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
        forced = [offer.rulings[offer.forced].sentence()] if offer.forced is not None else []
        yield Failure((*path, "tool_choice"), wanted.tool_choice, offer.tool_choice, found.turn, (*notes, *forced))
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
