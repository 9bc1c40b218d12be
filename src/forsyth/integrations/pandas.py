"""Pandas: what the verbs say of a column, as methods of a series.

``import forsyth.integrations.pandas`` gives every series an accessor ``fen``::

    frame[frame["fen"].fen.check()]

Accepts: series of texts; missing values stay missing. The game is named, or detected in the first text that
is not missing. Other arguments are those of `forsyth.bulk.arrow`.

Written: a series with the same index, or a data frame where a verb says several things of each text.
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
    raise BulkError("this needs pandas: pip install 'forsyth[pandas]'") from error


@pd.api.extensions.register_series_accessor("fen")
class FenAccessor:
    """The verbs for the texts of a series."""

    def __init__(self, series: Any) -> None:
        self._series = series

    def check(self, game: Game | str | None = None, **how: Any) -> Any:
        """Whether each text is valid and legal."""
        told = self._told(arrow.scan, game, how)
        return self._as_series(told.field("ok")).astype("boolean")

    def code(self, game: Game | str | None = None, **how: Any) -> Any:
        """The code of the first error of each text, else of the first warning, else nothing."""
        told = self._told(arrow.scan, game, how)
        return self._as_series(told.field("code").cast("string"))

    def scan(self, game: Game | str | None = None, **how: Any) -> Any:
        """What is wrong with each text: a data frame with the fields of `forsyth.bulk.arrow.scan`."""
        return self._as_frame(self._told(arrow.scan, game, how))

    def canonical(self, game: Game | str | None = None, **how: Any) -> Any:
        """The canonical text of each text; missing where there is no position."""
        return self._as_series(self._told(arrow.normalise, game, how))

    def key(self, game: Game | str | None = None, **how: Any) -> Any:
        """The key of each position as 32 hexadecimal digits; missing where there is no position."""
        keys = self._told(arrow.key, game, how).to_pylist()
        return self._as_series(pa.array([None if one is None else one.hex() for one in keys], pa.string()))

    def features(self, game: Game | str | None = None, **how: Any) -> Any:
        """The numbers of each position: a data frame with a column for each."""
        return self._as_frame(self._told(arrow.features, game, how))

    def _told(self, verb: Callable[..., Any], game: Game | str | None, how: dict[str, Any]) -> Any:
        """What a verb says of the texts, as one array."""
        texts = arrow.as_array(self._series)
        whole = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
        return verb(whole, self._game(game, verb), **how)

    def _game(self, game: Game | str | None, verb: Callable[..., Any]) -> Game:
        if game is not None:
            return registry.game(game)
        present = self._series[self._series.notna()]
        if not len(present) and verb is not arrow.features:
            # What is said of no text is the same in every game, but for the names of the numbers.
            return registry.game(registry.games()[0])
        text = present.iloc[0] if len(present) else None
        found = registry.detect(text).game if isinstance(text, str) else None
        if found is None:
            raise BulkError("the game of the first text is not detected; name it: series.fen.check('chess')")
        return registry.game(found)

    def _as_series(self, values: Any) -> Any:
        return values.to_pandas().set_axis(self._series.index).rename(self._series.name)

    def _as_frame(self, rows: Any) -> Any:
        table = pa.table(rows.flatten(), names=[one.name for one in rows.type])
        return table.to_pandas().set_axis(self._series.index)
