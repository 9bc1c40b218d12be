"""A PostgreSQL server of our own for the tests that need one.

`postgres` is a fixture for the whole session: each worker of pytest-xdist starts its own server, so that a
test may stop it and start it again. Tests get a fresh schema each, which costs milliseconds. `store` is an
empty store of each kind in turn.

The programs are looked for on the path and where Debian puts them. PostgreSQL refuses to run as root: there
it runs as `postgres` or `nobody`.
"""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from forsyth.store import Store, open_store

USER = "forsyth"
PASSWORD = "never shown: 'ü%/@"
ATTEMPTS = 5
"""Attempts to start a server, each on another port: except on Linux, another program may take it first."""


class PostgresServer:
    """A server in a folder of its own, on a free port of this machine."""

    def __init__(self, folder: Path) -> None:
        self._data = folder / "data"
        self._log = folder / "log"
        self._user = _user()
        self._schemas = itertools.count(1)
        self._databases = itertools.count(1)
        self._place: socket.socket | None = None
        self.port = 0
        password = folder / "password"
        password.write_text(PASSWORD, encoding="utf-8")
        if self._user is not None:
            for path in (folder, password):
                shutil.chown(path, self._user)
        self._program(
            *("initdb", "--pgdata", str(self._data), "--username", USER, "--pwfile", str(password)),
            *("--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync"),
        )

    @property
    def url(self) -> str:
        """The database that initdb made, as its owner."""
        return self.url_of("postgres")

    def url_of(self, database: str, password: str = PASSWORD) -> str:
        """A database of this server, as its owner."""
        return f"postgresql://{USER}:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"

    def fresh_url(self) -> str:
        """The same database with a new, empty schema."""
        schema = f"test_{next(self._schemas)}"
        self.sql(self.url, f"CREATE SCHEMA {schema}")
        return f"{self.url}?options=-csearch_path%3D{schema}"

    def fresh_database(self, options: str = "") -> str:
        """Make a new, empty database and return its name."""
        database = f"base_{next(self._databases)}"
        self.sql(self.url, f"CREATE DATABASE {database} {options}")
        return database

    def sql(self, url: str, statement: str) -> list[tuple[Any, ...]]:
        """The rows that a statement gives."""
        # Not above: every run of every test loads this module.
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            done = connection.execute(statement)
            return done.fetchall() if done.description else []

    def start(self) -> None:
        """Start the server, on the port that it had before or on a free one, and wait until it answers."""
        for attempt in range(1, ATTEMPTS + 1):
            port = self.port or self._find_port()
            # No fsync: the tests stop the server, not the machine.
            options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
            try:
                self._control("start", "--log", str(self._log), "--options", options)
            except RuntimeError:
                if self.port or attempt == ATTEMPTS:
                    raise
            else:
                self.port = port
                return

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; `immediate` is a crash, after which it has to recover."""
        self._control("stop", "--mode", mode)

    def close(self) -> None:
        """Stop the server for good."""
        try:
            self.stop("immediate")
        finally:
            self._release_port()

    def _find_port(self) -> int:
        """Return a free port. On Linux no other program gets it while the server is stopped.

        A socket that is bound and does not listen keeps other programs from the port. It does not hinder the
        server, because both sockets have SO_REUSEADDR. Other systems do not let two sockets have one port.
        """
        self._release_port()
        self._place = socket.socket()
        self._place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._place.bind(("127.0.0.1", 0))
        port: int = self._place.getsockname()[1]
        if sys.platform != "linux":
            self._release_port()
        return port

    def _release_port(self) -> None:
        if self._place is not None:
            self._place.close()
            self._place = None

    def _control(self, *arguments: str) -> None:
        self._program("pg_ctl", *arguments, "--pgdata", str(self._data), "--wait", "--silent")

    def _program(self, name: str, *arguments: str) -> None:
        # To a file, not a pipe: the server keeps what it inherits and a pipe would never end.
        with tempfile.TemporaryFile("w+") as output:
            done = subprocess.run(
                [_find(name), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self._data.parent,
                user=self._user,
                group=None if self._user is None else _group(self._user),
                extra_groups=None if self._user is None else [],
                timeout=120,
                check=False,
            )
            output.seek(0)
            if done.returncode:
                raise RuntimeError(f"{name} {arguments[0]}: {output.read()}")


def _user() -> str | None:
    """Whom the server runs as; None for whoever runs the tests."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    import pwd

    known = {user.pw_name for user in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def _group(user: str) -> int:
    # Not at the top: every test imports this file, on systems without users of this kind too.
    import pwd

    return pwd.getpwnam(user).pw_gid


def _find(name: str) -> str:
    found = shutil.which(name)
    if found is not None:
        return found
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    if not installed:
        raise FileNotFoundError(f"{name} is not installed: apt-get install postgresql")
    return str(installed[-1])


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    # Not in pytest's folder: only its owner may enter that, and the server runs as another user under root.
    with tempfile.TemporaryDirectory(prefix="forsyth-postgres-", ignore_cleanup_errors=True) as folder:
        server = PostgresServer(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.close()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with open_store(_empty(request, tmp_path)) as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store can be opened that outlives the process."""
    return str(_empty(request, tmp_path))


def _empty(request: pytest.FixtureRequest, tmp_path: Path) -> str | None:
    if request.param == "memory":
        return None
    if request.param == "sqlite":
        return str(tmp_path / "positions.sqlite")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.fresh_url()
