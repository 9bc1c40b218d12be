"""Detection of the game and the variant of a text, and the surfaces that keep both."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient
from tests.toy_games import GAMES

import forsyth
from forsyth import MemoryStore, registry
from forsyth.cli.app import forsyth as command_line
from forsyth.game import Game
from forsyth.resolver import GameChoice, UnknownVariantError, make_resolver, require_known_variant
from forsyth.server.app import create_app

CHESS_START = forsyth.game("chess").start
VARIANT_TEXTS = {
    "crazyhouse": "rnb1kb1r/pp2pppp/2p2n2/3q4/8/5N2/PPPP1PPP/RNBQKB1R[Pp] w KQkq - 0 5",
    "3check": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
    "chess960": "bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w GCgc - 0 1",
    "horde": forsyth.game("chess", "horde").start,
    "atomic": "atomic:rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "standard": CHESS_START,
}
each_variant = pytest.mark.parametrize(("variant", "text"), VARIANT_TEXTS.items())


def run(*arguments: str, given: str | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(command_line, list(arguments), input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result.exit_code, result.output


# --- the variant ------------------------------------------------------------------------------------


@each_variant
def test_the_call_after_detection_accepts_a_variant(variant: str, text: str) -> None:
    detection = forsyth.detect(text)
    assert (detection.game, detection.variant) == ("chess", variant)
    for reading in (forsyth.read(text), forsyth.check(text), forsyth.repair(text)):
        assert reading.ok
        assert (reading.game, reading.variant) == ("chess", variant)
        assert list(reading.to_dict())[:3] == ["text", "game", "variant"]
    named = forsyth.check(text, forsyth.game("chess", detection.variant))
    assert named.ok and named.variant == variant


@each_variant
@pytest.mark.parametrize("options", [(), ("--game", "chess")], ids=["detected", "named game"])
def test_every_command_keeps_the_variant(variant: str, text: str, options: tuple[str, ...]) -> None:
    for command in (("check",), ("fix",), ("convert", "--to", "fenz"), ("moves",), ("perft", "--depth", "1")):
        status, output = run(*command, *options, "--json", text)
        answer = json.loads(output)
        assert status == 0
        assert list(answer)[:4] == ["line", "text", "game", "variant"]
        assert (answer["game"], answer["variant"]) == ("chess", variant)
    status, output = run("diff", *options, "--json", text, text)
    assert list(json.loads(output).items())[:2] == [("game", "chess"), ("variant", variant)]


@each_variant
@pytest.mark.parametrize("choice", [{}, {"game": "chess"}], ids=["detected", "named game"])
def test_every_address_keeps_the_variant(variant: str, text: str, choice: dict[str, str]) -> None:
    client = TestClient(create_app(store=MemoryStore()), base_url="http://127.0.0.1")
    body = {"text": text, **choice}
    for path in ("read", "fix", "moves"):
        answer = client.post(f"/api/v1/{path}", json=body)
        assert answer.status_code == 200, answer.text
        assert (answer.json()["ok"], answer.json()["variant"]) == (True, variant)
    converted = client.post("/api/v1/convert", json={**body, "to": "fenz"}).json()
    assert (converted["ok"], converted["variant"]) == (True, variant)
    assert client.post("/api/v1/forms", json=body).status_code == 200
    for path in ("check", "fix"):
        lines = client.post(
            f"/api/v1/batch/{path}", params=choice, content=json.dumps(text) + "\n"
        ).text.splitlines()
        assert [json.loads(line)["variant"] for line in lines] == [variant]
        assert [json.loads(line)["ok"] for line in lines] == [True]
    stored = client.put("/api/v1/states", json=body)
    assert stored.status_code == 200, stored.text
    again = client.post("/api/v1/read", json={"text": stored.json()["state_id"]}).json()
    assert (again["ok"], again["variant"]) == (True, variant)


@each_variant
def test_a_job_keeps_the_variant(variant: str, text: str, tmp_path: Path) -> None:
    if variant == "atomic":
        return
    source = tmp_path / "texts.txt"
    source.write_text(f"{text}\n" * 3)
    status, output = run("scan", "--json", str(source))
    report = json.loads(output)
    assert status == 0
    assert report["variant"] == (None if variant == "standard" else variant)


def test_a_job_reads_texts_of_several_variants(tmp_path: Path) -> None:
    source = tmp_path / "texts.txt"
    source.write_text("\n".join(text for name, text in VARIANT_TEXTS.items() if name != "atomic"))
    status, output = run("scan", "--json", str(source))
    assert status == 0
    assert json.loads(output)["variant"] == "auto"


def test_a_named_variant_is_used_instead_of_the_detected_one() -> None:
    text = VARIANT_TEXTS["crazyhouse"]
    resolved = make_resolver(GameChoice(variant="standard")).read(forsyth.check, text)
    assert not resolved.reading.ok
    assert resolved.reading.variant == "standard"
    assert resolved.game is not None and resolved.game.variant == "standard"


@pytest.mark.parametrize(
    "text",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w – - 0 1",
        "8/8/8/4k3/8/8/4K3/4R3/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w KQkq - 0 1",
    ],
)
def test_a_mistake_in_a_text_of_standard_chess_names_no_variant(text: str) -> None:
    detected = forsyth.check(text)
    assert detected.variant == "standard"
    assert detected.diagnostics == forsyth.check(text, "chess").diagnostics


@pytest.mark.parametrize("name", forsyth.games())
def test_a_reading_without_a_position_has_the_variant(name: str) -> None:
    game = forsyth.game(name)
    assert forsyth.read("x/y", name).variant == game.variant
    assert forsyth.read(game.start, name).variant == game.variant


# --- the case of a variant's name -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "name", "variant"),
    [
        ("chess", "Crazyhouse", "crazyhouse"),
        ("chess", "CHESS960", "chess960"),
        ("chess", "Auto", "auto"),
        ("cotulenh", "Engine", "engine"),
        ("azul", "3-Players", "3-players"),
        ("xiangqi", "Standard", "standard"),
    ],
)
def test_variant_names_are_accepted_in_any_case(game: str, name: str, variant: str) -> None:
    assert forsyth.game(game, name).variant == variant
    require_known_variant(name)
    resolved = make_resolver(GameChoice(game, name)).game
    assert resolved is not None and resolved.variant == variant


def test_variant_names_are_accepted_in_any_case_by_surfaces() -> None:
    text = VARIANT_TEXTS["crazyhouse"]
    assert run("check", "--variant", "Crazyhouse", text)[0] == 0
    body = {"text": text, "game": "chess", "variant": "CrazyHouse"}
    assert (
        TestClient(create_app(store=MemoryStore()), base_url="http://127.0.0.1")
        .post("/api/v1/read", json=body)
        .json()["ok"]
    )
    assert forsyth.game("chess").read(text, variant="Crazyhouse").ok
    with pytest.raises(UnknownVariantError):
        require_known_variant("Crazyhous")


# --- more games -------------------------------------------------------------------------------------


@pytest.fixture
def ten_more_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install ten games whose boards look like those of the built-in games."""
    load, locations = registry._load_game, dict(registry._find_installed())

    def load_any(name: str) -> Game:
        return GAMES[name] if name in GAMES else load(name)

    monkeypatch.setattr(registry, "_find_installed", lambda: {**locations, **dict.fromkeys(GAMES, "")})
    monkeypatch.setattr(registry, "_load_game", load_any)
    yield


