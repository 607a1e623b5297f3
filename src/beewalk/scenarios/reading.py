"""Reading: a YAML file as plain data, with the position of every value."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from beewalk.errors import Path as ValuePath
from beewalk.errors import PolicyError, Problem
from beewalk.scenarios.plain_data import MAX_NESTING, MAX_VALUES, PlainData, place_text, plain_data

MAX_BYTES = 1_000_000

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_CONTROL = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LEAST = {
    "policy": "`policy: NAME` and `tools: [NAME, ...]`",
    "scenario": "`scenario: NAME`, `policy: FILE` and `chat_model: {script: [...]}`",
}
_CHECK = "check indentation, brackets and quotes; a text with ': ' or ' #' in it needs quotes"
_TOO_DEEP = f"nested more than {MAX_NESTING} deep"


@dataclass(frozen=True)
class Document:
    """A YAML document as plain data; `name` is the file as the user wrote it."""

    name: str
    plain: PlainData

    @property
    def data(self) -> Any:
        """Texts, numbers, lists and mappings; None where something else stands."""
        return self.plain.data

    def under(self, *path: str | int) -> "Document":
        """What stands at `path`, as a document of its own with the same positions."""
        size = len(path)

        def cut(whole: ValuePath) -> bool:
            return whole[:size] == path

        data = self.data
        for part in path:
            data = data[part]
        plain = PlainData(
            data,
            {whole[size:]: place for whole, place in self.plain.places.items() if cut(whole)},
            {(whole[size:], key): one for (whole, key), one in self.plain.other_keys.items() if cut(whole)},
            (),
        )
        return Document(self.name, plain)

    def at(self, path: ValuePath, *, key: bool = False) -> str:
        """`file:line:column` of the value that `path` leads to, or of the nearest one above that is in the file.

        With `key` the position of the last part of the path itself, where that is the key of a mapping.
        """
        while path not in self.plain.places:
            path, key = path[:-1], False
        place = self.plain.places[path]
        node = place.key if key and place.key is not None else place.node
        return place_text(self.name, node.start_mark)

    def written(self, path: ValuePath, *, key: bool = False) -> str | None:
        """The text in the file of the value, or the key, that `path` leads to; None for a list or mapping."""
        place = self.plain.places.get(path)
        node = None if place is None else place.key if key else place.node
        return str(node.value) if isinstance(node, yaml.ScalarNode) else None


def read_document(path: Path, name: str) -> Document:
    """The one YAML document in the file at `path`, called `name` in messages.

    What in it is no plain data is left to `Document.plain.problems`, so that it is reported with everything else.

    Raises:
        PolicyError: the file cannot be read, is too large, is no UTF-8 text, no YAML, nested too deeply, or empty.
    """
    return Document(name, plain_data(_roots(path, name, "policy")[0], name))


def read_documents(path: Path, name: str) -> list[Document]:
    """All YAML documents in the file at `path`; those that are empty are left out.

    Raises:
        PolicyError: as for `read_document`.
    """
    documents: list[Document] = []
    left = MAX_VALUES
    for root in _roots(path, name, "scenario"):
        plain = plain_data(root, name, most=left)
        left -= len(plain.places)
        documents.append(Document(name, plain))
    return documents


def _roots(path: Path, name: str, kind: str) -> list[yaml.Node]:
    """The root nodes of a file that holds one policy, or several scenarios."""
    text = _text(path, name, kind)
    try:
        _check_nesting(text, name)
        loader = _Loader(text)
        try:
            roots = [loader.get_single_node()] if kind == "policy" else list(_nodes(loader))
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        raise PolicyError([_yaml_problem(error, text, name)]) from error
    except yaml.YAMLError as error:
        what = f"this is no YAML: {' '.join(str(error).split())}"
        raise PolicyError([Problem((), what, f"write a {kind} in YAML", f"{name}:1:1")]) from error
    found = [root for root in roots if root is not None]
    if not found:
        fix = f"write at least {_LEAST[kind]}"
        raise PolicyError([Problem((), "the file is empty", fix, f"{name}:1:1")])
    return found


def _nodes(loader: Any) -> Iterator[yaml.Node]:
    """The root nodes, without those of documents in which nothing is written."""
    while loader.check_node():
        node = loader.get_node()
        if not isinstance(node, yaml.ScalarNode) or node.value or node.style:
            yield node


def _text(path: Path, name: str, kind: str) -> str:
    place = f"{name}:1:1"
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        what = getattr(error, "strerror", None) or str(error)
        fix = "name a file in it" if isinstance(error, IsADirectoryError) else "check the path"
        raise PolicyError([Problem((), f"the file cannot be read: {what.lower()}", fix, place)]) from error
    if len(raw) > MAX_BYTES:
        raise PolicyError([Problem((), f"the file is larger than {MAX_BYTES:,} bytes", "make it smaller", place)])
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"byte {raw[error.start]:#04x} is not UTF-8 text"
        before = raw[: error.start].decode("utf-8")
        raise PolicyError([Problem((), what, f"write the {kind} as UTF-8 text", _end_of(before, name))]) from error
    text = text.removeprefix("\ufeff")
    control = _CONTROL.search(text)
    if control is not None:
        what = f"the control character {control[0]!r}, which YAML does not allow"
        fix = 'take it out, or write it with its escape in a text in "..."'
        raise PolicyError([Problem((), what, fix, _end_of(text[: control.start()], name))])
    return text


def _end_of(text: str, name: str) -> str:
    """`file:line:column` of what follows `text`."""
    line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
    return f"{name}:{line}:{column}"


def _check_nesting(text: str, name: str) -> None:
    """Refuse what is nested so deeply that building it would exhaust the stack; scanning is safe."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_NESTING:
                raise PolicyError([Problem((), _TOO_DEEP, "flatten it", place_text(name, event.start_mark))])
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _yaml_problem(error: yaml.MarkedYAMLError, text: str, name: str) -> Problem:
    found, context = error.problem or "unreadable", error.context or ""
    in_alias = "scanning an alias" in context  # then the context is the `*`
    mark = error.context_mark if in_alias else error.problem_mark or error.context_mark
    place = place_text(name, mark)
    if "another document" in found:
        return Problem((), "a second document starts here", "keep one: a policy file holds one policy", place)
    if "nesting depth" in found:  # the scanner looks ahead, so it meets this before _check_nesting does
        return Problem((), _TOO_DEEP, "flatten it", place)
    if "undefined alias" in found or in_alias:
        what = "`*` starts an alias in YAML, and there is nothing it stands for"
        return Problem((), what, 'write "*" in quotes for every tool', place)
    if mark is not None and _character(text, mark) == "\t":
        return Problem((), "a tab, where YAML allows only spaces", "indent with spaces", place)
    since = error.context_mark
    start = f" that starts at {since.line + 1}:{since.column + 1}" if context and since is not None else ""
    return Problem((), f"this is no YAML: {found}{f' ({context}{start})' if context else ''}", _CHECK, place)


def _character(text: str, mark: Any) -> str:
    """The character at a mark, "" at the end of a line."""
    lines = text.split("\n")
    return lines[mark.line][mark.column : mark.column + 1] if mark.line < len(lines) else ""
