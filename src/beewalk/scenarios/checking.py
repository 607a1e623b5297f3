"""Checking: plain data against the keys and types of the schema, every problem in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from beewalk.errors import Path, Problem, possible
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


def shape_problems(data: Any) -> list[Problem]:
    """Every key that is unknown or missing and every value of the wrong type, in the order of the file's keys."""
    if not isinstance(data, dict):
        return [
            Problem((), f"found {shown(data)}", "a policy is a mapping with the keys policy, tools and requirements")
        ]
    try:
        PolicyPart.model_validate(data)
    except ValidationError as error:
        return _merged(list(_problems(error, data)))
    return []


def _problems(error: ValidationError, data: Any) -> Iterator[tuple[Path, str, Problem]]:
    for one in error.errors(include_url=False):
        path = _data_path(one["loc"], data)
        kind = one["type"]
        if kind == "extra_forbidden":
            keys = _keys_at(path[:-1], data)
            yield path, "", Problem(path, f"unknown key {path[-1]!r}", possible(str(path[-1]), keys))
        elif kind == "missing":
            what = f"the key {path[-1]!r} is missing"
            yield path, "", Problem(path, what, f"write {path[-1]}: ...")
        elif kind.startswith("union_tag"):
            what = f"this is no requirement: found {shown(one['input'])}"
            yield path, "", Problem(path, what, f"start it with one of the keys {', '.join(KINDS)}")
        else:
            yield path, _wanted(one), Problem(path, f"found {shown(one['input'])}", "")


def _wanted(error: Mapping[str, Any]) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind == "greater_than_equal":
        return f"a whole number from {context['ge']}"
    if kind == "literal_error":
        return str(context["expected"]).replace(" or ", ", ").replace("'", "").replace("False", "false")
    return _WANTED.get(kind, str(error["msg"]))


def _merged(found: Sequence[tuple[Path, str, Problem]]) -> list[Problem]:
    """One problem a place: what the branches of a union want is listed together, and the deepest place wins."""
    wanted: dict[Path, list[str]] = {}
    problems: dict[Path, Problem] = {}
    for path, wants, problem in found:
        problems.setdefault(path, problem)
        if wants:
            wanted.setdefault(path, []).append(wants)
    deepest = [
        path
        for path in problems
        if not any(other != path and other[: len(path)] == path and path in wanted for other in problems)
    ]
    return [
        Problem(path, f"{_name(path)}: {problems[path].what}", f"write {' or '.join(dict.fromkeys(wanted[path]))}")
        if path in wanted
        else problems[path]
        for path in deepest
    ]


def _name(path: Path) -> str:
    return str(next((part for part in reversed(path) if isinstance(part, str)), "the file"))


def _data_path(location: Sequence[str | int], data: Any) -> Path:
    """The parts of a pydantic location that lead through the data; others name branches of a union."""
    path: list[str | int] = []
    for position, part in enumerate(location):
        if isinstance(data, dict) and (part in data or (position == len(location) - 1 and _is_key(part))):
            data = data.get(part)
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        else:
            continue
        path.append(part)
    return tuple(path)


def _is_key(part: str | int) -> bool:
    """Whether the last part of a location is a missing key rather than the name of a union's branch."""
    return isinstance(part, str) and part.isidentifier() and part not in {*KINDS, "str", "int", "bool"}


def _keys_at(path: Path, data: Any) -> list[str]:
    for part in path:
        data = data[part]
    model = _part_at(path, data)
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


def shown(value: Any) -> str:
    """A value in a message, short, in words of YAML."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return f"a mapping with {', '.join(map(str, list(value)[:4]))}" if value else "an empty mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    text = repr(value)
    return f"{text[:57]}..." if len(text) > 60 else text
