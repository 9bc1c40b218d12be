"""Legal moves of any game whose movement is data: generated, tried on the board, counted.

A move is legal if no piece attacks the mover's king afterwards. If a side has no king or several kings, all
its moves are safe. Most moves cannot change the safety of the king. Only these are tried on the board: moves
of the king, moves from or to a ray towards the king on which an attacker waits, moves from or to the leg of a
leap on the king, and captures of a piece that could leap on it.

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
        DROP_SHIFT,
        ORIGIN_SHIFT,
        PROMOTES,
        SQUARE_MASK,
        Marks,
        find_attackers,
        i32,
        make_move,
        mark_attack_squares,
        require_set_up,
        u32,
        unmake_move,
    )
    from forsyth.kit.tables import FACE, HOP_MOVE, HOP_TAKE, HOPS, MAX_SQUARES, MOVE, TAKE, Numbers, Tables

    u64 = int


def legal_moves(board: Board) -> list[int]:
    """Return the legal moves of the side to move, as numbers.

    A number contains the target, the origin, a flag for promotion and the kind of a dropped piece (see
    `forsyth.kit.board`).
    """
    require_set_up(board)
    board.moves.shorten(0)
    generate_legal_moves(board, board.moves)
    return board.moves.to_list()


def perft(board: Board, depth: int) -> int:
    """Return the number of sequences of `depth` legal moves.

    Raise `ValueError` if `depth` is negative or greater than `MAX_COUNTED_DEPTH`.
    """
    if not 0 <= depth <= MAX_COUNTED_DEPTH:
        raise ValueError(f"the depth is {depth}, expected 0 to {MAX_COUNTED_DEPTH}")
    require_set_up(board)
    board.moves.shorten(0)
    return count_lines(board, depth) if depth else 1


def add_with_promotion(board: Board, moves: MoveList, piece: i32, origin: i32, target: i32) -> i32:
    """Add the moves from `origin` to `target` of a piece that can promote.

    In the promotion zone, a move with promotion is added. The move without promotion is added too, unless the
    piece could never move again.
    """
    tables: Tables = board.tables
    zone: i32 = board.side * tables.size
    if tables.zone[zone + origin] or tables.zone[zone + target]:
        moves.add(target | origin << ORIGIN_SHIFT | PROMOTES)
        if tables.stuck[piece * tables.size + target]:
            return 0
    return moves.add(target | origin << ORIGIN_SHIFT)


def generate_line_moves(board: Board, moves: MoveList, piece: i32, origin: i32) -> i32:
    """Add the moves of a piece along its lines to `moves`, such as those of a rook or cannon.

    Moves that leave the own king attacked are included.
    """
    tables: Tables = board.tables
    squares: Numbers = board.squares
    rays: Numbers = tables.rays
    lines: Numbers = tables.lines
    first_own: i32 = 1 + board.side * tables.kinds
    end_own: i32 = first_own + tables.kinds
    promotes: i32 = tables.promotes[piece]
    line: i32
    flags: i32
    start: i32
    end: i32
    index: i32
    target: i32
    target_piece: i32
    met_count: i32
    allowed: i32
    # A line is three numbers: direction, flags, length.
    for line in range(tables.line_starts[piece], tables.line_starts[piece + 1], 3):
        flags = lines[line + 1]
        if flags & FACE:
            continue
        start = tables.ray_starts[origin * tables.directions + lines[line]]
        end = tables.ray_starts[origin * tables.directions + lines[line] + 1]
        if end - start > lines[line + 2]:
            end = start + lines[line + 2]
        met_count = 0
        for index in range(start, end):
            target = rays[index]
            target_piece = squares[target]
            if target_piece == 0:
                allowed = flags & (HOP_MOVE if met_count else MOVE)
            else:
                met_count += 1
                if first_own <= target_piece < end_own:
                    allowed = 0
                else:
                    allowed = flags & (HOP_TAKE if met_count == 2 else TAKE)
            if allowed:
                if promotes:
                    add_with_promotion(board, moves, piece, origin, target)
                else:
                    moves.add(target | origin << ORIGIN_SHIFT)
            if target_piece and (met_count == 2 or not flags & HOPS):
                break
    return 0


def generate_drops(board: Board, moves: MoveList) -> i32:
    """Add the drops of the pieces in hand of the side to move to `moves`.

    A piece can be dropped on each empty square from which it could move on. A kind with `one_per_file`, such
    as the pawn, cannot be dropped on a file that has one already.
    """
    tables: Tables = board.tables
    hand: i32 = board.side * tables.kinds
    kind: i32
    piece: i32
    square: i32
    file: i32
    is_file_taken: i32
    for kind in range(tables.kinds):
        if board.hands[hand + kind] == 0:
            continue
        piece = 1 + hand + kind
        for file in range(tables.width):
            is_file_taken = 0
            if tables.one_per_file[kind]:
                for square in range(file, tables.size, tables.width):
                    if board.squares[square] == piece:
                        is_file_taken = 1
            if is_file_taken:
                continue
            for square in range(file, tables.size, tables.width):
                if board.squares[square] == 0 and tables.stuck[piece * tables.size + square] == 0:
                    moves.add(square | tables.size << ORIGIN_SHIFT | kind << DROP_SHIFT)
    return 0


def generate_moves(board: Board, moves: MoveList) -> i32:
    """Add all moves of the side to move to `moves`, including those that leave its king attacked."""
    tables: Tables = board.tables
    squares: Numbers = board.squares
    size: i32 = tables.size
    steps: Numbers = tables.steps
    first_own: i32 = 1 + board.side * tables.kinds
    end_own: i32 = first_own + tables.kinds
    origin: i32
    piece: i32
    row: i32
    step: i32
    target: i32
    target_piece: i32
    for origin in range(size):
        piece = squares[origin]
        if piece < first_own or piece >= end_own:
            continue
        row = piece * size + origin
        # A step is three numbers: target, leg, flags.
        for step in range(tables.step_starts[row], tables.step_starts[row + 1], 3):
            if squares[steps[step + 1]]:
                continue
            target = steps[step]
            target_piece = squares[target]
            if first_own <= target_piece < end_own or not steps[step + 2] & (TAKE if target_piece else MOVE):
                continue
            if tables.promotes[piece]:
                add_with_promotion(board, moves, piece, origin, target)
            else:
                moves.add(target | origin << ORIGIN_SHIFT)
        if tables.line_starts[piece] != tables.line_starts[piece + 1]:
            generate_line_moves(board, moves, piece, origin)
    if tables.has_hands:
        generate_drops(board, moves)
    return 0


def generate_legal_moves(board: Board, moves: MoveList) -> i32:
    """Add the legal moves of the side to move to `moves`, after those that it already holds.

    Only moves that can change the safety of the king are tried on the board.
    """
    tables: Tables = board.tables
    king: i32 = board.kings[board.side]
    start: i32 = moves.count
    legal_end: i32 = start
    attacked: i32 = 0
    index: i32
    move: u32
    origin: i32
    marks: Marks
    if not cython.compiled:
        marks = bytearray(MAX_SQUARES + 1)
    else:
        for index in range(tables.size + 1):
            marks[index] = 0
    generate_moves(board, moves)
    if king >= 0:
        attacked = mark_attack_squares(board, king, board.side, marks)
        marks[king] = 1
    # Legal moves are copied to the front of the new ones. The others are cut off at the end.
    for index in range(start, moves.count):
        move = moves.items[index]
        origin = move >> ORIGIN_SHIFT & SQUARE_MASK
        if marks[origin] or marks[move & SQUARE_MASK]:
            if not is_safe(board, move):
                continue
        elif attacked:
            continue
        if origin == tables.size and not tables.drop_mates[move >> DROP_SHIFT] and is_drop_mate(board, move):
            continue
        moves.items[legal_end] = move
        legal_end += 1
    moves.shorten(legal_end)
    return 0


def is_safe(board: Board, move: u32) -> i32:
    """Return whether the mover's king is not attacked after a move, or is missing.

    The move is made on the board and taken back.
    """
    side: i32 = board.side
    undo: u32 = make_move(board, move)
    safe: i32 = board.kings[side] < 0 or not find_attackers(board, board.tables, board.kings[side], side, 1)
    unmake_move(board, move, undo)
    return safe


def is_drop_mate(board: Board, move: u32) -> i32:
    """Return whether the drop `move` gives mate: it attacks the opponent's king, which has no legal reply.

    The move is made on the board and taken back.
    """
    tables: Tables = board.tables
    opponent: i32 = 1 - board.side
    king: i32 = board.kings[opponent]
    piece: i32 = 1 + board.side * tables.kinds + (move >> DROP_SHIFT)
    row: i32 = piece * tables.size + (move & SQUARE_MASK)
    may_attack: i32 = tables.line_starts[piece] != tables.line_starts[piece + 1]
    step: i32
    undo: u32
    start: i32 = board.moves.count
    mate: i32 = 0
    if king < 0:
        return 0
    # Most drops do not attack the king. Sort them out before its replies are generated, which takes longer.
    for step in range(tables.step_starts[row], tables.step_starts[row + 1], 3):
        if tables.steps[step] == king:
            may_attack = 1
    if not may_attack:
        return 0
    undo = make_move(board, move)
    if find_attackers(board, board.tables, king, opponent, 1):
        generate_legal_moves(board, board.moves)
        mate = board.moves.count == start
        board.moves.shorten(start)
    unmake_move(board, move, undo)
    return mate


def count_lines(board: Board, depth: i32) -> u64:
    """Return the number of sequences of `depth` legal moves. `depth` must be at least 1.

    The moves are made on the board and taken back.
    """
    moves: MoveList = board.moves
    start: i32 = moves.count
    index: i32
    end: i32
    move: u32
    undo: u32
    line_count: u64 = 0
    generate_legal_moves(board, moves)
    end = moves.count
    if depth == 1:
        line_count = end - start
    else:
        for index in range(start, end):
            move = moves.items[index]
            undo = make_move(board, move)
            line_count += count_lines(board, depth - 1)
            unmake_move(board, move, undo)
    moves.shorten(start)
    return line_count
