"""Forsyth: the position notation of board games.

>>> import forsyth
>>> chess = forsyth.game("chess")
>>> reading = chess.read("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
>>> reading.ok
False

The public names are those of `__all__`; everything else may change.
"""

import os
from typing import TYPE_CHECKING

from forsyth.build import build_info, force_pure, installed_version

if os.environ.get("FORSYTH_PURE") == "1":
    force_pure()

from forsyth import azul, chess, cotulenh, draw
from forsyth.diagnostics import (
    Confidence,
    Diagnostic,
    FenError,
    Fix,
    MoveError,
    Reading,
    Severity,
    Span,
    apply_fixes,
)
from forsyth.forms import unwrap, wrap
from forsyth.game import Columnar, Difference, Editable, Field, Game, Historical, MoveFacts, Outcome, Past
from forsyth.identity import state_id
from forsyth.match import Match, Ply
from forsyth.reading import check, read, repair
from forsyth.record import Record, parse_record, read_record, read_records, write_record
from forsyth.registry import Detection, UnknownGameError, detect, game
from forsyth.store import MemoryStore, Page, Saved, SqliteStore, Store, StoreError, open_store

if TYPE_CHECKING:
    # A type checker knows no package that can be called; what is imported here is what calling it does.
    from forsyth.registry import games
else:
    from forsyth import games

__version__ = installed_version()

__all__ = [
    "Columnar",
    "Confidence",
    "Detection",
    "Diagnostic",
    "Difference",
    "Editable",
    "FenError",
    "Field",
    "Fix",
    "Game",
    "Historical",
    "Match",
    "MemoryStore",
    "MoveError",
    "MoveFacts",
    "Outcome",
    "Page",
    "Past",
    "Ply",
    "Reading",
    "Record",
    "Saved",
    "Severity",
    "Span",
    "SqliteStore",
    "Store",
    "StoreError",
    "UnknownGameError",
    "apply_fixes",
    "azul",
    "build_info",
    "check",
    "chess",
    "cotulenh",
    "detect",
    "draw",
    "game",
    "games",
    "open_store",
    "parse_record",
    "read",
    "read_record",
    "read_records",
    "repair",
    "state_id",
    "unwrap",
    "wrap",
    "write_record",
]
