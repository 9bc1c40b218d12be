"""Azul: standard and extended texts, the rules for two to four players, and positions.

Folders:

* `notation`: reading and writing texts, and the cells of numbers that the fast paths use;
* `rules`: moves, tiling, deals, points, and the check for content errors and reachability;
* `numbers`: packed bytes, keys, features, planes and whole columns;
* `drawing`: the scene, its glyphs and colours, and descriptions in words;
* `documents`: `AzulState` and the functions of the source document.

Modules: `position` (the value), `tiles` (components), `edit`, `facts` (differences of two positions),
`json_state`, `codes` (finding codes) and `game` (the implementation of `Game`).
"""

from typing import TYPE_CHECKING

from forsyth.games.azul.game import GAME, AzulGame
from forsyth.games.azul.notation.write import NotExpressible
from forsyth.games.azul.position import Board, Position
from forsyth.lazy_names import make_lazy_getattr

# The documentation leaves out names that are imported under `if TYPE_CHECKING`.
if not TYPE_CHECKING:
    # Detection needs only the game, which takes less time to import than the source document.
    __getattr__ = make_lazy_getattr(
        __name__,
        {
            f"{__name__}.documents.report": "FenReport Issue",
            f"{__name__}.documents.state": "AzulState IllegalMove",
            f"{__name__}.documents.text_forms": (
                "canonical_fen compress decode_base64 decompress detect encode_base64 import_fen state_id"
            ),
        },
    )
else:
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
