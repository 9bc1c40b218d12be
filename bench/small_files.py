"""Measure what a data engineer meets: thousands of small files, JSON lines, and batches of a store.

`forsyth key` on small files is measured beside plain reading (pyarrow reading the same files one by one), in
one process, in turns; a figure is the median of the turns. Stores, and the import of a library through the
whole application of the service, are measured by the processor time that a position takes, so that other work
on the machine does not count. Exit status 0 when every requirement is met, 1 when one is not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
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
from bench.report import table
from forsyth.bulk import run_files
from forsyth.server import Settings, create_app
from forsyth.store import Store, ToSave, open_store

FILES: Final = 1000
ROWS: Final = 100
MOST: Final = 3.0
"""How many times as long as plain reading the key of small files may take."""
LEAST: Final = 30_000
"""Positions a second that a store takes and gives, and that the service imports."""
POSITIONS: Final = 20_000
PART: Final = 256_000
"""Bytes of a body that the server hands over at once, where a client sends as fast as it can."""
IMPORT: Final = "/api/v1/batch/library"

READERS: Final[dict[str, Callable[[str], Any]]] = {
    "parquet": pq.read_table,
    "csv": pyarrow.csv.read_csv,
    "jsonl": pyarrow.json.read_json,
}


def write_files(folder: Path, kind: str, files: int) -> list[str]:
    """Small files of positions with two more columns."""
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


def ratio(kind: str, files: int, turns: int) -> float:
    """How many times as long as plain reading the key of all rows takes."""
    with tempfile.TemporaryDirectory() as name:
        paths = write_files(Path(name), kind, files)
        target = str(Path(name) / "out.parquet")
        plain, ours = [], []
        for _ in range(turns):
            plain.append(_seconds(lambda: [READERS[kind](path) for path in paths]))
            ours.append(_seconds(lambda: run_files("key", paths, target, game="chess")))
        return statistics.median(ours) / statistics.median(plain)


def _seconds(work: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    begin = clock()
    work()
    return clock() - begin


def rates(store: Store) -> dict[str, float]:
    """Positions that a store keeps, saves and gives back in a second of processor time."""
    texts = [f"8/8/8/8/8/8/8/8 w - - {number} 1" for number in range(POSITIONS)]
    steps: dict[str, Callable[[], object]] = {
        "put_many": lambda: store.put_many((text, "chess") for text in texts),
        "save_many": lambda: store.save_many(ToSave(text, "chess", "name", ["tag"]) for text in texts),
        "entries": lambda: sum(1 for _ in store.entries()),
        "all_saved": lambda: sum(1 for _ in store.all_saved()),
    }
    return {name: POSITIONS / _seconds(work, process_time) for name, work in steps.items()}


def import_rate(store: Path) -> float:
    """Positions that the service imports into a library in a second of processor time."""
    lines = [
        json.dumps({"text": text, "name": f"number {number}", "tags": ["tag"]}) + "\n"
        for number, text in enumerate(chess_column(POSITIONS).to_pylist())
    ]
    spent, answer = asyncio.run(_imported(create_app(Settings(store=str(store))), lines))
    if json.loads(answer) != {"kept": 0, "saved": POSITIONS, "refused": 0}:
        raise RuntimeError(f"the import was answered with {answer.decode()}")
    return POSITIONS / spent


async def _imported(app: Any, lines: Sequence[str]) -> tuple[float, bytes]:
    """The processor time that an import takes, and what was answered."""
    async with app.router.lifespan_context(app):
        # The first request of all makes what the others use.
        await _posted(app, lines[0].encode())
        begin = process_time()
        answer = await _posted(app, "".join(lines).encode())
        return process_time() - begin, answer


async def _posted(app: Any, body: bytes) -> bytes:
    """The answer to a body that comes in parts."""
    parts = iter([body[at : at + PART] for at in range(0, len(body), PART)])
    answered = []

    async def receive() -> dict[str, Any]:
        part = next(parts, None)
        return {"type": "http.request", "body": part or b"", "more_body": part is not None}

    async def send(message: dict[str, Any]) -> None:
        answered.append(message.get("body", b""))

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": IMPORT,
        "raw_path": IMPORT.encode(),
        "root_path": "",
        "query_string": b"game=chess",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/x-ndjson")],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    await app(scope, receive, send)
    return b"".join(answered)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args(arguments)
    lines = []
    for kind in READERS:
        found = ratio(kind, given.files, given.turns)
        lines.append(
            (f"key of {given.files} {kind} files", f"{found:.2f} × plain", f"≤ {MOST:g}", found <= MOST)
        )
    with tempfile.TemporaryDirectory() as name:
        for store in (open_store(), open_store(Path(name) / "positions.sqlite")):
            with store:
                for step, rate in rates(store).items():
                    what = f"{type(store).__name__}.{step}"
                    lines.append((what, f"{rate:,.0f}/s", f"≥ {LEAST:,}/s", rate >= LEAST))
        rate = max(import_rate(Path(name) / f"library-{turn}.sqlite") for turn in range(given.turns))
        lines.append((f"POST {IMPORT}", f"{rate:,.0f}/s", f"≥ {LEAST:,}/s", rate >= LEAST))
    rows = [[what, found, wanted, "kept" if met else "MISSED"] for what, found, wanted, met in lines]
    print(table([["what", "measured", "required", "verdict"], *rows], {0, 3}))
    return 0 if all(met for *_, met in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
