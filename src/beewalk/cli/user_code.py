"""What runs the user's own Python code."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

from beewalk.errors import BeewalkError


@contextmanager
def user_code() -> Iterator[None]:
    """Around what runs the policy's own Python code: what it prints is no part of the report, and it cannot exit."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except SystemExit as error:
        raise BeewalkError("the policy's Python code ended the program: take its call of exit() out") from error
