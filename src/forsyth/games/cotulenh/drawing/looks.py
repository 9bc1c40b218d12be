"""The sets of piece drawings (`LOOKS`) and the colour schemes of the map (`BOARDS`) of CoTuLenh, by name.

The default comes first in each. All sets name their drawings in the same way, see `pieces.make_glyph_name`. A
colour scheme contains the palette colours that it changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from forsyth.games.cotulenh.drawing.pieces import GLYPHS
from forsyth.kit.letters import LETTERS
from forsyth.scene import Colour, Stroke

_SWAPPED_ROLES: Final = {"owner": "owner-line", "owner-line": "owner"}
"""The colour of the counter and that of the pictogram, each with the other one."""
_HEROIC_MARK_LINES: Final = ("heroic", "outline")
"""Line colours of the golden rim and the star of a heroic piece. No pictogram uses them."""


def _draw_lettered(name: str) -> tuple[Stroke, ...]:
    """Return the drawing of a piece with its letter in place of the pictogram.

    `name` is the name of the drawing, such as ``blue +N`` for a heroic navy.
    """
    counter, *strokes = GLYPHS[name]
    piece_letter = name[-1]
    letter = Stroke(LETTERS[piece_letter], fill="none", line="owner-line", width=8.5)
    heroic_marks = [stroke for stroke in strokes if stroke.line in _HEROIC_MARK_LINES]
    if not heroic_marks:
        return counter, letter
    rim, star = heroic_marks
    return counter, rim, letter, star


def _draw_outlined(name: str) -> tuple[Stroke, ...]:
    """Return the drawing of a piece on a light counter, with a pictogram in its owner's colour.

    The counter is the disc or square behind the pictogram, and its rim has the owner's colour, too. `name` is
    the name of the drawing, such as ``blue +N`` for a heroic navy.
    """
    counter, *strokes = GLYPHS[name]
    light_counter = counter._replace(fill="owner-line", line="owner", width=7)
    return light_counter, *(_swap_colours(stroke) for stroke in strokes)


def _swap_colours(stroke: Stroke) -> Stroke:
    """Return a stroke in which the owner's colour and the owner's line colour are exchanged."""
    return stroke._replace(
        fill=_SWAPPED_ROLES.get(stroke.fill, stroke.fill),
        line=_SWAPPED_ROLES.get(stroke.line, stroke.line),
    )


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
