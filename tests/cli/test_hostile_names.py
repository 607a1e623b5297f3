"""Names that are meant to be obeyed by a terminal, a file system or a renderer are shown as text."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cli.conftest import Beewalk

HOSTILE = {
    "an escape": "\x1b[31mred\x1b[0m",
    "a title of the window": "\x1b]0;owned\x07",
    "a link": "\x1b]8;;http://example.org\x07",
    "one-byte escapes": "\x9b31m\x90\x9c",
    "line breaks": "a\nb\rc\x0bd\x0ce\x85f\u2028g\u2029h",
    "backspaces": "safe\b\b\b\bevil",
    "a NUL": "a\0b",
    "right to left": "\u202eabc\u202d\u2066",
    "invisible": "a\u200bb\ufeff\u00ad",
    "emoji": "😀👩‍💻",
    "an emoji by name": ":smile:",
    "markup": "[red]x[/red] [bold] [/] [link=x]",
    "an open bracket": "[",
    "formulas": r"$x$ $\frac{1}{0}$ $ \$ $$",
    "HTML": "<b>&amp;</b><script>]]>--></script>",
    "format strings": "%s {} {0} %(x)s",
    "a path": "../../outside",
    "an absolute path": "/outside",
    "dots": "...",
    "letters of four bytes": "\U0001d400" * 80,
    "a long name": "x" * 10_000,
    "wide letters": "日本語" * 40,
    "what XML cannot hold": "\ufffe\uffff\ufdd0",
    "spaces": " a  b ",
    "commas and colons": "a, b:error",
}
hostile = pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())


def quoted(name: str) -> str:
    """The name as YAML, every character that is not plain escaped."""
    return '"' + "".join(one if one.isascii() and one.isalnum() else f"\\U{ord(one):08x}" for one in name) + '"'


def policy_with(name: str) -> str:
    """A policy with the name wherever a name or text can stand, and a finding that tells of it."""
    text = quoted(name)
    return f"""\
policy: {text}
tools:
  ? {text}
  : {{description: {text}, outcomes: {{ok: {text}, ? {quoted(f"out{name}")} : {text}}}}}
  other:
requirements:
  - {{conditional: {text}, min_invocations: 1, only_after: other, name: {text}, reason: {text}}}
  - {{conditional: other, max_invocations: 0, reason: {text}}}
  - {{rules: [{{target: {text}, allowed: false, reason: {text}}}], name: {text}}}
input: {text}
about: {text}
"""


@hostile
def test_report_shows_hostile_names_as_text(name: str, explored: Beewalk) -> None:
    ran = explored(policy_with(name))
    assert (ran.code, ran.err) == (1, "")
    assert all(one.isprintable() or one == "\n" for one in ran.out)
    assert all(len(line) <= 120 for line in ran.out.splitlines())
    assert "other" in ran.out


@hostile
def test_coloured_report_has_no_escapes_but_its_own(name: str, explored: Beewalk) -> None:
    plain = explored(policy_with(name)).out
    coloured = explored(policy_with(name), "--color", "always").out
    for code in ("0", "1", "2", "33", "1;31", "1;32", "1;33", "1;36"):
        coloured = coloured.replace(f"\x1b[{code}m", "")
    assert [line.rstrip() for line in coloured.splitlines()] == plain.splitlines()


@hostile
def test_json_keeps_hostile_names_whole_and_its_text_is_harmless(name: str, explored: Beewalk) -> None:
    ran = explored(policy_with(name), "--format", "json")
    assert (ran.code, ran.err) == (1, "")
    assert all(" " <= one <= "~" or one == "\n" for one in ran.out)
    data = json.loads(ran.out)
    assert data["policy"] == name
    assert list(data["tools"]) == [name, "other", "final_answer"]
    assert data["outcomes"] == ["ok", f"out{name}"]


@pytest.mark.parametrize("kind", ["an escape", "a NUL", "right to left", "formulas", "a path", "a long name", "HTML"])
def test_pictures_of_hostile_names_are_drawn_and_stay_in_their_folder(
    kind: str, explored: Beewalk, folder: Path
) -> None:
    ran = explored(policy_with(HOSTILE[kind]), "--out", "a/pictures", "-q")
    assert (ran.code, ran.err) == (1, "")
    assert sorted(path.name for path in folder.iterdir()) == ["a", "p.policy.yaml"]
    assert [path.name for path in (folder / "a").iterdir()] == ["pictures"]
    pictures = sorted((folder / "a" / "pictures").iterdir())
    assert {path.suffix for path in pictures} == {".png", ".svg"}
    assert len(pictures) == 2 * len({path.stem for path in pictures})
    for path in pictures:
        if path.suffix == ".svg":
            ET.fromstring(path.read_bytes())  # noqa: S314 - our own file


@hostile
def test_errors_show_hostile_names_as_text(name: str, explored: Beewalk) -> None:
    text = quoted(name)
    ran = explored(
        f"policy: p\ntools: [{text}, {text}]\n? {text}\n: 1\n"
        f"requirements:\n  - {{conditional: {quoted(name + '!')}, only_after: {text}}}\n  - python: {text}\n"
        f"limits: {{max_iterations: {text}}}\n"
    )
    assert (ran.code, ran.out, len(ran.lines)) == (2, "", 5)
    assert all(line.startswith("error: p.policy.yaml:") and line.isprintable() for line in ran.lines)


@hostile
def test_hostile_policy_on_the_command_line_is_one_line(name: str, beewalk: Beewalk) -> None:
    ran = beewalk("explore", name)
    assert (ran.code, ran.out, len(ran.lines)) == (2, "", 1)
    assert ran.lines[0].isprintable()


def test_name_of_a_picture_has_no_separators(explored: Beewalk, folder: Path) -> None:
    explored(f"policy: {quoted('a/b')}\ntools: [a]\n", "--out", "pictures")
    assert all(path.name.startswith("a-b.") for path in (folder / "pictures").iterdir())
