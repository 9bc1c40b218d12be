"""The module of each game: the functions that people look for there, and what positions offer."""

from __future__ import annotations

import importlib
import inspect
import pydoc
from types import ModuleType
from typing import Any

import jedi  # type: ignore[import-untyped]
import pytest

import forsyth
from forsyth.diagnostics import FenError, MoveError

NAMES = ("chess", "cotulenh", "azul", "xiangqi", "shogi")
FUNCTIONS = ("check", "parse", "read", "repair", "start", "write_line")


@pytest.fixture(params=NAMES)
def module(request: pytest.FixtureRequest) -> ModuleType:
    return importlib.import_module(f"forsyth.{request.param}")


def test_every_game_has_a_module_with_the_functions_people_look_for(module: ModuleType) -> None:
    assert set(FUNCTIONS) <= set(module.__all__)
    assert getattr(forsyth, module.__name__.rpartition(".")[2]) is module
    game = module.GAME
    position = game.parse(game.start)
    assert module.start == game.start
    assert module.parse(module.start) == module.parse("start") == position
    assert module.parse(forsyth.wrap(module.start, "base64")) == position
    assert module.read(module.start) == forsyth.read(module.start, game)
    assert module.check("x") == forsyth.check("x", game)
    assert module.repair(f" {module.start} ").require() == position


def test_the_games_that_are_installed_have_modules() -> None:
    assert set(forsyth.games()) == set(NAMES)


def test_parse_raises_every_finding() -> None:
    with pytest.raises(FenError) as caught:
        forsyth.chess.parse("8/8/8/8/8/8/8/8 w - - 0 1")
    assert {finding.code for finding in caught.value.diagnostics} == {"king.missing"}
    assert forsyth.chess.parse("8/8/8/8/8/8/8/8 w - - 0 1", legality=False).material() == {}
    with pytest.raises(FenError):
        forsyth.chess.parse(f"{forsyth.chess.start} ", mode="strict")


def test_a_position_has_its_text_and_writes_its_moves(module: ModuleType) -> None:
    position = module.parse(module.start)
    assert position.fen == str(position)
    game = module.GAME
    for move in position.moves():
        text = game.write_move(position, move)
        assert position.san(move) == position.san(text) == text
    with pytest.raises(MoveError):
        position.san("no move")


def line_of(module: ModuleType, length: int) -> tuple[Any, list[str]]:
    """A start position and a line of its first legal moves."""
    match = forsyth.Match(module.GAME)
    for _ in range(length):
        match.play(match.moves()[0])
    return match.start, [ply.text for ply in match]


def test_a_line_of_moves_is_written_as_a_record_writes_it(module: ModuleType) -> None:
    start, texts = line_of(module, 5)
    match = forsyth.Match(module.GAME, start)
    for text in texts:
        match.play(text)
    record = forsyth.write_record(forsyth.Record.of(match), width=None)
    assert record.endswith(f"\n\n{module.write_line(start, texts)} *\n")
    assert module.write_line(start, [ply.move for ply in match]) == module.write_line(start, texts)
    assert module.write_line(start, []) == ""


def test_a_line_of_chess_moves() -> None:
    start = forsyth.chess.parse("start")
    assert forsyth.write_line(start, ["e4", "e7e5", "Ng1-f3"]) == "1. e4 e5 2. Nf3"
    assert forsyth.write_line(start.play("e4"), iter(["e5", "Nf3"])) == "1... e5 2. Nf3"
    with pytest.raises(TypeError, match=r"several moves are expected, not one text; try 'e4 e5'\.split"):
        forsyth.write_line(start, "e4 e5")
    with pytest.raises(
        TypeError, match=r"a position with the attribute game is expected, not str; parse\(text\)"
    ):
        forsyth.write_line("start", [])  # type: ignore[arg-type]
    with pytest.raises(MoveError):
        forsyth.write_line(start, ["e5"])


MEMBERS = {
    "chess": ("play", "san", "fen", "attackers", "is_check"),
    "cotulenh": ("play", "san", "fen", "session"),
    "azul": ("play", "san", "fen", "boards"),
    "xiangqi": ("play", "san", "fen", "hands"),
    "shogi": ("play", "san", "fen", "hands"),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "call", ["parse('x')", "read('x').require()", "check('x').position", "repair('x').require()"]
)
def test_an_editor_completes_the_members_of_a_position(name: str, call: str) -> None:
    code = f"import forsyth.{name} as game\ngame.{call}."
    script = jedi.Script(code, environment=jedi.InterpreterEnvironment())
    assert set(MEMBERS[name]) <= {completion.name for completion in script.complete()}


@pytest.mark.parametrize(
    "owner",
    [
        *(type(forsyth.game(name)) for name in forsyth.games()),
        *(type(game.parse(game.start)) for game in map(forsyth.game, ("chess", "cotulenh", "azul", "shogi"))),
        forsyth.Match,
        forsyth.Reading,
        forsyth.azul.AzulState,
    ],
)
def test_help_of_a_method_shows_its_signature(owner: type) -> None:
    """Compiled, a method once had none, or a second one in its docstring."""
    names = [name for name, member in vars(owner).items() if callable(member) and not name.startswith("_")]
    assert names
    for name in names:
        method = getattr(owner, name)
        if isinstance(method, type):
            continue
        inspect.signature(method)
        head, *lines = pydoc.plain(pydoc.render_doc(method)).splitlines()[2:]
        assert head.startswith(f"{name}("), name
        assert not any(line.strip() == "--" for line in lines), name
