"""The system prompt and the call options that a request turns into."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from beewalk.policy.messages import TEMP_MESSAGE, Message
from beewalk.policy.tool import Tool
from beewalk.reasoner.request import Request

EMPTY_RESULT = "The tool found nothing. Ask it in another way, or use another tool."


DEFAULT_ROLE = "a helpful assistant"


@dataclass(frozen=True, slots=True)
class Briefing:
    """What a system prompt says besides the tools.

    `answer_schema` is the JSON schema of a structured answer, None for plain text; `expected` describes the answer in
    words.
    """

    role: str = DEFAULT_ROLE
    instructions: str = ""
    notes: tuple[str, ...] = ()
    answer_schema: Mapping[str, Any] | None = None
    expected: str = ""


def system_prompt(request: Request, tools: Sequence[Tool], briefing: Briefing) -> str:
    """The text that tells the chat model its role, its tools and what is allowed now.

    Hidden tools are left out; forbidden ones are shown with the reason, so that the chat model knows what to do first.
    """
    answer = tools[-1].name
    parts = [f"# Role\nYou are {briefing.role}."]
    parts.append("\n".join(["# Task", *_task(answer, briefing)]))
    shown = [_tool_block(tool, request) for tool in tools if tool.name not in request.hidden]
    parts.append("\n\n".join(["# Tools", *shown]))
    if briefing.notes:
        parts.append("\n".join(["# Notes", *(f"- {note}" for note in briefing.notes)]))
    return "\n\n".join(parts) + "\n"


def _task(answer: str, briefing: Briefing) -> list[str]:
    lines = [briefing.instructions] if briefing.instructions else []
    lines.append(f"Work on what the user asks with the tools below. When it is done, call '{answer}'.")
    lines.append("Rely on what the tools returned. Call only tools that are allowed; a reason says why one is not yet.")
    if briefing.expected:
        lines.append(f"The answer should be: {briefing.expected}")
    if briefing.answer_schema is not None:
        schema = json.dumps(briefing.answer_schema, indent=2, ensure_ascii=False)
        lines.append(f"The answer must fit this JSON schema:\n```json\n{schema}\n```")
    return lines


def _tool_block(tool: Tool, request: Request) -> str:
    lines = [f"Name: {tool.name}", f"Description: {tool.description}", f"Allowed: {tool.name in request.allowed}"]
    reason = request.reason(tool.name)
    if reason:
        lines.append(f"Reason: {reason}")
    return "\n".join(lines)


def failure_text(error: object) -> str:
    """What the chat model reads where a call failed."""
    return f"The call failed. Try it in another way, use another tool, or say why it cannot be done.\n\n{error}"


@dataclass(frozen=True, slots=True)
class CallOptions:
    """What a chat model is called with besides the messages.

    `fallback_tool` is the tool that a text reply may stand for, None where stopping is prevented. `cache_breakpoints`
    are indices of messages up to which a provider may cache the prompt, ascending.
    """

    tools: tuple[str, ...]
    tool_choice: str
    fallback_tool: str | None
    cache_breakpoints: tuple[int, ...]


def call_options(request: Request, messages: Sequence[Message], *, has_requirements: bool) -> CallOptions:
    """The options for a call with `messages`, the system message first.

    With requirements the system message changes from turn to turn, so the first breakpoint lies behind it.

    Source: beeai-framework 0.1.85, RequirementAgentRunner._prepare_llm_request.
    """
    first = 1 if has_requirements else 0
    lasting = [index for index, message in enumerate(messages) if not message.meta.get(TEMP_MESSAGE)]
    breakpoints = (first, lasting[-1]) if lasting and lasting[-1] > first else (first,)
    return CallOptions(
        tools=request.offered,
        tool_choice=request.tool_choice,
        fallback_tool=request.tools[-1] if request.can_stop else None,
        cache_breakpoints=breakpoints,
    )
