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
_LAST_CARRIED_LEFT: Final = 40.0
"""Left edge of the last carried token, whose right edge is the right edge of the cell."""
_CARRIED_DROP: Final = 16
"""How much lower the last carried token is than the first."""
_CARRIED_STEP: Final = 30.0
"""Distance between two carried tokens, if there is enough space."""

_MARK_OPACITIES: Final = {"error": ".38", "warning": ".25", "last": ".5", "zone": ".22"}
"""The opacity of the tint of each mark that is drawn as a tint."""
_MARK_BORDERS: Final = {"error": (9, ""), "warning": (7, "20 12"), "zone": (3, "3 7")}
"""The width and the dashes of the border of each mark that has one."""

_CHECK_RADIUS: Final = 49
"""The radius of the disc behind a piece in check. It fills the cell."""
_DOT_RADIUS: Final = 14
"""The radius of the dot on an empty cell to which a piece can move."""
_RING_RADIUS: Final = 45
"""The radius of the ring around a piece that can be captured."""
_DISC_RADIUS: Final = 37
"""The radius of the disc with the letter of a piece that has no drawing."""
_STACK_COUNT_RIGHT: Final = 98.0
_STACK_COUNT_BASELINE: Final = 97.0
_STACK_COUNT_SIZE: Final = 30
"""The font size of the number of tokens in a cell."""
_TOKEN_COUNT_RIGHT: Final = 97
_TOKEN_COUNT_SIZE: Final = 32
"""The font size of the number of equal tokens. Its baseline is this far below the upper edge of the token."""
_OUTLINE_SHARE: Final = 3 / 16
"""The width of the outline of a number, as a share of its font size."""

_INSET: Final = 4
"""The distance of an outline or of brackets from the edge of their cell."""
_MAX_DISC_FONT: Final = 46
_BASELINE_SHARE: Final = 0.36
"""How far the baseline of a centred text is below its centre, as a share of the font size."""
_WIDE_CATEGORIES: Final = "WF"
"""The East Asian widths, wide and full-width, of characters that take two columns."""
_DISC_TEXT_WIDTH: Final = 72
"""The font size in a disc is this number divided by the columns of the text, up to `_MAX_DISC_FONT`."""


def is_plain(area: Area, cell: Cell) -> bool:
    """Return True if a cell has no background of its own, so that the map or page behind it is visible."""
    return bool(area.map) or cell.ground == "page"


def draw_cell(scene: Scene, area: Area, cell: Cell, sheet: StyleSheet) -> str:
    """Return a cell of a scene, such as a square of a board with its piece, as an SVG group.

    The group has the attribute ``data-square`` with the id of the cell. If the cell is marked, it also has
    the attribute ``data-mark``. `sheet` provides the CSS classes.
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

    Return an empty text for a cell without a tooltip.
    """
    tooltip = cell.note
    if not tooltip and len(cell.tokens) > 1:
        tooltip = ", ".join(token.label for token in cell.tokens)
    return f"<title>{escape_text(tooltip)}</title>" if tooltip else ""


def draw_background(scene: Scene, cell: Cell, is_plain_cell: bool, sheet: StyleSheet) -> str:
    """Return the background of a cell as SVG, with the drawing that is printed on it, if it has one.

    A plain cell, such as a point on a map, has a transparent background, so that the map stays visible.
    """
    if is_plain_cell:
        background = _draw_pointer_target(cell)
    else:
        background = f'<rect class="{sheet.get_ground_class(cell.ground)}"{_write_square(cell)}/>'
    if cell.print not in scene.glyphs:
        return background
    x, y = cell.column * UNIT, cell.row * UNIT
    return f'{background}<use href="#{sheet.get_glyph_id(cell.print)}" x="{x}" y="{y}"/>'


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
        signs.append(_draw_outline(x, y, sheet.get_line_class("last")))
    elif cell.mark:
        signs += _draw_mark(cell.mark, x, y, cell.tokens, sheet)
    return "".join(signs)


def draw_tokens(scene: Scene, cell: Cell, sheet: StyleSheet) -> str:
    """Return the tokens (pieces or counters) of a cell as SVG, the lowest first.

    If there are several, their number is written at the lower right corner.
    """
    x, y = cell.column * UNIT, cell.row * UNIT
    token_count = len(cell.tokens)
    elements = []
    for index, (token, box) in enumerate(zip(cell.tokens, _arrange_tokens(token_count), strict=True)):
        left = x + box.left
        top = y + box.top
        is_on_other_token = index > 0
        # A counter has a background of its own.
        if is_on_other_token and not token.counter:
            elements.append(_draw_backing(left, top, box.scale, cell.ground, sheet))
        elements.append(_draw_token(scene, token, left, top, box.scale, sheet))
    if token_count > 1:
        elements.append(_draw_stack_count(token_count, x, y, sheet))
    return "".join(elements)


