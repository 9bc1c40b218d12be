"""Compare the lines of code and the time of each task with those of python-chess: `python -m bench.tasks`.

Prints a table in Markdown. The lines are those of the function after its docstring. A time is the least
process time of several rounds in which the two libraries take turns. `--write` writes the table into
docs/comparison.md, and a few rows of it into README.md.
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
from bench.tasks.given import ARGUMENTS

ROOT = Path(__file__).parents[2]
README_TASKS = ("is_valid", "legal_moves", "play", "count_nodes", "same_position", "positions", "draw")
"""Tasks that README.md shows."""
ROUNDS = 7
MIN_SECONDS = 0.02
"""Minimum duration of one measurement."""


class Row(NamedTuple):
    """Title of a task, and its lines and seconds with Forsyth and with python-chess."""

    task: str
    lines: tuple[int, int]
    seconds: tuple[float, float]


def count_lines(function: Callable[..., Any]) -> int:
    """Count the lines of a function after its docstring, without blank lines."""
    body = inspect.getsource(function).partition('"""')[2].partition('"""')[2]
    return sum(bool(line.strip()) for line in body.splitlines())


def measure(name: str) -> Row:
    """Measure the task `name` with both libraries, which take turns."""
    modules: tuple[ModuleType, ModuleType] = (with_forsyth, with_python_chess)
    ours, theirs = (getattr(module, name) for module in modules)
    arguments = ARGUMENTS[name]
    best = [float("inf")] * 2
    for _ in range(ROUNDS):
        for number, function in enumerate((ours, theirs)):
            best[number] = min(best[number], _measure_seconds(function, arguments))
    title = (inspect.getdoc(ours) or "").rstrip(".")
    return Row(title, (count_lines(ours), count_lines(theirs)), (best[0], best[1]))


def _measure_seconds(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """Return the mean process time of a call, repeated for at least `MIN_SECONDS`."""
    count, begin = 0, time.process_time()
    while (seconds := time.process_time() - begin) < MIN_SECONDS:
        function(*arguments)
        count += 1
    return seconds / count


def format_markdown(rows: list[Row]) -> str:
    """Return the rows as a Markdown table."""
    header = (
        "| task | lines | python-chess | time | python-chess | times as fast |\n|---|--:|--:|--:|--:|--:|\n"
    )
    return header + "".join(
        f"| {task} | {lines[0]} | {lines[1]} | {_format_time(seconds[0])} | {_format_time(seconds[1])} "
        f"| {seconds[1] / seconds[0]:.3g} |\n"
        for task, lines, seconds in rows
    )


def _format_time(seconds: float) -> str:
    return f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"


def describe_machine() -> str:
    """Return the processor, the operating system and the version of Python."""
    try:
        cpu_info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        model = re.search(r"^model name\s*: (.*)$", cpu_info, re.MULTILINE)
    except OSError:
        model = None
    processor = model[1] if model else platform.processor() or platform.machine()
    return f"{processor}, {platform.system()}, Python {platform.python_version()}"


def _replace_section(page: Path, name: str, text: str) -> None:
    """Replace the text between the comments `name` and `end of name` on a page."""
    section = re.compile(rf"(?<=<!-- {name} -->\n).*(?=<!-- end of {name} -->)", re.DOTALL)
    page.write_text(section.sub(lambda _: text, page.read_text(encoding="utf-8")), encoding="utf-8")


def main() -> None:
    """Measure all tasks and print the table. With `--write`, also write it into the pages."""
    parser = argparse.ArgumentParser(description="Twenty everyday tasks with Forsyth and with python-chess.")
    parser.add_argument(
        "--write", action="store_true", help="Write the tables into docs/comparison.md and README.md."
    )
    options = parser.parse_args()
    # python-chess logs every illegal move that it reads.
    logging.getLogger("chess.pgn").disabled = True
    rows = [measure(name) for name in ARGUMENTS]
    our_lines, their_lines = (sum(row.lines[library] for row in rows) for library in (0, 1))
    summary = f"{our_lines} lines against {their_lines}. Measured on {describe_machine()}.\n"
    report = f"{format_markdown(rows)}\n{summary}"
    if options.write:
        _replace_section(ROOT / "docs" / "comparison.md", "tasks", report)
        readme_table = format_markdown(
            [row for name, row in zip(ARGUMENTS, rows, strict=True) if name in README_TASKS]
        )
        _replace_section(ROOT / "README.md", "speed", f"{readme_table}\nMeasured on {describe_machine()}.\n")
    print(report)


if __name__ == "__main__":
    main()
