"""CoTuLenh, Vietnamese commander chess: its FEN with stacks and deploy sessions, its SAN, LAN and rules.

Which folder holds what, as in every large game: `notation` texts of positions, deploy sessions and moves,
`rules` what is legal and what follows, `numbers` keys, packed bytes, features, planes and whole columns,
`drawing` scene and pieces, `documents` the class and the functions of the source documents. Beside them:
`position` the value, `board` and `stacks` what it stands on, `edit`, `json_state`, `errors`, `codes` the
findings there are, and `game` all of it as a `Game`.
"""

from forsyth.games.cotulenh.documents.api import CoTuLenh
from forsyth.games.cotulenh.documents.api_values import BITS, DeployAction, MoveRecord, SessionView
from forsyth.games.cotulenh.documents.functions import convert_to_standard_notation, validate_fen
from forsyth.games.cotulenh.documents.piece_values import BLUE, RED, Piece
from forsyth.games.cotulenh.errors import FENError
from forsyth.games.cotulenh.game import GAME, CoTuLenhGame
from forsyth.games.cotulenh.notation.san import SanError
from forsyth.games.cotulenh.position import Position, Session, Step
from forsyth.games.cotulenh.rules.moves import Move, Rules
from forsyth.games.cotulenh.rules.turns import COMMIT, Turn

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
