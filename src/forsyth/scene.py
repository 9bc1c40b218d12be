"""A game-neutral description of what to draw, and of what can be drawn (`Drawable`).

A game turns a position into a `Scene`; `forsyth.draw` turns a scene into SVG, terminal text or PNG and
knows no game. A scene is made of *areas* (grids of cells: a chess board, an Azul wall), *captions*
(lines of text), *glyphs* (drawings of pieces as strokes in a box of 100 × 100) and a *palette* (what
colour each role has in light and in dark surroundings). Lengths are in cells; y grows downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, Protocol, get_args

from forsyth.arguments import require_choice, require_text, type_of
from forsyth.display import svg_of

Mark = Literal["error", "warning", "last", "target", "zone", "check"]
"""Why a cell is marked: a finding, the last move, a legal target, a zone of influence, a king in check."""
MARKS: Final[tuple[str, ...]] = get_args(Mark)


def require_marks(marks: Mapping[str, Mark] | None, notes: Mapping[str, str] | None) -> None:
    """Refuse marks that do not exist, notes that are no texts, and what is no mapping from squares."""
    for what, given in (("marks", marks), ("notes", notes)):
        if given is not None and not isinstance(given, Mapping):
            raise TypeError(f"{what} are of type {type_of(given)}, expected a mapping from squares to {what}")
    for mark in (marks or {}).values():
        require_choice("mark", mark, MARKS)
    for note in (notes or {}).values():
        require_text("a note", note)


class Colour(NamedTuple):
    """A role's colour as ``#rrggbb``, on light and on dark pages."""

    light: str
    dark: str


class Stroke(NamedTuple):
    """One path of a glyph in its 100 × 100 box; `fill` and `line` are palette roles or ``none``.

    The roles ``owner`` and ``owner-line`` stand for ``<owner>`` and ``<owner>-line`` of the token drawn.
    """

    path: str
    fill: str = "owner"
    line: str = "owner-line"
    width: float = 4.0
    opacity: float = 1.0


class Hatch(NamedTuple):
    """An influence that covers a cell, such as one side's air defence: a soft tint under slanted lines.

    Influences of different slant stay visible where they overlap.
    """

    role: str
    """Palette role of its colour."""
    slant: Literal["/", "\\"]


COMMON: Final[Mapping[str, Colour]] = {
    "page": Colour("#ffffff", "#17181a"),
    "text": Colour("#3d3a35", "#cdc9c1"),
    "frame": Colour("#6f6a61", "#8c877d"),
    "error": Colour("#c4262e", "#ff5a57"),
    "warning": Colour("#b06a00", "#ffb02e"),
    "last": Colour("#d9b13b", "#d9b13b"),
    "target": Colour("#2c7a4b", "#1f6b3f"),
    "zone": Colour("#3b6fb0", "#3f7fd0"),
    "check": Colour("#e0332b", "#ff4a3d"),
    "inside-label": Colour("#3d3a35", "#17181a"),
}
"""Roles that every scene has; a palette may say otherwise."""

Labels = Literal["outside", "inside", "none"]
"""Where the names of rows and columns stand: beside the grid, in its outer cells, or nowhere."""
LABELS: Final[tuple[str, ...]] = get_args(Labels)


