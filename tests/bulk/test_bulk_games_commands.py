"""`forsyth games` and `forsyth positions`: what they print, write and refuse."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from tests.bulk.example_records import LICHESS, ODDITIES, many, played

import forsyth
from forsyth.bulk import RunOptions, run_records
from forsyth.cli.app import forsyth as command_line
from forsyth.cli.bulk_progress import progress_bar
from forsyth.record_bytes.words import COMPILED


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the command line in a directory of its own, with two games in ``in.pgn``."""
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(LICHESS + ODDITIES["a start of its own"], encoding="utf-8")

    def invoke(*arguments: str, given: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(command_line, list(arguments), input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result

    return invoke


def test_games_go_to_a_file_and_the_counts_to_a_person(run: Any) -> None:
    result = run("games", "in.pgn", "--tags", "White,*", "--moves", "san", "-o", "out.parquet")
    assert result.exit_code == 0
    assert result.stderr == "chess, detected: 2 games read, 2 rows written, 0 with an error\n"
    table = pq.read_table("out.parquet")
    assert table.column_names[:3] == ["game", "White", "tags"]
    assert table.column("moves").to_pylist()[1] == ["e4", "Kd7"]


def test_rows_go_to_standard_output_as_json_lines(run: Any) -> None:
    result = run("positions", "--as", "fen,key", "--moves", "uci", given=LICHESS)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(rows) == 6
    assert rows[0]["fen"] == forsyth.game("chess").start
    assert rows[0]["key"] == forsyth.game("chess").key(forsyth.game("chess").parse(rows[0]["fen"]))
    assert [row["move"] for row in rows] == ["e2e4", "e7e5", "d1h5", "e8e7", "h5e5", None]


def test_the_counts_as_json(run: Any) -> None:
    Path("bad.pgn").write_text(ODDITIES["a bad move"], encoding="utf-8")
    result = run("games", "in.pgn", "bad.pgn", "-o", "out.parquet", "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert {name: told[name] for name in ("verb", "game", "games", "written", "errors")} == {
        "verb": "games",
        "game": "chess",
        "games": 4,
        "written": 4,
        "errors": 1,
    }
    # The kernel reads all of them, and plain Python has no kernel.
    assert told["asked"] == (0 if COMPILED else 4)


def test_the_summary_says_what_the_kernel_did_not_take(run: Any) -> None:
    escaped = ODDITIES["figurines"].replace("1. ", "% escaped\n1. ")
    Path("odd.pgn").write_text(escaped + "\n" + ODDITIES["a bad move"], encoding="utf-8")
    result = run("games", "in.pgn", "odd.pgn", "-o", "out.parquet")
    # Plain Python has no kernel: there the reader reads all of them, which is not worth a word.
    left = "1 read by the slower record reader, " if COMPILED else ""
    assert result.stderr == f"chess, detected: 5 games read, 5 rows written, {left}1 with an error\n"


def test_some_positions_in_several_forms_and_formats(run: Any) -> None:
    where = "White = 'alice' and plies >= 5"
    run("positions", "in.pgn", "--where", where, "--every", "2", "--from-ply", "1", "-o", "out.csv")
    assert len(Path("out.csv").read_text(encoding="utf-8").splitlines()) == 1 + 3
    run("positions", "in.pgn", "--as", "planes", "-o", "out.npy")
    assert np.load("out.npy").shape == (9, 20, 8, 8)
    run("positions", "in.pgn", "-o", "out.txt")
    assert Path("out.txt").read_text(encoding="utf-8").splitlines()[0] == forsyth.game("chess").start
    result = run("positions", "in.pgn", "in.pgn", "--unique", "-o", "once.parquet")
    assert "9 rows written, 9 repeated a position" in result.stderr
    run("games", "in.pgn", "-o", "out.pgn")
    assert run("games", "out.pgn", "-o", "again.pgn").exit_code == 0
    assert Path("again.pgn").read_bytes() == Path("out.pgn").read_bytes()


def test_progress_is_told_in_games(
    run: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("forsyth.cli.bulk_progress.is_terminal", lambda *, err: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    seen: list[tuple[int, int]] = []
    Path("many.pgn").write_bytes(many(300))
    way = RunOptions(start_progress=lambda total: lambda rows, size: seen.append((rows, size)))
    run_records("games", "many.pgn", "out.parquet", run_options=way)
    assert sum(rows for rows, _ in seen) == 300
    assert sum(size for _, size in seen) == Path("many.pgn").stat().st_size
    with progress_bar("games", quiet=False, unit="games") as begin:
        assert begin is not None
        begin(1000)(70_000, 500)
    assert "games/s" in capsys.readouterr().err


def test_urls_and_patterns_are_read_and_written(run: Any) -> None:
    fsspec.filesystem("memory").pipe("/records/a.pgn.gz", gzip.compress(many(7)))
    report = run_records("games", "memory://records/a.pgn.gz", "memory://records/out.parquet")
    assert report.written == 7
    table = pq.read_table(io.BytesIO(fsspec.filesystem("memory").cat("/records/out.parquet")))
    assert table.num_rows == 7
    fsspec.filesystem("memory").rm("/records", recursive=True)
    Path("b.pgn").write_bytes(many(3))
    result = run("games", "*.pgn", "-o", "parts/", "--json")
    assert json.loads(result.stdout)["games"] == 5
    assert pq.read_table("parts").column("game").to_pylist() == [1, 2, 3, 4, 5]


def test_other_games_have_their_own_words(run: Any) -> None:
    Path("azul.pgn").write_text(played("azul", 2), encoding="utf-8")
    result = run("games", "azul.pgn", "--game", "azul", "-o", "out.parquet")
    assert "azul: 2 games read" in result.stderr
    assert run("games", "azul.pgn", "--game", "azul", "--moves", "uci", "-o", "x.parquet").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["games", "missing.pgn"], "there is no file missing.pgn"),
        (["games", "in.pgn", "--game", "go"], "go"),
        (["games", "in.pgn", "-o", "out.csv"], "lists, which csv cannot hold"),
        (["games", "in.pgn", "-o", "out.npy"], "ask for them with --as planes"),
        (["positions", "in.pgn", "--as", "png"], "form of positions"),
        (["positions", "in.pgn", "--where", "1"], "the name of a column"),
        (["positions", "in.pgn", "-o", "out.pgn"], "the rows are not games"),
        (["games", "--resume"], "--resume needs files"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(run: Any, arguments: list[str], problem: str) -> None:
    result = run(*arguments, given=LICHESS)
    assert result.exit_code == 2
    assert problem in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert [path.name for path in Path().iterdir()] == ["in.pgn"]


@pytest.mark.slow
def test_a_job_that_is_killed_is_resumed_to_the_same_rows(tmp_path: Path) -> None:
    source, target = tmp_path / "g.pgn", tmp_path / "p.parquet"
    source.write_bytes(many(4_000))
    command = [
        sys.executable,
        "-m",
        "forsyth",
        "positions",
        str(source),
        "--as",
        "fen,key",
        # More blocks than may wait to be written: the job is held before it has worked on all of them.
        "--threads",
        "2",
        "-o",
        str(target),
    ]
    environment = os.environ | {"PYTHONPATH": str(Path(forsyth.__file__).parents[1])}
    script = (
        "import sys, forsyth.bulk.jobs.run_records as r; r.ROLL_BLOCKS = 1; "
        "import forsyth.bulk.sources.pgn as p; p.BLOCK_BYTES = 1 << 17; "
        "from forsyth.cli.app import run; sys.exit(run(sys.argv[1:]))"
    )
    folder = tmp_path / ".p.parquet.forsyth"
    hold = (
        "import os, threading; from pathlib import Path; from forsyth.bulk.engines import shard_work as s\n"
        "real = s.process_batch\n"
        "def held(*arguments):\n"
        f"    if len(list(Path({str(folder)!r}).glob('00000-*.json'))) >= 2:\n"
        "        os.write(1, b'held\\n'); threading.Event().wait()\n"
        "    return real(*arguments)\n"
        "s.process_batch = held\n"
    )
    arguments = [*command[3:], "--resume"]
    rolled = [sys.executable, "-c", script, *arguments]
    process = subprocess.Popen(
        [sys.executable, "-c", hold + script, *arguments], env=environment, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    process.kill()
    process.communicate()
    assert len(list(folder.glob("00000-*.json"))) >= 2
    assert not target.exists()
    subprocess.run(rolled, env=environment, check=True)
    resumed = pq.read_table(target)
    subprocess.run([*command[:-1], str(tmp_path / "whole.parquet")], env=environment, check=True)
    assert resumed.equals(pq.read_table(tmp_path / "whole.parquet"))
    assert resumed.column("game")[-1].as_py() == 4_000
