"""What more rules can do: laws of the fold."""

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from beewalk import FixedRules, Policy, Requirement, RequirementError, Rule
from beewalk.reasoner.request import DeadEnd, Request
from tests.support.builders import request_after
from tests.support.strategies import histories, policies


def made(policy: Policy, history: str) -> Request | DeadEnd | None:
    try:
        return request_after(policy, history)
    except RequirementError:
        return None


def with_more(policy: Policy, *more: Requirement[Any]) -> Policy:
    return Policy(policy.tools[:-1], [*policy.requirements, *more], loop=policy.loop)


@given(data=st.data())
def test_a_forbidden_tool_is_not_offered_and_others_join_only_where_it_was_forced(data: st.DataObject) -> None:
    policy = data.draw(policies())
    assume(policy is not None)
    assert policy is not None
    names = [tool.name for tool in policy.tools[:-1]]
    history, forbidden = data.draw(histories(names)), data.draw(st.sampled_from(names))
    before = made(policy, history)
    after = made(with_more(policy, FixedRules([Rule(target=forbidden, allowed=False)], priority=1)), history)
    assume(before is not None)
    if isinstance(after, Request):
        assert forbidden not in after.allowed
        if isinstance(before, Request) and before.forced != forbidden:
            assert after.allowed == before.allowed - {forbidden}


@given(data=st.data())
def test_a_request_offers_something_and_never_what_is_hidden(data: st.DataObject) -> None:
    policy = data.draw(policies())
    assume(policy is not None)
    assert policy is not None
    said = made(policy, data.draw(histories([tool.name for tool in policy.tools[:-1]])))
    assume(said is not None)
    if isinstance(said, Request):
        assert said.allowed
        readmitted = {"final_answer"} if said.forced else set()
        assert not (said.allowed & said.hidden) - readmitted
        if said.forced is not None:
            assert said.tool_choice == said.forced
    else:
        assert said is not None
        assert all(not ruling.allowed and ruling.because for ruling in said.rulings.values())


@given(data=st.data())
def test_the_order_of_requirements_of_equal_priority_changes_only_reasons(data: st.DataObject) -> None:
    policy = data.draw(policies())
    assume(policy is not None)
    assert policy is not None
    history = data.draw(histories([tool.name for tool in policy.tools[:-1]]))
    order = data.draw(st.permutations(policy.requirements))
    one = made(policy, history)
    other = made(Policy(policy.tools[:-1], order, loop=policy.loop), history)
    assert getattr(one, "decision", None) == getattr(other, "decision", None)
