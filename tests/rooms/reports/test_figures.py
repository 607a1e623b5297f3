"""Pictures: what is drawn, that nothing in a name is obeyed, and that the same graph is the same file."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest

from beewalk import Policy, Tool
from beewalk.opening.report import report_of
from beewalk.properties.exploration import explore_policy
from beewalk.reports.figures import graph_picture
from tests.support.builders import a_policy, when

PLAN = """\
import sys
from beewalk.opening.report import report_of
from beewalk.properties.exploration import explore_policy
from beewalk.reports.figures import graph_picture
from tests.rooms.reports.test_figures import plan
sys.stdout.buffer.write(graph_picture(report_of(explore_policy(plan())))["svg"])
"""


def plan() -> Policy:
    return a_policy(
        "think weather search",
        when("think", force_at_step=1),
        when("search", only_after="weather", min_invocations=1, max_invocations=2),
        when("weather", consecutive_allowed=False, min_invocations=1, max_invocations=2),
    )


def pictures(policy: Policy, **options: Any) -> dict[str, bytes]:
    return graph_picture(report_of(explore_policy(policy, **options)))


def texts(svg: bytes) -> list[str]:
    """The texts of a picture, in the order in which they are drawn."""
    root = ET.fromstring(svg)  # noqa: S314 - our own file
    return ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_same_policy_is_the_same_file() -> None:
    assert pictures(plan()) == pictures(plan())


@pytest.mark.parametrize("seed", ["1", "2"])
def test_other_process_with_other_hashes_draws_the_same_file(seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run([sys.executable, "-c", PLAN], env=environment, capture_output=True, check=True)
    assert done.stdout == pictures(plan())["svg"]


def test_settings_of_the_user_neither_matter_nor_change(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = pictures(plan())
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path", "lines.linewidth": 9, "axes.facecolor": "red"}):
        before = dict(mpl.rcParams)
        assert pictures(plan()) == usual
        assert dict(mpl.rcParams) == before


def test_both_formats_are_drawn() -> None:
    drawn = pictures(plan())
    assert list(drawn) == ["svg", "png"]
    assert drawn["png"].startswith(b"\x89PNG")
    assert b"<svg " in drawn["svg"]
    assert b"<dc:date>" not in drawn["svg"]


def test_states_moves_and_title_are_written_as_text() -> None:
    drawn = texts(pictures(plan())["svg"])
    assert "policy   states: 9, moves: 22" in drawn
    assert drawn.count("start") == 1
    assert {"think", "weather", "search", "↻ think"} <= set(drawn)


def test_error_is_drawn_with_its_witness_and_explained() -> None:
    stuck = a_policy("a", when("final_answer", only_after="*", max_invocations=0), when("a", max_invocations=1))
    svg = pictures(stuck)["svg"]
    assert "dead end" in texts(svg)
    assert "orange: a shortest way into the first error" in texts(svg)
    assert b"#d55e00" in svg
    clean = pictures(plan())["svg"]
    assert "orange: a shortest way into the first error" not in texts(clean)
    assert b"#d55e00" not in clean


def test_state_where_a_requirement_raises_is_drawn() -> None:
    raising = a_policy("a b", when("a", force_at_step=2, max_invocations=0), when("b", min_invocations=1))
    assert "raises" in texts(pictures(raising)["svg"])


@pytest.mark.parametrize(
    "name", ["$x$", "$", r"\$", r"$\frac{1}{", "$$", r"\alpha", "_^{}", "a\nb", "<&>", "%", "😀", "日本"]
)
def test_names_are_drawn_as_they_are(name: str) -> None:
    policy = Policy([Tool(name)], [when(name, min_invocations=1, max_invocations=1)], name=name)
    drawn = texts(pictures(policy)["svg"])
    shown = name.replace("\n", "\\n")
    assert shown in drawn
    assert f"{shown}   states: 2, moves: 2" in drawn


def test_long_names_are_cut() -> None:
    policy = Policy([Tool("x" * 10_000)], [when("x" * 10_000, max_invocations=1)], name="y" * 10_000)
    drawn = texts(pictures(policy)["svg"])
    assert "x" * 27 + "…" in drawn
    assert "y" * 39 + "…   states: 2, moves: 3" in drawn


def test_picture_grows_with_the_graph() -> None:
    widths = []
    for calls in (5, 10, 20):
        root = ET.fromstring(pictures(a_policy("a", when("a", max_invocations=calls)))["svg"])  # noqa: S314 - our own
        widths.append(float(root.attrib["width"].removesuffix("pt")))
    assert widths[2] - widths[1] == pytest.approx(2 * (widths[1] - widths[0])), "so much for a layer"
