"""Adapter of Forsyth. It calls the public methods of the game, bound once, as users do."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, Final

from bench.adapters import Adapter

FORSYTH: Final = "forsyth"
SOURCES: Final = Path(__file__).resolve().parent.parent / "src"


def load_game() -> Any:
    """Return the game of chess, from the installed package or else from the source folder."""
    if importlib.util.find_spec("forsyth") is None:
        sys.path.insert(0, str(SOURCES))
    return importlib.import_module("forsyth").game("chess")


def make_forsyth_adapter() -> Adapter:
    """Return the adapter of Forsyth.

    `parse` checks legality by default. The operation `parse` of the benchmark switches that off, because the
    operation `validate` measures it.
    """
    game = load_game()
    parse = game.parse

    def parse_all(texts: Iterable[str]) -> None:
        for text in texts:
            parse(text, legality=False)

    def is_valid(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        return True

    def validate_all(texts: Iterable[str]) -> None:
        for text in texts:
            parse(text)

    return Adapter(
        name=FORSYTH,
        version=str(getattr(importlib.import_module("forsyth"), "__version__", "?")),
        parse=lambda text: parse(text, legality=False),
        uci=lambda position, move: str(game.describe_move(position, move).lan),
        write=game.write,
        validate=is_valid,
        moves=game.moves,
        san=game.read_move,
        perft=game.perft,
        perft_is_own=True,
        loops={"parse": parse_all, "validate": validate_all},
    )


def compiled_modules() -> list[str]:
    """Return the names of the modules of Forsyth that run compiled in this process."""
    return sorted(
        name
        for name, module in list(sys.modules.items())
        if name.startswith("forsyth.")
        and str(getattr(module, "__file__", "")).endswith(tuple(EXTENSION_SUFFIXES))
    )
