"""`beewalk run` and Ctrl-C, in processes of their own."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from beewalk.cli import run as run_module
from beewalk.cli.main import main
from beewalk.cli.user_code import stops_at_once

MAIN = "import sys\nfrom beewalk.cli.main import main\nsys.exit(main(sys.argv[1:]))"
CODE = """\
import asyncio
import time
from pathlib import Path

from beewalk import ConditionalRequirement, Policy, Tool, tool


def hang(state=None):
    Path("started").touch()
    until = time.monotonic() + 20
    while time.monotonic() < until:
        pass
    return True


class Model:
    reply = staticmethod(hang)


@tool
def slow(n: int) -> str:
    "Slow."
    Path("started").touch()
    time.sleep(20)


@tool
async def blocking(n: int) -> str:
    "Blocks the event loop."
    hang()


@tool
async def patient(n: int) -> str:
    "Patient."
    Path("started").touch()
    await asyncio.sleep(20)


hangs_in_tools = Policy([slow, blocking, patient])
hangs_in_a_check = Policy([Tool("a")], [ConditionalRequirement("a", custom_checks=[hang])])
"""
FINE = "scenario: fine\npolicy: {policy: p, tools: [a]}\nchat_model: {script: [{final_answer: {response: x}}]}\n"
SAYS_NO_MORE = "chat_model: {script: [{final_answer: {response: x}}]}\n"


class Stopped(NamedTuple):
    """What a command did that got one SIGINT."""

    code: int
    out: str
    err: str
    seconds: float


@pytest.fixture
def interrupted(folder: Path) -> Callable[..., Stopped]:
    """Plays the file `s.scenario.yaml` with this text, and sends SIGINT as soon as the user's code hangs."""

    def run(text: str, *arguments: str) -> Stopped:
        (folder / "code.py").write_text(CODE, encoding="utf-8")
        (folder / "s.scenario.yaml").write_text(text, encoding="utf-8")
        command = [sys.executable, "-c", MAIN, "run", "s.scenario.yaml", *arguments]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True)
        until = time.monotonic() + 30
        while not (folder / "started").exists() and time.monotonic() < until:
            time.sleep(0.02)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        return Stopped(process.returncode, out, err, time.monotonic() - sent)

    return run


def in_a_tool(tool: str) -> str:
    script = f"[{{{tool}: {{n: 1}}}}, {{final_answer: {{response: x}}}}]"
    return f"scenario: s\npolicy: code.py:hangs_in_tools\nchat_model: {{script: {script}}}\ntools: {{{tool}: real}}\n"


@pytest.mark.parametrize(
    "text",
    [
        'scenario: s\npolicy: {policy: p, tools: [a]}\nchat_model: {python: "code.py:Model"}\n',
        f"scenario: s\npolicy: code.py:hangs_in_a_check\n{SAYS_NO_MORE}",
        in_a_tool("slow"),
        in_a_tool("blocking"),
        in_a_tool("patient"),
    ],
    ids=["chat model", "check", "slow tool", "blocking tool", "patient tool"],
)
def test_one_ctrl_c_is_enough_wherever_the_users_code_is(text: str, interrupted: Callable[..., Stopped]) -> None:
    stopped = interrupted(f"{FINE}---\n{text}---\n{FINE.replace('fine', 'never')}")
    assert (stopped.code, stopped.err) == (130, "")
    assert stopped.out == "passed  fine  s.scenario.yaml:1\n\n1 passed; interrupted, 2 not played\n"
    assert stopped.seconds < 10


def test_the_report_of_what_is_known_replaces_the_old_one_whole(
    interrupted: Callable[..., Stopped], folder: Path
) -> None:
    report = folder / "report.json"
    report.write_text("old", encoding="utf-8")
    stopped = interrupted(f"{FINE}---\n{in_a_tool('patient')}", "--format", "json", "--output", "report.json")
    assert (stopped.code, stopped.out) == (130, "")
    data = json.loads(report.read_text(encoding="utf-8"))
    assert (data["stop_reason"], data["passed"], data["not_played"]) == ("interrupted", 1, 1)
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == [
        "code.py",
        "report.json",
        "s.scenario.yaml",
        "started",
    ]


def test_ctrl_c_while_files_are_opened_leaves_the_old_report(interrupted: Callable[..., Stopped], folder: Path) -> None:
    (folder / "report.txt").write_text("old", encoding="utf-8")
    (folder / "opens.py").write_text("from code_to_hang import hang\n\nhang()\n", encoding="utf-8")
    (folder / "code_to_hang.py").write_text(CODE, encoding="utf-8")
    stopped = interrupted(f"scenario: s\npolicy: opens.py:p\n{SAYS_NO_MORE}", "--output", "report.txt")
    assert (stopped.code, stopped.out, stopped.err.strip()) == (130, "", "interrupted")
    assert (folder / "report.txt").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("text", "0 passed; interrupted, 1 not played\n"),
        ("json", '"not_played": 1'),
        ("markdown", "interrupted: 1 not played\n"),
        ("junit", "<testsuites"),
    ],
)
def test_each_format_tells_what_is_known_where_nothing_is(
    form: str, said: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run_module, "run_all", stopped)
    (folder / "s.scenario.yaml").write_text(FINE, encoding="utf-8")
    assert main(["run", "s.scenario.yaml", "--format", form]) == 130
    printed = capsys.readouterr()
    assert said in printed.out
    assert printed.err == ""
    assert main(["run", "s.scenario.yaml", "--exit-zero"]) == 130


def test_pythons_own_handling_of_ctrl_c_comes_back(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    (folder / "s.scenario.yaml").write_text(FINE, encoding="utf-8")
    assert main(["run", "s.scenario.yaml"]) == 0
    assert signal.getsignal(signal.SIGINT) is before


def interrupt_myself() -> None:
    with stops_at_once():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)


def test_ctrl_c_is_an_exception_while_scenarios_are_played() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupt_myself()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_handler_of_someone_else_and_other_threads_are_left_alone(folder: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stops_at_once():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)

    (folder / "s.scenario.yaml").write_text(FINE, encoding="utf-8")
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(main(["run", "s.scenario.yaml"])))
    thread.start()
    thread.join()
    assert codes == [0]
