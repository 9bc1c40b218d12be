"""Ten games for tests of detection, with boards like those of other games."""

from __future__ import annotations

from typing import Any, Final

from forsyth.kit.game import GridGame
from forsyth.kit.movement import Leap, leaps, lines
from forsyth.kit.plain_look import plain_look
from forsyth.kit.sheet import Kind, Sheet, Side

_KING: Final = Kind("K", "king", (*leaps(0, 1), *leaps(1, 1)), max_count=1, royal=True)
_QUEEN: Final = Kind("Q", "queen", (*lines(0, 1), *lines(1, 1)), value=9)
_ROOK: Final = Kind("R", "rook", lines(0, 1), value=5)
_BISHOP: Final = Kind("B", "bishop", lines(1, 1), value=3)
_KNIGHT: Final = Kind("N", "knight", leaps(1, 2), value=3)
_PAWN: Final = Kind("P", "pawn", (Leap(0, 1),), value=1)
_CANNON: Final = Kind("C", "cannon", lines(0, 1), value=4)
_ADVISER: Final = Kind("A", "adviser", leaps(1, 1), value=2)
_CHESS_KINDS: Final = (_KING, _QUEEN, _ROOK, _BISHOP, _KNIGHT, _PAWN)


def _make_game(name: str, start: str, kinds: tuple[Kind, ...], **changes: Any) -> GridGame:
    """Return a game whose board has the width and height of the board in `start`."""
    height = start.partition(" ")[0].count("/") + 1
    width = changes.pop("width", 8)
    sheet = Sheet(
        name=name,
        title=name.title(),
        start=start,
        files="abcdefghij"[:width],
        ranks=tuple(str(rank) for rank in range(height, 0, -1)),
        kinds=kinds,
        sides=(Side("w", "White"), Side("b", "Black")),
        look=plain_look((kind.letter for kind in kinds), ("White", "Black")),
        **changes,
    )
    return GridGame(sheet)


_BACK: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
_CANNON_BACK: Final = "rcbqkbcr/pppppppp/8/8/8/8/PPPPPPPP/RCBQKBCR"
_ADVISER_BACK: Final = "rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR"
_QUEENLESS_BACK: Final = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR"
_NINE_BACK: Final = "rnbqkabnr/9/ppppppppp/9/9/9/PPPPPPPPP/9/RNBQKABNR"
_TALL_BACK: Final = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
_TEN_BACK: Final = "rnbqkqbbnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKQBBNR"
_END: Final = " w - - 0 1"

GAMES: Final = {
    game.name: game
    for game in (
        _make_game("simple", _BACK + _END, _CHESS_KINDS),
        _make_game("cannons", _CANNON_BACK + _END, (*_CHESS_KINDS, _CANNON)),
        _make_game("advisers", _ADVISER_BACK + _END, (*_CHESS_KINDS, _ADVISER)),
        _make_game("short", f"{_BACK} w 1", _CHESS_KINDS, fields=("board", "side", "full")),
        _make_game("noqueens", _QUEENLESS_BACK + _END, (_KING, _ROOK, _BISHOP, _KNIGHT, _PAWN)),
        _make_game("seven", "rnbkbnr/ppppppp/7/7/7/PPPPPPP/RNBKBNR" + _END, _CHESS_KINDS, width=7),
        _make_game("nine", _NINE_BACK + _END, (*_CHESS_KINDS, _ADVISER), width=9),
        _make_game("tall", _TALL_BACK + _END, (*_CHESS_KINDS, _CANNON, _ADVISER), width=9),
        _make_game("ten", _TEN_BACK + _END, _CHESS_KINDS, width=10),
        _make_game("pawns", "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3" + _END, (_KING, _PAWN)),
    )
}
"""The games by name. ``simple`` is chess without castling and en passant."""
