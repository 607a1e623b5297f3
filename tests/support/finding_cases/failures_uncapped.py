"""Tools with max_invocations whose failing calls can be repeated for ever. Failures are explored in all cases."""

from tests.support.finding_cases import Case

BOTH = ("ok", "error")
CASES = (
    Case(
        "a cap that counts only what worked",
        """
        tools: [charge, look]
        requirements: [{conditional: charge, max_invocations: 1}]
        """,
        ("max_invocations: 1", "max_invocations: 1, only_success_invocations: false"),
        outcomes=BOTH,
        tools=("charge",),
        why="charge:error leaves everything as it was",
    ),
    Case(
        "without a cap there is none to evade",
        """
        tools: [charge, look]
        requirements: [{conditional: charge, max_invocations: 2, only_after: look}]
        """,
        ("max_invocations: 2", "min_invocations: 2"),
        outcomes=BOTH,
        tools=("charge",),
        why="the finding is about tools with max_invocations",
    ),
    Case(
        "the budget of a turn ends the run at once",
        """
        tools: [a, b]
        requirements: [{conditional: a, max_invocations: 2, only_before: b}]
        limits: {max_retries_per_step: 1, total_max_retries: 1}
        """,
        ("max_retries_per_step: 1", "max_retries_per_step: 0"),
        outcomes=BOTH,
        tools=("a",),
        why="total retries bound a path, no state; without a retry a failing call ends the run",
    ),
    Case(
        "a second cap on the same tool",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, max_invocations: 2}
          - {conditional: a, max_invocations: 4, only_success_invocations: true}
        """,
        ("only_success_invocations: true", "only_success_invocations: false"),
        outcomes=BOTH,
        tools=("a",),
        why="four calls in all, failing ones included, is a bound",
    ),
    Case(
        "a check that lets nothing follow a failure",
        """
        tools: [a, b]
        requirements: [{conditional: a, max_invocations: 3, custom_checks: ["user_code:always"]}]
        """,
        (":always", ":nothing_failed"),
        outcomes=BOTH,
        tools=("a",),
        why="after any failure a is forbidden for ever",
    ),
    Case(
        "two failing tools take turns",
        """
        tools: [ping, pong]
        requirements:
          - {conditional: ping, max_invocations: 2, custom_checks: ["user_code:last_was_not_ping"]}
          - {conditional: pong, max_invocations: 3}
        """,
        ("max_invocations: 3", "max_invocations: 0"),
        outcomes=BOTH,
        tools=("ping", "pong"),
        why="ping:error pong:error ping:error ...; without pong ping cannot follow itself",
    ),
    Case(
        "something must work in between",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, max_invocations: 2, custom_checks: ["user_code:something_was_called"]}
        """,
        ("max_invocations: 2, ", ""),
        outcomes=BOTH,
        tools=("a",),
        why="b a:error a:error goes on for ever although a is capped",
    ),
    Case(
        "own code counts the failures of one of two",
        """
        tools: [pull, push]
        requirements:
          - {conditional: pull, max_invocations: 1}
          - python: "user_code:at_most_two_failures_of_push"
        """,
        ("failures_of_push", "failures_of_pull"),
        outcomes=BOTH,
        tools=("pull",),
        why="pull has the cap that failing calls evade",
    ),
    Case(
        "what is never called never fails",
        """
        tools: [a, b]
        requirements: [{conditional: a, max_invocations: 1, consecutive_allowed: false}]
        """,
        ("max_invocations: 1", "max_invocations: 0"),
        outcomes=BOTH,
        tools=("a",),
        why="with 0 it is forbidden from the start",
    ),
    Case(
        "an equal call is refused by the loop",
        """
        tools: {poll: {arguments: any}}
        requirements: [{conditional: poll, max_invocations: 2}]
        """,
        ("arguments: any", "arguments: none"),
        outcomes=BOTH,
        tools=("poll",),
        why="poll:error, then poll again is refused, and only the answer is left",
    ),
    Case(
        "it waits for what cannot be called",
        """
        tools: [key, door, wait]
        requirements:
          - {conditional: key, max_invocations: 2}
          - {conditional: door, max_invocations: 1, only_after: key}
        """,
        ("max_invocations: 2", "max_invocations: 0"),
        outcomes=BOTH,
        tools=("door", "key"),
        why="both can fail for ever, door once there was a key",
    ),
    Case(
        "asked for once, and failing for ever",
        """
        tools: [pay, shop]
        requirements:
          - {ask_permission: pay, remember_choices: true}
          - {conditional: pay, max_invocations: 1}
        """,
        ("pay, max_invocations: 1", "pay, consecutive_allowed: false"),
        outcomes=BOTH,
        tools=("pay",),
        why="granted once, nothing bounds the failing calls",
    ),
    Case(
        "the answer is forced after a first step that failed",
        """
        tools: [try_it]
        requirements:
          - {conditional: try_it, max_invocations: 3}
          - {conditional: final_answer, force_at_step: 2}
        """,
        ("force_at_step: 2", "force_at_step: 2, only_success_invocations: false"),
        outcomes=BOTH,
        tools=("try_it",),
        why="where failing calls are seen the second call is the answer",
    ),
    Case(
        "own code reacts to the failure",
        """
        tools: [send, retry]
        requirements:
          - {conditional: send, max_invocations: 1}
          - python: "user_code:forces_retry_after_a_failed_send"
        """,
        ("forces_retry", "forces_the_answer"),
        outcomes=BOTH,
        tools=("send",),
        why="send:error retry:error send:error is a cycle; a forced answer ends the run",
    ),
    Case(
        "the answer cannot fail",
        """
        tools: [a, b]
        requirements: [{conditional: a, max_invocations: 2, reason: twice at most}]
        """,
        ("conditional: a", "conditional: final_answer"),
        outcomes=BOTH,
        tools=("a",),
        why="its one outcome is ok",
    ),
    Case(
        "not twice in a row, failing calls seen or not",
        """
        tools: [sync]
        requirements:
          - {conditional: sync, max_invocations: 2}
          - {conditional: sync, consecutive_allowed: false, only_success_invocations: true}
        """,
        ("only_success_invocations: true", "only_success_invocations: false"),
        outcomes=BOTH,
        tools=("sync",),
        why="seen, sync:error may not be followed by sync, and there is no other tool",
    ),
    Case(
        "an outcome of its own beside error",
        """
        tools: {query: {outcomes: {ok: rows, empty: "", error: down}}, wait: }
        requirements: [{conditional: query, max_invocations: 2}]
        """,
        ("max_invocations: 2", "only_before: wait"),
        outcomes=BOTH,
        tools=("query",),
        why="empty counts, error does not",
    ),
    Case(
        "a cap that is switched off",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: b, only_after: a}
          - {conditional: b, max_invocations: 1, enabled: true}
        """,
        ("enabled: true", "enabled: false"),
        outcomes=BOTH,
        tools=("b",),
        why="a disabled cap is none",
    ),
    Case(
        "a hidden tool",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, max_invocations: 1}
          - rules: [{target: a, hidden: false}]
        """,
        ("hidden: false", "hidden: true"),
        outcomes=BOTH,
        tools=("a",),
        why="hidden, it is never called",
    ),
    Case(
        "a second bound by a check that counts all calls",
        """
        tools: [fetch, note]
        requirements:
          - {conditional: fetch, max_invocations: 2, custom_checks: ["user_code:fewer_than_three_that_worked"]}
        """,
        ("fewer_than_three_that_worked", "fewer_than_three_calls"),
        outcomes=BOTH,
        tools=("fetch",),
        why="three calls of any kind are a bound, three that worked are none for failing ones",
    ),
    Case(
        "forced first until it works, or not",
        """
        tools: [load, work]
        requirements:
          - {conditional: load, force_at_step: 1, max_invocations: 1}
          - {conditional: final_answer, force_after: load, priority: 30}
        """,
        ("force_after: load", "force_after: load, only_success_invocations: false"),
        outcomes=BOTH,
        tools=("load",),
        why="where failing calls are seen load:error forces the answer",
    ),
)
