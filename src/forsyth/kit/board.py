"""A board on which moves are made and taken back, and who attacks a king on it.

Men are numbers: 0 is an empty square, then come the kinds of the first side, then those of the second. A move
is a number: the target, the origin (above bit 9), `PROMOTES`, and for a drop the kind (above bit 19); its
origin is the square behind the last one, which is always empty. The module runs as it is and compiles with
Cython (`board.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.kit.tables import Tables

if cython.compiled:
    from cython.cimports.libc.stdlib import free, realloc
else:
    from forsyth.kit.tables import Numbers

    i32 = int
    u32 = int
    Marks = bytearray
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


class Board:
    """A board on which moves are made and taken back, with the men in hand and the side to move."""

    if not cython.compiled:
        __slots__ = ("attackers", "found", "hands", "kings", "side", "squares", "tables")
        attackers: list[int]
        squares: list[int]
        hands: list[int]
        kings: list[int]

    def __init__(self, tables: Tables, board: bytes, hands: bytes, side: int) -> None:
        if not board or len(board) != tables.size or board.translate(None, tables.men):
            raise ValueError(f"a board of {tables.size} men is expected")
        if len(hands) != (2 * tables.kinds if tables.has_hands else 0):
            raise ValueError("a number of each kind in hand is expected where there are hands")
        if side not in (0, 1):
            raise ValueError("a side is 0 or 1")
        self.tables = tables
        self.side = side
        self.found = MoveList()
        i: i32
        if cython.compiled:
            for i in range(tables.size):
                self.squares[i] = board[i]
            self.squares[tables.size] = 0
            for i in range(len(hands)):
                self.hands[i] = hands[i]
            self.kings[0] = find_king(self, 0)
            self.kings[1] = find_king(self, 1)
        else:
            self.squares = [*board, 0]
            self.hands = list(hands)
            self.attackers = [0] * tables.size
            # Found in the bytes, which are searched several times faster than the list.
            men = (1 + tables.royal, 1 + tables.royal + tables.kinds) if tables.royal >= 0 else ()
            self.kings = [board.find(man) if board.count(man) == 1 else -1 for man in men] or [-1, -1]

    def checkers(self, side: int) -> list[int]:
        """The squares of the men that attack the king of a side; none where it has no king or several."""
        if side not in (0, 1):
            raise ValueError("a side is 0 or 1")
        require_set_up(self)
        count: i32 = 0
        if self.kings[side] >= 0:
            count = find_attackers(self, self.tables, self.kings[side], side, self.tables.size)
        return [self.attackers[i] for i in range(count)]


def require_set_up(board: Board) -> i32:
    """Raise `ValueError` for a board that was made without its arguments: compiled code would crash."""
    if cython.compiled and board.found is None:
        raise ValueError("the board was not set up")
    return 0


def find_king(board: Board, side: i32) -> i32:
    """The square of the only king of a side, or −1."""
    tables: Tables = board.tables
    king: i32 = 1 + side * tables.kinds + tables.royal
    found: i32 = -1
    square: i32
    if tables.royal < 0:
        return -1
    if not cython.compiled:
        return board.squares.index(king) if board.squares.count(king) == 1 else -1
    for square in range(tables.size):
        if board.squares[square] == king:
            if found >= 0:
                return -1
            found = square
    return found


def find_attackers(board: Board, tables: Tables, target: i32, side: i32, most: i32) -> i32:
    """How many men of the other side attack a square as if the king of a side stood there, at most so many.

    Their squares go into `board.attackers`.
    """
    squares: Numbers = board.squares
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
    count: i32 = 0
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
                board.attackers[count] = rays[at]
                count += 1
                if count == most:
                    return count
            if met == 2 or depth == 2:
                break
    for at in range(tables.seen_at[way], tables.seen_at[way + 1]):
        if tables.seen_masks[at] >> squares[seen[2 * at]] & 1 and squares[seen[2 * at + 1]] == 0:
            board.attackers[count] = seen[2 * at]
            count += 1
            if count == most:
                return count
    return count


def find_marks(board: Board, king: i32, side: i32, marks: Marks) -> i32:
    """Mark the squares on which a change may matter to a king; whether it is attacked now."""
    tables: Tables = board.tables
    squares: Numbers = board.squares
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


def make(board: Board, move: u32) -> u32:
    """Make a move on the board; what is needed to take it back."""
    tables: Tables = board.tables
    squares: Numbers = board.squares
    side: i32 = board.side
    hand: i32 = side * tables.kinds
    target: i32 = move & 511
    origin: i32 = move >> 9 & 511
    man: i32 = squares[origin]
    taken: i32 = squares[target]
    before: u32 = taken | man << 8
    if origin == tables.size:
        man = 1 + hand + (move >> 19)
        board.hands[hand + (move >> 19)] -= 1
    elif move & PROMOTES:
        man = tables.promotes[man]
    squares[origin] = 0
    squares[target] = man
    if board.kings[side] == origin:
        board.kings[side] = target
    if taken:
        if tables.held[taken] >= 0:
            board.hands[hand + tables.held[taken]] += 1
        # Only of a side that is in check without being to move can the king be captured.
        if tables.royal == taken - 1 - (1 - side) * tables.kinds:
            board.kings[1 - side] = find_king(board, 1 - side)
    board.side = 1 - side
    return before


def unmake(board: Board, move: u32, before: u32) -> None:
    """Take a move back."""
    tables: Tables = board.tables
    side: i32 = 1 - board.side
    hand: i32 = side * tables.kinds
    target: i32 = move & 511
    origin: i32 = move >> 9 & 511
    taken: i32 = before & 255
    board.squares[target] = taken
    board.squares[origin] = before >> 8
    board.side = side
    if origin == tables.size:
        board.hands[hand + (move >> 19)] += 1
    elif board.kings[side] == target:
        board.kings[side] = origin
    if taken:
        if tables.held[taken] >= 0:
            board.hands[hand + tables.held[taken]] -= 1
        if tables.royal == taken - 1 - (1 - side) * tables.kinds:
            board.kings[1 - side] = find_king(board, 1 - side)
