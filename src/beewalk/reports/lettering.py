"""Lettering: how wide words are in a picture, and how they are cut and wrapped to fit. All lengths are in points."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from unicodedata import category

from beewalk.reports.terminal import printable

SMALL: Final = 7.5  # the least size of any text, in points at 100 %
PLAIN: Final = 8.5
HEAD: Final = 12.0
LEADING: Final = 1.28  # from line to line, in sizes

_MOST_READ = 600  # characters that are looked at; whatever is longer is cut anyway


def shown(text: str) -> str:
    r"""What is drawn for a text of a user's: control characters as escapes, no piles of accents, not too much of it.

    Example:
        >>> shown("a\nb")
        'a\\nb'
    """
    read = text[:_MOST_READ]
    plain = "".join(
        one for before, one in zip(" " + read, read, strict=False) if not (_is_mark(before) and _is_mark(one))
    )
    return printable(plain) + ("…" if len(text) > _MOST_READ else "")


def _is_mark(character: str) -> bool:
    """Whether it is set over or under the one before it; piled up, such marks would reach into other lines."""
    return category(character) in {"Mn", "Me"}


@lru_cache(maxsize=20_000)
def width_of(line: str, size: float, bold: bool = False) -> float:
    """Width of one line; a little more than its ink, for renderers round differently."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415 - takes a second, and only drawing needs it
    from matplotlib.textpath import text_to_path  # noqa: PLC0415

    if not line:
        return 0.0
    font = FontProperties(size=size, weight="bold" if bold else "normal")
    return float(text_to_path.get_text_width_height_descent(line, font, False)[0]) * 1.03 + 1


def widest(lines: Sequence[str], size: float, *, bold: bool = False) -> float:
    """Width of the widest of `lines`, 0 for none."""
    return max((width_of(line, size, bold) for line in lines), default=0.0)


def fitted(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """As much of `text` as fits into `room`, shown as one line; an ellipsis says where it is cut."""
    line = shown(text)
    if width_of(line, size, bold) <= room:
        return line
    least, most = 0, len(line)
    while least < most:
        middle = (least + most + 1) // 2
        if width_of(line[:middle].rstrip() + "…", size, bold) <= room:
            least = middle
        else:
            most = middle - 1
    return line[:least].rstrip() + "…"


def wrapped(text: str, size: float, room: float, *, most: int, bold: bool = False) -> list[str]:
    """`text` in at most `most` lines of width `room`, broken at spaces where it can be; the last may be cut."""
    words = shown(text).split()
    lines: list[str] = []
    while words:
        if len(lines) == most - 1:
            return [*lines, fitted(" ".join(words), size, room, bold=bold)]
        count = _as_many_as_fit(words, size, room, bold)
        if count:
            lines.append(" ".join(words[:count]))
            del words[:count]
        else:
            head = fitted(words[0], size, room, bold=bold)[:-1] or words[0][0]
            lines.append(head)
            words[0] = words[0][len(head) :]
            if not words[0]:
                del words[0]
    return lines


def _as_many_as_fit(words: Sequence[str], size: float, room: float, bold: bool) -> int:
    count = 0
    while count < len(words) and width_of(" ".join(words[: count + 1]), size, bold) <= room:
        count += 1
    return count


def listed(names: Sequence[str], most: int, *, word: str = "more") -> str:
    """Names with commas between, each cut to 40 characters, the ones beyond `most` only counted.

    Example:
        >>> listed(["a", "b", "c", "d"], 2)
        'a, b and 2 more'
    """
    parts = [one if len(one) <= 40 else f"{one[:39]}…" for one in (shown(name) for name in names[:most])]
    rest = len(names) - most
    if rest > 0:
        return f"{', '.join(parts)} and {rest:,} {word}"
    return ", ".join(parts)
