"""Explanations of illegal chess moves: blocked, pinned, in check, castling right lost.

Accepts
    SAN and UCI as `read_move` does, and pairs of places of the scene, including a pocket (``N@``). If a text
    fits several pieces, the explanation is about the piece that comes nearest to a legal move.
Writes
    One `Hindrance`. The rules are not implemented again here: to find checks after a move, the piece is moved
    and `find_checkers` examines the new position.
Limits
    A path is reported as blocked by its first piece only. All pieces that attack the king are named.
"""

from __future__ import annotations

import re
from typing import Final

from forsyth import move_errors
from forsyth.diagnostics import MoveError
from forsyth.games.chess import edit
from forsyth.games.chess.board import SQUARE_NUMBER, SQUARES
from forsyth.games.chess.drawing.scene import make_token
from forsyth.games.chess.notation.san import read_san, write_san
from forsyth.games.chess.position import CRAZYHOUSE, HORDE, Position, list_squares
from forsyth.games.chess.rules.attacks import find_checkers
from forsyth.games.chess.rules.moves import legal_moves
from forsyth.games.chess.rules.outcome import find_outcome
from forsyth.games.chess.variants import EXPLODES, MUST_CAPTURE, NO_CASTLING, RACE, VARIANT_TABLE
from forsyth.move_errors import Hindrance

_PIECE_LETTERS: Final = "KQRBNP"
_SIDE_NAMES: Final = ("White", "Black")
_CASTLING_PATTERN: Final = re.compile(r"[O0]-[O0](-[O0])?")
_DROP_PATTERN: Final = re.compile(r"([QRBNP]?)@([a-h][1-8])")
_SQUARE_PATTERN: Final = re.compile("[a-h][1-8]")


def explain_text(position: Position, text: str) -> Hindrance | None:
    """Return the reason why `text`, such as ``Nf3`` or ``g1f3``, is not a legal move, or None if it is."""
    try:
        read_san(position, text)
    except MoveError as error:
        if error.kind == "illegal":
            return _explain_illegal(position, text, error)
        return move_errors.hindrance_of_error(error)
    return None


def _explain_illegal(position: Position, text: str, error: MoveError) -> Hindrance:
    """Return the reason why `text`, which has the form of a move, is not a legal move.

    `error` is the error that `read_san` has raised for the text. Its message is used if no better reason is
    found.
    """
    game_end = _explain_game_end(position)
    if game_end is not None:
        return game_end
    castling_match = _CASTLING_PATTERN.match(text)
    if castling_match is not None:
        # The long form, O-O-O, is castling on the queen side.
        is_long_form = castling_match[1] is not None
        return _explain_castling(position, king_side=not is_long_form)
    drop_match = _DROP_PATTERN.match(text)
    if drop_match is not None:
        # A drop without a letter, such as @e4, is one of a pawn.
        letter, target = drop_match[1] or "P", drop_match[2]
        piece_in_hand = f"{letter.lower() if position.black_to_move else letter}@"
        return explain_squares(position, piece_in_hand, target) or move_errors.hindrance_of_error(error)

    squares = _SQUARE_PATTERN.findall(text)
    if len(squares) > 1:
        hindrance = explain_squares(position, squares[0], squares[-1])
    else:
        hindrance = move_errors.closest_to_legal(
            explain_squares(position, origin, squares[-1])
            for origin in _list_candidate_origins(position, text)
        )
    return hindrance or _explain_promotion(squares[-1], error)


def _explain_game_end(position: Position) -> Hindrance | None:
    """Return the reason that the game has ended, such as by checkmate, or None.

    The result is also None for a drawn position that still has legal moves, because its moves are explained
    one by one.
    """
    result = None if legal_moves(position) else find_outcome(position)
    return None if result is None else move_errors.game_ended(result.reason)


