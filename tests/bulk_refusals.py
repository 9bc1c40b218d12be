"""What calls of `forsyth.bulk` are refused with, as it is kept: tests/golden/answers/README.md says what for.

`python -m tests.bulk_refusals` writes it anew, for a change that is meant; read the difference before it is
kept.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import pyarrow as pa
from tests.answers import FOLDER
from tests.refusals import CHESS, Call, call, told

from forsyth import bulk
from forsyth.bulk import arrow
from forsyth.bulk.batches import cast_to_schema, check_no_lost_columns, unify_schemas
from forsyth.bulk.sinks import concatenate
from forsyth.bulk.sources.files import Format
from forsyth.bulk.verbs.kernel_output import compact_texts
from forsyth.bulk.verbs.record_table import RecordTable, write_epd

FILE: Final = FOLDER / "bulk_refusals.txt"

_START: Final = CHESS.start
_TEXTS: Final = pa.array([_START, None])
_ROWS: Final = pa.table({"fen": [_START], "planes": [5], "moves": [["e9"]], "result": ["*"]})


def _arrays() -> Iterator[Call]:
    given: Any
    for width in (0, -1):
        yield call(arrow.pack, _TEXTS, "chess", width=width)
    for given in (5, "x", {}, pa.array([1]), pa.array([[1]])):
        yield call(arrow.scan, given, "chess")
        yield call(arrow.unpack, given, "chess")
    yield call(arrow.tensor, arrow.planes(_TEXTS, "chess"), CHESS.plane_shape)
    for verb in (arrow.scan, arrow.normalise, arrow.key, arrow.pack, arrow.features, arrow.planes):
        yield call(verb, _TEXTS, "go")
        yield call(verb, _TEXTS, "chess", mode="x")
        yield call(verb, _TEXTS, "chess", threads=0)
    wide, lengths, offsets = bytearray(8), array("i", [9, 1]), array("q", [0] * 3)
    for rows, width in ((-1, 4), (2, -1), (3, 4), (2, 9), (2, 4)):
        views = [memoryview(one) for one in (wide, lengths, bytearray(8), offsets)]
        yield call(compact_texts, views[0], width, views[1], rows, views[2], views[3])


def _schemas() -> Iterator[Call]:
    numbers, texts = pa.schema([("a", pa.int64())]), pa.schema([("a", pa.string())])
    yield call(unify_schemas, numbers, texts, "some.csv")
    yield call(check_no_lost_columns, pa.schema([("b", pa.int64()), ("c", pa.int64())]), numbers, "some.csv")
    yield call(_fitted, pa.record_batch({"a": ["x"]}), pa.schema([("a", pa.list_(pa.int64()))]))


def _fitted(batch: pa.RecordBatch, schema: pa.Schema) -> None:
    try:
        cast_to_schema(batch, schema, "some.csv")
    except bulk.BulkError as error:
        # What stands in brackets are the words of Arrow, of each version its own.
        raise bulk.BulkError(str(error).partition(" (")[0] + str(error).rpartition(")")[2]) from error


def _verbs() -> Iterator[Call]:
    for name, options in (
        ("x", {}),
        ("sample", {"fraction": 2}),
        ("sample", {"fraction": -1}),
        ("split", {"only": "x"}),
        ("split", {"by": "a", "twins": True}),
        ("split", {"sets": "a=2"}),
        ("filter", {}),
        ("filter", {"code": "x"}),
        ("apply", {}),
        ("apply", {"verbs": "key, key"}),
        ("key", {"x": 1}),
    ):
        yield call(bulk.Verb, name, "chess", options=options)
    for given in (
        {"kind": "x"},
        {"every": 0},
        {"from_ply": -1},
        {"forms": ("x",)},
        {"moves": "x"},
        {"game": "azul", "moves": "uci"},
        {"tags": ("White", "White")},
        {"where": "White ="},
    ):
        yield call(RecordTable, **{"kind": "games", "game": "chess", **given})


def _jobs() -> Iterator[Call]:
    Path("texts.txt").write_text(f"{_START}\n", encoding="utf-8")
    Path("games.pgn").write_text("1. e4 *\n", encoding="utf-8")
    Path("folder").mkdir()
    Path("empty").mkdir()
    for verb in ("key", "normalise", "features", "dedupe"):
        yield call(bulk.run_files, verb, "texts.txt", None)
    yield call(bulk.run_files, "key", "texts.txt", "x.csv", run_options=bulk.RunOptions(engine="x"))
    yield call(bulk.run_files, "key", "texts.txt", "x.csv", nothing=5)
    yield call(bulk.run_files, "key", "texts.txt", "folder")
    yield call(bulk.run_files, "key", "texts.txt", "x.parquet.gz")
    yield call(bulk.run_files, "key", "empty", "x.csv")
    yield call(bulk.run_files, "key", "x.npy", "x.csv")
    yield call(bulk.run_files, "planes", "texts.txt", "x.npy.gz")
    yield call(bulk.dedupe_files, "texts.txt", None)
    yield call(bulk.run_records, "games", "games.pgn", None)
    yield call(bulk.run_records, "games", "games.pgn", "x.csv", unique=True)
    yield call(bulk.run_records, "x", "games.pgn", "x.csv")
    yield call(bulk.build_index, "games.pgn", "s3://x")
    yield call(bulk.build_index, "games.pgn", "book", game="azul")
    yield call(bulk.build_index, "games.pgn", "book", game="chess", variant="auto")
    yield call(bulk.merge_indexes, [], "book")
    yield call(bulk.merge_indexes, ["folder", "folder"], "book")
    Path("folder/manifest.json").write_text("{", encoding="utf-8")
    yield call(bulk.Book, "folder")
    yield call(concatenate, [], "x.csv", Format.CSV, None)
    for name, planes in (("a.npy", 2), ("b.npy", 4)):
        np.save(name, np.zeros((1, planes, 3, 3), np.uint8))
    yield call(concatenate, ["a.npy", "b.npy"], "x.npy", Format.NPY, None)


def _tables() -> Iterator[Call]:
    yield call(bulk.write_pgn, [], "x.pgn")
    yield call(bulk.write_pgn, _ROWS, "x.pgn")
    yield call(bulk.write_pgn, _ROWS, "x.pgn", "chess")
    yield call(bulk.write_pgn, _ROWS.select(["fen"]), "x.pgn", "chess")
    yield call(bulk.write_epd, _ROWS, "x.epd")
    yield call(bulk.write_epd, _ROWS, "x.epd", "azul")
    yield call(bulk.write_epd, _ROWS.select(["result"]), "x.epd", "chess")
    yield call(write_epd, pa.record_batch({"fen": ["x"]}), "chess")
    yield call(write_epd, pa.record_batch({"fen": [5]}), "chess")


def refusals() -> Iterator[str]:
    """The calls above, in a directory of their own."""
    with TemporaryDirectory() as folder, chdir(folder):
        yield from (line.replace(str(Path.cwd()), "…") for line in told(_SOURCES))


_SOURCES: Final[tuple[Any, ...]] = (_arrays, _schemas, _verbs, _jobs, _tables)


if __name__ == "__main__":
    FILE.write_text("\n".join(refusals()) + "\n", encoding="utf-8", newline="\n")
