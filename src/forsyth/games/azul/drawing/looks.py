"""How Azul can be drawn: sets of tiles and colours of the boards, by name.

Accepts nothing, writes `LOOKS` and `BOARDS`, the usual one first in each. A set has a drawing for every tile
and for what is printed on the wall, under the same names; a board says what it changes in the palette.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from forsyth.games.azul.drawing.pieces import GLYPHS, print_of, printed_on
from forsyth.games.azul.tiles import NAMES
from forsyth.kit.letters import LETTERS
from forsyth.scene import Colour, Stroke

_BEVEL: Final = 3
"""Strokes of a tile before its ornament: its square and two edges; a print has its square alone."""


def _with(mark: Mapping[str, str]) -> dict[str, tuple[Stroke, ...]]:
    """All drawings, the ornament of each tile being a letter or nothing."""
    found = dict(GLYPHS)
    for letter, name in NAMES.items():
        for drawing, kept, role in (
            (name, _BEVEL, "owner-line"),
            (print_of(name), 1, f"{print_of(name)}-line"),
        ):
            own = [Stroke(mark[letter], "none", role, 9)] if mark else []
            found[drawing] = (*GLYPHS[drawing][:kept], *own)
    return found


LOOKS: Final[Mapping[str, Mapping[str, tuple[Stroke, ...]]]] = {
    "ornaments": GLYPHS,
    "letters": _with({letter: LETTERS[letter] for letter in NAMES}),
    "plain": _with({}),
}


def _board(board: Colour, line: Colour, space: Colour, odd: Colour, edge: Colour) -> dict[str, Colour]:
    return {
        "board": board,
        "tray": board,
        "board-line": line,
        "space": space,
        "space-odd": odd,
        "space-line": edge,
        "disc": space,
        "disc-line": edge,
        **printed_on(board),
    }


BOARDS: Final[Mapping[str, Mapping[str, Colour]]] = {
    "paper": {},
    "slate": _board(
        Colour("#e8ecef", "#1f262c"),
        Colour("#b9c4cc", "#3b4852"),
        Colour("#d6dde2", "#2b353d"),
        Colour("#ccd5db", "#333e47"),
        Colour("#a3b1bb", "#55646f"),
    ),
    "olive": _board(
        Colour("#eceedd", "#252a1f"),
        Colour("#c3c9a8", "#424a37"),
        Colour("#dde1c6", "#31382a"),
        Colour("#d4d9ba", "#394131"),
        Colour("#aeb58e", "#5a644c"),
    ),
}
