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
_LABELS: Final = {
    "side": "Side to move",
    "hands": "In hand",
    "half": "Half-move clock",
    "full": "Move number",
}
"""What people read before the value of each field that can be edited."""


def hand_place(letter: str) -> str:
    """Return the name of the place that shows the pieces with a letter in hand, such as ``P*``."""
    return f"{letter}{_IN_HAND}"


def list_hand_pieces(sheet: Sheet, side: int) -> list[int]:
    """Return the piece numbers that a side (0 or 1) can have in hand, in the order of a text.

    Kings and promoted pieces are never in hand.
    """
    return [1 + side * len(sheet.kinds) + kind for kind in sheet.hand_kinds]


def place_piece(position: GridPosition, place: str, letter: str | None) -> GridPosition:
    """Return the position with a piece placed on a square, or added to a hand.

    Args:
        position: The position to edit.
        place: The square, or a place in a hand such as ``P*``.
        letter: The letter of the piece. None empties the square, or removes one piece from the hand.

    Raises:
        ValueError: If there is no such place or piece, or if the piece does not fit into the hand.
    """
    # 0 is an empty square.
    piece = 0 if letter is None else _parse_piece(position.game.sheet, letter)
    hand_piece = _find_hand_piece(position, place)
    if hand_piece:
        return _change_hand(position, hand_piece, piece)
    board = bytearray(position.board)
    board[position.game.square(place)] = piece
    return replace(position, board=bytes(board))


def _parse_piece(sheet: Sheet, letter: object) -> int:
    """Return the piece number of a letter such as ``P`` or ``+p``. Raise `ValueError` if there is none."""
    piece = sheet.piece_number.get(letter, 0) if isinstance(letter, str) else 0
    if not piece:
        promoted = "".join(letters[1] for letters in sheet.letters if len(letters) > 1)
        expected = f"{sheet.unpromoted_letters}{f', or + before one of {promoted}' if promoted else ''}"
        raise ValueError(f"{quoted(letter)} is not a piece of {sheet.name}, expected one of {expected}")
    return piece


def _find_hand_piece(position: GridPosition, place: object) -> int:
    """Return the piece number of a place in a hand such as ``P*``, or 0 if `place` is not one."""
    sheet = position.game.sheet
    if not isinstance(place, str) or not place.endswith(_IN_HAND):
        return 0
    piece = sheet.piece_number.get(place.removesuffix(_IN_HAND), 0)
    return piece if any(piece in list_hand_pieces(sheet, side) for side in SIDES) else 0


def _change_hand(position: GridPosition, hand_piece: int, piece: int) -> GridPosition:
    """Return the position with one piece more or less in a hand.

    Args:
        position: The position to edit.
        hand_piece: The piece whose number in hand changes.
        piece: The piece to add, promoted or not; 0 to remove one.

    Raises:
        ValueError: If `piece` is not a `hand_piece` once it is unpromoted, or if the hand is full.
    """
    sheet = position.game.sheet
    if piece and sheet.unpromote(piece) != hand_piece:
        kinds = sheet.kind_of(hand_piece).plural
        owner = sheet.sides[sheet.side_of(hand_piece)].name
        raise ValueError(
            f"the place {hand_place(sheet.letters[hand_piece])} holds only {owner}'s {kinds}, "
            f"not {sheet.letters[piece]}"
        )
    hands = bytearray(position.hands)
    count = hands[hand_piece - 1] + (1 if piece else -1)
    if count > MAX_IN_HAND:
        raise ValueError(
            f"there are {MAX_IN_HAND} {sheet.kind_of(hand_piece).plural} in hand already, "
            "which is the maximum"
        )
    hands[hand_piece - 1] = max(count, 0)
    return replace(position, hands=bytes(hands))


def move_piece(position: GridPosition, source: str, target: str) -> GridPosition:
    """Return the position with the piece of the place `source` moved to the place `target`.

    The rules of movement are not applied. Raise `ValueError` if `source` is empty or a place does not exist.
    """
    sheet = position.game.sheet
    hand_piece = _find_hand_piece(position, source)
    piece = hand_piece if hand_piece and position.hands[hand_piece - 1] else 0
    if not hand_piece:
        piece = position.board[position.game.square(source)]
    if not piece:
        raise ValueError(f"nothing is on {source}, so nothing can be moved from there")
    if source == target:
        return position
    return place_piece(place_piece(position, source, None), target, sheet.letters[piece])


def list_fields(position: GridPosition) -> tuple[Field, ...]:
    """Return the fields of a position that can be edited as text: side to move, hands and clocks."""
    sheet = position.game.sheet
    values = str(position).split(" ")
    fields = []
    for name, value in zip(sheet.fields, values, strict=True):
        if name == "side":
            choices = tuple((side.letter, side.name) for side in sheet.sides)
            fields.append(Field(name, _LABELS[name], value, "choice", choices))
        elif name in _LABELS:
            fields.append(Field(name, _LABELS[name], value, "text" if name == "hands" else "number"))
    return tuple(fields)


def replace_field(position: GridPosition, name: str, value: str) -> GridPosition:
    """Return the position with another value in the field `name`, read like the field of a text.

    Raise `ValueError` if there is no such field or the value cannot be read.
    """
    require_text("the name of a field", name)
    require_text("the value", value)
    game = position.game
    fields = {field.name: field for field in list_fields(position)}
    if name not in fields:
        raise ValueError(f"a position of {game.name} has no field {quoted(name)}; it has {', '.join(fields)}")
    if name == "hands":
        value = value or "-"
    words = str(position).split(" ")
    word_index = [*game.sheet.fields].index(fields[name].name)  # type: ignore[arg-type]
    words[word_index] = require_one_word(fields[name], value)
    reading = game.read(" ".join(words))
    if reading.position is None:
        raise ValueError(next(finding.message for finding in reading.diagnostics if finding.is_error))
    return reading.position
