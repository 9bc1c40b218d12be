"""DuckDB: what the verbs say of a column, as functions of SQL.

`register` gives them to a connection and to its cursors, under a prefix::

    SELECT fen_code(fen, 'chess'), count(*) FROM positions GROUP BY ALL

| function | gives |
|---|---|
| ``fen_ok(text, game[, variant])`` | whether a text has no error |
| ``fen_code(text, game[, variant])`` | the code of its first error, else of its first warning |
| ``fen_scan(text, game[, variant])`` | everything `scan` says, as a struct |
| ``fen_canonical(text, game[, variant])`` | the canonical text |
| ``fen_key(text, game[, variant])`` | the key, 16 bytes |
| ``fen_packed(text, game[, width[, variant]])`` | the packed form |
| ``fen_unpacked(blob, game[, variant])`` | the canonical text of a packed form |
| ``fen_planes(text, game[, variant])`` | the tensor as bytes |
| ``fen_material(text, game[, variant])`` | the men of both sides, such as ``KRPvKR`` |
| ``fen_split(text, game[, sets[, seed[, variant]]])`` | the set that the position belongs to |
| ``fen_sampled(text, game[, fraction[, seed[, variant]]])`` | whether the position is in the sample |
| ``fen_features_chess(text[, variant])`` and so on | the numbers of that game, as a struct |

`scan_games` and `scan_positions` give the records of files as relations, which are read once, batch by batch,
when they are asked for rows.

Accepts: texts as VARCHAR, BLOB or ENUM. Game, variant and options are constants or columns: rows that differ
in them are told apart. An option that is NULL is the usual one; a text or game that is NULL gives NULL (from
`fen_sampled` false). The features of each game are a function of their own, because the type of a function
is fixed.

Functions work on DuckDB's vectors, in its threads. What cannot be done is DuckDB's error, with our sentence.
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

_VARIANT: Final = "variant"
_ROW: Final = "row"
_OPTIONS: Final[dict[str, Callable[[Any], Any]]] = {
    "width": int,
    "sets": str,
    "fraction": float,
    "seed": int,
    _VARIANT: str,
}
"""What a function may be given behind text and game, and what each is for the verb."""


@dataclass(frozen=True, slots=True)
class _Function:
    """A function of SQL: the verb it does, what it keeps of its answers, and of which type that is."""

    name: str
    verb: str
    keeps: str | None
    """A column of the answers; None for all of them, as a struct."""
    type: pa.DataType
    options: tuple[str, ...] = (_VARIANT,)
    game: str | None = None
    """The only game it is for; None where the game is an argument."""


@dataclass(frozen=True, slots=True)
class _How:
    """How texts are read by all functions of one registration."""

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
    """Give a connection the functions; those that it has under these names are replaced.

    Mode and legality hold for all functions of a prefix: another prefix can have others.
    """
    how = _How(mode, legality, threads)
    # The words for type and null handling are right in every version, their classes move between modules.
    create: Any = connection.create_function
    for function in (*_FUNCTIONS, *_features()):
        name = prefix + function.name
        with suppress(duckdb.InvalidInputException):
            connection.remove_function(name)
        try:
            create(
                name,
                _vectorised(function, name, how),
                None,
                _sql(function.type),
                type="arrow",
                null_handling="special",
            )
        except duckdb.Error as error:
            raise BulkError(f"the function {name} cannot be made: {error}; give another prefix") from error


def scan_games(
    connection: duckdb.DuckDBPyConnection, source: RecordSource, **asked: Any
) -> duckdb.DuckDBPyRelation:
    """The games of files as a relation, to be read once; asked as in `forsyth.bulk.games`."""
    return connection.from_arrow(games(source, **asked))


def scan_positions(
    connection: duckdb.DuckDBPyConnection, source: RecordSource, **asked: Any
) -> duckdb.DuckDBPyRelation:
    """The positions of files as a relation, to be read once; asked as in `forsyth.bulk.positions`."""
    return connection.from_arrow(positions(source, **asked))


def _plain(kind: pa.DataType) -> pa.DataType:
    """A type as DuckDB has it: labels are strings, bytes have any size."""
    if pa.types.is_struct(kind):
        return pa.struct([(one.name, _plain(one.type)) for one in kind])
    return pa.string() if pa.types.is_dictionary(kind) else kind


_FUNCTIONS: Final = (
    _Function("ok", "scan", "ok", pa.bool_()),
    _Function("code", "scan", "code", pa.string()),
    _Function("scan", "scan", None, _plain(arrow.SCAN_TYPE)),
    _Function("canonical", "normalise", TEXT, pa.large_string()),
    _Function("key", "key", "key", pa.binary()),
    _Function("packed", "pack", PACKED, pa.binary(), ("width", _VARIANT)),
    _Function("unpacked", "unpack", TEXT, pa.large_string()),
    _Function("planes", "planes", "planes", pa.binary()),
    _Function("material", "material", "material", pa.string()),
    _Function("split", "split", "split", pa.string(), ("sets", "seed", _VARIANT)),
    _Function("sampled", "sample", "sample", pa.bool_(), ("fraction", "seed", _VARIANT)),
)


def _features() -> Iterator[_Function]:
    """The features of every game that has some."""
    for name in registry.games():
        kind = _plain(arrow.features_type(registry.game(name)))
        if kind.num_fields:
            yield _Function(f"features_{name}", "features", None, kind, game=name)


def _sql(kind: pa.DataType) -> str:
    if pa.types.is_struct(kind):
        fields = [f'"{one.name}" {_sql(one.type)}' for one in kind]
        return f"STRUCT({', '.join(fields)})"
    return {"bool": "BOOLEAN", "int32": "INTEGER", "binary": "BLOB"}.get(str(kind), "VARCHAR")


# --- one vector -------------------------------------------------------------------------------------


def _vectorised(function: _Function, name: str, how: _How) -> Callable[..., pa.Array]:
    asked = (*(() if function.game else ("game",)), *function.options)

    def told(*columns: pa.ChunkedArray) -> pa.Array:
        texts, *given = [_one_array(column) for column in columns]
        least = len(asked) - len(function.options)
        if not least <= len(given) <= len(asked):
            raise BulkError(f"{name} takes a text and {', '.join(asked)}; {len(given) + 1} were given")
        if all(len(column.unique()) == 1 for column in given):
            values = [column[0].as_py() for column in given]
            return _told(function, texts, dict(zip(asked, values, strict=False)), how)
        return _told_apart(function, texts, dict(zip(asked, given, strict=False)), how)

    return told


def _told_apart(function: _Function, texts: pa.Array, given: dict[str, pa.Array], how: _How) -> pa.Array:
    """For rows that do not agree in game and options: those that do together, then back in their order."""
    table = pa.table({**given, _ROW: np.arange(len(texts))})
    groups = table.group_by(list(given), use_threads=False).aggregate([(_ROW, "list")])
    rows = groups[f"{_ROW}_list"].combine_chunks()
    values = groups.select(list(given)).to_pylist()
    parts = [
        _told(function, texts.take(part.values), value, how) for part, value in zip(rows, values, strict=True)
    ]
    return pa.concat_arrays(parts).take(pc.array_sort_indices(rows.flatten()))


def _told(function: _Function, texts: pa.Array, given: dict[str, Any], how: _How) -> pa.Array:
    """What the function gives for texts that agree in game and options."""
    game = given.pop("game", function.game)
    if game is None:
        return pa.nulls(len(texts), function.type)
    options = {name: _OPTIONS[name](value) for name, value in given.items() if value is not None}
    verb = Verb(
        function.verb,
        game,
        variant=options.pop(_VARIANT, None),
        mode=how.mode,
        legality=how.legality,
        options=options,
    )
    answers = verb.answers(pa.record_batch([texts], [TEXT]), how.threads)
    if function.verb == "sample":
        return pc.fill_null(answers.column(0), False)
    if function.keeps is not None:
        return answers.column(function.keeps).cast(function.type)
    columns = [answers.column(one.name).cast(one.type) for one in function.type]
    return pa.StructArray.from_arrays(columns, fields=list(function.type))


def _one_array(column: Any) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