def _list_candidate_origins(position: Position, text: str) -> list[str]:
    """Return the squares of the pieces that a SAN with one square, such as ``Nf3`` or ``Rad1``, may mean.

    These are the mover's pieces of this kind on the file or rank in the text, if it has one. If there is no
    such piece, return the squares of all pieces of the kind.
    """
    letter = text[0] if text[0] in _PIECE_LETTERS else "P"
    piece = letter.lower() if position.black_to_move else letter
    match = re.match(r"[KQRBN]?([a-h]?)([1-8]?)x?[a-h][1-8]", text)
    file, rank = match.groups() if match else ("", "")
    if letter == "P" and not file:
        # A pawn move without an origin file goes straight ahead, so the target names the file.
        file = text[0]
    same_pieces = [square for square in SQUARES if position.piece_at(square) == piece]
    matching_pieces = [square for square in same_pieces if square.startswith(file) and square.endswith(rank)]
    return matching_pieces or same_pieces


def _explain_promotion(target: str, error: MoveError) -> Hindrance:
    """Return the reason that a pawn move to `target` must name a piece, such as ``e8=Q``.

    If `target` is not on the last rank, return the message of `error` as the reason.
    """
    if target[1] in "18":
        message = f"a pawn on {target} must become a queen, rook, bishop or knight, as in {target}=Q"
        return Hindrance("move.promotion", message, (target,))
    return move_errors.hindrance_of_error(error)


def explain_squares(position: Position, origin: str, target: str, piece: str = "") -> Hindrance | None:
    """Return the reason why no legal move leads from `origin` to `target`, or None if one does.

    Args:
        position: The position before the move.
        origin: A square, or a piece in hand such as ``N@``.
        target: A square.
        piece: Not used in chess; other games need it to choose a piece of a stack.
    """
    if target not in SQUARE_NUMBER:
        return move_errors.no_such_place(target)
    if origin.endswith("@"):
        return _explain_drop(position, origin, target)
    if origin not in SQUARE_NUMBER:
        return move_errors.no_such_place(origin)
    if any(move.origin == origin and move.target == target for move in legal_moves(position)):
        return None
    game_end = _explain_game_end(position)
    if game_end is not None:
        return game_end
    piece_letter = position.piece_at(origin)
    if piece_letter is None:
        return move_errors.empty_square(origin)
    if piece_letter.islower() != bool(position.black_to_move):
        return move_errors.not_movers_piece(
            _name_coloured_piece(piece_letter), origin, _SIDE_NAMES[position.black_to_move]
        )
    target_letter = position.piece_at(target)
    if piece_letter in "Kk" and _is_castling(position, origin, target, target_letter):
        return _explain_castling(position, king_side=target > origin)
    path_hindrance = _explain_path(position, piece_letter, origin, target, target_letter)
    if target_letter is not None and target_letter.islower() == piece_letter.islower():
        # The own piece on the target is the better reason, unless the piece cannot move like that at all.
        impossible_path = (
            path_hindrance if path_hindrance is not None and path_hindrance.code == "move.way" else None
        )
        return impossible_path or move_errors.own_piece_on_target(_name_piece(target_letter), target)
    return (
        path_hindrance
        or _explain_variant_rule(position, piece_letter, origin, target, target_letter)
        or _explain_king_attack(position, piece_letter, origin, target)
    )


def _name_piece(letter: str) -> str:
    """Return the name of a piece without its colour: ``knight`` for ``N`` and for ``n``."""
    return make_token(letter).label.partition(" ")[2]


def _name_coloured_piece(letter: str) -> str:
    """Return the name of a piece with its colour: ``black knight`` for ``n``."""
    return make_token(letter).label


def _measure_distance(origin: str, target: str) -> tuple[int, int]:
    """Return the distance from `origin` to `target` in files to the right and ranks up.

    For g1 to h3 it is ``(1, 2)``. Distances to the left or down are negative.
    """
    return ord(target[0]) - ord(origin[0]), int(target[1]) - int(origin[1])


