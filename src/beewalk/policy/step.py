"""Step: one finished tool call. Turn: the steps that one iteration of the loop finished."""

import json
from dataclasses import dataclass, field
from typing import Any

from beewalk.errors import BeewalkError
from beewalk.policy.tool import ERROR, Tool


class ToolError(BeewalkError):
    """A tool call failed; its text goes back to the language model."""

    slug = "tool-error"


class ToolOutput:
    """What a call returned: a text, or a value that is told to the language model as JSON."""

    __slots__ = ("result",)

    def __init__(self, result: Any = "") -> None:
        self.result = result

    def get_text_content(self) -> str:
        """The text that the language model reads."""
        return self.result if isinstance(self.result, str) else json.dumps(self.result, ensure_ascii=False, default=str)

    def is_empty(self) -> bool:
        """Whether there is nothing in it: an empty text, list or mapping, or None."""
        return not self.result

    def __str__(self) -> str:
        return self.get_text_content()


@dataclass(frozen=True, slots=True)
class Step:
    """One finished call, with the attributes that requirement code for beeai-framework reads.

    `tool` is None where the call was of no offered tool; `name` is what was called. `error` is None for a call that
    did not fail; a refused permission is no failure. `input` holds the arguments.
    """

    tool: Tool | None
    name: str
    outcome: str
    output: ToolOutput = field(default_factory=ToolOutput)
    error: ToolError | None = None
    input: Any = field(default_factory=dict)
    iteration: int = 1

    @classmethod
    def of(cls, tool: Tool, outcome: str, *, iteration: int = 1) -> "Step":
        """The step that a call of `tool` leaves when it ends in `outcome`, with the texts the tool declares."""
        said = tool.returns(outcome)
        if outcome == ERROR:
            return cls(tool, tool.name, outcome, ToolOutput(), ToolError(str(said)), {}, iteration)
        return cls(tool, tool.name, outcome, ToolOutput(said), None, {}, iteration)

    @classmethod
    def unoffered(cls, name: str, *, iteration: int = 1) -> "Step":
        """The failed step without tool that a call of something not offered leaves."""
        return cls(None, name, "unoffered", ToolOutput(), ToolError(f"there is no tool {name!r}"), {}, iteration)


@dataclass(frozen=True, slots=True)
class Turn:
    """Iteration `number` (from 1) and the steps it finished, in order."""

    number: int
    steps: tuple[Step, ...]
