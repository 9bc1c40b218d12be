"""Files of every format as batches and back: the same rows, however they are cut, wrapped or named."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bulk.example_records import GOLDEN, ODDITIES, many
from tests.work import calls_of

import forsyth
from forsyth.bulk.errors import BulkError
from forsyth.bulk.sinks import concatenate, open_sink
from forsyth.bulk.sources.files import Compression, Format, detect_format, expand_patterns
from forsyth.bulk.sources.shards import Shard, open_shard, plan_shards
from forsyth.games.chess.notation.epd import parse_epd
from forsyth.games.chess.notation.fen import write_fen

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
WHOLE = 1 << 40
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all examples of a property."""
    return tmp_path_factory.mktemp("bulk")


def rows(path: str | Path, target_bytes: int = WHOLE, given: str | None = None, **how: Any) -> list[Any]:
    """All rows of a file, read shard by shard after a journey as JSON; `skip` is of the first shard."""
    found: list[Any] = []
    for shard in plan_shards(expand_patterns([str(path)], given), target_bytes=target_bytes):
        travelled = Shard.from_dict(json.loads(json.dumps(shard.to_dict())))
        assert travelled == shard
        with open_shard(travelled, **how) as batches:
            for batch in batches:
                assert batch.schema == batches.schema
                found += batch.to_pylist()
    return found


def column(path: str | Path, name: str = "fen", **how: Any) -> list[Any]:
    return [row[name] for row in rows(path, **how)]


def write(path: str | Path, batches: Sequence[pa.RecordBatch], schema: pa.Schema | None = None) -> None:
    with open_sink(str(path), batches[0].schema if schema is None else schema) as sink:
        for batch in batches:
            sink.write_batch(batch)


# --- names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "given", "expected"),
    [
        ("a.parquet", None, (Format.PARQUET, None)),
        ("a.feather", None, (Format.ARROW, None)),
        ("a.b.CSV.GZ", None, (Format.CSV, Compression.GZIP)),
        ("dir.d/a.ndjson.zst", None, (Format.JSONL, Compression.ZSTD)),
        ("a.fen", None, (Format.TEXT, None)),
        ("a.data.gz", "epd", (Format.EPD, Compression.GZIP)),
        ("-", None, (Format.TEXT, None)),
        ("-", "jsonl.gz", (Format.JSONL, Compression.GZIP)),
        ("s3://bucket/a.pgn", None, (Format.PGN, None)),
    ],
)
def test_a_name_tells_format_and_compression(
    path: str, given: str | None, expected: tuple[Format, Compression | None]
) -> None:
    assert detect_format(path, given) == expected


def test_a_name_that_tells_nothing_is_refused_with_the_formats_there_are() -> None:
    for path, given_format in (("positions", None), ("a.xlsx", None), ("a.gz", None), ("a.csv", "excel")):
        with pytest.raises(BulkError, match="parquet, arrow"):
            detect_format(path, given_format)


def test_patterns_give_files_in_order(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "c.csv", "sub/d.txt", ".hidden.txt", "_SUCCESS.txt", "readme", "e[1].txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n")

    def names(*patterns: str) -> list[str]:
        return [str(Path(place.path).relative_to(tmp_path)) for place in expand_patterns(patterns)]

    assert names(f"{tmp_path}/*.txt") == ["_SUCCESS.txt", "a.txt", "b.txt", "e[1].txt"]
    assert names(f"{tmp_path}/**/d*.txt") == ["sub/d.txt"]
    assert names(f"{tmp_path}/e[1].txt", f"{tmp_path}/a.txt") == ["e[1].txt", "a.txt"]
    assert names(str(tmp_path)) == ["a.txt", "b.txt", "c.csv", "e[1].txt", "sub/d.txt"]
    assert names(f"file://{tmp_path}/a.txt") == ["a.txt"]
    assert [place.size for place in expand_patterns([f"{tmp_path}/a.txt", "-"])] == [2, None]


def test_a_place_shows_that_its_file_was_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\n")
    before = expand_patterns([str(path)])
    assert expand_patterns([str(path)]) == before
    os.utime(path, ns=(0, 1))
    assert expand_patterns([str(path)]) != before


