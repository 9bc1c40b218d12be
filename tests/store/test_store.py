from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg.pq import TransactionStatus
from tests.store.postgres_server import PostgresServer

import forsyth.store
from forsyth import registry
from forsyth.identity import state_id
from forsyth.limits import MAX_GAME_NAME, MAX_PAGE, MAX_PLAIN
from forsyth.store import (
    Entry,
    MemoryStore,
    SqliteStore,
    Store,
    StoreError,
    default_location,
    default_path,
    library,
    open_store,
    sqlite_file,
)
from forsyth.store.connections import _PARENT_CONNECTIONS, Connection, ConnectionPool
from forsyth.store.postgres import PostgresStore

UNKNOWN = state_id("nobody ever stored this")


# --- every store --------------------------------------------------------------------------------------


def test_put_and_get(store: Store) -> None:
    id = store.put("toy a")
    assert id == state_id("toy a")
    assert store.get(id) == "toy a"
    assert store.entry(id) == Entry(id, "toy a", None)


def test_what_is_not_there_is_none(store: Store) -> None:
    store.put("toy a")
    for id in (UNKNOWN, "state_b4e6646b", "", "toy a", "state_\ud800", state_id("toy a").upper(), "é", "\0"):
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


@pytest.fixture
def install_toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bool], None]]:
    """A function that installs a game with the name ``toy``, or removes it."""

    def install(installed: bool) -> None:
        if installed:
            monkeypatch.setitem(registry.BUILT_IN, "toy", "forsyth.games.azul:GAME")
        else:
            monkeypatch.delitem(registry.BUILT_IN, "toy")
        registry._find_installed.cache_clear()
        registry._load_game.cache_clear()

    yield install
    monkeypatch.undo()
    registry._find_installed.cache_clear()
    registry._load_game.cache_clear()


def test_a_game_counts_as_installed_while_the_registry_has_it(
    store: Store, install_toy: Callable[[bool], None]
) -> None:
    """A store once kept what it had found for a name: a game, or that there is none."""
    store.put("before it was installed", "toy")
    install_toy(True)
    with pytest.raises(ValueError, match="not a position of toy"):
        store.put("while it is installed", "toy")
    install_toy(False)
    id = store.put("after it was removed", "toy")
    assert store.entry(id) == Entry(id, "after it was removed", "toy")


