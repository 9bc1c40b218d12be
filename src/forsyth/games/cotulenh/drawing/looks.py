"""The sets of piece drawings (`LOOKS`) and the colour schemes of the map (`BOARDS`) of CoTuLenh, by name.

The default comes first in each. All sets name their drawings in the same way, see `pieces.glyph_name`. A
colour scheme contains the palette colours that it changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from forsyth.games.cotulenh.drawing.pieces import GLYPHS
from forsyth.kit.letters import LETTERS
from forsyth.scene import Colour, Stroke

_SWAPPED_ROLES: Final = {"owner": "owner-line", "owner-line": "owner"}
_HEROIC_MARK_LINES: Final = ("heroic", "outline")
"""Line colours of the golden rim and the star of a heroic piece. No pictogram uses them."""


def _draw_lettered(name: str) -> tuple[Stroke, ...]:
    """Return the drawing of a piece with its letter in place of the pictogram.

    `name` is the name of the drawing, such as ``blue +N``.
    """
    counter, *strokes = GLYPHS[name]
    letter = Stroke(LETTERS[name[-1]], fill="none", line="owner-line", width=8.5)
    # A heroic piece has a rim below the letter and a star above it.
    heroic_marks = [stroke for stroke in strokes if stroke.line in _HEROIC_MARK_LINES]
    return counter, *heroic_marks[:1], letter, *heroic_marks[1:]


def _draw_outlined(name: str) -> tuple[Stroke, ...]:
    """Return the drawing of a piece on a light counter, with pictogram and rim in its owner's colour.

    `name` is the name of the drawing, such as ``blue +N``.
    """
    counter, *strokes = GLYPHS[name]
    swapped_strokes = (
        stroke._replace(
            fill=_SWAPPED_ROLES.get(stroke.fill, stroke.fill),
            line=_SWAPPED_ROLES.get(stroke.line, stroke.line),
        )
        for stroke in strokes
    )
    return counter._replace(fill="owner-line", line="owner", width=7), *swapped_strokes


LOOKS: Final[Mapping[str, Mapping[str, tuple[Stroke, ...]]]] = {
    "pictures": GLYPHS,
    "letters": {name: _draw_lettered(name) for name in GLYPHS},
    "outlined": {name: _draw_outlined(name) for name in GLYPHS},
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
