"""Features and planes of a position on a grid: numbers for tables and for training.

Each plane is written rank by rank as the first side sees the board: the lowest rank first, and in a rank the
left file first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forsyth.column import Feature, Planes
from forsyth.kit.edit import list_hand_pieces
from forsyth.kit.sheet import SIDES, Sheet

if TYPE_CHECKING:
    from forsyth.kit.position import GridPosition

_MAX_BYTE = 255


def list_features(sheet: Sheet) -> tuple[Feature, ...]:
    """Return the name and description of each number that `compute_features` returns, in order.

    `sheet` is the data of the game. A name is, for example, ``red_generals``.
    """
    first, second = (side.name for side in sheet.sides)
    features = [
        Feature("side_to_move", "the side to move", (first, second)),
        Feature("move_number", "the number of the move about to be played"),
    ]
    if "half" in sheet.fields:
        features.append(Feature("half_moves", "plies since the last capture"))
    features += [
        Feature("men", "pieces on the board"),
        Feature("balance", f"{first}'s material minus {second}'s"),
        Feature("checkers", "pieces that give check"),
    ]
    for name in _list_piece_names(sheet):
        features.append(Feature(name, f"{name.replace('_', ' ')} on the board"))
    for name in _list_hand_names(sheet):
        features.append(Feature(name, name.replace("_", " ")))
    return tuple(features)


def _list_piece_names(sheet: Sheet) -> list[str]:
    """Return a name for each kind of piece of each side on the board, such as ``red_generals``."""
    return [_name_pieces(sheet, piece) for piece in range(1, len(sheet.letters))]


def _list_hand_names(sheet: Sheet) -> list[str]:
    """Return a name for each kind of piece that a side can have in hand, such as ``black_pawns_in_hand``."""
    return [
        f"{_name_pieces(sheet, piece)}_in_hand" for side in SIDES for piece in list_hand_pieces(sheet, side)
    ]


def _name_pieces(sheet: Sheet, piece: int) -> str:
    """Return the owner and the plural name of a piece as an identifier, such as ``red_generals``.

    `piece` is a piece number of the game: from 1 on, the first side's kinds before the second side's.
    """
    owner, plural = sheet.sides[sheet.side_of(piece)].name, sheet.kind_of(piece).plural
    return f"{owner} {plural}".lower().replace(" ", "_")


def compute_features(position: GridPosition) -> tuple[int, ...]:
    """Return the features of a position, numbers such as piece counts, in the order of `list_features`.

    The balance of material is the value of the first side's pieces minus that of the second side's, with the
    pieces in hand.
    """
    sheet = position.game.sheet
    board_counts = [position.board.count(piece) for piece in range(1, len(sheet.letters))]
    balance = 0
    for piece, board_count in enumerate(board_counts, start=1):
        hand_count = position.hands[piece - 1] if position.hands else 0
        belongs_to_second_side = sheet.side_of(piece) == 1
        sign = -1 if belongs_to_second_side else 1
        balance += sign * (board_count + hand_count) * sheet.kind_of(piece).value
    half_clock = (position.half,) if "half" in sheet.fields else ()
    checkers = position.game.checkers(position, position.turn)
    return (
        position.turn,
        position.full,
        *half_clock,
        sum(board_counts),
        balance,
        len(checkers),
        *board_counts,
        *_list_hand_counts(position),
    )


def _list_hand_counts(position: GridPosition) -> list[int]:
    """Return the number of pieces in hand of each kind that a side can have, the first side's first."""
    sheet = position.game.sheet
    return [position.hands[piece - 1] for side in SIDES for piece in list_hand_pieces(sheet, side)]


def make_plane_shape(sheet: Sheet) -> Planes:
    """Return the names and the size of the planes that `compute_planes` returns.

    A plane is a grid with one number for each square. There is a plane for each kind of piece of each side,
    each count of pieces in hand, the side to move and each clock.
    """
    clocks = ("half_moves", "move_number") if "half" in sheet.fields else ("move_number",)
    names = (*_list_piece_names(sheet), *_list_hand_names(sheet), "second_to_move", *clocks)
    return Planes(names, len(sheet.ranks), len(sheet.files))


def compute_planes(position: GridPosition) -> bytes:
    """Return all planes of a position, one after the other, with one byte per square.

    The plane of a piece has 1 on its squares and 0 elsewhere. The planes of hand counts, side to move and
    clocks have the same value on all squares. Clocks above 255 become 255. The order is that of
    `make_plane_shape`.
    """
    sheet = position.game.sheet
    width, board = len(sheet.files), position.board
    # Boards begin with the highest rank, planes with the lowest.
    ranks = [board[start : start + width] for start in range(0, len(board), width)]
    lowest_rank_first = b"".join(reversed(ranks))
    piece_planes = [
        bytes(occupant == piece for occupant in lowest_rank_first) for piece in range(1, len(sheet.letters))
    ]
    fill_values = [*_list_hand_counts(position), position.turn]
    if "half" in sheet.fields:
        fill_values.append(min(position.half, _MAX_BYTE))
    fill_values.append(min(position.full, _MAX_BYTE))
    filled_planes = [bytes((fill_value,)) * len(board) for fill_value in fill_values]
    return b"".join([*piece_planes, *filled_planes])
