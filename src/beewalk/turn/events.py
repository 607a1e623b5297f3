"""Events and effects: what the loop is told, and what it asks to be done.

A run is their sequence: an effect, the event that answers it, the next effect. Listeners of a runner get all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from beewalk.errors import RequirementError
from beewalk.policy.call import Call
from beewalk.policy.step import ToolError, ToolOutput, Turn
from beewalk.reasoner.request import DeadEnd, Request
from beewalk.reasoner.ruling import Vote
from beewalk.turn.boundary import Rejected
from beewalk.turn.reply import Reply
from beewalk.turn.trajectory import Ending


@dataclass(frozen=True, slots=True)
class Permission:
    """What stands before a call of a tool: an earlier refusal, and the requirements (by place) that have to ask."""

    refused: bool = False
    ask: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rules:
    """What the requirements say for one request: the votes of the enabled ones, and permissions by tool name.

    Tools that are not in `permissions` run unasked. Votes are empty once the requirements are dropped; permissions
    stay.
    """

    votes: tuple[Vote, ...] = ()
    permissions: Mapping[str, Permission] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """What a call that ran came to; a valid final answer has its text in `answer` and its arguments in `value`."""

    outcome: str
    output: ToolOutput = field(default_factory=ToolOutput)
    error: ToolError | None = None
    answer: str | None = None
    value: Any = None


@dataclass(frozen=True, slots=True)
class MakeRules:
    """Run the requirements for the next request of turn `turn`; where they are dropped, only look up permissions."""

    turn: int
    dropped: bool


@dataclass(frozen=True, slots=True)
class Ruled:
    """The requirements were run."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class Raised:
    """A requirement raised."""

    error: RequirementError


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the chat model: ask `ask` (from 1) of request `number` (from 1) of the run, in turn `turn`.

    `asked` counts the asks of the whole run; `rejected` are the replies to this request that were not taken.
    """

    turn: int
    number: int
    ask: int
    asked: int
    request: Request
    rejected: tuple[Rejected, ...] = ()


@dataclass(frozen=True, slots=True)
class Replied:
    """The chat model replied."""

    reply: Reply


@dataclass(frozen=True, slots=True)
class Failed:
    """The chat model raised; where `fatal`, it is not asked again."""

    why: str
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """Whether `call` may run, to be asked by the requirement at place `requirement`."""

    call: Call
    requirement: int


@dataclass(frozen=True, slots=True)
class AskPermission:
    """Ask the user each question."""

    turn: int
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Permitted:
    """What the user answered, a truth value a question."""

    granted: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class RunCalls:
    """Run these calls at the same time."""

    turn: int
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Ran:
    """What the calls came to, in their order."""

    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Crashed:
    """A tool raised what is no failure of a call but ends the run, as an agent inside a tool does."""

    why: str


@dataclass(frozen=True, slots=True)
class Finish:
    """Keep the finished turn: its steps, and the reply they come from, one call a step."""

    turn: Turn
    reply: Reply
    asked: int


@dataclass(frozen=True, slots=True)
class Kept:
    """The turn is kept."""


@dataclass(frozen=True, slots=True)
class End:
    """The run is over; see Trajectory for the fields."""

    ends: Ending
    message: str
    answer: str | None = None
    value: Any = None
    dead_end: DeadEnd | None = None


Effect = MakeRules | Ask | AskPermission | RunCalls | Finish | End
Event = Ruled | Raised | Replied | Failed | Permitted | Ran | Crashed | Kept
