"""A board on which the search makes moves and takes them back, and the attacks on a king.

A piece is a number: 0 is an empty square, then come the kinds of the first side, then those of the second.

A move is one number:

* bits 0 to 8: the target square (`SQUARE_MASK`);
* bits 9 to 17: the origin (`ORIGIN_SHIFT`). The origin of a drop is the square behind the last one, which is
  always empty;
* bit 18: `PROMOTES`, which is set if the piece promotes;
* from bit 19: the kind of a dropped piece (`DROP_SHIFT`).

The module runs as it is and compiles with Cython (`board.pxd` gives the C types).
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
    from forsyth.kit.tables import Masks, Numbers

    i32 = int
    u32 = int
    u64 = int
    Marks = bytearray
    SQUARE_MASK: Final = 511
    ORIGIN_SHIFT: Final = 9
    PROMOTES: Final = 1 << 18
    DROP_SHIFT: Final = 19
    PIECE_MASK: Final = 255
    MOVED_SHIFT: Final = 8
    """An undo number of `make_move` is the captured piece, and from this bit on the piece that moved."""
    LIST_GROWTH: Final = 512
    """The number of moves by which a compiled list of moves grows."""
    MOVE_BYTES: Final = 4
    """The size of a move number in a compiled list."""


class MoveList:
    """A list of moves as numbers that grows as needed. The module describes the bits of a number."""

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

    def add_move(self, move: u32) -> i32:
        """Append a move number. Raise `MemoryError` if the list cannot grow."""
        if cython.compiled:
            if self.count == self.size:
                byte_count = (self.size + LIST_GROWTH) * MOVE_BYTES
                items = cython.cast(cython.pointer(u32), realloc(self.items, byte_count))
                if not items:
                    raise MemoryError
                self.items = items
                self.size += LIST_GROWTH
            self.items[self.count] = move
        else:
            self.items.append(move)
        self.count += 1
        return 0

    def keep_first(self, count: i32) -> None:
        """Keep only the first `count` move numbers, and remove the others."""
        self.count = count
        if not cython.compiled:
            del self.items[count:]

    def to_list(self) -> list[int]:
        """Return the move numbers as a Python list. The caller must not change the list."""
        if cython.compiled:
            return [self.items[index] for index in range(self.count)]
        return self.items


class Board:
    """A board that moves change in place, with the pieces in hand and the side to move."""

    if not cython.compiled:
        __slots__ = ("attackers", "hands", "kings", "moves", "side", "squares", "tables")
        attackers: list[int]
        squares: list[int]
        hands: list[int]
        kings: list[int]

    def __init__(self, tables: Tables, board: bytes, hands: bytes, side: int) -> None:
        """Set up the board of a position. Raise `ValueError` if it does not fit the tables.

        Args:
            tables: The movement of the game.
            board: The piece number on each square.
            hands: The number of pieces of each kind in hand, the first side's first; empty without hands.
            side: The side to move: 0 or 1.
        """
        if not board or len(board) != tables.size or board.translate(None, tables.piece_bytes):
            raise ValueError(
                f"the board does not fit the tables, expected {tables.size} pieces of 0 to {2 * tables.kinds}"
            )
        hand_size = 2 * tables.kinds if tables.has_hands else 0
        if len(hands) != hand_size:
            raise ValueError(f"the hands have {len(hands)} counts, expected {hand_size}")
        if side not in (0, 1):
            raise ValueError(f"the side is {side}, expected 0 or 1")
        self.tables = tables
        self.side = side
        self.moves = MoveList()
        square: i32
        slot: i32
        if cython.compiled:
            for square in range(tables.size):
                self.squares[square] = board[square]
            # The square behind the last one, from which pieces are dropped, is always empty.
            self.squares[tables.size] = 0
            for slot in range(len(hands)):
                self.hands[slot] = hands[slot]
            self.kings[0] = find_king_square(self, 0)
            self.kings[1] = find_king_square(self, 1)
        else:
            self.squares = [*board, 0]
            self.hands = list(hands)
            self.attackers = [0] * tables.size
            self.kings = [-1, -1]
            if tables.royal >= 0:
                first_king = 1 + tables.royal
                second_king = first_king + tables.kinds
                # Searched in the bytes, which is several times faster than in the list.
                for king_side, king in enumerate((first_king, second_king)):
                    if board.count(king) == 1:
                        self.kings[king_side] = board.find(king)

    def list_checkers(self, side: int) -> list[int]:
        """Return the squares of the pieces that attack the king of a side (0 or 1).

        The list is empty if the side has no king or several. Raise `ValueError` if `side` is not 0 or 1.
        """
        if side not in (0, 1):
            raise ValueError(f"the side is {side}, expected 0 or 1")
        require_set_up(self)
        count: i32 = 0
        if self.kings[side] >= 0:
            # No king has more attackers than there are squares.
            count = find_attackers(self, self.tables, self.kings[side], side, self.tables.size)
        return [self.attackers[index] for index in range(count)]


def require_set_up(board: Board) -> i32:
    """Raise `ValueError` if a board was made without `__init__`, because compiled code would crash on it."""
    if cython.compiled and board.moves is None:
        raise ValueError("the board was not set up, expected one made by Board(tables, board, hands, side)")
    return 0


def find_king_square(board: Board, side: i32) -> i32:
    """Return the number of the square of a side's king, or −1 if the side has no king or several.

    `side` is 0 or 1.
    """
    tables: Tables = board.tables
    king: i32 = 1 + side * tables.kinds + tables.royal
    king_square: i32 = -1
    square: i32
    if tables.royal < 0:
        return -1
    if not cython.compiled:
        return board.squares.index(king) if board.squares.count(king) == 1 else -1
    for square in range(tables.size):
        if board.squares[square] == king:
            if king_square >= 0:
                return -1
            king_square = square
    return king_square


def find_attackers(board: Board, tables: Tables, target: i32, side: i32, limit: i32) -> i32:
    """Write the squares of the pieces that attack a square to `board.attackers`, and return their number.

    Args:
        board: The board.
        tables: The movement of all pieces, as the tables that belong to the board.
        target: The attacked square.
        side: The side that is attacked: 0 or 1. The attackers are the pieces of its opponent that would give
            check if the king of `side` stood on the target.
        limit: The number of attackers after which the search stops.
    """
    squares: Numbers = board.squares
    rays: Numbers = tables.rays
    sources: Numbers = tables.leap_sources
    attacking_side: i32 = 1 - side
    direction_row: i32
    ray_index: i32 = target * tables.directions
    source_row: i32 = attacking_side * tables.size + target
    depth: i32
    ray_start: i32
    index: i32
    entry: i32
    origin: i32
    leg_square: i32
    piece: i32
    met_pieces: i32
    attacker_sets: Masks
    attacks: u64
    attacker_count: i32 = 0
    # Attacks along rays: by the first piece on a ray, or by the second one over the first.
    for direction_row in range(attacking_side * tables.directions, (attacking_side + 1) * tables.directions):
        depth = tables.ray_depth[direction_row]
        ray_start = tables.ray_starts[ray_index]
        ray_index += 1
        if depth == 0:
            continue
        met_pieces = 0
        for index in range(ray_start, tables.ray_starts[ray_index]):
            piece = squares[rays[index]]
            if piece == 0:
                continue
            met_pieces += 1
            attacker_sets = tables.first_attackers if met_pieces == 1 else tables.second_attackers
            entry = direction_row * tables.reach + (index - ray_start)
            # Bit p of a set of attackers stands for piece p.
            attacks = (attacker_sets[entry] >> piece) & 1
            if attacks:
                board.attackers[attacker_count] = rays[index]
                attacker_count += 1
                if attacker_count == limit:
                    return attacker_count
            # At a depth of 2, no piece attacks over another one.
            if met_pieces == 2 or depth == 2:
                break

    # Attacks by leaps. A leap source is two numbers: the attacker's square and the leg, which must be empty.
    for index in range(tables.leap_source_starts[source_row], tables.leap_source_starts[source_row + 1]):
        origin = sources[2 * index]
        leg_square = sources[2 * index + 1]
        attacks = (tables.leap_source_pieces[index] >> squares[origin]) & 1
        if attacks and squares[leg_square] == 0:
            board.attackers[attacker_count] = origin
            attacker_count += 1
            if attacker_count == limit:
                return attacker_count
    return attacker_count


def mark_attack_squares(board: Board, king: i32, side: i32, marks: Marks) -> i32:
    """Mark the squares that matter to the safety of a king, and return whether it is attacked.

    A move of another piece between squares without a mark neither exposes nor protects the king. Marked are
    the lines to the king from pieces that attack along them, the squares of pieces that could leap on the
    king, and the legs of those leaps (the squares that must be empty).

    Args:
        board: The board.
        king: The square of the king.
        side: The side of the king: 0 or 1.
        marks: An entry for each square, which is set to 1 for marked squares.
    """
    tables: Tables = board.tables
    squares: Numbers = board.squares
    rays: Numbers = tables.rays
    sources: Numbers = tables.leap_sources
    attacking_side: i32 = 1 - side
    direction_row: i32
    ray_index: i32 = king * tables.directions
    source_row: i32 = attacking_side * tables.size + king
    depth: i32
    ray_start: i32
    ray_end: i32
    index: i32
    piece: i32
    met_pieces: i32
    has_ray_attacker: i32
    entry: i32
    origin: i32
    leg_square: i32
    is_attacked: i32 = 0
    for direction_row in range(attacking_side * tables.directions, (attacking_side + 1) * tables.directions):
        depth = tables.ray_depth[direction_row]
        ray_start = tables.ray_starts[ray_index]
        ray_index += 1
        if depth == 0:
            continue
        ray_end = tables.ray_starts[ray_index]
        met_pieces = 0
        has_ray_attacker = 0
        for index in range(ray_start, ray_end):
            piece = squares[rays[index]]
            if piece == 0:
                continue
            met_pieces += 1
            entry = direction_row * tables.reach + (index - ray_start)
            # Bit p of a set of attackers stands for piece p.
            if (tables.first_attackers[entry] >> piece) & 1:
                has_ray_attacker = 1
                if met_pieces == 1:
                    is_attacked = 1
            if (tables.second_attackers[entry] >> piece) & 1:
                has_ray_attacker = 1
                if met_pieces == 2:
                    is_attacked = 1
            # Pieces further away cannot matter, whichever piece moves.
            if met_pieces == depth:
                ray_end = index + 1
                break
        if has_ray_attacker:
            for index in range(ray_start, ray_end):
                marks[rays[index]] = 1

    # A leap source is two numbers: the attacker's square and the leg, which must be empty.
    for index in range(tables.leap_source_starts[source_row], tables.leap_source_starts[source_row + 1]):
        origin = sources[2 * index]
        leg_square = sources[2 * index + 1]
        if (tables.leap_source_pieces[index] >> squares[origin]) & 1:
            marks[origin] = 1
            # The square behind the last one stands for no leg. Drops come from it, so it must stay unmarked.
            if leg_square < tables.size:
                marks[leg_square] = 1
            if squares[leg_square] == 0:
                is_attacked = 1
    return is_attacked


def make_move(board: Board, move: u32) -> u32:
    """Make a move on the board, in place, and return the number that `unmake_move` needs to undo it.

    `move` is a number with the target, the origin, a flag for promotion and the kind of a dropped piece. The
    module describes its bits. It is not checked whether the move is legal.
    """
    tables: Tables = board.tables
    squares: Numbers = board.squares
    side: i32 = board.side
    opponent: i32 = 1 - side
    hand_start: i32 = side * tables.kinds
    target: i32 = move & SQUARE_MASK
    origin: i32 = (move >> ORIGIN_SHIFT) & SQUARE_MASK
    dropped_kind: i32 = move >> DROP_SHIFT
    piece: i32 = squares[origin]
    captured: i32 = squares[target]
    captured_kind: i32
    undo: u32 = captured | (piece << MOVED_SHIFT)
    # The origin of a drop is the square behind the last one.
    if origin == tables.size:
        piece = 1 + side * tables.kinds + dropped_kind
        board.hands[hand_start + dropped_kind] -= 1
    elif move & PROMOTES:
        piece = tables.promotes[piece]
    squares[origin] = 0
    squares[target] = piece
    if board.kings[side] == origin:
        board.kings[side] = target
    if captured:
        if tables.hand_kind[captured] >= 0:
            board.hands[hand_start + tables.hand_kind[captured]] += 1
        # A king can be captured only if its side is in check without being to move.
        captured_kind = captured - 1 - opponent * tables.kinds
        if captured_kind == tables.royal:
            board.kings[opponent] = find_king_square(board, opponent)
    board.side = opponent
    return undo


def unmake_move(board: Board, move: u32, undo: u32) -> None:
    """Take back the last move on the board, in place.

    `undo` is the number that `make_move` returned for the move. It contains the captured and the moved piece.
    """
    tables: Tables = board.tables
    opponent: i32 = board.side
    side: i32 = 1 - opponent
    hand_start: i32 = side * tables.kinds
    target: i32 = move & SQUARE_MASK
    origin: i32 = (move >> ORIGIN_SHIFT) & SQUARE_MASK
    dropped_kind: i32 = move >> DROP_SHIFT
    captured: i32 = undo & PIECE_MASK
    captured_kind: i32
    board.squares[target] = captured
    board.squares[origin] = undo >> MOVED_SHIFT
    board.side = side
    # The origin of a drop is the square behind the last one.
    if origin == tables.size:
        board.hands[hand_start + dropped_kind] += 1
    elif board.kings[side] == target:
        board.kings[side] = origin
    if captured:
        if tables.hand_kind[captured] >= 0:
            board.hands[hand_start + tables.hand_kind[captured]] -= 1
        captured_kind = captured - 1 - opponent * tables.kinds
        if captured_kind == tables.royal:
            board.kings[opponent] = find_king_square(board, opponent)
