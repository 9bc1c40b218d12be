"""`python -m bench.tasks`: how many lines each task takes, and how long, beside python-chess.

Writes a table in Markdown. A line is a line of the function behind its docstring. A time is the least process
time of several rounds in which the two take turns. `--write` puts the table into docs/comparison.md, and
a few rows of it into README.md.
"""

from __future__ import annotations

import argparse
import inspect
import logging
import platform
import re
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from bench.tasks import with_forsyth, with_python_chess
from bench.tasks.given import GIVEN

ROOT = Path(__file__).parents[2]
SHORT = ("is_valid", "legal_moves", "play", "count_nodes", "same_position", "positions", "draw")
"""The tasks that README shows."""
ROUNDS = 7
LEAST = 0.02
"""Seconds of one measurement."""


class Row(NamedTuple):
    """A task: what it is, lines and seconds with Forsyth and with python-chess."""

    task: str
    lines: tuple[int, int]
    seconds: tuple[float, float]


def lines_of(function: Callable[..., Any]) -> int:
    """Lines of code behind the docstring, blank ones left out."""
    body = inspect.getsource(function).partition('"""')[2].partition('"""')[2]
    return sum(bool(line.strip()) for line in body.splitlines())


def measure(name: str) -> Row:
    """One task, the two libraries taking turns."""
    modules: tuple[ModuleType, ModuleType] = (with_forsyth, with_python_chess)
    ours, theirs = (getattr(module, name) for module in modules)
    given = GIVEN[name]
    best = [float("inf")] * 2
    for _ in range(ROUNDS):
        for number, function in enumerate((ours, theirs)):
            best[number] = min(best[number], _seconds(function, given))
    title = (inspect.getdoc(ours) or "").rstrip(".")
    return Row(title, (lines_of(ours), lines_of(theirs)), (best[0], best[1]))


def _seconds(function: Callable[..., Any], given: tuple[Any, ...]) -> float:
    """Process time of one call."""
    count, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < LEAST:
        function(*given)
        count += 1
    return spent / count


def table(rows: list[Row]) -> str:
    """The rows in Markdown."""
    head = (
        "| task | lines | python-chess | time | python-chess | times as fast |\n|---|--:|--:|--:|--:|--:|\n"
    )
    return head + "".join(
        f"| {task} | {lines[0]} | {lines[1]} | {_time(seconds[0])} | {_time(seconds[1])} "
        f"| {seconds[1] / seconds[0]:.3g} |\n"
        for task, lines, seconds in rows
    )


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"


def machine() -> str:
    """Where it was measured."""
    try:
        facts = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        found = re.search(r"^model name\s*: (.*)$", facts, re.MULTILINE)
    except OSError:
        found = None
    processor = found[1] if found else platform.processor() or platform.machine()
    return f"{processor}, {platform.system()}, Python {platform.python_version()}"


def _put(page: Path, name: str, words: str) -> None:
    """Replace what stands between the two comments of a name on a page."""
    place = re.compile(rf"(?<=<!-- {name} -->\n).*(?=<!-- end of {name} -->)", re.DOTALL)
    page.write_text(place.sub(lambda _: words, page.read_text(encoding="utf-8")), encoding="utf-8")


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description="Twenty everyday tasks with Forsyth and with python-chess.")
    parser.add_argument("--write", action="store_true", help="put the tables into docs and README")
    given = parser.parse_args()
    # python-chess also tells its log about every faulty move that it meets.
    logging.getLogger("chess.pgn").disabled = True
    rows = [measure(name) for name in GIVEN]
    total = [sum(row.lines[side] for row in rows) for side in (0, 1)]
    said = f"{table(rows)}\n{total[0]} lines against {total[1]}. Measured on {machine()}.\n"
    if given.write:
        _put(ROOT / "docs" / "comparison.md", "tasks", said)
        few = table([row for name, row in zip(GIVEN, rows, strict=True) if name in SHORT])
        _put(ROOT / "README.md", "speed", f"{few}\nMeasured on {machine()}.\n")
    print(said)


if __name__ == "__main__":
    main()
