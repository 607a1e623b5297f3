"""The 50 real policies: the figures measured on the real reasoner, and a replay of every state on it."""

import asyncio
from pathlib import Path

import pytest

from beewalk import PolicyError, explore, load_policy
from beewalk.reasoner.request import DeadEnd, Request
from tests.support.shared import POLICIES, measured, needs_shared
from tests.support.upstream import Answer, Upstream, answer_of

pytestmark = needs_shared

REFUSED = "09"
EXPLORED = [path for path in POLICIES if not path.name.startswith(REFUSED)]


def named(path: Path) -> str:
    return path.name.removesuffix(".policy.yaml")


def test_there_are_fifty() -> None:
    assert len(POLICIES) == 50


@pytest.mark.parametrize("denied", [True, False], ids=["denied", "no-denied"])
@pytest.mark.parametrize("outcomes", [["ok"], ["ok", "error"]], ids=["ok", "all"])
@pytest.mark.parametrize("path", EXPLORED, ids=named)
def test_the_search_ends_and_finds_what_was_measured(path: Path, outcomes: list[str], denied: bool) -> None:
    found = explore(path, outcomes=outcomes, denied=denied)
    figures = measured(path)
    which = "dead_ends_with_errors" if "error" in outcomes else "dead_ends_success_only"
    assert found.complete
    assert found.states <= 300
    assert ("dead-end" in {one.code for one in found.findings}) == bool(figures[which])
    never = {tool for one in found.findings if one.code == "tool-never-allowed" for tool in one.tools}
    assert never == set(figures["never_allowed_tools"])


@pytest.mark.parametrize("path", EXPLORED, ids=named)
def test_the_shortest_way_to_an_answer_is_the_measured_one(path: Path) -> None:
    found = explore(path, denied=False)
    assert found.beyond_limit == 0
    first = found.tools["final_answer"].first_step
    assert (None if first is None else first - 1) == measured(path)["min_calls_before_final_answer"]


def test_the_documented_react_form_is_refused_with_the_meaning_it_notes() -> None:
    path = next(path for path in POLICIES if path.name.startswith(REFUSED))
    assert "consecutive_allowed" in measured(path)["init_error"]
    with pytest.raises(PolicyError, match=r"force_after matches 'think' itself.*consecutive_allowed: false"):
        load_policy(path)


@pytest.mark.parametrize("path", EXPLORED, ids=named)
def test_every_reachable_state_makes_the_real_request(path: Path, loop: asyncio.AbstractEventLoop) -> None:
    found = explore(path, outcomes=["ok", "error"])
    upstream = Upstream(found.policy, loop)
    for state in range(found.states):
        moves = found.graph.path(state)
        said = found.search.request_after(moves)
        assert isinstance(said, Request | DeadEnd)
        turns = [found.graph.alphabet.turns[move] for move in moves]
        assert upstream.answer(turns) == answer_of(said), found.graph.witness(state)
        assert sorted(found.graph.allowed(state)) == sorted(answer_of(said).allowed)


def test_a_measured_dead_end_is_one_on_the_real_reasoner_too(loop: asyncio.AbstractEventLoop) -> None:
    path = next(path for path in POLICIES if path.name.startswith("22"))
    found = explore(path)
    moves = found.graph.path(1)
    turns = [found.graph.alphabet.turns[move] for move in moves]
    assert Upstream(found.policy, loop).answer(turns) == Answer("dead_end")
    assert [str(move) for move in found.errors[0].witness] == measured(path)["example_dead_end"]["path"]
