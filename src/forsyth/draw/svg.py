"""Scenes as SVG: a small standalone document, without scripts and without external references.

Input: a position, reading, match, record or node of a record, or a `Scene`, with the options of
`forsyth.draw.scene`. All texts in it (labels, notes, captions, identifiers) may be hostile and are escaped;
characters that XML does not allow become U+FFFD. Colours are written into a style sheet and must therefore be
of the form ``#rrggbb``; another value raises `ValueError`.

Output: the same text for the same scene, size and theme. Every cell is a group with ``data-square`` (its id)
and, if it is marked, ``data-mark``; its note is a tooltip. Every token on a cell is an element with
``data-token`` (its symbol), the lowest token first. The side of a cell is 100 units. On a map, and with the
background ``page``, a cell has no visible background but still reacts to the pointer. The last move is
outlined there, and tinted elsewhere.

The theme ``auto`` follows ``prefers-color-scheme``; ``light`` and ``dark`` are fixed. Class names and ids
begin with a hash of the content, so that many pictures can be in one HTML page.

Limits: `size` is the width in pixels, from `MIN_SIZE` to `MAX_SIZE`. Text is drawn with the fonts of the
viewer; pieces and marks need no fonts.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal, get_args

from forsyth.arguments import require_choice, require_integer
from forsyth.draw.cells import draw_cell
from forsyth.draw.markup import PREFIX, ROUND, UNIT, escape_text, format_number, write_transform
from forsyth.draw.options import scene_for
from forsyth.draw.overlays import draw_labels, draw_overlays
from forsyth.draw.sheet import PageTheme, StyleSheet, draw_stroke
from forsyth.scene import Area, Caption, Scene

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.draw.options import SceneOptions, Subject

Theme = Literal["auto", "light", "dark"]
"""The themes of an SVG."""
THEMES: Final[tuple[str, ...]] = get_args(Theme)
"""All values of `Theme`."""

DEFAULT_SIZE: Final = 480
"""Default width of a picture in pixels."""
MIN_SIZE: Final = 16
"""Minimum width of a picture in pixels."""
MAX_SIZE: Final = 8192
"""Maximum width of a picture in pixels, enough for print. Drawing such a PNG takes 256 MB of memory."""

FONTS: Final = "Helvetica Neue,Helvetica,Arial,Liberation Sans,DejaVu Sans,Noto Sans,sans-serif"
"""Listed one by one, because some renderers have no font for ``sans-serif``."""
_HASH_LENGTH: Final = 6
"""Number of characters of the hash with which class names and ids begin."""
_FRAME_WIDTH: Final = 3
"""Width of the line around a board, in SVG units. A cell has 100."""


class Svg(str):
    """The text of an SVG document. Notebooks display the picture instead of the text."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def svg(
    subject: Subject, *, size: int = DEFAULT_SIZE, theme: Theme = "auto", **options: Unpack[SceneOptions]
) -> Svg:
    """Draw a position, and return the picture as the text of an SVG document.

    A notebook displays the result as a picture.

    Args:
        subject: A position, reading, match, record, node of a record, or scene.
        size: Width of the picture in pixels.
        theme: The colours: ``light``, ``dark``, or ``auto`` for those of the page.
        **options: The options of `forsyth.draw.scene`, such as `flip` and `arrows`.

    Raises:
        TypeError: If `subject` cannot be drawn, or an argument has the wrong type.
        ValueError: If an argument has an unknown value.
    """
    size = require_integer("the size", size, MIN_SIZE, MAX_SIZE)
    require_choice("theme", theme, THEMES)
    return Svg(scene_to_svg(scene_for("svg", subject, options), size, theme))


def scene_to_svg(scene: Scene, size: int, theme: PageTheme) -> str:
    """Convert a scene (a drawable position) to an SVG document, `size` pixels wide.

    `theme` is ``light``, ``dark``, ``auto`` (that of the reader's system) or ``notebook`` (that of the
    notebook, if it declares one).
    """
    sheet = StyleSheet(scene)
    body = "\n".join(_draw_body(scene, sheet))
    return write_document(scene, body, sheet, size, theme)


def write_document(
    scene: Scene, body: str, sheet: StyleSheet, size: int, theme: PageTheme, extra_rules: str = ""
) -> str:
    """Return a complete SVG document with the elements `body` of a picture.

    Args:
        scene: The drawn scene, with the title, the description and the proportions.
        body: The SVG elements of the picture.
        sheet: The style sheet whose classes `body` uses.
        size: Width of the picture in pixels.
        theme: The theme that selects the colours.
        extra_rules: CSS rules that are added to the style sheet, such as those of an animation.
    """
    width, height = scene.width * UNIT, scene.height * UNIT
    pixel_height = math.ceil(size * height / width)
    view_box = f"0 0 {format_number(width)} {format_number(height)}"
    document = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view_box}"'
        f' width="{size}" height="{pixel_height}" role="img"'
        f' aria-labelledby="{PREFIX}t {PREFIX}d" font-family="{FONTS}">\n'
        f'<title id="{PREFIX}t">{escape_text(scene.title)}</title>\n'
        f'<desc id="{PREFIX}d">{escape_text(scene.description)}</desc>\n'
        f"<style>{sheet.write_rules(theme)}{extra_rules}</style>\n"
        f"<defs>{''.join(sheet.write_drawings())}</defs>\n"
        f"{body}\n</svg>\n"
    )
    # Class names and ids must be unique, because many pictures can be in one HTML page.
    digest = hashlib.sha256(document.encode()).hexdigest()
    return document.replace(PREFIX, f"f{digest[:_HASH_LENGTH]}")


