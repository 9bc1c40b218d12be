"""The part of a picture in which two scenes differ, as a bitmap that is laid over the first picture.

Input: two scenes of equal size, such as the positions before and after a move.

Output: a `Patch`: a rectangle of pixels which, laid over the picture of the first scene, gives the picture of
the second. Only the squares and captions that differ are drawn, in horizontal bands. The pixels between two
bands are transparent, so that the first picture stays visible there.

The bands are joined without being decoded: each row of a PNG is stored as differences from the pixels to its
left and above. Transparent pixels to the left of a band and above it change none of these differences. A band
is drawn with one transparent pixel to its right, so that more of these can follow.

Limits: a few half-transparent pixels at the edges of a band, where a line of a map crosses them, may differ
slightly from those of a whole picture, because the lines are rounded to other fractions of a pixel.
"""

from __future__ import annotations

import math
import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from forsyth.draw.cells import draw_cell
from forsyth.draw.markup import PREFIX, UNIT, format_number
from forsyth.draw.overlays import COLUMN_LABEL_DROP, draw_labels, draw_overlays
from forsyth.draw.png import Theme, rasterise, read_chunks
from forsyth.draw.sheet import StyleSheet
from forsyth.draw.svg import FONTS, draw_caption, draw_frame, draw_map, write_area_transform
from forsyth.scene import Area, Caption, Cell, Scene, Stroke

_BLEED: Final = 4.0
"""Maximum distance by which a number or a frame reaches beyond its cell or area, in units of the cell."""
_LABEL_WIDTH: Final = 2.0 * UNIT
"""Upper bound on the width of the labels to the left of an area, in units of its cells."""
_LABEL_DESCENT: Final = 0.35
"""How far a letter reaches below its base line, as a share of the font size."""
_NARROW: Final = re.compile(r"[ .,:;'|·ijlItf]")
_USUAL: Final = re.compile(r"[a-z0-9A-LN-VX-Z+-]")
_CHARACTER_WIDTHS: Final = (0.45, 0.82, 1.1)
"""Upper bounds on the widths of narrow, usual and other characters, as shares of the font size."""
_TEXT_ASCENT: Final = 1.1
_TEXT_DESCENT: Final = 0.4
_PIXEL_BYTES: Final = 4
"""Bytes of a pixel: red, green, blue and opacity."""
_UNFILTERED: Final = b"\0"
"""First byte of a row of pixels that are stored as they are."""
_THIN: Final = 0.4
"""Width of a line in pixels below which a map is drawn as a whole."""
_STRIP_PIXELS: Final = 1_000_000
"""Upper bound on the pixels of caption strips that are drawn together."""
_WIDTH: Final = struct.Struct(">I")
"""Width of a picture, with which the data of an ``IHDR`` chunk begins."""
_SIMPLE_PATH: Final = re.compile(r"\s*(?:M[MLHVCQZ\d\s.,-]*)?")
"""A path with absolute commands only and without arcs and exponents."""
_OUTLINE: Final = re.compile(r"M[^M]*")
_COMMAND: Final = re.compile(r"([MLHVCQZ])([^MLHVCQZ]*)")
_NUMBER: Final = re.compile(r"-?(?:\d+(?:\.\d*)?|\.\d+)")
_FAST: Final = 1
"""Level of compression. Higher levels take several times as long and save a tenth."""


class Patch(NamedTuple):
    """A rectangle of a picture that is laid over another picture. Lengths are in pixels."""

    x: int
    y: int
    width: int
    height: int
    pixels: bytes
    """Compressed rows of RGBA pixels, as in an ``IDAT`` chunk of a PNG file."""


