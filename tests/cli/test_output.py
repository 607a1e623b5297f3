"""Where a report goes: whole into a file, or as text to the terminal, in colours only where they are wanted."""

import io
import os
import sys
from pathlib import Path

import pytest
from rich.text import Text

from beewalk.cli import output
from beewalk.cli.output import rendered, replace_file, say, write
from beewalk.errors import BeewalkError
from tests.cli.conftest import Beewalk

POLICY = "policy: p\ntools: [a]\nrequirements:\n  - {conditional: a, max_invocations: 0}\n"
GREETING = Text("hello", style="bold red")


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("form", ["text", "json"])
def test_output_is_written_whole_and_nothing_is_printed(form: str, explored: Beewalk, folder: Path) -> None:
    printed = explored(POLICY, "--format", form).out
    ran = explored(POLICY, "--format", form, "--output", "new/folder/report")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (folder / "new" / "folder" / "report").read_text(encoding="utf-8") == printed
    assert names_in(folder / "new" / "folder") == ["report"]


def test_pictures_are_named_on_stderr_unless_quiet(explored: Beewalk, folder: Path) -> None:
    ran = explored(POLICY, "--out", "pictures")
    files = [f"p.{name}.{kind}" for name in ("graph", "tools", "calendar") for kind in ("svg", "png")]
    assert ran.lines == [f"wrote {Path('pictures', file)}" for file in files]
    assert names_in(folder / "pictures") == sorted(files)
    assert explored(POLICY, "--out", "pictures", "--quiet").err == ""


def test_graph_that_is_too_large_to_read_is_not_drawn(explored: Beewalk, folder: Path) -> None:
    ran = explored(
        "policy: p\ntools: [a]\nrequirements:\n  - {conditional: a, max_invocations: 60}\n", "--out", "pictures"
    )
    assert ran.code == 0
    said = "no graph of 61 states: too many to read; the map of tools shows what can follow what"
    assert ran.lines[0] == said
    assert "p.tools.svg" in names_in(folder / "pictures")
    assert "p.graph.svg" not in names_in(folder / "pictures")


def test_replacing_a_file_keeps_its_mode_and_leaves_nothing_beside_it(folder: Path) -> None:
    report = folder / "report"
    report.write_text("old", encoding="utf-8")
    report.chmod(0o600)
    replace_file(report, b"new")
    assert (report.read_bytes(), report.stat().st_mode & 0o777) == (b"new", 0o600)
    assert names_in(folder) == ["report"]


def test_new_file_has_the_mode_that_the_user_wants(folder: Path) -> None:
    before = os.umask(0o027)
    try:
        replace_file(folder / "report", b"new")
    finally:
        os.umask(before)
    assert (folder / "report").stat().st_mode & 0o777 == 0o640


def test_replacing_what_a_link_leads_to_keeps_the_link(folder: Path) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "report").symlink_to("elsewhere/real")
    replace_file(folder / "report", b"new")
    assert (folder / "report").is_symlink()
    assert (folder / "elsewhere" / "real").read_bytes() == b"new"


def test_what_is_no_file_is_written_to_and_stays(folder: Path) -> None:
    reading, writing = os.pipe()
    replace_file(Path(f"/dev/fd/{writing}"), b"through the pipe")
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == b"through the pipe"


def test_old_file_stays_when_the_new_one_cannot_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_: int) -> None:
        raise OSError(28, "No space left on device")

    report = folder / "report"
    report.write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(
        BeewalkError, match="report: the file cannot be written: no space left on device: choose another"
    ):
        replace_file(report, b"new")
    assert report.read_text(encoding="utf-8") == "old"
    assert names_in(folder) == ["report"]


def test_file_that_cannot_be_written_is_one_line(explored: Beewalk) -> None:
    ran = explored(POLICY, "--output", "p.policy.yaml/report")
    assert (ran.code, ran.out, len(ran.lines)) == (2, "", 1)
    assert ran.err.startswith(f"error: {Path('p.policy.yaml/report')}: the file cannot be written: ")


class Terminal(io.StringIO):
    """A stdout that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("at_terminal", [False, True])
@pytest.mark.parametrize(
    ("color", "environment", "expected"),
    [
        # what is asked for on the command line wins over the environment
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, (True, True)),
        ("never", {"FORCE_COLOR": "1"}, (False, False)),
        # NO_COLOR wins over FORCE_COLOR; an empty variable says nothing
        ("auto", {"NO_COLOR": "1"}, (False, False)),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, (False, False)),
        ("auto", {"FORCE_COLOR": "1"}, (True, True)),
        ("auto", {"NO_COLOR": "", "FORCE_COLOR": "1"}, (True, True)),
        ("auto", {"FORCE_COLOR": ""}, (False, True)),
        # else a terminal decides
        ("auto", {}, (False, True)),
        ("auto", {"TERM": "dumb"}, (False, False)),
        ("auto", {"TERM": "dumb", "FORCE_COLOR": "1"}, (True, True)),
    ],
)
def test_colours_are_used_where_they_are_wanted(
    color: output.Color,
    environment: dict[str, str],
    expected: tuple[bool, bool],
    at_terminal: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in ({"TERM": "xterm"} | environment).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Terminal() if at_terminal else io.StringIO())
    text = rendered(GREETING, color=color, to_file=False)
    assert text == ("\x1b[1;31mhello\x1b[0m\n" if expected[at_terminal] else "hello\n")
    assert rendered(GREETING, color=color, to_file=True) == "hello\n"


def test_colours_reach_a_pipe_only_when_asked_for(explored: Beewalk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in explored(POLICY).out
    assert "\x1b[1;33m" in explored(POLICY, "--color", "always").out
    assert "\x1b" not in explored(POLICY, "--color", "always", "--format", "json").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;33m" in explored(POLICY).out
    assert "\x1b" not in explored(POLICY, "--color", "never").out


def test_text_is_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "30")
    words = Text("word " * 100)
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert max(map(len, rendered(words, color="auto", to_file=False).splitlines())) <= 30
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert max(map(len, rendered(words, color="auto", to_file=False).splitlines())) > 100


def test_text_that_stdout_has_no_bytes_for_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    write("12 °C 😀\n", file=None)
    assert raw.getvalue() == rb"12 \xb0C \U0001f600" + b"\n"


def test_process_without_stdout_still_finds(explored: Beewalk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert explored(POLICY).code == 0


def test_what_is_said_is_one_line_without_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    say("a\nb\x1b[31m")
    say("x" * 10_000)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == r"a\nb\x1b[31m"
    assert len(lines) == 2
    assert len(lines[1]) < 2_100


def test_nothing_is_raised_where_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", Gone())
    monkeypatch.setattr(sys, "stdout", Gone())
    say("hello")
    write("hello\n", file=None)
