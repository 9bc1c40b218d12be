"""What requests may hold, to the last value allowed and the first refused, and how a refusal names it."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError
from starlette.testclient import TestClient
from tests.server.test_server import BASE, CHESS, SEED, client, made, post, refused

from forsyth.limits import MAX_MOVE_TEXT, MAX_NAME, MAX_NOTE, MAX_PAGE, MAX_TAG, MAX_TAGS
from forsyth.server import request_models as models
from forsyth.server.bounds.middleware import SECURITY_HEADERS
from forsyth.server.metrics import Metrics
from forsyth.server.problems import make_text_problem, to_problem
from forsyth.store import MemoryStore

__all__ = ["client"]

TEXT = {"text": CHESS}
FEN = {"fen_string": SEED}
GAME = {"game": "chess"}


# --- the sentence of a refusal --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body", "code", "detail"),
    [
        ("/read", {}, "MISSING_FIELD", "text is missing; add it to the request"),
        ("/read", {"text": 5}, "BAD_TYPE", "text: it should be a valid string"),
        (
            "/read",
            [],
            "BAD_TYPE",
            "the body: it should be a valid dictionary or object to extract fields from",
        ),
        ("/match", {**GAME, "moves": ["e4", 5]}, "BAD_TYPE", "moves.1: it should be a valid string"),
        ("/match", {**GAME, "at": -1}, "BAD_TYPE", "at: it should be greater than or equal to 0"),
        (
            "/edit",
            {**TEXT, "put": {"symbol": None}},
            "MISSING_FIELD",
            "put.square is missing; add it to the request",
        ),
        (
            "/edit",
            {**TEXT, "move": {"from": "e2"}},
            "MISSING_FIELD",
            "move.to is missing; add it to the request",
        ),
        ("/read", {**TEXT, "mode": "x"}, "BAD_TYPE", "mode: it should be 'strict', 'default' or 'lenient'"),
        (
            "/validate-fen",
            {"fen_strings": ["x", 5]},
            "BAD_TYPE",
            "fen_strings.1: it should be a valid string",
        ),
        ("/validate-fen", {"fen_string": None}, "BAD_TYPE", "fen_string is null, expected text"),
        ("/validate-fen", {}, "MISSING_FIELD", "fen_string is missing; add it to the request"),
        (
            "/validate-fen",
            {**FEN, "level": "x"},
            "BAD_TYPE",
            "level: it should be 'format', 'content' or 'strict'",
        ),
    ],
)
def test_a_refusal_names_the_field(client: TestClient, path: str, body: Any, code: str, detail: str) -> None:
    assert refused(client.post(BASE + path, json=body), 400, code)["detail"] == detail


def test_a_refusal_names_the_part_of_an_address(client: TestClient) -> None:
    limit = refused(client.get(f"{BASE}/library", params={"limit": 0}), 400, "BAD_TYPE")
    assert limit["detail"] == "limit: it should be greater than or equal to 1"
    assert (
        refused(client.get(f"{BASE}/draw.svg"), 400, "MISSING_FIELD")["detail"]
        == "text is missing; add it to the request"
    )
    empty = client.post(f"{BASE}/read", headers={"Content-Type": "application/json"})
    assert refused(empty, 400, "MISSING_FIELD")["detail"] == "the body is missing; add it to the request"


def test_a_refusal_of_a_type_names_what_was_found(client: TestClient) -> None:
    none = client.post(f"{BASE}/read", content="{}")
    expected = "the request has no content type, expected application/json"
    assert refused(none, 415, "UNSUPPORTED_MEDIA")["detail"] == expected
    text = client.post(f"{BASE}/read", content="{}", headers={"Content-Type": "Text/Plain; charset=utf-8"})
    said = refused(text, 415, "UNSUPPORTED_MEDIA")["detail"]
    assert said == "the content type is 'text/plain', expected application/json"
    for kind in ("application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.x+json"):
        assert client.post(f"{BASE}/read", content='{"text": "x"}', headers={"Content-Type": kind}).is_success
    for kind in ("text/x+json", "application/jsonx", "json"):
        answer = client.post(f"{BASE}/read", content='{"text": "x"}', headers={"Content-Type": kind})
        refused(answer, 415, "UNSUPPORTED_MEDIA")


def test_a_text_that_is_refused_brings_all_its_findings(client: TestClient) -> None:
    two = "4k3/8/8/8/8/8/8/8 w - - 0 1"
    said = refused(client.post(f"{BASE}/play", json={"text": two, "move": "e4"}), 400, "KING_MISSING")
    found = said["diagnostics"]
    assert [one["code"] for one in found] == ["king.missing"]
    assert said["errors"] == [{**found[0], "code": "KING_MISSING", "component": "board"}]
    assert said["title"] == "The text is not a valid position"


def test_findings_without_an_error_are_shown_all_the_same() -> None:
    import forsyth

    read = forsyth.check(SEED)
    assert read.ok
    assert [one["code"] for one in make_text_problem(read).errors] == [
        d.code_in_capitals for d in read.diagnostics
    ]
    assert make_text_problem(read).status_code == 400


def test_what_was_not_foreseen_is_named_by_its_status() -> None:
    from starlette.exceptions import HTTPException

    codes = {
        400: "BAD_JSON",
        404: "NOT_FOUND",
        405: "METHOD_NOT_ALLOWED",
        413: "TOO_LARGE",
        418: "BAD_REQUEST",
    }
    for status, code in codes.items():
        problem = to_problem(HTTPException(status, headers={"X": "y"}))
        assert (problem.status_code, problem.code, problem.headers) == (status, code, {"X": "y"})
        assert problem.detail


# --- types ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "given"),
    [
        (models.ReadRequest, {**TEXT, "flip": 1}),
        (models.ReadRequest, {**TEXT, "flip": "true"}),
        (models.ReadRequest, {**TEXT, "marks": 0}),
        (models.ReadRequest, {**TEXT, "game": 5}),
        (models.TextRequest, {"text": b"x"}),
        (models.TextRequest, {**TEXT, "variant": 960}),
        (models.FenRequest, {"fen_string": b"x"}),
        (models.ValidateRequest, {"fen_string": b"x"}),
        (models.ValidateRequest, {"fen_strings": ("x",)}),
        (models.FixRequest, {**TEXT, "least": True}),
        (models.ConvertRequest, {**TEXT, "to": 5}),
        (models.FenConvertRequest, {**FEN, "to": None}),
        (models.PlayRequest, {**TEXT, "move": 4}),
        (models.MatchRequest, {**GAME, "at": "1"}),
        (models.MatchRequest, {**GAME, "at": 1.0}),
        (models.MatchRequest, {**GAME, "at": True}),
        (models.RecordRequest, {"record": b"x"}),
        (models.RecordWriteRequest, {**GAME, "tags": {"White": 1}}),
        (models.RecordWriteRequest, {**GAME, "result": 1}),
        (models.PutPiece, {"square": 1, "symbol": "Q"}),
        (models.MovePiece, {"from": "e2", "to": 4}),
        (models.SetField, {"name": "turn", "value": 1.5}),
        (models.EditRequest, {**TEXT, "flip": "no"}),
        (models.NewRequest, {"seed": "7"}),
        (models.NewRequest, {"players": "2"}),
        (models.CreateRequest, {"player_count": 2.0}),
        (models.CreateRequest, {"game": None}),
        (models.MoveParts, {"source": 1.5, "color": "B", "line": 2}),
        (models.ExecuteRequest, {**FEN, "move": "0B2", "auto": 1}),
        (models.SaveRequest, {**TEXT, "name": 5}),
        (models.SaveRequest, {**TEXT, "name": "x", "tags": ("a",)}),
        (models.ChangeRequest, {"note": 5}),
        (models.StateData, {"game_state": []}),
    ],
)
def test_types_are_taken_at_their_word(model: type[models.Request], given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(given)


# --- bounds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "given", "name", "last", "first"),
    [
        (models.ValidateRequest, {}, "fen_strings", ["x"] * 1000, ["x"] * 1001),
        (models.MatchRequest, GAME, "moves", ["e4"] * 5000, ["e4"] * 5001),
        (models.MatchRequest, GAME, "moves", ["x" * MAX_MOVE_TEXT], ["x" * (MAX_MOVE_TEXT + 1)]),
        (models.MatchRequest, GAME, "move", "x" * MAX_MOVE_TEXT, "x" * (MAX_MOVE_TEXT + 1)),
        (models.MatchRequest, GAME, "at", 0, -1),
        (models.RecordWriteRequest, GAME, "moves", ["e4"] * 5000, ["e4"] * 5001),
        (
            models.RecordWriteRequest,
            GAME,
            "tags",
            {str(n): "x" for n in range(64)},
            {str(n): "x" for n in range(65)},
        ),
        (models.PlayRequest, TEXT, "move", "x" * MAX_MOVE_TEXT, "x" * (MAX_MOVE_TEXT + 1)),
        (models.NewRequest, {}, "seed", 2**63 - 1, 2**63),
        (models.NewRequest, {}, "seed", 0, -1),
        (models.CreateRequest, {}, "seed", 2**63 - 1, 2**63),
        (models.CreateRequest, {}, "seed", 0, -1),
        (models.ExecuteRequest, {**FEN, "move": "x"}, "draw", ["x"] * 16, ["x"] * 17),
        (models.ExecuteRequest, FEN, "move", "x" * MAX_MOVE_TEXT, "x" * (MAX_MOVE_TEXT + 1)),
        (models.SaveRequest, TEXT, "name", "x" * MAX_NAME, "x" * (MAX_NAME + 1)),
        (models.SaveRequest, {**TEXT, "name": "x"}, "tags", ["x"] * MAX_TAGS, ["x"] * (MAX_TAGS + 1)),
        (models.SaveRequest, {**TEXT, "name": "x"}, "tags", ["x" * MAX_TAG], ["x" * (MAX_TAG + 1)]),
        (models.SaveRequest, {**TEXT, "name": "x"}, "note", "x" * MAX_NOTE, "x" * (MAX_NOTE + 1)),
        (models.ChangeRequest, {}, "name", "x" * MAX_NAME, "x" * (MAX_NAME + 1)),
        (models.ChangeRequest, {}, "tags", ["x"] * MAX_TAGS, ["x"] * (MAX_TAGS + 1)),
        (models.ChangeRequest, {}, "tags", ["x" * MAX_TAG], ["x" * (MAX_TAG + 1)]),
        (models.ChangeRequest, {}, "note", "x" * MAX_NOTE, "x" * (MAX_NOTE + 1)),
    ],
)
def test_the_last_that_is_allowed_and_the_first_that_is_not(
    model: type[models.Request], given: dict[str, Any], name: str, last: Any, first: Any
) -> None:
    assert getattr(model.model_validate({**given, name: last}), name) == last
    with pytest.raises(ValidationError):
        model.model_validate({**given, name: first})


def test_bounds_of_an_address(client: TestClient) -> None:
    for size, status in ((15, 400), (16, 200), (2048, 200), (2049, 400)):
        query: dict[str, str | int] = {"text": CHESS, "size": size}
        assert client.get(f"{BASE}/draw.svg", params=query).status_code == status, size
    for limit, status in ((0, 400), (1, 200), (MAX_PAGE, 200), (MAX_PAGE + 1, 400)):
        assert client.get(f"{BASE}/library", params={"limit": limit}).status_code == status, limit


# --- what is answered when little is asked --------------------------------------------------------------


def test_defaults(client: TestClient) -> None:
    assert post(client, "/validate-fen", FEN)["level"] == "content"
    illegal = {"text": "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"}
    assert 'data-mark="error"' in post(client, "/read", illegal)["position"]["svg"]
    assert 'data-mark="error"' not in post(client, "/read", {**illegal, "marks": False})["position"]["svg"]
    plain, turned = (
        post(client, "/read", {**TEXT, "flip": flip})["position"]["svg"] for flip in (False, True)
    )
    assert plain != turned
    assert post(client, "/read", TEXT)["position"]["svg"] == plain
    assert post(client, "/create_game", {})["game"] == "azul"
    assert client.get(f"{BASE}/library").json() == {"positions": [], "next": None, "total": 0}


def test_a_page_of_the_library_has_fifty_entries() -> None:
    store = MemoryStore()
    for number in range(51):
        store.save(CHESS, "chess", str(number))
    with made(store) as client:
        page = client.get(f"{BASE}/library").json()
        assert (len(page["positions"]), page["total"]) == (50, 51)
        rest = client.get(f"{BASE}/library", params={"after": page["next"]}).json()
        assert [one["name"] for one in rest["positions"]] == ["0"]


def test_a_move_by_its_parts(client: TestClient) -> None:
    for source, line, written in (("center", 2, "cB2"), ("centre", 2, "cB2"), (0, "floor", "0Bf")):
        move = {"source": source, "color": "B", "line": line}
        said = post(client, "/execute_move", {**FEN, "move": move})
        assert said["move_executed"] == written
    assert post(client, "/execute_move", {**FEN, "move": " 0B2 "})["move_executed"] == "0B2"


def test_a_new_game_for_so_many_players(client: TestClient) -> None:
    for players in (2, 3, 4):
        state = post(client, "/create_game", {"player_count": players, "seed": 1})["game_state"]
        assert len(state["players"]) == players
    refused(client.post(f"{BASE}/create_game", json={"game": "chess", "start": 1}), 400, "NOT_EXPRESSIBLE")
    assert post(client, "/create_game", {"game": "chess", "start": 0})["fen_string"] == CHESS


# --- around every answer --------------------------------------------------------------------------------


def test_every_security_header_is_sent(client: TestClient) -> None:
    headers = client.get("/healthz").headers
    for name, value in SECURITY_HEADERS:
        assert headers[name.decode()] == value.decode()
    assert len(SECURITY_HEADERS) == 6


def test_what_metrics_count() -> None:
    metrics = Metrics()
    metrics.in_flight = 3
    for seconds in (0.0005, 0.001, 0.3, 20.0):
        metrics.count_request("GET", "/x", 200, seconds)
    metrics.count_request("BREW", "/x", 499, 0.1)
    lines = metrics.format_metrics("1.2").splitlines()
    assert 'forsyth_info{version="1.2"} 1' in lines
    assert "forsyth_requests_in_flight 3" in lines
    assert 'forsyth_requests_total{method="GET",route="/x",status="200"} 4' in lines
    assert 'forsyth_requests_total{method="OTHER",route="/x",status="499"} 1' in lines
    buckets = {"0.001": 2, "0.1": 3, "0.25": 3, "0.5": 4, "10.0": 4, "+Inf": 5}
    for bound, number in buckets.items():
        assert f'forsyth_request_seconds_bucket{{route="/x",le="{bound}"}} {number}' in lines
    assert 'forsyth_request_seconds_count{route="/x"} 5' in lines
    assert 'forsyth_request_seconds_sum{route="/x"} 20.401500' in lines
