"""Scenes as SVG: one standalone picture, small, without scripts and without references to anything outside.

Accepts
    A position, reading, match, record or node of one, or a `Scene`; `forsyth.draw.scene` says with which
    options. All words in it (labels, notes, captions, identifiers) are hostile until escaped here;
    characters that XML cannot hold become U+FFFD. Colours must be ``#rrggbb``; anything else raises
    `ValueError`, for they are written into a style sheet.
Writes
    The same text for the same scene, size and theme. Every cell is a group with ``data-square`` (its
    identifier) and, where it is marked, ``data-mark``; its note is its tooltip. Every token on a cell is an
    element with ``data-token`` (its symbol), the lowest first. One cell is 100 units. On a
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
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal, get_args

from forsyth.arguments import require_choice, whole_number
from forsyth.draw.cells import cell_group
from forsyth.draw.markup import PREFIX, ROUND, UNIT, place, short, words
from forsyth.draw.options import scene as dressed
from forsyth.draw.overlays import labels, overlays
from forsyth.draw.sheet import Sheet, Surroundings, stroke_of
from forsyth.scene import Area, Caption, Scene

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.draw.options import Options, Subject

Theme = Literal["auto", "light", "dark"]
THEMES: Final[tuple[str, ...]] = get_args(Theme)

SIZE: Final = 480
"""The width of a picture in pixels, where nothing else is asked for."""
SMALLEST: Final = 16
LARGEST: Final = 8192
"""Widest picture: wide enough for print; a PNG of this size takes a quarter of a gigabyte to draw."""

_FONTS: Final = "Helvetica Neue,Helvetica,Arial,Liberation Sans,DejaVu Sans,Noto Sans,sans-serif"
"""Named one by one because not every renderer knows what ``sans-serif`` is on its machine."""


def svg(what: Subject, *, size: int = SIZE, theme: Theme = "auto", **how: Unpack[Options]) -> str:
    """A position, reading, match, record, node or scene as an SVG document `size` pixels wide.

    The other options are those of `forsyth.draw.scene`.
    """
    size = whole_number("the size", size, SMALLEST, LARGEST)
    require_choice("theme", theme, THEMES)
    return still(dressed(what, **how), size, theme)


def still(scene: Scene, size: int, theme: Surroundings) -> str:
    """A scene as a document, for one of the public themes or for a notebook."""
    sheet = Sheet(scene)
    body = "\n".join(_body(scene, sheet))
    return document(scene, body, sheet, size, theme)


def document(scene: Scene, body: str, sheet: Sheet, size: int, theme: Surroundings, rules: str = "") -> str:
    """A body with everything around it; `rules` are further ones for the style sheet."""
    width, height = scene.width * UNIT, scene.height * UNIT
    whole = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {short(width)} {short(height)}"'
        f' width="{size}" height="{math.ceil(size * height / width)}" role="img"'
        f' aria-labelledby="{PREFIX}t {PREFIX}d" font-family="{_FONTS}">\n'
        f'<title id="{PREFIX}t">{words(scene.title)}</title>\n'
        f'<desc id="{PREFIX}d">{words(scene.description)}</desc>\n'
        f"<style>{sheet.rules(theme)}{rules}</style>\n"
        f"<defs>{''.join(sheet.drawings())}</defs>\n"
        f"{body}\n</svg>\n"
    )
    digest = hashlib.sha256(whole.encode()).hexdigest()
    return whole.replace(PREFIX, f"f{digest[:6]}")


def _body(scene: Scene, sheet: Sheet) -> Iterator[str]:
    yield backdrop(scene, sheet)
    for area in scene.areas:
        yield from _area(scene, area, sheet)
    yield from overlays(scene, sheet)
    for one in scene.captions:
        yield caption(one, sheet)


def backdrop(scene: Scene, sheet: Sheet) -> str:
    """The page behind everything, wider than the picture: its sides are whole pixels, its content is not."""
    width, height = (short(side * UNIT + 2 * UNIT) for side in (scene.width, scene.height))
    return f'<rect class="{sheet.fill("page")}" x="-{UNIT}" y="-{UNIT}" width="{width}" height="{height}"/>'


def _area(scene: Scene, area: Area, sheet: Sheet) -> Iterator[str]:
    yield f'<g data-area="{words(area.name)}"{area_place(area)}>'
    yield from area_map(area, sheet)
    for cell in area.cells:
        yield cell_group(scene, area, cell, sheet)
    yield from surround(area, sheet)
    yield "</g>"


def area_place(area: Area) -> str:
    """The attribute that puts an area where it stands."""
    return place(area.x * UNIT, area.y * UNIT, area.scale)


def surround(area: Area, sheet: Sheet) -> Iterator[str]:
    """What an area has beside its cells: the frame, the labels, the captions."""
    if len(area.cells) == area.columns * area.rows and not area.margin:
        yield (
            f'<rect class="{sheet.line("frame")}" x="-1.5" y="-1.5" width="{area.columns * UNIT + 3}"'
            f' height="{area.rows * UNIT + 3}" fill="none" stroke-width="3"/>'
        )
    yield from labels(area, sheet)
    for one in area.captions:
        yield caption(one, sheet)


def area_map(area: Area, sheet: Sheet) -> Iterator[str]:
    """The map in a nested picture, which cuts off what runs over the area's edge."""
    if not area.map:
        return
    strokes = "".join(stroke_of(stroke, sheet) for stroke in area.map)
    width, height = (
        short((area.columns + 2 * area.margin) * UNIT),
        short((area.rows + 2 * area.margin) * UNIT),
    )
    where = ""
    if area.margin:
        edge = short(-area.margin * UNIT)
        where = f' x="{edge}" y="{edge}" viewBox="{edge} {edge} {width} {height}"'
    yield f'<svg{where} width="{width}" height="{height}" {ROUND}>{strokes}</svg>'


def caption(one: Caption, sheet: Sheet) -> str:
    """A line of text."""
    anchor = "" if one.anchor == "start" else f' text-anchor="{one.anchor}"'
    return (
        f'<text class="{sheet.fill(one.role)}" x="{short(one.x * UNIT)}" y="{short(one.y * UNIT)}"'
        f' font-size="{short(one.size * UNIT)}"{anchor}>{words(one.text)}</text>'
    )
