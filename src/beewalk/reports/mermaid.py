"""The graph as a Mermaid state diagram, which code hosts draw in comments."""

import re
from collections.abc import Iterator

from beewalk.reports.document import Drawing, Node
from beewalk.reports.terminal import printable

MOST_NODES = 60
MOST_TEXT = 50_000  # characters of a diagram; Mermaid's own default
_LONGEST = 180
_MOST_MOVES = 4

_MEANINGFUL = re.compile(r"[^\w ./·,…()★-]|(?<!\w)[_.-]|[_.-](?!\w)|(?<=direction) ", flags=re.IGNORECASE)

# Okabe and Ito's colours; each kind also has words of its own.
_STYLES = {
    "dead": "fill:#D55E00,color:#000000,stroke:#000000,stroke-width:2px",
    "raises": "fill:#CC79A7,color:#000000,stroke:#000000,stroke-width:2px",
    "lost": "fill:#FBE5D9,color:#000000,stroke:#D55E00,stroke-dasharray:5 5",
    "answers": "stroke:#009E73,stroke-width:3px",
}


def as_mermaid(drawing: Drawing) -> list[str]:
    """The lines of a diagram of all nodes; moves on the first finding's witness are marked with a star."""
    lines = ["stateDiagram-v2", "  direction LR"]
    lines += [f'  state "{_safe(_caption(node))}" as s{node.number}' for node in drawing.nodes]
    lines.append("  [*] --> s0")
    for edge in drawing.edges:
        star = "★ " if edge.on_witness else ""
        lines.append(f"  s{edge.source} --> s{edge.target} : {star}{_moves(edge.moves)}")
    for node in drawing.nodes:
        if node.loops:
            lines.append(f"  s{node.number} --> s{node.number} : {_moves(node.loops)}")
        if node.can_answer:
            lines.append(f"  s{node.number} --> [*] : final_answer")
    return [*lines, *_classes(drawing)]


def _caption(node: Node) -> str:
    words = {"dead_end": "DEAD END", "requirement_error": "A REQUIREMENT RAISES"}.get(node.kind)
    first = words or ("start" if node.number == 0 else "")
    lost = "no answer from here" if node.lost and words is None else ""
    return " · ".join(part for part in (first, lost, *node.label) if part) or f"state {node.number}"


def _classes(drawing: Drawing) -> Iterator[str]:
    for name, style in _STYLES.items():
        members = [f"s{node.number}" for node in drawing.nodes if _class_of(node) == name]
        if members:
            yield f"  classDef {name} {style}"
            yield f"  class {','.join(members)} {name}"


def _class_of(node: Node) -> str:
    kinds = {"dead_end": "dead", "requirement_error": "raises"}
    return kinds.get(node.kind) or ("lost" if node.lost else "answers" if node.can_answer else "")


def _moves(moves: tuple[str, ...]) -> str:
    shown = ", ".join(moves[:_MOST_MOVES])
    more = f" and {len(moves) - _MOST_MOVES} more" if len(moves) > _MOST_MOVES else ""
    return _safe(shown + more)


def _safe(text: str) -> str:
    """The text with a numbered entity for everything that could mean something to Mermaid.

    Dots, dashes and underscores can begin lists and emphasis, unless they are within a word; and a line in which
    "direction LR" stands is a statement, wherever in it.
    """
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return _MEANINGFUL.sub(lambda found: f"#{ord(found[0])};", printable(cut))
