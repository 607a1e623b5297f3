"""Policy: tools, requirements and limits, bound and checked once."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Literal

from beewalk.errors import PolicyError, Problem
from beewalk.policy.accepted import Accepted
from beewalk.policy.requirement import (
    FunctionRequirement,
    MachineRequirement,
    Requirement,
    RunContext,
    finished,
    missing_targets,
)
from beewalk.policy.state import Run
from beewalk.policy.tool import FINAL_ANSWER, FinalAnswerTool, Tool


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds a run.

    `max_iterations` turns, 0 or None for no bound; `max_retries_per_step` failures that one turn survives, 0 or None
    for none; `total_max_retries` failures that the run survives, at least those of one turn.

    Source: beeai-framework 0.1.85, RequirementAgentRunner and RetryCounter.
    """

    max_iterations: int | None = 20
    max_retries_per_step: int | None = 3
    total_max_retries: int | None = 20


@dataclass(frozen=True, slots=True)
class RepeatedCalls:
    """When equal calls count as a cycle: more than `max_strike_length` in a row or nearly, or too many in a window."""

    max_strike_length: int = 1
    max_total_occurrences: int = 5
    window_size: int = 10


@dataclass(frozen=True, slots=True)
class Loop:
    """How the loop around the policy is set: whether the answer must be a tool call, parallel calls, repeated calls."""

    final_answer_as_tool: bool = True
    parallel_tool_calls: bool = False
    repeated_calls: RepeatedCalls | None = field(default_factory=RepeatedCalls)


Answer = Literal["text", "structured"] | Mapping[str, Any]


@dataclass(frozen=True)
class Policy:
    """Tools and the requirements on them. The final answer is added as the last tool.

    `limits_given` is false where the limits are the framework's defaults because nobody gave any. `accept` has the
    findings that are no news.

    Raises:
        PolicyError: with everything that is wrong, not only the first thing.

    Example:
        >>> from beewalk import ConditionalRequirement, Policy, Tool
        >>> Policy([Tool("a"), Tool("b")], [ConditionalRequirement("b", only_after="a")], name="b after a").name
        'b after a'
    """

    tools: tuple[Tool, ...]
    requirements: tuple[Requirement[Any], ...]
    name: str
    limits: Limits
    limits_given: bool
    loop: Loop
    answer: Answer
    input: str
    accept: tuple[Accepted, ...]

    def __init__(
        self,
        tools: Sequence[Tool],
        requirements: Sequence[Requirement[Any]] = (),
        *,
        name: str = "policy",
        limits: Limits | None = None,
        loop: Loop | None = None,
        answer: Answer = "text",
        input: str = "",  # noqa: A002 - the policy file's word
        accept: Sequence[Accepted] = (),
    ) -> None:
        problems = list(problems_of(tools, requirements))
        if problems:
            raise PolicyError(problems)
        values = {
            "tools": (*tools, FinalAnswerTool(arguments=_answer_schema(answer))),
            "requirements": tuple(requirements),
            "name": name,
            "limits": limits or Limits(),
            "limits_given": limits is not None,
            "loop": loop or Loop(),
            "answer": answer,
            "input": input,
            "accept": tuple(accept),
        }
        self._set(values)
        problems = list(_refused(self.requirements, self.tools))
        if problems:
            raise PolicyError(problems)

    @property
    def final_answer(self) -> Tool:
        """The tool that ends a run."""
        return self.tools[-1]

    def limited(self, limits: Limits) -> "Policy":
        """The same policy with other limits."""
        other = copy(self)
        other._set({"limits": limits, "limits_given": True})  # noqa: SLF001 - its own class
        return other

    def answering(self, answer: Answer) -> "Policy":
        """The same policy with another kind of answer."""
        other = copy(self)
        tools = (*self.tools[:-1], FinalAnswerTool(arguments=_answer_schema(answer)))
        other._set({"answer": answer, "tools": tools})  # noqa: SLF001 - its own class
        return other

    def _set(self, values: Mapping[str, Any]) -> None:
        for key, value in values.items():
            object.__setattr__(self, key, value)


def _answer_schema(answer: Answer) -> Mapping[str, Any]:
    """JSON schema of the final answer's arguments."""
    if isinstance(answer, Mapping):
        return answer
    if answer == "structured":
        return {"type": "object", "additionalProperties": True}
    response = {"type": "string", "description": "The answer to the user"}
    return {"type": "object", "properties": {"response": response}, "required": ["response"]}


def problems_of(tools: Sequence[Tool], requirements: Sequence[Requirement[Any] | None]) -> Iterator[Problem]:
    """Everything that keeps `tools` and `requirements` from being a policy.

    A requirement that is None stands for one that could not be made; the others are still checked.
    """
    yield from _tool_problems(tools)
    bound = (*(tool for tool in tools if isinstance(tool, Tool)), FinalAnswerTool())
    for index, requirement in enumerate(requirements):
        if requirement is not None:
            for problem in _requirement_problems(requirement, bound):
                yield problem.under("requirements", index)


def _tool_problems(tools: Sequence[Tool]) -> Iterator[Problem]:
    counts: Counter[str] = Counter()
    for index, tool in enumerate(tools):
        if not isinstance(tool, Tool):
            yield Problem(
                ("tools", index), f"{tool!r} is not a tool", "use a Tool, or decorate the function with @tool"
            )
            continue
        counts[tool.name] += 1
        if tool.name == FINAL_ANSWER:
            what = f"a tool is named {FINAL_ANSWER!r}, which every policy has by itself"
            yield Problem(("tools", index), what, "leave it out, or rename it")
        elif counts[tool.name] > 1:
            yield Problem(("tools", index), f"two tools are named {tool.name!r}", "rename one of them")


def _requirement_problems(requirement: Requirement[Any], tools: Sequence[Tool]) -> Iterator[Problem]:
    if not isinstance(requirement, Requirement):
        yield Problem(
            (), f"{requirement!r} is not a requirement", "use a Requirement, or decorate the function with @requirement"
        )
    elif not requirement.name:
        yield Problem((), f"{type(requirement).__name__} has no name", "give the class a name")
    elif isinstance(requirement, MachineRequirement):
        yield from requirement.problems(tools)
    elif isinstance(requirement, FunctionRequirement):
        yield from missing_targets("targets", requirement.targets, tools)


def _refused(requirements: Sequence[Requirement[Any]], tools: Sequence[Tool]) -> Iterator[Problem]:
    """What the requirements' own `init` methods refuse; they run only once everything else is right."""
    for index, requirement in enumerate(requirements):
        if type(requirement).init is Requirement.init:
            continue
        try:
            finished(requirement.init(tools=list(tools), ctx=RunContext(requirement, Run())))
        except Exception as error:  # noqa: BLE001 - whatever the user's code raises is what is wrong with it
            what = f"init() of {requirement.name!r} raised {type(error).__name__}: {error}"
            yield Problem(("requirements", index), what, "see its code")
