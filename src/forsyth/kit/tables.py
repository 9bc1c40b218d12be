"""What the search has to know of a game, as rows of numbers, and what follows from them.

`forsyth.kit.movement` makes the rows of a sheet. They are checked here, because compiled code reads
them without looking: whatever is given, numbers out of range are a `ValueError`. The module runs as it is and
compiles with Cython (`tables.pxd` gives the C types).

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


class Tables:
    """What the search has to know of a game, as rows of numbers; `forsyth.kit.movement` makes them.

    Of each man and square its leaps: `steps` holds target, leg and manner of each, `step_at` where those of a
    man on a square begin. Of each square the lines from it: `rays` holds squares, `ray_at` where those of a
    direction begin; each direction is followed by its opposite. Of each man its lines: `lines` holds
    direction, manner and length, `line_at` where those of a man begin. The rest follows from these: who is
    seen from a square (`seen`, `near`, `far`), and where a man could never move again (`stuck`).
    """

    if not cython.compiled:
        __slots__ = (
            "depth",
            "directions",
            "drop_mates",
            "far",
            "has_hands",
            "held",
            "kept",
            "kinds",
            "line_at",
            "lines",
            "men",
            "near",
            "one_per_file",
            "promotes",
            "ray_at",
            "rays",
            "reach",
            "royal",
            "seen",
            "seen_at",
            "seen_masks",
            "size",
            "step_at",
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
        step_at: list[int],
        rays: list[int],
        ray_at: list[int],
        lines: list[int],
        line_at: list[int],
        royal: int,
        promotes: list[int],
        held: list[int],
        one_per_file: list[int],
        drop_mates: list[int],
        zone: list[int],
    ) -> None:
        if cython.compiled and self.kept is not None:
            raise TypeError("tables are made once: boards rely on them")
        self.kept: list[Any] = []
        steps, step_at, rays, ray_at = map(_plain, (steps, step_at, rays, ray_at))
        lines, line_at, promotes, held = map(_plain, (lines, line_at, promotes, held))
        one_per_file, drop_mates, zone = map(_plain, (one_per_file, drop_mates, zone))
        men = 2 * kinds + 1
        _require(1 <= size <= MAX_SQUARES and 1 <= width <= size and size % width == 0, "size")
        _require(1 <= kinds <= MAX_KINDS and 0 <= directions <= MAX_DIRECTIONS, "kinds")
        _require(directions % 2 == 0 and -1 <= royal < kinds, "kinds")
        _require_rows(step_at, men * size, steps, 3, "steps")
        _require_numbers(steps[0::3], 0, size - 1, "steps")
        _require_numbers(steps[1::3], 0, size, "steps")
        _require_rows(ray_at, size * directions, rays, 1, "rays")
        _require_numbers(rays, 0, size - 1, "rays")
        _require_rows(line_at, men, lines, 3, "lines")
        _require_numbers(lines[0::3], 0, directions - 1, "lines")
        for numbers, least, count in (
            (promotes, -1, kinds),
            (held, -1, kinds),
            (one_per_file, 0, kinds),
            (drop_mates, 0, kinds),
            (zone, 0, 2 * size),
        ):
            _require(len(numbers) == count, "kinds")
            _require_numbers(numbers, least, kinds - 1 if least else 1, "kinds")
        # How often a line goes on before it ends is a number of squares, too.
        reach = max((end - start for start, end in pairwise(ray_at)), default=0) + 1
        _require(reach <= MAX_SQUARES, "rays")
        near, far = _watchers(kinds, directions, reach, lines, line_at)
        seen, seen_masks, seen_at = _seen(kinds, size, steps, step_at)
        self.steps = self.hold(steps)
        self.step_at = self.hold(step_at)
        self.rays = self.hold(rays)
        self.ray_at = self.hold(ray_at)
        self.lines = self.hold(lines)
        self.line_at = self.hold(line_at)
        self.promotes = self.hold(_of_men(kinds, promotes))
        self.held = self.hold([-1, *held, *held])
        self.one_per_file = self.hold(one_per_file)
        self.drop_mates = self.hold(drop_mates)
        self.zone = self.hold(zone)
        self.stuck = self.hold(_stuck(kinds, size, directions, step_at, ray_at, lines, line_at))
        self.depth = self.hold(_depths(directions, reach, near, far))
        self.seen = self.hold(seen)
        self.seen_at = self.hold(seen_at)
        self.seen_masks = self.hold_masks(seen_masks)
        self.near = self.hold_masks(near)
        self.far = self.hold_masks(far)
        self.width = width
        self.kinds = kinds
        self.directions = directions
        self.royal = royal
        self.reach = reach
        self.has_hands = any(kind >= 0 for kind in held)
        self.men = bytes(range(men))
        # Last: tables without a size fit no board.
        self.size = size

    def hold(self, values: Any) -> Numbers:
        """Numbers as the search reads them, kept as long as the tables are."""
        if cython.compiled:
            numbers = array("i", values)
            self.kept.append(numbers)
            return numbers.data.as_ints  # type: ignore[attr-defined,no-any-return]
        return list(values)

    def hold_masks(self, values: Any) -> Masks:
        """Sets of men as the search reads them."""
        if cython.compiled:
            masks = array("Q", values)
            self.kept.append(masks)
            return masks.data.as_ulonglongs  # type: ignore[attr-defined,no-any-return]
        return list(values)

    def is_stuck(self, man: int, square: int) -> bool:
        """Whether a man could never move from a square, whatever stood elsewhere."""
        _require(0 <= man <= 2 * self.kinds and 0 <= square < self.size, "man or square")
        return bool(self.stuck[man * self.size + square])


def _plain(values: list[int]) -> list[int]:
    """Numbers of 32 bits, whatever they were before."""
    return list(array("i", values))


def _require(sound: bool, what: str) -> None:
    if not sound:
        raise ValueError(f"the {what} of the tables do not fit together")


def _require_numbers(numbers: Sequence[int], least: int, most: int, what: str) -> None:
    _require(all(least <= number <= most for number in numbers), what)


def _require_rows(at: list[int], rows: int, numbers: list[int], width: int, what: str) -> None:
    """Rows of numbers that begin where `at` says, each a multiple of `width` long."""
    _require(len(at) == rows + 1 and at[0] == 0 and at[-1] == len(numbers), what)
    sound = (start <= end and (end - start) % width == 0 for start, end in pairwise(at))
    _require(all(sound), what)


def _of_men(kinds: int, promotes: list[int]) -> list[int]:
    """What each man becomes, 0 where it does not promote."""
    first = [0 if kind < 0 else 1 + kind for kind in promotes]
    return [0, *first, *(man and man + kinds for man in first)]


def _watchers(
    kinds: int, directions: int, reach: int, lines: list[int], line_at: list[int]
) -> tuple[list[int], list[int]]:
    """Of each side, direction and distance the men that attack from there as the first or second man met."""
    near = [0] * (2 * directions * reach)
    far = near.copy()
    for man in range(1, 2 * kinds + 1):
        side = int(man > kinds)
        for at in range(line_at[man], line_at[man + 1], 3):
            direction, how, most = lines[at] ^ 1, lines[at + 1], lines[at + 2]
            for distance in range(min(most, reach)):
                place = (side * directions + direction) * reach + distance
                if how & (TAKE | FACE):
                    near[place] |= 1 << man
                if how & HOP_TAKE:
                    far[place] |= 1 << man
    return near, far


def _depths(directions: int, reach: int, near: list[int], far: list[int]) -> list[int]:
    """Of each side and direction how many men on a line can matter; none where nobody attacks along it."""
    found = []
    for row in range(2 * directions):
        places = range(row * reach, (row + 1) * reach)
        found.append(3 if any(far[at] for at in places) else 2 if any(near[at] for at in places) else 0)
    return found


def _seen(
    kinds: int, size: int, steps: list[int], step_at: list[int]
) -> tuple[list[int], list[int], list[int]]:
    """Of each side and square from where its men attack it by a leap: square and leg, and which men."""
    found: list[dict[tuple[int, int], int]] = [{} for _ in range(2 * size)]
    for man in range(1, 2 * kinds + 1):
        side = int(man > kinds)
        for square in range(size):
            for at in range(step_at[man * size + square], step_at[man * size + square + 1], 3):
                if steps[at + 2] & TAKE:
                    row = found[side * size + steps[at]]
                    way = (square, steps[at + 1])
                    row[way] = row.get(way, 0) | 1 << man
    ways = [number for row in found for way in row for number in way]
    masks = [mask for row in found for mask in row.values()]
    at_row = [0]
    for row in found:
        at_row.append(at_row[-1] + len(row))
    return ways, masks, at_row


def _stuck(
    kinds: int,
    size: int,
    directions: int,
    step_at: list[int],
    ray_at: list[int],
    lines: list[int],
    line_at: list[int],
) -> list[int]:
    """Of each man and square whether it could never move from there."""
    found = [0] * size
    for man in range(1, 2 * kinds + 1):
        own = range(line_at[man], line_at[man + 1], 3)
        ways = [lines[at] for at in own if lines[at + 1] & (MOVE | TAKE | HOPS)]
        for square in range(size):
            row = man * size + square
            rays = (square * directions + way for way in ways)
            moves = step_at[row] < step_at[row + 1] or any(ray_at[at] < ray_at[at + 1] for at in rays)
            found.append(int(not moves))
    return found
