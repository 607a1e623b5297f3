"""The blocks of a Markdown page, run in order; `python -m tests.support.docs PAGE...` pastes what they really print.

A page is run in a folder of its own:

- a `yaml` block that starts with `policy: NAME` is saved as NAME.policy.yaml;
- a `yaml` block whose first line is `# NAME.scenario.yaml` is saved under that name;
- a `python` block runs, in one namespace a page; where its first line is `# NAME.py`, it is saved under that name too;
- a `text` block that follows a `python` block is what that block prints;
- a `console` block whose commands are all `$ beewalk ...` is run, and shows what the commands print.

Blocks marked `python no-run` or `console no-run` are left alone.
"""

import contextlib
import io
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beewalk.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_PROMPT = "$ "


@dataclass(frozen=True)
class Block:
    """A fenced block: `info` stands behind the opening fence, `first` is the line number of its first line."""

    info: str
    code: str
    first: int
    before: str
    follows: int | None

    @property
    def policy(self) -> str | None:
        """The name of the policy that the block writes down."""
        found = re.match(r"(?:#.*\n)*policy: *(\S+)", self.code) if self.info == "yaml" else None
        return found.group(1) if found else None

    @property
    def file(self) -> str | None:
        """The name of the Python or scenario file that the block writes down."""
        named = {"python": r"# (\w+\.py)\n", "yaml": r"# ([\w-]+\.scenario\.yaml)\n"}
        found = re.match(named[self.info], self.code) if self.info in named else None
        return found.group(1) if found else None

    @property
    def commands(self) -> list[list[str]]:
        """The arguments of each `beewalk` command; empty where the block has others too."""
        lines = [line[len(_PROMPT) :] for line in self.code.splitlines() if line.startswith(_PROMPT)]
        split = [shlex.split(line) for line in lines] if self.info == "console" else []
        return [words[1:] for words in split] if all(words[0] == "beewalk" for words in split) else []


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of `page`, in order; `follows` is the place of the block that ends right before."""
    blocks: list[Block] = []
    lines = page.read_text(encoding="utf-8").splitlines()
    opened: int | None = None
    last_end = -10
    for number, line in enumerate(lines):
        if opened is None and line.startswith("```"):
            opened = number
        elif opened is not None and line == "```":
            between = [text for text in lines[last_end + 1 : opened] if text]
            blocks.append(
                Block(
                    info=lines[opened][3:].strip(),
                    code="".join(f"{text}\n" for text in lines[opened + 1 : number]),
                    first=opened + 2,
                    before=lines[opened - 1] if opened else "",
                    follows=None if between or not blocks else len(blocks) - 1,
                )
            )
            opened, last_end = None, number
    assert opened is None, f"{page.name}:{(opened or 0) + 1}: the block is not closed"
    return blocks


def save_files(blocks: list[Block], folder: Path) -> None:
    """Write the files that `blocks` hold into `folder`."""
    for block in blocks:
        name = block.file or (f"{block.policy}.policy.yaml" if block.policy else None)
        if name is not None:
            (folder / name).write_text(block.code, encoding="utf-8")


def outputs_of(page: Path, blocks: list[Block], folder: Path) -> Iterator[tuple[Block, str]]:
    """Run the page in `folder`, which is the current folder; what each block that shows output should show."""
    namespace: dict[str, Any] = {"__name__": f"docs_{page.stem.replace('-', '_')}"}
    printed: dict[int, str] = {}
    for number, block in enumerate(blocks):
        save_files([block], folder)
        if block.info == "python":
            printed[number] = _printed_by(block, page, namespace)
        elif block.info == "text" and block.follows in printed:
            yield block, printed[block.follows]
        elif block.commands:
            yield block, "\n".join(_shown(command) for command in block.commands)


def _printed_by(block: Block, page: Path, namespace: dict[str, Any]) -> str:
    code = "\n" * (block.first - 1) + block.code  # so that a traceback names the page's own lines
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, str(page), "exec"), namespace)  # noqa: S102 - the page is ours
    return output.getvalue()


def _shown(command: list[str]) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        main(command)
    lines = [line for line in output.getvalue().splitlines(keepends=True) if "states so far" not in line]
    return f"{_PROMPT}{shlex.join(['beewalk', *command])}\n{''.join(lines)}"


def refreshed(page: Path) -> str:
    """The text of `page` with the real output in every block that shows some."""
    lines = page.read_text(encoding="utf-8").splitlines()
    blocks = blocks_of(page)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        found = list(outputs_of(page, blocks, Path(folder)))
    for block, output in reversed(found):
        start = block.first - 1
        lines[start : start + block.code.count("\n")] = output.splitlines()
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        Path(argument).write_text(refreshed(Path(argument)), encoding="utf-8")
