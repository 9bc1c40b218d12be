"""What the rules and kernels of games refuse when they are called by themselves, as it is kept.

`python -m tests.inner_refusals` writes it anew, for a change that is meant; read the difference before it is
kept. tests/golden/answers/README.md says what it is for.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from tests.answers import FOLDER
from tests.refusals import AZUL, CHESS, COTULENH, GAMES, LAST_STEP, START, Call, call, told

import forsyth
from forsyth.azul import AzulState
from forsyth.games.azul.rules.moves import read_move
from forsyth.games.chess.numbers import packed
from forsyth.games.chess.numbers.column import Kernels
from forsyth.games.chess.position import from_fields
from forsyth.games.chess.records.rows import Rows
from forsyth.games.chess.rules import attacks, moves, null_move
from forsyth.games.cotulenh.documents.progress import explain_open_session
from forsyth.games.cotulenh.position import build_position, with_unit
from forsyth.games.cotulenh.rules import attacks as reach
from forsyth.games.cotulenh.rules import deploy, turns
from forsyth.games.cotulenh.rules import moves as turn_moves
from forsyth.games.cotulenh.rules.moves import DEFAULT_RULES
from forsyth.kit.game import GridGame
from forsyth.kit.movement import Leap, Line, Zone
from forsyth.kit.sheet import Kind, Side
from forsyth.kit.tables import Tables

FILE: Final = FOLDER / "inner_refusals.txt"


def _chess() -> Iterator[Call]:
    yield call(attacks.find_attackers, START, 64, False)
    yield call(attacks.find_attackers, START, -1, True)
    for number in (-1, 1 << 16):
        yield call(moves.from_number, number)
    for depth in (-1, 10_000):
        yield call(moves.perft, START, depth)
    yield moves.Move
    yield call(from_fields, (0,))
    house: Any = forsyth.game("chess", "crazyhouse")
    full = house.parse(house.start)
    yield call(full.replace, white_pocket=99 | 99 << 8)
    yield call(full.replace, white_pocket=1 << 40)
    for variant, text in (
        ("3check", "4k3/8/8/8/8/8/4R3/4K2R b K - 0+3 0 1"),
        ("atomic", "8/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("standard", "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"),
    ):
        game: Any = forsyth.game("chess", variant)
        yield call(null_move.read_null_move, game.parse(text, legality=False), "--")
    form = CHESS.pack(START)
    for data in (b"\2" + bytes(8), b"\2" + b"\xff" * 60, form + b"x", b"\1" + bytes(20)):
        yield call(packed.unpack, data)
    for rules in (-9, 99):
        yield call(Kernels, rules)


def _records() -> Iterator[Call]:
    sizes = (CHESS.packed_width, CHESS.plane_shape.size)
    for want, games, plies in ((("x",), 1, 1), ((), 0, 1), ((), 1, 1 << 40)):
        yield call(CHESS.record_kernel, START, _no_start, want, games, plies)
    yield call(Rows, 0, 1, 1, sizes[0], 7)
    yield call(Rows(0, 1, 1, *sizes).column, "packed")
    kernel: Any = CHESS.record_kernel(START, _no_start, (), 1, 1)
    for at in (-1, 9):
        yield call(kernel.read, b"1. e4 *", at)
    yield call(kernel.column, "x")


def _no_start(tags: object) -> None:
    """Where every record begins as usual."""


def _cotulenh() -> Iterator[Call]:
    start: Any = COTULENH.parse(COTULENH.start)
    opened: Any = COTULENH.parse(LAST_STEP, legality=False)
    for square in (-1, 132):
        yield call(reach.list_zone, square, 1)
        yield call(start.unit_on, square)
        yield call(with_unit, start, square, 1)
    yield call(with_unit, start, 0, 1 << 30)
    for number in (1 << 40, 132):
        yield call(turn_moves.move_from_number, number)
    yield turn_moves.Move
    yield call(build_position, (), 0, 0, 1)
    for blue, half, full in ((2, 0, 1), (0, -1, 1), (0, 0, 0)):
        yield call(build_position, start.board(), blue, half, full)
    for position in (start, opened):
        yield call(deploy.commit, position, DEFAULT_RULES)
        yield call(deploy.cancel, position)
    yield call(_reason, opened)
    yield call(turns.write_turn, start, turns.Turn(()))
    for depth in (-1, 10_000):
        yield call(COTULENH.perft, start, depth)


def _reason(position: Any) -> None:
    raise ValueError(explain_open_session(position))


def _azul() -> Iterator[Call]:
    over = AzulState.example()
    while over.legal_moves():
        over = over.apply(over.legal_moves()[0])
    due = over.to_fen(version=2)
    done = over.end_round().to_fen(version=2)
    for text in (due, done):
        position = AZUL.parse(text)
        for move in ("0B1", "cBf", "deal", "deal#x", "deal:", "deal:BBBB", "x", "end"):
            yield call(AZUL.read_move, position, move)
            yield call(_explained, position, move)
        yield call(read_move, position, "0B1")
        yield call(AzulState.from_fen(text).to_fen, 1)
    yield call(AzulState(3).to_fen, 1)
    for data in (b"\1", b"\x09\x09", AZUL.pack(position)[:-1], b"\1\xffx", b"\1\xff" + b"x" * 2000):
        yield call(AZUL.unpack, data)


def _explained(position: Any, text: str) -> None:
    raise ValueError(AZUL.explain(position, text))


# --- games that are written as a sheet ----------------------------------------------------------------

_KING: Final = Kind("K", "king", (Leap(0, 1),), max_count=1, royal=True)


def _sheets() -> Iterator[Call]:
    """A sheet with one thing wrong in it."""
    sheet: Any = forsyth.game("shogi").sheet
    lance = Kind("L", "lance", (Line(0, 1),), promotes="+L")
    for changes in (
        {"fields": ("board", "side", "x")},
        {"fields": ("board", "side", "side", "hands")},
        {"fields": ("side", "board")},
        {"fields": ("board",)},
        {"short_counts": (9,)},
        {"short_counts": (0,)},
        {"repetitions": 1},
        {"files": ""},
        {"files": "aab"},
        {"files": "a-"},
        {"ranks": ("1", "1")},
        {"ranks": ("1", "10")},
        {"ranks": ("1", "?")},
        {"ranks": tuple(map(str, range(100, 200)))},
        {"zones": {"camp": Zone("z", ("1",))}},
        {"promotion": "x"},
        {"promotion": ""},
        {"kinds": ()},
        {"kinds": (_KING, replace(_KING, letter="k"))},
        {"kinds": (_KING, replace(_KING, letter="Q"))},
        {"kinds": (_KING, _KING)},
        {"kinds": (replace(_KING, promotes="K"),)},
        {"kinds": (_KING, lance)},
        {"kinds": (_KING, lance, replace(lance, letter="M"))},
        {"kinds": (_KING, Kind("A", "man", (Line(0, 0),)))},
        {"kinds": (_KING, Kind("A", "man", (Leap(0, 1, start="x"),)))},
        {"kinds": (_KING, Kind("A", "man", (Leap(0, 1, end="y"),)))},
        {"sides": (Side("w", "White"), Side("w", "Black"))},
        {"sides": (Side("w", "White"),)},
        {"side_aliases": {"x": "y"}},
        {"letter_aliases": {"x": "y"}},
    ):
        yield call(lambda changes: GridGame(replace(sheet, **changes)), changes)


# --- tables of a sheet ----------------------------------------------------------------------------------

_TABLES: Final[dict[str, Any]] = {
    "width": 2,
    "size": 2,
    "kinds": 1,
    "directions": 2,
    "steps": [1, 2, 3],
    "step_starts": [0, 0, 0, 3, 3, 3, 3],
    "rays": [1, 0],
    "ray_starts": [0, 1, 1, 1, 2],
    "lines": [0, 3, 1],
    "line_starts": [0, 0, 3, 3],
    "royal": 0,
    "promotes": [-1],
    "hand_kind": [-1],
    "one_per_file": [0],
    "drop_mates": [0],
    "zone": [0, 0, 0, 0],
}
"""A piece on a board of two squares that moves forwards."""


def _tables() -> Iterator[Call]:
    """The same with one number wrong."""
    yield call(Tables, **_TABLES)
    for name, values in {
        "width": (0, 3),
        "size": (0, 257, 3),
        "kinds": (0, 32, 2),
        "directions": (-2, 66, 1, 4),
        "royal": (-2, 1),
        "steps": ([2, 2, 3], [-1, 2, 3], [1, 3, 3], [1, -1, 3], [1, 2], []),
        "step_starts": ([0], [0, 0, 0, 4, 4, 4, 4], [0, 0, 3, 0, 3, 3, 3], [1, 1, 1, 3, 3, 3, 3]),
        "rays": ([2, 0], [-1, 0], [1], [1, 0, 0]),
        "ray_starts": ([0], [0, 1, 1, 1, 3], [0, 2, 1, 1, 2]),
        "lines": ([2, 3, 1], [-1, 3, 1], [0, 3]),
        "line_starts": ([0], [0, 0, 3, 4], [0, 3, 0, 3]),
        "promotes": ([], [1], [-2]),
        "hand_kind": ([], [1], [-2]),
        "one_per_file": ([], [2], [-1]),
        "drop_mates": ([], [2], [-1]),
        "zone": ([0], [0, 0, 0, 2], [0, 0, 0, -1]),
    }.items():
        for value in values:
            yield call(_changed_tables, name, value)


def _changed_tables(name: str, value: Any) -> Any:
    return Tables(**{**_TABLES, name: value})


# --- kernels of columns -------------------------------------------------------------------------------


def _columns() -> Iterator[Call]:
    """Rows that are not there, and buffers that are too small."""
    for name in GAMES:
        game: Any = forsyth.game(name)
        kernels, width, room = game.column, game.packed_width, game.max_text
        chars = game.start.encode()
        rows = (memoryview(chars), memoryview(array("q", [0, len(chars)])))
        form = memoryview(game.pack(game.parse(game.start)).ljust(width, b"\0"))
        for first, last in ((-1, 1), (0, 2), (1, 0)):
            yield call(kernels.scan, *rows, first, last, 1, False, _room(9), _room(99, "i"))
        yield call(kernels.scan, *rows, 0, 1, 1, False, _room(0), _room(99, "i"))
        yield call(kernels.scan, *rows, 0, 1, 1, False, _room(1), _room(1, "i"))
        yield call(kernels.keys, *rows, 0, 1, _room(1), _room(15))
        yield call(kernels.pack, *rows, 0, 1, _room(1), _room(width - 1), width)
        yield call(kernels.pack, *rows, 0, 1, _room(1), _room(width), -1)
        yield call(kernels.features, *rows, 0, 1, _room(1), _room(1, "i"), 1)
        yield call(kernels.planes, *rows, 0, 1, _room(1), _room(5))
        yield call(kernels.unpack, form, width, 0, 1, _room(1), _room(room - 1), _room(1, "i"), room)
        yield call(kernels.unpack, form, width, 0, 2, _room(2), _room(2 * room), _room(2, "i"), room)
        yield call(kernels.rewrite, *rows, 0, 1, _room(1), _room(5), _room(1, "i"), room)


def _noted() -> Iterator[Call]:
    """What a kernel notes about a text one of whose fields says something else."""
    for name in GAMES:
        for at in range(1, len(forsyth.game(name).start.split(" "))):
            for word in ("x", "xy", "0", "00", "99999", "e4"):
                yield call(_scanned, name, at, word)


def _scanned(name: str, at: int, word: str) -> str:
    game: Any = forsyth.game(name)
    fields = game.start.split(" ")
    chars = " ".join([*fields[:at], word, *fields[at + 1 :]]).encode()
    verdict, notes = _room(1), _room(6, "i")
    rows = (memoryview(chars), memoryview(array("q", [0, len(chars)])))
    game.column.scan(*rows, 0, 1, 1, False, verdict, notes)
    noted = list(notes)
    return f"{verdict[0]} {game.column.codes[noted[0]] if verdict[0] > 2 else ''} {noted[1:]}"


def _room(size: int, form: str = "B") -> memoryview:
    return memoryview(array(form, [0] * size))


_SOURCES: Final = (_chess, _records, _cotulenh, _azul, _sheets, _tables, _columns, _noted)


def refusals() -> Iterator[str]:
    """The calls above."""
    return told(_SOURCES)


if __name__ == "__main__":
    FILE.write_text("\n".join(refusals()) + "\n", encoding="utf-8", newline="\n")
