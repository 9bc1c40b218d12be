"""Movement of pieces as data: leaps with a leg that may block them, lines of any length, hops over a screen.

A direction is two numbers, right and ahead, as the side that owns the piece sees the board. The second side
sits opposite, so its pieces go the other way. `compile_tables` turns the movement of all kinds of a game into
the tables of `forsyth.kit.tables`, which the search uses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from forsyth.kit.tables import FACE, HOP_MOVE, HOP_TAKE, MOVE, TAKE, Tables

MOVE_OR_TAKE: Final = MOVE | TAKE
"""Flags of a piece that may go to an empty square and may capture."""
SIDES: Final = (0, 1)


class Leap(NamedTuple):
    """A jump to one square, whatever stands between, such as a knight's move.

    A piece on the leg, a square near the origin, prevents the jump, as with the horse of xiangqi.
    """

    right: int
    ahead: int
    leg: tuple[int, int] | None = None
    """The square that must be empty, as (right, ahead) from the origin; None if there is none."""
    start: str = ""
    """The zone in which the leap must begin; empty for any square."""
    end: str = ""
    """The zone in which the leap must end; empty for any square."""
    flags: int = MOVE_OR_TAKE


class Line(NamedTuple):
    """A move along a line of empty squares.

    `flags` combines what the piece may do: `MOVE` to an empty square, `TAKE` the first piece, `HOP_TAKE` the
    second piece, `HOP_MOVE` to an empty square behind the first piece. `FACE` only attacks a king.
    """

    right: int
    ahead: int
    flags: int = MOVE_OR_TAKE
    max_steps: int = 15


Movement = Leap | Line
"""One way in which a kind moves."""


class KindMoves(NamedTuple):
    """The movement and drop rules of one kind, as the search needs them."""

    moves: tuple[Movement, ...]
    royal: bool = False
    promotes: int = -1
    """The number of the kind it promotes to, or −1."""
    hand_kind: int = -1
    """The number of the kind it becomes in the hand of its captor, or −1."""
    one_per_file: bool = False
    """Whether it cannot be dropped on a file that has a piece of the same kind and side."""
    drop_mates: bool = True
    """Whether dropping it may give mate."""


class Zone(NamedTuple):
    """A block of squares as the first side sees it; the second side's block lies opposite."""

    files: str
    ranks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """The squares of a board, numbered in the order of a text: left to right, the top rank first."""

    files: str
    ranks: tuple[str, ...]
    """Names of the ranks, the top one first."""

    @property
    def size(self) -> int:
        """The number of squares."""
        return len(self.files) * len(self.ranks)

    def square_names(self) -> tuple[str, ...]:
        """Return the names of all squares in the order of their numbers, such as ``a10`` first in xiangqi."""
        return tuple(f"{file}{rank}" for rank in self.ranks for file in self.files)

    def step(self, square: int, right: int, ahead: int, side: int) -> int:
        """Return the square `right` files and `ahead` ranks from `square`, or −1 if it is off the board.

        Squares are numbers. Right and ahead are as `side` (0 or 1) sees the board. The second side sits
        opposite the first.
        """
        width, height = len(self.files), len(self.ranks)
        row, column = divmod(square, width)
        # Rows are numbered from the top, so the first side moves ahead to lower numbers.
        sign = -1 if side else 1
        row -= sign * ahead
        column += sign * right
        is_on_board = 0 <= row < height and 0 <= column < width
        return row * width + column if is_on_board else -1

    def zone_squares(self, zone: Zone, side: int) -> frozenset[int]:
        """Return the numbers of the squares of a side's zone, such as the palace of xiangqi.

        `zone` is defined for the first side (0). The zone of the second side (1) lies opposite.
        """
        squares = [
            self.ranks.index(rank) * len(self.files) + self.files.index(file)
            for rank in zone.ranks
            for file in zone.files
        ]
        if side == 0:
            return frozenset(squares)
        # Half a turn of the board maps the first square to the last one.
        return frozenset(self.size - 1 - square for square in squares)


def symmetries(right: int, ahead: int) -> tuple[tuple[int, int], ...]:
    """Return all directions that turning and mirroring the board make of a direction, with the direction.

    For (1, 2), the move of a knight, these are eight directions. For (0, 1) and for (1, 1), these are four.
    """
    directions = [
        (right_part * right_sign, ahead_part * ahead_sign)
        for right_part, ahead_part in ((right, ahead), (ahead, right))
        for right_sign in (1, -1)
        for ahead_sign in (1, -1)
    ]
    # Remove the second one of equal directions, and keep the order.
    return tuple(dict.fromkeys(directions))


