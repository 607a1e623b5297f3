"""Python code that a policy file or the command line refers to: whatever is wrong with it is one line."""

from pathlib import Path

import pytest

from tests.cli.conftest import Beewalk

RULES = """
import functools

from beewalk import ConditionalRequirement, Requirement, Rule, requirement

print("imported")


@requirement(targets="b")
def b_after_a(state):
    return [Rule(target="b", allowed=any(step.name == "a" for step in state.steps))]


class Never(Requirement):
    name = "never"

    def run(self, state):
        print("asked")
        return [Rule(target="b", allowed=False)]


def make():
    print("made")
    return Never()


def few_steps(state):
    print("checked")
    return len(state.steps) < 3


number = 3


def wants(argument):
    return Never()


def ends():
    raise SystemExit(0)


def interrupts():
    raise KeyboardInterrupt


def breaks():
    raise ValueError("two\\nlines and an \\x1b[31mescape")


def contradicts():
    return ConditionalRequirement("a", min_invocations=3, max_invocations=1)


async def waits():
    return Never()


async def slow_check(state):
    return True


def ends_later(state):
    raise SystemExit(0)


def __getattr__(name):
    if name == "explosive":
        raise RuntimeError("do not touch")
    raise AttributeError(name)
"""


@pytest.fixture(autouse=True)
def modules(folder: Path) -> None:
    """Modules beside the policy file, some of which cannot be imported."""
    texts = {
        "rules": RULES,
        "raises": "raise ValueError('no luck')",
        "exits": "import sys\nsys.exit('bye')",
        "cancels": "import asyncio\nraise asyncio.CancelledError",
        "wrong_syntax": "def f(:\n",
        "lacks": "import no_such_module_anywhere",
    }
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")


def with_python(*references: str) -> str:
    lines = [f"  - python: '{reference}'\n" for reference in references]
    return f"policy: p\ntools: [a, b]\nrequirements:\n{''.join(lines)}"


def with_checks(*references: str) -> str:
    listed = "".join(f"      - '{reference}'\n" for reference in references)
    return f"policy: p\ntools: [a, b]\nrequirements:\n  - conditional: b\n    custom_checks:\n{listed}"


# reference, and what is said of it as a requirement
AS_REQUIREMENT = [
    # cannot be imported
    ("nowhere_to_be_found:x", "cannot import 'nowhere_to_be_found': No module named 'nowhere_to_be_found': looked in"),
    ("lacks:x", "cannot import 'lacks': No module named 'no_such_module_anywhere': looked in"),
    ("raises:x", "cannot import 'raises': it raised ValueError: no luck"),
    ("exits:x", "cannot import 'exits': it ends the program: keep that under `if __name__ == '__main__'`"),
    ("cancels:x", "cannot import 'cancels': it raised CancelledError: "),
    ("wrong_syntax:x", "cannot import 'wrong_syntax': it raised SyntaxError: "),
    ("nowhere.py:x", "there is no file 'nowhere.py': looked in"),
    # no reference
    ("rules", "'rules' is no reference to Python code: write module:attribute or path/file.py:attribute"),
    ("rules:", "'rules:' is no reference to Python code"),
    (":make", "':make' is no reference to Python code"),
    ("..:make", "'..:make' is no reference to Python code"),
    ("a b:make", "'a b:make' is no reference to Python code"),
    # no such attribute
    ("rules:mak", "'rules' has no 'mak': did you mean 'make'?"),
    (
        "rules:qqq",
        "'rules' has no 'qqq': possible: ConditionalRequirement, Never, Requirement, Rule, b_after_a, breaks",
    ),
    ("rules:make.x", "'rules.make' has no 'x': possible: nothing"),
    ("rules:explosive", "'rules:explosive' raised RuntimeError: do not touch"),
    # of a wrong type, or failing when called
    ("rules:number", "'rules:number' is of the type int: it must be a Requirement or a callable that returns one"),
    ("builtins:dict", "'builtins:dict' is of the type dict: it must be a Requirement"),
    ("rules:waits", "'rules:waits' is of the type coroutine: it must be a Requirement"),
    ("rules:wants", "'rules:wants' raised TypeError: wants() missing 1 required positional argument"),
    ("rules:ends", "'rules:ends' ends the program: "),
    ("rules:breaks", r"'rules:breaks' raised ValueError: two\nlines and an \x1b[31mescape"),
    ("rules:contradicts", "min_invocations is 3, more than max_invocations, which is 1: lower the one"),
]


@pytest.mark.parametrize(("reference", "said"), AS_REQUIREMENT, ids=[reference for reference, _ in AS_REQUIREMENT])
def test_python_requirement_that_cannot_be_had_is_one_line_at_its_place(
    reference: str, said: str, explored: Beewalk, folder: Path
) -> None:
    before = sorted(folder.iterdir())
    ran = explored(with_python(reference))
    assert (ran.code, ran.out) == (2, "")
    errors = [line for line in ran.lines if line.startswith("error: ")]
    assert set(ran.lines) - set(errors) <= {"imported", "made"}
    assert len(errors) == 1
    assert errors[0].startswith(f"error: p.policy.yaml:4:13: {said}")
    assert errors[0].isprintable()
    assert sorted(folder.iterdir()) == sorted([*before, folder / "p.policy.yaml"]), "nothing is written, no __pycache__"


def test_every_python_requirement_that_cannot_be_had_is_told(explored: Beewalk) -> None:
    ran = explored(with_python(*(reference for reference, _ in AS_REQUIREMENT)))
    lines = [line for line in ran.lines if line.startswith("error: ")]
    assert [line.split(":")[2] for line in lines] == [str(4 + index) for index in range(len(AS_REQUIREMENT))]


