"""Endless runs: a reachable state that leads on for ever and never to a final answer."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "the answer may be given no time",
        """
        tools: [work]
        requirements:
          - {conditional: final_answer, max_invocations: 0}
        """,
        ("max_invocations: 0", "max_invocations: 1"),
        why="work can be called for ever, the answer never",
    ),
    Case(
        "the answer is hidden",
        """
        tools: [look, touch]
        requirements:
          - rules: [{target: final_answer, hidden: true}]
          - {conditional: touch, only_after: look}
        """,
        ("hidden: true", "reason: look first"),
        why="hidden implies forbidden, every turn",
    ),
    Case(
        "a rule of each turn prevents stopping",
        """
        tools: [log, work]
        requirements:
          - {conditional: log, max_invocations: 1}
          - rules: [{target: log, prevent_stop: true}]
        """,
        ("prevent_stop: true", "prevent_stop: false"),
        why="the rule stands also when log is used up; work goes on for ever",
    ),
    Case(
        "the answer must have been given before",
        """
        tools: [work, rest]
        requirements:
          - {conditional: final_answer, min_invocations: 1}
          - {conditional: rest, consecutive_allowed: false}
        """,
        ("min_invocations: 1", "min_invocations: 0"),
        why="the answer's call would end the run, so it was never called before",
    ),
    Case(
        "two force each other for ever",
        """
        tools: [ask, reply]
        requirements:
          - {conditional: ask, force_at_step: 1}
          - {conditional: reply, force_after: ask}
          - {conditional: ask, force_after: reply}
        """,
        ("reply, force_after: ask", "reply, force_after: ask, max_invocations: 3"),
        why="ask, reply, ask, ...: each force prevents stopping; a cap on reply ends it",
    ),
    Case(
        "equal levels: the tool registered first beats the forced answer",
        """
        tools: [spin, other]
        requirements:
          - rules: [{target: spin, forced: true}]
          - {conditional: final_answer, force_at_step: 4, priority: 10}
        """,
        ("priority: 10", "priority: 20"),
        why="spin is forced every turn; at step 4 the answer ties and loses",
    ),
    Case(
        "a thought after everything, and a search after each thought",
        """
        tools: [think, search, fetch]
        requirements:
          - {conditional: think, force_after: "*", consecutive_allowed: false}
          - {conditional: search, force_after: think}
        """,
        ("search, force_after: think", "search, only_after: think"),
        why="think, search, think, ... all forced",
    ),
    Case(
        "what the answer waits for can come too late",
        """
        tools: [backup, change, verify]
        requirements:
          - {conditional: verify, only_before: change}
          - {conditional: final_answer, only_after: [backup, verify]}
        """,
        ("verify, only_before: change", "verify, only_after: change"),
        why="change first bars verify; change and backup go on for ever",
    ),
    Case(
        "two wait for each other while one can chat",
        """
        tools: [chat, key, door]
        requirements:
          - {conditional: key, only_after: door}
          - {conditional: door, only_after: key, min_invocations: 1}
        """,
        ("key, only_after: door", "key, only_after: chat"),
        why="door is demanded and never allowed; chat goes on for ever",
    ),
    Case(
        "capped below what is demanded",
        """
        tools: [vote, talk]
        requirements:
          - {conditional: vote, force_at_step: 1, max_invocations: 1}
          - {conditional: vote, min_invocations: 2, priority: 3}
        """,
        ("min_invocations: 2", "min_invocations: 1"),
        why="a second vote is demanded and forbidden",
    ),
    Case(
        "a refusal is remembered and two calls are demanded",
        """
        tools: [approve, wait]
        requirements:
          - {ask_permission: approve, remember_choices: true}
          - {conditional: approve, min_invocations: 2}
        """,
        ("min_invocations: 2", "min_invocations: 1"),
        why="approve:denied counts once, then it is forbidden; wait goes on for ever",
    ),
    Case(
        "the one try failed",
        """
        tools: [claim, poll]
        requirements:
          - {conditional: claim, max_invocations: 1, only_success_invocations: false}
          - {conditional: final_answer, only_after: claim}
        """,
        ("only_success_invocations: false", "only_success_invocations: true"),
        outcomes=("ok", "error"),
        why="claim:error uses it up, the answer waits for one that worked, poll works for ever",
    ),
    Case(
        "an outcome that the answer's check never forgives",
        """
        tools: {lookup: {outcomes: {ok: Ann, missing: no such user}}, note: }
        requirements:
          - {conditional: final_answer, custom_checks: ["user_code:nobody_was_missing"]}
        """,
        ("missing: no such user", "unsure: no such user"),
        why="after lookup:missing the check is false for ever",
    ),
    Case(
        "the point is reached in the last request that fits",
        """
        tools: [dig]
        requirements:
          - {conditional: final_answer, custom_checks: ["user_code:fewer_than_four_digs"]}
        limits: {max_iterations: 5}
        """,
        ("max_iterations: 5", "max_iterations: 4"),
        why="after four digs; with max_iterations 4 that request is not made",
    ),
    Case(
        "the forced answer loses by its own priority",
        """
        tools: [fix, test]
        requirements:
          - {conditional: test, force_after: fix}
          - {conditional: fix, force_after: test}
          - {conditional: final_answer, force_after: test, priority: 5}
        """,
        ("priority: 5", "priority: 15"),
        why="after test both fix and the answer are forced, and fix wins",
    ),
    Case(
        "the forced answer loses to a level that another rule lends",
        """
        tools: [fix, test, look]
        requirements:
          - {conditional: test, force_after: fix}
          - {conditional: fix, force_after: test}
          - {conditional: final_answer, force_after: test, priority: 15}
          - {rules: [{target: fix}], priority: 20}
        """,
        ("priority: 20", "priority: 12"),
        why="the level of fix is 20, though its force has only 10",
    ),
    Case(
        "own code wants an approval that was refused for good",
        """
        tools: [approve, idle]
        requirements:
          - {ask_permission: approve, remember_choices: true}
          - python: "user_code:no_answer_before_approval"
        """,
        ("remember_choices: true", "hide_disallowed: true"),
        why="approve:denied is remembered, and stopping stays prevented",
    ),
    Case(
        "the answer waits for a tool that a requirement keeps out",
        """
        tools: [scan, report]
        requirements:
          - {conditional: final_answer, only_after: report}
          - {conditional: report, only_after: scan, max_invocations: 0}
        """,
        ("max_invocations: 0", "max_invocations: 0, enabled: false"),
        why="scan goes on for ever",
    ),
    Case(
        "a force that lets stop is still obeyed",
        """
        tools: [echo, shout, hum]
        requirements:
          - {conditional: echo, force_after: shout, force_prevent_stop: false}
          - {conditional: shout, force_after: echo, force_prevent_stop: false}
        """,
        ("force_after: echo", "only_after: echo"),
        why="the answer is offered, but tool_choice always names the forced tool",
    ),
    Case(
        "no answer once something was edited",
        """
        tools: [edit, view]
        requirements:
          - {conditional: view, max_invocations: 2}
          - {conditional: final_answer, only_before: edit}
        """,
        ("only_before: edit", "only_after: edit"),
        why="edit goes on for ever and bars the answer",
    ),
    Case(
        "no answer once something was refused",
        """
        tools: [save, browse]
        requirements:
          - {ask_permission: save}
          - {conditional: final_answer, custom_checks: ["user_code:nothing_was_refused"]}
        """,
        ("{ask_permission: save}", "{ask_permission: save, always_allow: true}"),
        why="after save:denied the check is false for ever",
    ),
    Case(
        "an answer that need not be a call changes nothing for an obedient chat model",
        """
        tools: [pick, sort]
        requirements:
          - {conditional: pick, only_before: sort, min_invocations: 1}
        loop: {final_answer_as_tool: false}
        """,
        ("only_before: sort", "only_after: sort"),
        why="sort first bars pick, which is demanded; sort goes on for ever",
    ),
)
