"""How chess can be drawn: sets of pieces and colours of the board, by name.

Accepts nothing, writes `LOOKS` and `BOARDS`, the usual one first in each. A set has a drawing for every piece
under the same names; a board says what it changes in the palette.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from forsyth.games.chess.drawing.pieces import GLYPHS
from forsyth.kit.letters import LETTERS
from forsyth.scene import Colour, Stroke

_DISC: Final = "M10 50a40 40 0 0 1 80 0a40 40 0 0 1-80 0Z"
_LETTER_OF: Final = {"king": "K", "queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "P"}


def _flat(strokes: tuple[Stroke, ...]) -> tuple[Stroke, ...]:
    """A silhouette: without the edges inside it."""
    return tuple(stroke for stroke in strokes if stroke.fill != "none" or stroke.line == "outline")


def _lettered(name: str) -> tuple[Stroke, ...]:
    letter = Stroke(LETTERS[_LETTER_OF[name]], fill="none", line="owner-line", width=8)
    return Stroke(_DISC, line="outline", width=3), letter


LOOKS: Final[Mapping[str, Mapping[str, tuple[Stroke, ...]]]] = {
    "turned": GLYPHS,
    "flat": {name: _flat(strokes) for name, strokes in GLYPHS.items()},
    "letters": {name: _lettered(name) for name in GLYPHS},
}
BOARDS: Final[Mapping[str, Mapping[str, Colour]]] = {
    "sand": {},
    "green": {
        "light": Colour("#eef1e0", "#a5b096"),
        "dark": Colour("#9cb389", "#5f7552"),
        "pocket": Colour("#dde4cd", "#7d8a70"),
    },
    "blue": {
        "light": Colour("#edf1f4", "#a2b0bb"),
        "dark": Colour("#a3b7c7", "#59707f"),
        "pocket": Colour("#dbe3e9", "#7a8a96"),
    },
    "brown": {
        "light": Colour("#f2dfc0", "#bfa784"),
        "dark": Colour("#c39a6b", "#8a6b48"),
        "pocket": Colour("#e6d0ab", "#93795a"),
    },
}
