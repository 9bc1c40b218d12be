"""Azul: its standard and extended texts, its rules for two to four players, its states.

Which folder holds what, as in every large game: `notation` texts, and positions as cells of numbers for the
fast paths, `rules` the offer, tiling, deals, points and what is legal, `numbers` packed bytes with the key,
features, planes and whole columns, `drawing` scene, tiles and a position in words, `documents` the class of
the source document and the functions around it. Beside them: `position` the value, `tiles` the material,
`edit`, `facts` (differences), `json_state`, `codes` the findings there are, and `game` all of it as a
`Game`.
"""

from forsyth.games.azul.documents.report import FenReport, Issue
from forsyth.games.azul.documents.state import AzulState, IllegalMove
from forsyth.games.azul.documents.text_forms import (
    canonical_fen,
    compress,
    decode_base64,
    decompress,
    detect,
    encode_base64,
    import_fen,
    state_id,
)
from forsyth.games.azul.game import GAME, AzulGame
from forsyth.games.azul.notation.write import NotExpressible
from forsyth.games.azul.position import Board, Position

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
