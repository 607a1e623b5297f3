"""Requirements and custom checks that the cases' policies name; all of them follow from the state alone."""

from collections.abc import Callable

from beewalk import Requirement, RequirementAgentRunState, RequirementError, Rule, requirement

State = RequirementAgentRunState
Check = Callable[[State], bool]


def called(state: State, name: str) -> int:
    """How many calls of a tool there were, failing ones included."""
    return sum(step.name == name for step in state.steps)


def worked(state: State, name: str) -> int:
    """How many calls of a tool did not fail."""
    return sum(step.name == name and step.error is None for step in state.steps)


# --- custom checks ---------------------------------------------------------------------------------------------------


def always(state: State) -> bool:
    return True


def never(state: State) -> bool:
    return False


def last_told_something(state: State) -> bool:
    return bool(state.steps) and not state.steps[-1].output.is_empty()


def last_told_nothing(state: State) -> bool:
    return bool(state.steps) and state.steps[-1].output.is_empty()


def last_not_denied(state: State) -> bool:
    return not state.steps or state.steps[-1].outcome != "denied"


def nothing_was_refused(state: State) -> bool:
    return all(step.outcome != "denied" for step in state.steps)


def something_was_refused(state: State) -> bool:
    return any(step.outcome == "denied" for step in state.steps)


def two_refusals(state: State) -> bool:
    return sum(step.outcome == "denied" for step in state.steps) >= 2


def nothing_failed(state: State) -> bool:
    return all(step.error is None for step in state.steps)


def something_failed(state: State) -> bool:
    return any(step.error is not None for step in state.steps)


def last_did_not_fail(state: State) -> bool:
    return not state.steps or state.steps[-1].error is None


def build_did_not_just_fail(state: State) -> bool:
    return not state.steps or state.steps[-1].name != "build" or state.steps[-1].error is None


def something_was_called(state: State) -> bool:
    return bool(state.steps)


def nothing_was_called(state: State) -> bool:
    return not state.steps


def two_calls_were_made(state: State) -> bool:
    return len(state.steps) >= 2


def three_calls_were_made(state: State) -> bool:
    return len(state.steps) >= 3


def fewer_than_three_calls(state: State) -> bool:
    return len(state.steps) < 3


def fewer_than_three_that_worked(state: State) -> bool:
    return sum(step.error is None for step in state.steps) < 3


def fewer_than_two_failures_and_three_that_worked(state: State) -> bool:
    failures = sum(step.error is not None for step in state.steps)
    return failures < 2 and len(state.steps) - failures < 3


def exactly_two_notes(state: State) -> bool:
    return worked(state, "note") == 2


def fewer_than_four_digs(state: State) -> bool:
    return called(state, "dig") < 4


def search_or_send_was_granted(state: State) -> bool:
    return any(step.name in {"search", "send"} and step.outcome == "ok" for step in state.steps)


def nobody_was_missing(state: State) -> bool:
    return all(step.outcome != "missing" for step in state.steps)


def nothing_timed_out(state: State) -> bool:
    return all(step.outcome != "timeout" for step in state.steps)


def last_came_back_empty(state: State) -> bool:
    return bool(state.steps) and state.steps[-1].outcome == "empty"


def one_result(state: State) -> bool:
    return any(step.name == "query" and not step.output.is_empty() for step in state.steps)


def two_results(state: State) -> bool:
    return sum(step.name == "query" and not step.output.is_empty() for step in state.steps) >= 2


def mail_or_sms(state: State) -> bool:
    return called(state, "mail") > 0 or called(state, "sms") > 0


def mail_or_sms_worked(state: State) -> bool:
    return worked(state, "mail") > 0 or worked(state, "sms") > 0


def mail_and_sms_worked(state: State) -> bool:
    return worked(state, "mail") > 0 and worked(state, "sms") > 0


def two_signatures(state: State) -> bool:
    return sum(called(state, name) > 0 for name in ("ann", "bob", "cleo")) >= 2


def search_worked(state: State) -> bool:
    return worked(state, "search") > 0


def search_was_tried(state: State) -> bool:
    return called(state, "search") > 0


def found_something(state: State) -> bool:
    return any(step.error is None and not step.output.is_empty() for step in state.steps)


def found_something_or_gave_up(state: State) -> bool:
    return found_something(state) or len(state.steps) >= 3


def door_is_closed(state: State) -> bool:
    moved = [step.name for step in state.steps if step.error is None and step.name in {"open", "close"}]
    return not moved or moved[-1] == "close"


def polled_twice(state: State) -> bool:
    return called(state, "poll") >= 2


def last_was_ping(state: State) -> bool:
    return bool(state.steps) and state.steps[-1].name == "ping"


def last_was_not_ping(state: State) -> bool:
    return not last_was_ping(state)


def a_test_ran(state: State) -> bool:
    return called(state, "test") > 0


# --- requirements that raise ----------------------------------------------------------------------------------------


@requirement(targets="search")
def reads_the_last_step(state: State) -> list[Rule]:
    return [Rule(target="search", allowed=state.steps[-1].name != "search")]


@requirement(targets="search")
def reads_the_last_step_if_there_is_one(state: State) -> list[Rule]:
    return [Rule(target="search", allowed=not state.steps or state.steps[-1].name != "search")]


@requirement(targets="search")
def forgets_to_return(state: State) -> list[Rule] | None:
    if called(state, "search"):
        return None
    return [Rule(target="search")]


