"""The graph for other programs: Graphviz's dot, and GraphML."""

from collections.abc import Iterator

from beewalk.reports.document import Drawing, Node
from beewalk.reports.terminal import printable

# Shape and style of a node, by what it is.
_SHAPES = {
    "dead_end": 'shape=octagon, style=filled, fillcolor="#D55E00", fontcolor="#ffffff"',
    "requirement_error": 'shape=hexagon, style=filled, fillcolor="#CC79A7"',
}


def as_dot(name: str, drawing: Drawing) -> str:
    """A directed graph in Graphviz's language; moves to the same node stand together on one edge.

    Cost: O(nodes + edges).
    """
    return "\n".join(_dot_lines(name, drawing)) + "\n"


def _dot_lines(name: str, drawing: Drawing) -> Iterator[str]:
    yield f"digraph {_quoted(name)} {{"
    yield "  rankdir=LR;"
    yield '  node [shape=box, style=rounded, fontname="sans-serif"];'
    yield "  start [shape=point];"
    yield "  start -> s0;"
    for node in drawing.nodes:
        yield f"  s{node.number} [label={_quoted(*_caption(node))}, {_style(node)}];"
        if node.loops:
            yield f"  s{node.number} -> s{node.number} [label={_quoted(*node.loops)}];"
        if node.can_answer:
            yield f'  s{node.number} -> answered [label="final_answer"];'
    for edge in drawing.edges:
        bold = ', color="#D55E00", penwidth=2.5' if edge.on_witness else ""
        yield f"  s{edge.source} -> s{edge.target} [label={_quoted(*edge.moves)}{bold}];"
    yield "  answered [shape=doublecircle];"
    yield "}"


def _caption(node: Node) -> tuple[str, ...]:
    words = {"dead_end": "dead end", "requirement_error": "a requirement raises"}.get(node.kind)
    first = words or ("start" if node.number == 0 else "no answer from here" if node.lost else "")
    return tuple(part for part in (first, *node.label) if part) or (str(node.number),)


def _style(node: Node) -> str:
    if node.kind in _SHAPES:
        return _SHAPES[node.kind]
    if node.lost:
        return 'style="rounded,dashed,filled", fillcolor="#FBE5D9", color="#D55E00"'
    return 'color="#009E73", penwidth=2.5' if node.can_answer else "penwidth=1"


def _quoted(*lines: str) -> str:
    """The lines as one quoted text; what could mean something to Graphviz is escaped."""
    shown = (printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(shown) + '"'


def as_graphml(name: str, drawing: Drawing) -> str:
    """The graph as GraphML, readable by networkx, Gephi and yEd.

    Node attributes: `depth`, `kind`, `label`, `offered`, `can_answer`, `can_stop`, `lost`, `states`; edge attributes:
    `moves`, `on_witness`. Moves to the same node stand together on one edge.
    """
    import networkx as nx  # noqa: PLC0415 - takes a while, and only this format needs it

    graph: nx.DiGraph[str] = nx.DiGraph(name=printable(name))
    for node in drawing.nodes:
        graph.add_node(f"s{node.number}", **_attributes(node))
        if node.loops:
            graph.add_edge(f"s{node.number}", f"s{node.number}", moves=_joined(node.loops), on_witness=False)
    for edge in drawing.edges:
        graph.add_edge(f"s{edge.source}", f"s{edge.target}", moves=_joined(edge.moves), on_witness=edge.on_witness)
    return "\n".join(nx.generate_graphml(graph)) + "\n"


def _attributes(node: Node) -> dict[str, str | int | bool]:
    return {
        "depth": node.depth,
        "kind": node.kind,
        "label": printable(" · ".join(node.label)),
        "offered": _joined(node.offered),
        "can_answer": node.can_answer,
        "can_stop": node.can_stop,
        "lost": node.lost,
        "states": node.states,
    }


def _joined(words: tuple[str, ...]) -> str:
    return printable(", ".join(words))
