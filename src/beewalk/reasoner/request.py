"""Request: one offer to the chat model. DeadEnd: no request exists, because nothing is allowed."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from beewalk.policy.rule import Effect, Rule
from beewalk.reasoner.ruling import THE_LOOP, Ruling, Vote, rulings_of
from beewalk.reasoner.stance import AUTO, NOTHING, Decision, decide, members, stance_of


@dataclass(frozen=True, slots=True)
class Request:
    """What is offered to the chat model.

    `tools`: all of the policy, the final answer last. `tool_choice`: "auto", "required", or the one tool that must be
    called. `can_stop`: no rule prevents stopping (the final answer may be forbidden all the same). `reasons`: what is
    told to the chat model, (tool, text). Requests are equal when they offer the same; `votes`, the rules they came
    from, are not compared.
    """

    tools: tuple[str, ...]
    allowed: frozenset[str]
    hidden: frozenset[str]
    tool_choice: str
    can_stop: bool
    forced: str | None
    reasons: tuple[tuple[str, str], ...]
    decision: Decision = field(compare=False, repr=False)
    votes: tuple[Vote, ...] = field(compare=False, repr=False)

    @property
    def offered(self) -> tuple[str, ...]:
        """The allowed tools in registration order."""
        return tuple(tool for tool in self.tools if tool in self.allowed)

    @property
    def rulings(self) -> dict[str, Ruling]:
        """What was decided on each tool, and by whom."""
        return rulings_of(self.tools, self.votes, self.decision)

    def reason(self, tool: str) -> str | None:
        """What the chat model is told about `tool`, if anything."""
        return dict(self.reasons).get(tool)


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """Nothing is allowed; the rules to blame are in `rulings`."""

    tools: tuple[str, ...]
    decision: Decision = field(compare=False, repr=False)
    votes: tuple[Vote, ...] = field(compare=False, repr=False)

    @property
    def rulings(self) -> dict[str, Ruling]:
        """What was decided on each tool, and by whom."""
        return rulings_of(self.tools, self.votes, self.decision)

    def __str__(self) -> str:
        return "\n".join(["nothing is allowed:", *(f"  {ruling.sentence()}" for ruling in self.rulings.values())])


def make_request(
    tools: Sequence[str], votes: Sequence[Vote], *, answer_is_call: bool = True, extra: Sequence[Rule] = ()
) -> Request | DeadEnd:
    """Fold the rules of all enabled requirements into the next request.

    Args:
        tools: names of all tools, the final answer last.
        votes: the rules of each enabled requirement, in the policy's order.
        answer_is_call: whether the final answer must be a tool call (`final_answer_as_tool`).
        extra: rules of the loop; each outranks every other rule on its tool.

    Raises:
        RequirementError: a rule is about something that is no tool.
    """
    numbers = {tool: number for number, tool in enumerate(tools)}
    votes = _with_extra(votes, extra)
    stances = [(vote.priority, stance_of(vote.rules, numbers, requirement=vote.requirement)) for vote in votes]
    decision = decide(len(numbers), stances, answer_is_call=answer_is_call)
    names = tuple(tools)
    if not decision.allowed:
        return DeadEnd(names, decision, tuple(votes))
    return Request(
        tools=names,
        allowed=frozenset([names[number] for number in members(decision.allowed)]),
        hidden=frozenset([names[number] for number in members(decision.hidden)]),
        tool_choice=_choice_text(names, decision.choice),
        can_stop=not decision.prevents_stop,
        forced=None if decision.forced == NOTHING else names[decision.forced],
        reasons=_reasons(votes),
        decision=decision,
        votes=tuple(votes),
    )


def _choice_text(tools: Sequence[str], choice: int) -> str:
    return tools[choice] if choice >= 0 else "auto" if choice == AUTO else "required"


def _with_extra(votes: Sequence[Vote], extra: Sequence[Rule]) -> Sequence[Vote]:
    for rule in extra:
        about = [vote.priority for vote in votes if any(one.target == rule.target for one in vote.rules)]
        votes = [*votes, Vote(THE_LOOP, "the loop", max(about, default=0) + 1, (rule,))]
    return votes


def _reasons(votes: Sequence[Vote]) -> tuple[tuple[str, str], ...]:
    """Of several reasons on one tool the one of the lowest priority stands, among equals the later requirement's."""
    found: dict[str, str] = {}
    for vote in sorted(votes, key=lambda vote: -vote.priority):
        for rule in vote.rules:
            if rule.reason:
                found[rule.target] = rule.reason
    return tuple(sorted(found.items()))


def without(votes: Sequence[Vote], muted: frozenset[tuple[int, str | None]]) -> list[Vote]:
    """The same votes without the effects whose (requirement index, parameter) is in `muted`."""
    return [replace(vote, rules=tuple(_muted(vote.index, rule, muted) for rule in vote.rules)) for vote in votes]


def _muted(index: int, rule: Rule, muted: frozenset[tuple[int, str | None]]) -> Rule:
    def stands(effect: Effect, *, but: str = "") -> bool:
        named = rule.parameters(effect) or (None,)
        return any((index, parameter) not in muted for parameter in named if parameter != but)

    allowed = rule.allowed or not stands("forbids")
    forced = rule.forced and stands("forces")
    # What a force prevents goes with the force, and what a refusal hides with the refusal.
    hidden = rule.hidden and stands("hides", but="hide_disallowed" if allowed else "")
    prevents_stop = rule.prevent_stop and stands("prevents_stop", but="" if forced else "force_prevent_stop")
    return replace(rule, allowed=allowed, hidden=hidden, forced=forced, prevent_stop=prevents_stop)
