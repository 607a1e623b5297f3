"""BlackBox: a requirement of unknown code, asked what it says after any history."""

from collections.abc import Hashable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any

from beewalk.errors import BeewalkError, NotInThisVersion, RequirementError
from beewalk.policy.recorded import Reads, RecordedState, RecordedStep
from beewalk.policy.requirement import Evaluate, Requirement, rules_awaited, rules_from
from beewalk.policy.rule import Rule
from beewalk.policy.snapshot import Snapshot, restore, same, snapshot, uncopied
from beewalk.policy.state import RequirementAgentRunState, Run
from beewalk.policy.step import Step, Turn
from beewalk.policy.tool import Tool

# A turn as a value: (tool name, outcome) of each of its steps. A word is a history.
Letter = tuple[tuple[str, str], ...]
Word = tuple[Letter, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a requirement says after one history: rules, or the error it raised."""

    rules: tuple[Rule, ...]
    error: RequirementError | None = None

    @property
    def meaning(self) -> Hashable:
        """Equal for answers that have the same effect; reasons and the order of rules have none."""
        if self.error is not None:
            return "error"
        flags: dict[str, tuple[bool, bool, bool, bool]] = {}
        for rule in self.rules:
            old = flags.get(rule.target, (False, False, False, False))
            new = (not rule.allowed, rule.hidden, rule.forced, rule.prevent_stop)
            flags[rule.target] = (old[0] or new[0], old[1] or new[1], old[2] or new[2], old[3] or new[3])
        return tuple(sorted(flags.items()))

    def rules_or_raise(self) -> tuple[Rule, ...]:
        """The rules.

        Raises:
            RequirementError: the requirement raised it after this history.
        """
        if self.error is not None:
            raise self.error
        return self.rules


class BlackBox:
    """Runs a requirement's code as the loop would, once a request, along any history.

    What the code keeps in its own attributes is set back before each run to what it was at that point of the history,
    so histories do not disturb each other. `reads` notes what the code looked at, `stateful` whether it changed its
    own attributes, `work` how many steps it was shown over all runs.
    """

    def __init__(
        self, requirement: Requirement[Any], tools: Sequence[Tool], run: Run, evaluate: Evaluate | None = None
    ) -> None:
        self._evaluate = evaluate
        self._waits = False
        self.requirement = requirement
        self.reads = Reads()
        self.stateful = False
        self.work = 0
        self._noting = True
        self._tools = {tool.name: tool for tool in tools}
        self._run = run
        self.uncopied = uncopied(requirement)
        self._origin = snapshot(requirement)
        self._known: dict[Word, tuple[Answer, Snapshot]] = {}
        self._keys: dict[Word, Hashable] = {}
        self._turns: dict[tuple[Letter, int], Turn] = {}

    def stop_noting(self) -> None:
        """Note no further reads; asking is several times as fast then."""
        self._noting = False
        self._turns.clear()

    def answer(self, word: Word) -> Answer:
        """What the requirement says after `word`."""
        return self._asked(word)[0]

    def answer_again(self, word: Word) -> Answer:
        """What the requirement says after `word` when it is run once more from the same attributes."""
        before = self._asked(word[:-1])[1] if word else self._origin
        return self._run_once(word, before)[0]

    def remembered(self, word: Word) -> Hashable:
        """What the requirement's own `remembers(state)` returns after `word`."""
        if word not in self._keys:
            self._keys[word] = self._ask_remembers(word)
        return self._keys[word]

    def _ask_remembers(self, word: Word) -> Hashable:
        restore(self.requirement, self._asked(word)[1])
        try:
            key: Hashable = self.requirement.remembers(self._state(word))  # type: ignore[attr-defined]  # the caller checked
            hash(key)
        except Exception as error:
            what = f"remembers() of {self.requirement.name!r} raised {type(error).__name__}: {error}"
            raise BeewalkError(f"{what}: let it return a value that can be hashed") from error
        finally:
            restore(self.requirement, self._origin)
        return key

    def _asked(self, word: Word) -> tuple[Answer, Snapshot]:
        known = self._known.get(word)
        if known is None:
            before = self._asked(word[:-1])[1] if word else self._origin
            known = self._known[word] = self._run_once(word, before)
        return known

    def _run_once(self, word: Word, before: Snapshot) -> tuple[Answer, Snapshot]:
        self.work += len(word) + 1
        try:
            answer = Answer(self._rules(word, before))
        except RequirementError as error:
            answer = Answer((), error)
        after = snapshot(self.requirement)
        restore(self.requirement, self._origin)
        if same(before, after):
            return answer, before
        self.stateful = True
        return answer, after

    def _rules(self, word: Word, before: Snapshot) -> tuple[Rule, ...]:
        """The rules as the code makes them: here and now, or once it was seen to wait in the evaluator's loop."""
        if not self._waits:
            restore(self.requirement, before)
            try:
                return rules_from(self.requirement, self._state(word))
            except NotInThisVersion:
                if self._evaluate is None:
                    raise
                self._waits = True
        restore(self.requirement, before)
        state = self._state(word)
        assert self._evaluate is not None
        try:
            rules: tuple[Rule, ...] = self._evaluate(lambda: rules_awaited(self.requirement, state))
        except CancelledError as error:
            what = f"{self.requirement.name!r} was cancelled while it waited"
            raise RequirementError(what, requirement=self.requirement.name) from error
        except TimeoutError as error:
            what = f"{self.requirement.name!r} had not answered after {error or 'a long time'}"
            raise BeewalkError(f"{what}: let its run() answer at once, without timers and the network") from error
        return rules

    def _state(self, word: Word) -> RequirementAgentRunState:
        turns = [self._turn(letter, number) for number, letter in enumerate(word, start=1)]
        tools = tuple(self._tools.values())
        if self._noting:
            return RecordedState(self._run, tools, turns, self.reads)
        return RequirementAgentRunState(self._run, tools, turns)

    def _turn(self, letter: Letter, number: int) -> Turn:
        known = self._turns.get((letter, number))
        if known is None:
            steps = [self._step(*one, number) for one in letter]
            noted = [RecordedStep(step, self.reads) for step in steps] if self._noting else steps
            known = self._turns[letter, number] = Turn(number, tuple(noted))
        return known

    def _step(self, name: str, outcome: str, number: int) -> Step:
        if outcome == "unoffered":
            return Step.unoffered(name, iteration=number)
        return Step.of(self._tools[name], outcome, iteration=number)


def letter_of(turn: Turn) -> Letter:
    """The letter that stands for `turn`."""
    return tuple((step.name, step.outcome) for step in turn.steps)


def word_text(word: Word) -> str:
    """A history as users read it, moves in brackets.

    Example:
        >>> word_text(((("think", "ok"),), (("search", "error"),)))
        '[think search:error]'
    """
    moves = (
        " & ".join(name if outcome == "ok" else f"{name}:{outcome}" for name, outcome in letter) for letter in word
    )
    return f"[{' '.join(moves)}]"
