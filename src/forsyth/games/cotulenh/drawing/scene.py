"""A CoTuLenh position as a scene: the map, units and stacks, air defence, the open deploy session.

Accepts
    Any position, legal or not: a tank at sea, ten commanders, an empty board. Marks, notes and zones by
    square (``c5``); others are ignored. Zones say whose air defence (``r``, ``b``) covers a square.
Writes
    Rank 12 at the top, or rank 1 when flipped. Units stand where file and rank cross, as on the printed
    board: so the coast runs through file c, and the shores of the river's mouth through d6 e6 and d7 e7,
    where navies and all others may stand. The origin of an open deploy session is marked as the last move
    unless it has a mark of its own. The description names every unit with its square.
Limits
    A terminal writes a stack letter by letter, Red in capitals, ``+`` before a heroic piece: up to six
    columns for a legal one, and all columns are as wide as the widest.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Final, Protocol

from forsyth.games.cotulenh.board import FILES, RANK_COUNT, terrain
from forsyth.games.cotulenh.drawing.pieces import GLYPHS, glyph
from forsyth.games.cotulenh.stacks import LETTERS, NAMES
from forsyth.scene import Area, Caption, Cell, Colour, Hatch, Mark, Scene, Stroke, Token, require_marks

Members = tuple[tuple[str, bool], ...]
"""The pieces of a unit as letter and heroic mark, the carrier first."""


class Deploying(Protocol):
    """What a picture needs to know of an open deploy session."""

    @property
    def origin(self) -> str:
        """The square the stack deploys from."""

    @property
    def remaining(self) -> str:
        """Letters of the pieces that may still go, such as ``FT`` or ``(+FT)``; empty when none is left."""


class ShownPosition(Protocol):
    """What a picture needs to know of a position."""

    def pieces(self) -> Iterable[tuple[str, str, Members]]:
        """Every unit: its square, its colour (``r`` or ``b``) and its members."""

    @property
    def turn(self) -> str:
        """``r`` or ``b``."""

    @property
    def half(self) -> int:
        """The half-move clock."""

    @property
    def full(self) -> int:
        """Number of the move."""

    @property
    def session(self) -> Deploying | None:
        """The open deploy session."""


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
"""A printed map by day and by night."""

_SIDES: Final[Mapping[str, str]] = {"r": "Red", "b": "Blue"}
_OWNERS: Final[Mapping[str, str]] = {"r": "red", "b": "blue"}
_HATCHES: Final[Mapping[str, Hatch]] = {"r": Hatch("red", "/"), "b": Hatch("blue", "\\")}
_BLANKS: Final[Mapping[str, str]] = {"water": "~", "mixed": "=", "land": ""}
_PLURALS: Final[Mapping[str, str]] = {
    **{letter: f"{name}s" for letter, name in NAMES.items()},
    **{letter: NAMES[letter] for letter in "IMAG"},
    "N": "navies",
}
_PIECE: Final = re.compile(r"\+?[A-Z]")

_COLUMNS: Final = len(FILES)
_RIVER_ROW: Final = 6
"""The row below the river, whichever way the board is turned."""
_BRIDGES: Final = "fh"
"""The files on which heavy pieces cross the river (spec/cotulenh 2)."""

_LEFT: Final = 0.55
_TOP: Final = 0.25
_FOOT: Final = 1.15
"""Room below the board for the file letters and one caption."""
_LINE: Final = 0.45

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
"""Both shores, from the board's edge along file c into the mouth of the river and up the river. Numbers of
the map come in pairs, absolute, so that it can be turned with the board."""
_DEEP: Final = (
    "M196 -50C192 100 202 250 197 400C194 480 216 540 216 600C216 660 194 720 197 800"
    "C202 950 192 1100 196 1250L-50 1250L-50 -50Z"
)
_WAVES: Final = "".join(
    f"M70 {y}C80 {y - 12} 90 {y - 12} 100 {y}C110 {y + 12} 120 {y + 12} 130 {y}"
    for y in range(100, 1101, 200)
)
_NUMBERS: Final = re.compile(r"(-?[\d.]+) (-?[\d.]+)")


def scene(
    position: ShownPosition,
    *,
    marks: Mapping[str, Mark] | None = None,
    flip: bool = False,
    notes: Mapping[str, str] | None = None,
    zones: Mapping[str, Collection[str]] | None = None,
) -> Scene:
    """What to draw of a position; `marks`, `notes` and `zones` say what to point out on which square."""
    require_marks(marks, notes)
    marks, notes, zones = marks or {}, notes or {}, zones or {}
    if position.session is not None:
        marks = {position.session.origin: "last", **marks}
    board = _board(position, marks, notes, zones, flip)
    captions = tuple(_captions(position, any(cell.hatches for cell in board.cells)))
    return Scene(
        title=f"CoTuLenh position, {_SIDES[position.turn]} to move",
        description=_description(position),
        width=_LEFT + _COLUMNS + _TOP,
        height=_TOP + RANK_COUNT + _FOOT + _LINE * (len(captions) - 1),
        areas=(board,),
        captions=captions,
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _board(
    position: ShownPosition,
    marks: Mapping[str, Mark],
    notes: Mapping[str, str],
    zones: Mapping[str, Collection[str]],
    flip: bool,
) -> Area:
    units = {square: _tokens(colour, members) for square, colour, members in position.pieces()}
    files, ranks = tuple(FILES), tuple(str(rank) for rank in range(RANK_COUNT, 0, -1))
    if flip:
        files, ranks = files[::-1], ranks[::-1]
    special = units.keys() | marks.keys() | notes.keys() | zones.keys()
    return Area(
        name="Board",
        columns=_COLUMNS,
        rows=RANK_COUNT,
        cells=tuple(
            replace(
                square,
                tokens=units.get(square.id, ()),
                mark=marks.get(square.id),
                note=notes.get(square.id, ""),
                hatches=_hatches(zones.get(square.id, ())),
            )
            if square.id in special
            else square
            for square in _squares(files, ranks)
        ),
        x=_LEFT,
        y=_TOP,
        column_labels=files,
        row_labels=ranks,
        map=tuple(_turned(stroke) for stroke in _MAP) if flip else _MAP,
        between=tuple(_river(column, file) for column, file in enumerate(files)),
    )


@cache
def _squares(files: tuple[str, ...], ranks: tuple[str, ...]) -> tuple[Cell, ...]:
    """The empty squares as they are seen from the left to the right and from the top down.

    Made once for each side of the board: a view of a match draws the board for many a move.
    """
    return tuple(
        Cell(id=f"{file}{rank}", column=column, row=row, ground=ground, blank=_BLANKS[ground])
        for (row, rank), (column, file) in product(enumerate(ranks), enumerate(files))
        for ground in (terrain(f"{file}{rank}"),)
    )


def _hatches(colours: Collection[str]) -> tuple[Hatch, ...]:
    return tuple(hatch for colour, hatch in _HATCHES.items() if colour in colours)


def _river(column: int, file: str) -> Cell:
    ground, blank = ("bridge", "#") if file in _BRIDGES else ("water", "~")
    return Cell(id=f"{file} river", column=column, row=_RIVER_ROW, ground=ground, blank=blank)


def _tokens(colour: str, members: Members) -> tuple[Token, ...]:
    return tuple(token(colour, letter, heroic) for letter, heroic in members)


@cache
def token(colour: str, letter: str, heroic: bool) -> Token:
    """A single piece as it is drawn."""
    owner = _OWNERS[colour]
    symbol = f"{'+' if heroic else ''}{letter if colour == 'r' else letter.lower()}"
    return Token(
        symbol=symbol,
        owner=owner,
        glyph=glyph(letter, owner, heroic),
        text=symbol,
        label=f"{owner} {_name(letter, heroic)}",
        counter=True,
    )


def _name(letter: str, heroic: bool) -> str:
    return f"heroic {NAMES[letter]}" if heroic else NAMES[letter]


def _map() -> Iterator[Stroke]:
    """The ground from back to front: water with lines that follow the shores, land, grid, bridges.

    A line at a distance from both shores is a wide stroke with a slightly narrower one over it.
    """
    yield Stroke("M-50 -50L1150 -50L1150 1250L-50 1250Z", fill="mixed", line="none")
    yield Stroke(_DEEP, fill="water", line="none")
    for role, width in (("shore", 54.0), ("mixed", 52.0), ("shore", 25.0), ("mixed", 22.5)):
        yield Stroke(_NORTH_SHORE + _SOUTH_SHORE, fill="none", line=role, width=width)
    for shore, edge, inland in ((_NORTH_SHORE, -50, -22), (_SOUTH_SHORE, 1250, 22)):
        land = f"{shore}L1150 {edge}Z"
        yield Stroke(land, fill="beach", line="shore", width=3)
        yield Stroke(_shifted(land, 24, inland), fill="land", line="none")
    yield Stroke(_WAVES, fill="none", line="shore", width=3, opacity=0.6)
    yield Stroke("".join(_grid()), fill="none", line="grid", width=2, opacity=0.3)
    for file in _BRIDGES:
        yield from _bridge(FILES.index(file) * 100 + 50)


def _grid() -> Iterator[str]:
    right, bottom = _COLUMNS * 100 - 50, RANK_COUNT * 100 - 50
    yield from (f"M{x} 50L{x} {bottom}" for x in range(50, right + 1, 100))
    yield from (f"M50 {y}L{right} {y}" for y in range(50, bottom + 1, 100))


def _bridge(x: int) -> Iterator[Stroke]:
    left, right = x - 19, x + 19
    deck = f"M{left} 570L{right} 570L{right} 630L{left} 630Z"
    yield Stroke(deck, fill="bridge", line="bridge-line", width=2)
    planks = "".join(f"M{left} {y}L{right} {y}" for y in range(580, 621, 10))
    yield Stroke(planks, fill="none", line="bridge-line", width=1.5)
    rails = "".join(
        f"M{end} 562L{rail} 572L{rail} 628L{end} 638" for rail, end in ((left, left - 7), (right, right + 7))
    )
    yield Stroke(rails, fill="none", line="bridge-line", width=5)


def _shifted(path: str, right: int, down: int) -> str:
    return _NUMBERS.sub(lambda pair: f"{float(pair[1]) + right:g} {float(pair[2]) + down:g}", path)


def _turned(stroke: Stroke) -> Stroke:
    """The stroke on a board turned upside down."""
    width, height = _COLUMNS * 100, RANK_COUNT * 100
    path = _NUMBERS.sub(lambda pair: f"{width - float(pair[1]):g} {height - float(pair[2]):g}", stroke.path)
    return stroke._replace(path=path)


_MAP: Final = tuple(_map())


def _captions(position: ShownPosition, zoned: bool) -> Iterator[Caption]:
    lines = [f"{_SIDES[position.turn]} to move · move {position.full}"]
    if position.session is not None:
        lines.append(_session(position.turn, position.session))
    if zoned:
        lines.append("Air defence: / Red, \\ Blue")
    for index, line in enumerate(lines):
        yield Caption(line, _LEFT, _TOP + RANK_COUNT + 0.85 + _LINE * index)


def _session(turn: str, session: Deploying) -> str:
    left = _PIECE.findall(session.remaining.upper())
    rest = ", ".join(left) or "nothing"
    return f"{_SIDES[turn]} deploys from {session.origin}: {rest} remain{'' if len(left) > 1 else 's'}"


def _description(position: ShownPosition) -> str:
    units = sorted(position.pieces(), key=lambda unit: [LETTERS.index(letter) for letter, _ in unit[2]])
    sentences = [_holdings(side, [unit for unit in units if unit[1] == side]) for side in "rb"]
    sentences.append(
        f"{_SIDES[position.turn]} to move, move {position.full}; half-move clock: {position.half}."
    )
    if position.session is not None:
        sentences.append(f"{_session(position.turn, position.session)}.")
    return " ".join(sentences)


def _holdings(side: str, units: Iterable[tuple[str, str, Members]]) -> str:
    """One side's units with their squares, such as ``Red: commander g1, tanks f4 h4, navy c5 with tank.``"""
    squares: dict[Members, list[str]] = {}
    for square, _, members in units:
        squares.setdefault(members, []).append(square)
    found = [_holding(members, where) for members, where in squares.items()]
    return f"{_SIDES[side]}: {', '.join(found) or 'no pieces'}."


def _holding(members: Members, squares: list[str]) -> str:
    (letter, heroic), *carried = members
    name = _name(letter, heroic)
    if len(squares) > 1:
        name = f"{'heroic ' if heroic else ''}{_PLURALS[letter]}"
    passengers = " and ".join(_name(*passenger) for passenger in carried)
    return f"{name} {' '.join(squares)}{f' with {passengers}' if carried else ''}"