def _explain_path(
    position: Position, piece_letter: str, origin: str, target: str, target_letter: str | None
) -> Hindrance | None:
    """Return the reason why a piece cannot move like that or is blocked, or None if it can reach the target.

    Checks on its own king are not considered.

    Args:
        position: The position before the move.
        piece_letter: The letter of the piece, such as ``N`` or ``n``.
        origin: The square of the piece.
        target: The square to reach.
        target_letter: The letter of the piece on the target, or None if it is empty.
    """
    kind = piece_letter.upper()
    if kind == "P":
        return _explain_pawn_path(position, piece_letter, origin, target, target_letter)

    files_right, ranks_up = _measure_distance(origin, target)
    distance = max(abs(files_right), abs(ranks_up))
    impossible_path = move_errors.cannot_move_like_that(_name_piece(piece_letter), origin, target)
    if kind == "N":
        return None if sorted((abs(files_right), abs(ranks_up))) == [1, 2] else impossible_path

    moves_straight = kind in "KQR" and 0 in (files_right, ranks_up)
    moves_diagonally = kind in "KQB" and abs(files_right) == abs(ranks_up)
    if distance == 0 or not (moves_straight or moves_diagonally):
        return impossible_path
    if kind == "K":
        return None if distance == 1 else impossible_path
    return _explain_blocking_piece(position, piece_letter, origin, target)


def _explain_blocking_piece(
    position: Position, piece_letter: str, origin: str, target: str
) -> Hindrance | None:
    """Return the reason that a piece stands in the way of a rook, bishop, queen or pawn, or None.

    The two squares are on one rank, file or diagonal. The first piece between them is named. `piece_letter`
    is that of the piece that should move.
    """
    files_right, ranks_up = _measure_distance(origin, target)
    distance = max(abs(files_right), abs(ranks_up))
    # Each step goes by −1, 0 or 1 file and rank.
    file_step, rank_step = files_right // distance, ranks_up // distance
    for step in range(1, distance):
        file = chr(ord(origin[0]) + file_step * step)
        rank = int(origin[1]) + rank_step * step
        square = f"{file}{rank}"
        blocker = position.piece_at(square)
        if blocker is not None:
            return move_errors.path_blocked(_name_piece(piece_letter), origin, _name_piece(blocker), square)
    return None


def _explain_pawn_path(
    position: Position, piece_letter: str, origin: str, target: str, target_letter: str | None
) -> Hindrance | None:
    """Return the reason why a pawn cannot reach a target, or None if it can.

    `piece_letter` is ``P`` or ``p``, and `target_letter` that of the piece on the target, or None. Checks on
    the own king are not considered.
    """
    files_right, ranks_up = _measure_distance(origin, target)
    ahead = -ranks_up if piece_letter.islower() else ranks_up
    # White's pawns on rank 1, which only Horde has, may move two squares as well.
    white_start_ranks = "12" if position.rules == HORDE else "2"
    may_step_twice = origin[1] in ("7" if piece_letter == "p" else white_start_ranks)

    if abs(files_right) == 1 and ahead == 1:
        if target_letter is not None or target == position.ep:
            return None
        return Hindrance("move.capture", f"a pawn goes sideways only to capture, and {target} is empty")
    is_step_ahead = files_right == 0 and (ahead == 1 or (ahead == 2 and may_step_twice))
    if not is_step_ahead:
        return move_errors.cannot_move_like_that("pawn", origin, target)
    blocked = _explain_blocking_piece(position, piece_letter, origin, target)
    if blocked is None and target_letter is not None:
        return move_errors.path_blocked("pawn", origin, _name_piece(target_letter), target)
    return blocked


