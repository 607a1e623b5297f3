"""The walk: breadth first over the product of all tables, for an obedient chat model."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from beewalk.explorer.graph import NOT_FOLLOWED, Rows, StateGraph, StopReason
from beewalk.explorer.moves import Alphabet
from beewalk.explorer.tables import Table
from beewalk.policy.tool import DENIED
from beewalk.reasoner.stance import Decision, decide, members


@dataclass(frozen=True)
class Walk:
    """What a walk goes over.

    `tables` and `priorities` are parallel, one a requirement; `loop` is the loop's own table, whose row is the last of
    a state. `endings` has the moves that end the run, and how. `max_states` and `max_depth` bound the search; None for
    no bound.
    """

    tools: tuple[str, ...]
    alphabet: Alphabet
    tables: Sequence[Table]
    priorities: Sequence[int]
    loop: Table
    endings: Mapping[int, int]
    answer_is_call: bool
    max_states: int | None = None
    max_depth: int | None = None

    def decision(self, rows: Rows) -> Decision | None:
        """What is offered in the state `rows`; None where a requirement raises."""
        stances = []
        for table, row, priority in zip(self.tables, rows, self.priorities, strict=False):
            stance = table.stance(row)
            if stance is None:
                return None
            stances.append((priority, stance))
        own = self.loop.stance(rows[-1])
        if own:
            stances.append((0, own))  # it only forbids, so its level does not matter
        return decide(len(self.tools), stances, answer_is_call=self.answer_is_call)

    def moves(self, rows: Rows, decision: Decision) -> list[int]:
        """The moves that an obedient chat model, the tools and the user can make in the state `rows`."""
        tools = [decision.choice] if decision.choice >= 0 else members(decision.allowed)
        return [move for tool in tools for move in self._moves_of(tool, rows)]

    def _moves_of(self, tool: int, rows: Rows) -> list[int]:
        if self.loop.permission(rows[-1], tool) is False:
            return [self.alphabet.repeats[tool]]
        moves = self.alphabet.of_tool[tool]
        granted = [table.permission(row, tool) for table, row in zip(self.tables, rows, strict=False)]
        if False in granted:
            return [move for move in moves if self.alphabet.moves[move].outcome == DENIED]
        if None in granted:
            return moves
        return [move for move in moves if self.alphabet.moves[move].outcome != DENIED]

    def after(self, rows: Rows, move: int) -> Rows:
        """The state after `move`."""
        after = [table.step(row, move) for table, row in zip(self.tables, rows, strict=False)]
        return (*after, self.loop.step(rows[-1], move))

    def graph(self, start: Rows | None = None) -> StateGraph:
        """Every state that can be reached from `start`, the first rows of all tables unless given.

        Cost: O(states * moves * requirements).
        """
        found = StateGraph(self.tools, self.alphabet)
        numbers: dict[Rows, int] = {}
        self._add(found, numbers, (0,) * (len(self.tables) + 1) if start is None else start, (-1, -1))
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
                if move not in self.endings:
                    after = self.after(rows, move)
                    if after not in known:
                        known.add(after)
                        waiting.append(after)

    def _target(self, found: StateGraph, numbers: dict[Rows, int], state: int, move: int) -> int:
        if move in self.endings:
            return self.endings[move]
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
