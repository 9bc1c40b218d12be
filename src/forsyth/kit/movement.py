"""How men move, as data: leaps with a leg that may block, lines of any length, hops over a screen.

A direction is two numbers: to the right and ahead, as the side sees it whose man moves. The second side sits
opposite, so its men go the other way. `compile_tables` turns the movement of all kinds of a game into the
tables of `forsyth.kit.tables`; the search knows nothing else of a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from forsyth.kit.tables import FACE, HOP_MOVE, HOP_TAKE, MOVE, TAKE, Tables

BOTH: Final = MOVE | TAKE
"""A man may go to an empty square and may capture."""
SIDES: Final = (0, 1)


class Leap(NamedTuple):
    """A man goes to one square, whatever is between, unless something stands on the leg."""

    right: int
    ahead: int
    leg: tuple[int, int] | None = None
    """The square that must be empty, counted like the leap itself."""
    start: str = ""
    """The zone in which the leap must begin, or any square."""
    end: str = ""
    """The zone in which the leap must end, or any square."""
    how: int = BOTH


class Line(NamedTuple):
    """A man goes along a line of empty squares.

    `how` says what it may do: `MOVE` to an empty square, `TAKE` the first man, `HOP_TAKE` the second man,
    `HOP_MOVE` to an empty square behind the first man, `FACE` nothing but to attack a king.
    """

    right: int
    ahead: int
    how: int = BOTH
    most: int = 15


Movement = Leap | Line


class KindMoves(NamedTuple):
    """What the search has to know of a kind of men."""

    moves: tuple[Movement, ...]
    royal: bool = False
    promotes: int = -1
    """The number of the kind it becomes, or −1."""
    held: int = -1
    """The number of the kind it is in the hand of who captures it, or −1."""
    one_per_file: bool = False
    """Whether it is not dropped on a file that has a man of the same kind and side."""
    drop_mates: bool = True
    """Whether a drop of it may give mate."""


class Zone(NamedTuple):
    """A block of squares as the first side sees it; the second side's lies opposite."""

    files: str
    ranks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """The squares of a board, numbered as a text names them: from left to right, the top rank first."""

    files: str
    ranks: tuple[str, ...]
    """Names of the ranks, the top one first."""

    @property
    def size(self) -> int:
        """How many squares there are."""
        return len(self.files) * len(self.ranks)

    def squares(self) -> tuple[str, ...]:
        """The names of all squares."""
        return tuple(f"{file}{rank}" for rank in self.ranks for file in self.files)

    def step(self, square: int, right: int, ahead: int, side: int) -> int:
        """Where a step leads as a side sees it, or −1 where that is off the board."""
        row, column = divmod(square, len(self.files))
        row, column = (row + ahead, column - right) if side else (row - ahead, column + right)
        inside = 0 <= row < len(self.ranks) and 0 <= column < len(self.files)
        return row * len(self.files) + column if inside else -1

    def zone(self, zone: Zone, side: int) -> frozenset[int]:
        """The squares of a zone of a side."""
        found = (
            self.ranks.index(rank) * len(self.files) + self.files.index(file)
            for rank in zone.ranks
            for file in zone.files
        )
        return frozenset(self.size - 1 - square if side else square for square in found)


def around(right: int, ahead: int) -> tuple[tuple[int, int], ...]:
    """A direction and all that are like it by turning and mirroring the board."""
    turned = ((x * a, y * b) for x, y in ((right, ahead), (ahead, right)) for a in (1, -1) for b in (1, -1))
    return tuple(dict.fromkeys(turned))


def leaps(right: int, ahead: int, *, end: str = "") -> tuple[Leap, ...]:
    """A leap in all directions."""
    return tuple(Leap(x, y, end=end) for x, y in around(right, ahead))


def lines(right: int, ahead: int, how: int = BOTH) -> tuple[Line, ...]:
    """A line in all directions."""
    return tuple(Line(x, y, how) for x, y in around(right, ahead))


def targets(
    grid: Grid, moves: Sequence[Movement], zones: Mapping[str, Zone], square: int, side: int
) -> Iterator[int]:
    """Where a man of a side gets from a square in one move, whatever stands elsewhere."""
    for move in moves:
        if isinstance(move, Leap):
            yield from (target for target, _, _ in _leap(grid, move, zones, square, side))
        elif move.how & (MOVE | TAKE | HOP_TAKE | HOP_MOVE):
            yield from _ray(grid, (move.right, move.ahead), square, side)[: move.most]


