"""What a type checker tells somebody who uses the library: types reach the user, and the pages are right.

mypy runs once over all of it. A line of `USES` that ends with ``# →`` says the type of its last expression;
one that ends with ``# ✗`` must be an error. A page's blocks are one module, on the page's own lines.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from mypy import api
from tests.mypy_cache import mypy_cache
from tests.test_readme import PAGES, ROOT, blocks

pytestmark = pytest.mark.slow

USES = """\
from typing import Any

import forsyth
from forsyth import chess, cotulenh
from forsyth.games import azul

game = forsyth.game("chess")
reveal_type(game)  # → forsyth.games.chess.game.Chess
reveal_type(forsyth.game("cotulenh", "engine"))  # → forsyth.games.cotulenh.game.CoTuLenhGame
reveal_type(forsyth.game("azul").parse(""))  # → forsyth.games.azul.position.Position
reveal_type(forsyth.game(game, "chess960"))  # → forsyth.games.chess.game.Chess
reveal_type(forsyth.game("".join(["n", "im"])))  # → forsyth.game.Game[Any, Any]
reveal_type(game.parse("").board)  # → str
game.parse("").no_such_thing  # ✗
game.play(game.parse(""), "e4")  # ✗
forsyth.game("azul").play(game.parse(""), "0B2")  # ✗
reveal_type(game.moves(game.parse(""))[0].uci)  # → str

reading = game.read("")
reveal_type(reading.position)  # → forsyth.games.chess.position.Position | None
reveal_type(forsyth.read("", "chess").require())  # → forsyth.games.chess.position.Position
reveal_type(forsyth.check("", "azul", mode="lenient").require())  # → forsyth.games.azul.position.Position
reveal_type(forsyth.repair("", game).require())  # → forsyth.games.chess.position.Position
reveal_type(forsyth.read("").require())  # → forsyth.game_values.Position
reveal_type(forsyth.check("").position)  # → forsyth.game_values.Position | None
reveal_type(forsyth.repair("", "".join(["n", "im"])).require().key)  # → str
forsyth.read("").require().no_such_thing  # ✗
reveal_type(forsyth.parse_record("").start)  # → forsyth.game_values.Position
reveal_type(next(forsyth.read_records("")).require().match().position)  # → forsyth.game_values.Position
reveal_type(forsyth.Match("".join(["n", "im"])).position)  # → forsyth.game_values.Position
reveal_type(chess.parse(""))  # → forsyth.games.chess.position.Position
reveal_type(chess.repair("").require().san("e4"))  # → str
reveal_type(forsyth.shogi.check("").require())  # → forsyth.kit.position.GridPosition
reveal_type(forsyth.check(chess.parse("")).require())  # → forsyth.games.chess.position.Position
reveal_type(chess.check(chess.parse("")).position)  # → forsyth.games.chess.position.Position | None
forsyth.chess.check(forsyth.azul.parse(""))  # ✗
forsyth.read("", "chess", mode="lax")  # ✗
forsyth.repair("", mode="strict")  # ✗

match = forsyth.Match("chess")
reveal_type(match.position)  # → forsyth.games.chess.position.Position
reveal_type(match.history[0].move)  # → forsyth.games.chess.rules.moves.Move
reveal_type(match.moves()[0])  # → forsyth.games.chess.rules.moves.Move
reveal_type(match.texts())  # → list[str]
reveal_type(match.past().start)  # → forsyth.games.chess.position.Position
reveal_type(forsyth.Match(forsyth.game("azul")).play("0B2").before.bag)  # → tuple[int, ...]
reveal_type(forsyth.Match("cotulenh", "start").history[0].move)  # → forsyth.games.cotulenh.rules.moves.Move
reveal_type(forsyth.Match("shogi").position)  # → forsyth.kit.position.GridPosition
reveal_type(forsyth.read("", "xiangqi").require().play("h3e3"))  # → forsyth.kit.position.GridPosition
match.position.no_such_thing  # ✗
forsyth.Match("chess", forsyth.Match("azul").position).no_such_thing  # ✗

forsyth.Match(game, forsyth.Match("shogi").position)  # ✗
reveal_type(forsyth.game("shogi").with_variant("standard"))  # → forsyth.kit.game.GridGame
reveal_type(forsyth.parse_record("", "chess").match().position)  # → forsyth.games.chess.position.Position
reveal_type(forsyth.read_record("", "azul").require().match().position.bag)  # → tuple[int, ...]
records = forsyth.read_records("", "shogi")
reveal_type(next(records).require().match().moves()[0].promotes)  # → bool

