"""Positions as data and the names of fields, for every game that offers them."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

import forsyth
from forsyth.abilities import Components, PositionData, find_component, list_unjudged_rules, position_to_data

GAMES = forsyth.games()


def data_of(name: str, text: str, variant: str | None = None) -> dict[str, Any]:
    game = forsyth.game(name, variant)
    return position_to_data(game, game.parse(text), text)


@pytest.mark.parametrize("name", GAMES)
def test_the_data_of_every_named_position_is_as_described(name: str) -> None:
    game = forsyth.game(name)
    assert isinstance(game, PositionData)
    validator = Draft202012Validator(game.data_schema)
    Draft202012Validator.check_schema(game.data_schema)
    for variant in game.variants:
        playing = game.with_variant(variant)
        for text in (playing.start, *playing.names.values()):
            position = playing.read(text).position
            if position is not None:
                validator.validate(position_to_data(playing, position, text))


def test_the_data_of_chess() -> None:
    data = data_of("chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    assert data["board"][0] == list("rnbqkbnr")
    assert data["board"][4] == [None, None, None, None, "P", None, None, None]
    assert (data["side"], data["castling"], data["ep"]) == ("b", "KQkq", "e3")
    assert (data["half"], data["full"], data["pockets"], data["checks"]) == (0, 1, None, None)
    pockets = data_of("chess", "4k3/8/8/8/8/8/8/4K3[QNp] w - - 0 1", "crazyhouse")["pockets"]
    assert pockets == {"white": ["Q", "N"], "black": ["p"]}
    assert data_of("chess", "4k3/8/8/8/8/8/8/4K3 w - - 3+1 0 1", "3check")["checks"] == {
        "white": 3,
        "black": 1,
    }


def test_the_data_of_cotulenh() -> None:
    text = "6c4/11/11/11/11/11/2N8/2(F+T)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1 N>c6"
    data = data_of("cotulenh", text)
    assert data["board"][0][6] == "c"
    assert data["board"][7][2] == "(F+T)"
    assert data["stacks"] == [
        {
            "square": "c5",
            "side": "r",
            "pieces": [{"type": "F", "heroic": False}, {"type": "T", "heroic": True}],
        }
    ]
    assert (data["side"], data["half"], data["full"]) == ("r", 0, 9)
    session = data["session"]
    assert (session["origin"], session["steps"]) == ("c5", ["N>c6"])
    assert session["can_commit"] is True
    assert data_of("cotulenh", forsyth.game("cotulenh").start)["session"] is None


def test_the_data_of_shogi() -> None:
    data = data_of("shogi", "4k4/9/9/9/4+P4/9/9/9/4K4 w 2Pr 7")
    assert data["board"][4] == [None, None, None, None, "+P", None, None, None, None]
    assert data["hands"] == {"b": {"P": 2}, "w": {"r": 1}}
    assert (data["side"], data["full"]) == ("w", 7)
    assert "half" not in data and "hands" not in data_of("xiangqi", forsyth.game("xiangqi").start)


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("shogi", "9/9 x K y", ["board", "side", "hands", "full"]),
        ("xiangqi", "9/9 x y - a b", ["board", "side", "unused", "half", "full"]),
        ("chess", "8/8/8/4x3/8/8/8/4K3 x y z a b", ["board", "side", "castling", "ep", "half", "full"]),
        ("chess", "8/8 w", ["fen", "board"]),
        ("cotulenh", "12/11/11/11/11/11/11/11/11/11/11/5C5 w x y a b", ["board", "side", "castling"]),
        ("azul", "BYR|WBYR|KWBY|RKWB|YRKW/--", ["fen", "factories", "center"]),
        ("azul", "base64_SGVsbG8gV29ybGQ=", ["fen"]),
        ("cotulenh", "state_x", ["fen"]),
    ],
)
def test_the_component_of_a_finding_is_a_name(name: str, text: str, names: list[str]) -> None:
    game = forsyth.game(name)
    found = [find_component(game, finding) for finding in forsyth.check(text, name).diagnostics]
    assert set(names) <= set(found)
    assert not any(component.isdigit() for component in found)


def test_fields_of_variants_have_names() -> None:
    chess = forsyth.game("chess")
    assert isinstance(chess, Components)
    pocket = forsyth.game("chess", "crazyhouse").read("4k3/8/8/8/8/8/8/4K3[X] w - - 0 1").errors[0]
    checks = forsyth.game("chess", "3check").read("4k3/8/8/8/8/8/8/4K3 w - - 9+9 0 1").errors[0]
    assert [chess.component_of(finding) for finding in (pocket, checks)] == ["pockets", "checks"]


def test_a_game_that_offers_none_is_served_all_the_same() -> None:
    from tests.outside_game_0_1 import GAME as TOY

    position = TOY.parse(TOY.start)
    assert position_to_data(TOY, position, TOY.start) == {}


def test_what_is_left_to_the_players_is_named() -> None:
    said = {name: list_unjudged_rules(forsyth.game(name)) for name in GAMES}
    assert said.pop("xiangqi") == ("perpetual chasing",)
    assert said.pop("shogi") == ("impasse (jishogi)",)
    assert set(said.values()) == {()}
