"""CoTuLenh, Vietnamese commander chess: its FEN with stacks and deploy sessions, its SAN, LAN and rules.

Which file holds what: `board` squares and terrain, `stacks` units, `position` the value, `fen`, `fields`,
`deploy_fen` and `deploy_restore` reading, `write` writing, `check` and `legality` what the rules say of a
position, `attacks`, `generate`, `apply`, `trials` and `safety` the rules on a bare board, `moves`, `deploy`
and `completion` turns and sessions, `outcome` ends of games, `san`, `san_grammar`, `san_write` and `turns`
move texts, `key`, `packed` and `packing` identity and binary form, `scene` and `pieces` drawing, `kernel` the
fast path, `features` and `planes` numbers and tensors, `column` whole columns, `words` and `codes` fields and
findings, `game` all of it as a `Game`; `api`, `api_values`, `piece_values`, `attackers`, `options` and
`progress` the class of the source documents, `documents` their functions, `errors` the error of a text.
"""

from forsyth.games.cotulenh.api import CoTuLenh
from forsyth.games.cotulenh.api_values import BITS, DeployAction, MoveRecord, SessionView
from forsyth.games.cotulenh.documents import convert_to_standard_notation, validate_fen
from forsyth.games.cotulenh.errors import FENError
from forsyth.games.cotulenh.game import GAME, CoTuLenhGame
from forsyth.games.cotulenh.moves import Move, Rules
from forsyth.games.cotulenh.piece_values import BLUE, RED, Piece
from forsyth.games.cotulenh.position import Position, Session, Step
from forsyth.games.cotulenh.san import SanError
from forsyth.games.cotulenh.turns import COMMIT, Turn

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
