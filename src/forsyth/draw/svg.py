"""Scenes as SVG: one standalone picture, small, without scripts and without references to anything outside.

Accepts
    Any `Scene`, and what has one: a position, a match. All words in it (labels, notes, captions,
    identifiers) are hostile until escaped here; characters that XML cannot hold become U+FFFD. Colours must
    be ``#rrggbb``; anything else raises `ValueError`, for they are written into a style sheet.
Writes
    The same text for the same scene, size and theme. Every cell is a group with ``data-square`` (its
    identifier) and, where it is marked, ``data-mark``; its note is its tooltip. One cell is 100 units. On a
    map, or with the ground ``page``, cells have no ground but still react to the pointer; the
    last move is a rim there and a tint elsewhere.
    The theme ``auto`` follows the page's ``prefers-color-scheme``; ``light`` and ``dark`` are fixed. Class
    names and ids begin with a hash of the content, so that many pictures can share one HTML page.
Limits
    `size` is the width in pixels, between `SMALLEST` and `LARGEST`. Letters are drawn with the viewer's
    fonts; pieces and marks need none.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final, Literal, get_args
from xml.sax.saxutils import escape

from forsyth.arguments import quoted, require_choice, whole_number
from forsyth.scene import (
    Area,
    Caption,
    Cell,
    Colour,
    Drawable,
    Hatch,
    Mark,
    Scene,
    Stroke,
    Token,
    scene_of,
)

Theme = Literal["auto", "light", "dark"]
THEMES: Final[tuple[str, ...]] = get_args(Theme)

SIZE: Final = 480
"""The width of a picture in pixels, where nothing else is asked for."""
SMALLEST: Final = 16
LARGEST: Final = 8192
"""Widest picture: wide enough for print; a PNG of this size takes a quarter of a gigabyte to draw."""

_UNIT: Final = 100
"""Units per cell: the box of a glyph, so that most tokens need no scaling."""

_PREFIX: Final = "\0"
"""Stands for the prefix of names until the content is known; `_words` keeps it out of all other text."""

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEX_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")

_FONTS: Final = "Helvetica Neue,Helvetica,Arial,Liberation Sans,DejaVu Sans,Noto Sans,sans-serif"
"""Named one by one because not every renderer knows what ``sans-serif`` is on its machine."""

_ROUND: Final = 'stroke-linejoin="round" stroke-linecap="round"'
_SINGLE: Final = ((0.0, 0.0, 1.0),)


def svg(scene: Drawable, *, size: int = SIZE, theme: Theme = "auto") -> str:
    """The scene, position or match as an SVG document `size` pixels wide."""
    size = whole_number("the size", size, SMALLEST, LARGEST)
    require_choice("theme", theme, THEMES)
    scene = scene_of(scene)
    sheet = _Sheet(scene)
    body = "\n".join(_body(scene, sheet))
    width, height = scene.width * _UNIT, scene.height * _UNIT
    document = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}"'
        f' width="{size}" height="{math.ceil(size * height / width)}" role="img"'
        f' aria-labelledby="{_PREFIX}t {_PREFIX}d" font-family="{_FONTS}">\n'
        f'<title id="{_PREFIX}t">{_words(scene.title)}</title>\n'
        f'<desc id="{_PREFIX}d">{_words(scene.description)}</desc>\n'
        f"<style>{sheet.rules(theme)}</style>\n"
        f"<defs>{''.join(sheet.drawings())}</defs>\n"
        f"{body}\n</svg>\n"
    )
    digest = hashlib.sha256(document.encode()).hexdigest()
    return document.replace(_PREFIX, f"f{digest[:6]}")


class _Sheet:
    """Hands out a short class name for each role in use, and writes the rules and glyphs behind the names.

    A token inherits ``fill`` and ``stroke`` from its owner's rule and takes the owner's line from
    ``currentColor``: so one drawing serves every owner.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._classes: dict[tuple[str, str], str] = {}
        self._drawings: dict[tuple[str, str], tuple[str, str]] = {}

    def fill(self, role: str) -> str:
        return self._class("fill", role)

    def ground(self, role: str) -> str:
        return self._class("ground", role)

    def line(self, role: str) -> str:
        return self._class("stroke", role)

    def owner(self, owner: str) -> str:
        return self._class("owner", owner)

    def _class(self, kind: str, role: str) -> str:
        return self._classes.setdefault((kind, role), f"{_PREFIX}{len(self._classes)}")

    def glyph(self, name: str) -> str:
        """The id of a drawing; its strokes are written when it is first asked for."""
        if ("glyph", name) not in self._drawings:
            strokes = "".join(_stroke(stroke, self) for stroke in self._scene.glyphs[name])
            self._drawings["glyph", name] = f"{_PREFIX}g{len(self._drawings)}", strokes
        return self._drawings["glyph", name][0]

    def hatching(self, slant: str) -> str:
        """The id of a cell's hatching; it inherits its colour from who uses it."""
        fresh = f"{_PREFIX}g{len(self._drawings)}", _hatching(slant)
        return self._drawings.setdefault(("hatching", slant), fresh)[0]

    def drawings(self) -> Iterator[str]:
        for name, drawing in self._drawings.values():
            yield f'<g id="{name}" {_ROUND}>{drawing}</g>'

    def rules(self, theme: Theme) -> str:
        if theme != "auto":
            return "".join(self._rules(theme))
        dark = set(self._rules("dark")) - set(self._rules("light"))
        changed = "".join(rule for rule in self._rules("dark") if rule in dark)
        light = "".join(self._rules("light"))
        return f"{light}@media(prefers-color-scheme:dark){{{changed}}}" if changed else light

    def _rules(self, theme: Literal["light", "dark"]) -> Iterator[str]:
        for (kind, role), name in self._classes.items():
            colour = _shade(self._scene.colour(role), theme)
            if kind == "owner":
                line = _shade(self._scene.colour(f"{role}-line"), theme)
                yield f".{name}{{fill:{colour};stroke:{colour};color:{line}}}"
            elif kind == "ground":
                yield f".{name}{{fill:{colour};shape-rendering:crispEdges}}"
            else:
                yield f".{name}{{{kind}:{colour}}}"


