"""Permission: asking the user, at a terminal unless a requirement has a handler of its own."""

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from beewalk.agent.tools import in_thread
from beewalk.policy.ask_permission import AskPermissionRequirement
from beewalk.policy.tool import Tool
from beewalk.turn.events import Question

# Whether a call may run; it gets the requirement that asks, the tool and the question.
Asker = Callable[[AskPermissionRequirement, Tool, Question], Awaitable[bool]]


async def ask_user(requirement: AskPermissionRequirement, tool: Tool, question: Question) -> bool:
    """What the requirement's handler says, or else the user at the terminal."""
    handler = requirement.handler or _at_terminal
    said: Any = handler(tool, {"input": question.call.arguments, "options": None})
    return bool(await said if inspect.isawaitable(said) else said)


async def _at_terminal(tool: Tool, asked: Mapping[str, Any]) -> bool:
    """Ask at the terminal; only a yes is a yes, and without a terminal it is a no."""
    arguments = json.dumps(asked["input"], ensure_ascii=False)
    question = f"The agent wants to use {tool.name!r} with {arguments}. Allow it? (yes/no) "
    try:
        said: str = await in_thread(lambda: input(question))
    except EOFError:
        return False
    return said.strip().lower() in {"y", "yes"}
