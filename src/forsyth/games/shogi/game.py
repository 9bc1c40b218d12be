"""Shogi: its sheet of data and its Western notation of moves (docs/spec/shogi.md).

The texts of positions are SFEN. Moves are written in Western notation (``P-7f``, ``Bx3c+``, ``G6i-5h``,
``P*5e``). They are read in Western notation or USI (``7g7f``, ``8h2b+``, ``P*5e``). In Western notation, the
reader also accepts an origin that is not needed, a missing ``-``, ``-`` for ``x`` and ``x`` for ``-``, a
missing ``=``, ranks as digits, and ``'`` for ``*``. The rules about impasse are not applied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from forsyth.games.shogi.look import LOOK
from forsyth.kit.game import GridGame, GridMove, GridPosition, Rules
from forsyth.kit.movement import Leap, Line, Zone, leaps, lines
from forsyth.kit.sheet import Kind, Sheet, Side

_FILES: Final = "987654321"
_RANKS: Final = tuple("abcdefghi")

# --- the sheet --------------------------------------------------------------------------------------

_GOLD: Final = (*leaps(0, 1), Leap(1, 1), Leap(-1, 1))
_SILVER: Final = (*leaps(1, 1), Leap(0, 1))
_KNIGHT: Final = (Leap(1, 2), Leap(-1, 2))
_ROOK: Final = lines(0, 1)
_BISHOP: Final = lines(1, 1)
_HANDICAP: Final = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
_CAMP: Final = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"

SHEET: Final = Sheet(
    name="shogi",
    title="Shogi",
    start=f"{_CAMP} b - 1",
    files=_FILES,
    ranks=_RANKS,
    kinds=(
        Kind("K", "king", (*leaps(0, 1), *leaps(1, 1)), 0, 2, royal=True),
        Kind("R", "rook", _ROOK, 10, 2, promotes="+R"),
        Kind("B", "bishop", _BISHOP, 8, 2, promotes="+B"),
        Kind("G", "gold", _GOLD, 6, 4),
        Kind("S", "silver", _SILVER, 5, 4, promotes="+S"),
        Kind("N", "knight", _KNIGHT, 4, 4, promotes="+N"),
        Kind("L", "lance", (Line(0, 1),), 3, 4, promotes="+L"),
        Kind("P", "pawn", (Leap(0, 1),), 1, 18, promotes="+P", one_per_file=True, drop_mates=False),
        Kind("+R", "dragon", (*_ROOK, *leaps(1, 1)), 12),
        Kind("+B", "horse", (*_BISHOP, *leaps(0, 1)), 10),
        Kind("+S", "promoted silver", _GOLD, 6),
        Kind("+N", "promoted knight", _GOLD, 6),
        Kind("+L", "promoted lance", _GOLD, 6),
        Kind("+P", "tokin", _GOLD, 6),
    ),
    sides=(Side("b", "Black", "Sente"), Side("w", "White", "Gote")),
    look=LOOK,
    fields=("board", "side", "hands", "full"),
    short_counts=(3,),
    counts_plies=True,
    zones={"camp": Zone(_FILES, ("a", "b", "c"))},
    promotion="camp",
    king_optional=True,
    repetitions=4,
    not_judged=("impasse (jishogi)",),
    names={
        "empty": "9/9/9/9/9/9/9/9/9 b - 1",
        "midgame": "lnsgk1snl/6g2/p1ppppb1p/6R2/9/1rP6/P2PPPP1P/1BG6/LNS1KGSNL b 3P2p 17",
        "endgame": "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 121",
        "lance": f"lnsgkgsn1/1r5b1/{_HANDICAP}",
        "bishop": f"lnsgkgsnl/1r7/{_HANDICAP}",
        "rook": f"lnsgkgsnl/7b1/{_HANDICAP}",
        "rook-lance": f"lnsgkgsn1/7b1/{_HANDICAP}",
        "two-piece": f"lnsgkgsnl/9/{_HANDICAP}",
        "four-piece": f"1nsgkgsn1/9/{_HANDICAP}",
        "six-piece": f"2sgkgs2/9/{_HANDICAP}",
        "eight-piece": f"3gkg3/9/{_HANDICAP}",
        "ten-piece": f"4k4/9/{_HANDICAP}",
    },
    examples={
        "Bishops exchanged": "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5",
        "A mate problem": "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
        "Hands in another order": "4k4/9/9/9/9/9/9/9/4K4 b 1pPPR 1",
        "Several mistakes": f"{_CAMP.replace('/9/9/', '/45/9+/')} x K 0",
        "Two pawns on a file": "4k4/9/9/9/4P4/9/4P4/9/4K4 b - 1",
    },
    side_aliases={"sente": "b", "gote": "w"},
)

# --- Western notation -------------------------------------------------------------------------------

_PATTERN: Final = r"\+?[KRBGSNLP](?:[1-9][a-i1-9])?[-x*']?[1-9][a-i1-9][+=]?"
_PARTS: Final = re.compile(
    r"(?P<letter>\+?[KRBGSNLP])(?P<origin>[1-9][a-i1-9])?(?P<sign>[-x*']?)"
    r"(?P<target>[1-9][a-i1-9])(?P<promotion>[+=]?)"
)
"""The parts of a move in Western notation."""
_DROP_SIGNS: Final = ("*", "'")


def write_western(position: GridPosition, move: GridMove) -> str:
    """Return a legal move in Western notation, such as ``P-7f``, ``G6i-5h``, ``S-3c=`` or ``P*5e``."""
    if move.drops:
        return position.game.coordinates.write_move(move)
    square_names = SHEET.squares
    letter = _get_piece_letter(position, move.origin)
    origin = square_names[move.origin] if _needs_origin(position, move) else ""
    is_capture = bool(position.board[move.target])
    sign = "x" if is_capture else "-"
    target = square_names[move.target]
    return f"{letter}{origin}{sign}{target}{_choose_promotion_sign(position, move)}"


def _choose_promotion_sign(position: GridPosition, move: GridMove) -> str:
    """Return ``+`` if a move promotes, ``=`` if it could promote but does not, else an empty string."""
    if move.promotes:
        return "+"
    return "=" if _can_promote(position, move) else ""


def _get_piece_letter(position: GridPosition, square: int) -> str:
    """Return the letter of the piece on a square as a capital, such as ``P`` or ``+P``."""
    return SHEET.kind_of(position.board[square]).letter


def _needs_origin(position: GridPosition, move: GridMove) -> bool:
    """Return True if another piece of the same kind has a legal move to the same square.

    The move in Western notation must then name the square from which the piece comes: ``G6i-5h``.
    """
    board = position.board
    piece = board[move.origin]
    if board.count(piece) == 1:
        return False
    moves_to_target = [other for other in position.moves() if other.target == move.target]
    other_origins = [
        other.origin for other in moves_to_target if not other.drops and other.origin != move.origin
    ]
    return any(board[origin] == piece for origin in other_origins)


@cache
def _find_promotion_zone(side: int) -> frozenset[int]:
    """Return the numbers of the squares on which the pieces of a side promote.

    `side` is 0 for Black and 1 for White.
    """
    promotion_zone = SHEET.zones[SHEET.promotion]
    return SHEET.grid.zone_squares(promotion_zone, side)


def _can_promote(position: GridPosition, move: GridMove) -> bool:
    """Return True if the piece of a move can promote.

    Its kind must have a promoted form, and the move must begin or end in the promotion zone.
    """
    zone = _find_promotion_zone(position.turn)
    kind = SHEET.kind_of(position.board[move.origin])
    has_promoted_form = bool(kind.promotes)
    touches_zone = move.origin in zone or move.target in zone
    return has_promoted_form and touches_zone


def read_western(position: GridPosition, text: str) -> Iterable[GridMove]:
    """Return the legal moves that a text in Western notation, such as ``P-7f`` or ``P*5e``, stands for.

    There is no such move if the text is wrong, and there are several if it is ambiguous.
    """
    return match_western(position, text, position.moves())


def match_western(position: GridPosition, text: str, moves: Iterable[GridMove]) -> Iterable[GridMove]:
    """Yield those of `moves`, legal or not, that a text in Western notation, such as ``P-7f``, stands for.

    A text without an origin matches moves from any square. A text without ``+`` matches only moves without
    promotion.
    """
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return
    target = _parse_square(parts["target"] or "")
    is_drop = parts["sign"] in _DROP_SIGNS
    matches = _matches_drop if is_drop else _matches_board_move
    for move in moves:
        has_same_target = move.target == target and bool(move.drops) == is_drop
        if has_same_target and matches(position, move, parts):
            yield move


def _matches_drop(position: GridPosition, move: GridMove, parts: re.Match[str]) -> bool:
    """Return True if a text names the piece that `move` drops: ``P`` in ``P*5e``.

    `parts` are the parts of the text, as `_PARTS` matches them. A text with an origin or a promotion names no
    drop. The target is not compared.
    """
    return move.drops == parts["letter"] and not parts["origin"] and not parts["promotion"]


def _matches_board_move(position: GridPosition, move: GridMove, parts: re.Match[str]) -> bool:
    """Return True if a text fits a move that is not a drop, such as ``G6i-5h``.

    `parts` are the parts of the text, as `_PARTS` matches them. The piece, the origin if the text has one,
    and the promotion are compared. The target is not compared.
    """
    if _get_piece_letter(position, move.origin) != parts["letter"]:
        return False
    origin = _parse_square(parts["origin"] or "")
    if origin is not None and origin != move.origin:
        return False
    if parts["promotion"] == "=":
        return not move.promotes and _can_promote(position, move)
    return move.promotes == (parts["promotion"] == "+")


def _parse_square(name: str) -> int | None:
    """Return the number of a square such as ``7f`` or ``76``, or None if `name` is empty."""
    if not name:
        return None
    file = name[0]
    rank = name[1]
    # Ranks are letters. A digit counts them from 1.
    rank_letter = _RANKS[int(rank) - 1] if rank.isdigit() else rank
    return SHEET.square_number[f"{file}{rank_letter}"]


GAME: Final = GridGame(
    SHEET,
    Rules(
        move_pattern=_PATTERN,
        write_move=write_western,
        read_move=read_western,
        match_moves=match_western,
    ),
)
