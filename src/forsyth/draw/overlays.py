"""The parts of a scene above its cells as SVG: arrows, rings, and labels inside the grid.

An arrow connects the centres of two cells, which may be in different areas. An arrow from a cell to itself is
drawn as a ring. Arrows and rings with a cell that the scene does not have are left out. None of these parts
reacts to the pointer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from forsyth.draw.markup import UNIT, escape_text, format_number
from forsyth.draw.sheet import StyleSheet
from forsyth.scene import Area, Pointer, Scene

_ARROW_WIDTH: Final = 15.0
"""The width of the shaft of an arrow, in units of its cell, like the following lengths."""
_HEAD_SIZE: Final = 42.0
"""The length and the width of the head of an arrow."""
_ARROW_START: Final = 22.0
"""The distance of the beginning of an arrow from the centre of its first cell."""
_TIP_GAP: Final = 6
"""The distance of the tip of an arrow from the centre of its last cell, so that the piece stays visible."""
_RING_RADIUS: Final = 45
_RING_WIDTH: Final = 7
_INSIDE_LABEL_SIZE: Final = 21
"""The font size of a label inside its cell."""
_INSIDE_LABEL_GAP: Final = 5
"""Distance of a label inside its cell from the left or right edge of the cell."""
_INSIDE_LABEL_DESCENT: Final = 6
"""Distance from the baseline of a column label inside its cell to the lower edge of the cell."""
COLUMN_LABEL_DROP: Final = 32
"""Distance from the lower edge of an area to the baseline of its column labels, in units of the drawing."""
_ROW_LABEL_BASELINE: Final = 60
"""Distance from the upper edge of a row to the baseline of its label, which puts the label in the middle."""
_ROW_LABEL_GAP: Final = 13
"""Distance from a row label to the left edge of its area."""


class CellCentre(NamedTuple):
    """The centre of a cell in the picture, and the scale of its area."""

    x: float
    y: float
    scale: float


def find_cell_centres(scene: Scene) -> dict[str, CellCentre]:
    """Return the centre of each cell of a scene, in SVG units, by the id of the cell, such as ``e4``."""
    centres = {}
    for area in scene.areas:
        for cell in area.cells:
            x = area.x + (cell.column + 0.5) * area.scale
            y = area.y + (cell.row + 0.5) * area.scale
            centres[cell.id] = CellCentre(x * UNIT, y * UNIT, area.scale)
    return centres


def draw_overlays(scene: Scene, sheet: StyleSheet) -> Iterator[str]:
    """Yield an SVG element for each ring of a scene, and then for each arrow.

    A ring or an arrow with a cell that the scene does not have is left out.
    """
    if not scene.rings and not scene.pointers:
        return
    centres = find_cell_centres(scene)
    for ring in scene.rings:
        if ring.cell in centres:
            yield _draw_ring(centres[ring.cell], sheet.get_line_class(ring.role))
    for pointer in scene.pointers:
        if pointer.origin in centres and pointer.target in centres:
            yield _draw_arrow(pointer, centres, sheet)


def _draw_ring(centre: CellCentre, line_class: str) -> str:
    """Return a ring around a cell as SVG. `line_class` is the CSS class of lines in its colour."""
    return (
        f'<circle class="{line_class}" cx="{format_number(centre.x)}" cy="{format_number(centre.y)}" '
        f'r="{format_number(_RING_RADIUS * centre.scale)}" fill="none"'
        f' stroke-width="{format_number(_RING_WIDTH * centre.scale)}" opacity=".85" pointer-events="none"/>'
    )


def _draw_arrow(pointer: Pointer, centres: dict[str, CellCentre], sheet: StyleSheet) -> str:
    """Return an arrow between two cells as SVG, or a ring if both cells are the same.

    Args:
        pointer: The ids of both cells, and the palette role of the colour.
        centres: The centre of each cell, by the id of the cell.
        sheet: Provides the class for the colour.
    """
    origin, target = centres[pointer.origin], centres[pointer.target]
    length = math.hypot(target.x - origin.x, target.y - origin.y)
    if length == 0:
        return _draw_ring(origin, sheet.get_line_class(pointer.role))
    scale = min(origin.scale, target.scale)
    direction_x = (target.x - origin.x) / length
    direction_y = (target.y - origin.y) / length

    def write_point(forward: float, sideways: float) -> str:
        """Return a corner of the arrow as SVG coordinates, such as ``250 130.5``.

        The corner is `forward` units from the origin in the direction of the arrow, and `sideways` units to
        its right.
        """
        x = origin.x + direction_x * forward - direction_y * sideways
        y = origin.y + direction_y * forward + direction_x * sideways
        return f"{format_number(x)} {format_number(y)}"

    # The head is a triangle from `neck` to `tip`. These are distances from the origin along the arrow.
    tip = length - _TIP_GAP * scale
    neck = tip - _HEAD_SIZE * scale
    start = min(_ARROW_START * origin.scale, neck)
    half_shaft = _ARROW_WIDTH * scale / 2
    half_head = _HEAD_SIZE * scale / 2
    corners = (
        write_point(start, half_shaft),
        write_point(neck, half_shaft),
        write_point(neck, half_head),
        write_point(tip, 0),
        write_point(neck, -half_head),
        write_point(neck, -half_shaft),
        write_point(start, -half_shaft),
    )
    path = f"M{'L'.join(corners)}Z"
    return (
        f'<path class="{sheet.get_fill_class(pointer.role)}" d="{path}" opacity=".8" pointer-events="none"/>'
    )


def draw_labels(area: Area, sheet: StyleSheet) -> Iterator[str]:
    """Yield the SVG of the row and column labels of an area.

    `Area.labels` selects their place: in the outer cells of the grid, beside the grid, or none.
    """
    has_labels = any(area.column_labels) or any(area.row_labels)
    if area.labels == "none" or not has_labels:
        return
    if area.labels == "inside":
        yield from _draw_inside_labels(area, sheet)
    else:
        yield from _draw_outside_labels(area, sheet)


def _draw_outside_labels(area: Area, sheet: StyleSheet) -> Iterator[str]:
    """Yield the SVG of the labels below the columns and to the left of the rows of an area."""
    font_size = format_number(area.label_size * UNIT)
    yield f'<g data-labels="" class="{sheet.get_fill_class("text")}" font-size="{font_size}">'
    for column, label in enumerate(area.column_labels):
        centre_x = column * UNIT + UNIT // 2
        baseline = area.rows * UNIT + COLUMN_LABEL_DROP
        yield f'<text x="{centre_x}" y="{baseline}" text-anchor="middle">{escape_text(label)}</text>'
    for row, label in enumerate(area.row_labels):
        baseline = row * UNIT + _ROW_LABEL_BASELINE
        yield f'<text x="{-_ROW_LABEL_GAP}" y="{baseline}" text-anchor="end">{escape_text(label)}</text>'
    yield "</g>"


def _draw_inside_labels(area: Area, sheet: StyleSheet) -> Iterator[str]:
    """Yield the SVG of the labels of an area that are inside its outer cells.

    Column labels are in the last row, at the lower right of each cell. Row labels are in the first column, at
    the upper left of each cell.
    """
    label_class = sheet.get_fill_class("inside-label")
    yield (
        f'<g data-labels="inside" class="{label_class}" font-size="{_INSIDE_LABEL_SIZE}"'
        ' font-weight="bold" pointer-events="none">'
    )
    for column, label in enumerate(area.column_labels):
        right = (column + 1) * UNIT - _INSIDE_LABEL_GAP
        baseline = area.rows * UNIT - _INSIDE_LABEL_DESCENT
        yield f'<text x="{right}" y="{baseline}" text-anchor="end">{escape_text(label)}</text>'
    for row, label in enumerate(area.row_labels):
        baseline = row * UNIT + _INSIDE_LABEL_SIZE
        yield f'<text x="{_INSIDE_LABEL_GAP}" y="{baseline}">{escape_text(label)}</text>'
    yield "</g>"
