"""Polars: what the verbs say of a column, as expressions.

``import forsyth.bulk.polars`` gives every expression a namespace ``forsyth``::

    frame.filter(pl.col("fen").forsyth.check("chess"))

Accepts: columns of strings, bytes, categories and enumerations; of categories each is looked at once. Polars
keeps a string apart from its neighbours, the kernels want them in a row: that is the one copy on the way in.

Written: strings, numbers, bytes; structs for `scan` and `features`; arrays of bytes for `planes`. Labels come
as strings, which compare and join with any other column. A null gives null (from `sample` false).

`scan_games` and `scan_positions` are lazy frames of records: the files are read when the frame is collected,
batch by batch, without the columns that nobody asks for.

Every expression looks at one row at a time and says so to Polars, so that lazy frames, the streaming engine
and groups work as with its own. Kernels release the GIL: the streaming engine runs several batches at once,
in the engine for frames in memory `threads` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypedDict, Unpack

import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.engines.records import RecordSource, RecordStream
from forsyth.bulk.errors import BulkError
from forsyth.bulk.verbs.record_table import TableKind
from forsyth.bulk.verbs.selection import SETS
from forsyth.bulk.verbs.verb import PACKED, TEXT, Verb
from forsyth.diagnostics import Mode
from forsyth.game import require_columnar

try:
    import polars as pl
    from polars.io.plugins import register_io_source
except ImportError as error:
    raise BulkError("this needs polars: pip install 'forsyth[bulk]'") from error

Teller = Callable[[Verb, pa.Array, int], pa.Array]
"""What to make of a column of texts with a verb and so many threads."""


class How(TypedDict, total=False):
    """How texts are read: what every expression takes besides the game."""

    variant: str | None
    mode: Mode
    legality: bool | None
    """Whether a text must be legal; by default only `check`, `code` and `scan` ask for it."""
    threads: int


@pl.api.register_expr_namespace("forsyth")
class Expressions:
    """The verbs for the texts of an expression."""

    def __init__(self, texts: pl.Expr) -> None:
        self._texts = texts

    def check(self, game: str, **how: Unpack[How]) -> pl.Expr:
        """Whether a text has no error."""
        return self._told(_verb("scan", game, how), how, _column("ok"))

    def code(self, game: str, **how: Unpack[How]) -> pl.Expr:
        """The code of the first error, else of the first warning."""
        return self._told(_verb("scan", game, how), how, _column("code"))

    def scan(self, game: str, **how: Unpack[How]) -> pl.Expr:
        """Everything `scan` says of a text: a struct."""
        return self._told(_verb("scan", game, how), how, _struct)

    def normalise(self, game: str, **how: Unpack[How]) -> pl.Expr:
        """The canonical text."""
        return self._told(_verb("normalise", game, how), how, _column(TEXT))

    def key(self, game: str, **how: Unpack[How]) -> pl.Expr:
        """The key of the position: 16 bytes."""
        return self._told(_verb("key", game, how), how, _column("key"))

    def pack(self, game: str, width: int | None = None, **how: Unpack[How]) -> pl.Expr:
        """The packed form, filled up with zeros to `width` bytes."""
        options: dict[str, Any] = {} if width is None else {"width": width}
        return self._told(_verb("pack", game, how, options), how, _column(PACKED))

    def unpack(self, game: str, **how: Unpack[How]) -> pl.Expr:
        """The canonical text of a packed form."""
        return self._told(_verb("unpack", game, how), how, _column(TEXT), pl.Binary())

    def features(self, game: str, **how: Unpack[How]) -> pl.Expr:
        """The numbers of the position: a struct with a field for each feature of the game."""
        return self._told(_verb("features", game, how), how, _struct)

    def planes(self, game: str, **how: Unpack[How]) -> pl.Expr:
        """The tensor of the position, which `to_numpy` gives to whoever trains."""
        return self._told(_verb("planes", game, how), how, _tensor)

    def material(self, game: str, **how: Unpack[How]) -> pl.Expr:
        """The men of both sides, such as ``KRPvKR``."""
        return self._told(_verb("material", game, how), how, _column("material"))

    def split(self, game: str, sets: str = SETS, seed: int = 0, **how: Unpack[How]) -> pl.Expr:
        """The set that the position belongs to."""
        verb = _verb("split", game, how, {"sets": sets, "seed": seed})
        return self._told(verb, how, _column("split"))

    def sample(self, game: str, fraction: float = 0.01, seed: int = 0, **how: Unpack[How]) -> pl.Expr:
        """Whether the position is in a sample of this size; false where there is none."""
        return self._told(_verb("sample", game, how, {"fraction": fraction, "seed": seed}), how, _kept)

    def _told(self, verb: Verb, how: How, tell: Teller, given: pl.DataType | None = None) -> pl.Expr:
        """What `tell` makes of the texts (or of what else is `given`), with its type known beforehand."""
        threads = how.get("threads", 1)

        def told(texts: pl.Series) -> pl.Series:
            return pl.Series(tell(verb, texts.to_arrow(), threads))

        kind = told(pl.Series([], dtype=given or pl.String())).dtype
        return self._texts.map_batches(told, return_dtype=kind, is_elementwise=True)


def _verb(name: str, game: str, how: How, options: dict[str, Any] | None = None) -> Verb:
    return Verb(
        name,
        game,
        variant=how.get("variant"),
        mode=how.get("mode", "default"),
        legality=how.get("legality"),
        options=options or {},
    )


def _done(verb: Verb, texts: pa.Array, threads: int) -> pa.RecordBatch:
    return verb.answers(pa.record_batch([texts], [TEXT]), threads)


def _column(name: str) -> Teller:
    """One column of what a verb gives."""
    return lambda verb, texts, threads: _spelled_out(_done(verb, texts, threads).column(name))


def _struct(verb: Verb, texts: pa.Array, threads: int) -> pa.Array:
    """Everything that a verb says of the texts."""
    answers = _done(verb, texts, threads)
    return pa.StructArray.from_arrays([_spelled_out(one) for one in answers.columns], answers.schema.names)


def _spelled_out(array: pa.Array) -> pa.Array:
    """Labels as strings: categories of two games do not compare."""
    return array.cast(pa.large_string()) if pa.types.is_dictionary(array.type) else array


def _tensor(verb: Verb, texts: pa.Array, threads: int) -> pa.Array:
    """The bytes of planes as arrays of arrays, not copied."""
    planes = _done(verb, texts, threads).column("planes")
    shape = require_columnar(verb.the_game(), "planes").plane_shape
    start, size = planes.offset * shape.size, len(planes) * shape.size
    values = pa.Array.from_buffers(pa.uint8(), size, [None, planes.buffers()[1]], offset=start)
    rows = pa.FixedSizeListArray.from_arrays(values, shape.width)
    boards = pa.FixedSizeListArray.from_arrays(rows, shape.height)
    return pa.FixedSizeListArray.from_arrays(boards, len(shape.names), mask=planes.is_null())


def _kept(verb: Verb, texts: pa.Array, threads: int) -> pa.Array:
    """Which rows are in a sample."""
    return pc.fill_null(_done(verb, texts, threads).column("sample"), False)


# --- records ----------------------------------------------------------------------------------------


def scan_games(source: RecordSource, **asked: Any) -> pl.LazyFrame:
    """The games of files as a lazy frame; asked as in `forsyth.bulk.games`."""
    return _scanned("games", source, asked)


def scan_positions(source: RecordSource, **asked: Any) -> pl.LazyFrame:
    """The positions of files as a lazy frame; asked as in `forsyth.bulk.positions`."""
    return _scanned("positions", source, asked)


def _scanned(kind: TableKind, source: RecordSource, asked: dict[str, Any]) -> pl.LazyFrame:
    first = RecordStream(kind, source, **asked)
    first.close()
    table = first.table
    names = {"game": table.game, "variant": table.variant}

    def read(
        columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, size: int | None
    ) -> Iterator[pl.DataFrame]:
        stream = RecordStream(kind, source, **{**asked, **names})
        if columns is not None:
            # What is not asked for need not be made.
            wanted = tuple(form for form in table.forms if form in columns)
            stream.table = replace(stream.table, forms=wanted)
        for batch in stream:
            frame = _frame(pa.Table.from_batches([batch]))
            frame = frame if columns is None else frame.select(columns)
            frame = frame if predicate is None else frame.filter(predicate)
            frame = frame if rows is None else frame.head(rows)
            yield frame
            if rows is not None:
                rows -= frame.height
                if rows <= 0:
                    return

    return register_io_source(read, schema=_frame(table.schema().empty_table()).schema)


def _frame(rows: pa.Table) -> pl.DataFrame:
    """Rows as Polars has them: labels are strings, which compare and join with any other column."""
    columns = [_spelled_out(one.combine_chunks()) for one in rows.columns]
    return pl.DataFrame(pa.table(columns, names=rows.schema.names))