def _body(scene: Scene, sheet: _Sheet) -> Iterator[str]:
    yield _backdrop(scene, sheet)
    for area in scene.areas:
        yield from _area(scene, area, sheet)
    for caption in scene.captions:
        yield _caption(caption, sheet)


def _backdrop(scene: Scene, sheet: _Sheet) -> str:
    """The page behind everything, wider than the picture: its sides are whole pixels, its content is not."""
    width, height = (_n(side * _UNIT + 2 * _UNIT) for side in (scene.width, scene.height))
    return f'<rect class="{sheet.fill("page")}" x="-{_UNIT}" y="-{_UNIT}" width="{width}" height="{height}"/>'


def _area(scene: Scene, area: Area, sheet: _Sheet) -> Iterator[str]:
    place = _place(area.x * _UNIT, area.y * _UNIT, area.scale)
    yield f'<g data-area="{_words(area.name)}"{place}>'
    yield from _map(area, sheet)
    for cell in area.cells:
        plain = bool(area.map) or cell.ground == "page"
        yield f"<g{_cell_attributes(cell)}>{''.join(_cell(scene, cell, plain, sheet))}</g>"
    if len(area.cells) == area.columns * area.rows and not area.margin:
        yield (
            f'<rect class="{sheet.line("frame")}" x="-1.5" y="-1.5" width="{area.columns * _UNIT + 3}"'
            f' height="{area.rows * _UNIT + 3}" fill="none" stroke-width="3"/>'
        )
    yield from _labels(area, sheet)
    for caption in area.captions:
        yield _caption(caption, sheet)
    yield "</g>"


def _map(area: Area, sheet: _Sheet) -> Iterator[str]:
    """The map in a nested picture, which cuts off what runs over the area's edge."""
    if not area.map:
        return
    strokes = "".join(_stroke(stroke, sheet) for stroke in area.map)
    width, height = _n((area.columns + 2 * area.margin) * _UNIT), _n((area.rows + 2 * area.margin) * _UNIT)
    place = ""
    if area.margin:
        edge = _n(-area.margin * _UNIT)
        place = f' x="{edge}" y="{edge}" viewBox="{edge} {edge} {width} {height}"'
    yield f'<svg{place} width="{width}" height="{height}" {_ROUND}>{strokes}</svg>'


def _labels(area: Area, sheet: _Sheet) -> Iterator[str]:
    if not any(area.column_labels) and not any(area.row_labels):
        return
    yield f'<g class="{sheet.fill("text")}" font-size="{_n(area.label_size * _UNIT)}">'
    for column, label in enumerate(area.column_labels):
        x, y = column * _UNIT + _UNIT // 2, area.rows * _UNIT + 32
        yield f'<text x="{x}" y="{y}" text-anchor="middle">{_words(label)}</text>'
    for row, label in enumerate(area.row_labels):
        yield f'<text x="-13" y="{row * _UNIT + 60}" text-anchor="end">{_words(label)}</text>'
    yield "</g>"


def _cell_attributes(cell: Cell) -> str:
    mark = f' data-mark="{cell.mark}"' if cell.mark else ""
    return f' data-square="{_words(cell.id)}"{mark}'


