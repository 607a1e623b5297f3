"""Inferred memory: from a requirement of unknown code to a machine, and what was found out on the way."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType
from typing import Any

from beewalk.errors import BeewalkError
from beewalk.policy.blackbox import BlackBox, Letter, Word, letter_of, word_text
from beewalk.policy.learned import Automaton, last_letter, learn
from beewalk.policy.machine import ExactMachine, Machine
from beewalk.policy.requirement import Requirement
from beewalk.policy.rule import Rule
from beewalk.policy.state import Run
from beewalk.policy.step import Turn
from beewalk.policy.tool import Tool

DEPTH = 4  # how often in a row a turn is tried where the code shows no number to compare with
MAX_DEPTH = 24


class MergeError(BeewalkError):
    """`remembers(state)` calls two histories the same that are not."""

    slug = "merge-error"

    def __init__(self, requirement: str, one: Word, other: Word, what: str) -> None:
        super().__init__(
            f"{requirement!r}: remembers(state) is the same after {word_text(one)} and {word_text(other)}, "
            f"but {what}: let remembers() return more"
        )
        self.parts = (requirement, one, other, what)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self.parts


@dataclass(frozen=True)
class Inferred:
    """A machine for a requirement of unknown code, what is said of it, and whether it is finite."""

    machine: Machine[Any]
    note: str
    finite: bool
    reads: frozenset[str]


def infer(requirement: Requirement[Any], tools: Sequence[Tool], run: Run, letters: Sequence[Letter]) -> Inferred:
    """Find out what of the history the requirement's rules depend on.

    Args:
        requirement: any requirement; its code is run many times, its attributes are as before afterwards.
        tools: all tools, the final answer last.
        run: what the run starts from.
        letters: every turn that can happen.
    """
    try:
        box = BlackBox(requirement, tools, run)
    except TypeError as error:
        raise BeewalkError(f"{requirement.name!r} cannot be set back to an earlier state: {error}") from error
    if hasattr(requirement, "remembers"):
        box.stop_noting()
        note = "remembers what its remembers(state) returns; compared wherever two histories meet"
        return Inferred(DeclaredMachine(box, tuple(letters)), note, True, frozenset())
    for word in _short_words(letters):
        box.answer(word)
    reads = frozenset(box.reads.of_run)
    if not box.stateful and reads <= {"input", "last", "emptiness"}:
        note = f"looks only at {_what_is_read(box)}" if reads else "does not look at the run"
        return Inferred(AutomatonMachine(last_letter(box, letters)), note, True, _all_reads(box))
    automaton = learn(box, letters, depth=_depth(requirement))
    looks = f"looks at {_what_is_read(box)}"
    if automaton is None:
        note = f"{looks}; needs the whole history: no two histories are merged"
        box.stop_noting()
        return Inferred(HistoryMachine(box), note, False, _all_reads(box))
    note = (
        f"{looks}; {len(automaton.answers)} memories, learned and checked on {automaton.histories} histories "
        f"of up to {automaton.longest} turns"
    )
    return Inferred(AutomatonMachine(automaton), note, True, _all_reads(box))


def _all_reads(box: BlackBox) -> frozenset[str]:
    return frozenset(box.reads.of_run | {f"step.{name}" for name in box.reads.of_steps})


def _short_words(letters: Sequence[Letter]) -> Iterator[Word]:
    yield ()
    for letter in letters:
        yield (letter,)
        yield from ((letter, other) for other in letters)


def _what_is_read(box: BlackBox) -> str:
    parts = {
        "input": "the input",
        "emptiness": "whether anything was called",
        "last": "the last step",
        "length": "the number of steps",
        "iteration": "the iteration",
        "steps": "all steps",
        "memory": "the messages",
    }
    found = [text for word, text in parts.items() if word in box.reads.of_run]
    if box.stateful:
        found.append("its own attributes")
    fields = sorted(box.reads.of_steps)
    shown = f" (of a step: {', '.join(fields)})" if fields else ""
    return (", ".join(found) or "nothing of the run") + shown


def _depth(requirement: Requirement[Any]) -> int:
    """One more than the greatest number that the code could compare a count with, within reason."""
    numbers = [number for number in _numbers_of(requirement) if 0 < number < MAX_DEPTH]
    return max([DEPTH, *numbers]) + 1


def _numbers_of(requirement: Requirement[Any]) -> Iterator[int]:
    run = type(requirement).run
    yield from _numbers_in(getattr(run, "code_of", run))
    own = {name: value for name, value in vars(requirement).items() if name != "_priority"}
    for value in own.values():
        yield from _numbers_in(value)
        if isinstance(value, list | tuple | set | frozenset):
            for item in value:
                yield from _numbers_in(item)


def _numbers_in(value: Any) -> Iterator[int]:
    if isinstance(value, MethodType):
        value = value.__func__
    if isinstance(value, int) and not isinstance(value, bool):
        yield value
    elif isinstance(value, FunctionType):
        yield from _numbers_in(value.__code__)
        for default in (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()):
            yield from _numbers_in(default)
        for cell in value.__closure__ or ():
            if isinstance(cell.cell_contents, int | FunctionType) and cell.cell_contents is not value:
                yield from _numbers_in(cell.cell_contents)
    elif isinstance(value, CodeType):
        for constant in value.co_consts:
            yield from _numbers_in(constant)


class AutomatonMachine(ExactMachine):
    """A machine whose memories are the numbers of an automaton."""

    def __init__(self, automaton: Automaton) -> None:
        self._automaton = automaton

    def start(self, run: Run) -> int:  # noqa: ARG002 - the automaton was made for one run
        """The first memory."""
        return 0

    def after(self, memory: int, turn: Turn) -> int:
        """The memory that the automaton steps to."""
        return self._automaton.step[memory][letter_of(turn)]

    def rules(self, memory: int) -> tuple[Rule, ...]:
        """What the requirement said when it was asked."""
        return self._automaton.answers[memory].rules_or_raise()


class HistoryMachine(ExactMachine):
    """A machine that remembers everything."""

    def __init__(self, box: BlackBox) -> None:
        self._box = box

    def start(self, run: Run) -> Word:  # noqa: ARG002 - the box was made for one run
        """The empty history."""
        return ()

    def after(self, memory: Word, turn: Turn) -> Word:
        """One turn more."""
        return (*memory, letter_of(turn))

    def rules(self, memory: Word) -> tuple[Rule, ...]:
        """What the requirement says after this history."""
        return self._box.answer(memory).rules_or_raise()


class Recalled:
    """What `remembers(state)` returned, with the history it was returned for; equal where the former is."""

    __slots__ = ("key", "word")

    def __init__(self, key: Hashable, word: Word) -> None:
        self.key = key
        self.word = word

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recalled) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class DeclaredMachine(ExactMachine):
    """A machine whose memory is what the requirement's author says it is."""

    def __init__(self, box: BlackBox, letters: tuple[Letter, ...]) -> None:
        self._box = box
        self._letters = letters

    def start(self, run: Run) -> Recalled:  # noqa: ARG002 - the box was made for one run
        """What is remembered before anything happened."""
        return self._recalled(())

    def after(self, memory: Recalled, turn: Turn) -> Recalled:
        """What is remembered one turn later."""
        return self._recalled((*memory.word, letter_of(turn)))

    def rules(self, memory: Recalled) -> tuple[Rule, ...]:
        """What the requirement says after a history that is remembered so."""
        return self._box.answer(memory.word).rules_or_raise()

    def confirm(self, kept: Recalled, other: Recalled) -> None:  # type: ignore[override]
        """Compare the rules after both histories, and what is remembered after each further turn.

        Raises:
            MergeError: they differ.
        """
        if kept.word == other.word:
            return
        name = self._box.requirement.name
        if self._box.answer(kept.word).meaning != self._box.answer(other.word).meaning:
            raise MergeError(name, kept.word, other.word, "the rules differ")
        for letter in self._letters:
            if self._recalled((*kept.word, letter)) != self._recalled((*other.word, letter)):
                raise MergeError(name, kept.word, other.word, f"not any more once {word_text((letter,))} follows both")

    def _recalled(self, word: Word) -> Recalled:
        return Recalled(self._box.remembered(word), word)