# --- lines -------------------------------------------------------------------------------------------


def lines_of(data: bytes) -> list[str | None]:
    """What a file of text holds, said simply: a line of blanks and a comment are no texts."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [
        line.removesuffix(b"\r").decode() if line.strip() and not line.startswith(b"#") else None
        for line in lines
    ]


@settings(max_examples=150, deadline=None)
@given(
    data=st.text("ab#\u00e9\U0001f600 \n\n\r", max_size=60).map(str.encode),
    mark=st.booleans(),
    target=st.integers(1, 70),
    most=st.integers(1, 9),
)
def test_text_gives_every_line_once_wherever_it_is_cut(
    folder: Path, data: bytes, mark: bool, target: int, most: int
) -> None:
    path = folder / "lines.txt"
    path.write_bytes(b"\xef\xbb\xbf" * mark + data)
    expected = lines_of(path.read_bytes())
    assert column(path) == expected
    assert column(path, target_bytes=target, batch_rows=most) == expected
    for skip in (1, len(expected) // 2, len(expected) + 3):
        assert column(path, skip=skip, batch_rows=most) == expected[skip:]


def test_blocks_meet_inside_lines_and_characters(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = "".join(f"ü{number}\r\n" for number in range(2000)).encode()
    path = folder / "blocks.txt"
    path.write_bytes(data)
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr("forsyth.bulk.sources.lines.BLOCK_BYTES", size)
        assert column(path) == lines_of(data)
        assert column(path, target_bytes=3001) == lines_of(data)


def test_shards_of_lines_have_about_the_size_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"{START}\n" * 1000)
    shards = plan_shards(expand_patterns([str(path)]), target_bytes=10_000)
    assert len(shards) == 6
    assert [shard.number for shard in shards] == list(range(6))
    assert sum(shard.size or 0 for shard in shards) == path.stat().st_size
    assert {shard.unit for shard in shards} == {"bytes"}


def test_text_is_read_by_the_batch(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"{START}\n" * 100_000)

    def read() -> None:
        with open_shard(plan_shards(expand_patterns([str(path)]))[0]) as batches:
            assert sum(batch.num_rows for batch in batches) == 100_000
            assert batches.bytes_read == batches.total_bytes == path.stat().st_size

    assert calls_of(read) < 5_000


# --- EPD ---------------------------------------------------------------------------------------------


FIELDS = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq -"
EPD = [
    (f'{FIELDS} bm O-O; id "a; hmvc 7;";', f"{FIELDS} 0 1"),
    (f'{FIELDS} hmvc 4; fmvn 12; c0 "\\"; fmvn 3;";', f"{FIELDS} 4 12"),
    (f'{FIELDS} id "x"; fmvn 30; hmvc 2', f"{FIELDS} 2 30"),
    (f"{FIELDS} noop hmvc 5;", f"{FIELDS} 0 1"),
    (FIELDS, f"{FIELDS} 0 1"),
]


def test_epd_is_position_and_operations(tmp_path: Path) -> None:
    path = tmp_path / "a.epd"
    path.write_text("".join(f"{line}\n" for line, _ in EPD))
    found = rows(path)
    assert [row["fen"] for row in found] == [text for _, text in EPD]
    assert [row["operations"] for row in found] == [line[len(FIELDS) + 1 :] for line, _ in EPD]
    for (line, _), row in zip(EPD, found, strict=True):
        if "noop" not in line:
            assert write_fen(parse_epd(line).position) == row["fen"]


def test_lines_that_are_not_epd_stay_whole(tmp_path: Path) -> None:
    lines = [START, "hello", "a b c", "a b c ", "a b c d ;x", f"{FIELDS} 3+3 0 1", " a b c d e", " # b c d"]
    path = tmp_path / "a.epd"
    path.write_text("\n".join(lines))
    assert rows(path) == [{"fen": line, "operations": None} for line in lines]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text("ab1; \u00e9", max_size=14), min_size=1, max_size=6))
def test_epd_taken_apart_all_at_once_is_what_the_pattern_says(folder: Path, lines: list[str]) -> None:
    """A line with two blanks behind its third field goes the slow way; with one it must not differ."""
    fast, slow = folder / "fast.epd", folder / "slow.epd"
    fast.write_text("".join(f"k {line}\n" for line in lines))
    slow.write_text("".join(f"k  {line}\n" for line in lines))
    for quick, careful in zip(rows(fast), rows(slow), strict=True):
        assert quick["operations"] == careful["operations"]
        assert quick["fen"] == careful["fen"].replace("k  ", "k ", 1)


# --- CSV and JSON lines ------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    cells=st.lists(st.tuples(st.none() | texts, st.none() | texts), max_size=8),
    ending=st.sampled_from(["csv", "tsv", "csv.gz"]),
)
def test_csv_gives_back_what_was_written(
    folder: Path, cells: list[tuple[str | None, str | None]], ending: str
) -> None:
    path = folder / f"cells.{ending}"
    batch = pa.RecordBatch.from_pylist(
        [{"fen": fen, 'a,"b': other} for fen, other in cells],
        schema=pa.schema([("fen", pa.string()), ('a,"b', pa.string())]),
    )
    write(path, [batch])
    assert rows(path) == batch.to_pylist()


def test_csv_of_others(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b'\xef\xbb\xbf\r\nfen,n\r\n"a\nb",007\r\n\r\n,\r\n"",2024-01-01')
    assert rows(path) == [
        {"fen": "a\nb", "n": "007"},
        {"fen": None, "n": None},
        {"fen": "", "n": "2024-01-01"},
    ]
    path.write_text("fen\n\nx\n")
    assert column(path) == [None, "x"]
    assert column(path, columns=["fen"], skip=1) == ["x"]


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    values=st.lists(st.tuples(texts, st.integers(-9, 2**60), st.booleans()), min_size=1, max_size=8),
    target=st.integers(1, 200),
    blank=st.sampled_from(["\n", "\n\n", "\r\n", "\n \t\n"]),
)
def test_json_objects_are_rows_wherever_they_are_cut(
    folder: Path, values: list[tuple[str, int, bool]], target: int, blank: str
) -> None:
    path = folder / "objects.jsonl"
    objects = [{"fen": fen, "n": n, "l": [{"b": b}]} for fen, n, b in values]
    path.write_text(blank.join(map(json.dumps, objects)) + blank, newline="")
    assert rows(path) == objects
    assert rows(path, target_bytes=target) == objects


@settings(max_examples=100, deadline=None)
@given(values=st.lists(st.none() | texts, min_size=1, max_size=8), target=st.integers(1, 50))
def test_json_strings_are_texts(folder: Path, values: list[str | None], target: int) -> None:
    path = folder / "strings.jsonl"
    values = ["", *values]
    path.write_text("\n".join(json.dumps(value, ensure_ascii=False) for value in values))
    assert column(path) == values
    assert column(path, target_bytes=target) == values


def test_json_keeps_dates_as_texts_and_lacks_as_nulls(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"fen":"x","d":"2024-01-01","l":["2024-01-01"],"z":null}\n{"fen":"y","z":"late"}\n')
    assert rows(path) == [
        {"fen": "x", "d": "2024-01-01", "l": ["2024-01-01"], "z": None},
        {"fen": "y", "d": None, "l": None, "z": "late"},
    ]


def test_json_written_is_json(tmp_path: Path) -> None:
    batch = pa.record_batch({"fen": ['"\n\\é\U0001f600', None], "f": [1.5, None], "l": [[1], None]})
    write(tmp_path / "a.jsonl", [batch])
    found = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert found == [{"fen": '"\n\\é\U0001f600', "f": 1.5, "l": [1]}, {"fen": None, "f": None, "l": None}]


# --- PGN ---------------------------------------------------------------------------------------------

PGN = """[Event "One"]
[Result "1-0"]

