"""Real tools of the installed beeai-framework that yield the outcomes of a beewalk Tool, as they are told."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from beewalk import ThinkTool, Tool
from beewalk.policy.step import ToolOutput
from beewalk.policy.tool import DENIED, ERROR, OK

pytest.importorskip("beeai_framework", reason="beeai-framework is not installed")

import beeai_framework.tools as upstream_tools
from beeai_framework.agents.errors import AgentError
from beeai_framework.agents.requirement.utils._tool import FinalAnswerTool as UpstreamFinalAnswer
from beeai_framework.emitter import Emitter
from beeai_framework.tools.think import ThinkTool as UpstreamThink
from pydantic import BaseModel, ConfigDict, create_model

CRASH = "crash"


class Crash(AgentError):  # type: ignore[misc]  # the framework's types are not looked at
    """An agent inside a tool failed."""


class Anything(BaseModel):
    model_config = ConfigDict(extra="allow")


def playing(tool: Tool, next_outcome: Callable[[], str]) -> Any:
    """The framework's tool for `tool`; each call that really runs comes to the next outcome."""
    made = _Think if isinstance(tool, ThinkTool) else _Plain
    return made(tool, lambda: _play(tool, next_outcome()))


class _Plain(upstream_tools.Tool):  # type: ignore[misc]  # as above
    name = description = ""
    input_schema: Any = Anything

    def __init__(self, tool: Tool, play: Callable[[], Any]) -> None:
        super().__init__()
        self.name, self.description, self.play = tool.name, tool.description, play
        self.input_schema = _arguments_of(tool)

    def _create_emitter(self) -> Any:
        return Emitter.root().child(namespace=["tool", "scripted"], creator=self)

    async def _run(self, input: Any, options: Any, context: Any) -> Any:  # noqa: A002 - the base's signature
        return self.play()


class _Think(UpstreamThink):  # type: ignore[misc]  # as above
    def __init__(self, tool: Tool, play: Callable[[], Any]) -> None:
        super().__init__(schema=_arguments_of(tool))
        self.play = play

    async def _run(self, input: Any, options: Any, context: Any) -> Any:  # noqa: A002 - the base's signature
        return self.play()


class _Played(upstream_tools.StringToolOutput):  # type: ignore[misc]  # as above
    """What a tool that really ran returned; the text for a refused call is none."""

    def __init__(self, text: str, outcome: str) -> None:
        super().__init__(text)
        self.outcome = outcome


def _play(tool: Tool, outcome: str) -> Any:
    said = ToolOutput(tool.returns(outcome)).get_text_content()
    if outcome == ERROR:
        raise upstream_tools.ToolError(said)
    if outcome == CRASH:
        raise Crash(said)
    return _Played(said, outcome)


def outcome_of(step: Any) -> str:
    """The outcome of a step of the framework's run state."""
    if step.tool is None:
        return "unoffered"
    if step.error is not None:
        return ERROR
    if isinstance(step.output, _Played):
        return step.output.outcome
    return OK if isinstance(step.tool, UpstreamFinalAnswer) else DENIED


def _arguments_of(tool: Tool) -> type[BaseModel]:
    return model_of(tool.name, tool.arguments) if isinstance(tool.arguments, Mapping) else Anything


def model_of(name: str, schema: Mapping[str, Any]) -> type[BaseModel]:
    """A model of an object of texts and whole numbers; what is more than that takes anything."""
    kinds: dict[str, Any] = {"string": str, "integer": int}
    properties = schema.get("properties", {})
    simple = set(schema) <= {"type", "properties", "required"} and all(
        set(one) == {"type"} and one["type"] in kinds for one in properties.values()
    )
    if not simple:
        return Anything
    required = schema.get("required", ())
    fields: dict[str, Any] = {
        field: (kinds[one["type"]], ...) if field in required else (kinds[one["type"]] | None, None)
        for field, one in properties.items()
    }
    return create_model(name, **fields)
