"""The gallery under reports/: pictures of the shipped policies, and a page that shows them.

`make gallery` (python -m tests.support.gallery) draws all anew.
"""

from collections.abc import Iterator
from pathlib import Path

from beewalk.opening.opening import explorable
from beewalk.opening.report import report_of
from beewalk.properties.exploration import explore_policy
from beewalk.reports.document import ReportDocument
from beewalk.reports.figures import pictures
from beewalk.reports.terminal import verdict_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "reports"
POLICIES = sorted((ROOT / "scenarios").glob("*.policy.yaml"))
_CAPTIONS = {
    "graph": "Every state, from left to right by the number of calls.",
    "tools": "Which tool can directly follow which.",
    "calendar": "What each tool may do before each call of a run.",
}


def draw() -> None:
    """Write pictures (as SVG) and page, and take away what is no longer drawn."""
    for old in FOLDER.glob("*.svg"):
        old.unlink()
    page = [
        "# Gallery",
        "",
        "Drawn by `beewalk explore POLICY --out reports` from the policies under `scenarios/`.",
        "",
    ]
    for file in POLICIES:
        opened = explorable(file)
        document = report_of(explore_policy(opened.policy), place_of=opened.place_of)
        page += _section(file, document)
    (FOLDER / "README.md").write_text("\n".join(page), encoding="utf-8")


def _section(file: Path, document: ReportDocument) -> Iterator[str]:
    yield from (f"## {document.policy}", "", "```yaml", file.read_text(encoding="utf-8").rstrip(), "```", "")
    yield from (f"{document.policy}{''.join(verdict_of(document))}.", "")
    for suffix, content in pictures(document).items():
        stem, _, kind = suffix.rpartition(".")
        if kind == "svg" and (stem in _CAPTIONS or _is_of_an_error(stem, document)):
            name = f"{document.policy}.{suffix}"
            (FOLDER / name).write_bytes(content)
            caption = _CAPTIONS.get(stem) or "A shortest way into an error, call by call."
            yield from (f"{caption}", "", f"![{document.policy}: {caption}]({name})", "")


def _is_of_an_error(stem: str, document: ReportDocument) -> bool:
    number = int(stem.split("-")[1])
    return document.findings[number - 1].severity == "error"


if __name__ == "__main__":
    draw()
