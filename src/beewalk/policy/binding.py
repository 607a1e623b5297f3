"""Binding: every requirement of a policy as a machine."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from beewalk.policy.blackbox import Letter
from beewalk.policy.conditional import ConditionalMachine, ConditionalRequirement, Seen
from beewalk.policy.inferred import Inferred, infer
from beewalk.policy.machine import ExactMachine, Machine
from beewalk.policy.requirement import Evaluate, MachineRequirement, Requirement
from beewalk.policy.rule import Rule
from beewalk.policy.state import RequirementAgentRunState, Run
from beewalk.policy.step import Turn
from beewalk.policy.tool import Tool


@dataclass(frozen=True)
class Bound:
    """A requirement of a policy as a machine.

    `index` is its place in the policy. `inferred` says what was found out where the code is not beewalk's own; None
    where the machine is exact by construction.
    """

    index: int
    requirement: Requirement[Any]
    machine: Machine[Any]
    inferred: Inferred | None = None

    @property
    def name(self) -> str:
        """The requirement's name."""
        return self.requirement.name

    @property
    def priority(self) -> int:
        """The requirement's priority."""
        return self.requirement.priority


def bind(  # noqa: PLR0917 - what a binding needs, each once
    requirement: Requirement[Any],
    index: int,
    tools: Sequence[Tool],
    run: Run,
    letters: Sequence[Letter],
    evaluate: Evaluate | None = None,
) -> Bound:
    """The machine of `requirement`, inferred where its code is not beewalk's own; `evaluate` runs code that waits."""
    if isinstance(requirement, ConditionalRequirement) and type(requirement).run is ConditionalRequirement.run:
        if not requirement.custom_checks:
            return Bound(index, requirement, requirement.machine(tools))
        checks = infer(_Checks(requirement), tools, run, letters)
        return Bound(index, requirement, CheckedMachine(requirement.machine(tools), checks.machine), checks)
    if isinstance(requirement, MachineRequirement) and type(requirement).run is MachineRequirement.run:
        return Bound(index, requirement, requirement.machine(tools))
    inferred = infer(requirement, tools, run, letters, evaluate)
    return Bound(index, requirement, inferred.machine, inferred)


class _Checks(Requirement[RequirementAgentRunState]):
    """The custom checks of a ConditionalRequirement alone: forbids the target where one is false."""

    def __init__(self, requirement: ConditionalRequirement) -> None:
        super().__init__()
        self.name = f"custom_checks of {requirement.name}"
        self.checks = requirement.custom_checks

    def run(self, state: RequirementAgentRunState) -> list[Rule]:
        """One rule, about nothing in particular: only whether it allows is looked at."""
        return [Rule(target="", allowed=all(check(state) for check in self.checks))]


class CheckedMachine(ExactMachine):
    """A ConditionalRequirement with custom checks: its own memory, and that of the checks."""

    def __init__(self, conditional: ConditionalMachine, checks: Machine[Any]) -> None:
        self._conditional = conditional
        self._checks = checks

    def start(self, run: Run) -> tuple[Seen, Hashable]:
        """Both first memories."""
        return self._conditional.start(run), self._checks.start(run)

    def after(self, memory: tuple[Seen, Hashable], turn: Turn) -> tuple[Seen, Hashable]:
        """Both memories once `turn` is finished."""
        return self._conditional.after(memory[0], turn), self._checks.after(memory[1], turn)

    def words(self, memory: tuple[Seen, Hashable]) -> tuple[str, ...]:
        """Those of the conditional."""
        return self._conditional.words(memory[0])

    def met(self, before: tuple[Seen, Hashable], after: tuple[Seen, Hashable]) -> tuple[str, ...]:
        """What the conditional waits for."""
        return self._conditional.met(before[0], after[0])

    def rules(self, memory: tuple[Seen, Hashable]) -> tuple[Rule]:
        """The conditional's rule; the checks count only where nothing else forbids the target, as in a run."""
        return (self._conditional.rule(memory[0], lambda: all(rule.allowed for rule in self._checks.rules(memory[1]))),)
