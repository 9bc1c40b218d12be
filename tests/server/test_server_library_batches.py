"""The library in batches over HTTP: what goes in comes out, and a line that is none is named."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from fastapi.testclient import TestClient

import forsyth
from forsyth.server import Settings, create_app
from forsyth.store import MemoryStore, StoreError, ToSave

KINGS = "8/8/8/4k3/8/8/8/4K3 w - - 0 1"
URL = "/api/v1/batch/library"
HOST = "http://localhost"


def lines_of(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_what_goes_in_comes_out() -> None:
    store = MemoryStore()
    with TestClient(create_app(Settings(), store), HOST) as client:
        given = [
            {"text": KINGS, "name": "One", "tags": ["a"], "note": "first"},
            KINGS.replace(" w ", " b "),
            {"text": KINGS + "  ", "name": "Two"},
        ]
        body = "\n".join(json.dumps(one) for one in given) + "\n\n"
        answer = client.post(URL, content=body)
        assert (answer.status_code, lines_of(answer.text)) == (200, [{"kept": 1, "saved": 2, "refused": 0}])
        assert len(store) == 2
        found = lines_of(client.get(URL).text)
        assert [(one["name"], one["tags"], one["note"], one["text"]) for one in found] == [
            ("Two", [], "", KINGS),
            ("One", ["a"], "first", KINGS),
        ]
        assert [one["name"] for one in lines_of(client.get(URL, params={"tag": "a"}).text)] == ["One"]
        assert client.get(URL, params={"game": "shogi"}).text == ""
        assert client.get(URL, params={"q": "x" * 999}).status_code == 400


VARIANTS = {
    "crazyhouse": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
    "3check": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
    "3-players": forsyth.game("azul").with_variant("3-players").start,
    **{name: forsyth.game(name).start for name in forsyth.games()},
}


def test_what_is_exported_can_be_imported_in_every_variant() -> None:
    lines = "".join(json.dumps({"text": text, "name": name}) + "\n" for name, text in VARIANTS.items())
    for _ in range(2):
        with TestClient(create_app(Settings(), MemoryStore()), HOST) as client:
            answer = lines_of(client.post(URL, content=lines).text)
            assert answer == [{"kept": 0, "saved": len(VARIANTS), "refused": 0}]
            lines = client.get(URL).text
            found = {one["name"]: one for one in lines_of(lines)}
            assert {name: one["text"] for name, one in found.items()} == VARIANTS
            kept = json.dumps(found["crazyhouse"]["state_id"])
            (checked,) = lines_of(client.post("/api/v1/batch/check", content=kept).text)
            assert checked["canonical"] == VARIANTS["crazyhouse"]


def test_the_game_of_a_line_counts_where_the_request_names_none() -> None:
    lines = [
        json.dumps({"text": KINGS, "name": "x", "game": game}) for game in ("chess", "xiangqi", "nope", 5)
    ]
    with TestClient(create_app(Settings(), MemoryStore()), HOST) as client:
        answer = lines_of(client.post(URL, content="\n".join(lines)).text)
        assert [one.get("line") for one in answer] == [2, 3, 4, None]
        assert answer[1]["message"].startswith("there is no game 'nope'; installed games: chess")
        assert answer[2]["message"] == "game is 5, expected text"
        named = lines_of(client.post(URL, params={"game": "chess"}, content=lines[1]).text)
        assert named == [{"kept": 0, "saved": 1, "refused": 0}]


def test_lines_that_are_no_json_are_said_to_be_none() -> None:
    lines = [b"{", b'{"text": NaN}', b'{"text": ' + b"9" * 5000 + b"}", b'"\xff"', b"[" * 5000]
    with TestClient(create_app(Settings(), MemoryStore()), HOST) as client:
        answer = lines_of(client.post(URL, content=b"\n".join(lines)).text)
    assert [one.get("message") for one in answer[:-1]] == ["the line is not JSON"] * len(lines)


def test_lines_that_are_refused_are_named() -> None:
    store = MemoryStore()
    with TestClient(create_app(Settings(), store), HOST) as client:
        lines = ['{"text": "nonsense"}', "{", "7", json.dumps({"text": KINGS, "name": 7})]
        lines += [json.dumps(KINGS), json.dumps({"text": KINGS, "name": " "})]
        lines.append(json.dumps({"text": KINGS, "name": "x", "tags": [7]}))
        found = lines_of(client.post(URL, params={"game": "chess"}, content="\n".join(lines)).text)
        assert [one.get("line") for one in found] == [1, 2, 3, 4, 6, 7, None]
        assert all(one["message"] for one in found[:-1])
        assert found[-1] == {"kept": 1, "saved": 0, "refused": 6}


def test_a_key_is_asked_for_and_much_is_sent_in_parts() -> None:
    store = MemoryStore()
    store.save_many(ToSave(KINGS, "chess", f"{n}") for n in range(1200))
    with TestClient(create_app(Settings(api_key="secret"), store), HOST) as client:
        assert client.post(URL, content=json.dumps(KINGS)).status_code == 401
        assert client.get(URL).status_code == 401
        exported = lines_of(client.get(URL, headers={"X-API-Key": "secret"}).text)
        assert [one["name"] for one in exported] == [f"{n}" for n in range(1199, -1, -1)]
        told = client.post(URL, content=json.dumps(KINGS), headers={"X-API-Key": "secret"})
        assert lines_of(told.text) == [{"kept": 1, "saved": 0, "refused": 0}]


def test_an_import_may_be_longer_than_other_bodies() -> None:
    store = MemoryStore()
    settings = Settings()
    lines = [json.dumps({"text": KINGS, "name": f"number {number}"}) for number in range(1500)]
    body = "\n".join(lines)
    assert len(body) > settings.body_limit
    with TestClient(create_app(settings, store), HOST) as client:
        answer = client.post(URL, content=body)
    assert lines_of(answer.text) == [{"kept": 0, "saved": 1500, "refused": 0}]
    assert store.search().total == 1500


class FullStore(MemoryStore):
    """A store whose disk is full."""

    def save_many(self, positions: Iterable[ToSave]) -> int:
        raise StoreError("the disk is full")


def test_a_store_that_cannot_be_written_is_said_for_each_line() -> None:
    with TestClient(create_app(Settings(), FullStore()), HOST) as client:
        body = "\n".join([json.dumps({"text": KINGS, "name": "One"}), "5", json.dumps(KINGS)])
        assert lines_of(client.post(URL, content=body).text) == [
            {"line": 1, "message": "the store cannot be written: the disk is full"},
            {"line": 2, "message": "the line is neither a JSON string nor an object with a text"},
            {"kept": 1, "saved": 0, "refused": 2},
        ]
