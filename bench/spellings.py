"""Texts as they really come, beside the canonical ones: the same positions in other spellings,
variants and modes, as single texts and as columns; those of chess stand here.

Each spelling takes turns with the canonical text of the same positions, so that a busy machine is busy for
both, and process time is taken. What is told is a ratio: how many times the canonical text a spelling costs.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Any, Final

import pyarrow as pa

from bench.measure import no_collector
from forsyth import reading
from forsyth.bulk import arrow
from forsyth.diagnostics import Mode

CALLS: Final = ("parse", "read", "check")
VERBS: Final = ("scan", "normalise", "key", "pack", "features", "planes")


@dataclass(frozen=True, slots=True)
class Spelling:
    """Another way to write, or to read, the text of a position."""

    name: str
    write: Callable[[str], str]
    variant: str = "standard"
    mode: Mode = "default"


def same(text: str) -> str:
    return text


def _turned(text: str) -> str:
    """The castling letters from right to left, or doubled dashes where there are none."""
    fields = text.split(" ")
    fields[2] = fields[2][::-1] if len(fields[2]) > 1 else fields[2] * 2
    return " ".join(fields)


def _with_checks(text: str) -> str:
    fields = text.split(" ")
    return " ".join((*fields[:4], "3+3", *fields[4:]))


SPELLINGS: Final = (
    Spelling("four fields", lambda text: text.rsplit(" ", 2)[0]),
    Spelling("newline", lambda text: f"{text}\n"),
    Spelling("two blanks", lambda text: text.replace(" ", "  ", 1)),
    Spelling("castling order", _turned),
    Spelling("chess960", same, "chess960"),
    Spelling("crazyhouse", lambda text: text.replace(" ", "[] ", 1), "crazyhouse"),
    Spelling("3check", _with_checks, "3check"),
    Spelling("auto", same, "auto"),
    Spelling("lenient", same, mode="lenient"),
)


def slips(text: str, row: int) -> str:
    """The text of a row with a slip, each kind in its turn: warnings, errors and illegal positions."""
    fields = text.split(" ")
    kind = row % 8
    if kind == 0:
        return " ".join(fields[:4])
    if kind == 1:
        return text + "\n"
    if kind == 2:
        return _turned(text)
    if kind == 3:
        return text.replace("/", "/x", 1)
    if kind == 4:
        return text.replace("/", "1/", 1)
    if kind == 5:
        return text.replace("k", "q", 1)
    fields[kind - 3] = ("z9", "-5")[kind - 6]
    return " ".join(fields)


def _game_of(spelling: Spelling, game: Any) -> Any:
    return game if spelling.variant == "standard" else game.with_variant(spelling.variant)


def single_ratios(
    game: Any, texts: Sequence[str], repeats: int, spellings: Sequence[Spelling] = SPELLINGS
) -> dict[str, float]:
    """For each spelling and call, such as ``newline parse``, how many times the canonical text it costs."""
    found = {}
    for spelling in spellings:
        other = _game_of(spelling, game)
        spelled = [spelling.write(text) for text in texts]
        for name in CALLS:
            canonical = partial(_go, _call(name, game, "default"), texts)
            found[f"{spelling.name} {name}"] = ratio(
                canonical, partial(_go, _call(name, other, spelling.mode), spelled), repeats
            )
    return found


def verb_ratios(game: Any, texts: Sequence[str], spelling: Spelling, repeats: int) -> dict[str, float]:
    """For each verb, how many times the column of canonical texts one in a spelling costs."""
    canonical = pa.array(texts, pa.large_string())
    spelled = pa.array(map(spelling.write, texts), pa.large_string())
    other = _game_of(spelling, game)
    return {
        verb: ratio(
            partial(getattr(arrow, verb), canonical, game),
            partial(getattr(arrow, verb), spelled, other, mode=spelling.mode),
            repeats,
        )
        for verb in VERBS
    }


def _call(name: str, game: Any, mode: Mode) -> Callable[[str], object]:
    if name == "check":
        return partial(reading.check, game=game, mode=mode)
    return partial(getattr(game, name), mode=mode)


def dearest(ratios: Mapping[str, float], spellings: Sequence[Spelling] = SPELLINGS) -> dict[str, float]:
    """The highest ratio of each spelling."""
    return {spelling.name: max(ratios[f"{spelling.name} {call}"] for call in CALLS) for spelling in spellings}


def _go(call: Callable[[str], object], texts: Sequence[str]) -> None:
    for text in texts:
        call(text)


def ratio(first: Callable[[], object], second: Callable[[], object], repeats: int) -> float:
    """How many times the first the second costs: the median over turns, in which both run."""
    ratios = []
    for turn in range(repeats + 1):
        with no_collector():
            begun = process_time()
            first()
            between = process_time()
            second()
            if turn:
                ratios.append((process_time() - between) / (between - begun))
    return statistics.median(ratios)
