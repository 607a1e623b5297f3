"""Documents made by hand for reports as text, with one text wherever a user's can stand."""

from dataclasses import replace

from beewalk.reports.document import (
    BecauseLine,
    Drawing,
    Edge,
    FindingEntry,
    Node,
    Place,
    ReportDocument,
    RulingLine,
    Stage,
    ToolLine,
    ToolMap,
)
from tests.cli.test_hostile_names import HOSTILE as NAMES
from tests.support.pictures import a_document, a_finding, a_node

# Besides names that mean something to a terminal: texts that mean something to a format of a report.
HOSTILE = {
    **NAMES,
    "a mention": "@team",
    "a link of Markdown": "[x](http://example.org) ![x](http://example.org)",
    "placeholders": "{0} {x} }{",
    "a direction": "go direction  TB now",
    "a fork": "<<fork>> [[choice]]",
    "a list": "1. item",
    "another list": "- item",
    "emphasis": "__init__ _x_",
    "a comment of Mermaid": "%% c",
    "an end": 'x" as s9',
    "entities": "&lt;b&gt; &#64; #lt; #58;",
    "quotes": "\"'`",
    "escapes": "\\n \\l \\N \\",
    "tags that fold": "</details></summary>",
    "comments of HTML": "<!-- --> -->",
    "fences": "```\n~~~",
    "half a character": "a\ud800b",
    "a cell": "| a | b |",
    "nothing": "",
    "spaces alone": "   ",
}


def a_report(text: str, **changes: object) -> ReportDocument:
    """A document with an error, an accepted, a known and a folded finding, tools and a graph, all telling of `text`."""
    findings = (
        an_error(text),
        a_finding("tool-never-allowed", severity="warning", message=text, tools=(text,), accepted=text or "why not"),
        a_finding("cannot-stop", message=text, runs=((text,), (text,)), blame=(text,), known=True, places=(PLACE,)),
        a_finding("denial-counts-as-success", severity="note", message=text, blame=(text,), places=(PLACE,)),
    )
    made = a_document(
        policy=text,
        outcomes=("ok", text),
        assumed=(text,),
        tools=(ToolLine(text, True, False, 1, None), ToolLine("final_answer", True, False, 1, 1)),
        findings=findings,
        drawing=a_drawing(text),
        tool_map=ToolMap((text, "final_answer"), (), (text,), ((text, "final_answer"),), ()),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


PLACE = Place("p.policy.yaml", 1, 1)


def an_error(text: str) -> FindingEntry:
    """A dead end with two places to blame and a witness of two stages."""
    ruling = RulingLine(text, allowed=False, because=(BecauseLine("forbids", text, text, text, text),), sentence=text)
    return a_finding(
        message=f"after {text}: {text}",
        witness=(text, text),
        needs=(text,),
        rulings=(ruling,),
        blame=(f"requirements[0].only_after ({text})", "requirements[1]"),
        mends=(text, f"drop {text}"),
        meaning="a run can end stuck",
        places=(Place(f"a b/{text[:50]}.yaml", 1, 2), Place("x/ü#%?.yaml", 3, 4)),
        stages=(
            Stage(1, (text, "b"), text, can_stop=False, kept_out=((text, text),), move=text),
            Stage(1, (), None, can_stop=False, kept_out=((text, text),), move=None, ends="nothing is allowed"),
        ),
    )


def a_drawing(text: str) -> Drawing:
    """A start with a loop, a dead end and a state where a requirement raises, in a row."""
    kinds = ("state", "dead_end", "requirement_error")
    nodes: list[Node] = [
        a_node(
            number, number, kind=kind, label=(text, f"s {number}"), can_answer=not number, lost=number > 0,
            offered=(text,), loops=() if number else (text,),
        )
        for number, kind in enumerate(kinds)
    ]  # fmt: skip
    edges = (Edge(0, 1, (text, "b"), on_witness=True), Edge(1, 2, (text,), on_witness=False))
    return Drawing(tuple(nodes), edges)
