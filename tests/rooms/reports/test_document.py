"""The document as JSON's plain data."""

import json

from beewalk.opening.report import report_of
from beewalk.properties.exploration import explore_policy
from beewalk.reports.document import as_data
from tests.support.builders import a_policy, when


def stuck_data() -> dict[str, object]:
    policy = a_policy("a b", when("final_answer", only_after="b"), when("b", max_invocations=0, reason="no"), name="n")
    return as_data(report_of(explore_policy(policy)))


def test_data_survives_json() -> None:
    data = stuck_data()
    assert json.loads(json.dumps(data)) == data


def test_same_policy_gives_the_same_text_twice() -> None:
    assert json.dumps(stuck_data()) == json.dumps(stuck_data())


def test_tools_say_when_they_can_be_called() -> None:
    assert stuck_data()["tools"] == {
        "a": {"allowed": True, "forced": False, "first_step": 1, "max_calls": None},
        "b": {"allowed": False, "forced": False, "first_step": None, "max_calls": 0},
        "final_answer": {"allowed": False, "forced": False, "first_step": None, "max_calls": 0},
    }


def test_finding_gives_its_reasons() -> None:
    findings = stuck_data()["findings"]
    assert isinstance(findings, list)
    finding = findings[0]
    assert (finding["code"], finding["severity"], finding["witness"], finding["needs"]) == (
        "cannot-stop",
        "error",
        [],
        [],
    )
    assert finding["accepted"] is False
    assert finding["rulings"]["b"]["allowed"] is False
    assert finding["rulings"]["b"]["because"] == [
        {"effect": "forbids", "requirement": "conditional b", "parameter": "max_invocations", "reason": "no"}
    ]
    assert finding["mend"]