@pytest.mark.usefixtures("ten_more_games")
@pytest.mark.parametrize(
    "text",
    [
        CHESS_START,
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        VARIANT_TEXTS["crazyhouse"],
        VARIANT_TEXTS["3check"],
    ],
)
def test_installing_ten_more_games_does_not_break_detection(text: str) -> None:
    assert forsyth.detect(text).game == "chess"


@pytest.mark.usefixtures("ten_more_games")
@pytest.mark.parametrize(
    "name", ["cotulenh", "azul", "shogi", "cannons", "advisers", "short", "seven", "nine", "ten"]
)
def test_each_of_many_games_is_detected(name: str) -> None:
    assert forsyth.detect(forsyth.game(name).start).game == name


@pytest.mark.usefixtures("ten_more_games")
def test_a_tie_is_one_finding_that_names_the_candidates() -> None:
    text = "8/8/4k3/8/8/4K3/4R3/8 w - - 0 1"
    candidates = ("chess", "simple", "cannons", "advisers", "noqueens")
    assert forsyth.detect(text) == (None, 0.0, None, candidates)
    (finding,) = forsyth.check(text).diagnostics
    assert finding.code == "game.unknown"
    assert finding.message == f"the text fits several games equally well; name one of {', '.join(candidates)}"
    status, output = run("detect", text)
    assert status == 1
    assert output.startswith("unknown (chess or simple or")


def test_no_built_in_game_reads_a_text_of_another() -> None:
    # Detection relies on this: it stops at the first built-in game that reads a text.
    games = [forsyth.game(name) for name in registry.BUILT_IN]
    for game in games:
        for text in (*game.names.values(), *game.examples.values()):
            if game.read(text).position is None:
                continue
            assert forsyth.detect(text).game == game.name
            others = [other.name for other in games if other is not game]
            assert not [name for name in others if forsyth.game(name, "auto").read(text).ok]


def test_a_detected_check_imports_no_other_game() -> None:
    code = f"""
import sys, forsyth
assert forsyth.check({CHESS_START!r}).ok
print(sorted(name for name in sys.modules if name.startswith("forsyth.games.") and name.count(".") == 2))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "['forsyth.games.chess']"


def test_a_text_of_xiangqi_that_is_being_edited_is_not_of_chess() -> None:
    edited = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5Cq99 RNBAKABNR w - - 0x"
    assert forsyth.detect(edited).game in (None, "xiangqi")
