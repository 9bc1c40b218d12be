"""The Unicode symbols of chess pieces: on boards drawn as text, and in printed records (``♘f3``)."""

from __future__ import annotations

from typing import Final

OUTLINED: Final = dict(zip("KQRBNP", "♔♕♖♗♘♙", strict=True))
"""The white chess symbol for each piece letter."""
SOLID: Final = dict(zip("KQRBNP", "♚♛♜♝♞♟", strict=True))
"""The black chess symbol for each piece letter."""
_VARIATION_SELECTORS: Final = "\ufe0e\ufe0f"
"""Characters that may follow a symbol: display it as text, or as an emoji."""

FIGURINES: Final = {
    **{ord(symbol): letter for symbols in (OUTLINED, SOLID) for letter, symbol in symbols.items()},
    # The text of a pawn move begins with the square, without a letter.
    **dict.fromkeys(map(ord, (OUTLINED["P"], SOLID["P"], *_VARIATION_SELECTORS)), ""),
}
"""The piece letter for the code point of each symbol, as a table for `str.translate`.

Records use the symbols of either colour for both sides.
"""
