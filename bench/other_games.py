"""Compare other spellings with the canonical texts in CoTuLenh, Azul, xiangqi and shogi.

Measured are the same positions in other spellings and modes, as single texts (`parse`, `read`, `check`) and
as columns (every verb); columns of faulty texts that are scanned; and the time for all findings of a broken
CoTuLenh text. `bench.spellings` describes the method. The exit status is 0 if every requirement is met, else
1.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import pyarrow as pa

from bench import azul, cotulenh, kit
from bench.builds import ROOT
from bench.lines import Line, verdict_rows
from bench.measure import time_texts
from bench.report import format_table
from bench.spellings import (
    Spelling,
    keep_text,
    max_ratios,
    measure_ratio,
    measure_text_ratios,
    measure_verb_ratios,
)
from forsyth import registry
from forsyth.bulk import arrow
from forsyth.game import column_kernels

BROKEN: Final = ROOT / "tests" / "golden" / "cotulenh" / "fen_validation.jsonl.gz"
TEXTS: Final[Mapping[str, Callable[[int], list[str]]]] = {
    "cotulenh": cotulenh.corpus,
    "azul": azul.corpus,
    "xiangqi": partial(kit.load_texts, "xiangqi"),
    "shogi": partial(kit.load_texts, "shogi"),
}
POSITIONS: Final = 400
ROWS: Final = 16_384
ROW_STEP: Final = 7919
"""Prime step between the texts of a column, so that their order has no short period."""
READ_ROWS: Final = 512
"""Rows of a column for a game without kernels, whose columns are read row by row."""
MAX_RATIO: Final = 4
"""Maximum ratio of the time for another spelling to the time for the canonical text."""
MAX_FINDINGS_MICROSECONDS: Final = 30
"""Maximum of the median time for all findings of a broken CoTuLenh text."""

_STACK: Final = re.compile(r"\(([^)]*)\)")
_MEMBER: Final = re.compile(r"\+?[A-Za-z]")


def _add_newline(text: str) -> str:
    return f"{text}\n"


def _double_blank(text: str) -> str:
    return text.replace(" ", "  ", 1)


def _reverse_stacks(text: str) -> str:
    """Return a text with the members of every stack in reverse order.

    If there is no stack, put parentheses around the first piece.
    """
    if "(" not in text:
        return re.sub(r"\+?[A-Z]", r"(\g<0>)", text, count=1)
    return _STACK.sub(lambda stack: f"({''.join(_MEMBER.findall(stack[1])[::-1])})", text)


def _add_zero(text: str, field: int) -> str:
    """Return a text with a leading zero in the field with this index."""
    fields = text.split(" ")
    fields[field] = f"0{fields[field]}"
    return " ".join(fields)


def _reverse_factories(text: str) -> str:
    """Return a text with the tiles of each factory in reverse order."""
    factories, rest = text.split("/", 1)
    return "|".join(factory[::-1] for factory in factories.split("|")) + f"/{rest}"


def _narrow_lines(text: str) -> str:
    """Return a text in which each pattern line has only its own places, without padding to five."""
    parts = text.split("/")
    for board in (3, 6):
        lines = parts[board].split("|")
        parts[board] = "|".join(line[:row] for row, line in enumerate(lines, 1))
    return "/".join(parts)


def _reverse_hands(text: str) -> str:
    """Return a text with the pieces in hand in reverse order, or unchanged if there are none."""
    fields = text.split(" ")
    fields[2] = "".join(re.findall(r"\d*[A-Za-z]", fields[2])[::-1]) or "-"
    return " ".join(fields)


_LENIENT: Final = Spelling("lenient", keep_text, mode="lenient")

SPELLINGS: Final[Mapping[str, tuple[Spelling, ...]]] = {
    "cotulenh": (
        Spelling("newline", _add_newline),
        Spelling("two blanks", _double_blank),
        Spelling("stack order", _reverse_stacks),
        Spelling("leading zeros", lambda text: _add_zero(text, 4)),
        Spelling("digits in a row", lambda text: text.replace("11", "56", 1)),
        _LENIENT,
        Spelling("lenient newline", _add_newline, mode="lenient"),
    ),
    "azul": (
        Spelling("factories in another order", _reverse_factories),
        Spelling("narrow", _narrow_lines),
        _LENIENT,
    ),
    "xiangqi": (
        Spelling("newline", _add_newline),
        Spelling("two blanks", _double_blank),
        Spelling("look-alike dashes", lambda text: text.replace("-", "–")),
        Spelling("leading zeros", lambda text: _add_zero(text, 4)),
        _LENIENT,
    ),
    "shogi": (
        Spelling("newline", _add_newline),
        Spelling("two blanks", _double_blank),
        Spelling("three fields", lambda text: text.rsplit(" ", 1)[0]),
        Spelling("hands in another order", _reverse_hands),
        _LENIENT,
    ),
}
FAULTS: Final[Mapping[str, tuple[Spelling, ...]]] = {
    "cotulenh": (
        Spelling("no commander", lambda text: re.sub("[cC]", "i", text, count=1)),
        Spelling("no commander, lenient", lambda text: re.sub("[cC]", "i", text, count=1), mode="lenient"),
        Spelling("unknown letter", lambda text: text.replace("/", "/x", 1)),
        Spelling("long rank", lambda text: text.replace("/", "1/", 1)),
    ),
    "azul": (
        Spelling("line of two colours", lambda text: _replace_last_line(text, "BR---")),
        Spelling("line with a gap", lambda text: _replace_last_line(text, "B-B--")),
        Spelling("factory of three", lambda text: text.replace("----", "BBB-", 1)),
        Spelling("unknown letter", lambda text: text.replace("-", "x", 1)),
    ),
}
"""Faults by game. A text with a fault is refused, or accepted with a warning although the rules forbid it."""


def _replace_last_line(text: str, line: str) -> str:
    """Return a text with `line` as the last pattern line of the first board."""
    parts = text.split("/")
    parts[3] = "|".join((*parts[3].split("|")[:4], line))
    return "/".join(parts)


def load_broken_texts() -> list[str]:
    """Return the golden texts of CoTuLenh that are refused."""
    with gzip.open(BROKEN, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line)["fen"] for line in lines]
    game = registry.game("cotulenh")
    return [text for text in rows if isinstance(text, str) and not game.read(text).ok]


def measure_single_texts(name: str, turns: int) -> Iterator[Line]:
    """Yield the ratio of the time for each spelling to that for canonical texts, by the slowest call."""
    game: Any = registry.game(name)
    spellings = SPELLINGS[name]
    ratios = max_ratios(measure_text_ratios(game, TEXTS[name](POSITIONS), turns, spellings), spellings)
    for spelling, figure in ratios.items():
        yield Line(f"{name}, {spelling}: parse, read, check", figure, MAX_RATIO, at_most=True)


def measure_columns(name: str, turns: int) -> Iterator[Line]:
    """Yield the time for columns in other spellings, by the slowest verb, and for columns of faulty texts.

    All times are ratios to the time for the canonical column.
    """
    game: Any = registry.game(name)
    texts = TEXTS[name](POSITIONS)
    rows = ROWS if column_kernels(game) else READ_ROWS
    texts = [texts[row * ROW_STEP % len(texts)] for row in range(rows)]
    canonical = pa.array(texts, pa.large_string())
    for spelling in SPELLINGS[name]:
        ratios = measure_verb_ratios(game, texts, spelling, turns)
        verb = max(ratios, key=ratios.__getitem__)
        yield Line(f"{name}, {spelling.name}: slowest verb ({verb})", ratios[verb], MAX_RATIO, at_most=True)
    for fault in FAULTS.get(name, ()):
        column = pa.array(map(fault.write, texts), pa.large_string())
        figure = measure_ratio(
            partial(arrow.scan, canonical, game), partial(arrow.scan, column, game, mode=fault.mode), turns
        )
        yield Line(f"{name}, {fault.name}: scan", figure, MAX_RATIO, at_most=True)


def measure_findings(turns: int) -> Line:
    """Measure the median time for all findings of a broken CoTuLenh text, in microseconds."""
    read = registry.game("cotulenh").read
    times = time_texts(lambda text: read(text).diagnostics, load_broken_texts(), turns)
    title = "cotulenh, all findings of a broken text"
    return Line(title, statistics.median(times), MAX_FINDINGS_MICROSECONDS, at_most=True, unit=" µs")


def measure_games(names: Sequence[str], turns: int) -> Iterator[Line]:
    """Yield every requirement on the games `names` with its measured figure."""
    for name in names:
        yield from measure_single_texts(name, turns)
        yield from measure_columns(name, turns)
        if name == "cotulenh":
            yield measure_findings(turns)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Return 0 if every requirement is met, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.other_games", description=__doc__)
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help=f"Games to measure, of {', '.join(TEXTS)} (default: all)."
    )
    parser.add_argument("--quick", action="store_true", help="Measure in fewer turns.")
    options = parser.parse_args(arguments)
    lines = list(measure_games(options.games or list(TEXTS), 3 if options.quick else 9))
    print(format_table(verdict_rows("other games", lines), left={0, 3}))
    return 0 if all(line.is_met for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
