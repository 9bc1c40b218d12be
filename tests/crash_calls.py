"""Calls every function, class and method of the compiled modules with arguments that no one should give.

`python -m tests.crash_calls PACKAGE` does so for the hot modules of one package and prints the number of
calls. Exceptions are what is expected; that the process goes on is what is tested (`test_no_crash`, and
`make sanitize` with every access checked). The call at hand stands in the file that FORSYTH_CALL names, so
that one that ends the process is known. The same arguments come in every run.
"""

from __future__ import annotations

import ast
import copy
import inspect
import mmap
import os
import pickle
import resource
import sys
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from types import FunctionType, ModuleType
from typing import Any, Final
from unittest.mock import patch

import forsyth
from forsyth.build import HOT

TRIES: Final = 40
"""Calls of each function with arguments by chance, behind those with one value in all places."""
REBUILT: Final = 20
"""How many of the odd values that a function gave are used further."""
ROOM: Final = 1 << 12
MEMORY: Final = 768 << 20
ROWS: Final = 4
BUFFERS: Final = ("Bytes", "Bytearray", "View", "Offsets", "Integers", "Numbers", "Lengths")
SKIPPED: Final = ("__class__", "__subclasshook__", "__init_subclass__", "__dir__", "__init__", "__setattr__")
"""Members that say nothing, or change objects that the calls behind need."""
SLOW: Final = ("perft", "count_move_sequences", "_names", "_make_start")
"""Functions that a number they take may keep busy for years: they do as much as it says."""


class OddText(str):
    """A text of another class."""


class OddBytes(bytes):
    """Bytes of another class."""


class OddNumber(int):
    """A number of another class."""


class Lying:
    """An object whose length, index and truth are errors."""

    def __len__(self) -> int:
        raise ValueError("no length")

    def __index__(self) -> int:
        raise ValueError("no index")

    def __bool__(self) -> bool:
        raise ValueError("no truth")


NUMBERS: Final = (-1, 0, 1, 2, 63, 64, 131, 132, 255, 256, -(2**31), 2**31 - 1, 2**31, 2**32)
HUGE: Final = (-(2**63), 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30)
TEXTS: Final = ("", "a", "v2/", "\0", "é", "\ud800", "x" * 70, "/" * 2000, "€" * 100, OddText("e4"))
BYTES: Final = (b"", b"\0", b"\1" * 15, b"\2" * 60, b"\xff" * 400, OddBytes(b"x"), bytearray(b"\1" * 90))
OTHER: Final[tuple[Any, ...]] = (
    None,
    object(),
    Lying(),
    0.5,
    float("nan"),
    (),
    (None,) * 5,
    [],
    {},
    True,
    OddNumber(3),
    str,
    len,
)


def views() -> tuple[Any, ...]:
    """Buffers as the kernels of columns take them, and such as they do not."""
    lying = ((0, 5, 3), (-5, 7, 9), (0, 2**62, 2**63 - 1), (2**63 - 1, -(2**63) + 30, 5), (-(2**63),) * 3)
    return (
        memoryview(b""),
        memoryview(b"8/8/8/8/8/8/8/8 w - - 0 1" * 4),
        memoryview(bytearray(ROOM)),
        memoryview(bytearray(ROOM)).cast("i"),
        memoryview(bytearray(ROOM)).cast("q"),
        memoryview(bytearray(ROOM)).cast("d"),
        memoryview(bytearray(ROOM))[::-2],
        memoryview(bytearray(ROOM)).cast("B", (64, 64)),
        *(memoryview(array("q", offsets)) for offsets in lying),
        memoryview(array("q", range(0, 90, 25))),
        array("i", [-1] * 40),
    )


def blank(kind: Any) -> Any:
    """An object of a class that nothing has filled."""
    return kind.__new__(kind)


def positions() -> tuple[Any, ...]:
    """Positions, boards and moves of every game, some of them never filled."""
    found: list[Any] = []
    for name in ("chess", "cotulenh", "azul", "xiangqi", "shogi"):
        game = forsyth.game(name)
        position = game.parse(game.start, legality=False)
        moves = game.moves(position)
        found += [game, position, *moves[:1], *[game.play(position, move) for move in moves[:1]]]
        found += [blank(type(one)) for one in (position, *moves[:1]) if not isinstance(one, str | tuple)]
    azul = forsyth.game("azul")
    boards = azul.parse(azul.start).boards
    return (*found, boards[0], blank(type(boards[0])))