def _draw_pointer_target(cell: Cell) -> str:
    """Return an invisible SVG rectangle over a cell, so that it reacts to clicks without a background."""
    return f'<rect{_write_square(cell)} fill="none" pointer-events="all"/>'


def _write_square(cell: Cell) -> str:
    """Return the SVG attributes x, y, width and height of the square of a cell, with a blank before them."""
    return f' x="{cell.column * UNIT}" y="{cell.row * UNIT}" width="{UNIT}" height="{UNIT}"'


def _draw_tint(cell: Cell, sheet: StyleSheet) -> str:
    """Return a half-transparent rectangle as SVG, which highlights a cell in the colour `cell.tint`."""
    return f'<rect class="{sheet.get_ground_class(cell.tint)}"{_write_square(cell)} opacity=".6"/>'


def _draw_hatch(hatch: Hatch, x: int, y: int, sheet: StyleSheet) -> str:
    """Return the SVG of slanted lines, in the colour of a hatch, over the cell with the corner (x, y).

    (x, y) is the upper left corner of the cell.
    """
    colour_class = sheet.get_owner_class(hatch.role)
    drawing_id = sheet.get_hatching_id(hatch.slant)
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
        disc_class = sheet.get_fill_class(mark)
        yield f'<circle class="{disc_class}" {_write_centre(x, y)} r="{_CHECK_RADIUS}" opacity=".6"/>'
        return
    yield (
        f'<rect class="{sheet.get_ground_class(mark)}" x="{x}" y="{y}" width="{UNIT}" height="{UNIT}"'
        f' opacity="{_MARK_OPACITIES[mark]}"/>'
    )
    if mark in _MARK_BORDERS:
        border_width, dashes = _MARK_BORDERS[mark]
        yield _draw_border(x, y, sheet.get_line_class(mark), border_width, dashes)


def _draw_target(x: int, y: int, tokens: tuple[Token, ...], sheet: StyleSheet) -> str:
    """Return the mark of a cell to which a piece can move, as SVG.

    It is a dot on an empty cell, brackets around a square token, or a ring around another token. The upper
    left corner of the cell is (x, y).
    """
    centre = _write_centre(x, y)
    if not tokens:
        return f'<circle class="{sheet.get_fill_class("target")}" {centre} r="{_DOT_RADIUS}"/>'
    if tokens[0].square:
        return _draw_brackets(x, y, sheet.get_line_class("target"))
    ring_class = sheet.get_line_class("target")
    return f'<circle class="{ring_class}" {centre} r="{_RING_RADIUS}" fill="none" stroke-width="7"/>'


def _write_centre(x: int, y: int) -> str:
    """Return the SVG attributes cx and cy of the centre of the cell whose upper left corner is (x, y)."""
    return f'cx="{x + UNIT // 2}" cy="{y + UNIT // 2}"'


