"""What is superfluous in a policy, by brute force: every history up to a length, without tables and without the walk.

Policies are kept as plain specifications, so that one without some parameter is built anew, by leaving it out.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from beewalk import AskPermissionRequirement, ConditionalRequirement, Policy, PolicyError, RequirementError, Tool
from beewalk.policy.state import Run
from beewalk.policy.step import Step, Turn
from beewalk.reasoner.request import Request, make_request
from beewalk.reasoner.ruling import Vote

TOOLS = ("a", "b")
AGAIN = "the next run"

# A requirement: its target, None where it asks for permission, and its parameters.
Spec = tuple[str | None, dict[str, Any]]
Ground = tuple[int, str | None]


def drawn_specs(dice: Random) -> list[Spec]:
    """One to three requirements on two tools and the final answer."""
    return [_drawn(dice) for _ in range(dice.randint(1, 3))]


def _drawn(dice: Random) -> Spec:
    if dice.random() < 0.2:
        flags = {name: True for name in ("remember_choices", "hide_disallowed", "always_allow") if dice.random() < 0.4}
        return None, {"include": [dice.choice(TOOLS)], **flags}
    values: dict[str, Any] = {
        "force_at_step": dice.choice([1, 2, 3, 9]),  # 9: a difference that brute force cannot see
        "only_after": dice.choice([["a"], ["b"], ["*"]]),
        "only_before": dice.choice([["a"], ["b"]]),
        "force_after": dice.choice([["a"], ["b"], ["*"]]),
        "force_prevent_stop": False,
        "min_invocations": dice.randint(1, 2),
        "max_invocations": dice.choice([1, 2, 3, 8]),
        "only_success_invocations": False,
        "consecutive_allowed": False,
        "priority": dice.choice([5, 20]),
    }
    chosen = dice.sample(sorted(values), dice.randint(1, 4))
    return dice.choice([*TOOLS, *TOOLS, "final_answer"]), {name: values[name] for name in chosen}


def policy_of(specs: Sequence[Spec], without: frozenset[Ground] = frozenset()) -> Policy:
    """The policy, without some requirements and parameters.

    Raises:
        PolicyError: there is no such policy.
    """
    return Policy([Tool(name) for name in TOOLS], [one for _, one in _made(specs, without)])


def _made(specs: Sequence[Spec], without: frozenset[Ground]) -> Iterator[tuple[int, Any]]:
    for index, (target, parameters) in enumerate(specs):
        if (index, None) not in without:
            kept = {name: value for name, value in parameters.items() if (index, name) not in without}
            yield (
                index,
                (AskPermissionRequirement(**kept) if target is None else ConditionalRequirement(target, **kept)),
            )


def superfluous(
    specs: Sequence[Spec], grounds: Sequence[Ground], depth: int, gone: Sequence[Ground] = ()
) -> list[Ground]:
    """Those without which no history of up to `depth` moves shows a difference: each alone and all together.

    What is `gone` already stays so when they are taken together.
    """
    alone = [one for one in grounds if difference(specs, frozenset([one]), depth) is None]
    found = frozenset(gone)
    for ground in reversed(alone):
        if difference(specs, found | {ground}, depth) is None:
            found |= {ground}
    return [ground for ground in alone if ground in found]


def judged(specs: Sequence[Spec], gone: Sequence[Ground]) -> list[Ground]:
    """The parameters that are judged: of requirements that are not superfluous themselves; no names, no targets."""
    left = [index for index in range(len(specs)) if (index, None) not in gone]
    return [(index, name) for index in left for name in _judged_names(specs[index])]


def _judged_names(spec: Spec) -> list[str]:
    order = [*_ORDER]
    plain = {"min_invocations": 0, "priority": 10}
    return sorted(
        (name for name, value in spec[1].items() if name in order and plain.get(name) != value), key=order.index
    )


_ORDER = (
    "force_at_step",
    "only_before",
    "only_after",
    "force_after",
    "force_prevent_stop",
    "min_invocations",
    "max_invocations",
    "only_success_invocations",
    "consecutive_allowed",
    "priority",
    "remember_choices",
    "hide_disallowed",
    "always_allow",
)


def difference(specs: Sequence[Spec], without: frozenset[Ground], depth: int) -> list[str] | None:
    """A shortest history of at most `depth` moves after which something else is offered; None where there is none.

    AGAIN is no move: a next run begins there.

    Histories after which all requirements of both policies remember the same are followed once. A policy that cannot
    be built differs at once.
    """
    whole = _Side(policy_of(specs))
    try:
        other = _Side(policy_of(specs, without))
    except PolicyError:
        return []
    ring: list[tuple[list[str], Any, Any]] = [([], whole.start(), other.start())]
    known = {(whole.start(), other.start())}
    while ring:
        after: list[tuple[list[str], Any, Any]] = []
        for history, mine, theirs in ring:
            offered = whole.offer(mine)
            if offered != other.offer(theirs):
                return history
            moves = list(offered[-1]) if offered and len(history) < depth else []
            for move in [*moves, AGAIN]:
                if move == AGAIN:
                    pair = whole.again(mine), other.again(theirs)
                else:
                    pair = whole.after(mine, move), other.after(theirs, move)
                if pair not in known:
                    known.add(pair)
                    after.append(([*history, move], *pair))
        ring = after
    return None


class _Side:
    """A policy as the machines of its requirements."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._machines = [one.machine(policy.tools) for one in policy.requirements]  # type: ignore[attr-defined]
        self._tools = {tool.name: tool for tool in policy.tools}

    def start(self) -> tuple[Any, ...]:
        return tuple(machine.start(Run()) for machine in self._machines)

    def after(self, memories: tuple[Any, ...], move: str) -> tuple[Any, ...]:
        name, _, outcome = move.partition(":")
        turn = Turn(1, (Step.of(self._tools[name], outcome),))
        return tuple(machine.after(memory, turn) for machine, memory in zip(self._machines, memories, strict=True))

    def again(self, memories: tuple[Any, ...]) -> tuple[Any, ...]:
        """The memories with which a next run begins: what the user chose, where that is remembered."""
        return tuple(
            memory if getattr(one, "remember_choices", False) else first
            for one, memory, first in zip(self._policy.requirements, memories, self.start(), strict=True)
        )

    def offer(self, memories: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """What the chat model may do, and the moves that can come next; None where a requirement raises."""
        pairs = list(zip(self._machines, memories, strict=True))
        try:
            votes = [
                Vote(index, one.name, one.priority, tuple(machine.rules(memory)))
                for index, (one, (machine, memory)) in enumerate(zip(self._policy.requirements, pairs, strict=True))
            ]
        except RequirementError:
            return None
        made = make_request(list(self._tools), votes)
        if not isinstance(made, Request):
            return made.decision.hidden, made.decision.prevents_stop, []
        tools = [made.tool_choice] if made.tool_choice in self._tools else list(made.offered)
        moves = [move for tool in tools if tool != "final_answer" for move in self._moves(tool, pairs)]
        return made.allowed, made.hidden, made.tool_choice, made.can_stop, moves

    def _moves(self, tool: str, pairs: list[tuple[Any, Any]]) -> list[str]:
        granted = [machine.permission(memory, tool) for machine, memory in pairs]
        if False in granted:
            return [f"{tool}:denied"]
        return [f"{tool}:ok", f"{tool}:error", *([f"{tool}:denied"] if None in granted else [])]
