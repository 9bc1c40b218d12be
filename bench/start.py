"""Measure what a user waits for before anything happens: imports, `forsyth --version`, a linted tree.

Each import is a fresh interpreter, beside `import chess` (python-chess) in turns; a figure is the least
processor time, less that of an interpreter which does nothing. The tree is ten thousand files made for the
purpose: source code, most of it without a position, some with one, a few with a broken one. Exit status 0
when every requirement is met, 1 when one is not.

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

from bench.corpus import some_rows
from bench.lines import Line, verdicts
from bench.report import table
from forsyth.lint import Settings, find_files, lint_file

TURNS: Final = 9
FILES: Final = 10_000
LINES: Final = 200
"""Lines of a file of the tree, about six kilobytes."""

NOTHING: Final = "pass"
PEER: Final = "import chess"
OURS: Final = "import forsyth"
GAME: Final = "import forsyth; forsyth.game('chess')"
VERSION: Final = "import sys, forsyth.cli; sys.exit(forsyth.cli.main(['--version']))"


def start_times(turns: int) -> dict[str, float]:
    """The least processor time of each start, in milliseconds."""
    best = dict.fromkeys((NOTHING, PEER, OURS, GAME, VERSION), float("inf"))
    for _ in range(turns):
        for code in best:
            best[code] = min(best[code], _spent(code))
    return best


def _spent(code: str) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def write_tree(folder: Path, files: int) -> None:
    """Source files in folders of a hundred: one in ten holds positions, one in a hundred a broken one."""
    chance = random.Random(16)
    texts = [row.fen for row in some_rows(1000)]
    for number in range(files):
        lines = [f'    value_{line} = call("path/to/{line}", {line})' for line in range(LINES)]
        if number % 10 == 0:
            lines[10] = f'    start = "{chance.choice(texts)}"'
        if number % 100 == 0:
            lines[20] = f'    broken = "{chance.choice(texts).replace("/", "/9", 1)}"'
        path = folder / f"{number // 100:04}" / f"{number:06}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")


def lint_seconds(files: int) -> float:
    """The processor time of linting a tree."""
    with tempfile.TemporaryDirectory() as name:
        write_tree(Path(name), files)
        settings = Settings(Path(name))
        begin = process_time()
        reports = [lint_file(file, settings) for file in find_files([name], settings)]
        spent = process_time() - begin
    assert sum(bool(report.findings) for report in reports) >= files // 100
    return spent


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--turns", type=int, default=TURNS)
    given = parser.parse_args(arguments)
    times = start_times(given.turns)
    idle = times[NOTHING]
    peer = times[PEER] - idle
    lines = [
        Line("import forsyth, to import chess", (times[OURS] - idle) / peer, 1, at_most=True),
        Line("import forsyth and load chess, to import chess", (times[GAME] - idle) / peer, 0),
        Line("forsyth --version", times[VERSION], 150, at_most=True, unit=" ms"),
        Line(f"forsyth lint, {given.files} files", lint_seconds(given.files), 10, at_most=True, unit=" s"),
    ]
    print(table(verdicts("start", lines), {0, 3}))
    return 0 if all(line.met for line in lines if line.required) else 1


if __name__ == "__main__":
    sys.exit(main())
