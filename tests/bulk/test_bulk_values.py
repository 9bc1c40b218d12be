"""What goes between processes and into files as values: jobs, tallies, columns of tables of records."""

from __future__ import annotations

import json

import pyarrow as pa

from forsyth.bulk import games
from forsyth.bulk.engines.job import ROW_COLUMN, PassSpec, RowSelection, Tally
from forsyth.bulk.sources.files import Compression, Format
from forsyth.bulk.verbs.record_table import LABEL, Form, RecordTable
from forsyth.bulk.verbs.verb import Verb

SCHEMA = pa.schema([pa.field("fen", pa.string(), nullable=False), ("n", pa.int8())], {"a": "b"})


def test_a_job_comes_back_from_json() -> None:
    plain = PassSpec(SCHEMA, None, None)
    full = PassSpec(
        SCHEMA,
        Verb("split", "chess", "crazyhouse", "n", "strict", True, {"sets": "a=1", "seed": 4}, "p_"),
        "/x",
        Format.CSV,
        Compression.ZSTD,
        output_columns=("n", "fen"),
        keep_all_columns=False,
        counts_only=True,
        selection=RowSelection("/bits", (0, 5), "/counts", "times"),
        rows_before=(0, 7),
        records=RecordTable(
            "positions", "chess", "crazyhouse", "uci", ("White",), ("key",), 2, 3, "plies > 1"
        ),
        game="chess",
        column_types=SCHEMA,
        roll_rows=11,
        batch_rows=12,
        threads=13,
    )
    for job in (plain, full):
        found = PassSpec.from_dict(json.loads(json.dumps(job.to_dict())))
        assert found == job
        assert found.schema.equals(job.schema, check_metadata=True)
    assert list(plain.to_dict()) == [
        "schema",
        "verb",
        "folder",
        "format",
        "compression",
        "kept_columns",
        "whole",
        "counts_only",
        "chosen",
        "numbered",
        "records",
        "game",
        "kinds",
        "roll_rows",
        "batch_rows",
        "threads",
    ]
    assert (plain.ending, full.ending) == ("arrow", "csv.zst")
    assert (plain.columns, full.columns) == (None, ["fen", "n"])


def test_the_columns_that_a_job_writes() -> None:
    key = Verb("key", "chess")
    keyed = pa.schema([*SCHEMA, ("key", pa.binary(16))])
    counted = RowSelection("/bits", (0,), "/counts", "times")
    for job, schema in (
        (PassSpec(SCHEMA, None, None), SCHEMA),
        (PassSpec(SCHEMA, key, None), keyed),
        (PassSpec(SCHEMA, key, None, counts_only=True), pa.schema([])),
        (
            PassSpec(SCHEMA, key, None, output_columns=("key", "n")),
            pa.schema([keyed.field("key"), keyed.field("n")]),
        ),
        (PassSpec(SCHEMA, key, None, rows_before=(0,)), keyed.append(pa.field(ROW_COLUMN, pa.int64()))),
        (PassSpec(SCHEMA, None, None, selection=RowSelection("/bits", (0,))), SCHEMA),
        (PassSpec(SCHEMA, None, None, selection=counted), SCHEMA.append(pa.field("times", pa.uint32()))),
    ):
        assert job.make_result_schema() == schema
    assert ROW_COLUMN == "row"


def test_tallies_add_up() -> None:
    one = Tally(1, 2, 3, 4, (), 5, 6, 7)
    assert one + Tally(10, 20, 30, 40, (), 50, 60, 70) == Tally(11, 22, 33, 44, (), 55, 66, 77)
    assert Tally() + one == one
    assert Tally.from_dict(json.loads(json.dumps(one.to_dict()))) == one
    assert one.progress_count == 5, "games where there are any"
    assert Tally(read=9).progress_count == 9


def test_the_columns_of_tables_of_records() -> None:
    forms: tuple[Form, ...] = ("fen", "key", "packed", "planes")
    games = RecordTable("games", "chess", moves="uci", tags=("White", "WhiteElo", "*")).schema()
    error = [("code", pa.string()), ("message", pa.string()), ("file", pa.string()), ("line", pa.int64())]
    error += [(name, pa.int32()) for name in ("column", "start", "end")]
    assert games.remove_metadata() == pa.schema(
        [
            ("game", pa.int64()),
            ("White", pa.string()),
            ("WhiteElo", pa.int32()),
            ("tags", pa.map_(pa.string(), pa.string())),
            ("variant", LABEL),
            ("result", LABEL),
            ("plies", pa.int32()),
            ("moves", pa.list_(pa.string())),
            ("clocks", pa.list_(pa.int32())),
            ("evals", pa.list_(pa.int32())),
            ("start", pa.string()),
            ("end_key", pa.binary(16)),
            ("error", pa.struct(error)),
        ]
    )
    assert games.metadata == {b"forsyth.game": b"chess"}
    positions = RecordTable("positions", "chess", moves="uci", forms=forms, tags=("White",)).schema()
    assert positions.remove_metadata() == pa.schema(
        [
            ("game", pa.int64()),
            ("ply", pa.int32()),
            ("fen", pa.string()),
            ("key", pa.binary(16)),
            ("packed", pa.binary(32)),
            ("planes", pa.binary(1280)),
            ("move", pa.string()),
            ("clock", pa.int32()),
            ("eval", pa.int32()),
            ("result", LABEL),
            ("White", pa.string()),
        ]
    )
    assert pa.dictionary(pa.int8(), pa.string()) == LABEL


def test_ratings_are_numbers_of_at_most_nine_digits() -> None:
    ratings = ["2400", "1", "0", "", "?", "-5", "+5", "02400", "2400?", "x2400", "123456789", "1234567890"]
    text = "".join(f'[White "x"]\n[WhiteElo "{rating}"]\n\n1. e4 *\n\n' for rating in ratings)
    wanted = [2400, 1, *[None] * 8, 123_456_789, None]
    for game, moves in (("chess", text), ("xiangqi", text.replace("1. e4 ", ""))):
        rows = games(moves.encode(), game=game, tags=("WhiteElo",)).read_all()
        assert rows["WhiteElo"].type == pa.int32()
        assert rows["WhiteElo"].to_pylist() == wanted
