"""`beewalk schema report` describes every JSON report, and no more than there is."""

import json
from typing import Any

import pytest
from jsonschema import Draft7Validator

from beewalk.opening.opening import load_policy
from beewalk.opening.report import report_of
from beewalk.properties.exploration import explore_policy
from beewalk.reports.document import as_data
from beewalk.reports.report_schema import report_schema
from tests.cli.conftest import Beewalk
from tests.support.finding_cases import CODES, cases_of


def closed(schema: Any) -> Any:
    """The schema, refusing keys that it does not name."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(one) for key, one in schema.items()}
    return made | {"additionalProperties": False} if isinstance(made.get("properties"), dict) else made


def test_it_is_printed(beewalk: Beewalk) -> None:
    ran = beewalk("schema", "report")
    assert ran.code == 0
    assert json.loads(ran.out) == report_schema()
    Draft7Validator.check_schema(json.loads(ran.out))


@pytest.mark.parametrize("code", CODES)
def test_reports_of_every_code_are_as_it_says(code: str, tmp_path: Any) -> None:
    case = next((one for one in cases_of(code) if "python" not in one.policy and "_code" not in one.policy), None)
    if case is None:
        pytest.skip("its policies need Python code")
    path = tmp_path / "p.policy.yaml"
    path.write_text(f"{case.policy_text}accept: [{{code: {code}, reason: known}}]\n", encoding="utf-8")
    data = as_data(report_of(explore_policy(load_policy(path), outcomes=case.outcomes)))
    Draft7Validator(closed(report_schema())).validate(data)
    assert any(finding["accepted"] for finding in data["findings"])