def _draw_body(scene: Scene, sheet: StyleSheet) -> Iterator[str]:
    """Yield the SVG elements of a scene from back to front: page, areas, rings, arrows, captions."""
    yield draw_page(scene, sheet)
    for area in scene.areas:
        yield from _draw_area(scene, area, sheet)
    yield from draw_overlays(scene, sheet)
    for caption in scene.captions:
        yield draw_caption(caption, sheet)


def draw_page(scene: Scene, sheet: StyleSheet) -> str:
    """Return the background of a picture as SVG: a rectangle one cell wider than the picture on each side.

    The size of a document is rounded up to whole pixels. A rectangle of the exact size would leave a gap at
    the edge.
    """
    width = format_number(scene.width * UNIT + 2 * UNIT)
    height = format_number(scene.height * UNIT + 2 * UNIT)
    page_class = sheet.get_fill_class("page")
    return f'<rect class="{page_class}" x="-{UNIT}" y="-{UNIT}" width="{width}" height="{height}"/>'


def _draw_area(scene: Scene, area: Area, sheet: StyleSheet) -> Iterator[str]:
    """Yield the SVG elements of an area, such as a board or a hand: map, cells, frame, labels, captions."""
    yield f'<g data-area="{escape_text(area.name)}"{write_area_transform(area)}>'
    yield from draw_map(area, sheet)
    for cell in area.cells:
        yield draw_cell(scene, area, cell, sheet)
    yield from draw_surround(area, sheet)
    yield "</g>"


def write_area_transform(area: Area) -> str:
    """Return the SVG attribute ``transform`` that moves an area to its place and scales it.

    The attribute begins with a blank.
    """
    return write_transform(area.x * UNIT, area.y * UNIT, area.scale)


def draw_surround(area: Area, sheet: StyleSheet) -> Iterator[str]:
    """Yield the SVG of the frame, the labels and the captions of an area."""
    yield from draw_frame(area, sheet)
    yield from draw_labels(area, sheet)
    for caption in area.captions:
        yield draw_caption(caption, sheet)


def draw_frame(area: Area, sheet: StyleSheet) -> Iterator[str]:
    """Yield the SVG of the frame of an area, if it has one.

    Only an area with a cell at every place of its grid and without a margin has a frame.
    """
    is_full_grid = len(area.cells) == area.columns * area.rows
    if is_full_grid and not area.margin:
        # SVG draws one half of a line on each side of its path. The whole line must be around the cells.
        corner = -_FRAME_WIDTH / 2
        width, height = area.columns * UNIT + _FRAME_WIDTH, area.rows * UNIT + _FRAME_WIDTH
        yield (
            f'<rect class="{sheet.get_line_class("frame")}" x="{corner}" y="{corner}" width="{width}"'
            f' height="{height}" fill="none" stroke-width="{_FRAME_WIDTH}"/>'
        )


def draw_map(area: Area, sheet: StyleSheet) -> Iterator[str]:
    """Yield the map of an area, such as rivers and coasts, as a nested SVG. Yield nothing without a map.

    The nested SVG clips the map at the edge of the area and its margin.
    """
    if not area.map:
        return
    strokes = "".join(draw_stroke(stroke, sheet) for stroke in area.map)
    width = format_number((area.columns + 2 * area.margin) * UNIT)
    height = format_number((area.rows + 2 * area.margin) * UNIT)
    position_attributes = ""
    if area.margin:
        # The map begins above and to the left of the cells.
        edge = format_number(-area.margin * UNIT)
        position_attributes = f' x="{edge}" y="{edge}" viewBox="{edge} {edge} {width} {height}"'
    yield f'<svg{position_attributes} width="{width}" height="{height}" {ROUND}>{strokes}</svg>'


def draw_caption(caption: Caption, sheet: StyleSheet) -> str:
    """Return a caption (a line of text in a scene) as an SVG element. `sheet` provides its colour."""
    x, y = format_number(caption.x * UNIT), format_number(caption.y * UNIT)
    font_size = format_number(caption.size * UNIT)
    anchor = "" if caption.anchor == "start" else f' text-anchor="{caption.anchor}"'
    return (
        f'<text class="{sheet.get_fill_class(caption.role)}" x="{x}" y="{y}"'
        f' font-size="{font_size}"{anchor}>{escape_text(caption.text)}</text>'
    )