def compile_tables(
    grid: Grid, kinds: Sequence[KindMoves], zones: Mapping[str, Zone], promotion: str = ""
) -> Tables:
    """The tables of a game; `promotion` names the zone in which men promote."""
    directions = _directions(kinds)
    men = [(side, kind) for side in SIDES for kind in kinds]
    steps, step_at = _steps(grid, men, zones)
    rays, ray_at = _rays(grid, directions)
    line_numbers, line_at = _lines(men, directions)
    zone = [grid.zone(zones[promotion], side) if promotion else frozenset[int]() for side in SIDES]
    return Tables(
        width=len(grid.files),
        size=grid.size,
        kinds=len(kinds),
        directions=len(directions),
        steps=steps,
        step_at=step_at,
        rays=rays,
        ray_at=ray_at,
        lines=line_numbers,
        line_at=line_at,
        royal=next((number for number, kind in enumerate(kinds) if kind.royal), -1),
        promotes=[kind.promotes for kind in kinds],
        held=[kind.held for kind in kinds],
        one_per_file=[int(kind.one_per_file) for kind in kinds],
        drop_mates=[int(kind.drop_mates) for kind in kinds],
        zone=[int(square in zone[side]) for side in SIDES for square in range(grid.size)],
    )


def _directions(kinds: Sequence[KindMoves]) -> list[tuple[int, int]]:
    """The directions of all lines as the first side sees them; each is followed by its opposite."""
    used = (move for kind in kinds for move in kind.moves if isinstance(move, Line))
    found: dict[tuple[int, int], None] = {}
    for move in used:
        found.setdefault(max((move.right, move.ahead), (-move.right, -move.ahead)))
    return [direction for x, y in found for direction in ((x, y), (-x, -y))]


def _leap(
    grid: Grid, leap: Leap, zones: Mapping[str, Zone], square: int, side: int
) -> Iterator[tuple[int, int, int]]:
    """Target, leg and manner of a leap from a square, where it is possible there."""
    target = grid.step(square, leap.right, leap.ahead, side)
    leg = grid.size if leap.leg is None else grid.step(square, *leap.leg, side)
    if target < 0 or leg < 0:
        return
    if leap.start and square not in grid.zone(zones[leap.start], side):
        return
    if leap.end and target not in grid.zone(zones[leap.end], side):
        return
    yield target, leg, leap.how


def _steps(
    grid: Grid, men: Sequence[tuple[int, KindMoves]], zones: Mapping[str, Zone]
) -> tuple[list[int], list[int]]:
    found: list[int] = []
    at = [0] * (grid.size + 1)
    for side, kind in men:
        jumps = [move for move in kind.moves if isinstance(move, Leap)]
        for square in range(grid.size):
            for leap in jumps:
                for step in _leap(grid, leap, zones, square, side):
                    found += step
            at.append(len(found))
    return found, at


def _ray(grid: Grid, direction: tuple[int, int], square: int, side: int) -> list[int]:
    found: list[int] = []
    while (square := grid.step(square, *direction, side)) >= 0:
        found.append(square)
    return found


def _rays(grid: Grid, directions: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    found: list[int] = []
    at = [0]
    for square in range(grid.size):
        for direction in directions:
            found += _ray(grid, direction, square, 0)
            at.append(len(found))
    return found, at


def _lines(
    men: Sequence[tuple[int, KindMoves]], directions: Sequence[tuple[int, int]]
) -> tuple[list[int], list[int]]:
    found: list[int] = []
    at = [0, 0]
    for side, kind in men:
        for move in kind.moves:
            if isinstance(move, Line):
                seen = (-move.right, -move.ahead) if side else (move.right, move.ahead)
                found += directions.index(seen), move.how, move.most
        at.append(len(found))
    return found, at


__all__ = [
    "BOTH",
    "FACE",
    "HOP_MOVE",
    "HOP_TAKE",
    "MOVE",
    "SIDES",
    "TAKE",
    "Grid",
    "KindMoves",
    "Leap",
    "Line",
    "Movement",
    "Zone",
    "around",
    "compile_tables",
    "leaps",
    "lines",
    "targets",
]
