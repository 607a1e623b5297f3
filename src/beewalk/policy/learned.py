"""Learning a machine from a black box: which histories it never tells apart.

The method is Angluin's (Learning regular sets from queries and counterexamples, 1987) with the counterexample handling
of Maler and Pnueli (1995): histories are one memory when every suffix tried makes the requirement say the same after
them. Which suffixes are tried, and what then checks the guess, is said in docs/ideas/memory.md.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from beewalk.policy.blackbox import Answer, BlackBox, Letter, Word

MAX_MEMORIES = 256
MAX_ROUNDS = 30
MAX_RUNS = 100_000
TRIAL_RUNS = 30_000
WALKS = 200


@dataclass(frozen=True)
class Automaton:
    """A machine with numbered memories, 0 the first: `step[memory][letter]`, `answers[memory]`.

    `histories` is the number of histories it was checked on, `longest` the length of the longest of them.
    """

    step: tuple[dict[Letter, int], ...]
    answers: tuple[Answer, ...]
    histories: int = 0
    longest: int = 0


def learn(box: BlackBox, letters: Sequence[Letter], *, depth: int) -> Automaton | None:
    """The machine behind `box` over `letters`, or None where no small one explains what it says.

    Args:
        box: the requirement.
        letters: every turn that can happen.
        depth: how often in a row each letter is tried; more than any number the requirement compares with.

    Cost: about memories * letters^2 * depth runs of the requirement, MAX_RUNS at most.
    Limits: a difference that shows only after histories that were not tried is not found.
    """
    suffixes: list[Word] = [(), *((letter,) for letter in letters)]
    for _ in range(MAX_ROUNDS):
        guess = _guess(box, letters, suffixes)
        if guess is None:
            return None
        wrong, histories, longest = _tried(box, guess, _trials(letters, depth))
        if wrong is None:
            return Automaton(guess.step, guess.answers, histories, longest)
        suffixes += [suffix for suffix in _suffixes(wrong) if suffix not in suffixes]
    return None


def last_letter(box: BlackBox, letters: Sequence[Letter]) -> Automaton:
    """The machine of a requirement that looks at nothing but the last turn."""
    step = {letter: index for index, letter in enumerate(letters, start=1)}
    words: list[Word] = [(), *((letter,) for letter in letters)]
    return Automaton((step,) * len(words), tuple(box.answer(word) for word in words))


def _guess(box: BlackBox, letters: Sequence[Letter], suffixes: Sequence[Word]) -> Automaton | None:
    def signature(word: Word) -> Hashable:
        return tuple(box.answer(word + suffix).meaning for suffix in suffixes)

    known: dict[Hashable, int] = {signature(()): 0}
    shortest: list[Word] = [()]
    step: list[dict[Letter, int]] = []
    while len(step) < len(shortest):
        word = shortest[len(step)]
        step.append({})
        for letter in letters:
            found = signature((*word, letter))
            if found not in known:
                known[found] = len(shortest)
                shortest.append((*word, letter))
            step[-1][letter] = known[found]
        if len(shortest) > MAX_MEMORIES or box.runs > MAX_RUNS:
            return None
    return Automaton(tuple(step), tuple(box.answer(word) for word in shortest))


def _tried(box: BlackBox, guess: Automaton, trials: Iterator[Word]) -> tuple[Word | None, int, int]:
    """The first history on which `guess` is wrong, how many were tried, and the length of the longest."""
    histories = longest = 0
    budget = box.runs + TRIAL_RUNS
    for word in trials:
        histories, longest = histories + 1, max(longest, len(word))
        wrong = _first_difference(box, guess, word)
        if wrong is not None or box.runs > budget:
            return wrong, histories, longest
    return None, histories, longest


def _first_difference(box: BlackBox, guess: Automaton, word: Word) -> Word | None:
    memory = 0
    for position, letter in enumerate(word, start=1):
        memory = guess.step[memory][letter]
        if guess.answers[memory].meaning != box.answer(word[:position]).meaning:
            return word[:position]
    return None


def _suffixes(word: Word) -> Iterator[Word]:
    return (word[start:] for start in range(len(word)))


def _trials(letters: Sequence[Letter], depth: int) -> Iterator[Word]:
    """Histories to check a guess on: one letter for long, all short ones, walks, one letter then another for long."""
    reach = depth + 4
    yield from ((letter,) * 2 * reach for letter in letters)
    yield from product(letters, repeat=3 if len(letters) <= 12 else 2)
    yield from _walks(letters, 2 * reach)
    for first, then in product(letters, repeat=2):
        yield (first,) * reach + (then,) * reach
        yield (first, then) * reach


def _walks(letters: Sequence[Letter], length: int) -> Iterator[Word]:
    dice = 1
    for _ in range(WALKS):
        walk = []
        for _ in range(length):
            dice = dice * 48271 % 2147483647  # Park and Miller's generator: the same walks every time
            walk.append(letters[dice % len(letters)])
        yield tuple(walk)
