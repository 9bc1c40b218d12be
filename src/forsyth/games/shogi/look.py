"""How shogi looks: men as wedges that point to the other side, with a character or a letter."""

from __future__ import annotations

from typing import Final

from forsyth.games.shogi.glyphs import CHARACTERS
from forsyth.kit.letters import LETTERS
from forsyth.kit.sheet import Look
from forsyth.scene import Colour, Stroke

_KINDS: Final = ("K", "R", "B", "G", "S", "N", "L", "P", "+R", "+B", "+S", "+N", "+L", "+P")
_MEN: Final = (*_KINDS, *(kind.lower() for kind in _KINDS))
_WEDGE: Final = "M50 4L77 17L88 95L12 95L23 17Z"
_GRID: Final = "".join(f"M0 {at}L900 {at}M{at} 0L{at} 900" for at in range(0, 901, 100))
_STARS: Final = "".join(
    f"M{x} {y - 9}L{x + 9} {y}L{x} {y + 9}L{x - 9} {y}Z" for x in (300, 600) for y in (300, 600)
)
"""The marks at the corners of the promotion zones."""


def _ink(man: str) -> str:
    return "promoted" if man[0] == "+" else "ink"


def _man(mark: Stroke) -> tuple[Stroke, ...]:
    return Stroke(_WEDGE, "wood", "edge", 2.5), mark


def _character(man: str) -> Stroke:
    path = CHARACTERS.get(man) or CHARACTERS[man.upper()]
    # The font is a thin one: a line around its outlines makes it as heavy as on real men.
    return Stroke(path, _ink(man), _ink(man), 2)


def _letter(man: str) -> Stroke:
    return Stroke(LETTERS[man[-1].upper()], "none", _ink(man), 7)


def _filled(man: str) -> tuple[Stroke, ...]:
    """A man in the colour of its side: dark ones are the first side's, in capitals."""
    ink = _ink(man) if man.islower() else f"{_ink(man)}-on-dark"
    return Stroke(_WEDGE, "owner", "edge", 2.5), _character(man)._replace(fill=ink, line=ink)


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
        "characters": {man: _man(_character(man)) for man in _MEN},
        "letters": {man: _man(_letter(man)) for man in _MEN},
        "filled": {man: _filled(man) for man in _MEN},
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
    pointed=True,
)
