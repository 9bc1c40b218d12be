"""A CoTuLenh position as a scene: the map, units and stacks, air defence, the open deploy session.

Accepts
    Any position, legal or not: a tank at sea, ten commanders, an empty board. Marks, notes and zones are
    given by square, such as ``c5``. Names that are not squares are ignored. A zone contains the sides
    (``r``, ``b``) whose air defence covers the square.
Writes
    Rank 12 is at the top, or rank 1 if the board is flipped. Units stand on the crossings of files and ranks,
    as on the printed board. So the coast runs through file c, and the shores at the mouth of the river run
    through d6 e6 and d7 e7, where navies and all other pieces may stand. The origin of an open deploy session
    is marked as the last move, unless it has another mark. The description lists the units and their squares.
Limits
    In a terminal a stack is a row of letters, capital for Red, with ``+`` before a heroic piece. A legal
    stack is up to six characters wide, and all columns are as wide as the widest.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Final, Protocol

from forsyth.games.cotulenh.board import FILE_COUNT, FILES, RANK_COUNT, get_terrain
from forsyth.games.cotulenh.drawing.pieces import GLYPHS, make_glyph_name
from forsyth.games.cotulenh.stacks import LETTERS, NAMES
from forsyth.scene import Area, Caption, Cell, Colour, Hatch, Mark, Scene, Stroke, Token, require_marks

Members = tuple[tuple[str, bool], ...]
"""The pieces of a unit, carrier first: the letter of each and whether it is heroic."""


class ShownSession(Protocol):
    """The part of an open deploy session that a drawing shows."""

    @property
    def origin(self) -> str:
        """The square from which the stack deploys."""

    @property
    def remaining(self) -> str:
        """Letters of the pieces that have not moved yet, such as ``FT`` or ``(+FT)``; may be empty."""


class ShownPosition(Protocol):
    """The part of a position that a drawing shows."""

    def pieces(self) -> Iterable[tuple[str, str, Members]]:
        """Return the square, the colour (``r`` or ``b``) and the members of each unit."""

    @property
    def turn(self) -> str:
        """The side to move, ``r`` or ``b``."""

    @property
    def half(self) -> int:
        """The half-move clock."""

    @property
    def full(self) -> int:
        """The number of the next move."""

    @property
    def session(self) -> ShownSession | None:
        """The open deploy session, or None."""


PALETTE: Final[Mapping[str, Colour]] = {
    "water": Colour("#b9d2dc", "#213742"),
    "mixed": Colour("#d5e2dd", "#2f454b"),
    "land": Colour("#f2ead6", "#3f3d35"),
    "beach": Colour("#e9dcba", "#534e3c"),
    "shore": Colour("#6f98a9", "#6f9aab"),
    "grid": Colour("#6b5d43", "#c9bfa6"),
    "bridge": Colour("#c9ab78", "#a08658"),
    "bridge-line": Colour("#6a5130", "#1d1810"),
    "red": Colour("#b3322a", "#d8564a"),
    "red-line": Colour("#fff6e6", "#fff3e2"),
    "blue": Colour("#2a5590", "#4d85cb"),
    "blue-line": Colour("#fff6e6", "#fff3e2"),
    "outline": Colour("#2a2320", "#15130f"),
    "heroic": Colour("#f0b429", "#ffc53d"),
    "target": Colour("#2c7a4b", "#63c78d"),
}
"""The colours of a printed map, each for light and dark mode."""

_SIDE_NAMES: Final[Mapping[str, str]] = {"r": "Red", "b": "Blue"}
_OWNERS: Final[Mapping[str, str]] = {"r": "red", "b": "blue"}
_HATCHES: Final[Mapping[str, Hatch]] = {"r": Hatch("red", "/"), "b": Hatch("blue", "\\")}
_EMPTY_TEXTS: Final[Mapping[str, str]] = {"water": "~", "mixed": "=", "land": ""}
_PLURALS: Final[Mapping[str, str]] = {
    **{letter: f"{name}s" for letter, name in NAMES.items()},
    **{letter: NAMES[letter] for letter in "IMAG"},
    "N": "navies",
}
_PIECE_LETTER: Final = re.compile(r"\+?[A-Z]")

_RIVER_ROW: Final = 6
"""The row below the river. It is the same on a flipped board."""
_BRIDGE_FILES: Final = "fh"
"""The files on which heavy pieces cross the river (spec/cotulenh 2)."""
_UNIT: Final = 100
"""Units of the map per square."""
_HALF_UNIT: Final = _UNIT // 2

# Sizes in the scene, in squares.
_LEFT_MARGIN: Final = 0.55
_TOP_MARGIN: Final = 0.25
_BOTTOM_MARGIN: Final = 1.15
"""Height below the board for the file letters and one caption."""
_CAPTION_HEIGHT: Final = 0.45
_FIRST_CAPTION: Final = 0.85
"""Distance of the first caption from the board."""

# Sizes on the map, in hundredths of a square.
_MAP_WIDTH: Final = FILE_COUNT * _UNIT
_MAP_HEIGHT: Final = RANK_COUNT * _UNIT
_COAST_LINES: Final = (("shore", 54.0), ("mixed", 52.0), ("shore", 25.0), ("mixed", 22.5))
"""The strokes along both shores, each with its palette role and its width, the widest first."""
_BEACH_WIDTH: Final = 22
_BEACH_SHIFT: Final = 24
"""How far the land is moved down or up and to the right from the shore, so that the beach stays visible."""
_BRIDGE_HALF_WIDTH: Final = 19
_RAIL_FLARE: Final = 7
"""How far the ends of the rails of a bridge bend outwards."""

_NORTH_SHORE: Final = (
    "M248 -50C243 0 257 60 251 120C246 170 255 220 249 280C244 330 256 380 250 440C248 496 246 534 272 544"
    "C296 552 330 548 360 550C395 552 420 546 455 551C490 557 500 581 545 584C600 587 650 580 700 584"
    "C760 588 800 580 860 583C920 586 960 580 1020 584C1060 586 1100 583 1150 584"
)
_SOUTH_SHORE: Final = (
    "M251 1250C246 1190 254 1140 249 1080C245 1030 257 980 251 920C246 870 254 820 250 760C248 704 246 666"
    " 272 656C296 648 335 652 360 650C395 648 425 654 455 649C490 643 500 620 545 616C600 613 650 620 700 617"
    "C760 613 800 619 860 616C920 613 960 620 1020 617C1060 615 1100 617 1150 616"
)
"""The paths of both shores, from the edge of the board along file c to the river and up the river. All paths
of the map consist of pairs of absolute coordinates, so that `_rotate_stroke` can rotate them."""
_DEEP_WATER: Final = (
    "M196 -50C192 100 202 250 197 400C194 480 216 540 216 600C216 660 194 720 197 800"
    "C202 950 192 1100 196 1250L-50 1250L-50 -50Z"
)
"""The path of the deep water along the left edge of the board."""
_WAVES: Final = "".join(
    f"M70 {y}C80 {y - 12} 90 {y - 12} 100 {y}C110 {y + 12} 120 {y + 12} 130 {y}"
    for y in range(100, 1101, 200)
)
_POINT: Final = re.compile(r"(-?[\d.]+) (-?[\d.]+)")


def draw_scene(
    position: ShownPosition,
    *,
    marks: Mapping[str, Mark] | None = None,
    flip: bool = False,
    notes: Mapping[str, str] | None = None,
    zones: Mapping[str, Collection[str]] | None = None,
) -> Scene:
    """Return the drawing of a position as a `Scene`: its map, its pieces, and a description.

    The origin of an open deploy session is marked as the last move, unless `marks` has another mark for it.

    Args:
        position: The position.
        marks: The squares to mark, such as ``c5``, each with the reason.
        flip: Whether to draw the board from Blue's side.
        notes: Texts to show for squares.
        zones: For each covered square, the sides (``r``, ``b``) whose air defence covers it.
    """
    require_marks(marks, notes)
    marks, notes, zones = marks or {}, notes or {}, zones or {}
    if position.session is not None:
        marks = {position.session.origin: "last", **marks}
    board = _make_board(position, marks, notes, zones, flip)
    has_zones = any(cell.hatches for cell in board.cells)
    captions = tuple(_make_captions(position, has_zones))
    return Scene(
        title=f"CoTuLenh position, {_SIDE_NAMES[position.turn]} to move",
        description=_describe_position(position),
        width=_LEFT_MARGIN + FILE_COUNT + _TOP_MARGIN,
        height=_TOP_MARGIN + RANK_COUNT + _BOTTOM_MARGIN + _CAPTION_HEIGHT * (len(captions) - 1),
        areas=(board,),
        captions=captions,
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _make_board(
    position: ShownPosition,
    marks: Mapping[str, Mark],
    notes: Mapping[str, str],
    zones: Mapping[str, Collection[str]],
    flip: bool,
) -> Area:
    """Return the area of the drawing that contains the board, with its pieces and marks.

    If `flip` is true, rank 1 and file k are at the top left. The other arguments are those of `draw_scene`.
    """
    tokens = {square: _make_tokens(colour, members) for square, colour, members in position.pieces()}
    files = tuple(FILES)
    ranks = tuple(str(rank) for rank in range(RANK_COUNT, 0, -1))
    if flip:
        files, ranks = files[::-1], ranks[::-1]

    # The empty squares are cached, so that only the other squares are made anew.
    changed_squares = tokens.keys() | marks.keys() | notes.keys() | zones.keys()
    cells = []
    for cell in _make_empty_squares(files, ranks):
        if cell.id in changed_squares:
            cell = replace(
                cell,
                tokens=tokens.get(cell.id, ()),
                mark=marks.get(cell.id),
                note=notes.get(cell.id, ""),
                hatches=_make_hatches(zones.get(cell.id, ())),
            )
        cells.append(cell)
    return Area(
        name="Board",
        columns=FILE_COUNT,
        rows=RANK_COUNT,
        cells=tuple(cells),
        x=_LEFT_MARGIN,
        y=_TOP_MARGIN,
        column_labels=files,
        row_labels=ranks,
        map=tuple(_rotate_stroke(stroke) for stroke in _MAP) if flip else _MAP,
        between=tuple(_make_river_cell(column, file) for column, file in enumerate(files)),
    )


@cache
def _make_empty_squares(files: tuple[str, ...], ranks: tuple[str, ...]) -> tuple[Cell, ...]:
    """Return the cells of the empty squares, row by row from the top, left to right in each row.

    `files` are the file letters from left to right, `ranks` the rank numbers from top to bottom. The result
    is cached for both orientations, because the view of a match draws the board for many moves.
    """
    cells = []
    for row, rank in enumerate(ranks):
        for column, file in enumerate(files):
            square = f"{file}{rank}"
            ground = get_terrain(square)
            cells.append(Cell(id=square, column=column, row=row, ground=ground, blank=_EMPTY_TEXTS[ground]))
    return tuple(cells)


def _make_hatches(colours: Collection[str]) -> tuple[Hatch, ...]:
    """Return the hatches of a square that the air defence of some sides covers.

    `colours` contains ``r``, ``b`` or both. A hatch is a pattern of lines in the colour of a side.
    """
    return tuple(hatch for colour, hatch in _HATCHES.items() if colour in colours)


def _make_river_cell(column: int, file: str) -> Cell:
    """Return the cell of the river or a bridge between ranks 6 and 7, for display in a terminal.

    `column` is the index of the column from the left, and `file` is its letter.
    """
    is_bridge = file in _BRIDGE_FILES
    return Cell(
        id=f"{file} river",
        column=column,
        row=_RIVER_ROW,
        ground="bridge" if is_bridge else "water",
        blank="#" if is_bridge else "~",
    )


def _make_tokens(colour: str, members: Members) -> tuple[Token, ...]:
    """Return one drawn piece for each piece of a stack, carrier first.

    `members` may also be a single piece. `colour` is ``r`` or ``b``.
    """
    return tuple(make_piece_token(colour, letter, heroic) for letter, heroic in members)


@cache
def make_piece_token(colour: str, letter: str, heroic: bool) -> Token:
    """Return a single piece for a drawing: its glyph, its text such as ``+t``, and its name.

    `colour` is ``r`` or ``b``, `letter` a capital letter.
    """
    owner = _OWNERS[colour]
    heroic_mark = "+" if heroic else ""
    symbol = heroic_mark + (letter if colour == "r" else letter.lower())
    return Token(
        symbol=symbol,
        owner=owner,
        glyph=make_glyph_name(letter, owner, heroic),
        text=symbol,
        label=f"{owner} {_format_piece_name(letter, heroic)}",
        counter=True,
    )


def _format_piece_name(letter: str, heroic: bool) -> str:
    """Return the name of a piece, such as ``tank`` or ``heroic tank``."""
    return f"heroic {NAMES[letter]}" if heroic else NAMES[letter]


def _format_plural_name(letter: str, heroic: bool) -> str:
    """Return the name of several pieces, such as ``tanks`` or ``heroic tanks``."""
    return f"heroic {_PLURALS[letter]}" if heroic else _PLURALS[letter]


def _draw_map() -> Iterator[Stroke]:
    """Yield the strokes of the map from back to front, from the water to the bridges.

    A line at a distance from both shores is drawn as a wide stroke with a slightly narrower one over it.
    """
    yield Stroke("M-50 -50L1150 -50L1150 1250L-50 1250Z", fill="mixed", line="none")
    yield Stroke(_DEEP_WATER, fill="water", line="none")
    for role, width in _COAST_LINES:
        yield Stroke(_NORTH_SHORE + _SOUTH_SHORE, fill="none", line=role, width=width)
    yield from _draw_land(_NORTH_SHORE, -50, -_BEACH_WIDTH)
    yield from _draw_land(_SOUTH_SHORE, 1250, _BEACH_WIDTH)
    yield Stroke(_WAVES, fill="none", line="shore", width=3, opacity=0.6)
    yield Stroke("".join(_draw_grid()), fill="none", line="grid", width=2, opacity=0.3)
    for file in _BRIDGE_FILES:
        middle = FILES.index(file) * _UNIT + _HALF_UNIT
        yield from _draw_bridge(middle)


def _draw_land(shore: str, edge: int, beach_width: int) -> Iterator[Stroke]:
    """Yield the strokes of the land on one side of the river: the beach, and the land over it.

    Args:
        shore: The SVG path of the shore.
        edge: The y coordinate of the edge of the map behind the land.
        beach_width: How far the land is below the shore, in units of the map. It is negative above the river.
    """
    outline = f"{shore}L1150 {edge}Z"
    yield Stroke(outline, fill="beach", line="shore", width=3)
    yield Stroke(_shift_path(outline, _BEACH_SHIFT, beach_width), fill="land", line="none")


def _draw_grid() -> Iterator[str]:
    """Yield the SVG paths of the grid lines, files first, then ranks.

    They run through the middle of the squares, where the pieces stand.
    """
    left = top = _HALF_UNIT
    right, bottom = _MAP_WIDTH - _HALF_UNIT, _MAP_HEIGHT - _HALF_UNIT
    yield from (f"M{x} {top}L{x} {bottom}" for x in range(left, right + 1, _UNIT))
    yield from (f"M{left} {y}L{right} {y}" for y in range(top, bottom + 1, _UNIT))


def _draw_bridge(middle: int) -> Iterator[Stroke]:
    """Yield the strokes of a bridge over the river: deck, planks and rails.

    `middle` is the x coordinate of the middle of the bridge in units of the map, 100 to a square.
    """
    left, right = middle - _BRIDGE_HALF_WIDTH, middle + _BRIDGE_HALF_WIDTH
    deck = f"M{left} 570L{right} 570L{right} 630L{left} 630Z"
    yield Stroke(deck, fill="bridge", line="bridge-line", width=2)
    planks = "".join(f"M{left} {y}L{right} {y}" for y in range(580, 621, 10))
    yield Stroke(planks, fill="none", line="bridge-line", width=1.5)
    left_rail = _draw_rail(left, left - _RAIL_FLARE)
    right_rail = _draw_rail(right, right + _RAIL_FLARE)
    yield Stroke(left_rail + right_rail, fill="none", line="bridge-line", width=5)


def _draw_rail(rail_x: int, end_x: int) -> str:
    """Return the SVG path of a rail of a bridge.

    The rail is at the x coordinate `rail_x`, and its ends bend to `end_x`.
    """
    return f"M{end_x} 562L{rail_x} 572L{rail_x} 628L{end_x} 638"


def _shift_path(path: str, right: int, down: int) -> str:
    """Return an SVG path moved to the right and down, both in units of the map.

    The path must consist of absolute coordinates. A square has 100 units.
    """

    def shift_point(point: re.Match[str]) -> str:
        return f"{float(point[1]) + right:g} {float(point[2]) + down:g}"

    return _POINT.sub(shift_point, path)


def _rotate_stroke(stroke: Stroke) -> Stroke:
    """Return a stroke of the map rotated by 180 degrees, for a flipped board."""

    def rotate_point(point: re.Match[str]) -> str:
        return f"{_MAP_WIDTH - float(point[1]):g} {_MAP_HEIGHT - float(point[2]):g}"

    return stroke._replace(path=_POINT.sub(rotate_point, stroke.path))


_MAP: Final = tuple(_draw_map())


def _make_captions(position: ShownPosition, has_zones: bool) -> Iterator[Caption]:
    """Yield the captions below the board, one for each line.

    They are the side to move, the open deploy session, and a legend for air defence if `has_zones` is true.
    """
    lines = [f"{_SIDE_NAMES[position.turn]} to move · move {position.full}"]
    if position.session is not None:
        lines.append(_describe_session(position.turn, position.session))
    if has_zones:
        lines.append("Air defence: / Red, \\ Blue")
    first_y = _TOP_MARGIN + RANK_COUNT + _FIRST_CAPTION
    for index, line in enumerate(lines):
        yield Caption(line, x=_LEFT_MARGIN, y=first_y + _CAPTION_HEIGHT * index)


def _describe_session(turn: str, session: ShownSession) -> str:
    """Return an open deploy session in words, such as ``Red deploys from c5: F, T remain``.

    `turn` is the side that deploys, ``r`` or ``b``.
    """
    remaining_pieces = _PIECE_LETTER.findall(session.remaining.upper())
    pieces_text = ", ".join(remaining_pieces) or "nothing"
    verb = "remain" if len(remaining_pieces) > 1 else "remains"
    return f"{_SIDE_NAMES[turn]} deploys from {session.origin}: {pieces_text} {verb}"


def _describe_position(position: ShownPosition) -> str:
    """Return a position in words: the pieces of both sides, the side to move and the clocks.

    An open deploy session is described, too.
    """
    units = sorted(position.pieces(), key=_get_unit_sort_key)
    sentences = [_describe_side(side, units) for side in _SIDE_NAMES]
    sentences.append(
        f"{_SIDE_NAMES[position.turn]} to move, move {position.full}; half-move clock: {position.half}."
    )
    if position.session is not None:
        sentences.append(f"{_describe_session(position.turn, position.session)}.")
    return " ".join(sentences)


def _get_unit_sort_key(unit: tuple[str, str, Members]) -> list[int]:
    """Return the key that sorts units by the types of their pieces, in the order of LETTERS.

    `unit` is a square, a colour and the pieces there, carrier first.
    """
    _, _, members = unit
    return [LETTERS.index(letter) for letter, _ in members]


def _describe_side(side: str, units: Iterable[tuple[str, str, Members]]) -> str:
    """Return the pieces of a side in words, such as ``Red: commander g1, tanks f4 h4``.

    `side` is ``r`` or ``b``. `units` are the units of both sides, each with its square, its side and its
    pieces.
    """
    squares_by_members: dict[Members, list[str]] = {}
    for square, owner, members in units:
        if owner == side:
            squares_by_members.setdefault(members, []).append(square)
    groups = [_describe_units(members, squares) for members, squares in squares_by_members.items()]
    return f"{_SIDE_NAMES[side]}: {', '.join(groups) or 'no pieces'}."


def _describe_units(members: Members, squares: list[str]) -> str:
    """Return equal pieces or stacks and their squares in words: ``navies b3 c5 with tank``.

    `members` are the pieces of each of them, carrier first. `squares` are their squares.
    """
    (carrier_letter, is_carrier_heroic), *passengers = members
    format_name = _format_piece_name if len(squares) == 1 else _format_plural_name
    carriers = f"{format_name(carrier_letter, is_carrier_heroic)} {' '.join(squares)}"
    if not passengers:
        return carriers
    passenger_names = [_format_piece_name(letter, heroic) for letter, heroic in passengers]
    return f"{carriers} with {' and '.join(passenger_names)}"
