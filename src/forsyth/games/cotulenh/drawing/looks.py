"""How CoTuLenh can be drawn: sets of pieces and colours of the map, by name.

Accepts nothing, writes `LOOKS` and `BOARDS`, the usual one first in each. A set has a drawing for every piece
under the same names; a board says what it changes in the palette.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from forsyth.games.cotulenh.drawing.pieces import GLYPHS
from forsyth.kit.letters import LETTERS
from forsyth.scene import Colour, Stroke

_SWAPPED: Final = {"owner": "owner-line", "owner-line": "owner"}
_MARKS: Final = ("heroic", "outline")
"""Roles of the counter, its golden rim and its star; the pictogram has none of them."""


def _lettered(name: str) -> tuple[Stroke, ...]:
    """The counter with the letter of the notation in place of the pictogram."""
    counter, *rest = GLYPHS[name]
    letter = Stroke(LETTERS[name[-1]], fill="none", line="owner-line", width=8.5)
    rim = [stroke for stroke in rest if stroke.line in _MARKS]
    return counter, *rim[:1], letter, *rim[1:]


def _outlined(name: str) -> tuple[Stroke, ...]:
    """The counter light, with the pictogram and a broad rim in the colour of its side."""
    counter, *rest = GLYPHS[name]
    swapped = (
        stroke._replace(
            fill=_SWAPPED.get(stroke.fill, stroke.fill), line=_SWAPPED.get(stroke.line, stroke.line)
        )
        for stroke in rest
    )
    return counter._replace(fill="owner-line", line="owner", width=7), *swapped


LOOKS: Final[Mapping[str, Mapping[str, tuple[Stroke, ...]]]] = {
    "pictures": GLYPHS,
    "letters": {name: _lettered(name) for name in GLYPHS},
    "outlined": {name: _outlined(name) for name in GLYPHS},
}
BOARDS: Final[Mapping[str, Mapping[str, Colour]]] = {
    "map": {},
    "green": {
        "water": Colour("#a9cbe0", "#1c3346"),
        "mixed": Colour("#cbe0e4", "#284150"),
        "land": Colour("#e2ebce", "#33402f"),
        "beach": Colour("#d4dfb6", "#455239"),
        "shore": Colour("#6a97ad", "#6d9ab2"),
        "grid": Colour("#55683f", "#b9c9a8"),
    },
    "grey": {
        "water": Colour("#ccd3d8", "#262b30"),
        "mixed": Colour("#dfe3e5", "#33383d"),
        "land": Colour("#f5f4f1", "#43444a"),
        "beach": Colour("#e8e6e0", "#515258"),
        "shore": Colour("#8d979e", "#8b959c"),
        "grid": Colour("#6a6a68", "#c4c4c2"),
    },
}