def _explain_variant_rule(
    position: Position, piece_letter: str, origin: str, target: str, target_letter: str | None
) -> Hindrance | None:
    """Return the reason why the rules of a variant forbid a move that standard chess would allow, or None.

    These rules are forced captures (antichess), explosions of the own king (atomic) and checks (Racing
    Kings). `piece_letter` is that of the moved piece, and `target_letter` that of the piece on the target, or
    None.
    """
    traits = VARIANT_TABLE[position.rules].traits
    name = _name_piece(piece_letter)
    is_en_passant = piece_letter in "Pp" and origin[0] != target[0]
    captures = target_letter is not None or is_en_passant
    if traits & MUST_CAPTURE and not captures:
        # If a capture is possible, all legal moves are captures.
        capture = legal_moves(position)[0]
        message = f"a capture is possible, such as {write_san(position, capture)}, and must be made"
        return Hindrance("move.forced", message, (capture.target,))
    if traits & EXPLODES and captures and _explodes_own_king(position, origin, target):
        return Hindrance(
            "move.explosion", f"the mover's own king would explode with the capture on {target}", (target,)
        )
    if traits & RACE and not _list_attackers(edit.move_piece(position, origin, target)):
        return Hindrance(
            "move.gives_check",
            f"the {name} on {target} would give or uncover check, which this variant forbids",
        )
    return None


def _explodes_own_king(position: Position, origin: str, target: str) -> bool:
    """Return whether a capture on `target` explodes the mover's own king (atomic chess).

    This is so if the king makes the capture, or stands next to the target. `origin` is the square of the
    capturing piece.
    """
    king_square = _find_king(position)
    if not king_square:
        return False
    files_right, ranks_up = _measure_distance(king_square, target)
    is_adjacent = max(abs(files_right), abs(ranks_up)) == 1
    return king_square == origin or is_adjacent


def _explain_king_attack(position: Position, piece_letter: str, origin: str, target: str) -> Hindrance:
    """Return the reason that the mover's own king would be attacked after a move, with the attackers.

    If no attacker is found, the reason is a general message. `piece_letter` is that of the moved piece.
    """
    after = edit.move_piece(position, origin, target)
    if piece_letter in "Pp" and target == position.ep and origin[0] != target[0]:
        # An en-passant capture also removes the pawn beside the origin.
        after = edit.place_piece(after, f"{target[0]}{origin[1]}", None)
    attackers = _list_attackers(after)
    king_square = _find_king(after)
    if not attackers or not king_square:
        return Hindrance(
            "move.illegal", f"the {_name_piece(piece_letter)} cannot legally move from {origin} to {target}"
        )
    was_in_check = bool(find_checkers(position))
    return move_errors.king_attacked(
        _name_piece(piece_letter), origin, ("king", king_square), attackers, before=was_in_check
    )


def _list_attackers(position: Position) -> list[tuple[str, str]]:
    """Return the name and the square, such as ``("rook", "e1")``, of each piece that gives check."""
    squares = [SQUARES[number] for number in list_squares(find_checkers(position))]
    return [(_name_piece(position.piece_at(square) or "P"), square) for square in squares]


def _find_king(position: Position) -> str:
    """Return the square of the king of the side to move, or an empty string if there is none."""
    letter = "k" if position.black_to_move else "K"
    return next((square for square in SQUARES if position.piece_at(square) == letter), "")


# --- castling and drops -----------------------------------------------------------------------------


def _is_castling(position: Position, origin: str, target: str, target_letter: str | None) -> bool:
    """Return whether a king's move means castling: onto an own rook, or over several files of the back rank.

    `target_letter` is the letter of the piece on the target, or None.
    """
    own_rook, back_rank = ("r", "8") if position.black_to_move else ("R", "1")
    if target_letter == own_rook:
        return True
    files_right, ranks_up = _measure_distance(origin, target)
    return ranks_up == 0 and abs(files_right) > 1 and origin[1] == back_rank


def _explain_castling(position: Position, *, king_side: bool) -> Hindrance:
    """Return the reason why the side to move cannot castle on the king side or the queen side.

    The conditions are examined in this order: the variant, the king, check, the right to castle, the empty
    squares, and attacks on the squares that the king passes.
    """
    if VARIANT_TABLE[position.rules].traits & NO_CASTLING:
        return Hindrance("move.castling", "this variant has no castling")
    king_square = _find_king(position)
    attackers = _list_attackers(position)
    if not king_square:
        return Hindrance("move.castling", "the side to move has no king to castle with")
    if attackers:
        name, square = attackers[0]
        message = f"the king on {king_square} is in check from the {name} on {square}, so it may not castle"
        return Hindrance("move.castling", message, (square,))

    wing = "king's" if king_side else "queen's"
    rook_square = _find_castling_rook(position, king_square, king_side=king_side)
    if rook_square is None:
        return Hindrance("move.castling", f"the right to castle on the {wing} side is lost")
    return _explain_castling_path(position, king_square, rook_square, king_side=king_side) or Hindrance(
        "move.castling", f"the king may not castle on the {wing} side now"
    )


