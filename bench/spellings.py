"""Compare the time for other spellings, variants and modes with the time for the canonical texts.

The functions measure single texts and columns of any game. `SPELLINGS` are those of chess. Each spelling
takes turns with the canonical texts of the same positions, so that other load on the machine slows both
alike. The results are ratios of process times: spelling to canonical text.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Any, Final

import pyarrow as pa

from bench.measure import without_gc
from forsyth import reading
from forsyth.bulk import arrow
from forsyth.diagnostics import Mode

CALLS: Final = ("parse", "read", "check")
VERBS: Final = ("scan", "normalise", "key", "pack", "features", "planes")


@dataclass(frozen=True, slots=True)
class Spelling:
    """Another way to write the text of a position (`write`), or to read it (`variant` and `mode`)."""

    name: str
    write: Callable[[str], str]
    variant: str = "standard"
    mode: Mode = "default"


def keep_text(text: str) -> str:
    """Return the text unchanged."""
    return text


def _reverse_castling(text: str) -> str:
    """Return a FEN with its castling letters in reverse order. A single letter or a dash is doubled."""
    fields = text.split(" ")
    fields[2] = fields[2][::-1] if len(fields[2]) > 1 else fields[2] * 2
    return " ".join(fields)


def _add_checks(text: str) -> str:
    """Return a FEN with the field of remaining checks that the variant 3check has."""
    fields = text.split(" ")
    return " ".join((*fields[:4], "3+3", *fields[4:]))


SPELLINGS: Final = (
    Spelling("four fields", lambda text: text.rsplit(" ", 2)[0]),
    Spelling("newline", lambda text: f"{text}\n"),
    Spelling("two blanks", lambda text: text.replace(" ", "  ", 1)),
    Spelling("castling order", _reverse_castling),
    Spelling("chess960", keep_text, "chess960"),
    Spelling("crazyhouse", lambda text: text.replace(" ", "[] ", 1), "crazyhouse"),
    Spelling("3check", _add_checks, "3check"),
    Spelling("auto", keep_text, "auto"),
    Spelling("lenient", keep_text, mode="lenient"),
)


def add_slip(text: str, row: int) -> str:
    """Return a FEN with one of eight slips, chosen by the row number.

    Some slips lead to warnings, some to errors and some to illegal positions.
    """
    fields = text.split(" ")
    kind = row % 8
    if kind == 0:
        return " ".join(fields[:4])
    if kind == 1:
        return text + "\n"
    if kind == 2:
        return _reverse_castling(text)
    if kind == 3:
        return text.replace("/", "/x", 1)
    if kind == 4:
        return text.replace("/", "1/", 1)
    if kind == 5:
        return text.replace("k", "q", 1)
    # The last two kinds replace the en-passant field (3) and the half-move clock (4).
    fields[kind - 3] = ("z9", "-5")[kind - 6]
    return " ".join(fields)


def _select_variant(spelling: Spelling, game: Any) -> Any:
    return game if spelling.variant == "standard" else game.with_variant(spelling.variant)


def measure_text_ratios(
    game: Any, texts: Sequence[str], repeats: int, spellings: Sequence[Spelling] = SPELLINGS
) -> dict[str, float]:
    """Return the ratio of the time for a spelling to the time for the canonical text, for single texts.

    The keys name spelling and call, such as `newline parse`.
    """
    ratios = {}
    for spelling in spellings:
        variant_game = _select_variant(spelling, game)
        spelled = [spelling.write(text) for text in texts]
        for name in CALLS:
            read_canonical = partial(_call_with_all, _bind_call(name, game, "default"), texts)
            read_spelled = partial(_call_with_all, _bind_call(name, variant_game, spelling.mode), spelled)
            ratios[f"{spelling.name} {name}"] = measure_ratio(read_canonical, read_spelled, repeats)
    return ratios


def measure_verb_ratios(
    game: Any, texts: Sequence[str], spelling: Spelling, repeats: int
) -> dict[str, float]:
    """Return the ratio of the time for a spelled column to the time for the canonical column, by verb."""
    canonical = pa.array(texts, pa.large_string())
    spelled = pa.array(map(spelling.write, texts), pa.large_string())
    variant_game = _select_variant(spelling, game)
    return {
        verb: measure_ratio(
            partial(getattr(arrow, verb), canonical, game),
            partial(getattr(arrow, verb), spelled, variant_game, mode=spelling.mode),
            repeats,
        )
        for verb in VERBS
    }


def _bind_call(name: str, game: Any, mode: Mode) -> Callable[[str], object]:
    """Return a function that calls `parse`, `read` or `check` with a text, for this game and mode."""
    if name == "check":
        return partial(reading.check, game=game, mode=mode)
    return partial(getattr(game, name), mode=mode)


def max_ratios(ratios: Mapping[str, float], spellings: Sequence[Spelling] = SPELLINGS) -> dict[str, float]:
    """Return the highest ratio of each spelling over all calls."""
    return {spelling.name: max(ratios[f"{spelling.name} {call}"] for call in CALLS) for spelling in spellings}


def _call_with_all(call: Callable[[str], object], texts: Sequence[str]) -> None:
    for text in texts:
        call(text)


def measure_ratio(first: Callable[[], object], second: Callable[[], object], repeats: int) -> float:
    """Return the process time of `second` divided by that of `first`: the median of `repeats` turns.

    Both run in every turn. An additional first turn is warm-up.
    """
    ratios = []
    for turn in range(repeats + 1):
        with without_gc():
            begin = process_time()
            first()
            middle = process_time()
            second()
            if turn:
                ratios.append((process_time() - middle) / (middle - begin))
    return statistics.median(ratios)