1. e4 (1. d4 d5) e5 2. Nf3 {good} 1-0

[Event "Two"]
[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]
[SetUp "1"]

1. O-O Kd7 2. Qh5 *

[Event "Three"]
[FEN "nothing"]
[SetUp "1"]

*

[Event "Four"]

1/2-1/2
"""


def test_pgn_is_its_positions(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_text(PGN)
    found = rows(path, game="chess")
    match = forsyth.Match("chess")
    expected = [str(match.position)]
    for move in ("e4", "e5", "Nf3"):
        match.play(move)
        expected.append(str(match.position))
    assert [row["fen"] for row in found[:4]] == expected
    assert [row["move"] for row in found] == ["e4", "e5", "Nf3", None, "O-O", "Kd7", None, None, None]
    assert [row["game"] for row in found] == [1, 1, 1, 1, 2, 2, 2, 3, 4]
    assert [row["ply"] for row in found] == [0, 1, 2, 3, 0, 1, 2, 0, 0]
    assert [row["result"] for row in found][-2:] == [None, "1/2-1/2"]
    assert [index for index, row in enumerate(found) if row["error"] is not None] == [6, 7]
    assert found[6]["error"].startswith("line 10, column 15: ")
    assert found[7]["fen"] is None
    assert rows(path, game="chess", skip=5, batch_rows=2) == found[5:]


def test_pgn_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pgn.gz"
    path.write_bytes(gzip.compress(PGN.encode() * 50))
    monkeypatch.setattr("forsyth.bulk.sources.lines.BLOCK_BYTES", 256)
    monkeypatch.setattr("forsyth.bulk.sources.pgn.BLOCK_BYTES", 256)
    monkeypatch.setattr("forsyth.bulk.sources.pgn._ROWS_PER_BATCH", 20)
    with open_shard(plan_shards(expand_patterns([str(path)]))[0], game="chess") as batches:
        found = list(batches)
    assert len(found) > 10
    assert [row["game"] for batch in found for row in batch.to_pylist()][-1] == 200


@pytest.mark.compiled
@pytest.mark.parametrize("size", [256, 1 << 20])
@pytest.mark.parametrize("name", ["golden", *ODDITIES])
def test_a_kernel_gives_the_rows_of_the_record_reader(
    name: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = ODDITIES.get(name, "").encode()
    path = tmp_path / "a.pgn"
    path.write_bytes(odd + b"\n" + many(5) + GOLDEN + odd.removeprefix(b"\xef\xbb\xbf"))
    monkeypatch.setattr("forsyth.bulk.sources.pgn.BLOCK_BYTES", size)
    found = rows(path, game="chess")
    monkeypatch.setattr("forsyth.bulk.sources.pgn.COMPILED", False)
    assert found == rows(path, game="chess")


# --- files of columns --------------------------------------------------------------------------------

TABLE = pa.table(
    {
        "fen": [None if number % 7 == 0 else f"text {number}" for number in range(500)],
        "n": pa.array(range(500), pa.int32()),
        "code": pa.array([f"c{number % 3}" for number in range(500)]).dictionary_encode(),
    }
)


@pytest.fixture(params=["parquet", "arrow", "arrows", "stream.arrow", "arrow.gz", "arrows.zst"])
def columns_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"a.{request.param}"
    raw = io.BytesIO()
    if path.suffix == ".parquet":
        pq.write_table(TABLE, raw, row_group_size=60)
    else:
        kind = pa.ipc.new_stream if "arrows" in path.name or "stream" in path.name else pa.ipc.new_file
        with kind(raw, TABLE.schema) as writer:
            writer.write_table(TABLE, max_chunksize=60)
    data = raw.getvalue()
    if path.suffix == ".gz":
        data = gzip.compress(data)
    if path.suffix == ".zst":
        data = zstandard.compress(data)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("target", [1, 700, 2500, WHOLE])
def test_files_of_columns_give_every_row_once_wherever_they_are_cut(columns_file: Path, target: int) -> None:
    expected = TABLE.to_pylist()
    assert rows(columns_file, target_bytes=target) == expected
    assert rows(columns_file, target_bytes=target, batch_rows=7) == expected
    chosen = rows(columns_file, target_bytes=target, columns=["n", "fen"])
    assert [list(row) for row in chosen[:1]] == [["n", "fen"]]
    assert [row["n"] for row in chosen] == list(range(500))


def test_files_of_columns_skip_rows(columns_file: Path) -> None:
    for skip in (1, 59, 60, 61, 499, 500, 501):
        assert column(columns_file, "n", skip=skip, batch_rows=50) == list(range(skip, 500))


def test_files_of_columns_say_how_far_they_are(columns_file: Path) -> None:
    (shard,) = plan_shards(expand_patterns([str(columns_file)]))
    with open_shard(shard, batch_rows=50) as batches:
        assert batches.total_bytes is not None
        begin = batches.bytes_read
        places = [batches.bytes_read for _ in batches]
    assert 0 <= begin <= places[0]
    assert places == sorted(places)
    assert batches.total_bytes // 2 < places[-1] <= batches.total_bytes


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", f"{START}\n" * 20),
        ("a.csv", f"fen\n{f'{START}{chr(10)}' * 20}"),
        ("a.jsonl", f'{{"fen": "{START}"}}\n' * 20),
        ("a.pgn", '[Event "x"]\n\n1. e4 e5 *\n\n' * 20),
    ],
)
def test_files_of_texts_are_read_to_their_last_byte(tmp_path: Path, name: str, data: str) -> None:
    path = tmp_path / name
    path.write_text(data)
    (shard,) = plan_shards(expand_patterns([str(path)]))
    with open_shard(shard, game="chess", batch_rows=7) as batches:
        places = [batches.bytes_read for _ in batches]
    assert places == sorted(places)
    assert places[-1] == batches.total_bytes == len(data)


def test_files_with_groups_are_cut_between_them(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(TABLE, path, row_group_size=60)
    shards = plan_shards(expand_patterns([str(path)]), target_bytes=1)
    assert [(shard.unit, shard.first, shard.count) for shard in shards] == [
        ("groups", n, 1) for n in range(9)
    ]
    with open_shard(shards[3]) as batches:
        assert [batch.column("n")[0].as_py() for batch in batches] == [180]
        assert batches.bytes_read == batches.total_bytes


def test_groups_that_are_skipped_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(TABLE, path, row_group_size=60)
    column_of_texts = pq.ParquetFile(path).metadata.row_group(0).column(0)
    with path.open("r+b") as file:
        # The last bytes of the first group's texts: the heads of all pages are looked at beforehand.
        file.seek(column_of_texts.dictionary_page_offset + column_of_texts.total_compressed_size - 20)
        file.write(b"\xff" * 20)
    assert column(path, "n", skip=60) == list(range(60, 500))
    with pytest.raises(BulkError):
        column(path, "n", skip=59)


# --- sinks -------------------------------------------------------------------------------------------

ENDINGS = [
    "parquet",
    "arrow",
    "arrows",
    "arrow.zst",
    "csv",
    "csv.gz",
    "tsv.zst",
    "jsonl",
    "jsonl.gz",
    "txt.zst",
]
BATCH = pa.record_batch(
    {
        "fen": pa.array(["a", "", 'x,"y', "z"]),
        "key": pa.array([b"\x00\xff", None, b"12", b"34"], pa.binary(2)),
        "raw": pa.array([b"\x01", b"", None, b"abc"], pa.binary()),
        "code": pa.array(["e", None, "f", "e"]).dictionary_encode(),
        "n": pa.array([1, 2, None, 4]),
    }
)
WRITTEN: list[dict[str, Any]] = [
    {"fen": "a", "key": "00ff", "raw": "01", "code": "e", "n": 1},
    {"fen": "", "key": None, "raw": "", "code": None, "n": 2},
    {"fen": 'x,"y', "key": "3132", "raw": None, "code": "f", "n": None},
    {"fen": "z", "key": "3334", "raw": "616263", "code": "e", "n": 4},
]


def as_written(ending: str) -> list[Any]:
    if ending.startswith(("parquet", "arrow")):
        return list(BATCH.to_pylist())
    if ending.startswith("txt"):
        # A line without anything is a row without a text.
        return [{"fen": row["fen"] or None} for row in WRITTEN]
    return WRITTEN


@pytest.fixture(params=["local", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A directory of this machine, and one of another file system."""
    if request.param == "local":
        yield str(tmp_path)
        return
    memory = fsspec.filesystem("memory")
    yield f"memory://bulk{tmp_path}"
    memory.rm("/", recursive=True)


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_a_sink_writes_a_source_reads(place: str, ending: str) -> None:
    path = f"{place}/a.{ending}"
    write(path, [BATCH, BATCH.slice(1, 2), BATCH.slice(0, 0)])
    expected = as_written(ending)
    assert rows(path) == expected + expected[1:3]
    assert [found.path for found in expand_patterns([place])] == [expand_patterns([path])[0].path]


