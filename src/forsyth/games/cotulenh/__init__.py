"""CoTuLenh, Vietnamese commander chess: its FEN with stacks and deploy sessions, its SAN, LAN and rules.

Which file holds what: `board` squares and terrain, `stacks` units, `position` the value, `fen` and `suffix`
reading, `check` legality, `attacks`, `generate` and `safety` the rules on a bare board, `moves` and `deploy`
turns and sessions, `spelling`, `shapes`, `san` and `turns` move texts, `key` and `packed` identity and binary
form, `scene` and `pieces` drawing, `kernel` the fast path, `codes` and `notes` findings, `game` all of it as
a `Game`; `api`, `views` and `progress` the class of the source documents.
"""

from forsyth.games.cotulenh.api import CoTuLenh
from forsyth.games.cotulenh.game import GAME, CoTuLenhGame
from forsyth.games.cotulenh.moves import Move, Rules
from forsyth.games.cotulenh.position import Position, Session, Step
from forsyth.games.cotulenh.san import SanError
from forsyth.games.cotulenh.turns import COMMIT, Turn

__all__ = [
    "COMMIT",
    "GAME",
    "CoTuLenh",
    "CoTuLenhGame",
    "Move",
    "Position",
    "Rules",
    "SanError",
    "Session",
    "Step",
    "Turn",
]
