"""Editing a position on a grid: men put on squares and into hands, fields set.

Accepts squares (``e4``) and, where there are hands, their places (``P*`` the first side's pawns, ``p*`` the
second's); symbols are the letters of the board. Writes positions that a text can say, legal or not. A hand
gains one man or loses one, and a promoted man gets into it unpromoted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from forsyth.arguments import quoted, require_text
from forsyth.game import Field
from forsyth.game_values import one_word
from forsyth.kit.sheet import MAX_HELD, SIDES, Sheet

if TYPE_CHECKING:
    from forsyth.kit.position import GridPosition

_IN_HAND: Final = "*"
_LABELS: Final = {
    "side": "Side to move",
    "hands": "In hand",
    "half": "Half-move clock",
    "full": "Move number",
}


def hand_place(letter: str) -> str:
    """The place of the scene that shows how many men of a letter are in hand."""
    return f"{letter}{_IN_HAND}"


def hand_men(sheet: Sheet, side: int) -> list[int]:
    """The numbers of the men that a side can have in hand, in the order of a text."""
    return [1 + side * len(sheet.kinds) + kind for kind in sheet.held]


def put(position: GridPosition, square: str, symbol: str | None) -> GridPosition:
    """The position with a man on a square or one more in hand; for None with one less."""
    sheet = position.game.sheet
    man = 0
    if symbol is not None:
        man = sheet.man_number.get(symbol, 0) if isinstance(symbol, str) else 0
        if not man:
            promoted = "".join(letter[1] for letter in sheet.letters if len(letter) > 1)
            expected = f"{sheet.plain_letters}{f', or + before one of {promoted}' if promoted else ''}"
            raise ValueError(f"{quoted(symbol)} is not a man of {sheet.name}, expected one of {expected}")
    held = _held_at(position, square)
    if held:
        return _put_in_hand(position, held, man)
    board = bytearray(position.board)
    board[position.game.square(square)] = man
    return replace(position, board=bytes(board))


def _held_at(position: GridPosition, place: object) -> int:
    """The man whose number in hand a place shows, or 0."""
    sheet = position.game.sheet
    if not isinstance(place, str) or not place.endswith(_IN_HAND):
        return 0
    man = sheet.man_number.get(place.removesuffix(_IN_HAND), 0)
    return man if any(man in hand_men(sheet, side) for side in SIDES) else 0


def _put_in_hand(position: GridPosition, held: int, man: int) -> GridPosition:
    sheet = position.game.sheet
    if man and sheet.unpromoted(man) != held:
        kinds = sheet.kind_of(held).plural
        who = sheet.sides[sheet.side_of(held)].name
        raise ValueError(
            f"{sheet.letters[held]}{_IN_HAND} holds {who}'s {kinds} only, not {sheet.letters[man]}"
        )
    hands = bytearray(position.hands)
    count = hands[held - 1] + (1 if man else -1)
    if count > MAX_HELD:
        raise ValueError(f"a hand holds at most {MAX_HELD} {sheet.kind_of(held).plural}")
    hands[held - 1] = max(count, 0)
    return replace(position, hands=bytes(hands))


def lift(position: GridPosition, source: str, target: str) -> GridPosition:
    """The position with the man of one place on another."""
    sheet = position.game.sheet
    held = _held_at(position, source)
    man = held if held and position.hands[held - 1] else 0
    if not held:
        man = position.board[position.game.square(source)]
    if not man:
        raise ValueError(f"nothing is on {source}")
    if source == target:
        return position
    return put(put(position, source, None), target, sheet.letters[man])


def fields(position: GridPosition) -> tuple[Field, ...]:
    """Everything of a position that is not on the board."""
    sheet = position.game.sheet
    words = str(position).split(" ")
    found = []
    for name, word in zip(sheet.fields, words, strict=True):
        if name == "side":
            choices = tuple((side.letter, side.name) for side in sheet.sides)
            found.append(Field(name, _LABELS[name], word, "choice", choices))
        elif name in _LABELS:
            found.append(Field(name, _LABELS[name], word, "text" if name == "hands" else "number"))
    return tuple(found)


def with_field(position: GridPosition, name: str, value: str) -> GridPosition:
    """The position with another value in one of its fields, read as a text would be."""
    require_text("the name of a field", name)
    require_text("the value", value)
    game = position.game
    known = {field.name: field for field in fields(position)}
    if name not in known:
        raise ValueError(f"a position of {game.name} has no field {quoted(name)}; it has {', '.join(known)}")
    if name == "hands":
        value = value or "-"
    words = str(position).split(" ")
    words[[*game.sheet.fields].index(known[name].name)] = one_word(known[name], value)  # type: ignore[arg-type]
    reading = game.read(" ".join(words))
    if reading.position is None:
        raise ValueError(next(finding.message for finding in reading.diagnostics if finding.is_error))
    return reading.position
