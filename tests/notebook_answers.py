"""What notebooks show, as it is kept: tests/golden/answers/README.md says what for.

`python -m tests.notebook_answers` writes it anew, for a change that is meant; read the difference before it
is kept. Pictures, rules and scripts are kept as
their digest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pandas as pd
from tests.answers import FOLDER, GAMES, digest

import forsyth
from forsyth import notebook
from forsyth.notebook.play import ClickableMatch

FILE: Final = FOLDER / "notebook.txt"

_CHESS: Final[Any] = forsyth.game("chess")
_START: Final = _CHESS.start
_RECORD: Final = (
    '[Event "A & B"]\n[Site "Here"]\n[Date "2024.01.31"]\n[White "A <b>"]\n[Black "B"]\n\n'
    "{first} 1. e4 $1 {good & <i>} e5 $2 (1... c5) 2. Nf3! Nc6 {two} 3. Bb5 1/2-1/2"
)
_TEXTS: Final = (
    *(_START, f"{_START} ", "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR W KQkq –", "", "nonsense"),
    *("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", '"><script>', "x\ty\n", "8/" * 3000, "x" * 4000, "x" * 4001),
    *("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4r3/4K3 w K - 0 1"),
    forsyth.wrap("9/8/8/8/8/8/8/8 w - - 0 1", "base64", game="chess"),
)


def _values() -> Iterator[Any]:
    yield from (forsyth.check(text, "chess") for text in _TEXTS)
    for name in GAMES:
        game: Any = forsyth.game(name)
        before = game.new_game(1)
        after = game.play(before, game.moves(before)[0])
        yield game.diff(before, before)
        yield game.diff(before, after)
        yield after
        yield game.scene(after)
        match: Any = forsyth.Match(game, before)
        for number in range(3):
            match.play(match.moves()[number * 5 % len(match.moves())])
        yield match
        yield forsyth.Record.of(match)
    for text in (_RECORD, "1. e4 e5 2. Ke3 *", "*", '[White "A"]\n\n1... e5 *', '[Site "Here"]\n\n*', ""):
        yield forsyth.read_record(text, "chess")
    yield forsyth.parse_record(_RECORD, "chess").tree()
    later = '[SetUp "1"]\n[FEN "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 7"]\n\n7... e5 8. e4 Kd7 *'
    yield forsyth.parse_record(later, "chess")


def _frames() -> Iterator[str]:
    frame = pd.DataFrame(
        {"fen": [_START, "nonsense", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"], "a<b": [1, None, "x" * 300]}
    )
    yield notebook.boards(frame)._repr_html_()
    yield notebook.boards(frame, game="chess", rows=2, size=90)._repr_html_()
    yield notebook.boards(frame.rename(columns={"fen": "x"}), "x", rows=3)._repr_html_()


def _clicks() -> Iterator[str]:
    """A board after each click."""
    clicks = ClickableMatch(forsyth.Match("chess"))
    yield clicks.draw_picture(200, flip=False)
    for square in ("e2", "e2", "e2", "e4", "a1", "z9", "e7", "d2", "e5"):
        yield f"{square} {clicks.click(square)} {clicks.draw_picture(200, flip=square == 'e7')}"
    for text in ("Nf3", "e9"):
        yield f"{text} {clicks.play(text)} {clicks.draw_picture(200, flip=False)}"
    for _ in range(4):
        yield f"undo {clicks.undo()} {clicks.draw_picture(200, flip=False)}"


_OWN: Final = r"forsyth-[0-9a-f]{12}"
"""The name of a part of a page, another one each time."""
_RULES: Final = re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL)
_PICTURE: Final = re.compile(r"<(svg) xmlns=(?:(?!<svg xmlns=).)*</svg>", re.DOTALL)
"""A picture may hold others, which have no such attribute."""


def _kept(page: str) -> str:
    """A page with its names numbered, and with digests of pictures, rules and scripts."""
    numbers = {name: f"forsyth-{at}" for at, name in enumerate(dict.fromkeys(re.findall(_OWN, page)))}
    named = re.sub(_OWN, lambda found: numbers[found[0]], page)
    for long in (_PICTURE, _RULES):
        named = long.sub(lambda found: f"<{found[1]} {digest(found[0])}>", named)
    return named


def answers() -> Iterator[str]:
    """Every page, with what it shows above it."""
    for value in _values():
        yield f"# {type(value).__name__}\n{_kept(notebook.html(value))}"
    for page in _frames():
        yield f"# frame\n{_kept(page)}"
    for page in _clicks():
        yield f"# clicks\n{_kept(page)}"


def text() -> str:
    """All pages as one text."""
    return "\n".join(answers()) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8", newline="\n")
