"""A service whose store cannot be written or not even read: it starts, says so, and does the rest."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient
from tests.server.test_server import BASE, CHESS, post, refused

from forsyth.cli.app import forsyth as command
from forsyth.identity import state_id
from forsyth.server import Settings, create_app
from forsyth.server.service_store import open_service_store
from forsyth.store import MemoryStore, SqliteStore, StoreError, sqlite_file

WRITING = [
    ("POST", "/library"),
    ("PATCH", "/library/x"),
    ("DELETE", "/library/x"),
    ("PUT", "/states"),
    ("PUT", "/positions/chess/initial"),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A store with one saved position."""
    path = tmp_path / "positions.sqlite"
    with SqliteStore(path) as store:
        store.save(CHESS, "chess", "The start")
    return path


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk on which nothing more can be written."""

    plain = sqlite_file._open_connection

    def connection(name: str) -> sqlite3.Connection:
        if "immutable" in name:
            return plain(name)
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(sqlite_file, "_open_connection", connection)


def served(path: Path) -> TestClient:
    return TestClient(create_app(Settings(store=str(path))), "http://localhost")


def nothing_is_kept(client: TestClient) -> None:
    body = {"text": CHESS, "fen_string": CHESS, "name": "x"}
    for method, path in WRITING:
        refused(client.request(method, BASE + path, json=body), 503, "STORE_UNAVAILABLE")
    assert post(client, "/validate-fen", {"fen_string": CHESS})["valid"] is True
    assert len(post(client, "/moves", {"text": CHESS})["moves"]) == 20
    assert post(client, "/game_state", {"fen_string": CHESS})["game_state"]["canonical"] == CHESS
    assert post(client, "/create_game", {"game": "chess"})["fen_string"] == CHESS
    assert post(client, "/convert", {"text": CHESS, "to": "state"})["result"].startswith("state_")
    assert client.get("/healthz").status_code == 200
    assert client.get("/").status_code == 200


def test_on_a_full_disk_the_store_can_be_read(file: Path, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("full")
    before = file.read_bytes()
    with served(file) as client:
        nothing_is_kept(client)
        found = client.get(f"{BASE}/library").json()["positions"]
        assert [one["name"] for one in found] == ["The start"]
        assert client.get(f"{BASE}/states/{found[0]['state_id']}").json()["fen_string"] == CHESS
        assert post(client, "/read", {"text": found[0]["state_id"]})["canonical"] == CHESS
        assert client.get(f"{BASE}/game_state", params={"game": "chess"}).status_code == 200
    assert file.read_bytes() == before


@pytest.mark.usefixtures("full")
def test_on_a_full_disk_without_a_store(tmp_path: Path) -> None:
    with served(tmp_path / "none.sqlite") as client:
        nothing_is_kept(client)
        refused(client.get(f"{BASE}/library"), 503, "STORE_UNAVAILABLE")
        refused(client.get(f"{BASE}/states/state_abcdef"), 503, "STORE_UNAVAILABLE")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content", [b"this is no store at all" * 99, b"SQLite format 3\x00" + b"\xff" * 4096]
)
def test_a_damaged_store(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "positions.sqlite"
    path.write_bytes(content)
    with served(path) as client:
        nothing_is_kept(client)
        refused(client.get(f"{BASE}/library"), 503, "STORE_UNAVAILABLE")
    assert path.read_bytes() == content


def test_a_folder_in_place_of_a_store(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        nothing_is_kept(client)


def test_the_command_says_what_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[Settings] = []
    monkeypatch.setattr(
        "forsyth.cli.commands.serve._run_server", lambda settings, listener: began.append(settings)
    )
    broken = tmp_path / "broken.sqlite"
    broken.write_text("this is no store at all, and long enough to be read as one", encoding="utf-8")
    run = CliRunner().invoke(command, ["serve", "--port", "0", "--store", str(broken)])
    assert run.exit_code == 0
    assert "warning: positions cannot be stored: the store cannot be opened:" in run.output
    assert len(began) == 1
    quiet = CliRunner().invoke(command, ["serve", "--port", "0", "--store", ":memory:"])
    assert "warning" not in quiet.output


def test_a_store_that_can_be_written_has_no_problem(file: Path) -> None:
    store, problem = open_service_store(str(file))
    with store:
        assert problem is None
        assert len(store) == 1


def test_a_conversion_to_state_needed_a_store_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(store: MemoryStore, text: str, game: str | None = None) -> str:
        raise StoreError("the disk is full")

    monkeypatch.setattr(MemoryStore, "put", fail)
    with TestClient(create_app(Settings(), MemoryStore()), "http://localhost") as client:
        identifier = state_id(CHESS)
        assert post(client, "/convert", {"text": CHESS, "to": "state"})["result"] == identifier
        assert post(client, "/forms", {"text": CHESS})["forms"]["state"] == identifier
        assert post(client, "/game_state", {"fen_string": CHESS})["game_state"]["state_id"] == identifier
        refused(client.put(f"{BASE}/states", json={"text": CHESS}), 503, "STORE_UNAVAILABLE")
