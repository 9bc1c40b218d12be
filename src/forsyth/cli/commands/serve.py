"""`forsyth serve`: serve the HTTP API and the web page.

Writes the address when the service listens. SIGTERM and Ctrl-C stop the service: it accepts no new requests,
finishes the running ones, closes the store and ends with status 0. Options that are not given are taken from
environment variables such as ``FORSYTH_PORT``. The command needs the extra `server`.
"""

from __future__ import annotations

import os
import signal
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.output import Failure, echo

if TYPE_CHECKING:
    from forsyth.server.settings import Settings

REQUIRED_PACKAGES: Final = ("fastapi", "uvicorn")
APPLICATION_FACTORY: Final = "forsyth.server.app:create_app_from_environment"
"""The function that creates the application, as uvicorn expects it."""

MAX_KEY_LENGTH: Final = 4096
"""Number of characters to read from a key file; an HTTP header cannot contain many more."""

LOOPBACK_ADDRESSES: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""The addresses that mean all interfaces of a machine, and the address to open on the machine itself."""


@click.command(
    epilog=format_examples(
        "forsyth serve", "forsyth serve --port 9000 --store positions.sqlite", "forsyth serve --index book/"
    )
)
@click.option("--host", metavar="ADDRESS", help="Address to listen on.  [default: 127.0.0.1]")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port to listen on; 0: any free port.  [default: 8000]"
)
@click.option(
    "--store",
    metavar="PATH",
    help="Store of the positions: a file, :memory: or postgresql://… (see forsyth doctor).",
)
@click.option(
    "--index",
    metavar="DIR",
    help="Index written by forsyth index; the page then shows the moves played in a position.",
)
@click.option("--workers", type=click.IntRange(1, 256), help="Number of server processes.  [default: 1]")
@click.option(
    "--api-key-file",
    type=click.Path(dir_okay=False),
    metavar="PATH",
    help="File with the API key that clients need to change the store and to read the library and metrics.",
)
@click.option(
    "--api-key",
    metavar="KEY",
    help="The API key itself. Other users of the machine can see it in the list of processes; prefer "
    "--api-key-file or FORSYTH_API_KEY.",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="Host name under which clients reach the service; *: any name. Repeatable.",
)
@click.option(
    "--cors",
    multiple=True,
    metavar="ORIGIN",
    help="Web origin whose pages may call the service. Repeatable.",
)
@click.option(
    "--rate-limit",
    type=click.IntRange(min=0),
    metavar="N",
    help="Maximum number of requests per client and minute; 0: no limit.  [default: 1200, or no limit if "
    "other machines cannot reach the service]",
)
@click.option(
    "--trust-proxy",
    multiple=True,
    metavar="ADDRESS",
    help="Address or network of a proxy whose X-Forwarded-For header is trusted. Repeatable.",
)
def serve(**options: Any) -> None:
    """Serve the web page and the HTTP API for every game."""
    missing_packages = [name for name in REQUIRED_PACKAGES if find_spec(name) is None]
    if missing_packages:
        raise Failure(
            f"the service needs {' and '.join(missing_packages)}; install with: pip install 'forsyth[server]'"
        )
    given_options = {name: value for name, value in options.items() if value not in (None, ())}
    settings = _make_settings(_replace_key_file(given_options))
    _warn_of_unusable_store(settings)
    _require_valid_index(settings)
    with _open_listener(settings) as listener:
        echo(f"Forsyth is at {_format_address(settings.host, listener)} (press Ctrl-C to stop)")
        if settings.host in LOOPBACK_ADDRESSES:
            echo(
                "other machines can use an IP address of this machine; to use a name such as "
                f"{socket.gethostname()}, add --allow-host with that name"
            )
        _run_server(settings, listener)
    echo("stopped")


def _replace_key_file(options: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of the options in which ``api_key``, the key, replaces ``api_key_file``, its file.

    If the key was given on the command line, print a warning, because other users can see it. Raise
    `click.UsageError` if both options are given, and `Failure` if the file cannot be read.
    """
    other_options = {name: value for name, value in options.items() if name != "api_key_file"}
    key_file = options.get("api_key_file")
    if "api_key" in options:
        if key_file is not None:
            raise click.UsageError("--api-key and --api-key-file exclude each other; choose one")
        echo(
            "warning: other users of this machine can see the key of --api-key in the list of processes; "
            "use --api-key-file or FORSYTH_API_KEY",
            err=True,
        )
    if key_file is None:
        return other_options
    return {**other_options, "api_key": _read_key_file(key_file)}


