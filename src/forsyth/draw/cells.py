"""One cell of a scene as SVG: its background, its signs and its tokens.

Each part has its own function: a still picture joins the parts, and an animation shows some of them only for
a time. The side of a cell is 100 units. A *plain* cell has no background of its own, as on a map or on the
page.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

from forsyth.draw.markup import UNIT, escape_text, format_number, write_transform
from forsyth.draw.sheet import StyleSheet
from forsyth.scene import Area, Cell, Hatch, Mark, Scene, Token


class _TokenBox(NamedTuple):
    """The place of a token in its cell: left and top in units from the corner of the cell, and its scale."""

    left: float
    top: float
    scale: float


_WHOLE_CELL: Final = _TokenBox(0.0, 0.0, 1.0)
_CARRIER_BOX: Final = _TokenBox(0.0, 22.0, 0.78)
_CARRIED_SCALE: Final = 0.6
_CARRIED_RANGE: Final = 40.0
"""Left edge of the last carried token, whose right edge is the right edge of the cell."""
_CARRIED_DROP: Final = 16
"""How much lower the last carried token is than the first."""
_CARRIED_STEP: Final = 30.0
"""Distance between two carried tokens, if there is enough space."""

_MARK_OPACITIES: Final = {"error": ".38", "warning": ".25", "last": ".5", "zone": ".22"}
"""The opacity of the tint of each mark that is drawn as a tint."""
_MARK_BORDERS: Final = {"error": (9, ""), "warning": (7, "20 12"), "zone": (3, "3 7")}
"""The width and the dashes of the border of each mark that has one."""

_INSET: Final = 4
"""The distance of an outline or of brackets from the edge of their cell."""
_MAX_DISC_FONT: Final = 46
_BASELINE_SHARE: Final = 0.36
"""How far the baseline of a centred text is below its centre, as a share of the font size."""
_WIDE: Final = "WF"
"""The East Asian widths, wide and full-width, of characters that take two columns."""
_DISC_TEXT_WIDTH: Final = 72
"""The font size in a disc is this number divided by the columns of the text, up to `_MAX_DISC_FONT`."""


def is_plain(area: Area, cell: Cell) -> bool:
    """Return True if a cell has no background of its own, so that the map or the page is visible there."""
    return bool(area.map) or cell.ground == "page"


def draw_cell(scene: Scene, area: Area, cell: Cell, sheet: StyleSheet) -> str:
    """Return a cell of a scene, such as a square of a board, as an SVG group.

    The group has the attributes ``data-square`` (the id of the cell) and, if the cell is marked,
    ``data-mark``. `sheet` provides the CSS classes.
    """
    mark_attribute = f' data-mark="{cell.mark}"' if cell.mark else ""
    is_plain_cell = is_plain(area, cell)
    parts = (
        draw_tooltip(cell),
        draw_background(scene, cell, is_plain_cell, sheet),
        draw_signs(cell, is_plain_cell, sheet),
        draw_tokens(scene, cell, sheet),
    )
    return f'<g data-square="{escape_text(cell.id)}"{mark_attribute}>{"".join(parts)}</g>'


def draw_tooltip(cell: Cell) -> str:
    """Return the tooltip of a cell as SVG: its note, or else the names of its tokens if it has several.

    The result is empty for a cell without a tooltip.
    """
    tooltip = cell.note
    if not tooltip and len(cell.tokens) > 1:
        tooltip = ", ".join(token.label for token in cell.tokens)
    return f"<title>{escape_text(tooltip)}</title>" if tooltip else ""


def draw_background(scene: Scene, cell: Cell, is_plain_cell: bool, sheet: StyleSheet) -> str:
    """Return the background of a cell as SVG, and the drawing that is printed on it, if any.

    A plain cell, such as a point on a map, has a transparent background, so that the map stays visible.
    """
    if is_plain_cell:
        background = _draw_pointer_target(cell)
    else:
        background = f'<rect class="{sheet.ground(cell.ground)}"{_square_attributes(cell)}/>'
    if cell.print not in scene.glyphs:
        return background
    x, y = cell.column * UNIT, cell.row * UNIT
    return f'{background}<use href="#{sheet.glyph(cell.print)}" x="{x}" y="{y}"/>'


def draw_signs(cell: Cell, is_plain_cell: bool, sheet: StyleSheet) -> str:
    """Return the signs between the background and the tokens of a cell as SVG.

    These are the tint of a highlight, the hatches (slanted lines), and the mark, such as ``error`` or
    ``last``. A plain cell, such as a point on a map, is outlined for the last move, because a tint would hide
    the map.
    """
    x, y = cell.column * UNIT, cell.row * UNIT
    signs = []
    if cell.tint:
        signs.append(_draw_tint(cell, sheet))
    signs += [_draw_hatch(hatch, x, y, sheet) for hatch in cell.hatches]
    if cell.mark == "last" and is_plain_cell:
        signs.append(_draw_outline(x, y, sheet.line("last")))
    elif cell.mark:
        signs += _draw_mark(cell.mark, x, y, cell.tokens, sheet)
    return "".join(signs)


def draw_tokens(scene: Scene, cell: Cell, sheet: StyleSheet) -> str:
    """Return the tokens (pieces or counters) of a cell as SVG, the lowest first.

    If there are several, their number is written at the lower right corner.
    """
    x, y = cell.column * UNIT, cell.row * UNIT
    boxes = _place_tokens(len(cell.tokens))
    elements = []
    for index, (token, box) in enumerate(zip(cell.tokens, boxes, strict=True)):
        left = x + box.left
        top = y + box.top
        # The lowest token lies on the cell, and a counter has a background of its own.
        is_lowest = index == 0
        if not is_lowest and not token.counter:
            elements.append(_draw_backing(left, top, box.scale, cell.ground, sheet))
        elements.append(_draw_token(scene, token, left, top, box.scale, sheet))
    if len(cell.tokens) > 1:
        elements.append(_draw_stack_count(len(cell.tokens), x, y, sheet))
    return "".join(elements)


def _draw_pointer_target(cell: Cell) -> str:
    """Return an invisible rectangle over a cell, so that clicks and tooltips work without a background."""
    return f'<rect{_square_attributes(cell)} fill="none" pointer-events="all"/>'


def _square_attributes(cell: Cell) -> str:
    """Return the SVG attributes x, y, width and height of a cell, with a blank before them."""
    return f' x="{cell.column * UNIT}" y="{cell.row * UNIT}" width="{UNIT}" height="{UNIT}"'


def _draw_tint(cell: Cell, sheet: StyleSheet) -> str:
    """Return a half-transparent rectangle that highlights a cell in the colour `cell.tint`."""
    return f'<rect class="{sheet.ground(cell.tint)}"{_square_attributes(cell)} opacity=".6"/>'


def _draw_hatch(hatch: Hatch, x: int, y: int, sheet: StyleSheet) -> str:
    """Return slanted lines in the colour of a hatch, over the cell whose upper left corner is (x, y)."""
    colour_class, drawing_id = sheet.owner(hatch.role), sheet.hatching(hatch.slant)
    return f'<use class="{colour_class}" href="#{drawing_id}" x="{x}" y="{y}"/>'


def _draw_mark(mark: Mark, x: int, y: int, tokens: tuple[Token, ...], sheet: StyleSheet) -> Iterator[str]:
    """Yield the SVG elements of a mark on the cell whose upper left corner is (x, y).

    ``target`` is a dot on an empty cell, and a ring or corner brackets around a piece. ``check`` is a disc.
    The other marks are tinted squares, some with a border. Marks differ in shape, not only in colour, for
    people who cannot tell the colours apart.
    """
    if mark == "target":
        yield _draw_target(x, y, tokens, sheet)
        return
    if mark == "check":
        yield f'<circle class="{sheet.fill(mark)}" {_centre_attributes(x, y)} r="49" opacity=".6"/>'
        return
    yield (
        f'<rect class="{sheet.ground(mark)}" x="{x}" y="{y}" width="{UNIT}" height="{UNIT}"'
        f' opacity="{_MARK_OPACITIES[mark]}"/>'
    )
    if mark in _MARK_BORDERS:
        border_width, dashes = _MARK_BORDERS[mark]
        yield _draw_border(x, y, sheet.line(mark), border_width, dashes)


def _draw_target(x: int, y: int, tokens: tuple[Token, ...], sheet: StyleSheet) -> str:
    """Return the mark of a cell to which a piece can move, as SVG.

    It is a dot on an empty cell, brackets around a square token, or a ring around another token. The upper
    left corner of the cell is (x, y).
    """
    centre = _centre_attributes(x, y)
    if not tokens:
        return f'<circle class="{sheet.fill("target")}" {centre} r="14"/>'
    if tokens[0].square:
        return _draw_brackets(x, y, sheet.line("target"))
    return f'<circle class="{sheet.line("target")}" {centre} r="45" fill="none" stroke-width="7"/>'


def _centre_attributes(x: int, y: int) -> str:
    """Return the SVG attributes of the centre of the cell whose upper left corner is (x, y)."""
    return f'cx="{x + UNIT // 2}" cy="{y + UNIT // 2}"'


def _draw_border(x: int, y: int, line_class: str, width: int, dashes: str) -> str:
    """Return a border `width` units wide, inside the edge of the cell whose upper left corner is (x, y).

    `line_class` is the CSS class of lines in its colour. `dashes` is an SVG dash pattern such as ``20 12``,
    or empty for a solid border.
    """
    # SVG draws one half of a line on each side of the path.
    left = format_number(x + width / 2)
    top = format_number(y + width / 2)
    side = UNIT - width
    dash_attribute = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<rect class="{line_class}" x="{left}" y="{top}" width="{side}" height="{side}"'
        f' fill="none" stroke-width="{width}"{dash_attribute}/>'
    )


def _draw_outline(x: int, y: int, line_class: str) -> str:
    """Return a rounded outline of the cell whose upper left corner is (x, y), with a transparent inside.

    `line_class` is the CSS class of lines in its colour.
    """
    return f'<rect class="{line_class}"{_inset_attributes(x, y)} rx="9" fill="none" stroke-width="6"/>'


def _draw_brackets(x: int, y: int, line_class: str) -> str:
    """Return four brackets at the corners of the cell whose upper left corner is (x, y).

    `line_class` is the CSS class of lines in their colour.
    """
    # They are one dashed square: each of its sides has a dash at both ends and a gap in the middle.
    return (
        f'<rect class="{line_class}"{_inset_attributes(x, y)} fill="none"'
        ' stroke-width="8" stroke-dasharray="27 38 27 0"/>'
    )


def _inset_attributes(x: int, y: int) -> str:
    """Return the SVG attributes of a square just inside the cell whose upper left corner is (x, y).

    The attributes are x, y, width and height, with a blank before them.
    """
    side = UNIT - 2 * _INSET
    return f' x="{x + _INSET}" y="{y + _INSET}" width="{side}" height="{side}"'


def _place_tokens(count: int) -> tuple[_TokenBox, ...]:
    """Return the place and the scale of each of the `count` tokens of a cell, the lowest first.

    A single token fills the cell. In a stack, the carrier (the lowest token) is at the lower left, and the
    carried tokens are smaller. They are spread above it from left to right on a curve, each over a part of
    the one before.
    """
    if count == 0:
        return ()
    if count == 1:
        return (_WHOLE_CELL,)
    carried_count = count - 1
    spread = min(_CARRIED_RANGE, _CARRIED_STEP * (carried_count - 1))
    first_left = _CARRIED_RANGE - spread
    boxes = [_CARRIER_BOX]
    for index in range(carried_count):
        # From 0 for the leftmost carried token to 1 for the rightmost.
        fraction = index / (carried_count - 1) if carried_count > 1 else 0.5
        left = first_left + (_CARRIED_RANGE - first_left) * fraction
        top = _CARRIED_DROP * fraction * fraction
        boxes.append(_TokenBox(left, top, _CARRIED_SCALE))
    return tuple(boxes)


def _draw_stack_count(count: int, x: int, y: int, sheet: StyleSheet) -> str:
    """Return the number of tokens of a cell, at its lower right corner, where there is no token."""
    return _draw_number(count, x + 98.0, y + 97.0, 30, sheet)


def _draw_backing(left: float, top: float, scale: float, ground: str, sheet: StyleSheet) -> str:
    """Return a disc in the colour of the cell, which separates a token from the one below it.

    `left` and `top` are the corner of the token, and `scale` is 1 for a token that fills the cell. `ground`
    is the palette role of the background of the cell.
    """
    radius = scale * UNIT / 2
    centre_x, centre_y = format_number(left + radius), format_number(top + radius)
    return (
        f'<circle class="{sheet.fill(ground)} {sheet.line("frame")}" cx="{centre_x}"'
        f' cy="{centre_y}" r="{format_number(radius)}" stroke-width="2"/>'
    )


def _draw_token(scene: Scene, token: Token, left: float, top: float, scale: float, sheet: StyleSheet) -> str:
    """Return a token as SVG: its drawing, or its letter in a disc if the scene has no drawing for it.

    A token that stands for several equal ones, such as pawns in hand, is followed by their number.

    Args:
        scene: Provides the drawings, which are defined once and used by all tokens.
        token: The piece or counter.
        left: Left edge of the token in SVG units.
        top: Upper edge of the token in SVG units.
        scale: Size of the token, where 1 fills the cell.
        sheet: Provides the class for the colours of the owner.
    """
    attributes = f'class="{sheet.owner(token.owner)}" data-token="{escape_text(token.symbol)}"'
    transform = write_transform(left, top, scale)
    if token.glyph not in scene.glyphs:
        drawing = f"<g {attributes}{transform}>{_draw_disc(token.text or token.symbol)}</g>"
    elif scale == 1:
        # Most tokens need no scaling, and their markup is shorter.
        place = f'x="{format_number(left)}" y="{format_number(top)}"'
        drawing = f'<use {attributes} href="#{sheet.glyph(token.glyph)}" {place}/>'
    else:
        drawing = f'<use {attributes} href="#{sheet.glyph(token.glyph)}"{transform}/>'
    if token.count == 1:
        return drawing
    return drawing + _draw_token_count(token.count, left, top, scale, sheet)


def _draw_disc(text: str) -> str:
    """Return a disc with the text of a token that has no drawing. A longer text has a smaller font.

    Wide characters, such as Chinese ones, count as two columns.
    """
    columns = sum(2 if unicodedata.east_asian_width(ch) in _WIDE else 1 for ch in text)
    font_size = min(_MAX_DISC_FONT, _DISC_TEXT_WIDTH // max(1, columns))
    baseline = format_number(50 + font_size * _BASELINE_SHARE)
    return (
        '<circle cx="50" cy="50" r="37" stroke="currentColor" stroke-width="4"/>'
        f'<text x="50" y="{baseline}" font-size="{font_size}" font-weight="bold"'
        f' text-anchor="middle" fill="currentColor" stroke="none">{escape_text(text)}</text>'
    )


def _draw_token_count(count: int, left: float, top: float, scale: float, sheet: StyleSheet) -> str:
    """Return the number of equal tokens that a token stands for, at its upper right corner."""
    return _draw_number(count, left + 97 * scale, top + 32 * scale, 32 * scale, sheet)


def _draw_number(number: int, right: float, baseline: float, font_size: float, sheet: StyleSheet) -> str:
    """Return a bold number that ends at `right`, with an outline that keeps it legible over a piece.

    `baseline` is the y coordinate on which the digits stand.
    """
    outline_width = font_size * 3 / 16
    return (
        f'<text class="{sheet.fill("text")} {sheet.line("page")}" x="{format_number(right)}" '
        f'y="{format_number(baseline)}"'
        f' font-size="{format_number(font_size)}" font-weight="bold" text-anchor="end"'
        f' stroke-width="{format_number(outline_width)}" stroke-linejoin="round" '
        f'paint-order="stroke">{number}</text>'
    )
