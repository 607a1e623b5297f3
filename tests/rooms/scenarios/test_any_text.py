"""Laws of policy files: whatever the text, it is a policy or a list of problems, and the JSON schema agrees."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from beewalk.errors import PolicyError, Problem
from beewalk.scenarios.building import read_policy
from beewalk.scenarios.json_schema import policy_schema
from tests.support.any_text import ANYTHING, NAMES, TEXTS, assert_placed, files, mapping, mostly

SCHEMA = Draft7Validator(policy_schema())

COUNT = st.integers(0, 4)
TARGETS = NAMES | st.lists(NAMES, max_size=2)
CONDITIONAL = mapping(
    conditional=NAMES, only_after=TARGETS, force_after=TARGETS, min_invocations=COUNT, max_invocations=COUNT,
    consecutive_allowed=st.booleans(), custom_checks=st.just(["os:getcwd"]), priority=st.integers(1, 3),
)  # fmt: skip
PERMISSION = mapping(ask_permission=TARGETS, remember_choices=st.booleans())
RULES = mapping(rules=st.lists(mapping(target=NAMES, allowed=st.booleans()), max_size=2), name=NAMES)
TOOL = st.none() | mapping(description=NAMES, outcomes=st.just({"ok": 1, "empty": 2}), arguments=st.just("any"))
POLICY = st.fixed_dictionaries(
    {
        "policy": mostly(NAMES),
        "tools": mostly(st.lists(NAMES, max_size=3) | st.dictionaries(NAMES, mostly(TOOL), max_size=3)),
    },
    optional={
        "requirements": mostly(st.lists(mostly(CONDITIONAL | PERMISSION | RULES), max_size=3)),
        "limits": mostly(mapping(max_iterations=COUNT, total_max_retries=st.none())),
        "loop": mostly(mapping(repeated_calls=st.just(False) | mapping(window_size=st.integers(1, 3)))),
        "answer": mostly(st.sampled_from(["text", "structured"])),
        "properties": mostly(st.lists(NAMES, max_size=1)),
        "accept": mostly(st.lists(mapping(code=NAMES, reason=NAMES), max_size=1)),
        "about": ANYTHING,
        "extra": ANYTHING,
    },
)


def problems_of(text: str, folder: Path) -> Sequence[Problem]:
    """The problems of a policy file with this text, none where it is a policy."""
    path = folder / "p.policy.yaml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        read_policy(path, "p.yaml")
    except PolicyError as error:
        return error.problems
    return ()


@files
@given(text=TEXTS)
def test_any_text_is_a_policy_or_has_placed_problems(text: str, tmp_path: Path) -> None:
    assert_placed(problems_of(text, tmp_path), text, "p.yaml")


@files
@given(data=POLICY)
def test_any_mapping_is_a_policy_or_has_placed_problems(data: dict[str, Any], tmp_path: Path) -> None:
    text = yaml.safe_dump(data, sort_keys=False)
    assert_placed(problems_of(text, tmp_path), text, "p.yaml")


@files
@given(data=POLICY)
def test_what_is_a_policy_fits_the_json_schema(data: dict[str, Any], tmp_path: Path) -> None:
    if not problems_of(yaml.safe_dump(data, sort_keys=False), tmp_path):
        assert SCHEMA.is_valid(data)


@files
@given(data=POLICY)
def test_ends_of_lines_and_byte_order_mark_move_no_problem(data: dict[str, Any], tmp_path: Path) -> None:
    text = yaml.safe_dump(data, sort_keys=False)
    expected = list(map(str, problems_of(text, tmp_path)))
    assert list(map(str, problems_of("\ufeff" + text.replace("\n", "\r\n"), tmp_path))) == expected


@pytest.mark.parametrize("name", ["policy", "tools"])
def test_json_schema_wants_what_the_reader_wants(name: str) -> None:
    assert name in SCHEMA.schema["required"]  # type: ignore[index]  # a mapping, though it may be true or false
