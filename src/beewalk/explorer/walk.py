"""The walk: breadth first over the product of all tables, for an obedient chat model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import count, zip_longest
from operator import or_
from typing import NamedTuple, TypeVar

from beewalk.explorer.compact import WIDEST, Packing, Rows, width_of
from beewalk.explorer.graph import NOT_FOLLOWED, StateGraph, StopReason
from beewalk.explorer.moves import Alphabet
from beewalk.explorer.tables import Table
from beewalk.policy.tool import DENIED
from beewalk.reasoner.stance import Decision, Stance, decide, members

_STATES_BETWEEN_LOOKS = 256

K = TypeVar("K")
V = TypeVar("V")

# Told how many states are known; says why to stop, or None to go on.
Watch = Callable[[int], StopReason | None]


class Voice(NamedTuple):
    """What a table says in a row: its stance (None where it raises), and whose calls it asks about or refuses.

    Bit `i` of `asks` and `refuses` stands for the tool registered as number `i`.
    """

    stance: Stance | None
    asks: int
    refuses: int


class Offer(NamedTuple):
    """What is offered in a state, None where a requirement raises, and the moves that can be made there.

    `asked` has the tools, by number, whose calls the user is asked about.
    """

    decision: Decision | None
    moves: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()


class _Lazy(dict[K, V]):
    """A dict that makes its values when they are first asked for."""

    def __init__(self, make: Callable[[K], V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: K) -> V:
        value = self[key] = self._make(key)
        return value


class _Column:
    """A table as the walk reads it: `voices[row]` is the number of what is said, `jumps[row]` what moves add.

    A jump is (move, difference to the packed state); moves that change nothing here have none, which is most of them.
    Rows are read once each; `said[number]` is the voice.
    """

    def __init__(self, table: Table, moves: int, tools: int, shift: int) -> None:
        self.voices: _Lazy[int, int] = _Lazy(lambda row: self._number(self._voice(row)))
        self.jumps: _Lazy[int, list[tuple[int, int]]] = _Lazy(
            lambda row: [(move, self.jump(row, move)) for move in range(moves) if self.jump(row, move)]
        )
        self.finished = table.size is not None
        self._shift = shift
        self.said: list[Voice] = []
        self._number_of: dict[Voice, int] = {}
        self._table = table
        self._tools = range(tools)

    def jump(self, row: int, move: int) -> int:
        """What one move adds; a table that is not finished is asked only about moves that can be made."""
        return (self._table.step(row, move) - row) << self._shift

    def _voice(self, row: int) -> Voice:
        permissions = [self._table.permission(row, tool) for tool in self._tools]
        asks = sum(1 << tool for tool, granted in enumerate(permissions) if granted is None)
        return Voice(
            self._table.stance(row), asks, sum(1 << tool for tool, one in enumerate(permissions) if one is False)
        )

    def _number(self, voice: Voice) -> int:
        number = self._number_of.setdefault(voice, len(self.said))
        if number == len(self.said):
            self.said.append(voice)
        return number


@dataclass(frozen=True)
class Walk:
    """What a walk goes over.

    `tables` and `priorities` are parallel, one a requirement; `loop` is the loop's own table, whose row is the last of
    a state. `endings` has the moves that end the run, and how. `usable`, where given, are the moves that may be made.
    `keeps` says of each table whether a next run begins where it is, because it remembers what the user chose.
    `max_states` and `max_depth` bound the search, None for no bound; `watch` may stop it at any time.
    """

    tools: tuple[str, ...]
    alphabet: Alphabet
    tables: Sequence[Table]
    priorities: Sequence[int]
    loop: Table
    endings: Mapping[int, int]
    answer_is_call: bool
    usable: frozenset[int] | None = None
    keeps: tuple[bool, ...] = ()
    max_states: int | None = None
    max_depth: int | None = None
    watch: Watch | None = None

    @cached_property
    def packing(self) -> Packing:
        """How the rows of a state are packed into one number."""
        widths = [WIDEST if table.size is None else width_of(table.size) for table in (*self.tables, self.loop)]
        return Packing(widths)

    def again(self, code: int) -> int:
        """The state in which a next run begins: only what is kept is remembered."""
        kept = [row if one else 0 for row, one in zip_longest(self.packing.unpacked(code), self.keeps, fillvalue=False)]
        return self.packing.packed(tuple(kept))

    def offer_at(self, code: int) -> Offer:
        """What is offered in the state that is packed into `code`."""
        rows = self.packing.unpacked(code)
        return self._offers[tuple([column.voices[row] for column, row in zip(self._columns, rows, strict=True)])]

    def afters(self, code: int, moves: Sequence[int]) -> list[int]:
        """The states after each of `moves`, packed."""
        after = self._after_each(code, self.packing.unpacked(code), moves)
        return [after[move] for move in moves]

    def _after_each(self, code: int, rows: Sequence[int], moves: Sequence[int]) -> list[int]:
        """The state after each move; only those of `moves` are right where a table is not finished."""
        after = [code] * len(self.alphabet.moves)
        for column, row in zip(self._columns, rows, strict=True):
            if column.finished:
                for move, jump in column.jumps[row]:
                    after[move] += jump
            else:
                for move in moves:
                    after[move] += column.jump(row, move)
        return after

    def decisions(self, start: Rows) -> Iterator[Decision | None]:
        """What is offered in each state that can be reached from `start`, one after the other.

        The order is deep first: what only happens after many calls is met sooner than ring by ring.
        """
        waiting = [self.packing.packed(start)]
        known = set(waiting)
        while waiting:
            code = waiting.pop()
            offer = self.offer_at(code)
            yield offer.decision
            for after in self.afters(code, [move for move in offer.moves if move not in self.endings]):
                if after not in known:
                    known.add(after)
                    waiting.append(after)

    def graph(self, starts: Sequence[Rows] | None = None) -> StateGraph:
        """Every state that can be reached from `starts`, the first rows of all tables unless given; nearest first.

        Cost: O(states * moves * requirements).
        """
        found = StateGraph(self.tools, self.alphabet, self.packing)
        codes, columns, offers = found.rows.codes, self._columns, self._offers
        packing = self.packing
        numbers: dict[int, int] = {}
        for start in starts or [(0,) * len(columns)]:
            self._add(found, numbers, packing.packed(start), (-1, -1))
        places = list(zip(columns, packing.shifts, packing.masks, strict=True))
        for state in count():
            if state == len(codes) or (state % _STATES_BETWEEN_LOOKS == 0 and self._stopped(found, state)):
                return found
            code = codes[state]
            rows = [code >> shift & mask for _, shift, mask in places]
            voices = tuple([column.voices[row] for column, row in zip(columns, rows, strict=True)])
            offer = offers[voices]
            after = self._after_each(code, rows, offer.moves) if offer.moves else []
            arcs = []
            for move in offer.moves:
                target = self.endings.get(move)
                if target is None:
                    target = numbers.get(after[move])
                    if target is None:
                        target = self._reach(found, numbers, after[move], (state, move))
                arcs.append((move, target))
            found.decisions.append(voices, offer.decision)
            found.arcs.append(arcs)
        raise AssertionError("there is no last number")

    def _reach(self, found: StateGraph, numbers: dict[int, int], code: int, parent: tuple[int, int]) -> int:
        """The number of a new state, or NOT_FOLLOWED beyond a bound."""
        if self.max_states is not None and len(numbers) >= self.max_states:
            found.stop_reason = StopReason.STATE_LIMIT
            return NOT_FOLLOWED
        if self.max_depth is not None and found.depths[parent[0]] >= self.max_depth:
            found.stop_reason = StopReason.DEPTH_LIMIT
            return NOT_FOLLOWED
        return self._add(found, numbers, code, parent)

    @staticmethod
    def _add(found: StateGraph, numbers: dict[int, int], code: int, parent: tuple[int, int]) -> int:
        number = numbers.setdefault(code, len(numbers))
        if number == len(found.rows):
            found.rows.codes.append(code)
            found.parents.append(parent)
            found.depths.append(0 if parent[0] < 0 else found.depths[parent[0]] + 1)
        return number

    def _stopped(self, found: StateGraph, done: int) -> bool:
        """Whether the watch says to stop; the states that are not done yet are left out then, but for the start."""
        reason = None if self.watch is None else self.watch(len(found.rows))
        if reason is None or not done:
            return False
        found.stop_reason = reason
        found.cut(done)
        return True

    @cached_property
    def _columns(self) -> list[_Column]:
        moves = self.alphabet.end
        tables = (*self.tables, self.loop)
        return [
            _Column(table, moves, len(self.tools), shift)
            for table, shift in zip(tables, self.packing.shifts, strict=True)
        ]

    @cached_property
    def _offers(self) -> "_Lazy[tuple[int, ...], Offer]":
        """What is offered, and which moves can be made, by the numbers of what all tables say."""
        return _Lazy(
            lambda voices: self._offer(
                [column.said[voice] for column, voice in zip(self._columns, voices, strict=True)]
            )
        )

    def _offer(self, voices: Sequence[Voice]) -> Offer:
        stances = []
        for voice, priority in zip(voices[:-1], self.priorities, strict=True):
            if voice.stance is None:
                return Offer(None)
            stances.append((priority, voice.stance))
        own = voices[-1].stance
        if own:
            stances.append((0, own))  # it only forbids, so its level does not matter
        decision = decide(len(self.tools), stances, answer_is_call=self.answer_is_call)
        tools = [decision.choice] if decision.choice >= 0 else members(decision.allowed)
        asks = reduce(or_, (voice.asks for voice in voices[:-1]), 0)
        refuses = reduce(or_, (voice.refuses for voice in voices[:-1]), 0)
        moves = [move for tool in tools for move in self._moves_of(tool, asks, refuses, voices[-1].refuses)]
        usable = tuple(move for move in moves if self.usable is None or move in self.usable)
        return Offer(decision, usable, tuple(tool for tool in tools if asks & ~refuses & 1 << tool))

    def _moves_of(self, tool: int, asks: int, refuses: int, repeats: int) -> list[int]:
        """The moves that the tool and the user can make when an obedient chat model calls `tool`."""
        bit = 1 << tool
        if repeats & bit:
            return [self.alphabet.repeats[tool]]
        moves = self.alphabet.of_tool[tool]
        if asks & bit and not refuses & bit:
            return moves
        return [move for move in moves if (self.alphabet.moves[move].outcome == DENIED) == bool(refuses & bit)]
