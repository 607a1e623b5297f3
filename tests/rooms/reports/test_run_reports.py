"""Played scenarios as data, text, JUnit and Markdown."""

import json
from dataclasses import replace
from io import StringIO
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from beewalk.reports.junit import run_junit
from beewalk.reports.run_document import FailureEntry, RequestLine, RunDocument, RunEntry, ScenarioEntry, run_data
from beewalk.reports.run_markdown import run_markdown
from beewalk.reports.run_terminal import run_text

NASTY = "a ]]> <b> [red]x[/red] | `y` ``` * _z_ \x1b[31m \x00 \ud800 \uffff & \n new"
REQUEST = RequestLine(1, ("a", "final_answer"), (), "required", can_stop=True)
RUN = RunEntry(("a", "final_answer"), "a final_answer", "final_answer", "the final answer was given", "x", (REQUEST,))
FAILURE = FailureEntry("expect.ends", "s.scenario.yaml:4:9", "dead_end", "final_answer", 2, ("it ended: so", "offered"))


def scenario(**changes: Any) -> ScenarioEntry:
    made = ScenarioEntry("fine", "s.scenario.yaml", 1, passed=True, trouble=None, failures=(), runs=(RUN,))
    return replace(made, **changes)


def wrong(**changes: Any) -> ScenarioEntry:
    return scenario(**{"name": "wrong", "passed": False, "failures": (FAILURE,), **changes})


def nasty() -> ScenarioEntry:
    failure = FailureEntry(NASTY, NASTY, NASTY, NASTY, None, (NASTY, NASTY))
    run = RunEntry((NASTY,), NASTY, "final_answer", NASTY, NASTY, ())
    return ScenarioEntry(NASTY, NASTY, 1, passed=False, trouble=NASTY, failures=(failure,), runs=(run, run))


def document(*entries: ScenarioEntry, **changes: Any) -> RunDocument:
    return replace(RunDocument("beewalk", entries), **changes)


def text(document: RunDocument, *, details: int = 0) -> list[str]:
    file = StringIO()
    Console(file=file, width=100, color_system=None, highlight=False).print(run_text(document, details=details))
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_data_counts_and_keeps_the_order() -> None:
    data = run_data(document(wrong(), scenario(), stop_reason="interrupted", left=3))
    assert [one["scenario"] for one in data["scenarios"]] == ["wrong", "fine"]
    assert (data["passed"], data["failed"], data["stop_reason"], data["not_played"]) == (1, 1, "interrupted", 3)
    assert data["scenarios"][0]["failures"] == [
        {
            "path": "expect.ends",
            "expected": "dead_end",
            "got": "final_answer",
            "turn": 2,
            "at": "s.scenario.yaml:4:9",
            "notes": ["it ended: so", "offered"],
        }
    ]


def test_data_of_anything_is_json() -> None:
    data = run_data(document(nasty()))
    assert json.loads(json.dumps(data)) == data
    assert json.loads(json.dumps(run_data(document())))["scenarios"] == []


def test_text_is_a_line_a_scenario_and_why_below_one_that_failed() -> None:
    assert text(document(scenario(), wrong())) == [
        "passed  fine  s.scenario.yaml:1",
        "FAILED  wrong  s.scenario.yaml:1",
        "  not so    expect.ends  (turn 2)  s.scenario.yaml:4:9",
        "  expected  dead_end",
        "  got       final_answer",
        "  because   it ended: so",
        "            offered",
        "  run       a final_answer - final_answer",
        "",
        "1 failed, 1 passed",
    ]


def test_text_says_what_trouble_there_was_even_where_no_run_ended() -> None:
    assert text(document(wrong(trouble="the script ended", failures=(), runs=())))[:2] == [
        "FAILED  wrong  s.scenario.yaml:1",
        "  trouble  the script ended",
    ]


def test_text_of_more_or_less_detail() -> None:
    assert text(document(scenario(), scenario()), details=-1) == ["2 passed"]
    assert text(document(scenario(runs=(RUN, replace(RUN, text="", ends="dead_end")))), details=1) == [
        "passed  fine  s.scenario.yaml:1",
        "  run 1  a final_answer - final_answer",
        "  run 2  no call - dead_end",
        "",
        "1 passed",
    ]


