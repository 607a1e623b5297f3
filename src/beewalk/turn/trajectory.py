"""Trajectory: what a run did, as a value."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from beewalk.policy.step import Step, Turn
from beewalk.policy.tool import OK
from beewalk.reasoner.request import DeadEnd, Request
from beewalk.turn.reply import Reply


class Ending(StrEnum):
    """How a run ended."""

    FINAL_ANSWER = "final_answer"
    DEAD_END = "dead_end"
    REQUIREMENT_ERROR = "requirement_error"
    ITERATION_LIMIT = "iteration_limit"
    RETRY_LIMIT = "retry_limit"
    CHAT_MODEL_ERROR = "chat_model_error"
    TOOL_CRASH = "tool_crash"
    BINDING_ERROR = "binding_error"
    FRAMEWORK_ERROR = "framework_error"


@dataclass(frozen=True, slots=True)
class Asked:
    """One call of the chat model: what it replied, None where it raised, and why the loop would not have it."""

    reply: Reply | None
    rejected: str | None = None


@dataclass(frozen=True, slots=True)
class Offered:
    """One request of turn `turn`, and how the chat model was asked with it."""

    turn: int
    request: Request
    asks: tuple[Asked, ...] = ()


@dataclass(frozen=True)
class Trajectory:
    """The finished turns of a run, its requests in order, and how it ended.

    `message` says in words why it ended; `answer` is the text of the final answer, None where there is none, and
    `result` the arguments that the final answer was called with. `dead_end` has the rulings where nothing was
    allowed. A trajectory equals a list of moves, in which a bare tool name stands for any outcome.
    """

    turns: tuple[Turn, ...]
    offers: tuple[Offered, ...]
    ends: Ending
    message: str = ""
    answer: str | None = None
    result: Any = None
    dead_end: DeadEnd | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """All finished calls, in order."""
        return tuple(step for turn in self.turns for step in turn.steps)

    @property
    def moves(self) -> list[str]:
        """The steps as text: `tool`, or `tool:outcome` where the outcome is not ok."""
        return [move_text(step) for step in self.steps]

    def request(self, number: int) -> Request:
        """Request `number` of the run, from 1.

        Raises:
            IndexError: the run made fewer.
        """
        if not 1 <= number <= len(self.offers):
            raise IndexError(f"there is no request {number}: the run made {len(self.offers)}")
        return self.offers[number - 1].request

    def __eq__(self, other: object) -> bool:
        if isinstance(other, list | tuple):
            return len(other) == len(self.steps) and all(map(_is_move, self.steps, other))
        if not isinstance(other, Trajectory):
            return NotImplemented
        return self._told == other._told

    @property
    def _told(self) -> tuple[object, ...]:
        """All that makes a run, errors and outputs as their texts."""
        steps = [
            (step.iteration, move_text(step), step.input, str(step.output), str(step.error)) for step in self.steps
        ]
        return steps, self.offers, self.ends, self.answer

    def __hash__(self) -> int:
        return hash((self.ends, self.answer, tuple(self.moves)))

    def __str__(self) -> str:
        return turns_text(self.turns)

    def __iter__(self) -> Iterator[str]:
        return iter(self.moves)


def turns_text(turns: Iterable[Turn]) -> str:
    """The calls of finished turns, those of one turn joined by `&`."""
    return " ".join(" & ".join(map(move_text, turn.steps)) for turn in turns)


def move_text(step: Step) -> str:
    """A step as trajectories write it.

    Example:
        >>> move_text(Step.unoffered("ghost"))
        'ghost:unoffered'
    """
    return step.name if step.outcome == OK else f"{step.name}:{step.outcome}"


def _is_move(step: Step, text: object) -> bool:
    if step.tool is None:
        return text == move_text(step)
    return text in (step.name, f"{step.name}:{step.outcome}")