tree = forsyth.parse_record("", game).tree()
reveal_type(tree.root.position)  # → forsyth.games.chess.position.Position
reveal_type(tree.end.move.uci)  # → str
reveal_type(tree.root.play("e4").children[0].clock)  # → datetime.timedelta | None
tree.root.position.no_such_thing  # ✗

reveal_type(match.position.moves()[0])  # → forsyth.games.chess.rules.moves.Move
reveal_type(match.position.play("e4").play("e5").is_check)  # → bool
reveal_type(match.position.outcome)  # → forsyth.game_values.Outcome | None
reveal_type(match.position.game)  # → forsyth.games.chess.game.Chess
reveal_type(forsyth.Match("azul").position.play("0B2").moves())  # → list[str]
reveal_type(forsyth.Match("cotulenh").position.play("Tf5").game)  # → forsyth.games.cotulenh.game.CoTuLenhGame

record = forsyth.Record.of(match)
reveal_type(record.start)  # → forsyth.games.chess.position.Position
reveal_type(record.match().position)  # → forsyth.games.chess.position.Position
reveal_type(forsyth.parse_record("", game).start)  # → forsyth.games.chess.position.Position
reveal_type(next(forsyth.read_records("", game)).require().start)  # → forsyth.games.chess.position.Position


def of_any_game(game: forsyth.Game, match: forsyth.Match) -> Any:
    return game.play(match.position, match.moves()[0])
"""

MESSAGE = re.compile(r"^(?P<file>[^:]+):(?P<line>\d+): (?P<kind>note|error): (?P<text>.*)$")
REVEALED = re.compile(r'Revealed type is "(.*)"')


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[int, str, str]]]:
    """What mypy says about each file: line, kind and words."""
    folder = tmp_path_factory.mktemp("types")
    (folder / "uses.py").write_text(USES, encoding="utf-8")
    for page in PAGES:
        (folder / _module(page)).write_text(_source(page), encoding="utf-8")
    options = ["--strict", "--allow-redefinition", "--no-error-summary", "--no-color-output", "--no-pretty"]
    options += ["--config-file", str(ROOT / "pyproject.toml")]
    with pytest.MonkeyPatch.context() as patch, mypy_cache("types") as cache:
        patch.setenv("MYPYPATH", f"{ROOT / 'src'}{os.pathsep}{ROOT}")
        pages = map(str, sorted(folder.glob("*.py")))
        output, problem, _ = api.run([*options, "--cache-dir", cache, *pages])
    assert problem == ""
    found: dict[str, list[tuple[int, str, str]]] = {}
    for line in output.splitlines():
        message = MESSAGE.match(line)
        assert message is not None, line
        told = (int(message["line"]), message["kind"], message["text"])
        found.setdefault(Path(message["file"]).name, []).append(told)
    return found


def _module(page: Path) -> str:
    """The file a page is checked as."""
    return "page_" + re.sub(r"\W", "_", str(page.relative_to(ROOT).with_suffix(""))) + ".py"


def _source(page: Path) -> str:
    """The Python of a page, each line where it stands on the page."""
    lines = [""] * len(page.read_text(encoding="utf-8").splitlines())
    for block in blocks(page, "python"):
        lines[block.line : block.line + block.source.count("\n")] = block.source.splitlines()
    return "\n".join(lines) + "\n"


def test_types_reach_the_user(said: dict[str, list[tuple[int, str, str]]]) -> None:
    revealed = {number: REVEALED.findall(text) for number, kind, text in said["uses.py"] if kind == "note"}
    wrong = {number: text for number, kind, text in said["uses.py"] if kind == "error"}
    for number, line in enumerate(USES.splitlines(), 1):
        _, shown, expected = line.partition("  # → ")
        assert (number in wrong) == line.endswith("  # ✗"), f"{line}: {wrong.get(number, 'no error')}"
        if shown:
            assert revealed[number] == [expected], line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_of_a_page_passes_the_type_checker(
    page: Path, said: dict[str, list[tuple[int, str, str]]]
) -> None:
    found = [f"{page.name}:{line}: {text}" for line, _, text in said.get(_module(page), [])]
    assert not found, "\n".join(found)
