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
from forsyth.kit.notation.board_field import places_of
from forsyth.kit.sheet import Sheet

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


def check(position: GridPosition, text: str | None) -> tuple[Diagnostic, ...]:
    """Every finding about a position, placed in a text, or in its canonical one."""
    found = list(faults(position))
    if not found:
        return ()
    sheet = position.game.sheet
    text = str(position) if text is None else text
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
    yield from counted(position)
    yield from _misplaced(position)
    yield from _files(position)
    yield from _checks(position)


def counted(position: GridPosition) -> Iterator[Fault]:
    """What is wrong with the numbers of its men."""
    yield from _kings(position)
    yield from _too_many(position)


def _squares(board: bytes, man: int) -> list[int]:
    found = []
    square = board.find(man)
    while square >= 0:
        found.append(square)
        square = board.find(man, square + 1)
    return found


def _kings(position: GridPosition) -> Iterator[Fault]:
    sheet = position.game.sheet
    royal = sheet.royal
    if royal is None:
        return
    for king in sheet.kings:
        count = position.board.count(king)
        if count == 1:
            continue
        name = sheet.sides[sheet.side_of(king)].name
        if count == 0:
            yield Fault("king.missing", f"{name} has no {royal.name}")
        else:
            message = f"{name} has {count} {royal.plural}, expected 1"
            yield Fault("king.many", message, _squares(position.board, king)[1])


def _too_many(position: GridPosition) -> Iterator[Fault]:
    """Men of each kind, promoted ones counted; of each side, or of both where captured men change sides."""
    sheet, board, hands = position.game.sheet, position.board, position.hands
    grouped = board.translate(sheet.group_numbers)
    for number, group in enumerate(sheet.groups, 1):
        count = grouped.count(number)
        for at in group.hands:
            count += hands[at]
        if count <= group.kind.most:
            continue
        who = "there are" if sheet.has_hands else f"{sheet.sides[sheet.side_of(group.men[0])].name} has"
        placed = sorted(square for man in group.men for square in _squares(board, man))
        extra = placed[group.kind.most] if len(placed) > group.kind.most else None
        names = f"{count} {group.kind.plural}, expected at most {group.kind.most}"
        yield Fault("men.many", f"{who} {names}", extra, in_hand=extra is None)


def _misplaced(position: GridPosition) -> Iterator[Fault]:
    board, sheet = position.board, position.game.sheet
    if sheet.well_placed.fullmatch(board):
        return
    for square, men in enumerate(sheet.places):
        man = board[square]
        if not men >> man & 1:
            side, kind = sheet.sides[sheet.side_of(man)].name, sheet.kind_of(man).name
            yield Fault("man.place", f"{side}'s {kind} cannot be on {sheet.squares[square]}", square)


def _files(position: GridPosition) -> Iterator[Fault]:
    sheet = position.game.sheet
    width = len(sheet.files)
    full = (1 << width) - 1
    for man, bits in sheet.one_per_file_bits:
        men = int(position.board.translate(bits), 2)
        # The remainder is the sum of the ranks: two on a file make a carry, and each carry loses a bit.
        if not men or (men % full or full).bit_count() == men.bit_count():
            continue
        squares = _squares(position.board, man)
        columns = [square % width for square in squares]
        side, plural = sheet.sides[sheet.side_of(man)].name, sheet.kind_of(man).plural
        for column, file in enumerate(sheet.files):
            count = columns.count(column)
            if count > 1:
                second = [square for square in squares if square % width == column][1]
                message = f"{side} has {count} {plural} on file {file}, expected at most 1"
                yield Fault("man.file", message, second)


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
