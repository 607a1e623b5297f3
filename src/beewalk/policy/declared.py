"""Declared memory: what a requirement's own `remembers(state)` says, checked against what the requirement does."""

from collections.abc import Hashable, Sequence

from beewalk.errors import BeewalkError
from beewalk.policy.blackbox import BlackBox, Letter, Word, letter_of, word_text
from beewalk.policy.learned import TRIAL_WORK, trials
from beewalk.policy.machine import ExactMachine
from beewalk.policy.rule import Rule
from beewalk.policy.state import Run
from beewalk.policy.step import Turn


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

    def confirm(self, kept: Recalled, other: Recalled) -> None:  # type: ignore[override]  # its own memory
        """Compare the rules after both histories, and what is remembered after each further turn.

        Raises:
            MergeError: they differ.
        """
        name = self._box.requirement.name
        if self._box.answer(kept.word).meaning != self._box.answer(other.word).meaning:
            raise MergeError(name, kept.word, other.word, "the rules differ")
        for letter in self._letters:
            if self._recalled((*kept.word, letter)) != self._recalled((*other.word, letter)):
                raise MergeError(name, kept.word, other.word, _once(letter))

    def _recalled(self, word: Word) -> Recalled:
        return Recalled(self._box.remembered(word), word)


def check_declared(box: BlackBox, letters: Sequence[Letter], *, depth: int) -> None:
    """Compare what is remembered with what the requirement does, on the histories that learning is checked on.

    Raises:
        MergeError: two histories are remembered as the same, and differ in their rules or one turn later.
    """
    kinds = list({box.remembered((letter,)): letter for letter in reversed(letters)}.values())
    first: dict[Hashable, Word] = {box.remembered(()): ()}
    after: dict[tuple[Hashable, Letter], Hashable] = {}
    budget = box.work + TRIAL_WORK
    for word in trials(letters, kinds, depth + 4):
        key = box.remembered(())
        for position, letter in enumerate(word):
            known, longer = first[key], word[: position + 1]
            found = box.remembered(longer)
            if after.setdefault((key, letter), found) != found:
                raise MergeError(box.requirement.name, known, word[:position], _once(letter))
            same = first.setdefault(found, longer)
            if box.answer(same).meaning != box.answer(longer).meaning:
                raise MergeError(box.requirement.name, same, longer, "the rules differ")
            key = found
        if box.work > budget:
            return


def _once(letter: Letter) -> str:
    return f"not any more once {word_text((letter,))} follows both"
