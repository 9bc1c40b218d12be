"""CoTuLenh, Vietnamese commander chess: its FEN with stacks and deploy sessions, its SAN, LAN and rules.

Which file holds what: `board` squares and terrain, `stacks` units, `position` the value, `fen` and `suffix`
reading, `check` legality, `attacks`, `generate` and `safety` the rules on a bare board, `moves` and `deploy`
turns and sessions, `spelling`, `shapes`, `san` and `turns` move texts, `key` and `packed` identity and binary
form, `scene` and `pieces` drawing, `kernel` the fast path, `words` and `codes` fields and findings,
`game` all of it as a `Game`; `api`, `views`, `piece_values`, `attackers`, `options` and `progress` the class
of the source documents, `documents` their functions, `errors` the error of a text.
"""

from forsyth.games.cotulenh.api import CoTuLenh
from forsyth.games.cotulenh.documents import convert_to_standard_notation, validate_fen
from forsyth.games.cotulenh.errors import FENError
from forsyth.games.cotulenh.game import GAME, CoTuLenhGame
from forsyth.games.cotulenh.moves import Move, Rules
from forsyth.games.cotulenh.piece_values import BLUE, RED, Piece
from forsyth.games.cotulenh.position import Position, Session, Step
from forsyth.games.cotulenh.san import SanError
from forsyth.games.cotulenh.turns import COMMIT, Turn
from forsyth.games.cotulenh.views import BITS, DeployAction, MoveRecord, SessionView

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
