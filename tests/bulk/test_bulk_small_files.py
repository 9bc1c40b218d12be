"""Many small files: one shard together, the same rows, places and rests as one by one."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import forsyth
from forsyth.bulk import BulkError, RunOptions, batches, dedupe_files, run_files, scan_files
from forsyth.bulk.engines import shard_work
from forsyth.bulk.sources import shards
from forsyth.bulk.sources.files import CsvDialect, expand_patterns
from forsyth.bulk.sources.shards import Shard, ShardReader, merge_small_shards, open_shard, plan_shards

CHESS = forsyth.game("chess")
GOOD = CHESS.start
OTHER = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
BAD = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def put(folder: Path, ending: str, number: int, texts: list[str]) -> str:
    path = folder / f"f{number:03}.{ending}"
    table = pa.table({"fen": pa.array(texts, pa.string()), "n": pa.array(range(len(texts)), pa.int64())})
    if ending == "parquet":
        pq.write_table(table, path)
    elif ending == "csv":
        pyarrow.csv.write_csv(table, path)
    elif ending == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()), encoding="utf-8")
    else:
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return str(path)


@pytest.fixture(params=["parquet", "csv", "jsonl", "txt"])
def many(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """Thirty files of three rows, an empty one and one with a fault in its second row."""
    files = [put(tmp_path, request.param, number, [GOOD, OTHER, GOOD]) for number in range(30)]
    files[11] = put(tmp_path, request.param, 11, [])
    files[17] = put(tmp_path, request.param, 17, [OTHER, BAD, GOOD])
    return files


def test_small_files_are_one_shard_up_to_a_bound(many: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    plain = plan_shards(expand_patterns(many))
    assert [shard.path for shard in plain] == many
    (joined,) = merge_small_shards(plain)
    assert [one.path for one in joined.files] == many
    assert joined.size == sum(Path(path).stat().st_size for path in many)
    assert Shard.from_dict(json.loads(json.dumps(joined.to_dict()))) == joined
    with pytest.raises(ValueError, match="several files"):
        open_shard(joined)
    monkeypatch.setattr(shards, "MAX_FILES", 7)
    runs = merge_small_shards(plain)
    assert [len(run.files) for run in runs] == [7, 7, 7, 7, 2]
    assert [run.number for run in runs] == [0, 1, 2, 3, 4]
    sized = merge_small_shards(plain, target_bytes=plain[0].size or 0)
    assert [one.path for run in sized for one in run.files] == many
    assert len(sized) > 20


def test_a_large_file_stands_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SMALL_FILE_BYTES", 1000)
    files = [put(tmp_path, "txt", number, [GOOD] * (100 if number == 2 else 1)) for number in range(5)]
    runs = merge_small_shards(plan_shards(expand_patterns(files)))
    assert [[Path(one.path).stem for one in run.files] for run in runs] == [
        ["f000", "f001"],
        ["f002"],
        ["f003", "f004"],
    ]


def test_rows_and_places_are_those_of_the_files(many: list[str], tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"
    report = scan_files(many, target, game="chess")
    assert (report.rows, report.unreadable) == (87, 1)
    (code,) = report.codes
    (example,) = code.examples
    assert (example.file, example.row) == (many[17], 2)
    expected = (
        [GOOD, OTHER, GOOD] * 11 + [GOOD, OTHER, GOOD] * 5 + [OTHER, BAD, GOOD] + [GOOD, OTHER, GOOD] * 12
    )
    assert pq.read_table(target).column("fen").to_pylist() == expected
    assert scan_files(many, game="chess").codes == report.codes


def test_the_row_of_a_shard_is_in_one_of_its_files(many: list[str]) -> None:
    (joined,) = merge_small_shards(plan_shards(expand_patterns(many)))
    files = ShardReader(joined)
    for opened in files:
        for batch in opened:
            files.add_rows(batch.num_rows)
    assert files.locate_row(0) == (0, 0)
    assert files.locate_row(32) == (10, 2)
    assert files.locate_row(33) == (12, 0)
    assert files.locate_row(86) == (29, 2)


def test_each_position_once_of_many_files(many: list[str], tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"
    report = dedupe_files(many, target, game="chess")
    assert (report.written, report.duplicates) == (3, 84)
    assert pq.read_table(target).column("fen").to_pylist() == [GOOD, OTHER, BAD]


def test_a_stopped_job_goes_on_within_the_files_of_a_shard(
    many: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, target = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    # Batches as small as the files; three are under way at most, so that the first are written by then.
    monkeypatch.setattr(batches, "SMALL_BATCH_ROWS", 3)
    run_files("key", many, whole, game="chess", run_options=RunOptions(roll_rows=10))
    real = shard_work.process_batch

    def stopping(job: Any, batch: pa.RecordBatch, origin: Any) -> Any:
        if origin.first_row >= 50:
            raise KeyboardInterrupt
        return real(job, batch, origin)

    way = RunOptions(roll_rows=10, resume=True, threads=1)
    monkeypatch.setattr(shard_work, "process_batch", stopping)
    with pytest.raises(KeyboardInterrupt):
        run_files("key", many, target, game="chess", run_options=way)
    assert not target.exists()
    kept = list((tmp_path / ".out.parquet.forsyth").glob("00000-*.parquet"))
    assert len(kept) >= 2
    monkeypatch.setattr(shard_work, "process_batch", real)
    run_files("key", many, target, game="chess", run_options=way)
    assert pq.read_table(target).equals(pq.read_table(whole))


def test_a_broken_file_among_many_is_named(many: list[str], tmp_path: Path) -> None:
    if many[0].endswith("txt"):
        Path(many[20]).write_bytes(b"a\0b\n")
    else:
        Path(many[20]).write_bytes(b"\xff\xfe nothing")
    with pytest.raises(BulkError, match=r"f020\."):
        run_files("key", many, tmp_path / "out.parquet", game="chess")
    assert not (tmp_path / "out.parquet").exists()


def test_threads_and_parts_are_made_once_for_many_files(
    many: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    real = ThreadPoolExecutor

    def counted(*arguments: Any) -> Any:
        made.append(1)
        return real(*arguments)

    monkeypatch.setattr(shard_work, "ThreadPoolExecutor", counted)
    run_files("key", many, f"{tmp_path}/parts/", game="chess")
    assert len(made) == 1
    assert [path.name for path in (tmp_path / "parts").iterdir()] == ["part-00000.parquet"]


# --- types of cells -----------------------------------------------------------------------------------


def table_of(tmp_path: Path, *contents: str, **asked: Any) -> pa.Table:
    files = []
    for number, content in enumerate(contents):
        path = tmp_path / f"c{number}.csv"
        path.write_text(content, encoding="utf-8")
        files.append(str(path))
    run_files("key", files, tmp_path / "out.parquet", game="chess", **asked)
    return pq.read_table(tmp_path / "out.parquet")


def test_numbers_of_csv_stay_numbers(tmp_path: Path) -> None:
    table = table_of(
        tmp_path,
        "fen,whole,part,zeros,big,quoted,empty,e\n"
        f'{GOOD},1,0.5,007,{10**19},"5",,1e5\n{GOOD},-20,3,1,1,"6",,2\n{GOOD},,,2,2,,,3\n',
    )
    kinds = {field.name: field.type for field in table.schema}
    assert kinds["whole"] == pa.int64()
    assert kinds["part"] == pa.float64()
    assert {kinds[name] for name in ("fen", "zeros", "big", "quoted", "empty", "e")} == {pa.string()}
    assert table.column("whole").to_pylist() == [1, -20, None]
    assert table.column("part").to_pylist() == [0.5, 3.0, None]
    assert table.column("zeros").to_pylist() == ["007", "1", "2"]
    assert table.column("quoted").to_pylist() == ["5", "6", None]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_small_files_of_csv_are_read_together_where_each_line_is_a_row(tmp_path: Path, end: str) -> None:
    plain = f'fen,note\n{GOOD},"a ""b"", c"\n{BAD},x\n'
    broken = f'fen,note\n{GOOD},"two\nlines"\n{BAD},y\n'
    blank = f"fen,note\n{GOOD},1\n\n{BAD},z"
    other = f"note,fen\nq,{BAD}\n"
    sources = []
    for number, content in enumerate([plain, plain, broken, blank, other, plain, plain, plain]):
        path = tmp_path / f"p{number}.csv"
        path.write_bytes(content.replace("\n", end).encode())
        sources.append(str(path))
    report = scan_files(sources, game="chess")
    assert (report.rows, report.unreadable) == (15, 8)
    run_files("filter", sources, tmp_path / "bad.parquet", game="chess", options={"keep": "bad"})
    notes = pq.read_table(tmp_path / "bad.parquet").column("note").to_pylist()
    assert notes == ["x", "x", "y", "z", "q", "x", "x", "x"]
    run_files("filter", sources, tmp_path / "good.parquet", game="chess", options={"keep": "ok"})
    notes = pq.read_table(tmp_path / "good.parquet").column("note").to_pylist()
    assert notes == ['a "b", c', 'a "b", c', f"two{end}lines", "1", *['a "b", c'] * 3]
    (tmp_path / "p6.csv").write_text(f"fen,note\n{GOOD}\n", encoding="utf-8")
    with pytest.raises(BulkError, match=r"p6\.csv: .*2 columns"):
        scan_files(sources, game="chess")


def test_as_many_files_as_arrow_is_asked_for_go_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [put(tmp_path, "csv", number, [GOOD, OTHER, BAD]) for number in range(40)]
    asked: list[int] = []
    read_csv = pyarrow.csv.read_csv

    def count(*given: Any, **options: Any) -> pa.Table:
        table = read_csv(*given, **options)
        asked.append(table.num_rows)
        return table

    monkeypatch.setattr(pyarrow.csv, "read_csv", count)
    report = run_files("key", sources, tmp_path / "out.parquet", game="chess")
    assert (report.rows, len(asked) < 10) == (120, True)
    assert [one.file for one in scan_files(sources, game="chess").codes[0].examples][:2] == sources[:2]


def test_decimals_as_programs_write_them_are_numbers(tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {
        "python": [0.1 + 0.2, 1e-05, 1 / 3, 1.5e-07, 1e22],
        "arrow": ["0.01662888434210008", "1.5e-7", "0.00001", "1e+22", "2"],
        "more": ["0.123456789012345678901234", "1", "2", "3", "4"],
        "names": ["1.0", "nan", "inf", "2", "3"],
        "padded": ["1e5", "1", "2", "3", "4"],
    }
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(["fen", *columns]), *(f"{GOOD},{','.join(map(str, row))}" for row in rows)]
    table = table_of(tmp_path, "\n".join(lines) + "\n")
    assert table.column("python").to_pylist() == columns["python"]
    assert table.column("arrow").to_pylist() == [float(str(text)) for text in columns["arrow"]]
    for name in ("more", "names", "padded"):
        assert table.column(name).to_pylist() == columns[name]


def test_cells_of_several_files_agree_on_a_type(tmp_path: Path) -> None:
    table = table_of(
        tmp_path,
        f"fen,a,b,c,d\n{GOOD},1,1,,1\n",
        f"fen,a,b,c,d\n{GOOD},2,0.5,7,?\n",
        f"fen,a,b,c\n{GOOD},3,2,8\n",
    )
    assert table.column("a").to_pylist() == [1, 2, 3]
    assert table.column("b").to_pylist() == [1.0, 0.5, 2.0]
    assert table.column("c").to_pylist() == [None, 7, 8]
    assert table.column("d").to_pylist() == ["1", "?", None]


def test_cells_are_read_as_the_types_of_other_formats(tmp_path: Path) -> None:
    pq.write_table(pa.table({"fen": [GOOD], "a": ["x"], "b": [2.5]}), tmp_path / "a.parquet")
    (tmp_path / "b.csv").write_text(f"fen,a,b\n{OTHER},12,3\n", encoding="utf-8")
    sources = [str(tmp_path / "a.parquet"), str(tmp_path / "b.csv")]
    run_files("key", sources, tmp_path / "out.parquet", game="chess")
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.column("a").to_pylist() == ["x", "12"]
    assert table.column("b").to_pylist() == [2.5, 3.0]


def test_a_later_cell_that_is_no_number_is_named_and_never_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = 30_000
    for late, fits in (("x", False), ("0042", False), ("+5", False), ("42", True)):
        path.write_text("fen,n\n" + f"{GOOD},1\n" * rows + f"{GOOD},{late}\n", encoding="utf-8")
        if fits:
            assert run_files("key", path, tmp_path / "o.parquet").rows == rows + 1
            continue
        with pytest.raises(BulkError, match=rf"row {rows + 2}: '{late[0]}?.*--untyped".replace("+", r"\+")):
            run_files("key", path, tmp_path / "o.parquet")
        report = run_files("key", path, tmp_path / "o.parquet", typed=False)
        assert report.rows == rows + 1
        assert pq.read_table(tmp_path / "o.parquet").column("n").to_pylist()[-1] == late


def test_delimiters_and_files_without_a_header(tmp_path: Path) -> None:
    table = table_of(tmp_path, f"fen;n\n{GOOD};1\n", delimiter=";")
    assert table.column("n").to_pylist() == [1]
    table = table_of(tmp_path, f"1|{GOOD}\n2|{OTHER}\n", delimiter="|", header=False)
    assert table.schema.names == ["column_1", "column_2", "key"]
    assert table.column("column_1").to_pylist() == [1, 2]
    assert not table.column("key").null_count
    for wrong in ("", "ab", '"', "\n", "é"):
        with pytest.raises(BulkError, match="between cells"):
            CsvDialect(wrong)


@pytest.mark.parametrize(("ending", "delimiter"), [("csv", ";"), ("csv", "|"), ("csv", "\t"), ("tsv", ",")])
def test_another_delimiter_is_suggested(tmp_path: Path, ending: str, delimiter: str) -> None:
    path = tmp_path / f"a.{ending}"
    path.write_text(f"fen{delimiter}n\n{GOOD}{delimiter}1\n", encoding="utf-8")
    name = "tab" if delimiter == "\t" else delimiter
    with pytest.raises(BulkError, match=re.escape(f"--delimiter '{name}'")):
        scan_files(path)
    assert scan_files(path, delimiter=delimiter).rows == 1
    path.write_text(f"fen\n{GOOD}\n", encoding="utf-8")
    assert scan_files(path).rows == 1


def test_an_untyped_null_takes_the_type_of_other_files(tmp_path: Path) -> None:
    for number, value in enumerate(("null", "3", "0.5")):
        line = f'{{"fen": "{GOOD}", "eval": {value}, "none": null}}\n'
        (tmp_path / f"j{number}.jsonl").write_text(line, encoding="utf-8")
    run_files("key", str(tmp_path / "*.jsonl"), tmp_path / "out.parquet")
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.column("eval").to_pylist() == [None, 3.0, 0.5]
    assert table.schema.field("none").type == pa.string()


def test_json_without_the_column_is_still_told(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(f'{{"fen": "{GOOD}"}}\n', encoding="utf-8")
    (tmp_path / "b.jsonl").write_text('{"other": "\\"fen\\": 1"}\n', encoding="utf-8")
    with pytest.raises(BulkError, match="has no column 'fen'"):
        scan_files(str(tmp_path / "*.jsonl"))


def test_bzip2_is_read_and_written(tmp_path: Path) -> None:
    import bz2

    source, target = tmp_path / "in.txt.bz2", tmp_path / "out.txt.bz2"
    source.write_bytes(bz2.compress(f"{GOOD}\n".encode()) + bz2.compress(f"{OTHER}\n".encode()))
    assert run_files("normalise", source, target).written == 2
    assert bz2.decompress(target.read_bytes()).decode().split("\n")[:2] == [GOOD, OTHER]
    source.write_bytes(bz2.compress(f"{GOOD}\n".encode() * 1000)[:-8])
    with pytest.raises(BulkError, match="not a complete bzip2 file"):
        run_files("normalise", source, target)


def test_of_files_that_are_read_together_each_byte_counts_once(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.csv").write_text("fen,n\nx,1\n")
    (joined,) = merge_small_shards(plan_shards(expand_patterns([str(tmp_path)])))
    assert (joined.size, [one.size for one in joined.files]) == (30, [10, 10, 10])
    files = ShardReader(joined, column_types=pa.schema([("fen", pa.string()), ("n", pa.int64())]))
    assert [sum(map(len, opened)) for opened in files] == [3]
    assert files.bytes_read == 30
