"""Where output goes: to the terminal, or whole into a file; and what is said beside it, on stderr."""

import json
import os
import sys
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

import click
from rich.console import Console, RenderableType

from beewalk.errors import BeewalkError
from beewalk.reports.terminal import printable

Color = Literal["auto", "always", "never"]

PIPE_WIDTH = 120
_LONGEST_LINE = 2_000


def rendered(content: RenderableType, *, color: Color, to_file: bool) -> str:
    """`content` as text: as wide as the terminal, in colours where they are wanted; in a file never."""
    at_terminal = sys.stdout is not None and sys.stdout.isatty() and not to_file
    coloured = not to_file and _coloured(color, at_terminal=at_terminal)
    text = StringIO()
    Console(
        file=text,
        width=Console().width if at_terminal else PIPE_WIDTH,
        highlight=False,
        force_terminal=coloured,
        no_color=not coloured,
        color_system="standard" if coloured else None,
    ).print(content)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def _coloured(color: Color, *, at_terminal: bool) -> bool:
    """What --color says, else NO_COLOR, else FORCE_COLOR, else whether a terminal that can do it is there."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (at_terminal and os.environ.get("TERM") != "dumb")


def as_json(data: Any) -> str:
    """`data` as JSON in plain ASCII; counts of runs may have more digits than Python prints unasked."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return json.dumps(data, indent=2) + "\n"
    finally:
        sys.set_int_max_str_digits(limit)


def write(text: str, *, file: Path | None) -> None:
    """Print `text`, or write it to `file`.

    Nothing is raised where the reader of our output has gone: the exit code still tells what was found.

    Raises:
        BeewalkError: it cannot be written.
    """
    if file is not None:
        replace_file(file, text.encode())
        return
    try:
        click.echo(_encodable(text), nl=False, color=True)  # `rendered` has decided on colours
    except OSError as error:
        _discard_stdout()
        if not isinstance(error, BrokenPipeError):
            raise BeewalkError(f"the output cannot be written: {_reason(error)}") from error


def say(text: str) -> None:
    """One line on stderr: control characters are shown, and what is far too long is cut in the middle."""
    line = printable(text)
    if len(line) > _LONGEST_LINE:
        half = _LONGEST_LINE // 2
        line = f"{line[:half]} ... {line[-half:]}"
    with suppress(OSError):  # nobody is left to be told
        click.echo(line, err=True)


def replace_file(path: Path, content: bytes) -> None:
    """Write `content` to `path`; a reader sees the old file or the new one, never half of it.

    A link stays a link, and what is no regular file (a pipe, /dev/null) is written to rather than replaced.

    Raises:
        BeewalkError: it cannot be written.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            _replace(path.resolve() if path.is_symlink() else path, content)
    except OSError as error:
        raise BeewalkError(f"{path}: the file cannot be written: {_reason(error)}: choose another place") from error


def _replace(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".beewalk-{uuid4().hex}.part")
    try:
        with draft.open("xb") as file:
            if target.exists():
                draft.chmod(target.stat().st_mode & 0o777)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _encodable(text: str) -> str:
    """The text, with escapes for what stdout's encoding has no bytes for."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _discard_stdout() -> None:
    """Let what stdout still holds go nowhere, or Python would complain of it when the process ends."""
    with suppress(OSError, ValueError, AttributeError):  # a stdout without a file descriptor needs nothing
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