class _Box(NamedTuple):
    """A rectangle in units of the picture, or in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: _Box) -> bool:
        """Return whether this box and another one have a common point."""
        is_beside = self.right < other.left or other.right < self.left
        is_above = self.bottom < other.top or other.bottom < self.top
        return not is_beside and not is_above

    def join(self, other: _Box) -> _Box:
        """Return the smallest box that contains this box and another one."""
        return _Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


class _Grid(NamedTuple):
    """The pixels of a whole picture, which is drawn as `svg` draws it."""

    width: int
    height: int
    scale: float
    """Pixels per unit."""
    offset: float
    """Pixels above the picture, because its height is rounded up to whole pixels."""

    def to_pixels(self, box: _Box) -> _Box:
        """Return the box of whole pixels that contains a box in units, within the picture."""
        return _Box(
            max(0, math.floor(box.left * self.scale)),
            max(0, math.floor(box.top * self.scale + self.offset)),
            min(self.width, math.ceil(box.right * self.scale)),
            min(self.height, math.ceil(box.bottom * self.scale + self.offset)),
        )

    def to_units(self, box: _Box) -> _Box:
        """Return a box of pixels in units."""
        return _Box(
            box.left / self.scale,
            (box.top - self.offset) / self.scale,
            box.right / self.scale,
            (box.bottom - self.offset) / self.scale,
        )


class _Plan(NamedTuple):
    """What is drawn for a patch."""

    scene: Scene
    bands: tuple[_Box, ...]
    """The parts of the picture that are drawn, in pixels, from top to bottom."""

    @property
    def right(self) -> int:
        """Right edge of the patch in pixels."""
        return int(max(band.right for band in self.bands))


def draw_patches(scenes: Sequence[Scene], size: int, theme: Theme) -> Iterator[Patch | None]:
    """Yield for each scene after the first the patch that turns the picture before into that of the scene.

    Args:
        scenes: Scenes of equal width and height.
        size: Width of the pictures in pixels.
        theme: The colours, ``light`` or ``dark``.

    Yields:
        The patch, or None if the scenes differ in more than their cells and captions. Then the whole picture
        must be drawn.
    """
    grid = _make_grid(scenes[0], size)
    plans = [_plan_patch(before, after, grid) for before, after in pairwise(scenes)]
    strips = _CaptionStrips([plan for plan in plans if plan is not None], grid, theme)
    for plan in plans:
        yield None if plan is None else _draw_patch(plan, strips, grid, theme)


def _plan_patch(before: Scene, after: Scene, grid: _Grid) -> _Plan | None:
    """Return what is drawn to turn one scene into another, or None if the whole picture must be drawn."""
    changes = _find_changes(before, after)
    if changes is None or _has_hairlines(after, grid):
        return None
    # A frame of an animation needs at least one pixel.
    bands = _merge_bands([grid.to_pixels(box) for box in changes]) or [_Box(0, 0, 1, 1)]
    return _Plan(after, tuple(bands))


def _has_hairlines(scene: Scene, grid: _Grid) -> bool:
    """Return whether a map has lines that are so thin that each fraction of a pixel changes them visibly."""
    widths = [
        stroke.width * area.scale * grid.scale
        for area in scene.areas
        for stroke in area.map
        if stroke.line != "none"
    ]
    return min(widths, default=_THIN) < _THIN


def _draw_patch(plan: _Plan, strips: _CaptionStrips, grid: _Grid, theme: Theme) -> Patch:
    """Return the patch with the bands of a plan. `strips` contains the bands that consist of captions."""
    left = int(min(band.left for band in plan.bands))
    top, right = int(plan.bands[0].top), plan.right
    rows: list[bytes] = []
    for band in plan.bands:
        empty_row = _UNFILTERED + bytes(_PIXEL_BYTES * (right - left))
        rows += [empty_row] * (int(band.top) - top - len(rows))
        filtered = strips.find_rows(plan, band)
        if filtered is None:
            wide_band = band if _ends_cleanly(plan.scene, band, grid) else band._replace(right=right)
            filtered = _read_rows(_write_band(plan.scene, wide_band, grid, theme))
        before = bytes(_PIXEL_BYTES * (int(band.left) - left))
        after = bytes(_PIXEL_BYTES * (right - int(band.right)))
        # The last pixel of a row is transparent, so that more transparent pixels can follow it.
        end = len(empty_row) - len(before)
        rows += [row[:1] + before + (row[1:] + after)[: end - 1] for row in filtered]
    return Patch(left, top, right - left, len(rows), _compress(rows))


def _ends_cleanly(scene: Scene, band: _Box, grid: _Grid) -> bool:
    """Return whether nothing that is drawn in a band reaches beyond its right edge.

    Then the pixels to the right of the band can be transparent. Maps, frames, labels and arrows may reach
    beyond it.
    """
    window = grid.to_units(band)
    has_captions = any(_bound_caption(caption).overlaps(window) for caption in scene.captions)
    if scene.pointers or scene.rings or has_captions:
        return False
    for area in scene.areas:
        grounds = _place_in_area(area, _Box(0, 0, area.columns * UNIT, area.rows * UNIT))
        is_inside = (
            grounds.top < window.top and window.bottom < grounds.bottom and window.right < grounds.right
        )
        if not is_inside and _bound_area(area).overlaps(window):
            return False
        if area.map or area.captions or area.labels == "inside":
            return False
    inner_window = _shrink_right(window, grid)
    # Backgrounds have no half-transparent edges: they cover a pixel if they cover its centre.
    return all(
        math.ceil(_bound_cell(area, cell).right * grid.scale - 0.5) <= band.right
        for area in scene.areas
        for cell in area.cells
        if _bound_cell(area, cell).overlaps(inner_window)
    )


def _shrink_right(window: _Box, grid: _Grid) -> _Box:
    """Return a window without the right half of its last pixels."""
    return window._replace(right=window.right - 0.5 / grid.scale)


def _compress(rows: Iterable[bytes]) -> bytes:
    """Return filtered rows of pixels, compressed. Most of their bytes are runs of zeros."""
    compressor = zlib.compressobj(_FAST, zlib.DEFLATED, strategy=zlib.Z_RLE)
    return compressor.compress(b"".join(rows)) + compressor.flush()


class _CaptionStrips:
    """Bands that contain nothing but captions, many of which are drawn together.

    Finding the fonts of the machine takes longer than drawing a caption, and is done once for each document.
    In a document, a transparent row lies between two strips, so that the first row of a strip is stored as if
    the strip were a picture of its own.
    """

    def __init__(self, plans: Sequence[_Plan], grid: _Grid, theme: Theme) -> None:
        self._grid = grid
        self._theme = theme
        self._waiting = [
            (plan, band)
            for plan in plans
            for band in plan.bands
            if _has_captions_only(plan.scene, grid.to_units(band))
        ]
        self._waiting.reverse()
        self._drawn: dict[tuple[int, _Box], list[bytes]] = {}

    def find_rows(self, plan: _Plan, band: _Box) -> list[bytes] | None:
        """Return the filtered rows of a band, or None if the band contains more than captions.

        The plans must be asked for in the order in which they were given.
        """
        if self._waiting and self._waiting[-1] == (plan, band):
            self._draw_next_strips()
        return self._drawn.pop((id(plan), band), None)

    def _draw_next_strips(self) -> None:
        """Draw strips that are not drawn yet, at most `_STRIP_PIXELS` pixels, or one strip if it has more."""
        strips: list[tuple[_Plan, _Box]] = []
        pixel_count = 0
        while self._waiting:
            height = int(self._waiting[-1][1].bottom - self._waiting[-1][1].top)
            pixel_count += (height + 1) * self._grid.width
            if strips and pixel_count > _STRIP_PIXELS:
                break
            strips.append(self._waiting.pop())
        rows = _read_rows(self._write_strips(strips))
        start = 0
        for plan, band in strips:
            end = start + int(band.bottom - band.top)
            # One of the transparent pixels to the right of the strip is kept.
            length = 1 + _PIXEL_BYTES * int(band.right - band.left + 1)
            self._drawn[id(plan), band] = [row[:length] for row in rows[start:end]]
            start = end + 1

    def _write_strips(self, strips: Sequence[tuple[_Plan, _Box]]) -> str:
        """Return an SVG document with strips, one below the other, each at the left edge."""
        sheet = StyleSheet(strips[0][0].scene)
        page_class = sheet.get_ground_class("page")
        elements: list[str] = []
        top = 0
        for plan, band in strips:
            width, height = int(band.right - band.left), int(band.bottom - band.top)
            elements.append(f'<rect class="{page_class}" y="{top}" width="{width}" height="{height}"/>')
            captions = _draw_captions(plan.scene.captions, self._grid.to_units(band), sheet)
            elements.append(_move_to_band(captions, band._replace(top=band.top - top), self._grid))
            top += height + 1
        width = int(max(band.right - band.left for _, band in strips))
        return _write_document("".join(elements), width + 1, top - 1, sheet, self._theme)


def _has_captions_only(scene: Scene, window: _Box) -> bool:
    """Return whether nothing but captions of a scene is visible in a window, in units."""
    if scene.pointers or scene.rings:
        return False
    return not any(
        _bound_area(area).overlaps(window)
        or any(_place_in_area(area, _bound_caption(caption)).overlaps(window) for caption in area.captions)
        for area in scene.areas
    )


def _make_grid(scene: Scene, size: int) -> _Grid:
    """Return the pixels of the picture of a scene that is `size` pixels wide, as in `svg`."""
    width = float(format_number(scene.width * UNIT))
    height = float(format_number(scene.height * UNIT))
    pixel_height = math.ceil(size * scene.height / scene.width)
    scale = min(size / width, pixel_height / height)
    return _Grid(size, pixel_height, scale, (pixel_height - height * scale) / 2)


# --- what differs -------------------------------------------------------------------------------------


def _find_changes(before: Scene, after: Scene) -> list[_Box] | None:
    """Return the boxes, in units, that contain all differences between two scenes.

    Return None if the scenes differ in more than the cells and captions, for example in their size.
    """
    if _strip(before) != _strip(after) or len(before.areas) != len(after.areas):
        return None
    changes: list[_Box] = []
    for area_before, area in zip(before.areas, after.areas, strict=True):
        # Most areas are the same object in both scenes, or equal.
        if _strip_area(area_before) != _strip_area(area):
            return None
        cells_before = {(cell.column, cell.row): cell for cell in area_before.cells}
        cells = {(cell.column, cell.row): cell for cell in area.cells}
        if len(cells) != len(area.cells) or len(cells_before) != len(area_before.cells):
            return None
        if cells_before.keys() != cells.keys():
            return None
        for place, cell in cells.items():
            cell_before = cells_before[place]
            if cell != cell_before:
                changes += [_bound_cell(area, cell_before), _bound_cell(area, cell)]
        captions = set(area_before.captions) ^ set(area.captions)
        changes += [_place_in_area(area, _bound_caption(caption)) for caption in captions]
    changes += [_bound_caption(caption) for caption in set(before.captions) ^ set(after.captions)]
    return changes


def _strip(scene: Scene) -> Scene:
    """Return a scene without its texts, areas and captions."""
    return replace(scene, title="", description="", areas=(), captions=())


def _strip_area(area: Area) -> Area:
    """Return an area without its cells and captions, and without what only a terminal shows."""
    return replace(area, cells=(), captions=(), between=())


def _bound_cell(area: Area, cell: Cell) -> _Box:
    """Return the box of a cell with what reaches beyond its edges, in units of the picture."""
    bleed = _BLEED if _has_number(cell) else 0.0
    left, top = cell.column * UNIT, cell.row * UNIT
    return _place_in_area(area, _Box(left - bleed, top - bleed, left + UNIT + bleed, top + UNIT + bleed))


def _has_number(cell: Cell) -> bool:
    """Return whether a number is written beside the tokens of a cell."""
    return len(cell.tokens) > 1 or any(token.count != 1 for token in cell.tokens)


def _bound_caption(caption: Caption) -> _Box:
    """Return a box that contains a caption, in units of its area or of the picture."""
    font_size = caption.size * UNIT
    x, y = caption.x * UNIT, caption.y * UNIT
    width = _bound_text(caption.text) * font_size
    start = {"start": x, "middle": x - width / 2, "end": x - width}[caption.anchor]
    # The first and the last letter may reach beyond their widths.
    left, right = start - font_size, start + width + font_size
    return _Box(left, y - font_size * _TEXT_ASCENT, right, y + font_size * _TEXT_DESCENT)


@lru_cache(maxsize=256)
def _bound_text(text: str) -> float:
    """Return an upper bound on the width of a text, as a multiple of its font size."""
    others, narrow_count = _NARROW.subn("", text)
    others, usual_count = _USUAL.subn("", others)
    narrow, usual, wide = _CHARACTER_WIDTHS
    return narrow * narrow_count + usual * usual_count + wide * len(others)


def _place_in_area(area: Area, box: _Box) -> _Box:
    """Return a box in units of an area as a box in units of the picture."""
    left, top = area.x * UNIT, area.y * UNIT
    return _Box(
        left + box.left * area.scale,
        top + box.top * area.scale,
        left + box.right * area.scale,
        top + box.bottom * area.scale,
    )


def _merge_bands(boxes: list[_Box]) -> list[_Box]:
    """Return boxes of pixels from top to bottom, in which those with common or adjacent rows are joined."""
    bands: list[_Box] = []
    for box in sorted(boxes, key=lambda box: box.top):
        if box.left >= box.right or box.top >= box.bottom:
            continue
        # A transparent row between two bands is needed, because its pixels are above those of the next band.
        if bands and box.top <= bands[-1].bottom:
            bands[-1] = bands[-1].join(box)
        else:
            bands.append(box)
    return bands


# --- drawing ------------------------------------------------------------------------------------------


def _read_rows(document: str) -> list[bytes]:
    """Return the rows of the picture of an SVG document: each has its filter, then its filtered pixels."""
    chunks = list(read_chunks(rasterise(document)))
    (width,) = _WIDTH.unpack_from(chunks[0][1])
    filtered = zlib.decompress(b"".join(data for chunk_type, data in chunks if chunk_type == b"IDAT"))
    row_length = 1 + width * _PIXEL_BYTES
    return [filtered[start : start + row_length] for start in range(0, len(filtered), row_length)]


def _write_band(scene: Scene, band: _Box, grid: _Grid, theme: Theme) -> str:
    """Return a part of the picture of a scene as an SVG document, with a column of pixels to its right.

    If nothing reaches beyond the right edge of the band, this column is transparent. `band` is the part, in
    pixels.
    """
    sheet = StyleSheet(scene)
    # A cell that covers no centre of a pixel is not drawn, because it would reach beyond the right edge.
    window = _shrink_right(grid.to_units(band), grid)
    elements: list[str] = []
    for area in scene.areas:
        elements += _draw_area(scene, area, window, sheet)
    elements += draw_overlays(scene, sheet)
    elements += _draw_captions(scene.captions, window, sheet)
    width, height = int(band.right - band.left), int(band.bottom - band.top)
    page = f'<rect class="{sheet.get_ground_class("page")}" width="{width}" height="{height}"/>'
    return _write_document(page + _move_to_band(elements, band, grid), width + 1, height, sheet, theme)


def _move_to_band(elements: Iterable[str], band: _Box, grid: _Grid) -> str:
    """Return SVG elements as a group in pixels, with the corner of a band as its origin."""
    x, y = -band.left, grid.offset - band.top
    return f'<g transform="translate({x!r} {y!r}) scale({grid.scale!r})">{"".join(elements)}</g>'


def _write_document(body: str, width: int, height: int, sheet: StyleSheet, theme: Theme) -> str:
    """Return an SVG document that is `width` times `height` pixels large, for `rasterise`."""
    document = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="{FONTS}">'
        f"<style>{sheet.write_rules(theme)}</style><defs>{''.join(sheet.write_drawings())}</defs>{body}</svg>"
    )
    return document.replace(PREFIX, "f")


def _draw_area(scene: Scene, area: Area, window: _Box, sheet: StyleSheet) -> Iterator[str]:
    """Yield the parts of an area that are visible in a window, as an SVG group."""
    captions = [
        caption for caption in area.captions if _place_in_area(area, _bound_caption(caption)).overlaps(window)
    ]
    if not captions and not _bound_area(area).overlaps(window):
        return
    yield f"<g{write_area_transform(area)}>"
    yield from draw_map(_cut_map(area, window), sheet)
    for cell in area.cells:
        if _bound_cell(area, cell).overlaps(window):
            yield draw_cell(scene, area, cell, sheet)
    yield from draw_frame(area, sheet)
    if _shows_labels(area, window):
        yield from draw_labels(area, sheet)
    for caption in captions:
        yield draw_caption(caption, sheet)
    yield "</g>"


def _bound_area(area: Area) -> _Box:
    """Return the box of an area with its cells, map, frame and labels, without its captions, in units."""
    margin = max(area.margin * UNIT, _BLEED)
    left, top, right, bottom = -margin, -margin, area.columns * UNIT + margin, area.rows * UNIT + margin
    if area.labels != "none" and any((*area.column_labels, *area.row_labels)):
        left = min(left, -_LABEL_WIDTH)
        bottom = max(bottom, area.rows * UNIT + _label_depth(area))
    box = _place_in_area(area, _Box(left, top, right, bottom))
    for cell in area.cells:
        is_outside = not (0 <= cell.column < area.columns and 0 <= cell.row < area.rows)
        if is_outside:
            box = box.join(_bound_cell(area, cell))
    return box


def _label_depth(area: Area) -> float:
    """Return how far the labels of the columns reach below an area, in units of its cells."""
    return COLUMN_LABEL_DROP + _LABEL_DESCENT * area.label_size * UNIT


def _shows_labels(area: Area, window: _Box) -> bool:
    """Return whether labels of an area may be visible in a window."""
    right, bottom = area.columns * UNIT, area.rows * UNIT
    if area.labels == "inside":
        # They are in the first column and in the last row.
        boxes = [_Box(0, 0, UNIT, bottom), _Box(0, bottom - UNIT, right, bottom)]
    else:
        edge = _BLEED + 1
        boxes = [
            _Box(-_LABEL_WIDTH, 0, -edge, bottom),
            _Box(-_LABEL_WIDTH, bottom + edge, right + UNIT, bottom + _label_depth(area)),
        ]
    return any(_place_in_area(area, box).overlaps(window) for box in boxes)


def _cut_map(area: Area, window: _Box) -> Area:
    """Return an area without the parts of its map that are not visible in a window.

    The outlines of a path that are wholly outside of the window do not change it.
    """
    strokes = [stroke._replace(path=_cut_path(area, stroke, window)) for stroke in area.map]
    # Without a map, the cells would be drawn with a background.
    return replace(area, map=tuple(stroke for stroke in strokes if stroke.path) or area.map[:1])


def _cut_path(area: Area, stroke: Stroke, window: _Box) -> str:
    """Return the outlines of a stroke of a map that may be visible in a window."""
    visible_outlines = []
    for outline, box in _split_path(stroke.path):
        if box is None:
            return stroke.path
        reach = stroke.width
        wide_box = _Box(box.left - reach, box.top - reach, box.right + reach, box.bottom + reach)
        if _place_in_area(area, wide_box).overlaps(window):
            visible_outlines.append(outline)
    return "".join(visible_outlines)


@lru_cache(maxsize=64)
def _split_path(path: str) -> tuple[tuple[str, _Box | None], ...]:
    """Return each outline of a path with its box, or None for the box if the path is not of a simple form.

    A simple path has absolute commands only, which begin each outline with ``M``, and no arcs.
    """
    if not _SIMPLE_PATH.fullmatch(path):
        return ((path, None),)
    return tuple((outline, _bound_outline(outline)) for outline in _OUTLINE.findall(path))


def _bound_outline(outline: str) -> _Box:
    """Return the box of all points of an outline, which has absolute commands only."""
    xs: list[float] = []
    ys: list[float] = []
    for command, arguments in _COMMAND.findall(outline):
        numbers = [float(number) for number in _NUMBER.findall(arguments)]
        if command == "H":
            xs += numbers
        elif command == "V":
            ys += numbers
        else:
            xs += numbers[::2]
            ys += numbers[1::2]
    return _Box(min(xs), min(ys), max(xs), max(ys))


def _draw_captions(captions: Iterable[Caption], window: _Box, sheet: StyleSheet) -> Iterator[str]:
    """Yield the captions of a scene that are visible in a window."""
    for caption in captions:
        if _bound_caption(caption).overlaps(window):
            yield draw_caption(caption, sheet)
