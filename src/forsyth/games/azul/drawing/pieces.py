"""The glyphs and the palette of Azul: tiles, first-player marker and prints on the boards.

They were drawn for this project. A tile is a bevelled square with an ornament, so that the five colours can
be distinguished without seeing the colour: blue has a diamond, yellow a ring, red a saltire of leaves, black
a square, white an upright cross. The wall shows the same ornaments in faint colours where there is no tile.

`GLYPHS` has the tiles under the names in `COLOUR_NAMES` and the prints under the names of `make_print_name`.
`PALETTE` has the colours. The drawings are legible from about 16 pixels per cell: the thinnest line is 3 of
100 units wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from forsyth.games.azul.tiles import COLOUR_NAMES
from forsyth.scene import Colour, Stroke

SPACE: Final = "space"
"""Glyph of an empty space of a pattern line or of the floor."""
MARKER_NAME: Final = "marker"
ASSUMED_MARKER: Final = "marker-assumed"
"""Glyph of a marker whose place is only assumed."""

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
_PRINT_INKS: Final[Mapping[str, Colour]] = {
    **_TILES,
    "yellow": _LINES["yellow"],
    "black": Colour(_TILES["black"].light, _EDGES["black"].dark),
    "white": _LINES["white"],
}
"""Colours of the printed ornaments: the colour of the tile if it is visible on the board."""
_PRINT_SHARE: Final = 0.2
"""Share of the tile's colour in the square of a print. The rest is the colour of the board."""
_PRINT_LINE_SHARE: Final = 0.42
"""Share of the ink's colour in the ornament of a print."""


def _mix_colours(colour: Colour, ground: Colour, share: float) -> Colour:
    """Return the mix of a colour with the colour of its background, for light and for dark pages.

    `share` is the share of `colour` in the mix, from 0 to 1.
    """
    return Colour(
        _mix_hex(colour.light, ground.light, share),
        _mix_hex(colour.dark, ground.dark, share),
    )


def _mix_hex(colour: str, ground: str, share: float) -> str:
    """Return the mix of two colours such as ``#f3eee3``. `share` is the share of `colour`, from 0 to 1."""
    colour_channels = bytes.fromhex(colour.removeprefix("#"))
    ground_channels = bytes.fromhex(ground.removeprefix("#"))
    mixed_channels = [
        round(share * colour_channel + (1 - share) * ground_channel)
        for colour_channel, ground_channel in zip(colour_channels, ground_channels, strict=True)
    ]
    return f"#{bytes(mixed_channels).hex()}"


def make_print_name(name: str) -> str:
    """Return the name of a printed wall cell's glyph and palette role, such as ``blue-print``.

    `name` is the name of the colour.
    """
    return f"{name}-print"


def make_print_colours(board: Colour) -> dict[str, Colour]:
    """Return the colours of the faint tiles that are printed on a wall, by palette role.

    A role is, for example, ``blue-print`` for the tile or ``blue-print-line`` for its ornament. `board` is
    the colour of the board, with which the colours of the tiles are mixed.
    """
    colours = {}
    for name, tile_colour in _TILES.items():
        colours[make_print_name(name)] = _mix_colours(tile_colour, board, _PRINT_SHARE)
    for name, ink in _PRINT_INKS.items():
        colours[f"{make_print_name(name)}-line"] = _mix_colours(ink, board, _PRINT_LINE_SHARE)
    return colours


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
    **make_print_colours(_BOARD),
}
"""Colours of glazed tiles on paper, for light and dark pages."""


def make_circle_path(x: float, y: float, radius: float) -> str:
    """Return the SVG path of a circle around the point (`x`, `y`)."""
    left = x - radius
    diameter = 2 * radius
    arc = f"a{radius:g} {radius:g} 0 0 1"
    # Two half circles: from the left end to the right end, and back.
    return f"M{left:g} {y:g}{arc} {diameter:g} 0{arc}-{diameter:g} 0Z"


