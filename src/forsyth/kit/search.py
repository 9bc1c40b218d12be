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
    """Return the legal moves of the side to move, each as one number.

    The bits of a number are the target, the origin, a flag for promotion and the kind of a dropped piece, as
    `forsyth.kit.board` describes.
    """
    require_set_up(board)
    board.moves.keep_first(0)
    generate_legal_moves(board, board.moves)
    return board.moves.to_list()


def perft(board: Board, depth: int) -> int:
    """Return the number of different sequences of `depth` legal moves from a position.

    A depth of 0 has one sequence, which is empty. Raise `ValueError` if `depth` is negative or greater than
    `MAX_COUNTED_DEPTH`.
    """
    if not 0 <= depth <= MAX_COUNTED_DEPTH:
        raise ValueError(f"the depth is {depth}, expected 0 to {MAX_COUNTED_DEPTH}")
    require_set_up(board)
    board.moves.keep_first(0)
    return count_move_sequences(board, depth) if depth else 1


def add_with_promotion(board: Board, moves: MoveList, piece: i32, origin: i32, target: i32) -> i32:
    """Add the move from `origin` to `target` to `moves`, with promotion, without it, or both.

    `piece` is of a kind that can promote. It may promote if the move begins or ends in the promotion zone. It
    must promote if it could never move again otherwise.
    """
    tables: Tables = board.tables
    zone_start: i32 = board.side * tables.size
    move: u32 = target | (origin << ORIGIN_SHIFT)
    if tables.zone[zone_start + origin] or tables.zone[zone_start + target]:
        moves.add_move(move | PROMOTES)
        if tables.stuck[piece * tables.size + target]:
            return 0
    return moves.add_move(move)


def generate_line_moves(board: Board, moves: MoveList, piece: i32, origin: i32) -> i32:
    """Add the moves of `piece` from `origin` along its lines to `moves`, such as those of a rook or cannon.

    Moves that leave the own king attacked are included.
    """
    tables: Tables = board.tables
    squares: Numbers = board.squares
    rays: Numbers = tables.rays
    lines: Numbers = tables.lines
    first_own: i32 = 1 + board.side * tables.kinds
    end_own: i32 = first_own + tables.kinds
    can_promote: i32 = tables.promotes[piece]
    line: i32
    flags: i32
    length: i32
    ray: i32
    start: i32
    end: i32
    index: i32
    target: i32
    target_piece: i32
    met_pieces: i32
    is_allowed: i32
    # A line is three numbers: direction, flags, length.
    for line in range(tables.line_starts[piece], tables.line_starts[piece + 1], 3):
        flags = lines[line + 1]
        length = lines[line + 2]
        # A line that only attacks a king has no moves.
        if flags & FACE:
            continue
        ray = origin * tables.directions + lines[line]
        start = tables.ray_starts[ray]
        end = tables.ray_starts[ray + 1]
        if end - start > length:
            end = start + length
        met_pieces = 0
        for index in range(start, end):
            target = rays[index]
            target_piece = squares[target]
            if target_piece == 0:
                is_allowed = flags & (HOP_MOVE if met_pieces else MOVE)
            else:
                met_pieces += 1
                if first_own <= target_piece < end_own:
                    is_allowed = 0
                else:
                    is_allowed = flags & (HOP_TAKE if met_pieces == 2 else TAKE)
            if is_allowed:
                if can_promote:
                    add_with_promotion(board, moves, piece, origin, target)
                else:
                    moves.add_move(target | (origin << ORIGIN_SHIFT))
            # A piece stops the line, unless this line jumps over a first piece.
            if target_piece and (met_pieces == 2 or not (flags & HOPS)):
                break
    return 0


def has_piece_on_file(board: Board, piece: i32, file: i32) -> i32:
    """Return 1 if `piece` stands on a square of a file, else 0. Files are numbered from 0 on."""
    tables: Tables = board.tables
    square: i32
    for square in range(file, tables.size, tables.width):
        if board.squares[square] == piece:
            return 1
    return 0


def generate_drops(board: Board, moves: MoveList) -> i32:
    """Add the drops of all pieces in the hand of the side to move to `moves`.

    A piece can be dropped on each empty square from which it could move on. A kind that may stand only once
    on a file, such as the pawn of shogi, is not dropped on a file that has one already.
    """
    tables: Tables = board.tables
    # The index of the side's first count in `hands`. Its first piece has the next number.
    hand_start: i32 = board.side * tables.kinds
    kind: i32
    piece: i32
    square: i32
    file: i32
    drop: u32
    for kind in range(tables.kinds):
        if board.hands[hand_start + kind] == 0:
            continue
        piece = 1 + hand_start + kind
        # The origin of a drop is the square behind the last one.
        drop = (tables.size << ORIGIN_SHIFT) | (kind << DROP_SHIFT)
        for file in range(tables.width):
            if tables.one_per_file[kind] and has_piece_on_file(board, piece, file):
                continue
            for square in range(file, tables.size, tables.width):
                if board.squares[square] == 0 and tables.stuck[piece * tables.size + square] == 0:
                    moves.add_move(square | drop)
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
    leg: i32
    flags: i32
    needed_flag: i32
    target: i32
    target_piece: i32
    for origin in range(size):
        piece = squares[origin]
        if piece < first_own or piece >= end_own:
            continue
        row = piece * size + origin
        # A leap is three numbers: target, leg (the square that must be empty), flags.
        for step in range(tables.step_starts[row], tables.step_starts[row + 1], 3):
            target = steps[step]
            leg = steps[step + 1]
            flags = steps[step + 2]
            if squares[leg]:
                continue
            target_piece = squares[target]
            if first_own <= target_piece < end_own:
                continue
            needed_flag = TAKE if target_piece else MOVE
            if not (flags & needed_flag):
                continue
            if tables.promotes[piece]:
                add_with_promotion(board, moves, piece, origin, target)
            else:
                moves.add_move(target | (origin << ORIGIN_SHIFT))
        # Pieces without lines need no further call.
        if tables.line_starts[piece] != tables.line_starts[piece + 1]:
            generate_line_moves(board, moves, piece, origin)
    if tables.has_hands:
        generate_drops(board, moves)
    return 0


