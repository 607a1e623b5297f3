"""Tools: what the agent can call, and what a call can yield."""

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final, Literal, overload

from beewalk.errors import PolicyError, Problem

OK: Final = "ok"
ERROR: Final = "error"
DENIED: Final = "denied"
FINAL_ANSWER: Final = "final_answer"

# "unoffered" ends a call in the trajectory notation, "crash" and "real" are words of scenarios: no tool may mean
# something else by them.
RESERVED_OUTCOMES: Final = (DENIED, "unoffered", "crash", "real")
# A tool_choice with one of these names could not be told from the word itself.
RESERVED_NAMES: Final = ("auto", "none", "required")

Arguments = Literal["any", "none"] | Mapping[str, Any]
Outcomes = Mapping[str, Any]


class Tool:
    """Something the agent can call.

    A subclass may set `name` and `description` as class attributes; a class is also a target that all its instances
    match, and the class `Tool` itself is a target that every tool matches.

    Args:
        name: what the language model calls; unique within a policy.
        description: told to the language model.
        function: what a call runs, sync or async; None for a tool that only exists to be explored.
        arguments: `"any"`, `"none"` (it takes no arguments, so a second call equals the first), or a JSON schema.
        outcomes: outcome -> what that call returns; `error` gives the text it raises with. Every tool can yield
            `ok`, whose text is the tool's name unless given here.

    Raises:
        PolicyError: no name, or an outcome that is kept for something else.
    """

    name: str = ""
    description: str = ""

    def __init__(
        self,
        name: str | None = None,
        *,
        description: str | None = None,
        function: Callable[..., Any] | None = None,
        arguments: Arguments = "any",
        outcomes: Outcomes | None = None,
    ) -> None:
        self.name = type(self).name if name is None else name
        self.description = type(self).description if description is None else description
        self.function = function
        self.arguments = arguments
        self.outcomes: Outcomes = dict(outcomes or {})
        problems = list(_problems_of(self))
        if problems:
            raise PolicyError(problems)

    @property
    def named_outcomes(self) -> tuple[str, ...]:
        """Outcomes besides ok, error and denied, in the order they were given."""
        return tuple(outcome for outcome in self.outcomes if outcome not in {OK, ERROR})

    @cached_property
    def input_schema(self) -> Mapping[str, Any]:
        """JSON schema of the arguments: the one that was given, or the one of the function's signature."""
        if isinstance(self.arguments, Mapping):
            return self.arguments
        if self.function is not None:
            return _schema_of(self.function)
        return {"type": "object", "properties": {}, "additionalProperties": self.arguments == "any"}

    def returns(self, outcome: str) -> Any:
        """What a call with `outcome` returns, or the text it raises with when the outcome is `error`."""
        if outcome == DENIED:
            return f"permission to use {self.name} was refused"
        fallback = f"{self.name} failed" if outcome == ERROR else self.name
        return self.outcomes.get(outcome, fallback)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class ThinkTool(Tool):
    """The tool `think`: lets the language model write down its reasoning."""

    name = "think"
    description = "Reason about the task before you act: what is known, what is missing, what to do next."


class FinalAnswerTool(Tool):
    """The tool `final_answer`: its call ends the run. Every policy has one, registered last."""

    name = FINAL_ANSWER
    description = "Gives the final answer to the user and ends the task."


def _problems_of(tool: Tool) -> list[Problem]:
    problems = []
    if not isinstance(tool.name, str) or not tool.name:
        problems.append(Problem(("name",), f"a tool has the name {tool.name!r}", "give it a text that is not empty"))
    elif tool.name in RESERVED_NAMES:
        problems.append(Problem(("name",), f"a tool is named {tool.name!r}, a word of tool_choice", "rename it"))
    problems += [
        Problem(("outcomes", outcome), f"{outcome!r} is kept for what beewalk itself finds", "name it otherwise")
        for outcome in tool.outcomes
        if outcome in RESERVED_OUTCOMES
    ]
    return problems


def _schema_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    # pydantic takes 0.1 s to import, and only agents that ask a language model need a schema.
    from pydantic import TypeAdapter  # noqa: PLC0415

    schema: dict[str, Any] = TypeAdapter(function).json_schema()  # type: ignore[arg-type]  # it takes functions, its stub does not say so
    return schema


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(
    *, name: str | None = None, description: str | None = None, outcomes: Outcomes | None = None
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    outcomes: Outcomes | None = None,
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a tool of a function: its name, docstring and signature are the tool's unless given here.

    Example:
        >>> @tool
        ... def weather(location: str) -> str:
        ...     '''Weather at a place.'''
        ...     return f"12 °C in {location}"
        >>> weather.name, weather.description
        ('weather', 'Weather at a place.')
    """

    def make(function: Callable[..., Any]) -> Tool:
        takes_nothing = not inspect.signature(function).parameters
        return Tool(
            name or function.__name__,
            description=description or inspect.getdoc(function) or "",
            function=function,
            arguments="none" if takes_nothing else "any",
            outcomes=outcomes,
        )

    return make if function is None else make(function)
