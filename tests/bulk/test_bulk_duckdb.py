"""DuckDB functions give what the reader gives, for constants and columns, one game and several, and nulls."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from tests.bulk.example_texts import (
    AZUL,
    CHESS,
    COTULENH,
    ILLEGAL,
    SPELLED,
    START,
    TEXTS,
    canonical,
    code,
    is_ok,
    key,
    locally,
    packed,
    position,
)

from forsyth.bulk.duckdb import register
from forsyth.bulk.errors import BulkError
from forsyth.bulk.verbs.verb import Verb

MANY = 40


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        register(made)
        made.register("texts", pa.table({"row": range(len(TEXTS)), "fen": TEXTS}))
        made.execute("CREATE TABLE positions AS SELECT * FROM texts")
        yield made


def told(connection: duckdb.DuckDBPyConnection, expression: str) -> list[Any]:
    """The value of an expression for every row."""
    return [
        row[0] for row in connection.execute(f"SELECT {expression} FROM positions ORDER BY row").fetchall()
    ]


def one(connection: duckdb.DuckDBPyConnection, expression: str, *given: Any) -> Any:
    row = connection.execute(f"SELECT {expression}", given).fetchone()
    assert row is not None
    return row[0]


# --- each function ----------------------------------------------------------------------------------


def test_ok_and_code_are_what_the_reader_says(connection: duckdb.DuckDBPyConnection) -> None:
    assert told(connection, "fen_ok(fen, 'chess')") == [is_ok(text) for text in TEXTS]
    assert told(connection, "fen_code(fen, 'chess')") == [code(text) for text in TEXTS]


def test_scan_is_a_struct_of_everything(connection: duckdb.DuckDBPyConnection) -> None:
    rows = [{name: row[name] for name in row if name != "fen"} for row in locally(Verb("scan", "chess"))]
    assert told(connection, "fen_scan(fen, 'chess')") == rows
    assert told(connection, "fen_scan(fen, 'chess')['end']") == [row["end"] for row in rows]


def test_canonical_and_key_are_those_of_the_position(connection: duckdb.DuckDBPyConnection) -> None:
    assert told(connection, "fen_canonical(fen, 'chess')") == [canonical(text) for text in TEXTS]
    assert told(connection, "fen_key(fen, 'chess')") == [key(text) for text in TEXTS]


def test_unpacked_takes_what_packed_gives(connection: duckdb.DuckDBPyConnection) -> None:
    assert told(connection, "fen_packed(fen, 'chess')") == [packed(text) for text in TEXTS]
    assert told(connection, "fen_unpacked(fen_packed(fen, 'chess'), 'chess')") == [
        canonical(text) if packed(text) is not None else None for text in TEXTS
    ]
    assert one(connection, "octet_length(fen_packed(?, 'chess', 200))", START) == 200


def test_features_are_a_struct_for_each_game(connection: duckdb.DuckDBPyConnection) -> None:
    found = told(connection, "fen_features_chess(fen)")
    rows = locally(Verb("features", "chess"))
    assert found == [{name: row[name] for name in row if name != "fen"} for row in rows]
    assert list(found[0]) == [feature.name for feature in CHESS.feature_list]


def test_material_is_that_of_the_board(connection: duckdb.DuckDBPyConnection) -> None:
    assert one(connection, "fen_material('4k2r/8/8/8/8/8/P7/R3K3 w - - 0 1', 'chess')") == "KRPvKR"
    assert one(connection, "fen_material('4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1', 'chess', 'crazyhouse')") == "KvK"
    assert one(connection, "fen_material('x', 'chess')") is None


def test_planes_are_bytes(connection: duckdb.DuckDBPyConnection) -> None:
    assert told(connection, "fen_planes(fen, 'chess')") == [
        None if position(text) is None else CHESS.planes(position(text)) for text in TEXTS
    ]


def test_split_and_sample_are_those_of_the_verbs(connection: duckdb.DuckDBPyConnection) -> None:
    split = Verb("split", "chess", options={"sets": "train=0.5,test=0.5", "seed": 7})
    assert told(connection, "fen_split(fen, 'chess', 'train=0.5,test=0.5', 7)") == [
        row["split"] for row in locally(split)
    ]
    usual = [row["split"] for row in locally(Verb("split", "chess"))]
    assert told(connection, "fen_split(fen, 'chess')") == usual
    assert told(connection, "fen_split(fen, 'chess', NULL, NULL, NULL)") == usual
    sample = Verb("sample", "chess", options={"fraction": 0.3, "seed": 5})
    kept = connection.execute(
        "SELECT fen FROM positions WHERE fen_sampled(fen, 'chess', 0.3, 5) ORDER BY row"
    )
    assert [row[0] for row in kept.fetchall()] == [row["fen"] for row in locally(sample)]
    assert told(connection, "fen_sampled(fen, 'chess', 1)") == [position(text) is not None for text in TEXTS]


# --- games ------------------------------------------------------------------------------------------


def test_the_game_may_differ_from_row_to_row(connection: duckdb.DuckDBPyConnection) -> None:
    games = {"chess": START, "azul": AZUL, "cotulenh": COTULENH, None: START}
    rows = [(game, text) for game in games for text in games.values()] * MANY
    table = pa.table(
        {"row": range(len(rows)), "game": [row[0] for row in rows], "fen": [row[1] for row in rows]}
    )
    connection.register("mixed", table)
    found = connection.execute(
        "SELECT game, fen, fen_ok(fen, game), fen_canonical(fen, game), fen_packed(fen, game) "
        "FROM mixed ORDER BY row"
    ).fetchall()
    assert [row[:2] for row in found] == rows
    for game, text, ok, canonical_text, form in found:
        right = game is not None and games[game] == text
        assert ok == (None if game is None else right)
        assert canonical_text == (text if right else None)
        assert (form is not None) == right
    connection.unregister("mixed")


def test_a_variant_may_differ_from_row_to_row(connection: duckdb.DuckDBPyConnection) -> None:
    found = connection.execute(
        "SELECT DISTINCT fen_key(?, 'chess', variant) "
        "FROM (VALUES ('standard'), ('crazyhouse'), (NULL)) variants(variant)",
        [START],
    ).fetchall()
    assert len(found) == 2


def test_an_unknown_game_is_one_sentence(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.InvalidInputException, match="there is no game 'go'; installed games:"):
        one(connection, "fen_ok(?, 'go')", START)


def test_too_many_and_too_few_arguments_are_one_sentence(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error, match="fen_ok takes the arguments text, game, variant; this call has 1"):
        one(connection, "fen_ok(?)", START)
    with pytest.raises(duckdb.Error, match="fen_ok takes the arguments text, game, variant; this call has 4"):
        one(connection, "fen_ok(?, 'chess', NULL, NULL)", START)


def test_a_column_without_texts_is_refused(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error, match="the column is of type int64, expected strings"):
        told(connection, "fen_ok(row, 'chess')")


# --- columns ----------------------------------------------------------------------------------------


def test_no_text_and_no_rows(connection: duckdb.DuckDBPyConnection) -> None:
    assert one(connection, "fen_ok(NULL, 'chess')") is None
    assert one(connection, "fen_sampled(NULL, 'chess', 1)") is False
    assert one(connection, "fen_ok(?, NULL)", START) is None
    assert connection.execute("SELECT fen_key(fen, 'chess') FROM positions WHERE row < 0").fetchall() == []


def test_bytes_and_enumerations_are_read_as_texts(connection: duckdb.DuckDBPyConnection) -> None:
    assert told(connection, "fen_code(encode(fen), 'chess')") == [code(text) for text in TEXTS]
    connection.execute("CREATE TYPE few AS ENUM (SELECT DISTINCT fen FROM positions WHERE fen IS NOT NULL)")
    assert told(connection, "fen_code(fen::few, 'chess'::VARCHAR)") == [code(text) for text in TEXTS]


def test_more_rows_than_one_vector_holds(connection: duckdb.DuckDBPyConnection) -> None:
    found = connection.execute(
        f"SELECT fen_code(fen, 'chess'), count(*) FROM positions, range({MANY}) GROUP BY ALL"
    ).fetchall()
    codes = [code(text) for text in TEXTS]
    assert MANY * len(TEXTS) > 2048
    assert dict(found) == {one: MANY * codes.count(one) for one in codes}


# --- registering ------------------------------------------------------------------------------------


def test_another_prefix_may_read_otherwise() -> None:
    with duckdb.connect() as made:
        register(made)
        register(made, "strict_", mode="strict", threads=2)
        register(made, "loose_", legality=False)
        given = (SPELLED, SPELLED, ILLEGAL, ILLEGAL)
        rows = "fen_ok(?, 'chess'), strict_ok(?, 'chess'), fen_ok(?, 'chess'), loose_ok(?, 'chess')"
        assert made.execute(f"SELECT {rows}", given).fetchone() == (True, False, False, True)


def test_registering_again_replaces() -> None:
    with duckdb.connect() as made:
        register(made)
        register(made, mode="strict")
        assert one(made, "fen_ok(?, 'chess')", SPELLED) is False


def test_cursors_have_the_functions_too() -> None:
    with duckdb.connect() as made:
        register(made)
        with made.cursor() as cursor:
            assert one(cursor, "fen_ok(?, 'chess')", START) is True
            with pytest.raises(
                BulkError, match=r"the function fen_ok cannot be created: .* use another prefix"
            ):
                register(cursor)


def test_without_duckdb_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.delitem(sys.modules, "forsyth.bulk.duckdb")
    with pytest.raises(BulkError, match=r"forsyth.bulk.duckdb needs duckdb: pip install 'forsyth\[duckdb\]'"):
        importlib.import_module("forsyth.bulk.duckdb")
