"""Many scenes in one SVG, in which a part that stays the same for several frames is written once.

Input: scenes of one game, in order. A part that all frames show is written once, without a time. A part that
only some frames show is written as a group with the attributes ``data-from``, the first frame that shows it,
and ``data-to``, the first frame after it that does not. Without a script or animation, one frame is visible.

Output: layers from back to front: the maps and backgrounds, the signs, the tokens, the frames and labels,
then arrows and captions. In each layer, the parts of an area are in one group. A token that moves from one
area to another is therefore above all backgrounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, NamedTuple

from forsyth.draw import cells
from forsyth.draw.markup import escape_text
from forsyth.draw.overlays import draw_overlays
from forsyth.draw.sheet import StyleSheet
from forsyth.draw.svg import draw_caption, draw_map, draw_page, draw_surround, write_area_transform
from forsyth.scene import Area, Colour, Scene, Stroke

BACKGROUNDS, SIGNS, TOKENS, SURROUNDS, OVERLAYS = range(5)
"""The layers of a film, from back to front."""
_ABSENT: Final = ""
"""The markup of a part in a frame that does not show it."""
_NO_GROUP: Final = ""
"""The group of a part that belongs to no area."""
_WHOLE_AREA: Final = ""
"""The place of a part that belongs to a whole area, such as its map."""


class PartKey(NamedTuple):
    """The identity of a part of a film: its layer, its group, and its place in the group."""

    layer: int
    group: str
    """The attributes of the group of an area. Empty for a part that belongs to no area."""
    place: str
    """The id of a cell, or another name that the part has in its group."""


class PartRun(NamedTuple):
    """A part of a film as it looks from the frame `first` to before the frame `end`."""

    first: int
    end: int
    markup: str


WrapPart = Callable[[PartKey, PartRun], str]
"""A function that returns the markup of a part that only some frames show."""


@dataclass(frozen=True, slots=True)
class Film:
    """A sequence of scenes, divided into the parts of one picture."""

    frame_count: int
    scene: Scene
    """The last scene, with the size of the largest scene and the glyphs and colours of all scenes."""
    sheet: StyleSheet
    parts: Mapping[PartKey, tuple[PartRun, ...]]

    def write_body(self, wrap_part: WrapPart) -> str:
        """Return the SVG of all layers, from back to front, with one group per layer and area.

        `wrap_part` writes each part that only some frames show, and adds the numbers of these frames.
        """
        elements = [draw_page(self.scene, self.sheet)]
        # The parts are sorted by layer and group.
        for (_, group), keys in groupby(self.parts, key=lambda key: (key.layer, key.group)):
            parts = [self._write_part(key, wrap_part) for key in keys]
            # Parts that belong to no area need no group.
            elements += [f"<g{group}>", *parts, "</g>"] if group else parts
        return "\n".join(elements)

    def _write_part(self, key: PartKey, wrap_part: WrapPart) -> str:
        """Return the SVG of a part of the picture, such as a piece on its square.

        A part that looks the same in all frames is written once. Otherwise it is written once for each
        series of frames in which it looks the same, wrapped by `wrap_part`.
        """
        runs = self.parts[key]
        first_run = runs[0]
        is_constant = first_run.first == 0 and first_run.end == self.frame_count
        if is_constant:
            return first_run.markup
        return "".join(wrap_part(key, run) for run in runs)


def timed_group(run: PartRun, visible_frame: int, attributes: str = "") -> str:
    """Return a part of the picture as an SVG group that names the frames that show it.

    Args:
        run: The part as it looks in the frames from `run.first` to before `run.end`.
        visible_frame: The frame that is visible without a script. In other frames the group is hidden.
        attributes: Further attributes of the group, each with a blank before it.
    """
    is_visible = run.first <= visible_frame < run.end
    hidden = "" if is_visible else ' visibility="hidden"'
    return f'<g data-from="{run.first}" data-to="{run.end}"{hidden}{attributes}>{run.markup}</g>'


def build_film(scenes: Sequence[Scene]) -> Film:
    """Return one picture that contains several scenes, the frames of a film.

    It has the parts of all frames, such as a piece on its square, and for each part the frames that show it.
    A part that looks the same in consecutive frames is stored once.
    """
    merged_scene = _merge_scenes(scenes)
    sheet = StyleSheet(merged_scene)
    frames = [dict(_draw_parts(scene, sheet)) for scene in scenes]
    # A dictionary without values is a set that keeps the order of the parts.
    keys = {key: None for frame in frames for key in frame}
    parts = {}
    for key in sorted(keys, key=_make_sort_key(scenes)):
        markups = [frame.get(key, _ABSENT) for frame in frames]
        runs = tuple(_merge_equal_frames(markups))
        if runs:
            parts[key] = runs
    return Film(len(frames), merged_scene, sheet, parts)


def _merge_scenes(scenes: Sequence[Scene]) -> Scene:
    """Return the last scene, with the largest width and height and the drawings and colours of all scenes."""
    glyphs: dict[str, tuple[Stroke, ...]] = {}
    palette: dict[str, Colour] = {}
    for scene in scenes:
        glyphs |= scene.glyphs
        palette |= scene.palette
    width = max(scene.width for scene in scenes)
    height = max(scene.height for scene in scenes)
    return replace(scenes[-1], width=width, height=height, glyphs=glyphs, palette=palette)


def _make_sort_key(scenes: Sequence[Scene]) -> Callable[[PartKey], tuple[int, int]]:
    """Return a sort key for parts: by layer, and in a layer by the first appearance of their areas.

    Parts that belong to no area come last in their layer.
    """
    groups = dict.fromkeys(_group_attributes(area) for scene in scenes for area in scene.areas)
    group_ranks = {group: rank for rank, group in enumerate(groups)}
    last_rank = len(group_ranks)
    return lambda key: (key.layer, group_ranks.get(key.group, last_rank))


def _group_attributes(area: Area) -> str:
    """Return the SVG attributes of the group of an area: its name, and its place and scale in the picture."""
    return f' data-area="{escape_text(area.name)}"{write_area_transform(area)}'


def _draw_parts(scene: Scene, sheet: StyleSheet) -> Iterator[tuple[PartKey, str]]:
    """Yield the key and the SVG of each part of a scene.

    A key has the layer, the group of the area, and the place, such as the id of a cell. The same key in
    another frame is the same part, which may look different there.
    """
    for area in scene.areas:
        yield from _draw_area_parts(scene, area, sheet)
    for number, markup in enumerate(draw_overlays(scene, sheet)):
        yield PartKey(OVERLAYS, _NO_GROUP, f"overlay {number}"), markup
    for number, caption in enumerate(scene.captions):
        yield PartKey(OVERLAYS, _NO_GROUP, f"caption {number}"), draw_caption(caption, sheet)


def _draw_area_parts(scene: Scene, area: Area, sheet: StyleSheet) -> Iterator[tuple[PartKey, str]]:
    """Yield the key and the SVG of each part of an area: the map, the parts of its cells, its frame."""
    group = _group_attributes(area)
    yield PartKey(BACKGROUNDS, group, _WHOLE_AREA), "".join(draw_map(area, sheet))
    for cell in area.cells:
        is_plain = cells.is_plain(area, cell)
        background = cells.draw_tooltip(cell) + cells.draw_background(scene, cell, is_plain, sheet)
        cell_group = f'<g data-square="{escape_text(cell.id)}">{background}</g>'
        yield PartKey(BACKGROUNDS, group, cell.id), cell_group
        yield PartKey(SIGNS, group, cell.id), cells.draw_signs(cell, is_plain, sheet)
        yield PartKey(TOKENS, group, cell.id), cells.draw_tokens(scene, cell, sheet)
    yield PartKey(SURROUNDS, group, _WHOLE_AREA), "".join(draw_surround(area, sheet))


def _merge_equal_frames(markups: Sequence[str]) -> Iterator[PartRun]:
    """Yield each series of consecutive frames in which a part of the picture looks the same.

    `markups` has the SVG of the part in each frame, and an empty text for a frame without the part. Such
    frames are left out.
    """
    first = 0
    for markup, equal_markups in groupby(markups):
        end = first + len(list(equal_markups))
        if markup != _ABSENT:
            yield PartRun(first, end, markup)
        first = end
