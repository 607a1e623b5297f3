"""Cycles: when a call counts as a repeated one."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from beewalk.policy.call import Call
from beewalk.policy.policy import RepeatedCalls


class Entry(NamedTuple):
    """A call that is still looked for: how many registrations ago it was first seen, and how often since."""

    call: Call
    age: int
    seen: int


class Window(NamedTuple):
    """What the checker remembers: the entries of its two rules, oldest first."""

    strikes: tuple[Entry, ...] = ()
    totals: tuple[Entry, ...] = ()

    def only(self, calls: Collection[Call]) -> "Window":
        """The same without the entries of other calls."""
        return Window(*(tuple(entry for entry in entries if entry.call in calls) for entries in self))


@dataclass(frozen=True)
class Checker:
    """Looks for repeated calls: too many within few registrations, or too many in all.

    An entry ages with every registration and is not refreshed when its call is seen again.

    Source: beeai-framework 0.1.85, ToolCallChecker and OccurrencesCounter.
    """

    config: RepeatedCalls | None

    def register(self, window: Window, call: Call) -> tuple[Window, bool]:
        """The window with `call` in it, and whether that makes it a repeated call."""
        if self.config is None:
            return window, False
        strikes, struck = _counted(window.strikes, call, self.config.max_strike_length + 1)
        totals, total = _counted(window.totals, call, self._memory) if self._totals_matter else ((), 0)
        found = struck > self.config.max_strike_length or total > self.config.max_total_occurrences
        return Window(strikes, totals), found

    @property
    def _memory(self) -> int:
        """How many registrations the second rule looks back."""
        config = self.config or RepeatedCalls()
        return max(config.max_total_occurrences + 1, config.window_size)

    @cached_property
    def _totals_matter(self) -> bool:
        """Whether the second rule can be the first to find a cycle; with the defaults it never is.

        Where one call in `max_strike_length + 2` is all that goes unnoticed, that bounds how many the second rule sees.
        """
        config = self.config or RepeatedCalls()
        return config.max_strike_length > 1 or (self._memory + 1 + 2) // 3 > config.max_total_occurrences


def _counted(entries: tuple[Entry, ...], call: Call, memory: int) -> tuple[tuple[Entry, ...], int]:
    """The entries one registration later, and how often `call` is now seen among them."""
    kept = [Entry(entry.call, entry.age + 1, entry.seen) for entry in entries if entry.age < memory]
    for place, entry in enumerate(kept):
        if entry.call == call:
            kept[place] = entry._replace(seen=entry.seen + 1)
            return tuple(kept), entry.seen + 1
    return (*kept, Entry(call, 0, 1)), 1
