"""Many scenes in one SVG: each part of the picture is written once for the time that it stays the same.

Accepts
    Scenes of one game, in order. What is the same in all of them is drawn once; a part that is there for a
    time only is a group with ``data-from`` and ``data-to``, the first frame that shows it and the first that
    does not. Of a still picture, one frame is seen.
Writes
    Layers from back to front, each area's parts in its own group: maps and grounds, signs, tokens, frames and
    labels, then arrows and captions. So a token that moves is over every ground.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, NamedTuple

from forsyth.draw import cells
from forsyth.draw.markup import words
from forsyth.draw.overlays import overlays
from forsyth.draw.sheet import Sheet
from forsyth.draw.svg import area_map, area_place, backdrop, caption, surround
from forsyth.scene import Area, Colour, Scene, Stroke

GROUND, SIGNS, TOKENS, AROUND, OVER = range(5)
_NOWHERE: Final = ""


class Key(NamedTuple):
    """Which part of a picture: a layer, the group it is drawn in, and its place there."""

    layer: int
    group: str
    """The attributes of an area's group; empty for what belongs to the picture as a whole."""
    place: str


class Run(NamedTuple):
    """A part of a picture as it is from one frame to before another."""

    first: int
    end: int
    markup: str


Wrap = Callable[[Key, Run], str]
"""How a part that is not always there is written."""


@dataclass(frozen=True, slots=True)
class Film:
    """Scenes as parts of one picture."""

    frames: int
    scene: Scene
    """All of them together: the largest size, every glyph and colour."""
    sheet: Sheet
    parts: Mapping[Key, tuple[Run, ...]]

    def body(self, wrap: Wrap) -> str:
        """The picture, layer by layer, with `wrap` around each part that is there for a time only."""
        lines = [backdrop(self.scene, self.sheet)]
        for (_, group), several in groupby(self.parts, key=lambda key: (key.layer, key.group)):
            inside = [self._part(key, wrap) for key in several]
            lines += [f"<g{group}>", *inside, "</g>"] if group else inside
        return "\n".join(lines)

    def _part(self, key: Key, wrap: Wrap) -> str:
        runs = self.parts[key]
        if runs[0].first == 0 and runs[0].end == self.frames:
            return runs[0].markup
        return "".join(wrap(key, run) for run in runs)


def timed(run: Run, at: int, attributes: str = "") -> str:
    """A part with its time; hidden unless the frame that is seen shows it."""
    hidden = "" if run.first <= at < run.end else ' visibility="hidden"'
    return f'<g data-from="{run.first}" data-to="{run.end}"{hidden}{attributes}>{run.markup}</g>'


def film(scenes: Sequence[Scene]) -> Film:
    """The parts of these scenes, at least one, with the frames that show them."""
    whole = _together(scenes)
    sheet = Sheet(whole)
    frames = [dict(_parts(scene, sheet)) for scene in scenes]
    keys = sorted(dict.fromkeys(key for frame in frames for key in frame), key=_order(scenes))
    runs = {key: tuple(_runs([frame.get(key, _NOWHERE) for frame in frames])) for key in keys}
    return Film(len(frames), whole, sheet, {key: found for key, found in runs.items() if found})


def _together(scenes: Sequence[Scene]) -> Scene:
    glyphs: dict[str, tuple[Stroke, ...]] = {}
    palette: dict[str, Colour] = {}
    for scene in scenes:
        glyphs |= scene.glyphs
        palette |= scene.palette
    width, height = max(scene.width for scene in scenes), max(scene.height for scene in scenes)
    return replace(scenes[-1], width=width, height=height, glyphs=glyphs, palette=palette)


def _order(scenes: Sequence[Scene]) -> Callable[[Key], tuple[int, int]]:
    """Layers in order, and in each of them the areas as they first appear."""
    groups = {group: at for at, group in enumerate(dict.fromkeys(_group(a) for s in scenes for a in s.areas))}
    return lambda key: (key.layer, groups.get(key.group, len(groups)))


def _group(area: Area) -> str:
    return f' data-area="{words(area.name)}"{area_place(area)}'


def _parts(scene: Scene, sheet: Sheet) -> Iterator[tuple[Key, str]]:
    for area in scene.areas:
        group = _group(area)
        yield Key(GROUND, group, ""), "".join(area_map(area, sheet))
        for cell in area.cells:
            plain = cells.is_plain(area, cell)
            below = cells.tooltip(cell) + cells.ground(scene, cell, plain, sheet)
            yield Key(GROUND, group, cell.id), f'<g data-square="{words(cell.id)}">{below}</g>'
            yield Key(SIGNS, group, cell.id), cells.signs(cell, plain, sheet)
            yield Key(TOKENS, group, cell.id), cells.tokens(scene, cell, sheet)
        yield Key(AROUND, group, ""), "".join(surround(area, sheet))
    for number, markup in enumerate(overlays(scene, sheet)):
        yield Key(OVER, "", f"overlay {number}"), markup
    for number, one in enumerate(scene.captions):
        yield Key(OVER, "", f"caption {number}"), caption(one, sheet)


def _runs(markups: Sequence[str]) -> Iterator[Run]:
    at = 0
    for markup, same in groupby(markups):
        first, at = at, at + len(list(same))
        if markup != _NOWHERE:
            yield Run(first, at, markup)
