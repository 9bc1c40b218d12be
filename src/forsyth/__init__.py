"""Forsyth: the position notation of board games.

>>> import forsyth
>>> chess = forsyth.game("chess")
>>> reading = chess.read("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
>>> reading.ok
False

The public names are listed in `__all__`; everything else may change. Each name is loaded on first use.
"""

import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from forsyth.build import force_pure

if os.environ.get("FORSYTH_PURE") == "1":
    force_pure()

if TYPE_CHECKING:
    from forsyth import azul, chess, cotulenh, draw, shogi, xiangqi
    from forsyth.build import build_info, installed_version
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
    from forsyth.record import Record, parse_record, read_record, read_records, write_line, write_record

    # Type checkers do not support callable packages such as `forsyth.games`; give them the functions.
    from forsyth.registry import Detection, UnknownGameError, detect, game, games
    from forsyth.store import MemoryStore, Page, Saved, SqliteStore, Store, StoreError, open_store

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
    "shogi",
    "state_id",
    "unwrap",
    "wrap",
    "write_line",
    "write_record",
    "xiangqi",
]

_MODULE_EXPORTS: Final = {
    "forsyth.build": "build_info",
    "forsyth.diagnostics": "Confidence Diagnostic FenError Fix MoveError Reading Severity Span apply_fixes",
    "forsyth.forms": "unwrap wrap",
    "forsyth.game": "Columnar Difference Editable Field Game Historical MoveFacts Outcome Past",
    "forsyth.identity": "state_id",
    "forsyth.match": "Match Ply",
    "forsyth.reading": "check read repair",
    "forsyth.record": "Record parse_record read_record read_records write_line write_record",
    "forsyth.registry": "Detection UnknownGameError detect game",
    "forsyth.store": "MemoryStore Page Saved SqliteStore Store StoreError open_store",
}
"""The public names by the module that defines them, separated by blanks."""
_MODULE_OF: Final = {name: module for module, names in _MODULE_EXPORTS.items() for name in names.split()}
"""The module that defines each public name."""


class _Package(ModuleType):
    """The package `forsyth` as a module that imports each public name on first use."""

    def __getattr__(self, name: str) -> Any:
        value = _import_public_name(name)
        # Stored, so that the next access does not call this method.
        self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: object) -> None:
        # The import system sets the submodule `forsyth.game` here, which would replace the function `game`.
        if name == "game" and isinstance(value, ModuleType):
            return
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*self.__dict__, *__all__, "__version__"})


def _import_public_name(name: str) -> Any:
    """Import and return the object with a public name, such as the function `detect`.

    Raise `AttributeError` if the package has no such public name.
    """
    from importlib import import_module

    if name == "__version__":
        return import_module("forsyth.build").installed_version()
    if name in _MODULE_OF:
        return getattr(import_module(_MODULE_OF[name]), name)
    if name in __all__:
        # All other public names are submodules, such as `forsyth.chess`.
        return import_module(f"forsyth.{name}")
    raise AttributeError(f"module 'forsyth' has no attribute {name!r}")


sys.modules[__name__].__class__ = _Package
