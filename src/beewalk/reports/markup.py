"""Markup: users' texts in Markdown, with nothing in them taken for markup."""

import re
from collections.abc import Iterable

from beewalk.reports.terminal import printable

LONGEST = 2_000  # characters of one text


def plain(text: str) -> str:
    """The text within a line of Markdown: no markup, HTML or formulas, no links, and nobody is notified."""
    escaped = printable(shortened(text)).replace("&", "&amp;").replace("<", "&lt;")
    marked = re.sub(r"([\\`*_~\[\]|])", r"\\\1", escaped)
    return re.sub(r"(@|#|://|\bwww\.)", r"\1<!-- -->", marked).replace("$", "&#36;")


def fenced(lines: Iterable[str], language: str = "text") -> list[str]:
    """The lines in a block that shows them as they are: its fence is longer than any in them."""
    shown = [printable(shortened(line)) for line in lines]
    longest = max((len(run) for line in shown for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, 1 + longest)
    return [f"{fence}{language}", *shown, fence]


def shortened(text: str) -> str:
    """The text, cut in the middle where it is far too long."""
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
