"""What is found in broken texts, as it is kept: tests/golden/findings/README.md says what for.

`python -m tests.findings` writes the answers for the same texts anew, for a change that is meant; read the
difference before it is kept. A new text is a new line, of which only `text` is needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

import forsyth
from forsyth.diagnostics import Diagnostic, Mode

FOLDER: Final = Path(__file__).parent / "golden" / "findings"
GAMES: Final[dict[str, forsyth.Game]] = {
    "chess": forsyth.game("chess"),
    "chess960": forsyth.game("chess", "chess960"),
    "crazyhouse": forsyth.game("chess", "crazyhouse"),
    "3check": forsyth.game("chess", "3check"),
    "antichess": forsyth.game("chess", "antichess"),
    "horde": forsyth.game("chess", "horde"),
    "racingkings": forsyth.game("chess", "racingkings"),
    "cotulenh": forsyth.game("cotulenh"),
    "azul": forsyth.game("azul"),
    "xiangqi": forsyth.game("xiangqi"),
    "shogi": forsyth.game("shogi"),
}
"""Games and variants by the names of their files."""
MODES: Final[tuple[Mode, ...]] = get_args(Mode)


def texts(game: str) -> Iterator[str]:
    """The texts that are kept of a game."""
    for line in (FOLDER / f"{game}.jsonl").read_text(encoding="utf-8").split("\n")[:-1]:
        yield json.loads(line)["text"]


def _written(finding: Diagnostic) -> str:
    place = f"{finding.stage} {finding.field} {finding.span.start}:{finding.span.end} {finding.square or '-'}"
    found = f"{finding.severity} {finding.code} {place} {finding.message}"
    if finding.fix is None:
        return found
    fix = finding.fix
    return f"{found} | {fix.confidence} {fix.span.start}:{fix.span.end} {fix.replacement!r}"


def answer(game: str, text: str) -> dict[str, Any]:
    """What is read from a text and found in it; another mode than the default one where it differs."""
    found: dict[str, Any] = {}
    for mode in MODES:
        reading = forsyth.check(text, GAMES[game], mode=mode)
        position = None if reading.position is None else str(reading.position)
        found[mode] = [position, *map(_written, reading.diagnostics)]
    default = found.pop("default")
    return {"text": text, "default": default} | {mode: own for mode, own in found.items() if own != default}


def line(game: str, text: str) -> str:
    """The answer about a text as a line of the file."""
    return json.dumps(answer(game, text))


if __name__ == "__main__":
    for each in GAMES:
        lines = [line(each, text) for text in texts(each)]
        (FOLDER / f"{each}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
