"""The lookout: tells how a search gets on, and stops it when its time is up or at Ctrl-C."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType

from beewalk.cli.output import say
from beewalk.explorer.graph import StopReason

SECONDS_BETWEEN = 3.0


class Lookout:
    """Asked by a search now and then whether to go on; `interrupted` once Ctrl-C was pressed.

    Args:
        seconds: how long the search may take; None for no bound.
        quiet: tell nothing.
    """

    def __init__(self, seconds: float | None, *, quiet: bool) -> None:
        self.interrupted = False
        self._began = self._told = monotonic()
        self._seconds = seconds
        self._quiet = quiet

    def __call__(self, states: int) -> StopReason | None:
        """Why to stop a search that knows so many states, or None."""
        now = monotonic()
        if self.interrupted:
            return StopReason.INTERRUPTED
        if self._seconds is not None and now - self._began > self._seconds:
            return StopReason.TIME_LIMIT
        if not self._quiet and now - self._told > SECONDS_BETWEEN:
            self._told = now
            say(f"{states:,} states so far; Ctrl-C stops here and tells what is known")
        return None

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Within it the first Ctrl-C only stops the search; the second one ends the program at once."""
        here = threading.current_thread() is threading.main_thread()
        if not here or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return
        signal.signal(signal.SIGINT, self._note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _note(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signal module's signature
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = True
        say("stopping; press Ctrl-C again to end without a report")
