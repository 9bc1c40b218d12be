"""The bulk functions of Forsyth as methods of a pandas series.

``import forsyth.integrations.pandas`` adds the accessor ``fen`` to every series::

    frame[frame["fen"].fen.check()]

The series contains texts; missing values stay missing. The game is an argument, or it is detected from the
first text that is not missing. The other arguments are those of `forsyth.bulk.arrow`.

A method returns a series with the same index, or a data frame if there are several results for each text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from forsyth import registry
from forsyth.bulk import arrow
from forsyth.bulk.errors import BulkError
from forsyth.game import Game

try:
    import pandas as pd
except ImportError as error:
    raise BulkError("pandas is not installed; install it with: pip install 'forsyth[pandas]'") from error


@pd.api.extensions.register_series_accessor("fen")
class FenAccessor:
    """The accessor ``fen`` of a series of position texts."""

    def __init__(self, series: Any) -> None:
        self._series = series

    def check(self, game: Game | str | None = None, **options: Any) -> Any:
        """Return a boolean series: whether each text is valid and its position legal."""
        rows = self._apply(arrow.scan, game, options)
        return self._to_series(rows.field("ok")).astype("boolean")

    def code(self, game: Game | str | None = None, **options: Any) -> Any:
        """Return the code of the first error of each text, or of the first warning if it has no errors.

        The code of a text without findings is missing.
        """
        rows = self._apply(arrow.scan, game, options)
        return self._to_series(rows.field("code").cast("string"))

    def scan(self, game: Game | str | None = None, **options: Any) -> Any:
        """Return the findings about each text: a data frame with the fields of `forsyth.bulk.arrow.scan`."""
        return self._to_frame(self._apply(arrow.scan, game, options))

    def canonical(self, game: Game | str | None = None, **options: Any) -> Any:
        """Return the canonical form of each text. It is missing if the text cannot be read."""
        return self._to_series(self._apply(arrow.normalise, game, options))

    def key(self, game: Game | str | None = None, **options: Any) -> Any:
        """Return the key of each position as 32 hexadecimal digits. Unreadable texts have no key."""
        keys = self._apply(arrow.key, game, options).to_pylist()
        hexadecimal_keys = [None if key is None else key.hex() for key in keys]
        return self._to_series(pa.array(hexadecimal_keys, pa.string()))

    def features(self, game: Game | str | None = None, **options: Any) -> Any:
        """Return a data frame with numbers that describe each position, such as clocks, as its columns."""
        return self._to_frame(self._apply(arrow.features, game, options))

    def _apply(self, verb: Callable[..., Any], game: Game | str | None, options: dict[str, Any]) -> Any:
        """Return the Arrow array that `verb`, a function of `forsyth.bulk.arrow`, computes for all texts.

        `game` is a game, its name, or None to detect it. `options` are further arguments of `verb`.
        """
        texts = arrow.as_array(self._series)
        if isinstance(texts, pa.ChunkedArray):
            texts = texts.combine_chunks()
        return verb(texts, self._find_game(game, verb), **options)

    def _find_game(self, game: Game | str | None, verb: Callable[..., Any]) -> Game:
        """Return the given game, or detect it from the first text of the series that is not missing.

        Args:
            game: A game, its name, or None to detect it.
            verb: The function of `forsyth.bulk.arrow` that needs the game.

        Raises:
            BulkError: If no game is detected.
        """
        if game is not None:
            return registry.game(game)
        present = self._series[self._series.notna()]
        if not len(present) and verb is not arrow.features:
            # Without texts the result is the same for every game. Only the columns of features differ.
            return registry.game(registry.games()[0])
        first_text = present.iloc[0] if len(present) else None
        name = registry.detect(first_text).game if isinstance(first_text, str) else None
        if name is None:
            raise BulkError("the game of the first text is not detected; name it: series.fen.check('chess')")
        return registry.game(name)

    def _to_series(self, array: Any) -> Any:
        """Return an Arrow array as a pandas series with the index and name of the series of texts."""
        return array.to_pandas().set_axis(self._series.index).rename(self._series.name)

    def _to_frame(self, structs: Any) -> Any:
        """Return an Arrow array of structs as a data frame with a column per field and the texts' index."""
        table = pa.table(structs.flatten(), names=[field.name for field in structs.type])
        return table.to_pandas().set_axis(self._series.index)
