"""What only a store on a PostgreSQL server does."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import traceback
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.store.postgres_server import PASSWORD, PostgresServer

import forsyth
from forsyth.identity import state_id
from forsyth.store import Entry, StoreError, ToSave, connections, open_store
from forsyth.store.postgres import PostgresStore


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.fresh_url()


def test_open_store(url: str) -> None:
    for scheme in ("postgresql://", "postgres://"):
        with open_store(url.replace("postgresql://", scheme)) as opened:
            assert isinstance(opened, PostgresStore)


def test_the_layout(postgres: PostgresServer, url: str) -> None:
    for _ in range(2):
        with PostgresStore(url) as opened:
            opened.put("toy a")
    assert postgres.sql(url, "SELECT layout FROM forsyth_layout") == [(2,)]


def test_tags_of_a_batch_do_not_look_at_all_that_was_saved(postgres: PostgresServer, url: str) -> None:
    import psycopg

    with PostgresStore(url) as opened:
        opened.save_many(ToSave("toy a", "toy", f"{n}", ["x"]) for n in range(5000))
        statement = opened._sql["tag_many"]
    postgres.sql(url, "ANALYZE")
    values = {"tag": ["y"] * 2000, "id": [f"{n}" for n in range(2000)]}
    with psycopg.connect(url) as connection:
        plan = "\n".join(row[0] for row in connection.execute(f"EXPLAIN {statement}", values))
    assert "Index Scan using forsyth_saved_id_key" in plan
    assert "Seq Scan on forsyth_saved" not in plan


def test_a_layout_of_the_future(postgres: PostgresServer, url: str) -> None:
    PostgresStore(url).close()
    postgres.sql(url, "UPDATE forsyth_layout SET layout = 3")
    with pytest.raises(StoreError, match="has layout 3, expected at most 2: a newer Forsyth wrote it"):
        PostgresStore(url)


def test_a_layout_of_the_past(postgres: PostgresServer, url: str) -> None:
    with PostgresStore(url) as opened:
        for n in range(3):
            opened.save("toy a", "toy", f"{n}", ["one", f"n {n}"] if n else [])
    postgres.sql(url, "DROP TABLE forsyth_saved_tag")
    postgres.sql(url, "DROP INDEX forsyth_saved_by_game")
    postgres.sql(url, "UPDATE forsyth_layout SET layout = 1")
    with PostgresStore(url) as opened:
        assert [saved.name for saved in opened.search(tag="one").positions] == ["2", "1"]
        assert (opened.search(tag="n 2").total, opened.search(tag="n").total) == (1, 0)
    assert postgres.sql(url, "SELECT layout FROM forsyth_layout") == [(2,)]


def test_the_table_of_another_program(postgres: PostgresServer, url: str) -> None:
    postgres.sql(url, "CREATE TABLE forsyth_position (page text)")
    with pytest.raises(StoreError, match="of another program"):
        PostgresStore(url)


def test_many_make_the_same_tables_at_once(postgres: PostgresServer) -> None:
    for _ in range(3):
        url = postgres.fresh_url()
        failed: list[BaseException] = []
        barrier = threading.Barrier(8)
        threads = [threading.Thread(target=_make, args=(url, n, barrier, failed)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        with PostgresStore(url) as opened:
            assert (failed, len(opened)) == ([], 8)


def _make(url: str, n: int, barrier: threading.Barrier, failed: list[BaseException]) -> None:
    barrier.wait(30)
    try:
        with PostgresStore(url) as opened:
            opened.put(f"toy {n}")
    except StoreError as error:
        failed.append(error)


@pytest.mark.parametrize("damage", ["'toy b'", "''"])
def test_a_damaged_row_is_an_error_and_never_another_position(
    postgres: PostgresServer, url: str, damage: str
) -> None:
    with PostgresStore(url) as opened:
        id = opened.put("toy a", "toy")
        postgres.sql(url, f"UPDATE forsyth_position SET text = {damage}")
        for use in (opened.get, opened.entry):
            with pytest.raises(StoreError, match="is damaged: the text of state_"):
                use(id)
        assert opened.put("toy a") == id
        assert opened.entry(id) == Entry(id, "toy a", "toy")
        opened.set_initial("toy", "toy a")
        postgres.sql(url, f"UPDATE forsyth_initial SET id = '{state_id('nobody')}'")
        with pytest.raises(StoreError, match="the initial position of toy is missing"):
            opened.initial("toy")


# --- connections --------------------------------------------------------------------------------------


def test_a_store_goes_on_after_a_restart(postgres: PostgresServer, url: str) -> None:
    with PostgresStore(url) as opened:
        _use_all_connections(opened)
        id = opened.put("before")
        postgres.stop()
        try:
            with pytest.raises(
                StoreError, match=r"cannot be used as a store: .*; check that the server is running"
            ):
                opened.get(id)
        finally:
            postgres.start()
        assert opened.get(id) == "before"
        _use_all_connections(opened)
        postgres.stop("immediate")
        postgres.start()
        saved = opened.save("after", "toy", "after")
        assert opened.search().positions == (saved,)


def _use_all_connections(store: PostgresStore) -> None:
    barrier = threading.Barrier(connections.POOL_SIZE)
    threads = [
        threading.Thread(target=store._run_operation, args=(lambda _: barrier.wait(30),))
        for _ in range(connections.POOL_SIZE)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(store._pool._idle) == connections.POOL_SIZE


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_leaves_the_connections_of_its_parent_alone(url: str) -> None:
    """In a process of its own: one with the threads of other libraries may not use libpq behind a fork."""
    root = str(Path(__file__).parents[2])
    source = str(Path(forsyth.__file__).parents[1])
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"from tests.store.test_store_postgres import fork_twice; fork_twice({url!r})",
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((source, root))},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def fork_twice(url: str) -> None:
    """Use a store from a process and two children at once."""
    with PostgresStore(url) as opened:
        _use_all_connections(opened)
        children = [_forked(opened, f"child {n}") for n in range(2)]
        for n in range(100):
            assert opened.get(opened.put(f"parent {n}")) == f"parent {n}"
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0]
        assert len(opened) == 300
        _use_all_connections(opened)


def _forked(store: PostgresStore, writer: str) -> int:
    child = os.fork()
    if child:
        return child
    # A child must not come back into the test runner, whatever happens.
    status = 1
    try:
        texts = [f"{writer} {n}" for n in range(100)]
        if not store._pool._idle and [store.get(store.put(text)) for text in texts] == texts:
            _use_all_connections(store)
            store.close()
            status = 0
    finally:
        os._exit(status)


def test_connections_are_few(postgres: PostgresServer) -> None:
    # In a database of their own: those of earlier tests end a moment after they are closed.
    database = postgres.fresh_database()
    with PostgresStore(postgres.url_of(database)) as opened:
        threads = [threading.Thread(target=opened.put, args=(f"toy {n}",)) for n in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert len(opened) == 40
        assert len(opened._pool._idle) <= connections.POOL_SIZE
        count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'forsyth'"
        counted = postgres.sql(postgres.url, f"{count} AND datname = '{database}'")
        assert 0 < counted[0][0] <= connections.POOL_SIZE


def test_a_store_whose_connections_are_all_busy(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "WAIT_SECONDS", 0.01)
    with PostgresStore(url) as opened:
        for _ in range(connections.POOL_SIZE):
            opened._pool._slots.acquire()
        with pytest.raises(StoreError, match=r"all 4 connections to .* are busy; try again"):
            opened.put("toy a")


def test_work_that_was_interrupted_leaves_no_connection_behind(url: str) -> None:
    def interrupted(connection: connections.Connection) -> None:
        connection.execute("BEGIN")
        connection.execute("DELETE FROM forsyth_position")
        raise KeyboardInterrupt

    with PostgresStore(url) as opened:
        id = opened.put("toy a")
        with pytest.raises(KeyboardInterrupt):
            opened._run_operation(interrupted)
        assert opened.get(id) == "toy a"


def test_a_server_that_acknowledges_early_is_told_not_to(url: str) -> None:
    with PostgresStore(url.replace("options=", "options=-csynchronous_commit%3Doff%20")) as opened:
        assert opened._run_operation(lambda it: it.execute("SHOW synchronous_commit").fetchone()) == ("on",)


def test_the_encoding_of_the_environment_does_not_matter(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    with PostgresStore(url) as opened:
        assert opened.get(opened.put("\U0001f600 Ă")) == "\U0001f600 Ă"


# --- errors -------------------------------------------------------------------------------------------


def _refused(url: str) -> str:
    """Everything that is said when a store cannot be opened, with the trace."""
    with pytest.raises(StoreError) as caught:
        open_store(url)
    return str(caught.value) + "".join(traceback.format_exception(caught.value))


def test_a_wrong_password(postgres: PostgresServer) -> None:
    said = _refused(postgres.url_of("postgres", "wrong secret"))
    assert 'password authentication failed for user "forsyth"' in said
    assert (
        "check that the server is running, and the host, port, user, password and database of the URL" in said
    )
    assert "wrong" not in said


def test_a_database_that_is_not_there(postgres: PostgresServer) -> None:
    said = _refused(postgres.url_of("nowhere"))
    assert f"postgresql://forsyth@127.0.0.1:{postgres.port}/nowhere cannot be used" in said
    assert 'database "nowhere" does not exist' in said
    assert PASSWORD not in said
    assert quote(PASSWORD, safe="") not in said


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:secret%zz@localhost/base",
        "postgresql://me:secret%00@localhost/base",
        "postgresql://me:secret@localhost/base?nonsense=1",
        "postgresql://me:secret@[localhost/base",
    ],
)
def test_a_url_that_cannot_be_read(url: str) -> None:
    said = _refused(url)
    assert "the URL of the store cannot be read, expected postgresql://" in said
    assert "secret" not in said


def test_a_password_in_the_words_of_the_server(postgres: PostgresServer, url: str) -> None:
    with PostgresStore(url) as opened, pytest.raises(StoreError) as caught:
        opened._run_operation(
            lambda connection: connection.execute(f'SELECT 1 AS "{PASSWORD}" FROM "{PASSWORD}"')
        )
    assert PASSWORD not in str(caught.value)
    assert '"***"' in str(caught.value)


def test_a_user_who_may_not_make_tables(postgres: PostgresServer) -> None:
    postgres.sql(postgres.url, "DROP ROLE IF EXISTS reader")
    postgres.sql(postgres.url, "CREATE ROLE reader LOGIN PASSWORD 'reader'")
    said = _refused(f"postgresql://reader:reader@127.0.0.1:{postgres.port}/postgres")
    assert "permission denied for schema public; allow the user to create and use tables: GRANT" in said


def test_a_server_that_may_not_be_written_to(url: str) -> None:
    PostgresStore(url).close()
    with PostgresStore(url.replace("options=", "options=-cdefault_transaction_read_only%3Don%20")) as opened:
        assert len(opened) == 0
        with pytest.raises(StoreError, match="read-only transaction; use a server that can be written to"):
            opened.put("toy a")


def test_a_database_in_another_encoding(postgres: PostgresServer) -> None:
    said = _refused(postgres.url_of(postgres.fresh_database("ENCODING 'LATIN1' TEMPLATE template0")))
    assert "has the encoding LATIN1, expected UTF8: create it with ENCODING 'UTF8'" in said


_WITHOUT_PSYCOPG = """
import sys
import forsyth, forsyth.store
assert "psycopg" not in sys.modules
sys.modules["psycopg"] = None
try:
    forsyth.open_store("postgresql://me:secret@localhost/base")
except forsyth.StoreError as error:
    print(error)
"""


def test_without_psycopg() -> None:
    source = str(Path(forsyth.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_PSYCOPG],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "needs psycopg" in done.stdout
    assert "pip install 'forsyth[postgres]'" in done.stdout
    assert "secret" not in done.stdout
