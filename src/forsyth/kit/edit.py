"""Editing a position on a grid: place, move and remove pieces on squares and in hands, and set fields.

A *place* is a square (``e4``) or, in games with hands, the pieces of one kind in a hand (``P*`` for the first
side's pawns, ``p*`` for the second side's). Pieces are named by their letters. Each edit of a hand adds or
removes one piece, and a promoted piece is unpromoted in a hand. The edited position can be illegal, but it
can always be written as text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from forsyth.arguments import quoted, require_text
from forsyth.game import Field
from forsyth.game_values import require_one_word
from forsyth.kit.sheet import MAX_IN_HAND, SIDES, Sheet

if TYPE_CHECKING:
    from forsyth.kit.position import GridPosition

_IN_HAND: Final = "*"
"""The end of the name of a place in a hand."""
_NO_PIECE: Final = 0
"""The number of an empty square."""
_LABELS: Final = {
    "side": "Side to move",
    "hands": "In hand",
    "half": "Half-move clock",
    "full": "Move number",
}
"""What people read before the value of each field that can be edited."""


def name_hand_place(letter: str) -> str:
    """Return the name of the place in a hand for the pieces with a letter: ``P*`` for ``P``."""
    return f"{letter}{_IN_HAND}"


def list_hand_pieces(sheet: Sheet, side: int) -> list[int]:
    """Return the piece numbers that a side (0 or 1) can have in hand, in the order of a text.

    Kings and promoted pieces are never in hand. The list is empty in games without hands. `sheet` is the data
    of the game.
    """
    first_piece = 1 + side * len(sheet.kinds)
    return [first_piece + kind for kind in sheet.hand_kinds]


def place_piece(position: GridPosition, place: str, letter: str | None) -> GridPosition:
    """Return the position with a piece placed on a square, or added to a hand.

    Args:
        position: The position to edit.
        place: The square, or a place in a hand such as ``P*``.
        letter: The letter of the piece. None empties the square, or removes one piece from the hand.

    Raises:
        ValueError: If there is no such place or piece, or if the piece does not fit into the hand.
    """
    piece = _NO_PIECE if letter is None else _parse_piece_letter(position.game.sheet, letter)
    hand_piece = _find_hand_piece(position, place)
    if hand_piece != _NO_PIECE:
        return _change_hand(position, hand_piece, piece)
    board = bytearray(position.board)
    board[position.game.square(place)] = piece
    return replace(position, board=bytes(board))


def _parse_piece_letter(sheet: Sheet, letter: object) -> int:
    """Return the piece number of a letter such as ``P`` or ``+p``. Raise `ValueError` if there is none."""
    if isinstance(letter, str) and letter in sheet.piece_number:
        return sheet.piece_number[letter]
    expected = f"one of {sheet.unpromoted_letters}"
    promoted_letters = "".join(letters[1] for letters in sheet.letters if letters.startswith("+"))
    if promoted_letters:
        expected += f", or + before one of {promoted_letters}"
    raise ValueError(f"{quoted(letter)} is not a piece of {sheet.name}, expected {expected}")


def _find_hand_piece(position: GridPosition, place: object) -> int:
    """Return the piece number for a place in a hand, such as the number of ``P`` for ``P*``.

    Return 0 if `place` is not a place in a hand.
    """
    sheet = position.game.sheet
    if not isinstance(place, str) or not place.endswith(_IN_HAND):
        return _NO_PIECE
    piece = sheet.piece_number.get(place.removesuffix(_IN_HAND), _NO_PIECE)
    can_be_in_hand = any(piece in list_hand_pieces(sheet, side) for side in SIDES)
    return piece if can_be_in_hand else _NO_PIECE


def _change_hand(position: GridPosition, hand_piece: int, piece: int) -> GridPosition:
    """Return the position with one piece more or less in a hand. A hand without the piece stays the same.

    Args:
        position: The position to edit.
        hand_piece: The piece whose number in hand changes.
        piece: The piece to add, promoted or not; 0 to remove one.

    Raises:
        ValueError: If `piece` is not a `hand_piece` once it is unpromoted, or if the hand is full.
    """
    sheet = position.game.sheet
    plural = sheet.kind_of(hand_piece).plural
    if piece != _NO_PIECE and sheet.unpromote(piece) != hand_piece:
        owner = sheet.sides[sheet.side_of(hand_piece)].name
        raise ValueError(
            f"the place {name_hand_place(sheet.letters[hand_piece])} holds only {owner}'s {plural}, "
            f"not {sheet.letters[piece]}"
        )
    hands = bytearray(position.hands)
    old_count = hands[hand_piece - 1]
    new_count = max(old_count - 1, 0) if piece == _NO_PIECE else old_count + 1
    if new_count > MAX_IN_HAND:
        raise ValueError(f"there are {MAX_IN_HAND} {plural} in hand already, which is the maximum")
    hands[hand_piece - 1] = new_count
    return replace(position, hands=bytes(hands))


def move_piece(position: GridPosition, source: str, target: str) -> GridPosition:
    """Return the position with a piece moved from one place to another, as in setting up a board.

    The rules of movement are not applied. Raise `ValueError` if `source` is empty or a place does not exist.

    Args:
        position: The position to edit.
        source: The square of the piece, or a place in a hand such as ``P*``.
        target: The square or place in a hand that the piece goes to.
    """
    piece = _find_piece_in_place(position, source)
    if piece == _NO_PIECE:
        raise ValueError(f"nothing is on {source}, so nothing can be moved from there")
    if source == target:
        return position
    position_without_piece = place_piece(position, source, None)
    return place_piece(position_without_piece, target, position.game.sheet.letters[piece])


def _find_piece_in_place(position: GridPosition, place: str) -> int:
    """Return the number of the piece on a square or in a hand, or 0 if there is none.

    `place` is a square, or a place in a hand such as ``P*``. Raise `ValueError` if there is no such place.
    """
    hand_piece = _find_hand_piece(position, place)
    if hand_piece == _NO_PIECE:
        return position.board[position.game.square(place)]
    is_in_hand = position.hands[hand_piece - 1] > 0
    return hand_piece if is_in_hand else _NO_PIECE


def list_fields(position: GridPosition) -> tuple[Field, ...]:
    """Return the fields of a position that can be edited as text: side to move, hands and clocks.

    Each field has its name, a label for people, its value, and the kind of input that it needs.
    """
    sheet = position.game.sheet
    values = str(position).split(" ")
    fields = []
    for name, value in zip(sheet.fields, values, strict=True):
        if name == "side":
            choices = tuple((side.letter, side.name) for side in sheet.sides)
            fields.append(Field(name, _LABELS[name], value, "choice", choices))
        elif name == "hands":
            fields.append(Field(name, _LABELS[name], value, "text"))
        elif name in _LABELS:
            fields.append(Field(name, _LABELS[name], value, "number"))
    return tuple(fields)


def replace_field(position: GridPosition, name: str, value: str) -> GridPosition:
    """Return the position with another value in a field, such as ``b`` in the field ``side``.

    The value is read like the field of a text. Raise `ValueError` if there is no field `name`, or if the
    value cannot be read.
    """
    require_text("the name of a field", name)
    require_text("the value", value)
    game = position.game
    fields = {field.name: field for field in list_fields(position)}
    if name not in fields:
        raise ValueError(f"a position of {game.name} has no field {quoted(name)}; it has {', '.join(fields)}")
    if name == "hands" and not value:
        # Empty hands are written as a hyphen.
        value = "-"
    field = fields[name]
    words = str(position).split(" ")
    field_names: list[str] = list(game.sheet.fields)
    words[field_names.index(field.name)] = require_one_word(field, value)
    reading = game.read(" ".join(words))
    if reading.position is None:
        first_error = reading.errors[0]
        raise ValueError(first_error.message)
    return reading.position
