"""Reading: a document knows where each of its values and keys stands."""

from pathlib import Path

import pytest

from beewalk.errors import PolicyError
from beewalk.scenarios.reading import Document, read_document

TEXT = """\
# a comment
policy: p
tools:
  think: {description: "x"}
  yes:
requirements: [&r {conditional: think}, *r]
"""


def document(tmp_path: Path, text: str = TEXT) -> Document:
    path = tmp_path / "p.policy.yaml"
    path.write_text(text, encoding="utf-8")
    return read_document(path, "p.yaml")


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), "p.yaml:2:1", "p.yaml:2:1"),
        (("policy",), "p.yaml:2:9", "p.yaml:2:1"),
        (("tools", "think"), "p.yaml:4:10", "p.yaml:4:3"),
        (("tools", "think", "description"), "p.yaml:4:24", "p.yaml:4:11"),
        (("requirements", 0, "conditional"), "p.yaml:6:33", "p.yaml:6:20"),
        # through an alias: where the value itself stands
        (("requirements", 1, "conditional"), "p.yaml:6:33", "p.yaml:6:20"),
        # what is not in the file: the nearest thing above it
        (("requirements", 0, "reason"), "p.yaml:6:16", "p.yaml:6:16"),
        (("requirements", 7, "reason", 3), "p.yaml:6:15", "p.yaml:6:15"),
        (("limits", "max_iterations"), "p.yaml:2:1", "p.yaml:2:1"),
    ],
)
def test_document_knows_the_places_of_values_and_keys(
    path: tuple[str | int, ...], value: str, key: str, tmp_path: Path
) -> None:
    read = document(tmp_path)
    assert (read.at(path), read.at(path, key=True)) == (value, key)


def test_document_knows_what_was_written(tmp_path: Path) -> None:
    read = document(tmp_path)
    assert read.written(("policy",)) == "p"
    assert read.written(("tools", True), key=True) == "yes"
    assert read.written(("tools",)) is None
    assert read.written(("nothing",)) is None


def test_data_is_plain(tmp_path: Path) -> None:
    requirement = {"conditional": "think"}
    assert document(tmp_path).data == {
        "policy": "p",
        "tools": {"think": {"description": "x"}, True: None},
        "requirements": [requirement, requirement],
    }


def test_file_that_cannot_be_opened_is_a_problem_of_the_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refusing)
    with pytest.raises(PolicyError, match=r"^p\.yaml:1:1: the file cannot be read: permission denied: check the path$"):
        read_document(tmp_path / "p.policy.yaml", "p.yaml")


def test_file_of_exactly_the_largest_size_is_read(tmp_path: Path) -> None:
    text = "policy: p\n"
    assert document(tmp_path, text + "#" * (1_000_000 - len(text))).data == {"policy": "p"}
    with pytest.raises(PolicyError, match="larger than 1,000,000 bytes"):
        document(tmp_path, text + "#" * (1_000_001 - len(text)))


def test_problems_of_values_are_left_to_whoever_checks_the_rest(tmp_path: Path) -> None:
    read = document(tmp_path, "a: 2026-99-99\nb: !x y\na: 3\n")
    assert read.data == {"a": None, "b": None}
    assert [problem.at for problem in read.plain.problems] == ["p.yaml:3:1", "p.yaml:1:4", "p.yaml:2:4"]
