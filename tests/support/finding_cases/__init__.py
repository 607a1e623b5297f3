"""Small policies that must raise a finding, each beside a near twin that must not: a second opinion on all codes.

What is right was worked out by hand from design.md and semantics.md, never read off beewalk. One file a code, each with
CASES. Python that a policy names stands in `user_code.py` and `impure_code.py`; a test copies them beside the policy,
so that what they keep of their own starts anew.
"""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from textwrap import dedent

CODES = (
    "dead-end",
    "requirement-error",
    "cannot-stop",
    "stops-too-late",
    "remembered-choice-blocks",
    "tool-never-allowed",
    "tool-blocks-stop",
    "requirement-without-effect",
    "parameter-without-effect",
    "force-never-obeyed",
    "denial-counts-as-success",
    "failures-uncapped",
    "level-borrowed",
    "forced-answer-overrides",
    "impure-requirement",
)
CODE_FILES = tuple(Path(__file__).with_name(name) for name in ("user_code.py", "impure_code.py"))


@dataclass(frozen=True)
class Case:
    """A policy that raises a code and a twin that does not.

    `policy` is a policy file without its first line; `twin` another, or (old, new): a replacement of a text that is
    there once. `tools`, where given, are all tools that the findings of this code are about, in order of their names.
    `why` is the reason in a line.
    """

    name: str
    policy: str
    twin: str | tuple[str, str]
    outcomes: tuple[str, ...] = ("ok",)
    tools: tuple[str, ...] = ()
    why: str = ""

    @property
    def policy_text(self) -> str:
        """The file of the policy."""
        return _file(self.policy)

    @property
    def twin_text(self) -> str:
        """The file of the twin."""
        if isinstance(self.twin, str):
            return _file(self.twin)
        old, new = self.twin
        assert self.policy.count(old) == 1, f"{old!r} stands {self.policy.count(old)} times in {self.name!r}"
        return _file(self.policy.replace(old, new))


def _file(text: str) -> str:
    return f"policy: case\n{dedent(text).strip()}\n"


def cases_of(code: str) -> tuple[Case, ...]:
    """All cases of a code."""
    cases: tuple[Case, ...] = import_module(f"{__name__}.{code.replace('-', '_')}").CASES
    return cases
