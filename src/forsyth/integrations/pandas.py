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
from forsyth.arguments import quoted
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
        """Return a boolean series: True for each valid text with a legal position.

        `game` is a game, its name, or None to detect it. `options` are those of `forsyth.bulk.arrow.scan`.
        """
        scan_results = self._compute(arrow.scan, game, options)
        return self._to_series(scan_results.field("ok")).astype("boolean")

    def code(self, game: Game | str | None = None, **options: Any) -> Any:
        """Return a series with the diagnostic code of each text, such as ``board.digit``.

        It is the code of the first error, or of the first warning if the text has no error. The value is
        missing if the text has neither. `game` is a game, its name, or None to detect it. `options` are those
        of `forsyth.bulk.arrow.scan`.
        """
        scan_results = self._compute(arrow.scan, game, options)
        return self._to_series(scan_results.field("code").cast("string"))

    def scan(self, game: Game | str | None = None, **options: Any) -> Any:
        """Return a data frame with the result of checking each text, such as ``ok`` and ``code``.

        The columns are the fields of `forsyth.bulk.arrow.scan`, and `options` are its options. `game` is a
        game, its name, or None to detect it.
        """
        return self._to_frame(self._compute(arrow.scan, game, options))

    def canonical(self, game: Game | str | None = None, **options: Any) -> Any:
        """Return a series with the canonical text of each position.

        The value is missing if the text cannot be read. `game` is a game, its name, or None to detect it.
        `options` are those of `forsyth.bulk.arrow.normalise`.
        """
        canonical_texts = self._compute(arrow.normalise, game, options)
        return self._to_series(canonical_texts)

    def key(self, game: Game | str | None = None, **options: Any) -> Any:
        """Return a series with the key of each position as 32 hexadecimal digits.

        The value is missing if the text cannot be read. `game` is a game, its name, or None to detect it.
        `options` are those of `forsyth.bulk.arrow.key`.
        """
        binary_keys = self._compute(arrow.key, game, options).to_pylist()
        hexadecimal_keys = [None if key is None else key.hex() for key in binary_keys]
        return self._to_series(pa.array(hexadecimal_keys, pa.string()))

    def features(self, game: Game | str | None = None, **options: Any) -> Any:
        """Return a data frame with numbers that describe each position, such as the clocks.

        Each column is a feature of the game. `game` is a game, its name, or None to detect it. `options` are
        those of `forsyth.bulk.arrow.features`.
        """
        return self._to_frame(self._compute(arrow.features, game, options))

    def _compute(
        self, bulk_function: Callable[..., Any], game: Game | str | None, options: dict[str, Any]
    ) -> Any:
        """Call a function of `forsyth.bulk.arrow` with the texts, and return its Arrow array.

        Args:
            bulk_function: The function, such as `arrow.scan`.
            game: A game, its name, or None to detect it.
            options: Further keyword arguments of the function.
        """
        texts = arrow.as_array(self._series)
        if isinstance(texts, pa.ChunkedArray):
            texts = texts.combine_chunks()
        depends_on_game = bulk_function is arrow.features
        return bulk_function(texts, self._find_game(game, depends_on_game), **options)

    def _find_game(self, game: Game | str | None, depends_on_game: bool) -> Game:
        """Return the game of the texts. It is detected from the first text if `game` is None.

        Args:
            game: A game, its name, or None to detect it.
            depends_on_game: Whether the type of the result depends on the game, even if there are no texts.

        Raises:
            BulkError: If no game is detected.
        """
        if game is not None:
            return registry.game(game)
        present_texts = self._series[self._series.notna()]
        has_texts = len(present_texts) > 0
        if not has_texts and not depends_on_game:
            any_game, *_ = registry.games()
            return registry.game(any_game)

        first_text = present_texts.iloc[0] if has_texts else None
        detection = registry.detect(first_text) if isinstance(first_text, str) else None
        if detection is None or detection.game is None:
            raise BulkError(
                f"no game is detected from the first text, {quoted(first_text)}; name it: "
                "series.fen.check('chess')"
            )
        return registry.with_auto_variant(registry.game(detection.game))

    def _to_series(self, array: Any) -> Any:
        """Return an Arrow array as a series with the index and the name of the text series."""
        return array.to_pandas().set_axis(self._series.index).rename(self._series.name)

    def _to_frame(self, structs: Any) -> Any:
        """Return an Arrow array of structs as a data frame with a column for each field of the structs.

        The index of the data frame is that of the text series.
        """
        column_names = [field.name for field in structs.type]
        table = pa.table(structs.flatten(), names=column_names)
        return table.to_pandas().set_axis(self._series.index)
