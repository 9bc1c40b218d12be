"""Polars: the results of the verbs as expressions.

``import forsyth.bulk.polars`` adds the namespace ``forsyth`` to every expression::

    frame.filter(pl.col("fen").forsyth.check("chess"))

Accepts: columns of strings, bytes, categories and enumerations. Each category is processed once. Strings are
copied once, because Polars stores them separately and the kernels need them one after the other.

Results: strings, numbers or bytes; structs from `scan` and `features`; arrays of bytes from `planes`. Labels
are strings, which can be compared and joined with any other column. A null gives null, or false from
`sample`.

`scan_games` and `scan_positions` return lazy frames of records. The files are read batch by batch when the
frame is collected, and columns that are not needed are not made.

All expressions are elementwise, and declared as such, so that lazy frames, the streaming engine and groups
work as usual. The kernels release the GIL. The streaming engine processes several batches at a time; in the
engine for frames in memory, `threads` share the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypedDict, Unpack

import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.engines.records import RecordOptions, RecordSource, RecordStream
from forsyth.bulk.errors import BulkError, require_columns, require_known_options
from forsyth.bulk.verbs.record_table import TableKind
from forsyth.bulk.verbs.selection import DEFAULT_SETS
from forsyth.bulk.verbs.verb import PACKED, TEXT, Verb
from forsyth.diagnostics import Mode

try:
    import polars as pl
    from polars.io.plugins import register_io_source
except ImportError as error:
    raise BulkError("forsyth.bulk.polars needs polars: pip install 'forsyth[bulk]'") from error

Converter = Callable[[Verb, pa.Array, int], pa.Array]
"""Converts texts to results. Its arguments are the verb, the texts, and the number of threads."""


class ReadArguments(TypedDict, total=False):
    """How texts are read: the keyword arguments that all expressions take."""

    variant: str | None
    mode: Mode
    legality: bool | None
    """Whether a position that is not legal is an error. By default, only in `check`, `code` and `scan`."""
    threads: int


@pl.api.register_expr_namespace("forsyth")
class Expressions:
    """The verbs for the texts of an expression: the namespace ``forsyth`` of Polars."""

    def __init__(self, texts: pl.Expr) -> None:
        """Store the expression whose values are the texts."""
        self._texts = texts

    def check(self, game: str, **read_arguments: Unpack[ReadArguments]) -> pl.Expr:
        """Return an expression that is true where a text has no error.

        `game` is the name of the game, such as ``chess``. `read_arguments` are described in `ReadArguments`.
        """
        return self._apply_verb("scan", game, read_arguments, _make_column_converter("ok"))

    def code(self, game: str, **read_arguments: Unpack[ReadArguments]) -> pl.Expr:
        """Return the code of the first error of each text, such as ``fen.fields``.

        A text without errors gives the code of its first warning, or null if it has none.
        `game` is the name of the game, such as ``chess``. `read_arguments` are described in `ReadArguments`.
        """
        return self._apply_verb("scan", game, read_arguments, _make_column_converter("code"))

    def scan(self, game: str, **read_arguments: Unpack[ReadArguments]) -> pl.Expr:
        """Return the whole result of `forsyth.bulk.arrow.scan` for each text, as a struct.

        `game` is the name of the game, such as ``chess``. `read_arguments` are described in `ReadArguments`.
        """
        return self._apply_verb("scan", game, read_arguments, _compute_struct)

    def normalise(self, game: str, **read_arguments: Unpack[ReadArguments]) -> pl.Expr:
        """Return the position in each text as canonical text, or null if the text cannot be read.

        `game` is the name of the game, such as ``chess``. `read_arguments` are described in `ReadArguments`.
        """
        return self._apply_verb("normalise", game, read_arguments, _make_column_converter(TEXT))

    def key(self, game: str, **read_arguments: Unpack[ReadArguments]) -> pl.Expr:
        """Return the key of each position: 16 bytes, the same for all texts of one position.

        `game` is the name of the game, such as ``chess``. `read_arguments` are described in `ReadArguments`.
        """
        return self._apply_verb("key", game, read_arguments, _make_column_converter("key"))

    def pack(self, game: str, width: int | None = None, **read_arguments: Unpack[ReadArguments]) -> pl.Expr:
        """Return each position in packed form: bytes, padded with zeros to `width` bytes.

        A packed form that is longer gives null. If `width` is None, it is the default of the game.
        `read_arguments` are described in `ReadArguments`.
        """
        options: dict[str, Any] = {} if width is None else {"width": width}
        return self._apply_verb("pack", game, read_arguments, _make_column_converter(PACKED), options=options)

    def unpack(self, game: str, **read_arguments: Unpack[ReadArguments]) -> pl.Expr:
        """Return the canonical text of each packed form, or null if the bytes are not valid.

        `game` is the name of the game, such as ``chess``. `read_arguments` are described in `ReadArguments`.
        """
        return self._apply_verb(
            "unpack", game, read_arguments, _make_column_converter(TEXT), input_type=pl.Binary()
        )

    def features(self, game: str, **read_arguments: Unpack[ReadArguments]) -> pl.Expr:
        """Return the features of each position, such as the side to move, as a struct.

        `game` is the name of the game, such as ``chess``. `read_arguments` are described in `ReadArguments`.
        """
        return self._apply_verb("features", game, read_arguments, _compute_struct)

    def planes(self, game: str, **read_arguments: Unpack[ReadArguments]) -> pl.Expr:
        """Return each position as a tensor of bytes. `to_numpy` converts the column to one NumPy array.

        `game` is the name of the game, such as ``chess``. `read_arguments` are described in `ReadArguments`.
        """
        return self._apply_verb("planes", game, read_arguments, _compute_tensors)

    def material(self, game: str, **read_arguments: Unpack[ReadArguments]) -> pl.Expr:
        """Return the pieces of both sides in each position, such as ``KRPvKR``.

        `game` is the name of the game, such as ``chess``. `read_arguments` are described in `ReadArguments`.
        """
        return self._apply_verb("material", game, read_arguments, _make_column_converter("material"))

    def split(
        self,
        game: str,
        sets: str = DEFAULT_SETS,
        seed: int = 0,
        **read_arguments: Unpack[ReadArguments],
    ) -> pl.Expr:
        """Return the name of the set, such as ``train``, to which each position belongs.

        Args:
            game: The name of the game, such as ``chess``.
            sets: The names and shares of the sets, such as ``train=0.9,test=0.1``.
            seed: A number; each seed gives another assignment of positions to sets.
            **read_arguments: See `ReadArguments`.
        """
        options = {"sets": sets, "seed": seed}
        return self._apply_verb(
            "split", game, read_arguments, _make_column_converter("split"), options=options
        )

    def sample(
        self,
        game: str,
        fraction: float = 0.01,
        seed: int = 0,
        **read_arguments: Unpack[ReadArguments],
    ) -> pl.Expr:
        """Return whether each position is in a sample. A text that cannot be read gives false.

        Args:
            game: The name of the game, such as ``chess``.
            fraction: The size of the sample, as a fraction of all positions.
            seed: A number; each seed gives another sample.
            **read_arguments: See `ReadArguments`.
        """
        options = {"fraction": fraction, "seed": seed}
        return self._apply_verb("sample", game, read_arguments, _compute_sample, options=options)

    def _apply_verb(
        self,
        name: str,
        game: str,
        read_arguments: ReadArguments,
        convert: Converter,
        *,
        options: dict[str, Any] | None = None,
        input_type: pl.DataType | None = None,
    ) -> pl.Expr:
        """Return an expression for the result of a verb, such as ``key``, for each text.

        Args:
            name: The name of the verb, such as ``key``.
            game: The name of the game, such as ``chess``.
            read_arguments: The keyword arguments of the public method, such as `mode` and `threads`.
            convert: Converts an array of texts to an array of results.
            options: The options of the verb, such as a seed; None for none.
            input_type: The Polars type of the texts; None for strings.
        """
        verb = Verb(
            name,
            game,
            variant=read_arguments.get("variant"),
            mode=read_arguments.get("mode", "default"),
            legality=read_arguments.get("legality"),
            options=options or {},
        )
        threads = read_arguments.get("threads", 1)

        def convert_series(texts: pl.Series) -> pl.Series:
            """Return the results for a series of texts."""
            return pl.Series(convert(verb, texts.to_arrow(), threads))

        # Polars needs the type of the results in advance. The conversion of an empty column determines it.
        result_type = convert_series(pl.Series([], dtype=input_type or pl.String())).dtype
        return self._texts.map_batches(convert_series, return_dtype=result_type, is_elementwise=True)


def _compute_results(verb: Verb, texts: pa.Array, threads: int) -> pa.RecordBatch:
    """Return the columns that a verb computes for an array of texts, with `threads` threads."""
    return verb.compute(pa.record_batch([texts], [TEXT]), threads)


def _make_column_converter(name: str) -> Converter:
    """Return a function that applies a verb to texts, and selects the column `name` of its results."""

    def compute_column(verb: Verb, texts: pa.Array, threads: int) -> pa.Array:
        """Return the column `name` of the results of a verb for an array of texts."""
        return _decode_labels(_compute_results(verb, texts, threads).column(name))

    return compute_column


def _compute_struct(verb: Verb, texts: pa.Array, threads: int) -> pa.Array:
    """Return all columns that a verb computes for an array of texts, as one array of structs."""
    results = _compute_results(verb, texts, threads)
    columns = [_decode_labels(column) for column in results.columns]
    return pa.StructArray.from_arrays(columns, results.schema.names)


def _decode_labels(array: pa.Array) -> pa.Array:
    """Return an array of strings for a dictionary array, and any other array unchanged.

    Polars would read dictionary arrays as categories, and cannot compare those of two games.
    """
    return array.cast(pa.large_string()) if pa.types.is_dictionary(array.type) else array


def _compute_tensors(verb: Verb, texts: pa.Array, threads: int) -> pa.Array:
    """Return each text as a tensor: a list of planes, which are lists of rows of bytes.

    The verb computes each tensor as one value of bytes. They are not copied.
    """
    planes = _compute_results(verb, texts, threads).column("planes")
    shape = require_columns(verb.load_game(), "planes").plane_shape
    _, data_buffer = planes.buffers()
    values = pa.Array.from_buffers(
        pa.uint8(),
        length=len(planes) * shape.size,
        buffers=[None, data_buffer],
        offset=planes.offset * shape.size,
    )
    rows = pa.FixedSizeListArray.from_arrays(values, shape.width)
    single_planes = pa.FixedSizeListArray.from_arrays(rows, shape.height)
    return pa.FixedSizeListArray.from_arrays(single_planes, len(shape.names), mask=planes.is_null())


def _compute_sample(verb: Verb, texts: pa.Array, threads: int) -> pa.Array:
    """Return for each text whether it is in the sample; false for texts that cannot be read."""
    is_in_sample = _compute_results(verb, texts, threads).column("sample")
    return pc.fill_null(is_in_sample, False)


# --- records ----------------------------------------------------------------------------------------


def scan_games(source: RecordSource, **options: Unpack[RecordOptions]) -> pl.LazyFrame:
    """Return the games of PGN files as a lazy frame with one row per game.

    `source` is a path, a pattern or a URL, a list of these, or the bytes of a file. `options` are the keyword
    arguments of `forsyth.bulk.games`.
    """
    require_known_options("scan_games", options, RecordOptions)
    return _scan_records("games", source, options)


def scan_positions(source: RecordSource, **options: Unpack[RecordOptions]) -> pl.LazyFrame:
    """Return the positions of PGN files as a lazy frame with one row per position.

    `source` is a path, a pattern or a URL, a list of these, or the bytes of a file. `options` are the keyword
    arguments of `forsyth.bulk.positions`.
    """
    require_known_options("scan_positions", options, RecordOptions)
    return _scan_records("positions", source, options)


def _scan_records(table_kind: TableKind, source: RecordSource, options: RecordOptions) -> pl.LazyFrame:
    """Return a lazy frame with the games of PGN files, or with their positions.

    The game is detected at once. Everything else is read when the frame is collected.

    Args:
        table_kind: What a row is: ``games`` or ``positions``.
        source: A path, a pattern or a URL, a list of these, or the bytes of a file.
        options: The keyword arguments of `RecordStream`.
    """
    first_stream = RecordStream(table_kind, source, **options)
    first_stream.close()
    table = first_stream.table
    detected_options: RecordOptions = {**options, "game": table.game, "variant": table.variant}

    def read_frames(
        columns: list[str] | None, predicate: pl.Expr | None, max_rows: int | None, _: int | None
    ) -> Iterator[pl.DataFrame]:
        """Yield frames with the rows and columns that Polars needs.

        Args:
            columns: The columns to return; None for all.
            predicate: The condition that rows must meet; None for all rows.
            max_rows: The number of rows after which to stop; None for no limit.
            _: The preferred size of a batch, which is ignored.
        """
        stream = RecordStream(table_kind, source, **detected_options)
        if columns is not None:
            # Forms of positions that are not needed are not computed.
            needed_forms = tuple(form for form in table.forms if form in columns)
            stream.table = replace(stream.table, forms=needed_forms)
        rows_left = max_rows
        for batch in stream:
            all_rows = _convert_table(pa.Table.from_batches([batch]))
            frame = _select_needed(all_rows, columns, predicate, rows_left)
            yield frame
            if rows_left is not None:
                rows_left -= frame.height
                if rows_left <= 0:
                    return

    empty_frame = _convert_table(table.schema().empty_table())
    return register_io_source(read_frames, schema=empty_frame.schema)


def _select_needed(
    frame: pl.DataFrame, columns: list[str] | None, predicate: pl.Expr | None, max_rows: int | None
) -> pl.DataFrame:
    """Return the rows of a frame that meet `predicate`, at most `max_rows`, with only `columns`.

    A `predicate`, `max_rows` or `columns` of None is no restriction.
    """
    selected = frame if columns is None else frame.select(columns)
    if predicate is not None:
        selected = selected.filter(predicate)
    return selected if max_rows is None else selected.head(max_rows)


def _convert_table(table: pa.Table) -> pl.DataFrame:
    """Return an Arrow table as a Polars frame. Dictionary columns become strings."""
    columns = [_decode_labels(column.combine_chunks()) for column in table.columns]
    return pl.DataFrame(pa.table(columns, names=table.schema.names))
