"""Texts of the other games as they really come, beside the canonical ones: CoTuLenh, Azul, xiangqi and shogi.

The same positions in other spellings and modes, as single texts (`parse`, `read`, `check`) and as columns
(every verb); texts with a fault, as columns that are scanned; and all findings of a broken CoTuLenh text. How
it is measured is said in `bench.spellings`. Exit status 0 when every requirement is met, 1 when one is not.
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
from bench.lines import Line, verdicts
from bench.measure import time_texts
from bench.report import table
from bench.spellings import Spelling, dearest, ratio, same, single_ratios, verb_ratios
from forsyth import registry
from forsyth.bulk import arrow
from forsyth.game import kernels_of

BROKEN: Final = ROOT / "tests" / "golden" / "cotulenh" / "fen_validation.jsonl.gz"
TEXTS: Final[Mapping[str, Callable[[int], list[str]]]] = {
    "cotulenh": cotulenh.corpus,
    "azul": azul.corpus,
    "xiangqi": partial(kit.texts_of, "xiangqi"),
    "shogi": partial(kit.texts_of, "shogi"),
}
POSITIONS: Final = 400
ROWS: Final = 16_384
READ_ROWS: Final = 512
"""Rows of a column that is read row by row, by a game without kernels."""
MOST: Final = 4
"""How many times the canonical text another spelling may cost."""
MOST_FOR_FINDINGS: Final = 30
"""Microseconds for all findings of a broken CoTuLenh text, in the median."""

_STACK: Final = re.compile(r"\(([^)]*)\)")
_MEMBER: Final = re.compile(r"\+?[A-Za-z]")


def _newline(text: str) -> str:
    return f"{text}\n"


def _two_blanks(text: str) -> str:
    return text.replace(" ", "  ", 1)


def _turned_stacks(text: str) -> str:
    """Every stack from its last member to its first, or parentheses around a piece where there is none."""
    if "(" not in text:
        return re.sub(r"\+?[A-Z]", r"(\g<0>)", text, count=1)
    return _STACK.sub(lambda stack: f"({''.join(_MEMBER.findall(stack[1])[::-1])})", text)


def _zeros(text: str, field: int) -> str:
    fields = text.split(" ")
    fields[field] = f"0{fields[field]}"
    return " ".join(fields)


def _turned_factories(text: str) -> str:
    factories, rest = text.split("/", 1)
    return "|".join(factory[::-1] for factory in factories.split("|")) + f"/{rest}"


def _narrow(text: str) -> str:
    """The pattern lines of both boards with as many places as they have."""
    parts = text.split("/")
    for board in (3, 6):
        lines = parts[board].split("|")
        parts[board] = "|".join(line[:row] for row, line in enumerate(lines, 1))
    return "/".join(parts)


def _turned_hands(text: str) -> str:
    """The men in hand from right to left, or doubled dashes where there are none."""
    fields = text.split(" ")
    fields[2] = "".join(re.findall(r"\d*[A-Za-z]", fields[2])[::-1]) or "-"
    return " ".join(fields)


_LENIENT: Final = Spelling("lenient", same, mode="lenient")

SPELLINGS: Final[Mapping[str, tuple[Spelling, ...]]] = {
    "cotulenh": (
        Spelling("newline", _newline),
        Spelling("two blanks", _two_blanks),
        Spelling("stack order", _turned_stacks),
        Spelling("leading zeros", lambda text: _zeros(text, 4)),
        Spelling("digits in a row", lambda text: text.replace("11", "56", 1)),
        _LENIENT,
        Spelling("lenient newline", _newline, mode="lenient"),
    ),
    "azul": (
        Spelling("factories in another order", _turned_factories),
        Spelling("narrow", _narrow),
        _LENIENT,
    ),
    "xiangqi": (
        Spelling("newline", _newline),
        Spelling("two blanks", _two_blanks),
        Spelling("look-alike dashes", lambda text: text.replace("-", "–")),
        Spelling("leading zeros", lambda text: _zeros(text, 4)),
        _LENIENT,
    ),
    "shogi": (
        Spelling("newline", _newline),
        Spelling("two blanks", _two_blanks),
        Spelling("three fields", lambda text: text.rsplit(" ", 1)[0]),
        Spelling("hands in another order", _turned_hands),
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
        Spelling("line of two colours", lambda text: _in_lines(text, "BR---")),
        Spelling("line with a gap", lambda text: _in_lines(text, "B-B--")),
        Spelling("factory of three", lambda text: text.replace("----", "BBB-", 1)),
        Spelling("unknown letter", lambda text: text.replace("-", "x", 1)),
    ),
}
"""Texts that are refused, or accepted with a warning although the rules refuse them."""


def _in_lines(text: str, line: str) -> str:
    parts = text.split("/")
    parts[3] = "|".join((*parts[3].split("|")[:4], line))
    return "/".join(parts)


def broken_texts() -> list[str]:
    """The golden texts of CoTuLenh that are refused."""
    with gzip.open(BROKEN, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line)["fen"] for line in lines]
    game = registry.game("cotulenh")
    return [text for text in rows if isinstance(text, str) and not game.read(text).ok]


def single_lines(name: str, turns: int) -> Iterator[Line]:
    """What other spellings of single texts cost, by the dearest call."""
    game: Any = registry.game(name)
    spellings = SPELLINGS[name]
    found = dearest(single_ratios(game, TEXTS[name](POSITIONS), turns, spellings), spellings)
    for spelling, figure in found.items():
        yield Line(f"{name}, {spelling}: parse, read, check", figure, MOST, at_most=True)


def column_lines(name: str, turns: int) -> Iterator[Line]:
    """What columns in other spellings cost, by the dearest verb, and columns of texts with a fault."""
    game: Any = registry.game(name)
    texts = TEXTS[name](POSITIONS)
    rows = ROWS if kernels_of(game) else READ_ROWS
    texts = [texts[row * 7919 % len(texts)] for row in range(rows)]
    canonical = pa.array(texts, pa.large_string())
    for spelling in SPELLINGS[name]:
        ratios = verb_ratios(game, texts, spelling, turns)
        verb = max(ratios, key=ratios.__getitem__)
        yield Line(f"{name}, {spelling.name}: dearest verb ({verb})", ratios[verb], MOST, at_most=True)
    for fault in FAULTS.get(name, ()):
        column = pa.array(map(fault.write, texts), pa.large_string())
        figure = ratio(
            partial(arrow.scan, canonical, game), partial(arrow.scan, column, game, mode=fault.mode), turns
        )
        yield Line(f"{name}, {fault.name}: scan", figure, MOST, at_most=True)


def findings_line(turns: int) -> Line:
    """All findings of a broken text, in the median."""
    read = registry.game("cotulenh").read
    times = time_texts(lambda text: read(text).diagnostics, broken_texts(), turns)
    title = "cotulenh, all findings of a broken text"
    return Line(title, statistics.median(times), MOST_FOR_FINDINGS, at_most=True, unit=" µs")


def all_lines(names: Sequence[str], turns: int) -> Iterator[Line]:
    """Every requirement on some games, with what was measured."""
    for name in names:
        yield from single_lines(name, turns)
        yield from column_lines(name, turns)
        if name == "cotulenh":
            yield findings_line(turns)


def main(arguments: list[str] | None = None) -> int:
    """Run, print, and answer with the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.other_games", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(TEXTS)}; by default all")
    parser.add_argument("--quick", action="store_true", help="few turns")
    options = parser.parse_args(arguments)
    lines = list(all_lines(options.games or list(TEXTS), 3 if options.quick else 9))
    print(table(verdicts("other games", lines), left={0, 3}))
    return 0 if all(line.met for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
