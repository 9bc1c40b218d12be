"""Measure thousands of small files, the batches of stores, and the import of a library into the service.

`forsyth key` on small files takes turns with plain reading (pyarrow reads the same files one by one) in one
process. A figure is the median of the turns. Thousands of files of one game each take turns with one file of
the same games, each in a process of its own, whose processor time and peak memory are compared. For stores
and for the import, which goes through the whole application of the service, the processor time of a position
is measured, so that other load on the machine does not count. The exit status is 0 if every requirement is
met, else 1.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from bench.bulk import chess_column
from bench.record_corpus import make_corpus
from bench.records import split_games
from bench.report import format_table
from forsyth.bulk import run_files
from forsyth.server import Settings, create_app
from forsyth.store import Store, ToSave, open_store

FILES: Final = 1000
ROWS: Final = 100
MAX_RATIO: Final = 3.0
"""Maximum ratio of the time for `forsyth key` to the time for plain reading."""
MIN_RATE: Final = 30_000
"""Minimum number of positions that a store writes or reads, and that the service imports, in a second."""
POSITIONS: Final = 20_000
PART_BYTES: Final = 256_000
"""Bytes of a request body in one message, as a server passes them on when a client sends fast."""
IMPORT_PATH: Final = "/api/v1/batch/library"

GAME_FILES: Final = 5000
MAX_GAME_FILE_RATIO: Final = 2.0
"""Maximum ratio of time and memory for files of one game to those for one file with the same games."""
_RUN_RECORDS: Final = """
import resource, sys, time
from forsyth.bulk import RunOptions
from forsyth.bulk.jobs.run_records import run_records
kind, source, target = sys.argv[1:]
run_records(kind, source, target, run_options=RunOptions(threads=1))
print(time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
"""Program that writes a table of record files, and prints its processor time and its peak memory."""

READERS: Final[dict[str, Callable[[str], Any]]] = {
    "parquet": pq.read_table,
    "csv": pyarrow.csv.read_csv,
    "jsonl": pyarrow.json.read_json,
}


def write_files(folder: Path, kind: str, files: int) -> list[str]:
    """Write `files` small files of positions with two more columns into `folder`. Return their paths.

    `kind` is parquet, csv or jsonl.
    """
    column = chess_column(ROWS * 10)
    paths = []
    for number in range(files):
        texts = column.slice(number % 10 * ROWS, ROWS)
        rows = pa.table(
            {"fen": texts, "elo": pa.array(range(ROWS)), "source": pa.array([f"f{number}"] * ROWS)}
        )
        path = folder / f"{number:05}.{kind}"
        if kind == "parquet":
            pq.write_table(rows, path)
        elif kind == "csv":
            pyarrow.csv.write_csv(rows, path)
        else:
            path.write_text("".join(json.dumps(row) + "\n" for row in rows.to_pylist()), encoding="utf-8")
        paths.append(str(path))
    return paths


def measure_key_ratio(kind: str, files: int, turns: int) -> float:
    """Return the time for the keys of all rows of small files, divided by the time for plain reading."""
    with tempfile.TemporaryDirectory() as name:
        paths = write_files(Path(name), kind, files)
        target = str(Path(name) / "out.parquet")
        plain_seconds, key_seconds = [], []
        for _ in range(turns):
            plain_seconds.append(_measure_seconds(lambda: [READERS[kind](path) for path in paths]))
            key_seconds.append(_measure_seconds(lambda: run_files("key", paths, target, game="chess")))
        return statistics.median(key_seconds) / statistics.median(plain_seconds)


def measure_game_file_ratios(kind: str, files: int, turns: int) -> tuple[float, float]:
    """Return the ratios of time and of peak memory for files of one game to one file with the same games.

    `kind` is the table to write, `games` or `positions`.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "games"
        folder.mkdir()
        corpus = make_corpus(files)
        for number, game in enumerate(split_games(corpus)):
            (folder / f"{number:05}.pgn").write_bytes(game)
        whole = Path(name) / "whole.pgn"
        whole.write_bytes(corpus)
        figures: list[list[tuple[float, float]]] = [[], []]
        for _ in range(turns):
            for source, source_figures in zip((whole, folder), figures, strict=True):
                command = [sys.executable, "-c", _RUN_RECORDS, kind, str(source), f"{name}/out.parquet"]
                answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                seconds, peak = map(float, answer.split())
                source_figures.append((seconds, peak))
        one, many = ([statistics.median(values) for values in zip(*each, strict=True)] for each in figures)
        return many[0] / one[0], many[1] / one[1]


def _measure_seconds(work: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    begin = clock()
    work()
    return clock() - begin


def measure_store_rates(store: Store) -> dict[str, float]:
    """Return the positions that a store writes and reads in a second of processor time, by method."""
    texts = [f"8/8/8/8/8/8/8/8 w - - {number} 1" for number in range(POSITIONS)]
    steps: dict[str, Callable[[], object]] = {
        "put_many": lambda: store.put_many((text, "chess") for text in texts),
        "save_many": lambda: store.save_many(ToSave(text, "chess", "name", ["tag"]) for text in texts),
        "entries": lambda: sum(1 for _ in store.entries()),
        "all_saved": lambda: sum(1 for _ in store.all_saved()),
    }
    return {name: POSITIONS / _measure_seconds(work, process_time) for name, work in steps.items()}


def measure_import_rate(store: Path) -> float:
    """Return the positions that the service imports into a library in a second of processor time.

    Raise RuntimeError if the service does not import all positions.
    """
    lines = [
        json.dumps({"text": text, "name": f"number {number}", "tags": ["tag"]}) + "\n"
        for number, text in enumerate(chess_column(POSITIONS).to_pylist())
    ]
    seconds, body = asyncio.run(_import_lines(create_app(Settings(store=str(store))), lines))
    if json.loads(body) != {"kept": 0, "saved": POSITIONS, "refused": 0}:
        raise RuntimeError(f"the import returned {body.decode()}, expected {POSITIONS} saved positions")
    return POSITIONS / seconds


async def _import_lines(app: Any, lines: Sequence[str]) -> tuple[float, bytes]:
    """Import JSON lines into the library of an application. Return seconds and the response body."""
    async with app.router.lifespan_context(app):
        # The first request is not timed: it also creates what later requests use.
        await _post(app, lines[0].encode())
        begin = process_time()
        response = await _post(app, "".join(lines).encode())
        return process_time() - begin, response


async def _post(app: Any, body: bytes) -> bytes:
    """Send a body to the import route of an application, in parts, and return the response body."""
    parts = iter([body[start : start + PART_BYTES] for start in range(0, len(body), PART_BYTES)])
    response = []

    async def receive() -> dict[str, Any]:
        part = next(parts, None)
        return {"type": "http.request", "body": part or b"", "more_body": part is not None}

    async def send(message: dict[str, Any]) -> None:
        response.append(message.get("body", b""))

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": IMPORT_PATH,
        "raw_path": IMPORT_PATH.encode(),
        "root_path": "",
        "query_string": b"game=chess",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/x-ndjson")],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    await app(scope, receive, send)
    return b"".join(response)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print. Return 0 if every requirement is met, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=FILES, help="Number of small files.")
    parser.add_argument("--game-files", type=int, default=GAME_FILES, help="Number of files of one game.")
    parser.add_argument("--turns", type=int, default=3, help="Number of turns.")
    options = parser.parse_args(arguments)
    lines = []
    for kind in READERS:
        ratio = measure_key_ratio(kind, options.files, options.turns)
        title = f"key of {options.files} {kind} files"
        lines.append((title, f"{ratio:.2f} × plain", f"≤ {MAX_RATIO:g}", ratio <= MAX_RATIO))
    for kind in ("games", "positions"):
        ratios = measure_game_file_ratios(kind, options.game_files, options.turns)
        for title, ratio in zip(("processor time", "memory"), ratios, strict=True):
            full_title = f"{kind} of {options.game_files} files of one game: {title}"
            is_met = ratio <= MAX_GAME_FILE_RATIO
            lines.append((full_title, f"{ratio:.2f} × one file", f"≤ {MAX_GAME_FILE_RATIO:g}", is_met))
    with tempfile.TemporaryDirectory() as name:
        for store in (open_store(), open_store(Path(name) / "positions.sqlite")):
            with store:
                for step, rate in measure_store_rates(store).items():
                    title = f"{type(store).__name__}.{step}"
                    lines.append((title, f"{rate:,.0f}/s", f"≥ {MIN_RATE:,}/s", rate >= MIN_RATE))
        rate = max(
            measure_import_rate(Path(name) / f"library-{turn}.sqlite") for turn in range(options.turns)
        )
        lines.append((f"POST {IMPORT_PATH}", f"{rate:,.0f}/s", f"≥ {MIN_RATE:,}/s", rate >= MIN_RATE))
    rows = [
        [title, figure, required, "kept" if is_met else "MISSED"] for title, figure, required, is_met in lines
    ]
    print(format_table([["what", "measured", "required", "verdict"], *rows], {0, 3}))
    return 0 if all(is_met for *_, is_met in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
