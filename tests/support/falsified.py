"""Expectations of scenario files, made false: each in one place, so that a run that was fine must fail there."""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from beewalk.errors import Path
from beewalk.turn.trajectory import Ending

FAR = 99  # no shipped scenario has so many turns or requests


class Falsified(NamedTuple):
    """An `expect` that is false in one place: what stands at `path` was changed to `value`."""

    path: Path
    value: Any
    expect: Any

    @property
    def key(self) -> Path:
        """The path that failures have: a list of tools, arguments and an answer are judged as a whole."""
        for at, part in enumerate(self.path):
            if part in {"allowed", "hidden", "equals"}:
                return self.path[: at + 1]
            if part == "arguments":
                return self.path[: at + 2]
        return self.path


def falsified(expect: Any, tools: Sequence[str]) -> Iterator[Falsified]:
    """Ways to make `expect`, which is true, false in one place, for each key and each item in it.

    Args:
        expect: as in a scenario file, a mapping or a list.
        tools: the policy's, the final answer included.
    """
    runs: list[tuple[Path, Any]] = [(("expect",), expect)]
    if isinstance(expect, list):
        runs = [(("expect", number), one) for number, one in enumerate(expect)]
    for before, one in runs:
        for path, value in _of_run(one, tools):
            yield Falsified(before + path, value, _with(expect, (before + path)[1:], value))


def _with(data: Any, path: Path, value: Any) -> Any:
    """A copy of `data` with `value` at `path`."""
    if not path:
        return value
    copy = deepcopy(data)
    inner = copy
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    return copy


def _of_run(expect: Any, tools: Sequence[str]) -> Iterator[tuple[Path, Any]]:
    for key, value in expect.items():
        for path, other in _PARTS[key](value, tools):
            yield (key, *path), other


def _trajectory(text: str, tools: Sequence[str]) -> Iterator[tuple[Path, str]]:
    parts = re.split(r"( & | )", text)  # moves at even places, what joins them at odd ones
    for place, part in enumerate(parts):
        if place % 2:
            if part == " ":  # a space may stand within a turn, so that ` & ` is no more than it
                yield (), "".join(_replaced(parts, place, " & "))
            continue
        tool, _, outcome = part.partition(":")
        yield (), "".join(_replaced(parts, place, _other(tools, tool)))
        yield (), "".join(_replaced(parts, place, f"{tool}:ok" if outcome not in {"", "ok"} else f"{tool}:error"))
        if place:
            yield (), "".join(parts[: place - 1] + parts[place + 1 :])
    yield (), f"{text} {tools[0]}"


def _ends(ends: str, tools: Sequence[str]) -> Iterator[tuple[Path, str]]:
    yield (), next(str(other) for other in Ending if other != ends)


def _answer(answer: Any, tools: Sequence[str]) -> Iterator[tuple[Path, Any]]:
    for key, value in answer.items():
        if key == "equals":
            yield from (((key, *path), other) for path, other in _values(value))
        else:
            yield (key,), f"{value} and nothing of the kind"


def _calls(calls: Any, tools: Sequence[str]) -> Iterator[tuple[Path, Any]]:
    for tool, wanted in calls.items():
        if "at_least" in wanted:
            yield (tool, "at_least"), wanted["at_least"] + 1
        if "at_most" in wanted:
            yield (tool, "at_most"), wanted["at_most"] - 1
        for number, arguments in enumerate(wanted.get("arguments", ())):
            yield from (((tool, "arguments", number, *path), other) for path, other in _values(arguments))


def _values(value: Any, *, whole: bool = True) -> Iterator[tuple[Path, Any]]:
    """Other values than a plain one: each part changed, a part too many, and where `whole` is wanted one too few."""
    if not isinstance(value, dict):
        yield (), f"{value} (not)" if isinstance(value, str) else value + 1
        return
    if set(value) == {"subset"}:
        yield from ((("subset", *path), other) for path, other in _values(value["subset"], whole=False))
        return
    for key, one in value.items():
        yield from (((key, *path), other) for path, other in _values(one, whole=whole))
        if whole:
            yield (), {other: kept for other, kept in value.items() if other != key}
    yield (), {**value, "besides": 1}


def _requests(requests: Any, tools: Sequence[str]) -> Iterator[tuple[Path, Any]]:
    for number, wanted in enumerate(requests):
        for key, value in wanted.items():
            for path, other in _of_request(key, value, tools):
                yield (number, key, *path), other


def _of_request(key: str, value: Any, tools: Sequence[str]) -> Iterator[tuple[Path, Any]]:
    match key:
        case "turn" | "request":
            yield (), FAR
        case "can_stop":
            yield (), not value
        case "tool_choice":
            yield from (((), other) for other in ("auto", "required", *tools) if other != value)
        case "reason":
            yield from (((tool,), f"{text} (not)") for tool, text in value.items())
        case "allowed" | "hidden":
            others = [tool for tool in tools if tool not in value]
            yield from (((), [one for one in value if one != tool]) for tool in value)
            yield from (((), [*value, other]) for other in others)
            yield from (((place,), other) for place, tool in enumerate(value) for other in tools if other != tool)


def _replaced(parts: Sequence[str], place: int, part: str) -> list[str]:
    return [*parts[:place], part, *parts[place + 1 :]]


def _other(tools: Sequence[str], tool: str) -> str:
    return next(other for other in tools if other != tool)


_PARTS: dict[str, Any] = {
    "trajectory": _trajectory,
    "ends": _ends,
    "answer": _answer,
    "calls": _calls,
    "requests": _requests,
}
