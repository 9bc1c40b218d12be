"""How a game looks that draws nothing itself: letters on discs, on a board of light and dark squares."""

from __future__ import annotations

from collections.abc import Iterable

from forsyth.kit.letters import LETTERS
from forsyth.kit.sheet import Look
from forsyth.scene import Colour, Stroke

_DISC = "M8 50a42 42 0 0 1 84 0a42 42 0 0 1-84 0Z"
_RING = "M14 50a36 36 0 0 1 72 0a36 36 0 0 1-72 0Z"


def plain_look(letters: Iterable[str], sides: tuple[str, str]) -> Look:
    """The look of men of these capitals, with ``+`` before those of promoted ones.

    `sides` are the names of the sides: the first side's men are light, the second's dark. A ring is around
    promoted ones.
    """
    capitals = tuple(letters)
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
        glyphs={"letters": {man: _man(man) for man in (*capitals, *map(str.lower, capitals))}},
        grounds=("light", "dark"),
    )


def _man(man: str) -> tuple[Stroke, ...]:
    disc = Stroke(_DISC, "owner", "owner-line", 3)
    letter = Stroke(LETTERS[man[-1].upper()], "none", "owner-line", 7)
    return (disc, Stroke(_RING, "none", "owner-line", 2), letter) if man[0] == "+" else (disc, letter)
