"""The drawing of shogi: pieces as wedges that point to the other side, with a character or a letter."""

from __future__ import annotations

from typing import Final

from forsyth.games.shogi.glyphs import CHARACTERS
from forsyth.kit.letters import LETTERS
from forsyth.kit.sheet import Look
from forsyth.scene import Colour, Stroke

_KINDS: Final = ("K", "R", "B", "G", "S", "N", "L", "P", "+R", "+B", "+S", "+N", "+L", "+P")
_PIECES: Final = (*_KINDS, *(kind.lower() for kind in _KINDS))
_WEDGE: Final = "M50 4L77 17L88 95L12 95L23 17Z"
_GRID: Final = "".join(f"M0 {offset}L900 {offset}M{offset} 0L{offset} 900" for offset in range(0, 901, 100))
_STARS: Final = "".join(
    f"M{x} {y - 9}L{x + 9} {y}L{x} {y + 9}L{x - 9} {y}Z" for x in (300, 600) for y in (300, 600)
)
"""The marks at the corners of the promotion zones."""


def _choose_ink_role(piece: str) -> str:
    """Return the palette role that colours the character on a piece: ``promoted`` or ``ink``.

    `piece` is the letter of the piece. Promoted pieces have a ``+`` before it, such as ``+P``.
    """
    return "promoted" if piece.startswith("+") else "ink"


def _draw_piece(mark: Stroke) -> tuple[Stroke, ...]:
    """Return the strokes of a piece: a wooden wedge, and `mark` on it.

    `mark` is the stroke of the character or letter on the piece.
    """
    wedge = Stroke(_WEDGE, fill="wood", line="edge", width=2.5)
    return wedge, mark


def _draw_character(piece: str) -> Stroke:
    """Return the stroke of the Japanese character on a piece.

    `piece` is the letter of the piece, such as ``P`` or ``+p``, a capital for Black.
    """
    # Only White's king has a character of its own. White's other pieces have those of Black's pieces.
    path = CHARACTERS.get(piece) or CHARACTERS[piece.upper()]
    ink = _choose_ink_role(piece)
    # The font is thin. A line around its outlines makes the characters as heavy as on real pieces.
    return Stroke(path, fill=ink, line=ink, width=2)


def _draw_letter(piece: str) -> Stroke:
    """Return the stroke of the capital letter on a piece: ``P`` for the pieces ``P``, ``p`` and ``+p``."""
    letter = piece.removeprefix("+").upper()
    return Stroke(LETTERS[letter], fill="none", line=_choose_ink_role(piece), width=7)


def _draw_filled_piece(piece: str) -> tuple[Stroke, ...]:
    """Return the strokes of a piece whose wedge is filled with the colour of its side.

    `piece` is the letter of the piece. Black's pieces, with capital letters, are dark and have light
    characters.
    """
    is_white = piece.islower()
    ink_on_light = _choose_ink_role(piece)
    ink = ink_on_light if is_white else f"{ink_on_light}-on-dark"
    wedge = Stroke(_WEDGE, fill="owner", line="edge", width=2.5)
    character = _draw_character(piece)._replace(fill=ink, line=ink)
    return wedge, character


LOOK: Final = Look(
    palette={
        "board": Colour("#f2d59b", "#4a3d27"),
        "grid": Colour("#5b4523", "#c9b384"),
        "hand": Colour("#ead9b5", "#39322a"),
        "wood": Colour("#fbe8bd", "#e9cf97"),
        "edge": Colour("#7a5c2e", "#2b2115"),
        "ink": Colour("#22211f", "#1d1b18"),
        "promoted": Colour("#b3261e", "#a81f18"),
        "ink-on-dark": Colour("#fbf6ea", "#fbf6ea"),
        "promoted-on-dark": Colour("#ff9d8a", "#ff9d8a"),
        "black": Colour("#22211f", "#22211f"),
        "white": Colour("#fbf6ea", "#fbf6ea"),
    },
    glyphs={
        "characters": {piece: _draw_piece(_draw_character(piece)) for piece in _PIECES},
        "letters": {piece: _draw_piece(_draw_letter(piece)) for piece in _PIECES},
        "filled": {piece: _draw_filled_piece(piece) for piece in _PIECES},
    },
    boards={
        "wood": {},
        "paper": {
            "board": Colour("#f7f4ec", "#33343a"),
            "grid": Colour("#5c5b58", "#b9b7b0"),
            "hand": Colour("#ebe7dc", "#2a2b30"),
        },
        "green": {
            "board": Colour("#d3e2c4", "#2c3d30"),
            "grid": Colour("#3f5a37", "#a9c6a4"),
            "hand": Colour("#c3d5b2", "#243228"),
        },
    },
    map=(
        Stroke("M0 0L900 0L900 900L0 900Z", "board", "none"),
        Stroke(_GRID, "none", "grid", 2.5),
        Stroke(_STARS, "grid", "none"),
    ),
    rotates_pieces=True,
)
