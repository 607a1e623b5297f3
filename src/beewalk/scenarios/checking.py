"""Checking: plain data against the keys and types of the schema, every problem in words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ValidationError

from beewalk.errors import Path, Problem, possible
from beewalk.scenarios.reading import Document
from beewalk.scenarios.schema import (
    KINDS,
    AcceptPart,
    ConditionalPart,
    LimitsPart,
    LoopPart,
    PermissionPart,
    PolicyPart,
    PropertyPart,
    PythonPart,
    RepeatedPart,
    RulePart,
    RulesPart,
    ToolPart,
    kind_of,
)

_KIND_PARTS: Mapping[str, type[BaseModel]] = {
    "conditional": ConditionalPart,
    "ask_permission": PermissionPart,
    "rules": RulesPart,
    "python": PythonPart,
}

_WANTED: Mapping[str, str] = {
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "string_too_short": "a text that is not empty",
}

_SAID_ALONE = ("extra_forbidden", "invalid_key", "missing", "union_tag_not_found")
_LONGEST = 60


@dataclass(frozen=True)
class Shape:
    """A kind of file: its schema, what describes the mapping at a path with some content, and its keys in words."""

    root: type[BaseModel]
    part_at: Callable[[Path, Any], type[BaseModel]]
    keys: str


def shape_problems(document: Document, shape: Shape | None = None) -> list[Problem]:
    """Every key that is unknown or missing and every value of the wrong type, each with its position.

    The file is a policy file unless `shape` says otherwise.
    """
    shape = shape or POLICY
    data = document.data
    if not isinstance(data, dict):
        found = f"found {shown(data, document.written(()))}"
        return [Problem((), found, shape.keys, document.at(()))]
    try:
        shape.root.model_validate(data)
    except ValidationError as error:
        return _merged(error, document, shape)
    return []


def _merged(error: ValidationError, document: Document, shape: Shape) -> list[Problem]:
    """One problem a place: what the branches of a union want is listed together, and the deepest place wins."""
    others: list[Problem] = []
    wanted: dict[Path, list[Mapping[str, Any]]] = {}
    for one in error.errors(include_url=False):
        if one["type"] in _SAID_ALONE or one["loc"][-1] == "[key]":
            others.append(_problem(one, document, shape))
        else:
            wanted.setdefault(_data_path(one["loc"], document), []).append(one)
    above = {path[:end] for path in [*wanted, *(one.path for one in others)] for end in range(len(path))}
    return others + [_wrong_type(path, errors, document) for path, errors in wanted.items() if path not in above]


def _problem(error: Mapping[str, Any], document: Document, shape: Shape) -> Problem:
    """The problem of an error that no branch of a union shares."""
    kind, location = error["type"], error["loc"]
    if kind == "missing":
        above = _data_path(location[:-1], document)
        key = location[-1]
        return Problem((*above, key), f"the key {key!r} is missing", f"write {key}: ...", document.at(above))
    path = _data_path(location, document)
    if kind == "extra_forbidden":
        fix = possible(str(path[-1]), _keys_at(path[:-1], document.data, shape))
        return Problem(path, f"unknown key {path[-1]!r}", fix, document.at(path, key=True))
    if kind == "union_tag_not_found":
        what = f"this is no requirement: found {shown(error['input'], document.written(path))}"
        return Problem(path, what, _kind_fix(error["input"]), document.at(path))
    if error["input"] == "":
        return Problem(path, "an empty key", "write a name", document.at(path, key=True))
    what = f"a key that is no text: {shown(error['input'], document.written(path, key=True))}"
    return Problem(path, what, "write a text in quotes", document.at(path, key=True))


def _kind_fix(value: Any) -> str:
    """How to make a requirement of `value`, which has none of the keys that start one."""
    keys = [key for key in value if isinstance(key, str)] if isinstance(value, dict) else []
    near = next((match for key in keys for match in get_close_matches(key, KINDS, n=1)), None)
    start = f"start it with one of the keys {', '.join(KINDS)}"
    return start if near is None else f"did you mean {near!r}? {start.capitalize()}"


def _wrong_type(path: Path, errors: Sequence[Mapping[str, Any]], document: Document) -> Problem:
    value = errors[0]["input"]
    fix = " or ".join(dict.fromkeys(map(_wanted, errors)))
    if (
        path[:1] == ("tools",)
        and len(path) == 2
        and isinstance(document.data["tools"], list)
        and isinstance(value, dict)
    ):
        fix = "the tool's name; to say more of a tool, make `tools` a mapping of names"
    name = next((part for part in reversed(path) if isinstance(part, str)), "the file")
    return Problem(path, f"{name}: found {shown(value, document.written(path))}", f"write {fix}", document.at(path))


def _wanted(error: Mapping[str, Any]) -> str:
    kind, context, value = error["type"], error.get("ctx", {}), error["input"]
    if kind == "greater_than_equal":
        return f"a whole number from {context['ge']}"
    if kind == "less_than_equal":
        return f"a whole number up to {context['le']:,}"
    if kind == "literal_error":
        return str(context["expected"]).replace(" or ", ", ").replace("'", "").replace("False", "false")
    if kind == "string_type" and value is not None and not isinstance(value, list | dict):
        return "a text in quotes"
    return _WANTED.get(kind, str(error["msg"]))


def _data_path(location: Sequence[str | int], document: Document) -> Path:
    """The parts of a pydantic location that lead through the data; others name branches of a union."""
    path: Path = ()
    data = document.data
    for position, part in enumerate(location):
        if position == 2 and location[0] == "requirements":  # its kind, which is no key although one is called so
            continue
        key: Any = document.plain.other_keys.get((path, part), part)
        if key in data if isinstance(data, dict) else isinstance(data, list) and isinstance(key, int):
            path, data = (*path, key), data[key]
    return path


def _keys_at(path: Path, data: Any, shape: Shape) -> list[str]:
    for part in path:
        data = data[part]
    model = shape.part_at(path, data)
    return [field.alias or name for name, field in model.model_fields.items()]


def _part_at(path: Path, data: Any) -> type[BaseModel]:
    """The part of the schema that describes the mapping at `path`, whose content is `data`."""
    by_place: Mapping[str, Callable[[], type[BaseModel]]] = {
        "tools": lambda: ToolPart,
        "requirements": lambda: _KIND_PARTS[kind_of(data) or "conditional"] if len(path) == 2 else RulePart,
        "limits": lambda: LimitsPart,
        "loop": lambda: LoopPart if len(path) == 1 else RepeatedPart,
        "accept": lambda: AcceptPart,
        "properties": lambda: PropertyPart,
    }
    return by_place[str(path[0])]() if path else PolicyPart


POLICY = Shape(PolicyPart, _part_at, "a policy file is a mapping with the keys policy, tools and requirements")


def shown(value: Any, written: str | None = None) -> str:
    """A value in a message, short, in words of YAML; `written` is its text in the file, where it has one."""
    if isinstance(value, dict):
        return f"a mapping with {', '.join(map(str, list(value)[:4]))}" if value else "an empty mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, str):
        return _cut(repr(value))
    meant = {"None": "nothing", "True": "true", "False": "false"}.get(str(value), str(value))
    same = not written or written in {meant, "null"}
    return _cut(meant) if same else f"{_cut(str(written))} (which YAML reads as {_cut(meant)})"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
