"""Check the legality of a position on a grid by the data of its sheet.

A position is illegal if

- a side has no king or several;
- there are more pieces of a kind than the game has;
- a piece stands where no piece of its kind can be;
- a file has more pieces of a kind than it may have;
- the kings face each other;
- the side that is not to move is in check.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from forsyth.diagnostics import Diagnostic
from forsyth.findings import Place, Word
from forsyth.kit.notation.board_field import places_of
from forsyth.kit.sheet import Sheet

if TYPE_CHECKING:
    from forsyth.kit.position import GridPosition

_FIELD_PATTERN: Final = re.compile(r"\S+")
"""One field of a text."""


class Fault(NamedTuple):
    """A reason why a position is not legal."""

    code: str
    message: str
    square: int | None = None
    """The number of the square with the piece that is wrong; None if there is no such piece."""
    in_hand: bool = False
    """Whether the fault is about pieces in hand."""


def check_position(position: GridPosition, text: str | None) -> tuple[Diagnostic, ...]:
    """Return a diagnostic (an error or warning) for each reason why a position is not legal.

    Args:
        position: The position.
        text: The text of the position, in which each diagnostic is located. None stands for the canonical
            text.
    """
    faults = list(find_faults(position))
    if not faults:
        return ()
    sheet = position.game.sheet
    text = str(position) if text is None else text
    words = [Word(match.group(), match.start()) for match in _FIELD_PATTERN.finditer(text)]
    piece_places = places_of(sheet, words[0]) if words else {}
    return tuple(_make_diagnostic(position, fault, words, piece_places, text) for fault in faults)


def _make_diagnostic(
    position: GridPosition, fault: Fault, words: list[Word], piece_places: dict[int, Place], text: str
) -> Diagnostic:
    """Return the diagnostic (an error or warning for users) for a fault, with its place in a text.

    The place is that of the piece that is wrong, or else the field with the board or the hands, or else the
    whole text.

    Args:
        position: The position with the fault.
        fault: The fault.
        words: The fields of the text.
        piece_places: The place of each piece in the text, by the number of its square.
        text: The text.
    """
    sheet = position.game.sheet
    field_index = sheet.fields.index("hands" if fault.in_hand else "board")
    place = words[field_index].place if field_index < len(words) else (0, len(text))
    square_name = None
    if fault.square is not None:
        place = piece_places.get(fault.square, place)
        square_name = sheet.squares[fault.square]
    return position.game.book.make_diagnostic(
        fault.code, place, fault.message, field=field_index + 1, square=square_name
    )


def find_faults(position: GridPosition) -> Iterator[Fault]:
    """Yield all reasons why a position is not legal: wrong numbers or squares of pieces, and wrong checks."""
    yield from find_count_faults(position)
    yield from _find_placement_faults(position)
    yield from _find_file_faults(position)
    yield from _find_check_faults(position)


def find_count_faults(position: GridPosition) -> Iterator[Fault]:
    """Yield a fault for each wrong number of pieces: kings that are missing, and too many of a kind."""
    yield from _find_king_faults(position)
    yield from _find_piece_count_faults(position)


def _find_squares(board: bytes, piece: int) -> list[int]:
    """Return the squares of a board on which a piece stands, in ascending order."""
    return [square for square, occupant in enumerate(board) if occupant == piece]


def _find_king_faults(position: GridPosition) -> Iterator[Fault]:
    """Yield a fault for each side that does not have exactly one king, in games with kings."""
    sheet = position.game.sheet
    royal_kind = sheet.royal_kind
    if royal_kind is None:
        return
    for king in sheet.kings:
        count = position.board.count(king)
        if count == 1:
            continue
        side_name = sheet.sides[sheet.side_of(king)].name
        if count == 0:
            yield Fault("king.missing", f"{side_name} has no {royal_kind.name}")
        else:
            second_square = _find_squares(position.board, king)[1]
            message = f"{side_name} has {count} {royal_kind.plural}, expected 1"
            yield Fault("king.many", message, second_square)


def _find_piece_count_faults(position: GridPosition) -> Iterator[Fault]:
    """Yield a fault for each kind with too many pieces, promoted pieces and pieces in hand included.

    The limit is per side, or for both sides together where captured pieces change sides.
    """
    sheet, board, hands = position.game.sheet, position.board, position.hands
    # One pass over the board replaces each piece with the number of the group that limits it.
    group_numbers = board.translate(sheet.group_table)
    for group_number, group in enumerate(sheet.groups, start=1):
        limit = group.kind.max_count
        count = group_numbers.count(group_number)
        for slot in group.hand_slots:
            count += hands[slot]
        if count <= limit:
            continue
        # A group of both sides is named without a side.
        side_name = sheet.sides[sheet.side_of(group.pieces[0])].name
        subject = "there are" if sheet.has_hands else f"{side_name} has"
        message = f"{subject} {count} {group.kind.plural}, expected at most {limit}"
        squares = _find_squares(group_numbers, group_number)
        if len(squares) > limit:
            first_extra_square = squares[limit]
            yield Fault("men.many", message, first_extra_square)
        else:
            yield Fault("men.many", message, in_hand=True)


def _find_placement_faults(position: GridPosition) -> Iterator[Fault]:
    """Yield a fault for each piece on a square where its kind cannot be, such as an advisor on a1."""
    board, sheet = position.board, position.game.sheet
    # Most boards have no such piece. One match is faster than a look at each square.
    if sheet.placement_pattern.fullmatch(board):
        return
    for square, allowed_mask in enumerate(sheet.allowed_pieces):
        piece = board[square]
        is_allowed = (allowed_mask >> piece) & 1
        if is_allowed:
            continue
        side_name, kind_name = sheet.sides[sheet.side_of(piece)].name, sheet.kind_of(piece).name
        message = f"{side_name}'s {kind_name} cannot be on {sheet.squares[square]}"
        yield Fault("man.place", message, square)


def _find_file_faults(position: GridPosition) -> Iterator[Fault]:
    """Yield a fault for each file on which a side has several pieces of a kind that is limited to one.

    In shogi, for example, a side may not have two pawns on one file.
    """
    sheet = position.game.sheet
    width = len(sheet.files)
    for piece, bit_table in sheet.one_per_file_tables:
        board_bits = int(position.board.translate(bit_table), 2)
        if not _has_two_on_a_file(board_bits, width):
            continue
        squares = _find_squares(position.board, piece)
        side_name, plural = sheet.sides[sheet.side_of(piece)].name, sheet.kind_of(piece).plural
        for column, file in enumerate(sheet.files):
            file_squares = [square for square in squares if square % width == column]
            if len(file_squares) > 1:
                message = f"{side_name} has {len(file_squares)} {plural} on file {file}, expected at most 1"
                yield Fault("man.file", message, file_squares[1])


def _has_two_on_a_file(board_bits: int, width: int) -> bool:
    """Return whether two squares of a set are on the same file of a board with `width` files.

    `board_bits` has one bit for each square, rank by rank.
    """
    if board_bits == 0:
        return False
    # Modulo 2 ** width - 1, a number is congruent to the sum of its ranks. If a file has two squares, the sum
    # has a carry, and each carry makes the number of set bits smaller.
    modulus = (1 << width) - 1
    rank_sum = board_bits % modulus or modulus
    return rank_sum.bit_count() != board_bits.bit_count()


def _find_check_faults(position: GridPosition) -> Iterator[Fault]:
    """Yield a fault if the side that is not to move is in check, because its king could be captured at once.

    Kings that face each other on an open file, which some games forbid, have a fault of their own.
    """
    sheet: Sheet = position.game.sheet
    waiting_side = 1 - position.turn
    checkers = position.game.checkers(position, waiting_side)
    facing_kings = [square for square in checkers if sheet.kind_of(position.board[square]).royal]
    if facing_kings and sheet.forbids_facing_kings and sheet.royal_kind is not None:
        message = f"the {sheet.royal_kind.plural} face each other on an open file"
        yield Fault("kings.facing", message, facing_kings[0])
        checkers = [square for square in checkers if square not in facing_kings]
    if checkers:
        side_name, origin = sheet.sides[waiting_side].name, sheet.squares[checkers[0]]
        yield Fault("check.opposite", f"{side_name} is in check from {origin}, but not to move", checkers[0])
