"""Fuzz the EPD reader: what it reads it writes, and what it wrote it reads back."""

from __future__ import annotations

from tests.fuzz.harness import fuzz, require, require_findings, text_of
from tests.golden_data import CHESS

from forsyth.diagnostics import MODES
from forsyth.games.chess import read_epd, write_epd
from forsyth.games.chess.variants import VARIANTS


def check(data: bytes) -> None:
    """Read a record in every mode and variant."""
    text = text_of(data)
    for variant in VARIANTS:
        for mode in MODES:
            reading = read_epd(text, mode=mode, variant=variant)
            require_findings(text, reading.diagnostics)
            require((reading.position is not None) is reading.ok, text, reading.diagnostics)
            if reading.position is None:
                continue
            written = write_epd(reading.position)
            again = read_epd(written, variant=variant).position
            require(again == reading.position, text, written)
            if mode == "strict":
                require(written == text, text, written)
    require_findings(text, CHESS.read(text).diagnostics)


if __name__ == "__main__":
    fuzz(check)
