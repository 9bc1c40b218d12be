"""Results: one number for each player, first player first, and ``*`` where there is none.

Reading also takes, with a warning: ``½`` for ``1/2``, one of them alone for a draw of two, any dash for the
hyphen, and blanks around it.
"""

from __future__ import annotations

import re
from typing import Final

from forsyth.dashes import DASHES

_RESULT: Final = re.compile(r"\*|(?=[0-]*1)(?:0|1(?:/2)?)(?:-(?:0|1(?:/2)?))+")
"""One of the numbers is not nought: ``0-0`` is how some write castling."""

_HYPHEN: Final = r"[^\S\r\n]*+-[^\S\r\n]*+"
LOOSE_RESULT: Final = (
    rf"\*|(?:1/2|½)(?!{_HYPHEN})|(?=(?:0{_HYPHEN})*+[1½])(?:0|1(?:/2)?|½)(?:{_HYPHEN}(?:0|1(?:/2)?|½))+"
)
"""A result in any spelling, in a text whose dashes are hyphens."""
_LOOSE: Final = re.compile(LOOSE_RESULT)
_BLANKS: Final = re.compile(r"\s+")


def is_result(text: str) -> bool:
    """Whether a text is a result as it is written."""
    return _RESULT.fullmatch(text) is not None


def read_result(text: str) -> str | None:
    """The result a text means, as it is written, or None."""
    plain = text.translate(DASHES)
    if _LOOSE.fullmatch(plain) is None:
        return None
    plain = _BLANKS.sub("", plain).replace("½", "1/2")
    return "1/2-1/2" if plain == "1/2" else plain
