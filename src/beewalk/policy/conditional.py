"""ConditionalRequirement: when a tool is allowed, forced, or keeps the agent from stopping."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Any, NamedTuple

from beewalk.errors import PolicyError, Problem, RequirementError
from beewalk.policy.machine import ExactMachine, fold
from beewalk.policy.requirement import MachineRequirement, missing_targets
from beewalk.policy.rule import Effect, Rule
from beewalk.policy.state import RequirementAgentRunState, Run
from beewalk.policy.step import Step, Turn
from beewalk.policy.target import Target, Targets, matches, target_text, targets_of
from beewalk.policy.tool import Tool

Check = Callable[[Any], bool]


class ConditionalRequirement(MachineRequirement):
    """Rules for one tool, from what was called before.

    Failed calls are not seen unless `only_success_invocations` is false; a refused call did not fail.

    Args:
        target: the tool it is about: its name, class or instance.
        name: shown in reports.
        force_at_step: the target must be the call number N (counting seen calls from 1).
        only_before: forbidden once one of these was called.
        only_after: forbidden until all of these were called; "*" is met by any call.
        force_after: forced when the last call was one of these.
        force_prevent_stop: while forced, the agent cannot give its final answer.
        min_invocations: the agent cannot stop before this many calls of the target.
        max_invocations: forbidden from this many calls of the target on.
        only_success_invocations: whether failed calls are left out of all of the above.
        consecutive_allowed: whether the target may follow itself.
        priority: decides between forced tools and between reasons.
        custom_checks: functions of the state; forbidden when one of them is false.
        enabled: a disabled requirement makes no rules.
        reason: told to the language model while the target is forbidden.

    Raises:
        PolicyError: parameters that contradict each other, all at once.

    Source: semantics of beeai-framework 0.1.85 as documented; `only_before` works alone, as its documentation says.
    """

    def __init__(  # noqa: PLR0913 - the parameters of the framework's class, by keyword
        self,
        target: Target,
        *,
        name: str | None = None,
        force_at_step: int | None = None,
        only_before: Targets | None = None,
        only_after: Targets | None = None,
        force_after: Targets | None = None,
        force_prevent_stop: bool = True,
        min_invocations: int | None = None,
        max_invocations: int | None = None,
        only_success_invocations: bool = True,
        consecutive_allowed: bool = True,
        priority: int | None = None,
        custom_checks: Sequence[Check] | None = None,
        enabled: bool = True,
        reason: str | None = None,
    ) -> None:
        super().__init__()
        self.target = targets_of(target)[0]
        self.name = name or f"conditional {target_text(self.target)}"
        self.force_at_step = force_at_step
        self.only_before = targets_of(only_before)
        self.only_after = targets_of(only_after)
        self.force_after = targets_of(force_after)
        self.force_prevent_stop = force_prevent_stop
        self.min_invocations = min_invocations or 0
        self.max_invocations = max_invocations
        self.only_success_invocations = only_success_invocations
        self.consecutive_allowed = consecutive_allowed
        self.custom_checks = tuple(custom_checks or ())
        self.enabled = enabled
        self.reason = reason
        problems = list(_contradictions(self, priority))
        if problems:
            raise PolicyError(problems)
        self.priority = self.priority if priority is None else priority

    def problems(self, tools: Sequence[Tool]) -> Iterator[Problem]:
        """Targets that no tool matches, a target that is not exactly one tool, and references to itself."""
        yield from missing_targets("target", (self.target,), tools)
        for parameter in ("only_before", "only_after", "force_after"):
            yield from missing_targets(parameter, getattr(self, parameter), tools)
        found = [tool for tool in tools if matches(self.target, tool)]
        if len(found) > 1:
            names = ", ".join(tool.name for tool in found)
            yield Problem(("target",), f"{target_text(self.target)!r} matches {len(found)} tools: {names}", "name one")
        elif found:
            yield from self._self_references(found[0])

    def _self_references(self, tool: Tool) -> Iterator[Problem]:
        if any(matches(target, tool) for target in self.only_before):
            what = f"only_before matches {tool.name!r} itself"
            yield Problem(("only_before",), what, "use max_invocations: 1 to allow it once")
        if self.consecutive_allowed and any(matches(target, tool) for target in self.force_after):
            what = f"force_after matches {tool.name!r} itself, which would loop for ever"
            yield Problem(("force_after",), what, "add consecutive_allowed: false")

    def machine(self, tools: Sequence[Tool]) -> "ConditionalMachine":
        """The machine without the custom checks; the explorer adds those (policy/binding.py)."""
        return ConditionalMachine(self, next(tool for tool in tools if matches(self.target, tool)))

    def run(self, state: RequirementAgentRunState) -> list[Rule]:
        """One rule for the target."""
        machine = self.machine(state.tools)
        return [machine.rule(fold(machine, state.run, state.turns), lambda: self.checks_pass(state))]

    def checks_pass(self, state: RequirementAgentRunState) -> bool:
        """Whether all custom checks are true, asked in order up to the first that is not."""
        return all(check(state) for check in self.custom_checks)


class Seen(NamedTuple):
    """What a ConditionalRequirement needs to remember.

    Counts stop growing where they can no longer matter, so that there are finitely many memories.
    """

    calls: int
    steps: int
    last_is_target: bool
    last_forces: bool
    barred: bool
    missing: tuple[int, ...]


@dataclass(frozen=True)
class ConditionalMachine(ExactMachine):
    """A ConditionalRequirement bound to the tool it is about."""

    requirement: ConditionalRequirement
    tool: Tool

    def start(self, run: Run) -> Seen:  # noqa: ARG002 - the protocol's signature
        """Nothing called yet."""
        return Seen(0, 0, False, False, False, tuple(range(len(self.requirement.only_after))))

    def after(self, memory: Seen, turn: Turn) -> Seen:
        """Memory once the steps of `turn` that it sees are counted."""
        for step in turn.steps:
            if step.error is None or not self.requirement.only_success_invocations:
                memory = self._after_step(memory, step)
        return memory

    def _after_step(self, memory: Seen, step: Step) -> Seen:
        wanted = self.requirement
        is_target = step.tool is self.tool
        return Seen(
            calls=min(memory.calls + is_target, max(wanted.min_invocations, wanted.max_invocations or 0)),
            steps=min(memory.steps + 1, wanted.force_at_step or 0),
            last_is_target=is_target,
            last_forces=any(matches(target, step.tool) for target in wanted.force_after),
            barred=memory.barred or any(matches(target, step.tool) for target in wanted.only_before),
            missing=tuple(index for index in memory.missing if not matches(wanted.only_after[index], step.tool)),
        )

    def rules(self, memory: Seen) -> tuple[Rule]:
        """The rule of `memory`, where there are no custom checks or all of them pass."""
        return (self.rule(memory, lambda: True),)

    def words(self, memory: Seen) -> tuple[str, ...]:
        """How often the tool was called, of how many; and that its time is over."""
        wanted, found = self.requirement, []
        if memory.calls and wanted.max_invocations:
            found.append(f"{self.tool.name} {memory.calls}/{wanted.max_invocations}")
        elif 0 < memory.calls < wanted.min_invocations:
            found.append(f"{self.tool.name} {memory.calls} of {wanted.min_invocations}")
        if memory.barred:
            found.append(f"no more {self.tool.name}")
        return tuple(found)

    def met(self, before: Seen, after: Seen) -> tuple[str, ...]:
        """min_invocations once it is met, and only_after for each call that it waits for."""
        least = self.requirement.min_invocations
        enough = ("min_invocations",) if before.calls < least <= after.calls else ()
        return (*enough, "only_after") if len(after.missing) < len(before.missing) else enough

    def forbidding(self, memory: Seen) -> list[str]:
        """The parameters that forbid the target now, in the order in which they decide."""
        wanted, found = self.requirement, []
        if memory.last_is_target and not wanted.consecutive_allowed:
            found.append("consecutive_allowed")
        if wanted.max_invocations is not None and memory.calls >= wanted.max_invocations:
            found.append("max_invocations")
        if memory.barred:
            found.append("only_before")
        if memory.missing:
            found.append("only_after")
        return found

    def rule(self, memory: Seen, checks_pass: Callable[[], bool]) -> Rule:
        """The rule of `memory`; `checks_pass` is asked only where nothing else forbids the target.

        Raises:
            RequirementError: the target must be called now and is forbidden.
        """
        wanted = self.requirement
        forbidding = self.forbidding(memory)
        if not forbidding and not checks_pass():
            forbidding = ["custom_checks"]
        is_the_step = wanted.force_at_step is not None and memory.steps + 1 == wanted.force_at_step
        rule = self._rule(memory, forbidding, is_the_step)
        if forbidding and is_the_step:
            what = (
                f"{self.tool.name!r} must be called at step {wanted.force_at_step}, but {forbidding[0]} forbids it then"
            )
            clash = ("force_at_step", forbidding[0])
            raise RequirementError(what, requirement=wanted.name, parameters=clash, otherwise=[rule])
        return rule

    def _rule(self, memory: Seen, forbidding: Sequence[str], is_the_step: bool) -> Rule:
        wanted = self.requirement
        forced = not forbidding and (is_the_step or memory.last_forces)
        grounds: list[tuple[Effect, str]] = [("forbids", parameter) for parameter in forbidding]
        if forced:
            grounds += [("forces", "force_at_step")] if is_the_step else [("forces", "force_after")]
        if memory.calls < wanted.min_invocations:
            grounds.append(("prevents_stop", "min_invocations"))
        if forced and wanted.force_prevent_stop:
            grounds.append(("prevents_stop", "force_prevent_stop"))
        return Rule(
            target=self.tool.name,
            allowed=not forbidding,
            forced=forced,
            prevent_stop=any(effect == "prevents_stop" for effect, _ in grounds),
            reason=wanted.reason if forbidding else None,
            grounds=tuple(grounds),
        )


def _contradictions(wanted: ConditionalRequirement, priority: int | None) -> Iterator[Problem]:
    low, high = wanted.min_invocations, wanted.max_invocations
    if low < 0:
        yield Problem(("min_invocations",), f"min_invocations is {low}", "use 0 or more")
    if high is not None and high < 0:
        yield Problem(("max_invocations",), f"max_invocations is {high}", "use 0 or more")
    elif high is not None and 0 <= high < low:
        what = f"min_invocations is {low}, more than max_invocations, which is {high}"
        yield Problem(("min_invocations",), what, "lower the one or raise the other")
    if wanted.force_at_step is not None and wanted.force_at_step < 1:
        yield Problem(("force_at_step",), f"force_at_step is {wanted.force_at_step}", "the first step is 1")
    if priority is not None and priority < 1:
        yield Problem(("priority",), f"priority is {priority}", "use a whole number from 1")
    yield from _clashing_targets(wanted)
    for index, check in enumerate(wanted.custom_checks):
        if iscoroutinefunction(check):
            what = f"custom check {check.__name__!r} is a coroutine function, which would always count as true"
            yield Problem(("custom_checks", index), what, "make it a plain function")


def _clashing_targets(wanted: ConditionalRequirement) -> Iterator[Problem]:
    for parameter in ("only_before", "force_after"):
        if wanted.target in getattr(wanted, parameter):
            what = f"{parameter} names {target_text(wanted.target)!r}, the tool that the requirement is about"
            yield Problem((parameter,), what, "name other tools")
    for parameter in ("only_after", "force_after"):
        for target in wanted.only_before:
            if target in getattr(wanted, parameter):
                what = f"{target_text(target)!r} stands in only_before and in {parameter}"
                yield Problem(("only_before",), what, "take it out of one of them")
