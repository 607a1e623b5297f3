"""Reading: a document knows where each of its values and keys stands."""

from pathlib import Path

import pytest

from beewalk.errors import PolicyError
from beewalk.scenarios.reading import Document, read_document, read_documents

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


def documents(tmp_path: Path, text: str) -> list[Document]:
    path = tmp_path / "s.scenario.yaml"
    path.write_text(text, encoding="utf-8")
    return read_documents(path, "s.yaml")


def test_documents_in_which_nothing_is_written_are_left_out(tmp_path: Path) -> None:
    read = documents(tmp_path, "# none\n---\na: 1\n---\n# none\n---\n''\n---\n~\n...\n---\n- 2\n---\n")
    assert [one.data for one in read] == [{"a": 1}, "", None, [2]]
    assert [one.at(()) for one in read] == ["s.yaml:3:1", "s.yaml:7:1", "s.yaml:9:1", "s.yaml:12:1"]


def test_documents_of_one_file_share_the_limit_of_values(tmp_path: Path) -> None:
    ten = ", ".join(["x"] * 10)
    thousand = f"- &a [{ten}]\n- &b [{', '.join(['*a'] * 10)}]\n- [{', '.join(['*b'] * 10)}]\n"  # and some more
    assert len(documents(tmp_path, "---\n".join([thousand] * 30))) == 30
    with pytest.raises(
        PolicyError, match=r"^s\.yaml:\d+:\d+: with what its aliases repeat, the file has more than 50,000"
    ):
        documents(tmp_path, "---\n".join([thousand] * 50))


def test_an_alias_does_not_reach_into_another_document(tmp_path: Path) -> None:
    with pytest.raises(
        PolicyError, match=r"^s\.yaml:3:4: `\*` starts an alias in YAML, and there is nothing it stands for"
    ):
        documents(tmp_path, "a: &x 1\n---\nb: *x\n")


def test_part_of_a_document_has_the_positions_of_the_whole(tmp_path: Path) -> None:
    part = document(tmp_path).under("tools", "think")
    assert part.data == {"description": "x"}
    assert (part.at(()), part.at((), key=True)) == ("p.yaml:4:10", "p.yaml:4:3")
    assert part.at(("description",)) == "p.yaml:4:24"
    assert part.at(("nothing", 3)) == "p.yaml:4:10"
    assert document(tmp_path).under("tools").written((True,), key=True) == "yes"
