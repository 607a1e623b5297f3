"""Rule: what one requirement says of one tool now."""

from dataclasses import dataclass, field
from typing import Literal

Effect = Literal["forbids", "hides", "forces", "prevents_stop"]
Grounds = tuple[tuple[Effect, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a requirement says of the tool named `target`, for the next request only.

    `allowed=False` forbids it whatever others say; `hidden` also keeps it out of the prompt; `forced` demands it;
    `prevent_stop` keeps the agent from giving its final answer; `reason` is told to the language model.
    `grounds` names the parameter of the requirement behind each effect, where there is one (built-in requirements
    fill it in); it takes no part in comparisons.

    Raises:
        TypeError: a field has the wrong type (a class as target, say: write the tool's name).
    """

    target: str
    allowed: bool = True
    reason: str | None = None
    prevent_stop: bool = False
    forced: bool = False
    hidden: bool = False
    grounds: Grounds = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.target, str):
            raise TypeError(f"Rule.target is {self.target!r}: write the name of a tool")
        for flag in (self.allowed, self.prevent_stop, self.forced, self.hidden):
            if flag is not True and flag is not False:
                raise TypeError(f"a Rule for {self.target!r} has a flag {flag!r}: write True or False")
        if self.reason is not None and not isinstance(self.reason, str):
            raise TypeError(f"a Rule for {self.target!r} has the reason {self.reason!r}: write a text, or leave it out")

    def effects(self) -> tuple[Effect, ...]:
        """What the rule does, most telling first; empty for a rule that changes nothing."""
        found: list[Effect] = []
        if not self.allowed:
            found.append("forbids")
        if self.hidden:
            found.append("hides")
        if self.forced:
            found.append("forces")
        if self.prevent_stop:
            found.append("prevents_stop")
        return tuple(found)

    def parameters(self, effect: Effect) -> tuple[str, ...]:
        """Parameters of the requirement behind `effect`; empty where the requirement names none."""
        return tuple(parameter for ground, parameter in self.grounds if ground == effect)
