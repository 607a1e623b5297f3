"""The findings of the shared policies as lines of text; `python -m tests.support.golden` writes the file anew."""

from collections.abc import Iterator
from pathlib import Path

from beewalk import PolicyError, explore
from beewalk.explorer.finding import Finding
from tests.support.shared import POLICIES

FILE = Path(__file__).parents[1] / "agreement" / "shared_findings.txt"


def lines() -> Iterator[str]:
    """A line a policy, and one below it for each of its findings."""
    for path in POLICIES:
        yield path.name.removesuffix(".policy.yaml")
        try:
            found = explore(path, outcomes=["ok", "error"])
        except PolicyError as error:
            yield f"    refused: {error.problems[0].what}"
            continue
        for finding in found.findings:
            yield f"    {_line(finding, found.blamed(finding))}"


def _line(finding: Finding, blame: tuple[str, ...]) -> str:
    about = f" [{' '.join(finding.tools)}]" if finding.tools else ""
    way = f" after {' '.join(map(str, finding.witness)) or 'nothing'}"
    return f"{finding.severity} {finding.code}{about}{way}: {'; '.join(place.partition(' ')[0] for place in blame)}"


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n", encoding="utf-8")
