"""What lies over the cells of a scene as SVG: arrows, rings, and labels inside the grid.

An arrow goes from the middle of one cell to that of another, in another area too; one from a cell to itself
is a ring. Cells that a scene does not have are left out. None of it answers the pointer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from forsyth.draw.markup import UNIT, short, words
from forsyth.draw.sheet import Sheet
from forsyth.scene import Area, Pointer, Scene

_WIDTH: Final = 15.0
"""How wide an arrow is, in units of its cell."""
_HEAD: Final = 42.0
_START: Final = 22.0
"""How far from the middle of its first cell an arrow begins."""
_INSIDE: Final = 21
"""How large a label inside its cell is drawn."""


class Spot(NamedTuple):
    """The middle of a cell in the picture, and how large the cell is drawn."""

    x: float
    y: float
    scale: float


def spots(scene: Scene) -> dict[str, Spot]:
    """Where the cells of a scene are."""
    return {
        cell.id: Spot(
            (area.x + (cell.column + 0.5) * area.scale) * UNIT,
            (area.y + (cell.row + 0.5) * area.scale) * UNIT,
            area.scale,
        )
        for area in scene.areas
        for cell in area.cells
    }


def overlays(scene: Scene, sheet: Sheet) -> Iterator[str]:
    """The rings and arrows of a scene, one element each."""
    if not scene.rings and not scene.pointers:
        return
    where = spots(scene)
    for ring in scene.rings:
        if ring.cell in where:
            yield _ring(where[ring.cell], sheet.line(ring.role))
    for pointer in scene.pointers:
        if pointer.origin in where and pointer.target in where:
            yield _pointer(pointer, where, sheet)


def _ring(at: Spot, line: str) -> str:
    return (
        f'<circle class="{line}" cx="{short(at.x)}" cy="{short(at.y)}" r="{short(45 * at.scale)}" fill="none"'
        f' stroke-width="{short(7 * at.scale)}" opacity=".85" pointer-events="none"/>'
    )


def _pointer(pointer: Pointer, where: dict[str, Spot], sheet: Sheet) -> str:
    origin, target = where[pointer.origin], where[pointer.target]
    length = math.hypot(target.x - origin.x, target.y - origin.y)
    if not length:
        return _ring(origin, sheet.line(pointer.role))
    scale = min(origin.scale, target.scale)
    along_x, along_y = (target.x - origin.x) / length, (target.y - origin.y) / length

    def at(forward: float, aside: float) -> str:
        x, y = origin.x + along_x * forward - along_y * aside, origin.y + along_y * forward + along_x * aside
        return f"{short(x)} {short(y)}"

    # The head ends a little before the middle, so that what stands there is still seen.
    tip = length - 6 * scale
    neck, half, wing = tip - _HEAD * scale, _WIDTH * scale / 2, _HEAD * scale / 2
    begin = min(_START * origin.scale, neck)
    corners = (at(begin, half), at(neck, half), at(neck, wing), at(tip, 0), at(neck, -wing))
    path = f"M{'L'.join(corners)}L{at(neck, -half)}L{at(begin, -half)}Z"
    return f'<path class="{sheet.fill(pointer.role)}" d="{path}" opacity=".8" pointer-events="none"/>'


def labels(area: Area, sheet: Sheet) -> Iterator[str]:
    """The names of an area's columns and rows, where the area wants them."""
    if area.labels == "none" or (not any(area.column_labels) and not any(area.row_labels)):
        return
    yield from _inside(area, sheet) if area.labels == "inside" else _outside(area, sheet)


def _outside(area: Area, sheet: Sheet) -> Iterator[str]:
    yield f'<g data-labels="" class="{sheet.fill("text")}" font-size="{short(area.label_size * UNIT)}">'
    for column, label in enumerate(area.column_labels):
        x, y = column * UNIT + UNIT // 2, area.rows * UNIT + 32
        yield f'<text x="{x}" y="{y}" text-anchor="middle">{words(label)}</text>'
    for row, label in enumerate(area.row_labels):
        yield f'<text x="-13" y="{row * UNIT + 60}" text-anchor="end">{words(label)}</text>'
    yield "</g>"


def _inside(area: Area, sheet: Sheet) -> Iterator[str]:
    """Columns at the lower right of the last row's cells, rows at the upper left of the first column's."""
    yield (
        f'<g data-labels="inside" class="{sheet.fill("inside-label")}" font-size="{_INSIDE}"'
        ' font-weight="bold" pointer-events="none">'
    )
    for column, label in enumerate(area.column_labels):
        x, y = (column + 1) * UNIT - 5, area.rows * UNIT - 6
        yield f'<text x="{x}" y="{y}" text-anchor="end">{words(label)}</text>'
    for row, label in enumerate(area.row_labels):
        yield f'<text x="5" y="{row * UNIT + _INSIDE}">{words(label)}</text>'
    yield "</g>"
