"""Format the figures of one run as tables and as JSON data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from bench.measure import Timing
from bench.promises import PURE, Faster, Figures, Verdict

VERDICTS: Final = {True: "met", False: "NOT MET", None: "not measured"}
ABSENT: Final = "–"
COLUMNS: Final = {
    "parse": "text → position",
    "write": "position → text",
    "validate": "verdict",
    "moves": "move list",
    "san": "SAN reading",
    "perft": "perft, M nodes/s",
    PURE: "pure text → position",
}


def format_ratio_table(verdicts: Sequence[Verdict]) -> str:
    """Return a table with one line per requirement: first the ratio, then the absolute figures."""
    heads = ("operation", "ratio", "(passes)", "required", "against", "Forsyth", "peer", "verdict")
    return format_table([heads, *map(_ratio_row, verdicts)], left={0, 4, 7})


def _ratio_row(verdict: Verdict) -> tuple[str, ...]:
    """Return the cells of one requirement in the table of ratios."""
    requirement = verdict.requirement
    if isinstance(requirement, Faster):
        against = verdict.rival or ABSENT
        if requirement.rival is None and verdict.rival:
            against = f"{verdict.rival} (fastest)"
        format_time = _format_rate if requirement.operation == "perft" else _format_microseconds
        cells = (_format_ratio(verdict.value), _format_range(verdict), requirement.required, against)
        times = (format_time(verdict.ours), format_time(verdict.theirs))
        return (requirement.title, *cells, *times, VERDICTS[verdict.is_met])
    is_ratio = requirement.unit == "×"
    cells = (_format_ratio(verdict.value) if is_ratio else ABSENT, "", requirement.required, "")
    figure = "" if is_ratio else _format_microseconds(verdict.value)
    return (requirement.title, *cells, figure, "", VERDICTS[verdict.is_met])


def format_library_table(figures: Figures, names: Iterable[str]) -> str:
    """Return a table of the microseconds per item of the libraries `names`, with the spread of the passes.

    A star marks wrong answers.
    """
    operations = [operation for operation in COLUMNS if figures.timings.get(operation)]
    rows = [("µs per item", *(COLUMNS[operation] for operation in operations))]
    rows += [(name, *(_timing_cell(figures, operation, name) for operation in operations)) for name in names]
    return format_table(rows, left={0})


def _timing_cell(figures: Figures, operation: str, name: str) -> str:
    """Return the cell for an operation of a library: median, star and spread."""
    timing = figures.timings[operation].get(name)
    if timing is None:
        return ABSENT
    star = "*" if name in figures.wrong_libraries.get(operation, ()) else ""
    figure = _format_rate(timing.median, unit="") if operation == "perft" else _format_number(timing.median)
    return f"{figure}{star} ±{_spread_percent(timing):.0f}%"


def _spread_percent(timing: Timing) -> float:
    """Return half the difference between the slowest and the fastest pass, in per cent of the median."""
    return (timing.high - timing.low) / 2 / timing.median * 100


def format_table(rows: Sequence[Sequence[str]], left: set[int]) -> str:
    """Return rows as lines with aligned columns, and a rule under the first row.

    Args:
        rows: The cells of each row.
        left: Indices of the columns that are aligned to the left. The others are aligned to the right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_format_row(row, widths, left) for row in rows]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])


def _format_row(row: Sequence[str], widths: Sequence[int], left: set[int]) -> str:
    """Return one row of a table, with its cells padded to `widths`."""
    cells = [
        cell.ljust(width) if column in left else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()


def _format_ratio(ratio: float | None) -> str:
    return ABSENT if ratio is None else f"{_format_number(ratio)}×"


def _format_range(verdict: Verdict) -> str:
    """Return the lowest and highest ratio of single passes, or an empty string if there are none."""
    if verdict.low is None or verdict.high is None:
        return ""
    return f"({_format_number(verdict.low)}–{_format_number(verdict.high)})"


def _format_microseconds(value: float | None) -> str:
    return ABSENT if value is None else f"{_format_number(value)} µs"


def _format_rate(microseconds_per_node: float | None, unit: str = " M/s") -> str:
    """Return the rate in millions of nodes per second."""
    return ABSENT if microseconds_per_node is None else f"{_format_number(1 / microseconds_per_node)}{unit}"


def _format_number(value: float) -> str:
    """Return a number with about three significant digits, never in scientific notation."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def format_remarks(facts: dict[str, Any]) -> list[str]:
    """Return the lines under the tables: conditions of the run, and errors and limits of the libraries."""
    wrong_writers = [name for name, convention in facts["en_passant"].items() if convention is None]
    conventions = [f"{name} {convention}" for name, convention in facts["en_passant"].items() if convention]
    unread, wrong_moves = (
        ", ".join(f"{name} {count}" for name, count in facts[kind].items())
        for kind in ("unread_sans", "wrong_moves")
    )
    compiled = ", ".join(name.rpartition(".")[2] for name in facts["compiled"])
    lines = [
        f"{facts['texts']} texts, median of {facts['passes']} passes, {facts['seconds']:.0f} s; "
        f"Python {facts['python']}, {facts['machine']}.",
        "Versions: " + ", ".join(f"{name} {version}" for name, version in facts["versions"].items()) + ".",
        "Forsyth runs "
        + (f"compiled: {compiled}." if compiled else "UNCOMPILED: only the pure line counts."),
        "Conventions of the en-passant field: " + ", ".join(conventions) + ".",
    ]
    lines += [
        f"* {name} writes wrong en-passant squares and is no rival for writing." for name in wrong_writers
    ]
    if unread:
        lines.append(f"Moves that a library cannot read, left out for all libraries: {unread}.")
    if wrong_moves:
        lines.append(
            f"Texts for which a library lists more or fewer legal moves than python-chess: {wrong_moves}."
        )
    lines += [
        f"Libraries with their own perft: {', '.join(facts['own_perft'])}. The others use a Python loop."
    ]
    lines += [f"Missing: {name}." for name in facts["missing"]]
    lines += [f"Failed: {part}: {error}" for part, error in facts["failures"].items()]
    lines += [_format_detail(name, values) for name, values in facts["details"].items()]
    return lines


def _format_detail(name: str, values: dict[str, float]) -> str:
    return f"{name}: " + ", ".join(f"{part} {_format_number(value)}" for part, value in values.items()) + "."


def to_json_data(figures: Figures, verdicts: Sequence[Verdict], facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts, verdicts and timings of a run as data for JSON."""
    return {
        **facts,
        "requirements": [_verdict_data(verdict) for verdict in verdicts],
        "timings": {
            operation: {name: _timing_data(timing) for name, timing in timings.items()}
            for operation, timings in figures.timings.items()
        },
        "figures": dict(figures.scalars),
    }


def _verdict_data(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as data for JSON. Times are in microseconds."""
    requirement = verdict.requirement
    return {
        "operation": requirement.title,
        "required": requirement.required,
        "value": verdict.value,
        "range": None if verdict.low is None else [verdict.low, verdict.high],
        "rival": verdict.rival,
        "forsyth_us": verdict.ours,
        "rival_us": verdict.theirs,
        "met": verdict.is_met,
    }


def _timing_data(timing: Timing) -> dict[str, Any]:
    return {"median_us": timing.median, "samples_us": list(timing.samples)}
