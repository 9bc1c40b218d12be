"""The command `serve` before and after it serves: what it says, refuses and hands on."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from click.testing import CliRunner, Result

from forsyth.cli.app import forsyth
from forsyth.server.settings import Settings

SERVE = ("serve", "--port", "0", "--store", ":memory:")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(forsyth, list(arguments))


Served = list[tuple[Settings, int]]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Served:
    """The settings and the port of each service that would run; none does."""
    seen: Served = []
    monkeypatch.setattr(
        "forsyth.cli.commands.serve._run_server",
        lambda settings, listener: seen.append((settings, listener.getsockname()[1])),
    )
    return seen


@pytest.fixture
def kept_signals() -> Iterator[None]:
    """Signals and variables are as before, whatever a service makes of them."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    variables = dict(os.environ)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
    os.environ.clear()
    os.environ.update(variables)


def test_what_is_missing_is_named_with_its_remedy(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forsyth.cli.commands.serve.find_spec", lambda name: None)
    done = run(*SERVE)
    assert (done.exit_code, done.stdout) == (2, "")
    assert (
        done.stderr
        == "Error: the service needs fastapi and uvicorn; install with: pip install 'forsyth[server]'\n"
    )
    monkeypatch.setattr(
        "forsyth.cli.commands.serve.find_spec", lambda name: None if name == "uvicorn" else name
    )
    assert (
        run(*SERVE).stderr
        == "Error: the service needs uvicorn; install with: pip install 'forsyth[server]'\n"
    )


@pytest.mark.parametrize("error", [ValueError, ImportError])
def test_a_place_that_no_store_can_have_is_refused(
    served: Served, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def refuse(where: str) -> None:
        raise error(f"{where} is nowhere")

    monkeypatch.setattr("forsyth.server.service_store.open_service_store", refuse)
    done = run("serve", "--port", "0", "--store", "x")
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", "Error: --store: x is nowhere\n")
    assert served == []


def test_a_store_that_cannot_be_opened_is_a_warning(served: Served, tmp_path: Path) -> None:
    file = tmp_path / "none" / "store.sqlite"
    done = run("serve", "--port", "0", "--store", str(file))
    assert done.exit_code == 0
    assert done.stderr.startswith("warning: positions cannot be stored: ")
    assert done.stderr.endswith("; correct this and start the service again\n")
    assert f"the folder {file.parent} does not exist; create it" in done.stderr
    assert done.stdout.endswith("\nstopped\n")


def test_a_directory_that_holds_no_index_is_refused(served: Served, tmp_path: Path) -> None:
    done = run(*SERVE, "--index", str(tmp_path / "none"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: --index: ")
    assert str(tmp_path / "none") in done.stderr


def test_the_index_is_looked_at_and_closed_again(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    class Book:
        def close(self) -> None:
            said.append("closed")

    def opened(where: str) -> Book:
        said.append(where)
        return Book()

    monkeypatch.setattr("forsyth.server.service_index.open_index", opened)
    assert run(*SERVE, "--index", "somewhere").exit_code == 0
    assert said == ["somewhere", "closed"]


def test_the_addresses_are_shown(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "desk")
    local = run(*SERVE, "--host", "127.0.0.1")
    every = run(*SERVE, "--host", "0.0.0.0")
    assert (local.exit_code, every.exit_code, local.stderr, every.stderr) == (0, 0, "", "")
    ports = [port for _, port in served]
    assert local.stdout == f"Forsyth is at http://127.0.0.1:{ports[0]} (press Ctrl-C to stop)\nstopped\n"
    assert every.stdout == (
        f"Forsyth is at http://127.0.0.1:{ports[1]} (press Ctrl-C to stop)\n"
        "other machines can use an IP address of this machine; to use a name such as "
        "desk, add --allow-host with that name\nstopped\n"
    )


def test_a_place_that_is_taken_is_named(served: Served) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port), "--store", ":memory:")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"Error: cannot listen on 127.0.0.1:{port} (")
    assert done.stderr.endswith("); choose another address with --host and --port\n")
    assert "Errno" not in done.stderr


@pytest.mark.usefixtures("kept_signals")
def test_a_service_that_does_not_start_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []

    def begin(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        begun.append((server.config.app, len(sockets), server.config.factory))
        # The server raises the signal that stopped it once more.
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(uvicorn.Server, "run", begin)
    done = run(*SERVE, "--rate-limit", "77")
    assert done.exit_code == 2
    assert done.stderr == "Error: the service did not start; the messages above give the reason\n"
    assert "stopped" not in done.stdout
    assert begun == [("forsyth.server.app:create_app_from_environment", 1, True)]
    # Another process would find the settings of this one.
    assert Settings.from_environment().rate_limit == 77


@pytest.mark.usefixtures("kept_signals")
def test_several_workers_share_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []

    class Many:
        def __init__(self, config: Any, sockets: list[socket.socket]) -> None:
            begun.append((config.workers, len(sockets)))

        def run(self) -> None:
            begun.append("run")

    monkeypatch.setattr("uvicorn.supervisors.Multiprocess", Many)
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: begun.append("alone"))
    done = run(*SERVE, "--workers", "2")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith("\nstopped\n")
    assert begun == [(2, 1), "run"]