@requirement(targets="search")
def remembers_to_return(state: State) -> list[Rule]:
    return [Rule(target="search", hidden=called(state, "search") > 0)]


@requirement()
def rule_for_a_ghost(state: State) -> list[Rule]:
    return [Rule(target="ghost" if two_calls_were_made(state) else "haunt", allowed=False)]


@requirement()
def rule_for_no_ghost(state: State) -> list[Rule]:
    return [Rule(target="knock" if two_calls_were_made(state) else "haunt", allowed=False)]


@requirement(targets="wipe")
def raises_after_a_refusal(state: State) -> list[Rule]:
    if something_was_refused(state):
        raise ValueError("the user said no")
    return []


@requirement()
def raises_after_a_failure(state: State) -> list[Rule]:
    if something_failed(state):
        raise ValueError("a call failed")
    return []


@requirement()
def raises_after_a_timeout(state: State) -> list[Rule]:
    if not nothing_timed_out(state):
        raise TimeoutError("it took too long")
    return []


@requirement(targets="search")
def ends_the_run_at_three_searches(state: State) -> list[Rule]:
    if called(state, "search") >= 3:
        raise RequirementError("three searches are enough")
    return []


# --- requirements that forbid, force and prevent ---------------------------------------------------------------------


@requirement()
def says_nothing(state: State) -> list[Rule]:
    return []


@requirement(targets="a")
def a_only_once(state: State) -> list[Rule]:
    return [Rule(target="a", allowed=called(state, "a") == 0)]


@requirement()
def nothing_after_a_refusal(state: State) -> list[Rule]:
    return [Rule(target=tool.name, allowed=nothing_was_refused(state)) for tool in state.tools]


@requirement(targets="drop")
def no_drop(state: State) -> list[Rule]:
    return [Rule(target="drop", allowed=len(state.steps) < 0)]


@requirement(targets="drop")
def no_drop_at_first(state: State) -> list[Rule]:
    return [Rule(target="drop", allowed=len(state.steps) > 0)]


@requirement(targets="approve")
def no_answer_before_approval(state: State) -> list[Rule]:
    approved = any(step.name == "approve" and step.outcome == "ok" for step in state.steps)
    return [Rule(target="final_answer", prevent_stop=not approved)]


@requirement(targets="approve")
def no_answer_before_a_try_at_approval(state: State) -> list[Rule]:
    return [Rule(target="final_answer", prevent_stop=not called(state, "approve"))]


@requirement()
def no_answer_before_step_five(state: State) -> list[Rule]:
    return [Rule(target="final_answer", prevent_stop=len(state.steps) < 4)]


@requirement()
def no_answer_before_step_four(state: State) -> list[Rule]:
    return [Rule(target="final_answer", prevent_stop=len(state.steps) < 3)]


@requirement(targets="source")
def no_answer_without_source(state: State) -> list[Rule]:
    return [Rule(target="final_answer", prevent_stop=called(state, "source") == 0)]


@requirement()
def no_answer_after_nothing(state: State) -> list[Rule]:
    return [Rule(target="final_answer", prevent_stop=last_told_nothing(state))]


@requirement(targets="transfer")
def transfer_first(state: State) -> list[Rule]:
    return [Rule(target="transfer", prevent_stop=called(state, "transfer") == 0)]


@requirement(targets="pay")
def pay_must_be_granted(state: State) -> list[Rule]:
    granted = any(step.name == "pay" and step.outcome == "ok" for step in state.steps)
    return [Rule(target="pay", prevent_stop=not granted)]


@requirement(targets="review")
def forces_review_after_edit(state: State) -> list[Rule]:
    return [Rule(target="review", forced=bool(state.steps) and state.steps[-1].name == "edit")]


@requirement(targets="fallback")
def forces_fallback_after_a_failed_main(state: State) -> list[Rule]:
    failed = bool(state.steps) and state.steps[-1].name == "main" and state.steps[-1].error is not None
    return [Rule(target="fallback", forced=failed)]


def _after_a_failed_send(state: State, tool: str) -> list[Rule]:
    failed = bool(state.steps) and state.steps[-1].name == "send" and state.steps[-1].error is not None
    return [Rule(target=tool, forced=failed)]


@requirement(targets="retry")
def forces_retry_after_a_failed_send(state: State) -> list[Rule]:
    return _after_a_failed_send(state, "retry")


@requirement()
def forces_the_answer_after_a_failed_send(state: State) -> list[Rule]:
    return _after_a_failed_send(state, "final_answer")


@requirement(targets="pull")
def at_most_two_failures_of_pull(state: State) -> list[Rule]:
    failures = sum(step.name == "pull" and step.error is not None for step in state.steps)
    return [Rule(target="pull", allowed=failures < 2)]


@requirement(targets="push")
def at_most_two_failures_of_push(state: State) -> list[Rule]:
    failures = sum(step.name == "push" and step.error is not None for step in state.steps)
    return [Rule(target="push", allowed=failures < 2)]


class Lends(Requirement[State]):
    """Allows a tool, at a high priority, which nothing else follows from."""

    def __init__(self, tool: str) -> None:
        super().__init__()
        self.name = f"lends to {tool}"
        self.priority = 40
        self.tool = tool

    def run(self, state: State) -> list[Rule]:
        return [Rule(target=self.tool)]


def lends_to_alpha() -> Lends:
    return Lends("alpha")


def lends_to_gamma() -> Lends:
    return Lends("gamma")
