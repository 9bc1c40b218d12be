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
from enum import IntEnum
from itertools import groupby
from typing import Final, NamedTuple

from forsyth.draw import cells
from forsyth.draw.markup import escape_text
from forsyth.draw.overlays import draw_overlays
from forsyth.draw.sheet import StyleSheet
from forsyth.draw.svg import draw_caption, draw_map, draw_page, draw_surround, write_area_transform
from forsyth.scene import Area, Colour, Scene, Stroke


class Layer(IntEnum):
    """The layers of a film, from back to front."""

    BACKGROUNDS = 0
    """Maps and the backgrounds of cells."""
    SIGNS = 1
    """Highlights, hatches and marks."""
    TOKENS = 2
    """Pieces and counters."""
    SURROUNDS = 3
    """Frames and labels."""
    OVERLAYS = 4
    """Arrows, rings and captions."""


_ABSENT: Final = ""
"""The markup of a part in a frame that does not show it."""
_NO_GROUP: Final = ""
"""The group of a part that belongs to no area."""
_WHOLE_AREA: Final = ""
"""The place of a part that belongs to a whole area, such as its map."""


class PartKey(NamedTuple):
    """The identity of a part of a film: its layer, its group, and its place in the group."""

    layer: Layer
    group: str
    """The attributes of the group of an area. Empty for a part that belongs to no area."""
    place: str
    """The id of a cell, or another name that the part has in its group."""


class PartRun(NamedTuple):
    """A part of a film as it looks in consecutive frames, from `first` to before `end`."""

    first: int
    end: int
    markup: str
    """The SVG of the part in these frames."""


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
        """Return the SVG of all layers, from back to front, with one group for each area in a layer.

        `wrap_part` returns the SVG of a part that only some frames show. It is called with the key of the
        part and with each series of frames in which the part looks the same.
        """
        elements = [draw_page(self.scene, self.sheet)]
        # `groupby` needs sorted keys. The parts are sorted by layer and group.
        for (_, group), keys in groupby(self.parts, key=lambda key: (key.layer, key.group)):
            parts = [self._write_part(key, wrap_part) for key in keys]
            if group == _NO_GROUP:
                elements += parts
            else:
                elements += [f"<g{group}>", *parts, "</g>"]
        return "\n".join(elements)

    def _write_part(self, key: PartKey, wrap_part: WrapPart) -> str:
        """Return the SVG of a part of the picture, such as a piece on its square.

        A part that looks the same in all frames is written once. Otherwise it is written once for each
        series of frames in which it looks the same, wrapped by `wrap_part`.
        """
        runs = self.parts[key]
        first_run = runs[0]
        is_in_all_frames = first_run.first == 0 and first_run.end == self.frame_count
        if is_in_all_frames:
            return first_run.markup
        return "".join(wrap_part(key, run) for run in runs)


def timed_group(run: PartRun, visible_frame: int, attributes: str = "") -> str:
    """Return a part of the picture as an SVG group with the numbers of the frames that show it.

    The group has the attributes ``data-from`` and ``data-to``, which a script can read.

    Args:
        run: The SVG of the part, and the frames in which it looks so.
        visible_frame: The frame that is visible without a script. A part of other frames is hidden.
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
    # `fromkeys` removes repeated keys and, unlike a set, keeps their order.
    keys = dict.fromkeys(key for frame in frames for key in frame)
    parts = {}
    for key in sorted(keys, key=_make_part_order(scenes)):
        markup_of_frames = [frame.get(key, _ABSENT) for frame in frames]
        runs = tuple(_find_runs(markup_of_frames))
        # A part that is empty in all frames is left out.
        if runs:
            parts[key] = runs
    return Film(len(frames), merged_scene, sheet, parts)


def _merge_scenes(scenes: Sequence[Scene]) -> Scene:
    """Return the last scene with the largest width and height, and the drawings and colours of all scenes."""
    glyphs: dict[str, tuple[Stroke, ...]] = {}
    palette: dict[str, Colour] = {}
    for scene in scenes:
        glyphs |= scene.glyphs
        palette |= scene.palette
    width = max(scene.width for scene in scenes)
    height = max(scene.height for scene in scenes)
    return replace(scenes[-1], width=width, height=height, glyphs=glyphs, palette=palette)


def _make_part_order(scenes: Sequence[Scene]) -> Callable[[PartKey], tuple[int, int]]:
    """Return a sort key for the parts of a film: by layer, and in a layer by area.

    The areas are in the order in which they first appear in `scenes`. Parts of no area come last.
    """
    groups = dict.fromkeys(_write_group_attributes(area) for scene in scenes for area in scene.areas)
    group_ranks = {group: rank for rank, group in enumerate(groups)}
    last_rank = len(group_ranks)
    return lambda key: (key.layer, group_ranks.get(key.group, last_rank))


def _write_group_attributes(area: Area) -> str:
    """Return the SVG attributes of the group of an area: its name, its place and its scale."""
    return f' data-area="{escape_text(area.name)}"{write_area_transform(area)}'


def _draw_parts(scene: Scene, sheet: StyleSheet) -> Iterator[tuple[PartKey, str]]:
    """Yield the key and the SVG of each part of a scene, such as the piece on a square.

    The same key in the scene of another frame is the same part, which may look different there.
    """
    for area in scene.areas:
        yield from _draw_area_parts(scene, area, sheet)
    for number, markup in enumerate(draw_overlays(scene, sheet)):
        yield PartKey(Layer.OVERLAYS, _NO_GROUP, f"overlay {number}"), markup
    for number, caption in enumerate(scene.captions):
        yield PartKey(Layer.OVERLAYS, _NO_GROUP, f"caption {number}"), draw_caption(caption, sheet)


def _draw_area_parts(scene: Scene, area: Area, sheet: StyleSheet) -> Iterator[tuple[PartKey, str]]:
    """Yield the key and the SVG of each part of an area: the map, the parts of its cells, its frame."""
    group = _write_group_attributes(area)
    yield PartKey(Layer.BACKGROUNDS, group, _WHOLE_AREA), "".join(draw_map(area, sheet))
    for cell in area.cells:
        is_plain = cells.is_plain(area, cell)
        background = cells.draw_tooltip(cell) + cells.draw_background(scene, cell, is_plain, sheet)
        cell_group = f'<g data-square="{escape_text(cell.id)}">{background}</g>'
        yield PartKey(Layer.BACKGROUNDS, group, cell.id), cell_group
        yield PartKey(Layer.SIGNS, group, cell.id), cells.draw_signs(cell, is_plain, sheet)
        yield PartKey(Layer.TOKENS, group, cell.id), cells.draw_tokens(scene, cell, sheet)
    yield PartKey(Layer.SURROUNDS, group, _WHOLE_AREA), "".join(draw_surround(area, sheet))


def _find_runs(markup_of_frames: Sequence[str]) -> Iterator[PartRun]:
    """Yield each series of consecutive frames in which a part of the picture looks the same.

    `markup_of_frames` has the SVG of the part in each frame, and an empty text for a frame without the part.
    Such frames are left out.
    """
    first_frame = 0
    for markup, equal_frames in groupby(markup_of_frames):
        end_frame = first_frame + sum(1 for _ in equal_frames)
        if markup != _ABSENT:
            yield PartRun(first_frame, end_frame, markup)
        first_frame = end_frame