def _ground(cell: Cell, sheet: _Sheet) -> str:
    return f'<rect class="{sheet.ground(cell.ground)}"{_square(cell)}/>'


def _feeler(cell: Cell) -> str:
    """A ground that shows the map below it and still answers the pointer."""
    return f'<rect{_square(cell)} fill="none" pointer-events="all"/>'


def _square(cell: Cell) -> str:
    return f' x="{cell.column * _UNIT}" y="{cell.row * _UNIT}" width="{_UNIT}" height="{_UNIT}"'


def _cell(scene: Scene, cell: Cell, plain: bool, sheet: _Sheet) -> Iterator[str]:
    """What is drawn of a cell; a `plain` one has no ground, as on a map or on the bare page."""
    x, y = cell.column * _UNIT, cell.row * _UNIT
    tooltip = cell.note or (", ".join(token.label for token in cell.tokens) if len(cell.tokens) > 1 else "")
    if tooltip:
        yield f"<title>{_words(tooltip)}</title>"
    yield _feeler(cell) if plain else _ground(cell, sheet)
    if cell.print in scene.glyphs:
        yield f'<use href="#{sheet.glyph(cell.print)}" x="{x}" y="{y}"/>'
    for hatch in cell.hatches:
        yield _hatch(hatch, x, y, sheet)
    if cell.mark == "last" and plain:
        yield _outline(x, y, sheet.line("last"))
    elif cell.mark:
        yield from _mark(cell.mark, x, y, cell.tokens, sheet)
    for index, (token, box) in enumerate(zip(cell.tokens, _boxes(len(cell.tokens)), strict=True)):
        left, top, scale = x + box[0], y + box[1], box[2]
        if index and not token.counter:
            yield _backing(left, top, scale, cell.ground, sheet)
        yield _token(scene, token, left, top, scale, sheet)


def _hatch(hatch: Hatch, x: int, y: int, sheet: _Sheet) -> str:
    return f'<use class="{sheet.owner(hatch.role)}" href="#{sheet.hatching(hatch.slant)}" x="{x}" y="{y}"/>'


def _hatching(slant: str) -> str:
    """A tint and four lines, which go on in the next cell because their distance divides the cell."""
    rising = "M0 12.5L12.5 0M0 37.5L37.5 0M0 62.5L62.5 0M0 87.5L87.5 0"
    rising += "M12.5 100L100 12.5M37.5 100L100 37.5M62.5 100L100 62.5M87.5 100L100 87.5"
    mirrored = ' transform="matrix(-1 0 0 1 100 0)"' if slant == "\\" else ""
    return (
        f'<rect width="{_UNIT}" height="{_UNIT}" stroke="none" opacity=".16" shape-rendering="crispEdges"/>'
        f'<path d="{rising}" stroke-width="2.5" stroke-linecap="butt" opacity=".55"{mirrored}/>'
    )


def _mark(mark: Mark, x: int, y: int, tokens: tuple[Token, ...], sheet: _Sheet) -> Iterator[str]:
    """The sign of a mark under the tokens; no two differ by their colour alone."""
    middle = f'cx="{x + _UNIT // 2}" cy="{y + _UNIT // 2}"'
    if mark == "target":
        if tokens and tokens[0].square:
            yield _brackets(x, y, sheet.line(mark))
        elif tokens:
            yield f'<circle class="{sheet.line(mark)}" {middle} r="45" fill="none" stroke-width="7"/>'
        else:
            yield f'<circle class="{sheet.fill(mark)}" {middle} r="14"/>'
        return
    strength = {"error": ".38", "warning": ".25", "last": ".5", "zone": ".22"}[mark]
    yield (
        f'<rect class="{sheet.ground(mark)}" x="{x}" y="{y}" width="{_UNIT}" height="{_UNIT}"'
        f' opacity="{strength}"/>'
    )
    border = {"error": (9, ""), "warning": (7, "20 12"), "zone": (3, "3 7")}.get(mark)
    if border is None:
        return
    width, dashes = border
    left, top, side = _n(x + width / 2), _n(y + width / 2), _UNIT - width
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
    """Left, top and scale of each token of a cell: the carrier large and low, the others above it.

    Up to two sit on the carrier's shoulder and cover only its rim; more stand in a row.
    """
    if count <= 1:
        return _SINGLE[:count]
    if count == 2:
        return (0.0, 16.0, 0.84), (50.0, 0.0, 0.5)
    if count == 3:
        return (0.0, 24.0, 0.76), (24.0, 0.0, 0.46), (54.0, 23.0, 0.46)
    carried = count - 1
    badge = max(24.0, 98 / carried)
    step = (98 - badge) / (carried - 1)
    row = tuple((1 + step * index, 0.0, badge / _UNIT) for index in range(carried))
    return ((11.0, 22.0, 0.78), *row)


