"""Tables of games and positions: what the kernel reads is what the record reader says, row for row."""

from __future__ import annotations

import bz2
import gzip
import io
import re
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.bulk.cluster_jobs import records_must_agree
from tests.bulk.example_records import GAMES, GOLDEN, LICHESS, ODDITIES, many, played

import forsyth
import forsyth.bulk.duckdb
from forsyth.bulk import (
    BulkError,
    RunOptions,
    build_index,
    games,
    positions,
    run_records,
    write_epd,
    write_pgn,
)
from forsyth.bulk.engines.job import PassSpec
from forsyth.bulk.engines.records import RecordStream
from forsyth.bulk.engines.shard_work import make_tasks, parse_answer, run_task
from forsyth.bulk.jobs import run_files
from forsyth.bulk.polars import scan_games, scan_positions
from forsyth.bulk.sources import pgn
from forsyth.bulk.sources.files import Format
from forsyth.bulk.sources.pgn import BlockRows
from forsyth.bulk.sources.shards import Shard, open_shard
from forsyth.bulk.verbs import record_rows
from forsyth.bulk.verbs.record_rows import BlockLocation, read_block_rows
from forsyth.bulk.verbs.record_table import Form, Moves, RecordTable, list_default_tags
from forsyth.games.chess.notation.epd import parse_epd
from forsyth.record import read_records, write_record

TABLES: dict[str, dict[str, Any]] = {
    "games": {"kind": "games"},
    "games, all tags in a map": {"kind": "games", "tags": ("*",), "moves": "san"},
    "games, some": {"kind": "games", "tags": ("White", "WhiteElo"), "where": "plies < 4 or White = 'b'"},
    "positions": {"kind": "positions", "tags": ("White", "BlackElo")},
    "positions in every form": {"kind": "positions", "forms": ("fen", "key", "packed"), "moves": "san"},
    "some positions": {
        "kind": "positions",
        "forms": ("key",),
        "every": 2,
        "from_ply": 1,
        "where": "White != 'b'",
    },
}