@pytest.mark.parametrize("ending", ENDINGS)
def test_part_files_become_one(place: str, ending: str) -> None:
    parts = [f"{place}/parts/{number}.{ending}" for number in range(4)]
    if not place.startswith("memory"):
        Path(place, "parts").mkdir()
    for number, part in enumerate(parts):
        write(part, [BATCH.slice(number)] if number != 2 else [], BATCH.schema)
    concatenate(parts, f"{place}/all.{ending}")
    expected = as_written(ending)
    assert rows(f"{place}/all.{ending}") == expected + expected[1:] + expected[3:]
    assert len(expand_patterns([f"{place}/parts"])) == 4
    assert rows(f"{place}/parts") == rows(f"{place}/all.{ending}")


def test_a_single_part_is_renamed(tmp_path: Path) -> None:
    part, target = tmp_path / "part.csv", tmp_path / "all.csv"
    write(part, [BATCH])
    inode = part.stat().st_ino
    concatenate([str(part)], str(target))
    assert target.stat().st_ino == inode
    assert not part.exists()


def test_no_rows_are_a_file_too(place: str) -> None:
    for ending in ENDINGS:
        write(f"{place}/none.{ending}", [], BATCH.schema)
        assert rows(f"{place}/none.{ending}") == []


def test_planes_are_a_numpy_array(tmp_path: Path) -> None:
    schema = pa.schema([("n", pa.int8()), pa.field("planes", pa.binary(24), metadata={"shape": "2,3,4"})])
    whole = np.arange(5 * 24, dtype=np.uint8).reshape(5, 2, 3, 4)
    values = [tensor.tobytes() for tensor in whole]
    batch = pa.record_batch([pa.array(range(5), pa.int8()), pa.array(values, pa.binary(24))], schema=schema)
    for number, slices in enumerate([[batch.slice(0, 2), batch.slice(2, 1)], [], [batch.slice(3)]]):
        write(tmp_path / f"{number}.npy", slices, schema)
    assert np.array_equal(np.load(tmp_path / "0.npy"), whole[:3])
    assert np.load(tmp_path / "1.npy").shape == (0, 2, 3, 4)
    concatenate([str(tmp_path / f"{number}.npy") for number in range(3)], str(tmp_path / "all.npy"))
    found = np.load(tmp_path / "all.npy", mmap_mode="r")
    assert found.dtype == np.uint8
    assert np.array_equal(found, whole)
    missing = pa.record_batch(
        [pa.array([1, 2], pa.int8()), pa.array([None, values[4]], pa.binary(24))], schema=schema
    )
    write(tmp_path / "nulls.npy", [missing])
    assert np.array_equal(np.load(tmp_path / "nulls.npy"), [np.zeros((2, 3, 4)), whole[4]])


