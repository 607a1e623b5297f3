"""Random whole runs: a policy, and a chat model with dice that plays on beewalk's agent while its script is noted."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from beewalk import (
    AskPermissionRequirement,
    ConditionalRequirement,
    Limits,
    Loop,
    Policy,
    PolicyError,
    Requirement,
    Tool,
)
from beewalk.chat_models.chat_model import Prompt
from beewalk.policy.call import Call
from beewalk.policy.policy import Answer, RepeatedCalls
from beewalk.turn.conduct import conduct_of
from beewalk.turn.reply import Reply
from beewalk.turn.trajectory import Ending, Trajectory
from tests.support.own_agent import OwnAgent, note_ask, without_nulls
from tests.support.upstream_agent import Record

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
OPTIONAL_CITY = {"type": "object", "properties": {"city": {"type": "string"}}}
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

ANSWERS: tuple[Answer, ...] = ("text", "structured", CITY, OPTIONAL_CITY)
TEXTS = (
    "Sounds nice.",
    '{"response": "so"}',
    'It is {"city": "x"}.',
    '{"city": 5}',
    "{}",
    "{,}",
    "{city: 'y'",
    "see {a}",
)

ANSWER_CALLS = ('{"response": "done"}', '{"response": "done", "city": "x"}', '{"n": 1}')

# What a chat model mostly does when it misbehaves: rare kinds of run are met often enough with these.
FAVOURITES = ("text", "text", "silence", *["several"] * 5, "unoffered", "repeat", "nothing", "any", "any")

# The kinds of run of which enough must have been met.
KINDS = (
    "tool error",
    "denial",
    "text",
    "silence",
    "nothing",
    "repeat",
    "unoffered",
    "several calls, parallel on",
    "several calls, parallel off",
    "auto",
    "structured answer",
    "dropped requirements",
    "tool crash",
    "second run",
)


@dataclass(frozen=True)
class Drawn:
    """What one comparison plays: two runs of `policy` where `twice`."""

    policy: Policy
    outcomes: Mapping[str, Sequence[str]]
    permissions: Mapping[str, Sequence[bool]]
    seed: int
    twice: bool


def drawn_run(base: Policy, dice: Random) -> Drawn | None:
    """A run of `base`, its loop, limits, answers and outcomes being drawn with `dice`; None where that is refused."""
    tools = [_tool(tool, dice) for tool in base.tools[:-1]]
    try:
        policy = Policy(
            tools,
            _kept(base, dice),
            limits=Limits(dice.choice([3, 6, 12, 0]), dice.choice([0, 1, 2, 2, 3]), dice.choice([0, 3, 20])),
            loop=Loop(dice.random() < 0.3, dice.random() < 0.5, dice.choice([RepeatedCalls(), None, _odd(dice)])),
            answer=dice.choice(ANSWERS),
            input="go",
        )
    except PolicyError:
        return None
    names = [tool.name for tool in tools]
    outcomes = {name: dice.choices(["ok", "error", "crash"], weights=[10, 4, 1], k=4) for name in names}
    permissions = {name: dice.choices([True, False], k=3) for name in names}
    binds_again = all(getattr(one, "target", "") != "final_answer" for one in policy.requirements)
    return Drawn(policy, outcomes, permissions, dice.randrange(2**32), twice=binds_again and dice.random() < 0.4)


def _tool(tool: Tool, dice: Random) -> Tool:
    """The same tool, sometimes with a schema."""
    return Tool(tool.name, arguments=NUMBER) if tool.name == "a" and dice.random() < 0.5 else tool


def _kept(base: Policy, dice: Random) -> list[Requirement[Any]]:
    """The requirements, and sometimes one that asks permission, because a drawn policy seldom has one."""
    asking = AskPermissionRequirement([], remember_choices=dice.random() < 0.5, hide_disallowed=dice.random() < 0.5)
    has_one = any(isinstance(one, AskPermissionRequirement) for one in base.requirements)
    kept = [one for one in base.requirements if not isinstance(one, ConditionalRequirement) or _is_plain(one)]
    return [*kept, *([asking] if not has_one and dice.random() < 0.3 else [])]


def _is_plain(one: ConditionalRequirement) -> bool:
    """Targets by name or class still match once tools are replaced; instances would not."""
    return not any(isinstance(target, Tool) for target in (*one.only_after, *one.only_before, *one.force_after))


def _odd(dice: Random) -> RepeatedCalls:
    return RepeatedCalls(dice.randint(1, 3), dice.randint(1, 4), dice.randint(1, 8))


class Dice:
    """A chat model that mostly obeys; `script` has what it said, exceptions included.

    With `distinct` no reply calls a tool twice: who is asked first, and which call gets which outcome, is then not left
    to the order in which the framework's tasks happen to run.
    """

    def __init__(self, seed: int, *, distinct: bool) -> None:
        self.distinct = distinct
        self.dice = Random(seed)
        self.script: list[Reply | Exception] = []
        self.asks: list[tuple[tuple[str, ...], str, int]] = []
        self.made: list[Call] = []
        self.misbehaves = self.dice.choice([0.3, 0.5, 0.8])
        self.favourite = self.dice.choice(FAVOURITES)

    def reply(self, prompt: Prompt) -> Reply:
        note_ask(self.asks, prompt)
        said = self._said(prompt)
        self.script.append(said)
        if isinstance(said, Exception):
            raise said
        self.made += said.calls
        return said

    def _said(self, prompt: Prompt) -> Reply | Exception:
        if len(self.script) > 60:
            return Reply()  # nothing at all ends a run that would not end
        if prompt.request.tool_choice == "auto" and self.dice.random() < 0.3:
            return Reply((), "")  # requirements are dropped
        if self.dice.random() > self.misbehaves:
            return Reply((self._obedient(prompt),))
        kinds = ["text", "silence", "nothing", "unoffered", "several", "repeat", "raise", "malformed", "aside"]
        weights = [6, 6, 2, 5, 3, 6, 1, 1, 2]
        kind = self.favourite if self.favourite != "any" else self.dice.choices(kinds, weights=weights)[0]
        return self._misbehaved(kind, prompt)

    def _misbehaved(self, kind: str, prompt: Prompt) -> Reply | Exception:
        if kind in {"text", "silence"}:
            return Reply((), self.dice.choice(TEXTS) if kind == "text" else "")
        if kind == "raise":
            return RuntimeError("busy")
        if kind == "repeat" and self.made:
            return Reply((self.dice.choice(self.made[-3:]),))
        if kind == "several":
            calls = [self._obedient(prompt) for _ in range(self.dice.randint(2, 4))]
            return Reply(tuple({call.tool: call for call in calls}.values() if self.distinct else calls))
        if kind == "unoffered":
            return Reply((self._call(self.dice.choice([*[tool.name for tool in prompt.all_tools], "ghost"])),))
        return self._odd(kind, prompt)

    def _odd(self, kind: str, prompt: Prompt) -> Reply:
        if kind == "malformed":
            return Reply((Call(self._obedient(prompt).tool, self.dice.choice(['{"n": 1', "five", "[1]", "{n: 2}"])),))
        return Reply() if kind == "nothing" else Reply((self._obedient(prompt),), "By the way.")

    def _obedient(self, prompt: Prompt) -> Call:
        choice = prompt.request.tool_choice
        names = [tool.name for tool in prompt.tools] if choice in {"auto", "required"} else [choice]
        return self._call(self.dice.choice(names))

    def _call(self, tool: str) -> Call:
        """A call whose arguments are sometimes seen before, and sometimes do not fit."""
        number = self.dice.choice([1, 2, 1000 + len(self.script) * 10 + self.dice.randrange(10)])
        if tool == "final_answer":
            return Call(tool, self.dice.choice(ANSWER_CALLS))
        return Call.of(tool, {"n": number if self.dice.random() < 0.9 else "many"})


def play(drawn: Drawn) -> tuple[list[Record], list[Trajectory], Dice]:
    """The run, or both runs, on beewalk's agent."""
    asks = any(isinstance(one, AskPermissionRequirement) for one in drawn.policy.requirements)
    chat_model = Dice(drawn.seed, distinct=asks)
    agent = OwnAgent(drawn.policy, chat_model, chat_model.asks, outcomes=drawn.outcomes, permissions=drawn.permissions)
    runs = [agent.run() for _ in range(2 if drawn.twice else 1)]
    return [record for record, _ in runs], [trajectory for _, trajectory in runs], chat_model


