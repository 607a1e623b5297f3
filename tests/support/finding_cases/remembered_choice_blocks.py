"""Second runs that get stuck because of what the user chose in a first run, which itself did not."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "a refusal was enough once and forbids the demanded tool the next time",
        """
        tools: [pay, browse]
        requirements:
          - {ask_permission: pay, remember_choices: true}
          - {conditional: pay, min_invocations: 1}
        """,
        ("remember_choices: true", "remember_choices: false"),
        why="pay:denied counts in the first run; in the second pay is forbidden from the start and demanded",
    ),
    Case(
        "the only tool is forbidden from the start",
        """
        tools: [approve]
        requirements:
          - {ask_permission: "*", remember_choices: true}
          - {conditional: approve, min_invocations: 1}
        """,
        ("min_invocations: 1", "min_invocations: 0"),
        why="a dead end at the first request of the second run",
    ),
    Case(
        "the answer waits for the tool that was refused",
        """
        tools: [consult, write]
        requirements:
          - {ask_permission: consult, remember_choices: true, hide_disallowed: true}
          - {conditional: final_answer, only_after: consult}
          - {conditional: write, max_invocations: 2}
        """,
        ("hide_disallowed: true", "always_allow: true"),
        why="a refused call opens the answer in the first run; where nothing is asked nothing is refused",
    ),
    Case(
        "a tool further on waits for the refused one",
        """
        tools: [pack, ship]
        requirements:
          - {ask_permission: [], exclude: ship, remember_choices: true}
          - {conditional: ship, only_after: pack, min_invocations: 1}
        """,
        ("exclude: ship", "exclude: [ship, pack]"),
        why="pack:denied opens ship once; in the second run neither can be called",
    ),
    Case(
        "where two calls are demanded the first run is stuck already",
        """
        tools: [approve, wait]
        requirements:
          - {ask_permission: approve, remember_choices: true}
          - {conditional: approve, min_invocations: 1}
        """,
        ("min_invocations: 1", "min_invocations: 2"),
        why="with 2 the first run gets stuck for the same reason, and that is told there",
    ),
    Case(
        "both ways to tell the customer were refused",
        """
        tools: [mail, sms, idle]
        requirements:
          - {ask_permission: [mail, sms], remember_choices: true}
          - {conditional: final_answer, custom_checks: ["user_code:mail_or_sms"]}
        """,
        ("[mail, sms]", "[mail]"),
        why="the check counts refused calls, but the second run can make none",
    ),
    Case(
        "a granted choice lends its priority to a force",
        """
        tools: [prepare, launch]
        requirements:
          - {conditional: prepare, force_at_step: 1, only_before: launch, min_invocations: 1}
          - {conditional: launch, force_at_step: 1}
          - {ask_permission: launch, remember_choices: true}
        """,
        ("launch, min_invocations: 1}", "launch, min_invocations: 1, priority: 12}"),
        why="launch granted has level 11 in the second run, wins the first step, and bars prepare for ever",
    ),
    Case(
        "own code wants the transfer first",
        """
        tools: [transfer, look, list]
        requirements:
          - python: "user_code:transfer_first"
          - {ask_permission: "*", exclude: [look, list], remember_choices: true}
        """,
        ("exclude: [look, list]", "exclude: [look, transfer]"),
        why="transfer:denied is a call; in the second run it cannot be made",
    ),
    Case(
        "the forced gate is forbidden the next time",
        """
        tools: [gate, work]
        requirements:
          - {ask_permission: gate, remember_choices: true}
          - {conditional: gate, force_at_step: 1}
          - {conditional: work, only_after: gate}
          - {conditional: final_answer, only_after: work}
        """,
        ("remember_choices: true", "hide_disallowed: true"),
        why="gate:denied opens work; in the second run nothing is allowed at the start",
    ),
    Case(
        "of all tools that need permission one is demanded",
        """
        tools: [order, wait]
        requirements:
          - {ask_permission: [order], remember_choices: true}
          - {conditional: order, min_invocations: 1, max_invocations: 1}
          - {conditional: wait, consecutive_allowed: false}
        """,
        ("[order]", "[wait]"),
        why="a refused wait hurts nobody; a refused order is demanded in the second run",
    ),
    Case(
        "the one that comes between is gone",
        """
        tools: [swing, catch]
        requirements:
          - {conditional: swing, consecutive_allowed: false, min_invocations: 2}
          - {conditional: catch, only_after: swing}
          - {ask_permission: catch, remember_choices: true}
        """,
        ("min_invocations: 2", "min_invocations: 1"),
        why="swing catch:denied swing works once; then swing cannot be followed by anything",
    ),
    Case(
        "every tool is asked for but one, and it is another that is demanded",
        """
        tools: [send, draft, review]
        requirements:
          - {ask_permission: "*", exclude: draft, remember_choices: true, hide_disallowed: true}
          - {conditional: review, only_after: draft}
          - {conditional: send, min_invocations: 1}
        """,
        ("conditional: send", "conditional: draft"),
        why="send refused is forbidden and hidden; draft is never asked for",
    ),
    Case(
        "two askers, and only one of them remembers",
        """
        tools: [read, write]
        requirements:
          - {ask_permission: read}
          - {ask_permission: write, remember_choices: true}
          - {conditional: write, min_invocations: 1}
        """,
        ("conditional: write", "conditional: read"),
        why="what is asked again each time can be granted",
    ),
    Case(
        "calls that fail do not help",
        """
        tools: [unlock, enter, leave]
        requirements:
          - {ask_permission: [unlock, leave], remember_choices: true}
          - {conditional: enter, only_after: unlock, max_invocations: 2}
          - {conditional: final_answer, only_after: enter}
        """,
        ("[unlock, leave]", "[leave]"),
        outcomes=("ok", "error"),
        why="unlock refused in the first run opens enter; in the second enter waits in vain",
    ),
    Case(
        "the answer waits for any call and all were refused",
        """
        tools: [left, right]
        requirements:
          - {ask_permission: "*", remember_choices: true}
          - {conditional: final_answer, only_after: "*"}
        """,
        ('"*", remember', '"*", exclude: left, remember'),
        why="with both refused nothing at all is allowed at the start of the second run",
    ),
    Case(
        "one of two that are waited for",
        """
        tools: [quote, check, buy]
        requirements:
          - {ask_permission: [check, buy], remember_choices: true}
          - {conditional: buy, only_after: [quote, check]}
          - {conditional: final_answer, only_after: [quote, check]}
        """,
        ("{ask_permission: [check, buy], remember", "{ask_permission: [check, buy], exclude: check, remember"),
        why="check refused is never called in the second run; buy is not needed",
    ),
    Case(
        "two of three signatures",
        """
        tools: [ann, bob, cleo]
        requirements:
          - {ask_permission: [ann, bob, cleo], remember_choices: true}
          - {conditional: final_answer, custom_checks: ["user_code:two_signatures"]}
        """,
        ("[ann, bob, cleo], remember", "[ann], remember"),
        why="with two refused only one can sign; with only ann asked bob and cleo suffice",
    ),
    Case(
        "the answer comes by force after a refund only",
        """
        tools: [refund, note]
        requirements:
          - {ask_permission: refund, remember_choices: true}
          - rules: [{target: note, prevent_stop: true}]
          - {conditional: final_answer, force_after: refund}
        """,
        ("force_after: refund", "force_after: [refund, note]"),
        why="refund:denied forces the answer once; then it is never called again",
    ),
    Case(
        "a forced answer saves the second run",
        """
        tools: [pay, browse]
        requirements:
          - {ask_permission: pay, remember_choices: true}
          - {conditional: pay, min_invocations: 1}
          - {conditional: final_answer, max_invocations: 1}
        """,
        ("final_answer, max_invocations: 1", "final_answer, force_at_step: 3"),
        why="without the force browse goes on for ever; forced, the answer does not ask what prevents stopping",
    ),
    Case(
        "a disabled demand blocks nothing",
        """
        tools: [deploy, test, roll_back]
        requirements:
          - {ask_permission: [deploy, roll_back], remember_choices: true}
          - {conditional: deploy, only_after: test}
          - {conditional: deploy, min_invocations: 1, enabled: true}
        """,
        ("enabled: true", "enabled: false"),
        why="deploy refused is demanded in the second run, test goes on for ever",
    ),
    Case(
        "an outcome of the granted call does not matter",
        """
        tools: {ask_boss: {outcomes: {ok: fine, vague: ""}}, act: }
        requirements:
          - {ask_permission: ask_boss, remember_choices: true}
          - {conditional: act, only_after: ask_boss}
          - {conditional: final_answer, only_after: act}
        loop: {final_answer_as_tool: false}
        """,
        ("act, only_after: ask_boss", "act, consecutive_allowed: false"),
        why="ask_boss refused in the first run keeps act and so the answer from ever coming in the second",
    ),
)
