"""The tiles of Azul, the first-player marker and what is printed on the boards, drawn for this project.

A tile is a bevelled square with an ornament of its own, so that the five can be told apart without colours:
blue has a diamond, yellow a ring, red a saltire of leaves, black a square, white an upright cross. The wall
shows the same ornaments in faint colours where no tile lies.

Accepts nothing, writes `GLYPHS` by the names that `NAMES` gives the tiles and `print_of` what is printed, and
`PALETTE`. Limits: meant for places from about 16 pixels up; the thinnest line is 3 of the box of 100.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from forsyth.games.azul.tiles import NAMES
from forsyth.scene import Colour, Stroke

SPACE: Final = "space"
"""The drawing of an empty place of a pattern line or of the floor."""
MARKER_NAME: Final = "marker"
ASSUMED_MARKER: Final = "marker-assumed"
"""The drawing of a marker of which the position does not know where it lies."""

_BOARD: Final = Colour("#f3eee3", "#25272b")
_TILES: Final[Mapping[str, Colour]] = {
    "blue": Colour("#2e6bb3", "#3675c2"),
    "yellow": Colour("#f2c03a", "#e9b83a"),
    "red": Colour("#c23b2e", "#cf4a3b"),
    "black": Colour("#33353a", "#0e0f11"),
    "white": Colour("#fdfcf8", "#eeebe3"),
}
_LINES: Final[Mapping[str, Colour]] = {
    "blue": Colour("#e3eef9", "#f0f6fd"),
    "yellow": Colour("#7a4a00", "#6b4100"),
    "red": Colour("#ffe9dc", "#fff0e6"),
    "black": Colour("#c3c8d0", "#b4bac4"),
    "white": Colour("#3d7f8e", "#2c6c7b"),
}
_EDGES: Final[Mapping[str, Colour]] = {
    "blue": Colour("#1b4679", "#15375f"),
    "yellow": Colour("#a87a12", "#8a6410"),
    "red": Colour("#7f2119", "#6d1a13"),
    "black": Colour("#121316", "#787d87"),
    "white": Colour("#a39d90", "#8e897e"),
}
_INKS: Final[Mapping[str, Colour]] = {
    **_TILES,
    "yellow": _LINES["yellow"],
    "black": Colour(_TILES["black"].light, _EDGES["black"].dark),
    "white": _LINES["white"],
}
"""What the ornaments of the printed wall are painted with: the tile's colour where it shows on the board."""
_PRINT: Final = 0.2
_PRINT_LINE: Final = 0.42
"""How much of a tile's colour is in what is printed on the wall: its square, its ornament."""


def _mixed(colour: Colour, ground: Colour, share: float) -> Colour:
    return Colour(
        _mix(colour.light, ground.light, share),
        _mix(colour.dark, ground.dark, share),
    )


def _mix(colour: str, ground: str, share: float) -> str:
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(ground[1:]), strict=True)
    return f"#{bytes(round(a * share + b * (1 - share)) for a, b in pairs).hex()}"


def print_of(name: str) -> str:
    """The drawing, and the palette role, of a colour printed on the wall."""
    return f"{name}-print"


def printed_on(board: Colour) -> dict[str, Colour]:
    """The colours of what is printed on the wall of a board."""
    return {
        **{print_of(name): _mixed(colour, board, _PRINT) for name, colour in _TILES.items()},
        **{f"{print_of(name)}-line": _mixed(ink, board, _PRINT_LINE) for name, ink in _INKS.items()},
    }


PALETTE: Final[Mapping[str, Colour]] = {
    "board": _BOARD,
    "board-line": Colour("#cfc6b3", "#3c3f45"),
    "turn": Colour("#2c7a4b", "#63c78d"),
    "space": Colour("#e6dfcf", "#303338"),
    "space-odd": Colour("#e0d8c6", "#383b41"),
    "space-line": Colour("#bfb49d", "#50545b"),
    "disc": Colour("#ece6d9", "#2b2e33"),
    "disc-line": Colour("#b9ae98", "#575b63"),
    "tray": Colour("#f3eee3", "#25272b"),
    "gleam": Colour("#ffffff", "#ffffff"),
    "shade": Colour("#000000", "#000000"),
    "faint": Colour("#8d8676", "#8c8e93"),
    "marker": Colour("#fffaf0", "#f6efdf"),
    "marker-line": Colour("#6d3b78", "#5f2f6b"),
    "target": Colour("#2c7a4b", "#63c78d"),
    **_TILES,
    **{f"{name}-line": colour for name, colour in _LINES.items()},
    **{f"{name}-edge": colour for name, colour in _EDGES.items()},
    **printed_on(_BOARD),
}
"""Glazed tiles on paper, by day and by night."""


