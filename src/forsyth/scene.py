"""A description of a drawing that does not depend on the game (`Scene`).

A game converts a position to a `Scene`. `forsyth.draw` converts a scene to SVG, terminal text or PNG, without
code for a particular game. A scene consists of *areas* (grids of cells: a chess board, an Azul wall),
*captions* (lines of text), *glyphs* (drawings of pieces as strokes in a box of 100 × 100) and a *palette*
(the colours of each role on light and on dark pages). Lengths are in cells; y grows downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, Protocol, get_args

from forsyth.arguments import require_choice, require_text, type_name
from forsyth.display import render_svg

Mark = Literal["error", "warning", "last", "target", "zone", "check"]
"""The reason to mark a cell: a finding, the last move, a legal target, a zone of influence, a check."""
MARKS: Final[tuple[str, ...]] = get_args(Mark)
"""All values of `Mark`."""


def require_marks(marks: Mapping[str, Mark] | None, notes: Mapping[str, str] | None) -> None:
    """Raise an error if the marks or notes for the squares of a board are not valid.

    Args:
        marks: One of `MARKS` for each square to highlight, such as ``{"e4": "last"}``, or None.
        notes: Tooltips for squares, such as ``{"e4": "no such piece"}``, or None.

    Raises:
        TypeError: If `marks` or `notes` is not a mapping, or a note is not a string.
        ValueError: If a mark is not one of `MARKS`.
    """
    for label, mapping in (("marks", marks), ("notes", notes)):
        if mapping is not None and not isinstance(mapping, Mapping):
            raise TypeError(
                f"{label} are of type {type_name(mapping)}, expected a mapping from squares to {label}"
            )
    for mark in (marks or {}).values():
        require_choice("mark", mark, MARKS)
    for note in (notes or {}).values():
        require_text("a note", note)


class Colour(NamedTuple):
    """The colours of a palette role on light and on dark pages, as ``#rrggbb``."""

    light: str
    dark: str


class Stroke(NamedTuple):
    """One SVG path of a glyph, in a box of 100 × 100.

    `fill` and `line` are palette roles or ``none``. The roles ``owner`` and ``owner-line`` mean the roles
    ``NAME`` and ``NAME-line``, where NAME is the owner of the token.
    """

    path: str
    fill: str = "owner"
    line: str = "owner-line"
    width: float = 4.0
    opacity: float = 1.0


class Hatch(NamedTuple):
    """A tint with slanted lines over a cell, which shows an influence such as the air defence of a side.

    Hatches with different slants stay visible if they overlap.
    """

    role: str
    """Palette role of the colour."""
    slant: Literal["/", "\\"]


