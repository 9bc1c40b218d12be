"""How xiangqi looks: men as discs with a character or a letter, on points where lines cross."""

from __future__ import annotations

from typing import Final

from forsyth.games.xiangqi.glyphs import CHARACTERS
from forsyth.kit.letters import LETTERS
from forsyth.kit.sheet import Look
from forsyth.scene import Cell, Colour, Stroke

_MEN: Final = "KABNRCPkabnrcp"
_DISC: Final = "M6 50a44 44 0 0 1 88 0a44 44 0 0 1-88 0Z"
_RING: Final = "M12 50a38 38 0 0 1 76 0a38 38 0 0 1-76 0Z"
_WESTERN: Final = str.maketrans("NB", "HE")
"""The letters of WXF, which Western players know."""


def _man(mark: Stroke) -> tuple[Stroke, ...]:
    return Stroke(_DISC, "wood", "owner", 3), Stroke(_RING, "none", "owner", 2), mark


def _filled(man: str) -> tuple[Stroke, ...]:
    """A man in the colour of its side, for who finds that easier to tell apart."""
    rim = Stroke(_DISC, "owner", "owner-line", 3), Stroke(_RING, "none", "owner-line", 2)
    return *rim, Stroke(CHARACTERS[man], "owner-line", "owner-line", 2)


_GRID: Final = "".join(
    [f"M50 {y}L850 {y}" for y in range(50, 951, 100)]
    + [f"M{x} 50L{x} 450M{x} 550L{x} 950" for x in range(150, 751, 100)]
    + ["M50 50L50 950M850 50L850 950"]
    + [f"M350 {y}L550 {y + 200}M550 {y}L350 {y + 200}" for y in (50, 750)]
)
_CORNERS: Final = ((-8, -8), (8, -8), (-8, 8), (8, 8))
_POINTS: Final = "".join(
    f"M{x + 3 * dx} {y + dy}L{x + dx} {y + dy}L{x + dx} {y + 3 * dy}"
    for x, y in (
        *((x, y) for x in (150, 750) for y in (250, 750)),
        *((x, y) for x in range(50, 851, 200) for y in (350, 650)),
    )
    for dx, dy in _CORNERS
    if 50 <= x + dx <= 850
)
"""The marks where cannons and soldiers begin."""

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
        "characters": {man: _man(Stroke(CHARACTERS[man], "owner", "owner", 2)) for man in _MEN},
        "letters": {
            man: _man(Stroke(LETTERS[man.upper().translate(_WESTERN)], "none", "owner", 7)) for man in _MEN
        },
        "filled": {man: _filled(man) for man in _MEN},
    },
    boards={
        "wood": {},
        "paper": {"board": Colour("#f7f4ec", "#33343a"), "grid": Colour("#5c5b58", "#b9b7b0")},
        "green": {"board": Colour("#d3e2c4", "#2c3d30"), "grid": Colour("#3f5a37", "#a9c6a4")},
    },
    map=(
        Stroke("M0 0L900 0L900 1000L0 1000Z", "board", "none"),
        Stroke(_GRID, "none", "grid", 2.5),
        Stroke(_POINTS, "none", "grid", 2.5),
    ),
    between=tuple(
        Cell(f"{file} river", column, 5, "board", blank="~") for column, file in enumerate("abcdefghi")
    ),
)
