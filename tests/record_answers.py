"""What is read from records and made of them, as it is kept: tests/golden/answers/README.md says what for.

`python -m tests.record_answers` writes it anew, for a change that is meant; read the difference before it is
kept.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from tests.answers import FOLDER, kept
from tests.bulk.example_records import LICHESS, ODDITIES, played
from tests.games.chess.test_chess_record_kernel import ODD_TEXTS, TAKEN_TEXTS

from forsyth.bulk.verbs.record_rows import BlockLocation, read_block_rows
from forsyth.bulk.verbs.record_table import RecordTable
from forsyth.diagnostics import MODES
from forsyth.record import RecordReading, read_record, read_records, write_record
from forsyth.record_bytes.comment_commands import read_commands

READINGS: Final = FOLDER / "records.jsonl"
COMMANDS: Final = FOLDER / "comments.jsonl"

_TAGS: Final = '[White "a"]\n[Black "b"]\n\n'
_FEN: Final = '[SetUp "1"]\n[FEN "%s"]\n\n'
_CHESS: Final = (
    LICHESS,
    *ODDITIES.values(),
    *TAKEN_TEXTS,
    *ODD_TEXTS,
    f"{_TAGS}1.e4 e5 2.Nf3! Nc6? 3.Bb5!! a6?? 4.Ba4!? Nf6?! 5.O-O $255 $0 *",
    f"{_TAGS}1. e4 $256 e5 $1000 2. Nf3 $ Nc6 ?!? 3. Bb5 !? *",
    f"{_TAGS}$3 {{one}} {{two}} 1. e4 {{three}} {{four}} (1. d4) {{five}} 1... e5 ({{six}}) (1... c5) *",
    f"{_TAGS}1. e4 (1. d4 d5 (1... Nf6 (1... f5)) e5 *",
    f"{_TAGS}1. e4 ) e5 }} ] Nf3 \u2642 *",
    f"{_TAGS}(1. e4) 1. e4 *",
    f"{_TAGS}1. e4 (1. e9 (1. d4) 1... d5) e5 2. Ke3 (2. Nf3 {{lost}} $1) {{lost}} $2 Nc6 *",
    f"{_TAGS}1. e4 ( e5 2. Ke3 (2. Nf3 *",
    f"{_TAGS}7. e4 e5 8. Nf3 Nc6 10. Bb5 a6 *",
    f"{_TAGS}1 e4 e5 2 Nf3 2... Nc6 3… Bb5 *",
    f"{_TAGS}1. e4 e5 2. Nc3 Nc6 3. Ne2 Nf6 4. Nd2 *",
    f"{_TAGS}1. e4 d5 2. e5 f5 3. exf6 e.p. Nxf6 e.p. *",
    f"{_TAGS}1. e2e4 e7-e5 2. ng1f3 0-0 *",
    f"{_TAGS}1. e4 (1. d4 1-0) e5 (1... c5 1/2-1/2) 2. Nf3 1-0",
    f"{_TAGS}1. e4 e5 1 - 0",
    f"{_TAGS}1. e4 e5 ½",
    f"{_TAGS}1. e4 e5 1/2",
    f'[Result "½-½"]\n{_TAGS}1. e4 e5 1/2-1/2 {{agreed}} ; so be it\n',
    f'[Result "won"]\n{_TAGS}1. e4 e5 1-0',
    f'[Result "won"]\n{_TAGS}1. e4 e5',
    f'[Result "0-1"]\n{_TAGS}1. e4 e5',
    f"{_TAGS}1. f3 e5 2. g4 Qh4# 1/2-1/2",
    f"{_TAGS}1. f3 e5 2. g4 Qh4# *",
    f"{_TAGS}1. f3 e5 2. g4 Qh4# 3. e4 0-1",
    f"{_TAGS}1. e4 e5 *\n\n{_TAGS}1. d4 d5 *\n\n1. c4 *",
    f"{_TAGS}1. e4 e5 * 1. d4 *",
    f"{_TAGS}1. e4 {{never closed",
    f"{_TAGS}1. e4 {{a}} ; b\n{{c }} d}} e5 *",
    '[ White  "a" ] [Black"b"]\n[Event "c]\n[Site d]\n[]\n[Round "e" "f"]\n\n1. e4 *',
    '[Event "a\\\\b\\"c\\d"]\n[White "x\ty"]\n\n1. e4 *',
    '[SetUp "1"]\n\n1. e4 *',
    '[SetUp "0"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *',
    _FEN % "4k3/8/8/8/8/8/4P3/4K3 w - - 0" + "1. e4 *",
    _FEN % "4k3/8/8/8/8/8/4P3/4K3 b - - 0 9" + "9... Kd7 10. e4 *",
    _FEN % "4k3/8/8/8/8/8/4P3/4K3 w - - \\\\0 1" + "1. e4 *",
    _FEN % "4k3/8/8/8/8/8/8/8 w - - 0 1" + "1. e4 *",
    _FEN % "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1" + "1. e4 *",
    '[Variant "?"]\n' + _FEN % "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1" + "1. e4 *",
    '[Variant "chess"]\n\n1. e4 *',
    '[Variant "From Position"]\n\n1. e4 *',
    '[Variant "Five-check"]\n\n1. e4 *',
    '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. p@b4 P@b6 5. N@e4 *',
    f"{_TAGS}1. e4 e5 2. -- Nc6 3. Bc4 Z0 4. Qh5 @@@@ 5. Qxf7+ -- *",
    f"{_TAGS}1. e4 e5 2. Nf3 Nc6 3. Bc4 {{[%clk 0:01:00]}} {{[%clk 0:00:59] [%eval -1.23]}} Bc5 "
    "{[%eval #-3]} 4. c3 {[%eval 12]} Nf6 {[%eval +0.5,18]} 5. d3 {[%emt 0:00:03.25]} *",
    "% nothing\n%more\n",
    "",
    " \r\n\t",
    "*",
    "1-0",
    "{only a comment}",
    "e4",
    "1. e4" + " x" * 40,
    f"{_TAGS}1. {'N' * 70}f3 *",
    f"{_TAGS}\u00a01. e4\u2003e5\v2. Nf3\f*",
    f"{_TAGS}1. e4 e5\r2. Nf3\r\n\r\n{_TAGS}1. d4 *",
    f"\ufeff% byte order mark\n{_TAGS}1. e4 *",
)
_OTHERS: Final = (
    *((game, played(game, 1)) for game in ("cotulenh", "azul", "xiangqi", "shogi")),
    ("cotulenh", '[Red "a"]\n[Blue "b"]\n\n1. T(g4)g5 T9 2. Nxx *'),
    ("cotulenh", '[FEN "6c4/11/11/11/11/11/2(NFT)8/11/11/11/11/5C5 r - - 0 9"]\n\n9. (N>c7)(F>e8) Cg11 *'),
    ("azul", '[Player1 "a"]\n[Player2 "b"]\n\n1. zz9 *'),
    ("xiangqi", '[Red "a"]\n[Black "b"]\n\n1. h2e2 h9g7 2. Ch2xh9 *'),
    ("shogi", '[Sente "a"]\n[Gote "b"]\n\n1. 7g7f 3c3d 2. 8h2b+ 3a2b 3. B*5e *'),
    (None, f"{_TAGS}1. e4 *"),
    (None, '[Red "a"]\n[Blue "b"]\n\n1. Tg5 *'),
    (None, '[Variant "xiangqi"]\n\n*'),
    (None, '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *'),
    (None, '[Event "who knows"]\n\n1. e4 *'),
)
TEXTS: Final[tuple[tuple[str | None, str], ...]] = (*(("chess", text) for text in _CHESS), *_OTHERS)
"""Records with the game they are read as; None where they say it themselves."""

TABLES: Final[dict[str, dict[str, Any]]] = {
    "games": {"kind": "games", "moves": "san"},
    "games where": {
        "kind": "games",
        "tags": ("White", "WhiteElo"),
        "where": "plies < 4 or result='1-0' or White='b'",
    },
    "positions": {"kind": "positions", "forms": ("fen", "key"), "tags": ("White", "BlackElo")},
    "some positions": {
        "kind": "positions",
        "forms": ("packed",),
        "moves": "san",
        "every": 2,
        "from_ply": 1,
        "where": "variant != 'x' and Result != '0-1'",
    },
}


def _line(nodes: Any) -> list[list[Any]]:
    """A line of moves, without what a move does not have."""
    found: list[list[Any]] = []
    for node in nodes:
        told = {name: value for name, value in asdict(node).items() if value and name != "variations"}
        variations = [_line(line) for line in node.variations]
        found.append([*told.values()] if tuple(told) == ("text",) else [told, *variations])
    return found


def _told(reading: RecordReading) -> dict[str, Any]:
    record = reading.record
    data = reading.to_dict()
    data.pop("moves")
    data["places"] = [reading.place(one) for one in reading.diagnostics]
    if record is not None:
        data["variant"] = record.game.variant
        data["moves"] = _line(record.line)
        data["comments"] = record.comments
        data["written"] = write_record(record, width=48)
    return data


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else str(value)


def tables(text: str) -> dict[str, Any]:
    """The tables that are made of a text of chess."""
    found: dict[str, Any] = {}
    for name, asked in TABLES.items():
        made = read_block_rows(
            RecordTable(game="chess", **asked), memoryview(text.encode()), BlockLocation("a file", 100)
        )
        rows = [
            {name: value for name, value in row.items() if value is not None} for row in made.rows.to_pylist()
        ]
        found[name] = [made.games, made.errors, *json.loads(json.dumps(rows, default=_plain))]
    return found


def reading(game: str | None, text: str) -> str:
    """All that is read from a text, as a line of JSON."""
    told = [_told(one) for one in read_records(io.StringIO(text, newline=""), game)]
    only = _told(read_record(text, game))
    found: dict[str, Any] = {"text": text, "game": game, "read": told}
    if [only] != told:
        found["as one"] = only
    for mode in MODES:
        seen = [one.to_dict()["diagnostics"] for one in read_records(text, game, mode=mode)]
        if seen != [one["diagnostics"] for one in told]:
            found[mode] = seen
    if game == "chess":
        found |= tables(text)
    return json.dumps(kept(found), ensure_ascii=False)


def readings() -> Iterator[str]:
    """What is read from each of the texts."""
    for game, text in TEXTS:
        yield reading(game, text)


# --- comments -------------------------------------------------------------------------------------------

_CLOCKS: Final = (
    *(
        "1",
        "0:05:00",
        "1:02:03",
        "59",
        "5:00",
        "0:05:00.1",
        "1.25",
        "1.2345",
        "1.23456",
        "1.",
        ".5",
        ":5",
        "5:",
        "1:2:3:4",
    ),
    *(
        "123456789",
        "1234567890",
        "2147483",
        "2147483.647",
        "2147483.648",
        "596:31:23.647",
        "596:31:23.648",
        "-1",
        "1e3",
        "1:-2",
    ),
    *("0:00:00", "00:00:00.009", "0:99:99", "a", "1a", "1.a", "1/2", "1:", "1..2"),
)
_EVALS: Final = (
    *(
        "0",
        "0.17",
        "-0.31",
        "+1.5",
        "1.",
        ".5",
        "-.5",
        "1.239",
        "12.3456789",
        "5000",
        "5000.00",
        "5000.01",
        "-5000.01",
        "4999.99",
    ),
    *(
        "#3",
        "#-3",
        "#+3",
        "#0",
        "-#3",
        "#",
        "#-",
        "#3.5",
        "#499999",
        "#500000",
        "0.5,20",
        "0.5,",
        "0.5,a",
        "0.5,20,3",
        "#3,5",
    ),
    *("1.2.3", "1,2", "--1", "+", "a", "1a", "123456789", "1234567890", "1.23456789", "1.234567890", "12:3"),
)


def _comments() -> Iterator[str]:
    for name in ("clk", "emt"):
        yield from (f"[%{name} {value}]" for value in _CLOCKS)
    yield from (f"[%eval {value}]" for value in _EVALS)
    for name in ("cal", "csl", "clk", "eval"):
        for value in (
            "Ga1",
            "Ga1b2,Rc3",
            "",
            " ",
            " 5 ",
            "\t5\n",
            "\r\n5\r\n",
            "5 6",
            "5[",
            "5{",
            "5z",
            "5}",
            "é",
            "~",
            "!",
            "[5",
        ):
            yield f"[%{name} {value}]"
            yield f"x [%{name}{value}] y"
        yield f"[%{name} 5"
        yield f"[%{name} "
        yield f"[%{name}"
        yield f"[%{name} 5] and [%{name} 6]"
        yield f"[%{name} ?] and [%{name} 6]"
        yield f"[%{name} [%{name} 7]"
        yield f"[% {name} 5][%x{name} 5][%{name}x 5][{name} 5]%{name} 5]"
        yield f"[%{name.upper()} 5]"
    yield "[%clk 1][%emt 2][%eval 3][%cal Ga1][%csl Gb1]"
    for name in [
        "clv",
        "cak",
        "cbl",
        "csk",
        "cxl",
        "emx",
        "ext",
        "evaX",
        "evxl",
        "exal",
        "xval",
        "xlk",
        "cxk",
    ]:
        yield f"[%{name} 5]"
    yield ""
    yield "[%"
    yield "\ud800[%clk 1]"


def comments() -> Iterator[str]:
    """What the commands of each comment say, a comment a line."""
    for text in dict.fromkeys(_comments()):
        yield json.dumps([text, *read_commands(text)])


def main() -> None:
    """Write both files."""
    READINGS.write_text("\n".join(readings()) + "\n", encoding="utf-8", newline="\n")
    COMMANDS.write_text("\n".join(comments()) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
