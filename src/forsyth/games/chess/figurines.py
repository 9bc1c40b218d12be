"""The signs of chess men: drawn on boards as text, and in printed records in place of letters (``♘f3``)."""

from __future__ import annotations

from typing import Final

OUTLINED: Final = dict(zip("KQRBNP", "♔♕♖♗♘♙", strict=True))
SOLID: Final = dict(zip("KQRBNP", "♚♛♜♝♞♟", strict=True))
_STYLES: Final = "\ufe0e\ufe0f"
"""Behind a sign: drawn as text, or as a picture."""

FIGURINES: Final = {
    **{ord(sign): letter for men in (OUTLINED, SOLID) for letter, sign in men.items()},
    # A pawn has no letter in a move.
    **dict.fromkeys(map(ord, (OUTLINED["P"], SOLID["P"], *_STYLES)), ""),
}
"""For `str.translate`. Records use the signs of either colour for both sides."""
