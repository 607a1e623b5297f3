"""Every problem of a scenario file at once: a line each, at its place, and nothing is played."""

from pathlib import Path

import pytest

from tests.cli.conftest import Beewalk

VALID = """\
scenario: fine
policy: {policy: p, tools: [a]}
chat_model: {script: [{final_answer: {response: x}}]}
"""


def written_cases() -> list[tuple[str, str, list[str]]]:
    """Name, file and expected lines of each case in invalid_scenarios.txt."""
    text = Path(__file__).with_name("invalid_scenarios.txt").read_text(encoding="utf-8")
    cases = []
    for case in text.split("\n### ")[1:]:
        name, _, rest = case.partition("\n")
        file, *expected = rest.split(">>> ")
        cases.append((name, file, [line.strip() for line in expected]))
    return cases


CASES = written_cases()


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_invalid_file_is_refused_with_every_problem_at_its_place(
    text: str, expected: list[str], beewalk: Beewalk, folder: Path
) -> None:
    (folder / "s.scenario.yaml").write_text(text, encoding="utf-8")
    ran = beewalk("run", "s.scenario.yaml", "--output", "report.txt")
    said = [line.removeprefix("error: ").removeprefix("s.scenario.yaml:") for line in ran.lines]
    assert said == [line.replace("FOLDER", str(folder)) for line in expected]
    assert (ran.code, ran.out) == (2, "")
    assert [file.name for file in folder.iterdir()] == ["s.scenario.yaml"]


def test_there_are_many_kinds_of_invalid_files() -> None:
    assert len(CASES) >= 95


def test_a_file_over_the_limit_is_refused_and_the_limit_told(beewalk: Beewalk, folder: Path) -> None:
    (folder / "s.scenario.yaml").write_text(f"{VALID}{'#' * 1_000_000}", encoding="utf-8")
    ran = beewalk("run", "s.scenario.yaml")
    said = "error: s.scenario.yaml:1:1: the file is larger than 1,000,000 bytes: make it smaller\n"
    assert (ran.code, ran.err) == (2, said)


@pytest.mark.parametrize("more", ["---\n", "---\n# nothing\n---\n", "...\n", "expect:\n", "about: {any: thing}\n"])
def test_a_file_that_only_looks_odd_is_played(more: str, beewalk: Beewalk, folder: Path) -> None:
    (folder / "s.scenario.yaml").write_text(VALID + more, encoding="utf-8")
    ran = beewalk("run", "s.scenario.yaml")
    assert (ran.code, ran.err) == (0, "")