def generate_legal_moves(board: Board, moves: MoveList) -> i32:
    """Add the legal moves of the side to move to `moves`, after the moves that are already in it.

    All moves are added first, and those that leave the own king attacked are then removed. Only moves that
    can change the safety of the king are tried on the board.
    """
    tables: Tables = board.tables
    king: i32 = board.kings[board.side]
    start: i32 = moves.count
    legal_end: i32 = start
    is_attacked: i32 = 0
    index: i32
    move: u32
    origin: i32
    target: i32
    kind: i32
    marks: Marks
    if not cython.compiled:
        marks = bytearray(MAX_SQUARES + 1)
    else:
        for index in range(tables.size + 1):
            marks[index] = 0
    generate_moves(board, moves)

    # Mark the squares that matter to the safety of the king.
    if king >= 0:
        is_attacked = mark_attack_squares(board, king, board.side, marks)
        marks[king] = 1

    # Legal moves are copied to the front of the new ones. The others are cut off at the end.
    for index in range(start, moves.count):
        move = moves.items[index]
        target = move & SQUARE_MASK
        origin = (move >> ORIGIN_SHIFT) & SQUARE_MASK
        if marks[origin] or marks[target]:
            if not leaves_king_safe(board, move):
                continue
        elif is_attacked:
            continue
        # The origin of a drop is the square behind the last one.
        if origin == tables.size:
            kind = move >> DROP_SHIFT
            if not tables.drop_mates[kind] and gives_drop_mate(board, move):
                continue
        moves.items[legal_end] = move
        legal_end += 1
    moves.keep_first(legal_end)
    return 0


def leaves_king_safe(board: Board, move: u32) -> i32:
    """Return whether the mover's king is not attacked after a move, or is missing.

    The move is made on the board and taken back.
    """
    side: i32 = board.side
    undo: u32 = make_move(board, move)
    king: i32 = board.kings[side]
    # One attacker is enough, so the search stops after it.
    is_king_safe: i32 = king < 0 or not find_attackers(board, board.tables, king, side, 1)
    unmake_move(board, move, undo)
    return is_king_safe


def gives_drop_mate(board: Board, move: u32) -> i32:
    """Return whether the drop `move` gives mate: it attacks the opponent's king, which has no legal reply.

    The move is made on the board and taken back.
    """
    tables: Tables = board.tables
    opponent: i32 = 1 - board.side
    king: i32 = board.kings[opponent]
    piece: i32 = 1 + board.side * tables.kinds + (move >> DROP_SHIFT)
    target: i32 = move & SQUARE_MASK
    row: i32 = piece * tables.size + target
    has_lines: i32 = tables.line_starts[piece] != tables.line_starts[piece + 1]
    may_attack: i32 = has_lines
    step: i32
    undo: u32
    first_reply: i32 = board.moves.count
    is_mate: i32 = 0
    if king < 0:
        return 0
    # Most drops do not attack the king. Sort them out before its replies are generated, which takes longer.
    # A leap is three numbers, and the first one is its target.
    for step in range(tables.step_starts[row], tables.step_starts[row + 1], 3):
        if tables.steps[step] == king:
            may_attack = 1
    if not may_attack:
        return 0
    undo = make_move(board, move)
    if find_attackers(board, board.tables, king, opponent, 1):
        generate_legal_moves(board, board.moves)
        is_mate = board.moves.count == first_reply
        board.moves.keep_first(first_reply)
    unmake_move(board, move, undo)
    return is_mate


def count_move_sequences(board: Board, depth: i32) -> u64:
    """Return the number of different sequences of `depth` legal moves. `depth` must be at least 1.

    The moves are made on the board and taken back.
    """
    moves: MoveList = board.moves
    start: i32 = moves.count
    index: i32
    end: i32
    move: u32
    undo: u32
    sequence_count: u64 = 0
    generate_legal_moves(board, moves)
    end = moves.count
    if depth == 1:
        sequence_count = end - start
    else:
        for index in range(start, end):
            move = moves.items[index]
            undo = make_move(board, move)
            sequence_count += count_move_sequences(board, depth - 1)
            unmake_move(board, move, undo)
    moves.keep_first(start)
    return sequence_count
