"""Tables of games as files of PGN, tables of positions as files of EPD."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pyarrow as pa

from forsyth.bulk.records.write_back import epd_of, pgn_of
from forsyth.bulk.sinks.writers import Writer, let_go
from forsyth.bulk.sources.files import Format


class LineWriter:
    """Writes the text that each batch is."""

    def __init__(self, out: Any, text_of: Callable[[pa.RecordBatch], str]) -> None:
        self._out = out
        self._text_of = text_of

    def write(self, batch: pa.RecordBatch) -> None:
        """The rows as text."""
        self._out.write(self._text_of(batch).encode("utf-8", "surrogateescape"))

    def finish(self) -> None:
        """Ends the compression."""
        self._out.close()

    def abandon(self) -> None:
        """Leaves the compression without an end."""
        let_go(self._out)


def _pgn_writer(out: Any) -> Writer:
    return LineWriter(out, pgn_of)


def _epd_writer(out: Any) -> Writer:
    return LineWriter(out, epd_of)


RECORD_WRITERS: Final[Mapping[Format, Callable[[Any], Writer]]] = {
    Format.PGN: _pgn_writer,
    Format.EPD: _epd_writer,
}
"""The formats that only tables of records have."""
