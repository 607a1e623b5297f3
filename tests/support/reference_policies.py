"""Reference policies: tiny, named by what they do, with every state and move worked out on paper from semantics.md.

A table maps each state to its moves, and each move to the state or ending it leads to, in the order in which moves are
documented to stand: tools as registered, of each tool ok, named outcomes, error, denied. The first state is the start.
`figures` are states, moves and depth; `runs` maps a length to the number of complete runs of at most so many calls,
with the derivation beside it, in which L is the length and m the number of calls before the final answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from beewalk import AskPermissionRequirement, FixedRules, Loop, Policy, RequirementAgentRunState, Rule, Tool
from tests.support.builders import a_policy, when

ANSWERED = "answered"
OUT_OF_RETRIES = "out of retries"

Table = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Reference:
    """A policy and what is known of it; `lost` are states that are no dead end but all of whose runs end in one."""

    make: Callable[[], Policy]
    table: Table
    figures: tuple[int, int, int]
    runs: Mapping[int, int]
    dead: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    raising: frozenset[str] = frozenset()
    outcomes: tuple[str, ...] = ("ok",)
    denied: bool = True
    allowed: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, str] = field(default_factory=dict)
    tool_choice: Mapping[str, str] = field(default_factory=dict)


def last_told_something(state: RequirementAgentRunState) -> bool:
    return bool(state.steps) and not state.steps[-1].output.is_empty()


def permission_for_delete(*, enabled: bool = True, remember: bool = False, hide: bool = False) -> Policy:
    asking = AskPermissionRequirement("delete", remember_choices=remember, hide_disallowed=hide)
    asking.enabled = enabled
    return a_policy("look delete", asking)


ORDER: dict[str, Reference] = {
    # Between think and the answer stand k more thinks and one of the words ws, wss, wsw, wssw, wsws (anywhere), w.ws,
    # w.wss (a think at the dot). Placed among m - 1 calls: C(m-1,2) + 2 C(m-1,3) + 3 C(m-1,4), which adds up to
    # C(L-1,3) + 2 C(L-1,4) + 3 C(L-1,5).
    "the quickstart": Reference(
        lambda: a_policy(
            "think weather search",
            when("think", force_at_step=1),
            when("search", only_after="weather", min_invocations=1, max_invocations=2),
            when("weather", consecutive_allowed=False, min_invocations=1, max_invocations=2),
        ),
        {
            "start": {"think": "thought"},
            "thought": {"think": "thought", "weather": "just w"},
            "just w": {"think": "w", "search": "w s"},
            "w": {"think": "w", "weather": "2w", "search": "w s"},
            "w s": {"think": "w s", "weather": "2w s", "search": "w 2s", "final_answer": ANSWERED},
            "2w": {"think": "2w", "search": "2w s"},
            "2w s": {"think": "2w s", "search": "2w 2s", "final_answer": ANSWERED},
            "w 2s": {"think": "w 2s", "weather": "2w 2s", "final_answer": ANSWERED},
            "2w 2s": {"think": "2w 2s", "final_answer": ANSWERED},
        },
        figures=(9, 22, 5),
        runs={3: 0, 4: 1, 8: 35 + 2 * 35 + 3 * 21, 20: 43_605},
    ),
    # a b, then m - 2 free choices of two: 1 + 2 + 4 + ... = 2^(L-2) - 1.
    "two steps are forced in order": Reference(
        lambda: a_policy("a b", when("a", force_at_step=1), when("b", force_at_step=2)),
        {
            "start": {"a": "one"},
            "one": {"b": "free"},
            "free": {"a": "free", "b": "free", "final_answer": ANSWERED},
        },
        figures=(3, 5, 2),
        runs={2: 0, 3: 1, 8: 63, 20: 2**18 - 1},
    ),
    # Both are forced at step 1 at the same level: the tool registered first wins. Then 2^(m-1), in all 2^(L-1) - 1.
    "of two forces at one step the tool registered first wins": Reference(
        lambda: a_policy("a b", when("b", force_at_step=1), when("a", force_at_step=1)),
        {"start": {"a": "free"}, "free": {"a": "free", "b": "free", "final_answer": ANSWERED}},
        figures=(2, 4, 1),
        runs={1: 0, 2: 1, 8: 127},
    ),
    # The rule on b says nothing, but lends b its priority.
    "a force wins by the priority of another rule on its tool": Reference(
        lambda: a_policy(
            "a b",
            when("b", force_at_step=1),
            when("a", force_at_step=1),
            FixedRules([Rule(target="b")], priority=30),
        ),
        {"start": {"b": "free"}, "free": {"a": "free", "b": "free", "final_answer": ANSWERED}},
        figures=(2, 4, 1),
        runs={1: 0, 2: 1, 8: 127},
    ),
    # think search, any number of times, think, answer: one run of every even length. Start and "just searched" are one
    # state, because think is forced in both and the same follows.
    "react with a forced first thought": Reference(
        lambda: a_policy("think search", when("think", force_at_step=1, force_after="*", consecutive_allowed=False)),
        {
            "must think": {"think": "thought"},
            "thought": {"search": "must think", "final_answer": ANSWERED},
        },
        figures=(2, 3, 1),
        runs={1: 0, 2: 1, 7: 3, 8: 4, 20: 10},
    ),
    # As above, but a run may also begin with search: one run of every length.
    "react with a free first step": Reference(
        lambda: a_policy("think search", when("think", force_after="*", consecutive_allowed=False)),
        {
            "start": {"think": "thought", "search": "must think", "final_answer": ANSWERED},
            "thought": {"search": "must think", "final_answer": ANSWERED},
            "must think": {"think": "thought"},
        },
        figures=(3, 6, 1),
        runs={1: 1, 2: 2, 8: 8, 20: 20},
    ),
    # A run is made of the blocks c, bc and abc, then the answer: s(n) = s(n-1) + s(n-2) + s(n-3), which is
    # 1 1 2 4 7 13 24 44 ..., and its first L add up to (s(L+2) + s(L) - 1) / 2.
    "each of two tools forces the next": Reference(
        lambda: a_policy("a b c", when("b", force_after="a"), when("c", force_after="b")),
        {
            "free": {"a": "after a", "b": "after b", "c": "free", "final_answer": ANSWERED},
            "after a": {"b": "after b"},
            "after b": {"c": "free"},
        },
        figures=(3, 6, 1),
        runs={4: 8, 8: 96, 20: (223_317 + 66_012 - 1) // 2},
    ),
    # The final answer is allowed beside the forced tool, but tool_choice names the tool.
    "a force that does not prevent stopping still comes first": Reference(
        lambda: a_policy("a b", when("a", force_at_step=1, force_prevent_stop=False)),
        {"start": {"a": "free"}, "free": {"a": "free", "b": "free", "final_answer": ANSWERED}},
        figures=(2, 4, 1),
        runs={1: 0, 2: 1, 8: 127, 20: 2**19 - 1},
        allowed={"start": "a final_answer", "free": "a b final_answer"},
        tool_choice={"start": "a", "free": "required"},
    ),
    # a once, then b as often as you like: one run of each length from 2.
    "a forced tool that is used up frees the others": Reference(
        lambda: a_policy("a b", FixedRules([Rule(target="a", forced=True)]), when("a", max_invocations=1)),
        {"start": {"a": "spent"}, "spent": {"b": "spent", "final_answer": ANSWERED}},
        figures=(2, 3, 1),
        runs={1: 0, 2: 1, 8: 7, 20: 19},
        allowed={"start": "a final_answer", "spent": "b final_answer"},
    ),
    # Among m calls at least one search: 2^m - 1, in all 2^L - 1 - L.
    "the final answer waits for a tool": Reference(
        lambda: a_policy("think search", when("final_answer", only_after="search")),
        {
            "start": {"think": "start", "search": "searched"},
            "searched": {"think": "searched", "search": "searched", "final_answer": ANSWERED},
        },
        figures=(2, 5, 1),
        runs={1: 0, 2: 1, 4: 11, 8: 247, 20: 2**20 - 21},
    ),
    # Thinks, perhaps one search at the end, the answer: 1 + 2 + 2 + ... = 2 L - 1.
    "the final answer is forced after a tool": Reference(
        lambda: a_policy("think search", when("final_answer", force_after="search")),
        {
            "start": {"think": "start", "search": "searched", "final_answer": ANSWERED},
            "searched": {"final_answer": ANSWERED},
        },
        figures=(2, 4, 1),
        runs={1: 1, 4: 7, 20: 39},
        tool_choice={"start": "required", "searched": "final_answer"},
    ),
    # Drafts, then reviews: m + 1 ways to share m calls, in all L (L+1) / 2.
    "only_before works by itself": Reference(
        lambda: a_policy("draft review", when("draft", only_before="review")),
        {
            "start": {"draft": "start", "review": "reviewed", "final_answer": ANSWERED},
            "reviewed": {"review": "reviewed", "final_answer": ANSWERED},
        },
        figures=(2, 5, 1),
        runs={1: 1, 4: 10, 8: 36, 20: 210},
    ),
    # The answer at once, or a think and m - 1 free choices: 1 + 1 + 2 + 4 + ... = 2^(L-1).
    "only_after every tool waits for any call": Reference(
        lambda: a_policy("think report", when("report", only_after="*")),
        {
            "start": {"think": "called", "final_answer": ANSWERED},
            "called": {"think": "called", "report": "called", "final_answer": ANSWERED},
        },
        figures=(2, 5, 1),
        runs={1: 1, 4: 8, 8: 128, 20: 2**19},
    ),
}

COUNTS: dict[str, Reference] = {
    # Words of m letters t and c without cc and with at most two c: 1 + m + C(m-1,2), in all L + C(L,2) + C(L-1,3).
    "a tool that may be called twice but not in a row": Reference(
        lambda: a_policy("think claim", when("claim", consecutive_allowed=False, max_invocations=2)),
        {
            "start": {"think": "start", "claim": "just once", "final_answer": ANSWERED},
            "just once": {"think": "once", "final_answer": ANSWERED},
            "once": {"think": "once", "claim": "twice", "final_answer": ANSWERED},
            "twice": {"think": "twice", "final_answer": ANSWERED},
        },
        figures=(4, 10, 3),
        runs={1: 1, 4: 11, 8: 8 + 28 + 35, 20: 20 + 190 + 969},
    ),
    # Words of m letters with at least two a: 2^m - 1 - m, in all 2^L - 1 - L - C(L,2). Without final_answer_as_tool
    # the same graph: the obedient chat model calls the final answer all the same.
    "the final answer need not be a call once stopping is free": Reference(
        lambda: a_policy("a b", when("a", min_invocations=2), loop=Loop(final_answer_as_tool=False)),
        {
            "start": {"a": "one", "b": "start"},
            "one": {"a": "two", "b": "one"},
            "two": {"a": "two", "b": "two", "final_answer": ANSWERED},
        },
        figures=(3, 7, 2),
        runs={2: 0, 3: 1, 4: 5, 8: 219, 20: 2**20 - 1 - 20 - 190},
        tool_choice={"start": "required", "one": "required", "two": "auto"},
    ),
    # b is never offered, but whether it still waits for a is part of the state: each memory is minimised by itself.
    "two states that offer the same count as two": Reference(
        lambda: a_policy("a b", FixedRules([Rule(target="b", allowed=False)]), when("b", only_after="a")),
        {
            "b waits": {"a": "b could", "final_answer": ANSWERED},
            "b could": {"a": "b could", "final_answer": ANSWERED},
        },
        figures=(2, 4, 1),
        runs={1: 1, 8: 8, 20: 20},
    ),
    # A disabled requirement makes no rules and has no memory: 1 + 2 + 4 + ... = 2^L - 1.
    "a disabled requirement is not part of the state": Reference(
        lambda: a_policy("a b", when("a", max_invocations=0, enabled=False)),
        {"start": {"a": "start", "b": "start", "final_answer": ANSWERED}},
        figures=(1, 3, 0),
        runs={1: 1, 8: 255},
    ),
    "a hidden tool is not offered": Reference(
        lambda: a_policy("a b", FixedRules([Rule(target="b", hidden=True)])),
        {"start": {"a": "start", "final_answer": ANSWERED}},
        figures=(1, 2, 0),
        runs={1: 1, 8: 8, 20: 20},
        hidden={"start": "b"},
    ),
    # From "told" two ways stay and one leaves, from "untold" one each: runs of length n are F(2n-1) Fibonacci numbers
    # (1 2 5 13 ...), and add up to F(2L).
    "a report waits for a search that found something": Reference(
        lambda: Policy(
            [Tool("search", outcomes={"empty": ""}), Tool("report")],
            [when("report", custom_checks=[last_told_something])],
        ),
        {
            "untold": {"search": "told", "search:empty": "untold", "final_answer": ANSWERED},
            "told": {"search": "told", "search:empty": "untold", "report": "told", "final_answer": ANSWERED},
        },
        figures=(2, 7, 1),
        runs={1: 1, 4: 21, 8: 987, 20: 102_334_155},
    ),
}

PERMISSION: dict[str, Reference] = {
    # Three ways to go on each time: 1 + 3 + 9 + ... = (3^L - 1) / 2.
    "permission is asked at every call": Reference(
        permission_for_delete,
        {"start": {"look": "start", "delete": "start", "delete:denied": "start", "final_answer": ANSWERED}},
        figures=(1, 4, 0),
        runs={1: 1, 4: 40, 8: 3_280},
    ),
    "a disabled permission requirement still asks": Reference(
        lambda: permission_for_delete(enabled=False),
        {"start": {"look": "start", "delete": "start", "delete:denied": "start", "final_answer": ANSWERED}},
        figures=(1, 4, 0),
        runs={1: 1, 4: 40, 8: 3_280},
    ),
    "refusals are left out on demand": Reference(
        permission_for_delete,
        {"start": {"look": "start", "delete": "start", "final_answer": ANSWERED}},
        figures=(1, 3, 0),
        runs={1: 1, 4: 15, 8: 255},
        denied=False,
    ),
    # Only looks: 1. Or the first delete is call i of m: granted, then 2^(m-i) ways; refused, then only looks, 1 way.
    # That is 2^m + m, in all 2^L - 1 + L (L-1) / 2.
    "a choice is remembered": Reference(
        lambda: permission_for_delete(remember=True),
        {
            "unasked": {"look": "unasked", "delete": "granted", "delete:denied": "refused", "final_answer": ANSWERED},
            "granted": {"look": "granted", "delete": "granted", "final_answer": ANSWERED},
            "refused": {"look": "refused", "final_answer": ANSWERED},
        },
        figures=(3, 9, 1),
        runs={1: 1, 4: 21, 8: 283, 20: 2**20 - 1 + 190},
        hidden={"unasked": "", "granted": "", "refused": ""},
    ),
    # A call that fails was granted. m calls: looks 2^m; granted at i, 2^(i-1) * 2 * 4^(m-i), together 4^m - 2^m;
    # refused at i, 2^(m-1). In all (4^L - 1) / 3 + (L-2) 2^(L-1) + 1.
    "a refused tool is hidden, a failing one was granted": Reference(
        lambda: permission_for_delete(remember=True, hide=True),
        {
            "unasked": {
                "look": "unasked",
                "look:error": "unasked",
                "delete": "granted",
                "delete:error": "granted",
                "delete:denied": "refused",
                "final_answer": ANSWERED,
            },
            "granted": {
                "look": "granted",
                "look:error": "granted",
                "delete": "granted",
                "delete:error": "granted",
                "final_answer": ANSWERED,
            },
            "refused": {"look": "refused", "look:error": "refused", "final_answer": ANSWERED},
        },
        figures=(3, 14, 1),
        runs={1: 1, 4: 85 + 17, 8: 21_845 + 769},
        outcomes=("ok", "error"),
        hidden={"unasked": "", "granted": "", "refused": "delete"},
    ),
}