def _find_castling_rook(position: Position, king_square: str, *, king_side: bool) -> str | None:
    """Return the square of the rook with which the king may castle on one side, or None if there is none.

    `king_square` is the square of the king. Only the castling rights are examined.
    """
    for number in list_squares(position.rights):
        is_on_same_rank = SQUARES[number][1] == king_square[1]
        is_right_of_king = number > SQUARE_NUMBER[king_square]
        if is_on_same_rank and is_right_of_king == king_side:
            return SQUARES[number]
    return None


def _explain_castling_path(
    position: Position, king_square: str, rook_square: str, *, king_side: bool
) -> Hindrance | None:
    """Return the reason that a piece is in the way of castling, or attacks a square that the king passes.

    `king_square` and `rook_square` are the squares of king and rook. Return None if there is no such piece.
    """
    king_target, rook_target = ("g", "f") if king_side else ("c", "d")
    king_number, rook_number = SQUARE_NUMBER[king_square], SQUARE_NUMBER[rook_square]
    king_path = _list_squares_between(king_number, SQUARE_NUMBER[f"{king_target}{king_square[1]}"])
    rook_path = _list_squares_between(rook_number, SQUARE_NUMBER[f"{rook_target}{king_square[1]}"])
    needed_squares = king_path | rook_path | _list_squares_between(king_number, rook_number)

    for number in sorted(needed_squares - {king_number, rook_number}):
        blocker = position.piece_at(SQUARES[number])
        if blocker is not None:
            return move_errors.path_blocked(
                "castling king", king_square, _name_piece(blocker), SQUARES[number]
            )
    for number in sorted(king_path - {king_number}):
        attackers = _list_attackers(edit.move_piece(position, king_square, SQUARES[number]))
        if attackers:
            name, square = attackers[0]
            message = f"the king would pass {SQUARES[number]}, which the {name} on {square} attacks"
            return Hindrance("move.castling", message, (square,))
    return None


def _list_squares_between(square: int, other_square: int) -> set[int]:
    """Return the numbers of the squares from one square of a rank to another, both included."""
    return set(range(min(square, other_square), max(square, other_square) + 1))


def _explain_drop(position: Position, origin: str, target: str) -> Hindrance | None:
    """Return the reason why a piece in hand cannot be dropped on a square, or None if it can.

    `origin` is the piece in hand, such as ``N@`` for White's knights or ``n@`` for Black's.
    """
    letter = origin.removesuffix("@")
    if position.rules != CRAZYHOUSE or letter.upper() not in tuple(_PIECE_LETTERS):
        return move_errors.no_such_place(origin)
    if letter.islower() != bool(position.black_to_move):
        return Hindrance("move.other", f"{_SIDE_NAMES[letter.islower()]} is not to move")
    kind = letter.lower()
    if any(move.drop == kind and move.target == target for move in legal_moves(position)):
        return None
    if letter not in position.pockets:
        return Hindrance("move.empty", f"there is no {_name_coloured_piece(letter)} in hand")
    target_piece = position.piece_at(target)
    if target_piece is not None:
        occupant = _name_coloured_piece(target_piece)
        message = f"a piece in hand goes to an empty square only, and the {occupant} is on {target}"
        return Hindrance("move.hand", message, (target,))
    if kind == "p" and target[1] in "18":
        return Hindrance("move.hand", "a pawn may not be dropped on the first or last rank")
    attackers, king_square = _list_attackers(position), _find_king(position)
    return move_errors.king_attacked(
        _name_piece(letter), origin, ("king", king_square), attackers, before=True
    )