def _backing(left: float, top: float, scale: float, ground: str, sheet: _Sheet) -> str:
    radius = scale * _UNIT / 2
    return (
        f'<circle class="{sheet.fill(ground)} {sheet.line("frame")}" cx="{_n(left + radius)}"'
        f' cy="{_n(top + radius)}" r="{_n(radius)}" stroke-width="2"/>'
    )


def _token(scene: Scene, token: Token, left: float, top: float, scale: float, sheet: _Sheet) -> str:
    owner = sheet.owner(token.owner)
    if token.glyph not in scene.glyphs:
        drawing = f'<g class="{owner}"{_place(left, top, scale)}>{_disc(token.text or token.symbol)}</g>'
    elif scale == 1:
        drawing = f'<use class="{owner}" href="#{sheet.glyph(token.glyph)}" x="{_n(left)}" y="{_n(top)}"/>'
    else:
        place = _place(left, top, scale)
        drawing = f'<use class="{owner}" href="#{sheet.glyph(token.glyph)}"{place}/>'
    if token.count == 1:
        return drawing
    return drawing + _count(token.count, left, top, scale, sheet)


def _disc(text: str) -> str:
    """What is shown of a token without a drawing: its letters in a disc, as large as they fit."""
    columns = sum(2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in text)
    size = min(46, 72 // max(1, columns))
    return (
        '<circle cx="50" cy="50" r="37" stroke="currentColor" stroke-width="4"/>'
        f'<text x="50" y="{_n(50 + size * 0.36)}" font-size="{size}" font-weight="bold" text-anchor="middle"'
        f' fill="currentColor" stroke="none">{_words(text)}</text>'
    )


def _count(count: int, left: float, top: float, scale: float, sheet: _Sheet) -> str:
    x, y, size = left + 97 * scale, top + 32 * scale, 32 * scale
    return (
        f'<text class="{sheet.fill("text")} {sheet.line("page")}" x="{_n(x)}" y="{_n(y)}"'
        f' font-size="{_n(size)}" font-weight="bold" text-anchor="end" stroke-width="{_n(6 * scale)}"'
        f' stroke-linejoin="round" paint-order="stroke">{count}</text>'
    )


def _stroke(stroke: Stroke, sheet: _Sheet) -> str:
    classes: list[str] = []
    fill = _paint("fill", stroke.fill, sheet.fill, classes)
    line = _paint("stroke", stroke.line, sheet.line, classes)
    width = "" if stroke.line == "none" else f' stroke-width="{_n(stroke.width)}"'
    named = f' class="{" ".join(classes)}"' if classes else ""
    faint = "" if stroke.opacity == 1 else f' opacity="{_n(stroke.opacity)}"'
    return f'<path{named} d="{_words(stroke.path)}"{fill}{line}{width}{faint}/>'


def _paint(attribute: str, role: str, name: Callable[[str], str], classes: list[str]) -> str:
    """The attribute that paints a stroke; a role of the palette joins `classes` instead."""
    if role == "owner":
        return ""
    if role == "owner-line":
        return f' {attribute}="currentColor"'
    if role == "none":
        return f' {attribute}="none"'
    classes.append(name(role))
    return ""


def _caption(caption: Caption, sheet: _Sheet) -> str:
    anchor = "" if caption.anchor == "start" else f' text-anchor="{caption.anchor}"'
    return (
        f'<text class="{sheet.fill(caption.role)}" x="{_n(caption.x * _UNIT)}" y="{_n(caption.y * _UNIT)}"'
        f' font-size="{_n(caption.size * _UNIT)}"{anchor}>{_words(caption.text)}</text>'
    )


def _place(x: float, y: float, scale: float) -> str:
    sized = "" if scale == 1 else f" scale({_n(scale)})"
    return f' transform="translate({_n(x)} {_n(y)}){sized}"'


def _shade(colour: Colour, theme: Literal["light", "dark"]) -> str:
    shade = colour.dark if theme == "dark" else colour.light
    if not _HEX_COLOUR.fullmatch(shade):
        raise ValueError(f"{quoted(shade)} is not a colour, expected #rrggbb")
    return shade


def _words(text: str) -> str:
    """Text that is safe between tags and between double quotes."""
    return escape(_NOT_XML.sub("\ufffd", text), {'"': "&quot;"})


def _n(value: float) -> str:
    return f"{round(value, 2):g}"
