"""Where beewalk differs from beeai-framework on purpose; each test fails when the framework changes."""

import asyncio
import warnings

import pytest

from beewalk import ConditionalRequirement, Policy, PolicyError
from tests.support.builders import a_policy, request_after, turns_of, when
from tests.support.upstream import Answer, Upstream, answer_of


def both(policy: Policy, history: str, loop: asyncio.AbstractEventLoop) -> tuple[Answer, Answer]:
    return answer_of(request_after(policy, history)), Upstream(policy, loop).answer(turns_of(policy, history))


def test_only_before_alone_forbids_nothing_upstream(loop: asyncio.AbstractEventLoop) -> None:
    # Place: requirements/conditional.py, run(): only_before is read inside `if self._after:`.
    policy = a_policy("a b", when("a", only_before="b"))
    ours, upstream = both(policy, "b", loop)
    assert "a" not in ours.allowed
    assert "a" in upstream.allowed


def test_only_before_beside_only_after_is_the_same_on_both(loop: asyncio.AbstractEventLoop) -> None:
    policy = a_policy("a b c", when("a", only_before="b", only_after="c"))
    ours, upstream = both(policy, "c b", loop)
    assert ours == upstream
    assert "a" not in upstream.allowed


def test_one_call_meets_only_one_of_two_targets_that_it_matches_upstream(loop: asyncio.AbstractEventLoop) -> None:
    # Place: requirements/conditional.py, run(): `after_tools_remaining.discard(matcher)`, one matcher a step.
    policy = a_policy("a b", when("b", only_after=["*", "a"]))
    ours, upstream = both(policy, "a", loop)
    assert "b" in ours.allowed
    assert "b" not in upstream.allowed


def test_a_coroutine_as_custom_check_always_counts_as_true_upstream(loop: asyncio.AbstractEventLoop) -> None:
    # Place: requirements/conditional.py, run(): `if not check(state)`, without await.
    async def never(state: object) -> bool:
        return False

    with pytest.raises(PolicyError, match="coroutine function"):
        ConditionalRequirement("a", custom_checks=[never])  # type: ignore[list-item]
    upstream = Upstream(a_policy("a b", when("a")), loop)
    upstream.requirements[0]._custom_checks.append(never)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # "never awaited": the point of this test
        assert "a" in upstream.answer(()).allowed


@pytest.mark.parametrize("tools", ["a a", "a final_answer"])
def test_a_name_that_is_taken_is_refused_only_by_beewalk(tools: str, loop: asyncio.AbstractEventLoop) -> None:
    # Place: utils/_llm.py, RequirementsReasoner.__init__: takes any list of tools.
    with pytest.raises(PolicyError, match="rename"):
        a_policy(tools)
    policy = a_policy("a b")
    upstream = Upstream(policy, loop)
    upstream.reasoner._tools[1].name = tools.split()[1]
    assert upstream.answer(()).kind == "request"
