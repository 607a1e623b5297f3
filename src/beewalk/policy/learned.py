"""Learning a machine from a black box: which histories it never tells apart.

The method is Angluin's (Learning regular sets from queries and counterexamples, 1987) with the counterexample handling
of Rivest and Schapire (Inference of finite automata using homing sequences, 1993): histories are one memory when every
suffix tried makes the requirement say the same after them. How a guess is checked is said in docs/ideas/memory.md.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from beewalk.policy.blackbox import Answer, BlackBox, Letter, Word

MAX_MEMORIES = 64
MAX_WORK = 2_000_000  # steps shown to the requirement, over all its runs
TRIAL_WORK = 500_000
WALKS = 200
LONG = 50


@dataclass(frozen=True)
class Automaton:
    """A machine with numbered memories, 0 the first: `step[memory][letter]`, `answers[memory]`.

    `shortest[memory]` is a history that leads there. `histories` is the number of histories it was checked on,
    `longest` the length of the longest of them.
    """

    step: tuple[dict[Letter, int], ...]
    answers: tuple[Answer, ...]
    shortest: tuple[Word, ...]
    histories: int = 0
    longest: int = 0


def learn(box: BlackBox, letters: Sequence[Letter], *, depth: int) -> Automaton | None:
    """The machine behind `box` over `letters`, or None where no small one explains what it says.

    Args:
        box: the requirement.
        letters: every turn that can happen.
        depth: how often in a row each letter is tried; more than any number the requirement compares with.

    Cost: about memories * letters * (memories + letters) runs of the requirement, each on a short history.
    Limits: a difference that shows only after histories that were not tried is not found.
    """
    suffixes: list[Word] = [(), *((letter,) for letter in letters)]
    while True:
        guess = _guess(box, letters, suffixes)
        if guess is None:
            return None
        # A machine of n memories that is only the beginning of a larger one differs from it within about 2n turns.
        reach = max(depth + 4, 2 * len(guess.step) + 2)
        wrong, histories, longest = _tried(box, guess, trials(letters, _unlike(guess, letters), reach))
        if wrong is None:
            return replace(guess, histories=histories, longest=longest)
        suffixes.append(_telling_suffix(box, guess, wrong))


def last_letter(box: BlackBox, letters: Sequence[Letter]) -> Automaton:
    """The machine of a requirement that looks at nothing but the last turn."""
    step = {letter: index for index, letter in enumerate(letters, start=1)}
    words: list[Word] = [(), *((letter,) for letter in letters)]
    return Automaton((step,) * len(words), tuple(box.answer(word) for word in words), tuple(words))


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
        if len(shortest) > MAX_MEMORIES or box.work > MAX_WORK:
            return None
    return Automaton(tuple(step), tuple(box.answer(word) for word in shortest), tuple(shortest))


def _tried(box: BlackBox, guess: Automaton, words: Iterator[Word]) -> tuple[Word | None, int, int]:
    """The first history on which `guess` is wrong, how many were tried, and the length of the longest."""
    histories = longest = 0
    budget = box.work + TRIAL_WORK
    for word in words:
        histories, longest = histories + 1, max(longest, len(word))
        wrong = _first_difference(box, guess, word)
        if wrong is not None or box.work > budget:
            return wrong, histories, longest
    return None, histories, longest


def _first_difference(box: BlackBox, guess: Automaton, word: Word) -> Word | None:
    memory = 0
    for position, letter in enumerate(word, start=1):
        memory = guess.step[memory][letter]
        if guess.answers[memory].meaning != box.answer(word[:position]).meaning:
            return word[:position]
    return None


def _telling_suffix(box: BlackBox, guess: Automaton, wrong: Word) -> Word:
    """A suffix that tells apart two histories which `guess` takes for one; `wrong` is a history it is wrong on."""
    memory = 0
    memories: list[int] = []
    meanings: list[Hashable] = []
    for position in range(len(wrong) + 1):
        if position:
            memory = guess.step[memory][wrong[position - 1]]
        memories.append(memory)
        meanings.append(box.answer(guess.shortest[memory] + wrong[position:]).meaning)
    # The first is what is really said, the last what the guess says: somewhere between, replacing one more turn of the
    # history by the guess's own way to the same memory changes the answer.
    turned = next(position for position in range(len(wrong)) if meanings[position] != meanings[position + 1])
    one = (*guess.shortest[memories[turned]], wrong[turned])
    return _shortened(box, one, guess.shortest[memories[turned + 1]], wrong[turned + 1 :])


def _shortened(box: BlackBox, one: Word, other: Word, suffix: Word) -> Word:
    """`suffix` without the turns that it does not need to tell `one` and `other` apart."""
    position = 0
    while position < len(suffix):
        shorter = suffix[:position] + suffix[position + 1 :]
        if box.answer(one + shorter).meaning != box.answer(other + shorter).meaning:
            suffix = shorter
        else:
            position += 1
    return suffix


def trials(letters: Sequence[Letter], kinds: Sequence[Letter], reach: int) -> Iterator[Word]:
    """Histories that show whether a machine is right, the telling ones first.

    Args:
        letters: every turn that can happen; each is repeated for more than two runs of default length.
        kinds: one of each kind of letter; any two of them follow each other for long.
        reach: how long.
    """
    yield from ((letter,) * LONG for letter in letters)
    yield from product(letters, repeat=3 if len(letters) <= 12 else 2)
    # All turns in one history: what waits for several of many tools shows in no short history.
    yield tuple(letters) * 2
    yield tuple(reversed(letters)) * 2
    for first, then in product(kinds, repeat=2):
        yield (first,) * reach + (then,) * reach
        yield (first, then) * reach
    yield from _walks(letters, 2 * reach)


def _unlike(guess: Automaton, letters: Sequence[Letter]) -> list[Letter]:
    """One letter of each kind: letters of a kind lead from every memory to the same."""
    kinds: dict[Hashable, Letter] = {}
    for letter in letters:
        kinds.setdefault(tuple(step[letter] for step in guess.step), letter)
    return list(kinds.values())


def _walks(letters: Sequence[Letter], length: int) -> Iterator[Word]:
    dice = 1
    for _ in range(WALKS):
        walk = []
        for _ in range(length):
            dice = dice * 48271 % 2147483647  # Park and Miller's generator: the same walks every time
            walk.append(letters[dice % len(letters)])
        yield tuple(walk)
