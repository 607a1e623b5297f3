"""The requirement code of the two seed documents, taken from there with only the imports changed."""

import re
from pathlib import Path
from typing import Any

import pytest

import beewalk
from beewalk import Policy, Tool, explore
from tests.support.shared import SHARED

DOCS = SHARED / "seeds" / "requirement-agent-docs.txt"
CHAPTER = SHARED / "seeds" / "requirements-and-rules.zh.txt"

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="../shared/seeds is not there")

NAMES = (
    "AssistantMessage",
    "Requirement",
    "RequirementAgentRunState",
    "Rule",
    "RunContext",
    "requirement",
    "run_with_context",
)


def code_of(path: Path, start: str, end: str) -> dict[str, Any]:
    """What the code between two lines of a document defines; beewalk stands in for the framework."""
    text = path.read_text(encoding="utf-8")
    found = re.search(rf"^{re.escape(start)}.*?(?=^{re.escape(end)})", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    space: dict[str, Any] = {name: getattr(beewalk, name) for name in NAMES}
    exec(compile(found.group(), str(path), "exec"), space)  # noqa: S102 - the document is the point of the test
    return space


def test_the_premature_stop_looks_only_at_the_newest_text() -> None:
    stop = code_of(DOCS, "class PrematureStopRequirement", "async def main")["PrematureStopRequirement"]
    tool = Tool("search", outcomes={"ok": "fine", "hit": "the value of x is 3"})
    policy = Policy([tool], [stop(phrase="value of x", reason="no algebra")], input="Plan a day")
    found = explore(policy)
    assert found.complete
    assert found.assumed[0].startswith("premature_stop: looks only at the input")
    assert (found.states, found.tools["final_answer"].forced) == (2, True)


def test_the_premature_stop_at_once_where_the_task_has_the_phrase() -> None:
    stop = code_of(DOCS, "class PrematureStopRequirement", "async def main")["PrematureStopRequirement"]
    requirements = [stop("value of x", "no algebra"), stop("bomb", "no such topic")]
    found = explore(Policy([Tool("search")], requirements, input="how to make a bomb?"))
    assert (found.states, found.moves, found.complete_runs) == (1, 1, 1)


def test_the_gate_by_decorator_remembers_whether_think_was_called() -> None:
    gate = code_of(CHAPTER, '@requirement(name="no-search-before-think"', "targets 参数")["gate_search"]
    policy = Policy([Tool("think"), Tool("duckduckgo")], [gate])
    found = explore(policy)
    assert found.complete
    assert "no-search-before-think: looks at all steps (of a step: tool); 2 memories" in found.assumed[0]
    assert (found.states, found.moves) == (2, 5)
    assert found.search.request_after(()).reason("duckduckgo") is not None  # type: ignore[union-attr]
