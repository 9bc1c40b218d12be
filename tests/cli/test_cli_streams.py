"""The command line as a process: streaming, interruption, readers that go away, terminals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import forsyth.cli

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SOURCES = str(Path(forsyth.cli.__file__).parents[2])
COMMAND = [sys.executable, "-m", "forsyth"]
SECONDS = 60
"""Long enough for a loaded machine; nothing here takes more than one when all is well."""

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals, pipes and terminals of POSIX")
pytestmark = pytest.mark.usefixtures("ctrl_c_is_not_ignored")


def environment(**more: str) -> dict[str, str]:
    paths = [SOURCES, os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **more}


@contextmanager
def started(*arguments: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    settings = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    with subprocess.Popen([*COMMAND, *arguments], env=environment(), **settings) as process:
        try:
            yield process
        finally:
            process.kill()


def run(
    *arguments: str, given: bytes = b"", cwd: Path | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=given,
        capture_output=True,
        timeout=SECONDS,
        check=False,
        cwd=cwd,
        env=environment(**options),
    )


def test_the_process_answers_like_the_function() -> None:
    result = run("check", "--json", given=START.encode() + b"\nx\n")
    assert [json.loads(line)["ok"] for line in result.stdout.splitlines()] == [True, False]
    assert (result.returncode, result.stderr) == (1, b"")


@pytest.mark.parametrize("command", [["check"], ["fix"], ["convert", "--to", "url"], ["moves"], ["detect"]])
def test_the_first_answer_comes_before_the_input_ends(command: list[str]) -> None:
    with started(*command, "--json") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(START.encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["line"] == number
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait(SECONDS) == 0


@posix
def test_ctrl_c_ends_with_130_and_no_traceback() -> None:
    with started("check", "--json") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(START.encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
        assert b"Traceback" not in process.stderr.read()


@posix
@pytest.mark.parametrize("command", [["check", "--json"], ["perft", "--depth", "12", START]])
def test_sigterm_ends_with_143_and_no_traceback(command: list[str]) -> None:
    with started(*command) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(START.encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 143
        assert process.stderr.read() == b""


@posix
@pytest.mark.parametrize(
    "command",
    [["normalise", "-o", "out.txt"], ["games", "-o", "out.jsonl"], ["index", "-o", "out"], ["scan"]],
    ids=lambda command: str(command[0]),
)
def test_sigterm_leaves_no_partial_output(tmp_path: Path, command: list[str]) -> None:
    record = b'[Event "a"]\n[White "b"]\n[Black "c"]\n[Result "*"]\n\n1. e4 e5 *\n\n'
    line = record if command[0] in ("games", "index") else START.encode() + b"\n"
    with started(*command, "--game", "chess", "-", cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        # The pipe holds 64 KiB: when more has been written, the command has begun to read.
        process.stdin.write(line * (200_000 // len(line)))
        process.stdin.flush()
        process.send_signal(signal.SIGTERM)
        # A signal that comes just before a read is noticed after it, so the input ends here.
        _, messages = process.communicate()
        assert process.returncode == 143
        assert b"Traceback" not in messages
    assert list(tmp_path.iterdir()) == []


@posix
@pytest.mark.parametrize(
    "command",
    [
        ["check", "--file", "{}"],
        ["check", "{}"],
        ["lint", "{}"],
        ["draw", START, "-o", "{}/a.svg"],
        ["convert", "--to", "state", "--store", "{}/a", START],
        ["normalise", "{}.parquet", "-o", "a.txt"],
        ["scan", "{}"],
        ["serve", "--store", "{}/a", "--port", "0", "--index", "{}"],
        ["{}"],
        ["check", "--{}"],
    ],
    ids=lambda command: str(command[0][:6]),
)
@pytest.mark.parametrize("exists", [False, True])
def test_escape_sequences_in_names_are_escaped_in_every_message(
    tmp_path: Path, command: list[str], exists: bool
) -> None:
    name = "a\x1b]0;b\x07\r\x9b2Jc"
    if exists:
        (tmp_path / name).write_text(START.replace("8/8/8", "9/8/8") + "\n")
    result = run(*(word.format(name) for word in command), cwd=tmp_path)
    shown = result.stderr + (b"" if exists and command[0] == "check" else result.stdout)
    for control in (b"\x1b", b"\x07", b"\r", b"\x9b", b"\xc2\x9b"):
        assert control not in shown, shown
    # A text that is no name of a file is shown as texts are, with dots.
    assert exists or b"\\x1b" in shown or "·".encode() in shown


@posix
def test_ctrl_c_is_heard_in_the_middle_of_counting() -> None:
    with started("perft", "--depth", "12", START) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
        assert b"Traceback" not in process.stderr.read()


@posix
@pytest.mark.parametrize("output", [["--json"], []])
def test_a_reader_that_goes_away_ends_it_quietly(output: list[str], tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text(f"{START}\n" * 20_000)
    with started("check", *output, "--file", str(texts)) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(SECONDS) == 141
        assert process.stderr.read() == b""


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_named() -> None:
    with Path("/dev/full").open("wb") as full, started("check", START, stdout=full) as process:
        assert process.stderr is not None
        assert process.wait(SECONDS) == 2
        message = process.stderr.read()
    assert b"Traceback" not in message
    assert b"No space left" in message
    assert message.count(b"\n") == 1


EVERY_WAY = [
    ["--version"],
    ["--help"],
    ["check", "--help"],
    ["check", START],
    ["check", "--json", START],
    ["fix", START],
    ["convert", "--to", "url", START],
    ["show", START],
    ["show", "--svg", "-", START],
    ["moves", START],
    ["perft", "--depth", "1", START],
    ["diff", START, START],
    ["detect", START],
    ["play"],
    ["doctor"],
    ["scan", "TEXTS"],
    ["normalise", "TEXTS"],
    ["dedupe", "TEXTS", "--quiet"],
]
"""Commands that write to standard output, each in its way."""

ALL_AT_ONCE = """
import os, sys
from forsyth.cli import main
for arguments in eval(sys.argv[1]):
    # A stream that takes nothing is put aside when it has failed once: each run gets a new one.
    standard = sys.stdout
    if standard is not None:
        sys.stdout = open(os.dup(1), "w")
    os.write(int(sys.argv[2]), f"status {main(arguments)}\\n".encode())
    if standard is not None:
        sys.stdout = standard