def test_parquet_is_written_in_large_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forsyth.bulk.writers._GROUP_ROWS", 100)
    batches = TABLE.to_batches(max_chunksize=30)
    write(tmp_path / "a.parquet", batches)
    facts = pq.ParquetFile(tmp_path / "a.parquet").metadata
    assert [facts.row_group(number).num_rows for number in range(facts.num_row_groups)] == [
        120,
        120,
        120,
        120,
        20,
    ]


def test_an_arrow_file_takes_batches_with_dictionaries_of_their_own(tmp_path: Path) -> None:
    batches = [pa.record_batch({"fen": pa.array([text]).dictionary_encode()}) for text in ("a", "b")]
    for ending in ("arrow", "arrows", "parquet"):
        write(tmp_path / f"a.{ending}", batches)
        assert column(tmp_path / f"a.{ending}") == ["a", "b"]


def test_a_file_stays_as_it_was_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old\n")
    path.chmod(0o600)
    sink = open_sink(str(path), BATCH.schema)
    sink.write_batch(BATCH)
    assert path.read_text() == "old\n"
    sink.abort()
    assert [found.name for found in tmp_path.iterdir()] == ["a.txt"]
    with pytest.raises(RuntimeError), open_sink(str(path), BATCH.schema) as sink:
        sink.write_batch(BATCH)
        raise RuntimeError
    assert [found.name for found in tmp_path.iterdir()] == ["a.txt"]
    assert path.read_text() == "old\n"
    write(path, [BATCH])
    assert path.read_text() == 'a\n\nx,"y\nz\n'
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    write(tmp_path / "link.txt", [BATCH])
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text().startswith("a\n")


