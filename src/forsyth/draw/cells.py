"""One cell of a scene as SVG: its ground, its mark, and what stands on it.

The parts are written one by one: a still picture puts them together, and a moving one shows some of them
for a time. One cell is 100 units; a *plain* cell has no ground, as on a map or on the bare page.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from forsyth.draw.markup import UNIT, place, short, words
from forsyth.draw.sheet import Sheet
from forsyth.scene import Area, Cell, Hatch, Mark, Scene, Token

_SINGLE: Final = ((0.0, 0.0, 1.0),)


def is_plain(area: Area, cell: Cell) -> bool:
    """Whether a cell has no ground: the map or the bare page is seen there."""
    return bool(area.map) or cell.ground == "page"


def cell_group(scene: Scene, area: Area, cell: Cell, sheet: Sheet) -> str:
    """A whole cell: a group that names its place, its mark and what stands there."""
    mark = f' data-mark="{cell.mark}"' if cell.mark else ""
    plain = is_plain(area, cell)
    parts = (tooltip(cell), ground(scene, cell, plain, sheet), signs(cell, plain, sheet))
    return f'<g data-square="{words(cell.id)}"{mark}>{"".join(parts)}{tokens(scene, cell, sheet)}</g>'


def tooltip(cell: Cell) -> str:
    """What is said when the pointer rests on a cell; nothing of a cell with one token and no note."""
    said = cell.note or (", ".join(token.label for token in cell.tokens) if len(cell.tokens) > 1 else "")
    return f"<title>{words(said)}</title>" if said else ""


def ground(scene: Scene, cell: Cell, plain: bool, sheet: Sheet) -> str:
    """What lies under everything: the ground, or what answers the pointer in its place, and its print."""
    x, y = cell.column * UNIT, cell.row * UNIT
    printed = cell.print in scene.glyphs
    below = _feeler(cell) if plain else f'<rect class="{sheet.ground(cell.ground)}"{_square(cell)}/>'
    return below + (f'<use href="#{sheet.glyph(cell.print)}" x="{x}" y="{y}"/>' if printed else "")


def signs(cell: Cell, plain: bool, sheet: Sheet) -> str:
    """What is pointed out: the tint, the hatches, the mark."""
    x, y = cell.column * UNIT, cell.row * UNIT
    found = [_tint(cell, sheet)] if cell.tint else []
    found += [_hatch(hatch, x, y, sheet) for hatch in cell.hatches]
    if cell.mark == "last" and plain:
        found.append(_outline(x, y, sheet.line("last")))
    elif cell.mark:
        found += _mark(cell.mark, x, y, cell.tokens, sheet)
    return "".join(found)


def tokens(scene: Scene, cell: Cell, sheet: Sheet) -> str:
    """What stands on a cell, the lowest first."""
    x, y = cell.column * UNIT, cell.row * UNIT
    found = []
    for index, (token, box) in enumerate(zip(cell.tokens, _boxes(len(cell.tokens)), strict=True)):
        left, top, scale = x + box[0], y + box[1], box[2]
        if index and not token.counter:
            found.append(_backing(left, top, scale, cell.ground, sheet))
        found.append(_token(scene, token, left, top, scale, sheet))
    if len(cell.tokens) > 1:
        found.append(_stack_count(len(cell.tokens), x, y, sheet))
    return "".join(found)


def _feeler(cell: Cell) -> str:
    """A ground that shows the map below it and still answers the pointer."""
    return f'<rect{_square(cell)} fill="none" pointer-events="all"/>'


def _square(cell: Cell) -> str:
    return f' x="{cell.column * UNIT}" y="{cell.row * UNIT}" width="{UNIT}" height="{UNIT}"'


def _tint(cell: Cell, sheet: Sheet) -> str:
    return f'<rect class="{sheet.ground(cell.tint)}"{_square(cell)} opacity=".6"/>'


def _hatch(hatch: Hatch, x: int, y: int, sheet: Sheet) -> str:
    return f'<use class="{sheet.owner(hatch.role)}" href="#{sheet.hatching(hatch.slant)}" x="{x}" y="{y}"/>'


def _mark(mark: Mark, x: int, y: int, tokens: tuple[Token, ...], sheet: Sheet) -> Iterator[str]:
    """The sign of a mark under the tokens; no two differ by their colour alone."""
    middle = f'cx="{x + UNIT // 2}" cy="{y + UNIT // 2}"'
    if mark == "target":
        if tokens and tokens[0].square:
            yield _brackets(x, y, sheet.line(mark))
        elif tokens:
            yield f'<circle class="{sheet.line(mark)}" {middle} r="45" fill="none" stroke-width="7"/>'
        else:
            yield f'<circle class="{sheet.fill(mark)}" {middle} r="14"/>'
        return
    if mark == "check":
        yield f'<circle class="{sheet.fill(mark)}" {middle} r="49" opacity=".6"/>'
        return
    strength = {"error": ".38", "warning": ".25", "last": ".5", "zone": ".22"}[mark]
    yield (
        f'<rect class="{sheet.ground(mark)}" x="{x}" y="{y}" width="{UNIT}" height="{UNIT}"'
        f' opacity="{strength}"/>'
    )
    border = {"error": (9, ""), "warning": (7, "20 12"), "zone": (3, "3 7")}.get(mark)
    if border is None:
        return
    width, dashes = border
    left, top, side = short(x + width / 2), short(y + width / 2), UNIT - width
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    yield (
        f'<rect class="{sheet.line(mark)}" x="{left}" y="{top}" width="{side}" height="{side}"'
        f' fill="none" stroke-width="{width}"{dashed}/>'
    )


def _outline(x: int, y: int, line: str) -> str:
    """The rim of a cell that has no ground to tint: a tint would be a block lying on the map."""
    return (
        f'<rect class="{line}" x="{x + 4}" y="{y + 4}" width="92" height="92" rx="9" fill="none"'
        ' stroke-width="6"/>'
    )


def _brackets(x: int, y: int, line: str) -> str:
    """The four corners of a cell: the dashes of one side end where those of the next begin."""
    return (
        f'<rect class="{line}" x="{x + 4}" y="{y + 4}" width="92" height="92" fill="none" stroke-width="8"'
        ' stroke-dasharray="27 38 27 0"/>'
    )


def _boxes(count: int) -> tuple[tuple[float, float, float], ...]:
    """Left, top and scale of each token of a cell: the carrier large and low, the others fanned above it.

    A carried token is three fifths as large as one that stands alone; each covers a part of the one before.
    """
    if count <= 1:
        return _SINGLE[:count]
    carried = count - 1
    first = 40.0 - min(40.0, 30.0 * (carried - 1))
    fan = ((index / (carried - 1) if carried > 1 else 0.5) for index in range(carried))
    return ((0.0, 22.0, 0.78), *((first + (40 - first) * part, 16 * part * part, 0.6) for part in fan))


def _stack_count(count: int, x: int, y: int, sheet: Sheet) -> str:
    """How many tokens a cell holds, in its lower right corner, where none of them stands."""
    return _number(count, x + 98.0, y + 97.0, 30, sheet)


def _backing(left: float, top: float, scale: float, ground: str, sheet: Sheet) -> str:
    radius = scale * UNIT / 2
    return (
        f'<circle class="{sheet.fill(ground)} {sheet.line("frame")}" cx="{short(left + radius)}"'
        f' cy="{short(top + radius)}" r="{short(radius)}" stroke-width="2"/>'
    )


def _token(scene: Scene, token: Token, left: float, top: float, scale: float, sheet: Sheet) -> str:
    known = f'class="{sheet.owner(token.owner)}" data-token="{words(token.symbol)}"'
    if token.glyph not in scene.glyphs:
        drawing = f"<g {known}{place(left, top, scale)}>{_disc(token.text or token.symbol)}</g>"
    elif scale == 1:
        drawing = f'<use {known} href="#{sheet.glyph(token.glyph)}" x="{short(left)}" y="{short(top)}"/>'
    else:
        drawing = f'<use {known} href="#{sheet.glyph(token.glyph)}"{place(left, top, scale)}/>'
    if token.count == 1:
        return drawing
    return drawing + _count(token.count, left, top, scale, sheet)


def _disc(text: str) -> str:
    """What is shown of a token without a drawing: its letters in a disc, as large as they fit."""
    columns = sum(2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in text)
    size = min(46, 72 // max(1, columns))
    return (
        '<circle cx="50" cy="50" r="37" stroke="currentColor" stroke-width="4"/>'
        f'<text x="50" y="{short(50 + size * 0.36)}" font-size="{size}" font-weight="bold"'
        f' text-anchor="middle" fill="currentColor" stroke="none">{words(text)}</text>'
    )


def _count(count: int, left: float, top: float, scale: float, sheet: Sheet) -> str:
    return _number(count, left + 97 * scale, top + 32 * scale, 32 * scale, sheet)


def _number(number: int, x: float, y: float, size: float, sheet: Sheet) -> str:
    """A number that ends at x, with an edge that sets it apart from what it lies on."""
    return (
        f'<text class="{sheet.fill("text")} {sheet.line("page")}" x="{short(x)}" y="{short(y)}"'
        f' font-size="{short(size)}" font-weight="bold" text-anchor="end"'
        f' stroke-width="{short(size * 3 / 16)}" stroke-linejoin="round" paint-order="stroke">{number}</text>'
    )
