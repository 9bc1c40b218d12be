"""A simple drawing for any game: letters on discs, on a board of light and dark squares."""

from __future__ import annotations

from collections.abc import Iterable

from forsyth.kit.letters import LETTERS
from forsyth.kit.sheet import Look
from forsyth.scene import Colour, Stroke

_DISC = "M8 50a42 42 0 0 1 84 0a42 42 0 0 1-84 0Z"
_RING = "M14 50a36 36 0 0 1 72 0a36 36 0 0 1-72 0Z"
"""Path of the ring around the letter of a promoted piece."""


def plain_look(letters: Iterable[str], sides: tuple[str, str]) -> Look:
    """Return a look (drawings and colours of a game) that draws each piece as a disc with its letter.

    The first side's pieces are light and the second side's are dark. A promoted piece has a ring.

    Args:
        letters: The capitals of all kinds, with ``+`` before the letter of a promoted kind.
        sides: The names of the two sides, such as ``("White", "Black")``.
    """
    first_pieces = tuple(letters)
    second_pieces = tuple(letter.lower() for letter in first_pieces)
    glyphs = {piece: _draw_piece(piece) for piece in (*first_pieces, *second_pieces)}
    # The names of the sides are also the names of their colours.
    first, second = (name.lower() for name in sides)
    light, dark = Colour("#fffdf8", "#f6f2e8"), Colour("#2a2723", "#1d1b18")
    return Look(
        palette={
            "light": Colour("#f4f0e6", "#a09a8d"),
            "dark": Colour("#d8cdb8", "#7d776c"),
            "hand": Colour("#e6dfd0", "#85807a"),
            first: light,
            f"{first}-line": dark,
            second: dark,
            f"{second}-line": light,
        },
        glyphs={"letters": glyphs},
        grounds=("light", "dark"),
    )


def _draw_piece(letters: str) -> tuple[Stroke, ...]:
    """Return the strokes of a piece: a disc with its letter, and a ring if it is promoted.

    `letters` are those of the notation, such as ``P``, ``p`` or ``+P``.
    """
    disc = Stroke(_DISC, fill="owner", line="owner-line", width=3)
    ring = Stroke(_RING, fill="none", line="owner-line", width=2)
    letter_path = LETTERS[letters[-1].upper()]
    letter = Stroke(letter_path, fill="none", line="owner-line", width=7)
    is_promoted = letters[0] == "+"
    return (disc, ring, letter) if is_promoted else (disc, letter)
