"""Pruning: a scenario without what has the wrong shape in it, so that the meaning of the rest can be checked."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from beewalk.errors import Path, Problem
from beewalk.scenarios.checking import shape_problems
from beewalk.scenarios.reading import Document
from beewalk.scenarios.scenario_checking import SCENARIO
from beewalk.scenarios.scenario_schema import MOST_RUNS, ScenarioPart

_PASSES = 5  # what is wrong in one branch of a union can hide behind another; one pass is mostly enough

# What stands in place of a value that is wrong or missing, where leaving its key out would be wrong as well.
_VALUES: Mapping[Path, Any] = {
    ("scenario",): "?",
    ("policy",): "?",
    ("chat_model",): {"script": []},
    ("chat_model", "script"): [],
    ("chat_model", "random"): {"seed": 0},
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
        part: None where no more than its shape can be looked at.
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


def pruned(document: Document, wrong: Iterable[Path]) -> Pruned:
    """The scenario that `document` would be without what is wrong at the paths `wrong`."""
    if not isinstance(document.data, dict):
        return Pruned(None)
    data = deepcopy(document.data)
    missing = [key for key in ("scenario", "policy", "chat_model") if key not in data]
    data |= {key: deepcopy(_VALUES[key,]) for key in missing}
    replaced: set[Path] = {(key,) for key in missing}
    thinned: set[Path] = set()
    wrong = set(wrong) - replaced
    for _ in range(_PASSES):
        for path in wrong:
            changed = _change(data, path)
            if changed is not None:
                thinned.add(changed[:-1])
            replaced.add(path)
        shape = shape_problems(Document(document.name, replace(document.plain, data=data)), SCENARIO)
        if not shape:
            return Pruned(ScenarioPart.model_validate(data), frozenset(replaced), frozenset(thinned))
        wrong = {problem.path for problem in shape}
    return Pruned(None)


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
    elif place and (instead := _instead(place)) is not None:
        holder[place[-1]] = instead
    elif place:
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
