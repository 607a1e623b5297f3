"""The boundary between chat model and loop, cell by cell: what becomes of each kind of reply under each tool_choice.

Rows and columns are those of the table in ../shared/semantics.md. Every run allows ASKS asks a request. Ids of calls
are `call_ASK_INDEX`, the ask counted from 1 over the run and the call from 0 in its reply.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from beewalk import Limits, Loop, Policy, Requirement
from beewalk.policy.call import Call
from beewalk.turn.reply import Reply
from beewalk.turn.trajectory import Ending
from tests.support.builders import a_policy, when

ASKS = 3
LIMITS = Limits(max_retries_per_step=ASKS - 1)
TEXT_ALLOWED = Loop(final_answer_as_tool=False)
OPTIONAL_CITY = {"type": "object", "properties": {"city": {"type": "string"}}}


@dataclass(frozen=True)
class Case:
    """One run. `choices` are the tool_choice of every request, `steps` (tool or what was called, outcome, turn)."""

    name: str
    policy: Callable[[], Policy]
    script: tuple[Reply, ...]
    choices: tuple[str, ...]
    ends: Ending
    asks: int
    steps: tuple[tuple[str, str, int], ...] = ()
    answer: str | None = None


def auto(*requirements: Requirement[Any], **options: Any) -> Policy:
    """The first tool_choice is auto."""
    return a_policy("a b", *requirements, **{"limits": LIMITS, "loop": TEXT_ALLOWED, "input": "go", **options})


def required(*requirements: Requirement[Any], **options: Any) -> Policy:
    """The first tool_choice is required."""
    return a_policy("a b", *requirements, **{"limits": LIMITS, "input": "go", **options})


def named(**options: Any) -> Policy:
    """The first tool_choice is `a`; the final answer is offered beside it."""
    return required(when("a", force_at_step=1, force_prevent_stop=False), **options)


def named_unstoppable(**options: Any) -> Policy:
    """The first tool_choice is `a`, which is all that is offered."""
    return required(when("a", force_at_step=1), **options)


def call(tool: str, arguments: str = "{}", *, text: str | None = None) -> Reply:
    """A reply of one call, perhaps with text beside it."""
    return Reply((Call(tool, arguments),), text)


def text(said: str) -> Reply:
    """A reply of text; an empty one is silence."""
    return Reply(text=said)


NOTHING = Reply()
SILENCE = text("")
SEVERAL = Reply((Call("a"), Call("b")))
DONE = call("final_answer", '{"response": "done"}')

NOTHING_AT_ALL = [
    Case("nothing, auto", auto, (NOTHING, DONE), ("auto",), Ending.CHAT_MODEL_ERROR, 1),
    Case("nothing, required", required, (NOTHING, DONE), ("required",), Ending.CHAT_MODEL_ERROR, 1),
    Case("nothing, named", named, (NOTHING, DONE), ("a",), Ending.CHAT_MODEL_ERROR, 1),
]

SEVERAL_CALLS = [
    Case(
        "several calls, auto",
        auto,
        (SEVERAL, DONE),
        ("auto", "auto"),
        Ending.FINAL_ANSWER,
        2,
        (("a", "ok", 1), ("b", "ok", 1), ("final_answer", "ok", 2)),
        "done",
    ),
    Case("several calls, required", required, (SEVERAL, DONE), ("required",), Ending.CHAT_MODEL_ERROR, 1),
    Case("several calls, named", named, (SEVERAL, DONE), ("a",), Ending.CHAT_MODEL_ERROR, 1),
]

SILENT = [
    Case(
        "silence, auto",
        auto,
        (SILENCE, DONE),
        ("auto", "auto"),
        Ending.FINAL_ANSWER,
        2,
        (("final_answer", "ok", 1),),
        "done",
    ),
    Case("silence, required", required, (SILENCE,) * ASKS, ("required",), Ending.CHAT_MODEL_ERROR, ASKS),
    Case("silence, named", named, (SILENCE,) * ASKS, ("a",), Ending.CHAT_MODEL_ERROR, ASKS),
]

ONLY_TEXT = [
    Case(
        "text, auto",
        auto,
        (text("one"), DONE),
        ("auto",),
        Ending.FINAL_ANSWER,
        1,
        (("final_answer", "ok", 1),),
        "one",
    ),
    Case(
        "text, required",
        required,
        (text("one"), text("two"), text("three"), DONE),
        ("required",),
        Ending.FINAL_ANSWER,
        ASKS,
        (("final_answer", "ok", 1),),
        "three",
    ),
    Case(
        "text, named",
        named,
        (text("one"), text("two"), text("three"), DONE),
        ("a",),
        Ending.FINAL_ANSWER,
        ASKS,
        (("final_answer", "ok", 1),),
        "three",
    ),
    Case(
        "text, named, stopping prevented: the same request until the retries are used up",
        lambda: named_unstoppable(limits=Limits(max_retries_per_step=1)),
        (text("one"), text("two"), text("three"), text("four"), call("a")),
        ("a",),
        Ending.RETRY_LIMIT,
        4,
    ),
]

UNOFFERED = [
    Case(
        "unoffered call, auto",
        auto,
        (call("ghost"), DONE),
        ("auto", "auto"),
        Ending.FINAL_ANSWER,
        2,
        (("ghost", "unoffered", 1), ("final_answer", "ok", 2)),
        "done",
    ),
    Case(
        "unoffered call, required: its JSON is no valid answer of the default schema",
        required,
        (call("ghost"),) * ASKS + (DONE,),
        ("required", "required"),
        Ending.FINAL_ANSWER,
        ASKS + 1,
        (("final_answer", "error", 1), ("final_answer", "ok", 2)),
        "done",
    ),
    Case(
        "unoffered call with text, required: its JSON all the same",
        required,
        (call("ghost", text="aside"),) * ASKS + (DONE,),
        ("required", "required"),
        Ending.FINAL_ANSWER,
        ASKS + 1,
        (("final_answer", "error", 1), ("final_answer", "ok", 2)),
        "done",
    ),
    Case("unoffered call, named", named, (call("ghost"),) * ASKS, ("a",), Ending.CHAT_MODEL_ERROR, ASKS),
    Case("another tool's call, named", named, (call("b"),) * ASKS, ("a",), Ending.CHAT_MODEL_ERROR, ASKS),
    Case("the final answer's call, named", named, (DONE,) * ASKS, ("a",), Ending.CHAT_MODEL_ERROR, ASKS),
    Case(
        "unoffered call with text, named",
        named,
        (call("ghost", text="one"), call("b", text="two"), call("ghost", text="three"), DONE),
        ("a",),
        Ending.FINAL_ANSWER,
        ASKS,
        (("final_answer", "ok", 1),),
        "three",
    ),
]

MADE_UP_ANSWERS = [
    Case(
        "unoffered call, required, a schema of optional fields: its JSON is an answer",
        lambda: required(answer=OPTIONAL_CITY),
        (call("ghost"),) * ASKS,
        ("required",),
        Ending.FINAL_ANSWER,
        ASKS,
        (("final_answer", "ok", 1),),
        '{"city":null}',
    ),
    Case(
        "unoffered call, required, any structure: its JSON is the answer",
        lambda: required(answer="structured"),
        (call("ghost"),) * ASKS,
        ("required",),
        Ending.FINAL_ANSWER,
        ASKS,
        (("final_answer", "ok", 1),),
        f'{{"type":"tool-call","id":"call_{ASKS}_0","tool_name":"ghost","args":"{{}}"}}',
    ),
]

REQUIREMENTS_DROPPED = [
    Case(
        "silence, auto: the requirements are dropped",
        lambda: auto(when("b", max_invocations=0)),
        (SILENCE, call("b"), DONE),
        ("auto", "auto", "required"),
        Ending.FINAL_ANSWER,
        3,
        (("b", "ok", 1), ("final_answer", "ok", 2)),
        "done",
    ),
    Case(
        "text without JSON, required, a structured answer: the requirements are dropped",
        lambda: required(when("b", max_invocations=0), answer="structured"),
        (text("one"), text("two"), text("three"), call("b"), call("final_answer", '{"city": "Oslo"}')),
        ("required", "required", "required"),
        Ending.FINAL_ANSWER,
        ASKS + 2,
        (("b", "ok", 1), ("final_answer", "ok", 2)),
        '{"city":"Oslo"}',
    ),
]

MIXED = [
    Case(
        "the last rejected reply decides: silence",
        required,
        (text("one"), call("ghost"), SILENCE, DONE),
        ("required",),
        Ending.CHAT_MODEL_ERROR,
        ASKS,
    ),
    Case(
        "the last rejected reply decides: text",
        required,
        (SILENCE, call("ghost"), text("three"), DONE),
        ("required",),
        Ending.FINAL_ANSWER,
        ASKS,
        (("final_answer", "ok", 1),),
        "three",
    ),
    Case(
        "rejected asks charge no budget",
        lambda: required(limits=Limits(max_retries_per_step=1, total_max_retries=1)),
        (SILENCE, call("a"), call("ghost"), call("b"), text("one"), call("a", '{"x": 1}'), SILENCE, DONE),
        ("required",) * 4,
        Ending.FINAL_ANSWER,
        8,
        (("a", "ok", 1), ("b", "ok", 2), ("a", "ok", 3), ("final_answer", "ok", 4)),
        "done",
    ),
    Case(
        "several calls, required, parallel calls on",
        lambda: required(loop=Loop(parallel_tool_calls=True)),
        (SEVERAL, DONE),
        ("required", "required"),
        Ending.FINAL_ANSWER,
        2,
        (("a", "ok", 1), ("b", "ok", 1), ("final_answer", "ok", 2)),
        "done",
    ),
    Case(
        "several calls, named, parallel calls on: each must be of the named tool",
        lambda: named(loop=Loop(parallel_tool_calls=True)),
        (SEVERAL,) * ASKS,
        ("a",),
        Ending.CHAT_MODEL_ERROR,
        ASKS,
    ),
]

# Not in the table: the framework mends arguments that are no JSON, and rejects what it cannot mend to an object or a
# list under every tool_choice. What it made of them then stands as the text.
MALFORMED = [
    Case(
        "broken arguments are mended, and the mended text is what counts as repeated",
        auto,
        (call("a", '{"x": 1'), call("a", "{x: 1}"), DONE),
        ("auto", "auto", "auto"),
        Ending.FINAL_ANSWER,
        3,
        (("a", "ok", 1), ("final_answer", "ok", 2)),
        "done",
    ),
    Case(
        "arguments that cannot be mended, auto",
        auto,
        (call("a", "5"), call("a", "6"), call("a", "7"), DONE),
        ("auto",),
        Ending.FINAL_ANSWER,
        ASKS,
        (("final_answer", "ok", 1),),
        "7",
    ),
    Case(
        "arguments that cannot be mended, required",
        required,
        (call("a", "5"), call("a"), DONE),
        ("required", "required"),
        Ending.FINAL_ANSWER,
        3,
        (("a", "ok", 1), ("final_answer", "ok", 2)),
        "done",
    ),
    Case(
        "arguments that cannot be mended, named",
        named,
        (call("a", "five"),) * ASKS + (DONE,),
        ("a",),
        Ending.FINAL_ANSWER,
        ASKS,
        (("final_answer", "ok", 1),),
        '""',
    ),
]

CASES = [
    *NOTHING_AT_ALL,
    *SEVERAL_CALLS,
    *SILENT,
    *ONLY_TEXT,
    *UNOFFERED,
    *MADE_UP_ANSWERS,
    *REQUIREMENTS_DROPPED,
    *MIXED,
]
