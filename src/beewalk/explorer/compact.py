"""Compact sequences: what a graph of very many states is kept in, without a Python object a state."""

from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Final, Generic, TypeVar, overload

T = TypeVar("T")

Rows = tuple[int, ...]

WIDEST: Final = 32  # bits of a field whose greatest value is not known
_WORD: Final = 64


class Interned(Sequence[T], Generic[T]):
    """A sequence of few distinct values: four bytes an item. `values` has each once, `firsts` where it first stands."""

    def __init__(self) -> None:
        self.values: list[T] = []
        self.firsts: list[int] = []
        self.numbers = array("I")
        self._number_of: dict[Hashable, int] = {}

    def append(self, key: Hashable, value: T) -> None:
        """Add one item; equal keys stand for the same value."""
        number = self._number_of.setdefault(key, len(self.values))
        if number == len(self.values):
            self.values.append(value)
            self.firsts.append(len(self.numbers))
        self.numbers.append(number)

    def cut(self, length: int) -> None:
        """Keep the first `length` items, and the values that they have."""
        del self.numbers[length:]
        kept = sum(first < length for first in self.firsts)
        del self.values[kept:], self.firsts[kept:]
        self._number_of = {key: number for key, number in self._number_of.items() if number < kept}

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self.values[number] for number in self.numbers[index]]
        return self.values[self.numbers[index]]

    def __iter__(self) -> Iterator[T]:
        return (self.values[number] for number in self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)


class Arcs(Sequence[list[tuple[int, int]]]):
    """The arcs of each state, (move, target): six bytes an arc."""

    def __init__(self) -> None:
        self.ends = array("L", [0])
        self.moves = array("H")
        self.targets = array("i")

    def append(self, arcs: Iterable[tuple[int, int]]) -> None:
        """Add the arcs of the next state."""
        for move, target in arcs:
            self.moves.append(move)
            self.targets.append(target)
        self.ends.append(len(self.moves))

    def cut(self, length: int, lost: int) -> None:
        """Keep the arcs of the first `length` states; those to states that are gone lead to `lost`."""
        del self.ends[length + 1 :]
        del self.moves[self.ends[-1] :], self.targets[self.ends[-1] :]
        for place, target in enumerate(self.targets):
            if target >= length:
                self.targets[place] = lost

    @overload
    def __getitem__(self, index: int) -> list[tuple[int, int]]: ...

    @overload
    def __getitem__(self, index: slice) -> list[list[tuple[int, int]]]: ...

    def __getitem__(self, index: int | slice) -> list[tuple[int, int]] | list[list[tuple[int, int]]]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        index = index if index >= 0 else index + len(self)
        first, last = self.ends[index], self.ends[index + 1]
        return list(zip(self.moves[first:last], self.targets[first:last], strict=True))

    def __len__(self) -> int:
        return len(self.ends) - 1


class Parents(Sequence[tuple[int, int]]):
    """(state, move) of each state: six bytes an item; a start has (-1, -1)."""

    def __init__(self) -> None:
        self.states = array("i")
        self.moves = array("h")

    def append(self, parent: tuple[int, int]) -> None:
        """Add one item."""
        self.states.append(parent[0])
        self.moves.append(parent[1])

    def cut(self, length: int) -> None:
        """Keep the first `length` items."""
        del self.states[length:], self.moves[length:]

    @overload
    def __getitem__(self, index: int) -> tuple[int, int]: ...

    @overload
    def __getitem__(self, index: slice) -> list[tuple[int, int]]: ...

    def __getitem__(self, index: int | slice) -> tuple[int, int] | list[tuple[int, int]]:
        if isinstance(index, slice):
            return list(zip(self.states[index], self.moves[index], strict=True))
        return self.states[index], self.moves[index]

    def __len__(self) -> int:
        return len(self.states)


class Packing:
    """How rows are packed into one number: `widths[t]` bits for table `t`, the first table lowest."""

    def __init__(self, widths: Sequence[int]) -> None:
        self.widths = tuple(widths)
        self.shifts = tuple(sum(self.widths[:place]) for place in range(len(self.widths)))
        self.masks = tuple((1 << width) - 1 for width in self.widths)
        self.bits = sum(self.widths)

    def packed(self, rows: Rows) -> int:
        """The rows as one number."""
        return sum(row << shift for row, shift in zip(rows, self.shifts, strict=True))

    def unpacked(self, code: int) -> Rows:
        """The rows that `code` stands for."""
        return tuple([code >> shift & mask for shift, mask in zip(self.shifts, self.masks, strict=True)])


class PackedRows(Sequence[Rows]):
    """Rows as numbers: eight bytes an item where they fit."""

    def __init__(self, packing: Packing) -> None:
        self.packing = packing
        self.codes: array[int] | list[int] = array("Q") if packing.bits <= _WORD else []

    def cut(self, length: int) -> None:
        """Keep the first `length` items."""
        del self.codes[length:]

    @overload
    def __getitem__(self, index: int) -> Rows: ...

    @overload
    def __getitem__(self, index: slice) -> list[Rows]: ...

    def __getitem__(self, index: int | slice) -> Rows | list[Rows]:
        if isinstance(index, slice):
            return [self.packing.unpacked(code) for code in self.codes[index]]
        return self.packing.unpacked(self.codes[index])

    def __len__(self) -> int:
        return len(self.codes)


def width_of(rows: int) -> int:
    """How many bits the number of one of `rows` rows takes.

    Example:
        >>> [width_of(rows) for rows in (1, 2, 3, 5)]
        [0, 1, 2, 3]
    """
    return (rows - 1).bit_length()
