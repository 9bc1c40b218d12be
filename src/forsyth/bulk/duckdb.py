"""DuckDB: the results of the verbs as SQL functions.

`register` adds them to a connection and its cursors. Their names begin with a prefix::

    SELECT fen_code(fen, 'chess'), count(*) FROM positions GROUP BY ALL

| function | result |
|---|---|
| ``fen_ok(text, game[, variant])`` | whether the text has no error |
| ``fen_code(text, game[, variant])`` | the code of its first error, or else of its first warning |
| ``fen_scan(text, game[, variant])`` | the whole result of `scan`, as a struct |
| ``fen_canonical(text, game[, variant])`` | the canonical text |
| ``fen_key(text, game[, variant])`` | the key, 16 bytes |
| ``fen_packed(text, game[, width[, variant]])`` | the packed form |
| ``fen_unpacked(blob, game[, variant])`` | the canonical text of a packed form |
| ``fen_planes(text, game[, variant])`` | the tensor as bytes |
| ``fen_material(text, game[, variant])`` | the pieces of both sides, such as ``KRPvKR`` |
| ``fen_split(text, game[, sets[, seed[, variant]]])`` | the set that the position belongs to |
| ``fen_sampled(text, game[, fraction[, seed[, variant]]])`` | whether the position is in the sample |
| ``fen_features_chess(text[, variant])`` and so on | the features of that game, as a struct |

`scan_games` and `scan_positions` return the records of files as relations. A relation can be read once; its
files are read batch by batch.

Accepts: texts as VARCHAR, BLOB or ENUM. Game, variant and options may be constants or columns. An option that
is NULL has its default value. A text or game that is NULL gives NULL, or false from `fen_sampled`. Each game
has its own function for features, because a function has one result type.

The functions process DuckDB's vectors in DuckDB's threads. Errors are raised as DuckDB's exceptions, with the
message of `BulkError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth import registry
from forsyth.bulk import arrow
from forsyth.bulk.engines.records import RecordSource, games, positions
from forsyth.bulk.errors import BulkError
from forsyth.bulk.verbs.verb import PACKED, TEXT, Verb
from forsyth.diagnostics import Mode

try:
    import duckdb
except ImportError as error:
    raise BulkError("this needs duckdb: pip install 'forsyth[duckdb]'") from error

_GAME: Final = "game"
_VARIANT: Final = "variant"
_ROW: Final = "row"
_CONVERSIONS: Final[dict[str, Callable[[Any], Any]]] = {
    "width": int,
    "sets": str,
    "fraction": float,
    "seed": int,
    _VARIANT: str,
}
"""The conversion of each argument of SQL, besides text and game, to the option of the verb."""
_SQL_TYPES: Final = {"bool": "BOOLEAN", "int32": "INTEGER", "binary": "BLOB"}
"""The SQL types of Arrow types; all other types are VARCHAR."""


@dataclass(frozen=True, slots=True)
class _Function:
    """An SQL function and the verb that computes its result."""

    name: str
    """The name without prefix."""
    verb: str
    result_column: str | None
    """The column of the verb's results that the function returns; None for all columns, as a struct."""
    type: pa.DataType
    """The type of the result."""
    options: tuple[str, ...] = (_VARIANT,)
    """The names of the optional arguments, in order."""
    game: str | None = None
    """The only game of the function; None if the game is an argument."""


@dataclass(frozen=True, slots=True)
class _ReadSettings:
    """How all functions of one registration read texts."""

    mode: Mode
    legality: bool | None
    threads: int


def register(
    connection: duckdb.DuckDBPyConnection,
    prefix: str = "fen_",
    *,
    mode: Mode = "default",
    legality: bool | None = None,
    threads: int = 1,
) -> None:
    """Add the functions to a connection. They replace functions that were registered under the same names.

    Args:
        connection: The connection.
        prefix: The beginning of all names. Functions with other settings can have another prefix.
        mode: The reading mode of all functions.
        legality: Whether a position that is not legal is an error. None means yes for the functions of the
            verb `scan`, and no for all others.
        threads: The number of threads that share the rows of a vector.

    Raises:
        BulkError: If DuckDB does not accept a function.
    """
    settings = _ReadSettings(mode, legality, threads)
    # DuckDB's enumerations for these arguments move between modules, but their names work in every version.
    create: Any = connection.create_function
    for function in (*_FUNCTIONS, *_list_feature_functions()):
        name = prefix + function.name
        with suppress(duckdb.InvalidInputException):
            connection.remove_function(name)
        try:
            create(
                name,
                _make_vector_function(function, name, settings),
                None,
                _sql_type(function.type),
                type="arrow",
                null_handling="special",
            )
        except duckdb.Error as error:
            raise BulkError(f"the function {name} cannot be created: {error}; use another prefix") from error


def scan_games(
    connection: duckdb.DuckDBPyConnection, source: RecordSource, **options: Any
) -> duckdb.DuckDBPyRelation:
    """Return the games of files as a relation that can be read once.

    `options` are the keyword arguments of `forsyth.bulk.games`.
    """
    return connection.from_arrow(games(source, **options))


def scan_positions(
    connection: duckdb.DuckDBPyConnection, source: RecordSource, **options: Any
) -> duckdb.DuckDBPyRelation:
    """Return the positions of files as a relation that can be read once.

    `options` are the keyword arguments of `forsyth.bulk.positions`.
    """
    return connection.from_arrow(positions(source, **options))


