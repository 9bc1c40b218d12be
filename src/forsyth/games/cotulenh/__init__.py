"""CoTuLenh, Vietnamese commander chess: its FEN with stacks and deploy sessions, its SAN, LAN and rules.

Packages:

* `notation`: the texts of positions, deploy sessions and moves.
* `rules`: legal moves, deploy sessions, checks and the end of the game.
* `numbers`: keys, packed bytes, features, planes and whole columns.
* `drawing`: the scene of a position and the drawings of the pieces.
* `documents`: the class and the functions of the source documents.

Modules: `position`, `board` and `stacks` define the values. `edit`, `json_state`, `errors` and `codes` (the
diagnostic codes) build on them. `game` combines everything into a `Game`.
"""

from typing import TYPE_CHECKING

from forsyth.games.cotulenh.errors import FENError
from forsyth.games.cotulenh.game import GAME, CoTuLenhGame
from forsyth.games.cotulenh.notation.san import SanError
from forsyth.games.cotulenh.position import Position, Session, Step
from forsyth.games.cotulenh.rules.moves import Move, Rules
from forsyth.games.cotulenh.rules.turns import COMMIT, Turn
from forsyth.lazy_names import make_lazy_getattr

# The documentation leaves out names that are imported under `if TYPE_CHECKING`.
if not TYPE_CHECKING:
    # Detection needs only the game, which takes less time to import than the source document.
    __getattr__ = make_lazy_getattr(
        __name__,
        {
            f"{__name__}.documents.api": "CoTuLenh",
            f"{__name__}.documents.api_values": "BITS DeployAction MoveRecord SessionView",
            f"{__name__}.documents.functions": "convert_to_standard_notation validate_fen",
            f"{__name__}.documents.piece_values": "BLUE RED Piece",
        },
    )
else:
    from forsyth.games.cotulenh.documents.api import CoTuLenh
    from forsyth.games.cotulenh.documents.api_values import BITS, DeployAction, MoveRecord, SessionView
    from forsyth.games.cotulenh.documents.functions import convert_to_standard_notation, validate_fen
    from forsyth.games.cotulenh.documents.piece_values import BLUE, RED, Piece

__all__ = [
    "BITS",
    "BLUE",
    "COMMIT",
    "GAME",
    "RED",
    "CoTuLenh",
    "CoTuLenhGame",
    "DeployAction",
    "FENError",
    "Move",
    "MoveRecord",
    "Piece",
    "Position",
    "Rules",
    "SanError",
    "Session",
    "SessionView",
    "Step",
    "Turn",
    "convert_to_standard_notation",
    "validate_fen",
]
