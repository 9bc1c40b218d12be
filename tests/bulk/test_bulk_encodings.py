"""Records that are not UTF-8: wrong bytes are findings of their game, and Latin-1 can be read."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from forsyth.bulk import BulkError, games, positions
from forsyth.bulk.index.build import build_index
from forsyth.cli.app import forsyth as main
from forsyth.record import read_record, read_records
from forsyth.record.encoding import Encoding

GAME = b'[White "a"]\n\n1. e4 e5 {fine} *\n\n'
WRONG = '[White "M\xfcller"]\n\n1. e4 {tr\xe8s bien} e5 *\n\n'.encode("latin-1")
NUL = b'[White "b\0c"]\n\n1. d4 {x\0} *\n\n'
FILE = GAME + WRONG + GAME + NUL + GAME


def test_a_wrong_byte_is_a_finding_of_its_game_and_the_job_goes_on() -> None:
    rows = games(FILE, game="chess").read_all().to_pylist()
    assert [row["plies"] for row in rows] == [2, 2, 2, 1, 2]
    assert [row["White"] for row in rows] == ["a", "M\ufffdller", "a", "b\ufffdc", "a"]
    errors = [row["error"] for row in rows]
    assert [error is None for error in errors] == [True, False, True, False, True]
    assert [(error["code"], error["line"], error["column"]) for error in errors if error] == [
        ("text.encoding", 5, 10),
        ("text.encoding", 13, 10),
    ]
    assert "the byte 0xfc is not UTF-8" in errors[1]["message"]
    assert "NUL" in errors[3]["message"]
    assert len(positions(FILE, game="chess").read_all()) == 3 + 3 + 3 + 2 + 3


@pytest.mark.parametrize("encoding", ["latin-1", "auto"])
def test_latin_1_can_be_read(encoding: Encoding) -> None:
    rows = games(GAME + WRONG, game="chess", encoding=encoding).read_all().to_pylist()
    assert [row["White"] for row in rows] == ["a", "Müller"]
    assert [row["error"] for row in rows] == [None, None]


def test_auto_keeps_lines_that_are_utf_8() -> None:
    both = '[White "Jürgen"]\n'.encode() + '[Black "Jürgen"]\n\n1. e4 *\n'.encode("latin-1")
    (row,) = games(both, game="chess", encoding="auto").read_all().to_pylist()
    assert (row["White"], row["Black"], row["error"]) == ("Jürgen", "Jürgen", None)


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(BulkError, match="unknown encoding 'cp037', expected one of: utf-8, latin-1, auto"):
        games(GAME, encoding="cp037")  # type: ignore[arg-type]


def test_the_commands_read_other_encodings(tmp_path: Path) -> None:
    source, target = tmp_path / "old.pgn", tmp_path / "out.parquet"
    source.write_bytes(GAME + WRONG)
    run = CliRunner().invoke(main, ["games", str(source), "-o", str(target)])
    assert run.exit_code == 1
    run = CliRunner().invoke(main, ["games", str(source), "-o", str(target), "--encoding", "latin-1"])
    assert run.exit_code == 0
    assert pq.read_table(target).column("White").to_pylist() == ["a", "Müller"]
    run = CliRunner().invoke(main, ["index", str(source), "-o", str(tmp_path / "i"), "--encoding", "auto"])
    assert run.exit_code == 0


def test_an_index_counts_games_with_wrong_bytes(tmp_path: Path) -> None:
    source = tmp_path / "old.pgn"
    source.write_bytes(FILE)
    report = build_index(source, tmp_path / "book", game="chess")
    assert (report.manifest.games, report.faulty, report.others) == (5, 2, 0)


def test_the_record_reader_reports_wrong_bytes_with_their_places(tmp_path: Path) -> None:
    path = tmp_path / "old.pgn"
    path.write_bytes(FILE)
    for source in (path, io.BytesIO(FILE)):
        readings = list(read_records(source, "chess"))
        assert [len(reading.errors) for reading in readings] == [0, 2, 0, 0, 0]
        # In a Python text, NUL is a character like others.
        assert readings[3].require().tag("White") == "b\0c"
        wrong = readings[1]
        assert [wrong.text[slice(*error.span)] for error in wrong.errors] == ["\ufffd", "\ufffd"]
        assert [error.fix and error.fix.replacement for error in wrong.errors] == ["ü", "è"]
        assert wrong.record is not None
        assert wrong.record.line[0].after == ("tr\ufffds bien",)


def test_findings_about_wrong_bytes_are_bounded() -> None:
    text = "1. e4 {" + "\udcff " * 100_000 + "} *"
    assert len(read_record(text, "chess").errors) <= 64
