"""Conduct: what a chat model does against its request."""

from collections.abc import Collection

from beewalk.errors import BeewalkError, possible
from beewalk.policy.tool import Tool
from beewalk.reasoner.request import Request
from beewalk.turn.cycles import Checker, Window
from beewalk.turn.reply import Reply

CONDUCTS = ("repeat", "text", "silent", "unoffered", "parallel")


def conducts(words: str | Collection[str]) -> frozenset[str]:
    """One word of conduct or several, checked.

    Raises:
        BeewalkError: one of them is none of CONDUCTS.
    """
    found = frozenset([words] if isinstance(words, str) else words)
    for unknown in sorted(found.difference(CONDUCTS)):
        raise BeewalkError(f"conduct has {unknown!r}: {possible(unknown, CONDUCTS)}")
    return found


def conduct_of(reply: Reply, request: Request, *, parallel: bool, repeats: frozenset[str]) -> tuple[str, ...]:
    """Which of CONDUCTS `reply` is, in their order.

    Text is none where tool_choice is auto, nor are several calls where they are allowed.

    Args:
        reply: what the chat model answered.
        request: what it was offered.
        parallel: whether several calls in one reply are allowed.
        repeats: the tools of `repeated`.
    """
    found = {
        "repeat": bool(repeats),
        "text": reply.kind == "text" and request.tool_choice != "auto",
        "silent": reply.kind in {"silence", "nothing"},
        "unoffered": any(not _is_offered(call.tool, request) for call in reply.calls),
        "parallel": len(reply.calls) > 1 and not parallel,
    }
    return tuple(conduct for conduct in CONDUCTS if found[conduct])


def repeated(reply: Reply, tools: tuple[Tool, ...], checker: Checker, window: Window) -> frozenset[str]:
    """The tools of the calls in `reply` that count as repeated; a tool without arguments can do no other."""
    able = {tool.name for tool in tools if tool.arguments != "none"}
    names = set()
    for call in reply.calls:
        window, found = checker.register(window, call)
        if found and call.tool in able:
            names.add(call.tool)
    return frozenset(names)


def _is_offered(tool: str, request: Request) -> bool:
    choice = request.tool_choice
    return tool in request.allowed if choice in {"auto", "required"} else tool == choice
