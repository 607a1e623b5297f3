"""Ruling: what was decided on one tool, and which rule of which requirement decided it."""

from collections.abc import Sequence
from dataclasses import dataclass

from beewalk.policy.rule import Effect, Rule
from beewalk.policy.tool import FINAL_ANSWER
from beewalk.reasoner.stance import NOTHING, Decision

THE_LOOP = -1  # the place of a vote that no requirement of the policy cast


@dataclass(frozen=True, slots=True)
class Vote:
    """The rules of one requirement for one request; `index` is its place in the policy, or THE_LOOP."""

    index: int
    requirement: str
    priority: int
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Because:
    """One effect that one requirement has, by its rule on `tool`.

    `parameter` is the requirement's parameter behind it, None where the requirement does not say.
    """

    effect: Effect
    tool: str
    index: int
    requirement: str
    parameter: str | None
    reason: str | None

    def sentence(self, about: str) -> str:
        """Why this keeps `about` from being offered, or what else it does to it."""
        source = f"{self.parameter} of {self.requirement!r}" if self.parameter else repr(self.requirement)
        if self.effect == "forces" and about != self.tool:
            text = f"not offered while {self.tool!r} is forced by {source}"
        elif self.effect == "prevents_stop" and about == FINAL_ANSWER:
            text = f"kept back by {source} on {self.tool!r}"
        else:
            verbs = {"forbids": "forbidden by", "hides": "hidden by", "forces": "forced by"}
            text = f"{verbs.get(self.effect, 'keeps the final answer back by')} {source}"
        return f"{text} ({self.reason})" if self.reason else text


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was decided on `tool`.

    `allowed`: it is offered; `forced`: a rule forces it (another may outrank it); `level`: the highest priority of any
    rule on it, 0 without one; `because`: every effect of its own rules, and, where others keep it from being offered,
    theirs.
    """

    tool: str
    allowed: bool
    hidden: bool
    forced: bool
    level: int
    because: tuple[Because, ...]

    def sentence(self) -> str:
        """The ruling in words."""
        because = [one for one in self.because if one.effect != "prevents_stop" or self.tool == FINAL_ANSWER]
        why = "; ".join(one.sentence(self.tool) for one in because)
        return f"{self.tool}: {why or ('offered' if self.allowed else 'not offered')}"


def rulings_of(tools: Sequence[str], votes: Sequence[Vote], decision: Decision) -> dict[str, Ruling]:
    """The ruling on each tool, in registration order."""
    effects = [because for vote in votes for rule in vote.rules for because in _effects(vote, rule)]
    rulings = {}
    for number, tool in enumerate(tools):
        allowed = bool(decision.allowed >> number & 1)
        own = [one for one in effects if one.tool == tool]
        barred = any(one.effect in {"forbids", "hides"} for one in own)
        others = [] if allowed else _kept_out_by(tools, number, barred, effects, decision)
        rulings[tool] = Ruling(
            tool=tool,
            allowed=allowed,
            hidden=bool(decision.hidden >> number & 1),
            forced=any(one.effect == "forces" for one in own),
            level=max((vote.priority for vote in votes for rule in vote.rules if rule.target == tool), default=0),
            because=tuple(own + [one for one in others if one not in own]),
        )
    return rulings


def _kept_out_by(
    tools: Sequence[str], number: int, barred: bool, effects: Sequence[Because], decision: Decision
) -> list[Because]:
    """What others do that keeps a tool from being offered."""
    is_answer = number == len(tools) - 1
    if is_answer and decision.prevents_stop:
        return [one for one in effects if one.effect == "prevents_stop"]
    if decision.forced != NOTHING and not barred:
        return [one for one in effects if one.effect == "forces" and one.tool == tools[decision.forced]]
    return []


def _effects(vote: Vote, rule: Rule) -> list[Because]:
    return [
        Because(effect, rule.target, vote.index, vote.requirement, parameter, rule.reason)
        for effect in rule.effects()
        for parameter in rule.parameters(effect) or (None,)
    ]