def test_text_says_what_was_not_played() -> None:
    assert text(document(scenario(), stop_reason="interrupted", left=2))[-1] == "1 passed; interrupted, 2 not played"
    assert text(document()) == ["0 passed"]


@pytest.mark.parametrize("details", [-1, 0, 1])
def test_text_shows_user_texts_and_obeys_none(details: int) -> None:
    lines = text(document(nasty()), details=details)
    assert all(line.isprintable() for line in lines)
    assert "[red]x[/red]" in lines[0]


def test_junit_has_a_suite_a_file_and_a_case_a_scenario() -> None:
    other = scenario(file="t.scenario.yaml")
    root = ET.fromstring(run_junit(document(scenario(), wrong(), other)))  # noqa: S314 - our own
    assert root.attrib == {"tests": "3", "failures": "1", "errors": "0", "skipped": "0"}
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in root] == [
        ("s.scenario.yaml", "2", "1"),
        ("t.scenario.yaml", "1", "0"),
    ]
    failure = root[0][1][0]
    assert (failure.tag, failure.get("message")) == ("failure", "expect.ends: expected dead_end, got final_answer")
    assert (failure.text or "").splitlines() == [
        "expect.ends  (turn 2)  s.scenario.yaml:4:9",
        "  expected: dead_end",
        "  got:      final_answer",
        "  because:  it ended: so",
        "            offered",
        "run: a final_answer - final_answer",
    ]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (wrong(trouble="the script ended"), "the script ended"),
        (wrong(failures=(FAILURE,) * 3), "expect.ends: expected dead_end, got final_answer (and 2 more)"),
    ],
)
def test_junit_names_what_failed_first(entry: ScenarioEntry, message: str) -> None:
    root = ET.fromstring(run_junit(document(entry)))  # noqa: S314 - our own
    assert root[0][0][0].get("message") == message


def test_junit_says_that_it_was_interrupted() -> None:
    root = ET.fromstring(run_junit(document(scenario(), stop_reason="interrupted", left=1)))  # noqa: S314 - our own
    assert root[0][0][0].attrib == {"name": "stop_reason", "value": "interrupted"}


def test_junit_is_ascii_xml_whatever_it_tells() -> None:
    written = run_junit(document(nasty(), scenario(name="café ☃")))
    assert written.isascii()
    root = ET.fromstring(written)  # noqa: S314 - our own
    assert [case.get("name") for case in root.iter("testcase")][1] == "café ☃"
    assert list(root.iter("skipped")) == []


def test_markdown_is_a_table_and_why() -> None:
    assert run_markdown(document(scenario(), wrong(runs=(RUN, RUN)))).splitlines() == [
        "**1 failed, 1 passed**",
        "",
        "| scenario | | where |",
        "|---|---|---|",
        "| fine | passed | s.scenario.yaml:1 |",
        "| wrong | **failed** | s.scenario.yaml:1 |",
        "",
        "### wrong",
        "",
        "```text",
        "expect.ends  (turn 2)  s.scenario.yaml:4:9",
        "  expected: dead_end",
        "  got:      final_answer",
        "  because:  it ended: so",
        "            offered",
        "run 1: a final_answer - final_answer",
        "run 2: a final_answer - final_answer",
        "```",
    ]
    assert "interrupted: 2 not played" in run_markdown(document(stop_reason="interrupted", left=2)).splitlines()


def test_markdown_takes_no_user_text_for_markup() -> None:
    lines = run_markdown(document(nasty())).splitlines()
    assert all(line.isprintable() for line in lines)
    assert lines[4].startswith(r"| a \]\]> &lt;b> \[red\]x\[/red\] \| \`y\` \`\`\` \* \_z\_ \\x1b\[31m")
    fences = [line for line in lines if line.startswith("```")]
    assert fences == ["````text", "````"]  # longer than any in the text, so that nothing in it ends the block


def test_markdown_keeps_what_would_close_a_heading() -> None:
    assert "### C #<!-- -->" in run_markdown(document(wrong(name="C #"))).splitlines()
