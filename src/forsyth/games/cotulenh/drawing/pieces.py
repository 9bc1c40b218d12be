"""Drawings of the eleven CoTuLenh pieces, made for this project.

A piece is a counter in its owner's colour with a pictogram in the owner's line colour, such as a star, a
helmet or a plane. Red counters are discs and blue counters are rounded squares, so that the sides differ
without colours. A heroic piece has a gold rim and a gold star.

`GLYPHS` contains all drawings under the names that `make_glyph_name` returns. They are meant for squares of
at least 20 pixels: the thinnest line of a silhouette is 4.5 units wide in a box of 100.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from forsyth.scene import Stroke

_BOX_SIZE: Final = 100
"""Width and height of the box that all drawings fill."""


def make_glyph_name(letter: str, owner: str, heroic: bool) -> str:
    """Return the name of the drawing of a piece: ``red T``, or ``blue +N`` for a heroic navy.

    `letter` is a capital letter, and `owner` is ``red`` or ``blue``.
    """
    return f"{owner} {'+' if heroic else ''}{letter}"


def _draw_shape(path: str) -> Stroke:
    """Return a filled part of a pictogram, in the owner's line colour.

    `path` is the SVG path of its outline.
    """
    return Stroke(path, fill="owner-line", line="none")


def _draw_line(path: str, width: float) -> Stroke:
    """Return a line of a pictogram, in the owner's line colour.

    `path` is its SVG path, and `width` its width in the box of 100 by 100.
    """
    return Stroke(path, fill="none", line="owner-line", width=width)


def _cut_hole(path: str) -> Stroke:
    """Return a hole in a pictogram: a part filled with the colour of the counter behind it.

    `path` is the SVG path of its outline.
    """
    return Stroke(path, fill="owner", line="none")


def _cut_line(path: str, width: float) -> Stroke:
    """Return a cut through a pictogram: a line in the colour of the counter behind it.

    `path` is its SVG path, and `width` its width in the box of 100 by 100.
    """
    return Stroke(path, fill="none", line="owner", width=width)


def _make_circle_path(x: float, y: float, radius: float) -> str:
    """Return the SVG path of a circle around the point (`x`, `y`)."""
    # Two half circles, from the leftmost point and back.
    arc = f"a{radius:g} {radius:g} 0 0 1"
    return f"M{x - radius:g} {y:g}{arc} {2 * radius:g} 0{arc}-{2 * radius:g} 0Z"


def _make_rounded_square_path(margin: float, corner_radius: float) -> str:
    """Return the SVG path of a square with rounded corners in the middle of a drawing.

    A drawing is 100 by 100 units. `margin` is the distance between the square and its edge.
    """
    straight_length = _BOX_SIZE - 2 * (margin + corner_radius)
    straight, radius = f"{straight_length:g}", f"{corner_radius:g}"
    arc = f"a{radius} {radius} 0 0 1"
    # From the left end of the top side clockwise.
    right_and_down = f"h{straight}{arc} {radius} {radius}v{straight}{arc}-{radius} {radius}"
    left_and_up = f"h-{straight}{arc}-{radius}-{radius}v-{straight}{arc} {radius}-{radius}"
    return f"M{margin + corner_radius:g} {margin:g}{right_and_down}{left_and_up}Z"


_SHOULDERS: Final = _draw_shape("M27 73C28 64 34 60.5 42 59.5Q50 66 58 59.5C66 60.5 72 64 73 73Z")

_PICTOGRAMS: Final[Mapping[str, tuple[Stroke, ...]]] = {
    "C": (
        _draw_shape(
            "M50 21L57.3 42L79.5 42.4L61.8 55.8L68.2 77L50 64.4L31.8 77L38.2 55.8L20.5 42.4L42.7 42Z"
        ),
    ),
    "I": (
        _SHOULDERS,
        _draw_shape("M37 46H63Q63 60 50 60Q37 60 37 46Z"),
        _draw_shape("M29 43.5C29 29 38 23 50 23C62 23 71 29 71 43.5Q74 44 74 47H26Q26 44 29 43.5Z"),
        _cut_line("M35 48.5H65", 3),
    ),
    "M": (
        _SHOULDERS,
        _draw_shape("M38 46H62Q62 61 50 61Q38 61 38 46Z"),
        _draw_shape("M50 20Q52 20 54 22L80 44.5Q81 47.5 77 47.5H23Q19 47.5 20 44.5L46 22Q48 20 50 20Z"),
        _cut_line("M36 49H64", 3),
    ),
    "T": (
        _draw_shape("M34 51L37.5 38.5Q38.5 35 42 35H56Q59 35 60 38L64 51Z"),
        _draw_line("M58 41.5L79 38", 6),
        _draw_shape("M28 53H73Q80 53 80 60.5Q80 70 69 70H32Q21 70 21 60.5Q21 53 28 53Z"),
        _cut_hole(_make_circle_path(33, 61.5, 4)),
        _cut_hole(_make_circle_path(44.5, 61.5, 4)),
        _cut_hole(_make_circle_path(56, 61.5, 4)),
        _cut_hole(_make_circle_path(67.5, 61.5, 4)),
    ),
    "E": (
        _draw_shape(
            "M45.3 30L46 22.3H54L54.7 30L60.8 32.6L66.7 27.5L72.5 33.3L67.4 39.2L70 45.3L77.7 46V54L70 54.7"
            "L67.4 60.8L72.5 66.7L66.7 72.5L60.8 67.4L54.7 70L54 77.7H46L45.3 70L39.2 67.4L33.3 72.5"
            "L27.5 66.7L32.6 60.8L30 54.7L22.3 54V46L30 45.3L32.6 39.2L27.5 33.3L33.3 27.5L39.2 32.6Z"
        ),
        _cut_hole(_make_circle_path(50, 50, 9.5)),
    ),
    "A": (
        _draw_line("M23 70L47 57", 6.5),
        _draw_line("M40 56L70 35.4", 9.5),
        _draw_line("M69.2 28.2L76.4 38.8", 5),
        _draw_shape(_make_circle_path(50, 59, 15.5)),
        _cut_hole(_make_circle_path(50, 59, 10)),
        _draw_line("M50 49V69M40 59H60", 4.5),
    ),
    "G": (
        _draw_line("M39 50L55 25M52 58L68 33", 6.5),
        _draw_line("M52.4 20.7L59.8 25.4M65.4 28.7L72.8 33.4", 5),
        _draw_line("M36.5 50.5L54.5 62", 9),
        _draw_shape("M43 58H53L58 71H36Z"),
        _draw_line("M31 73.5H67", 5.5),
    ),
    "S": (
        _draw_shape("M50 17.5Q60 26 60 38V63H40V38Q40 26 50 17.5Z"),
        _draw_shape("M37.5 50V67L28.5 74.5V63Q28.5 59 31 56.5Z"),
        _draw_shape("M62.5 50V67L71.5 74.5V63Q71.5 59 69 56.5Z"),
        _draw_shape("M42 66H58L55 78H45Z"),
        _cut_line("M41 40H59", 4),
    ),
    "F": (
        _draw_shape(
            "M50 18Q55 23 55 33V40L80 56.5V63.5L55 56.5V67L64 74V79L50 75.5L36 79V74L45 67V56.5L20 63.5V56.5"
            "L45 40V33Q45 23 50 18Z"
        ),
    ),
    "N": (
        _draw_shape("M19.5 54H80.5L74 67Q72 71 67.5 71H32Q28 71 26 67Z"),
        _draw_shape("M34 51V42H43V33.5H56V42H65V51Z"),
        _draw_line("M49.5 36V23M49.5 26H60", 5),
    ),
    "H": (
        _draw_shape("M24 54L50 38.5L76 54V60H70.5V75H58V63H42V75H29.5V60H24Z"),
        _draw_line("M50 43V20", 5),
        _draw_shape("M50 18H72L66 25L72 32H50Z"),
    ),
}
"""The pictograms by piece letter. Each fits into a circle of radius 33 around the middle of the box."""

_COUNTERS: Final[Mapping[str, str]] = {
    "red": _make_circle_path(50, 50, 41),
    "blue": _make_rounded_square_path(11.5, 17.5),
}
_RIMS: Final[Mapping[str, str]] = {
    "red": _make_circle_path(50, 50, 37.5),
    "blue": _make_rounded_square_path(15, 14),
}
_STAR: Final = Stroke(
    "M50 73.5L53.3 82L62.4 82.5L55.3 88.2L57.6 97L50 92.1L42.4 97L44.7 88.2L37.6 82.5L46.7 82Z",
    fill="heroic",
    line="outline",
    width=2.5,
)


def _draw_piece(letter: str, owner: str, heroic: bool) -> tuple[Stroke, ...]:
    """Return the strokes of the drawing of a piece, from back to front.

    The counter comes first, then the pictogram. A heroic piece also has a gold rim below the pictogram and a
    star above it. `letter` is a capital letter, and `owner` is ``red`` or ``blue``.
    """
    counter = Stroke(_COUNTERS[owner], line="outline", width=3)
    pictogram = _PICTOGRAMS[letter]
    if not heroic:
        return (counter, *pictogram)
    rim = Stroke(_RIMS[owner], fill="none", line="heroic", width=5.5)
    return (counter, rim, *pictogram, _STAR)


GLYPHS: Final[Mapping[str, tuple[Stroke, ...]]] = {
    make_glyph_name(letter, owner, heroic): _draw_piece(letter, owner, heroic)
    for letter in _PICTOGRAMS
    for owner in _COUNTERS
    for heroic in (False, True)
}
"""The drawings of all pieces by name, in a box of 100 × 100 units."""
