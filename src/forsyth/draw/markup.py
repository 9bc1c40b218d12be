"""What all SVG here is written with: words made safe, short numbers, places.

Accepts any text: characters that XML cannot hold become U+FFFD, and nothing in it can end a tag or an
attribute. Numbers have two places behind the point at most.
"""

from __future__ import annotations

import re
from typing import Final

UNIT: Final = 100
"""Units per cell: the box of a glyph, so that most tokens need no scaling."""

PREFIX: Final = "\0"
"""Stands for the prefix of names until the content is known; `words` keeps it out of all other text."""

ROUND: Final = 'stroke-linejoin="round" stroke-linecap="round"'

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPED: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def words(text: str) -> str:
    """Text that is safe between tags and between double quotes, in SVG and in HTML."""
    return _NOT_XML.sub("\ufffd", text).translate(_ESCAPED)


def short(value: float) -> str:
    """A number with two places behind the point at most."""
    return f"{round(value, 2):g}"


def place(x: float, y: float, scale: float) -> str:
    """The attribute that puts a group somewhere, larger or smaller."""
    sized = "" if scale == 1 else f" scale({short(scale)})"
    return f' transform="translate({short(x)} {short(y)}){sized}"'
