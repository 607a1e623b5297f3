"""The graph for other programs: Graphviz's dot, and GraphML."""

from collections.abc import Iterator
from html import escape

from beewalk.reports.document import Drawing, Edge, Node
from beewalk.reports.terminal import printable

# Shape and style of a node, by what it is.
_SHAPES = {
    "dead_end": 'shape=octagon, style=filled, fillcolor="#D55E00"',
    "requirement_error": 'shape=hexagon, style=filled, fillcolor="#CC79A7"',
}

# GraphML's type of each attribute.
_ATTRIBUTES = {
    "graph": {"name": "string"},
    "node": {
        "depth": "int",
        "kind": "string",
        "label": "string",
        "offered": "string",
        "can_answer": "boolean",
        "can_stop": "boolean",
        "lost": "boolean",
        "states": "int",
    },
    "edge": {"moves": "string", "on_witness": "boolean"},
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
    shown = (printable(line).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(shown) + '"'


def as_graphml(name: str, drawing: Drawing) -> str:
    """The graph as GraphML, readable by networkx, Gephi and yEd.

    Node attributes: `depth`, `kind`, `label`, `offered`, `can_answer`, `can_stop`, `lost`, `states`; edge attributes:
    `moves`, `on_witness`. Moves to the same node stand together on one edge.

    Cost: O(nodes + edges); written as text, since a tree of 100,000 nodes takes ten times as long and 2 GB.
    """
    return "\n".join(_graphml_lines(name, drawing)) + "\n"


def _graphml_lines(name: str, drawing: Drawing) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for element, attributes in _ATTRIBUTES.items():
        for key, kind in attributes.items():
            yield f'  <key id="{element}-{key}" for="{element}" attr.name="{key}" attr.type="{kind}"/>'
    yield '  <graph edgedefault="directed">'
    yield _data("graph", name=name)
    for node in drawing.nodes:
        yield f'    <node id="s{node.number}">{_data("node", **_attributes(node))}</node>'
        if node.loops:
            yield _edge_line(Edge(node.number, node.number, node.loops, on_witness=False))
    for edge in drawing.edges:
        yield _edge_line(edge)
    yield "  </graph>"
    yield "</graphml>"


def _attributes(node: Node) -> dict[str, str | int | bool]:
    return {
        "depth": node.depth,
        "kind": node.kind,
        "label": " · ".join(node.label),
        "offered": ", ".join(node.offered),
        "can_answer": node.can_answer,
        "can_stop": node.can_stop,
        "lost": node.lost,
        "states": node.states,
    }


def _edge_line(edge: Edge) -> str:
    data = _data("edge", moves=", ".join(edge.moves), on_witness=edge.on_witness)
    return f'    <edge source="s{edge.source}" target="s{edge.target}">{data}</edge>'


def _data(element: str, **values: str | int | bool) -> str:
    return "".join(f'<data key="{element}-{key}">{_worded(value)}</data>' for key, value in values.items())


def _worded(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return escape(printable(value), quote=False) if isinstance(value, str) else str(value)
