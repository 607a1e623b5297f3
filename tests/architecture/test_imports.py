"""Importing the package is light."""

import subprocess
import sys

HEAVY = ("matplotlib", "networkx", "pytest", "vcr", "beeai_framework", "pydantic", "yaml", "rich", "click")


def imported_after(code: str) -> list[str]:
    """Which of HEAVY a fresh interpreter has loaded once it ran `code`."""
    watch = f"import sys; {code}; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", watch], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_importing_the_package_imports_nothing_heavy() -> None:
    assert imported_after("import beewalk") == []


def test_a_policy_in_python_needs_nothing_heavy() -> None:
    code = (
        "from beewalk import ConditionalRequirement, Policy, Tool; Policy([Tool('a')], [ConditionalRequirement('a')])"
    )
    assert imported_after(code) == []


def test_the_command_line_imports_no_drawing_and_no_graph_library_before_it_needs_them() -> None:
    assert not {"matplotlib", "networkx", "beeai_framework"} & set(imported_after("import beewalk.cli.main"))