# --- pipes -------------------------------------------------------------------------------------------

COPY = """
import sys
from forsyth.bulk.sources.files import expand_patterns, detect_format
from forsyth.bulk.sinks import open_sink
from forsyth.bulk.sources.shards import open_shard, plan_shards

given, wanted = sys.argv[1:]
(shard,) = plan_shards(expand_patterns(["-"], given))
with open_shard(shard) as batches, open_sink("-", batches.schema, *detect_format("-", wanted)) as sink:
    for batch in batches:
        sink.write_batch(batch)
"""


def copied(data: bytes, given: str, wanted: str) -> bytes:
    run = [sys.executable, "-c", COPY, given, wanted]
    return subprocess.run(run, input=data, stdout=subprocess.PIPE, check=True).stdout


@pytest.mark.slow
def test_standard_input_goes_to_standard_output() -> None:
    data = f"{START}\nabc\n".encode()
    assert copied(data, "text", "text") == data
    packed = copied(data, "text", "arrow.gz")
    assert copied(packed, "arrow.gz", "text") == data
    assert pq.read_table(io.BytesIO(copied(data, "text", "parquet"))).to_pydict() == {"fen": [START, "abc"]}
    with pa.ipc.open_stream(copied(data, "text", "arrow")) as reader:
        assert reader.read_all().to_pydict() == {"fen": [START, "abc"]}
    raw = io.BytesIO()
    with pa.ipc.new_file(raw, TABLE.schema) as writer:
        writer.write_table(TABLE, max_chunksize=100)
    lines = copied(raw.getvalue(), "arrow", "jsonl").decode().splitlines()
    assert [json.loads(line) for line in lines] == TABLE.to_pylist()


@pytest.mark.parametrize(
    ("facts", "stamp"),
    [
        ({"ETag": "a", "mtime": "b"}, "a"),
        ({"etag": "a", "created": "b"}, "a"),
        ({"mtime": 5.5}, "5.5"),
        ({"LastModified": "a", "last_modified": "b"}, "a"),
        ({"last_modified": "a", "updated": "b"}, "a"),
        ({"updated": "a", "modified": "b"}, "a"),
        ({"modified": "a", "created": "b"}, "a"),
        ({"etag": None, "created": "b"}, "b"),
        ({}, ""),
    ],
)
def test_which_version_of_a_remote_file_is_there(
    monkeypatch: pytest.MonkeyPatch, facts: dict[str, Any], stamp: str
) -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe("/stamps/a.csv", b"fen\n")
    try:
        monkeypatch.setattr(type(memory), "info", lambda self, path: {"size": 4, "type": "file", **facts})
        (found,) = expand_patterns(["memory://stamps/a.csv"])
    finally:
        monkeypatch.undo()
        memory.rm("/stamps", recursive=True)
    assert (found.stamp, found.size, found.path) == (stamp, 4, "memory:///stamps/a.csv")