def leaps(right: int, ahead: int, *, end: str = "") -> tuple[Leap, ...]:
    """Return leaps in all symmetric directions, such as the eight of a knight for (1, 2).

    `end` is the name of the zone in which they must end, or empty for any square.
    """
    return tuple(Leap(leap_right, leap_ahead, end=end) for leap_right, leap_ahead in symmetries(right, ahead))


def lines(right: int, ahead: int, flags: int = MOVE_OR_TAKE) -> tuple[Line, ...]:
    """Return lines in all symmetric directions, such as the four of a rook for (0, 1).

    `flags` combines what the piece may do on them, such as `MOVE` and `TAKE` (see `Line`).
    """
    return tuple(Line(line_right, line_ahead, flags) for line_right, line_ahead in symmetries(right, ahead))


def find_targets(
    grid: Grid, moves: Sequence[Movement], zones: Mapping[str, Zone], square: int, side: int
) -> Iterator[int]:
    """Yield the number of each square that a piece may reach in one move, whatever stands on the board.

    Args:
        grid: The squares of the board.
        moves: The movement of the kind of the piece.
        zones: The zones that the leaps of the kind name, by name.
        square: The number of the square of the piece.
        side: The owner of the piece: 0 or 1.
    """
    for move in moves:
        if isinstance(move, Leap):
            for target, _, _ in _resolve_leap(grid, move, zones, square, side):
                yield target
        # A line with the flag FACE alone attacks a king, but no piece moves along it.
        elif move.flags & (MOVE | TAKE | HOP_TAKE | HOP_MOVE):
            ray = _trace_ray(grid, (move.right, move.ahead), square, side)
            yield from ray[: move.max_steps]


def compile_tables(
    grid: Grid, kinds: Sequence[KindMoves], zones: Mapping[str, Zone], promotion: str = ""
) -> Tables:
    """Return the search tables of a game: the movement of all pieces as lists of numbers.

    Args:
        grid: The squares of the board.
        kinds: The movement of every kind, in the order of the sheet.
        zones: The zones that `promotion` and the leaps of the kinds name, by name.
        promotion: The name of the zone in which pieces promote; empty if none promote.
    """
    directions = _list_directions(kinds)
    pieces = [(side, kind) for side in SIDES for kind in kinds]
    leap_numbers, leap_starts = _build_leap_table(grid, pieces, zones)
    rays, ray_starts = _build_ray_table(grid, directions)
    line_numbers, line_starts = _build_line_table(pieces, directions)
    return Tables(
        width=len(grid.files),
        size=grid.size,
        kinds=len(kinds),
        directions=len(directions),
        steps=leap_numbers,
        step_starts=leap_starts,
        rays=rays,
        ray_starts=ray_starts,
        lines=line_numbers,
        line_starts=line_starts,
        royal=next((number for number, kind in enumerate(kinds) if kind.royal), -1),
        promotes=[kind.promotes for kind in kinds],
        hand_kind=[kind.hand_kind for kind in kinds],
        one_per_file=[int(kind.one_per_file) for kind in kinds],
        drop_mates=[int(kind.drop_mates) for kind in kinds],
        zone=_build_zone_table(grid, zones, promotion),
    )


def _build_zone_table(grid: Grid, zones: Mapping[str, Zone], promotion: str) -> list[int]:
    """Return 1 for each square on which pieces promote, and 0 for each other one.

    The squares are those in the zone `promotion`, for the first side, then for the second. If `promotion` is
    empty, no piece promotes.
    """
    zone_flags: list[int] = []
    for side in SIDES:
        zone_squares = grid.zone_squares(zones[promotion], side) if promotion else frozenset[int]()
        zone_flags += (int(square in zone_squares) for square in range(grid.size))
    return zone_flags