"""


def spoiled(
    tmp_path: Path, stream: str, number: int, commands: list[list[str]] = EVERY_WAY
) -> tuple[list[int], list[str]]:
    """Run commands with a standard stream replaced by shell words; their statuses, and what they said."""
    texts = tmp_path / "texts.txt"
    texts.write_text(f"{START}\n" * 2)
    asked = [[str(texts) if word == "TEXTS" else word for word in command] for command in commands]
    listening = 2 if number == 1 else 1
    script = f'exec "$0" -c "$1" "$2" {listening} {stream}'
    done = subprocess.run(
        ["sh", "-c", script, sys.executable, ALL_AT_ONCE, repr(asked)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
        env=environment(),
    )
    said = (done.stderr if number == 1 else done.stdout).decode().splitlines()
    assert "Traceback" not in done.stderr.decode()
    statuses = [int(line.removeprefix("status ")) for line in said if line.startswith("status ")]
    return statuses, [line for line in said if not line.startswith("status ")]


@posix
def test_standard_output_that_is_closed_is_an_error_of_every_command(tmp_path: Path) -> None:
    statuses, said = spoiled(tmp_path, ">&-", 1)
    assert statuses == [2] * len(EVERY_WAY)
    assert set(said) == {"Error: standard output is closed; leave it open, or redirect it to a file"}
    assert len(said) == len(EVERY_WAY)


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_standard_output_that_is_full_is_an_error_of_every_command(tmp_path: Path) -> None:
    statuses, said = spoiled(tmp_path, ">/dev/full", 1)
    assert statuses == [2] * len(EVERY_WAY)
    assert len(said) == len(EVERY_WAY)
    assert all("No space left" in line or "there is no space on the disk" in line for line in said)


@posix
@pytest.mark.parametrize("command", [["--version"], ["--help"], ["check", "--help"], ["doctor"]])
def test_a_reader_that_has_gone_before_the_first_word(command: list[str]) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with started(*command, stdout=theirs) as process:
        os.close(theirs)
        assert process.stderr is not None
        assert process.wait(SECONDS) == 141
        assert process.stderr.read() == b""


@posix
def test_without_standard_error_the_answers_come_all_the_same(tmp_path: Path) -> None:
    commands = [["check", START], ["check", "nonsense"], ["nonsense"], ["normalise", "TEXTS"]]
    statuses, said = spoiled(tmp_path, "2>&-", 2, commands)
    assert statuses == [0, 1, 2, 0]
    assert said.count(START) == 2
    full = Path("/dev/full")
    if full.exists():
        assert spoiled(tmp_path, f"2>{full}", 2, commands[:3])[0] == [0, 1, 2]


@posix
def test_no_file_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    code = (
        "import os, stat, sys\n"
        "from forsyth.cli import main\n"
        "status = main(['check', sys.argv[1]])\n"
        "kinds = [stat.S_ISCHR(os.fstat(number).st_mode) for number in (0, 2)]\n"
        "os.write(1, repr((status, kinds)).encode())\n"
    )
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" -c "$1" "$2" <&- 2>&-', sys.executable, code, START],
        stdout=subprocess.PIPE,
        timeout=SECONDS,
        check=True,
        env=environment(),
    )
    assert done.stdout.endswith(b"(0, [True, True])")


def test_the_status_of_the_version_is_that_of_success() -> None:
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"forsyth ")


def test_memory_does_not_grow_with_a_line() -> None:
    """A line of 64 MiB is read within the limit of a small fraction of it beyond what Python takes."""
    code = (
        "import resource, sys\n"
        "from forsyth.cli import main\n"
        "main(['check', '--json', '--game', 'chess'])\n"
        "sys.stderr.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))\n"
    )

    def peak(length: int) -> int:
        line = b"x" * length + b"\n" + START.encode()
        done = subprocess.run(
            [sys.executable, "-c", code],
            input=line,
            capture_output=True,
            timeout=SECONDS,
            check=True,
            env=environment(),
        )
        last = json.loads(done.stdout.splitlines()[-1])
        assert (last["line"], last["ok"]) == (2, True)
        return int(done.stderr)

    if sys.platform != "linux":
        pytest.skip("counts kibibytes as Linux does")
    assert peak(64 << 20) - peak(1 << 20) < 4 << 10


def test_arguments_that_are_not_utf8_are_diagnosed() -> None:
    if sys.platform == "win32":
        pytest.skip("arguments are Unicode there")
    bad = os.fsdecode(b"\xff/8 w")
    for output in ([], ["--json"]):
        result = run("check", "--game", "chess", *output, bad)
        assert result.returncode == 1
        assert b"Traceback" not in result.stderr


def test_a_terminal_of_few_characters_is_served() -> None:
    for command in ("show", "check", "moves"):
        result = run(command, START, PYTHONIOENCODING="ascii")
        assert result.returncode == 0, result.stderr
        assert result.stdout.isascii()
    odd = run("check", "--game", "chess", "é王", PYTHONIOENCODING="ascii")
    assert odd.returncode == 1
    assert odd.stdout.isascii()


@posix
def test_progress_is_shown_to_a_person_and_keeps_out_of_the_answers(tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text(f"{START}\n" * 2_000)
    with (tmp_path / "answers").open("wb") as answers:
        status, progress = on_terminal("stderr", ["check", "--json", "--file", str(texts)], stdout=answers)
    lines = (tmp_path / "answers").read_text().splitlines()
    assert status == 0
    assert len(lines) == 2_000
    assert all(json.loads(line)["ok"] for line in lines)
    assert b"reading" in progress


@posix
@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colour_is_for_terminals_and_can_be_refused(variables: dict[str, str], coloured: bool) -> None:
    arguments = ["check", "--game", "chess", "nonsense"]
    status, seen = on_terminal("stdout", arguments, env=environment(TERM="xterm-256color", **variables))
    assert status == 1
    assert (b"\x1b[" in seen) is coloured
    assert b"\x1b" not in run(*arguments).stdout


def on_terminal(stream: str, arguments: list[str], **options: Any) -> tuple[int, bytes]:
    """The exit status, and what a terminal at `stream` was sent."""
    ours, theirs = os.openpty()
    settings = {"stdin": subprocess.DEVNULL, "env": environment(), **options, stream: theirs}
    with subprocess.Popen([*COMMAND, *arguments], **settings) as process:
        os.close(theirs)
        seen = b"".join(_sent(ours))
        os.close(ours)
        return process.wait(SECONDS), seen


def _sent(terminal: int) -> Iterator[bytes]:
    # Linux reports the end of a terminal whose program is gone as an input error.
    with suppress(OSError):
        while chunk := os.read(terminal, 65536):
            yield chunk
