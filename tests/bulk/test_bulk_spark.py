"""A real Spark on this machine gives what this process gives, row for row."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession
from tests.bulk.cluster_jobs import (
    LINES,
    PAGE,
    SHARD_BYTES,
    VERBS,
    done,
    findable,
    must_agree,
    positions,
    records_must_agree,
    rows_of,
    run_example,
)
from tests.bulk.example_texts import CHESS, TEXTS, locally
from tests.bulk.index_on_engines import must_build_the_same
from tests.test_readme import EXAMPLES, blocks

import forsyth.bulk.spark as adapter
from forsyth.bulk.engines.job import PassSpec
from forsyth.bulk.errors import BulkError
from forsyth.bulk.jobs.run_files import RunOptions, run_files
from forsyth.bulk.verbs.verb import Verb

# Spark warns of the pandas that is installed, although nothing here goes through pandas.
pytestmark = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    with findable(), pytest.MonkeyPatch.context() as patch:
        for name in (*adapter._SPARK_VARIABLES, "PYSPARK_PYTHON", "SPARK_LOCAL_IP"):
            patch.delenv(name, raising=False)
        patch.setitem(adapter._LOCAL_CONFIG, "spark.master", "local[2,6]")
        # Otherwise Spark makes a folder for tables where the tests were started.
        patch.setitem(
            adapter._LOCAL_CONFIG, "spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse"))
        )
        made = adapter.get_session()
        yield made
        made.stop()


def frame(session: SparkSession, rows: list[tuple[Any, ...]], columns: str) -> DataFrame:
    return session.createDataFrame(rows, columns).repartition(2)


def told(found: DataFrame) -> list[dict[str, Any]]:
    """The rows in their order, bytes as bytes."""
    rows = sorted(
        (row.asDict(recursive=True) for row in found.collect()), key=lambda row: int(row.pop("row"))
    )
    return [
        {name: bytes(value) if isinstance(value, bytearray) else value for name, value in row.items()}
        for row in rows
    ]


# --- data frames ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["scan", "normalise", "key", "pack", "features", "planes", "split"])
def test_a_verb_on_a_data_frame(session: SparkSession, name: str) -> None:
    verb = Verb(name, "chess")
    given = frame(session, list(enumerate(TEXTS)), "row int, fen string")
    assert told(adapter.apply(given, verb)) == locally(verb)


def test_sample_keeps_some_rows(session: SparkSession) -> None:
    verb = Verb("sample", "chess", options={"fraction": 0.4})
    given = frame(session, list(enumerate(TEXTS)), "row int, fen string")
    assert told(adapter.apply(given, verb)) == locally(verb)


def test_packed_forms_come_back_as_texts(session: SparkSession) -> None:
    forms = [row["packed"] for row in locally(Verb("pack", "chess"))]
    verb = Verb("unpack", "chess", column="packed")
    given = frame(session, list(enumerate(forms)), "row int, packed binary")
    assert told(adapter.apply(given, verb)) == locally(verb, forms)


def test_columns_that_are_left_alone_keep_their_type(session: SparkSession) -> None:
    given = session.sql(
        f"SELECT 0 AS row, '{CHESS.start}' AS fen, 1.50BD::decimal(7,2) AS price, array('a') AS tags, "
        "timestamp'2020-01-01 00:00:00' AS at, named_struct('x', 1) AS place"
    )
    found = adapter.apply(given, Verb("key", "chess"))
    assert found.schema.fields[:-1] == given.schema.fields
    assert found.drop("key").collect() == given.collect()


def test_what_the_frame_does_not_have_is_told_before_the_work(session: SparkSession) -> None:
    given = frame(session, [(1, CHESS.start)], "row int, text string")
    with pytest.raises(BulkError, match="there is no column 'fen'"):
        adapter.apply(given, Verb("key", "chess"))
    with pytest.raises(BulkError, match="is of type int, expected string or binary"):
        adapter.apply(given, Verb("key", "chess", column="row"))


def test_a_column_that_the_frame_has_is_not_replaced(session: SparkSession) -> None:
    given = frame(session, [(1, CHESS.start, "mine")], "row int, fen string, key string")
    with pytest.raises(BulkError, match="key writes the column 'key', which the data already has"):
        adapter.apply(given, Verb("key", "chess"))
    (row,) = adapter.apply(given, Verb("key", "chess", prefix="our_")).collect()
    assert (row["key"], len(row["our_key"])) == ("mine", 16)


def test_the_example_of_the_page(
    session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_example("forsyth.bulk.spark", tmp_path, monkeypatch)


def test_the_example_of_the_page_needs_no_activated_environment(tmp_path: Path) -> None:
    """Whatever ``python3`` the path has, the workers run the interpreter of the driver."""
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    other = tmp_path / "python3"
    other.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    other.chmod(0o755)
    (example,) = [block for block in blocks(PAGE, "py") if "import forsyth.bulk.spark\n" in block.source]
    (tmp_path / "example.py").write_text(f"{example.source}\nprint(judged.where('NOT ok').count())\n")
    with findable():
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK", "SPARK"))
        }
    environment |= {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "SPARK_LOCAL_IP": "127.0.0.1"}
    ran = subprocess.run(
        [sys.executable, "example.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.split()[-1:] == ["6"], ran.stderr[-2000:]


# --- jobs -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_jobs_agree_with_this_machine_row_for_row(session: SparkSession, verb: str, tmp_path: Path) -> None:
    must_agree(verb, "spark", tmp_path)


def test_tables_of_records_agree_with_this_machine(session: SparkSession, tmp_path: Path) -> None:
    records_must_agree("spark", tmp_path)


def test_progress_is_told_of_all_rows_and_bytes(session: SparkSession, tmp_path: Path) -> None:
    source = Path(positions(tmp_path / "positions.txt"))
    steps: list[tuple[int, int]] = []
    way = RunOptions(
        "spark",
        shard_bytes=SHARD_BYTES,
        start_progress=lambda total: lambda rows, size: steps.append((rows, size)),
    )
    report = run_files("scan", [str(source)], None, run_options=way, game="chess")
    assert len(steps) > 2
    assert sum(rows for rows, _ in steps) == report.rows == 4 * len(LINES)
    assert sum(size for _, size in steps) == source.stat().st_size
    assert report == run_files(
        "scan", [str(source)], None, run_options=RunOptions(shard_bytes=SHARD_BYTES), game="chess"
    )


def test_what_is_wrong_with_the_data_is_the_same_sentence(session: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "positions.txt"
    source.write_bytes(b"\n".join(line.encode() for line in LINES * 4) + b"\n\xff\xfe\n")
    sentences = []
    for engine in ("local", "spark"):
        with pytest.raises(BulkError) as caught:
            done("key", str(source), tmp_path / "keys.parquet", engine)
        sentences.append(str(caught.value))
    assert sentences[0] == sentences[1]
    assert [path.name for path in tmp_path.iterdir()] == ["positions.txt"]


def test_no_shards_need_no_spark() -> None:
    job = PassSpec(pa.schema([("fen", pa.string())]), Verb("key", "chess"), None)
    assert list(adapter.run_shards(job, [])) == []


# --- without Spark ----------------------------------------------------------------------------------


def test_without_spark_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    for name in [name for name in sys.modules if name.startswith("pyspark.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "forsyth.bulk.spark")
    with pytest.raises(BulkError, match=r"forsyth.bulk.spark needs pyspark: pip install 'forsyth\[spark\]'"):
        importlib.import_module("forsyth.bulk.spark")


def test_an_index_is_the_same_even_if_workers_are_killed(session: SparkSession, tmp_path: Path) -> None:
    book = must_build_the_same("spark", tmp_path)
    # Spark reads its parts as they are.
    read = session.read.parquet(str(book / "moves"))
    rows = [row.asDict() for row in read.collect()]
    expected = rows_of(book / "moves").to_pylist()
    assert sorted(rows, key=row_order) == sorted(expected, key=row_order)
    assert session.read.parquet(str(book / "games")).count() == 240


def row_order(row: dict[str, Any]) -> tuple[bytes, str]:
    return bytes(row["key"]), row["move"] or ""
