"""The legal moves of any game whose movement is data: generated, tried on the board, counted.

A move is legal when no man attacks the mover's king afterwards. Where a side has no king or several, all its
moves are safe. Only moves that touch what the safety of the king depends on are tried out: squares on lines
towards it on which something waits, legs that hold a leap back, and men that give check. All others leave it
as it is.
The module runs as it is and compiles with Cython (`search.pxd` gives the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.kit.board import Board, MoveList
from forsyth.limits import MAX_COUNTED_DEPTH

if not cython.compiled:
    from forsyth.kit.board import (
        PROMOTES,
        Marks,
        find_attackers,
        find_marks,
        i32,
        make,
        require_set_up,
        u32,
        unmake,
    )
    from forsyth.kit.tables import FACE, HOP_MOVE, HOP_TAKE, HOPS, MAX_SQUARES, MOVE, TAKE, Numbers, Tables

    u64 = int


def legal_moves(board: Board) -> list[int]:
    """The legal moves of the side to move, as numbers (see `forsyth.kit.board`)."""
    require_set_up(board)
    board.found.shorten(0)
    generate_legal(board, board.found)
    return board.found.numbers()


def perft(board: Board, depth: int) -> int:
    """How many lines of `depth` legal moves there are."""
    if not 0 <= depth <= MAX_COUNTED_DEPTH:
        raise ValueError(f"a depth of 0 to {MAX_COUNTED_DEPTH} is expected")
    require_set_up(board)
    board.found.shorten(0)
    return count_lines(board, depth) if depth else 1


def add_promoting(board: Board, out: MoveList, man: i32, origin: i32, target: i32) -> i32:
    """Add a move of a man that may promote, with promotion and without it as far as the rules allow."""
    tables: Tables = board.tables
    zone: i32 = board.side * tables.size
    if tables.zone[zone + origin] or tables.zone[zone + target]:
        out.add(target | origin << 9 | PROMOTES)
        if tables.stuck[man * tables.size + target]:
            return 0
    return out.add(target | origin << 9)


def generate_lines(board: Board, out: MoveList, man: i32, origin: i32) -> i32:
    """Add the moves of a man along its lines."""
    tables: Tables = board.tables
    squares: Numbers = board.squares
    rays: Numbers = tables.rays
    lines: Numbers = tables.lines
    first: i32 = 1 + board.side * tables.kinds
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
                    add_promoting(board, out, man, origin, target)
                else:
                    out.add(target | origin << 9)
            if there and (met == 2 or not how & HOPS):
                break
    return 0


def generate_drops(board: Board, out: MoveList) -> i32:
    """Add the drops of the men in hand on empty squares from which they could move."""
    tables: Tables = board.tables
    hand: i32 = board.side * tables.kinds
    kind: i32
    man: i32
    square: i32
    target: i32
    taken: i32
    for kind in range(tables.kinds):
        if board.hands[hand + kind] == 0:
            continue
        man = 1 + hand + kind
        for target in range(tables.width):
            taken = 0
            if tables.one_per_file[kind]:
                for square in range(target, tables.size, tables.width):
                    if board.squares[square] == man:
                        taken = 1
            if taken:
                continue
            for square in range(target, tables.size, tables.width):
                if board.squares[square] == 0 and tables.stuck[man * tables.size + square] == 0:
                    out.add(square | tables.size << 9 | kind << 19)
    return 0


def generate(board: Board, out: MoveList) -> i32:
    """Add all moves of the side to move, whatever becomes of its king."""
    tables: Tables = board.tables
    squares: Numbers = board.squares
    size: i32 = tables.size
    steps: Numbers = tables.steps
    first: i32 = 1 + board.side * tables.kinds
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
                add_promoting(board, out, man, origin, target)
            else:
                out.add(target | origin << 9)
        if tables.line_at[man] != tables.line_at[man + 1]:
            generate_lines(board, out, man, origin)
    if tables.has_hands:
        generate_drops(board, out)
    return 0


def generate_legal(board: Board, out: MoveList) -> i32:
    """Add the legal moves of the side to move."""
    tables: Tables = board.tables
    king: i32 = board.kings[board.side]
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
    generate(board, out)
    if king >= 0:
        attacked = find_marks(board, king, board.side, marks)
        marks[king] = 1
    for at in range(start, out.count):
        move = out.items[at]
        origin = move >> 9 & 511
        if marks[origin] or marks[move & 511]:
            if not is_safe(board, move):
                continue
        elif attacked:
            continue
        if origin == tables.size and not tables.drop_mates[move >> 19] and is_drop_mate(board, move):
            continue
        out.items[kept] = move
        kept += 1
    out.shorten(kept)
    return 0


def is_safe(board: Board, move: u32) -> i32:
    """Whether the mover's king is not attacked after a move; the board is put back."""
    side: i32 = board.side
    before: u32 = make(board, move)
    safe: i32 = board.kings[side] < 0 or not find_attackers(board, board.tables, board.kings[side], side, 1)
    unmake(board, move, before)
    return safe


def is_drop_mate(board: Board, move: u32) -> i32:
    """Whether a drop gives mate; the board is put back."""
    tables: Tables = board.tables
    other: i32 = 1 - board.side
    king: i32 = board.kings[other]
    man: i32 = 1 + board.side * tables.kinds + (move >> 19)
    row: i32 = man * tables.size + (move & 511)
    attacks: i32 = tables.line_at[man] != tables.line_at[man + 1]
    at: i32
    before: u32
    start: i32 = board.found.count
    mate: i32 = 0
    if king < 0:
        return 0
    for at in range(tables.step_at[row], tables.step_at[row + 1], 3):
        if tables.steps[at] == king:
            attacks = 1
    if not attacks:
        return 0
    before = make(board, move)
    if find_attackers(board, board.tables, king, other, 1):
        generate_legal(board, board.found)
        mate = board.found.count == start
        board.found.shorten(start)
    unmake(board, move, before)
    return mate


def count_lines(board: Board, depth: i32) -> u64:
    """How many lines of `depth` legal moves there are, a depth of one or more."""
    out: MoveList = board.found
    start: i32 = out.count
    at: i32
    last: i32
    move: u32
    before: u32
    found: u64 = 0
    generate_legal(board, out)
    last = out.count
    if depth == 1:
        found = last - start
    else:
        for at in range(start, last):
            move = out.items[at]
            before = make(board, move)
            found += count_lines(board, depth - 1)
            unmake(board, move, before)
    out.shorten(start)
    return found
