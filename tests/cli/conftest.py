"""`beewalk(...)`: the command line as a function, in an empty folder."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from beewalk.cli.main import main


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """What it said on stderr."""
        return self.err.splitlines()


Beewalk = Callable[..., Ran]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, and an environment that says nothing of colours."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def beewalk(capsys: pytest.CaptureFixture[str]) -> Beewalk:
    """Runs the command line within this process."""

    def run(*arguments: object) -> Ran:
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run


@pytest.fixture
def explored(beewalk: Beewalk, folder: Path) -> Beewalk:
    """Explores the policy file with this text, as `p.policy.yaml`."""

    def run(text: str | bytes, *arguments: object) -> Ran:
        (folder / "p.policy.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
        return beewalk("explore", "p.policy.yaml", *arguments)

    return run
