"""The commands for files of positions: what they write, where to, and how they end."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from tests.polling import wait_until

import forsyth
import forsyth.cli
from forsyth.bulk.engines.job import PassSpec
from forsyth.bulk.jobs import run_files
from forsyth.bulk.sources import shards
from forsyth.cli.app import COMMANDS, load_command
from forsyth.cli.app import forsyth as command_line
from forsyth.cli.bulk_progress import progress_bar

CHESS = forsyth.game("chess")
START = CHESS.start
E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
BROKEN = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ILLEGAL = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"
TEXTS = [START, E4, BROKEN, START.replace(" 0 1", " 4 3"), ILLEGAL]
VERBS = [verb for verb in map(load_command, COMMANDS) if any("--engine" in one.opts for one in verb.params)]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the command line in a directory of its own, with five texts in ``in.txt``."""
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("\n".join(TEXTS) + "\n", encoding="utf-8")

    def invoke(*arguments: str, given: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(command_line, list(arguments), input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result

    return invoke


def zstd(data: bytes) -> bytes:
    return bytes(pa.compress(data, "zstd", asbytes=True))


def left() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def key_of(text: str) -> str:
    return CHESS.key(CHESS.parse(text, legality=False))


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


# --- what they write --------------------------------------------------------------------------------


def test_scan_reports_on_standard_output(run: Any) -> None:
    result = run("scan", "in.txt")
    assert result.exit_code == 1
    assert "chess, detected: 5 rows read, 2 with an error" in result.stdout
    assert "in.txt, row 3\nerror[board.digit]: " in result.stdout
    assert "in.txt, row 5\nerror[check.opposite]: " in result.stdout
    assert left() == ["in.txt"]


def test_scan_as_json_is_one_object(run: Any) -> None:
    result = run("scan", "--json", "in.txt")
    (report,) = lines(result)
    assert {name: report[name] for name in ("verb", "game", "detected", "rows", "ok", "unreadable")} == {
        "verb": "scan",
        "game": "chess",
        "detected": True,
        "rows": 5,
        "ok": 3,
        "unreadable": 2,
    }
    codes = {code["code"]: code["examples"][0] for code in report["codes"]}
    assert codes["board.digit"] == {
        "file": "in.txt",
        "row": 3,
        "text": BROKEN,
        "clipped": False,
        "span": [18, 19],
        "square": "a6",
        "message": forsyth.check(BROKEN).errors[0].message,
    }


def test_scan_writes_rows_and_reports(run: Any) -> None:
    result = run("scan", "in.txt", "-o", "out.parquet", "--report", "report.html")
    assert result.exit_code == 1
    assert pq.read_table("out.parquet").column("ok").to_pylist() == [True, True, False, True, False]
    assert Path("report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "board.digit" in result.stdout
    assert left() == ["in.txt", "out.parquet", "report.html"]
    rows = run("scan", "in.txt", "-o", "-", "--report", "report.json")
    assert [row["ok"] for row in lines(rows)] == [True, True, False, True, False]
    assert "board.digit" in rows.stderr
    assert json.loads(Path("report.json").read_text(encoding="utf-8"))["unreadable"] == 2


def test_without_legality_an_illegal_position_is_ok(run: Any) -> None:
    assert lines(run("scan", "--json", "--no-legality", "in.txt"))[0]["unreadable"] == 1
    assert lines(run("key", "--legality", "in.txt"))[4]["key"] is None
    assert lines(run("key", "in.txt"))[4]["key"] == key_of(ILLEGAL)


def test_texts_go_to_standard_output_as_texts_and_columns_as_json(run: Any) -> None:
    normal = run("normalise", "in.txt")
    assert normal.stdout.splitlines() == [START, E4, "", TEXTS[3], ILLEGAL]
    assert normal.exit_code == 1
    assert "5 rows read, 5 written, 1 could not be read" in normal.stderr
    keys = lines(run("key", given="\n".join(TEXTS)))
    assert [row["key"] for row in keys[:2]] == [key_of(text) for text in TEXTS[:2]]
    assert keys[0]["key"] == keys[3]["key"]


def test_every_verb_has_its_options(run: Any) -> None:
    assert run("pack", "--width", "60", "in.txt", "-o", "p.parquet").exit_code == 1
    assert pq.read_schema("p.parquet").field("packed").type == pa.binary(60)
    pq.write_table(pq.read_table("p.parquet").drop_columns("fen"), "forms.parquet")
    run("unpack", "--game", "chess", "forms.parquet", "-o", "u.parquet")
    assert pq.read_table("u.parquet").column("fen").to_pylist() == [*TEXTS[:2], None, *TEXTS[3:]]
    run("features", "in.txt", "-o", "f.parquet")
    assert pq.read_schema("f.parquet").names[1:] == [feature.name for feature in CHESS.feature_list]
    assert run("planes", "in.txt", "-o", "x.npy").exit_code == 1
    assert len(lines(run("sample", "--fraction", "1", "--to", "jsonl", "in.txt"))) == 4
    assert lines(run("sample", "--fraction", "0", "in.txt")) == []
    sets = [row["split"] for row in lines(run("split", "--sets", "a=0.5,b=0.5", "--seed", "7", "in.txt"))]
    assert set(sets) <= {"a", "b", None}
    assert sets[0] == sets[3]
    assert sets[2] is None


def test_dedupe_of_standard_input_and_of_files(run: Any) -> None:
    kept = run("dedupe", given="\n".join(TEXTS))
    assert kept.stdout.splitlines() == [START, E4, BROKEN, ILLEGAL]
    assert "1 repeated a position" in kept.stderr
    assert run("dedupe", "--invalid", "drop", "in.txt", "-o", "o.txt").exit_code == 1
    assert Path("o.txt").read_text(encoding="utf-8").splitlines() == [START, E4, ILLEGAL]
    (report,) = lines(run("dedupe", "--json", "in.txt", "-o", "o.txt"))
    assert (report["rows"], report["written"], report["duplicates"]) == (5, 4, 1)
    pq.write_table(pa.table({"fen": TEXTS, "depth": [1, 2, 3, 9, 5]}), "in.parquet")
    run("dedupe", "--keep", "best", "--by", "depth", "in.parquet", "-o", "o.parquet")
    assert pq.read_table("o.parquet").column("depth").to_pylist() == [2, 3, 9, 5]
    assert left() == ["in.parquet", "in.txt", "o.parquet", "o.txt"]


def test_the_summary_says_which_game_and_quiet_says_nothing(run: Any) -> None:
    assert run("normalise", "in.txt", "-o", "o.txt").stderr.startswith("chess, detected: ")
    assert run("normalise", "--game", "chess", "in.txt", "-o", "o.txt").stderr.startswith("chess: ")
    quiet = run("normalise", "--quiet", "in.txt", "-o", "o.txt")
    assert (quiet.stdout, quiet.stderr, quiet.exit_code) == ("", "", 1)
    assert run("scan", "--quiet", "in.txt").output == ""


def test_a_job_leaves_the_signals_as_they_were(run: Any) -> None:
    before = signal.getsignal(signal.SIGTERM)
    assert run("key", "in.txt", "-o", "keys.csv").exit_code == 1
    assert signal.getsignal(signal.SIGTERM) is before


def test_all_is_well(run: Any) -> None:
    Path("in.txt").write_text(START + "\n", encoding="utf-8")
    for verb in ("scan", "normalise", "key", "dedupe", "pack", "features", "sample", "split"):
        assert run(verb, "in.txt").exit_code == 0, verb


# --- what is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["scan", "no.txt"], "no.txt"),
        (["scan", "no*.txt"], "no file matches"),
        (["scan", "--column", "text", "in.txt"], "--column"),
        (["scan", "--game", "checkers", "in.txt"], "checkers"),
        (["scan", "--variant", "bughouse", "in.txt"], "bughouse"),
        (["scan", "--report", "r.pdf", "in.txt"], ".html or .json"),
        (["scan", "--resume", "in.txt"], "--resume"),
        (["key", "--resume", "in.txt"], "--resume"),
        (["key", "--engine", "ray", "in.txt"], "-o"),
        (["key", "in.txt", "-o", "no/such/place.csv"], "no/such"),
        (["key", "in.txt", "-o", "out.xyz"], "format"),
        (["key", "in.txt", "-o", "."], "directory"),
        (["key", "in.txt", "-o", "out.epd"], "Error: out.epd cannot be written as epd; choose one of"),
        (["dedupe", "in.txt", "-o", "out.pgn"], "Error: out.pgn cannot be written as pgn; choose one of"),
        (
            ["key", "in.txt", "-o", "out.parquet.gz"],
            "Error: out.parquet.gz cannot be written, because parquet cannot be inside .gz",
        ),
        (["key", "--to", "npy", "in.txt", "-o", "o.npy"], "planes"),
        (["split", "--sets", "a=2", "in.txt"], "a=2"),
        (["sample", "--fraction", "2", "in.txt"], "--fraction"),
        (["unpack", "in.txt"], "packed"),
        (["dedupe", "--keep", "best", "in.txt"], "--by"),
        (["dedupe", "--keep", "best", "--by", "depth", "in.txt"], "depth"),
        (["key", "--threads", "0", "in.txt"], "--threads"),
        (["key", "--engine", "dask", "in.txt"], "--engine"),
    ],
    ids=" ".join,
)
def test_what_is_wrong_is_one_sentence_and_status_2(run: Any, arguments: list[str], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "Error: " in result.stderr
    assert result.stdout == ""
    assert left() == ["in.txt"]


def test_a_file_is_not_touched_when_its_successor_fails(run: Any) -> None:
    Path("o.jsonl").write_text("as it was", encoding="utf-8")
    Path("bad.txt").write_bytes((START + "\n").encode() * 50 + b"\xff\n")
    result = run("key", "bad.txt", "-o", "o.jsonl")
    assert result.exit_code == 2
    assert "line 51" in result.stderr
    assert Path("o.jsonl").read_text(encoding="utf-8") == "as it was"
    assert left() == ["bad.txt", "in.txt", "o.jsonl"]


@pytest.mark.parametrize("command", VERBS, ids=lambda command: str(command.name))
def test_without_its_extra_one_sentence_names_the_remedy(
    run: Any, command: click.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "pyarrow" or "forsyth.bulk" in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr(forsyth, "bulk", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    needed = {"apply": ("--verbs", "key"), "index": ("--output", "book")}.get(str(command.name), ())
    result = run(str(command.name), *needed, "in.txt")
    assert result.exit_code == 2
    assert (
        result.stderr.strip()
        == "Error: this command needs pyarrow; install it with: pip install 'forsyth[bulk]'"
    )


def test_the_commands_for_files_are_there() -> None:
    assert {"scan", "normalise", "key", "dedupe", "games", "positions"} <= {one.name for one in VERBS}


# --- other processes --------------------------------------------------------------------------------


def forsyth_process(*arguments: str, **how: Any) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": str(Path(forsyth.__file__).parents[1])}
    return subprocess.Popen([sys.executable, "-m", "forsyth", *arguments], env=environment, **how)


def test_a_full_standard_output_is_one_sentence(run: Any) -> None:
    Path("in.txt").write_text((START + "\n") * 20_000, encoding="utf-8")
    with Path("/dev/full").open("wb") as full:
        process = forsyth_process("normalise", "in.txt", stdout=full, stderr=subprocess.PIPE)
        _, words = process.communicate(timeout=60)
    assert process.returncode == 2
    assert words.decode() == (
        "Error: there is no space on the disk for standard output; free some space, or write to another "
        "disk\n"
    )


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, zstd], ids=["gzip", "bzip2", "zstd"])
def test_standard_input_may_be_compressed(run: Any, pack: Callable[[bytes], bytes]) -> None:
    packed = pack((START + "\n").encode() * 3)
    assert run("normalise", given=packed).stdout == (START + "\n") * 3
    process = forsyth_process("normalise", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.communicate(packed)[0].decode() == (START + "\n") * 3
    Path("in.txt").write_bytes(packed)
    result = run("normalise", "in.txt", "--game", "chess")
    assert result.exit_code == 2
    assert "in.txt is compressed; name its format with --in, such as " in result.stderr


def test_a_reader_that_goes_away_ends_it(run: Any) -> None:
    Path("in.txt").write_text((START + "\n") * 400_000, encoding="utf-8")
    process = forsyth_process("normalise", "in.txt", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().decode() == START + "\n"
    process.stdout.close()
    words = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 141
    assert words == b""


@pytest.mark.usefixtures("ctrl_c_is_not_ignored")
def test_ctrl_c_while_waiting_for_standard_input(run: Any) -> None:
    process = forsyth_process(
        "normalise", "--game", "chess", "-o", "out.txt", stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    # More than is read at once: the job has begun, and waits for the rest, when its folder is there.
    process.stdin.write((START + "\n").encode() * 100_000)
    process.stdin.flush()
    wait_until(lambda: Path(".out.txt.forsyth").exists() or process.poll() is not None)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, words = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in words
    assert left() == ["in.txt"]


# --- engines and progress ---------------------------------------------------------------------------


def test_an_engine_gives_out_the_shards_of_a_job(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another engine is a module with `run_shards`; it may finish the shards in any order."""
    from forsyth.bulk.engines.shard_work import run_shard

    Path("b.txt").write_text(ILLEGAL + "\n", encoding="utf-8")
    seen = []

    class Backwards:
        @staticmethod
        def run_shards(job: PassSpec, shards: Any, progress: Any) -> Any:
            for shard in reversed(shards):
                seen.append(shard.path)
                # What travels is plain data.
                again = PassSpec.from_dict(json.loads(json.dumps(job.to_dict())))
                yield run_shard(again, type(shard).from_dict(json.loads(json.dumps(shard.to_dict()))))

    monkeypatch.setattr(run_files, "import_module", lambda name: Backwards)
    monkeypatch.setattr(shards, "MAX_FILES", 1)
    for verb in ("scan", "key", "dedupe"):
        seen.clear()
        other = run(verb, "--engine", "ray", "in.txt", "b.txt", "-o", "ray.jsonl")
        assert seen[:2] == ["b.txt", "in.txt"]
        local = run(verb, "in.txt", "b.txt", "-o", "local.jsonl")
        assert Path("ray.jsonl").read_bytes() == Path("local.jsonl").read_bytes()
        assert other.output == local.output
    assert len(Path("ray.jsonl").read_text(encoding="utf-8").splitlines()) == 4


def test_an_engine_that_is_not_installed_is_named(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(run_files, "import_module", missing)
    result = run("key", "--engine", "spark", "in.txt", "-o", "o.csv")
    assert result.exit_code == 2
    assert "pip install 'forsyth[spark]'" in result.stderr


def test_the_progress_bar_shows_rows_and_rates(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress_bar("key", quiet=False) as begin:
        assert begin is None, "nobody looks"
    monkeypatch.setattr("forsyth.cli.bulk_progress.is_terminal", lambda *, err: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    with progress_bar("key", quiet=True) as begin:
        assert begin is None
    with progress_bar("key", quiet=False) as begin:
        assert begin is not None
        begin(1000)(70_000, 500)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "70,000 rows" in shown.err
    assert "rows/s" in shown.err
    assert "MB/s" in shown.err
    assert "50%" in shown.err
