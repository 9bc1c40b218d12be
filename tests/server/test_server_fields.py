"""No field of a request is ignored, and `fen_string` names a text wherever one is accepted."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from starlette.testclient import TestClient
from tests.server.test_server import BASE, CHESS, client, made, post, refused

from forsyth.server import request_models
from forsyth.server.request_models import FEN_FIELD, CreateRequest, Request

__all__ = ["client"]

KINGS = "8/8/8/4k3/8/8/8/4K3 w - - 0 1"
MODELS = [
    model
    for model in vars(request_models).values()
    if isinstance(model, type) and issubclass(model, Request) and model is not Request
]


def named_by_fen_string(model: type[Request]) -> str | None:
    """The field of a model that `fen_string` also names: its text."""
    # The start of this request is the number of a player.
    names = () if model is CreateRequest else ("text", "start")
    return next((name for name in names if name in model.model_fields), None)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: str(model.__name__))
@settings(max_examples=20)
@given(name=st.text(min_size=1))
def test_an_unknown_field_is_never_ignored(model: type[Request], name: str) -> None:
    known = {field.alias or key for key, field in model.model_fields.items()} | {FEN_FIELD}
    with pytest.raises(ValidationError) as refusal:
        model.model_validate({name if name not in known else f"{name}_": 1})
    assert "extra_forbidden" in [error["type"] for error in refusal.value.errors()]


@pytest.mark.parametrize("model", [model for model in MODELS if named_by_fen_string(model)], ids=str)
def test_fen_string_names_the_text_of_every_request(model: type[Request]) -> None:
    field = named_by_fen_string(model)
    assert field is not None
    required = {info.alias or name for name, info in model.model_fields.items() if info.is_required()}
    fields = {"game": "chess", "move": "e4", "to": "fenz", "from": "a1", "square": "a1", "name": "x"}
    others = {name: value for name, value in fields.items() if name in required}
    assert getattr(model.model_validate({FEN_FIELD: KINGS, **others}), field) == KINGS
    with pytest.raises(ValidationError, match="Extra inputs"):
        model.model_validate({field: KINGS, FEN_FIELD: KINGS, **others})


def test_a_match_does_not_start_elsewhere_than_its_fen_string(client: TestClient) -> None:
    assert post(client, "/match", {"game": "chess", FEN_FIELD: KINGS})["canonical"] == KINGS
    said = refused(client.post(f"{BASE}/match", json={"game": "chess", "fen": KINGS}), 400, "UNKNOWN_FIELD")
    assert said["detail"] == "the field 'fen' is unknown here, or repeats another field; remove it"
    inner = {"text": CHESS, "put": {"square": "e4", "symbol": "Q", "col\x1bour": 1}}
    said = refused(client.post(f"{BASE}/edit", json=inner), 400, "UNKNOWN_FIELD")
    assert "'col\\x1bour'" in said["detail"]


def test_fen_string_names_the_text_of_every_picture(client: TestClient) -> None:
    for path in (f"{BASE}/draw.svg", f"{BASE}/animation.svg", "/embed"):
        moves = {"moves": "Kd2"} if "animation" in path else {}
        drawn = [client.get(path, params={name: KINGS, **moves}) for name in ("text", FEN_FIELD)]
        assert drawn[0].status_code == 200, drawn[0].text
        assert drawn[0].text == drawn[1].text
        refused(client.get(path, params={"text": KINGS, FEN_FIELD: KINGS, **moves}), 400, "UNKNOWN_FIELD")


def test_fen_string_names_the_text_of_a_line(client: TestClient) -> None:
    lines = "".join(json.dumps({name: KINGS, "number": 5}) + "\n" for name in ("text", FEN_FIELD))
    for path in ("/batch/check", "/batch/fix"):
        answers = [json.loads(line) for line in client.post(BASE + path, content=lines).text.splitlines()]
        assert [answer["text"] for answer in answers] == [KINGS, KINGS]
    assert json.loads(client.post(f"{BASE}/batch/library", content=lines).text)["kept"] == 2


def test_a_part_of_a_text_is_drawn_on_the_board_that_was_asked_for() -> None:
    with made() as client:
        broken = {"text": "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}
        plain, green = (post(client, "/partial", {**broken, **board}) for board in ({}, {"board": "green"}))
        assert plain["partial"]["svg"] != green["partial"]["svg"]
