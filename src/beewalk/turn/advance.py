"""Advance: one step of the loop, as a pure function; docs/ideas/turn.md tells it in full."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from beewalk.errors import RequirementError, counted
from beewalk.policy.call import Call
from beewalk.policy.rule import Rule
from beewalk.policy.step import Step, ToolOutput, Turn
from beewalk.policy.tool import DENIED, FINAL_ANSWER
from beewalk.reasoner.request import DeadEnd, Request, make_request
from beewalk.turn.answer import answer_call
from beewalk.turn.boundary import Accepted, Fatal, Rejected, boundary
from beewalk.turn.cycles import Window
from beewalk.turn.events import (
    Ask,
    AskPermission,
    Crashed,
    Effect,
    End,
    Event,
    Failed,
    Finish,
    Kept,
    MakeRules,
    Permission,
    Permitted,
    Question,
    Raised,
    Ran,
    Replied,
    Result,
    Ruled,
    RunCalls,
)
from beewalk.turn.reply import Reply
from beewalk.turn.state import LoopMemory, LoopState, Terms
from beewalk.turn.trajectory import Ending

Next = tuple[LoopState, Effect]


def begin(terms: Terms, loop: LoopMemory | None = None) -> Next:
    """A run before its first turn; `loop` where it is to go on from a memory of the loop."""
    memory = LoopMemory(answer_is_call=terms.answer_is_call) if loop is None else loop
    return _next_turn(LoopState(terms, memory))


def advance(state: LoopState, event: Event) -> Next:
    """The state after `event`, and what has to be done next.

    Args:
        state: where the run is, as the last effect left it.
        event: what came of that effect; an event that answers another effect is a mistake of the caller.

    Returns:
        The next state and effect. After `End` the run is over.

    Source: beeai-framework 0.1.85, RequirementAgentRunner; tests/agreement runs both side by side.
    """
    handle: Callable[[LoopState, Any], Next] = _HANDLERS[type(event)]
    return handle(state, event)


def _next_turn(state: LoopState) -> Next:
    turn = state.turn + 1
    most = state.terms.max_iterations
    if most and turn > most:
        return state, End(Ending.ITERATION_LIMIT, f"there was no final answer within {counted(most, 'turn')}")
    return state._replace(turn=turn, turn_failures=0), MakeRules(turn, state.loop.dropped)


def _ruled(state: LoopState, event: Ruled) -> Next:
    loop = state.loop
    try:
        made = make_request(state.terms.names, event.rules.votes, answer_is_call=loop.answer_is_call, extra=loop.extra)
    except RequirementError as error:
        return _raised(state, Raised(error))
    if isinstance(made, DeadEnd):
        return state, End(Ending.DEAD_END, str(made), dead_end=made)
    # Once the requirements are dropped, the final answer has to be a call from the request after this one on.
    memory = loop._replace(extra=(), answer_is_call=loop.answer_is_call or loop.dropped)
    state = state._replace(loop=memory, rules=event.rules, number=state.number + 1)
    return _ask_anew(state, made)


def _raised(state: LoopState, event: Raised) -> Next:
    return state, End(Ending.REQUIREMENT_ERROR, str(event.error))


def _ask_anew(state: LoopState, request: Request) -> Next:
    """Ask with a request, all retries being left."""
    return _ask(state._replace(request=request, ask=0, rejected=()))


def _ask(state: LoopState) -> Next:
    state = state._replace(ask=state.ask + 1, asked=state.asked + 1)
    return state, Ask(state.turn, state.number, state.ask, state.asked, _request(state), state.rejected)


def _request(state: LoopState) -> Request:
    assert state.request is not None, "a chat model can only answer once it was asked"
    return state.request


def _failed(state: LoopState, event: Failed) -> Next:
    if event.fatal or state.ask > state.terms.turn_retries:
        return state, End(Ending.CHAT_MODEL_ERROR, event.why)
    return _ask(state)


def _replied(state: LoopState, event: Replied) -> Next:
    found = boundary(event.reply, _request(state), parallel=state.terms.parallel, ask=state.asked)
    match found:
        case Accepted():
            return _accepted(state, found.reply)
        case Fatal():
            return state, End(Ending.CHAT_MODEL_ERROR, found.why)
        case Rejected() if state.ask <= state.terms.turn_retries:
            return _ask(state._replace(rejected=(*state.rejected, found)))
        case Rejected() if found.said:
            return _accepted(state, Reply(text=found.said))
    return state, End(Ending.CHAT_MODEL_ERROR, f"{found.why}; the {counted(state.ask, 'ask')} are used up")


def _accepted(state: LoopState, reply: Reply) -> Next:
    if not reply.calls:
        request = _request(state)
        call = answer_call(reply.text, structured=state.terms.structured) if request.can_stop and reply.text else None
        if call is None:
            return _no_answer(state)
        reply = Reply((call,))
    window = state.loop.window
    for call in reply.calls:
        window, found = state.terms.checker.register(window, call)
        if found:
            return _repeated(state, call)
    state = state._replace(loop=state.loop._replace(window=window), reply=reply)
    return _ask_permission(state)


def _no_answer(state: LoopState) -> Next:
    """Text or silence that is no final answer: a failure; then the same request, or one without requirements."""
    state = _charged(state)
    if _spent(state):
        return state, _out_of_retries(state, "no tool was called")
    if not _request(state).can_stop:
        return _ask_anew(state, _request(state))
    allow = Rule(target=FINAL_ANSWER)
    state = state._replace(loop=state.loop._replace(dropped=True, extra=(allow,)))
    return state, MakeRules(state.turn, dropped=True)


def _repeated(state: LoopState, call: Call) -> Next:
    """A repeated call: nothing of the reply runs, and a new request is made that forbids the tool."""
    if call.tool not in state.terms.names:
        return state, End(Ending.FRAMEWORK_ERROR, f"{call.tool!r}, which is no tool, was called again and again")
    # The framework's rule forces the tool besides, which has no effect on one that is forbidden.
    forbid = Rule(target=call.tool, allowed=False, grounds=(("forbids", "repeated_calls"),))
    state = state._replace(loop=state.loop._replace(window=Window(), extra=(forbid,)))
    return state, MakeRules(state.turn, state.loop.dropped)


def _ask_permission(state: LoopState) -> Next:
    questions, refused = [], set()
    for index, call in enumerate(state.reply.calls):
        permission = _permission(state, call)
        questions += [Question(call, requirement) for requirement in permission.ask]
        if permission.refused:
            refused.add(index)
    state = state._replace(questions=tuple(questions), refused=frozenset(refused))
    if questions:
        return state, AskPermission(state.turn, state.questions)
    return _run(state)


def _permission(state: LoopState, call: Call) -> Permission:
    """What stands before `call`; what is not offered does not run, so nobody is asked."""
    offered = call.tool in _request(state).allowed
    return state.rules.permissions.get(call.tool, Permission()) if offered else Permission()


def _permitted(state: LoopState, event: Permitted) -> Next:
    answers = iter(event.granted)
    refused = set(state.refused)
    for index, call in enumerate(state.reply.calls):
        own = [next(answers) for _ in _permission(state, call).ask]
        if not all(own):
            refused.add(index)
    return _run(state._replace(refused=frozenset(refused)))


def _run(state: LoopState) -> Next:
    calls = tuple(state.reply.calls[index] for index in _running(state))
    for call in calls:
        if not isinstance(call.arguments, dict):
            return state, End(Ending.FRAMEWORK_ERROR, f"the arguments of {call.tool!r} are no mapping: {call.text}")
    return state, RunCalls(state.turn, calls)


def _running(state: LoopState) -> list[int]:
    """The places of the calls that run: offered, and not refused."""
    allowed = _request(state).allowed
    return [
        index for index, call in enumerate(state.reply.calls) if call.tool in allowed and index not in state.refused
    ]


def _ran(state: LoopState, event: Ran) -> Next:
    results = dict(zip(_running(state), event.results, strict=True))
    steps: list[Step] = []
    for index, call in enumerate(state.reply.calls):
        result = results.get(index)
        steps.append(_step(state, call, result, refused=index in state.refused))
        if steps[-1].error is not None:
            state = _charged(state)
            if _spent(state):
                break
        if result is not None and result.answer is not None:
            state = state._replace(answer=result)
    turn = Turn(state.turn, tuple(steps))
    return state._replace(finished=turn), Finish(turn, state.reply, state.asked)


def _step(state: LoopState, call: Call, result: Result | None, *, refused: bool) -> Step:
    tool = next((tool for tool in state.terms.tools if tool.name == call.tool), None)
    if refused and tool is not None:
        return Step(tool, tool.name, DENIED, ToolOutput(tool.returns(DENIED)), None, call.arguments, state.turn)
    if result is None or tool is None:
        return replace(Step.unoffered(call.tool, iteration=state.turn), input=call.arguments)
    return Step(tool, tool.name, result.outcome, result.output, result.error, call.arguments, state.turn)


def _crashed(state: LoopState, event: Crashed) -> Next:
    return state, End(Ending.TOOL_CRASH, event.why)


def _kept(state: LoopState, event: Kept) -> Next:  # noqa: ARG001 - every handler takes its event
    if _spent(state):
        return state, _out_of_retries(state, _last_error(state.finished))
    if state.answer is not None:
        end = End(Ending.FINAL_ANSWER, "the final answer was given", state.answer.answer, state.answer.value)
        return state, end
    return _next_turn(state)


def _charged(state: LoopState) -> LoopState:
    return state._replace(turn_failures=state.turn_failures + 1, failures=state.failures + 1)


def _spent(state: LoopState) -> bool:
    return state.turn_failures > state.terms.turn_retries or state.failures > state.terms.total_retries


def _out_of_retries(state: LoopState, why: str) -> End:
    in_turn = state.turn_failures > state.terms.turn_retries
    retries, of = (state.terms.turn_retries, "turn") if in_turn else (state.terms.total_retries, "run")
    return End(Ending.RETRY_LIMIT, f"{why}, and the {of} has no retry left (of {retries})")


def _last_error(turn: Turn | None) -> str:
    steps: Sequence[Step] = turn.steps if turn is not None else ()
    return f"{steps[-1].name!r} failed" if steps else "a call failed"


_HANDLERS: dict[type, Callable[[LoopState, Any], Next]] = {
    Ruled: _ruled,
    Raised: _raised,
    Replied: _replied,
    Failed: _failed,
    Permitted: _permitted,
    Ran: _ran,
    Crashed: _crashed,
    Kept: _kept,
}
