"""Pictures as files: which there are, that nothing in a name is obeyed, and that the same document is the same file."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest

from beewalk.reports.document import Drawing, Edge, ReportDocument
from beewalk.reports.figures import pictures
from tests.support.pictures import a_calendar, a_document, a_finding, a_graph, a_node, a_tool_map, some_stages

NAMES = ["draft", "review", "publish"]
DRAWN = """\
import sys
from beewalk.reports.figures import pictures
from tests.rooms.reports.test_figures import a_report
for content in pictures(a_report()).values():
    sys.stdout.buffer.write(content)
"""


def a_report() -> ReportDocument:
    return a_document(
        drawing=a_graph(8, names=NAMES),
        tool_map=a_tool_map(NAMES, density=0.2),
        calendar=a_calendar(NAMES, 5),
        findings=(a_finding(stages=some_stages(NAMES, 4)), a_finding("failures-uncapped"), a_finding("cannot-stop")),
    )


def texts(svg: bytes) -> list[str]:
    """The texts of a picture, in the order in which they are drawn."""
    root = ET.fromstring(svg)  # noqa: S314 - our own file
    return ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_each_picture_is_drawn_in_both_formats() -> None:
    drawn = pictures(a_report())
    names = ["graph", "tools", "calendar", "finding-1-dead-end"]
    assert list(drawn) == [f"{name}.{kind}" for name in names for kind in ("svg", "png")]
    for name, content in drawn.items():
        assert content.startswith(b"\x89PNG") if name.endswith("png") else b"<svg " in content
        assert b"<dc:date>" not in content


def test_too_many_states_have_no_graph() -> None:
    assert not {"graph.svg", "graph.png"} & set(pictures(a_document()))


def test_findings_keep_their_numbers() -> None:
    stages = some_stages(NAMES, 2)
    findings = (a_finding("dead-end"), a_finding("cannot-stop", stages=stages), a_finding("../x y", stages=stages))
    names = [name for name in pictures(a_document(findings=findings)) if name.startswith("finding")]
    assert names[::2] == ["finding-2-cannot-stop.svg", "finding-3----x-y.svg"]


def test_same_document_is_the_same_file() -> None:
    assert pictures(a_report()) == pictures(a_report())


@pytest.mark.parametrize("seed", ["1", "2"])
def test_other_process_with_other_hashes_draws_the_same_files(seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run([sys.executable, "-c", DRAWN], env=environment, capture_output=True, check=True)
    assert done.stdout == b"".join(pictures(a_report()).values())


def test_settings_of_the_user_neither_matter_nor_change() -> None:
    usual = pictures(a_report())
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path", "lines.linewidth": 9, "axes.facecolor": "red"}):
        before = dict(mpl.rcParams)
        assert pictures(a_report()) == usual
        assert dict(mpl.rcParams) == before


@pytest.mark.parametrize(
    "name",
    ["$x$", "$", r"\$", r"$\frac{1}{", "$$", r"\alpha", "_^{}", "a\nb", "<&>", "%", "😀", "日本", "\0", "\ud800"],
)
def test_names_are_drawn_as_they_are(name: str) -> None:
    shown = {"a\nb": "a\\nb", "\0": "\\x00", "\ud800": "\\ud800"}.get(name, name)
    nodes = (a_node(0, label=(name,)), a_node(1, 1))
    drawn = pictures(
        a_document(
            policy=name,
            drawing=Drawing(nodes, (Edge(0, 1, (name,), on_witness=False),)),
            tool_map=a_tool_map([name], density=0),
            calendar=a_calendar([name], 1),
            findings=(a_finding(stages=some_stages([name], 2, reason=name), message=name),),
        )
    )
    for picture, times in (("graph", 3), ("tools", 2), ("calendar", 2), ("finding-1-dead-end", 3)):
        assert sum(shown in text for text in texts(drawn[f"{picture}.svg"])) >= times


def test_long_names_are_cut() -> None:
    nodes = (a_node(0), a_node(1, 1))
    drawing = Drawing(nodes, (Edge(0, 1, ("x" * 10_000,), on_witness=False),))
    drawn = texts(pictures(a_document(policy="y" * 10_000, drawing=drawing))["graph.svg"])
    assert all(len(text) < 200 for text in drawn)
    assert any(text.endswith("x…") for text in drawn)
    assert any(text.endswith("y…") for text in drawn)


def test_the_largest_pictures_can_still_be_drawn() -> None:
    nodes = tuple(a_node(number, number) for number in range(120))
    edges = tuple(Edge(number, number + 1, ("x" * 60,), on_witness=False) for number in range(119))
    assert pictures(a_document(drawing=Drawing(nodes, edges)))["graph.png"].startswith(b"\x89PNG")
