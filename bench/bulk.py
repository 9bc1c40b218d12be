"""Measure columns: Forsyth's verbs beside python-chess, Polars' regular expressions and a plain copy of the
bytes.

One process, one corpus, one thread each (and two for the line about two cores); the candidates take turns, a
figure is the median of the turns. With ``--large`` files of one and of a hundred million rows are scanned as
well, each in a process of its own, for peak memory and linear time. Exit status 0 when every requirement is
met, 1 when one is not.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final

# Polars reads this once, when it is imported: it is to use one core, like the others.
os.environ["POLARS_MAX_THREADS"] = "1"

import chess
import polars as pl
import pyarrow as pa

from bench.corpus import some_rows
from bench.lines import Line, verdicts
from bench.report import table
from bench.spellings import SPELLINGS, slips, verb_ratios
from forsyth import registry
from forsyth.bulk import arrow
from forsyth.game import Game

ROOT: Final = Path(__file__).parents[1]
ROWS: Final = 400_000
QUICK_ROWS: Final = 100_000
SLOW_ROWS: Final = 2_000
"""How many rows the loop over python-chess gets: it takes a thousand times as long."""
MILLION: Final = 1_000_000

_PIECE: Final = "[PNBRQKpnbrqk]"
_TAIL: Final = r" [wb] (?:-|K?Q?k?q?) (?:-|[a-h][36]) \d{1,4} [1-9]\d{0,3}$"
LOOSE: Final = r"^(?:[PNBRQKpnbrqk1-8]{1,8}/){7}[PNBRQKpnbrqk1-8]{1,8}" + _TAIL
"""What people write: eight ranks of letters and digits, whatever they add up to."""

DIGITS: Final = [str(digit) for digit in range(1, 9)]
DOTS: Final = ["." * digit for digit in range(1, 9)]
"""What each digit of a board stands for, where the sums are counted behind a loose pattern."""


def _sums(width: int, after_digit: bool = False) -> list[str]:
    """Every rank that adds up to `width`, pieces as one symbol, no two digits side by side."""
    if width == 0:
        return [""]
    found = [f"P{rest}" for rest in _sums(width - 1)]
    if not after_digit:
        found += [f"{digit}{rest}" for digit in range(1, width + 1) for rest in _sums(width - digit, True)]
    return found


def exact_pattern() -> str:
    """The same with the sum of each rank checked: every way to fill eight squares, spelled out."""
    rank = "(?:" + "|".join(one.replace("P", _PIECE) for one in _sums(8)) + ")"
    return f"^(?:{rank}/){{7}}{rank}" + _TAIL


# --- the corpus -------------------------------------------------------------------------------------


def chess_column(rows: int) -> pa.Array:
    """The positions of the speed corpus again and again, each time with later move numbers: no text twice."""
    texts = [row.fen.rpartition(" ") for row in some_rows(10_000)]
    found = []
    for row in range(rows):
        # The order is one that no branch predictor knows.
        fields, _, number = texts[row * 7919 % len(texts)]
        found.append(f"{fields} {int(number) + row // len(texts)}")
    return pa.array(found, pa.large_string())


def golden_column(game: str, file: str, field: str, rows: int) -> pa.Array:
    """Valid texts of the golden data of a game."""
    with gzip.open(ROOT / "tests" / "golden" / game / file, "rt", encoding="utf-8") as lines:
        texts = list(chain.from_iterable(_texts(json.loads(line), field) for line in lines))
    known = registry.game(game)
    scanned = arrow.scan(pa.array(texts), known)
    texts = [text for text, found in zip(texts, scanned.to_pylist(), strict=True) if not found["findings"]]
    return pa.array([texts[(row * 7919) % len(texts)] for row in range(rows)], pa.large_string())


def _texts(row: dict[str, Any], field: str) -> list[str]:
    found = row[field]
    return found if isinstance(found, list) else [found]


def size_of(column: pa.Array) -> int:
    """The bytes of a column's characters."""
    return int(column.buffers()[2].size)


# --- candidates -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that goes over a column."""

    name: str
    rows: int
    bytes: int
    run: Callable[[], object]


