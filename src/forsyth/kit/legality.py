"""What makes a position on a grid illegal, as far as the sheet says it; each finding placed in a text.

Kings missing or too many, more men than the game has, men where none of their kind can be, two of a kind on a
file where that is forbidden, kings that face each other, a check against the side that is not to move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from forsyth.diagnostics import Diagnostic
from forsyth.findings import Place, Word
from forsyth.kit.board_field import places_of
from forsyth.kit.sheet import SIDES, Sheet

if TYPE_CHECKING:
    from forsyth.kit.position import GridPosition

_WORD: Final = re.compile(r"\S+")


class Fault(NamedTuple):
    """Something that is wrong with a position."""

    code: str
    message: str
    square: int | None = None
    """The man it is about."""
    in_hand: bool = False
    """Whether it is about men in hand."""


def check(position: GridPosition, text: str) -> tuple[Diagnostic, ...]:
    """Every finding about a position, placed in a text."""
    found = list(faults(position))
    if not found:
        return ()
    sheet = position.game.sheet
    words = [Word(word.group(), word.start()) for word in _WORD.finditer(text)]
    men = places_of(sheet, words[0]) if words else {}
    return tuple(_placed(position, fault, words, men, text) for fault in found)


def _placed(
    position: GridPosition, fault: Fault, words: list[Word], men: dict[int, Place], text: str
) -> Diagnostic:
    sheet = position.game.sheet
    number = sheet.fields.index("hands") if fault.in_hand else 0
    place = words[number].place if number < len(words) else (0, len(text))
    square = None
    if fault.square is not None:
        place = men.get(fault.square, place)
        square = sheet.squares[fault.square]
    return position.game.book.finding(fault.code, place, fault.message, field=number + 1, square=square)


def faults(position: GridPosition) -> Iterator[Fault]:
    """What is wrong with a position."""
    yield from _kings(position)
    yield from _too_many(position)
    places, board, sheet = position.game.sheet.places, position.board, position.game.sheet
    for square, man in enumerate(board):
        if not places[square] >> man & 1:
            side, kind = sheet.sides[sheet.side_of(man)].name, sheet.kind_of(man).name
            yield Fault("man.place", f"{side}'s {kind} cannot be on {sheet.squares[square]}", square)
    yield from _files(position)
    yield from _checks(position)


def _squares(board: bytes, man: int) -> list[int]:
    return [square for square, there in enumerate(board) if there == man]


def _kings(position: GridPosition) -> Iterator[Fault]:
    sheet = position.game.sheet
    royal = sheet.royal
    if royal is None:
        return
    for side in SIDES:
        king = 1 + side * len(sheet.kinds) + sheet.kinds.index(royal)
        count = position.board.count(king)
        name = sheet.sides[side].name
        if count == 0:
            yield Fault("king.missing", f"{name} has no {royal.name}")
        elif count > 1:
            message = f"{name} has {count} {royal.plural}, expected 1"
            yield Fault("king.many", message, _squares(position.board, king)[1])


def _too_many(position: GridPosition) -> Iterator[Fault]:
    """Men of each kind, promoted ones counted; of each side, or of both where captured men change sides."""
    sheet = position.game.sheet
    counts = [position.board.count(man) for man in range(1, len(sheet.letters))]
    for sides in (SIDES,) if sheet.has_hands else ((0,), (1,)):
        for number, kind in enumerate(sheet.kinds):
            if kind.royal or sheet.base_kinds[number] != number:
                continue
            alike = [at for at, base in enumerate(sheet.base_kinds) if base == number]
            men = [1 + side * len(sheet.kinds) + at for side in sides for at in alike]
            count = sum(counts[man - 1] for man in men)
            held = (
                sum(position.hands[side * len(sheet.kinds) + number] for side in sides)
                if position.hands
                else 0
            )
            if count + held <= kind.most:
                continue
            names = f"{count + held} {kind.plural}, expected at most {kind.most}"
            who = "there are" if sheet.has_hands else f"{sheet.sides[sides[0]].name} has"
            placed = sorted(square for man in men for square in _squares(position.board, man))
            extra = placed[kind.most] if len(placed) > kind.most else None
            yield Fault("men.many", f"{who} {names}", extra, in_hand=extra is None)


def _files(position: GridPosition) -> Iterator[Fault]:
    sheet = position.game.sheet
    width = len(sheet.files)
    for number, kind in enumerate(sheet.kinds):
        if not kind.one_per_file:
            continue
        for side in SIDES:
            man = 1 + side * len(sheet.kinds) + number
            for column, file in enumerate(sheet.files):
                count = position.board[column::width].count(man)
                if count > 1:
                    men = f"{count} {kind.plural} on file {file}, expected at most 1"
                    second = _squares(position.board[column::width], man)[1] * width + column
                    yield Fault("man.file", f"{sheet.sides[side].name} has {men}", second)


def _checks(position: GridPosition) -> Iterator[Fault]:
    sheet: Sheet = position.game.sheet
    other = 1 - position.turn
    checkers = position.game.checkers(position, other)
    kings = [square for square in checkers if sheet.kind_of(position.board[square]).royal]
    if kings and sheet.faces and sheet.royal is not None:
        message = f"the {sheet.royal.plural} face each other on an open file"
        yield Fault("kings.facing", message, kings[0])
        checkers = [square for square in checkers if square not in kings]
    if checkers:
        side, origin = sheet.sides[other].name, sheet.squares[checkers[0]]
        yield Fault("check.opposite", f"{side} is in check from {origin}, but not to move", checkers[0])
