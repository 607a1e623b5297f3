"""FixedRules: a requirement that says the same every turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from beewalk.errors import Problem
from beewalk.policy.machine import ExactMachine
from beewalk.policy.requirement import MachineRequirement, missing_targets
from beewalk.policy.rule import Effect, Rule
from beewalk.policy.state import Run
from beewalk.policy.step import Turn
from beewalk.policy.tool import Tool

FLAGS: tuple[tuple[Effect, str], ...] = (
    ("forbids", "allowed"),
    ("hides", "hidden"),
    ("forces", "forced"),
    ("prevents_stop", "prevent_stop"),
)


class FixedRules(MachineRequirement):
    """The same rules every turn, as a policy file's `rules:` writes them."""

    def __init__(self, rules: Sequence[Rule], *, name: str | None = None, priority: int | None = None) -> None:
        super().__init__()
        self.name = name or "rules"
        self.priority = self.priority if priority is None else priority
        self.rules = tuple(_grounded(rule, index) for index, rule in enumerate(rules))

    def problems(self, tools: Sequence[Tool]) -> Iterator[Problem]:
        """Targets that are no tool."""
        for index, rule in enumerate(self.rules):
            for problem in missing_targets("target", (rule.target,), tools):
                yield problem.under("rules", index)

    def machine(self, tools: Sequence[Tool]) -> "FixedMachine":  # noqa: ARG002 - the base's signature
        """A machine with one memory."""
        return FixedMachine(self.rules)


@dataclass(frozen=True)
class FixedMachine(ExactMachine):
    """Remembers nothing."""

    fixed: tuple[Rule, ...]

    def start(self, run: Run) -> None:
        """Nothing to remember."""

    def after(self, memory: None, turn: Turn) -> None:
        """Nothing to remember."""

    def rules(self, memory: None) -> tuple[Rule, ...]:  # noqa: ARG002 - the protocol's signature
        """The same rules whatever happened."""
        return self.fixed


def _grounded(rule: Rule, index: int) -> Rule:
    done = rule.effects()
    return replace(rule, grounds=tuple((effect, f"rules[{index}].{flag}") for effect, flag in FLAGS if effect in done))
