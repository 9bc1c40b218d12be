"""Measure columns: Forsyth's verbs beside python-chess, regular expressions, and a copy of the bytes.

All candidates run in one process, on one corpus and with one thread (the candidate `scan two cores` with
two). They take turns, and a figure is the median of the turns. With `--large` files of one and of a hundred
million rows are scanned as well, each in a process of its own, to compare peak memory and time per row. The
exit status is 0 if every requirement is met, else 1.
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

# Polars reads this variable when it is imported. It must use one core, like the other candidates.
os.environ["POLARS_MAX_THREADS"] = "1"

import chess
import polars as pl
import pyarrow as pa

from bench.corpus import sample_rows
from bench.lines import Line, verdict_rows
from bench.report import format_table
from bench.spellings import SPELLINGS, add_slip, measure_verb_ratios
from forsyth import registry
from forsyth.bulk import arrow
from forsyth.game import Game

ROOT: Final = Path(__file__).parents[1]
ROWS: Final = 400_000
QUICK_ROWS: Final = 100_000
PLANE_ROWS: Final = 8192
"""Rows whose planes are computed at once."""
SLOW_ROWS: Final = 2_000
"""Rows for the loop over python-chess, which takes a thousand times as long."""
MILLION: Final = 1_000_000
ROW_STEP: Final = 7919

_PIECE: Final = "[PNBRQKpnbrqk]"
_TAIL: Final = r" [wb] (?:-|K?Q?k?q?) (?:-|[a-h][36]) \d{1,4} [1-9]\d{0,3}$"
LOOSE: Final = r"^(?:[PNBRQKpnbrqk1-8]{1,8}/){7}[PNBRQKpnbrqk1-8]{1,8}" + _TAIL
"""The pattern that people write: eight ranks of letters and digits, without a check of their sums."""

DIGITS: Final = [str(digit) for digit in range(1, 9)]
DOTS: Final = ["." * digit for digit in range(1, 9)]
"""Replacements of `DIGITS` that make the length of each rank its number of squares."""


def _list_ranks(width: int, after_digit: bool = False) -> list[str]:
    """Return every rank of `width` squares, with P for any piece and no two digits side by side.

    With `after_digit`, no rank begins with a digit.
    """
    if width == 0:
        return [""]
    ranks = [f"P{rest}" for rest in _list_ranks(width - 1)]
    if not after_digit:
        for digit in range(1, width + 1):
            ranks += [f"{digit}{rest}" for rest in _list_ranks(width - digit, after_digit=True)]
    return ranks


def exact_pattern() -> str:
    """Return a pattern that also checks the sum of each rank, by spelling out every rank of eight squares."""
    rank = "(?:" + "|".join(form.replace("P", _PIECE) for form in _list_ranks(8)) + ")"
    return f"^(?:{rank}/){{7}}{rank}" + _TAIL


# --- the corpus -------------------------------------------------------------------------------------


def chess_column(rows: int) -> pa.Array:
    """Return a column that repeats the positions of the speed corpus.

    Each repetition has higher move numbers, so no text occurs twice.
    """
    texts = [row.fen.rpartition(" ") for row in sample_rows(10_000)]
    column = []
    for row in range(rows):
        # Steps of a large prime give an order that a branch predictor cannot learn.
        fields, _, number = texts[row * ROW_STEP % len(texts)]
        column.append(f"{fields} {int(number) + row // len(texts)}")
    return pa.array(column, pa.large_string())


def golden_column(game: str, file: str, field: str, rows: int) -> pa.Array:
    """Return a column that repeats the texts without findings in a golden file of a game.

    `field` is the key of the text, or of the list of texts, in each line of the file.
    """
    with gzip.open(ROOT / "tests" / "golden" / game / file, "rt", encoding="utf-8") as lines:
        texts = list(chain.from_iterable(_row_texts(json.loads(line), field) for line in lines))
    results = arrow.scan(pa.array(texts), registry.game(game)).to_pylist()
    texts = [text for text, result in zip(texts, results, strict=True) if not result["findings"]]
    return pa.array([texts[row * ROW_STEP % len(texts)] for row in range(rows)], pa.large_string())


def _row_texts(row: dict[str, Any], field: str) -> list[str]:
    """Return the texts in a field that holds a text or a list of texts."""
    value = row[field]
    return value if isinstance(value, list) else [value]


def character_bytes(column: pa.Array) -> int:
    """Return the number of bytes of all texts of a column."""
    return int(column.buffers()[2].size)


# --- candidates -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Candidate:
    """Measured function: `run` goes over a column with this number of rows and bytes."""

    name: str
    rows: int
    bytes: int
    run: Callable[[], object]


def make_candidates(rows: int) -> list[Candidate]:
    """Return all candidates for columns of `rows` rows. The copy of the bytes is the first."""
    column = chess_column(rows)
    size = character_bytes(column)
    game = registry.game("chess")
    series = pl.Series("fen", column)
    slow_texts = column.slice(0, SLOW_ROWS).to_pylist()
    cotulenh = golden_column("cotulenh", "legal_moves.jsonl.gz", "fen", rows // 4)
    azul = golden_column("azul", "legal_moves.jsonl.gz", "fen", rows // 4)
    exact = exact_pattern()
    frame = pl.DataFrame(series)
    matches_with_sums = pl.col("fen").str.contains(LOOSE) & pl.col("fen").str.extract(
        r"^(\S+)"
    ).str.replace_many(DIGITS, DOTS).str.contains(r"^(?:[^/]{8}/){7}[^/]{8}$")
    data = bytes(column.buffers()[2])
    copy_buffer = memoryview(bytearray(len(data)))

    def copy() -> None:
        copy_buffer[:] = data

    def over_column(name: str, run: Callable[[], object]) -> Candidate:
        return Candidate(name, rows, size, run)

    slow_size = sum(map(len, slow_texts))
    return [
        over_column("copy", copy),
        Candidate("python-chess", SLOW_ROWS, slow_size, lambda: [chess.Board(text) for text in slow_texts]),
        Candidate(
            "status", SLOW_ROWS, slow_size, lambda: [chess.Board(text).status() for text in slow_texts]
        ),
        over_column("regex", lambda: series.str.contains(LOOSE).sum()),
        over_column("regex with sums", lambda: series.str.contains(exact).sum()),
        over_column("regex and sums", lambda: frame.select(matches_with_sums.sum())),
        over_column("scan", lambda: arrow.scan(column, game, legality=False)),
        over_column("scan legality", lambda: arrow.scan(column, game)),
        over_column("scan two cores", lambda: arrow.scan(column, game, threads=2)),
        over_column("normalise", lambda: arrow.normalise(column, game)),
        over_column("key", lambda: arrow.key(column, game)),
        over_column("pack", lambda: arrow.pack(column, game)),
        over_column("features", lambda: arrow.features(column, game)),
        over_column("planes", lambda: _write_planes(column, game)),
        _scan_candidate("cotulenh", cotulenh),
        _scan_candidate("azul", azul),
    ]


def _write_planes(column: pa.Array, game: Game) -> None:
    """Compute the planes of a column in parts, because the planes of all rows need too much memory."""
    for start in range(0, len(column), PLANE_ROWS):
        arrow.planes(column.slice(start, PLANE_ROWS), game)


def _scan_candidate(name: str, column: pa.Array) -> Candidate:
    """Return a candidate that scans a column of a game."""
    game: Game = registry.game(name)
    return Candidate(name, len(column), character_bytes(column), lambda: arrow.scan(column, game))


def measure(candidates: Sequence[Candidate], turns: int) -> dict[str, float]:
    """Return the seconds per row of each candidate by name: the median of `turns` turns.

    An additional first turn is warm-up.
    """
    times: dict[str, list[float]] = {candidate.name: [] for candidate in candidates}
    for turn in range(turns + 1):
        for candidate in candidates:
            begin = perf_counter()
            candidate.run()
            if turn:
                times[candidate.name].append((perf_counter() - begin) / candidate.rows)
    return {name: statistics.median(turn_times) for name, turn_times in times.items()}


# --- requirements -----------------------------------------------------------------------------------


def check_times(times: dict[str, float]) -> list[Line]:
    """Return the requirements on the seconds per row that `measure` returns."""
    scan = times["scan"]
    return [
        Line("scan, syntax: times a python-chess loop", times["python-chess"] / scan, 250),
        Line("scan, syntax: time against a regex without sums", scan / times["regex"], 1.5, at_most=True),
        Line("scan, syntax: times a regex, then rank sums", times["regex and sums"] / scan, 3),
        # This pattern has thirty thousand characters. Nobody writes it by hand, so the ratio is only shown.
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

SPELLING_ROWS: Final = 16_384
"""Rows of the columns in other spellings. A ratio of two rates needs no more."""


def measure_spellings(turns: int) -> list[Line]:
    """Measure columns in other spellings against canonical ones, by the slowest verb, and a mixed column."""
    texts = chess_column(SPELLING_ROWS).to_pylist()
    game = registry.game("chess")
    lines = []
    for spelling in SPELLINGS:
        ratios = measure_verb_ratios(game, texts, spelling, turns)
        slowest = max(ratios, key=ratios.__getitem__)
        title = f"{spelling.name}: against canonical, slowest verb ({slowest})"
        lines.append(Line(title, ratios[slowest], 4, at_most=True))
    return [*lines, _measure_mixed(texts, game, turns)]


def _measure_mixed(texts: list[str], game: Game, turns: int) -> Line:
    """Measure the rate for a column in which a fifth of the rows has a finding (million rows a second)."""
    mixed = [add_slip(text, row // 5) if row % 5 == 0 else text for row, text in enumerate(texts)]
    column = pa.array(mixed, pa.large_string())
    times = []
    for _ in range(turns + 1):
        begin = process_time()
        arrow.scan(column, game)
        times.append((process_time() - begin) / len(mixed))
    rate = 1e-6 / statistics.median(times[1:])
    return Line("scan, a fifth of the rows with a finding: million rows/s", rate, 2)


# --- a hundred million rows ---------------------------------------------------------------------------

FEW_MILLIONS: Final = 1
MANY_MILLIONS: Final = 100
"""Rows of the files whose memory and time are compared, in millions."""
CORES_MILLIONS: Final = 10
"""Rows for the comparison of one core with two, in millions."""


def measure_large_files(folder: Path) -> list[Line]:
    """Measure peak memory and time of scanning files that are written into `folder`.

    Each scan runs in a process of its own.
    """
    import pyarrow.parquet as pq

    file = folder / "million.parquet"
    pq.write_table(pa.table({"fen": chess_column(MILLION)}), file, compression="zstd")
    few_scans = [_scan_in_process(file, FEW_MILLIONS) for _ in range(5)]
    few_seconds = min(few_scans)[0]
    few_memory = statistics.median(memory for _, memory in few_scans)
    many_seconds, many_memory = _scan_in_process(file, MANY_MILLIONS)
    one_core_seconds, _ = min(_scan_in_process(file, CORES_MILLIONS, cores=1) for _ in range(3))
    two_core_seconds, _ = min(_scan_in_process(file, CORES_MILLIONS) for _ in range(3))
    growth = (many_seconds / MANY_MILLIONS) / (few_seconds / FEW_MILLIONS)
    print(f"{MANY_MILLIONS} million rows: {many_seconds:.1f} s, {many_memory / 2**20:,.0f} MiB at most")
    return [
        Line("peak memory, 100 million rows against 1", many_memory / few_memory, 1.2, at_most=True),
        Line("time per row, 100 million rows against 1", growth, 1.1, at_most=True),
        Line("scan of files on two cores against one", one_core_seconds / two_core_seconds, 1.7),
    ]


def _scan_in_process(file: Path, millions: int, cores: int = 2) -> tuple[float, int]:
    """Scan a file of a million rows `millions` times in a new process. Return seconds and peak bytes."""
    options = ["--scan", str(file), "--times", str(millions), "--cores", str(cores)]
    command = [sys.executable, "-m", "bench.bulk", *options]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    seconds, memory = json.loads(process.stdout)
    return seconds, memory


def scan_and_print(file: str, times: int, cores: int) -> None:
    """Scan a file `times` times in one job on `cores` cores, and print seconds and peak bytes as JSON.

    Raise RuntimeError if a row is not valid.
    """
    from forsyth.bulk import RunOptions, scan_files

    os.sched_setaffinity(0, range(cores))
    begin = perf_counter()
    report = scan_files([file] * times, game="chess", run_options=RunOptions(threads=cores))
    seconds = perf_counter() - begin
    if report.ok != times * MILLION:
        raise RuntimeError(f"{report.ok} of {report.rows} rows are valid, expected {times * MILLION}")
    print(json.dumps([seconds, _peak_memory()]))


def _peak_memory() -> int:
    """Return the peak memory of this process in bytes.

    `getrusage` is not used, because it may report the peak of the parent process.
    """
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


# --- the run ----------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Return 0 if every requirement is met, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.bulk", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="Measure fewer rows in fewer turns.")
    parser.add_argument(
        "--large", action="store_true", help="Also scan files of up to a hundred million rows."
    )
    parser.add_argument("--json", action="store_true", help="Print JSON instead of tables.")
    parser.add_argument("--scan", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("--times", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--cores", type=int, default=1, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.scan:
        scan_and_print(options.scan, options.times, options.cores)
        return 0
    turns = 3 if options.quick else 9
    candidates = make_candidates(QUICK_ROWS if options.quick else ROWS)
    times = measure(candidates, turns)
    lines = [*check_times(times), *measure_spellings(turns)]
    if options.large:
        with tempfile.TemporaryDirectory() as folder:
            lines += measure_large_files(Path(folder))
    if options.json:
        print(json.dumps({"seconds_per_row": times, "lines": [_line_data(line) for line in lines]}, indent=2))
    else:
        verdict_table = format_table(verdict_rows("columns", lines), left={0, 3})
        print(_format_rates(candidates, times), "", verdict_table, sep="\n")
    return 0 if all(line.is_met for line in lines) else 1


def _line_data(line: Line) -> dict[str, Any]:
    return {"title": line.title, "figure": line.figure, "required": line.required, "met": line.is_met}


def _format_rates(candidates: Sequence[Candidate], times: dict[str, float]) -> str:
    """Return a table of the rates of all candidates, also as a share of the rate of a copy."""
    rows = [("one core", "rows/s", "MB/s", "of a copy")]
    copy = candidates[0]
    copy_seconds_per_byte = times["copy"] * copy.rows / copy.bytes
    for candidate in candidates:
        seconds_per_row = times[candidate.name]
        seconds_per_byte = seconds_per_row * candidate.rows / candidate.bytes
        rows.append(
            (
                candidate.name,
                f"{1 / seconds_per_row:,.0f}",
                f"{1e-6 / seconds_per_byte:,.0f}",
                f"{copy_seconds_per_byte / seconds_per_byte:.2%}",
            )
        )
    return format_table(rows, left={0})


if __name__ == "__main__":
    sys.exit(main())
