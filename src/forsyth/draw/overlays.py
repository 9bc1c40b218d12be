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
_COLUMN_LABEL_DROP: Final = 32
"""Distance from the lower edge of an area to the baseline of its column labels, in units of the drawing."""
_ROW_LABEL_BASELINE: Final = 60
"""Distance from the upper edge of a row to the baseline of its label, which puts the label in the middle."""
_ROW_LABEL_GAP: Final = 13
"""Distance from a row label to the left edge of its area."""
"""The font size of a label inside its cell."""


class CellCentre(NamedTuple):
    """The centre of a cell in the picture, and the scale of its area."""

    x: float
    y: float
    scale: float


def find_cell_centres(scene: Scene) -> dict[str, CellCentre]:
    """Return the centre of each cell of a scene in SVG units, by the id of the cell, such as ``e4``."""
    centres = {}
    for area in scene.areas:
        for cell in area.cells:
            x = area.x + (cell.column + 0.5) * area.scale
            y = area.y + (cell.row + 0.5) * area.scale
            centres[cell.id] = CellCentre(x * UNIT, y * UNIT, area.scale)
    return centres


def draw_overlays(scene: Scene, sheet: StyleSheet) -> Iterator[str]:
    """Yield the rings and then the arrows of a scene, one SVG element each.

    Rings and arrows with a cell that the scene does not have are left out.
    """
    if not scene.rings and not scene.pointers:
        return
    centres = find_cell_centres(scene)
    for ring in scene.rings:
        if ring.cell in centres:
            yield _draw_ring(centres[ring.cell], sheet.line(ring.role))
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

    `centres` has the centre of each cell by the id of the cell.
    """
    origin, target = centres[pointer.origin], centres[pointer.target]
    length = math.hypot(target.x - origin.x, target.y - origin.y)
    if length == 0:
        return _draw_ring(origin, sheet.line(pointer.role))
    scale = min(origin.scale, target.scale)
    direction_x = (target.x - origin.x) / length
    direction_y = (target.y - origin.y) / length

    def write_point(forward: float, sideways: float) -> str:
        """Return a corner as SVG text. Both distances are from the origin: along the arrow, to its right."""
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
    return f'<path class="{sheet.fill(pointer.role)}" d="{path}" opacity=".8" pointer-events="none"/>'


def draw_labels(area: Area, sheet: StyleSheet) -> Iterator[str]:
    """Yield the SVG of the row and column labels of an area, inside or outside as `Area.labels` selects."""
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
    yield f'<g data-labels="" class="{sheet.fill("text")}" font-size="{font_size}">'
    for column, label in enumerate(area.column_labels):
        centre_x = column * UNIT + UNIT // 2
        baseline = area.rows * UNIT + _COLUMN_LABEL_DROP
        yield f'<text x="{centre_x}" y="{baseline}" text-anchor="middle">{escape_text(label)}</text>'
    for row, label in enumerate(area.row_labels):
        baseline = row * UNIT + _ROW_LABEL_BASELINE
        yield f'<text x="{-_ROW_LABEL_GAP}" y="{baseline}" text-anchor="end">{escape_text(label)}</text>'
    yield "</g>"


def _draw_inside_labels(area: Area, sheet: StyleSheet) -> Iterator[str]:
    """Yield the SVG of the labels inside the outer cells of an area.

    The column labels are at the lower right of the cells of the last row, the row labels at the upper left of
    the cells of the first column.
    """
    yield (
        f'<g data-labels="inside" class="{sheet.fill("inside-label")}" font-size="{_INSIDE_LABEL_SIZE}"'
        ' font-weight="bold" pointer-events="none">'
    )
    for column, label in enumerate(area.column_labels):
        right = (column + 1) * UNIT - 5
        baseline = area.rows * UNIT - 6
        yield f'<text x="{right}" y="{baseline}" text-anchor="end">{escape_text(label)}</text>'
    for row, label in enumerate(area.row_labels):
        baseline = row * UNIT + _INSIDE_LABEL_SIZE
        yield f'<text x="5" y="{baseline}">{escape_text(label)}</text>'
    yield "</g>"
