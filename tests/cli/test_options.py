"""Options of `beewalk explore` reach the search."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Beewalk

ASKING = "policy: p\ntools: {a: {outcomes: {empty: ''}}, b: }\nrequirements: [{ask_permission: b}]\n"
CAPPED = "policy: p\ntools: [a]\nrequirements: [{conditional: a, max_invocations: 9}]\n"


def found(explored: Beewalk, text: str, *options: str) -> dict[str, Any]:
    ran = explored(text, *options, "--format", "json")
    assert ran.err == ""
    data: dict[str, Any] = json.loads(ran.out)
    return data


@pytest.mark.parametrize(
    ("options", "outcomes"),
    [
        ([], ["ok", "empty", "denied"]),
        (["--outcomes", "ok"], ["ok", "empty", "denied"]),
        (["--outcomes", "ok,error"], ["ok", "empty", "error", "denied"]),
        (["--outcomes", "error, ok"], ["ok", "empty", "error", "denied"]),
        (["--outcomes", "all"], ["ok", "empty", "error", "denied"]),
        (["--no-denied"], ["ok", "empty"]),
        (["--outcomes", "all", "--no-denied"], ["ok", "empty", "error"]),
    ],
)
def test_outcomes_say_what_is_explored(options: list[str], outcomes: list[str], explored: Beewalk) -> None:
    assert found(explored, ASKING, *options)["outcomes"] == outcomes


@pytest.mark.parametrize(
    ("options", "length", "runs"),
    [
        ([], 20, 10),
        (["--max-length", "4"], 4, 4),
        (["--max-iterations", "5"], 5, 5),
        (["--max-iterations", "5", "--max-length", "7"], 5, 5),
        (["--max-iterations", "0"], 20, 10),
        (["--max-iterations", "0", "--max-length", "30"], 30, 10),
    ],
)
def test_runs_are_counted_up_to_the_smaller_bound(
    options: list[str], length: int, runs: int, explored: Beewalk
) -> None:
    expected = {"max_length": length, "complete_runs": runs, "exact": True}
    assert found(explored, CAPPED, *options)["sequences"] == expected


def test_limits_given_are_no_longer_assumed(explored: Beewalk) -> None:
    assert found(explored, CAPPED)["assumed"] == ["limits: the framework's defaults"]
    assert found(explored, CAPPED, "--total-max-retries", "3")["assumed"] == []


def test_no_retries_make_a_failing_call_the_end(explored: Beewalk) -> None:
    usual = found(explored, "policy: p\ntools: [a]\n", "--outcomes", "all")
    strict = found(explored, "policy: p\ntools: [a]\n", "--outcomes", "all", "--max-retries-per-step", "0")
    assert (usual["moves"], strict["moves"]) == (3, 3)
    assert usual["sequences"]["complete_runs"] > strict["sequences"]["complete_runs"] == 20


@pytest.mark.parametrize(
    ("options", "states", "reason"),
    [
        ([], 10, "exhausted"),
        (["--max-states", "10"], 10, "exhausted"),
        (["--max-states", "4"], 4, "max_states"),
        (["--max-depth", "4"], 5, "max_depth"),
        (["--max-depth", "0"], 1, "max_depth"),
    ],
)
def test_bounds_end_the_search(options: list[str], states: int, reason: str, explored: Beewalk) -> None:
    data = found(explored, CAPPED, *options)
    assert (data["states"], data["stop_reason"], data["complete"]) == (states, reason, reason == "exhausted")
    assert data["sequences"]["exact"] == data["complete"]