def test_a_game_of_a_store_is_the_one_in_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, the first game with a name was kept, although the registry had another one by now."""
    auto_game = library._find_installed_game("chess")
    assert auto_game is library._find_installed_game("chess")
    azul = forsyth.game("azul")
    monkeypatch.setattr(registry, "game", lambda name: azul)
    other_game = library._find_installed_game("chess")
    assert other_game is not None and other_game.name == "azul"


def test_length_and_iteration(store: Store) -> None:
    assert (len(store), list(store)) == (0, [])
    ids = {store.put(f"toy {n}") for n in range(library.BATCH_SIZE + 1)}
    assert len(store) == library.BATCH_SIZE + 1
    found = list(store)
    assert len(found) == library.BATCH_SIZE + 1
    assert set(found) == ids


def test_iteration_lets_others_write(store: Store) -> None:
    for n in range(5):
        store.put(f"toy {n}")
    for seen, _ in enumerate(store):
        store.put(f"more {seen}")
        if seen == 4:
            break
    assert len(store) == 10


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the text is empty"),
        ("a" * (MAX_PLAIN + 1), "has 1025 characters, expected at most 1024"),
        ("a\ud800", "character 1 of the text is a lone surrogate"),
        ("a\0b", "character 1 of the text is NUL, which no store can hold"),
    ],
)
def test_what_no_store_takes(store: Store, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        store.put(text)
    assert len(store) == 0


@pytest.mark.parametrize("game", ["\0", "\udfff", "g" * (MAX_GAME_NAME + 1)])
def test_a_game_that_no_store_takes(store: Store, game: str) -> None:
    with pytest.raises(ValueError, match="the name of the game"):
        store.put("toy a", game)
    with pytest.raises(ValueError, match="the name of the game"):
        store.set_initial(game, "toy a")
    assert store.initial(game) is None
    assert len(store) == 0


@pytest.mark.parametrize("text", ["'; DROP TABLE position; --", "%s %(a)s ? :a {}", "\\", '"', "\x01\r\n\t"])
def test_odd_characters_are_ordinary(store: Store, text: str) -> None:
    id = store.set_initial(text, text)
    assert (store.get(id), store.initial(text), len(store)) == (text, text, 1)


def test_the_longest_text(store: Store) -> None:
    text = "\U0001f600" * MAX_PLAIN
    assert store.get(store.put(text)) == text


def test_what_is_no_text_is_refused(store: Store) -> None:
    wrong: Any = 5
    calls: tuple[Callable[[], object], ...] = (
        lambda: store.put(wrong),
        lambda: store.put("toy a", wrong),
        lambda: store.save("toy a", wrong, "name"),
        lambda: store.save("toy a", "toy", wrong),
        lambda: store.save("toy a", "toy", "name", wrong),
        lambda: store.save("toy a", "toy", "name", [wrong]),
        lambda: store.save("toy a", "toy", "name", (), wrong),
        lambda: store.change("id", name=wrong),
        lambda: store.search(game=wrong),
        lambda: store.search(tag=wrong),
        lambda: store.search(query=wrong),
        lambda: store.search(after=wrong),
        lambda: store.search(limit="10"),  # type: ignore[arg-type]
    )
    for call in calls:
        with pytest.raises(TypeError, match=r" of type (?:int|str), expected "):
            call()
    assert len(store) == 0
    for ask in (store.get, store.entry, store.saved, store.initial):
        assert ask(wrong) is None


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


STORABLE = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.lists(st.text(STORABLE, min_size=1, max_size=50))
GAMES = st.none() | st.text(STORABLE, max_size=5)


@given(texts=TEXTS, game=GAMES)
def test_stores_agree(tmp_path_factory: pytest.TempPathFactory, texts: list[str], game: str | None) -> None:
    with MemoryStore() as memory, SqliteStore(tmp_path_factory.mktemp("store") / "a.sqlite") as file:
        for text in texts:
            assert memory.put(text, game) == file.put(text, game)
        assert set(memory) == set(file) == {state_id(text) for text in texts}
        for text in texts:
            assert memory.entry(state_id(text)) == file.entry(state_id(text))
            assert file.get(state_id(text)) == text


@settings(max_examples=20)
@given(texts=TEXTS, game=GAMES)
def test_a_server_agrees(postgres: PostgresServer, texts: list[str], game: str | None) -> None:
    with MemoryStore() as memory, open_store(postgres.fresh_url()) as server:
        for text in texts:
            assert memory.put(text, game) == server.put(text, game)
        assert set(memory) == set(server)
        for text in texts:
            assert memory.entry(state_id(text)) == server.entry(state_id(text))


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
    path = tmp_path / "positions.sqlite"
    for where in (str(path), path):
        with open_store(where) as opened:
            assert isinstance(opened, SqliteStore)
            assert opened.path == path
    assert path.exists()


def test_a_folder_that_somebody_named_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "deep" / "positions.sqlite"
    monkeypatch.setenv("FORSYTH_STORE", str(path))
    for where in (path, str(path), default_location()):
        with pytest.raises(
            StoreError, match=r"the folder .*deep does not exist; create it, or choose another location"
        ):
            open_store(where)
    assert not path.parent.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the XDG folders and modes of files")
def test_the_folder_of_the_own_store_is_made_for_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORSYTH_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with open_store(default_location()) as opened:
        opened.put("toy a")
    assert _mode(default_path().parent) == 0o700
    assert _mode(default_path()) == 0o600
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    with pytest.raises(StoreError, match=r"the folder .* cannot be created: "):
        open_store(default_location())


def test_what_is_not_the_place_of_a_store() -> None:
    for where in ("", "mysql://host/base"):
        with pytest.raises(
            StoreError, match="is not the location of a store, expected a path or postgresql://"
        ):
            open_store(where)
    for wrong in (5, b"positions.sqlite"):
        with pytest.raises(
            TypeError, match=r"the location of a store is of type \w+, expected a path or a URL"
        ):
            open_store(wrong)  # type: ignore[arg-type]


def test_the_environment_names_the_default_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FORSYTH_STORE", str(tmp_path / "mine"))
    assert default_path() == default_location() == tmp_path / "mine"
    monkeypatch.setenv("FORSYTH_STORE", "postgresql://host/base")
    assert default_location() == "postgresql://host/base"
    assert default_path().name == "positions.sqlite"


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


def test_the_default_path_on_windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FORSYTH_STORE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert default_path() == tmp_path / "local" / "forsyth" / "positions.sqlite"
    monkeypatch.setenv("LOCALAPPDATA", "")
    assert default_path() == tmp_path / "AppData" / "Local" / "forsyth" / "positions.sqlite"


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
    assert found == [(0x46535954,), (4,), ("wal",)]


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
    _sql(path, "PRAGMA user_version = 5")
    with pytest.raises(StoreError, match="has layout 5, expected at most 4"):
        SqliteStore(path)


@pytest.mark.parametrize(
    ("layout", "missing"),
    [
        (1, ["DROP TABLE initial", "DROP TABLE saved", "DROP TABLE saved_tag"]),
        (2, ["DROP TABLE saved", "DROP TABLE saved_tag"]),
        (3, ["DROP TABLE saved_tag", "DROP INDEX saved_by_game"]),
    ],
)
def test_a_layout_of_the_past(path: Path, layout: int, missing: list[str]) -> None:
    with SqliteStore(path) as opened:
        id = opened.put("toy a", "toy")
        for n in range(3):
            opened.save("toy a", "toy", f"{n}", ["one", f"n {n}"] if n else [])
    _sql(path, *missing, f"PRAGMA user_version = {layout}")
    with SqliteStore(path) as opened:
        assert opened.get(id) == "toy a"
        if layout == 3:
            assert [saved.name for saved in opened.search(tag="one").positions] == ["2", "1"]
            assert opened.search(tag="n 2").total == 1
            assert opened.search(tag="n").total == 0
        opened.set_initial("toy", "toy b")
        assert opened.saved(opened.save("toy c", "toy", "c").id) is not None
    assert _sql(path, "PRAGMA user_version") == [(4,)]


def test_the_initial_position_outlives_the_process(path: Path) -> None:
    with SqliteStore(path) as opened:
        opened.set_initial("toy", "toy a")
    with SqliteStore(path) as opened:
        assert opened.initial("toy") == "toy a"
        _sql(path, f"UPDATE initial SET id = '{UNKNOWN}'")
        with pytest.raises(StoreError, match="the initial position of toy is missing"):
            opened.initial("toy")


def test_a_path_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder, expected the file of a store"):
        SqliteStore(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match=r"the folder .* does not exist"):
        SqliteStore(tmp_path / "file" / "a.sqlite")
    with pytest.raises(StoreError, match="cannot be created: File name too long"):
        SqliteStore(tmp_path / ("a" * 300))


def test_a_file_cut_short(path: Path) -> None:
    with SqliteStore(path) as opened:
        ids = [opened.put(f"toy {n} " + "a" * 900) for n in range(50)]
    with path.open("r+b") as file:
        file.truncate(8192)
    for id in ids:
        with pytest.raises(StoreError, match="malformed"), SqliteStore(path) as opened:
            opened.get(id)


@pytest.mark.parametrize("word", [b"CREATE TABLE position", b"sqlite_autoindex_saved"])
def test_a_damaged_schema_is_an_error_of_the_store(path: Path, word: bytes) -> None:
    with SqliteStore(path) as opened:
        opened.put("toy a")
    data = path.read_bytes()
    assert word in data
    path.write_bytes(data.replace(word, b"\x99" + word[1:]))
    with pytest.raises(StoreError, match=r"positions\.sqlite"):
        SqliteStore(path)


BAD_TEXT = "CAST(x'ff' AS TEXT)"


@pytest.mark.parametrize(
    ("damage", "use"),
    [
        (f"UPDATE position SET game = {BAD_TEXT}", lambda store, state, _: store.entry(state)),
        (f"UPDATE position SET id = {BAD_TEXT}", lambda store, *_: list(store)),
        (f"UPDATE initial SET id = {BAD_TEXT}", lambda store, *_: store.initial("toy")),
        *(
            (f"UPDATE saved SET {column} = {BAD_TEXT}", use)
            for column in ("game", "name", "tags", "note", "created", "updated")
            for use in (
                lambda store, _, id: store.saved(id),
                lambda store, _, id: store.change(id, note="other"),
                lambda store, *_: store.search(),
            )
        ),
    ],
)
def test_bytes_that_are_no_text_are_an_error_of_the_store(
    path: Path, damage: str, use: Callable[..., object]
) -> None:
    with SqliteStore(path) as opened:
        opened.set_initial("toy", "toy a")
        saved = opened.save("toy a", "toy", "name", ["tag"], "note")
        _sql(path, damage)
        with pytest.raises(StoreError, match=r"positions\.sqlite"):
            use(opened, saved.state_id, saved.id)


def test_a_row_that_holds_no_text_is_an_error_of_the_store() -> None:
    row = (1, "id", state_id("toy a"), "toy", "toy a", "name", "", "note", "now", "now")
    assert library.saved_from_row(row, "here")[1].name == "name"
    for at in (0, 1, 3, 5, 6, 7, 8, 9):
        damaged: Any = (*row[:at], b"\xff", *row[at + 1 :])
        with pytest.raises(StoreError, match="here is damaged"):
            library.saved_from_row(damaged, "here")


# --- who may read and write it ------------------------------------------------------------------------


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files")
def test_a_new_file_and_its_journals_are_for_the_owner_alone(path: Path) -> None:
    old = os.umask(0o022)
    try:
        with SqliteStore(path) as opened:
            opened.put("toy a")
            files = sorted(path.parent.iterdir())
            assert [file.name for file in files] == [
                "positions.sqlite",
                "positions.sqlite-shm",
                "positions.sqlite-wal",
            ]
            assert [_mode(file) for file in files] == [0o600] * 3
    finally:
        os.umask(old)


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files")
def test_the_mode_of_a_file_that_is_there_stays(path: Path) -> None:
    with SqliteStore(path):
        pass
    path.chmod(0o640)
    with SqliteStore(path) as opened:
        opened.put("toy a")
    assert _mode(path) == 0o640


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_a_link_to_nothing_is_followed(path: Path, tmp_path: Path) -> None:
    path.symlink_to(tmp_path / "elsewhere.sqlite")
    with SqliteStore(path) as opened:
        opened.put("toy a")
    assert _mode(tmp_path / "elsewhere.sqlite") == 0o600


def _refusal(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("there is no writing here")
    error.sqlite_errorcode = code
    return error


@pytest.fixture
def unwritable(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """From now on no file can be opened for writing, and none can be given a journal."""
    plain = sqlite_file._open_connection

    def forbid(code: int) -> None:
        def connection(name: str) -> sqlite3.Connection:
            if "immutable" not in name:
                raise _refusal(code)
            return plain(name)

        monkeypatch.setattr(sqlite_file, "_open_connection", connection)

    return forbid


@pytest.mark.parametrize(
    "code", [sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR]
)
def test_what_cannot_be_written_can_be_read(path: Path, unwritable: Callable[[int], None], code: int) -> None:
    with SqliteStore(path) as opened:
        saved = opened.save("toy a", "toy", "name")
        opened.set_initial("toy", "toy a")
    before = path.read_bytes()
    unwritable(code)
    with SqliteStore(path) as opened:
        assert opened.get(saved.state_id) == "toy a"
        assert list(opened) == [saved.state_id]
        assert opened.saved(saved.id) == saved
        assert opened.search().positions == (saved,)
        assert opened.initial("toy") == "toy a"
        assert opened.put("toy a", "toy") == saved.state_id
        writers: tuple[Callable[[], object], ...] = (
            lambda: opened.put("toy b"),
            lambda: opened.save("toy b", "toy", "name"),
            lambda: opened.change(saved.id, name="other"),
            lambda: opened.forget(saved.id),
            lambda: opened.set_initial("toy", "toy b"),
        )
        for write in writers:
            with pytest.raises(StoreError, match=r"cannot be written .*its content can still be read"):
                write()
    assert path.read_bytes() == before


def test_a_disk_that_can_be_written_again_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteStore(path) as opened:
        id = opened.put("toy a")
    with monkeypatch.context() as patched:
        patched.setattr(sqlite_file, "_connect_to_write", _raise(_refusal(sqlite3.SQLITE_FULL)))
        opened = SqliteStore(path)
        assert opened.get(id) == "toy a"
    assert opened.get(opened.put("toy b")) == "toy b"
    opened.close()


def _raise(error: Exception) -> Callable[..., object]:
    def refuse(*_: object) -> object:
        raise error

    return refuse


def test_rows_in_a_journal_that_cannot_be_read_are_not_passed_over(
    path: Path, unwritable: Callable[[int], None]
) -> None:
    with SqliteStore(path) as opened:
        opened.put("toy a")
        journal = Path(f"{path}-wal").read_bytes()
    Path(f"{path}-wal").write_bytes(journal)
    unwritable(sqlite3.SQLITE_CANTOPEN)
    with pytest.raises(StoreError, match="cannot be used as a store"):
        SqliteStore(path)


def test_an_earlier_layout_that_cannot_be_written(path: Path, unwritable: Callable[[int], None]) -> None:
    with SqliteStore(path):
        pass
    _sql(path, "DROP TABLE saved", "DROP TABLE saved_tag", "PRAGMA user_version = 2")
    unwritable(sqlite3.SQLITE_READONLY)
    with pytest.raises(StoreError, match="has layout 2, expected 4, and cannot be written"):
        SqliteStore(path)


# --- many at once -------------------------------------------------------------------------------------


def _texts(writer: str) -> list[str]:
    return [f"{writer} {n}" for n in range(100)] + [f"shared {n}" for n in range(100)]


def _write(where: str, writer: str) -> None:
    with open_store(where) as opened:
        _put_all(opened, _texts(writer))
        for n in range(20):
            opened.save(f"{writer} {n}", "toy", f"{writer} {n}")


@pytest.mark.slow
def test_eight_threads_and_four_processes_lose_nothing(where: str) -> None:
    processes = [
        multiprocessing.get_context("spawn").Process(target=_write, args=(where, f"process {n}"))
        for n in range(4)
    ]
    with open_store(where) as opened:
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
        found = opened.search(limit=MAX_PAGE)
        assert found.total == 80
        assert {saved.name for saved in found.positions} == {
            f"process {p} {n}" for p in range(4) for n in range(20)
        }
        if isinstance(opened, SqliteStore):
            assert _sql(opened.path, "PRAGMA integrity_check") == [("ok",)]


def test_many_change_the_same_saved_position(where: str) -> None:
    with open_store(where) as opened:
        id = opened.save("toy a", "toy", "start").id
        changes: list[Callable[[], object]] = [
            lambda: opened.change(id, name="end"),
            lambda: opened.change(id, tags=["tag"]),
            lambda: opened.change(id, note="note"),
        ]
        threads = [threading.Thread(target=change) for change in changes * 10]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        saved = opened.saved(id)
        assert saved is not None
        assert (saved.name, saved.tags, saved.note) == ("end", ("tag",), "note")


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
    prepare = sqlite_file._prepare_tables
    refusals = [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_SNAPSHOT]

    def refuse_first(connection: sqlite3.Connection, path: Path) -> None:
        if refusals:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = refusals.pop()
            raise error
        prepare(connection, path)

    monkeypatch.setattr(sqlite_file, "_prepare_tables", refuse_first)
    with SqliteStore(path) as opened:
        assert opened.get(opened.put("toy a")) == "toy a"


_WRITER = """
import itertools, sys
from forsyth.store import open_store
store = open_store(sys.argv[1])
for n in itertools.count():
    print(store.put(f"toy {n}"), store.save(f"saved {n}", "toy", f"name {n}", ["tag"]).id, flush=True)
