"""`beewalk schema policy`: a JSON schema that editors can read, and that agrees with the reader."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from beewalk.errors import PolicyError
from beewalk.opening.opening import explorable
from beewalk.scenarios.building import read_policy
from beewalk.scenarios.json_schema import policy_schema
from tests.cli.conftest import Beewalk
from tests.support.shared import POLICIES, needs_shared

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("*.policy.yaml"))

EVERY_KEY = """\
policy: everything
about: anything
tools:
  think:
  weather: {description: "...", outcomes: {ok: "12 °C, clear", error: "service unavailable"}}
  search:  {outcomes: {ok: "3 events", empty: ""}}
  whoami:  {arguments: none}
  delete:
requirements:
  - conditional: think
    force_after: "*"
    consecutive_allowed: false
    priority: 20
  - conditional: search
    only_after: [weather, think]
    custom_checks: ["my_rules:is_daytime"]
  - ask_permission: [delete]
    remember_choices: true
  - rules: [{target: search, allowed: false, hidden: true, reason: "..."}]
  - python: "my_rules:no_search_before_think"
limits: {max_iterations: 20, max_retries_per_step: 3, total_max_retries: 20}
loop:
  final_answer_as_tool: true
  parallel_tool_calls: false
  repeated_calls: {max_strike_length: 1, max_total_occurrences: 5, window_size: 10}
answer: text
input: What to do in Boston?
properties: ["precedence(weather, search)", "never: delete delete"]
accept: [{code: tool-blocks-stop, tool: weather, reason: "has a fallback"}]
"""
MORE_KEYS = """\
version: 1
$schema: policy.schema.json
policy: the other keys
about: {source: here, notes: [1, 2]}
tools: [think, search]
requirements:
  - {conditional: think, name: n, force_at_step: 1, only_before: search, force_prevent_stop: false, min_invocations: 1,
     max_invocations: 2, only_success_invocations: false, enabled: true, reason: r}
  - {ask_permission: "*", exclude: think, hide_disallowed: true, always_allow: false}
  - {rules: [{target: think, forced: true, prevent_stop: true}], name: n, priority: 3}
loop: {repeated_calls: false}
limits: {max_iterations: null, max_retries_per_step: 0, total_max_retries: null}
answer: {type: object}
properties: [{always: think}, {never: search}]
"""
MY_RULES = """\
from beewalk import Rule, requirement


def is_daytime(state):
    return True


@requirement(targets="search")
def no_search_before_think(state):
    return [Rule(target="search", allowed=any(step.name == "think" for step in state.steps))]
"""


@pytest.fixture
def validator(beewalk: Beewalk) -> Draft7Validator:
    ran = beewalk("schema", "policy")
    assert (ran.code, ran.err) == (0, "")
    schema = json.loads(ran.out)
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema)


def data_of(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_schema_is_draft_07_in_every_part(validator: Draft7Validator) -> None:
    schema = validator.schema
    assert isinstance(schema, dict)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    text = json.dumps(schema)
    assert not [word for word in ("$defs", "prefixItems", "unevaluated", "dependentRequired") if word in text]


def test_schema_goes_into_a_file(beewalk: Beewalk, folder: Path) -> None:
    printed = beewalk("schema", "policy").out
    ran = beewalk("schema", "policy", "--output", "policy.schema.json")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (folder / "policy.schema.json").read_text(encoding="utf-8") == printed


def test_schema_of_something_else_is_wrong_use(beewalk: Beewalk) -> None:
    ran = beewalk("schema", "agent")
    assert (ran.code, ran.out) == (2, "")
    assert "'agent' is not" in ran.err


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.name)
def test_policies_of_this_project_fit_the_schema(path: Path, validator: Draft7Validator) -> None:
    validator.validate(data_of(path))


@needs_shared
@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.name)
def test_real_policies_fit_the_schema_and_can_be_read(path: Path, validator: Draft7Validator) -> None:
    validator.validate(data_of(path))
    if "documented-crash" in path.name:  # force_after "*" without consecutive_allowed: false
        with pytest.raises(PolicyError, match="add consecutive_allowed: false"):
            read_policy(path)
    else:
        assert read_policy(path).policy.name == data_of(path)["policy"]


@pytest.mark.parametrize("text", [EVERY_KEY, MORE_KEYS], ids=["every key", "more keys"])
def test_file_with_every_key_fits_the_schema_and_can_be_read(
    text: str, validator: Draft7Validator, folder: Path
) -> None:
    (folder / "my_rules.py").write_text(MY_RULES, encoding="utf-8")
    path = folder / "every.policy.yaml"
    path.write_text(text, encoding="utf-8")
    validator.validate(data_of(path))
    assert read_policy(path).policy.name in {"everything", "the other keys"}
    with pytest.raises(PolicyError, match="not in this version"):
        explorable(path)


def test_every_key_of_the_schema_is_in_one_of_the_examples() -> None:
    schema = policy_schema()
    known = {key for part in (schema, *schema["definitions"].values()) for key in part.get("properties", {})}
    written = f"{EVERY_KEY}{MORE_KEYS}"
    assert [key for key in sorted(known) if f"{key}:" not in written] == []


@pytest.mark.parametrize(
    "text",
    [
        # refused by the reader because of the file's shape: an editor that knows the schema says so too
        "tools: [a]",
        "policy: p\ntools: 3",
        "policy: p\ntools: [yes]",
        "policy: ''\ntools: [a]",
        "policy: p\ntools: [a]\nextra: 1",
        "policy: p\ntools: {a: {outcome: 1}}",
        "policy: p\ntools: {a: {arguments: some}}",
        "policy: p\ntools: [a]\nrequirements: [hello]",
        "policy: p\ntools: [a]\nrequirements: [{only_after: a}]",
        "policy: p\ntools: [a]\nrequirements: [{conditional: a, onlyafter: b}]",
        "policy: p\ntools: [a]\nrequirements: [{conditional: a, max_invocations: many}]",
        "policy: p\ntools: [a]\nrequirements: [{conditional: a, python: 'x:y'}]",
        "policy: p\ntools: [a]\nlimits: {max_iterations: -1}",
        "policy: p\ntools: [a]\nlimits: {max_iterations: 100001}",
        "policy: p\ntools: [a]\nloop: {repeated_calls: true}",
        "policy: p\ntools: [a]\naccept: [{code: x}]",
        "policy: p\ntools: [a]\nversion: 2",
    ],
)
def test_schema_refuses_what_the_reader_refuses(text: str, validator: Draft7Validator, folder: Path) -> None:
    assert not validator.is_valid(yaml.safe_load(text))
    (folder / "p.policy.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError):
        read_policy(folder / "p.policy.yaml")
