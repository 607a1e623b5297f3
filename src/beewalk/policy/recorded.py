"""A run state that notes what requirement code reads of it."""

from collections.abc import Iterator, Sequence
from typing import Any, SupportsIndex

from beewalk.policy.messages import Memory, Message, UserMessage
from beewalk.policy.state import RequirementAgentRunState, Run
from beewalk.policy.step import Step, Turn
from beewalk.policy.tool import Tool

_IN_ORDER = ("tool", "name", "outcome", "output", "error", "input", "iteration")
_STEP_FIELDS = frozenset(_IN_ORDER)


class Reads:
    """What was read: `of_run` holds words for parts of the state, `of_steps` names of step attributes.

    The words: "input", "memory" (its messages), "iteration", "emptiness" (are there steps), "last" (the last step),
    "length" (how many steps), "steps" (any others). `wrote`: messages were added.
    """

    def __init__(self) -> None:
        self.of_run: set[str] = set()
        self.wrote = False
        self.of_steps: set[str] = set()


class RecordedState(RequirementAgentRunState):
    """A state whose reads are noted in `reads`; its turns should hold recorded steps."""

    def __init__(self, run: Run, tools: Sequence[Tool], turns: Sequence[Turn], reads: Reads) -> None:
        self._reads = Reads()  # the base class reads while it sets up, which is not to be noted
        super().__init__(run, tools, turns)
        self._reads = reads
        self.steps = _RecordedSteps(self.steps, reads)

    def __getattribute__(self, name: str) -> Any:
        if name in {"iteration", "turns"}:
            object.__getattribute__(self, "_reads").of_run.add("iteration" if name == "iteration" else "steps")
        return object.__getattribute__(self, name)

    @property
    def memory(self) -> Memory:
        """The conversation; only reading its messages is noted, not adding to them."""
        if self._memory is None:
            self._memory = _RecordedMemory(self._unnoted_conversation(), self._reads)
        return self._memory

    @property
    def input(self) -> UserMessage:
        """The last user message; reading it is not reading the conversation."""
        self._reads.of_run.add("input")
        messages = object.__getattribute__(self.memory, "messages")
        return next(message for message in reversed(messages) if isinstance(message, UserMessage))

    def _unnoted_conversation(self) -> list[Message]:
        turns = object.__getattribute__(self, "turns")
        plain = [Turn(turn.number, tuple(map(plain_step, turn.steps))) for turn in turns]
        return RequirementAgentRunState(self.run, self.tools, plain).memory.messages


class _RecordedMemory(Memory):
    def __init__(self, messages: list[Message], reads: Reads) -> None:
        super().__init__(messages)
        self._reads = reads

    def __getattribute__(self, name: str) -> Any:
        if name == "messages":
            object.__getattribute__(self, "_reads").of_run.add("memory")
        return object.__getattribute__(self, name)

    async def add(self, message: Message, index: int | None = None) -> None:
        """Writing alone is not reading."""
        object.__getattribute__(self, "_reads").wrote = True
        messages: list[Message] = object.__getattribute__(self, "messages")
        messages.insert(len(messages) if index is None else index, message)


class RecordedStep(Step):
    """A step whose attributes are looked up in the step it stands for, and noted."""

    __slots__ = ("_reads",)

    def __init__(self, step: Step, reads: Reads) -> None:
        super().__init__(step.tool, step.name, step.outcome, step.output, step.error, step.input, step.iteration)
        object.__setattr__(self, "_reads", reads)

    def __getattribute__(self, name: str) -> Any:
        if name in _STEP_FIELDS:
            object.__getattribute__(self, "_reads").of_steps.add(name)
        return object.__getattribute__(self, name)


def plain_step(step: Step) -> Step:
    """The same step, without notes."""
    values = (object.__getattribute__(step, name) for name in _IN_ORDER)
    return Step(*values)


class _RecordedSteps(list[Step]):
    def __init__(self, steps: list[Step], reads: Reads) -> None:
        super().__init__(steps)
        self._reads = reads

    def __bool__(self) -> bool:
        self._reads.of_run.add("emptiness")
        return super().__len__() > 0

    def __len__(self) -> int:
        self._reads.of_run.add("length")
        return super().__len__()

    def __iter__(self) -> Iterator[Step]:
        self._reads.of_run.add("steps")
        return super().__iter__()

    def __reversed__(self) -> Iterator[Step]:
        self._reads.of_run.add("steps")
        return super().__reversed__()

    def __contains__(self, item: object) -> bool:
        self._reads.of_run.add("steps")
        return super().__contains__(item)

    def __getitem__(self, index: SupportsIndex | slice) -> Any:
        is_last = index == -1 or (
            isinstance(index, slice) and (index.start, index.stop) == (-1, None) and index.step is None
        )
        self._reads.of_run.add("last" if is_last else "steps")
        return super().__getitem__(index)


def _noting(name: str) -> Any:
    """A list method under its own name that counts as reading all steps."""

    def method(self: _RecordedSteps, *arguments: Any) -> Any:
        self._reads.of_run.add("steps")
        return getattr(list, name)(self, *arguments)

    method.__name__ = name
    return method


for _name in ("__add__", "__eq__", "__ne__", "__mul__", "__rmul__", "copy", "count", "index"):
    setattr(_RecordedSteps, _name, _noting(_name))
