"""The numbers of a position on a grid, for tables (features) and for training (planes).

Planes stand rank by rank as the first side sees them: the lowest rank and the left file first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forsyth.column import Feature, Planes
from forsyth.kit.edit import hand_men
from forsyth.kit.sheet import SIDES, Sheet

if TYPE_CHECKING:
    from forsyth.kit.position import GridPosition


def feature_list(sheet: Sheet) -> tuple[Feature, ...]:
    """What `features` tells, in order."""
    first, second = (side.name for side in sheet.sides)
    half = [Feature("half_moves", "plies since the last capture")] if "half" in sheet.fields else []
    return (
        Feature("side_to_move", "who moves", (first, second)),
        Feature("move_number", "the number of the move about to be played"),
        *half,
        Feature("men", "men on the board"),
        Feature("balance", f"{first}'s material less {second}'s"),
        Feature("checkers", "men that give check"),
        *(Feature(name, f"{name.replace('_', ' ')} on the board") for name in _men_names(sheet)),
        *(Feature(name, name.replace("_", " ")) for name in _held_names(sheet)),
    )


def _men_names(sheet: Sheet) -> list[str]:
    """Names of all men, such as ``red_generals``."""
    return [_name(sheet, man) for man in range(1, len(sheet.letters))]


def _held_names(sheet: Sheet) -> list[str]:
    """Names of all men in hand, such as ``black_pawns_in_hand``."""
    return [f"{_name(sheet, man)}_in_hand" for side in SIDES for man in hand_men(sheet, side)]


def _name(sheet: Sheet, man: int) -> str:
    return f"{sheet.sides[sheet.side_of(man)].name} {sheet.kind_of(man).plural}".lower().replace(" ", "_")


def features(position: GridPosition) -> tuple[int, ...]:
    """The numbers of a position."""
    sheet = position.game.sheet
    counts = [position.board.count(man) for man in range(1, len(sheet.letters))]
    held = [position.hands[man - 1] for side in SIDES for man in hand_men(sheet, side)]
    owned = zip(counts, position.hands or bytes(len(counts)), strict=True)
    balance = sum(
        (count + spare) * sheet.kind_of(man).value * (-1 if sheet.side_of(man) else 1)
        for man, (count, spare) in enumerate(owned, 1)
    )
    return (
        position.turn,
        position.full,
        *((position.half,) if "half" in sheet.fields else ()),
        sum(counts),
        balance,
        len(position.game.checkers(position, position.turn)),
        *counts,
        *held,
    )


def plane_shape(sheet: Sheet) -> Planes:
    """A plane for each man, each number in hand, the side and the clocks."""
    clocks = ("half_moves", "move_number") if "half" in sheet.fields else ("move_number",)
    names = (*_men_names(sheet), *_held_names(sheet), "second_to_move", *clocks)
    return Planes(names, len(sheet.ranks), len(sheet.files))


def planes(position: GridPosition) -> bytes:
    """The position as a tensor of bytes."""
    sheet = position.game.sheet
    width, board = len(sheet.files), position.board
    upright = b"".join(board[at : at + width] for at in range(len(board) - width, -1, -width))
    men = [bytes(there == man for there in upright) for man in range(1, len(sheet.letters))]
    numbers = [position.hands[man - 1] for side in SIDES for man in hand_men(sheet, side)]
    numbers.append(position.turn)
    if "half" in sheet.fields:
        numbers.append(min(position.half, 255))
    numbers.append(min(position.full, 255))
    return b"".join(men) + b"".join(bytes((number,)) * len(board) for number in numbers)
