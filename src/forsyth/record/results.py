"""Results of games: the points of each player, first player first, or ``*`` for no result.

Reading also accepts, with a warning: ``½`` for ``1/2``, a single ``½`` or ``1/2`` for a draw of two players,
any dash for the hyphen, and blanks around the hyphen.
"""

from __future__ import annotations

import re
from typing import Final

from forsyth.dashes import DASHES

_RESULT: Final = re.compile(r"\*|(?=[0-]*1)(?:0|1(?:/2)?)(?:-(?:0|1(?:/2)?))+")
"""A result as it is written. At least one number is not 0, because some write castling as ``0-0``."""

_HYPHEN: Final = r"[^\S\r\n]*+-[^\S\r\n]*+"
LOOSE_RESULT: Final = (
    rf"\*|(?:1/2|½)(?!{_HYPHEN})|(?=(?:0{_HYPHEN})*+[1½])(?:0|1(?:/2)?|½)(?:{_HYPHEN}(?:0|1(?:/2)?|½))+"
)
"""Pattern of a result in any accepted spelling, in a text whose dashes were replaced by hyphens."""
_LOOSE: Final = re.compile(LOOSE_RESULT)
_BLANKS: Final = re.compile(r"\s+")


def is_result(text: str) -> bool:
    """Return whether `text` is a result in its canonical spelling, such as ``1-0``, ``1/2-1/2`` or ``*``."""
    return _RESULT.fullmatch(text) is not None


def read_result(text: str) -> str | None:
    """Return a result in its canonical spelling, or None if `text` is not a result.

    ``1–0`` becomes ``1-0``; ``½`` and ``1/2 – 1/2`` become ``1/2-1/2``.
    """
    with_hyphens = text.translate(DASHES)
    if _LOOSE.fullmatch(with_hyphens) is None:
        return None
    result = _BLANKS.sub("", with_hyphens).replace("½", "1/2")
    return "1/2-1/2" if result == "1/2" else result
