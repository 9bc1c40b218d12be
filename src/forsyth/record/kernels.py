"""The kernel that reads whole files of records of a game, and the cache of start positions that it needs.

A kernel asks for the start of a game by the values of the tags `Variant`, `SetUp` and `FEN`. The rules for
these tags are in `setup`. `forsyth.record_bytes.columns` describes which records a kernel reads and which it
leaves to `read_records`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from forsyth import registry
from forsyth.abilities import ColumnarRecords
from forsyth.diagnostics import Mode, Span
from forsyth.findings import Findings
from forsyth.game import Game
from forsyth.record.codes import CODE_BOOK
from forsyth.record.setup import find_start
from forsyth.record.tags import Tag
from forsyth.record_bytes.columns import DEFAULT_GAMES, DEFAULT_PLIES, RecordKernel
from forsyth.record_bytes.words import next_border

__all__ = ["StartCache", "next_border", "record_kernel"]

_NO_SPAN: Final = Span(0, 0)
_TAG_NAMES: Final = ("Variant", "SetUp", "FEN")
_CACHE_SIZE: Final = 4096
"""Number of starts that are cached. Chess960 has 960."""


def record_kernel(
    game: Game | str,
    want: Iterable[str] = (),
    *,
    games: int = DEFAULT_GAMES,
    plies: int = DEFAULT_PLIES,
    mode: Mode = "default",
) -> RecordKernel | None:
    """Return a kernel, compiled code that reads records into columns, or None if the game has no kernel.

    Args:
        game: The game or its name.
        want: The optional columns to fill, names from `forsyth.record_bytes.columns.OPTIONAL_COLUMNS`.
        games: Maximum number of records that one call of `read` reads.
        plies: Maximum number of moves that one call of `read` reads.
        mode: The reading mode of the start positions.
    """
    game = registry.game(game)
    return StartCache(game, mode).make_kernel(want, games, plies)


class StartCache:
    """The variants and start positions that tags describe, each read once."""

    def __init__(self, game: Game, mode: Mode) -> None:
        self._game = game
        self._mode: Mode = mode
        self._cache: dict[tuple[str | None, ...], tuple[Game, Any]] = {}

    def make_kernel(self, want: Iterable[str], games: int, plies: int) -> RecordKernel | None:
        """Return a kernel that gets its start positions from this cache, or None if the game has no kernel.

        The arguments are those of `record_kernel`.
        """
        if not isinstance(self._game, ColumnarRecords):
            return None
        usual_start = self.start(variant=None, setup=None, fen=None)
        if usual_start is None:
            return None
        return self._game.record_kernel(usual_start, self.start, want, games, plies)

    def start(self, variant: str | None, setup: str | None, fen: str | None) -> Any:
        """Return the start position for the tags ``Variant``, ``SetUp`` and ``FEN``.

        An argument is None if the record lacks the tag. Return None if the tags cause an error or a warning.
        """
        return self.game_and_start(variant, setup, fen)[1]

    def game_and_start(self, variant: str | None, setup: str | None, fen: str | None) -> tuple[Game, Any]:
        """Return the game in its variant, and the start position for the three tags.

        An argument is None if the record lacks the tag. The start position is None if the tags cause an error
        or a warning.
        """
        values = (variant, setup, fen)
        cached = self._cache.get(values)
        if cached is not None:
            return cached
        game_and_start = self._read_start(values)
        if len(self._cache) >= _CACHE_SIZE:
            self._cache.clear()
        self._cache[values] = game_and_start
        return game_and_start

    def _read_start(self, values: tuple[str | None, ...]) -> tuple[Game, Any]:
        """Return what `game_and_start` returns for the values of its three tags, without the cache."""
        tags = {
            name: Tag(name, value, _NO_SPAN, _NO_SPAN, verbatim=True)
            for name, value in zip(_TAG_NAMES, values, strict=True)
            if value is not None
        }
        findings = Findings("", "default", CODE_BOOK)
        game, start = find_start(self._game, tags, self._mode, findings)
        if findings.diagnostics:
            return game, None
        return game, start
