"""`beewalk run`: what is played, what is printed, and the exit code."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import yaml

from beewalk.cli import run as run_module
from beewalk.cli.main import main
from tests.cli.conftest import Beewalk

ROOT = Path(__file__).parents[2]
FINE = """\
scenario: fine
policy: {policy: p, tools: [a]}
chat_model: {script: [{a: {n: 1}}, {final_answer: {response: x}}]}
expect: {trajectory: a final_answer}
"""
WRONG = FINE.replace("fine", "wrong").replace("a final_answer}", "final_answer}")


def saved(folder: Path, text: str, name: str = "s.scenario.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_scenario_that_passes(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, FINE)
    ran = beewalk("run", "s.scenario.yaml")
    assert (ran.code, ran.err, ran.out) == (0, "", "passed  fine  s.scenario.yaml:1\n\n1 passed\n")


def test_a_scenario_that_fails_explains_itself(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, f"{FINE}---\n{WRONG}")
    ran = beewalk("run", "s.scenario.yaml")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        "passed  fine  s.scenario.yaml:1\n"
        "FAILED  wrong  s.scenario.yaml:6\n"
        "  not so    expect.trajectory  (turn 1)  s.scenario.yaml:9:22\n"
        "  expected  final_answer\n"
        "  got       a final_answer\n"
        "  because   they part at call 1: expected final_answer, got a\n"
        "            offered in turn 1: a, final_answer (tool_choice required, can stop)\n"
        "  run       a final_answer - final_answer\n"
        "\n"
        "1 failed, 1 passed\n"
    )


def test_folders_are_searched_and_files_played_once_in_order(beewalk: Beewalk, folder: Path) -> None:
    for name in ("b/deep/x.scenario.yaml", "a.scenario.yaml", "b/other.yaml"):
        saved(folder, FINE, name)
    ran = beewalk("run", ".", "a.scenario.yaml", "--format", "json")
    assert [one["file"] for one in json.loads(ran.out)["scenarios"]] == ["a.scenario.yaml", "b/deep/x.scenario.yaml"]


def test_a_file_that_is_named_in_several_ways_is_played_once(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, FINE, "sub/s.scenario.yaml")
    (folder / "sub" / "folder.scenario.yaml").mkdir()
    ran = beewalk("run", "sub", str(folder / "sub" / "s.scenario.yaml"), "sub/../sub/s.scenario.yaml")
    assert (ran.code, ran.out) == (0, "passed  fine  sub/s.scenario.yaml:1\n\n1 passed\n")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("gone", "error: gone: there is no such file or folder: check the path\n"),
        ("empty", "error: empty: there is no scenario file in this folder: they are named NAME.scenario.yaml\n"),
    ],
)
def test_a_place_with_nothing_to_play_is_named(place: str, said: str, beewalk: Beewalk, folder: Path) -> None:
    (folder / "empty").mkdir()
    ran = beewalk("run", place)
    assert (ran.code, ran.out, ran.err) == (2, "", said)


def test_no_path_is_wrong_use(beewalk: Beewalk) -> None:
    assert beewalk("run").code == 2
    for seconds in ("0", "-1", "nan", "inf", "soon"):
        ran = beewalk("run", "x", "--timeout", seconds)
        assert ran.code == 2
        assert "Invalid value for '--timeout'" in ran.err


def test_one_invalid_file_keeps_all_from_being_played(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, FINE, "a.scenario.yaml")
    saved(folder, f"{FINE}runs: 0\n", "b.scenario.yaml")
    saved(folder, f"{FINE}engine: x\n", "c.scenario.yaml")
    ran = beewalk("run", ".", "--output", "report.txt")
    assert (ran.code, ran.out) == (2, "")
    assert [line.partition(": ")[2].partition(":")[0] for line in ran.lines] == ["b.scenario.yaml", "c.scenario.yaml"]
    assert not (folder / "report.txt").exists()


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            "[{a: {}}]",
            "turn 2, ask 1: the script has ended after 1 entry; offered: a, final_answer (tool_choice required)",
        ),
        (
            "[{final_answer: {response: x}}, {a: {}}]",
            "the run is over, and 1 entry of its script was not played, from entry 2 on: a {}; it ended with",
        ),
        (
            "[{b: {}}]",
            "turn 1, ask 1: entry 1 of the script, b {}, calls 'b', which is no tool of the policy: possible:",
        ),
        (
            "[{ask: {}}]",
            "turn 1, ask 1: entry 1 of the script, ask {}, calls 'ask', which is not offered; offered: a, final_answer",
        ),
        ("[text]", "turn 1, ask 1: entry 1 of the script, 'text', is text where a call is required"),
    ],
)
def test_a_script_that_does_not_fit_fails_the_scenario(script: str, said: str, beewalk: Beewalk, folder: Path) -> None:
    requirements = "[{conditional: ask, max_invocations: 0}]"
    policy = f"{{policy: p, tools: [a, ask], requirements: {requirements}}}"
    saved(folder, f"scenario: s\npolicy: {policy}\nchat_model: {{script: {script}}}\n")
    ran = beewalk("run", "s.scenario.yaml", "--format", "json")
    (scenario,) = json.loads(ran.out)["scenarios"]
    assert (ran.code, scenario["passed"]) == (1, False)
    assert scenario["trouble"].startswith(said)


def test_a_permission_that_is_not_scripted_fails_the_scenario(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, FINE.replace("tools: [a]}", "tools: [a], requirements: [{ask_permission: a}]}"))
    ran = beewalk("run", "s.scenario.yaml")
    assert ran.code == 1
    assert "add permissions: {a: [allow]}, or deny" in " ".join(ran.out.split())


def test_invalid_arguments_fail_nothing_by_themselves(beewalk: Beewalk, folder: Path) -> None:
    schema = "{type: object, properties: {n: {type: integer}}, required: [n]}"
    script = "[{a: {n: x}}, {final_answer: {response: x}}]"
    text = (
        f"scenario: s\npolicy: {{policy: p, tools: {{a: {{arguments: {schema}}}}}}}\nchat_model: {{script: {script}}}\n"
    )
    saved(folder, f'{text}expect: {{trajectory: "a:error final_answer"}}\n')
    assert beewalk("run", "s.scenario.yaml").code == 0


HANGING = """\
import asyncio
import time

