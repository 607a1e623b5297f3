"""What the pages say is true: examples run, outputs are real, links lead somewhere, every code and slug has a page."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from beewalk.errors import PolicyError
from beewalk.explorer.finding import CODES
from beewalk.scenarios.building import read_policy
from tests.support.docs import PAGES, ROOT, Block, blocks_of, outputs_of, save_files

SOURCE = ROOT / "src" / "beewalk"
WITH_LINKS = [*PAGES, *(page for page in (ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md") if page.exists())]
POLICIES = [(page, block) for page in PAGES for block in blocks_of(page) if block.policy]


def name_of(value: object) -> str:
    """A page by its path, a block by its line."""
    return (
        str(value.relative_to(ROOT))
        if isinstance(value, Path)
        else str(value.first if isinstance(value, Block) else value)
    )


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_examples_run_and_print_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for block, output in outputs_of(page, blocks_of(page), tmp_path):
        fix = f"run python -m tests.support.docs {page.relative_to(ROOT)}"
        assert block.code == output, f"{page.name}:{block.first} shows something else: {fix}"


@pytest.mark.parametrize(("page", "block"), POLICIES, ids=name_of)
def test_policies_are_valid_unless_marked_as_invalid(
    page: Path, block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_files([*blocks_of(page), block], tmp_path)
    file = tmp_path / f"{block.policy}.policy.yaml"
    if block.before == "<!-- invalid -->":
        with pytest.raises(PolicyError):
            read_policy(file)
    else:
        assert read_policy(file).policy.name == block.policy


@pytest.mark.parametrize("page", WITH_LINKS, ids=name_of)
def test_links_lead_to_files(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    targets = [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"\w+:|#", target)]
    missing = [target for target in targets if not (page.parent / target.partition("#")[0]).exists()]
    assert not missing, f"{page.name} links to files that are not there"


def slugs() -> Iterator[str]:
    """The slug of every error class in the source."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "slug":
                assert isinstance(node.value, ast.Constant)
                yield str(node.value.value)


def codes() -> Iterator[str]:
    """The code of every finding that this version can make."""
    for text in [path.read_text(encoding="utf-8") for path in (SOURCE / "explorer").glob("*.py")]:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.keyword) and node.arg == "code" and isinstance(node.value, ast.Constant):
                yield str(node.value.value)


def test_every_error_has_a_page_and_every_page_an_error() -> None:
    assert set(slugs()) == {page.stem for page in (ROOT / "docs" / "errors").glob("*.md")}


def test_every_finding_has_a_page_and_every_page_a_finding() -> None:
    assert {*codes(), "remembered-choice-blocks"} == set(CODES)
    assert set(CODES) == {page.stem for page in (ROOT / "docs" / "findings").glob("*.md")}
