"""The evaluator: an event loop in a thread of its own, for requirement code that waits."""

import asyncio
import atexit
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from functools import cached_property
from typing import Any

SECONDS = 30.0


class Evaluator:
    """Runs coroutines to their end, wherever it is called from; the thread starts when it is first needed.

    Args:
        seconds: how long one coroutine may take.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds

    def __call__(self, make: Callable[[], Awaitable[Any]]) -> Any:
        """The result of the coroutine that `make` makes inside the loop.

        Raises:
            TimeoutError: it takes too long; its text says how long that is.
            CancelledError: of concurrent.futures, where the coroutine cancelled itself.
            BaseException: whatever else the coroutine raises.
        """

        async def kept() -> tuple[Any, BaseException | None]:
            # Nothing gets out of the loop but as a value: SystemExit and the like would end its thread.
            try:
                return await make(), None
            except BaseException as error:  # noqa: BLE001 - it is raised again below
                return None, error

        waiting = asyncio.run_coroutine_threadsafe(kept(), self._loop)
        try:
            value, error = waiting.result(self._seconds)
        except TimeoutError as late:
            waiting.cancel()
            self.__dict__.pop("_loop")  # what blocks it may never give it back
            raise TimeoutError(f"{self._seconds:g} seconds") from late
        if isinstance(error, asyncio.CancelledError):
            raise CancelledError from error
        if error is not None:
            raise error
        return value

    @cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, name="beewalk requirements", daemon=True)
        thread.start()
        atexit.register(_end, loop, thread)
        return loop


def _end(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    loop.call_soon_threadsafe(loop.stop)
    thread.join(1)
    if not thread.is_alive():
        loop.close()
