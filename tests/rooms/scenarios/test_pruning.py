"""Pruning: one thing of the wrong shape is told once, and hides nothing of what is wrong elsewhere."""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from beewalk.errors import Path as ValuePath
from beewalk.errors import PolicyError, Problem, path_text
from beewalk.opening.scenarios import load_scenarios
from tests.support.every_key import EVERY_KEY, POLICY

EVERYTHING = yaml.safe_load(EVERY_KEY)
ELSEWHERE = ("expect", 1, "calls", "ghost")


def paths(data: Any, above: ValuePath = ()) -> Iterator[ValuePath]:
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        yield (*above, key)
        yield from paths(value, (*above, key))


def is_arguments(path: ValuePath) -> bool:
    """Whether a mapping stands at `path` that may have any key."""
    if path[:2] == ("chat_model", "script"):
        return isinstance(path[-1], str) and len(path) > 3
    return path[-2:-1] == ("arguments",) or path[-1] == "subset"


def is_free(path: ValuePath) -> bool:
    """Whether anything may stand at `path`."""
    above = [path[:end] for end in range(1, len(path))]
    return path[-1] in {"about", "returns", "equals", "subset"} or any(
        is_arguments(one) or one[-1] in {"about", "returns", "equals"} for one in above
    )


PATHS = [path for path in paths(EVERYTHING) if not is_free(path)]


def changed(path: ValuePath, value: Any) -> Any:
    data = deepcopy(EVERYTHING)
    holder = data
    for part in path[:-1]:
        holder = holder[part]
    holder[path[-1]] = value
    return data


def problems(data: Any, folder: Path) -> list[Problem]:
    (folder / "p.policy.yaml").write_text(POLICY, encoding="utf-8")
    (folder / "s.scenario.yaml").write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    with pytest.raises(PolicyError) as raised:
        load_scenarios(folder / "s.scenario.yaml")
    return list(raised.value.problems)


@pytest.mark.parametrize("path", PATHS, ids=path_text)
def test_what_has_the_wrong_shape_is_one_problem(path: ValuePath, tmp_path: Path) -> None:
    (problem,) = problems(changed(path, 2.5), tmp_path)
    assert problem.path == path
    assert "found 2.5" in problem.what


@pytest.mark.parametrize("path", [path for path in PATHS if path != ELSEWHERE[: len(path)]], ids=path_text)
def test_what_has_the_wrong_shape_hides_nothing_elsewhere(path: ValuePath, tmp_path: Path) -> None:
    data = changed(path, 2.5)
    data["expect"][1]["calls"]["ghost"] = {}
    found = {problem.path for problem in problems(data, tmp_path)}
    assert found == ({path, ELSEWHERE} if path != ("policy",) else {path})  # whose tools nobody knows then


@pytest.mark.parametrize("path", [path for path in PATHS if not is_arguments(path)], ids=path_text)
def test_an_unknown_key_is_told_at_its_place_only(path: ValuePath, tmp_path: Path) -> None:
    data = changed(path, {"unheard": 1})
    assert {problem.path[: len(path)] for problem in problems(data, tmp_path)} == {path}
