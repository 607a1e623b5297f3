"""A finding's witness as a strip of cards, one for each request: what was offered, what was not, what was called."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING, Final

from beewalk.reports.document import FindingEntry, ReportDocument, Stage
from beewalk.reports.lettering import LEADING, PLAIN, SMALL, fitted, width_of, wrapped
from beewalk.reports.sheet import (
    BLUE,
    DARK_RED,
    FINAL_ANSWER,
    GREY,
    INK,
    PALE,
    PAPER,
    SAMPLE_WIDTH,
    VERMILLION,
    Rect,
    Sample,
    Sheet,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_STAGES: Final = 12  # cards; where there are more stages, one of the cards says how many are left out
FIRST_STAGES: Final = 4

_CARD, _GAP = 170.0, 76.0
_A_ROW = 4
_PAD = 10.0
_MOST_CHIPS = 8
_MOST_KEPT_OUT = 6
_REASON_LINES = 3
_ENDS_LINES = 6
_CHIP_HIGH = 16.0
_TINT = "#FBE6D8"


@dataclass(frozen=True, slots=True)
class _Words:
    """A line in a card, with the room that it takes."""

    line: str
    size: float = SMALL
    bold: bool = False
    colour: str = INK
    indent: float = 0.0
    before: float = 0.0

    @property
    def height(self) -> float:
        return self.before + self.size * LEADING

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        place = (x + self.indent, y + self.before + self.size * LEADING / 2)
        sheet.words(place, self.line, size=self.size, bold=self.bold, colour=self.colour)


@dataclass(frozen=True, slots=True)
class _Chips:
    """A row of tools, each with its x, width and how it is marked: "", "forced" or "taken"."""

    chips: tuple[tuple[float, float, str, str], ...]
    height: float = _CHIP_HIGH + 3

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        for left, wide, name, mark in self.chips:
            _draw_chip(sheet, Rect(x + left, y + 2, wide, _CHIP_HIGH), name, mark)


@dataclass(frozen=True, slots=True)
class _Card:
    """A stage with its number in its run, or how many are left out in its place."""

    run: int
    number: int = 0
    stage: Stage | None = None
    left_out: int = 0


def strip(document: ReportDocument, finding: FindingEntry) -> "Figure":
    """The strip of `finding`; long ones keep their first and last stages, and say how many are left out."""
    sheet = Sheet()
    rows = list(_rows(list(_cards(finding.stages))))
    wide = max((len(row) for row in rows), default=0) * (_CARD + _GAP)
    sheet.right = max(wide if len(rows) > 1 else wide - _GAP, 460.0)
    y = sheet.title(f"{finding.severity} {finding.code}: {document.policy}", finding.message)
    several = len({stage.run for stage in finding.stages}) > 1
    last_run = 0
    for row in rows:
        run = row[0].run
        if several and run != last_run:
            y = _draw_run(sheet, run, y)
        y = _draw_row(sheet, row, y, comes_on=run == last_run)
        last_run = run
    sheet.legend(sheet.bottom + 12, list(_legend(finding.stages)))
    return sheet.finished()


def _cards(stages: Sequence[Stage]) -> Iterator[_Card]:
    numbered: list[_Card] = []
    for stage in stages:
        number = numbered[-1].number + 1 if numbered and numbered[-1].run == stage.run else 1
        numbered.append(_Card(stage.run, number, stage))
    if len(numbered) <= MOST_STAGES:
        yield from numbered
        return
    last = MOST_STAGES - FIRST_STAGES - 1
    yield from numbered[:FIRST_STAGES]
    yield _Card(numbered[FIRST_STAGES - 1].run, left_out=len(numbered) - FIRST_STAGES - last)
    yield from numbered[-last:]


def _rows(cards: Sequence[_Card]) -> Iterator[list[_Card]]:
    """Rows of at most _A_ROW cards, about equally many in each row of a run."""
    for _, run in groupby(cards, key=lambda card: card.run):
        left = list(run)
        for rows in range(ceil(len(left) / _A_ROW), 0, -1):
            count = ceil(len(left) / rows)
            yield left[:count]
            del left[:count]


def _draw_run(sheet: Sheet, run: int, y: float) -> float:
    """The band that parts runs; the y where it ends."""
    sheet.box(Rect(0, y, sheet.right, 18), shape="plain", fill="#ECEEF1", edge="#ECEEF1")
    sheet.words((8, y + 9), f"run {run}", bold=True)
    return y + 18 + 12


def _draw_row(sheet: Sheet, row: Sequence[_Card], y: float, *, comes_on: bool) -> float:
    """A row of cards of one height, with the calls between them; the y where it ends."""
    contents = [list(_content(card)) for card in row]
    high = max(sum(piece.height for piece in content) for content in contents) + 2 * _PAD
    if comes_on:
        sheet.stroke(((-30, y + 34), (-30, y + 34), (0, y + 34), (0, y + 34)), colour=INK, width=1.8)
        sheet.head((0, y + 34), colour=INK, size=8.0)
    for index, (card, content) in enumerate(zip(row, contents, strict=True)):
        rect = Rect(index * (_CARD + _GAP), y, _CARD, high)
        _draw_card(sheet, card, content, rect)
        move = card.stage.move if card.stage else ""
        if move is not None:
            _draw_move(sheet, rect.right, y + 34, move)
    return y + high + 22


def _draw_card(sheet: Sheet, card: _Card, content: Sequence["_Words | _Chips"], rect: Rect) -> None:
    if card.stage is None:
        sheet.box(rect, edge=GREY, dashed=True)
    elif card.stage.ends:
        sheet.box(rect, shape="cut", fill=_TINT, edge=VERMILLION, width=2.4)
    else:
        sheet.box(rect, edge=PALE, width=1.2)
    y = rect.y + _PAD
    for piece in content:
        piece.draw(sheet, rect.x + _PAD, y)
        y += piece.height


def _draw_move(sheet: Sheet, x: float, y: float, move: str) -> None:
    """The call that leads on: an arrow over the gap, its name above it."""
    end = x + _GAP
    sheet.stroke(((x, y), (x, y), (end, y), (end, y)), colour=INK, width=1.8)
    sheet.head((end, y), colour=INK, size=8.0)
    lines = wrapped(move, SMALL, _GAP - 10, most=3, bold=True) if move else []
    for index, line in enumerate(reversed(lines)):
        place = (x + _GAP / 2 - 2, y - 7 - SMALL * LEADING * index)
        sheet.words(place, line, size=SMALL, bold=True, align="center")


def _content(card: _Card) -> Iterator["_Words | _Chips"]:
    if card.stage is None:
        yield _Words(f"… {card.left_out:,} more calls …", PLAIN, bold=True)
        yield _Words("left out here", colour=GREY)
        return
    stage, room = card.stage, _CARD - 2 * _PAD
    yield _Words(f"before call {card.number}", PLAIN, bold=True)
    yield _Words("offered", colour=GREY, before=4)
    if stage.offered:
        yield from _chips(stage, room)
    else:
        yield _Words("nothing at all", PLAIN, bold=True, colour=DARK_RED)
    if not stage.can_stop and FINAL_ANSWER not in dict(stage.kept_out):
        yield _Words("the agent may not stop yet", before=3)
    yield from _kept_out(stage, room)
    ends = wrapped(f"✖ {stage.ends}", PLAIN, room, most=_ENDS_LINES, bold=True) if stage.ends else []
    for index, line in enumerate(ends):
        yield _Words(line, PLAIN, bold=True, colour=DARK_RED, before=0 if index else 8)


def _kept_out(stage: Stage, room: float) -> Iterator[_Words]:
    if not stage.kept_out:
        return
    yield _Words("kept out", colour=GREY, before=5)
    for tool, reason in stage.kept_out[:_MOST_KEPT_OUT]:
        yield _Words(fitted(f"✕ {tool}", SMALL, room, bold=True), bold=True, before=2)
        for line in wrapped(reason, SMALL, room - 9, most=_REASON_LINES):
            yield _Words(line, colour=GREY, indent=9)
    rest = len(stage.kept_out) - _MOST_KEPT_OUT
    if rest > 0:
        yield _Words(f"and {rest:,} more", colour=GREY, before=2)


def _chips(stage: Stage, room: float) -> Iterator["_Words | _Chips"]:
    """Rows of chips, and how many tools are left out."""
    taken = (stage.move or "").removeprefix("repeat ").partition(":")[0]
    tools = sorted(stage.offered, key=lambda tool: tool not in {taken, stage.forced})[:_MOST_CHIPS]
    tools = [tool for tool in stage.offered if tool in tools][:_MOST_CHIPS]
    row: list[tuple[float, float, str, str]] = []
    x = 0.0
    for tool in tools:
        mark = "forced" if tool == stage.forced else "taken" if tool == taken else ""
        bold = mark != ""
        name = fitted(f"must: {tool}" if mark == "forced" else tool, SMALL, room - 12, bold=bold)
        wide = width_of(name, SMALL, bold) + 11
        if row and x + wide > room:
            yield _Chips(tuple(row))
            row, x = [], 0.0
        row.append((x, wide, name, mark))
        x += wide + 4
    yield _Chips(tuple(row))
    if len(stage.offered) > len(tools):
        yield _Words(f"and {len(stage.offered) - len(tools):,} more", colour=GREY, before=2)


def _draw_chip(sheet: Sheet, rect: Rect, name: str, mark: str) -> None:
    fill, edge, ink = {"forced": (BLUE, BLUE, PAPER), "taken": (INK, INK, PAPER)}.get(mark, (PAPER, GREY, INK))
    sheet.box(rect, fill=fill, edge=edge, width=0.9)
    sheet.words(rect.middle, name, size=SMALL, bold=bool(mark), colour=ink, align="center")


def _legend(stages: Sequence[Stage]) -> Iterator[tuple[Sample, str]]:
    yield _chip_sample("taken"), "the call that was made next"
    if any(stage.forced for stage in stages):
        yield _chip_sample("forced"), "blue, must: no other call is possible"
    if any(len(stage.offered) > 1 for stage in stages):
        yield _chip_sample(""), "also possible"
    if any(stage.ends for stage in stages):
        yield _end_sample, "cut corners: what is wrong"


def _chip_sample(mark: str) -> Sample:
    def draw(sheet: Sheet, x: float, y: float) -> None:
        _draw_chip(sheet, Rect(x, y - 6, SAMPLE_WIDTH, 12), "", mark)

    return draw


def _end_sample(sheet: Sheet, x: float, y: float) -> None:
    sheet.box(Rect(x, y - 6, SAMPLE_WIDTH, 12), shape="cut", fill=_TINT, edge=VERMILLION, width=2.0)
