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
from typing import Any, Final, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth import registry
from forsyth.bulk import arrow
from forsyth.bulk.engines.records import RecordOptions, RecordSource, games, positions
from forsyth.bulk.errors import BulkError, require_known_options
from forsyth.bulk.verbs.verb import PACKED, TEXT, Verb
from forsyth.diagnostics import Mode
from forsyth.game import Columnar

try:
    import duckdb
except ImportError as error:
    raise BulkError("forsyth.bulk.duckdb needs duckdb: pip install 'forsyth[duckdb]'") from error

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
class _SqlFunction:
    """A description of an SQL function, and of the verb that computes its result."""

    name: str
    """The name without prefix."""
    verb: str
    """The name of the verb, such as ``scan``."""
    result_column: str | None
    """The column of the verb's results that the function returns; None for all columns, as a struct."""
    result_type: pa.DataType
    options: tuple[str, ...] = (_VARIANT,)
    """The names of the optional arguments, in order."""
    game: str | None = None
    """The only game of the function; None if the game is an argument."""


@dataclass(frozen=True, slots=True)
class _ReadSettings:
    """The options with which all functions of one call of `register` read texts."""

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
    """Add the SQL functions, such as ``fen_key``, to a connection.

    They replace functions of the same names.

    Args:
        connection: The connection.
        prefix: The beginning of all names. Functions with other settings can have another prefix.
        mode: The reading mode of all functions: ``default``, ``strict`` or ``lenient``.
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
                parameters=None,
                return_type=_convert_to_sql_type(function.result_type),
                type="arrow",
                null_handling="special",
            )
        except duckdb.Error as error:
            raise BulkError(f"the function {name} cannot be created: {error}; use another prefix") from error


def scan_games(
    connection: duckdb.DuckDBPyConnection, source: RecordSource, **options: Unpack[RecordOptions]
) -> duckdb.DuckDBPyRelation:
    """Return the games of PGN files as a relation with one row per game.

    The relation can be read once. `source` is a path, a pattern or a URL, a list of these, or the bytes of a
    file. `options` are the keyword arguments of `forsyth.bulk.games`.
    """
    require_known_options("scan_games", options, RecordOptions)
    return connection.from_arrow(games(source, **options))


def scan_positions(
    connection: duckdb.DuckDBPyConnection, source: RecordSource, **options: Unpack[RecordOptions]
) -> duckdb.DuckDBPyRelation:
    """Return the positions of PGN files as a relation with one row per position.

    The relation can be read once. `source` is a path, a pattern or a URL, a list of these, or the bytes of a
    file. `options` are the keyword arguments of `forsyth.bulk.positions`.
    """
    require_known_options("scan_positions", options, RecordOptions)
    return connection.from_arrow(positions(source, **options))


def _replace_dictionaries(data_type: pa.DataType) -> pa.DataType:
    """Return the type string for a dictionary type, also inside a struct, and other types unchanged.

    DuckDB reads the labels of dictionary columns as strings.
    """
    if pa.types.is_struct(data_type):
        return pa.struct([(field.name, _replace_dictionaries(field.type)) for field in data_type])
    return pa.string() if pa.types.is_dictionary(data_type) else data_type


_FUNCTIONS: Final = (
    _SqlFunction("ok", "scan", "ok", pa.bool_()),
    _SqlFunction("code", "scan", "code", pa.string()),
    _SqlFunction("scan", "scan", None, _replace_dictionaries(arrow.SCAN_TYPE)),
    _SqlFunction("canonical", "normalise", TEXT, pa.large_string()),
    _SqlFunction("key", "key", "key", pa.binary()),
    _SqlFunction("packed", "pack", PACKED, pa.binary(), ("width", _VARIANT)),
    _SqlFunction("unpacked", "unpack", TEXT, pa.large_string()),
    _SqlFunction("planes", "planes", "planes", pa.binary()),
    _SqlFunction("material", "material", "material", pa.string()),
    _SqlFunction("split", "split", "split", pa.string(), ("sets", "seed", _VARIANT)),
    _SqlFunction("sampled", "sample", "sample", pa.bool_(), ("fraction", "seed", _VARIANT)),
)


def _list_feature_functions() -> Iterator[_SqlFunction]:
    """Yield one SQL function, such as ``features_chess``, for each game that has features."""
    for name in registry.games():
        game = registry.game(name)
        if isinstance(game, Columnar) and game.feature_list:
            result_type = _replace_dictionaries(arrow.make_features_type(game))
            yield _SqlFunction(f"features_{name}", "features", None, result_type, game=name)


def _convert_to_sql_type(data_type: pa.DataType) -> str:
    """Return the SQL type for an Arrow type, such as ``VARCHAR`` or ``STRUCT("ok" BOOLEAN)``."""
    if pa.types.is_struct(data_type):
        fields = [f'"{field.name}" {_convert_to_sql_type(field.type)}' for field in data_type]
        return f"STRUCT({', '.join(fields)})"
    return _SQL_TYPES.get(str(data_type), "VARCHAR")


# --- one vector -------------------------------------------------------------------------------------


def _make_vector_function(
    function: _SqlFunction, name: str, settings: _ReadSettings
) -> Callable[..., pa.Array]:
    """Return the Python function that DuckDB calls to compute an SQL function.

    It takes an array for each argument in SQL, and returns an array of results. It raises `BulkError` if the
    number of arguments is wrong.

    Args:
        function: The description of the SQL function.
        name: Its name in SQL, for messages.
        settings: The options for reading texts.
    """
    required_names = () if function.game else (_GAME,)
    argument_names = (*required_names, *function.options)

    def compute(*columns: pa.ChunkedArray) -> pa.Array:
        """Return the results for an array of texts and arrays of the other arguments."""
        texts, *argument_columns = [_combine_chunks(column) for column in columns]
        is_allowed_count = len(required_names) <= len(argument_columns) <= len(argument_names)
        if not is_allowed_count:
            raise BulkError(
                f"{name} takes the arguments text, {', '.join(argument_names)}; this call has {len(columns)}"
            )
        # Optional arguments at the end may be missing.
        arguments = dict(zip(argument_names, argument_columns, strict=False))
        is_uniform = all(len(column.unique()) == 1 for column in argument_columns)
        if is_uniform:
            values = {argument: column[0].as_py() for argument, column in arguments.items()}
            return _compute_uniform(function, texts, values, settings)
        return _compute_groups(function, texts, arguments, settings)

    return compute


def _compute_groups(
    function: _SqlFunction, texts: pa.Array, arguments: dict[str, pa.Array], settings: _ReadSettings
) -> pa.Array:
    """Return the results of an SQL function for rows whose arguments, such as the game, differ.

    Args:
        function: The description of the SQL function.
        texts: The texts of the rows.
        arguments: An array of values for each of the other arguments, by name. Rows with the same values are
            processed together.
        settings: The options for reading texts.

    Returns:
        One result per row, in the order of the rows.
    """
    argument_names = list(arguments)
    table = pa.table({**arguments, _ROW: np.arange(len(texts))})
    groups = table.group_by(argument_names, use_threads=False).aggregate([(_ROW, "list")])
    group_rows = groups[f"{_ROW}_list"].combine_chunks()
    group_arguments = groups.select(argument_names).to_pylist()
    results = [
        _compute_uniform(function, texts.take(rows.values), values, settings)
        for rows, values in zip(group_rows, group_arguments, strict=True)
    ]
    # The results are in the order of the groups. Sorting their row numbers restores the order of the rows.
    row_numbers = group_rows.flatten()
    return pa.concat_arrays(results).take(pc.array_sort_indices(row_numbers))


def _compute_uniform(
    function: _SqlFunction, texts: pa.Array, arguments: dict[str, Any], settings: _ReadSettings
) -> pa.Array:
    """Return the results of an SQL function for rows with the same arguments.

    Args:
        function: The description of the SQL function.
        texts: The texts of the rows.
        arguments: The values of the other arguments by name, such as ``{"game": "chess", "seed": 1}``. If the
            game is None, all results are null. An option that is None has its default value.
        settings: The options for reading texts.
    """
    game = arguments.get(_GAME, function.game)
    if game is None:
        return pa.nulls(len(texts), function.result_type)
    options = {
        name: _CONVERSIONS[name](value)
        for name, value in arguments.items()
        if name != _GAME and value is not None
    }
    variant = options.pop(_VARIANT, None)
    verb = Verb(
        function.verb,
        game,
        variant=variant,
        mode=settings.mode,
        legality=settings.legality,
        options=options,
    )
    results = verb.compute(pa.record_batch([texts], [TEXT]), settings.threads)
    if function.verb == "sample":
        return pc.fill_null(results.column(0), False)
    if function.result_column is not None:
        return results.column(function.result_column).cast(function.result_type)
    fields = list(function.result_type)
    columns = [results.column(field.name).cast(field.type) for field in fields]
    return pa.StructArray.from_arrays(columns, fields=fields)


def _combine_chunks(column: Any) -> pa.Array:
    """Return the values of an array or chunked array as one array."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
