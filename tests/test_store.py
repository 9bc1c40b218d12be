from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forsyth.store
from forsyth.identity import state_id
from forsyth.limits import MAX_PLAIN
from forsyth.store import Entry, MemoryStore, SqliteStore, Store, StoreError, default_path, open_store, sqlite

UNKNOWN = state_id("nobody ever stored this")


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    where = None if request.param == "memory" else tmp_path / "positions.sqlite"
    with open_store(where) as opened:
        yield opened


# --- every store --------------------------------------------------------------------------------------


def test_put_and_get(store: Store) -> None:
    id = store.put("toy a")
    assert id == state_id("toy a")
    assert store.get(id) == "toy a"
    assert store.entry(id) == Entry(id, "toy a", None)


def test_what_is_not_there_is_none(store: Store) -> None:
    store.put("toy a")
    for id in (UNKNOWN, "state_b4e6646b", "", "toy a", "state_\ud800", state_id("toy a").upper(), "é"):
        assert store.get(id) is None
        assert store.entry(id) is None


def test_putting_twice_changes_nothing(store: Store) -> None:
    assert store.put("toy a", "toy") == store.put("toy a", "toy") == store.put("toy a")
    assert len(store) == 1
    assert store.entry(state_id("toy a")) == Entry(state_id("toy a"), "toy a", "toy")


def test_the_initial_position_of_a_game(store: Store) -> None:
    assert store.initial("toy") is None
    id = store.set_initial("toy", "toy a")
    assert id == state_id("toy a")
    assert store.entry(id) == Entry(id, "toy a", "toy")
    assert store.initial("toy") == "toy a"
    assert store.initial("bar") is None
    store.set_initial("toy", "toy b")
    assert store.initial("toy") == "toy b"
    with pytest.raises(ValueError, match="empty"):
        store.set_initial("toy", "")
    assert store.initial("toy") == "toy b"


def test_the_name_initial_is_what_the_store_says(store: Store) -> None:
    chess = forsyth.game("chess")
    other = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    assert str(forsyth.read("initial", chess, store=store).require()) == chess.start
    store.set_initial("chess", other)
    assert str(forsyth.read("initial", chess, store=store).require()) == other
    assert str(forsyth.read("start", chess, store=store).require()) == chess.start
    assert str(forsyth.read("initial", forsyth.game("cotulenh"), store=store).require()) != other


def test_a_game_is_learnt_and_never_changed(store: Store) -> None:
    id = store.put("toy a")
    store.put("toy a", "toy")
    store.put("toy a", "bar")
    assert store.entry(id) == Entry(id, "toy a", "toy")


def test_length_and_iteration(store: Store) -> None:
    assert (len(store), list(store)) == (0, [])
    ids = {store.put(f"toy {n}") for n in range(sqlite.PAGE + 1)}
    assert len(store) == sqlite.PAGE + 1
    found = list(store)
    assert len(found) == sqlite.PAGE + 1
    assert set(found) == ids


def test_iteration_lets_others_write(store: Store) -> None:
    for n in range(5):
        store.put(f"toy {n}")
    for seen, _ in enumerate(store):
        store.put(f"more {seen}")
        if seen == 4:
            break
    assert len(store) == 10


@pytest.mark.parametrize("text", ["", "a" * (MAX_PLAIN + 1), "\ud800"])
def test_what_no_store_takes(store: Store, text: str) -> None:
    with pytest.raises(ValueError):
        store.put(text)
    assert len(store) == 0


def test_the_longest_text(store: Store) -> None:
    text = "\U0001f600" * MAX_PLAIN
    assert store.get(store.put(text)) == text


def test_a_closed_store_says_so(store: Store) -> None:
    id = store.put("toy a")
    store.close()
    store.close()
    for use in (lambda: store.put("toy b"), lambda: store.get(id), lambda: len(store), lambda: list(store)):
        with pytest.raises(StoreError, match="is closed"):
            use()


def test_the_context_manager_closes(store: Store) -> None:
    with store as same:
        assert same is store
    with pytest.raises(StoreError):
        store.put("toy a")


@given(texts=st.lists(st.text(min_size=1, max_size=50)), game=st.none() | st.text(max_size=5))
def test_stores_agree(tmp_path_factory: pytest.TempPathFactory, texts: list[str], game: str | None) -> None:
    with MemoryStore() as memory, SqliteStore(tmp_path_factory.mktemp("store") / "a.sqlite") as file:
        for text in texts:
            assert memory.put(text, game) == file.put(text, game)
        assert set(memory) == set(file) == {state_id(text) for text in texts}
        for text in texts:
            assert memory.entry(state_id(text)) == file.entry(state_id(text))
            assert file.get(state_id(text)) == text


