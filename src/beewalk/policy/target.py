"""Targets: how a requirement names tools, by name, class, instance, or "*" for every tool."""

from collections.abc import Iterable, Sequence

from beewalk.policy.tool import Tool

Target = str | type[Tool] | Tool
Targets = Target | Sequence[Target]

EVERY_TOOL = "*"


def targets_of(written: Targets | None) -> tuple[Target, ...]:
    """The targets in `written`, each once, in order; a text is one name, and "*" is the class Tool.

    Example:
        >>> targets_of("search"), targets_of(["search", "search"]), targets_of(None)
        (('search',), ('search',), ())
    """
    if written is None:
        return ()
    listed: Iterable[Target] = [written] if isinstance(written, str | type | Tool) else written
    return tuple(dict.fromkeys(Tool if target == EVERY_TOOL else target for target in listed))


def matches(target: Target, tool: Tool | None) -> bool:
    """Whether `tool` is what `target` names; a step without tool matches nothing."""
    if tool is None:
        return False
    if isinstance(target, str):
        return tool.name == target
    if isinstance(target, type):
        return isinstance(tool, target)
    return tool is target


def target_text(target: Target) -> str:
    """The target as a user would write it."""
    if target is Tool:
        return EVERY_TOOL
    if isinstance(target, str):
        return target
    return target.__qualname__ if isinstance(target, type) else target.name