COMMON_PALETTE: Final[Mapping[str, Colour]] = {
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
"""The colours of the roles that every scene has. The palette of a scene may override them."""

Labels = Literal["outside", "inside", "none"]
"""The place of row and column labels: beside the grid, in its outer cells, or not shown."""
LABELS: Final[tuple[str, ...]] = get_args(Labels)
"""All values of `Labels`."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece or tile on a cell."""

    symbol: str
    """The letters in the notation, such as ``N`` or ``+T``."""
    owner: str
    """The name of the owner. It selects the palette roles for the drawing."""
    glyph: str
    """The name of its drawing in `Scene.glyphs`."""
    text: str
    """The text in a terminal, one or two columns wide."""
    label: str
    """The name for screen readers, such as ``white knight``."""
    solid: str = ""
    """The text in a terminal that shows the owner by colour. If empty, `text` is used."""
    count: int = 1
    """The number of equal tokens here. If it is not 1, it is shown beside the drawing."""
    counter: bool = False
    """Whether the drawing includes its own background, such as a disc."""
    square: bool = False
    """Whether the drawing reaches into the corners of the cell, so that it would hide a ring around it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in an area, such as a square of a board or the space for a tile."""

    id: str
    column: int
    row: int
    ground: str
    """Palette role of the background."""
    tokens: tuple[Token, ...] = ()
    """The tokens on the cell, the carrier or lowest one first."""
    mark: Mark | None = None
    note: str = ""
    """A tooltip, such as the message of a finding."""
    blank: str = ""
    """The text of the empty cell in a terminal, such as ``~`` for water. If empty, a dot is used."""
    hatches: tuple[Hatch, ...] = ()
    """The hatches over the background and under the mark, each with a different slant."""
    print: str = ""
    """The name of a drawing in `Scene.glyphs` on the background. It uses palette roles, without an owner."""
    label: str = ""
    """The name for display, such as ``Player 1, row 3``. If empty, the id is used."""
    tint: str = ""
    """Palette role of a tint that highlights the background, or an empty text."""


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text beside the areas. `x` is the position of its anchor, `y` that of its base line."""

    text: str
    x: float
    y: float
    anchor: Literal["start", "middle", "end"] = "start"
    role: str = "text"
    size: float = 0.34


@dataclass(frozen=True, slots=True)
class Area:
    """A grid of cells with its labels.

    Row labels are drawn to the left of the grid and column labels below it. Outside labels need half a cell
    of space. An area with a cell at every place of its grid gets a frame, unless its map reaches beyond the
    grid. A terminal shows only the note of a cell outside the grid.

    A map may replace the backgrounds of the cells: strokes from back to front in a box of 100 units per cell.
    The strokes of a map use palette roles, without an owner.
    """

    name: str
    columns: int
    rows: int
    cells: tuple[Cell, ...]
    x: float = 0.0
    """Offset of the left edge of the first cell from the left edge of the scene, in unscaled cells."""
    y: float = 0.0
    """Offset of the top edge of the first cell from the top edge of the scene, in unscaled cells."""
    column_labels: tuple[str, ...] = ()
    row_labels: tuple[str, ...] = ()
    scale: float = 1.0
    map: tuple[Stroke, ...] = ()
    between: tuple[Cell, ...] = ()
    """Cells that a terminal shows between two rows, such as a river. Their `row` is the row below."""
    margin: float = 0.0
    """How many cells the map extends beyond the grid on every side, such as the rim of a disc."""
    captions: tuple[Caption, ...] = ()
    """Texts of the area, with lengths in its cells. A terminal shows them above it instead of its name."""
    label_size: float = 0.27
    """The size of the labels, in cells."""
    labels: Labels = "outside"
    """The place of the labels. A terminal always shows them outside."""


class Pointer(NamedTuple):
    """An arrow from one cell to another, over the tokens."""

    origin: str
    target: str
    role: str
    """Palette role of the colour."""


class Ring(NamedTuple):
    """A circle around a cell, over the tokens."""

    cell: str
    role: str
    """Palette role of the colour."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A complete drawing, with a title and a description for screen readers."""

    title: str
    description: str
    width: float
    height: float
    areas: tuple[Area, ...]
    captions: tuple[Caption, ...] = ()
    glyphs: Mapping[str, tuple[Stroke, ...]] = field(default_factory=dict)
    palette: Mapping[str, Colour] = field(default_factory=dict)
    pointers: tuple[Pointer, ...] = ()
    """Arrows over the areas. A terminal does not show arrows and rings."""
    rings: tuple[Ring, ...] = ()

    def colour(self, role: str) -> Colour:
        """Return the colours of a palette role, such as ``text`` or ``frame``.

        They are those of the scene's own palette, or else those of `COMMON_PALETTE`. An unknown role is grey.
        """
        grey = COMMON_PALETTE["frame"]
        return self.palette.get(role) or COMMON_PALETTE.get(role) or grey

    def _repr_svg_(self) -> str:
        return render_svg(self)


class HasScene(Protocol):
    """An object that can be drawn directly, such as a position or a match."""

    def scene(self) -> Scene:
        """Return the drawing of this object as a `Scene`: areas, pieces, captions and colours."""


Drawable = Scene | HasScene
"""Everything that `to_scene` accepts."""


def to_scene(drawable: Drawable) -> Scene:
    """Return the drawing of a position or match as a `Scene`. A `Scene` is returned unchanged.

    Raise `TypeError` if `drawable` is something else, such as a game.
    """
    if isinstance(drawable, Scene):
        return drawable
    # A game also has a method `scene`, but it needs a position as argument.
    is_game = hasattr(drawable, "likelihood")
    if callable(getattr(drawable, "scene", None)) and not is_game:
        return drawable.scene()
    raise TypeError(f"a scene, position or match is expected, not {type_name(drawable)}")
