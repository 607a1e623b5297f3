"""Snapshots of a requirement's own attributes, so that one object can be asked about many histories."""

from collections import deque
from collections.abc import Mapping
from copy import deepcopy
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from beewalk.policy.requirement import Requirement
from beewalk.policy.tool import Tool

# Shared by every history: they are not what a requirement remembers.
_BY_IDENTITY = (Tool, Requirement, type, FunctionType, BuiltinFunctionType, MethodType, ModuleType)
_VALUES = (str, bytes, int, float, complex, bool, type(None), frozenset)

Snapshot = dict[str, Any]


def snapshot(requirement: Requirement[Any]) -> Snapshot:
    """A copy of the requirement's attributes; tools, classes, functions and what can't be copied stay as they are."""
    return {name: _copied(value) for name, value in vars(requirement).items()}


def uncopied(requirement: Requirement[Any]) -> tuple[str, ...]:
    """The attributes that cannot be copied: a lock, a socket, a generator."""
    return tuple(name for name, value in vars(requirement).items() if not _can_be_copied(value))


def _can_be_copied(value: Any) -> bool:
    if isinstance(value, (*_VALUES, *_BY_IDENTITY)):
        return True
    if isinstance(value, list | set | deque | tuple):
        return all(map(_can_be_copied, value))
    if type(value) is dict:
        return all(map(_can_be_copied, value.values()))
    try:
        deepcopy(value)
    except Exception:  # noqa: BLE001 - whatever the value's own code raises, it cannot be copied
        return False
    return True


def restore(requirement: Requirement[Any], taken: Snapshot) -> None:
    """Give the requirement the attributes it had when `taken` was made."""
    attributes = vars(requirement)
    attributes.clear()
    attributes.update({name: _copied(value) for name, value in taken.items()})


def _copied(value: Any) -> Any:
    if isinstance(value, (*_VALUES, *_BY_IDENTITY)):
        return value
    if isinstance(value, deque):
        return deque((_copied(item) for item in value), value.maxlen)
    if isinstance(value, list | set):
        return type(value)(_copied(item) for item in value)
    if type(value) is tuple:
        return tuple(_copied(item) for item in value)
    if type(value) is dict:
        return {key: _copied(item) for key, item in value.items()}
    return deepcopy(value) if _can_be_copied(value) else value


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two snapshots hold equal attributes."""
    return dict(one) == dict(other)