def both(table: RecordTable, text: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[BlockRows, BlockRows]:
    """What the kernel and the reader give, and what the reader alone gives."""
    quick = read_block_rows(table, memoryview(text), BlockLocation("file", 10))
    with monkeypatch.context() as patch:
        patch.setattr(record_rows, "COMPILED", False)
        return quick, read_block_rows(table, memoryview(text), BlockLocation("file", 10))


def must_agree(table: RecordTable, text: bytes, monkeypatch: pytest.MonkeyPatch) -> BlockRows:
    quick, slow = both(table, text, monkeypatch)
    quick.rows.validate(full=True)
    assert quick.rows.schema.equals(table.schema())
    assert quick.rows.to_pylist() == slow.rows.to_pylist()
    assert (quick.games, quick.errors) == (slow.games, slow.errors)
    return quick


# --- the kernel and the reader ----------------------------------------------------------------------


@pytest.mark.parametrize("asked", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("name", ODDITIES)
def test_odd_records_give_what_the_reader_says(
    name: str, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    must_agree(RecordTable(game="chess", **asked), ODDITIES[name].encode(), monkeypatch)


@pytest.mark.parametrize("asked", TABLES.values(), ids=TABLES)
def test_records_between_odd_ones_keep_their_order(
    asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = [
        text.removeprefix("\ufeff") for name, text in ODDITIES.items() if name not in ("no tags", "garbage")
    ]
    text = "\n".join(f"{LICHESS}{one}" for one in odd).encode() + GOLDEN
    made = must_agree(RecordTable(game="chess", **asked), text, monkeypatch)
    numbers = made.rows.column("game").to_pylist()
    assert numbers == sorted(numbers)


@pytest.mark.compiled
def test_the_kernel_takes_what_servers_write() -> None:
    made = read_block_rows(RecordTable("games", "chess"), memoryview(many(50)), BlockLocation("", 0))
    assert (made.games, made.read_by_fallback, made.errors) == (50, 0, 0)


@pytest.mark.parametrize("name", GAMES)
def test_tables_of_every_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = played(name, 3)
    game = forsyth.game(name)
    readings = list(read_records(io.StringIO(text), game))
    for form in ("fen", "key"):
        table = RecordTable("positions", name, forms=(form,), moves="san")
        rows = must_agree(table, text.encode(), monkeypatch).rows
        expected = [
            game.write(one) if form == "fen" else bytes.fromhex(game.key(one))
            for reading in readings
            for one in reading.require().positions()
        ]
        assert rows.column(form).to_pylist() == expected
    rows = must_agree(RecordTable("games", name, moves="san"), text.encode(), monkeypatch).rows
    assert rows.column("moves").to_pylist() == [reading.require().moves for reading in readings]
    assert rows.column("result").to_pylist() == [reading.require().result for reading in readings]
    assert rows.column("tags").to_pylist() == [[("X", "1")]] * 3


# --- what the columns say ---------------------------------------------------------------------------


def test_a_row_for_each_game() -> None:
    [row] = games(LICHESS.encode(), moves="uci").read_all().to_pylist()
    assert [row[name] for name in ("game", "White", "WhiteElo", "BlackElo", "Opening")] == [
        *(1, "alice", 2001, None, "King's Pawn Game")
    ]
    assert row["tags"] == [("BlackElo", "?")]
    assert row["moves"] == ["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"]
    assert row["clocks"] == [180_000, 180_000, 178_500, 175_000, 174_000]
    assert row["evals"] == [17, 20, -50, 999_999, None]
    assert (row["result"], row["plies"], row["start"], row["error"]) == ("1-0", 5, None, None)
    end = forsyth.Match("chess")
    for move in ("e4", "e5", "Qh5", "Ke7", "Qxe5#"):
        end.play(move)
    assert row["end_key"].hex() == end.position.key


def test_a_row_for_each_position() -> None:
    rows = positions(LICHESS.encode(), moves="san", tags=("WhiteElo",)).read_all().to_pylist()
    assert [row["ply"] for row in rows] == list(range(6))
    assert rows[0]["fen"] == forsyth.game("chess").start
    assert [row["move"] for row in rows] == ["e4", "e5", "Qh5", "Ke7", "Qxe5#", None]
    assert [row["clock"] for row in rows] == [180_000, 180_000, 178_500, 175_000, 174_000, None]
    # An evaluation is of the position behind the move it stands with.
    assert [row["eval"] for row in rows] == [None, 17, 20, -50, 999_999, None]
    assert {row["WhiteElo"] for row in rows} == {2001}
    assert {row["result"] for row in rows} == {"1-0"}


def test_numbers_of_moves_are_those_of_the_game() -> None:
    chess = forsyth.game("chess")
    [row] = games(LICHESS.encode()).read_all().to_pylist()
    assert [str(chess.unpack_move(number)) for number in row["moves"]] == [
        *("e2e4", "e7e5", "d1h5", "e8e7", "h5e5")
    ]


def test_an_error_has_its_place() -> None:
    text = LICHESS + ODDITIES["a bad move"]
    rows = games(text.encode(), moves="san").read_all().to_pylist()
    error = rows[1]["error"]
    assert (error["code"], error["line"], error["column"]) == ("record.move_illegal", 23, 13)
    assert text[len(LICHESS) :][error["start"] : error["end"]] == "Ke3"
    assert rows[1]["moves"] == ["e4", "e5"]
    assert [row["error"] is None for row in rows] == [True, False, True]


def test_a_start_is_given_where_it_is_not_the_usual_one() -> None:
    for name, start in {
        "a start of its own": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "a start of four fields": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "the usual start as a tag": None,
    }.items():
        [row] = games(ODDITIES[name].encode()).read_all().to_pylist()
        assert row["start"] == start


def test_numbers_go_on_over_files_and_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgn, "BLOCK_BYTES", 3000)
    paths = [tmp_path / f"{number}.pgn" for number in range(3)]
    for path in paths:
        path.write_bytes(many(20))
    rows = games(paths, threads=3).read_all()
    assert rows.column("game").to_pylist() == list(range(1, 61))
    run_records("positions", paths, tmp_path / "p.parquet", forms=("key",))
    table = pq.read_table(tmp_path / "p.parquet")
    assert table.column("game").to_pylist() == [number for number in range(1, 61) for _ in range(6)]


# --- blocks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 500, 4000])
def test_ranges_of_a_file_hold_each_record_once(
    tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = many(9) + GOLDEN + "\n".join(ODDITIES.values()).encode().replace(b"\xef\xbb\xbf", b"")
    path = tmp_path / "g.pgn"
    path.write_bytes(text)
    monkeypatch.setattr(pgn, "BLOCK_BYTES", 700)
    step = max(size, 50)
    found = b""
    for first in range(0, len(text), step):
        shard = Shard(str(path), Format.PGN, unit="records", first=first, count=min(step, len(text) - first))
        with open_shard(shard) as opened:
            for batch in opened:
                found += b"".join(map(bytes, pgn.view_block_texts(batch)))
    assert found.rstrip(b"\n") == text.rstrip(b"\n")


def test_blocks_do_not_change_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = "\n".join(f"{LICHESS}{one}" for name, one in ODDITIES.items() if name != "byte order mark")
    text = odd.encode() + GOLDEN
    whole = games(text, game="chess").read_all()
    monkeypatch.setattr(pgn, "BLOCK_BYTES", 200)
    stream = RecordStream("games", text, game="chess", threads=2)
    assert pa.Table.from_batches(stream, stream.table.schema()).to_pylist() == whole.to_pylist()
    assert stream.tally.games == whole.num_rows


def test_text_without_borders_is_cut_behind_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgn, "BLOCK_BYTES", 200)
    monkeypatch.setattr(pgn, "MAX_HELD_BYTES", 300)
    text = b"1. e4 e5 2. Nf3 Nc6 1-0\n" * 100
    rows = games(text, game="chess").read_all()
    assert rows.num_rows == 100
    assert rows.column("plies").unique().to_pylist() == [4]


# --- files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["pgn", "pgn.gz", "pgn.zst", "pgn.bz2"])
def test_compressed_files_are_read(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"g.{ending}"
    data = many(30)
    packed = {
        "pgn": data,
        "pgn.gz": gzip.compress(data),
        "pgn.zst": pa.Codec("zstd").compress(data, asbytes=True),
        "pgn.bz2": bz2.compress(data),
    }[ending]
    path.write_bytes(packed)
    report = run_records("games", path, tmp_path / "g.parquet")
    assert (report.games, report.written, report.errors, report.detected) == (30, 30, 0, True)
    assert pq.read_table(tmp_path / "g.parquet").num_rows == 30


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="finds open files as Linux lists them")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_reader_that_is_dropped_gives_its_file_and_its_threads_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    monkeypatch.setattr(pgn, "BLOCK_BYTES", 2_000)
    path = tmp_path / "many.pgn"
    path.write_bytes(many(1_000))

    def is_open() -> bool:
        for link in Path("/proc/self/fd").iterdir():
            # Some are closed by now, such as the one that listed them.
            with suppress(FileNotFoundError):
                if link.readlink() == path:
                    return True
        return False

    before = set(threading.enumerate())
    rows = games(path, threads=threads)
    rows.read_next_batch()
    assert is_open()
    del rows
    assert not is_open()
    assert set(threading.enumerate()) <= before


def test_a_file_that_is_cut_off_leaves_no_target(tmp_path: Path) -> None:
    path = tmp_path / "g.pgn.gz"
    path.write_bytes(gzip.compress(many(2000))[:-2000])
    with pytest.raises(BulkError, match="not a complete gzip file"):
        run_records("games", path, tmp_path / "g.parquet")
    assert [one.name for one in tmp_path.iterdir()] == ["g.pgn.gz"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'\xff\xfe[White "\xff"]\n\n*\n', "not UTF-8"),
        (b"x" * (2 << 20), "longer"),
    ],
)
def test_a_hostile_file_ends_as_with_other_verbs(tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "g.pgn"
    path.write_bytes(data)
    with pytest.raises(BulkError, match=problem):
        run_records("games", path, tmp_path / "g.parquet", game="chess")
    with pytest.raises(BulkError, match=problem):
        games(data, game="chess").read_all()


@pytest.mark.parametrize(
    "odd",
    [
        b"\x80",
        b"\xbf",
        b"\xc0\x80",
        b"\xc1\xbf",
        b"\xc3(",
        b"\xe0\x9f\xbf",
        b"\xed\xa0\x80",
        b"\xf0\x8f\xbf\xbf",
        b"\xf4\x90\x80\x80",
        b"\xf8",
    ],
)
@pytest.mark.parametrize("place", [b'[White "%s"]\n\n1. e4 *\n', b"1. e4 {%s} *\n", b"1. e4 {a} %s *\n"])
def test_bytes_that_are_no_text_are_findings_everywhere(place: bytes, odd: bytes) -> None:
    good, bad = games(LICHESS.encode() + place % odd, game="chess").read_all().to_pylist()[-2:]
    assert good["error"] is None
    assert (bad["error"]["code"], bad["plies"]) == ("text.encoding", 1)
    assert "not UTF-8" in bad["error"]["message"]


@pytest.mark.parametrize(
    "letter", ["\x7f", "\x80", "\u07ff", "\u0800", "\ud7ff", "\uffff", "\U00010000", "\U0010ffff"]
)
def test_letters_of_every_length_are_read(letter: str) -> None:
    data = f'[White "{letter}"]\n\n1. e4 {{{letter}}} *\n'.encode()
    (row,) = games(data, game="chess").read_all().to_pylist()
    assert (row["White"], row["plies"], row["error"]) == (letter, 1, None)


def test_a_job_that_was_stopped_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgn, "BLOCK_BYTES", 2000)
    path = tmp_path / "g.pgn"
    path.write_bytes(many(60) + ODDITIES["a bad move"].encode() + many(60))
    way = RunOptions(resume=True, roll_rows=3, threads=1)
    asked: dict[str, Any] = {"forms": ("fen", "key")}
    run_records("positions", path, tmp_path / "whole.parquet", run_options=way, **asked)
    calls = 0

    def stopped(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 10:
            raise KeyboardInterrupt
        return read_block_rows(*arguments)

    target = tmp_path / "p.parquet"
    with monkeypatch.context() as patch:
        patch.setattr("forsyth.bulk.engines.records.read_block_rows", stopped)
        with pytest.raises(KeyboardInterrupt):
            run_records("positions", path, target, run_options=way, **asked)
    assert not target.exists()
    assert (tmp_path / ".p.parquet.forsyth").is_dir()
    before = calls
    with monkeypatch.context() as patch:
        patch.setattr("forsyth.bulk.engines.records.read_block_rows", stopped)
        report = run_records("positions", path, target, run_options=way, **asked)
    assert report.games == 122
    assert calls - before == blocks_in(path) - 9
    assert pq.read_table(target).equals(pq.read_table(tmp_path / "whole.parquet"))


def blocks_in(path: Path) -> int:
    with open_shard(Shard(str(path), Format.PGN, unit="records")) as opened:
        return len(list(opened))


def test_another_engine_gives_the_same_numbers_and_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shards travel as plain data and may be finished in any order."""

    class Backwards:
        @staticmethod
        def run_shards(job: PassSpec, shards: Any, progress: Any) -> Any:
            assert len(shards) > 5
            for task in reversed(make_tasks(job, shards)):
                yield parse_answer(run_task(task), progress)

    monkeypatch.setattr(run_files, "import_module", lambda name: Backwards)
    records_must_agree("ray", tmp_path)


@pytest.mark.parametrize("forms", [("fen",), ("key", "fen")])
def test_each_position_once(tmp_path: Path, forms: tuple[Form, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgn, "BLOCK_BYTES", 2000)
    path = tmp_path / "g.pgn"
    path.write_bytes(many(20) + GOLDEN)
    run_records("positions", path, tmp_path / "all.parquet", forms=forms, run_options=RunOptions(roll_rows=4))
    report = run_records(
        "positions",
        path,
        tmp_path / "once.parquet",
        forms=forms,
        unique=True,
        run_options=RunOptions(roll_rows=4),
    )
    every, once = pq.read_table(tmp_path / "all.parquet"), pq.read_table(tmp_path / "once.parquet")
    assert once.schema.equals(every.schema)
    seen: dict[str, dict[str, Any]] = {}
    for row in every.to_pylist():
        seen.setdefault(forsyth.chess.GAME.key(forsyth.game("chess").parse(row["fen"], legality=False)), row)
    assert once.to_pylist() == list(seen.values())
    assert (report.written, report.duplicates) == (len(seen), every.num_rows - len(seen))
    assert [one.name for one in sorted(tmp_path.iterdir())] == ["all.parquet", "g.pgn", "once.parquet"]
    with pytest.raises(BulkError, match="only positions"):
        run_records("games", path, tmp_path / "x.parquet", unique=True)


# --- text again -------------------------------------------------------------------------------------


def rewritten(text: str, name: str) -> str:
    """What the record writer writes, without comments but clocks and evaluations."""
    written = []
    for reading in read_records(io.StringIO(text, newline=""), forsyth.game(name)):
        record = reading.require()
        kept = tuple(
            replace(node, nags=(), before=(), after=tuple(map(commands, node.after)), variations=())
            for node in record.line
        )
        bare = tuple(replace(node, after=tuple(filter(None, node.after))) for node in kept)
        written.append(write_record(replace(record, line=bare, comments=())) + "\n")
    return "".join(written)


def commands(comment: str) -> str:
    return " ".join(re.findall(r"\[%(?:eval|clk) [^\]]*\]", comment))


@pytest.mark.parametrize("moves", ["packed", "uci", "san"])
def test_games_are_written_as_the_record_writer_writes_them(tmp_path: Path, moves: Moves) -> None:
    names = (
        "variations and glyphs",
        "a start of its own",
        "null moves",
        "Chess960",
        "Crazyhouse",
        "Three-check",
    )
    text = LICHESS + GOLDEN.decode() + "\n".join(ODDITIES[name] for name in names)
    expected = rewritten(text, "chess")
    rows = games(text.encode(), tags=("*",), moves=moves).read_all()
    assert write_pgn(rows, tmp_path / "back.pgn") == rows.num_rows
    assert (tmp_path / "back.pgn").read_text(encoding="utf-8") == expected
    (tmp_path / "in.pgn").write_text(text, encoding="utf-8")
    run_records("games", tmp_path / "in.pgn", tmp_path / "again.pgn.gz", tags=("*",), moves=moves)
    assert gzip.decompress((tmp_path / "again.pgn.gz").read_bytes()).decode() == expected


def test_the_usual_columns_write_what_a_server_wrote(tmp_path: Path) -> None:
    text = LICHESS.replace('[BlackElo "?"]', '[BlackElo "1999"]')
    write_pgn(games(text.encode()), tmp_path / "back.pgn")
    assert (tmp_path / "back.pgn").read_text(encoding="utf-8") == rewritten(text, "chess")


@pytest.mark.parametrize("name", GAMES)
def test_games_of_every_game_are_written_back(tmp_path: Path, name: str) -> None:
    text = played(name, 2)
    write_pgn(games(text.encode(), game=name, tags=("*",)).read_all(), tmp_path / "back.pgn")
    assert (tmp_path / "back.pgn").read_text(encoding="utf-8") == rewritten(text, name)


@pytest.mark.parametrize("form", ["fen", "packed"])
def test_positions_are_written_as_epd(tmp_path: Path, form: Form) -> None:
    run_records("positions", tmp_path_with(tmp_path, LICHESS), tmp_path / "p.epd", forms=(form,))
    lines = (tmp_path / "p.epd").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1; sm e4;"
    assert lines[1].endswith("sm e5; ce -17;")
    record = next(read_records(io.StringIO(LICHESS), forsyth.game("chess"))).require()
    for line, position in zip(lines, record.positions(), strict=True):
        assert parse_epd(line).position == position
    rows = positions(LICHESS.encode(), forms=(form,)).read_all()
    assert write_epd(rows, tmp_path / "again.epd") == 6
    assert (tmp_path / "again.epd").read_bytes() == (tmp_path / "p.epd").read_bytes()


def tmp_path_with(folder: Path, text: str) -> Path:
    path = folder / "in.pgn"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_cannot_be_written_back(tmp_path: Path) -> None:
    rows = games(LICHESS.encode()).read_all()
    with pytest.raises(BulkError, match="no metadata that name its game"):
        write_pgn(rows.replace_schema_metadata(None), tmp_path / "x.pgn")
    with pytest.raises(BulkError, match="fen or packed"):
        write_epd(positions(LICHESS.encode(), forms=("key",)), tmp_path / "x.epd")
    with pytest.raises(BulkError, match="azul has no EPD"):
        write_epd(positions(played("azul", 1).encode(), game="azul"), tmp_path / "x.epd")
    with pytest.raises(BulkError, match="no column 'moves'"):
        write_pgn(positions(LICHESS.encode()), tmp_path / "x.pgn")
    broken = rows.set_column(rows.schema.get_field_index("moves"), "moves", [[[1, 2]]])
    with pytest.raises(BulkError, match="cannot be written"):
        write_pgn(broken, tmp_path / "x.pgn", "chess")
    assert list(tmp_path.iterdir()) == []


# --- other libraries --------------------------------------------------------------------------------


def test_polars_scans_records(tmp_path: Path) -> None:
    path = tmp_path / "g.pgn"
    path.write_bytes(many(40))
    frame = scan_games(path)
    assert frame.collect().height == 40
    assert frame.select("WhiteElo", "plies").filter(pl.col("plies") > 4).head(7).collect().height == 7
    rows = scan_positions(path, forms=("fen", "key"))
    assert rows.collect_schema()["key"] == pl.Binary
    counted = rows.filter(pl.col("ply") == 1).group_by("key").len().collect()
    assert counted["len"].to_list() == [40]
    assert rows.select("result").unique().collect(engine="streaming").to_series().to_list() == ["1-0"]
    whole = rows.collect()
    assert whole["fen"].to_list() == positions(path).read_all().column("fen").to_pylist()


def test_duckdb_scans_records(tmp_path: Path) -> None:
    path = tmp_path / "g.pgn"
    path.write_bytes(many(40))
    with duckdb.connect() as connection:
        relation = forsyth.bulk.duckdb.scan_games(connection, path)
        assert relation.aggregate("count(*), max(WhiteElo), min(result)").fetchall() == [(40, 2001, "1-0")]
        found = forsyth.bulk.duckdb.scan_positions(connection, path, moves="san")
        assert found.filter("move = 'Qh5'").aggregate("count(*)").fetchall() == [(40,)]


# --- what cannot be done ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"kind": "games", "game": "azul", "moves": "packed"}, "azul has no moves as packed"),
        ({"kind": "games", "game": "chess", "moves": "lan"}, "form of moves"),
        ({"kind": "positions", "game": "chess", "forms": ("png",)}, "form of positions"),
        ({"kind": "positions", "game": "chess", "forms": ("fen", "fen")}, "two columns 'fen'"),
        ({"kind": "games", "game": "chess", "tags": ("game",)}, "two columns 'game'"),
        ({"kind": "games", "game": "chess", "where": "x ="}, "expected a number"),
        ({"kind": "positions", "game": "chess", "every": 0}, "every"),
    ],
)
def test_what_a_table_cannot_be(asked: dict[str, Any], problem: str) -> None:
    with pytest.raises(BulkError, match=problem):
        RecordTable(**asked)


def test_a_table_travels_as_data() -> None:
    table = RecordTable("positions", "chess", "chess960", "uci", ("White",), ("key",), 2, 3, "WhiteElo > 5")
    assert RecordTable.from_dict(table.to_dict()) == table


def test_files_that_hold_no_records_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("fen\n", encoding="utf-8")
    with pytest.raises(BulkError, match="holds no records"):
        run_records("games", tmp_path / "x.csv", tmp_path / "g.parquet")
    (tmp_path / "x.pgn").write_text("1. hello *\n", encoding="utf-8")
    with pytest.raises(BulkError, match=r"the first records of .* cannot be detected"):
        run_records("games", tmp_path / "x.pgn", tmp_path / "g.parquet")


def test_empty_files_do_not_hide_the_game_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes(b"")
    (tmp_path / "b.pgn.gz").write_bytes(gzip.compress(b"\n \n"))
    (tmp_path / "c.pgn").write_text(LICHESS, encoding="utf-8")
    files = [tmp_path / name for name in ("a.pgn", "b.pgn.gz", "c.pgn")]
    alone = run_records("games", files[2], tmp_path / "alone.parquet")
    total = run_records("games", files, tmp_path / "all.parquet")
    assert (total.table.game, total.written) == ("chess", alone.written)
    assert games(files).read_all().num_rows == alone.written
    built = build_index(files, tmp_path / "book")
    assert (built.manifest.game, built.manifest.games) == ("chess", alone.written)
    with pytest.raises(BulkError, match="the files contain no record"):
        build_index(files[:2], tmp_path / "none", game="chess")


def test_the_usual_tags_have_the_players_of_the_game() -> None:
    assert "RedElo" in list_default_tags(forsyth.game("cotulenh"))
    assert "White" in list_default_tags(forsyth.game("chess"))
