"""AskPermissionRequirement: the user is asked before a tool runs."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from beewalk.errors import Problem
from beewalk.policy.machine import ExactMachine
from beewalk.policy.requirement import DEFAULT_PRIORITY, MachineRequirement, missing_targets
from beewalk.policy.rule import Effect, Rule
from beewalk.policy.state import Run
from beewalk.policy.step import Turn
from beewalk.policy.target import Targets, matches, targets_of
from beewalk.policy.tool import DENIED, FinalAnswerTool, Tool

Handler = Callable[[Tool, dict[str, Any]], bool | Awaitable[bool]]
Choices = tuple[tuple[str, bool], ...]


class AskPermissionRequirement(MachineRequirement):
    """Asks the user before one of its tools runs; a refused call returns a text instead of running.

    A refused call is a call that did not fail: it counts, and it opens what waits for that tool. The asking goes on
    when the requirement is disabled.

    Args:
        include: the tools to ask for; none means every tool.
        exclude: tools not to ask for; the final answer never needs permission.
        remember_choices: ask once a tool, and remember the answer in this and later runs.
        hide_disallowed: a tool whose refusal is remembered is also kept out of the prompt.
        always_allow: ask nothing.
        handler: asks the user: a function of the tool and its input.
    """

    name = "ask_permission"

    def __init__(
        self,
        include: Targets | None = None,
        *,
        handler: Handler | None = None,
        exclude: Targets | None = None,
        remember_choices: bool = False,
        hide_disallowed: bool = False,
        always_allow: bool = False,
    ) -> None:
        super().__init__()
        self.priority = DEFAULT_PRIORITY + 1
        self.include = targets_of(include)
        self.exclude = targets_of(exclude)
        self.handler = handler
        self.remember_choices = remember_choices
        self.hide_disallowed = hide_disallowed
        self.always_allow = always_allow

    def manages(self, tool: Tool) -> bool:
        """Whether a call of `tool` needs permission."""
        if isinstance(tool, FinalAnswerTool) or any(matches(target, tool) for target in self.exclude):
            return False
        return not self.include or any(matches(target, tool) for target in self.include)

    def problems(self, tools: Sequence[Tool]) -> Iterator[Problem]:
        """Targets that no tool matches."""
        yield from missing_targets("include", self.include, tools)
        yield from missing_targets("exclude", self.exclude, tools)

    def machine(self, tools: Sequence[Tool]) -> "PermissionMachine":
        """The machine that remembers choices."""
        return PermissionMachine(self, tuple(tool.name for tool in tools if self.manages(tool)))


@dataclass(frozen=True)
class PermissionMachine(ExactMachine):
    """Remembers what the user chose; empty for ever where choices are not remembered.

    Known limit: where two such requirements manage one tool, a refused call counts as refused by both.
    """

    requirement: AskPermissionRequirement
    managed: tuple[str, ...]

    def start(self, run: Run) -> Choices:
        """The choices of earlier runs; they stand whether or not this one remembers new ones."""
        return tuple(sorted((tool, granted) for tool, granted in run.choices.items() if tool in self.managed))

    def after(self, memory: Choices, turn: Turn) -> Choices:
        """Memory with the answers given in `turn`; of several answers for one tool the last one stands."""
        if not self.requirement.remember_choices or self.requirement.always_allow:
            return memory
        known = dict(memory)
        asked = [step for step in turn.steps if step.tool is not None and step.tool.name in self.managed]
        answers = {step.name: step.outcome != DENIED for step in asked if step.name not in known}
        return tuple(sorted({**answers, **known}.items()))

    def rules(self, memory: Choices) -> tuple[Rule, ...]:
        """A rule for each remembered choice."""
        return tuple(self._rule(tool, granted) for tool, granted in memory)

    def words(self, memory: Choices) -> tuple[str, ...]:
        """What the user chose."""
        return tuple(f"{tool} {'granted' if granted else 'refused'}" for tool, granted in memory)

    def _rule(self, tool: str, granted: bool) -> Rule:
        hidden = not granted and self.requirement.hide_disallowed
        grounds: list[tuple[Effect, str]] = [] if granted else [("forbids", "remember_choices")]
        if hidden:
            grounds.append(("hides", "hide_disallowed"))
        return Rule(target=tool, allowed=granted, hidden=hidden, grounds=tuple(grounds))

    def permission(self, memory: Choices, tool: str) -> bool | None:  # type: ignore[override]  # its own memory
        """True where nothing is asked, the remembered choice where there is one, else None."""
        if tool not in self.managed or self.requirement.always_allow:
            return True
        return dict(memory).get(tool)
