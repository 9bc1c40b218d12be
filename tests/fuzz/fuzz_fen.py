"""Fuzz the FEN reader: every mode, every variant, the kernel beside the reader, the rules behind them."""

from __future__ import annotations

from tests.fuzz.harness import (
    fuzz,
    require,
    require_findings,
    require_playable,
    require_reading,
    require_shown,
    text_of,
)
from tests.golden_data import CHESS, require_agreement

from forsyth.diagnostics import MODES, FenError, apply_fixes
from forsyth.games.chess import Position
from forsyth.games.chess.variants import VARIANTS
from forsyth.limits import MAX_DIAGNOSTICS

READINGS = (*VARIANTS, "auto")


def check(data: bytes) -> None:
    """Read a text in every way there is."""
    text = text_of(data)
    for variant in READINGS:
        for mode in MODES:
            reading = CHESS.read(text, mode=mode, variant=variant)
            require_reading(reading)
            if reading.position is not None:
                _require_position(reading.position)
        default = CHESS.read(text, variant=variant)
        if default.position is not None:
            require_playable(default.position)
        fixed = CHESS.read(apply_fixes(text, default.diagnostics), variant=variant)
        if len(default.diagnostics) < MAX_DIAGNOSTICS:
            require(len(fixed.errors) <= len(default.errors), text, fixed.text)
    require_shown(text, CHESS.read(text).diagnostics)
    require_agreement(text)
    try:
        CHESS.parse(text)
    except FenError as error:
        require_findings(text, error.diagnostics)


def _require_position(position: Position) -> None:
    game = CHESS.with_variant(position.variant)
    again = game.read(str(position), mode="strict")
    require(again.position == position, str(position), again.diagnostics)
    require_findings(str(position), game.check(position))
    require(game.unpack(position.packed) == position, str(position))
    require(len(position.key) == 32, position.key)


if __name__ == "__main__":
    fuzz(check)