def kinds_of(drawn: Drawn, trajectories: Sequence[Trajectory]) -> Counter[str]:
    """Which of KINDS this was, each once."""
    found = {kind for trajectory in trajectories for kind in _kinds(drawn, trajectory)}
    return Counter(found | ({"second run"} if drawn.twice else set()))


def _kinds(drawn: Drawn, trajectory: Trajectory) -> Iterator[str]:
    outcomes = {step.outcome for step in trajectory.steps}
    words = {"error": "tool error", "denied": "denial"}
    yield from (kind for outcome, kind in words.items() if outcome in outcomes)
    if trajectory.ends is Ending.TOOL_CRASH:
        yield "tool crash"
    for offered in trajectory.offers:
        if offered.request.tool_choice == "auto":
            yield "auto"
        for asked in offered.asks:
            if asked.reply is not None:
                yield from _kinds_of_reply(drawn, offered.request, asked.reply)
    extra = [vote for offered in trajectory.offers for vote in offered.request.votes if vote.index < 0]
    for vote in extra:
        yield "repeat" if not vote.rules[0].allowed else "dropped requirements"
    if drawn.policy.answer != "text" and trajectory.answer is not None:
        yield "structured answer"


def _kinds_of_reply(drawn: Drawn, request: object, reply: Reply) -> Iterator[str]:
    if reply.kind != "calls":
        yield reply.kind
    if len(reply.calls) > 1:
        yield f"several calls, parallel {'on' if drawn.policy.loop.parallel_tool_calls else 'off'}"
    found = conduct_of(reply, request, parallel=True, repeats=frozenset())  # type: ignore[arg-type]  # a Request
    if "unoffered" in found:
        yield "unoffered"


def comparable(record: Record) -> Record:
    """The record with an answer in which nothing is null, and questions of parallel calls in one order."""
    questions = tuple(sorted(record.permissions))
    return replace(record, answer=str(without_nulls(record.answer)), permissions=questions)
