"""Exit codes and streams of `beewalk explore`: what is found decides, not how it is shown."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from beewalk.cli import explore as explore_command
from tests.cli.conftest import Beewalk

CLEAN = "policy: clean\ntools: [a, b]\nrequirements:\n  - {conditional: b, only_after: a, max_invocations: 3}\n"
WARNED = "policy: warned\ntools: [a]\nrequirements:\n  - {conditional: a, max_invocations: 0}\n"
BROKEN = "policy: broken\ntools: [a]\nrequirements:\n  - {conditional: a, min_invocations: 1, max_invocations: 1}\n"
STUCK = "policy: stuck\ntools: [a, b]\nrequirements:\n  - {conditional: final_answer, only_after: b}\n"
STUCK += "  - {conditional: b, max_invocations: 0}\n"


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        (CLEAN, [], 0),
        (WARNED, [], 0),
        (BROKEN, [], 0),
        (STUCK, [], 1),
        # cut short: nothing wrong is known, or nothing more is wanted
        (CLEAN, ["--max-states", "2"], 3),
        (CLEAN, ["--max-depth", "1"], 3),
        (CLEAN, ["--max-states", "2", "--accept-bounded"], 0),
        (CLEAN, ["--accept-bounded"], 0),
        (STUCK, ["--accept-bounded"], 1),
        # whatever is found
        (STUCK, ["--exit-zero"], 0),
        (CLEAN, ["--exit-zero", "--max-states", "2"], 0),
        # not for what cannot be explored
        ("tools: [a]\n", ["--exit-zero"], 2),
        ("policy: p\ntools: [a]\nproperties: [x]\n", ["--exit-zero", "--accept-bounded"], 2),
    ],
)
def test_exit_code_does_not_depend_on_the_format(
    text: str, options: list[str], code: int, form: str, explored: Beewalk
) -> None:
    assert explored(text, *options, "--format", form).code == code
    assert explored(text, *options, "--format", form, "--output", "report").code == code


def test_clean_policy_says_nothing_on_stderr(explored: Beewalk) -> None:
    ran = explored(CLEAN)
    assert ran.err == ""
    assert ran.out.startswith("clean: no errors")


def test_json_has_exactly_the_keys_of_this_version(explored: Beewalk) -> None:
    data = json.loads(explored(STUCK, "--format", "json").out)
    assert list(data) == [
        "format_version",
        "policy",
        "engine",
        "outcomes",
        "conduct",
        "assumed",
        "states",
        "moves",
        "complete",
        "stop_reason",
        "depth",
        "beyond_limit",
        "sequences",
        "tools",
        "findings",
    ]
    assert list(data["sequences"]) == ["max_length", "complete_runs", "exact"]
    assert set(data["tools"]) == {"a", "b", "final_answer"}
    assert all(list(tool) == ["allowed", "forced", "first_step", "max_calls"] for tool in data["tools"].values())
    finding = data["findings"][0]
    wanted = {"code", "severity", "message", "count", "witness", "needs", "accepted", "mend", "rulings", "blame"}
    assert wanted <= set(finding)
    assert all(
        {"requirement", "parameter", "reason"} <= set(because)
        for ruling in finding["rulings"].values()
        for because in ruling["because"]
    )


def test_astronomical_counts_are_exact_in_json_and_told_by_their_size_in_text(explored: Beewalk) -> None:
    text = f"policy: p\ntools: [{', '.join(map(chr, range(97, 107)))}]\n"
    form = explored(text, "--max-iterations", "5000", "--format", "json")
    assert (form.code, form.err) == (0, "")
    assert f'"complete_runs": {"1" * 4_000}' in form.out
    assert "about 10^4999 complete runs of at most 5,000 calls" in explored(text, "--max-iterations", "5000").out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "Missing argument 'POLICY'"),
        (["p.policy.yaml", "q.policy.yaml"], "Got unexpected extra argument"),
        (["p.policy.yaml", "--nonsense"], "No such option"),
        (["p.policy.yaml", "--format", "xml"], "'xml' is not one of"),
        (["p.policy.yaml", "--outcomes", "maybe"], "write ok, or ok,error (= all)"),
        (["p.policy.yaml", "--outcomes", "error"], "write ok, or ok,error (= all)"),
        (["p.policy.yaml", "--outcomes", ""], "write ok, or ok,error (= all)"),
        (["p.policy.yaml", "--max-length", "0"], "0 is not in the range"),
        (["p.policy.yaml", "--max-length", "100001"], "100001 is not in the range"),
        (["p.policy.yaml", "--max-states", "0"], "0 is not in the range"),
        (["p.policy.yaml", "--max-depth", "-1"], "-1 is not in the range"),
        (["p.policy.yaml", "--max-iterations", "many"], "'many' is not a valid integer"),
        (["p.policy.yaml", "--max-iterations", "100001"], "100001 is not in the range"),
        (["p.policy.yaml", "--color", "red"], "'red' is not one of"),
        (["p.policy.yaml", "--output", "."], "is a directory"),
        (["p.policy.yaml", "--out", "p.policy.yaml"], "is a file"),
    ],
)
def test_wrong_use_is_exit_code_2_with_usage(options: list[str], said: str, beewalk: Beewalk, folder: Path) -> None:
    (folder / "p.policy.yaml").write_text(CLEAN, encoding="utf-8")
    ran = beewalk("explore", *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Usage: beewalk explore [OPTIONS] POLICY")
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_unknown_command_is_exit_code_2(beewalk: Beewalk) -> None:
    ran = beewalk("explode")
    assert (ran.code, ran.out) == (2, "")
    assert "No such command 'explode'" in ran.err


def test_version_and_help_are_printed(beewalk: Beewalk) -> None:
    assert beewalk("--version").out.startswith("beewalk ")
    for arguments in (["--help"], ["-h"], ["explore", "--help"], ["schema", "-h"]):
        ran = beewalk(*arguments)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith("Usage: beewalk")


def explode(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let exploring raise."""

    def raising(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(explore_command, "explore_policy", raising)


def test_ctrl_c_is_130_without_a_traceback(explored: Beewalk, monkeypatch: pytest.MonkeyPatch) -> None:
    explode(KeyboardInterrupt(), monkeypatch)
    ran = explored(CLEAN)
    assert (ran.code, ran.out) == (130, "")
    assert ran.err.split() == ["interrupted"]


def test_internal_error_is_one_line(explored: Beewalk, monkeypatch: pytest.MonkeyPatch) -> None:
    explode(RuntimeError("two\nlines"), monkeypatch)
    ran = explored(CLEAN)
    assert (ran.code, ran.out, len(ran.lines)) == (2, "", 1)
    assert ran.err.startswith(r"error: internal error: RuntimeError: two\nlines: please report it")


@pytest.mark.parametrize(
    "error", [RecursionError("too deep"), MemoryError(), AssertionError("disagree"), GeneratorExit()]
)
def test_no_error_of_any_kind_shows_a_traceback(
    error: BaseException, explored: Beewalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    explode(error, monkeypatch)
    ran = explored(CLEAN)
    assert (ran.code, ran.out, len(ran.lines)) == (2, "", 1)
    assert type(error).__name__ in ran.err


def test_traceback_shows_where_an_error_comes_from(
    beewalk: Beewalk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "p.policy.yaml").write_text(CLEAN, encoding="utf-8")
    explode(RuntimeError("here"), monkeypatch)
    ran = beewalk("--traceback", "explore", "p.policy.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.lines[0] == "Traceback (most recent call last):"
    assert "in raising" in ran.err
    assert ran.lines[-1].startswith("error: internal error: RuntimeError: here")


def test_traceback_shows_where_a_problem_of_a_file_comes_from(beewalk: Beewalk) -> None:
    ran = beewalk("--traceback", "explore", "no.policy.yaml")
    assert ran.code == 2
    assert "Traceback (most recent call last):" in ran.err
    assert ran.lines[-1].startswith("error: no.policy.yaml:1:1: ")


@contextmanager
def running(*arguments: str, **options: object) -> Iterator["subprocess.Popen[str]"]:
    """The command in a process of its own."""
    command = [sys.executable, "-c", "import sys; from beewalk.cli.main import main; sys.exit(main())", *arguments]
    with subprocess.Popen(command, text=True, stderr=subprocess.PIPE, **options) as process:  # type: ignore[call-overload]
        yield process


@pytest.mark.parametrize("arguments", [["explore", "p.policy.yaml"], ["schema", "policy"], ["--help"]])
def test_closed_pipe_gives_no_traceback(arguments: list[str], folder: Path) -> None:
    (folder / "p.policy.yaml").write_text(CLEAN, encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    with running(*arguments, stdout=writing) as process:
        os.close(writing)
        said = process.communicate()[1]
    assert (process.returncode, said) == (0, "")


def test_closed_pipe_leaves_the_exit_code_to_what_was_found(folder: Path) -> None:
    (folder / "p.policy.yaml").write_text(STUCK, encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    with running("explore", "p.policy.yaml", stdout=writing) as process:
        os.close(writing)
        said = process.communicate()[1]
    assert (process.returncode, said) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk_is_one_line(folder: Path) -> None:
    (folder / "p.policy.yaml").write_text(CLEAN, encoding="utf-8")
    with (
        Path("/dev/full").open("w", encoding="utf-8") as full,
        running("explore", "p.policy.yaml", stdout=full) as process,
    ):
        said = process.communicate()[1]
    assert (process.returncode, said) == (2, "error: the output cannot be written: no space left on device\n")


def test_real_ctrl_c_is_130_without_a_traceback(folder: Path) -> None:
    (folder / "endless.py").write_text(
        "import sys, time\nprint('waiting', file=sys.stderr, flush=True)\ntime.sleep(60)\n", encoding="utf-8"
    )
    with running("explore", "endless:policy", stdout=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=30)
    assert (process.returncode, out, said.split()) == (130, "", ["interrupted"])
