"""Shared parts of all SVG in this package: escaped text, short numbers, transformations.

`escape_text` accepts any text: characters that XML does not allow become U+FFFD, and no text can end a tag or
an attribute. Numbers have at most two decimal places.
"""

from __future__ import annotations

import re
from typing import Final

UNIT: Final = 100
"""The side of a cell in SVG units. It equals the side of a glyph, so that most tokens need no scaling."""

PREFIX: Final = "\0"
"""Placeholder for the prefix of class names and ids, which is a hash of the finished picture.

`escape_text` replaces this character in all other text.
"""

ROUND: Final = 'stroke-linejoin="round" stroke-linecap="round"'
"""The attributes for round line ends and corners."""

_INVALID_XML_CHARACTER: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that XML 1.0 does not allow."""
_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def escape_text(text: str) -> str:
    """Escape a text for use between tags and between double quotes, in SVG and in HTML.

    ``a<b`` becomes ``a&lt;b``. Characters that XML does not allow, such as most control characters, become
    U+FFFD.
    """
    return _INVALID_XML_CHARACTER.sub("\ufffd", text).translate(_ESCAPES)


def format_number(value: float) -> str:
    """Write a number with at most two decimal places and without trailing zeros, such as ``2.5``."""
    return f"{round(value, 2):g}"


def write_transform(x: float, y: float, scale: float) -> str:
    """Return the SVG attribute ``transform`` that moves a group to (x, y) and scales it by `scale`.

    The result begins with a blank, such as `` transform="translate(100 0) scale(0.5)"``.
    """
    translation = f"translate({format_number(x)} {format_number(y)})"
    scaling = "" if scale == 1 else f" scale({format_number(scale)})"
    return f' transform="{translation}{scaling}"'
