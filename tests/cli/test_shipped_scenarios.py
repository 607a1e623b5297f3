"""The scenarios that are shipped: each teaches something, passes, and would fail if anything it expects were false."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from beewalk.errors import Path as ValuePath
from beewalk.opening.scenarios import load_scenarios
from beewalk.scenarios.running import OwnEngine, run_scenario
from tests.support.falsified import falsified

FOLDER = Path(__file__).parents[2] / "scenarios"
FILES = sorted(FOLDER.glob("*.scenario.yaml"))


class Shipped(NamedTuple):
    """One document of a file."""

    file: Path
    text: str
    data: Any

    @property
    def tools(self) -> list[str]:
        """The tools of its policy, the final answer included."""
        policy = self.data["policy"]
        if isinstance(policy, str):
            policy = yaml.safe_load((FOLDER / policy).read_text("utf-8"))
        return [*policy["tools"], "final_answer"]


def shipped() -> Iterator[Shipped]:
    for file in FILES:
        for text in file.read_text("utf-8").split("\n---\n"):
            yield Shipped(file, text, yaml.safe_load(text))


SHIPPED = list(shipped())
each = pytest.mark.parametrize(
    "one", SHIPPED, ids=lambda one: f"{one.file.name.partition('.')[0]}: {one.data['scenario']}"
)


def test_there_are_enough() -> None:
    assert len(SHIPPED) >= 24


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_all_pass(file: Path) -> None:
    results = [run_scenario(scenario, OwnEngine()) for scenario in load_scenarios(file)]
    assert {result.scenario.name: result for result in results if not result.passed} == {}
    assert len(results) == sum(one.file == file for one in SHIPPED)


@each
def test_it_says_first_what_it_teaches(one: Shipped) -> None:
    lines = one.text.splitlines()
    comment = [line for line in lines[: lines.index(f"scenario: {one.data['scenario']}")] if line]
    assert 1 <= len(comment) <= 4
    assert all(line.startswith("# ") and len(line) <= 120 for line in comment)


@each
def test_whatever_it_expects_would_fail_if_it_were_false(one: Shipped, tmp_path: Path) -> None:
    lies = list(falsified(one.data["expect"], one.tools))
    assert set(leaves(one.data["expect"], ("expect",))) <= {lie.path for lie in lies}

    file = tmp_path / "false.scenario.yaml"
    policy = one.data["policy"]
    policy = str(FOLDER / policy) if isinstance(policy, str) else policy
    documents = [
        {**one.data, "scenario": f"{number}", "policy": policy, "expect": lie.expect} for number, lie in enumerate(lies)
    ]
    file.write_text(yaml.safe_dump_all(documents, sort_keys=False, allow_unicode=True), "utf-8")

    for lie, scenario in zip(lies, load_scenarios(file), strict=True):
        result = run_scenario(scenario, OwnEngine())
        assert {failure.path for failure in result.failures} == {lie.key}, f"{lie.path}: {lie.value!r}"
        assert result.played.trouble is None


def leaves(value: Any, path: ValuePath) -> Iterator[ValuePath]:
    """The paths of everything in `value` that is not made of parts."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not parts or not value:
        yield path
    for part, inner in parts:
        yield from leaves(inner, (*path, part))