def test_eight_threads_share_a_store(store: Store) -> None:
    texts = [[f"toy {thread} {n}" for n in range(50)] + ["toy of all"] for thread in range(8)]
    threads = [threading.Thread(target=_put_all, args=(store, mine)) for mine in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(store) == {state_id(text) for mine in texts for text in mine}


def _put_all(store: Store, texts: list[str]) -> None:
    for text in texts:
        assert store.get(store.put(text)) == text


# --- where --------------------------------------------------------------------------------------------


def test_open_store(tmp_path: Path) -> None:
    assert isinstance(open_store(None), MemoryStore)
    assert isinstance(open_store(":memory:"), MemoryStore)
    assert isinstance(open_store(Path(":memory:")), MemoryStore)
    path = tmp_path / "deep" / "er" / "positions.sqlite"
    with open_store(str(path)) as opened:
        assert isinstance(opened, SqliteStore)
        assert opened.path == path
    assert path.exists()


def test_the_environment_names_the_default_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FORSYTH_STORE", str(tmp_path / "mine"))
    assert default_path() == tmp_path / "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="the XDG folders")
def test_the_default_path_is_in_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FORSYTH_STORE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert default_path() == tmp_path / "data" / "forsyth" / "positions.sqlite"
    for ignored in ("", "relative/path"):
        monkeypatch.setenv("XDG_DATA_HOME", ignored)
        home = tmp_path / "home" / ".local" / "share"
        assert default_path() == home / "forsyth" / "positions.sqlite"


# --- the SQLite file ----------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "positions.sqlite"


def _sql(path: Path, *statements: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        rows = [connection.execute(statement).fetchall() for statement in statements]
        connection.commit()
    return [row for some in rows for row in some]


def test_reopening(path: Path) -> None:
    with SqliteStore(path) as first:
        id = first.put("toy a", "toy")
    with SqliteStore(path) as second:
        assert second.entry(id) == Entry(id, "toy a", "toy")
        assert second.put("toy a") == id
        assert len(second) == 1


def test_two_stores_on_one_file(path: Path) -> None:
    with SqliteStore(path) as one, SqliteStore(path) as other:
        assert other.get(one.put("toy a")) == "toy a"
        assert one.get(other.put("toy b")) == "toy b"


def test_a_relative_path_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with SqliteStore("a.sqlite") as opened:
        monkeypatch.chdir(tmp_path / "elsewhere")
        assert opened.path == tmp_path / "a.sqlite"


def test_the_layout(path: Path) -> None:
    with SqliteStore(path):
        pass
    found = _sql(path, "PRAGMA application_id", "PRAGMA user_version", "PRAGMA journal_mode")
    assert found == [(0x46535954,), (2,), ("wal",)]


@pytest.mark.parametrize("damage", ["'toy b'", "''", "CAST(x'ff' AS TEXT)"])
def test_a_damaged_row_is_an_error_and_never_another_position(path: Path, damage: str) -> None:
    with SqliteStore(path) as opened:
        id = opened.put("toy a", "toy")
        _sql(path, f"UPDATE position SET text = {damage}")
        for use in (opened.get, opened.entry):
            with pytest.raises(StoreError, match=r"positions\.sqlite"):
                use(id)
        assert opened.put("toy a") == id
        assert opened.entry(id) == Entry(id, "toy a", "toy")


def test_a_row_under_another_name_is_an_error(path: Path) -> None:
    with SqliteStore(path) as opened:
        opened.put("toy a")
        _sql(path, f"UPDATE position SET id = '{UNKNOWN}'")
        with pytest.raises(StoreError, match="damaged"):
            opened.get(UNKNOWN)


def test_a_file_that_is_no_database(path: Path) -> None:
    path.write_text("This is a diary, not a database. " * 100)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="cannot be used as a store: file is not a database"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_the_database_of_another_program(path: Path) -> None:
    _sql(path, "CREATE TABLE diary (page TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="the database of another program"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_layout_of_the_future(path: Path) -> None:
    with SqliteStore(path):
        pass
    _sql(path, "PRAGMA user_version = 3")
    with pytest.raises(StoreError, match="has layout 3, expected 2"):
        SqliteStore(path)


def test_a_layout_of_the_past(path: Path) -> None:
    with SqliteStore(path) as opened:
        id = opened.put("toy a", "toy")
    _sql(path, "DROP TABLE initial", "PRAGMA user_version = 1")
    with SqliteStore(path) as opened:
        assert opened.get(id) == "toy a"
        opened.set_initial("toy", "toy b")
    assert _sql(path, "PRAGMA user_version") == [(2,)]


def test_the_initial_position_outlives_the_process(path: Path) -> None:
    with SqliteStore(path) as opened:
        opened.set_initial("toy", "toy a")
    with SqliteStore(path) as opened:
        assert opened.initial("toy") == "toy a"
        _sql(path, f"UPDATE initial SET id = '{UNKNOWN}'")
        with pytest.raises(StoreError, match="the initial position of toy is not in it"):
            opened.initial("toy")


def test_a_path_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="unable to open"):
        SqliteStore(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be made"):
        SqliteStore(tmp_path / "file" / "a.sqlite")


def test_a_file_cut_short(path: Path) -> None:
    with SqliteStore(path) as opened:
        ids = [opened.put(f"toy {n} " + "a" * 900) for n in range(50)]
    with path.open("r+b") as file:
        file.truncate(8192)
    for id in ids:
        with pytest.raises(StoreError, match="malformed"), SqliteStore(path) as opened:
            opened.get(id)


# --- many at once -------------------------------------------------------------------------------------


def _texts(writer: str) -> list[str]:
    return [f"{writer} {n}" for n in range(100)] + [f"shared {n}" for n in range(100)]


def _write(path: Path, writer: str) -> None:
    with SqliteStore(path) as opened:
        _put_all(opened, _texts(writer))


def test_eight_threads_and_four_processes_lose_nothing(path: Path) -> None:
    processes = [
        multiprocessing.get_context("spawn").Process(target=_write, args=(path, f"process {n}"))
        for n in range(4)
    ]
    with SqliteStore(path) as opened:
        threads = [threading.Thread(target=_put_all, args=(opened, _texts(f"thread {n}"))) for n in range(8)]
        for process in processes:
            process.start()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        for process in processes:
            process.join(60)
        assert [process.exitcode for process in processes] == [0] * 4
        writers = [f"process {n}" for n in range(4)] + [f"thread {n}" for n in range(8)]
        expected = {text for writer in writers for text in _texts(writer)}
        assert len(opened) == len(expected) == 12 * 100 + 100
        assert {opened.get(id) for id in opened} == expected
    assert _sql(path, "PRAGMA integrity_check") == [("ok",)]


def test_many_make_the_same_file_at_once(tmp_path: Path) -> None:
    failed: list[BaseException] = []

    def make(barrier: threading.Barrier, path: Path, n: int) -> None:
        barrier.wait(30)
        try:
            with SqliteStore(path) as opened:
                opened.put(f"toy {n}")
        except StoreError as error:
            failed.append(error)

    for attempt in range(20):
        path = tmp_path / f"{attempt}.sqlite"
        barrier = threading.Barrier(8)
        threads = [threading.Thread(target=make, args=(barrier, path, n)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with SqliteStore(path) as opened:
            assert (failed, len(opened)) == ([], 8)


def test_a_refusal_at_once_is_tried_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare = sqlite._prepare
    refusals = [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_SNAPSHOT]

    def refuse_first(connection: sqlite3.Connection, path: Path) -> None:
        if refusals:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = refusals.pop()
            raise error
        prepare(connection, path)

    monkeypatch.setattr(sqlite, "_prepare", refuse_first)
    with SqliteStore(path) as opened:
        assert opened.get(opened.put("toy a")) == "toy a"


_KILLED = """
import os, signal, sys
from forsyth.store import SqliteStore
store = SqliteStore(sys.argv[1])
for n in range(200):
    print(store.put(f"toy {n}"), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_what_was_acknowledged_survives_a_kill(path: Path) -> None:
    source = Path(forsyth.store.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(path)],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    with SqliteStore(path) as opened:
        assert [opened.get(id) for id in done.stdout.split()] == [f"toy {n}" for n in range(200)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_may_fork_with_a_store_open(path: Path) -> None:
    with SqliteStore(path) as opened:
        opened.put("before")
        writer = threading.Thread(target=_put_all, args=(opened, _texts("parent")))
        writer.start()
        children = [_forked(opened, f"child {n}") for n in range(4)]
        writer.join()
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
        writers = ["parent", *(f"child {n}" for n in range(4))]
        expected = {"before"} | {text for writer in writers for text in _texts(writer)}
        assert {opened.get(id) for id in opened} == expected
    assert _sql(path, "PRAGMA integrity_check") == [("ok",)]


def _forked(store: SqliteStore, writer: str) -> int:
    child = os.fork()
    if child:
        return child
    # A child must not come back into the test runner, whatever happens.
    status = 1
    try:
        if store._connection is None:  # a connection of the parent must not be here
            _put_all(store, _texts(writer))
            store.close()
            status = 0
    finally:
        os._exit(status)