class Caller:
    """Makes the calls, and says which one it is about to make."""

    def __init__(self) -> None:
        self.count = 0
        buffers, games = views(), positions()
        self.values = (*OTHER, *NUMBERS, *HUGE, *TEXTS, *BYTES, *buffers, *games)
        self.by_kind = {
            **dict.fromkeys(("int", "Size", "u64", "u32", "i32", "Count"), (*NUMBERS, *HUGE)),
            **dict.fromkeys(("str", "Text", "Name"), TEXTS),
            **dict.fromkeys(("Position", "Move", "Board"), games),
            **dict.fromkeys(BUFFERS, buffers),
        }
        name = os.environ.get("FORSYTH_CALL")
        self.note: Any = bytearray(ROOM) if name is None else _mapped(Path(name))

    def call(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function; what it gave, or None where it raised."""
        self.count += 1
        said = f"{name}{tuple(map(_shown, arguments))}".encode("utf-8", "replace")[: ROOM - 1]
        self.note[: len(said) + 1] = said + b"\0"
        with suppress(Exception):
            return function(*arguments)
        return None

    def everything(self, name: str, function: Callable[..., Any], like: tuple[Any, ...] = ()) -> list[Any]:
        """Call a function with each value in all places, then by chance; some of what it gave.

        `like` are arguments it takes: then one of them at a time is another, too.
        """
        random = Random(name)
        given = []
        for kinds in places_of(function):
            for value in self.values if kinds else ():
                given.append(self.call(name, function, *[value] * len(kinds)))
            for _ in range(TRIES if len(kinds) > 1 else 1 - len(kinds)):
                given.append(self.call(name, function, *[self.chosen(kind, random) for kind in kinds]))
        for place in range(len(like)):
            for value in (*self.values, *_inner(like[place], self.values)):
                given.append(self.call(name, function, *like[:place], value, *like[place + 1 :]))
        for _ in range(4 * TRIES if like else 0):
            changed = list(like)
            for place in random.sample(range(len(like)), min(2, len(like))):
                changed[place] = random.choice([one for one in self.values if _alike(one, like[place])])
            given.append(self.call(name, function, *changed))
        return [one for one in given if one is not None][: 3 * REBUILT : 3]

    def chosen(self, kind: str, random: Random) -> Any:
        """A value by chance, most often of the kind that is asked for."""
        fitting = self.by_kind.get(kind, ())
        return random.choice(fitting if fitting and random.random() < 0.8 else self.values)


def _mapped(path: Path) -> mmap.mmap:
    path.write_bytes(bytes(ROOM))
    with path.open("r+b") as file:
        return mmap.mmap(file.fileno(), ROOM)


def _shown(value: Any) -> str:
    if isinstance(value, memoryview):
        return f"<{value.format} {value.shape}>"
    return ascii(value)[:60] if isinstance(value, (int, str, bytes)) else type(value).__name__


def _inner(value: Any, values: tuple[Any, ...]) -> Iterator[Any]:
    """A tuple with one of its items exchanged, or with one more or fewer."""
    if not isinstance(value, tuple):
        return
    yield value[:-1]
    yield (*value, *value[:1])
    for place in range(0, len(value), max(1, len(value) // 18)):
        for other in values:
            yield (*value[:place], other, *value[place + 1 :])


def _alike(value: Any, other: Any) -> bool:
    return isinstance(value, type(other)) or isinstance(other, type(value))


def places_of(function: Callable[..., Any]) -> list[list[str]]:
    """The kinds of the arguments a function must be given, and of all; some for those that do not say."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return [[""] * count for count in range(3)]
    places = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    needed = [one for one in places if one.default is one.empty]
    written = annotations_of(function)
    return [
        [written.get(one.name, "") if one.annotation is one.empty else str(one.annotation) for one in some]
        for some in (needed, places)[: 1 + (needed != places)]
    ]


def annotations_of(function: Callable[..., Any]) -> dict[str, str]:
    """The kinds of arguments as the source has them: a compiled function knows only their names."""
    module = getattr(getattr(function, "__objclass__", function), "__module__", None)
    return _annotations_in(module).get(function.__name__, {}) if module in HOT else {}


@cache
def _annotations_in(module: str) -> dict[str, dict[str, str]]:
    source = Path(forsyth.__file__).parent.joinpath(*module.split(".")[1:]).with_suffix(".py")
    found: dict[str, dict[str, str]] = {}
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            kinds = {one.arg: ast.unparse(one.annotation) for one in node.args.args if one.annotation}
            found.setdefault(node.name, {}).update(kinds)
    return found


def members(value: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods of an object; its properties are looked at on the way."""
    for name in dir(value):
        if name in SKIPPED:
            continue
        try:
            member = getattr(value, name)
        except Exception:
            continue
        if callable(member) and not isinstance(member, type):
            yield name, member


def run_module(caller: Caller, module: ModuleType) -> None:
    """Call everything that a module defines."""
    for name, value in sorted(vars(module).items()):
        if getattr(value, "__module__", None) != module.__name__ or name in SLOW:
            continue
        label = f"{module.__name__}.{name}"
        if isinstance(value, type):
            run_class(caller, label, value)
        elif callable(value):
            caller.everything(label, value)
        else:
            run_object(caller, label, value)


def run_class(caller: Caller, label: str, kind: type) -> None:
    """Make objects of a class in every way there is, use each kind of them, and others in their place."""
    caller.everything(label, kind)
    for name, method in members(kind):
        # What Python runs itself follows no object in place of another.
        if name not in SLOW and not isinstance(method, FunctionType):
            caller.everything(f"{label}.{name}", method)
    bare = caller.call(f"{label}.__new__", kind.__new__, kind)
    if bare is not None:
        run_object(caller, label, bare)


def run_object(caller: Caller, label: str, value: Any) -> None:
    """Call every method of an object."""
    for name, method in members(value):
        if name not in SLOW:
            caller.everything(f"{label}().{name}", method)


def run_pickles(caller: Caller, game: Any) -> None:
    """Positions and moves rebuilt from what a pickle could say, and what came of it used in every way."""
    start = game.parse(game.start, legality=False)
    for value in (start, *game.moves(start)[:1], *getattr(start, "boards", ())[:1]):
        if isinstance(value, str):
            continue
        function, arguments = value.__reduce__()
        for number, rebuilt in enumerate(caller.everything(f"{function.__name__}*", function, arguments)):
            label = f"{game.name} rebuilt {number}"
            caller.call(label, copy.deepcopy, rebuilt)
            caller.call(label, lambda one=rebuilt: pickle.loads(pickle.dumps(one)))  # noqa: S301
            use(caller, label, game, rebuilt, start)


def run_columns(caller: Caller, game: Any) -> None:
    """The kernels of columns with buffers of a few rows, of which one or two are others."""
    text, size, width = str(game.parse(game.start)).encode(), game.max_text, game.packed_width
    chars, offsets = (
        memoryview(text * ROWS),
        memoryview(array("q", range(0, len(text) * ROWS + 1, len(text)))),
    )
    verdicts, out = memoryview(bytearray(ROWS)), memoryview(bytearray(ROWS * max(size, width)))
    numbers, planes = memoryview(array("i", bytes(4096))), memoryview(bytearray(ROWS * game.plane_shape.size))
    head = (chars, offsets, 0, ROWS)
    calls = {
        "scan": (*head, True, verdicts),
        "rewrite": (*head, verdicts, out, numbers, size),
        "keys": (*head, verdicts, out),
        "pack": (*head, verdicts, out, width),
        "unpack": (out, width, 0, ROWS, verdicts, memoryview(bytearray(ROWS * size)), numbers, size),
        "features": (*head, verdicts, numbers, ROWS),
        "planes": (*head, verdicts, planes),
    }
    for name, like in calls.items():
        caller.everything(f"{game.name}.column.{name}", getattr(game.column, name), like)


def run_compact(caller: Caller) -> None:
    """Texts moved together, with buffers that do not fit."""
    from forsyth.bulk.verbs.kernel_output import compact_texts, scatter_findings

    lengths, offsets = memoryview(array("i", [3] * ROWS)), memoryview(array("q", [0] * (ROWS + 1)))
    room = memoryview(bytearray(8 * ROWS))
    notes, shorts = memoryview(array("i", [0] * 6 * ROWS)), memoryview(array("h", [0] * 2 * ROWS))
    places, verdicts = memoryview(array("i", [0] * 4 * ROWS)), memoryview(bytearray([3] * ROWS))
    given = (verdicts, notes, ROWS, shorts, 64, shorts, places, memoryview(bytearray(2 * ROWS)))
    caller.everything("scatter_findings", scatter_findings, given)
    caller.everything(
        "compact_texts", compact_texts, (room, 8, lengths, ROWS, memoryview(bytearray(3 * ROWS)), offsets)
    )


def run_kit(caller: Caller) -> None:
    """Tables with one row of numbers exchanged, boards that do not fit them, and what both of them give."""
    from forsyth.games.shogi import GAME
    from forsyth.kit import movement
    from forsyth.kit.board import Board
    from forsyth.kit.search import legal_moves, perft
    from forsyth.kit.tables import Tables

    rows: list[dict[str, Any]] = []
    with patch.object(movement, "Tables", lambda **given: rows.append(given)):
        replace(GAME.sheet).tables  # noqa: B018
    start = GAME.new_game()
    board = (start.board, start.hands, 0)

    def search(tables: Any, *given: Any) -> None:
        one = Board(tables, *given)
        legal_moves(one)
        perft(one, 2)
        one.list_checkers(1)

    for name, values in rows[0].items():
        for value in (*caller.values, *_spoilt(values)):
            made = caller.call(
                f"Tables {name}", lambda given=value, key=name: Tables(**{**rows[0], key: given})
            )
            if made is not None:
                caller.call(f"search {name}", search, made, *board)
    sound = Tables(**rows[0])
    caller.call("Tables again", lambda: sound.__init__(**{**rows[0], "size": 1}))  # type: ignore[misc]
    caller.everything("search", search, (sound, *board))
    for man in (28, 29, 255):
        caller.call("man", search, sound, bytes([man]) * 81, start.hands, 1)
        caller.call("hand", search, sound, bytes(81), bytes([man]) * 28, 1)


def _spoilt(values: Any) -> Iterator[Any]:
    """A list of numbers with one of them exchanged, or one more or fewer."""
    if not isinstance(values, list):
        return
    yield values[:-1]
    yield [*values, 0]
    for place in range(0, len(values), max(1, len(values) // 6)):
        for other in (*NUMBERS, *HUGE[:3], OddNumber(5000), None):
            yield [*values[:place], other, *values[place + 1 :]]


def use(caller: Caller, label: str, game: Any, value: Any, start: Any) -> None:
    """Give an odd position or move to every method of its game, beside what is sound."""
    for name in ("__str__", "__repr__", "__hash__", "key", "packed"):
        caller.call(f"{label}.{name}", getattr, value, name)
        caller.call(f"{label}.{name}", lambda one=value, member=name: getattr(one, member)())
    for name, method in members(game):
        if name.startswith("__"):
            continue
        caller.call(f"{label} {name}", method, value)
        caller.call(f"{label} {name}", method, value, 1 if name == "perft" else "e2e4")
        caller.call(f"{label} {name}", method, start, value)
        for move in game.moves(start)[:2]:
            caller.call(f"{label} {name}", method, value, move)


def modules_of(package: str) -> list[ModuleType]:
    """The hot modules of a package."""
    return [import_module(name) for name in HOT if name.rpartition(".")[0] == package]


def main(package: str) -> int:
    """Make all the calls for a package; how many there were."""
    sys.setrecursionlimit(400)
    if "ASAN_OPTIONS" not in os.environ:
        # A number of gigabytes is an error at once; a sanitizer has its own bound, and needs the room.
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    caller = Caller()
    for module in modules_of(package):
        run_module(caller, module)
    name = package.rpartition(".")[2]
    if name in forsyth.games():
        run_pickles(caller, forsyth.game(name))
        run_columns(caller, forsyth.game(name))
    elif name == "kit":
        run_kit(caller)
    else:
        run_compact(caller)
    return caller.count


if __name__ == "__main__":
    print(main(sys.argv[1]))
