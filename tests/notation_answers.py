"""What EPD, UCI and the readers of moves answer, as it is kept: tests/golden/answers/README.md says what for.

`python -m tests.notation_answers` writes it anew, for a change that is meant; read the difference before it
is kept.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from tests.answers import FOLDER, kept

import forsyth
from forsyth.diagnostics import MODES, FenError, Mode, MoveError
from forsyth.games.chess.notation.epd import Value, operation, read_epd, write_epd
from forsyth.games.chess.notation.uci import (
    PositionLineError,
    read_position_line,
    read_uci_move,
    write_position_line,
)
from forsyth.games.chess.position import Position

FILE: Final = FOLDER / "notation.jsonl"

Answer = tuple[Any, ...]
"""A question and what is said to it."""

_KINGS: Final = "4k3/8/8/8/8/8/4P3/4K3 w - -"
_START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def told(done: Callable[..., Any], *given: Any) -> Any:
    """What comes of something, or what it says when it refuses."""
    try:
        return done(*given)
    except MoveError as error:
        return [error.kind, str(error), list(error.candidates)]
    except PositionLineError as error:
        return [error.index, str(error)]
    except FenError as error:
        return [str(error), [one.to_dict() for one in error.diagnostics]]
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


# --- EPD --------------------------------------------------------------------------------------------

_OPERATIONS: Final = (
    r"""
