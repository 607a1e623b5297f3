"""Requirements written in Python, as policies in this folder use them."""

from beewalk import (
    AssistantMessage,
    Requirement,
    RequirementAgentRunState,
    Rule,
    RunContext,
    requirement,
    run_with_context,
)


@requirement(name="think_before_search", targets=["search"])
def think_before_search(state: RequirementAgentRunState) -> list[Rule]:
    """Searching is allowed once something was thought."""
    thought = any(step.tool is not None and step.tool.name == "think" for step in state.steps)
    return [Rule(target="search", allowed=thought, reason="think about what to look for first")]


class StopOnPhrase(Requirement[RequirementAgentRunState]):
    """Forces the final answer while the newest text, an output or else the task, has a phrase in it."""

    name = "stop_on_phrase"

    def __init__(self, phrase: str, why: str) -> None:
        super().__init__()
        self.priority = 100
        self._phrase = phrase
        self._why = why

    @run_with_context
    async def run(self, state: RequirementAgentRunState, context: RunContext) -> list[Rule]:
        """One rule, or none."""
        newest = state.steps[-1].output.get_text_content() if state.steps else state.input.text
        if self._phrase not in newest:
            return []
        await state.memory.add(AssistantMessage(f"I have to stop here: {self._why}.", {"tempMessage": True}))
        return [Rule(target="final_answer", forced=True)]


class RepeatIfEmpty(Requirement[RequirementAgentRunState]):
    """Forces a tool again while its last output was empty, a few times at most."""

    name = "repeat_if_empty"

    def __init__(self, target: str, limit: int) -> None:
        super().__init__()
        self.priority = 20
        self._target = target
        self._limit = limit
        self._left = limit

    def run(self, state: RequirementAgentRunState) -> list[Rule]:
        """One rule, or none; what is left of the limit is kept in the requirement itself."""
        last = state.steps[-1] if state.steps else None
        if last is None or last.tool is None or last.tool.name != self._target or not last.output.is_empty():
            self._left = self._limit
            return []
        if self._left == 0:
            return []
        self._left -= 1
        return [Rule(target=self._target, forced=True)]


class AtMost(Requirement[RequirementAgentRunState]):
    """Forbids a tool once it was called a number of times, failed calls included."""

    def __init__(self, target: str, times: int) -> None:
        super().__init__()
        self.name = f"at_most_{times}_{target}"
        self._target = target
        self._times = times

    def run(self, state: RequirementAgentRunState) -> list[Rule]:
        """One rule."""
        calls = sum(1 for step in state.steps if step.tool is not None and step.tool.name == self._target)
        return [Rule(target=self._target, allowed=calls < self._times)]


def stop_on_algebra() -> StopOnPhrase:
    """A StopOnPhrase for a policy file."""
    return StopOnPhrase("value of x", "algebra is not allowed")


def repeat_empty_search() -> RepeatIfEmpty:
    """A RepeatIfEmpty for a policy file."""
    return RepeatIfEmpty("search", limit=3)


def at_most_two_searches() -> AtMost:
    """An AtMost for a policy file."""
    return AtMost("search", 2)