def test_every_custom_check_that_cannot_be_had_is_told_at_its_place(explored: Beewalk) -> None:
    ran = explored(
        with_checks("nowhere_to_be_found:x", "rules:few_steps", "rules:number", "exits:x", "rules:slow_check")
    )
    assert (ran.code, ran.out) == (2, "")
    lines = [line for line in ran.lines if line.startswith("error: ")]
    assert [line.split(": ", 2)[1] for line in lines] == [f"p.policy.yaml:{line}:9" for line in (6, 8, 9, 10)]
    assert "cannot import" in lines[0]
    assert lines[1].endswith("'rules:number' is of the type int: it must be a function of the state")
    assert "cannot import 'exits': it ends the program" in lines[2]
    assert "custom check 'slow_check' is a coroutine function, which would always count as true" in lines[3]


@pytest.mark.parametrize(
    "reference", ["rules:make", "rules:Never", "rules.py:make", "./rules.py:Never", "rules:b_after_a"]
)
def test_requirement_or_what_makes_one_is_taken(reference: str, explored: Beewalk) -> None:
    ran = explored(with_python(reference), "--format", "json")
    assert ran.code == 0
    assert ran.out.startswith("{"), "what the policy's code prints is no part of the report"
    assert "imported" in ran.err


def test_module_is_found_beside_the_file_and_in_the_current_folder(beewalk: Beewalk, folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "beside.py").write_text("from rules import make\n", encoding="utf-8")
    text = with_python("beside:make", "rules:make")
    (folder / "deep" / "p.policy.yaml").write_text(text, encoding="utf-8")
    assert beewalk("explore", "deep/p.policy.yaml").code == 0


def test_package_beside_the_file_is_found(explored: Beewalk, folder: Path) -> None:
    package = folder / "package_of_rules"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "inner.py").write_text("from beewalk import FixedRules\nempty = FixedRules([])\n", encoding="utf-8")
    assert explored(with_python("package_of_rules.inner:empty")).code == 0


def test_code_that_ends_the_program_while_exploring_is_one_line(explored: Beewalk) -> None:
    ran = explored(with_checks("rules:ends_later"))
    assert (ran.code, ran.out) == (2, "")
    assert ran.lines[-1] == "error: the policy's Python code ended the program: take its call of exit() out"


def test_ctrl_c_in_the_policys_code_is_an_interruption(explored: Beewalk) -> None:
    ran = explored(with_python("rules:interrupts"))
    assert (ran.code, ran.out) == (130, "")
    assert "Traceback" not in ran.err


POLICIES = """
from beewalk import ConditionalRequirement, Policy, Tool

policy = Policy([Tool("a")], name="from code")


def make():
    return policy


def wrong():
    return Policy([Tool("a"), Tool("a")], [ConditionalRequirement("b")])


async def waits():
    return policy


class Thing:
    policy = policy


nothing = None
"""


@pytest.fixture(autouse=True)
def policies(folder: Path) -> None:
    (folder / "agents.py").write_text(POLICIES, encoding="utf-8")


@pytest.mark.parametrize("source", ["agents:policy", "agents:make", "agents.py:make", "agents:Thing.policy"])
def test_policy_from_python_is_explored(source: str, beewalk: Beewalk) -> None:
    ran = beewalk("explore", source)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("from code: no errors")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("agents:polic", "'agents' has no 'polic': did you mean 'policy'?"),
        (
            "agents:nothing",
            "'agents:nothing' is of the type NoneType: it must be a Policy or a callable that returns one",
        ),
        ("agents:Thing", "'agents:Thing' is of the type Thing: it must be a Policy or a callable that returns one"),
        ("agents:waits", "'agents:waits' is of the type coroutine: it must be a Policy or a callable that returns one"),
        ("agents:", "'agents:' is no reference to Python code: write module:attribute or path/file.py:attribute"),
        ("nowhere.py:x", "there is no file 'nowhere.py': looked in"),
        ("nowhere_to_be_found:x", "cannot import 'nowhere_to_be_found': No module named"),
        ("exits:x", "cannot import 'exits': it ends the program"),
    ],
)
def test_python_that_gives_no_policy_is_one_line(source: str, said: str, beewalk: Beewalk) -> None:
    ran = beewalk("explore", source)
    assert (ran.code, ran.out, len(ran.lines)) == (2, "", 1)
    assert ran.lines[0].startswith(f"error: {said}")


def test_policy_from_python_with_problems_tells_all_of_them(beewalk: Beewalk) -> None:
    ran = beewalk("explore", "agents:wrong")
    assert (ran.code, ran.out, len(ran.lines)) == (2, "", 2)
    assert ran.lines[0] == "error: tools[1]: two tools are named 'a': rename one of them"
    assert ran.lines[1].startswith("error: requirements[0].target: ")


def test_agent_of_the_framework_is_not_in_this_version(beewalk: Beewalk, folder: Path) -> None:
    text = "agent = type('RequirementAgent', (), {'__module__': 'beeai_framework.agents'})()\n"
    (folder / "bees.py").write_text(text, encoding="utf-8")
    ran = beewalk("explore", "bees:agent")
    assert (ran.code, ran.out) == (2, "")
    said = "'bees:agent' is a RequirementAgent of beeai-framework, which is not in this version: write its policy file"
    assert ran.lines == [f"error: {said}"]
