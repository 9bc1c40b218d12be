"""Azul: its standard and extended texts, its rules for two to four players, its states.

Which file holds what: `tiles` the material, `position` the value, `fen` and `fields` reading, `write`
writing, `check` content and reachability, `kernel` the fast path, `moves` the factory offer, `rounds`
tiling, deals and the end, `scoring` points, `packed` binary form and key, `scene` and `pieces` drawing,
`facts` differences, `codes` the findings there are, `game` all of it as a `Game`; `state`, `report`, `texts`
and `json_state` the class of the source document and the functions around it.
"""

from forsyth.games.azul.game import GAME, AzulGame
from forsyth.games.azul.position import Board, Position
from forsyth.games.azul.report import FenReport, Issue
from forsyth.games.azul.state import AzulState, IllegalMove
from forsyth.games.azul.texts import (
    canonical_fen,
    compress,
    decode_base64,
    decompress,
    detect,
    encode_base64,
    import_fen,
    state_id,
)
from forsyth.games.azul.write import NotExpressible

__all__ = [
    "GAME",
    "AzulGame",
    "AzulState",
    "Board",
    "FenReport",
    "IllegalMove",
    "Issue",
    "NotExpressible",
    "Position",
    "canonical_fen",
    "compress",
    "decode_base64",
    "decompress",
    "detect",
    "encode_base64",
    "import_fen",
    "state_id",
]