from beewalk import Policy, tool


@tool
def slow(n: int) -> str:
    "Slow."
    time.sleep(20)


@tool
async def patient(n: int) -> str:
    "Patient."
    await asyncio.sleep(20)


policy = Policy([slow, patient])
"""


@pytest.mark.parametrize("tool", ["slow", "patient"])
def test_a_tool_that_hangs_past_the_timeout_fails_the_scenario(tool: str, beewalk: Beewalk, folder: Path) -> None:
    saved(folder, HANGING, "hanging.py")
    script = f"[{{{tool}: {{n: 1}}}}, {{final_answer: {{response: x}}}}]"
    text = f"scenario: s\npolicy: hanging.py:policy\nchat_model: {{script: {script}}}\ntools: {{{tool}: real}}\n"
    saved(folder, text)
    ran = beewalk("run", "s.scenario.yaml", "--timeout", "0.1")
    assert ran.code == 1
    assert f"the tool '{tool}' took more than 0.1 s for {tool} {{\"n\": 1}}" in " ".join(ran.out.split())


@pytest.mark.parametrize("form", ["text", "json"])
def test_ctrl_c_prints_what_is_known(form: str, folder: Path) -> None:
    saved(folder, HANGING, "hanging.py")
    saved(folder, FINE, "a.scenario.yaml")
    script = "[{slow: {n: 1}}, {final_answer: {response: x}}]"
    text = f"scenario: s\npolicy: hanging.py:policy\nchat_model: {{script: {script}}}\ntools: {{slow: real}}\n"
    saved(folder, f"{text}---\n{text.replace('scenario: s', 'scenario: t')}", "b.scenario.yaml")
    code = (
        "import beewalk.agent.tools as tools, sys, pathlib\n"
        "from beewalk.cli.main import main\n"
        "real = tools.in_thread\n"
        "def told(work):\n"
        "    pathlib.Path('started').touch()\n"
        "    return real(work)\n"
        "tools.in_thread = told\n"
        f"sys.exit(main(['run', '.', '--format', '{form}', '--output', 'report']))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=folder, stderr=subprocess.PIPE)
    until = time.monotonic() + 30
    while not (folder / "started").exists() and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, b"")
    report = (folder / "report").read_text(encoding="utf-8")
    if form == "json":
        data = json.loads(report)
        assert (data["stop_reason"], data["passed"], data["failed"], data["not_played"]) == ("interrupted", 1, 0, 2)
    else:
        assert report.endswith("\n1 passed; interrupted, 2 not played\n")
    assert sorted(file.name for file in folder.glob(".beewalk*")) == []


def test_quiet_tells_only_what_failed_and_verbose_all_runs(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, FINE)
    assert beewalk("run", "s.scenario.yaml", "-q").out == "1 passed\n"
    assert "  run  a final_answer - final_answer\n" in beewalk("run", "s.scenario.yaml", "-v").out
    saved(folder, WRONG)
    assert "FAILED  wrong" in beewalk("run", "s.scenario.yaml", "-q").out


def test_exit_zero_and_colours(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, WRONG)
    assert beewalk("run", "s.scenario.yaml", "--exit-zero").code == 0
    assert "\x1b[" in beewalk("run", "s.scenario.yaml", "--color", "always").out
    assert "\x1b[" not in beewalk("run", "s.scenario.yaml", "--color", "never").out


def test_json_tells_everything(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, WRONG)
    data = json.loads(beewalk("run", "s.scenario.yaml", "--format", "json").out)
    assert {key: data[key] for key in ("format_version", "engine", "passed", "failed", "stop_reason")} == {
        "format_version": 1,
        "engine": "beewalk",
        "passed": 0,
        "failed": 1,
        "stop_reason": "finished",
    }
    (scenario,) = data["scenarios"]
    (failure,) = scenario["failures"]
    assert (failure["path"], failure["at"], failure["turn"]) == ("expect.trajectory", "s.scenario.yaml:4:22", 1)
    (run,) = scenario["runs"]
    assert (run["trajectory"], run["ends"], run["answer"]) == (["a", "final_answer"], "final_answer", "x")
    assert run["requests"][0] == {
        "turn": 1,
        "allowed": ["a", "final_answer"],
        "hidden": [],
        "tool_choice": "required",
        "can_stop": True,
    }


NASTY = "a ]]> <b> | `x` [red] \\e[31m \\x07 &"


def test_junit_can_be_read_back_whatever_names_say(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, WRONG.replace("scenario: wrong", f'scenario: "{NASTY}"'), "a.scenario.yaml")
    saved(folder, FINE, "b.scenario.yaml")
    ran = beewalk("run", ".", "--format", "junit", "--output", "report.xml")
    assert (ran.code, ran.out) == (1, "")
    root = ET.parse(folder / "report.xml").getroot()  # noqa: S314 - our own
    assert root.attrib == {"tests": "2", "failures": "1", "errors": "0", "skipped": "0"}
    assert [suite.get("name") for suite in root] == ["a.scenario.yaml", "b.scenario.yaml"]
    case = root[0][0]
    assert case.get("name") == r"a ]]> <b> | `x` [red] \x1b[31m \x07 &"
    assert case[0].tag == "failure"
    assert "expected: final_answer" in (case[0].text or "")
    assert len(root[1][0]) == 0


def test_markdown_is_a_table_and_why(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, WRONG.replace("scenario: wrong", f'scenario: "{NASTY}"'), "a.scenario.yaml")
    saved(folder, FINE, "b.scenario.yaml")
    lines = beewalk("run", ".", "--format", "markdown").out.splitlines()
    assert lines[0] == "**1 failed, 1 passed**"
    name = r"a \]\]> &lt;b> \| \`x\` \[red\] \\x1b\[31m \\x07 &amp;"
    assert lines[4] == rf"| {name} | **failed** | a.scenario.yaml:1 |"
    assert lines[5] == "| fine | passed | b.scenario.yaml:1 |"
    assert "  got:      a final_answer" in lines


def test_junit_is_right_whatever_it_is_printed_in(folder: Path) -> None:
    saved(folder, FINE.replace("scenario: fine", 'scenario: "café ☃"'))
    code = "import sys\nfrom beewalk.cli.main import main\nsys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "run", "s.scenario.yaml", "--format", "junit"]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True, timeout=60)
    root = ET.fromstring(done.stdout)  # noqa: S314 - our own
    assert root[0][0].get("name") == "café ☃"


def test_file_names_are_shown_not_obeyed(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, WRONG, "a\x1b[31m.scenario.yaml")
    for form in ("text", "markdown", "junit"):
        assert "\x1b" not in beewalk("run", ".", "--format", form).out


def test_names_are_shown_not_obeyed(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, WRONG.replace("scenario: wrong", f'scenario: "{NASTY}"'))
    assert r"FAILED  a ]]> <b> | `x` [red] \x1b[31m \x07 &  s" in beewalk("run", "s.scenario.yaml").out


def test_what_user_code_prints_is_no_part_of_the_report(beewalk: Beewalk, folder: Path) -> None:
    code = "from beewalk import Policy, Tool\nprint('loading')\npolicy = Policy([Tool('a')])\n"
    saved(folder, code, "talks.py")
    saved(folder, FINE.replace("{policy: p, tools: [a]}", "talks.py:policy"))
    ran = beewalk("run", "s.scenario.yaml", "--format", "json")
    assert (ran.code, ran.err) == (0, "loading\n")
    json.loads(ran.out)


def test_code_that_ends_the_program_is_an_error(beewalk: Beewalk, folder: Path) -> None:
    saved(
        folder,
        "import sys\n\n\ndef reply(prompt):\n    sys.exit(3)\n\n\nclass Chat:\n    reply = staticmethod(reply)\n",
        "quits.py",
    )
    text = FINE.replace("{script: [{a: {n: 1}}, {final_answer: {response: x}}]}", '{python: "quits.py:Chat"}')
    saved(folder, text)
    ran = beewalk("run", "s.scenario.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert "ended the program" in ran.err


def test_a_chat_model_from_python_is_made_anew_for_each_scenario(beewalk: Beewalk, folder: Path) -> None:
    code = (
        "from beewalk import ScriptedChatModel, call, final_answer\n\n\n"
        "def careful():\n    return ScriptedChatModel([call.a(n=1), final_answer('x')])\n"
    )
    saved(folder, code, "models.py")
    text = FINE.replace("{script: [{a: {n: 1}}, {final_answer: {response: x}}]}", '{python: "models:careful"}')
    saved(folder, f"{text}---\n{text.replace('fine', 'again')}")
    assert beewalk("run", "s.scenario.yaml").code == 0


@pytest.mark.parametrize(
    ("maker", "said"),
    [
        ("nobody", "'models:nobody' gave a int: it must be an object with a method reply"),
        ("broken", "RuntimeError: no model today"),
    ],
)
def test_a_chat_model_that_cannot_be_made_fails_its_scenario_only(
    maker: str, said: str, beewalk: Beewalk, folder: Path
) -> None:
    code = "def nobody():\n    return 5\n\n\ndef broken():\n    raise RuntimeError('no model today')\n"
    saved(folder, code, "models.py")
    text = FINE.replace(
        "{script: [{a: {n: 1}}, {final_answer: {response: x}}]}", f'{{python: "models:{maker}"}}'
    ).replace("fine", "unmade")
    saved(folder, f"{text}---\n{FINE}")
    ran = beewalk("run", "s.scenario.yaml", "--format", "json")
    data = json.loads(ran.out)
    assert (ran.code, ran.err, data["passed"], data["failed"]) == (1, "", 1, 1)
    assert data["scenarios"][0]["trouble"] == f"the chat model cannot be made: {said}"
    assert data["scenarios"][0]["runs"] == []


def test_a_policy_that_several_files_name_is_complained_of_once(beewalk: Beewalk, folder: Path) -> None:
    saved(folder, "policy: p\ntools: 3\n", "p.policy.yaml")
    text = FINE.replace("{policy: p, tools: [a]}", "p.policy.yaml")
    for name in ("a.scenario.yaml", "b.scenario.yaml"):
        saved(folder, text, name)
    ran = beewalk("run", ".")
    assert ran.code == 2
    assert [line.split(": ")[1] for line in ran.lines] == [
        "a.scenario.yaml:2:9",
        "p.policy.yaml:2:8",
        "b.scenario.yaml:2:9",
    ]


def test_long_runs_tell_how_far_they_are(beewalk: Beewalk, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "SECONDS_BETWEEN", 0.0)
    saved(folder, f"{FINE}---\n{FINE.replace('fine', 'too')}")
    assert beewalk("run", "s.scenario.yaml").err == "1 of 2 scenarios\n"
    assert beewalk("run", "s.scenario.yaml", "-q").err == ""


def test_progress_is_told_now_and_then(beewalk: Beewalk, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(0, 100, 2))
    monkeypatch.setattr(run_module, "monotonic", lambda: float(next(now)))
    saved(folder, "---\n".join(FINE.replace("fine", f"fine {number}") for number in range(8)))
    assert beewalk("run", "s.scenario.yaml").lines == ["3 of 8 scenarios", "6 of 8 scenarios"]


def test_a_bar_is_shown_at_a_terminal(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(folder, FINE)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["run", "s.scenario.yaml"]) == 0
    assert "passed  fine" in capsys.readouterr().out


def test_the_schema_describes_all_shipped_scenarios(beewalk: Beewalk) -> None:
    schema = json.loads(beewalk("schema", "scenario").out)
    validator = jsonschema.Draft7Validator(schema)
    jsonschema.Draft7Validator.check_schema(schema)
    documents = [
        one
        for file in sorted((ROOT / "scenarios").glob("*.scenario.yaml"))
        for one in yaml.safe_load_all(file.read_text("utf-8"))
    ]
    assert len(documents) >= 24
    for document in documents:
        validator.validate(document)
    for wrong in ({**documents[0], "expects": {}}, {**documents[0], "policy": {"policy": "p", "tool": []}}):
        assert not validator.is_valid(wrong)
