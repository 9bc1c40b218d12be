"""The figures of one run as text for a person and as data for a program."""

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


def ratio_table(verdicts: Sequence[Verdict]) -> str:
    """Every requirement on a line of its own: ratio first, absolute figures after it."""
    heads = ("operation", "ratio", "(passes)", "required", "against", "Forsyth", "peer", "verdict")
    return table([heads, *map(_ratio_row, verdicts)], left={0, 4, 7})


def _ratio_row(verdict: Verdict) -> tuple[str, ...]:
    requirement = verdict.requirement
    if isinstance(requirement, Faster):
        against = verdict.rival or ABSENT
        if requirement.rival is None and verdict.rival:
            against = f"{verdict.rival} (fastest)"
        show = _rate if requirement.operation == "perft" else _micro
        cells = (_times(verdict.value), _range(verdict), requirement.required, against)
        return (requirement.title, *cells, show(verdict.ours), show(verdict.theirs), VERDICTS[verdict.met])
    is_ratio = requirement.unit == "×"
    cells = (_times(verdict.value) if is_ratio else ABSENT, "", requirement.required, "")
    figure = "" if is_ratio else _micro(verdict.value)
    return (requirement.title, *cells, figure, "", VERDICTS[verdict.met])


def library_table(figures: Figures, names: Iterable[str]) -> str:
    """Microseconds per item for every library, with the spread of the passes; a star marks wrong answers."""
    operations = [operation for operation in COLUMNS if figures.timings.get(operation)]
    rows = [("µs per item", *(COLUMNS[operation] for operation in operations))]
    rows += [(name, *(_cell(figures, operation, name) for operation in operations)) for name in names]
    return table(rows, left={0})


def _cell(figures: Figures, operation: str, name: str) -> str:
    timing = figures.timings[operation].get(name)
    if timing is None:
        return ABSENT
    star = "*" if name in figures.wrong.get(operation, ()) else ""
    figure = _rate(timing.median, unit="") if operation == "perft" else _digits(timing.median)
    return f"{figure}{star} ±{_spread(timing):.0f}%"


def _spread(timing: Timing) -> float:
    """Half the distance between the quickest and the slowest pass, in per cent of the median."""
    return (timing.high - timing.low) / 2 / timing.median * 100


def table(rows: Sequence[Sequence[str]], left: set[int]) -> str:
    """Columns lined up under the first row; those in `left` to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_line(row, widths, left) for row in rows]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])


def _line(row: Sequence[str], widths: Sequence[int], left: set[int]) -> str:
    cells = [
        cell.ljust(width) if column in left else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()


def _times(ratio: float | None) -> str:
    return ABSENT if ratio is None else f"{_digits(ratio)}×"


def _range(verdict: Verdict) -> str:
    if verdict.low is None or verdict.high is None:
        return ""
    return f"({_digits(verdict.low)}–{_digits(verdict.high)})"


def _micro(value: float | None) -> str:
    return ABSENT if value is None else f"{_digits(value)} µs"


def _rate(micro_per_node: float | None, unit: str = " M/s") -> str:
    return ABSENT if micro_per_node is None else f"{_digits(1 / micro_per_node)}{unit}"


def _digits(value: float) -> str:
    """About three significant digits, never in scientific notation."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def remarks(facts: dict[str, Any]) -> list[str]:
    """What a reader of the tables must know besides."""
    wrong = [name for name, kept in facts["en_passant"].items() if kept is None]
    kept = [f"{name} {convention}" for name, convention in facts["en_passant"].items() if convention]
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
        "En passant is written by convention: " + ", ".join(kept) + ".",
    ]
    lines += [f"* {name} writes wrong en-passant squares and is no rival there." for name in wrong]
    if unread:
        lines.append(f"Moves not read, left out for all: {unread}.")
    if wrong_moves:
        lines.append(f"Texts with more or fewer legal moves than python-chess finds: {wrong_moves}.")
    lines += [f"Perft in the library itself: {', '.join(facts['own_perft'])}; the others loop in Python."]
    lines += [f"Missing: {name}." for name in facts["missing"]]
    lines += [f"Failed: {part}: {why}" for part, why in facts["failures"].items()]
    lines += [_detail(name, values) for name, values in facts["details"].items()]
    return lines


def _detail(name: str, values: dict[str, float]) -> str:
    return f"{name}: " + ", ".join(f"{part} {_digits(value)}" for part, value in values.items()) + "."


def as_data(figures: Figures, verdicts: Sequence[Verdict], facts: dict[str, Any]) -> dict[str, Any]:
    """Everything, ready for JSON."""
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
    requirement = verdict.requirement
    return {
        "operation": requirement.title,
        "required": requirement.required,
        "value": verdict.value,
        "range": None if verdict.low is None else [verdict.low, verdict.high],
        "rival": verdict.rival,
        "forsyth_us": verdict.ours,
        "rival_us": verdict.theirs,
        "met": verdict.met,
    }


def _timing_data(timing: Timing) -> dict[str, Any]:
    return {"median_us": timing.median, "samples_us": list(timing.samples)}
