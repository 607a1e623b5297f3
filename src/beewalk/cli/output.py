"""Where output goes: to the terminal, or whole into a file."""

import os
import sys
from io import StringIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Literal

import click
from rich.console import Console, RenderableType

Color = Literal["auto", "always", "never"]

PIPE_WIDTH = 120


def rendered(content: RenderableType, *, color: Color, to_file: bool) -> str:
    """`content` as text: as wide as the terminal, in colours where they are wanted; in a file never."""
    at_terminal = sys.stdout.isatty() and not to_file
    text = StringIO()
    options: dict[str, Any] = {} if at_terminal else {"width": PIPE_WIDTH}
    if at_terminal:
        options["width"] = Console().width
    if to_file or color == "never":
        options["no_color"] = True
    elif color == "always" or at_terminal:
        options["force_terminal"] = True  # NO_COLOR and TERM=dumb still have a say
    Console(file=text, highlight=False, **options).print(content)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def write(text: str, *, file: Path | None) -> None:
    """Print `text`, or write it to `file`."""
    if file is None:
        click.echo(text, nl=False)
    else:
        replace_file(file, text.encode())


def replace_file(path: Path, content: bytes) -> None:
    """Write `content` to `path`; a reader sees the old file or the new one, never half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as draft:
        try:
            draft.write(content)
            draft.flush()
            os.fsync(draft.fileno())
            Path(draft.name).chmod(0o644)
            Path(draft.name).replace(path)
        except BaseException:
            Path(draft.name).unlink(missing_ok=True)
            raise
