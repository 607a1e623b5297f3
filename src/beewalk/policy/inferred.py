"""Inferred memory: from a requirement of unknown code to a machine, and what was found out on the way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType
from typing import Any

from beewalk.policy.blackbox import BlackBox, Letter, Word, letter_of
from beewalk.policy.declared import DeclaredMachine, check_declared
from beewalk.policy.learned import Automaton, last_letter, learn
from beewalk.policy.machine import ExactMachine, Machine
from beewalk.policy.requirement import Evaluate, Requirement
from beewalk.policy.rule import Rule
from beewalk.policy.state import Run
from beewalk.policy.step import Turn
from beewalk.policy.tool import Tool

REPEATS = 3  # how often the same is asked again, to notice dice and clocks
DEPTH = 4  # how often in a row a turn is tried where the code shows no number to compare with
MAX_DEPTH = 64

_LAST_STEP_ONLY = frozenset(
    {"input", "last", "emptiness", "step.tool", "step.name", "step.outcome", "step.output", "step.error", "step.input"}
)


@dataclass(frozen=True)
class Inferred:
    """A machine for a requirement of unknown code, what is said of it, and whether it is finite.

    `impure` is a history after which the code said different things, None where none was met. `writes`: it adds
    messages, which are no rules.
    """

    machine: Machine[Any]
    note: str
    finite: bool
    reads: frozenset[str]
    impure: Word | None = None
    writes: bool = False


def infer(
    requirement: Requirement[Any],
    tools: Sequence[Tool],
    run: Run,
    letters: Sequence[Letter],
    evaluate: Evaluate | None = None,
) -> Inferred:
    """Find out what of the history the requirement's rules depend on.

    Args:
        requirement: any requirement; its code is run many times, its attributes are as before afterwards.
        tools: all tools, the final answer last.
        run: what the run starts from.
        letters: every turn that can happen.
        evaluate: runs code that waits.
    """
    box = BlackBox(requirement, tools, run, evaluate)
    depth = _depth(requirement)
    if hasattr(requirement, "remembers"):
        box.stop_noting()
        check_declared(box, letters, depth=depth)
        note = "remembers what its remembers(state) returns; compared wherever two histories meet"
        return Inferred(DeclaredMachine(box, tuple(letters)), note, True, frozenset())
    for word in _short_words(letters):
        box.answer(word)
    reads = _all_reads(box)
    impure = _changing_word(box, letters)
    if box.uncopied or impure is not None:
        cannot = f"keeps what cannot be copied ({', '.join(box.uncopied)})"
        unsure = cannot if box.uncopied else "says different things after the same history"
        return Inferred(
            HistoryMachine(box), f"{unsure}; no two histories are merged", False, reads, impure, box.reads.wrote
        )
    if not box.stateful and reads <= _LAST_STEP_ONLY:
        note = f"looks only at {_what_is_read(box)}" if reads else "does not look at the run"
        return Inferred(AutomatonMachine(last_letter(box, letters)), note, True, reads, writes=box.reads.wrote)
    automaton = learn(box, letters, depth=depth)
    looks = f"looks at {_what_is_read(box)}"
    if automaton is None:
        box.stop_noting()
        note = f"{looks}; needs the whole history: no two histories are merged"
        return Inferred(HistoryMachine(box), note, False, reads)
    count = len(automaton.answers)
    memories = "1 memory" if count == 1 else f"{count} memories"
    checked = f"learned and checked on {automaton.histories:,} histories of up to {automaton.longest} turns"
    return Inferred(AutomatonMachine(automaton), f"{looks}; {memories}, {checked}", True, reads, writes=box.reads.wrote)


def _changing_word(box: BlackBox, letters: Sequence[Letter]) -> Word | None:
    """A history after which the requirement says different things when asked again; None where it does not."""
    words: list[Word] = [(), *((letter,) for letter in letters)]
    for word in () if box.uncopied else words:
        if any(box.answer_again(word).meaning != box.answer(word).meaning for _ in range(REPEATS)):
            return word
    return None


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
    *others, last = found or ["nothing of the run"]
    listed = f"{', '.join(others)} and {last}" if others else last
    fields = sorted(box.reads.of_steps)
    shown = f" (of a step: {', '.join(fields)})" if fields else ""
    return listed + shown


def _depth(requirement: Requirement[Any]) -> int:
    """One more than the greatest number that the code could compare a count with, within reason."""
    numbers = [number for number in _numbers_of(requirement) if 0 < number < MAX_DEPTH]
    return max([DEPTH, *numbers]) + 1


def _numbers_of(requirement: Requirement[Any]) -> Iterator[int]:
    run = type(requirement).run
    yield from _numbers_in(getattr(run, "code_of", run))
    of_class = [value for kind in type(requirement).__mro__ if kind is not Requirement for value in vars(kind).values()]
    own = [value for name, value in vars(requirement).items() if name != "_priority"]
    for value in [*of_class, *own]:
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
        around = [cell.cell_contents for cell in value.__closure__ or ()]
        around += [value.__globals__.get(name) for name in value.__code__.co_names]
        for one in around:
            if isinstance(one, int):
                yield from _numbers_in(one)
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
