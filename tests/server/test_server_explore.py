"""What was played, over HTTP: the call explore, with an index, without one, and with one that is gone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.server.test_server import BASE, fetch, refused

from forsyth.bulk import build_index
from forsyth.server import Settings, create_app
from forsyth.store import MemoryStore

RECORDS = '[White "Anna"]\n[Black "Bela"]\n[WhiteElo "2400"]\n\n1. e4 e5 1-0\n\n1. e4 c5 0-1\n'
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
POCKETS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qq] w KQkq - 0 1"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "games.pgn").write_text(RECORDS)
    build_index(tmp_path / "games.pgn", tmp_path / "book", game="chess")
    return tmp_path / "book"


@pytest.fixture
def client(book: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(index=str(book), allow_host=("*",)), MemoryStore())) as client:
        yield client


def test_what_was_played_is_told(client: TestClient) -> None:
    answer = fetch(client, "/explore", {"text": START, "game": "chess"})
    assert (answer["game"], answer["variant"], answer["side"], answer["games"]) == (
        "chess",
        "standard",
        "White",
        2,
    )
    assert answer["moves"] == [{"move": "e4", "games": 2, "wins": 1, "draws": 0, "losses": 1, "rating": 2400}]
    assert [one["game"] for one in answer["strongest"]] == [1, 2]
    assert answer["strongest"][0]["players"] == [
        {"name": "Anna", "rating": 2400},
        {"name": "Bela", "rating": None},
    ]
    assert fetch(client, "/explore", {"text": "start"}) == answer


def test_where_nobody_came_there_is_nothing(client: TestClient) -> None:
    for text in ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", POCKETS):
        answer = fetch(client, "/explore", {"text": text})
        assert (answer["games"], answer["moves"], answer["latest"]) == (0, [], [])


def test_a_page_is_told_of_the_index(client: TestClient) -> None:
    index = {"game": "chess", "variant": "standard", "games": 2, "positions": 4}
    assert fetch(client, "/games")["index"] == index


def test_what_cannot_be_asked(client: TestClient, book: Path) -> None:
    refused(client.get(f"{BASE}/explore", params={"text": "x"}), 400, "FEN_FIELDS")
    refused(client.get(f"{BASE}/explore", params={"text": START, "game": "azul"}), 404, "NO_INDEX")
    refused(client.get(f"{BASE}/explore", params={"text": START, "game": "whist"}), 400, "UNKNOWN_GAME")
    refused(client.get(f"{BASE}/explore"), 400, "MISSING_FIELD")
    shutil.rmtree(book / "moves")
    refused(client.get(f"{BASE}/explore", params={"text": START}), 503, "INDEX_UNAVAILABLE")


def test_without_an_index() -> None:
    with TestClient(create_app(Settings(allow_host=("*",)), MemoryStore())) as client:
        refused(client.get(f"{BASE}/explore", params={"text": START}), 404, "NO_INDEX")
        assert client.get(f"{BASE}/games").json()["index"] is None


def test_a_folder_that_is_no_index_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not an index"):
        create_app(Settings(index=str(tmp_path)), MemoryStore())
