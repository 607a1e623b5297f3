"""The boundary: which replies of a chat model the loop takes, and what becomes of those it does not."""

import json
from dataclasses import dataclass

from beewalk.policy.call import Call
from beewalk.reasoner.request import Request
from beewalk.turn.broken_json import is_container, mended_json
from beewalk.turn.reply import Reply


@dataclass(frozen=True, slots=True)
class Accepted:
    """The loop goes on with `reply`, in which arguments that were broken JSON are mended."""

    reply: Reply


@dataclass(frozen=True, slots=True)
class Rejected:
    """The reply is put before the chat model again, with what is wrong with it.

    `said` is the text that is shown as the chat model's own, and that stands as a text reply when no ask is left; ""
    where there is none.
    """

    why: str
    said: str


@dataclass(frozen=True, slots=True)
class Fatal:
    """The run ends at once."""

    why: str


def boundary(reply: Reply, request: Request, *, parallel: bool, ask: int) -> Accepted | Rejected | Fatal:
    """What the loop makes of `reply`.

    Args:
        reply: what the chat model answered.
        request: what it was offered.
        parallel: whether several calls in one reply are allowed.
        ask: the number of the ask in the run; a rejected call is quoted with an id made of it.

    Source: beeai-framework 0.1.85, ChatModel._assert_tool_response; every cell of the table in tests/agreement.
    """
    if reply.kind == "nothing":
        return Fatal("the chat model replied nothing at all")
    choice = request.tool_choice
    if choice == "auto":
        return _mended(reply)
    if len(reply.calls) > 1 and not parallel:
        return Fatal(f"the chat model made {len(reply.calls)} calls at once, and parallel calls are off")
    if not reply.calls:
        wanted = "a tool" if choice == "required" else repr(choice)
        return Rejected(f"a call of {wanted} was required, and no tool was called", reply.text or "")
    return _wrong_call(reply, request, ask) or _mended(reply)


def _wrong_call(reply: Reply, request: Request, ask: int) -> Rejected | None:
    choice = request.tool_choice
    for index, call in enumerate(reply.calls):
        if choice not in {"required", call.tool}:
            why = f"a call of {choice!r} was required, and {call.tool!r} was called instead"
            return Rejected(why, reply.text or "")
        if call.tool not in request.allowed:
            return Rejected(f"{call.tool!r} was called, which is not offered", _quoted(call, ask, index))
    return None


def _mended(reply: Reply) -> Accepted | Rejected:
    """The reply with all arguments as JSON; what names no tool, or cannot be made a mapping or list, is rejected."""
    calls = []
    for call in reply.calls:
        fits = bool(call.tool) and is_container(call.text)
        text = call.text if fits else mended_json(call.text)
        if not call.tool:
            return Rejected("a call without a tool's name was made", text)
        if not is_container(text):
            return Rejected(f"the arguments of {call.tool!r} are no JSON: {text}", text)
        calls.append(Call(call.tool, text))
    return Accepted(Reply(tuple(calls), reply.text))


def _quoted(call: Call, ask: int, index: int) -> str:
    """A rejected call as the framework shows it to the chat model, and as it may become the final answer."""
    quoted = {"type": "tool-call", "id": call_id(ask, index), "tool_name": call.tool, "args": call.text}
    return json.dumps(quoted, ensure_ascii=False, separators=(",", ":"))


def call_id(ask: int, index: int) -> str:
    """The id of call number `index` (from 0) in the reply to ask number `ask` (from 1) of a run."""
    return f"call_{ask}_{index}"
