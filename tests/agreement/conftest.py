"""An event loop for the real reasoner."""

import asyncio
from collections.abc import Iterator

import pytest


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop that lives as long as the test."""
    with asyncio.Runner() as runner:
        yield runner.get_loop()
