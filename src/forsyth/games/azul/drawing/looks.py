"""The looks of Azul: sets of tile drawings and colours of the boards, by name.

`LOOKS` and `BOARDS` list the default first. A look has a drawing for every tile and for every print on the
wall, under the same names. A board is a set of changes to the palette.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from forsyth.games.azul.drawing.pieces import GLYPHS, make_print_colours, make_print_name
from forsyth.games.azul.tiles import COLOUR_NAMES
from forsyth.kit.letters import LETTERS
from forsyth.scene import Colour, Stroke

_BEVEL_STROKES: Final = 3
"""Number of strokes of a tile before its ornament: its square and two edges."""
_PRINT_STROKES: Final = 1
"""Number of strokes of a print on the wall before its ornament: its square."""
_ORNAMENT_WIDTH: Final = 9
"""Line width of the letters that replace the ornaments, in hundredths of a cell."""


def _replace_ornaments(letter_paths: Mapping[str, str]) -> dict[str, tuple[Stroke, ...]]:
    """Return the drawings of tiles and printed wall cells, by name, with other ornaments.

    `letter_paths` has the SVG path of the new ornament for each letter of a colour, such as ``B``. If it is
    empty, there are no ornaments.
    """
    glyphs = dict(GLYPHS)
    for letter, colour_name in COLOUR_NAMES.items():
        path = letter_paths.get(letter, "")
        glyphs[colour_name] = _replace_ornament(colour_name, _BEVEL_STROKES, path, "owner-line")
        print_name = make_print_name(colour_name)
        glyphs[print_name] = _replace_ornament(print_name, _PRINT_STROKES, path, f"{print_name}-line")
    return glyphs


def _replace_ornament(glyph: str, kept_strokes: int, path: str, role: str) -> tuple[Stroke, ...]:
    """Return the strokes of a glyph (the drawing of a tile) with another ornament, or with none.

    Args:
        glyph: The name of the glyph, such as ``blue`` or ``blue-print``.
        kept_strokes: The number of its strokes before the ornament.
        path: The SVG path of the new ornament, or an empty string for none.
        role: The palette role that colours the new ornament.
    """
    strokes_below = GLYPHS[glyph][:kept_strokes]
    if not path:
        return strokes_below
    ornament = Stroke(path, fill="none", line=role, width=_ORNAMENT_WIDTH)
    return (*strokes_below, ornament)


LOOKS: Final[Mapping[str, Mapping[str, tuple[Stroke, ...]]]] = {
    "ornaments": GLYPHS,
    "letters": _replace_ornaments({letter: LETTERS[letter] for letter in COLOUR_NAMES}),
    "plain": _replace_ornaments({}),
}
"""The sets of glyphs by name, the default first."""


def _make_board_colours(
    board: Colour, line: Colour, space: Colour, odd_space: Colour, space_line: Colour
) -> dict[str, Colour]:
    """Return the colours of another board by palette role, to replace those of the default palette.

    A palette role, such as ``space``, is the name of what has the colour.

    Args:
        board: The colour of the board and of the tray in the centre.
        line: The colour of the edge of the board.
        space: The colour of empty spaces in even columns, and of factories.
        odd_space: The colour of empty spaces in odd columns.
        space_line: The colour of the edges of spaces and factories.
    """
    return {
        "board": board,
        "tray": board,
        "board-line": line,
        "space": space,
        "space-odd": odd_space,
        "space-line": space_line,
        "disc": space,
        "disc-line": space_line,
        **make_print_colours(board),
    }


BOARDS: Final[Mapping[str, Mapping[str, Colour]]] = {
    "paper": {},
    "slate": _make_board_colours(
        Colour("#e8ecef", "#1f262c"),
        Colour("#b9c4cc", "#3b4852"),
        Colour("#d6dde2", "#2b353d"),
        Colour("#ccd5db", "#333e47"),
        Colour("#a3b1bb", "#55646f"),
    ),
    "olive": _make_board_colours(
        Colour("#eceedd", "#252a1f"),
        Colour("#c3c9a8", "#424a37"),
        Colour("#dde1c6", "#31382a"),
        Colour("#d4d9ba", "#394131"),
        Colour("#aeb58e", "#5a644c"),
    ),
}
"""The changes to the palette by the name of the board, the default first."""
