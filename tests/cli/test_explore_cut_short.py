"""Searches that are cut short: what is known is printed, with the reason, and nothing is said to hold."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.conftest import Beewalk

MAIN = "import sys; from beewalk.cli.main import main; sys.exit(main())"
TOOLS = ", ".join(f"t{number}" for number in range(12))
LARGE = f"policy: large\ntools: [{TOOLS}]\nrequirements:\n" + "".join(
    f"  - {{conditional: t{number}, max_invocations: 9, consecutive_allowed: false}}\n" for number in range(12)
)


def started(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    (folder / "large.policy.yaml").write_text(LARGE, encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, "explore", "large.policy.yaml", "--max-states", "100000000", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )


def test_ctrl_c_prints_what_is_known(folder: Path) -> None:
    with started(folder, "--format", "json") as process:
        assert process.stderr is not None
        assert "states so far" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "press Ctrl-C again" in said
    assert "Traceback" not in said
    found = json.loads(out)
    assert (found["complete"], found["stop_reason"], found["sequences"]["exact"]) == (False, "interrupted", False)
    assert found["states"] > 1_000


def test_a_second_ctrl_c_ends_at_once(folder: Path) -> None:
    with started(folder, "--format", "json") as process:
        assert process.stderr is not None
        assert "states so far" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert "press Ctrl-C again" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        out, said = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, "")
    assert said.splitlines()[-1] == "interrupted"
    assert time.monotonic() - began < 30


def test_the_time_that_is_given_is_a_bound(beewalk: Beewalk, folder: Path) -> None:
    (folder / "large.policy.yaml").write_text(LARGE, encoding="utf-8")
    ran = beewalk("explore", "large.policy.yaml", "--max-seconds", 0.2, "--max-states", 10**8, "--format", "json")
    assert ran.code == 3
    found = json.loads(ran.out)
    assert (found["complete"], found["stop_reason"]) == (False, "max_seconds")
    again = beewalk("explore", "large.policy.yaml", "--max-seconds", 0.2, "--accept-bounded")
    assert again.code == 0
    assert "the search stopped at max_seconds" in again.out


def test_time_that_is_enough_changes_nothing(beewalk: Beewalk, folder: Path) -> None:
    (folder / "p.policy.yaml").write_text("policy: p\ntools: [a]\n", encoding="utf-8")
    with_time = beewalk("explore", "p.policy.yaml", "--max-seconds", 100)
    assert (with_time.code, with_time.out) == (0, beewalk("explore", "p.policy.yaml").out)
