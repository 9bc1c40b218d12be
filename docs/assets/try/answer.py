"""What the page Try it asks of Forsyth: one text in, one answer as JSON out."""

import json
from typing import Any

import forsyth
from forsyth.diagnostics import Mode

SIZE = 420


def answer(text: str, game: str, mode: Mode) -> str:
    """Return the findings in words, the canonical text and a picture. An empty `game` is detected."""
    reading = forsyth.check(text, game or None, mode=mode)
    return json.dumps(
        {
            "ok": reading.ok,
            "game": reading.game,
            "findings": str(reading) if reading.diagnostics else "",
            "canonical": "" if reading.position is None else str(reading.position),
            "picture": _picture(reading),
        }
    )


def _picture(reading: forsyth.Reading[Any]) -> str:
    """Return the position as SVG with the squares of its findings marked, or an empty text without one."""
    if reading.position is None or reading.game is None:
        return ""
    found = {finding.square: finding for finding in reading.diagnostics if finding.square is not None}
    scene = forsyth.game(reading.game).scene(
        reading.position,
        marks={square: finding.severity.value for square, finding in found.items()},
        notes={square: finding.message for square, finding in found.items()},
    )
    return forsyth.draw.svg(scene, size=SIZE)
