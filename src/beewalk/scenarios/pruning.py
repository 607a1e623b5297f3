"""Pruning: a scenario without what has the wrong shape in it, so that the meaning of the rest can be checked."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from beewalk.errors import Path, Problem
from beewalk.scenarios.scenario_schema import MOST_RUNS, ScenarioPart

# What stands in place of a value that is wrong or missing, where leaving its key out would be wrong as well.
_VALUES: Mapping[Path, Any] = {
    ("scenario",): "?",
    ("policy",): "?",
    ("chat_model",): {"script": []},
    ("chat_model", "script"): [],
    ("chat_model", "random"): {"seed": 0},
    ("chat_model", "random", "seed"): 0,
    ("chat_model", "python"): "?",
    ("chat_model", "cassette"): "?",
    ("runs",): MOST_RUNS,
}
_ITEMS: Mapping[Any, Any] = {
    "script": None,
    "conduct": "text",
    "tools": "ok",
    "permissions": "allow",
    "expect": {},
    "requests": {"turn": 1},
    "allowed": "?",
    "hidden": "?",
    "arguments": {},
}


@dataclass(frozen=True)
class Pruned:
    """A scenario as far as its shape is right.

    Attributes:
        part: None where no more than the shape can be looked at.
        replaced: the paths of what was wrong.
        thinned: the paths of mappings from which a key was left out.
    """

    part: ScenarioPart | None
    replaced: frozenset[Path] = frozenset()
    thinned: frozenset[Path] = frozenset()

    def comes_of_it(self, problem: Problem) -> bool:
        """Whether `problem` is about what was wrong, and so about what stands there instead."""
        beginnings = {problem.path[:end] for end in range(1, len(problem.path) + 1)}
        return not self.replaced.isdisjoint(beginnings)


def pruned(data: Mapping[str, Any], wrong: Iterable[Path]) -> Pruned:
    """The scenario that `data` would be without what is wrong at the paths `wrong`."""
    missing = [key for key in ("scenario", "policy", "chat_model") if key not in data]
    mended = {**deepcopy(dict(data)), **{key: deepcopy(_VALUES[key,]) for key in missing}}
    replaced: set[Path] = {(key,) for key in missing}
    thinned: set[Path] = set()
    inner_first = sorted(dict.fromkeys(wrong), key=len, reverse=True)  # what is left out leads to nothing any more
    for path in (path for path in inner_first if path not in replaced):
        left_out = _change(mended, path)
        thinned |= set() if left_out is None else {left_out[:-1]}
        replaced.add(path)
    try:
        part = ScenarioPart.model_validate(mended)
    except ValidationError:
        return Pruned(None)
    return Pruned(part, frozenset(replaced), frozenset(thinned))


def _change(data: Any, path: Path) -> Path | None:
    """Replace what stands at `path`, or nearest above it; where nothing can stand there, leave it out and say where."""
    holder: Any = None
    place: Path = ()
    value = data
    for part in _whole(path, data):
        if not (part in value if isinstance(value, dict) else isinstance(value, list) and _is_index(part, value)):
            break
        holder, place, value = value, (*place, part), value[part]
    if isinstance(holder, list):
        holder[int(place[-1])] = deepcopy(_ITEMS.get(place[0] if place[0] in {"tools", "permissions"} else place[-2]))
    elif (instead := _instead(place)) is not None:
        holder[place[-1]] = instead
    else:
        del holder[place[-1]]
        return place
    return None


def _instead(place: Path) -> Any:
    """What can stand at `place` in a mapping; None where its key is better left out."""
    if place[0] == "tools" and place[2:] == ("raises",):
        return "?"
    if place[0] == "expect" and place[-1] in {"turn", "request"} and isinstance(place[-2], int):
        return 1
    return deepcopy(_VALUES.get(place))


def _is_index(part: Any, value: list[Any]) -> bool:
    return isinstance(part, int) and 0 <= part < len(value)


def _whole(path: Path, data: Any) -> Path:
    """`path`, or that of the list's entry it leads into, where such an entry is replaced as a whole."""
    if path[0] not in {"chat_model", "tools", "permissions"} or len(path) < 3:
        return path
    held = data.get(path[0])
    return path[:3] if isinstance(held, dict) and isinstance(held.get(path[1]), list) else path
