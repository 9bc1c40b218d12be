"""Shogi as a sheet of data and its notation of moves (docs/spec/shogi.md).

Texts are SFEN. Moves are written in Western notation (``P-7f``, ``Bx3c+``, ``G6i-5h``, ``P*5e``) and read so
or as USI (``7g7f``, ``8h2b+``, ``P*5e``). Reading Western notation is lax: an origin that is not needed,
``-`` left out, ``-`` and ``x`` exchanged, a missing ``=``, ranks as digits, ``'`` for ``*``.
Impasse is not judged.
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
    short=(3,),
    counts_plies=True,
    zones={"camp": Zone(_FILES, ("a", "b", "c"))},
    promotion="camp",
    kingless=True,
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
    sides_meant={"sente": "b", "gote": "w"},
)

# --- Western notation -------------------------------------------------------------------------------

_PATTERN: Final = r"\+?[KRBGSNLP](?:[1-9][a-i1-9])?[-x*']?[1-9][a-i1-9][+=]?"
_PARTS: Final = re.compile(r"(\+?[KRBGSNLP])([1-9][a-i1-9])?([-x*']?)([1-9][a-i1-9])([+=]?)")
_DROPS: Final = ("*", "'")


def write_western(position: GridPosition, move: GridMove) -> str:
    """A legal move, such as ``P-7f``, ``G6i-5h``, ``S-3c=`` or ``P*5e``."""
    if move.drops:
        return position.game.coordinates.write(move)
    squares = SHEET.squares
    origin = squares[move.origin] if _has_rival(position, move) else ""
    sign = "x" if position.board[move.target] else "-"
    end = "+" if move.promotes else "=" if _may_promote(position, move) else ""
    return f"{_letter(position, move.origin)}{origin}{sign}{squares[move.target]}{end}"


def _letter(position: GridPosition, square: int) -> str:
    return SHEET.kind_of(position.board[square]).letter


def _has_rival(position: GridPosition, move: GridMove) -> bool:
    """Whether another man of the same letter has a legal move to the same square."""
    board, man = position.board, position.board[move.origin]
    if board.count(man) == 1:
        return False
    rivals = (other.origin for other in position.moves() if other.target == move.target and not other.drops)
    return any(board[origin] == man for origin in rivals if origin != move.origin)


@cache
def _promotion_zone(side: int) -> frozenset[int]:
    return SHEET.grid.zone(SHEET.zones[SHEET.promotion], side)


def _may_promote(position: GridPosition, move: GridMove) -> bool:
    zone = _promotion_zone(position.turn)
    promotes = SHEET.kind_of(position.board[move.origin]).promotes
    return bool(promotes) and (move.origin in zone or move.target in zone)


def read_western(position: GridPosition, text: str) -> Iterable[GridMove]:
    """The legal moves that a text may mean."""
    return meant_by_western(position, text, position.moves())


def meant_by_western(position: GridPosition, text: str, moves: Iterable[GridMove]) -> Iterable[GridMove]:
    """Those of some moves that a text may mean."""
    found = _PARTS.fullmatch(text)
    if found is None:
        return
    letter, origin, sign, target, end = found.groups("")
    start, stop = _square(origin), _square(target)
    for move in moves:
        if move.target != stop or bool(move.drops) != (sign in _DROPS):
            continue
        if move.drops:
            if move.drops == letter and not origin and not end:
                yield move
            continue
        if _letter(position, move.origin) != letter or start not in (None, move.origin):
            continue
        if move.promotes == (end == "+") and (end != "=" or _may_promote(position, move)):
            yield move


def _square(name: str) -> int | None:
    """The number of a square whose rank is a letter or a digit; None for no square."""
    if not name:
        return None
    rank = _RANKS[int(name[1]) - 1] if name[1].isdigit() else name[1]
    return SHEET.square_number[f"{name[0]}{rank}"]


GAME: Final = GridGame(SHEET, Rules(_PATTERN, write_western, read_western, meant_by_western))