def candidates(rows: int) -> list[Candidate]:
    """Everything that takes turns."""
    column = chess_column(rows)
    size = size_of(column)
    game = registry.game("chess")
    series = pl.Series("fen", column)
    slow = column.slice(0, SLOW_ROWS).to_pylist()
    cotulenh = golden_column("cotulenh", "legal_moves.jsonl.gz", "fen", rows // 4)
    azul = golden_column("azul", "legal_moves.jsonl.gz", "fen", rows // 4)
    exact = exact_pattern()
    frame = pl.DataFrame(series)
    counted = pl.col("fen").str.contains(LOOSE) & pl.col("fen").str.extract(r"^(\S+)").str.replace_many(
        DIGITS, DOTS
    ).str.contains(r"^(?:[^/]{8}/){7}[^/]{8}$")
    data = bytes(column.buffers()[2])
    room = bytearray(len(data))
    view = memoryview(room)

    def copy() -> None:
        view[:] = data

    def of(name: str, run: Callable[[], object]) -> Candidate:
        return Candidate(name, rows, size, run)

    slow_size = sum(map(len, slow))
    return [
        of("copy", copy),
        Candidate("python-chess", SLOW_ROWS, slow_size, lambda: [chess.Board(text) for text in slow]),
        Candidate("status", SLOW_ROWS, slow_size, lambda: [chess.Board(text).status() for text in slow]),
        of("regex", lambda: series.str.contains(LOOSE).sum()),
        of("regex with sums", lambda: series.str.contains(exact).sum()),
        of("regex and sums", lambda: frame.select(counted.sum())),
        of("scan", lambda: arrow.scan(column, game, legality=False)),
        of("scan legality", lambda: arrow.scan(column, game)),
        of("scan two cores", lambda: arrow.scan(column, game, threads=2)),
        of("normalise", lambda: arrow.normalise(column, game)),
        of("key", lambda: arrow.key(column, game)),
        of("pack", lambda: arrow.pack(column, game)),
        of("features", lambda: arrow.features(column, game)),
        of("planes", lambda: [arrow.planes(column.slice(at, 8192), game) for at in range(0, rows, 8192)]),
        _scan("cotulenh", cotulenh),
        _scan("azul", azul),
    ]


def _scan(name: str, column: pa.Array) -> Candidate:
    game: Game = registry.game(name)
    return Candidate(name, len(column), size_of(column), lambda: arrow.scan(column, game))


def measure(all_of_them: Sequence[Candidate], turns: int) -> dict[str, float]:
    """Seconds per row of each, the median of its turns; the first turn is warm-up."""
    times: dict[str, list[float]] = {one.name: [] for one in all_of_them}
    for turn in range(turns + 1):
        for one in all_of_them:
            begun = perf_counter()
            one.run()
            if turn:
                times[one.name].append((perf_counter() - begun) / one.rows)
    return {name: statistics.median(found) for name, found in times.items()}


# --- requirements -----------------------------------------------------------------------------------


def lines_of(times: dict[str, float]) -> list[Line]:
    """Every requirement on the times measured."""
    scan = times["scan"]
    return [
        Line("scan, syntax: times a python-chess loop", times["python-chess"] / scan, 250),
        Line("scan, syntax: time against a regex without sums", scan / times["regex"], 1.5, at_most=True),
        Line("scan, syntax: times a regex, then rank sums", times["regex and sums"] / scan, 3),
        # One pattern of thirty thousand characters, which nobody writes by hand; shown, not required.
        Line("scan, syntax: times a regex that spells all sums", times["regex with sums"] / scan, 0),
        Line("scan with legality: times Board(fen).status()", times["status"] / times["scan legality"], 150),
        *(
            Line(f"{name}: part of scan's rate", scan / times[name], 0.4)
            for name in ("normalise", "key", "pack")
        ),
        *(
            Line(f"{name} scan: part of chess's rate", times["scan legality"] / times[name], 0.2)
            for name in ("cotulenh", "azul")
        ),
        Line("scan of a column by two threads", times["scan legality"] / times["scan two cores"], 0),
    ]


# --- other spellings, variants and modes --------------------------------------------------------------

ODD_ROWS: Final = 16_384
"""Rows of the columns in other spellings: there are many, and a ratio of two rates needs no more."""


def spelling_lines(turns: int) -> list[Line]:
    """What columns in other spellings cost against canonical ones, by the dearest verb; and a mixed one."""
    texts = chess_column(ODD_ROWS).to_pylist()
    game = registry.game("chess")
    lines = []
    for spelling in SPELLINGS:
        ratios = verb_ratios(game, texts, spelling, turns)
        dearest = max(ratios, key=ratios.__getitem__)
        title = f"{spelling.name}: against canonical, dearest verb ({dearest})"
        lines.append(Line(title, ratios[dearest], 4, at_most=True))
    return [*lines, _mixed_line(texts, game, turns)]


def _mixed_line(texts: list[str], game: Game, turns: int) -> Line:
    """Millions of rows a second of a column in which a fifth of the rows has a finding."""
    mixed = [slips(text, row // 5) if row % 5 == 0 else text for row, text in enumerate(texts)]
    column = pa.array(mixed, pa.large_string())
    times = []
    for _ in range(turns + 1):
        begun = process_time()
        arrow.scan(column, game)
        times.append((process_time() - begun) / len(mixed))
    rate = 1e-6 / statistics.median(times[1:])
    return Line("scan, a fifth of the rows with a finding: million rows/s", rate, 2)


# --- a hundred million rows ---------------------------------------------------------------------------

LARGE: Final = (1, 100)
"""Millions of rows."""
SOME: Final = 10
"""Millions of rows for the comparison of one core with two."""


def large_lines(folder: Path) -> list[Line]:
    """Peak memory and time of scanning files, in processes of their own."""
    import pyarrow.parquet as pq

    file = folder / "million.parquet"
    pq.write_table(pa.table({"fen": chess_column(MILLION)}), file, compression="zstd")
    few = [_scan_files(file, LARGE[0]) for _ in range(5)]
    few_seconds, few_memory = min(few)[0], statistics.median(memory for _, memory in few)
    many_seconds, many_memory = _scan_files(file, LARGE[1])
    alone, _ = min(_scan_files(file, SOME, cores=1) for _ in range(3))
    together, _ = min(_scan_files(file, SOME) for _ in range(3))
    growth = (many_seconds / LARGE[1]) / (few_seconds / LARGE[0])
    print(f"{LARGE[1]} million rows: {many_seconds:.1f} s, {many_memory / 2**20:,.0f} MiB at most")
    return [
        Line("peak memory, 100 million rows against 1", many_memory / few_memory, 1.2, at_most=True),
        Line("time per row, 100 million rows against 1", growth, 1.1, at_most=True),
        Line("scan of files on two cores against one", alone / together, 1.7),
    ]


def _scan_files(file: Path, millions: int, cores: int = 2) -> tuple[float, int]:
    options = ["--scan", str(file), "--times", str(millions), "--cores", str(cores)]
    command = [sys.executable, "-m", "bench.bulk", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    seconds, memory = json.loads(done.stdout)
    return seconds, memory


def scan_once(file: str, times: int, cores: int) -> None:
    """Scan one file several times over as one job on so many cores; prints seconds and peak bytes."""
    from forsyth.bulk import Way, scan_files

    os.sched_setaffinity(0, range(cores))
    begun = perf_counter()
    report = scan_files([file] * times, game="chess", way=Way(threads=cores))
    seconds = perf_counter() - begun
    if report.ok != times * MILLION:
        raise RuntimeError(f"{report.ok} of {report.rows} rows are ok")
    print(json.dumps([seconds, _peak()]))


def _peak() -> int:
    """The most bytes this process has held. What `getrusage` says may be its parent's."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


# --- the run ----------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    """Run, print, and answer with the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.bulk", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rows, few turns")
    parser.add_argument("--large", action="store_true", help="a hundred million rows as well")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--scan", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("--times", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--cores", type=int, default=1, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.scan:
        scan_once(options.scan, options.times, options.cores)
        return 0
    all_of_them = candidates(QUICK_ROWS if options.quick else ROWS)
    times = measure(all_of_them, 3 if options.quick else 9)
    lines = [*lines_of(times), *spelling_lines(3 if options.quick else 9)]
    if options.large:
        with tempfile.TemporaryDirectory() as folder:
            lines += large_lines(Path(folder))
    if options.json:
        print(json.dumps({"seconds_per_row": times, "lines": [_data(line) for line in lines]}, indent=2))
    else:
        print(_rates(all_of_them, times), "", table(verdicts("columns", lines), left={0, 3}), sep="\n")
    return 0 if all(line.met for line in lines) else 1


def _data(line: Line) -> dict[str, Any]:
    return {"title": line.title, "figure": line.figure, "required": line.required, "met": line.met}


def _rates(all_of_them: Sequence[Candidate], times: dict[str, float]) -> str:
    rows = [("one core", "rows/s", "MB/s", "of a copy")]
    copied = times["copy"] * all_of_them[0].rows / all_of_them[0].bytes
    for one in all_of_them:
        per_byte = times[one.name] * one.rows / one.bytes
        rows.append(
            (one.name, f"{1 / times[one.name]:,.0f}", f"{1e-6 / per_byte:,.0f}", f"{copied / per_byte:.2%}")
        )
    return table(rows, left={0})


if __name__ == "__main__":
    sys.exit(main())
