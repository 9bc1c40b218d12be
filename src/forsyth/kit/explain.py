"""Explain why a move on a grid is not possible, from the movement in the sheet.

Accepted moves: moves by squares (``h3e3``, ``P*5e``), moves in the game's own notation if the game has
`Rules.match_moves`, and pairs of places of the scene.

Result: one reason. It is a blocked leg or line, a missing screen, a zone that may not be left, an own
piece on the target, a king that would be attacked, or a piece in hand that may not be dropped there.

Limits: of several pieces in the way only the first is named. All pieces that attack the king are named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from forsyth import move_errors
from forsyth.kit.edit import name_hand_place
from forsyth.kit.movement import HOP_MOVE, HOP_TAKE, MOVE, TAKE, Leap, Line, Movement
from forsyth.kit.moves import GridMove
from forsyth.move_errors import Hindrance

if TYPE_CHECKING:
    from forsyth.kit.position import GridPosition


def explain_move(position: GridPosition, move: GridMove) -> Hindrance | None:
    """Return the reason why a move is not legal, or None if it is legal.

    Reasons are, for example, that a piece is in the way, or that the piece must promote on the target.
    """
    sheet = position.game.sheet
    target = sheet.squares[move.target]
    if move.drops:
        letter = move.drops.lower() if position.turn else move.drops
        return explain_places(position, name_hand_place(letter), target)
    origin = sheet.squares[move.origin]
    hindrance = explain_places(position, origin, target)
    if hindrance is not None or move in position.game.moves(position):
        return hindrance
    problem = "may not promote there" if move.promotes else "must promote there"
    name = sheet.kind_of(position.board[move.origin]).name
    return Hindrance("move.promotion", f"the {name} that goes from {origin} to {target} {problem}", (target,))


def explain_text(position: GridPosition, text: str) -> Hindrance | None:
    """Return the reason why a text in the game's own notation, such as ``C2=5``, is not a legal move.

    If the text matches several illegal moves, those that fit the movement of the piece are preferred, then
    the reason that is closest to a legal move, then the shortest move. Return None if no reason is known.
    """
    match_moves = position.game.rules.match_moves
    if match_moves is None:
        return None
    width = len(position.game.sheet.files)

    def measure_distance(move: GridMove) -> int:
        """Return the number of files and ranks between the two squares of a move."""
        origin_row, origin_column = divmod(move.origin, width)
        target_row, target_column = divmod(move.target, width)
        return abs(origin_row - target_row) + abs(origin_column - target_column)

    all_matches = match_moves(position, text, _list_all_moves(position))
    matches = sorted(all_matches, key=measure_distance)
    reaching_matches = [move for move in matches if _can_reach_target(position, move)]
    candidates = reaching_matches or matches
    return move_errors.closest_to_legal(explain_move(position, move) for move in candidates)


def _list_all_moves(position: GridPosition) -> Iterator[GridMove]:
    """Yield a move of each piece of the side to move to each other square, possible or not.

    For a piece that can promote, yield the move without promotion and the one with it.
    """
    sheet = position.game.sheet
    for origin, piece in enumerate(position.board):
        if not piece or sheet.side_of(piece) != position.turn:
            continue
        can_promote = bool(sheet.kind_of(piece).promotes)
        for target in range(len(position.board)):
            if target == origin:
                continue
            yield GridMove(origin, target)
            if can_promote:
                yield GridMove(origin, target, promotes=True)


def _can_reach_target(position: GridPosition, move: GridMove) -> bool:
    """Return whether the piece moves in a way that leads to the target of `move`, whatever is between."""
    kind = position.game.sheet.kind_of(position.board[move.origin])
    return any(
        _check_movement(position, movement, move.origin, move.target) is not _LEADS_ELSEWHERE
        for movement in kind.moves
    )


def explain_places(position: GridPosition, origin: str, target: str) -> Hindrance | None:
    """Return the reason why no legal move leads from `origin` to `target`, or None if one does.

    Args:
        position: The position before the move.
        origin: The name of a square, or of a place in a hand such as ``P*``.
        target: The name of a square.
    """
    game, sheet = position.game, position.game.sheet
    target_square = sheet.square_number.get(target)
    if target_square is None:
        return move_errors.no_such_place(target)
    hand_pieces = {name_hand_place(letters): piece for piece, letters in enumerate(sheet.letters) if piece}
    origin_square = sheet.square_number.get(origin)
    is_drop = origin_square is None and sheet.has_hands and origin in hand_pieces
    if origin_square is None and not is_drop:
        return move_errors.no_such_place(origin)

    piece = hand_pieces[origin] if origin_square is None else position.board[origin_square]
    if not piece:
        return move_errors.empty_square(origin)
    owner = sheet.side_of(piece)
    if owner != position.turn:
        piece_name = f"{sheet.sides[owner].name.lower()} {sheet.kind_of(piece).name}"
        return move_errors.not_movers_piece(piece_name, origin, game.side_to_move(position))
    if origin_square is None:
        return _explain_drop(position, piece, target_square)
    return _explain_board_move(position, origin_square, target_square)


def _explain_board_move(position: GridPosition, origin_square: int, target_square: int) -> Hindrance | None:
    """Return the reason why no legal move leads from one square to another, or None if one does.

    Both squares are numbers. A piece of the side to move stands on `origin_square`.
    """
    game, sheet = position.game, position.game.sheet
    legal_moves = game.moves(position)
    if any(move.origin == origin_square and move.target == target_square for move in legal_moves):
        return None
    outcome = None if legal_moves else game.outcome(position)
    if outcome is not None:
        return move_errors.game_ended(outcome.reason)
    piece, target_piece = position.board[origin_square], position.board[target_square]
    hindrance = move_errors.closest_to_legal(_check_movements(position, piece, origin_square, target_square))
    if hindrance is not None and hindrance.code in _UNREACHABLE_CODES:
        return hindrance
    if target_piece and sheet.side_of(target_piece) == position.turn:
        return move_errors.own_piece_on_target(sheet.kind_of(target_piece).name, sheet.squares[target_square])
    return hindrance or _explain_king_danger(position, piece, origin_square, target_square)


def _check_movements(
    position: GridPosition, piece: int, origin_square: int, target_square: int
) -> Iterator[Hindrance | None]:
    """Yield the reason that prevents a piece from moving to a square, once for each way that leads there.

    The ways are the movements of the kind of `piece`, such as the lines of a rook. Yield None for a way that
    nothing prevents. If none of them leads there, yield one hindrance with that reason. The squares are
    numbers.
    """
    sheet = position.game.sheet
    is_reachable = False
    for movement in sheet.kind_of(piece).moves:
        hindrance = _check_movement(position, movement, origin_square, target_square)
        if hindrance is not _LEADS_ELSEWHERE:
            is_reachable = True
            yield hindrance
    if not is_reachable:
        yield move_errors.cannot_move_like_that(
            sheet.kind_of(piece).name, sheet.squares[origin_square], sheet.squares[target_square]
        )


_LEADS_ELSEWHERE = Hindrance("move.way", "another way")
"""Marker for a movement that does not lead to the target. It is never reported."""
_UNREACHABLE_CODES = ("move.way", "move.zone")
"""Codes of hindrances that do not depend on the piece on the target."""


def _check_movement(
    position: GridPosition, movement: Movement, origin_square: int, target_square: int
) -> Hindrance | None:
    """Return the reason that prevents a movement from one square to another, or None if nothing does.

    Return `_LEADS_ELSEWHERE` if the movement does not lead to `target_square`, whatever is between. The
    squares are numbers.
    """
    if isinstance(movement, Leap):
        return _check_leap(position, movement, origin_square, target_square)
    return _check_line(position, movement, origin_square, target_square)


def _check_leap(
    position: GridPosition, leap: Leap, origin_square: int, target_square: int
) -> Hindrance | None:
    """Return the reason that prevents a leap from one square to another, or None if nothing prevents it.

    Reasons are a zone that may not be left, a piece on the leg (the square that must be empty), and a target
    that the leap may not capture. Return `_LEADS_ELSEWHERE` if the leap does not lead to `target_square`. The
    squares are numbers.
    """
    sheet, side = position.game.sheet, position.turn
    if sheet.grid.step(origin_square, leap.right, leap.ahead, side) != target_square:
        return _LEADS_ELSEWHERE
    name, origin = sheet.kind_of(position.board[origin_square]).name, sheet.squares[origin_square]
    if leap.start and origin_square not in sheet.grid.zone_squares(sheet.zones[leap.start], side):
        return Hindrance("move.zone", f"the {name} on {origin} may move like that only on the {leap.start}")
    if leap.end and target_square not in sheet.grid.zone_squares(sheet.zones[leap.end], side):
        return Hindrance("move.zone", f"the {name} on {origin} may not leave its {leap.end}")
    if leap.leg is not None:
        leg_right, leg_ahead = leap.leg
        leg = sheet.grid.step(origin_square, leg_right, leg_ahead, side)
        # A leg can be off the board, where nothing blocks it.
        blocker = position.board[leg] if leg >= 0 else 0
        if blocker:
            return move_errors.path_blocked(name, origin, sheet.kind_of(blocker).name, sheet.squares[leg])
    return _check_capture(position, origin_square, target_square, leap.flags)


def _check_line(
    position: GridPosition, line: Line, origin_square: int, target_square: int
) -> Hindrance | None:
    """Return the reason that prevents a move along a line from one square to another, or None.

    Reasons are pieces in the way, a missing piece to jump over, and a target that the line may not capture.
    Return `_LEADS_ELSEWHERE` if the line does not lead to `target_square`. The squares are numbers.
    """
    sheet = position.game.sheet
    squares_between = _list_squares_between(position, line, origin_square, target_square)
    if squares_between is None or not line.flags & (MOVE | TAKE | HOP_TAKE | HOP_MOVE):
        return _LEADS_ELSEWHERE
    blockers = [square for square in squares_between if position.board[square]]
    is_capture = bool(position.board[target_square])
    can_hop = line.flags & (HOP_TAKE if is_capture else HOP_MOVE)
    can_slide = line.flags & (TAKE if is_capture else MOVE)
    if can_slide and not blockers:
        return None
    if can_hop and len(blockers) == 1:
        return None

    name, origin = sheet.kind_of(position.board[origin_square]).name, sheet.squares[origin_square]
    if can_hop:
        found = f"{len(blockers)} pieces are" if blockers else "no piece is"
        message = f"the {name} on {origin} must jump over exactly one piece, but {found} on its way"
        return Hindrance("move.blocked", message, tuple(sheet.squares[square] for square in blockers))
    if blockers:
        blocker = sheet.kind_of(position.board[blockers[0]]).name
        return move_errors.path_blocked(name, origin, blocker, sheet.squares[blockers[0]])
    return _check_capture(position, origin_square, target_square, line.flags)


def _list_squares_between(
    position: GridPosition, line: Line, origin_square: int, target_square: int
) -> list[int] | None:
    """Return the squares between two squares on a line of the side to move, in order.

    Return None if the line does not lead from `origin_square` to `target_square`. The squares are numbers.
    """
    squares: list[int] = []
    square = origin_square
    for _ in range(line.max_steps):
        square = position.game.sheet.grid.step(square, line.right, line.ahead, position.turn)
        if square == target_square:
            return squares
        is_off_board = square < 0
        if is_off_board:
            return None
        squares.append(square)
    return None


def _check_capture(
    position: GridPosition, origin_square: int, target_square: int, flags: int
) -> Hindrance | None:
    """Return a hindrance if a movement may not capture on a square, or may only capture there, else None.

    An occupied `target_square` needs the flag `TAKE` in `flags`, an empty one needs `MOVE`. `origin_square`
    is the number of the square of the piece.
    """
    sheet = position.game.sheet
    is_capture = bool(position.board[target_square])
    needed_flag = TAKE if is_capture else MOVE
    if flags & needed_flag:
        return None
    name, target = sheet.kind_of(position.board[origin_square]).name, sheet.squares[target_square]
    problem = f"does not capture like that on {target}" if is_capture else f"goes to {target} only to capture"
    return Hindrance("move.capture", f"the {name} on {sheet.squares[origin_square]} {problem}", (target,))


def _explain_king_danger(
    position: GridPosition, piece: int, origin_square: int, target_square: int
) -> Hindrance:
    """Return the reason why a move that fits the movement of a piece is not legal.

    Usually the own king would be attacked. The squares are numbers.
    """
    origin = position.game.sheet.squares[origin_square]
    board_after = bytearray(position.board)
    board_after[origin_square] = 0
    board_after[target_square] = piece
    return _explain_attack(position, piece, origin, bytes(board_after))


def _explain_attack(position: GridPosition, piece: int, origin: str, board_after: bytes) -> Hindrance:
    """Return the hindrance that a move of `piece` leaves the mover's king attacked, with the attackers.

    If none attacks it, the hindrance has the code ``move.illegal`` and names no reason.

    Args:
        position: The position before the move.
        piece: The piece that moves.
        origin: The name of the square or hand from which it moves.
        board_after: The board after the move.
    """
    game, sheet, side = position.game, position.game.sheet, position.turn

    def name_piece_on(square: int) -> tuple[str, str]:
        """Return the names of a piece and of its square after the move, such as ``("rook", "e1")``."""
        return sheet.kind_of(board_after[square]).name, sheet.squares[square]

    position_after = replace(position, board=board_after)
    attackers = game.checkers(position_after, side)
    name = sheet.kind_of(piece).name
    if not attackers:
        return Hindrance("move.illegal", f"the {name} may not do that here")
    king_square = board_after.find(sheet.kings[side])
    return move_errors.king_attacked(
        name,
        origin,
        name_piece_on(king_square),
        [name_piece_on(square) for square in attackers],
        before=game.is_check(position),
    )


def _explain_drop(position: GridPosition, piece: int, target_square: int) -> Hindrance | None:
    """Return the reason why a piece in hand may not be dropped on a square, or None if it may.

    Reasons are an occupied square, another pawn on the file, a square from which the piece could never move,
    mate by a pawn, and an attacked king. `target_square` is a number.
    """
    game, sheet, board = position.game, position.game.sheet, position.board
    kind, target = sheet.kind_of(piece), sheet.squares[target_square]
    if any(move.drops == kind.letter and move.target == target_square for move in game.moves(position)):
        return None
    if not position.hands[piece - 1]:
        return Hindrance("move.empty", f"there is no {kind.name} in hand")
    if board[target_square]:
        blocker = sheet.kind_of(board[target_square]).name
        message = f"a piece in hand can be dropped only on an empty square, but a {blocker} is on {target}"
        return Hindrance("move.hand", message, (target,))
    width = len(sheet.files)
    column = target_square % width
    file_squares = range(column, sheet.grid.size, width)
    equal_pieces = [sheet.squares[square] for square in file_squares if board[square] == piece]
    if kind.one_per_file and equal_pieces:
        message = f"there is a {kind.name} on the same file already, on {equal_pieces[0]}"
        return Hindrance("move.hand", message, (equal_pieces[0],))
    if not _can_ever_move(position, piece, target_square):
        return Hindrance("move.hand", f"a {kind.name} on {target} could never move")

    board_after = bytearray(board)
    board_after[target_square] = piece
    hindrance = _explain_attack(position, piece, name_hand_place(sheet.letters[piece]), bytes(board_after))
    # A legal drop was excluded above, so a drop without an attacked king gives mate.
    if hindrance.code == "move.illegal" and not kind.drop_mates:
        return Hindrance("move.hand", f"a {kind.name} may not be dropped to give mate", (target,))
    return hindrance


def _can_ever_move(position: GridPosition, piece: int, square: int) -> bool:
    """Return whether a piece of the side to move could leave a square on an empty board."""
    sheet = position.game.sheet
    return any(
        sheet.grid.step(square, movement.right, movement.ahead, position.turn) >= 0
        for movement in sheet.kind_of(piece).moves
    )
