"""A game of a third party joins by an entry point, and every room treats it like any other.

The example is written as a game is today; the other was written for 0.1, names no base class and has every
member that 0.1 asked for.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from click.testing import CliRunner, Result
from starlette.testclient import TestClient

import forsyth.cli
from forsyth import MemoryStore, draw, forms, registry, store
from forsyth.bulk import arrow
from forsyth.bulk import duckdb as forsyth_duckdb
from forsyth.bulk.errors import BulkError
from forsyth.cli.app import forsyth as command_line
from forsyth.diagnostics import FenError, MoveError
from forsyth.game import Columnar, Editable, Game
from forsyth.match import Match
from forsyth.reading import check
from forsyth.server.app import create_app

ROOT = Path(__file__).parents[1]
START = "nim 3/4/5 1"


def install(folder: Path, name: str, value: str) -> None:
    """What an installer leaves behind of a package with one entry point."""
    info = folder / f"{name}_for_forsyth-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-for-forsyth\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{registry.ENTRY_POINT_GROUP}]\n{name} = {value}\n")


def forget() -> None:
    registry._find_installed.cache_clear()
    registry._load_game.cache_clear()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path in which packages can be installed."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("FORSYTH_STORE", str(tmp_path / "store.sqlite"))
    forget()
    yield folder
    forget()


@pytest.fixture(params=["examples.nim:GAME", "tests.outside_game_0_1:GAME"], ids=["today", "0.1"])
def nim(site: Path, request: pytest.FixtureRequest) -> Game:
    install(site, "nim", request.param)
    return registry.game("nim")


@pytest.fixture
def nim_of_0_1(site: Path) -> Game:
    install(site, "nim", "tests.outside_game_0_1:GAME")
    return registry.game("nim")


def run(*arguments: str, given: str | None = None) -> Result:
    result = CliRunner().invoke(command_line, list(arguments), input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def side_of(game: Game, text: str) -> str:
    """Whose turn it is, as the game's difference says it."""
    side = game.parse(text).side
    return str(side) if isinstance(game, Editable) else game.players[side - 1]