@dataclass(frozen=True, slots=True)
class Token:
    """One thing that stands on a cell: a piece, a tile."""

    symbol: str
    """The notation's letter, such as ``N`` or ``+T``."""
    owner: str
    """Whose it is; names the palette roles it is painted with."""
    glyph: str
    """Which drawing of the scene shows it."""
    text: str
    """How a terminal shows it: one or two columns."""
    label: str
    """What a screen reader says, such as ``white knight``."""
    solid: str = ""
    """How a terminal with colours shows it, where the colour shows the owner; `text` by default."""
    count: int = 1
    """How many alike stand here; a number beside the drawing says so when it is not one."""
    counter: bool = False
    """Whether its drawing has its own ground, such as a disc, and needs none behind it."""
    square: bool = False
    """Whether its drawing reaches into the corners of its cell, where a ring around it would be hidden."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of an area: a square, a tile space."""

    id: str
    column: int
    row: int
    ground: str
    """Palette role of its background."""
    tokens: tuple[Token, ...] = ()
    """What stands there, the carrying or lowest one first."""
    mark: Mark | None = None
    note: str = ""
    """Shown when the pointer rests on the cell, such as the sentence of a finding."""
    blank: str = ""
    """How a terminal shows it when nothing stands there, such as ``~`` for water; a dot by default."""
    hatches: tuple[Hatch, ...] = ()
    """What covers it, over the ground and under the mark; no slant twice."""
    print: str = ""
    """Which drawing of the scene is printed on its ground; nobody owns it, so its roles are the palette's."""
    label: str = ""
    """What people call the place, such as ``Player 1, row 3``; its id by default."""
    tint: str = ""
    """Palette role that its ground is tinted with, to highlight it."""


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text beside the areas; x is the place of its anchor, y of its base line."""

    text: str
    x: float
    y: float
    anchor: Literal["start", "middle", "end"] = "start"
    role: str = "text"
    size: float = 0.34


@dataclass(frozen=True, slots=True)
class Area:
    """A grid of cells with its labels.

    Row labels stand to the left of the grid and column labels below it, outside unless `labels` says
    otherwise: a scene leaves half a cell of room for them. An area that has a cell at every place of its grid
    gets a frame, unless its map reaches beyond the grid. Of a cell that stands outside the grid a terminal
    shows the note alone.

    An area may be painted as one map: strokes in a box of 100 units per cell, from back to front, in place
    of the cells' grounds. Their roles are those of the palette; a map has no owner.
    """

    name: str
    columns: int
    rows: int
    cells: tuple[Cell, ...]
    x: float = 0.0
    y: float = 0.0
    column_labels: tuple[str, ...] = ()
    row_labels: tuple[str, ...] = ()
    scale: float = 1.0
    map: tuple[Stroke, ...] = ()
    between: tuple[Cell, ...] = ()
    """What a terminal, which has no map, shows between two rows, such as a river; `row` is the row below."""
    margin: float = 0.0
    """How far the map reaches beyond the grid on every side, in cells, such as the rim of a disc."""
    captions: tuple[Caption, ...] = ()
    """Words that belong to it, in its own cells; a terminal writes them above it in place of its name."""
    label_size: float = 0.27
    """How large its labels are drawn, in cells."""
    labels: Labels = "outside"
    """Where its labels are drawn; a terminal always writes them outside."""


class Pointer(NamedTuple):
    """An arrow from one cell to another, over everything that stands there."""

    origin: str
    target: str
    role: str
    """Palette role of its colour."""


class Ring(NamedTuple):
    """A circle around a cell, over what stands there."""

    cell: str
    role: str
    """Palette role of its colour."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything there is to draw, and the words for who cannot see it."""

    title: str
    description: str
    width: float
    height: float
    areas: tuple[Area, ...]
    captions: tuple[Caption, ...] = ()
    glyphs: Mapping[str, tuple[Stroke, ...]] = field(default_factory=dict)
    palette: Mapping[str, Colour] = field(default_factory=dict)
    pointers: tuple[Pointer, ...] = ()
    """Arrows over the areas; a terminal shows none, nor rings."""
    rings: tuple[Ring, ...] = ()

    def colour(self, role: str) -> Colour:
        """What a role looks like here: the palette's word, else the common one, else a plain grey."""
        return self.palette.get(role) or COMMON.get(role) or COMMON["frame"]

    def _repr_svg_(self) -> str:
        return svg_of(self)


class HasScene(Protocol):
    """What can be drawn directly, such as a position or a match."""

    def scene(self) -> Scene:
        """What to draw."""


Drawable = Scene | HasScene


def scene_of(found: Drawable) -> Scene:
    """A scene unchanged; of what can be drawn directly, such as a position or a match, its scene."""
    if isinstance(found, Scene):
        return found
    # A game has a method of that name too, but no scene: it needs a position.
    if callable(getattr(found, "scene", None)) and not hasattr(found, "likelihood"):
        return found.scene()
    raise TypeError(f"a scene, position or match is expected, not {type_of(found)}")
