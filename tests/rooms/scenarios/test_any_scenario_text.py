"""Laws of scenario files: whatever the text, they are scenarios or a list of problems, and the JSON schema agrees."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from beewalk import Policy, Tool
from beewalk.errors import BeewalkError, PolicyError, Problem
from beewalk.scenarios.json_schema import scenario_schema
from beewalk.scenarios.scenario_files import read_scenarios
from tests.support.any_text import ANYTHING, NAMES, TEXTS, assert_placed, files, mapping, mostly

SCHEMA = Draft7Validator(scenario_schema())
COUNT = st.integers(0, 3)
CONDUCT = st.sampled_from(["text", "silent", "quiet"])
ARGUMENTS = st.none() | st.dictionaries(NAMES, ANYTHING, max_size=2)
CALL = st.dictionaries(NAMES, mostly(ARGUMENTS), max_size=2)
CHAT_MODEL = mapping(
    script=st.lists(mostly(CALL | st.lists(CALL, max_size=2) | NAMES | st.none()), max_size=3),
    conduct=CONDUCT | st.lists(CONDUCT, max_size=2),
    random=mapping(seed=COUNT, conduct=st.lists(CONDUCT, max_size=1)),
    python=st.sampled_from(["string:digits", "builtins:dict", "gone"]),
)
OUTCOME = st.sampled_from(["ok", "error", "crash", "real", "gone"]) | mapping(returns=ANYTHING, raises=NAMES)
ANSWER = st.sampled_from(["allow", "deny"])
MOVES = st.lists(st.sampled_from(["a", "b", "a:ok", "a:denied", "q:unoffered", "&", "a+", "(b", ":", "a:"])).map(
    " ".join
)
EXPECT = mapping(
    trajectory=MOVES,
    ends=st.sampled_from(["final_answer", "dead_end", "done"]),
    answer=mapping(equals=ANYTHING, contains=NAMES, matches=st.sampled_from(["a", "(", "[[a]", "*", "a{9999999999}"])),
    calls=st.dictionaries(
        NAMES, mostly(mapping(at_least=COUNT, at_most=COUNT, arguments=st.lists(ARGUMENTS, max_size=2)))
    ),
    requests=st.lists(
        mostly(
            mapping(
                turn=COUNT,
                request=COUNT,
                allowed=st.lists(NAMES, max_size=2),
                tool_choice=NAMES,
                can_stop=st.booleans(),
            )
        ),
        max_size=2,
    ),
)
POLICY = mapping(policy=NAMES, tools=st.lists(NAMES, max_size=3), requirements=st.just([{"ask_permission": "a"}]))
SCENARIO = st.fixed_dictionaries(
    {
        "scenario": mostly(NAMES),
        "policy": mostly(st.just({"policy": "p", "tools": ["a", "b"]}) | st.sampled_from(["open", "gone"]) | POLICY),
        "chat_model": mostly(CHAT_MODEL | st.just({"script": []})),
    },
    optional={
        "tools": mostly(st.dictionaries(NAMES, mostly(OUTCOME | st.lists(mostly(OUTCOME), max_size=2)), max_size=2)),
        "permissions": mostly(st.dictionaries(NAMES, mostly(ANSWER | st.lists(ANSWER, max_size=2)), max_size=2)),
        "expect": mostly(EXPECT | st.lists(mostly(EXPECT), max_size=2)),
        "runs": mostly(COUNT),
        "engine": mostly(st.sampled_from(["beewalk", "both"])),
        "input": mostly(NAMES),
        "about": ANYTHING,
        "extra": ANYTHING,
    },
)


def source(reference: str, folders: Sequence[Path]) -> Policy:
    if reference == "open":
        return Policy([Tool("a"), Tool("b")])
    raise BeewalkError(f"{reference} cannot be opened")


def problems_of(text: str, folder: Path) -> Sequence[Problem]:
    """The problems of a scenario file with this text, none where it holds scenarios that can be played."""
    path = folder / "s.scenario.yaml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        scenarios = read_scenarios(path, "s.yaml", source)
    except PolicyError as error:
        return error.problems
    assert scenarios
    for scenario in scenarios:
        assert len(scenario.expect) == scenario.runs
        with suppress(BeewalkError):  # of Python code that makes something else
            scenario.chat_model()
    return ()


@files
@given(text=TEXTS)
def test_any_text_is_scenarios_or_has_placed_problems(text: str, tmp_path: Path) -> None:
    assert_placed(problems_of(text, tmp_path), text, "s.yaml")


@files
@given(documents=st.lists(SCENARIO, min_size=1, max_size=2))
def test_any_mapping_is_a_scenario_or_has_placed_problems(documents: list[dict[str, Any]], tmp_path: Path) -> None:
    text = yaml.safe_dump_all(documents, sort_keys=False)
    assert_placed(problems_of(text, tmp_path), text, "s.yaml")


@files
@given(data=SCENARIO)
def test_what_is_a_scenario_fits_the_json_schema(data: dict[str, Any], tmp_path: Path) -> None:
    if not problems_of(yaml.safe_dump(data, sort_keys=False), tmp_path):
        assert SCHEMA.is_valid(data)
