"""The argument `profile` of the HTTP service: wherever a text is read, it chooses who reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from forsyth.server import Settings, create_app
from forsyth.store import MemoryStore

BASE = "/api/v1"
BOARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
SHORT = f"{BOARD[:-1]} w KQkq - 0 1"
"""Read by the document only: the last rank is short."""
LATE = f"{BOARD} w KQkq - 101 90"
"""Refused by the document only: its clock ends at 100."""
SENTENCE = "Error in FEN Part 5: Half-move clock"

Call = tuple[str, str, dict[str, Any]]

BODIES: tuple[Call, ...] = (
    ("POST", "/forms", {"text": "?"}),
    ("POST", "/play", {"text": "?", "move": "e4"}),
    ("POST", "/edit", {"text": "?"}),
    ("POST", "/match", {"start": "?", "game": "chess"}),
    ("POST", "/record/write", {"start": "?", "game": "chess", "moves": ["e4"]}),
    ("POST", "/games/chess/new", {"start": "?"}),
    ("POST", "/game_state", {"fen_string": "?"}),
    ("POST", "/legal_moves", {"fen_string": "?"}),
    ("POST", "/execute_move", {"fen_string": "?", "move": "e4"}),
    ("POST", "/fen/convert", {"fen_string": "?", "to": "canonical"}),
    ("PUT", "/states", {"text": "?"}),
    ("PUT", "/positions/chess/initial", {"fen_string": "?"}),
    ("POST", "/library", {"text": "?", "name": "A"}),
)
"""Calls that refuse a text that is no position."""

ANSWERED: tuple[Call, ...] = (
    ("POST", "/read", {"text": "?"}),
    ("POST", "/fix", {"text": "?"}),
    ("POST", "/convert", {"text": "?", "to": "canonical"}),
    ("POST", "/moves", {"text": "?"}),
    ("POST", "/validate-fen", {"fen_string": "?"}),
)
"""Calls that answer about any text."""

QUERIES: tuple[Call, ...] = (
    ("GET", "/draw.svg", {"text": "?"}),
    ("GET", "/draw.png", {"text": "?"}),
    ("GET", "/game_state", {"fen_string": "?"}),
)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app = create_app(Settings(), MemoryStore())
    with TestClient(app, base_url="http://localhost") as found:
        yield found


def ask(client: TestClient, call: Call, text: str, **more: str) -> Any:
    method, path, shape = call
    given = {name: text if value == "?" else value for name, value in shape.items()} | more
    if method == "GET":
        return client.get(BASE + path, params=given)
    return client.request(method, BASE + path, json=given)


def name_of(call: Call) -> str:
    return f"{call[0]} {call[1]}"


@pytest.mark.parametrize("call", BODIES + QUERIES, ids=name_of)
def test_what_only_the_document_accepts_and_what_only_it_refuses(client: TestClient, call: Call) -> None:
    assert ask(client, call, SHORT, profile="seed").status_code == 200
    assert ask(client, call, SHORT, game="chess").status_code == 400
    refused = ask(client, call, LATE, profile="seed")
    assert (refused.status_code, refused.json()["code"], refused.json()["error"]) == (
        400,
        "HALF_VALUE",
        SENTENCE,
    )
    assert ask(client, call, LATE).status_code == 200


@pytest.mark.parametrize("call", ANSWERED, ids=name_of)
def test_what_a_call_says_about_any_text(client: TestClient, call: Call) -> None:
    def ok(text: str, **more: str) -> bool:
        said = ask(client, call, text, **more).json()
        return bool(said.get("ok", said.get("valid")))

    assert (ok(SHORT, profile="seed"), ok(LATE, profile="seed")) == (True, False)
    assert (ok(SHORT), ok(LATE)) == (False, True)


@pytest.mark.parametrize("call", BODIES + ANSWERED + QUERIES, ids=name_of)
def test_a_profile_that_does_not_exist(client: TestClient, call: Call) -> None:
    refused = ask(client, call, SHORT, profile="sead")
    assert (refused.status_code, refused.json()["code"]) == (400, "UNKNOWN_PROFILE")
    if "/chess/" not in call[1]:
        refused = ask(client, call, SHORT, profile="seed", game="azul")
        assert (refused.status_code, refused.json()["code"]) == (400, "UNKNOWN_PROFILE")


def test_the_batch(client: TestClient) -> None:
    lines = "\n".join(map(json.dumps, (SHORT, LATE)))

    def verdicts(query: str) -> list[bool]:
        answer = client.post(f"{BASE}/batch/check{query}", content=lines)
        return [json.loads(line)["ok"] for line in answer.text.splitlines()]

    assert verdicts("?profile=seed") == verdicts("?profile=seed&variant=standard") == [True, False]
    assert verdicts("") == [False, True]
    refused = client.post(f"{BASE}/batch/check?profile=sead", content=lines)
    assert (refused.status_code, refused.json()["code"]) == (400, "UNKNOWN_PROFILE")


def test_many_texts_of_one_request(client: TestClient) -> None:
    body = {"fen_strings": [SHORT, LATE, f"{BOARD} w KQkq - 0 1 "], "profile": "seed"}
    results = client.post(f"{BASE}/validate-fen", json=body).json()["results"]
    assert [one["valid"] for one in results] == [True, False, False]
    assert results[1]["error"] == SENTENCE


def test_a_drawing_whose_text_is_in_the_path(client: TestClient) -> None:
    path = f"{BASE}/draw/{SHORT.replace(' ', '_')}.svg"
    assert client.get(path, params={"profile": "seed"}).status_code == 200
    assert client.get(path, params={"game": "chess"}).status_code == 400


def test_the_start_of_a_record(client: TestClient) -> None:
    def said(text: str, **more: str) -> Any:
        record = f'[FEN "{text}"]\n\n1. e4 *'
        return client.post(f"{BASE}/record/read", json={"record": record, **more}).json()

    assert (said(SHORT, profile="seed")["ok"], said(SHORT, game="chess")["ok"]) == (True, False)
    assert said(SHORT, profile="seed")["start"] == f"{BOARD[:-1]}1 w KQkq - 0 1"
    assert said(SHORT, profile="sead")["code"] == "UNKNOWN_PROFILE"
    other = '[Variant "Fischer Random"]\n\n1. e4 *'
    found = client.post(f"{BASE}/record/read", json={"record": other, "profile": "seed"}).json()
    assert [one["code"] for one in found["diagnostics"]] == ["record.variant"]


def test_the_document_is_given_white_space_as_it_is(client: TestClient) -> None:
    for text, ok in ((f"{BOARD} w KQkq - 0 1 ", False), (" w KQkq - 0 1", True)):
        read = client.post(f"{BASE}/read", json={"text": text, "profile": "seed"}).json()
        assert (read["text"], read["ok"]) == (text, ok)
        valid = client.post(f"{BASE}/validate-fen", json={"fen_string": text, "profile": "seed"}).json()
        assert valid["valid"] is ok
    assert client.post(f"{BASE}/read", json={"text": f" {LATE} "}).json()["ok"]


@pytest.mark.parametrize("variant", ["chess960", "crazyhouse", "3check"])
def test_the_document_knows_standard_chess_only(client: TestClient, variant: str) -> None:
    choice = {"game": "chess", "variant": variant, "profile": "seed"}
    new = {name: value for name, value in choice.items() if name != "game"}
    for path, body in (("/match", choice), ("/games/chess/new", new)):
        refused = client.post(BASE + path, json=body)
        assert (refused.status_code, refused.json()["code"]) == (400, "UNKNOWN_VARIANT")
        assert refused.json()["error"].endswith("choose one of standard")
    assert client.post(f"{BASE}/match", json={**choice, "variant": "auto", "start": SHORT}).status_code == 200


def test_every_call_that_takes_a_variant_takes_a_profile(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    schemas = described["components"]["schemas"]
    takes: dict[str, set[str]] = {}
    for path, calls in described["paths"].items():
        for method, call in calls.items():
            content = call.get("requestBody", {}).get("content", {})
            body = content.get("application/json", {}).get("schema", {})
            shape = schemas[body["$ref"].rpartition("/")[2]] if "$ref" in body else body
            named = {one["name"] for one in call.get("parameters", ())}
            takes[f"{method.upper()} {path}"] = named | set(shape.get("properties", ()))
    texts = {"variant", "fen_string", "text", "record"}
    with_texts = {call for call, fields in takes.items() if fields & texts}
    # This one shows a game and reads nothing.
    with_texts -= {f"GET {BASE}/games/{{game}}"}
    # An index holds one game in one variant, read as it was made.
    with_texts -= {f"GET {BASE}/explore"}
    assert len(with_texts) > 20
    assert {call for call in with_texts if "profile" not in takes[call]} == set()
