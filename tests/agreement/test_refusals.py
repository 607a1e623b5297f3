"""What one of the two refuses, the other refuses too."""

import asyncio
from typing import Any

import pytest

from beewalk import ConditionalRequirement, FinalAnswerTool, Policy, PolicyError, ThinkTool, Tool
from tests.support.builders import a_policy
from tests.support.upstream import Upstream, upstream_conditional

CONTRADICTIONS: list[dict[str, Any]] = [
    {"min_invocations": -1},
    {"max_invocations": -1},
    {"min_invocations": 3, "max_invocations": 2},
    {"force_at_step": 0},
    {"only_before": "a"},
    {"only_before": ["b", "a"]},
    {"force_after": "a"},
    {"force_after": "a", "consecutive_allowed": False},
    {"only_before": "b", "only_after": "b"},
    {"only_before": "b", "force_after": ["b", "c"]},
    {"priority": 0},
]


@pytest.mark.parametrize("parameters", CONTRADICTIONS, ids=str)
def test_both_refuse_to_make_it(parameters: dict[str, Any]) -> None:
    with pytest.raises(PolicyError):
        ConditionalRequirement("a", **parameters)
    with pytest.raises(ValueError, match=r"."):
        upstream_conditional("a", **parameters)


@pytest.mark.parametrize(
    "requirement",
    [
        ConditionalRequirement("ghost"),
        ConditionalRequirement("a", only_after="ghost"),
        ConditionalRequirement("a", only_before=["b", "ghost"]),
        ConditionalRequirement("a", force_after="ghost"),
        ConditionalRequirement(Tool),
        ConditionalRequirement("think", force_after="*"),
        ConditionalRequirement("think", force_after=ThinkTool),
        ConditionalRequirement("think", only_before=ThinkTool),
        ConditionalRequirement("a", only_before="*"),
    ],
    ids=lambda one: one.name,
)
def test_both_refuse_to_bind_it(requirement: ConditionalRequirement, loop: asyncio.AbstractEventLoop) -> None:
    with pytest.raises(PolicyError):
        a_policy("think a b", requirement)
    with pytest.raises(ValueError, match=r"."):
        Upstream(_unchecked(requirement), loop)


@pytest.mark.parametrize(
    "requirement",
    [
        ConditionalRequirement("think", force_after="*", consecutive_allowed=False),
        ConditionalRequirement(FinalAnswerTool, only_after="a"),
        ConditionalRequirement("a", max_invocations=0, min_invocations=0),
        ConditionalRequirement(ThinkTool, force_at_step=1, only_before=["a", "b"]),
    ],
    ids=lambda one: one.name,
)
def test_both_accept_it(requirement: ConditionalRequirement, loop: asyncio.AbstractEventLoop) -> None:
    Upstream(a_policy("think a b", requirement), loop)


def _unchecked(requirement: ConditionalRequirement) -> Policy:
    """A policy that holds `requirement` although it is refused."""
    policy = a_policy("think a b")
    object.__setattr__(policy, "requirements", (requirement,))
    return policy
