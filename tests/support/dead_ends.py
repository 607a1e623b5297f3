"""Clashes: policies whose parameters contradict each other, and twins that differ in one value and are clean.

`make(bad)` is the policy that fails and `make(good)` its twin. `witness`, `needs` and `blame` were worked out by hand
from semantics.md; `stuck` is how many states show the defect, `lost` how many more all lead there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from beewalk import AskPermissionRequirement, FixedRules, Policy, RequirementAgentRunState, Rule, Tool
from tests.support.builders import a_policy, when

Blame = set[tuple[int, str | None]]


@dataclass(frozen=True)
class Clash:
    """A policy with one defect, by the value that makes it one."""

    make: Callable[[Any], Policy]
    bad: Any
    good: Any
    blame: Blame
    witness: str = ""
    needs: tuple[str, ...] = ()
    stuck: int = 1
    lost: int = 0
    outcomes: tuple[str, ...] = ("ok",)


def nothing_called(state: RequirementAgentRunState) -> bool:
    return not state.steps


def last_told_something(state: RequirementAgentRunState) -> bool:
    return bool(state.steps) and not state.steps[-1].output.is_empty()


def last_was_not_denied(state: RequirementAgentRunState) -> bool:
    return not state.steps or state.steps[-1].outcome != "denied"


def rule(
    target: str, *, allowed: bool = True, hidden: bool = False, forced: bool = False, prevent_stop: bool = False
) -> FixedRules:
    return FixedRules([Rule(target=target, allowed=allowed, hidden=hidden, forced=forced, prevent_stop=prevent_stop)])


def ask(*, remember: bool, hide: bool = False) -> AskPermissionRequirement:
    return AskPermissionRequirement("pay", remember_choices=remember, hide_disallowed=hide)


def search_and_report(*requirements: Any) -> Policy:
    return Policy([Tool("search", outcomes={"empty": ""}), Tool("report")], requirements)


BOTH = ("ok", "error")

# min_invocations demands a call that something else forbids, and nothing else is left to call.
DEMANDED_AND_FORBIDDEN: dict[str, Clash] = {
    "max_invocations of one below min_invocations of another": Clash(
        lambda low: a_policy("a", when("a", max_invocations=1), when("a", min_invocations=low)),
        bad=2,
        good=1,
        witness="a",
        blame={(0, "max_invocations"), (1, "min_invocations")},
        lost=1,
    ),
    "a second call demanded that may not follow the first": Clash(
        lambda again: a_policy("a", when("a", consecutive_allowed=again, min_invocations=2)),
        bad=False,
        good=True,
        witness="a",
        blame={(0, "consecutive_allowed"), (0, "min_invocations")},
        lost=1,
    ),
    "only_after in a circle": Clash(
        lambda waits: a_policy("a b", when("a", only_after="b", min_invocations=1), when("b", only_after=waits)),
        bad="a",
        good=None,
        blame={(0, "only_after"), (0, "min_invocations"), (1, "only_after")},
    ),
    "only_after a tool that may never be called": Clash(
        lambda most: a_policy("a b", when("b", only_after="a", min_invocations=1), when("a", max_invocations=most)),
        bad=0,
        good=1,
        blame={(0, "only_after"), (0, "min_invocations"), (1, "max_invocations")},
    ),
    "only_after any call of the only tool": Clash(
        lambda low: a_policy("a", when("a", only_after="*", min_invocations=low)),
        bad=1,
        good=0,
        blame={(0, "only_after"), (0, "min_invocations")},
    ),
    "only_before a tool that may be called first": Clash(
        lambda before: a_policy("a b", when("a", only_before=before, min_invocations=1), when("b", max_invocations=1)),
        bad="b",
        good=None,
        witness="b",
        blame={(0, "only_before"), (0, "min_invocations"), (1, "max_invocations")},
    ),
    "only_after a tool that only_before bars": Clash(
        lambda before: a_policy(
            "a b c",
            when("a", only_after="b", min_invocations=1),
            when("b", only_before=before),
            when("c", max_invocations=1),
        ),
        bad="c",
        good=None,
        witness="c",
        blame={(0, "only_after"), (0, "min_invocations"), (1, "only_before"), (2, "max_invocations")},
    ),
    "a custom check that passes only once": Clash(
        lambda low: a_policy("a", when("a", custom_checks=[nothing_called], min_invocations=low)),
        bad=2,
        good=1,
        witness="a",
        blame={(0, "custom_checks"), (0, "min_invocations")},
        lost=1,
    ),
    "a rule that forbids what must be called": Clash(
        lambda allowed: a_policy("a", rule("a", allowed=allowed), when("a", min_invocations=1)),
        bad=False,
        good=True,
        blame={(0, "rules[0].allowed"), (1, "min_invocations")},
    ),
    "a rule that hides what must be called": Clash(
        lambda hidden: a_policy("a", rule("a", hidden=hidden), when("a", min_invocations=1)),
        bad=True,
        good=False,
        blame={(0, "rules[0].hidden"), (1, "min_invocations")},
    ),
    # A refused call counts, so that one call would be enough.
    "a second call demanded after a refusal that is remembered": Clash(
        lambda low: a_policy("pay", ask(remember=True), when("pay", min_invocations=low)),
        bad=2,
        good=1,
        witness="pay:denied",
        needs=("pay:denied",),
        blame={(0, "remember_choices"), (1, "min_invocations")},
    ),
    "a second call demanded of a tool hidden after its refusal": Clash(
        lambda remember: a_policy("pay", ask(remember=remember, hide=True), when("pay", min_invocations=2)),
        bad=True,
        good=False,
        witness="pay:denied",
        needs=("pay:denied",),
        blame={(0, "remember_choices"), (1, "min_invocations")},
    ),
    "an empty search that may not be repeated": Clash(
        lambda low: search_and_report(
            when("report", custom_checks=[last_told_something], min_invocations=low), when("search", max_invocations=1)
        ),
        bad=1,
        good=0,
        witness="search:empty",
        needs=("search:empty",),
        blame={(0, "custom_checks"), (0, "min_invocations"), (1, "max_invocations")},
    ),
    "a failed call that counts where it is capped but not where it is demanded": Clash(
        lambda successes: a_policy(
            "a", when("a", max_invocations=1, only_success_invocations=successes), when("a", min_invocations=1)
        ),
        bad=False,
        good=True,
        witness="a:error",
        needs=("a:error",),
        blame={(0, "max_invocations"), (1, "min_invocations")},
        outcomes=BOTH,
    ),
    "a failed call that may not be followed by a second try": Clash(
        lambda successes: a_policy(
            "a", when("a", consecutive_allowed=False, only_success_invocations=successes), when("a", min_invocations=1)
        ),
        bad=False,
        good=True,
        witness="a:error",
        needs=("a:error",),
        blame={(0, "consecutive_allowed"), (1, "min_invocations")},
        outcomes=BOTH,
    ),
}

# A rule keeps the final answer back although it cannot force its tool, which another requirement forbids.
FORCED_AND_FORBIDDEN: dict[str, Clash] = {
    "a call due at a step after the last one": Clash(
        lambda step: a_policy("a", when("a", force_at_step=step), when("a", max_invocations=1)),
        bad=2,
        good=1,
        witness="a",
        blame={(0, "force_prevent_stop"), (1, "max_invocations")},
    ),
    "two calls due at two steps and one allowed": Clash(
        lambda step: a_policy(
            "a", when("a", force_at_step=1), when("a", force_at_step=step), when("a", max_invocations=1)
        ),
        bad=2,
        good=1,
        witness="a",
        blame={(1, "force_prevent_stop"), (2, "max_invocations")},
        lost=1,
    ),
    "a call due at a step when it may not follow itself": Clash(
        lambda again: a_policy("a", when("a", force_at_step=2), when("a", consecutive_allowed=again)),
        bad=False,
        good=True,
        witness="a",
        blame={(0, "force_prevent_stop"), (1, "consecutive_allowed")},
    ),
    "a call due at a step after a refusal that is remembered": Clash(
        lambda remember: a_policy("pay", ask(remember=remember), when("pay", force_at_step=2)),
        bad=True,
        good=False,
        witness="pay:denied",
        needs=("pay:denied",),
        blame={(0, "remember_choices"), (1, "force_prevent_stop")},
    ),
    "a call due at the first step that a rule forbids": Clash(
        lambda prevents: a_policy(
            "a", when("a", force_at_step=1, force_prevent_stop=prevents), rule("a", allowed=False)
        ),
        bad=True,
        good=False,
        blame={(0, "force_prevent_stop"), (1, "rules[0].allowed")},
    ),
    "a tool forced after another and spent before": Clash(
        lambda prevents: a_policy(
            "a b",
            when("b", force_after="a", force_prevent_stop=prevents),
            when("b", max_invocations=1),
            when("a", max_invocations=1),
        ),
        bad=True,
        good=False,
        witness="b a",
        blame={(0, "force_prevent_stop"), (1, "max_invocations"), (2, "max_invocations")},
    ),
    "a tool forced after another and hidden": Clash(
        lambda hidden: a_policy(
            "a b", when("b", force_after="a"), rule("b", hidden=hidden), when("a", max_invocations=1)
        ),
        bad=True,
        good=False,
        witness="a",
        blame={(0, "force_prevent_stop"), (1, "rules[0].hidden"), (2, "max_invocations")},
    ),
}

# The final answer itself is kept back by a rule on it or by one that prevents stopping for ever.
ANSWER_KEPT_BACK: dict[str, Clash] = {
    "stopping prevented for ever and a cap": Clash(
        lambda prevents: a_policy("a", rule("a", prevent_stop=prevents), when("a", max_invocations=1)),
        bad=True,
        good=False,
        witness="a",
        blame={(0, "rules[0].prevent_stop"), (1, "max_invocations")},
        lost=1,
    ),
    "stopping prevented for ever and no call after itself": Clash(
        lambda prevents: a_policy("a", rule("a", prevent_stop=prevents), when("a", consecutive_allowed=False)),
        bad=True,
        good=False,
        witness="a",
        blame={(0, "rules[0].prevent_stop"), (1, "consecutive_allowed")},
        lost=1,
    ),
    "a final answer that waits for a forbidden tool": Clash(
        lambda allowed: a_policy("a", when("final_answer", only_after="a"), rule("a", allowed=allowed)),
        bad=False,
        good=True,
        blame={(0, "only_after"), (1, "rules[0].allowed")},
    ),
    "a final answer that must come before a capped tool": Clash(
        lambda before: a_policy("a", when("final_answer", only_before=before), when("a", max_invocations=1)),
        bad="a",
        good=None,
        witness="a",
        blame={(0, "only_before"), (1, "max_invocations")},
    ),
    "a final answer that a custom check allows at once or never": Clash(
        lambda checks: a_policy("a", when("final_answer", custom_checks=checks), when("a", consecutive_allowed=False)),
        bad=[nothing_called],
        good=[],
        witness="a",
        blame={(0, "custom_checks"), (1, "consecutive_allowed")},
    ),
    "a hidden final answer and a cap": Clash(
        lambda hidden: a_policy("a", rule("final_answer", hidden=hidden), when("a", max_invocations=1)),
        bad=True,
        good=False,
        witness="a",
        blame={(0, "rules[0].hidden"), (1, "max_invocations")},
        lost=1,
    ),
}

DEAD_ENDS = {**DEMANDED_AND_FORBIDDEN, **FORCED_AND_FORBIDDEN, **ANSWER_KEPT_BACK}
