"""Figures: a report document as pictures, SVG and PNG, drawn with matplotlib."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from re import sub
from typing import TYPE_CHECKING, Any, Final
from warnings import catch_warnings, filterwarnings

from beewalk.reports.calendar import calendar
from beewalk.reports.document import ReportDocument
from beewalk.reports.state_graph import state_graph
from beewalk.reports.strip import strip
from beewalk.reports.tool_map import tool_map

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SETTINGS: Any = {
    "svg.hashsalt": "beewalk",
    "svg.fonttype": "none",  # text stays text: it can be searched, copied and read out
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana"],  # Verdana has the same widths, where a browser lacks the first
    "text.parse_math": False,  # a name with dollars is no formula
    "axes.unicode_minus": False,
}
_DPI: Final = 150
_MOST_PIXELS: Final = 32_000  # of one side: Agg refuses 65,536, and viewers less


def pictures(document: ReportDocument) -> dict[str, bytes]:
    """File name's end -> content, each picture as SVG and PNG; the same document gives the same bytes of SVG.

    "graph" has the states and is missing where there are too many to draw; "tools" which tool can follow which;
    "calendar" what is allowed at which step; "finding-NUMBER-CODE" a finding's witness, step by step.

    Example: with one dead end the keys are graph.svg, graph.png, tools.svg, ..., finding-1-dead-end.png.
    """
    drawn: dict[str, bytes] = {}
    with drawing_style():
        for name, figure in figures_of(document):
            for kind in ("svg", "png"):
                drawn[f"{name}.{kind}"] = _saved(figure, kind)
    return drawn


@contextmanager
def drawing_style() -> Iterator[None]:
    """Settings under which figures are made, measured and saved: ours, whatever the user's own are."""
    import matplotlib as mpl  # noqa: PLC0415 - takes a second, and only drawing needs it

    with mpl.rc_context(), catch_warnings():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        filterwarnings("ignore", message="Glyph .* missing from font")  # a box is drawn instead
        yield


def figures_of(document: ReportDocument) -> Iterator[tuple[str, "Figure"]]:
    """Name without ending, and figure, in the order in which they are to be looked at; inside `drawing_style`."""
    if document.drawing is not None:
        yield "graph", state_graph(document, document.drawing)
    yield "tools", tool_map(document)
    yield "calendar", calendar(document)
    for number, finding in enumerate(document.findings, 1):
        if finding.stages:
            yield f"finding-{number}-{sub('[^a-z0-9-]', '-', finding.code)[:60]}", strip(document, finding)


def _saved(figure: "Figure", kind: str) -> bytes:
    file = BytesIO()
    metadata = {"Date": None} if kind == "svg" else {"Software": "beewalk"}
    dpi = min(float(_DPI), _MOST_PIXELS / max(figure.get_size_inches()))
    figure.savefig(file, format=kind, dpi=dpi, metadata=metadata)
    return file.getvalue()
