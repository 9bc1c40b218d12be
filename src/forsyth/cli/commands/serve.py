"""`forsyth serve`: the HTTP service and the web page.

Writes the address once it listens. SIGTERM and Ctrl-C stop it: it takes no new requests, finishes those in
flight, closes the store and ends with status 0. Options that are not given are taken from the environment,
such as ``FORSYTH_PORT``. Needs the extra `server`.
"""

from __future__ import annotations

import os
import signal
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from forsyth.cli.arguments import example
from forsyth.cli.output import Failure, echo

if TYPE_CHECKING:
    from forsyth.server.settings import Settings

NEEDED: Final = ("fastapi", "uvicorn")
FACTORY: Final = "forsyth.server.app:from_environment"

MOST_KEY: Final = 4096
"""Characters of a file with a key that are read: a header cannot hold many more."""

LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""What means all addresses of a machine, and the one to use on the machine itself."""


@click.command(
    epilog=example(
        "forsyth serve", "forsyth serve --port 9000 --store positions.sqlite", "forsyth serve --index book/"
    )
)
@click.option("--host", metavar="ADDRESS", help="The address to listen on; 127.0.0.1 by default.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 8000 by default, 0 takes a free one.")
@click.option(
    "--store",
    metavar="PATH",
    help="Where positions are kept: a file, :memory:, or postgresql://…; see forsyth doctor.",
)
@click.option(
    "--index",
    metavar="DIR",
    help="An index that forsyth index made: the page then shows what was played in a position.",
)
@click.option("--workers", type=click.IntRange(1, 256), help="How many processes answer; 1 by default.")
@click.option(
    "--api-key-file",
    type=click.Path(dir_okay=False),
    metavar="PATH",
    help="The file with the key that is needed to change the store.",
)
@click.option(
    "--api-key",
    metavar="KEY",
    help="The key itself, visible in the list of processes; better use --api-key-file or FORSYTH_API_KEY.",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="A name by which others reach the service; * is every name. May be given more than once.",
)
@click.option(
    "--cors",
    multiple=True,
    metavar="ORIGIN",
    help="An origin whose pages may call the service. May be given more than once.",
)
@click.option(
    "--rate-limit",
    type=click.IntRange(min=0),
    metavar="N",
    help="Most requests of one client in a minute; 0, the default, does not count.",
)
@click.option(
    "--trust-proxy",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy, or a network of them, whose X-Forwarded-For is believed. May be given more than once.",
)
def serve(**given: Any) -> None:
    """Serve the web page and the HTTP API for every game."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise Failure(f"the service needs {' and '.join(missing)}: pip install 'forsyth[server]'")
    settings = _settings(_with_key({name: value for name, value in given.items() if value not in (None, ())}))
    _look_at_store(settings)
    _look_at_index(settings)
    with _listener(settings) as listener:
        echo(f"Forsyth is at {_address(settings.host, listener)} (Ctrl-C stops it)")
        if settings.host in LOOPBACK:
            echo(
                "other machines reach it by an address of this one; for a name, such as "
                f"{socket.gethostname()}, add --allow-host and the name"
            )
        _run(settings, listener)
    echo("stopped")


def _with_key(given: dict[str, Any]) -> dict[str, Any]:
    """The options with the key that a file holds in place of the file's name."""
    path = given.pop("api_key_file", None)
    if "api_key" in given:
        if path is not None:
            raise click.UsageError("--api-key and --api-key-file both name a key, expected one of them")
        echo(
            "warning: the key of --api-key can be seen in the list of processes; "
            "give it with --api-key-file or FORSYTH_API_KEY",
            err=True,
        )
    if path is None:
        return given
    try:
        with Path(path).open(encoding="utf-8") as file:
            return {**given, "api_key": file.read(MOST_KEY).strip()}
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise Failure(
            f"--api-key-file: {path} cannot be read ({reason}); name a file with one line"
        ) from error


def _settings(given: dict[str, Any]) -> Settings:
    """The settings of the environment, with what was given in place of it."""
    from dataclasses import replace

    from forsyth.server.settings import Settings

    try:
        return replace(Settings.from_environment(), **given)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _look_at_store(settings: Settings) -> None:
    """Say at once what cannot be kept; refuse a place that no store can have."""
    from forsyth.server.service_store import open_keeping

    try:
        store, problem = open_keeping(settings.where)
    except (ValueError, ImportError) as error:
        raise Failure(f"--store: {error}") from error
    store.close()
    if problem is not None:
        echo(f"warning: nothing will be kept: {problem}; correct that and start again", err=True)


def _look_at_index(settings: Settings) -> None:
    """Refuse a directory that holds no index."""
    from forsyth.server.service_index import open_index

    try:
        book = open_index(settings.index)
    except (ValueError, ImportError) as error:
        raise Failure(f"--index: {error}") from error
    if book is not None:
        book.close()


def _listener(settings: Settings) -> socket.socket:
    host, port = settings.host, settings.port
    try:
        kind = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=kind)
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"{host}:{port} cannot be listened on ({reason}); name another with --host and --port"
        raise Failure(message) from error


def _address(host: str, listener: socket.socket) -> str:
    host = LOOPBACK.get(host, host)
    shown = f"[{host}]" if listener.family == socket.AF_INET6 else host
    return f"http://{shown}:{listener.getsockname()[1]}"


def _run(settings: Settings, listener: socket.socket) -> None:
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from forsyth.server.bounds.listening import Config

    # The workers of another process find their settings here.
    os.environ.update(settings.to_environment())
    config = Config(FACTORY, settings, factory=True)
    server = uvicorn.Server(config)
    if settings.workers > 1:
        Multiprocess(config, sockets=[listener]).run()
        return
    # The server raises the signal that stopped it once more when it is done: by then all is in order.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    server.run(sockets=[listener])
    if not server.started:
        raise Failure("the service did not start; the lines above say why")
