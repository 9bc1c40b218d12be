"""Azul: its standard and extended texts, its rules for two to four players, its states.

Which file holds what: `tiles` the material, `position` the value, `fen`, `fields`, `components` and
`structure` reading, `write` writing, `check` content and reachability, `cells` a position as numbers,
`kernel` the fast path, `legality` and `cells_write` the verdict and the text of cells, `moves` the offer,
`rounds` tiling, deals and the end, `scoring` and `walls` points, `packed` binary form and key, `scene` and
`pieces` drawing, `describe` a position in words, `facts` differences, `features` and `planes` numbers and
tensors, `column` whole columns, `codes` the findings there are, `game` all of it as a `Game`; `state`,
`report`, `text_forms`, `hidden_state` and `json_state` the class of the source document and the functions
around it.
"""

from forsyth.games.azul.game import GAME, AzulGame
from forsyth.games.azul.position import Board, Position
from forsyth.games.azul.report import FenReport, Issue
from forsyth.games.azul.state import AzulState, IllegalMove
from forsyth.games.azul.text_forms import (
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
