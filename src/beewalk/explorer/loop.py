"""The loop as one more machine: its memory as a table, driven by the same `advance` as a run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from beewalk.explorer.graph import ANSWERED, OUT_OF_RETRIES
from beewalk.explorer.moves import Alphabet, Move
from beewalk.policy.call import Call
from beewalk.policy.policy import Policy
from beewalk.policy.rule import Rule
from beewalk.policy.step import ToolError
from beewalk.policy.tool import ERROR, FINAL_ANSWER
from beewalk.reasoner.stance import Stance, stance_of
from beewalk.turn.advance import advance, begin
from beewalk.turn.events import Effect, End, Finish, Kept, MakeRules, Ran, Replied, Result, Ruled, Rules, RunCalls
from beewalk.turn.reply import Reply
from beewalk.turn.state import LoopMemory, LoopState, terms_of
from beewalk.turn.trajectory import Ending

_ENDINGS: Mapping[Ending, int] = {Ending.FINAL_ANSWER: ANSWERED, Ending.RETRY_LIMIT: OUT_OF_RETRIES}


class LoopTable:
    """The loop's memories, numbered as they are met; row 0 is the first. A Table like those of requirements.

    Of the repeated-call checker only calls of tools without arguments are kept: an obedient chat model can repeat no
    other. `permission` is False where a call of the tool counts as repeated, and does not run.
    """

    size: ClassVar[int | None] = None

    def __init__(self, policy: Policy, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.tools: Sequence[str] = [tool.name for tool in policy.tools]
        self.rows: list[LoopMemory] = []
        self._terms = replace(terms_of(policy), max_iterations=0)
        self._numbers = {tool: number for number, tool in enumerate(self.tools)}
        self._row_of: dict[LoopMemory, int] = {}
        self._repeating = {move.tool: Call(move.tool) for move in alphabet.moves if move.repeated}
        self._number(LoopMemory(answer_is_call=self._terms.answer_is_call))

    @property
    def endings(self) -> dict[int, int]:
        """Moves that end the run, and how: the final answer, and failing calls where no failure is survived."""
        found = {}
        for number, move in enumerate(self.alphabet.moves):
            effect = None if move.repeated else self._after(self.rows[0], move)[1]
            if isinstance(effect, End):
                found[number] = _ENDINGS[effect.ends]
        return found

    def own_rules(self, row: int) -> tuple[Rule, ...]:
        """The loop's own rules for the request that comes next."""
        return self.rows[row].extra

    def step(self, row: int, move: int) -> int:
        """The row after `move`; the same one where the move is not possible."""
        made = self.alphabet.moves[move]
        repeats = self.permission(row, self._numbers[made.tool]) is False
        if repeats != made.repeated or any(rule.target == made.tool for rule in self.own_rules(row)):
            return row
        state, effect = self._after(self.rows[row], made)
        return self._number(state.loop) if isinstance(effect, MakeRules) else row

    def stance(self, row: int) -> Stance | None:
        """The loop's own rules."""
        return stance_of(self.own_rules(row), self._numbers)

    def permission(self, row: int, tool: int) -> bool | None:
        """Whether a call of tool number `tool` would run."""
        call = self._repeating.get(self.tools[tool])
        return call is None or not self._terms.checker.register(self.rows[row].window, call)[1]

    def _after(self, memory: LoopMemory, move: Move) -> tuple[LoopState, Effect]:
        """Where the loop is once a chat model has made the move, and what it asks for next."""
        call = self._repeating.get(move.tool, Call(move.tool, '{"n": 1}'))
        state, effect = begin(self._terms, memory)
        state, effect = advance(state, Ruled(Rules()))
        state, effect = advance(state, Replied(Reply((call,))))
        if isinstance(effect, RunCalls):
            state, effect = advance(state, Ran((_result(move),)))
        if isinstance(effect, Finish):
            state, effect = advance(state, Kept())
        return state, effect

    def _number(self, memory: LoopMemory) -> int:
        kept = memory._replace(window=memory.window.only(set(self._repeating.values())))
        row = self._row_of.setdefault(kept, len(self.rows))
        if row == len(self.rows):
            self.rows.append(kept)
        return row


def _result(move: Move) -> Result:
    error = ToolError(move.tool) if move.outcome == ERROR else None
    return Result(move.outcome, error=error, answer="" if move.tool == FINAL_ANSWER else None)