def _replace_dictionaries(kind: pa.DataType) -> pa.DataType:
    """Return a type with strings instead of dictionary arrays, also inside a struct."""
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _replace_dictionaries(field.type)) for field in kind])
    return pa.string() if pa.types.is_dictionary(kind) else kind


_FUNCTIONS: Final = (
    _Function("ok", "scan", "ok", pa.bool_()),
    _Function("code", "scan", "code", pa.string()),
    _Function("scan", "scan", None, _replace_dictionaries(arrow.SCAN_TYPE)),
    _Function("canonical", "normalise", TEXT, pa.large_string()),
    _Function("key", "key", "key", pa.binary()),
    _Function("packed", "pack", PACKED, pa.binary(), ("width", _VARIANT)),
    _Function("unpacked", "unpack", TEXT, pa.large_string()),
    _Function("planes", "planes", "planes", pa.binary()),
    _Function("material", "material", "material", pa.string()),
    _Function("split", "split", "split", pa.string(), ("sets", "seed", _VARIANT)),
    _Function("sampled", "sample", "sample", pa.bool_(), ("fraction", "seed", _VARIANT)),
)


def _list_feature_functions() -> Iterator[_Function]:
    """Yield the function for the features of each game that has features."""
    for name in registry.games():
        kind = _replace_dictionaries(arrow.features_type(registry.game(name)))
        if kind.num_fields:
            yield _Function(f"features_{name}", "features", None, kind, game=name)


def _sql_type(kind: pa.DataType) -> str:
    """Return the SQL type of an Arrow type."""
    if pa.types.is_struct(kind):
        fields = [f'"{field.name}" {_sql_type(field.type)}' for field in kind]
        return f"STRUCT({', '.join(fields)})"
    return _SQL_TYPES.get(str(kind), "VARCHAR")


# --- one vector -------------------------------------------------------------------------------------


def _make_vector_function(function: _Function, name: str, settings: _ReadSettings) -> Callable[..., pa.Array]:
    """Return the Python function that DuckDB calls for an SQL function, with arrays of its arguments.

    It raises `BulkError` if the number of arguments is wrong.

    Args:
        function: The SQL function.
        name: Its name in SQL, for messages.
        settings: How to read texts.
    """
    game_arguments = () if function.game else (_GAME,)
    argument_names = (*game_arguments, *function.options)

    def compute(*columns: pa.ChunkedArray) -> pa.Array:
        """Return the results for vectors of texts and of the other arguments."""
        texts, *arguments = [_combine_chunks(column) for column in columns]
        if not len(game_arguments) <= len(arguments) <= len(argument_names):
            raise BulkError(
                f"{name} takes the arguments text, {', '.join(argument_names)}; this call has {len(columns)}"
            )
        if all(len(column.unique()) == 1 for column in arguments):
            values = [column[0].as_py() for column in arguments]
            return _compute_uniform(
                function, texts, dict(zip(argument_names, values, strict=False)), settings
            )
        return _compute_groups(function, texts, dict(zip(argument_names, arguments, strict=False)), settings)

    return compute


def _compute_groups(
    function: _Function, texts: pa.Array, arguments: dict[str, pa.Array], settings: _ReadSettings
) -> pa.Array:
    """Return the results of an SQL function for rows whose arguments, such as the game, differ.

    Rows with the same arguments are processed together. The results are in the order of the rows.
    """
    table = pa.table({**arguments, _ROW: np.arange(len(texts))})
    groups = table.group_by(list(arguments), use_threads=False).aggregate([(_ROW, "list")])
    row_lists = groups[f"{_ROW}_list"].combine_chunks()
    group_arguments = groups.select(list(arguments)).to_pylist()
    results = [
        _compute_uniform(function, texts.take(rows.values), values, settings)
        for rows, values in zip(row_lists, group_arguments, strict=True)
    ]
    # The results are in the order of the groups. Sorting the row numbers gives the place of each row.
    return pa.concat_arrays(results).take(pc.array_sort_indices(row_lists.flatten()))


def _compute_uniform(
    function: _Function, texts: pa.Array, arguments: dict[str, Any], settings: _ReadSettings
) -> pa.Array:
    """Return the results of an SQL function for rows with the same arguments, such as game and seed.

    `arguments` has their values by name. The entry for the game is removed. A game that is NULL gives
    null in every row.
    """
    game = arguments.pop(_GAME, function.game)
    if game is None:
        return pa.nulls(len(texts), function.type)
    options = {name: _CONVERSIONS[name](value) for name, value in arguments.items() if value is not None}
    verb = Verb(
        function.verb,
        game,
        variant=options.pop(_VARIANT, None),
        mode=settings.mode,
        legality=settings.legality,
        options=options,
    )
    answers = verb.compute(pa.record_batch([texts], [TEXT]), settings.threads)
    if function.verb == "sample":
        return pc.fill_null(answers.column(0), False)
    if function.result_column is not None:
        return answers.column(function.result_column).cast(function.type)
    columns = [answers.column(field.name).cast(field.type) for field in function.type]
    return pa.StructArray.from_arrays(columns, fields=list(function.type))


def _combine_chunks(column: Any) -> pa.Array:
    """Return an array or chunked array as one array."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
