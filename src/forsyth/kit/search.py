"""The legal moves of any game whose movement is data: generated, tried on the board, counted.

Men are numbers: 0 is an empty square, then come the kinds of the first side, then those of the second. A move
is a number: the target, the origin (above bit 9), `PROMOTES`, and for a drop the kind (above bit 19); its
origin is the square behind the last one, which is always empty. A move is legal when no man attacks the own
king afterwards. Where a side has no king or several, all its moves are safe.

Only moves that touch what the safety of the king depends on are tried out: squares on lines towards it on
which something waits, legs that hold a leap back, and men that give check. All others leave it as it is. The
module runs as it is and compiles with Cython (`search.pxd` gives the C types).

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

from forsyth.limits import MAX_COUNTED_DEPTH

if cython.compiled:
    from cython.cimports.libc.stdlib import free, realloc
else:
    i32 = int
    u32 = int
    u64 = int
    Numbers = list[int]
    Masks = list[int]
    Marks = bytearray
    MAX_SQUARES: Final = 256
    MAX_KINDS: Final = 31
    MAX_DIRECTIONS: Final = 64
    MOVE: Final = 1
    TAKE: Final = 2
    HOP_TAKE: Final = 4
    HOP_MOVE: Final = 8
    HOPS: Final = 12
    FACE: Final = 16
    PROMOTES: Final = 1 << 18


class MoveList:
    """A list of numbers that grows as needed."""

    if not cython.compiled:
        __slots__ = ("count", "items", "size")
        items: list[int]
        count: int
        size: int

        def __init__(self) -> None:
            self.items = []
            self.count = 0

    if cython.compiled:

        def __dealloc__(self) -> None:
            free(self.items)

    def add(self, number: u32) -> i32:
        """Add a number."""
        if cython.compiled:
            if self.count == self.size:
                grown = cython.cast(cython.pointer(u32), realloc(self.items, (self.size + 512) * 4))
                if not grown:
                    raise MemoryError
                self.items = grown
                self.size += 512
            self.items[self.count] = number
        else:
            self.items.append(number)
        self.count += 1
        return 0

    def shorten(self, count: i32) -> None:
        """Keep only the first numbers."""
        self.count = count
        if not cython.compiled:
            del self.items[count:]

    def numbers(self) -> list[int]:
        """The numbers as a list."""
        if cython.compiled:
            return [self.items[i] for i in range(self.count)]
        return self.items


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
        self.width = width
        self.size = size
        self.kinds = kinds
        self.directions = directions
        self.royal = royal
        self.reach = reach
        self.has_hands = any(kind >= 0 for kind in held)
        self.kept: list[Any] = []
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
        """Whether a man could never move from a square, even if the board were empty otherwise."""
        _require(0 <= man <= 2 * self.kinds and 0 <= square < self.size, "man or square")
        return bool(self.stuck[man * self.size + square])


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
        ways = [lines[at] for at in range(line_at[man], line_at[man + 1], 3) if lines[at + 1] & MOVE]
        for square in range(size):
            row = man * size + square
            rays = (square * directions + way for way in ways)
            moves = step_at[row] < step_at[row + 1] or any(ray_at[at] < ray_at[at + 1] for at in rays)
            found.append(int(not moves))
    return found


class Search:
    """A board on which moves are made and taken back, with the men in hand and the side to move."""

    if not cython.compiled:
        __slots__ = ("found", "hands", "kings", "side", "squares", "tables")

    def __init__(self, tables: Tables, board: bytes, hands: bytes, side: int) -> None:
        if len(board) != tables.size or max(board) > 2 * tables.kinds:
            raise ValueError(f"a board of {tables.size} men is expected")
        if hands and len(hands) != 2 * tables.kinds:
            raise ValueError(f"numbers of {2 * tables.kinds} men in hand are expected")
        if side not in (0, 1):
            raise ValueError("a side is 0 or 1")
        if not cython.compiled:
            self.squares = [0] * (MAX_SQUARES + 1)
            self.hands = [0] * (2 * MAX_KINDS)
            self.kings = [-1, -1]
        self.tables = tables
        self.side = side
        self.found = MoveList()
        i: i32
        for i in range(tables.size):
            self.squares[i] = board[i]
        self.squares[tables.size] = 0
        for i in range(len(hands)):
            self.hands[i] = hands[i]
        self.kings[0] = find_king(self, 0)
        self.kings[1] = find_king(self, 1)

    def legal(self) -> list[int]:
        """The legal moves."""
        self.found.shorten(0)
        generate_legal(self, self.found)
        return self.found.numbers()

    def checkers(self, side: int) -> list[int]:
        """The squares of the men that attack the king of a side; none where it has no king or several."""
        if side not in (0, 1):
            raise ValueError("a side is 0 or 1")
        found = MoveList()
        if self.kings[side] >= 0:
            find_attackers(self, self.kings[side], side, found)
        return found.numbers()

    def count(self, depth: int) -> int:
        """How many lines of `depth` legal moves there are."""
        if not 0 <= depth <= MAX_COUNTED_DEPTH:
            raise ValueError(f"a depth of 0 to {MAX_COUNTED_DEPTH} is expected")
        self.found.shorten(0)
        return count_lines(self, depth) if depth else 1


def find_king(search: Search, side: i32) -> i32:
    """The square of the only king of a side, or −1."""
    tables: Tables = search.tables
    king: i32 = 1 + side * tables.kinds + tables.royal
    found: i32 = -1
    square: i32
    if tables.royal < 0:
        return -1
    for square in range(tables.size):
        if search.squares[square] == king:
            if found >= 0:
                return -1
            found = square
    return found


def find_attackers(search: Search, target: i32, side: i32, found: MoveList | None) -> i32:
    """Whether men of the other side attack a square as if the king of a side stood there; where from.

    Without `found` the first one is enough.
    """
    tables: Tables = search.tables
    squares: Numbers = search.squares
    rays: Numbers = tables.rays
    seen: Numbers = tables.seen
    other: i32 = 1 - side
    row: i32 = other * tables.directions
    line: i32 = target * tables.directions
    way: i32 = other * tables.size + target
    depth: i32
    first: i32
    at: i32
    there: i32
    met: i32
    attacked: i32 = 0
    for row in range(other * tables.directions, (other + 1) * tables.directions):
        depth = tables.depth[row]
        first = tables.ray_at[line]
        line += 1
        if depth == 0:
            continue
        met = 0
        for at in range(first, tables.ray_at[line]):
            there = squares[rays[at]]
            if there == 0:
                continue
            met += 1
            if (tables.near if met == 1 else tables.far)[row * tables.reach + at - first] >> there & 1:
                if found is None:
                    return 1
                found.add(rays[at])
                attacked = 1
            if met == 2 or depth == 2:
                break
    for at in range(tables.seen_at[way], tables.seen_at[way + 1]):
        if tables.seen_masks[at] >> squares[seen[2 * at]] & 1 and squares[seen[2 * at + 1]] == 0:
            if found is None:
                return 1
            found.add(seen[2 * at])
            attacked = 1
    return attacked


def find_marks(search: Search, king: i32, side: i32, marks: Marks) -> i32:
    """Mark the squares on which a change may matter to a king; whether it is attacked now."""
    tables: Tables = search.tables
    squares: Numbers = search.squares
    rays: Numbers = tables.rays
    seen: Numbers = tables.seen
    other: i32 = 1 - side
    row: i32
    line: i32 = king * tables.directions
    way: i32 = other * tables.size + king
    depth: i32
    first: i32
    last: i32
    at: i32
    there: i32
    met: i32
    waiting: i32
    place: i32
    attacked: i32 = 0
    for row in range(other * tables.directions, (other + 1) * tables.directions):
        depth = tables.depth[row]
        first = tables.ray_at[line]
        line += 1
        if depth == 0:
            continue
        last = tables.ray_at[line]
        met = 0
        waiting = 0
        for at in range(first, last):
            there = squares[rays[at]]
            if there == 0:
                continue
            met += 1
            place = row * tables.reach + at - first
            if tables.near[place] >> there & 1:
                waiting = 1
                if met == 1:
                    attacked = 1
            if tables.far[place] >> there & 1:
                waiting = 1
                if met == 2:
                    attacked = 1
            if met == depth:
                last = at + 1
                break
        if waiting:
            for at in range(first, last):
                marks[rays[at]] = 1
    for at in range(tables.seen_at[way], tables.seen_at[way + 1]):
        if tables.seen_masks[at] >> squares[seen[2 * at]] & 1:
            marks[seen[2 * at]] = 1
            # The square behind the last one stands for no leg; a drop comes from there and changes nothing.
            if seen[2 * at + 1] < tables.size:
                marks[seen[2 * at + 1]] = 1
            if squares[seen[2 * at + 1]] == 0:
                attacked = 1
    return attacked


def add_promoting(search: Search, out: MoveList, man: i32, origin: i32, target: i32) -> i32:
    """Add a move of a man that may promote, with promotion and without it as far as the rules allow."""
    tables: Tables = search.tables
    zone: i32 = search.side * tables.size
    if tables.zone[zone + origin] or tables.zone[zone + target]:
        out.add(target | origin << 9 | PROMOTES)
        if tables.stuck[man * tables.size + target]:
            return 0
    return out.add(target | origin << 9)


def generate_lines(search: Search, out: MoveList, man: i32, origin: i32) -> i32:
    """Add the moves of a man along its lines."""
    tables: Tables = search.tables
    squares: Numbers = search.squares
    rays: Numbers = tables.rays
    lines: Numbers = tables.lines
    first: i32 = 1 + search.side * tables.kinds
    last: i32 = first + tables.kinds
    promotes: i32 = tables.promotes[man]
    line: i32
    how: i32
    start: i32
    end: i32
    at: i32
    target: i32
    there: i32
    met: i32
    allowed: i32
    for line in range(tables.line_at[man], tables.line_at[man + 1], 3):
        how = lines[line + 1]
        if how & FACE:
            continue
        start = tables.ray_at[origin * tables.directions + lines[line]]
        end = tables.ray_at[origin * tables.directions + lines[line] + 1]
        if end - start > lines[line + 2]:
            end = start + lines[line + 2]
        met = 0
        for at in range(start, end):
            target = rays[at]
            there = squares[target]
            if there == 0:
                allowed = how & (HOP_MOVE if met else MOVE)
            else:
                met += 1
                allowed = 0 if first <= there < last else how & (HOP_TAKE if met == 2 else TAKE)
            if allowed:
                if promotes:
                    add_promoting(search, out, man, origin, target)
                else:
                    out.add(target | origin << 9)
            if there and (met == 2 or not how & HOPS):
                break
    return 0


def generate_drops(search: Search, out: MoveList) -> i32:
    """Add the drops of the men in hand on empty squares from which they could move."""
    tables: Tables = search.tables
    hand: i32 = search.side * tables.kinds
    kind: i32
    man: i32
    square: i32
    target: i32
    taken: i32
    for kind in range(tables.kinds):
        if search.hands[hand + kind] == 0:
            continue
        man = 1 + hand + kind
        for target in range(tables.width):
            taken = 0
            if tables.one_per_file[kind]:
                for square in range(target, tables.size, tables.width):
                    if search.squares[square] == man:
                        taken = 1
            if taken:
                continue
            for square in range(target, tables.size, tables.width):
                if search.squares[square] == 0 and tables.stuck[man * tables.size + square] == 0:
                    out.add(square | tables.size << 9 | kind << 19)
    return 0


def generate(search: Search, out: MoveList) -> i32:
    """Add all moves of the side to move, whatever becomes of its king."""
    tables: Tables = search.tables
    squares: Numbers = search.squares
    size: i32 = tables.size
    steps: Numbers = tables.steps
    first: i32 = 1 + search.side * tables.kinds
    last: i32 = first + tables.kinds
    origin: i32
    man: i32
    at: i32
    target: i32
    there: i32
    for origin in range(size):
        man = squares[origin]
        if man < first or man >= last:
            continue
        for at in range(tables.step_at[man * size + origin], tables.step_at[man * size + origin + 1], 3):
            if squares[steps[at + 1]]:
                continue
            target = steps[at]
            there = squares[target]
            if first <= there < last or not steps[at + 2] & (TAKE if there else MOVE):
                continue
            if tables.promotes[man]:
                add_promoting(search, out, man, origin, target)
            else:
                out.add(target | origin << 9)
        if tables.line_at[man] != tables.line_at[man + 1]:
            generate_lines(search, out, man, origin)
    if tables.has_hands:
        generate_drops(search, out)
    return 0


def generate_legal(search: Search, out: MoveList) -> i32:
    """Add the legal moves of the side to move."""
    tables: Tables = search.tables
    king: i32 = search.kings[search.side]
    start: i32 = out.count
    kept: i32 = start
    attacked: i32 = 0
    at: i32
    move: u32
    origin: i32
    marks: Marks
    if not cython.compiled:
        marks = bytearray(MAX_SQUARES + 1)
    else:
        for at in range(tables.size + 1):
            marks[at] = 0
    generate(search, out)
    if king >= 0:
        attacked = find_marks(search, king, search.side, marks)
        marks[king] = 1
    for at in range(start, out.count):
        move = out.items[at]
        origin = move >> 9 & 511
        if marks[origin] or marks[move & 511]:
            if not is_safe(search, move):
                continue
        elif attacked:
            continue
        if origin == tables.size and not tables.drop_mates[move >> 19] and is_drop_mate(search, move):
            continue
        out.items[kept] = move
        kept += 1
    out.shorten(kept)
    return 0


def is_safe(search: Search, move: u32) -> i32:
    """Whether the own king is not attacked after a move; the board is put back."""
    side: i32 = search.side
    before: u32 = make(search, move)
    safe: i32 = search.kings[side] < 0 or not find_attackers(search, search.kings[side], side, None)
    unmake(search, move, before)
    return safe


def is_drop_mate(search: Search, move: u32) -> i32:
    """Whether a drop gives mate; the board is put back."""
    tables: Tables = search.tables
    other: i32 = 1 - search.side
    king: i32 = search.kings[other]
    man: i32 = 1 + search.side * tables.kinds + (move >> 19)
    row: i32 = man * tables.size + (move & 511)
    attacks: i32 = tables.line_at[man] != tables.line_at[man + 1]
    at: i32
    before: u32
    start: i32 = search.found.count
    mate: i32 = 0
    if king < 0:
        return 0
    for at in range(tables.step_at[row], tables.step_at[row + 1], 3):
        if tables.steps[at] == king:
            attacks = 1
    if not attacks:
        return 0
    before = make(search, move)
    if find_attackers(search, king, other, None):
        generate_legal(search, search.found)
        mate = search.found.count == start
        search.found.shorten(start)
    unmake(search, move, before)
    return mate


def make(search: Search, move: u32) -> u32:
    """Make a move on the board; what is needed to take it back."""
    tables: Tables = search.tables
    squares: Numbers = search.squares
    side: i32 = search.side
    hand: i32 = side * tables.kinds
    target: i32 = move & 511
    origin: i32 = move >> 9 & 511
    man: i32 = squares[origin]
    taken: i32 = squares[target]
    before: u32 = taken | man << 8
    if origin == tables.size:
        man = 1 + hand + (move >> 19)
        search.hands[hand + (move >> 19)] -= 1
    elif move & PROMOTES:
        man = tables.promotes[man]
    squares[origin] = 0
    squares[target] = man
    if search.kings[side] == origin:
        search.kings[side] = target
    if taken:
        if tables.held[taken] >= 0:
            search.hands[hand + tables.held[taken]] += 1
        # Only of a side that is in check without being to move can the king be captured.
        if tables.royal == taken - 1 - (1 - side) * tables.kinds:
            search.kings[1 - side] = find_king(search, 1 - side)
    search.side = 1 - side
    return before


def unmake(search: Search, move: u32, before: u32) -> None:
    """Take a move back."""
    tables: Tables = search.tables
    side: i32 = 1 - search.side
    hand: i32 = side * tables.kinds
    target: i32 = move & 511
    origin: i32 = move >> 9 & 511
    taken: i32 = before & 255
    search.squares[target] = taken
    search.squares[origin] = before >> 8
    search.side = side
    if origin == tables.size:
        search.hands[hand + (move >> 19)] += 1
    elif search.kings[side] == target:
        search.kings[side] = origin
    if taken:
        if tables.held[taken] >= 0:
            search.hands[hand + tables.held[taken]] -= 1
        if tables.royal == taken - 1 - (1 - side) * tables.kinds:
            search.kings[1 - side] = find_king(search, 1 - side)


def count_lines(search: Search, depth: i32) -> u64:
    """How many lines of `depth` legal moves there are, a depth of one or more."""
    out: MoveList = search.found
    start: i32 = out.count
    at: i32
    last: i32
    move: u32
    before: u32
    found: u64 = 0
    generate_legal(search, out)
    last = out.count
    if depth == 1:
        found = last - start
    else:
        for at in range(start, last):
            move = out.items[at]
            before = make(search, move)
            found += count_lines(search, depth - 1)
            unmake(search, move, before)
    out.shorten(start)
    return found
