"""The kernel of a game for whole files of records, with what this room knows about tags.

How a game begins is said once, in `setup`: a kernel asks for it by the tags `Variant`, `SetUp` and `FEN`.
Which records it takes and which it leaves to `read_records` is said in `forsyth.record_bytes.columns`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from forsyth import registry
from forsyth.abilities import ColumnarRecords
from forsyth.diagnostics import Mode, Span
from forsyth.findings import Findings
from forsyth.game import Game
from forsyth.record.codes import BOOK
from forsyth.record.setup import find_start
from forsyth.record.tags import Tag
from forsyth.record_bytes.columns import GAMES, PLIES, RecordKernel
from forsyth.record_bytes.words import next_border

__all__ = ["Starts", "next_border", "record_kernel"]

_NOWHERE: Final = Span(0, 0)
_NAMES: Final = ("Variant", "SetUp", "FEN")
_REMEMBERED: Final = 4096
"""How many starts are remembered: Chess960 has 960."""


def record_kernel(
    game: Game | str,
    want: Iterable[str] = (),
    *,
    games: int = GAMES,
    plies: int = PLIES,
    mode: Mode = "default",
) -> RecordKernel | None:
    """A kernel for records of a game, or None where the game has none.

    `want` is any of `forsyth.record_bytes.columns.WANTED`; `games` and `plies` are the room of one call.
    """
    game = registry.game(game)
    return Starts(game, mode).kernel(want, games, plies)


class Starts:
    """The rules and starts of games by their tags, each found once."""

    def __init__(self, game: Game, mode: Mode) -> None:
        self._game = game
        self._mode: Mode = mode
        self._known: dict[tuple[str | None, ...], tuple[Game, Any]] = {}

    def kernel(self, want: Iterable[str], games: int, plies: int) -> RecordKernel | None:
        """A kernel that asks here, or None where the game has none."""
        if not isinstance(self._game, ColumnarRecords):
            return None
        usual = self.start(None, None, None)
        return None if usual is None else self._game.record_kernel(usual, self.start, want, games, plies)

    def start(self, variant: str | None, setup: str | None, fen: str | None) -> Any:
        """The start, or None where there is something to say about these tags."""
        return self.find(variant, setup, fen)[1]

    def find(self, variant: str | None, setup: str | None, fen: str | None) -> tuple[Game, Any]:
        """The game with its rules, and the start, or None where there is something to say about it."""
        values = (variant, setup, fen)
        known = self._known.get(values)
        if known is not None:
            return known
        found = self._find(values)
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[values] = found
        return found

    def _find(self, values: tuple[str | None, ...]) -> tuple[Game, Any]:
        tags = {
            name: Tag(name, value, _NOWHERE, _NOWHERE, True)
            for name, value in zip(_NAMES, values, strict=True)
            if value is not None
        }
        findings = Findings("", "default", BOOK)
        game, start = find_start(self._game, tags, self._mode, findings)
        return game, None if findings.found else start
