"""Clashes of parameters that are no dead end: a requirement raises, or runs go on for ever; see dead_ends.py."""

from tests.support.builders import a_policy, when
from tests.support.dead_ends import (
    Clash,
    ask,
    last_told_something,
    last_was_not_denied,
    nothing_called,
    rule,
    search_and_report,
)

# The same requirement forces its tool at a step at which it forbids it.
RAISING: dict[str, Clash] = {
    "due at step 2 and spent at step 1": Clash(
        lambda most: a_policy("a b", when("a", force_at_step=2, max_invocations=most)),
        bad=1,
        good=2,
        witness="a",
        blame={(0, "force_at_step"), (0, "max_invocations")},
    ),
    "due at step 2 and called at step 1, not to follow itself": Clash(
        lambda again: a_policy("a b", when("a", force_at_step=2, consecutive_allowed=again)),
        bad=False,
        good=True,
        witness="a",
        blame={(0, "force_at_step"), (0, "consecutive_allowed")},
    ),
    "due at the first step and waiting for another tool": Clash(
        lambda step: a_policy("a b", when("a", force_at_step=step, only_after="b")),
        bad=1,
        good=2,
        blame={(0, "force_at_step"), (0, "only_after")},
    ),
    "due at a step when another call may have barred it": Clash(
        lambda step: a_policy("a b", when("a", force_at_step=step, only_before="b")),
        bad=2,
        good=1,
        witness="b",
        blame={(0, "force_at_step"), (0, "only_before")},
    ),
    "due at a step at which its custom check fails": Clash(
        lambda step: a_policy("a b", when("a", force_at_step=step, custom_checks=[nothing_called])),
        bad=2,
        good=1,
        witness="a",
        blame={(0, "force_at_step"), (0, "custom_checks")},
    ),
    "due after a refusal that its custom check does not accept": Clash(
        lambda step: a_policy(
            "pay send", when("send", force_at_step=step, custom_checks=[last_was_not_denied]), ask(remember=False)
        ),
        bad=2,
        good=1,
        witness="pay:denied",
        needs=("pay:denied",),
        blame={(0, "force_at_step"), (0, "custom_checks")},
    ),
    "due after a search that found nothing": Clash(
        lambda step: search_and_report(when("report", force_at_step=step, custom_checks=[last_told_something])),
        bad=2,
        good=None,
        witness="search:empty",
        needs=("search:empty",),
        blame={(0, "force_at_step"), (0, "custom_checks")},
    ),
}

# As many states as `stuck` have no way to the final answer, and something can always be called.
ENDLESS: dict[str, Clash] = {
    "max_invocations below min_invocations beside a free tool": Clash(
        lambda low: a_policy("think a", when("a", max_invocations=1), when("a", min_invocations=low)),
        bad=2,
        good=1,
        blame={(0, "max_invocations"), (1, "min_invocations")},
        stuck=2,
    ),
    "a demanded tool barred by one that stays allowed": Clash(
        lambda low: a_policy("a b", when("a", only_before="b", min_invocations=low)),
        bad=1,
        good=0,
        witness="b",
        blame={(0, "only_before"), (0, "min_invocations")},
    ),
    "only_after and only_before the same tool": Clash(
        lambda before: a_policy("a b", when("a", only_after="b", min_invocations=1), when("a", only_before=before)),
        bad="b",
        good=None,
        blame={(0, "only_after"), (0, "min_invocations"), (1, "only_before")},
        stuck=2,
    ),
    # c is forced first and bars a for ever, so b waits in vain.
    "only_after a tool that a force keeps out": Clash(
        lambda before: a_policy(
            "a b c",
            when("a", only_before=before),
            when("c", force_at_step=1),
            when("b", only_after="a", min_invocations=1),
        ),
        bad="c",
        good=None,
        blame={(0, "only_before"), (1, "force_at_step"), (2, "only_after"), (2, "min_invocations")},
        stuck=2,
    ),
    "a tool that a rule forces every turn": Clash(
        lambda forced: a_policy("a b", rule("a", forced=forced)),
        bad=True,
        good=False,
        blame={(0, "rules[0].forced")},
    ),
    # The final answer is allowed all along, but tool_choice never names it.
    "two tools that force each other without preventing the stop": Clash(
        lambda after: a_policy(
            "a b",
            when("a", force_after="b", force_prevent_stop=False),
            when("b", force_after=after, force_prevent_stop=False),
        ),
        bad="a",
        good=None,
        witness="a",
        blame={(0, "force_after"), (1, "force_after")},
        stuck=2,
    ),
    "stopping prevented for ever": Clash(
        lambda prevents: a_policy("a", rule("a", prevent_stop=prevents)),
        bad=True,
        good=False,
        blame={(0, "rules[0].prevent_stop")},
    ),
    "a final answer that may never be called": Clash(
        lambda most: a_policy("a", when("final_answer", max_invocations=most)),
        bad=0,
        good=1,
        blame={(0, "max_invocations")},
    ),
    "a final answer demanded before it may be called": Clash(
        lambda low: a_policy("a", when("final_answer", min_invocations=low)),
        bad=1,
        good=0,
        blame={(0, "min_invocations")},
    ),
}
