"""The sets of piece drawings (`LOOKS`) and the colour schemes of the board (`BOARDS`), the default first.

All sets have a drawing for each of the six pieces, under the same names. A colour scheme contains the colours
of the palette that it replaces.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from forsyth.games.chess.drawing.pieces import GLYPHS
from forsyth.kit.letters import LETTERS
from forsyth.scene import Colour, Stroke

_DISC_PATH: Final = "M10 50a40 40 0 0 1 80 0a40 40 0 0 1-80 0Z"
_PIECE_LETTERS: Final = {"king": "K", "queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "P"}


def _remove_inner_edges(strokes: tuple[Stroke, ...]) -> tuple[Stroke, ...]:
    """Return the strokes of a piece that draw its outline and its fillings, without the lines inside.

    The drawing then looks flat.
    """
    return tuple(stroke for stroke in strokes if stroke.fill != "none" or stroke.line == "outline")


def _make_letter_drawing(name: str) -> tuple[Stroke, ...]:
    """Return the strokes of a disc with the letter of a piece, such as N for ``knight``.

    A stroke is one path of a drawing.
    """
    letter = Stroke(LETTERS[_PIECE_LETTERS[name]], fill="none", line="owner-line", width=8)
    return Stroke(_DISC_PATH, line="outline", width=3), letter


LOOKS: Final[Mapping[str, Mapping[str, tuple[Stroke, ...]]]] = {
    "turned": GLYPHS,
    "flat": {name: _remove_inner_edges(strokes) for name, strokes in GLYPHS.items()},
    "letters": {name: _make_letter_drawing(name) for name in GLYPHS},
}
"""The strokes of each piece, by the name of the set and the name of the piece."""
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
"""The colours that each colour scheme replaces in the palette of the scene."""
