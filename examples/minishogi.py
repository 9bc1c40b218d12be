"""Minishogi, shogi on a board of five by five, defined as a game of Forsyth by a sheet of data alone.

Forsyth derives texts, findings, moves, pictures, editing and columns from the sheet. To install the game from
your own package, name `GAME` as an entry point in the group `forsyth.games`.
"""

from __future__ import annotations

from typing import Final

from forsyth.kit.game import GridGame
from forsyth.kit.movement import Leap, Zone, leaps, lines
from forsyth.kit.plain_look import plain_look
from forsyth.kit.sheet import Kind, Sheet, Side

GOLD: Final = (*leaps(0, 1), Leap(1, 1), Leap(-1, 1))
KINDS: Final = (
    Kind("K", "king", (*leaps(0, 1), *leaps(1, 1)), 0, 2, royal=True),
    Kind("R", "rook", lines(0, 1), 10, 2, promotes="+R"),
    Kind("B", "bishop", lines(1, 1), 8, 2, promotes="+B"),
    Kind("G", "gold", GOLD, 6, 2),
    Kind("S", "silver", (*leaps(1, 1), Leap(0, 1)), 5, 2, promotes="+S"),
    Kind("P", "pawn", (Leap(0, 1),), 1, 2, promotes="+P", one_per_file=True, drop_mates=False),
    Kind("+R", "dragon", (*lines(0, 1), *leaps(1, 1)), 12),
    Kind("+B", "horse", (*lines(1, 1), *leaps(0, 1)), 10),
    Kind("+S", "promoted silver", GOLD, 6),
    Kind("+P", "tokin", GOLD, 6),
)
GAME: Final = GridGame(
    Sheet(
        name="minishogi",
        title="Minishogi",
        start="rbsgk/4p/5/P4/KGSBR b - 1",
        files="54321",
        ranks=("a", "b", "c", "d", "e"),
        kinds=KINDS,
        sides=(Side("b", "Black", "Sente"), Side("w", "White", "Gote")),
        look=plain_look((kind.letter for kind in KINDS), ("Black", "White")),
        fields=("board", "side", "hands", "full"),
        short_counts=(3,),
        counts_plies=True,
        zones={"camp": Zone("54321", ("a",))},
        promotion="camp",
        repetitions=4,
    )
)
