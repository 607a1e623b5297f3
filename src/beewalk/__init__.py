"""beewalk answers, before a language model is paid for, what a requirement policy can let an agent do."""

from typing import TYPE_CHECKING, Any

from beewalk.errors import AgentError, BeewalkError, NotInThisVersion, PolicyError, Problem, RequirementError
from beewalk.policy.ask_permission import AskPermissionRequirement
from beewalk.policy.call import Call
from beewalk.policy.conditional import ConditionalRequirement
from beewalk.policy.fixed import FixedRules
from beewalk.policy.messages import AssistantMessage, Memory, SystemMessage, ToolMessage, UserMessage
from beewalk.policy.policy import Limits, Loop, Policy, RepeatedCalls
from beewalk.policy.requirement import Requirement, RunContext, requirement, run_with_context
from beewalk.policy.rule import Rule
from beewalk.policy.state import RequirementAgentRunState
from beewalk.policy.step import ToolError, ToolOutput
from beewalk.policy.tool import FinalAnswerTool, ThinkTool, Tool, tool

if TYPE_CHECKING:
    from beewalk.agent.agent import RequirementAgent, RequirementAgentOutput
    from beewalk.agent.tools import Scripted
    from beewalk.chat_models.chat_model import ChatModel, ChatModelError, Prompt
    from beewalk.chat_models.entries import ScriptError, call, final_answer
    from beewalk.chat_models.random_calls import RandomChatModel
    from beewalk.chat_models.scripted import FunctionChatModel, ScriptedChatModel
    from beewalk.opening.opening import explore, load_policy
    from beewalk.opening.playing import run
    from beewalk.properties.exploration import Exploration
    from beewalk.turn.reply import Reply
    from beewalk.turn.trajectory import Ending, Trajectory

__all__ = [
    "AgentError",
    "AskPermissionRequirement",
    "AssistantMessage",
    "BeewalkError",
    "Call",
    "ChatModel",
    "ChatModelError",
    "ConditionalRequirement",
    "Ending",
    "Exploration",
    "FinalAnswerTool",
    "FixedRules",
    "FunctionChatModel",
    "Limits",
    "Loop",
    "Memory",
    "NotInThisVersion",
    "Policy",
    "PolicyError",
    "Problem",
    "Prompt",
    "RandomChatModel",
    "RepeatedCalls",
    "Reply",
    "Requirement",
    "RequirementAgent",
    "RequirementAgentOutput",
    "RequirementAgentRunState",
    "RequirementError",
    "Rule",
    "RunContext",
    "ScriptError",
    "Scripted",
    "ScriptedChatModel",
    "SystemMessage",
    "ThinkTool",
    "Tool",
    "ToolError",
    "ToolMessage",
    "ToolOutput",
    "Trajectory",
    "UserMessage",
    "call",
    "explore",
    "final_answer",
    "load_policy",
    "requirement",
    "run",
    "run_with_context",
    "tool",
]

_LATE = {
    "ChatModel": "beewalk.chat_models.chat_model",
    "ChatModelError": "beewalk.chat_models.chat_model",
    "Ending": "beewalk.turn.trajectory",
    "Exploration": "beewalk.properties.exploration",
    "FunctionChatModel": "beewalk.chat_models.scripted",
    "Prompt": "beewalk.chat_models.chat_model",
    "RandomChatModel": "beewalk.chat_models.random_calls",
    "Reply": "beewalk.turn.reply",
    "RequirementAgent": "beewalk.agent.agent",
    "RequirementAgentOutput": "beewalk.agent.agent",
    "ScriptError": "beewalk.chat_models.entries",
    "Scripted": "beewalk.agent.tools",
    "ScriptedChatModel": "beewalk.chat_models.scripted",
    "Trajectory": "beewalk.turn.trajectory",
    "call": "beewalk.chat_models.entries",
    "explore": "beewalk.opening.opening",
    "final_answer": "beewalk.chat_models.entries",
    "load_policy": "beewalk.opening.opening",
    "run": "beewalk.opening.playing",
}


def __getattr__(name: str) -> Any:
    """Names that exploring a policy made in Python can do without, imported when they are first used."""
    if name not in _LATE:
        raise AttributeError(f"module 'beewalk' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only here

    return getattr(import_module(_LATE[name]), name)
