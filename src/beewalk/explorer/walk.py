"""The walk: breadth first over the product of all tables, for an obedient chat model."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from beewalk.explorer.graph import ANSWERED, NOT_FOLLOWED, OUT_OF_RETRIES, Rows, StateGraph, StopReason
from beewalk.explorer.moves import Alphabet
from beewalk.explorer.tables import Table
from beewalk.policy.tool import DENIED, ERROR
from beewalk.reasoner.stance import Decision, decide, members


@dataclass(frozen=True)
class Walk:
    """What a walk goes over.

    `tables` and `priorities` are parallel, one a requirement. `failures_end`: a failing call uses up the retries of
    its turn and ends the run. `max_states` and `max_depth` bound the search; None for no bound.
    """

    tools: tuple[str, ...]
    alphabet: Alphabet
    tables: Sequence[Table]
    priorities: Sequence[int]
    answer_is_call: bool
    failures_end: bool
    max_states: int | None = None
    max_depth: int | None = None

    def decision(self, rows: Rows) -> Decision | None:
        """What is offered in the state `rows`; None where a requirement raises."""
        stances = []
        for table, row, priority in zip(self.tables, rows, self.priorities, strict=True):
            stance = table.stance(row)
            if stance is None:
                return None
            stances.append((priority, stance))
        return decide(len(self.tools), stances, answer_is_call=self.answer_is_call)

    def moves(self, rows: Rows, decision: Decision) -> list[int]:
        """The moves that an obedient chat model, the tools and the user can make in the state `rows`."""
        tools = [decision.choice] if decision.choice >= 0 else members(decision.allowed)
        return [move for tool in tools for move in self._moves_of(tool, rows)]

    def _moves_of(self, tool: int, rows: Rows) -> list[int]:
        moves = self.alphabet.of_tool[tool]
        granted = [table.permission(row, tool) for table, row in zip(self.tables, rows, strict=True)]
        if False in granted:
            return [move for move in moves if self.alphabet.moves[move].outcome == DENIED]
        if None in granted:
            return moves
        return [move for move in moves if self.alphabet.moves[move].outcome != DENIED]

    def after(self, rows: Rows, move: int) -> Rows:
        """The state after `move`."""
        return tuple([table.step(row, move) for table, row in zip(self.tables, rows, strict=True)])

    def graph(self, start: Rows | None = None) -> StateGraph:
        """Every state that can be reached from `start`, the first rows of all tables unless given.

        Cost: O(states * moves * requirements).
        """
        found = StateGraph(self.tools, self.alphabet)
        numbers: dict[Rows, int] = {}
        self._add(found, numbers, (0,) * len(self.tables) if start is None else start, (-1, -1))
        for state, rows in enumerate(found.rows):  # grows while it is walked: a queue
            decision = self.decision(rows)
            found.decisions.append(decision)
            moves = [] if decision is None else self.moves(rows, decision)
            found.arcs.append([(move, self._target(found, numbers, state, move)) for move in moves])
        return found

    def decisions(self, start: Rows) -> Iterator[Decision | None]:
        """What is offered in each state that can be reached from `start`, nearest first, one after the other."""
        known = {start}
        waiting = deque(known)
        while waiting:
            rows = waiting.popleft()
            decision = self.decision(rows)
            yield decision
            for move in [] if decision is None else self.moves(rows, decision):
                if not self._ends(move):
                    after = self.after(rows, move)
                    if after not in known:
                        known.add(after)
                        waiting.append(after)

    def _ends(self, move: int) -> bool:
        """Whether a move ends the run."""
        return move == self.alphabet.end or (self.failures_end and self.alphabet.moves[move].outcome == ERROR)

    def _target(self, found: StateGraph, numbers: dict[Rows, int], state: int, move: int) -> int:
        if self._ends(move):
            return ANSWERED if move == self.alphabet.end else OUT_OF_RETRIES
        after = self.after(found.rows[state], move)
        known = numbers.get(after)
        if known is not None:
            return known
        if self.max_states is not None and len(numbers) >= self.max_states:
            found.stop_reason = StopReason.STATE_LIMIT
            return NOT_FOLLOWED
        if self.max_depth is not None and found.depths[state] >= self.max_depth:
            found.stop_reason = StopReason.DEPTH_LIMIT
            return NOT_FOLLOWED
        return self._add(found, numbers, after, (state, move))

    @staticmethod
    def _add(found: StateGraph, numbers: dict[Rows, int], rows: Rows, parent: tuple[int, int]) -> int:
        number = numbers[rows] = len(found.rows)
        found.rows.append(rows)
        found.parents.append(parent)
        found.depths.append(0 if parent[0] < 0 else found.depths[parent[0]] + 1)
        return number
