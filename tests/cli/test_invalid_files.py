"""Every problem of a policy file at once: a line each, at its place, and nothing else happens."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import Beewalk, Ran

ONE_TOOL = "policy: p\ntools: [a]\n"
TEN = ", ".join(["x"] * 10)
TOO_MUCH = "with what its aliases repeat, the file has more than 50,000 values: use fewer aliases, or split the file"
TOO_DEEP = "nested more than 50 deep: flatten it"
LONG_NUMBER = "characters: write it shorter, or in quotes"


def written_cases() -> list[tuple[str, str, list[str]]]:
    """Name, file and expected lines of each case in invalid_policies.txt."""
    text = Path(__file__).with_name("invalid_policies.txt").read_text(encoding="utf-8")
    cases = []
    for case in text.split("\n### ")[1:]:
        name, _, rest = case.partition("\n")
        file, *expected = rest.split(">>> ")
        cases.append((name, file, [line.strip() for line in expected]))
    return cases


def bomb(indent: str) -> str:
    """Ten values, ten times, ten times, ...: a billion laughs."""
    lines = [f"l0: &l0 [{TEN}]"]
    lines += [f"l{level}: &l{level} [{', '.join([f'*l{level - 1}'] * 10)}]" for level in range(1, 9)]
    return "".join(f"{indent}{line}\n" for line in lines)


def merging_bomb() -> str:
    """The same with mappings that are merged."""
    lines = ["&m0 {x: 1}"]
    lines += [f"&m{level} {{<<: [{', '.join([f'*m{level - 1}'] * 10)}], x{level}: 1}}" for level in range(1, 9)]
    return "".join(f" - {line}\n" for line in lines)


GENERATED: Sequence[tuple[str, str | bytes, list[str]]] = [
    # no text
    ("empty", "", ["1:1: the file is empty: write at least `policy: NAME` and `tools: [NAME, ...]`"]),
    ("binary", b"\x89PNG\r\n\x1a\n\x00\xff", ["1:1: byte 0x89 is not UTF-8 text: write the policy as UTF-8 text"]),
    ("latin-1", "policy: é\nabout: ü\n".encode("latin-1"), ["1:9: byte 0xe9 is not UTF-8 text"]),
    ("latin-1 after UTF-8", "about: é".encode() + b"\xfc", ["1:9: byte 0xfc is not UTF-8 text"]),
    ("UTF-16", "policy: p\n".encode("utf-16"), ["1:1: byte 0xff is not UTF-8 text"]),
    ("a NUL", "policy: p\nabout: a\0b\n", [r"2:9: the control character '\x00', which YAML does not allow: take it"]),
    ("an escape", "policy: \x1b[31mp\n", [r"1:9: the control character '\x1b', which YAML does not allow"]),
    ("too large", b"#" * 1_000_001, ["1:1: the file is larger than 1,000,000 bytes: make it smaller"]),
    # nested
    ("100,000 brackets", "[" * 100_000, [f"1:1001: {TOO_DEEP}"]),
    ("100,000 brackets in about", f"{ONE_TOOL}about: {'[' * 100_000}", [f"3:1007: {TOO_DEEP}"]),
    ("deep blocks", "\n".join(f"{' ' * depth}a:" for depth in range(60)), [f"51:51: {TOO_DEEP}"]),
    ("deep lists", "- " * 10_000, [f"1:101: {TOO_DEEP}"]),
    ("deep keys", "? " * 10_000, [f"1:101: {TOO_DEEP}"]),
    (
        "deep by aliases",
        f"{ONE_TOOL}about:\n  - &a {'[' * 30}{']' * 30}\n  - {'[' * 30}*a{']' * 30}\n",
        [f"4:26: {TOO_DEEP}"],
    ),
    # multiplied
    ("a bomb in about", f"{ONE_TOOL}about:\n{bomb('  ')}", [TOO_MUCH]),
    ("a bomb in outcomes", f"policy: p\ntools:\n  a:\n    outcomes:\n{bomb('      ')}", [TOO_MUCH]),
    ("a bomb of keys", bomb(""), [TOO_MUCH]),
    ("a bomb of merges", f"{ONE_TOOL}about:\n{merging_bomb()}", [TOO_MUCH]),
    # endless numbers
    ("5,000 digits", f"{ONE_TOOL}limits: {{max_iterations: {'9' * 5_000}}}\n", [f"a number of 5,000 {LONG_NUMBER}"]),
    ("5,000 digits in about", f"{ONE_TOOL}about: {'9' * 5_000}\n", [f"3:8: a number of 5,000 {LONG_NUMBER}"]),
    ("to the base of 60", f"{ONE_TOOL}about: {':'.join(['59'] * 9_000)}\n", [f"3:8: a number of 26,999 {LONG_NUMBER}"]),
    ("far too many turns", f"{ONE_TOOL}limits: {{max_iterations: 0x{'f' * 900}}}\n", ["a whole number up to 100,000"]),
    # where things stand
    ("after a byte order mark", f"\ufeff{ONE_TOOL}foo: 1\n", ["3:1: unknown key 'foo'"]),
    ("on the line of a byte order mark", "\ufeffpolicy: 3\ntools: [a]\n", ["1:9: policy: found 3"]),
    ("with CRLF", f"{ONE_TOOL}limits: {{foo: 1}}\n".replace("\n", "\r\n"), ["3:10: unknown key 'foo'"]),
    ("without a last line break", f"{ONE_TOOL}foo: 1", ["3:1: unknown key 'foo'"]),
    ("as JSON", '{"policy": "p", "tools": ["a"], "toolz": 1}', ["1:33: unknown key 'toolz'"]),
]  # fmt: skip

CASES = [*written_cases(), *GENERATED]


def assert_refused(ran: Ran, expected: Sequence[str], folder: Path) -> None:
    """Exit code 2, exactly the expected lines, each of the agreed form, and nothing else."""
    assert (ran.code, ran.out) == (2, "")
    parts = [line.removeprefix("error: p.policy.yaml:") for line in ran.lines]
    for line, part in zip(ran.lines, parts, strict=True):
        assert re.fullmatch(r"error: p\.policy\.yaml:\d+:\d+: .+: .+", line), line
        assert line.isprintable(), f"a raw control character in {part!r}"
    for part, wanted in zip(parts, expected, strict=True):
        assert part.startswith(wanted) if wanted[0].isdigit() else wanted in part, ran.err
    assert sorted(path.name for path in folder.iterdir()) == ["p.policy.yaml"]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_invalid_file_is_refused_with_every_problem_at_its_place(
    text: str | bytes, expected: list[str], explored: Beewalk, folder: Path
) -> None:
    assert_refused(explored(text, "--out", "pictures", "--output", "report.txt"), expected, folder)


def test_format_changes_nothing_of_what_is_said(explored: Beewalk, folder: Path) -> None:
    for form in ("text", "json"):
        assert_refused(explored(f"{ONE_TOOL}toolz: 1\n", "--format", form), ["3:1: unknown key 'toolz'"], folder)


@pytest.mark.parametrize(
    "text",
    [
        f"\ufeff{ONE_TOOL}",
        ONE_TOOL.replace("\n", "\r\n"),
        f"---\n{ONE_TOOL}...\n",
        f"{ONE_TOOL}{'#' * 900_000}\n",
        f"{ONE_TOOL}about: {{1: a, yes: b, ~: c, 2020-01-01: d, 1.5: [.nan, .inf, !!str 3]}}\n",
        f"{ONE_TOOL}limits: {{<<: {{max_iterations: 3}}, max_iterations: 4}}\n",
        f"{ONE_TOOL}properties: []\naccept: []\nversion: 1\n$schema: policy.schema.json\n",
        "policy: p\ntools: []\n",
        "policy: p\ntools: [=]\n",
        "policy: p\ntools: {a: {arguments: none}}\nloop: {repeated_calls: false}\n",
        '{"policy": "p", "tools": ["a"]}',
    ],
)
def test_file_that_only_looks_odd_is_explored(text: str, explored: Beewalk) -> None:
    ran = explored(text)
    assert (ran.code, ran.err) == (0, "")


def test_missing_file_is_named(beewalk: Beewalk) -> None:
    ran = beewalk("explore", "no.policy.yaml")
    said = "error: no.policy.yaml:1:1: the file cannot be read: no such file or directory: check the path\n"
    assert (ran.code, ran.out, ran.err) == (2, "", said)


def test_folder_in_place_of_a_file_is_named(beewalk: Beewalk, folder: Path) -> None:
    (folder / "policies").mkdir()
    ran = beewalk("explore", "policies")
    said = "error: policies:1:1: the file cannot be read: is a directory: name a file in it\n"
    assert (ran.code, ran.out, ran.err) == (2, "", said)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_file_without_permission_is_named(beewalk: Beewalk, folder: Path) -> None:
    (folder / "p.policy.yaml").write_text(ONE_TOOL, encoding="utf-8")
    (folder / "p.policy.yaml").chmod(0)
    ran = beewalk("explore", "p.policy.yaml")
    said = "error: p.policy.yaml:1:1: the file cannot be read: permission denied: check the path\n"
    assert (ran.code, ran.out, ran.err) == (2, "", said)


@pytest.mark.parametrize("name", ["x" * 5_000, f"{'x' * 5_000}:a", "no\nfile\x1b[31m", "", "nul\0"])
def test_name_that_can_be_no_file_is_one_line(name: str, beewalk: Beewalk) -> None:
    ran = beewalk("explore", name)
    assert (ran.code, ran.out, len(ran.lines)) == (2, "", 1)
    assert ran.lines[0].isprintable()
    assert "the file cannot be read" in ran.err


def test_file_of_python_code_asks_for_the_attribute(beewalk: Beewalk) -> None:
    ran = beewalk("explore", "agent.py")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "error: agent.py:1:1: this is Python code: name the policy in it: agent.py:ATTRIBUTE\n"


def test_thousands_of_problems_are_all_told(explored: Beewalk) -> None:
    ran = explored(ONE_TOOL + "".join(f"k{number}: 1\n" for number in range(3_000)))
    assert (ran.code, len(ran.lines)) == (2, 3_000)


def test_endless_names_do_not_make_endless_lines(explored: Beewalk) -> None:
    ran = explored(f"{ONE_TOOL}requirements:\n  - conditional: {'x' * 10_000}\n")
    assert (ran.code, len(ran.lines)) == (2, 1)
    assert len(ran.lines[0]) < 2_100
    assert ran.lines[0].endswith("which is no tool of this policy: possible: a, final_answer")
