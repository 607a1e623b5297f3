"""Reference policies in which calls fail, requirements raise, or nothing is allowed; see reference_policies.py."""

from beewalk import FixedRules, Limits, Rule
from tests.support.builders import a_policy, when
from tests.support.reference_policies import ANSWERED, OUT_OF_RETRIES, Reference

BOTH = ("ok", "error")
ANY_CALL = {"start": {"a": "start", "a:error": "start", "final_answer": ANSWERED}}

FAILURES: dict[str, Reference] = {
    # j failures of a, a, then four ways for each of k calls, j + k = m - 1: (4^L - 3 L - 1) / 9.
    "a forced tool that fails is forced again": Reference(
        lambda: a_policy("a b", when("a", force_at_step=1)),
        {
            "start": {"a": "free", "a:error": "start"},
            "free": {"a": "free", "a:error": "free", "b": "free", "b:error": "free", "final_answer": ANSWERED},
        },
        figures=(2, 7, 1),
        runs={1: 0, 2: 1, 4: 27, 8: 7_279},
        outcomes=BOTH,
    ),
    # b or b:error m times, 2^m, or a or a:error once among them, m * 2 * 2^(m-1): (L-1) 2^L + 1.
    "failed calls count where only_success_invocations is false": Reference(
        lambda: a_policy("a b", when("a", max_invocations=1, only_success_invocations=False)),
        {
            "start": {"a": "spent", "a:error": "spent", "b": "start", "b:error": "start", "final_answer": ANSWERED},
            "spent": {"b": "spent", "b:error": "spent", "final_answer": ANSWERED},
        },
        figures=(2, 8, 1),
        runs={1: 1, 2: 5, 4: 49, 8: 1_793, 20: 19 * 2**20 + 1},
        outcomes=BOTH,
    ),
    # At most 2 of m calls fail: C(m,0) + C(m,1) + C(m,2), in all C(L,1) + C(L,2) + C(L,3).
    "the third failure ends a run of two retries": Reference(
        lambda: a_policy("a", limits=Limits(max_retries_per_step=1, total_max_retries=2)),
        ANY_CALL,
        figures=(1, 3, 0),
        runs={1: 1, 2: 3, 8: 8 + 28 + 56, 20: 20 + 190 + 1_140},
        outcomes=BOTH,
    ),
    # The total is at least that of one turn, so 3 failures are survived: C(L,4) more.
    "the retries of the run are at least those of a turn": Reference(
        lambda: a_policy("a", limits=Limits(max_retries_per_step=3, total_max_retries=2)),
        ANY_CALL,
        figures=(1, 3, 0),
        runs={1: 1, 2: 3, 8: 8 + 28 + 56 + 70, 20: 20 + 190 + 1_140 + 4_845},
        outcomes=BOTH,
    ),
    # 20 failures are survived, more than fit into 20 calls: 2^L - 1.
    "failures do not run out within twenty calls": Reference(
        lambda: a_policy("a"), ANY_CALL, figures=(1, 3, 0), runs={1: 1, 8: 255, 20: 2**20 - 1}, outcomes=BOTH
    ),
    # A failing call ends the run and leads to no state: one run of each length.
    "the first failure ends a run without retries": Reference(
        lambda: a_policy("a b", when("b", only_after="a"), limits=Limits(max_retries_per_step=0)),
        {
            "start": {"a": "a called", "a:error": OUT_OF_RETRIES, "final_answer": ANSWERED},
            "a called": {
                "a": "a called",
                "a:error": OUT_OF_RETRIES,
                "b": "a called",
                "b:error": OUT_OF_RETRIES,
                "final_answer": ANSWERED,
            },
        },
        figures=(2, 8, 1),
        # The answer at once, or a and m - 1 free choices of two: 2^(L-1).
        runs={1: 1, 4: 8, 8: 128},
        outcomes=BOTH,
    ),
}

DEAD_ENDS: dict[str, Reference] = {
    # Answer at once: 1. Or search report, then 3 ways for each of m - 2 calls: 1 + (3^(L-2) - 1) / 2 in all.
    "a report that is due before it is possible raises": Reference(
        lambda: a_policy("think search report", when("report", force_at_step=2, only_after="search")),
        {
            "start": {"think": "too early", "search": "due", "final_answer": ANSWERED},
            "too early": {},
            "due": {"report": "free"},
            "free": {"think": "free", "search": "free", "report": "free", "final_answer": ANSWERED},
        },
        figures=(4, 8, 2),
        runs={1: 1, 2: 1, 3: 2, 8: 365, 20: 1 + (3**18 - 1) // 2},
        raising=frozenset({"too early"}),
    ),
    "raising wins over a dead end": Reference(
        lambda: a_policy(
            "a",
            when("a", force_at_step=1, max_invocations=0),
            FixedRules([Rule(target="a", allowed=False, prevent_stop=True)]),
        ),
        {"start": {}},
        figures=(1, 0, 0),
        runs={1: 0, 20: 0},
        raising=frozenset({"start"}),
    ),
    "more calls are demanded than allowed": Reference(
        lambda: a_policy("a", when("a", max_invocations=2), when("a", min_invocations=3)),
        {"start": {"a": "once"}, "once": {"a": "twice"}, "twice": {}},
        figures=(3, 2, 2),
        runs={1: 0, 20: 0},
        dead=frozenset({"twice"}),
        lost=frozenset({"start", "once"}),
    ),
    # To fail again and again is no way out.
    "failing calls do not save a run from its dead end": Reference(
        lambda: a_policy("a", when("a", max_invocations=2), when("a", min_invocations=3)),
        {"start": {"a": "once", "a:error": "start"}, "once": {"a": "twice", "a:error": "once"}, "twice": {}},
        figures=(3, 4, 2),
        runs={1: 0, 20: 0},
        dead=frozenset({"twice"}),
        lost=frozenset({"start", "once"}),
        outcomes=BOTH,
    ),
    # After test, q = m - 1 letters with a ship, at most two skips and no test after a skip: without skip 2^q - 1, with
    # one 2^q - 2, with two 2^q - q - 2 (q from 2 on; for q = 1 only "ship"). In all 1 + sum of 3 * 2^q - q - 5.
    "skipping the test too early is a point of no return": Reference(
        lambda: a_policy(
            "test ship skip",
            when("test", only_before="skip"),
            when("ship", only_after="test", min_invocations=1),
            when("skip", max_invocations=2),
        ),
        {
            "start": {"test": "tested", "skip": "hopeless"},
            "tested": {"test": "tested", "ship": "shipped", "skip": "tested, skip"},
            "hopeless": {"skip": "stuck"},
            "shipped": {"test": "shipped", "ship": "shipped", "skip": "shipped, skip", "final_answer": ANSWERED},
            "tested, skip": {"ship": "shipped, skip", "skip": "tested, 2 skips"},
            "stuck": {},
            "shipped, skip": {"ship": "shipped, skip", "skip": "shipped, 2 skips", "final_answer": ANSWERED},
            "tested, 2 skips": {"ship": "shipped, 2 skips"},
            "shipped, 2 skips": {"ship": "shipped, 2 skips", "final_answer": ANSWERED},
        },
        figures=(9, 18, 4),
        runs={2: 0, 3: 1, 4: 1 + 5, 5: 1 + 5 + 16, 8: 1 + 5 + 16 + 39 + 86 + 181},
        dead=frozenset({"stuck"}),
        lost=frozenset({"hopeless"}),
    ),
}