def make_rounded_rectangle_path(
    left: float, top: float, right: float, bottom: float, corner_radius: float
) -> str:
    """Return the SVG path of a rectangle with rounded corners, given its edges and the corner radius."""
    radius = f"{corner_radius:g}"
    arc = f"a{radius} {radius} 0 0 1"
    # The straight parts of the edges, between the corners.
    width = f"{right - left - 2 * corner_radius:g}"
    height = f"{bottom - top - 2 * corner_radius:g}"
    return (
        f"M{left + corner_radius:g} {top:g}"
        f"h{width}{arc} {radius} {radius}"
        f"v{height}{arc}-{radius} {radius}"
        f"h-{width}{arc}-{radius}-{radius}"
        f"v-{height}{arc} {radius}-{radius}Z"
    )


def _draw_leaves() -> str:
    """Return the SVG path of four leaves that meet in the middle of a tile, the ornament of red tiles."""
    leaves = []
    diagonals = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    for right, down in diagonals:
        # Two curves from the middle (50, 50) to the tip of the leaf and back.
        tip = f"{50 + 29 * right} {50 + 29 * down}"
        control_point = f"{50 + 5 * right} {50 + 25 * down}"
        control_point_back = f"{50 + 25 * right} {50 + 5 * down}"
        leaves.append(f"M50 50Q{control_point} {tip}Q{control_point_back} 50 50Z")
    return "".join(leaves)


_OUTLINED: Final[Mapping[str, str]] = {
    "B": "M50 20L80 50L50 80L20 50Z",
    "Y": make_circle_path(50, 50, 25),
    "K": "M26 26H74V74H26Z",
}
_FILLED: Final[Mapping[str, str]] = {
    "B": "M50 37L63 50L50 63L37 50Z",
    "Y": make_circle_path(50, 50, 10),
    "R": _draw_leaves(),
    "K": "M41 41H59V59H41Z",
    "W": "M50 50L39 19H61ZM50 50L81 39V61ZM50 50L61 81H39ZM50 50L19 61V39Z",
}
_TILE_PATH: Final = make_rounded_rectangle_path(8, 8, 92, 92, 9)


def _draw_ornament(letter: str, role: str) -> Iterator[Stroke]:
    """Yield the strokes of the ornament on a tile, such as the diamond of a blue one.

    `letter` is the letter of the tile's colour, such as ``B``. `role` is the palette role that colours the
    ornament, such as ``owner-line``.
    """
    if letter in _OUTLINED:
        yield Stroke(_OUTLINED[letter], fill="none", line=role, width=7)
    yield Stroke(_FILLED[letter], fill=role, line="none")


def _draw_tile(letter: str) -> Iterator[Stroke]:
    """Yield the strokes of a tile: the square, two bevelled edges, the ornament.

    `letter` is the letter of its colour, such as ``B``.
    """
    yield Stroke(_TILE_PATH, line=f"{COLOUR_NAMES[letter]}-edge", width=3)
    yield Stroke("M13.5 84V20Q13.5 13.5 20 13.5H84", fill="none", line="gleam", width=4, opacity=0.38)
    yield Stroke("M86.5 16V80Q86.5 86.5 80 86.5H16", fill="none", line="shade", width=4, opacity=0.2)
    yield from _draw_ornament(letter, "owner-line")


def _draw_print(letter: str) -> Iterator[Stroke]:
    """Yield the strokes of an empty wall cell, which shows a printed tile in faint colours.

    `letter` is the letter of the printed colour, such as ``B``.
    """
    role = make_print_name(COLOUR_NAMES[letter])
    yield Stroke(_TILE_PATH, fill=role, line=f"{role}-line", width=2, opacity=1)
    yield from _draw_ornament(letter, f"{role}-line")


_MARKER: Final = (
    Stroke(make_circle_path(50, 50, 40), line="owner-line", width=4),
    Stroke(make_circle_path(50, 50, 33), fill="none", line="owner-line", width=2.5),
    Stroke("M41 39L52 31V69M42 69H62", fill="none", line="owner-line", width=7.5),
)

GLYPHS: Final[Mapping[str, tuple[Stroke, ...]]] = {
    **{name: tuple(_draw_tile(letter)) for letter, name in COLOUR_NAMES.items()},
    **{make_print_name(name): tuple(_draw_print(letter)) for letter, name in COLOUR_NAMES.items()},
    MARKER_NAME: _MARKER,
    ASSUMED_MARKER: tuple(stroke._replace(fill="none", line="faint", opacity=0.75) for stroke in _MARKER),
    SPACE: (Stroke(_TILE_PATH, fill="space", line="space-line", width=2),),
}
"""Drawings in a box of 100 × 100 units."""