|;| ;|bm e4;|bm e4|bm;|bm e4 e3;|bm e2e4;|bm e4 e9 Kd1;|am Kd1; bm Kd2;|bm e4!;|bm  e4 ;|bm e4;am e3;
sm e4;|sm;|sm e4 e3;|pm e3;|pv e4 Kd7 Ke2;|pv e4 Ke2;|pv;|pv e4 e9 Kd7;|bm "e4";|bm e4; bm e3;|bm e4; ;
id "a;b";|id "a\"b\\c";|id a;|id "a" "b";|id;|id "open;|c0 "x"; c9 "y"; v0 "z";|eco "A00";|id "x"y;|id 'x';
acd 5;|acd +5;|acd -5;|acd 5.5;|acd .5;|acd 5.;|acd x;|acd;|acd 1 2;|ce -12; dm 3;|rc 1; acn 2; acs 3;
acd 999999999999999999;|acd 1000000000000000000;|acs 0.999999999999999999;|acs 0.1000000000000000000;
hmvc 0;|hmvc 9;|hmvc -1;|hmvc 9999;|hmvc 10000;|hmvc 1.5;|hmvc 3; hmvc 4;|fmvn 0;|fmvn 1;|fmvn 9999;
fmvn 10000;|fmvn 7; hmvc 5;|resign;|resign x;|draw_offer;|noop;|noop x y;|noop x y|zz one "two" three;|zz;
draw_claim; draw_reject; draw_accept;|1bm e4;|0 1|0 1 2|0|5 x|3+3 0 1|a_1 x;|_a x;|a-b x;|zz;zz;zz;
aaaaaaaaaaaaaaa x;|aaaaaaaaaaaaaaaa x;|------------------------------ x;| bm e4;|bm e4;  |bm	e4;
""".strip("\n")
    .replace("\n", "|")
    .split("|")
)
_OPERANDS: Final[tuple[tuple[str, Value], ...]] = (
    ("id", 'a "b" \\'),
    ("acd", 5),
    ("acs", 0.5),
    ("resign", None),
    ("zz", ("a", "b")),
    ("zz", None),
    ("bm", None),
    ("id", 5),
    ("x y", 5),
    ("zz", ("a;", "b")),
    ("hmvc", -1),
)


def _epd() -> Iterator[Answer]:
    lines = [f"{_KINGS} {operations}" for operations in _OPERATIONS]
    lines += [_KINGS, f"{_KINGS} ", f" {_KINGS} bm e4;", _START[:-2], "x", "", "x" * 4097]
    lines += [f'{_START} bm Nf3 Nc3; id "two";', f'{_KINGS} id "a\nb";', f"{_START} 3+3 bm e4;"]
    lines += ["4k3/8/8/8/8/8/4P3/4K3 w KQ e3 bm e4;", "4k3/9/8/8/8/8/4P3/4K3 W - – bm e4;"]
    for line in lines:
        for mode in MODES:
            yield "epd", line, mode, _record(line, mode, "standard")
    for variant in ("3check", "crazyhouse", "chess960"):
        for fields in ("3+3 bm e4;", "3+3", "33 bm e4;", "bm e4;"):
            yield "epd", f"{_START} {fields}", variant, _record(f"{_START} {fields}", "default", variant)
    chess = forsyth.game("chess")
    position = chess.parse(f"{_KINGS} 7 9")
    e4 = chess.read_move(position, "e4")
    for opcode, value in (("bm", (e4,)), ("sm", e4), ("pv", (e4,)), *_OPERANDS):
        yield "operation", f"{opcode} {value}", told(_operation, position, opcode, value)


def _record(line: str, mode: Mode, variant: str) -> list[Any]:
    reading = read_epd(line, mode=mode, variant=variant)
    found: list[Any] = [[one.to_dict() for one in reading.diagnostics]]
    record = reading.position
    if record is not None:
        found += [str(record), str(record.position)]
        found.append([[one.opcode, one.raw, one.kind, str(one.value)] for one in record.operations])
    return found


def _operation(position: Position, opcode: str, value: Value) -> str:
    return write_epd(position, [operation(position, opcode, value)])


# --- UCI --------------------------------------------------------------------------------------------

_UCI: Final = (
    "e2e4 e1g1 e1h1 e1c1 e1a1 e1f1 e7e8q e7e8Q e7e8 b7b8n b7a8r a1b1 e4e2 0000 P@e4 p@e4 N@a3 K@a3 E2E4 "
    "e2-e4 e2e9"
)
_BOARDS: Final = (
    (None, "r3k2r/1P6/8/8/8/8/4P3/R3K2R w KQkq - 0 1"),
    ("chess960", "r3k2r/1P6/8/8/8/8/4P3/R3K2R w KQkq - 0 1"),
    ("crazyhouse", "r3k2r/8/8/8/8/8/4P3/R3K2R[PNq] w KQkq - 0 1"),
)
_LINES: Final = (
    "position startpos",
    "position startpos moves",
    "position startpos moves e2e4 e7e5",
    " position  startpos\tmoves e2e4",
    "position startpos e2e4",
    "position startpos moves e2e4 e2e4",
    "position startpos moves 0000",
    f"position fen {_KINGS} 3 9 moves e2e4 e8d7",
    f"position fen {_KINGS} 3 moves e2e4",
    f"position fen {_KINGS}",
    "position fen 4k3/8/8/8/8/8/4P3/4K3 w -",
    f"position fen {_KINGS} 0 1 2",
    "position fen 4k3/9/8/8/8/8/4P3/4K3 W - – moves e2e4",
    "position fen 4k3/8/8/8/8/8/4P3/4K3 w - x",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1",
    "position",
    "",
    "go",
    "startpos moves e2e4",
    "position moves e2e4",
)


def _uci() -> Iterator[Answer]:
    for variant, text in _BOARDS:
        position = forsyth.game("chess", variant).parse(text)
        for word in _UCI.split():
            yield "uci", variant, word, str(told(read_uci_move, position, word))
    for line in _LINES:
        for chess960 in (False, True):
            yield "line", line, chess960, told(_followed, line, chess960)


def _followed(line: str, chess960: bool) -> list[Any]:
    found = read_position_line(line, chess960=chess960)
    written = write_position_line(found.start, found.moves)
    return [str(found.start), list(map(str, found.moves)), str(found.position), written]


# --- moves ------------------------------------------------------------------------------------------

_SPELLED: Final = (
    ("chess", None, "r3k2r/pP3ppp/2n2q2/3pP3/1b1N1N2/2N5/PPP2PPP/R3K2R w KQkq d6 3 12", 26),
    ("chess", None, "4k3/P7/8/8/8/8/8/Q3K2Q w - - 0 1", 26),
    ("chess", "crazyhouse", "r1b1k2r/ppp5/2n5/3Q~4/1b2P3/2N2N2/PPP5/R1B1K2R[PNNpq] b KQkq - 0 9", 12),
    ("chess", "chess960", "1rk2r2/8/8/8/8/8/8/1RK2R2 w FBfb - 0 1", 12),
    ("cotulenh", None, "start", 18),
    ("cotulenh", None, "6c4/11/11/11/3t7/11/2(+NFT)1T6/2(FT)1T6/11/3(EG)7/4t6/5(HC)5 r - - 0 9", 30),
    ("cotulenh", None, "6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1 N>c6", 20),
    ("azul", None, "midgame", 10),
    ("xiangqi", None, "midgame", 14),
    ("xiangqi", None, "endgame", 8),
    ("shogi", None, "midgame", 14),
    ("shogi", None, "endgame", 8),
)
"""Games, variants, positions, and how many of their moves are spelled with slips."""
_MARKS: Final = "KQRBNPCITMEAGSFHabcdefghijk123456789x*-+=#@(>):;.!?&|O0 e.p.commitcancel"


def _moves() -> Iterator[Answer]:
    for name, variant, text, count in _SPELLED:
        game: forsyth.Game = forsyth.game(name, variant)
        position = game.parse(game.names.get(text, text), legality=False)
        legal = game.moves(position)
        chance = random.Random(f"{name} {text}")
        for move in chance.sample(legal, min(count, len(legal))):
            for said in dict.fromkeys(_slipped(chance, game.write_move(position, move))):
                yield name, text[:20], said, told(_played, game, position, said)


def _slipped(chance: random.Random, text: str) -> Iterator[str]:
    yield text
    for _ in range(5):
        at = chance.randrange(len(text) + 1)
        yield text[:at] + chance.choice(("", *_MARKS)) + text[at + chance.choice((0, 1)) :]


def _played(game: forsyth.Game, position: Any, said: str) -> str:
    move = game.read_move(position, said)
    return f"{game.write_move(position, move)} {game.write(game.play(position, move))}"


def answers() -> Iterator[str]:
    """Every question with its answer, a line each."""
    for source in (_epd, _uci, _moves):
        for line in source():
            yield json.dumps(kept(list(line)), ensure_ascii=False)


if __name__ == "__main__":
    FILE.write_text("\n".join(answers()) + "\n", encoding="utf-8", newline="\n")