def answer(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json").stdout)
    return found


def test_it_is_not_there_before_it_is_installed(site: Path) -> None:
    assert "nim" not in registry.games()
    with pytest.raises(registry.UnknownGameError, match="nim"):
        registry.game("nim")


def test_it_is_found_by_name_and_listed_behind_the_built_in_games(nim: Game) -> None:
    assert isinstance(nim, Game)
    assert registry.games() == (*registry.BUILT_IN, "nim")
    assert registry.game("nim", "misere").variant == "misere"
    with pytest.raises(ValueError, match="draughts"):
        registry.game("nim", "draughts")


def test_a_built_in_name_cannot_be_taken_over(site: Path) -> None:
    taken = next(iter(registry.BUILT_IN))
    install(site, taken, "examples.nim:GAME")
    assert registry.game(taken).title != "Nim"
    assert registry.games().count(taken) == 1


def test_it_is_detected_from_its_texts_and_only_from_them(nim: Game) -> None:
    found = registry.detect(START)
    assert found.game == "nim"
    assert found.confidence > 0.5
    assert registry.detect("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").game == "chess"


def test_read_parse_check_pack(nim: Game) -> None:
    position = nim.parse(START)
    assert nim.unpack(nim.pack(position)) == position
    assert nim.key(position) == position.key
    with pytest.raises(FenError, match="heap b holds 12"):
        nim.parse("nim 3/12/5 1")
    assert str(nim.parse("nim 3/12/5 1", legality=False)) == "nim 3/12/5 1"


def test_a_match_has_moves_undo_redo_and_a_result(nim: Game) -> None:
    match = Match("nim", "nim 1/1 1")
    assert match.texts() == ["a1", "b1"]
    match.play("a1")
    with pytest.raises(MoveError):
        match.play("a1")
    match.play("b1")
    assert (match.result, str(match)) == ("0-1", "nim 0/0 1")
    match.undo()
    assert match.result == "*"
    match.redo()
    assert match.result == "0-1"
    misere = Match(registry.game("nim", "misere"), "nim 1 1")
    misere.play("a1")
    assert misere.result == "0-1"


def test_lines_of_moves_are_counted(nim: Game) -> None:
    position = nim.parse("nim 2/1 2")
    assert [nim.perft(position, depth) for depth in range(5)] == [1, 3, 5, 3, 0]


@pytest.mark.parametrize("form", ["plain", "state", "base64", "fenz", "url"])
def test_every_form_carries_it(nim: Game, form: str) -> None:
    with store.open_store(None) as kept:
        wrapped = forms.wrap(START, form, store=kept, game="nim")
        reading = check(wrapped, form=form, store=kept)
    assert (reading.ok, reading.game, str(reading.position)) == (True, "nim", START)


def test_its_names_are_read_when_the_game_is_given(nim: Game) -> None:
    assert str(check("endgame", nim).position) == "nim 0/0/1 2"


def test_it_can_be_drawn(nim: Game) -> None:
    scene = nim.scene(nim.parse(START))
    assert "3" in draw.text(scene)
    assert "data-square" in draw.svg(scene)


def test_the_command_line_reads_repairs_and_converts_it(nim: Game) -> None:
    assert answer("check", START)["canonical"] == START
    assert answer("check", "nim 3/12/5 1")["diagnostics"][0]["square"] == "b"
    assert answer("fix", " nim  3/4/5 1")["fixed"] == START
    assert answer("fix", "nim")["fixed"] is None
    assert answer("detect", START)["game"] == "nim"


def test_a_style_of_another_game_is_refused_where_it_does_not_fit(nim_of_0_1: Game) -> None:
    assert answer("convert", "--to", "heaps", START)["result"] == "3/4/5"
    result = run("convert", "--to", "heaps", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert result.exit_code == 1
    assert "style 'heaps'" in result.stderr
    assert "canonical" in result.stderr
    assert run("convert", "--to", "heaps", "--game", "chess", "8/8/8/8/8/8/8/8 w - - 0 1").exit_code == 2


def test_the_command_line_plays_it(nim: Game) -> None:
    assert [move["move"] for move in answer("moves", "nim 2/1 2")["moves"]] == ["a1", "a2", "b1"]
    assert answer("perft", "--depth", "2", "nim 2/1 2")["nodes"] == [3, 5]
    assert "no legal moves: 0-1 (empty)" in run("moves", "nim 0 1").stdout
    assert "no legal moves: 1-0 (empty)" in run("moves", "--variant", "misere", "nim 0 1").stdout
    session = run("play", "--game", "nim", given="b9\nb4\nundo\na3\nfen\nquit\n")
    assert "heap b has no 9 tokens" in session.stdout
    assert "nim 0/4/5 2" in session.stdout
    assert session.exit_code == 0


def test_the_command_line_shows_and_compares_it(nim: Game) -> None:
    assert "[12]" in run("show", "nim 3/12/5 1").stdout
    assert answer("diff", START, "nim 3/4/1 2") == {
        "game": "nim",
        "variant": "normal",
        "same": False,
        "fields": [{"field": "side", "a": side_of(nim, START), "b": side_of(nim, "nim 3/4/1 2")}],
        "squares": [{"square": "c", "a": "5", "b": "1"}],
    }
    assert answer("diff", START, START)["same"] is True


def test_two_games_cannot_be_compared(nim: Game) -> None:
    result = run("diff", START, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert result.exit_code == 2
    assert "nim and chess" in result.stderr


def test_a_variant_of_one_game_is_no_variant_of_another(nim: Game) -> None:
    result = run("check", "--variant", "misere", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert result.exit_code == 2
    assert "chess has no variant 'misere'" in result.stderr


def test_the_doctor_sees_it(nim: Game) -> None:
    facts = {"name": "nim", "title": "Nim", "variants": ["normal", "misere"], "problem": None}
    assert facts in answer("doctor")["games"]


def test_the_doctor_names_a_game_that_cannot_be_loaded(site: Path) -> None:
    install(site, "broken", "no_such_module:GAME")
    problems = {game["name"]: game["problem"] for game in answer("doctor")["games"]}
    assert "no_such_module" in problems["broken"]
    assert "broken cannot be loaded" in run("doctor").stdout


def test_a_fresh_process_finds_it(nim: Game, site: Path) -> None:
    paths = [str(site), str(ROOT), str(Path(forsyth.cli.__file__).parents[2])]
    done = subprocess.run(
        [sys.executable, "-m", "forsyth", "check", "--json", START],
        capture_output=True,
        timeout=60,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    assert json.loads(done.stdout)["game"] == "nim"


def test_a_game_of_0_1_can_be_edited_and_has_columns_and_the_example_needs_neither(nim: Game) -> None:
    old = nim.title == "Nim" and hasattr(nim, "palette")
    assert (isinstance(nim, Editable), isinstance(nim, Columnar)) == (old, old)
    client = TestClient(create_app(store=MemoryStore()), base_url="http://localhost")
    reply = client.post("/api/v1/edit", json={"text": START, "game": "nim"})
    assert (reply.status_code == 200) == old
    assert old or reply.json()["error"] == "positions of nim cannot be edited"
    rows = pa.array([START, "nim 12 1", "nim", None])
    assert arrow.scan(rows, nim).field("ok").to_pylist() == [True, False, False, None]
    assert arrow.normalise(rows, nim).to_pylist() == [START, "nim 12 1", None, None]
    if old:
        assert arrow.unpack(arrow.pack(rows, nim), nim).to_pylist() == [START, "nim 12 1", None, None]
    else:
        for verb, what in (
            (arrow.pack, "packed columns"),
            (arrow.features, "features"),
            (arrow.planes, "planes"),
        ):
            with pytest.raises(BulkError, match=f"^nim has no {what}; choose "):
                verb(rows, nim)


def test_pack_of_a_game_without_columns_is_refused_in_one_sentence(site: Path, tmp_path: Path) -> None:
    install(site, "nim", "examples.nim:GAME")
    texts, record = tmp_path / "a.txt", tmp_path / "a.pgn"
    texts.write_text(f"{START}\n")
    record.write_text('[GameType "nim"]\n\n1. a3 *\n')
    packed = run("pack", "--game", "nim", str(texts))
    sentence = "nim has no packed columns; choose the size of each packed form in bytes (--width)"
    assert (packed.exit_code, packed.output) == (2, f"Error: {sentence}\n")
    wide = run("pack", "--game", "nim", "--width", "20", "--quiet", str(texts))
    assert json.loads(wide.stdout)["packed"] == registry.game("nim").parse(START).packed.hex().ljust(40, "0")
    for form, kind in (("packed", "packed columns"), ("planes", "planes")):
        refused = run("positions", "--game", "nim", "--as", form, str(record))
        sentence = f"nim has no {kind}; choose another form of positions"
        assert (refused.exit_code, refused.output) == (2, f"Error: {sentence}\n")
    for verb in ("features", "planes"):
        refused = run(verb, "--game", "nim", str(texts))
        assert refused.output == f"Error: nim has no {verb}; choose another verb\n"


def test_duckdb_works_where_a_game_without_columns_is_installed(site: Path) -> None:
    install(site, "nim", "examples.nim:GAME")
    connection = duckdb.connect()
    forsyth_duckdb.register(connection)
    (row,) = connection.sql(f"SELECT fen_canonical('{START}', 'nim')").fetchall()
    assert row == (START,)


def test_the_example_is_short() -> None:
    lines = (ROOT / "examples" / "nim.py").read_text(encoding="utf-8").splitlines()
    assert sum(bool(line.strip()) for line in lines) < 100


def test_what_it_does_not_offer_is_said_on_the_command_line(nim: Game) -> None:
    sentence = "nim has no look 'letters'; its pieces are drawn in one way only"
    shown = run("show", "--look", "letters", START)
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert shown.stderr.endswith(f"\n\nError: Invalid value for '--look': {sentence}\n")
    assert run("draw", "--look", "letters", START).stderr.endswith(f"\n\nError: {sentence}\n")
    why = run("moves", "--why", "b9", START)
    assert (why.exit_code, why.output) == (1, "b9 is not legal: heap b has no 9 tokens\n")
    legal = run("moves", "--why", "b4", START)
    assert (legal.exit_code, legal.output) == (0, "b4 is legal\n")
    assert answer("moves", "--why", "b9", START) == {
        "line": 1,
        "text": START,
        "game": "nim",
        "variant": "normal",
        "ok": True,
        "move": "b9",
        "legal": False,
        "why": {"code": "move.illegal", "message": "heap b has no 9 tokens", "squares": []},
    }


def test_what_it_does_not_offer_is_said_by_the_service(nim: Game) -> None:
    client = TestClient(create_app(store=MemoryStore()), base_url="http://localhost")

    def post(path: str, **body: Any) -> tuple[int, Any]:
        reply = client.post(f"/api/v1{path}", json=body)
        return reply.status_code, reply.json().get("error", reply.json())

    assert post("/explain", text=START, **{"from": "a", "to": "b"}) == (200, {"why": None})
    assert post("/reach", text=START, square="a") == (200, {"cells": []})
    no_look = "nim has no look 'x'; its pieces are drawn in one way only"
    assert post("/read", text=START, look="x") == (400, no_look)
    assert post("/games/nim/new", start=1) == (400, "player 1 cannot begin a game of nim; leave out start")
    assert post("/games/nim/new", players=3) == (400, "nim has no variant for 3 players, expected 2")
    schemas = create_app(store=MemoryStore()).openapi()["components"]["schemas"]
    described = [one["$ref"].rpartition("/")[2] for one in schemas["GameState"]["anyOf"]]
    assert described == [*(f"{name}State" for name in registry.BUILT_IN), "AnyState"]


def test_a_game_that_names_no_position_has_its_start() -> None:
    names: Any = Game.names
    assert names.fget(SimpleNamespace(start="bare 1")) == {"start": "bare 1", "initial": "bare 1"}
