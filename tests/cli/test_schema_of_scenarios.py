"""`beewalk schema scenario`: a JSON schema that editors can read, and that agrees with the reader."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from beewalk.errors import PolicyError
from beewalk.opening.scenarios import load_scenarios
from beewalk.scenarios.json_schema import scenario_schema
from tests.cli.conftest import Beewalk
from tests.support.every_key import CASSETTE, CODE, DICE, EVERY_KEY, MY_MODELS, POLICY

FILES = sorted((Path(__file__).parents[2] / "scenarios").glob("*.scenario.yaml"))
HEAD = "scenario: s\npolicy: {policy: p, tools: [a]}\n"
LEAST = f"{HEAD}chat_model: {{script: []}}\n"


@pytest.fixture
def validator(beewalk: Beewalk) -> Draft7Validator:
    ran = beewalk("schema", "scenario")
    assert (ran.code, ran.err) == (0, "")
    schema = json.loads(ran.out)
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema)


def documents(text: str) -> list[Any]:
    return [one for one in yaml.safe_load_all(text) if one is not None]


def test_schema_is_draft_07_in_every_part(validator: Draft7Validator) -> None:
    schema = validator.schema
    assert isinstance(schema, dict)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    text = json.dumps(schema)
    assert not [word for word in ("$defs", "prefixItems", "unevaluated", "dependentRequired") if word in text]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_scenarios_of_this_project_fit_the_schema(path: Path, validator: Draft7Validator) -> None:
    for data in documents(path.read_text(encoding="utf-8")):
        validator.validate(data)


def test_files_with_every_key_fit_the_schema_and_can_be_read(validator: Draft7Validator, folder: Path) -> None:
    (folder / "p.policy.yaml").write_text(POLICY, encoding="utf-8")
    (folder / "my_models.py").write_text(MY_MODELS, encoding="utf-8")
    text = "---\n".join([EVERY_KEY, DICE, CODE])
    (folder / "s.scenario.yaml").write_text(text, encoding="utf-8")
    for data in documents(text):
        validator.validate(data)
    assert [one.name for one in load_scenarios(folder / "s.scenario.yaml")] == ["everything", "dice", "code"]


def test_every_key_of_the_schema_is_in_one_of_the_examples() -> None:
    schema = scenario_schema()
    parts = [part for name, part in schema["definitions"].items() if part.get("properties") and "Part" in name]
    parts = [
        part
        for part in parts
        if part["properties"].keys() & {"script", "returns", "equals", "at_most", "turn", "ends", "seed"}
    ]
    assert len(parts) == 7
    known = {key for part in (schema, *parts) for key in part["properties"]}
    written = f"{EVERY_KEY}{DICE}{CODE}{CASSETTE}"
    assert [key for key in sorted(known) if f"{key}:" not in written] == []


@pytest.mark.parametrize(
    "text",
    [
        # refused by the reader because of the file's shape: an editor that knows the schema says so too
        HEAD,
        "policy: p.policy.yaml\nchat_model: {script: []}\n",
        "scenario: s\nchat_model: {script: []}\n",
        "hello",
        LEAST.replace("scenario: s", "scenario: ''"),
        LEAST.replace("tools: [a]", "tools: [a], toolz: 1"),
        LEAST.replace("tools: [a]", "tools: [a], requirements: [{conditional: a, onlyafter: a}]"),
        f"{LEAST}version: 2",
        f"{LEAST}extra: 1",
        f"{LEAST}input: 3",
        f"{LEAST}runs: 0",
        f"{LEAST}runs: 1001",
        f"{LEAST}engine: bee",
        f"{HEAD}chat_model: {{scrpt: []}}",
        f"{HEAD}chat_model: {{script: [1]}}",
        f"{HEAD}chat_model: {{script: [{{a: x}}]}}",
        f"{HEAD}chat_model: {{script: [[x]]}}",
        f"{HEAD}chat_model: {{script: [], conduct: [x]}}",
        f"{HEAD}chat_model: {{random: {{}}}}",
        f"{HEAD}chat_model: {{random: {{seed: 1, sed: 1}}}}",
        f"{LEAST}tools: {{a: 3}}",
        f"{LEAST}tools: {{a: {{retuns: 3}}}}",
        f"{LEAST}permissions: {{a: yes}}",
        f"{LEAST}expect: all well",
        f"{LEAST}expect: {{trajectry: a}}",
        f"{LEAST}expect: {{trajectory: [a]}}",
        f"{LEAST}expect: {{ends: done}}",
        f"{LEAST}expect: {{answer: {{equal: 1}}}}",
        f"{LEAST}expect: {{calls: {{a: 1}}}}",
        f"{LEAST}expect: {{calls: {{a: {{at_lest: 1}}}}}}",
        f"{LEAST}expect: {{calls: {{a: {{arguments: [x]}}}}}}",
        f"{LEAST}expect: {{requests: [{{turn: 0}}]}}",
        f"{LEAST}expect: [{{requests: [{{trn: 1}}]}}]",
    ],
)
def test_schema_refuses_what_the_reader_refuses(text: str, validator: Draft7Validator, folder: Path) -> None:
    assert not validator.is_valid(yaml.safe_load(text))
    (folder / "s.scenario.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError):
        load_scenarios(folder / "s.scenario.yaml")
