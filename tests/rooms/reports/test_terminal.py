"""The report as text: what a person reads first, and what is not known."""

from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from beewalk.opening.report import report_of
from beewalk.properties.exploration import explore_policy
from beewalk.reports.document import FindingEntry, ReportDocument
from beewalk.reports.terminal import as_text, printable
from tests.support.builders import a_policy, when


def document(**changes: Any) -> ReportDocument:
    made = report_of(explore_policy(a_policy("a b", when("b", only_after="a", max_invocations=1), name="plan")))
    return replace(made, **changes)


def finding(**changes: Any) -> FindingEntry:
    usual: Mapping[str, Any] = {
        "code": "dead-end", "severity": "error", "message": "nothing is allowed", "count": 1, "point_of_no_return": 0,
        "witness": (), "needs": (), "rulings": (), "blame": (), "mends": (), "tools": (),
    }  # fmt: skip
    return FindingEntry(**{**usual, **changes})


def text(document: ReportDocument) -> list[str]:
    file = StringIO()
    Console(file=file, width=100, color_system=None, highlight=False).print(as_text(document))
    return [line.rstrip() for line in file.getvalue().splitlines()]


WARNING = finding(code="tool-never-allowed", severity="warning", tools=("a",))


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "plan: no errors; from every state a final answer can be reached"),
        ({"beyond_limit": 2}, "plan: no errors within the limits of a run"),
        ({"complete": False}, "plan: nothing wrong found, but not everything was seen"),
        ({"findings": (finding(),)}, "plan: 1 error"),
        ({"findings": (finding(), finding(), WARNING)}, "plan: 2 errors; 1 warning"),
        ({"findings": (finding(),), "complete": False}, "plan: 1 error"),
        (
            {"findings": (WARNING, WARNING)},
            "plan: no errors; from every state a final answer can be reached; 2 warnings",
        ),
    ],
)
def test_verdict_comes_first_and_never_flatters(changes: dict[str, Any], verdict: str) -> None:
    assert text(document(**changes))[0] == verdict


def test_tools_and_counts_follow() -> None:
    assert text(document())[2:] == [
        "tool          first call  most calls  can follow",
        "a                      1    no bound  the start, a, b",
        "b                      2           1  a",
        "final_answer           1           1  the start, a, b",
        "",
        "3 states, 7 moves, depth 2: every reachable state was seen",
        "191 complete runs of at most 20 calls",  # 20 without b, 1 + ... + 18 with it
        "outcomes explored: ok; the chat model is obedient",
        "assumed: limits: the framework's defaults",
    ]


def test_tools_of_an_unfinished_search_are_not_said_to_be_impossible() -> None:
    found = report_of(
        explore_policy(a_policy("a b", when("b", only_after="a"), when("a", min_invocations=2)), max_depth=0)
    )
    lines = text(found)
    at = lines.index("tool          first call  most calls  can follow")
    assert lines[at + 1 : at + 4] == [
        "a                      1     unknown  the start",
        "b               not seen     unknown",
        "final_answer    not seen     unknown",
    ]
    assert "1 state, 1 move, depth 0: the search stopped at max_depth" in lines
    assert "at least 0 complete runs of at most 20 calls" in lines


def test_what_a_tool_can_never_do_is_noted() -> None:
    policy = a_policy("a b", when("a", max_invocations=0), when("b", force_at_step=1))
    lines = text(report_of(explore_policy(policy)))
    assert "a                  never           0                never allowed" in lines
    assert "b                      1    no bound  the start, b  forced at times" in lines


def test_everything_known_of_a_finding_is_told() -> None:
    full = finding(
        witness=("a", "b:error"),
        needs=("b:error",),
        count=3,
        point_of_no_return=1,
        blame=("requirements[0]", "limits"),
        mends=("drop it", "lower it"),
    )
    lines = text(document(findings=(full,)))
    assert lines[2:10] == [
        "error dead-end  nothing is allowed",
        "  witness  a b:error",
        "  needs    b:error",
        "  where    in 3 states; from 1 more state every run ends there",
        "  blame    requirements[0]",
        "           limits",
        "  mend     drop it",
        "           or lower it",
    ]


def test_count_of_a_finding_about_tools_is_not_told_as_states() -> None:
    lines = text(document(findings=(replace(WARNING, count=2, tools=("a", "b")),)))
    assert not [line for line in lines if line.startswith("  where")]


def test_errors_that_no_run_can_show_are_counted() -> None:
    lines = text(document(beyond_limit=1))
    assert "1 error left out: no run within the limits is long enough to show it" in lines


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 complete runs"),
        (1, "1 complete run "),
        (43_605, "43,605 complete runs"),
        (10**30 - 1, "999,999,999,999,999,999,999,999,999,999 complete runs"),
        (10**30, "about 10^30 complete runs"),
        (10**4_000, "about 10^4000 complete runs"),
    ],
)
def test_counts_can_be_read_whatever_their_size(count: int, said: str) -> None:
    assert any(line.startswith(said) for line in text(document(complete_runs=count)))


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain 12 °C 日本 😀", "plain 12 °C 日本 😀"),
        ("\x1b[31m", r"\x1b[31m"),
        ("\0\b\t\r\n", r"\x00\x08\t\r\n"),
        ("\x85\x9b", r"\x85\x9b"),
        ("\u202e\u2028\ufeff", r"\u202e\u2028\ufeff"),
        ("\ud800", r"\ud800"),
        ("\U000e0001", r"\U000e0001"),
    ],
)
def test_control_characters_are_shown(raw: str, shown: str) -> None:
    assert printable(raw) == shown


def test_a_long_list_of_what_comes_before_is_cut() -> None:
    tools = " ".join(f"t{number}" for number in range(7))
    lines = text(report_of(explore_policy(a_policy(tools, when("t0", max_invocations=1), when("t6", only_after="t5")))))
    rows = {line.split()[0]: line for line in lines if line.startswith(("t", "final"))}
    assert rows["final_answer"].endswith("  anything")
    assert rows["t0"].endswith("  anything but t0")
    assert rows["t6"].endswith("  t0, t1, t2 and 4 more")


def test_runs_of_a_witness_are_told_one_by_one() -> None:
    lines = text(document(findings=(finding(runs=(("a:denied",), ())),)))
    assert "  run 1  a:denied" in lines
    assert "  run 2  (no call yet)" in lines


def test_what_is_no_news_takes_a_line_and_is_no_error() -> None:
    accepted, known = finding(accepted="we know"), finding(known=True)
    lines = text(document(findings=(accepted, known)))
    assert lines[0] == "plan: no new errors"
    assert "error dead-end  nothing is allowed (accepted: we know)" in lines
    assert "error dead-end  nothing is allowed (known from the baseline)" in lines
