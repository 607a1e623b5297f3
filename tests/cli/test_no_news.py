"""Findings that are no news: accepted in the policy file, or known from a baseline."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Beewalk

STUCK = """\
policy: p
tools: [a, b]
requirements:
  - {conditional: a, max_invocations: 1}
  - {conditional: b, max_invocations: 1}
  - {conditional: a, min_invocations: 2}
"""


def test_an_accepted_error_is_no_reason_for_exit_code_1(explored: Beewalk) -> None:
    ran = explored(STUCK + "accept: [{code: dead-end, reason: we know}, {code: tool-blocks-stop, reason: noted}]\n")
    assert ran.code == 0
    assert ran.out.startswith("p: no new errors, but no run of at most 20 calls ends in a final answer")
    assert "(accepted: we know)" in ran.out.replace("\n", " ")
    data = json.loads(explored(STUCK + "accept: [{code: dead-end, reason: we know}]\n", "--format", "json").out)
    first = data["findings"][0]
    assert (first["code"], first["accepted"], first["accepted_because"]) == ("dead-end", True, "we know")


def test_only_findings_about_the_tool_are_accepted(explored: Beewalk) -> None:
    about = "accept: [{{code: dead-end, tool: {}, reason: we know}}]\n"
    assert explored(STUCK + about.format("a")).code == 0
    ran = explored(STUCK + about.format("c"))
    assert ran.code == 1
    assert ran.err == "note: accept[0] has nothing to accept: there is no dead-end about 'c'\n"


def test_what_a_baseline_has_is_no_news(explored: Beewalk, folder: Path) -> None:
    assert explored(STUCK, "--format", "json", "--output", "main.json").code == 1
    moved = STUCK.replace("requirements:\n", "requirements:\n  - {conditional: b, only_after: a}\n")
    ran = explored(moved, "--baseline", "main.json")
    assert ran.code == 0, "requirements have moved, the dead end is the same"
    assert "(known from the baseline)" in ran.out.replace("\n", " ")
    new = STUCK.replace("b, max_invocations: 1", "b, min_invocations: 1, max_invocations: 1, only_after: b")
    assert explored(new, "--baseline", "main.json").code == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", ":1:1: Expecting value, so this is no report"),
        (b'{\n"a": }', ":2:6: Expecting value, so this is no report"),
        (b"\xff\xfe", ":1:1: this is no JSON text, so no report"),
        (b"[" * 100_000, ":1:1: this is no JSON text, so no report"),
        (b"[]", ":1:1: this is no report of an exploration"),
        (b'{"findings": [{"code": 1}]}', ":1:1: this is no report of an exploration"),
        (b'{"findings": [{"code": "x", "blame": 3}]}', ":1:1: this is no report of an exploration"),
        (b'{"findings": 3}', ":1:1: this is no report of an exploration"),
    ],
)
def test_a_baseline_that_is_no_report_is_refused(content: bytes, said: str, explored: Beewalk, folder: Path) -> None:
    (folder / "old.json").write_bytes(content)
    ran = explored(STUCK, "--baseline", "old.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"error: old.json{said}: write one with `beewalk explore POLICY --format json --output FILE`\n"


def test_a_baseline_that_is_not_there_is_refused(explored: Beewalk) -> None:
    ran = explored(STUCK, "--baseline", "nowhere.json")
    assert ran.code == 2
    assert "nowhere.json" in ran.err


def test_findings_are_explained(beewalk: Beewalk) -> None:
    listed = beewalk("finding")
    assert listed.code == 0
    assert listed.out.splitlines()[0].split()[:2] == ["dead-end", "error"]
    for line in listed.out.splitlines()[:15]:
        page = beewalk("finding", line.split()[0])
        assert page.code == 0
        assert page.out.startswith(f"# {line.split()[0]} ({line.split()[1]})\n")
    ran = beewalk("finding", "deadend")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: there is no finding 'deadend': did you mean 'dead-end'? Possible: ")
