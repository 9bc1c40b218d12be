"""The movement of a game as tables of numbers, which the search reads.

`forsyth.kit.movement` builds the basic tables of a sheet; `Tables` derives the others from them. All numbers
are checked here, because compiled code reads them without bounds checks: a number out of range raises
`ValueError`. The module runs as it is and compiles with Cython (`tables.pxd` gives the C types).

Limits: 256 squares, 31 kinds, two sides, one kind of king.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    Numbers = list[int]
    Masks = list[int]
    MAX_SQUARES: Final = 256
    MAX_KINDS: Final = 31
    MAX_DIRECTIONS: Final = 64
    MOVE: Final = 1
    TAKE: Final = 2
    HOP_TAKE: Final = 4
    HOP_MOVE: Final = 8
    HOPS: Final = 12
    FACE: Final = 16
    """The flags of a leap or line: what the piece may do there (see `forsyth.kit.movement.Line`)."""


class Tables:
    """The movement of a game as rows of numbers; `forsyth.kit.movement.compile_tables` makes them.

    Each list of rows has a list of offsets beside it, one per row and one for the end.

    * `steps`, `step_starts`: the leaps by piece and origin. A leap is three numbers: target, leg, flags.
    * `rays`, `ray_starts`: the squares by origin and direction. Each direction is followed by its opposite.
    * `lines`, `line_starts`: the lines by piece. A line is three numbers: direction, flags, length.

    The other tables follow from these: the pieces that attack a square by a leap (`leap_sources`,
    `leap_source_pieces`), those that attack along a ray (`first_attackers`, `second_attackers`), and the
    squares from which a piece could never move again (`stuck`).
    """

    if not cython.compiled:
        __slots__ = (
            "buffers",
            "directions",
            "drop_mates",
            "first_attackers",
            "hand_kind",
            "has_hands",
            "kinds",
            "leap_source_pieces",
            "leap_source_starts",
            "leap_sources",
            "line_starts",
            "lines",
            "one_per_file",
            "piece_bytes",
            "promotes",
            "ray_depth",
            "ray_starts",
            "rays",
            "reach",
            "royal",
            "second_attackers",
            "size",
            "step_starts",
            "steps",
            "stuck",
            "width",
            "zone",
        )

    def __init__(
        self,
        *,
        width: int,
        size: int,
        kinds: int,
        directions: int,
        steps: list[int],
        step_starts: list[int],
        rays: list[int],
        ray_starts: list[int],
        lines: list[int],
        line_starts: list[int],
        royal: int,
        promotes: list[int],
        hand_kind: list[int],
        one_per_file: list[int],
        drop_mates: list[int],
        zone: list[int],
    ) -> None:
        if cython.compiled and self.buffers is not None:
            raise TypeError("the tables are set up already; make new ones, because boards rely on these")
        self.buffers: list[Any] = []
        steps, step_starts, rays, ray_starts = map(_as_int32, (steps, step_starts, rays, ray_starts))
        lines, line_starts, promotes, hand_kind = map(_as_int32, (lines, line_starts, promotes, hand_kind))
        one_per_file, drop_mates, zone = map(_as_int32, (one_per_file, drop_mates, zone))
        piece_count = 2 * kinds + 1
        _require(1 <= size <= MAX_SQUARES and 1 <= width <= size and size % width == 0, "size")
        _require(1 <= kinds <= MAX_KINDS and 0 <= directions <= MAX_DIRECTIONS, "kinds")
        _require(directions % 2 == 0 and -1 <= royal < kinds, "kinds")
        _require_rows(step_starts, piece_count * size, steps, 3, "steps")
        # A step is three numbers: target, leg, flags. A line is three numbers: direction, flags, length.
        _require_numbers(steps[0::3], 0, size - 1, "steps")
        _require_numbers(steps[1::3], 0, size, "steps")
        _require_rows(ray_starts, size * directions, rays, 1, "rays")
        _require_numbers(rays, 0, size - 1, "rays")
        _require_rows(line_starts, piece_count, lines, 3, "lines")
        _require_numbers(lines[0::3], 0, directions - 1, "lines")
        for numbers, minimum, count in (
            (promotes, -1, kinds),
            (hand_kind, -1, kinds),
            (one_per_file, 0, kinds),
            (drop_mates, 0, kinds),
            (zone, 0, 2 * size),
        ):
            _require(len(numbers) == count, "kinds")
            _require_numbers(numbers, minimum, kinds - 1 if minimum else 1, "kinds")
        reach = max((end - start for start, end in pairwise(ray_starts)), default=0) + 1
        # A distance along a ray is at most the number of squares.
        _require(reach <= MAX_SQUARES, "rays")
        first_attackers, second_attackers = _find_ray_attackers(kinds, directions, reach, lines, line_starts)
        leap_sources, leap_source_pieces, leap_source_starts = _find_leap_sources(
            kinds, size, steps, step_starts
        )
        self.steps = self.store_numbers(steps)
        self.step_starts = self.store_numbers(step_starts)
        self.rays = self.store_numbers(rays)
        self.ray_starts = self.store_numbers(ray_starts)
        self.lines = self.store_numbers(lines)
        self.line_starts = self.store_numbers(line_starts)
        self.promotes = self.store_numbers(_list_promoted_pieces(kinds, promotes))
        self.hand_kind = self.store_numbers([-1, *hand_kind, *hand_kind])
        self.one_per_file = self.store_numbers(one_per_file)
        self.drop_mates = self.store_numbers(drop_mates)
        self.zone = self.store_numbers(zone)
        self.stuck = self.store_numbers(
            _find_stuck(kinds, size, directions, step_starts, ray_starts, lines, line_starts)
        )
        self.ray_depth = self.store_numbers(
            _measure_ray_depths(directions, reach, first_attackers, second_attackers)
        )
        self.leap_sources = self.store_numbers(leap_sources)
        self.leap_source_starts = self.store_numbers(leap_source_starts)
        self.leap_source_pieces = self.store_masks(leap_source_pieces)
        self.first_attackers = self.store_masks(first_attackers)
        self.second_attackers = self.store_masks(second_attackers)
        self.width = width
        self.kinds = kinds
        self.directions = directions
        self.royal = royal
        self.reach = reach
        self.has_hands = any(kind >= 0 for kind in hand_kind)
        self.piece_bytes = bytes(range(piece_count))
        # Set last: until then the size is 0, and no board fits tables that failed halfway.
        self.size = size

    def store_numbers(self, values: Any) -> Numbers:
        """Return numbers as the type that the search reads: a C array if compiled, else a list.

        The array stays in memory as long as the tables do.
        """
        if cython.compiled:
            numbers = array("i", values)
            self.buffers.append(numbers)
            return numbers.data.as_ints  # type: ignore[attr-defined,no-any-return]
        return list(values)

    def store_masks(self, values: Any) -> Masks:
        """Return bit sets of pieces as the type that the search reads: a C array if compiled, else a list.

        Bit p of a set stands for piece number p. The array stays in memory as long as the tables do.
        """
        if cython.compiled:
            masks = array("Q", values)
            self.buffers.append(masks)
            return masks.data.as_ulonglongs  # type: ignore[attr-defined,no-any-return]
        return list(values)

    def is_stuck(self, piece: int, square: int) -> bool:
        """Return whether a piece could never move from a square, such as a pawn on the last rank.

        `piece` and `square` are numbers. Raise `ValueError` if there is no such piece or square.
        """
        if not (0 <= piece <= 2 * self.kinds and 0 <= square < self.size):
            raise ValueError(
                f"there is no piece {piece} or no square {square}, expected a piece from 0 to "
                f"{2 * self.kinds} and a square from 0 to {self.size - 1}"
            )
        return bool(self.stuck[piece * self.size + square])


def _as_int32(values: list[int]) -> list[int]:
    """Return a copy of `values` as plain ints, each of which fits 32 bits.

    Raise `OverflowError` if a value is too large, or `TypeError` if it is not an integer.
    """
    return list(array("i", values))


def _require(is_valid: bool, table_name: str) -> None:
    """Raise `ValueError` if a check of a table has failed. `table_name` is for the message."""
    if not is_valid:
        raise ValueError(
            f"invalid {table_name} in the tables, expected lengths and numbers that fit the other tables"
        )


def _require_numbers(numbers: Sequence[int], minimum: int, maximum: int, table_name: str) -> None:
    """Raise `ValueError` if a number of a table is less than `minimum` or greater than `maximum`."""
    _require(all(minimum <= number <= maximum for number in numbers), table_name)


def _require_rows(
    starts: list[int], row_count: int, numbers: list[int], multiple: int, table_name: str
) -> None:
    """Raise `ValueError` unless `starts` cuts `numbers` into `row_count` rows.

    Row i is ``numbers[starts[i] : starts[i + 1]]``. The length of each row must be a multiple of `multiple`.
    """
    _require(len(starts) == row_count + 1 and starts[0] == 0 and starts[-1] == len(numbers), table_name)
    _require(
        all(start <= end and (end - start) % multiple == 0 for start, end in pairwise(starts)), table_name
    )


def _list_promoted_pieces(kinds: int, promotes: list[int]) -> list[int]:
    """Return for each piece number the piece that it promotes to, or 0 if it does not promote.

    `promotes` has the same for each kind of one side: a kind, or a negative number.
    """
    first_side = [0 if kind < 0 else 1 + kind for kind in promotes]
    return [0, *first_side, *(piece and piece + kinds for piece in first_side)]


def _find_ray_attackers(
    kinds: int, directions: int, reach: int, lines: list[int], line_starts: list[int]
) -> tuple[list[int], list[int]]:
    """Return the pieces that attack along a ray, as bit sets by side, direction and distance.

    The direction leads from the attacked square to the attacker. The first list has the pieces that attack
    as the first piece on the ray, such as a rook. The second list has those that attack over one other piece,
    such as a cannon. Bit p of a set stands for piece number p.
    """
    first_attackers = [0] * (2 * directions * reach)
    second_attackers = first_attackers.copy()
    for piece in range(1, 2 * kinds + 1):
        side = int(piece > kinds)
        for index in range(line_starts[piece], line_starts[piece + 1], 3):
            # Directions come in pairs of opposites: the lowest bit selects one of the two.
            direction, flags, length = lines[index] ^ 1, lines[index + 1], lines[index + 2]
            for distance in range(min(length, reach)):
                entry = (side * directions + direction) * reach + distance
                if flags & (TAKE | FACE):
                    first_attackers[entry] |= 1 << piece
                if flags & HOP_TAKE:
                    second_attackers[entry] |= 1 << piece
    return first_attackers, second_attackers


def _measure_ray_depths(
    directions: int, reach: int, first_attackers: list[int], second_attackers: list[int]
) -> list[int]:
    """Return for each side and direction how many pieces on a ray can matter to an attack.

    The depth is 3 where pieces attack over a screen, 2 where they attack directly, and 0 where none attacks.
    """
    depths = []
    for row in range(2 * directions):
        entries = range(row * reach, (row + 1) * reach)
        if any(second_attackers[entry] for entry in entries):
            depths.append(3)
        elif any(first_attackers[entry] for entry in entries):
            depths.append(2)
        else:
            depths.append(0)
    return depths


def _find_leap_sources(
    kinds: int, size: int, steps: list[int], step_starts: list[int]
) -> tuple[list[int], list[int], list[int]]:
    """Return the squares from which pieces attack each square by a leap, such as a knight's move.

    There is one row for each attacking side and attacked square. The result has three lists:

    - the origin of each leap and its leg, the square that must be empty, one after the other;
    - for each leap, the pieces that attack by it, as a bit set of piece numbers;
    - the offset of each row in the second list, and the end of the last row.
    """
    rows: list[dict[tuple[int, int], int]] = [{} for _ in range(2 * size)]
    for piece in range(1, 2 * kinds + 1):
        side = int(piece > kinds)
        for square in range(size):
            step_row = piece * size + square
            for index in range(step_starts[step_row], step_starts[step_row + 1], 3):
                target, leg, flags = steps[index], steps[index + 1], steps[index + 2]
                if flags & TAKE:
                    row = rows[side * size + target]
                    row[square, leg] = row.get((square, leg), 0) | 1 << piece
    sources = [number for row in rows for source in row for number in source]
    masks = [mask for row in rows for mask in row.values()]
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row))
    return sources, masks, starts


def _find_stuck(
    kinds: int,
    size: int,
    directions: int,
    step_starts: list[int],
    ray_starts: list[int],
    lines: list[int],
    line_starts: list[int],
) -> list[int]:
    """Return 1 for each piece and square from which the piece could never move on an empty board, else 0.

    The entry of a piece on a square has the index ``piece * size + square``.
    """
    stuck = [0] * size
    for piece in range(1, 2 * kinds + 1):
        moving_lines = [
            lines[index]
            for index in range(line_starts[piece], line_starts[piece + 1], 3)
            if lines[index + 1] & (MOVE | TAKE | HOPS)
        ]
        for square in range(size):
            step_row = piece * size + square
            rays = [square * directions + direction for direction in moving_lines]
            can_leap = step_starts[step_row] < step_starts[step_row + 1]
            can_slide = any(ray_starts[ray] < ray_starts[ray + 1] for ray in rays)
            stuck.append(int(not (can_leap or can_slide)))
    return stuck
