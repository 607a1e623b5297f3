"""Machine: what a requirement remembers of a run, and the rules that follow from it."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from beewalk.policy.rule import Rule
from beewalk.policy.state import Run
from beewalk.policy.step import Turn

M = TypeVar("M", bound=Hashable)


class Machine(Protocol[M]):
    """A requirement bound to the tools of one policy.

    Memories are values: equal memories give equal rules now and after any further turns. Whoever drives the machine
    (the runner, the explorer, `run`) keeps the memory; the machine itself has none.
    """

    def start(self, run: Run) -> M:
        """Memory before the first turn of `run`."""
        ...

    def after(self, memory: M, turn: Turn) -> M:
        """Memory once `turn` is finished."""
        ...

    def rules(self, memory: M) -> Sequence[Rule]:
        """Rules for the request that comes next.

        Raises:
            RequirementError: the requirement refuses to go on; the run ends with it.
        """
        ...

    def permission(self, memory: M, tool: str) -> bool | None:
        """What happens when `tool` is called: None asks the user, False refuses it, True lets it run."""
        ...

    def words(self, memory: M) -> tuple[str, ...]:
        """What `memory` says of the run, in a few words each, for pictures ("search 1/2"); empty is fine."""
        ...

    def met(self, before: M, after: M) -> tuple[str, ...]:
        """The parameters that wait for calls, and for which `after` has one more that counts than `before`."""
        ...

    def confirm(self, kept: M, other: M) -> None:
        """Check that two equal memories that stand for different histories really are alike.

        Raises:
            MergeError: they are not; it carries both histories.
        """
        ...


class ExactMachine:
    """What machines share whose memory is exact by construction and that ask no permission."""

    def permission(self, memory: Hashable, tool: str) -> bool | None:  # noqa: ARG002 - the protocol's signature
        """Every call may run."""
        return True

    def confirm(self, kept: Hashable, other: Hashable) -> None:
        """Nothing to check."""

    def words(self, memory: Any) -> tuple[str, ...]:  # noqa: ARG002 - as above
        """Nothing to say."""
        return ()

    def met(self, before: Any, after: Any) -> tuple[str, ...]:  # noqa: ARG002 - as above
        """It waits for nothing that is known."""
        return ()


def fold(machine: Machine[M], run: Run, turns: Iterable[Turn]) -> M:
    """Memory of `machine` once all `turns` of `run` are finished."""
    memory = machine.start(run)
    for turn in turns:
        memory = machine.after(memory, turn)
    return memory
