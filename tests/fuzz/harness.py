"""What the fuzz targets share: bytes as text, what holds of every finding, and the loop that atheris runs.

A target is a function of bytes that raises when something is wrong. `tests/test_fuzz_corpus.py` calls it with
every file of the corpus; `python -m tests.fuzz.fuzz_fen` calls it for as long as one likes. Only the latter
needs atheris.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType
from typing import Any

from tests.golden_data import CHESS

import forsyth
from forsyth.diagnostics import Diagnostic, Reading, render_findings
from forsyth.games.chess import Position
from forsyth.limits import MAX_DIAGNOSTICS

CORPUS = Path(__file__).parent / "corpus"
FULL_POCKET = 64
"""Most men in hand that a text can say (spec/chess 10)."""
READERS = (
    "columns",
    "epd",
    "fen",
    "games",
    "json",
    "moves",
    "record",
    "san",
    "store",
    "uci",
    "unpack",
    "unwrap",
)

Target = Callable[[bytes], None]


def text_of(data: bytes) -> str:
    """Any bytes as text; those that are not UTF-8 become lone surrogates."""
    return data.decode("utf-8", "surrogateescape")


def require(holds: bool, *facts: object) -> None:
    """Raise unless something holds; unlike `assert` also in optimised runs."""
    if not holds:
        raise AssertionError(ascii(facts))


def require_findings(text: str, findings: Iterable[Diagnostic]) -> None:
    """Findings are placed inside their text and are JSON."""
    found = tuple(findings)
    require(len(found) <= MAX_DIAGNOSTICS, len(found))
    for finding in found:
        spans = [finding.span] if finding.fix is None else [finding.span, finding.fix.span]
        for start, end in spans:
            require(0 <= start <= end <= len(text), text, finding)
        require(bool(finding.message), finding)
        if finding.fix is not None:
            # The stand-in for a bad character never gets into a text.
            require("\ufffd" not in finding.fix.replacement or "\ufffd" in text, text, finding)
    json.dumps([finding.to_dict() for finding in found])


def require_shown(text: str, findings: Iterable[Diagnostic]) -> None:
    """Findings can be shown line by line, with a caret and without one strange character."""
    lines = render_findings(text, findings).split("\n")
    require(all(line.isprintable() for line in lines), lines)


def require_reading(reading: Reading[Any]) -> None:
    """A reading has a position exactly if it has no error."""
    require_findings(reading.text, reading.diagnostics)
    require((reading.position is not None) is reading.ok, reading)
    json.dumps(reading.to_dict())


def require_playable(position: Position) -> None:
    """Every move, of legal positions and others, leads to a position that can be written and read."""
    game = CHESS.with_variant(position.variant)
    moves = game.moves(position)
    require(len(set(moves)) == len(moves), str(position))
    if len(position.pockets) >= FULL_POCKET:
        # One more man in hand could not be written.
        return
    for move in moves:
        after = game.play(position, move)
        require(game.read(str(after), mode="strict").position == after, str(position), move)
    for move in moves[:3]:
        written = game.write_move(position, move)
        require(game.read_move(position, written, strict=True) is move, str(position), written)


def _own_functions() -> list[FunctionType]:
    """The functions of Forsyth loaded so far: with those of every library it would take minutes to begin."""
    functions = [found for found in gc.get_objects() if isinstance(found, FunctionType)]
    return [one for one in functions if str(one.__module__).startswith("forsyth")]


def fuzz(target: Target) -> None:
    """Hand a target over to atheris; the command line is libFuzzer's."""
    import atheris

    if not forsyth.build_info()["compiled"]:
        for function in _own_functions():
            atheris.instrument_func(function)
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()