"""


@contextmanager
def _writer(where: str) -> Iterator[subprocess.Popen[str]]:
    """A process that writes until it is stopped, and prints what was acknowledged."""
    source = Path(forsyth.store.__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", _WRITER, where],
        env={**os.environ, "PYTHONPATH": str(source)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as writer:
        try:
            yield writer
        finally:
            writer.kill()


def _acknowledged(writer: subprocess.Popen[str], stop: Callable[[], None]) -> list[tuple[str, str]]:
    """What a writer printed until it was stopped, amid its work."""
    assert writer.stdout is not None
    first = [writer.stdout.readline() for _ in range(50)]
    stop()
    lines = [*first, *writer.stdout]
    writer.wait(60)
    # The last line may be half a line.
    pairs = [line.split() for line in lines if line.endswith("\n")]
    return [(state, saved) for state, saved in pairs]


def _check_survivors(where: str, acknowledged: list[tuple[str, str]]) -> None:
    assert len(acknowledged) >= 50
    with open_store(where) as opened:
        for n, (state, id) in enumerate(acknowledged):
            assert opened.get(state) == f"toy {n}"
            saved = opened.saved(id)
            assert saved is not None
            assert (saved.text, saved.name, saved.tags) == (f"saved {n}", f"name {n}", ("tag",))
        # What was not acknowledged is there as a whole or not at all: reading checks it.
        assert {opened.get(id) for id in opened} >= {f"toy {n}" for n in range(len(acknowledged))}
        total = opened.search(tag="tag").total
        assert len(acknowledged) <= total <= len(acknowledged) + 1
        assert opened.get(opened.put("after")) == "after"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_what_was_acknowledged_survives_a_kill(where: str) -> None:
    with _writer(where) as writer:
        acknowledged = _acknowledged(writer, writer.kill)
        assert writer.returncode == -signal.SIGKILL
    _check_survivors(where, acknowledged)


def test_what_was_acknowledged_survives_a_crash_of_the_server(postgres: PostgresServer) -> None:
    url = postgres.fresh_url()
    with _writer(url) as writer:
        try:
            acknowledged = _acknowledged(writer, lambda: postgres.stop("immediate"))
        finally:
            postgres.start()
        assert writer.returncode == 1
    _check_survivors(url, acknowledged)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_may_fork_with_a_store_open(where: str) -> None:
    with open_store(where) as opened:
        opened.put("before")
        writer = threading.Thread(target=_put_all, args=(opened, _texts("parent")))
        writer.start()
        children = [_forked(opened, f"child {n}") for n in range(4)]
        writer.join()
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
        writers = ["parent", *(f"child {n}" for n in range(4))]
        expected = {"before"} | {text for writer in writers for text in _texts(writer)}
        assert {opened.get(id) for id in opened} == expected
        if isinstance(opened, SqliteStore):
            assert _sql(opened.path, "PRAGMA integrity_check") == [("ok",)]


def _forked(store: Store, writer: str) -> int:
    child = os.fork()
    if child:
        return child
    # A child must not come back into the test runner, whatever happens.
    status = 1
    try:
        # A connection of the parent must not be here.
        if not (store._connection if isinstance(store, SqliteStore) else _idle(store)):
            _put_all(store, _texts(writer))
            store.close()
            status = 0
    finally:
        os._exit(status)


def _idle(store: Store) -> list[Connection]:
    assert isinstance(store, PostgresStore)
    return store._pool._idle


def test_damage_of_a_game_or_an_identifier_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteStore(path) as opened:
        id = opened.put("toy a", "toy")
        with pytest.raises(StoreError) as caught:
            opened._make_entry(id, "toy a", b"toy")
        reason = f"the game of {id} is not text"
        assert str(caught.value) == f"{path} is damaged: {reason}; restore the store from a backup"
        assert opened._make_entry(id, "toy a", None) == Entry(id, "toy a", None)
        for found in ("toy b", None):
            with pytest.raises(StoreError, match=f"the text of {id} is not the one it was stored with"):
                opened._make_entry(id, found, "toy")
        # The tables hold nothing else; what does may be a table of somebody else's making.
        monkeypatch.setattr(opened, "_fetch_all", lambda statement, parameters: [(id,), (5,)])
        with pytest.raises(StoreError) as caught:
            list(opened)
        reason = "5 is not an identifier"
        assert str(caught.value) == f"{path} is damaged: {reason}; restore the store from a backup"


def test_a_file_that_another_makes_in_between_is_not_made_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "exists", lambda self: False)
    assert sqlite_file._create_private_file(path) is True
    assert sqlite_file._create_private_file(path) is False


def test_an_empty_file_that_cannot_be_written_is_no_store(path: Path) -> None:
    path.touch()
    with sqlite3.connect(path) as connection, pytest.raises(StoreError) as caught:
        sqlite_file._require_current_layout(connection, path)
    connection.close()
    expected = f"{path} is empty and cannot be written; free space on its disk, or choose another location"
    assert str(caught.value) == expected


def test_a_server_needs_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "forsyth.store.postgres", None)
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://nowhere")
    assert str(caught.value).startswith(
        "a PostgreSQL store needs psycopg, which cannot be imported (import of forsyth.store.postgres halted"
    )
    assert str(caught.value).endswith("; install it with: pip install 'forsyth[postgres]'")


def test_a_child_leaves_the_connections_of_its_parent_alone() -> None:
    closed: list[str] = []

    class Open:
        info = SimpleNamespace(transaction_status=TransactionStatus.IDLE)

        def close(self) -> None:
            closed.append("closed")

    def connect() -> Any:
        return Open()

    pool = ConnectionPool(connect, "here")
    first = pool.run_operation(lambda connection: connection)
    assert pool.run_operation(lambda connection: connection) is first
    before = len(_PARENT_CONNECTIONS)
    pool.abandon_parent_connections()
    assert _PARENT_CONNECTIONS.pop() == [first]
    assert (len(_PARENT_CONNECTIONS), closed) == (before, [])
    assert pool.run_operation(lambda connection: connection) is not first
    pool.close()
    assert closed == ["closed"]
