"""beewalk answers, before a language model is paid for, what a requirement policy can let an agent do."""

from typing import TYPE_CHECKING, Any

from beewalk.errors import AgentError, BeewalkError, NotInThisVersion, PolicyError, Problem, RequirementError
from beewalk.policy.ask_permission import AskPermissionRequirement
from beewalk.policy.conditional import ConditionalRequirement
from beewalk.policy.fixed import FixedRules
from beewalk.policy.messages import AssistantMessage, Memory, SystemMessage, ToolMessage, UserMessage
from beewalk.policy.policy import Limits, Loop, Policy, RepeatedCalls
from beewalk.policy.requirement import Requirement, RunContext, requirement, run_with_context
from beewalk.policy.rule import Rule
from beewalk.policy.state import RequirementAgentRunState
from beewalk.policy.tool import FinalAnswerTool, ThinkTool, Tool, tool

if TYPE_CHECKING:
    from beewalk.opening.opening import explore, load_policy
    from beewalk.properties.exploration import Exploration

__all__ = [
    "AgentError",
    "AskPermissionRequirement",
    "AssistantMessage",
    "BeewalkError",
    "ConditionalRequirement",
    "Exploration",
    "FinalAnswerTool",
    "FixedRules",
    "Limits",
    "Loop",
    "Memory",
    "NotInThisVersion",
    "Policy",
    "PolicyError",
    "Problem",
    "RepeatedCalls",
    "Requirement",
    "RequirementAgentRunState",
    "RequirementError",
    "Rule",
    "RunContext",
    "SystemMessage",
    "ThinkTool",
    "Tool",
    "ToolMessage",
    "UserMessage",
    "explore",
    "load_policy",
    "requirement",
    "run_with_context",
    "tool",
]

_LATE = {
    "Exploration": "beewalk.properties.exploration",
    "explore": "beewalk.opening.opening",
    "load_policy": "beewalk.opening.opening",
}


def __getattr__(name: str) -> Any:
    """Names whose modules read files, imported when they are first used."""
    if name not in _LATE:
        raise AttributeError(f"module 'beewalk' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only here

    return getattr(import_module(_LATE[name]), name)