def _list_directions(kinds: Sequence[KindMoves]) -> list[tuple[int, int]]:
    """Return the different directions of all lines as (right, ahead), each followed by its opposite.

    In this order, the index of the opposite direction differs only in its lowest bit.
    """
    # A dictionary without values is a set that keeps its order. One direction stands for two opposite ones.
    axes: dict[tuple[int, int], None] = {}
    for kind in kinds:
        for move in kind.moves:
            if isinstance(move, Line):
                direction, opposite = (move.right, move.ahead), (-move.right, -move.ahead)
                axes[max(direction, opposite)] = None
    directions = []
    for right, ahead in axes:
        directions += [(right, ahead), (-right, -ahead)]
    return directions


def _resolve_leap(
    grid: Grid, leap: Leap, zones: Mapping[str, Zone], square: int, side: int
) -> Iterator[tuple[int, int, int]]:
    """Yield the target, the leg and the flags of a leap from `square` once, if the leap is possible.

    It is not possible if it leaves the board, or begins or ends outside of its zones. The leg is the square
    that must be empty. For a leap without a leg it is the number of squares of the board, which stands for an
    empty square.
    """
    target = grid.step(square, leap.right, leap.ahead, side)
    leg = grid.size if leap.leg is None else grid.step(square, *leap.leg, side)
    if target < 0 or leg < 0:
        return
    if leap.start and square not in grid.zone_squares(zones[leap.start], side):
        return
    if leap.end and target not in grid.zone_squares(zones[leap.end], side):
        return
    yield target, leg, leap.flags


def _build_leap_table(
    grid: Grid, pieces: Sequence[tuple[int, KindMoves]], zones: Mapping[str, Zone]
) -> tuple[list[int], list[int]]:
    """Return the leaps of every piece from every square, and the offset of each piece and square in them.

    A leap is three numbers: target, leg (the square that must be empty) and flags. The two lists are `steps`
    and `step_starts` of `Tables`. `pieces` has the owner (0 or 1) and the kind of every piece.
    """
    leap_numbers: list[int] = []
    # The empty square, piece 0, has no leaps.
    leap_starts = [0] * (grid.size + 1)
    for side, kind in pieces:
        kind_leaps = [move for move in kind.moves if isinstance(move, Leap)]
        for square in range(grid.size):
            for leap in kind_leaps:
                for target_leg_flags in _resolve_leap(grid, leap, zones, square, side):
                    leap_numbers += target_leg_flags
            leap_starts.append(len(leap_numbers))
    return leap_numbers, leap_starts


def _trace_ray(grid: Grid, direction: tuple[int, int], square: int, side: int) -> list[int]:
    """Return the squares from `square` to the edge of the board in a direction, without `square` itself.

    `direction` is (right, ahead), as `side` (0 or 1) sees the board.
    """
    squares: list[int] = []
    while (square := grid.step(square, *direction, side)) >= 0:
        squares.append(square)
    return squares


def _build_ray_table(grid: Grid, directions: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return the squares in every direction from every square, and the offset of each of these rays.

    The two lists are `rays` and `ray_starts` of `Tables`. Directions are as the first side sees the board.
    """
    rays: list[int] = []
    ray_starts = [0]
    for square in range(grid.size):
        for direction in directions:
            rays += _trace_ray(grid, direction, square, side=0)
            ray_starts.append(len(rays))
    return rays, ray_starts


def _build_line_table(
    pieces: Sequence[tuple[int, KindMoves]], directions: Sequence[tuple[int, int]]
) -> tuple[list[int], list[int]]:
    """Return the lines along which every piece moves, and the offset of each piece in them.

    A line is three numbers: the index of its direction, flags and maximum length. The two lists are `lines`
    and `line_starts` of `Tables`. `pieces` has the owner (0 or 1) and the kind of every piece.
    """
    line_numbers: list[int] = []
    # The empty square, piece 0, has no lines.
    line_starts = [0, 0]
    for side, kind in pieces:
        for move in kind.moves:
            if isinstance(move, Line):
                # Directions are as the first side sees the board, and the second side sits opposite.
                direction = (-move.right, -move.ahead) if side else (move.right, move.ahead)
                line_numbers += directions.index(direction), move.flags, move.max_steps
        line_starts.append(len(line_numbers))
    return line_numbers, line_starts


__all__ = [
    "FACE",
    "HOP_MOVE",
    "HOP_TAKE",
    "MOVE",
    "MOVE_OR_TAKE",
    "SIDES",
    "TAKE",
    "Grid",
    "KindMoves",
    "Leap",
    "Line",
    "Movement",
    "Zone",
    "compile_tables",
    "find_targets",
    "leaps",
    "lines",
    "symmetries",
]
