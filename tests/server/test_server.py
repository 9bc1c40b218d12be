"""The HTTP service: every call for every game, the calls of the source document, refusals, safety."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, cast

import pytest
from fastapi import FastAPI
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

import forsyth
from forsyth.abilities import Boards, Foreseeing, Looks, Overlaying, list_player_names, list_unjudged_rules
from forsyth.record import parse_record
from forsyth.server import Settings, create_app
from forsyth.server.app import create_app_from_environment
from forsyth.server.bounds.middleware import CSP
from forsyth.server.json_responses import encode_json
from forsyth.server.metrics import Metrics
from forsyth.server.problems import TITLES, Problem
from forsyth.server.routes import validate
from forsyth.server.routes.games import make_first_position
from forsyth.store import MemoryStore, open_store

BASE = "/api/v1"
GAMES = forsyth.games()
CHESS = forsyth.game("chess").start
BROKEN = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ILLEGAL = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"
SEED = (
    "BYRK|WBYR|KWBY|RKWB|YRKW/BYRKW/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-"
    "/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/0,0/1/0"
)
EXTENDED = forsyth.game("azul").write(forsyth.game("azul").parse(SEED), "extended")
SEED_BODY = json.dumps({"fen_string": SEED})

every_game = pytest.mark.parametrize("name", GAMES)


def made(store: Any = None, **settings: Any) -> TestClient:
    app = create_app(Settings(**settings), MemoryStore() if store is None else store)
    return TestClient(app, base_url="http://localhost")


@pytest.fixture
def client() -> Iterator[TestClient]:
    with made() as found:
        yield found


@cache
def described() -> dict[str, Any]:
    """What the service says about itself."""
    return create_app(Settings(), MemoryStore()).openapi()


@cache
def answers_of(path: str, method: str = "post") -> Draft202012Validator:
    """The schema of the answers to a call."""
    content = described()["paths"][BASE + path][method]["responses"]["200"]["content"]
    return Draft202012Validator(
        {**content["application/json"]["schema"], "components": described()["components"]}
    )


def post(client: TestClient, path: str, body: Any) -> Any:
    """The answer to a request that is taken, which is what the service says that it answers."""
    answer = client.post(BASE + path, json=body)
    assert answer.status_code == 200, answer.text
    if BASE + path in described()["paths"]:
        answers_of(path).validate(answer.json())
    return answer.json()


def fetch(client: TestClient, path: str, asked: Mapping[str, Any] | None = None, **parts: str) -> Any:
    """The answer to a GET that is taken, which is what the service says that it answers."""
    answer = client.get(BASE + path.format(**parts), params=asked)
    assert answer.status_code == 200, answer.text
    answers_of(path, "get").validate(answer.json())
    return answer.json()


def refused(answer: Any, status: int, code: str) -> Any:
    said = answer.json()
    assert answer.status_code == status, said
    assert answer.headers["content-type"] == "application/problem+json"
    assert said["code"] == code
    assert said["success"] is False
    assert said["status"] == status
    assert said["error"] == said["detail"]
    assert said["type"].endswith(f"/problems/{code.lower()}")
    assert said["title"]
    assert isinstance(said["errors"], list)
    assert "Traceback" not in answer.text
    return said


# --- the two calls of the source document ---------------------------------------------------------------


def test_validate_fen_of_the_source_document(client: TestClient) -> None:
    headers = {"Content-Type": "application/json"}
    said = client.post(f"{BASE}/validate-fen", headers=headers, content=SEED_BODY).json()
    assert said["valid"] is True
    assert (said["format"], said["level"], said["game"]) == ("standard", "content", "azul")
    details = {"factories": 5, "center_tiles": 5, "players": 2, "round": 1, "current_player": 0}
    assert said["details"] == details
    assert said["errors"] == []
    assert said["warnings"][0]["code"] == "CENTER_OVERFULL"
    assert said["warnings"][0]["component"] == "center"
    assert said["warnings"][0]["message"] == "Center holds 5 tiles but 0 factories are empty"
    assert said["canonical"].startswith("BYRK|BYRW|BYKW|BRKW|YRKW/BYRKW/")
    assert said["state_id"].startswith("state_3lds")
    assert said["diagnostics"] == [d.to_dict() for d in forsyth.check(SEED).diagnostics]
    assert "error" not in said


def test_game_state_of_the_source_document(client: TestClient) -> None:
    headers = {"Content-Type": "application/json"}
    said = client.post(f"{BASE}/game_state", headers=headers, content=SEED_BODY).json()
    assert said["success"] is True
    state = said["game_state"]
    assert state["fen_string"] == SEED
    assert (state["fen_version"], state["complete"], state["phase"]) == (1, False, "offer")
    assert state["factories"][1] == ["W", "B", "Y", "R"]
    assert state["center"] == ["B", "Y", "R", "K", "W"]
    assert state["first_player_marker"] == {"place": "unknown", "player": None}
    assert state["players"][0]["wall"] == [[None] * 5] * 5
    assert state["players"][0]["pattern_lines"] == [[], [], [], [], []]
    assert {state["bag"], state["discard"], state["start_player"]} == {None}
    again = fetch(client, "/states/{state_id}", state_id=state["state_id"])
    assert again["game"] == "azul"
    assert post(client, "/game_state", {"fen_string": state["state_id"]})["game_state"]["game"] == "azul"


def test_an_invalid_text_is_answered_and_a_state_of_it_refused(client: TestClient) -> None:
    text = SEED.replace("BYRK", "BYR", 1)
    said = post(client, "/validate-fen", {"fen_string": f"  {text}\n"})
    assert said["valid"] is False
    assert said["errors"][0]["code"] == "FACTORY_SIZE"
    assert said["errors"][0]["index"] == 0
    assert said["error"] == said["errors"][0]["message"] == "Factory 0 has 3 tiles, expected 4"
    problem = refused(client.post(f"{BASE}/game_state", json={"fen_string": text}), 400, "FACTORY_SIZE")
    assert problem["errors"][0]["code"] == "FACTORY_SIZE"


def test_levels(client: TestClient) -> None:
    valid = {
        level: post(client, "/validate-fen", {"fen_string": SEED, "level": level})["valid"]
        for level in ("format", "content", "strict")
    }
    assert valid == {"format": True, "content": True, "strict": False}
    chess = post(client, "/validate-fen", {"fen_string": ILLEGAL, "level": "format"})
    assert chess["valid"] is True


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty"),
        ("Hello", "unknown"),
        ("state_abcdef", "hash"),
        ("base64_SGVsbG8gV29ybGQ=", "base64"),
        ("fenz_x", "compressed"),
        (CHESS, "standard"),
        (EXTENDED, "extended"),
    ],
)
def test_the_format_of_a_text(client: TestClient, text: str, kind: str) -> None:
    assert post(client, "/validate-fen", {"fen_string": text})["format"] == kind


def test_a_wrapped_text_answers_with_what_is_inside(client: TestClient) -> None:
    broken = SEED.replace("BYRK", "XYRK", 1)
    wrapped = forsyth.wrap(broken, "fenz")
    said = post(client, "/validate-fen", {"fen_string": wrapped})
    (found,) = said["errors"]
    assert (found["code"], found["unwrapped"]) == ("COMPRESSED_PAYLOAD", broken)
    (inner,) = found["inside"]
    assert (inner["code"], inner["component"], inner["index"]) == ("TILE_COLOR", "factories", 0)
    assert said["diagnostics"][0]["inside"][0]["code"] == "tile.color"
    problem = refused(
        client.post(f"{BASE}/game_state", json={"fen_string": wrapped}), 400, "COMPRESSED_PAYLOAD"
    )
    assert problem["errors"][0]["inside"][0] == inner


@pytest.mark.parametrize("name", ["start", "midgame", "endgame", "initial"])
def test_a_name_without_a_game_is_azul_in_the_calls_of_its_document(client: TestClient, name: str) -> None:
    text = forsyth.game("azul").names[name]
    said = post(client, "/validate-fen", {"fen_string": name})
    assert (said["valid"], said["format"], said["game"]) == (True, "special", "azul")
    assert post(client, "/validate-fen", {"fen_strings": [f" {name}\n"]})["results"] == [said]
    for state in (
        post(client, "/game_state", {"fen_string": name}),
        fetch(client, "/game_state", {"fen_string": name}),
    ):
        assert state["game_state"]["game"] == "azul"
        assert state["game_state"]["canonical"] == str(forsyth.game("azul").parse(text))
    assert post(client, "/game_state", {"fen_string": name, "game": "chess"})["game_state"]["game"] == "chess"
    refused(client.post(f"{BASE}/legal_moves", json={"fen_string": name}), 400, "GAME_UNKNOWN")
    assert post(client, "/read", {"text": name})["diagnostics"][0]["code"] == "game.unknown"


def test_a_name_that_azul_has_not_needs_its_game(client: TestClient) -> None:
    assert post(client, "/validate-fen", {"fen_string": "opening"})["errors"][0]["code"] == "GAME_UNKNOWN"


def test_a_text_that_breaks_off_has_the_message_of_the_document(client: TestClient) -> None:
    for text, count in (("BYRK|WBYR|KWBY|RKWB|YRKW", 1), ("BYRK|WBYR|KWBY|RKWB|YRKW/BYRKW", 2)):
        said = post(client, "/validate-fen", {"fen_string": text})
        assert said["error"] == f"Invalid FEN format: expected 11 components, got {count}"
        assert (said["game"], said["errors"][0]["component"]) == ("azul", "fen")
        problem = refused(
            client.post(f"{BASE}/game_state", json={"fen_string": text}), 400, "COMPONENT_COUNT"
        )
        assert problem["error"] == said["error"]


@pytest.mark.parametrize(
    ("text", "component"),
    [(BROKEN, "board"), (CHESS.replace(" w ", " x "), "side"), (SEED.replace("0,0", "a,b"), "scores")],
)
def test_the_component_of_an_issue_is_a_name(client: TestClient, text: str, component: str) -> None:
    assert post(client, "/validate-fen", {"fen_string": text})["errors"][0]["component"] == component
    problem = client.post(f"{BASE}/game_state", json={"fen_string": text}).json()
    assert problem["errors"][0]["component"] == component


@every_game
def test_the_data_of_a_state_is_as_described(client: TestClient, name: str) -> None:
    schema = client.get("/openapi.json").json()
    state = post(client, "/game_state", {"fen_string": "start", "game": name})
    described = {"$ref": f"#/components/schemas/{name}State", "components": schema["components"]}
    Draft202012Validator(described).validate(state["game_state"])
    del state["game_state"]["side" if name != "azul" else "round"]
    assert not Draft202012Validator(described).is_valid(state["game_state"])
    answer = {"$ref": "#/components/schemas/StateAnswer", "components": schema["components"]}
    Draft202012Validator(answer).validate(state)


def test_many_texts_at_once(client: TestClient) -> None:
    said = post(client, "/validate-fen", {"fen_strings": [CHESS, BROKEN, SEED]})
    assert [one["valid"] for one in said["results"]] == [True, False, True]
    too_many = client.post(f"{BASE}/validate-fen", json={"fen_strings": ["x"] * 1001})
    refused(too_many, 400, "BAD_TYPE")


def test_data_of_a_state_becomes_a_text_again(client: TestClient) -> None:
    data = post(client, "/game_state", {"fen_string": SEED})["game_state"]
    said = client.put(f"{BASE}/game_state", json={"game_state": data}).json()
    assert (said["fen_string"], said["state_id"]) == (SEED, data["state_id"])
    refused(client.put(f"{BASE}/game_state", json={"game_state": {}}), 400, "BAD_TYPE")
    chess = post(client, "/game_state", {"fen_string": CHESS})["game_state"]
    assert client.put(f"{BASE}/game_state", json={"game_state": chess}).json()["fen_string"] == CHESS
    refused(client.put(f"{BASE}/game_state", json={"game_state": {"game": "chess"}}), 400, "MISSING_FIELD")


# --- every game -----------------------------------------------------------------------------------------


@every_game
def test_a_game_and_its_positions(client: TestClient, name: str) -> None:
    game = forsyth.game(name)
    listed = {one["name"]: one for one in fetch(client, "/games")["games"]}
    known = {
        "name": name,
        "title": game.title,
        "variants": list(game.variants),
        "start": game.start,
        "names": dict(game.names),
        "styles": dict(game.styles),
        "examples": dict(game.examples),
        "players": list(game.players),
        "not_judged": list(list_unjudged_rules(game)),
        "player_names": list(list_player_names(game)),
        "looks": list(game.looks) if isinstance(game, Looks) else [],
        "boards": list(game.boards) if isinstance(game, Boards) else [],
        "overlays": isinstance(game, Overlaying),
    }
    assert listed[name] == known | {"codes": len(game.codes)}
    one = fetch(client, "/games/{game}", game=name)
    codes = [
        {"code": code.code, "severity": code.severity.value, "stage": code.stage, "summary": code.summary}
        for code in game.codes
    ]
    assert one == known | {"codes": codes}
    assert fetch(client, "/positions/{game}", game=name)["positions"] == {
        **game.names,
        "initial": game.names["initial"],
    }
    state = fetch(client, "/game_state", {"game": name})["game_state"]
    assert state["canonical"] == game.start
    assert {"key", "side_to_move", "move_number", "warnings", "state_id"} <= set(state)


@every_game
def test_every_example_is_read_as_the_library_reads_it(client: TestClient, name: str) -> None:
    game = forsyth.game(name)
    for text in game.examples.values():
        said = post(client, "/read", {"text": text, "game": name})
        assert (said["position"] is None) == (said["canonical"] is None)
        if said["position"] is not None:
            assert said["position"]["svg"].startswith("<svg")
            assert said["position"]["canonical"] == said["canonical"]
        fixed = post(client, "/fix", {"text": text, "game": name, "least": "guess"})
        assert fixed["text"] == text.strip()
        valid = post(client, "/validate-fen", {"fen_string": text, "game": name})
        assert valid["valid"] is forsyth.check(text.strip(), game).ok


@every_game
def test_forms_and_back(client: TestClient, name: str) -> None:
    start = forsyth.game(name).start
    forms = post(client, "/forms", {"text": start, "game": name})["forms"]
    assert forms["link"] == f"/p/{forms['fenz']}"
    for form in ("plain", "canonical", "base64", "fenz", "state"):
        assert post(client, "/read", {"text": forms[form], "game": name})["canonical"] == start, form
    url = post(client, "/read", {"text": forms["url"], "game": name, "form": "url"})
    assert url["canonical"] == start
    for to in ("canonical", "fenz", *forsyth.game(name).styles):
        answer = client.post(f"{BASE}/convert", json={"text": start, "game": name, "to": to})
        assert answer.status_code in (200, 400)
        assert answer.status_code == 200 or answer.json()["code"] == "NOT_EXPRESSIBLE"


@every_game
def test_playing(client: TestClient, name: str) -> None:
    game = forsyth.game(name)
    moves = post(client, "/moves", {"text": game.start, "game": name})
    assert moves["ok"] is True
    assert len(moves["moves"]) == len(game.moves(game.parse(game.start)))
    first = moves["moves"][0]
    usual = {"move", "lan", "from", "to", "flags", "captured", "after", "piece"}
    assert set(first) == usual | ({"prospect"} if isinstance(game, Foreseeing) else set())
    played = post(client, "/play", {"text": game.start, "game": name, "move": first["move"]})
    assert played["after"] == first["after"] == played["position"]["canonical"]
    bad = client.post(f"{BASE}/play", json={"text": game.start, "game": name, "move": "zz9"})
    assert "candidates" in refused(bad, 400, "ILLEGAL_MOVE")
    legal = post(client, "/legal_moves", {"fen_string": game.start, "game": name})
    assert legal["count"] == len(legal["moves"]) == len(moves["moves"])


@every_game
def test_a_match_and_its_record(client: TestClient, name: str) -> None:
    game = forsyth.game(name)
    moves: list[str] = []
    for _ in range(4):
        view = post(client, "/match", {"game": name, "moves": moves})
        moves.append(view["moves"][0]["move"])
    view = post(client, "/match", {"game": name, "moves": moves[:-1], "move": moves[-1]})
    assert [ply["move"] for ply in view["history"]] == moves
    assert view["at"] == 4
    back = post(client, "/match", {"game": name, "moves": moves, "at": 1})
    assert back["canonical"] == view["history"][0]["after"]
    assert len(back["history"]) == 4
    undone = post(client, "/match", {"game": name, "moves": moves[:-1]})
    assert undone["canonical"] == view["history"][2]["after"]
    written = post(client, "/record/write", {"game": name, "moves": moves, "tags": {"Event": "Test"}})
    assert parse_record(written["record"], game).moves == moves
    read = post(client, "/record/read", {"record": view["record"], "game": name})
    assert (read["ok"], read["moves"], read["start"]) == (True, moves, game.start)
    bad = client.post(f"{BASE}/match", json={"game": name, "moves": [moves[0], "zz9"]})
    assert refused(bad, 400, "ILLEGAL_MOVE")["index"] == 1


def test_the_profile_of_a_source_document(client: TestClient) -> None:
    late = "8/8/8/4k3/8/8/8/4K3 w - - 101 90"
    assert post(client, "/read", {"text": late})["ok"]
    for call in ("/read", "/fix"):
        read = post(client, call, {"text": late, "profile": "seed"})
        assert (read["game"], read["ok"]) == ("chess", False)
        assert read["diagnostics"][0]["message"] == "Error in FEN Part 5: Half-move clock"
    bare = post(client, "/read", {"text": "8/8/8/8/8/8/8/8 w - - 0 1", "game": "chess", "profile": "seed"})
    assert (bare["ok"], bare["position"]["moves"]) == (True, [])


def test_records_are_written_in_other_notations(client: TestClient) -> None:
    asked = {"game": "chess", "moves": ["e4", "e5", "Nf3"], "notation": "uci"}
    assert post(client, "/record/write", asked)["record"].endswith("1. e2e4 e7e5 2. g1f3 *\n")
    moves = [post(client, "/match", {"game": "xiangqi"})["moves"][0]["move"]]
    long = post(client, "/record/write", {"game": "xiangqi", "moves": moves, "notation": "lan"})
    assert long["record"].endswith("1. a4a5 *\n")
    none = client.post(f"{BASE}/record/write", json={"game": "xiangqi", "moves": moves, "notation": "uci"})
    assert "no UCI notation" in none.text and refused(none, 400, "NOT_EXPRESSIBLE")


def test_steps_of_a_turn_and_actions_are_named(client: TestClient) -> None:
    start = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9"
    moves = ["F>e5", "T>c4", "N>a5", "Cg11"]
    view = post(client, "/match", {"game": "cotulenh", "start": start, "moves": moves})
    assert [ply.get("step", False) for ply in view["history"]] == [False, True, True, False]
    assert all("action" not in ply for ply in view["history"])
    record = view["record"].replace(" N>a5", " (9. T>c3) 9. N>a5")
    line = post(client, "/record/read", {"record": record, "game": "cotulenh"})["line"]
    assert [node.get("step", False) for node in line] == [False, True, True, False]
    assert line[1]["variations"][0][0] == {"move": "T>c3", "number": 9, "player": 0, "step": True}
    written = post(client, "/record/write", {"game": "cotulenh", "start": start, "line": line})["record"]
    assert "9. F>e5 T>c4 (9. T>c3) 9. N>a5 Cg11" in written

    played: list[str] = []
    while moves := post(client, "/match", {"game": "azul", "moves": played})["moves"]:
        played.append(moves[0]["move"])
    history = post(client, "/match", {"game": "azul", "moves": [*played, "tile", "deal"]})["history"]
    assert [ply.get("action") for ply in history[-3:]] == [None, "tile", "deal"]
    assert not any("step" in ply for ply in history)


def test_null_moves_belong_to_the_past_of_a_match(client: TestClient) -> None:
    read = post(client, "/record/read", {"record": "1. e4 Z0 2. d4 *", "game": "chess"})
    assert (read["ok"], read["moves"]) == (True, ["e4", "--", "d4"])
    view = post(client, "/match", {"game": "chess", "moves": read["moves"]})
    assert [ply["move"] for ply in view["history"]] == read["moves"]
    assert (view["history"][1]["from"], view["history"][1]["to"]) == (None, None)
    written = post(client, "/record/write", {"game": "chess", "moves": read["moves"]})
    assert "1. e4 -- 2. d4 *" in written["record"]
    bad = client.post(f"{BASE}/match", json={"game": "chess", "moves": ["e4"], "move": "--"})
    assert refused(bad, 400, "ILLEGAL_MOVE")["index"] == 1


@every_game
def test_a_new_game(client: TestClient, name: str) -> None:
    one, two = (post(client, f"/games/{name}/new", {"seed": 7}) for _ in range(2))
    assert one["canonical"] == two["canonical"]
    assert one["moves"]
    for variant in forsyth.game(name).variants:
        assert post(client, f"/games/{name}/new", {"variant": variant, "seed": 1})["moves"]
    refused(client.post(f"{BASE}/games/{name}/new", json={"players": 99}), 400, "UNKNOWN_VARIANT")


@every_game
def test_the_editor(client: TestClient, name: str) -> None:
    game = forsyth.game(name)
    view = post(client, "/edit", {"text": game.start, "game": name})
    assert view["text"] == game.start
    assert all(entry["svg"].startswith("<svg") and entry["label"] for entry in view["palette"])
    assert {field["kind"] for field in view["fields"]} <= {"choice", "number", "flags", "text"}
    for field in view["fields"]:
        change = {"name": field["name"], "value": field["value"]}
        same = post(client, "/edit", {"text": game.start, "game": name, "field": change})
        assert same["text"] == game.start, field
    bad = {"square": "nowhere", "symbol": None}
    refused(
        client.post(f"{BASE}/edit", json={"text": game.start, "game": name, "put": bad}),
        400,
        "NOT_EXPRESSIBLE",
    )
    first = post(client, "/moves", {"text": game.start, "game": name})["moves"][0]
    cleared = {"square": first["from"], "symbol": None}
    assert post(client, "/edit", {"text": game.start, "game": name, "put": cleared})["text"] != game.start


def test_an_edited_position_may_be_illegal(client: TestClient) -> None:
    said = post(client, "/edit", {"text": CHESS, "put": {"square": "e1", "symbol": None}})
    assert "king.missing" in {d["code"] for d in said["diagnostics"]}
    assert said["position"]["moves"] == []
    moved = post(client, "/edit", {"text": CHESS, "move": {"from": "e2", "to": "e4"}})
    assert moved["text"].startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w")
    refused(client.post(f"{BASE}/edit", json={"text": BROKEN}), 400, "BOARD_DIGIT")


@every_game
def test_drawing(client: TestClient, name: str) -> None:
    game = forsyth.game(name)
    query: dict[str, str | int] = {"text": game.start, "game": name, "size": 200}
    svg = client.get(f"{BASE}/draw.svg", params=query)
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert "max-age" in svg.headers["cache-control"]
    assert 'data-square="' in svg.text
    png = client.get(f"{BASE}/draw.png", params=query)
    assert png.content.startswith(b"\x89PNG")
    fenz = post(client, "/forms", {"text": game.start, "game": name})["forms"]["fenz"]
    assert client.get(f"{BASE}/draw/{fenz}.svg", params={"game": name, "size": 200}).text == svg.text
    named = client.get(f"{BASE}/draw.svg", params={"text": "start", "game": name})
    assert named.headers["cache-control"] == "no-cache"


def test_what_cannot_be_drawn(client: TestClient) -> None:
    refused(client.get(f"{BASE}/draw.svg", params={"text": BROKEN}), 400, "BOARD_DIGIT")
    refused(client.get(f"{BASE}/draw.svg", params={"text": CHESS, "size": 99999}), 400, "BAD_TYPE")
    refused(client.get(f"{BASE}/draw.svg"), 400, "MISSING_FIELD")
    refused(client.get(f"{BASE}/draw/{CHESS}.gif"), 404, "NOT_FOUND")
    marked = client.get(f"{BASE}/draw.svg", params={"text": ILLEGAL, "marks": True})
    assert 'data-mark="error"' in marked.text


@every_game
def test_states_and_the_initial_position(client: TestClient, name: str) -> None:
    game = forsyth.game(name)
    kept = client.put(f"{BASE}/states", json={"text": game.start, "game": name}).json()
    assert fetch(client, "/states/{state_id}", state_id=kept["state_id"]) == kept
    refused(client.get(f"{BASE}/states/state_unknown"), 404, "HASH_UNKNOWN")
    after = post(client, "/moves", {"text": game.start, "game": name})["moves"][0]["after"]
    said = client.put(f"{BASE}/positions/{name}/initial", json={"fen_string": after}).json()
    assert said["positions"]["initial"] == after
    assert fetch(client, "/game_state", {"game": name})["game_state"]["canonical"] == after
    unknown = client.post(f"{BASE}/game_state", json={"fen_string": "state_aaaaaaaaaa", "game": name})
    refused(unknown, 404, "HASH_UNKNOWN")


@every_game
def test_the_library(client: TestClient, name: str) -> None:
    game = forsyth.game(name)
    entry = {"text": game.start, "game": name, "name": "The start", "tags": ["one", "two"], "note": "a note"}
    saved = post(client, "/library", entry)
    assert (saved["text"], saved["game"], saved["tags"]) == (game.start, name, ["one", "two"])
    assert fetch(client, "/library/{id}", id=saved["id"]) == saved
    page = fetch(client, "/library", {"game": name, "tag": "two", "q": "START"})
    assert (page["positions"], page["total"], page["next"]) == ([saved], 1, None)
    changed = client.patch(f"{BASE}/library/{saved['id']}", json={"name": "Another"}).json()
    assert (changed["name"], changed["note"]) == ("Another", "a note")
    assert client.delete(f"{BASE}/library/{saved['id']}").json() == {"success": True, "id": saved["id"]}
    for answer in (
        client.get(f"{BASE}/library/{saved['id']}"),
        client.patch(f"{BASE}/library/{saved['id']}", json={"name": "x"}),
        client.delete(f"{BASE}/library/{saved['id']}"),
    ):
        refused(answer, 404, "NOT_FOUND")


def test_each_filter_of_the_library_leaves_out_what_does_not_fit(client: TestClient) -> None:
    start = forsyth.game("azul").start
    post(client, "/library", {"text": CHESS, "game": "chess", "name": "First", "tags": ["one"]})
    post(client, "/library", {"text": start, "game": "azul", "name": "Second", "tags": ["two"]})

    def found(**params: str) -> list[str]:
        page = fetch(client, "/library", params)
        assert page["total"] == len(page["positions"])
        return [saved["name"] for saved in page["positions"]]

    assert found() == found(game="", tag="", q="", after="") == ["Second", "First"]
    assert found(game="chess") == found(tag="one") == found(q="first") == ["First"]
    assert found(game="azul") == found(tag="two") == found(q="SECOND") == ["Second"]
    assert found(game="azul", tag="one") == found(tag="two", q="first") == []


def test_what_the_library_refuses(client: TestClient) -> None:
    refused(client.post(f"{BASE}/library", json={"text": CHESS, "name": ""}), 400, "BAD_TYPE")
    refused(client.post(f"{BASE}/library", json={"text": CHESS, "name": "x" * 300}), 400, "BAD_TYPE")
    refused(client.post(f"{BASE}/library", json={"text": BROKEN, "name": "x"}), 400, "BOARD_DIGIT")
    refused(client.get(f"{BASE}/library", params={"after": "no cursor"}), 400, "BAD_TYPE")
    refused(client.get(f"{BASE}/library", params={"limit": 0}), 400, "BAD_TYPE")


def test_pages_of_the_library(client: TestClient) -> None:
    for number in range(5):
        post(client, "/library", {"text": CHESS, "name": f"Number {number}"})
    first = fetch(client, "/library", {"limit": 3})
    rest = fetch(client, "/library", {"limit": 3, "after": first["next"]})
    names = [one["name"] for one in first["positions"] + rest["positions"]]
    assert names == [f"Number {number}" for number in (4, 3, 2, 1, 0)]
    assert rest["next"] is None


def test_the_further_calls_of_the_specification(client: TestClient) -> None:
    made = post(client, "/create_game", {"player_count": 2, "seed": 7})
    assert made["fen_v2"].startswith("v2/2/o/")
    assert made["game_state"]["complete"] is True
    assert made == post(client, "/create_game", {"player_count": 2, "seed": 7})
    said = post(client, "/fen/convert", {"fen_string": made["fen_v2"], "to": "hash"})
    assert said == {"success": True, "result": made["state_id"]}
    executed = post(client, "/execute_move", {"fen_string": SEED, "move": "0B2"})
    parts = {"source": 0, "color": "B", "line": 2}
    assert post(client, "/execute_move", {"fen_string": SEED, "move": parts}) == executed
    assert executed["move_executed"] == "0B2"
    assert (executed["round_over"], executed["game_over"], executed["winners"]) == (False, False, [])
    assert executed["scores"] == [0, 0]
    refused(
        client.post(f"{BASE}/execute_move", json={"fen_string": SEED, "move": "0B9"}), 400, "ILLEGAL_MOVE"
    )
    chess = post(client, "/create_game", {"game": "chess"})
    assert (chess["fen_string"], chess["fen_v2"]) == (CHESS, None)


def test_a_whole_game_by_itself(client: TestClient) -> None:
    """With `auto` a game goes on until somebody has won; rounds end with placements and penalties."""
    text = post(client, "/create_game", {"player_count": 2, "seed": 3})["fen_v2"]
    ends = 0
    for _ in range(400):
        move = post(client, "/legal_moves", {"fen_string": text})["moves"][0]
        said = post(client, "/execute_move", {"fen_string": text, "move": move, "auto": True})
        ends += said["round_over"]
        if said["round_over"]:
            assert len(said["penalties"]) == 2
        if said["game_over"]:
            break
        text = said["new_fen_v2"]
    assert said["game_over"]
    assert said["winners"]
    assert ends >= 5


# --- refusals -------------------------------------------------------------------------------------------


def test_bodies_that_are_refused(client: TestClient) -> None:
    json_type = {"Content-Type": "application/json"}
    for path in ("/validate-fen", "/game_state", "/read"):
        url = BASE + path
        refused(client.post(url, content="{", headers=json_type), 400, "BAD_JSON")
        refused(client.post(url, content=b"\xff\xfe", headers=json_type), 400, "BAD_JSON")
        refused(client.post(url, content="[" * 60000, headers=json_type), 400, "BAD_JSON")
        refused(client.post(url, content="[]", headers=json_type), 400, "BAD_TYPE")
        refused(client.post(url, content="{}", headers=json_type), 400, "MISSING_FIELD")
        refused(client.post(url, content="fen_string=x"), 415, "UNSUPPORTED_MEDIA")
        refused(
            client.post(url, content="{}", headers={"Content-Type": "text/plain"}), 415, "UNSUPPORTED_MEDIA"
        )
        big = json.dumps({"fen_string": "8" * 70000})
        refused(client.post(url, content=big, headers=json_type), 413, "TOO_LARGE")
    # The place of a mistake is a field, not the name of a type that was tried.
    listed = client.post(f"{BASE}/execute_move", json={"fen_string": SEED, "move": ["x"]})
    assert refused(listed, 400, "BAD_TYPE")["error"] == "move: it should be a valid string"
    for value in (None, 1, ["x"], {"a": 1}):
        refused(client.post(f"{BASE}/validate-fen", json={"fen_string": value}), 400, "BAD_TYPE")
        refused(client.post(f"{BASE}/game_state", json={"fen_string": value}), 400, "BAD_TYPE")
    surrogate = '{"fen_string": "\\ud800"}'
    for path in ("/validate-fen", "/read"):
        assert client.post(BASE + path, content=surrogate, headers=json_type).status_code in (200, 400)


def test_paths_and_methods_that_do_not_exist(client: TestClient) -> None:
    refused(client.get("/api/v1/nothing"), 404, "NOT_FOUND")
    refused(client.get("/api/v2/games"), 404, "NOT_FOUND")
    refused(client.get("/assets/../settings.py"), 404, "NOT_FOUND")
    refused(client.get("/assets/nothing.js"), 404, "NOT_FOUND")
    for method, path, allowed in (
        ("GET", "/validate-fen", "POST"),
        ("DELETE", "/read", "POST"),
        ("POST", "/games", "GET"),
    ):
        answer = client.request(method, BASE + path)
        refused(answer, 405, "METHOD_NOT_ALLOWED")
        assert allowed in answer.headers["allow"]


def test_games_and_variants_that_do_not_exist(client: TestClient) -> None:
    refused(client.post(f"{BASE}/read", json={"text": CHESS, "game": "go"}), 400, "UNKNOWN_GAME")
    refused(client.post(f"{BASE}/read", json={"text": CHESS, "variant": "x"}), 400, "UNKNOWN_VARIANT")
    refused(client.post(f"{BASE}/read", json={"text": CHESS, "profile": "x"}), 400, "UNKNOWN_PROFILE")
    refused(client.get(f"{BASE}/games/go"), 404, "UNKNOWN_GAME")
    refused(client.post(f"{BASE}/games/go/new", json={}), 404, "UNKNOWN_GAME")
    refused(client.get(f"{BASE}/positions/go"), 404, "UNKNOWN_GAME")
    refused(client.post(f"{BASE}/match", json={"game": "go"}), 400, "UNKNOWN_GAME")
    refused(client.post(f"{BASE}/convert", json={"text": CHESS, "to": "x"}), 400, "NOT_EXPRESSIBLE")


class BrokenStore(MemoryStore):
    """A store that fails in a way nobody foresaw."""

    def entry(self, id: str) -> Any:
        raise RuntimeError("secret words")


def test_the_unforeseen_is_answered_without_a_word_of_it() -> None:
    with TestClient(
        create_app(Settings(), BrokenStore()), "http://localhost", raise_server_exceptions=False
    ) as client:
        answer = client.get(f"{BASE}/states/state_abcdef")
        refused(answer, 500, "INTERNAL")
        assert "secret" not in answer.text
        assert answer.headers["content-security-policy"] == CSP


def test_a_closed_store_is_said_to_be_unavailable() -> None:
    store = MemoryStore()
    with made(store) as client:
        store.close()
        refused(client.get(f"{BASE}/states/state_abcdef"), 503, "STORE_UNAVAILABLE")


def test_a_store_is_opened_and_closed_with_the_application(tmp_path: Any) -> None:
    path = str(tmp_path / "positions.sqlite")
    with TestClient(create_app(Settings(store=path)), "http://localhost") as client:
        kept = client.put(f"{BASE}/states", json={"text": CHESS}).json()
    with open_store(path) as store:
        assert store.get(kept["state_id"]) == CHESS


# --- safety ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/docs", "/openapi.json", "/nothing", "/api/v1/games"])
def test_every_answer_has_the_security_headers(client: TestClient, path: str) -> None:
    headers = client.get(path, headers={"Origin": "https://elsewhere.example"}).headers
    assert headers["content-security-policy"] == CSP
    assert "script-src 'self';" in CSP
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers


def test_other_origins_only_where_they_are_named() -> None:
    origin = "https://page.example"
    with made(cors=(origin,)) as client:
        answer = client.get(f"{BASE}/games", headers={"Origin": origin})
        assert answer.headers["access-control-allow-origin"] == origin
        other = client.get(f"{BASE}/games", headers={"Origin": "https://elsewhere.example"})
        assert "access-control-allow-origin" not in other.headers
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        assert client.options(f"{BASE}/read", headers=asked).status_code == 200


def test_an_api_key_for_what_changes_the_store() -> None:
    with made(api_key="secret") as client:
        body = {"text": CHESS, "name": "x"}
        calls = [
            ("POST", "/library"),
            ("PATCH", "/library/x"),
            ("DELETE", "/library/x"),
            ("PUT", "/states"),
            ("PUT", "/positions/chess/initial"),
        ]
        for method, path in calls:
            answer = client.request(method, BASE + path, json=body)
            refused(answer, 401, "UNAUTHORIZED")
            assert answer.headers["www-authenticate"] == "Bearer"
            wrong = client.request(method, BASE + path, json=body, headers={"X-API-Key": "wrong"})
            assert wrong.status_code == 401
        state = post(client, "/game_state", {"fen_string": CHESS})["game_state"]
        refused(client.get(f"{BASE}/states/{state['state_id']}"), 404, "HASH_UNKNOWN")
        for headers in ({"X-API-Key": "secret"}, {"Authorization": "Bearer secret"}):
            assert client.post(f"{BASE}/library", json=body, headers=headers).status_code == 200


def test_a_rate_limit() -> None:
    with made(rate_limit=3) as client:
        statuses = [client.get(f"{BASE}/healthz").status_code for _ in range(3)]
        assert statuses == [200] * 3
        answer = client.get(f"{BASE}/healthz")
        refused(answer, 429, "RATE_LIMITED")
        assert int(answer.headers["retry-after"]) >= 1


# --- operations and the page ----------------------------------------------------------------------------


def test_health_version_and_metrics(client: TestClient) -> None:
    version = forsyth.build_info()["version"]
    assert client.get("/healthz").json() == {"status": "healthy", "version": version}
    assert fetch(client, "/version")["games"] == list(GAMES)
    post(client, "/validate-fen", {"fen_string": CHESS})
    client.get("/nothing/at/all")
    answer = client.get("/metrics")
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, "text/plain")
    text = answer.text
    assert 'forsyth_requests_total{method="POST",route="/api/v1/validate-fen",status="200"} 1' in text
    assert 'route="unmatched",status="404"' in text
    assert 'le="+Inf"' in text
    assert "nothing/at/all" not in text


def test_metrics_as_prometheus_reads_them() -> None:
    found = Metrics()
    assert "bucket" not in found.format_metrics("1.0")
    found.in_flight = 2
    found.count_request("GET", "/a", 200, 0.001)
    found.count_request("GET", "/a", 200, 0.0011)
    found.count_request("BREW", "/a", 418, 99.0)
    lines = found.format_metrics("1.0").splitlines()
    assert {line.split()[2] for line in lines if line[0] == "#"} == {
        "forsyth_info",
        "forsyth_requests_in_flight",
        "forsyth_requests_total",
        "forsyth_request_seconds",
    }
    upto = (
        [
            "0.001",
            "0.0025",
            "0.005",
            "0.01",
            "0.025",
            "0.05",
            "0.1",
            "0.25",
            "0.5",
            "1.0",
            "2.5",
            "10.0",
            "+Inf",
        ],
        [1, *[2] * 11, 3],
    )
    assert [line for line in lines if line[0] != "#"] == [
        'forsyth_info{version="1.0"} 1',
        "forsyth_requests_in_flight 2",
        'forsyth_requests_total{method="GET",route="/a",status="200"} 2',
        'forsyth_requests_total{method="OTHER",route="/a",status="418"} 1',
        *(
            f'forsyth_request_seconds_bucket{{route="/a",le="{bound}"}} {number}'
            for bound, number in zip(*upto, strict=True)
        ),
        'forsyth_request_seconds_sum{route="/a"} 99.002100',
        'forsyth_request_seconds_count{route="/a"} 3',
    ]


def test_the_description_names_every_call_and_every_refusal(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    assert {"/api/v1/validate-fen", "/api/v1/read", "/api/v1/batch/check"} <= set(described["paths"])
    text = json.dumps(described)
    assert "HTTPValidationError" not in text
    assert '"422"' not in text
    for path, calls in described["paths"].items():
        for call in calls.values():
            assert call["summary"], path
            assert call["description"], path
            assert "400" in call["responses"], path
            assert call["responses"]["200"]["content"], path
            body = call.get("requestBody", {}).get("content", {})
            if "application/json" in body:
                schema = body["application/json"]["schema"]
                named = described["components"]["schemas"].get(
                    schema.get("$ref", "").rpartition("/")[2], schema
                )
                assert "examples" in named or path == "/api/v1/game_state", path


def test_the_examples_of_the_description_are_taken(client: TestClient) -> None:
    schemas = described()["components"]["schemas"]
    taken = 0
    for path, calls in described()["paths"].items():
        for method in calls.keys() - {"get", "patch", "delete"}:
            body = calls[method].get("requestBody", {}).get("content", {}).get("application/json", {})
            named = schemas.get(body.get("schema", {}).get("$ref", "").rpartition("/")[2], {})
            for example in named.get("examples", ()):
                answer = client.request(method, path.format(game="azul"), json=example)
                assert answer.is_success, (path, example, answer.text)
                taken += 1
    assert taken >= 15


def test_the_description_is_shown_from_our_own_files(client: TestClient) -> None:
    page = client.get("/docs").text
    assert "http://" not in page
    assert "https://" not in page
    for name, kind in (
        ("swagger-ui-bundle.js", "text/javascript"),
        ("swagger-ui.css", "text/css"),
        ("start.js", "text/javascript"),
        ("favicon-32x32.png", "image/png"),
    ):
        assert f"/docs/{name}" in page
        answer = client.get(f"/docs/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(kind)
    refused(client.get("/docs/__init__.py"), 404, "NOT_FOUND")


@pytest.mark.parametrize("path", ["/", "/play", "/edit", "/library", "/p/fenz_abc", f"/p/{CHESS}"])
def test_the_page_is_one_for_all_its_addresses(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


def test_assets_are_kept_for_a_year(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index-abc123.js").write_text("export {}\n", encoding="utf-8")
    (tmp_path / "index.html").write_text("<!doctype html><p>here", encoding="utf-8")
    (tmp_path / "icon.svg").write_text("<svg/>", encoding="utf-8")
    monkeypatch.setattr("forsyth.server.routes.pages.STATIC", tmp_path)
    with made() as client:
        asset = client.get("/assets/index-abc123.js")
        assert asset.headers["content-type"] == "text/javascript; charset=utf-8"
        assert "immutable" in asset.headers["cache-control"]
        assert client.get("/play").text == "<!doctype html><p>here"
        assert client.get("/icon.svg").headers["content-type"].startswith("image/svg+xml")
        refused(client.get("/other.svg"), 404, "NOT_FOUND")
        refused(client.get("/index.py"), 404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        ("css", "text/css; charset=utf-8"),
        ("html", "text/html; charset=utf-8"),
        ("ico", "image/x-icon"),
        ("js", "text/javascript; charset=utf-8"),
        ("json", "application/json"),
        ("png", "image/png"),
        ("svg", "image/svg+xml"),
        ("txt", "text/plain; charset=utf-8"),
        ("webmanifest", "application/manifest+json"),
        ("woff2", "font/woff2"),
    ],
)
def test_files_beside_the_page_have_their_kind_and_are_kept_for_a_day(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, ending: str, kind: str
) -> None:
    (tmp_path / "assets").mkdir()
    for path in (tmp_path / f"a.{ending}", tmp_path / "assets" / f"a.{ending}"):
        path.write_bytes(b"here")
    monkeypatch.setattr("forsyth.server.routes.pages.STATIC", tmp_path)
    with made() as client:
        for address, keep in (
            ("/", "public, max-age=86400"),
            ("/assets/", "public, max-age=31536000, immutable"),
        ):
            found = client.get(f"{address}a.{ending}")
            assert (found.status_code, found.content) == (200, b"here")
            assert (found.headers["content-type"], found.headers["cache-control"]) == (kind, keep)


def test_a_page_that_is_not_built_says_so(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forsyth.server.routes.pages.STATIC", tmp_path)
    with made() as client:
        assert "does not contain the web page" in client.get("/").text


def test_settings_go_through_the_environment() -> None:
    settings = Settings(port=9, store="x", api_key="k", cors=("https://a", "https://b"), time_limit=2.5)
    assert Settings.from_environment(settings.to_environment()) == settings
    assert Settings.from_environment({}) == Settings()
    with pytest.raises(ValueError, match="FORSYTH_PORT is 'x', expected an integer"):
        Settings.from_environment({"FORSYTH_PORT": "x"})
    with pytest.raises(ValueError, match="expected at most 65535"):
        Settings(port=70000)


@pytest.mark.parametrize(
    ("name", "lowest", "below"),
    [
        ("port", 0, -1),
        ("workers", 1, 0),
        ("rate_limit", 0, -1),
        ("body_limit", 1024, 1023),
        ("time_limit", 0.1, 0.09),
        ("line_limit", 1024, 1023),
        ("head_limit", 1024, 1023),
        ("head_time", 0.1, 0.09),
        ("connections", 1, 0),
        ("computing", 1, 0),
        ("waiting", 0, -1),
    ],
)
def test_the_bounds_of_a_setting(name: str, lowest: float, below: float) -> None:
    assert getattr(Settings(**cast(Any, {name: lowest})), name) == lowest
    variable = {f"FORSYTH_{name.upper()}": str(lowest)}
    assert getattr(Settings.from_environment(variable), name) == lowest
    with pytest.raises(ValueError, match=f"{name} is {below}, expected {lowest} or more"):
        Settings(**cast(Any, {name: below}))
    with pytest.raises(TypeError, match=f"{name} is of type str, expected "):
        Settings(**cast(Any, {name: "9"}))


def test_the_bounds_of_a_port_and_of_seconds() -> None:
    assert Settings(port=65535).port == 65535
    with pytest.raises(ValueError, match="port is 65536, expected at most 65535"):
        Settings(port=65536)
    for name in ("time_limit", "head_time"):
        assert getattr(Settings(**cast(Any, {name: 10**6})), name) == 10**6
        for value in (float("inf"), float("nan")):
            with pytest.raises(ValueError, match=f"{name} is {value}, expected 0.1 or more"):
                Settings(**cast(Any, {name: value}))
    for name in ("workers", "connections", "computing", "waiting", "body_limit"):
        with pytest.raises(TypeError, match="expected a whole number"):
            Settings(**cast(Any, {name: 2000.5}))
        with pytest.raises(TypeError):
            Settings(**cast(Any, {name: None}))
    assert Settings(rate_limit=None).rate_limit is None


def test_every_code_of_a_request_has_a_title() -> None:
    assert all(title[0].isupper() and code.isupper() for code, title in TITLES.items())


# --- odd requests ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("odd", ["a" * 300, "%00", "..", "%2e%2e%2fsettings", "%ed%a0%80", "%ff", "a" * 9000])
def test_names_that_no_file_and_no_entry_can_have(client: TestClient, odd: str) -> None:
    for path in (
        f"/{odd}.html",
        f"/{odd}",
        f"/assets/{odd}.js",
        f"/docs/{odd}",
        f"{BASE}/states/{odd}",
        f"{BASE}/library/{odd}",
        f"{BASE}/games/{odd}",
        f"{BASE}/positions/{odd}",
    ):
        answer = client.get(path)
        # Some of them are another path before they are sent.
        assert answer.status_code in (200, 404), path
    for path in (
        f"{BASE}/library?q={odd}&tag={odd}&after={odd}",
        f"{BASE}/draw.svg?text={odd}",
        f"{BASE}/draw/{odd}.svg",
        f"{BASE}/game_state?fen_string={odd}&game={odd}",
        f"{BASE}/draw.svg?text=start&game=chess&variant={odd}",
    ):
        assert client.get(path).status_code in (400, 404), path


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_not_json(client: TestClient, number: str) -> None:
    json_type = {"Content-Type": "application/json"}
    for method, path in (("POST", "/validate-fen"), ("POST", "/read"), ("PUT", "/game_state")):
        for body in (
            f'{{"text": "start", "fen_string": "start", "game_state": {{}}, "other": {number}}}',
            f'{{"text": {number}, "fen_string": {number}, "game_state": {{"game": {number}}}}}',
        ):
            answer = client.request(method, BASE + path, content=body, headers=json_type)
            refused(answer, 400, "BAD_JSON")
    assert post(client, "/validate-fen", {"fen_string": number})["valid"] is False
    line = client.post(f"{BASE}/batch/check", content=f'{{"text": "{CHESS}", "x": {number}}}').json()
    assert line["diagnostics"][0]["message"] == "the line is not JSON"


def test_an_answer_never_holds_what_is_no_number() -> None:
    for number in (float("nan"), float("inf"), float("-inf")):
        with pytest.raises(ValueError, match="not JSON compliant"):
            encode_json({"x": [number]})


def test_the_route_of_validation_answers_without_what_stands_before_it(client: TestClient) -> None:
    app = FastAPI()
    app.include_router(validate.routes)
    app.state.store, app.state.settings = MemoryStore(), Settings()
    asked = {"fen_string": CHESS}
    with TestClient(app, "http://localhost") as bare:
        answer = bare.post(validate.PATH, json=asked)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.content == client.post(validate.PATH, json=asked).content


def test_a_worker_finds_its_settings_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in Settings(api_key="k", rate_limit=7, store=":memory:").to_environment().items():
        monkeypatch.setenv(name, value)
    settings = create_app_from_environment().state.settings
    assert (settings.api_key, settings.rate_limit, settings.store_location) == ("k", 7, ":memory:")


def test_a_game_that_cannot_be_dealt_is_refused_in_its_words() -> None:
    class Undealt:
        name = "chess"

        def new_game(self, seed: int | None) -> None:
            raise ValueError(f"no game has the seed {seed}")

    game: Any = Undealt()
    for start in (None, 0):
        with pytest.raises(Problem) as caught:
            make_first_position(game, 5, start)
        found = caught.value
        expected = (400, "NOT_EXPRESSIBLE", "no game has the seed 5")
        assert (found.status_code, found.code, found.detail) == expected
