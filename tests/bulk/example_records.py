"""Records to make tables of: golden ones, odd ones as they come, and some of every game."""

from __future__ import annotations

from random import Random
from typing import Final

from tests.test_readme import ROOT

import forsyth
from forsyth import Match, registry
from forsyth.record import Record, write_record

GOLDEN: Final = (ROOT / "tests" / "golden" / "chess" / "records.pgn").read_bytes()

LICHESS: Final = """[Event "Rated Blitz game"]
[Site "https://lichess.org/abcd1234"]
[Date "2024.01.01"]
[Round "-"]
[White "alice"]
[Black "bob"]
[Result "1-0"]
[UTCDate "2024.01.01"]
[UTCTime "00:00:01"]
[WhiteElo "2001"]
[BlackElo "?"]
[WhiteRatingDiff "+5"]
[BlackRatingDiff "-5"]
[ECO "C20"]
[Opening "King's Pawn Game"]
[TimeControl "180+2"]
[Termination "Normal"]

1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%eval 0.2] [%clk 0:03:00] } 2. Qh5 $2 { [%eval -0.5] [%clk 0:02:58.5] } 2... Ke7 { [%eval #1] [%clk 0:02:55] } 3. Qxe5# { [%clk 0:02:54] } 1-0

"""  # noqa: E501 - one line, as the server writes it

ODDITIES: Final[dict[str, str]] = {
    "byte order mark": '\ufeff[White "a"]\n\n1. e4 e5 1-0\n',
    "carriage returns": (
        '[White "a"]\r\n[Black "b"]\r\n\r\n1. e4 e5\r\n2. Nf3 1/2-1/2\r\n\r\n[White "c"]\r\n\r\n*\r\n'
    ),
    "escape lines": '% by hand\n[White "a"]\n\n1. e4\n% more\ne5 0-1\n',
    "figurines": '[White "a"]\n\n1. ♘f3 ♞f6 2. e4 ♞xe4 *\n',
    "null moves": '[White "a"]\n\n1. e4 -- 2. d4 Z0 3. c4 *\n',
    "no result": '[White "a"]\n[Result "1-0"]\n\n1. e4 e5\n\n[White "b"]\n\n1. d4\n',
    "look-alike dashes": '[White "a"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O\u2013O 1\u20130\n',
    "quotes in tags": '[White "a \\"b\\" c\\\\d"]\n[Event "x "y" z"]\n\n1. e4 *\n',
    "tags twice": '[White "a"]\n[White "b"]\n\n1. e4 *\n',
    "no moves": '[White "a"]\n[Black "b"]\n[Result "0-1"]\n\n0-1\n',
    "no tags": "1. e4 e5 2. Nf3 Nc6 1-0\n1. d4 d5 0-1\n",
    "no blank lines": '[White "a"]\n1. e4 e5 1-0\n[White "b"]\n1. d4 d5 0-1\n',
    "variations and glyphs": (
        '[White "a"]\n\n1. e4 $1 (1. d4 d5 (1... Nf6) 2. c4) e5! {good} 2. Nf3 ; rest\nNc6 *\n'
    ),
    "a bad move": '[White "a"]\n\n1. e4 e5 2. Ke3 d5 3. Nf3 1-0\n\n[White "b"]\n\n1. d4 1-0\n',
    "a bad start": '[White "a"]\n[SetUp "1"]\n[FEN "9/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *\n',
    "a start of its own": (
        '[White "a"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 Kd7 *\n'
    ),
    "a start of four fields": '[White "a"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - -"]\n\n1. e4 Kd7 *\n',
    "the usual start as a tag": (
        '[White "a"]\n[SetUp "1"]\n'
        '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n\n1. e4 *\n'
    ),
    "Chess960": (
        '[White "a"]\n[Variant "Fischer Random"]\n[SetUp "1"]\n'
        '[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]\n\n1. e4 e5 *\n'
    ),
    "Crazyhouse": '[White "a"]\n[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. P@f3 *\n',
    "Three-check": '[White "a"]\n[Variant "Three-check"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *\n',
    "an unknown variant": '[White "a"]\n[Variant "Losing chess"]\n\n1. e4 e5 *\n',
    "an unclosed comment": '[White "a"]\n\n1. e4 {never closed\n\n[White "b"]\n\n1. d4 *\n',
    "a comment after the result": '[White "a"]\n\n1. e4 1-0 {White wins}\n\n[White "b"]\n\n1. d4 *\n',
    "ratings that are none": '[WhiteElo "?"]\n[BlackElo "0150"]\n[RedElo "7"]\n[X "y"]\n\n1. e4 *\n',
    "garbage": "this is no game at all\n\n[[[ ]]] }{ ;;;\n",
    "nothing": "\n\n   \n",
}


def played(name: str, games: int, seed: int = 14) -> str:
    """Some games of any game, played at random, as text."""
    random = Random(seed)
    written = []
    for number in range(games):
        match = Match(registry.game(name))
        for _ in range(random.randrange(4, 30)):
            moves = match.moves()
            if not moves or match.outcome is not None:
                break
            match.play(random.choice(moves))
        written.append(write_record(Record.of(match, {"Event": f"Test {number}", "X": "1"})))
    return "\n".join(written)


def many(games: int) -> bytes:
    """Games of chess as a server writes them, each with another name."""
    return b"".join(LICHESS.replace("alice", f"player {number}").encode() for number in range(games))


GAMES: Final = tuple(forsyth.games())