def disc(x: float, y: float, radius: float) -> str:
    """The path of a circle."""
    arc = f"a{radius:g} {radius:g} 0 0 1"
    return f"M{x - radius:g} {y:g}{arc} {2 * radius:g} 0{arc}-{2 * radius:g} 0Z"


def plate(left: float, top: float, right: float, bottom: float, corner: float) -> str:
    """The path of a rectangle with rounded corners."""
    c = f"{corner:g}"
    arc = f"a{c} {c} 0 0 1"
    across, down = f"{right - left - 2 * corner:g}", f"{bottom - top - 2 * corner:g}"
    return (
        f"M{left + corner:g} {top:g}h{across}{arc} {c} {c}v{down}{arc}-{c} {c}"
        f"h-{across}{arc}-{c}-{c}v-{down}{arc} {c}-{c}Z"
    )


def _leaves() -> str:
    """Four leaves that meet in the middle, towards the corners."""
    return "".join(
        f"M50 50Q{50 + 5 * x} {50 + 25 * y} {50 + 29 * x} {50 + 29 * y}Q{50 + 25 * x} {50 + 5 * y} 50 50Z"
        for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))
    )


_OUTLINED: Final[Mapping[str, str]] = {
    "B": "M50 20L80 50L50 80L20 50Z",
    "Y": disc(50, 50, 25),
    "K": "M26 26H74V74H26Z",
}
_FILLED: Final[Mapping[str, str]] = {
    "B": "M50 37L63 50L50 63L37 50Z",
    "Y": disc(50, 50, 10),
    "R": _leaves(),
    "K": "M41 41H59V59H41Z",
    "W": "M50 50L39 19H61ZM50 50L81 39V61ZM50 50L61 81H39ZM50 50L19 61V39Z",
}
_TILE: Final = plate(8, 8, 92, 92, 9)


def _ornament(letter: str, role: str) -> Iterator[Stroke]:
    if letter in _OUTLINED:
        yield Stroke(_OUTLINED[letter], fill="none", line=role, width=7)
    yield Stroke(_FILLED[letter], fill=role, line="none")


def _tile(letter: str) -> Iterator[Stroke]:
    yield Stroke(_TILE, line=f"{NAMES[letter]}-edge", width=3)
    yield Stroke("M13.5 84V20Q13.5 13.5 20 13.5H84", fill="none", line="gleam", width=4, opacity=0.38)
    yield Stroke("M86.5 16V80Q86.5 86.5 80 86.5H16", fill="none", line="shade", width=4, opacity=0.2)
    yield from _ornament(letter, "owner-line")


def _print(letter: str) -> Iterator[Stroke]:
    role = print_of(NAMES[letter])
    yield Stroke(_TILE, fill=role, line=f"{role}-line", width=2, opacity=1)
    yield from _ornament(letter, f"{role}-line")


_MARKER: Final = (
    Stroke(disc(50, 50, 40), line="owner-line", width=4),
    Stroke(disc(50, 50, 33), fill="none", line="owner-line", width=2.5),
    Stroke("M41 39L52 31V69M42 69H62", fill="none", line="owner-line", width=7.5),
)

GLYPHS: Final[Mapping[str, tuple[Stroke, ...]]] = {
    **{name: tuple(_tile(letter)) for letter, name in NAMES.items()},
    **{print_of(name): tuple(_print(letter)) for letter, name in NAMES.items()},
    MARKER_NAME: _MARKER,
    ASSUMED_MARKER: tuple(stroke._replace(fill="none", line="faint", opacity=0.75) for stroke in _MARKER),
    SPACE: (Stroke(_TILE, fill="space", line="space-line", width=2),),
}
"""Drawings in a box of 100 × 100, around its middle."""