def _read_key_file(path: str) -> str:
    """Return the API key in a text file, without blanks around it. Raise `Failure` if it cannot be read."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            return file.read(MAX_KEY_LENGTH).strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise Failure(
            f"--api-key-file: {path} cannot be read ({reason}); expected a text file with the key on one line"
        ) from error


def _make_settings(options: dict[str, Any]) -> Settings:
    """Return the settings of the service. Raise `click.UsageError` if a value is not valid.

    A setting is taken from `options`, the given options of the command, or else from an environment variable
    such as ``FORSYTH_PORT``.
    """
    from dataclasses import replace

    from forsyth.server.settings import Settings

    try:
        return replace(Settings.from_environment(), **options)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _warn_of_unusable_store(settings: Settings) -> None:
    """Print a warning if the store of positions cannot be opened or written. The service starts nevertheless.

    Raise `Failure` if the location of the store is not valid, or a package that it needs is not installed.
    """
    from forsyth.server.service_store import open_service_store

    try:
        store, problem = open_service_store(settings.store_location)
    except (ValueError, ImportError) as error:
        raise Failure(f"--store: {error}") from error
    store.close()
    if problem is not None:
        echo(
            f"warning: positions cannot be stored: {problem}; correct this and start the service again",
            err=True,
        )


def _require_valid_index(settings: Settings) -> None:
    """Raise `Failure` if the settings name an index of games, but its directory contains no valid index."""
    from forsyth.server.service_index import open_index

    try:
        book = open_index(settings.index)
    except (ValueError, ImportError) as error:
        raise Failure(f"--index: {error}") from error
    if book is not None:
        book.close()


def _open_listener(settings: Settings) -> socket.socket:
    """Return a socket that listens on the host and port of the settings.

    Raise `Failure` if it cannot listen there, for example because the port is in use.
    """
    host = settings.host
    port = settings.port
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # The first address decides between IPv4 and IPv6.
        family, *_ = addresses[0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Failure(
            f"cannot listen on {host}:{port} ({reason}); choose another address with --host and --port"
        ) from error


def _format_address(host: str, listener: socket.socket) -> str:
    """Format the URL at which a browser on this machine can open the service: ``http://127.0.0.1:8000``.

    Args:
        host: The address in the settings. ``0.0.0.0`` (all interfaces) becomes ``127.0.0.1``.
        listener: The socket of the service. Its port counts, because port 0 in the settings means any port.
    """
    reachable_host = LOOPBACK_ADDRESSES.get(host, host)
    is_ipv6 = listener.family == socket.AF_INET6
    url_host = f"[{reachable_host}]" if is_ipv6 else reachable_host
    _, port, *_ = listener.getsockname()
    return f"http://{url_host}:{port}"


def _run_server(settings: Settings, listener: socket.socket) -> None:
    """Serve requests on the socket `listener` until a signal stops the service.

    Raise `Failure` if the service does not start.
    """
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from forsyth.server.bounds.listening import Config

    # Worker processes read their settings from the environment.
    os.environ.update(settings.to_environment())
    config = Config(APPLICATION_FACTORY, settings, factory=True)
    server = uvicorn.Server(config)
    if settings.workers > 1:
        Multiprocess(config, sockets=[listener]).run()
        return
    # After its shutdown, the server sends itself the signal that stopped it. Without this, that signal would
    # end the program with another status than 0.
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, lambda *_: None)
    server.run(sockets=[listener])
    if not server.started:
        raise Failure("the service did not start; the messages above give the reason")
