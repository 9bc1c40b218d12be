"""The drawing of xiangqi: pieces as discs with a character or a letter, on points where lines cross."""

from __future__ import annotations

from typing import Final

from forsyth.games.xiangqi.glyphs import CHARACTERS
from forsyth.kit.letters import LETTERS
from forsyth.kit.sheet import Look
from forsyth.scene import Cell, Colour, Stroke

_PIECES: Final = "KABNRCPkabnrcp"
_DISC: Final = "M6 50a44 44 0 0 1 88 0a44 44 0 0 1-88 0Z"
_RING: Final = "M12 50a38 38 0 0 1 76 0a38 38 0 0 1-76 0Z"
_TO_WXF: Final = str.maketrans("NB", "HE")
"""Translation of the letters of this notation to those of WXF, which Western players know."""


def _draw_piece(mark: Stroke) -> tuple[Stroke, ...]:
    """Return the strokes of a piece: a wooden disc, a ring in the colour of its side, and `mark`.

    `mark` is the stroke of the character or letter on the piece.
    """
    disc = Stroke(_DISC, fill="wood", line="owner", width=3)
    ring = Stroke(_RING, fill="none", line="owner", width=2)
    return disc, ring, mark


def _draw_character(piece: str) -> Stroke:
    """Return the stroke of the Chinese character on a piece, in the colour of its side.

    `piece` is the letter of the piece, such as ``K``, a capital for Red.
    """
    return Stroke(CHARACTERS[piece], fill="owner", line="owner", width=2)


def _draw_letter(piece: str) -> Stroke:
    """Return the stroke of a capital letter on a piece, in the colour of its side.

    `piece` is the letter of the piece in a text, such as ``n``. Horses (``N``) have the letter ``H``, and
    elephants (``B``) have ``E``.
    """
    letter = piece.upper().translate(_TO_WXF)
    return Stroke(LETTERS[letter], fill="none", line="owner", width=7)


def _draw_filled_piece(piece: str) -> tuple[Stroke, ...]:
    """Return the strokes of a piece whose disc is filled with the colour of its side: disc, ring, character.

    The character is light. `piece` is the letter of the piece, such as ``K``, a capital for Red.
    """
    disc = Stroke(_DISC, fill="owner", line="owner-line", width=3)
    ring = Stroke(_RING, fill="none", line="owner-line", width=2)
    character = Stroke(CHARACTERS[piece], fill="owner-line", line="owner-line", width=2)
    return disc, ring, character


_GRID: Final = "".join(
    [f"M50 {y}L850 {y}" for y in range(50, 951, 100)]
    + [f"M{x} 50L{x} 450M{x} 550L{x} 950" for x in range(150, 751, 100)]
    + ["M50 50L50 950M850 50L850 950"]
    + [f"M350 {y}L550 {y + 200}M550 {y}L350 {y + 200}" for y in (50, 750)]
)
"""The lines of the board, the river without lines, and the diagonals of the palaces."""
_CORNERS: Final = ((-8, -8), (8, -8), (-8, 8), (8, 8))
"""The corners of the mark around a point."""
_POINT_MARKS: Final = "".join(
    f"M{x + 3 * dx} {y + dy}L{x + dx} {y + dy}L{x + dx} {y + 3 * dy}"
    for x, y in (
        *((x, y) for x in (150, 750) for y in (250, 750)),
        *((x, y) for x in range(50, 851, 200) for y in (350, 650)),
    )
    for dx, dy in _CORNERS
    if 50 <= x + dx <= 850
)
"""The marks around the points where cannons and soldiers begin."""

LOOK: Final = Look(
    palette={
        "board": Colour("#f0dcb0", "#4a3f2c"),
        "grid": Colour("#5b4523", "#cbb98f"),
        "wood": Colour("#fbf0d6", "#efe0bd"),
        "red": Colour("#b3261e", "#c0322a"),
        "black": Colour("#22211f", "#22211f"),
        "red-line": Colour("#fbf0d6", "#fbf0d6"),
        "black-line": Colour("#fbf0d6", "#fbf0d6"),
    },
    glyphs={
        "characters": {piece: _draw_piece(_draw_character(piece)) for piece in _PIECES},
        "letters": {piece: _draw_piece(_draw_letter(piece)) for piece in _PIECES},
        "filled": {piece: _draw_filled_piece(piece) for piece in _PIECES},
    },
    boards={
        "wood": {},
        "paper": {"board": Colour("#f7f4ec", "#33343a"), "grid": Colour("#5c5b58", "#b9b7b0")},
        "green": {"board": Colour("#d3e2c4", "#2c3d30"), "grid": Colour("#3f5a37", "#a9c6a4")},
    },
    map=(
        Stroke("M0 0L900 0L900 1000L0 1000Z", "board", "none"),
        Stroke(_GRID, "none", "grid", 2.5),
        Stroke(_POINT_MARKS, "none", "grid", 2.5),
    ),
    between=tuple(
        Cell(f"{file} river", column, 5, "board", blank="~") for column, file in enumerate("abcdefghi")
    ),
)
