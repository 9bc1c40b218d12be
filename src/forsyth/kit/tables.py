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

_LEAP_LENGTH: Final = 3
"""The numbers of a leap in `Tables.steps`: target, leg and flags."""
_LINE_LENGTH: Final = 3
"""The numbers of a line in `Tables.lines`: direction, flags and length."""
_NO_ATTACK_DEPTH: Final = 0
_DIRECT_DEPTH: Final = 2
_SCREEN_DEPTH: Final = 3
"""How many pieces on a ray can matter to an attack: where none attacks, directly, and over a screen."""


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
        """Set up the tables. Raise `ValueError` if a number is out of range.

        Args:
            width: The number of files of the board.
            size: The number of squares.
            kinds: The number of kinds of pieces of one side.
            directions: The number of directions of rays.
            steps: The leaps, by piece and origin.
            step_starts: The offset of each piece and origin in `steps`.
            rays: The squares of all rays, by origin and direction.
            ray_starts: The offset of each origin and direction in `rays`.
            lines: The lines, by piece.
            line_starts: The offset of each piece in `lines`.
            royal: The number of the royal kind, or -1.
            promotes: For each kind, the kind it promotes to, or -1.
            hand_kind: For each kind, the kind it becomes in a hand, or -1.
            one_per_file: For each kind, whether a side may have only one on a file.
            drop_mates: For each kind, whether a drop may give mate.
            zone: For each side and square, whether pieces promote there.
        """
        if cython.compiled and self.buffers is not None:
            raise TypeError("the tables are set up already, and boards rely on them; create new ones instead")
        self.buffers: list[Any] = []
        steps, step_starts, rays, ray_starts = map(_copy_as_int32, (steps, step_starts, rays, ray_starts))
        lines, line_starts, promotes, hand_kind = map(
            _copy_as_int32, (lines, line_starts, promotes, hand_kind)
        )
        one_per_file, drop_mates, zone = map(_copy_as_int32, (one_per_file, drop_mates, zone))
        _require_sizes(width, size, kinds, directions, royal)

        _require_valid_movement(
            size, kinds, directions, (steps, step_starts), (rays, ray_starts), (lines, line_starts)
        )
        # Kinds are numbers from 0, or -1 for none. Flags are 0 or 1.
        _require_entries("promotes", promotes, count=kinds, minimum=-1, maximum=kinds - 1)
        _require_entries("hand_kind", hand_kind, count=kinds, minimum=-1, maximum=kinds - 1)
        _require_entries("one_per_file", one_per_file, count=kinds, minimum=0, maximum=1)
        _require_entries("drop_mates", drop_mates, count=kinds, minimum=0, maximum=1)
        _require_entries("zone", zone, count=2 * size, minimum=0, maximum=1)

        longest_ray = max((end - start for start, end in pairwise(ray_starts)), default=0)
        if longest_ray >= MAX_SQUARES:
            raise ValueError(f"a ray has {longest_ray} squares, expected at most {MAX_SQUARES - 1}")
        # Distances along a ray are less than this number.
        reach = longest_ray + 1
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
            _build_stuck_table(kinds, size, directions, step_starts, ray_starts, lines, line_starts)
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
        # The numbers of all pieces, and 0 for an empty square.
        self.piece_bytes = bytes(range(2 * kinds + 1))
        # Set last: until then the size is 0, and no board fits tables that failed halfway.
        self.size = size

    def store_numbers(self, values: Any) -> Numbers:
        """Return a list of numbers as the type that the search reads: a C array if compiled, else a list.

        The array stays in memory as long as the tables do.
        """
        if cython.compiled:
            numbers = array("i", values)
            self.buffers.append(numbers)
            return numbers.data.as_ints  # type: ignore[attr-defined,no-any-return]
        return list(values)

    def store_masks(self, values: Any) -> Masks:
        """Return bit sets of pieces as the type that the search reads: a C array if compiled, else a list.

        In a bit set, bit p stands for piece number p. The array stays in memory as long as the tables do.
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
                f"the piece is {piece} and the square is {square}, expected a piece from 0 to "
                f"{2 * self.kinds} and a square from 0 to {self.size - 1}"
            )
        return bool(self.stuck[piece * self.size + square])


def _copy_as_int32(values: list[int]) -> list[int]:
    """Return a copy of `values` as plain ints, each of which fits into 32 bits.

    Raise `OverflowError` if a value is too large, or `TypeError` if it is not an integer.
    """
    return list(array("i", values))


def _require_sizes(width: int, size: int, kinds: int, directions: int, royal: int) -> None:
    """Raise `ValueError` if a size of the tables is out of range.

    Args:
        width: The number of files of the board.
        size: The number of squares of the board.
        kinds: The number of kinds of pieces of one side.
        directions: The number of directions of rays. Each direction has an opposite one.
        royal: The number of the royal kind, from 0 on, or -1 if there is none.
    """
    has_full_ranks = 1 <= width <= size and size % width == 0
    if size > MAX_SQUARES or not has_full_ranks:
        raise ValueError(
            f"the tables have {size} squares on {width} files, expected 1 to {MAX_SQUARES} squares "
            "that fill all ranks"
        )
    if not 1 <= kinds <= MAX_KINDS:
        raise ValueError(f"the tables have {kinds} kinds of pieces, expected 1 to {MAX_KINDS}")
    if directions % 2 or not 0 <= directions <= MAX_DIRECTIONS:
        raise ValueError(
            f"the tables have {directions} directions, expected an even number from 0 to {MAX_DIRECTIONS}"
        )
    if not -1 <= royal < kinds:
        raise ValueError(f"the royal kind of the tables is {royal}, expected -1 to {kinds - 1}")


def _require_valid_movement(
    size: int,
    kinds: int,
    directions: int,
    leap_rows: tuple[list[int], list[int]],
    ray_rows: tuple[list[int], list[int]],
    line_rows: tuple[list[int], list[int]],
) -> None:
    """Raise `ValueError` if a table of leaps, rays or lines has a number out of range.

    Args:
        size: The number of squares of the board.
        kinds: The number of kinds of pieces of one side.
        directions: The number of directions of rays.
        leap_rows: `Tables.steps` and `Tables.step_starts`.
        ray_rows: `Tables.rays` and `Tables.ray_starts`.
        line_rows: `Tables.lines` and `Tables.line_starts`.
    """
    # The empty square has the number 0.
    piece_count = 2 * kinds + 1
    leaps, leap_starts = leap_rows
    _require_rows("steps", leaps, leap_starts, row_count=piece_count * size, item_length=_LEAP_LENGTH)
    # The leg of a leap without a leg is the square behind the last one.
    targets, legs = leaps[0::_LEAP_LENGTH], leaps[1::_LEAP_LENGTH]
    _require_numbers("steps", targets, minimum=0, maximum=size - 1)
    _require_numbers("steps", legs, minimum=0, maximum=size)

    rays, ray_starts = ray_rows
    _require_rows("rays", rays, ray_starts, row_count=size * directions, item_length=1)
    _require_numbers("rays", rays, minimum=0, maximum=size - 1)

    lines, line_starts = line_rows
    _require_rows("lines", lines, line_starts, row_count=piece_count, item_length=_LINE_LENGTH)
    _require_numbers("lines", lines[0::_LINE_LENGTH], minimum=0, maximum=directions - 1)


def _require_numbers(table_name: str, numbers: Sequence[int], *, minimum: int, maximum: int) -> None:
    """Raise `ValueError` if a number of a table is less than `minimum` or greater than `maximum`."""
    for number in numbers:
        if not minimum <= number <= maximum:
            raise ValueError(f"the table {table_name} has {number}, expected {minimum} to {maximum}")


def _require_entries(
    table_name: str, numbers: Sequence[int], *, count: int, minimum: int, maximum: int
) -> None:
    """Raise `ValueError` unless a table has `count` numbers, each from `minimum` to `maximum`."""
    if len(numbers) != count:
        raise ValueError(f"the table {table_name} has {len(numbers)} numbers, expected {count}")
    _require_numbers(table_name, numbers, minimum=minimum, maximum=maximum)


def _require_rows(
    table_name: str, numbers: list[int], starts: list[int], *, row_count: int, item_length: int
) -> None:
    """Raise `ValueError` unless `starts` cuts the numbers of a table into `row_count` rows.

    Row i is ``numbers[starts[i] : starts[i + 1]]``. It consists of items of `item_length` numbers each.
    """
    has_all_rows = len(starts) == row_count + 1 and starts[0] == 0 and starts[-1] == len(numbers)
    has_whole_items = all(
        start <= end and (end - start) % item_length == 0 for start, end in pairwise(starts)
    )
    if not (has_all_rows and has_whole_items):
        raise ValueError(
            f"the offsets of the table {table_name} do not cut its {len(numbers)} numbers into "
            f"{row_count} rows of items of length {item_length}"
        )


def _split_triples(numbers: list[int], start: int, end: int) -> list[tuple[int, int, int]]:
    """Return ``numbers[start:end]`` in groups of three, such as ``[(1, 2, 3), (4, 5, 6)]``."""
    row = numbers[start:end]
    return list(zip(row[0::3], row[1::3], row[2::3], strict=True))


def _list_promoted_pieces(kind_count: int, promotes: list[int]) -> list[int]:
    """Return for each piece number the piece that it promotes to, or 0 if it does not promote.

    Pieces are numbered from 1 on: first the `kind_count` kinds of the first side, then those of the second
    side. `promotes` has for each kind the number of the kind that it promotes to, from 0 on, or -1.
    """
    first_side = [0 if promoted_kind < 0 else 1 + promoted_kind for promoted_kind in promotes]
    second_side = [0 if promoted_kind < 0 else 1 + kind_count + promoted_kind for promoted_kind in promotes]
    # Piece 0 is the empty square.
    return [0, *first_side, *second_side]


def _find_ray_attackers(
    kind_count: int, direction_count: int, distance_count: int, lines: list[int], line_starts: list[int]
) -> tuple[list[int], list[int]]:
    """Return two lists of the pieces that attack along a ray, as bit sets.

    The first list has the pieces that attack as the first piece on the ray, such as a rook. The second list
    has those that attack over one other piece, such as a cannon. In a bit set, bit p stands for piece number
    p.

    Each list has a set for each attacking side, direction and distance. The direction leads from the attacked
    square to the attacker. Distance 0 is the adjacent square, and `distance_count` is the number of
    distances.
    """
    first_attackers = [0] * (2 * direction_count * distance_count)
    second_attackers = first_attackers.copy()
    for piece in range(1, 2 * kind_count + 1):
        attacking_side = int(piece > kind_count)
        piece_bit = 1 << piece
        for direction, flags, length in _split_triples(lines, line_starts[piece], line_starts[piece + 1]):
            row = attacking_side * direction_count + _find_opposite_direction(direction)
            for distance in range(min(length, distance_count)):
                entry = row * distance_count + distance
                if flags & (TAKE | FACE):
                    first_attackers[entry] |= piece_bit
                if flags & HOP_TAKE:
                    second_attackers[entry] |= piece_bit
    return first_attackers, second_attackers


def _find_opposite_direction(direction: int) -> int:
    """Return the number of the opposite direction: 1 for 0, 0 for 1, 3 for 2, 2 for 3, and so on."""
    return direction ^ 1


def _measure_ray_depths(
    direction_count: int, distance_count: int, first_attackers: list[int], second_attackers: list[int]
) -> list[int]:
    """Return for each side and direction how many pieces on a ray can matter to an attack by that side.

    The number is 3 if a piece attacks over another one, such as a cannon, 2 if pieces only attack directly,
    and 0 if none attacks. `first_attackers` and `second_attackers` have for each side, direction and distance
    the pieces that attack directly or over another one.
    """
    depths = []
    for row_start in range(0, 2 * direction_count * distance_count, distance_count):
        row_end = row_start + distance_count
        if any(second_attackers[row_start:row_end]):
            depths.append(_SCREEN_DEPTH)
        elif any(first_attackers[row_start:row_end]):
            depths.append(_DIRECT_DEPTH)
        else:
            depths.append(_NO_ATTACK_DEPTH)
    return depths


def _find_leap_sources(
    kind_count: int, square_count: int, leaps: list[int], leap_starts: list[int]
) -> tuple[list[int], list[int], list[int]]:
    """Return the squares from which pieces attack each square by a leap, such as a knight's move.

    There is one row of leaps for each attacking side and attacked square. The result has three lists:

    - two numbers for each leap: its origin, and its leg, which is the square that must be empty;
    - for each leap, the pieces that attack by it, as a bit set of piece numbers;
    - the offset of each row in the second list, and the end of the last row.
    """
    # A row maps the origin and leg of each leap to its pieces.
    rows: list[dict[tuple[int, int], int]] = [{} for _ in range(2 * square_count)]
    for piece in range(1, 2 * kind_count + 1):
        attacking_side = int(piece > kind_count)
        piece_bit = 1 << piece
        for origin in range(square_count):
            leap_row = piece * square_count + origin
            for target, leg, flags in _split_triples(leaps, leap_starts[leap_row], leap_starts[leap_row + 1]):
                if flags & TAKE:
                    row = rows[attacking_side * square_count + target]
                    row[origin, leg] = row.get((origin, leg), 0) | piece_bit

    origins_and_legs: list[int] = []
    piece_sets: list[int] = []
    row_starts = [0]
    for row in rows:
        for origin, leg in row:
            origins_and_legs.extend((origin, leg))
        piece_sets.extend(row.values())
        row_starts.append(len(piece_sets))
    return origins_and_legs, piece_sets, row_starts


def _build_stuck_table(
    kind_count: int,
    square_count: int,
    direction_count: int,
    leap_starts: list[int],
    ray_starts: list[int],
    lines: list[int],
    line_starts: list[int],
) -> list[int]:
    """Return 1 for each piece and square from which the piece could never move on an empty board, else 0.

    The entry of a piece on a square has the index ``piece * square_count + square``. Piece 0, the empty
    square, has only zeros. The parameters are the tables of leaps, rays and lines of `Tables`.
    """
    stuck = [0] * square_count
    for piece in range(1, 2 * kind_count + 1):
        piece_lines = _split_triples(lines, line_starts[piece], line_starts[piece + 1])
        # Lines with the flag FACE alone attack a king, but no piece moves along them.
        move_directions = [direction for direction, flags, _ in piece_lines if flags & (MOVE | TAKE | HOPS)]
        for square in range(square_count):
            leap_row = piece * square_count + square
            can_leap = leap_starts[leap_row] < leap_starts[leap_row + 1]
            rays = [square * direction_count + direction for direction in move_directions]
            can_slide = any(ray_starts[ray] < ray_starts[ray + 1] for ray in rays)
            is_stuck = not (can_leap or can_slide)
            stuck.append(int(is_stuck))
    return stuck