def _draw_border(x: int, y: int, line_class: str, width: int, dashes: str) -> str:
    """Return a border just inside the edge of a cell as SVG.

    Args:
        x: Left edge of the cell in SVG units.
        y: Upper edge of the cell in SVG units.
        line_class: The CSS class of lines in the colour of the border.
        width: Width of the border in SVG units.
        dashes: The SVG dash pattern, such as ``20 12``. An empty text means a solid border.
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
    """Return a rounded outline of the cell whose upper left corner is (x, y) as SVG.

    `line_class` is the CSS class of lines in its colour.
    """
    return f'<rect class="{line_class}"{_write_inset_square(x, y)} rx="9" fill="none" stroke-width="6"/>'


def _draw_brackets(x: int, y: int, line_class: str) -> str:
    """Return brackets at the four corners of a cell as SVG. (x, y) is the upper left corner.

    `line_class` is the CSS class of lines in their colour.
    """
    # They are one dashed square: each of its sides has a dash at both ends and a gap in the middle.
    return (
        f'<rect class="{line_class}"{_write_inset_square(x, y)} fill="none"'
        ' stroke-width="8" stroke-dasharray="27 38 27 0"/>'
    )


def _write_inset_square(x: int, y: int) -> str:
    """Return the SVG attributes of a square just inside the cell whose upper left corner is (x, y).

    The attributes are x, y, width and height, with a blank before them.
    """
    side = UNIT - 2 * _INSET
    return f' x="{x + _INSET}" y="{y + _INSET}" width="{side}" height="{side}"'


def _arrange_tokens(count: int) -> tuple[_TokenBox, ...]:
    """Return the place and the scale of each of the `count` tokens of a cell, the lowest token first.

    A single token fills the cell. In a stack, the lowest token (the carrier) is at the lower left. The tokens
    that it carries are smaller, and are spread above it on a curve from left to right.
    """
    if count == 0:
        return ()
    if count == 1:
        return (_WHOLE_CELL,)
    carried_count = count - 1
    gap_count = carried_count - 1
    # With many tokens there is less space for each, so that they overlap.
    spread = min(_LAST_CARRIED_LEFT, _CARRIED_STEP * gap_count)
    boxes = [_CARRIER_BOX]
    for index in range(carried_count):
        # From 0 for the leftmost carried token to 1 for the rightmost. A single one is in the middle.
        fraction = index / gap_count if gap_count else 0.5
        left = (_LAST_CARRIED_LEFT - spread) + spread * fraction
        top = _CARRIED_DROP * fraction * fraction
        boxes.append(_TokenBox(left, top, _CARRIED_SCALE))
    return tuple(boxes)


def _draw_stack_count(count: int, x: int, y: int, sheet: StyleSheet) -> str:
    """Return the number of tokens of a cell as SVG, at its lower right corner, where there is no token.

    (x, y) is the upper left corner of the cell.
    """
    return _draw_count(
        count,
        right=x + _STACK_COUNT_RIGHT,
        baseline=y + _STACK_COUNT_BASELINE,
        font_size=_STACK_COUNT_SIZE,
        sheet=sheet,
    )


def _draw_backing(left: float, top: float, scale: float, ground: str, sheet: StyleSheet) -> str:
    """Return a disc in the colour of the cell as SVG. It separates a token from the token below it.

    Args:
        left: Left edge of the token in SVG units.
        top: Upper edge of the token in SVG units.
        scale: Size of the token, where 1 fills the cell.
        ground: The palette role of the background of the cell.
        sheet: Provides the classes for the colours.
    """
    radius = scale * UNIT / 2
    centre_x, centre_y = format_number(left + radius), format_number(top + radius)
    return (
        f'<circle class="{sheet.get_fill_class(ground)} {sheet.get_line_class("frame")}" cx="{centre_x}"'
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
    attributes = f'class="{sheet.get_owner_class(token.owner)}" data-token="{escape_text(token.symbol)}"'
    transform = write_transform(left, top, scale)
    if token.glyph not in scene.glyphs:
        drawing = f"<g {attributes}{transform}>{_draw_disc(token.text or token.symbol)}</g>"
    elif scale == 1:
        # Most tokens need no scaling. Without it, the markup is shorter.
        corner = f'x="{format_number(left)}" y="{format_number(top)}"'
        drawing = f'<use {attributes} href="#{sheet.get_glyph_id(token.glyph)}" {corner}/>'
    else:
        drawing = f'<use {attributes} href="#{sheet.get_glyph_id(token.glyph)}"{transform}/>'
    if token.count == 1:
        return drawing
    return drawing + _draw_token_count(token.count, left, top, scale, sheet)


def _draw_disc(text: str) -> str:
    """Return a disc with a short text, such as ``N``, as SVG. It stands for a token that has no drawing.

    A longer text has a smaller font. Wide characters, such as Chinese ones, count as two columns.
    """
    columns = sum(2 if unicodedata.east_asian_width(ch) in _WIDE_CATEGORIES else 1 for ch in text)
    font_size = min(_MAX_DISC_FONT, _DISC_TEXT_WIDTH // max(1, columns))
    centre = UNIT // 2
    baseline = format_number(centre + font_size * _BASELINE_SHARE)
    return (
        f'<circle cx="{centre}" cy="{centre}" r="{_DISC_RADIUS}" stroke="currentColor" stroke-width="4"/>'
        f'<text x="{centre}" y="{baseline}" font-size="{font_size}" font-weight="bold"'
        f' text-anchor="middle" fill="currentColor" stroke="none">{escape_text(text)}</text>'
    )


def _draw_token_count(count: int, left: float, top: float, scale: float, sheet: StyleSheet) -> str:
    """Return the number of equal tokens for which one token stands, as SVG at its upper right corner.

    Args:
        count: The number of tokens.
        left: Left edge of the token in SVG units.
        top: Upper edge of the token in SVG units.
        scale: Size of the token, where 1 fills the cell.
        sheet: Provides the classes for the colours.
    """
    font_size = _TOKEN_COUNT_SIZE * scale
    right = left + _TOKEN_COUNT_RIGHT * scale
    return _draw_count(count, right=right, baseline=top + font_size, font_size=font_size, sheet=sheet)


def _draw_count(count: int, *, right: float, baseline: float, font_size: float, sheet: StyleSheet) -> str:
    """Return a number in bold as SVG, with an outline that keeps it legible over a piece.

    Args:
        count: The number.
        right: The x coordinate at which the number ends.
        baseline: The y coordinate on which the digits stand.
        font_size: The size of the digits in SVG units.
        sheet: Provides the classes for the colours.
    """
    outline_width = font_size * _OUTLINE_SHARE
    digit_class, outline_class = sheet.get_fill_class("text"), sheet.get_line_class("page")
    return (
        f'<text class="{digit_class} {outline_class}" x="{format_number(right)}" '
        f'y="{format_number(baseline)}"'
        f' font-size="{format_number(font_size)}" font-weight="bold" text-anchor="end"'
        f' stroke-width="{format_number(outline_width)}" stroke-linejoin="round" '
        f'paint-order="stroke">{count}</text>'
    )
