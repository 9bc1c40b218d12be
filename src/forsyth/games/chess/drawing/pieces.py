"""The six chess pieces, drawn for this project.

Each piece looks like a turned wooden piece, with foot, stem, collar and head. The parts are filled with the
owner's colour and outlined. The edges inside the outline are drawn again in the owner's line colour, because
on a black piece the outline has nearly the same colour as the filling. Parts are listed from back to front.

The drawings are made for squares of about 20 pixels or more. The thinnest line is 2.6 units wide in a box of
100 × 100 units.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from forsyth.scene import Stroke


def _make_part(path: str) -> Stroke:
    """Return a stroke that fills a part of a piece with the owner's colour and outlines it.

    `path` is an SVG path.
    """
    return Stroke(path, line="outline", width=3.5)


def _make_edge(path: str) -> Stroke:
    """Return a stroke that draws a thin line inside the outline of a piece, such as a collar.

    `path` is an SVG path.
    """
    return Stroke(path, fill="none", width=2.6)


def _make_dot(path: str) -> Stroke:
    """Return a stroke that draws a filled spot without an outline, such as an eye. `path` is an SVG path."""
    return Stroke(path, fill="owner-line", line="none")


_FOOT: Final = _make_part("M28 77H72Q78 79 78 87H22Q22 79 28 77Z")
_COLUMN: Final = (
    _make_part("M40 63C40 71 36 75 30 78H70C64 75 60 71 60 63Z"),
    _make_part("M34.5 57.5H65.5Q68 61 65.5 64.5H34.5Q32 61 34.5 57.5Z"),
    _FOOT,
    _make_edge("M37 57.5H63M37 64.5H63M31 77H69"),
)
"""Stem, collar and foot of the king, the queen and the bishop."""

GLYPHS: Final[Mapping[str, tuple[Stroke, ...]]] = {
    "king": (
        Stroke("M50 9V30M41.5 16.5H58.5", fill="none", line="outline", width=5.5),
        _make_part("M28 37Q50 22 72 37L63 58H37Z"),
        _make_edge("M32.5 44Q50 33 67.5 44"),
        *_COLUMN,
    ),
    "queen": (
        _make_part("M20 31L34.5 43L36 22L45 41L50 18L55 41L64 22L65.5 43L80 31L64 58H36Z"),
        _make_part("M15.5 30a4.5 4.5 0 0 1 9 0a4.5 4.5 0 0 1-9 0Z"),
        _make_part("M31 19.5a4.5 4.5 0 0 1 9 0a4.5 4.5 0 0 1-9 0Z"),
        _make_part("M45.5 16a4.5 4.5 0 0 1 9 0a4.5 4.5 0 0 1-9 0Z"),
        _make_part("M60 19.5a4.5 4.5 0 0 1 9 0a4.5 4.5 0 0 1-9 0Z"),
        _make_part("M75.5 30a4.5 4.5 0 0 1 9 0a4.5 4.5 0 0 1-9 0Z"),
        *_COLUMN,
    ),
    "rook": (
        _make_part("M27 20H38V27H45V20H55V27H62V20H73V35L65 41V66L71 78H29L35 66V41L27 35Z"),
        _FOOT,
        _make_edge("M36 41H64M36 66H64M31 77H69"),
    ),
    "bishop": (
        _make_part("M50 10a5 5 0 0 1 0 10a5 5 0 0 1 0-10Z"),
        _make_part("M50 19C60 26 68 35 68 44C68 51 64 56 61 58H39C36 56 32 51 32 44C32 35 40 26 50 19Z"),
        _make_edge("M57.5 29L50 43"),
        *_COLUMN,
    ),
    "knight": (
        _make_part(
            "M31 78C30 66 37 61 44 54C47 51 48 48 47 44.5C43 49.5 38 50 34.5 53.5C32 58 28.5 61.5 24.5 60"
            "C20 58.5 17.5 55 19 50.5C20.5 46 26.5 41 28.5 34C30 28 34 23.5 39.5 20.5L41.5 10L50 16.5"
            "C70 19 79 42 71 78Z"
        ),
        _FOOT,
        _make_edge("M53 22C66 28 70 46 66 70M31 77H69"),
        _make_dot("M39 33a2.6 2.6 0 0 1 0-5.2a2.6 2.6 0 0 1 0 5.2Z"),
        _make_dot("M24.5 53.5a1.8 1.8 0 0 1 0-3.6a1.8 1.8 0 0 1 0 3.6Z"),
    ),
    "pawn": (
        _make_part("M43 50C43 62 38 72 31 78H69C62 72 57 62 57 50Z"),
        _make_part("M50 23a13.5 13.5 0 0 1 0 27a13.5 13.5 0 0 1 0-27Z"),
        _make_part("M38 47.5H62Q64.5 51 62 54.5H38Q35.5 51 38 47.5Z"),
        _make_part("M31 77H69Q74 79 74 87H26Q26 79 31 77Z"),
        _make_edge("M40 47.5H60M40 54.5H60M34 77H66"),
    ),
}
"""The strokes of each piece, in a box of 100 × 100 units. The pieces stand on the line y = 87."""
