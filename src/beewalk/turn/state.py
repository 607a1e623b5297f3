"""The state of the loop, between an effect and the event that answers it."""

from dataclasses import dataclass
from typing import NamedTuple

from beewalk.policy.policy import Policy
from beewalk.policy.rule import Rule
from beewalk.policy.step import Turn
from beewalk.policy.tool import Tool
from beewalk.reasoner.request import Request
from beewalk.turn.boundary import Rejected
from beewalk.turn.cycles import Checker, Window
from beewalk.turn.events import Question, Result, Rules
from beewalk.turn.reply import Reply


@dataclass(frozen=True)
class Terms:
    """What is fixed for a whole run.

    `max_iterations` 0 is no bound. `turn_retries` failures are survived in one turn, `total_retries` in the run.
    """

    tools: tuple[Tool, ...]
    max_iterations: int
    turn_retries: int
    total_retries: int
    answer_is_call: bool
    parallel: bool
    structured: bool
    checker: Checker

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all tools, the final answer last."""
        return tuple(tool.name for tool in self.tools)


def terms_of(policy: Policy) -> Terms:
    """The terms that `policy` sets for a run."""
    turn_retries = policy.limits.max_retries_per_step or 0
    return Terms(
        tools=policy.tools,
        max_iterations=policy.limits.max_iterations or 0,
        turn_retries=turn_retries,
        total_retries=max(turn_retries, policy.limits.total_max_retries or 0),
        answer_is_call=policy.loop.final_answer_as_tool,
        parallel=policy.loop.parallel_tool_calls,
        structured=policy.answer != "text",
        checker=Checker(policy.loop.repeated_calls),
    )


class LoopMemory(NamedTuple):
    """What the loop itself remembers when it is about to make a request: all that later requests depend on.

    `extra` are the loop's own rules for the request that comes next.
    """

    window: Window = Window()
    dropped: bool = False
    answer_is_call: bool = True
    extra: tuple[Rule, ...] = ()


class LoopState(NamedTuple):
    """Where a run is.

    `turn`, `number` (of the request) and `asked` (asks of the run) count from 1; `ask` counts the asks of the request.
    `turn_failures` and `failures` are the charges on both budgets. `reply` is the accepted reply, a call a step;
    `questions` wait for the user, `refused` are the places of its calls that were not permitted. `finished` holds the
    results once the calls ran.
    """

    terms: Terms
    loop: LoopMemory
    turn: int = 0
    number: int = 0
    asked: int = 0
    ask: int = 0
    turn_failures: int = 0
    failures: int = 0
    rules: Rules = Rules()
    request: Request | None = None
    rejected: tuple[Rejected, ...] = ()
    reply: Reply = Reply()
    questions: tuple[Question, ...] = ()
    refused: frozenset[int] = frozenset()
    finished: Turn | None = None
    answer: Result | None = None
