"""What runs the user's own Python code."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

from beewalk.errors import BeewalkError


@contextmanager
def user_code() -> Iterator[None]:
    """Around what runs the policy's own Python code: what it prints is no part of the report, and it cannot exit."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except SystemExit as error:
        raise BeewalkError("the policy's Python code ended the program: take its call of exit() out") from error


@contextmanager
def stops_at_once() -> Iterator[None]:
    """Ctrl-C interrupts the user's code wherever it is; an event loop would first wait until it comes back."""
    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)  # an event loop replaces Python's own handler, and no other
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt
