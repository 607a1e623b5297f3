"""Requirements and checks whose rules change without a change of history, each with a pure one of the same shape.

A case loads this file anew, so counters start at 0. What is left to chance looks at several bits each time.
"""

import itertools
import os
import random
import secrets
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from beewalk import Requirement, RequirementAgentRunState, Rule, requirement

State = RequirementAgentRunState
TICKS = itertools.count()
COLOURS = itertools.cycle(["red", "green"])
DICE = random.Random(7)
ASKED: list[int] = []
BELT = deque([True, False])
SEEN: set[tuple[str, ...]] = set()
NAMES = ("a", "b", "c")


def names(state: State) -> tuple[str, ...]:
    return tuple(step.name for step in state.steps)


def by_bits(bits: int) -> list[Rule]:
    """Allows each of three tools by one bit."""
    return [Rule(target=name, allowed=bool(bits >> number & 1)) for number, name in enumerate(NAMES)]


@requirement(targets="a")
def alternates(state: State) -> list[Rule]:
    return [Rule(target="a", allowed=next(TICKS) % 2 == 0)]


@requirement(targets="a")
def alternates_with_the_steps(state: State) -> list[Rule]:
    return [Rule(target="a", allowed=len(state.steps) % 2 == 0)]


@requirement(targets="a")
def hides_by_colour(state: State) -> list[Rule]:
    return [Rule(target="a", hidden=next(COLOURS) == "red")]


@requirement(targets="a")
def hides_after_b(state: State) -> list[Rule]:
    return [Rule(target="a", hidden="b" in names(state))]


@requirement(targets=["a", "b", "c"])
def throws_dice(state: State) -> list[Rule]:
    return by_bits(DICE.getrandbits(3))


@requirement(targets=["a", "b", "c"])
def throws_the_same_dice(state: State) -> list[Rule]:
    return by_bits(random.Random(7).getrandbits(3))


