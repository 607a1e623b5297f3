"""SARIF: every finding at the line to blame, with its witness as a code flow."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from beewalk.opening.opening import explorable
from beewalk.opening.report import report_of
from beewalk.properties.exploration import explore_policy
from beewalk.reports.document import Place, ReportDocument
from beewalk.reports.sarif import as_sarif
from tests.support.documents import HOSTILE, a_report, an_error
from tests.support.finding_cases import CODES, cases_of
from tests.support.sarif import SCHEMA
from tests.support.shared import POLICIES

STUCK = """\
policy: stuck
tools: [read, delete]
requirements:
  - {conditional: delete, only_after: read, max_invocations: 1}
  - {ask_permission: [delete], remember_choices: true}
  - {conditional: read, max_invocations: 1, reason: "@team"}
  - {conditional: final_answer, custom_checks: []}
  - {conditional: delete, min_invocations: 2}
accept: [{code: tool-blocks-stop, tool: read, reason: it never fails}]
"""


def document(tmp_path: Path, text: str = STUCK, **options: Any) -> ReportDocument:
    file = tmp_path / "my policy.policy.yaml"
    file.write_text(text, encoding="utf-8")
    opened = explorable(file)
    return report_of(explore_policy(opened.policy, outcomes=["ok", "error"]), place_of=opened.place_of, **options)


def results(sarif: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sarif["runs"][0]["results"]
    return found


def test_a_finding_stands_at_the_line_to_blame(tmp_path: Path) -> None:
    made = as_sarif(document(tmp_path))
    jsonschema.validate(made, SCHEMA)
    first = results(made)[0]
    assert (first["ruleId"], first["level"]) == ("dead-end", "error")
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/my%20policy.policy.yaml")
    lines = [place["region"]["startLine"]]
    lines += [one["physicalLocation"]["region"]["startLine"] for one in first["relatedLocations"]]
    assert sorted(lines) == [4, 6, 8]


def test_the_witness_is_a_code_flow(tmp_path: Path) -> None:
    found = document(tmp_path)
    (thread,) = results(as_sarif(found))[0]["codeFlows"][0]["threadFlows"]
    texts = [step["location"]["message"]["text"] for step in thread["locations"]]
    assert len(texts) == len(found.findings[0].witness) + 1
    assert texts[0].startswith("offered: read. delete is not: forbidden by only_after of 'conditional delete'")
    assert texts[0].endswith("then read is called")
    assert texts[-1].startswith("offered: nothing.")
    assert texts[-1].endswith("nothing is allowed")


def test_accepted_findings_are_suppressed_and_known_ones_unchanged(tmp_path: Path) -> None:
    found = document(tmp_path)
    again = document(tmp_path, known={found.findings[0].key})
    made = as_sarif(again)
    jsonschema.validate(made, SCHEMA)
    assert results(made)[0]["baselineState"] == "unchanged"
    suppressed = [one for one in results(made) if "suppressions" in one]
    assert [(one["ruleId"], one["suppressions"][0]["justification"]) for one in suppressed] == [
        ("tool-blocks-stop", "it never fails")
    ]


def test_a_fingerprint_outlives_a_requirement_that_is_put_before(tmp_path: Path) -> None:
    def prints(text: str) -> dict[str, str]:
        made = as_sarif(document(tmp_path, text))
        return {
            one["message"]["text"].partition(".")[0]: one["partialFingerprints"]["beewalk/v1"] for one in results(made)
        }

    moved = STUCK.replace("requirements:\n", "requirements:\n  - {rules: [{target: read}], name: nothing}\n")
    before, after = prints(STUCK), prints(moved)
    assert len(set(before.values())) == len(before)
    assert before.items() <= after.items()


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.name.partition("-")[0])
def test_reports_of_real_policies_are_valid(path: Path) -> None:
    if path.name.startswith("09"):
        pytest.skip("refused: no policy")
    opened = explorable(path)
    found = explore_policy(opened.policy, outcomes=["ok", "error"])
    jsonschema.validate(as_sarif(report_of(found, place_of=opened.place_of)), SCHEMA)


@pytest.mark.parametrize("code", sorted({*CODES} - {"impure-requirement"}))
def test_reports_of_every_code_are_valid(code: str, tmp_path: Path) -> None:
    case = next(case for case in cases_of(code) if "user_code" not in case.policy)
    jsonschema.validate(as_sarif(document(tmp_path, case.policy_text)), SCHEMA)


def messages(data: Any) -> Iterator[str]:
    """The text of every message object within."""
    if isinstance(data, dict):
        yield from ([data["text"]] if "text" in data else [])
        data = list(data.values())
    if isinstance(data, list):
        for one in data:
            yield from messages(one)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_users_texts_are_neither_placeholders_nor_links(text: str) -> None:
    made = as_sarif(a_report(text))
    jsonschema.validate(made, SCHEMA)
    for said in messages(made["runs"]):
        assert said.isprintable()
        assert "](" not in said
        assert not {"{", "}"} & set(said.replace("{{", "").replace("}}", ""))
    assert made == as_sarif(a_report(text))


def test_other_places_tell_what_is_to_blame_there_and_the_first_is_not_repeated() -> None:
    here, there = Place("p.yaml", 4, 3), Place("p.yaml", 6, 3)
    finding = replace(an_error("x"), blame=("a", "b", "c", "d"), places=(here, there, here, there))
    related = results(as_sarif(a_report("x", findings=(finding,))))[0]["relatedLocations"]
    assert [one["message"]["text"] for one in related] == ["to blame as well: b, d"]
    assert related[0]["physicalLocation"]["region"] == {"startLine": 6, "startColumn": 3}


@pytest.mark.parametrize("file", ["a b.yaml", "ü/#%?&+.yaml", "[x]{y}.yaml", "日本/😀.yaml", "a:b.yaml"])
def test_a_place_is_a_uri_that_leads_back_to_the_file(file: str) -> None:
    found = replace(an_error("x"), places=(Place(file, 1, 1), Place(file, 2, 1)))
    made = as_sarif(a_report("x", findings=(found,)))
    jsonschema.validate(made, SCHEMA)
    assert unquote(uri_of(made)) == file


def test_places_are_relative_with_forward_slashes() -> None:
    found = replace(an_error("x"), places=(Place(".\\a\\b.yaml", 1, 1),), blame=("x",))
    assert uri_of(as_sarif(a_report("x", findings=(found,)))) == "a/b.yaml"


def uri_of(made: dict[str, Any]) -> str:
    return str(results(made)[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
