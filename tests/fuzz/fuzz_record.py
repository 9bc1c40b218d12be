"""Fuzz the reader of records: a text is a record or findings say why not, and what is written reads back."""

from __future__ import annotations

from tests.fuzz.harness import fuzz, require, require_findings, text_of

from forsyth.diagnostics import MODES
from forsyth.record import read_record, write_record

GAMES = (None, "chess", "cotulenh", "azul")


def check(data: bytes) -> None:
    """Read a record of every game and of one that it names, in every mode."""
    text = text_of(data)
    for game in GAMES:
        for mode in MODES:
            reading = read_record(text, game, mode=mode)
            require_findings(text, reading.diagnostics)
            if reading.record is None:
                continue
            written = write_record(reading.record)
            again = read_record(written, reading.record.game.name)
            require(again.record is not None, text, written)
            require(again.record is not None and write_record(again.record) == written, text, written)


if __name__ == "__main__":
    fuzz(check)