@requirement(targets=["a", "b", "c"])
def reads_the_clock(state: State) -> list[Rule]:
    return by_bits(time.perf_counter_ns() // 100)


@requirement(targets=["a", "b", "c"])
def reads_a_stopped_clock(state: State) -> list[Rule]:
    return by_bits(1_700_000_000 // 100)


@requirement(targets=["a", "b", "c"])
def reads_the_date(state: State) -> list[Rule]:
    return by_bits(datetime.now(UTC).microsecond)


@requirement(targets=["a", "b", "c"])
def reads_a_date(state: State) -> list[Rule]:
    return by_bits(datetime(2024, 5, 1, tzinfo=UTC).day)


@requirement(targets=["a", "b", "c"])
def makes_an_id(state: State) -> list[Rule]:
    return by_bits(uuid.uuid4().int)


@requirement(targets=["a", "b", "c"])
def makes_an_id_of_a_name(state: State) -> list[Rule]:
    return by_bits(uuid.uuid5(uuid.NAMESPACE_DNS, "beewalk").int)


@requirement(targets=["a", "b", "c"])
def asks_the_system(state: State) -> list[Rule]:
    return by_bits(os.urandom(1)[0])


@requirement(targets=["a", "b", "c"])
def draws_secrets(state: State) -> list[Rule]:
    return by_bits(secrets.randbits(3))


@requirement(targets=["a", "b", "c"])
def counts_the_last_tool(state: State) -> list[Rule]:
    return by_bits(names(state).count(names(state)[-1]) if state.steps else 0)


@requirement(targets="b")
def grows_a_list(state: State) -> list[Rule]:
    ASKED.append(len(state.steps))
    return [Rule(target="b", forced=len(ASKED) % 2 == 0)]


@requirement(targets="b")
def makes_a_list(state: State) -> list[Rule]:
    asked = [len(state.steps)]
    return [Rule(target="b", forced=len(asked) % 2 == 0)]


@requirement(targets="b")
def turns_the_belt(state: State) -> list[Rule]:
    BELT.rotate()
    return [Rule(target="b", prevent_stop=BELT[0])]


@requirement(targets="b")
def turns_a_copy_of_the_belt(state: State) -> list[Rule]:
    belt = BELT.copy()
    belt.rotate()
    return [Rule(target="b", prevent_stop=belt[0])]


@requirement(targets="a")
def knows_what_it_saw(state: State) -> list[Rule]:
    seen = names(state) in SEEN
    SEEN.add(names(state))
    return [Rule(target="a", allowed=not seen)]


@requirement(targets="a")
def knows_what_was_called(state: State) -> list[Rule]:
    return [Rule(target="a", allowed="a" not in set(names(state)))]


def defaulted(state: State, kept: list[int] = []) -> list[Rule]:  # noqa: B006 - the fault to show
    kept.append(1)
    return [Rule(target="b", allowed=len(kept) % 2 == 1)]


@requirement(targets="b")
def with_a_default(state: State) -> list[Rule]:
    return defaulted(state)


@requirement(targets="b")
def without_a_default(state: State) -> list[Rule]:
    return defaulted(state, [])


def in_a_closure() -> Requirement[Any]:
    count = 0

    @requirement(name="closure", targets="c")
    def closed(state: State) -> list[Rule]:
        nonlocal count
        count += 1
        return [Rule(target="c", allowed=count % 2 == 0)]

    return closed


def in_a_closure_that_only_reads() -> Requirement[Any]:
    count = 1

    @requirement(name="closure", targets="c")
    def closed(state: State) -> list[Rule]:
        return [Rule(target="c", allowed=(count + len(state.steps)) % 2 == 0)]

    return closed


def _switching() -> Iterator[bool]:
    while True:
        yield True
        yield False


SWITCH = _switching()


@requirement(targets="c")
def next_of_a_generator(state: State) -> list[Rule]:
    return [Rule(target="c")] if next(SWITCH) else []


@requirement(targets="c")
def first_of_a_generator(state: State) -> list[Rule]:
    return [Rule(target="c", hidden=True)] if next(_switching()) and state.steps else []


class Tally(Requirement[State]):
    """Counts in the class, for all of its instances."""

    name = "tally"
    asked: ClassVar[int] = 0

    def run(self, state: State) -> list[Rule]:
        type(self).asked += 1
        return [Rule(target="a", hidden=type(self).asked % 2 == 0)]


class Level(Requirement[State]):
    """Compares with a number of the class."""

    name = "level"
    asked: ClassVar[int] = 2

    def run(self, state: State) -> list[Rule]:
        return [Rule(target="a", hidden=len(state.steps) >= type(self).asked)]


@requirement(targets="a")
def raises_every_other_time(state: State) -> list[Rule]:
    if next(TICKS) % 2:
        raise ValueError("not now")
    return []


@requirement(targets="a")
def raises_after_three(state: State) -> list[Rule]:
    if len(state.steps) >= 3:
        raise ValueError("not now")
    return []


@requirement(targets="b")
def wavers_after_a(state: State) -> list[Rule]:
    return [Rule(target="b", allowed="a" not in names(state) or next(TICKS) % 2 == 0)]


@requirement(targets="b")
def decides_after_a(state: State) -> list[Rule]:
    return [Rule(target="b", allowed="a" not in names(state) or len(state.steps) >= 2)]


def _counted_in(file: Path) -> int:
    count = int(file.read_text(encoding="utf-8")) + 1 if file.exists() else 0
    file.write_text(str(count), encoding="utf-8")
    return count


@requirement(targets="a")
def writes_a_file(state: State) -> list[Rule]:
    return [Rule(target="a", allowed=_counted_in(Path(__file__).with_suffix(".count")) % 2 == 0)]


@requirement(targets="a")
def reads_a_file(state: State) -> list[Rule]:
    return [Rule(target="a", allowed=len(Path(__file__).read_text(encoding="utf-8")) < len(state.steps))]


@requirement(targets="b")
def wavers_after_a_failure(state: State) -> list[Rule]:
    failed = any(step.error is not None for step in state.steps)
    return [Rule(target="b", hidden=failed and next(TICKS) % 2 == 0)]


@requirement(targets="b")
def decides_after_a_failure(state: State) -> list[Rule]:
    failed = any(step.error is not None for step in state.steps)
    return [Rule(target="b", hidden=failed)]


@requirement(targets="pay")
def wavers_after_a_refusal(state: State) -> list[Rule]:
    refused = any(step.outcome == "denied" for step in state.steps)
    return [Rule(target="pay", allowed=not refused or next(TICKS) % 2 == 0)]


async def _from_afar(answer: Callable[[], bool]) -> bool:
    return answer()


class Afar(Requirement[State]):
    """A coroutine that never suspends."""

    name = "afar"

    def __init__(self, answer: Callable[[], bool]) -> None:
        super().__init__()
        self.answer = answer

    async def run(self, state: State) -> list[Rule]:
        return [Rule(target="a", allowed=await _from_afar(self.answer))]


def afar_and_wavering() -> Afar:
    return Afar(lambda: next(TICKS) % 2 == 0)


def afar_and_firm() -> Afar:
    return Afar(lambda: len(NAMES) == 3)


def check_of_a_coin(state: State) -> bool:
    return next(TICKS) % 2 == 0


def check_of_the_steps(state: State) -> bool:
    return len(state.steps) % 2 == 0


def check_of_a_stack(state: State) -> bool:
    ASKED.append(0)
    return len(ASKED) % 3 != 0


def check_of_a_limit(state: State) -> bool:
    return len(state.steps) < 3
