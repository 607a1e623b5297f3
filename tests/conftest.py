"""What holds for every test: no network beyond loopback, and hypothesis profiles."""

import os
import socket

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("dev", deadline=None, max_examples=50)
settings.register_profile(
    "ci", deadline=None, max_examples=300, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection but those to this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if self.family != socket.AF_UNIX and host not in {"127.0.0.1", "::1", "localhost"}:
            raise AssertionError(f"a test wanted to reach {address!r}: tests use no network")
        connect(self, address)  # type: ignore[arg-type]  # whatever was asked for

    monkeypatch.setattr(socket.socket, "connect", guarded)
