"""Measure start-up: imports, `forsyth --version`, and linting a tree of files.

Each import runs in a new interpreter, in turns with `import chess` (python-chess). Its figure is the least
processor time, less that of an interpreter which does nothing. The tree consists of ten thousand generated
source files. Most have no position, some have one, and a few have a broken one. The exit status is 0 if every
requirement is met, else 1.

    python -m bench.start              everything, half a minute
    python -m bench.start --files 100  a small tree
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time
from typing import Final

from bench.corpus import sample_rows
from bench.lines import Line, verdict_rows
from bench.report import format_table
from forsyth.lint import Settings, find_files, lint_file

TURNS: Final = 9
FILES: Final = 10_000
LINES: Final = 200
"""Lines of each file of the tree, which has about six kilobytes."""

NOTHING: Final = "pass"
PEER: Final = "import chess"
OURS: Final = "import forsyth"
GAME: Final = "import forsyth; forsyth.game('chess')"
START_TEXT: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CHECK: Final = f"import forsyth; forsyth.check('{START_TEXT}')"
VERSION: Final = "import sys, forsyth.cli; sys.exit(forsyth.cli.main(['--version']))"


def start_times(turns: int) -> dict[str, float]:
    """Return the least processor time of each start-up in milliseconds, by its Python code."""
    best = dict.fromkeys((NOTHING, PEER, OURS, GAME, CHECK, VERSION), float("inf"))
    for _ in range(turns):
        for code in best:
            best[code] = min(best[code], _run_milliseconds(code))
    return best


def _run_milliseconds(code: str) -> float:
    """Run Python code in a new interpreter, and return its processor time in milliseconds."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def write_tree(folder: Path, files: int) -> None:
    """Write source files into folders of a hundred files.

    One file in ten contains a position, one in a hundred also a broken position.
    """
    rng = random.Random(16)
    texts = [row.fen for row in sample_rows(1000)]
    for number in range(files):
        lines = [f'    value_{line} = call("path/to/{line}", {line})' for line in range(LINES)]
        if number % 10 == 0:
            lines[10] = f'    start = "{rng.choice(texts)}"'
        if number % 100 == 0:
            lines[20] = f'    broken = "{rng.choice(texts).replace("/", "/9", 1)}"'
        path = folder / f"{number // 100:04}" / f"{number:06}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")


def measure_lint(files: int) -> float:
    """Return the processor time for linting a tree of `files` files, in seconds."""
    with tempfile.TemporaryDirectory() as name:
        write_tree(Path(name), files)
        settings = Settings(Path(name))
        begin = process_time()
        reports = [lint_file(file, settings) for file in find_files([name], settings)]
        seconds = process_time() - begin
    assert sum(bool(report.findings) for report in reports) >= files // 100
    return seconds


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print. Return 0 if every requirement is met, else 1."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--files", type=int, default=FILES, help="Lint a tree of this many files.")
    parser.add_argument("--turns", type=int, default=TURNS, help="Measure each start this often.")
    options = parser.parse_args(arguments)
    times = start_times(options.turns)
    idle = times[NOTHING]
    peer = times[PEER] - idle
    lines = [
        Line("import forsyth, to import chess", (times[OURS] - idle) / peer, 1, at_most=True),
        Line("import forsyth and load chess, to import chess", (times[GAME] - idle) / peer, 0),
        Line("the first detected check, import included", times[CHECK] - idle, 150, at_most=True, unit=" ms"),
        Line("forsyth --version", times[VERSION], 150, at_most=True, unit=" ms"),
        Line(
            f"forsyth lint, {options.files} files", measure_lint(options.files), 10, at_most=True, unit=" s"
        ),
    ]
    print(format_table(verdict_rows("start", lines), {0, 3}))
    return 0 if all(line.is_met for line in lines if line.required) else 1


if __name__ == "__main__":
    sys.exit(main())
