"""Tools that are in no reachable request's allowed set."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "no call is allowed",
        """
        tools: [a, b]
        requirements: [{conditional: b, max_invocations: 0}]
        """,
        ("max_invocations: 0", "max_invocations: 1"),
        tools=("b",),
        why="0 calls are already as many as are allowed",
    ),
    Case(
        "hidden is forbidden",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: c, only_after: a}
          - rules: [{target: b, hidden: true, reason: not now}]
        """,
        ("hidden: true", "hidden: false"),
        tools=("b",),
        why="every turn",
    ),
    Case(
        "two wait for each other",
        """
        tools: [chat, egg, hen]
        requirements:
          - {conditional: egg, only_after: hen}
          - {conditional: hen, only_after: egg}
        """,
        ("hen, only_after: egg", "hen, only_after: chat"),
        tools=("egg", "hen"),
        why="neither can be the first",
    ),
    Case(
        "what waits for a tool that is never allowed",
        """
        tools: [a, b, c, d]
        requirements:
          - {conditional: b, max_invocations: 0}
          - {conditional: c, only_after: b}
          - {conditional: d, only_after: [a, c]}
        """,
        ("max_invocations: 0", "max_invocations: 1"),
        tools=("b", "c", "d"),
        why="b never, so c never, so d never",
    ),
    Case(
        "a check that is never true",
        """
        tools: [day, night]
        requirements: [{conditional: night, custom_checks: ["user_code:never"]}]
        """,
        (":never", ":always"),
        tools=("night",),
        why="the check forbids it every turn",
    ),
    Case(
        "barred by the call that is forced first",
        """
        tools: [open, prepare]
        requirements:
          - {conditional: open, force_at_step: 1}
          - {conditional: prepare, only_before: open}
        """,
        ("force_at_step: 1", "force_at_step: 2"),
        tools=("prepare",),
        why="open is always the first call",
    ),
    Case(
        "another one is forced every turn",
        """
        tools: [tick, tock]
        requirements:
          - rules: [{target: tick, forced: true}]
          - {conditional: final_answer, force_at_step: 3, priority: 20}
        """,
        ("forced: true", "forced: false"),
        tools=("tock",),
        why="only tick and then the answer are ever allowed",
    ),
    Case(
        "a fallback for failures that were not explored",
        """
        tools: [fetch, fallback]
        requirements: [{conditional: fallback, custom_checks: ["user_code:something_failed"]}]
        """,
        ("something_failed", "something_was_called"),
        tools=("fallback",),
        why="with outcome ok alone nothing fails",
    ),
    Case(
        "a check for an outcome that no tool has",
        """
        tools: {search: {outcomes: {ok: hits, none: no hits}}, widen: }
        requirements: [{conditional: widen, custom_checks: ["user_code:last_came_back_empty"]}]
        """,
        ("none: no hits", "empty: no hits"),
        tools=("widen",),
        why="the check compares the outcome's name",
    ),
    Case(
        "an apology where nobody can refuse",
        """
        tools: [refund, apologise]
        requirements:
          - {ask_permission: refund, always_allow: true}
          - {conditional: apologise, custom_checks: ["user_code:something_was_refused"]}
        """,
        ("always_allow: true", "always_allow: false"),
        tools=("apologise",),
        why="denied is a move only of what is asked for",
    ),
    Case(
        "it takes two equal calls, which the loop refuses",
        """
        tools: {poll: {arguments: none}, done: }
        requirements: [{conditional: done, custom_checks: ["user_code:polled_twice"]}]
        """,
        ("arguments: none", "arguments: any"),
        tools=("done",),
        why="poll again is refused, and then only the answer is left",
    ),
    Case(
        "the whole run is forced",
        """
        tools: [extract, load, explain]
        requirements:
          - {conditional: extract, force_at_step: 1}
          - {conditional: load, force_at_step: 2}
          - {conditional: final_answer, force_at_step: 3}
        """,
        ("final_answer, force_at_step: 3", "final_answer, force_at_step: 4"),
        tools=("explain",),
        why="extract, load, final_answer and nothing else",
    ),
    Case(
        "a rescue in runs that a failure ends",
        """
        tools: [main, rescue]
        requirements: [{conditional: rescue, custom_checks: ["user_code:something_failed"]}]
        limits: {max_retries_per_step: 0}
        """,
        ("max_retries_per_step: 0", "max_retries_per_step: 1"),
        outcomes=("ok", "error"),
        tools=("rescue",),
        why="there is no request after a failing call",
    ),
    Case(
        "after and before the same things",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: b, only_after: a}
          - {conditional: c, only_after: b, only_before: a}
        """,
        ("conditional: b, only_after: a", "conditional: b, max_invocations: 2"),
        tools=("c",),
        why="where b was called a was too",
    ),
    Case(
        "its one force loses, and then it is too late",
        """
        tools: [alpha, beta]
        requirements:
          - {conditional: alpha, force_at_step: 1, priority: 20}
          - {conditional: beta, force_at_step: 1, only_before: alpha}
        """,
        ("priority: 20", "priority: 5"),
        tools=("beta",),
        why="alpha wins the first step and bars beta",
    ),
    Case(
        "its only moment belongs to a forced tool",
        """
        tools: [ping, pong, smash]
        requirements:
          - {conditional: pong, force_after: ping}
          - {conditional: smash, custom_checks: ["user_code:last_was_ping"]}
        """,
        ("force_after: ping", "force_after: smash"),
        tools=("smash",),
        why="right after ping only pong is allowed",
    ),
    Case(
        "it takes two refusals, and the first is remembered",
        """
        tools: [pay, argue]
        requirements:
          - {ask_permission: pay, remember_choices: true}
          - {conditional: argue, custom_checks: ["user_code:two_refusals"]}
        """,
        ("remember_choices: true", "remember_choices: false"),
        tools=("argue",),
        why="pay is forbidden after the first refusal",
    ),
    Case(
        "own code never allows it",
        """
        tools: [drop, keep]
        requirements: [{python: "user_code:no_drop"}]
        """,
        ("no_drop", "no_drop_at_first"),
        tools=("drop",),
        why="its condition can never be true",
    ),
    Case(
        "all wait for any call",
        """
        tools: [x, y]
        requirements:
          - {conditional: x, only_after: "*"}
          - {conditional: y, only_after: "*"}
        """,
        ('y, only_after: "*"', "y, max_invocations: 1"),
        tools=("x", "y"),
        why="only the answer is allowed at the start, and it ends the run",
    ),
    Case(
        "the answer is forced at once",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: b, only_before: c}
          - {conditional: final_answer, force_at_step: 1}
        """,
        ("force_at_step: 1", "force_at_step: 2"),
        tools=("a", "b", "c"),
        why="nothing but the answer is ever allowed",
    ),
    Case(
        "it waits for two that exclude each other",
        """
        tools: [buy, rent, move_in]
        requirements:
          - {conditional: buy, only_before: rent}
          - {conditional: rent, only_before: buy}
          - {conditional: move_in, only_after: [buy, rent]}
        """,
        ("rent, only_before: buy", "rent, only_after: buy"),
        tools=("move_in",),
        why="whoever comes first bars the other",
    ),
    Case(
        "a rule that forbids it, beside a force for it",
        """
        tools: [start, alarm]
        requirements:
          - rules: [{target: alarm, allowed: false}]
          - {conditional: alarm, force_after: start, priority: 50}
        """,
        ("allowed: false", "allowed: true"),
        tools=("alarm",),
        why="one allowed: false forbids, whatever its priority",
    ),
)
