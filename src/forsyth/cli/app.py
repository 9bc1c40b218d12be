"""The command `forsyth`: the group of all subcommands, and the exit status of each run.

Exit status: 0 all texts are ok, 1 some are not, 2 wrong usage, input or output, 130 stopped with Ctrl-C, 141
the reader of standard output closed it (as with ``| head``), 143 stopped with SIGTERM. SIGTERM stops a
command as Ctrl-C does, so that no temporary file is left. No error shows a traceback. Every command fails
if standard output is closed, because its answer would be lost.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

import click
from click.exceptions import Exit

from forsyth.arguments import escape_controls
from forsyth.build import installed_version
from forsyth.cli import EXIT_INTERRUPTED, EXIT_TERMINATED
from forsyth.cli.arguments import escape_dashes, format_examples
from forsyth.cli.output import Failure, discard_output, format_path

EXIT_READER_GONE: Final = 141
"""128 + SIGPIPE, which a shell reports for a program whose reader closed the pipe."""
_STANDARD_DESCRIPTORS: Final = (0, 1, 2)
"""The file descriptors of standard input, standard output and standard error."""

COMMANDS: Final = (
    "check",
    "fix",
    "lint",
    "convert",
    "show",
    "draw",
    "moves",
    "play",
    "perft",
    "diff",
    "detect",
    "scan",
    "normalise",
    "key",
    "dedupe",
    "filter",
    "pack",
    "unpack",
    "features",
    "planes",
    "material",
    "apply",
    "sample",
    "split",
    "games",
    "positions",
    "index",
    "explore",
    "find",
    "import",
    "export",
    "serve",
    "schema",
    "doctor",
)
"""The commands in the order of ``forsyth --help``: those that a newcomer needs come first."""

_MODULE_NAMES: Final = {"import": "store_import", "export": "store_export"}
"""The module of each command whose module has another name. ``import`` is a Python keyword."""


def load_command(name: str) -> click.Command:
    """Import and return the command `name`, which is one of `COMMANDS`, such as ``check``.

    The module of the command is imported only now, so that a run imports only the command that it needs.
    """
    module_name = _MODULE_NAMES.get(name, name)
    module = import_module(f"forsyth.cli.commands.{module_name}")
    commands = (value for value in vars(module).values() if isinstance(value, click.Command))
    return next(command for command in commands if command.name == name)


class Forsyth(click.Group):
    """The group of all commands; it also turns interruptions and system errors into an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands in the order of ``forsyth --help``."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command named `cmd_name`, or None if there is no such command."""
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Split the words of a command line into the name of the command, the command, and its arguments.

        An argument that begins with ``---`` is a position text. It is escaped, so that click does not read it
        as an option. Raise `click.UsageError` if the first of the words `args` is not a command.
        """
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            ctx.fail(_format_unknown_command(name))
        return super().resolve_command(ctx, [name, *escape_dashes(args[1:])])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Ctrl-C or a failed read or write ends it with an exit status, not a traceback."""
        with _exit_with_status():
            return super().invoke(ctx)

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Parse the command line and return its context, which click passes to the command.

        ``--help`` and ``--version`` already write to standard output here. A failed write ends the program
        with an exit status, not with a traceback.
        """
        with _exit_with_status():
            return super().make_context(*arguments, **options)


def _format_unknown_command(name: str) -> str:
    """Return the error message for a command `name` that does not exist.

    The message suggests a command with a similar name, or ``forsyth check`` if `name` looks like a position
    text.
    """
    # Imported here, because most runs do not need them.
    from difflib import get_close_matches

    from forsyth.arguments import quoted
    from forsyth.limits import MAX_NAME

    similar_names = get_close_matches(name[:MAX_NAME].lower(), COMMANDS, n=1)
    looks_like_position = "/" in name
    if similar_names:
        advice = f"did you mean '{similar_names[0]}'?"
    elif looks_like_position:
        advice = "to check a text, write 'forsyth check' before it"
    else:
        advice = "'forsyth --help' lists the commands"
    return f"unknown command {quoted(name)}; {advice}"


@contextmanager
def _exit_with_status() -> Iterator[None]:
    """Turn Ctrl-C and failed input or output of the ``with`` block into an exit status, not a traceback.

    Raise `Exit` with status 130 for Ctrl-C, with status 143 for SIGTERM, and with status 141 if the reader of
    standard output, such as ``head``, has closed it. Raise `Failure`, which prints the reason, for any other
    `OSError`.
    """
    try:
        yield
    except KeyboardInterrupt as error:
        discard_output()
        raise Exit(_get_stop_status(error)) from error
    except BrokenPipeError as error:
        discard_output()
        raise Exit(EXIT_READER_GONE) from error
    except OSError as error:
        discard_output(sys.stdout)
        raise Failure(_format_os_error(error)) from error


class Terminated(KeyboardInterrupt):
    """SIGTERM, which stops a command as Ctrl-C does."""


@contextmanager
def _stop_on_sigterm() -> Iterator[None]:
    """Raise `Terminated` if SIGTERM arrives while the ``with`` block runs, so that the block can clean up.

    Do nothing if this is not the main thread, which alone can handle signals.
    """
    is_main_thread = threading.current_thread() is threading.main_thread()
    if not is_main_thread:
        yield
        return

    def raise_terminated(*_: Any) -> None:
        """Raise `Terminated` when the signal arrives. Python passes the signal and the stack frame."""
        raise Terminated

    previous_handler = signal.signal(signal.SIGTERM, raise_terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous_handler)


def _get_stop_status(error: BaseException | None) -> int:
    """Return the exit status of a command that was stopped: 143 for SIGTERM, 130 for Ctrl-C.

    `error` is the exception that stopped the command: `Terminated` or `KeyboardInterrupt`.
    """
    return EXIT_TERMINATED if isinstance(error, Terminated) else EXIT_INTERRUPTED


def _format_os_error(error: OSError) -> str:
    """Return the message for a failed read or write: the name of the file, the reason, and a remedy."""
    file_name = "standard input or output" if error.filename is None else format_path(error.filename)
    reason = error.strerror or str(error)
    return f"{file_name}: {reason}; check the path, the permissions and the free disk space, then try again"


def _show_version(ctx: click.Context, _: click.Parameter, is_requested: bool) -> None:
    """Print the version and exit if `is_requested`, the value of ``--version``, is true.

    This is a callback of click. It does nothing while a shell completes a command line.
    """
    if not is_requested or ctx.resilient_parsing:
        return
    click.echo(f"forsyth {installed_version()}")
    ctx.exit(0)


@click.group(
    cls=Forsyth,
    name="forsyth",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=format_examples(
        "forsyth check 'rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
        "forsyth check --json --file positions.txt",
    ),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def forsyth() -> None:
    """Check, repair, convert, play and draw position texts (FEN) of board games.

    Exit status: 0 if all texts are ok, 1 if some are not, 2 if the usage, the input or the output is wrong.
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Status 0 means that all texts are ok, and 1 that some are not. Status 2 means wrong usage, input or
    output, 130 means Ctrl-C, and 143 means SIGTERM.

    Args:
        arguments: The words after the program name, such as ``["lint", "src"]``. None takes them from
            `sys.argv`.
    """
    _reserve_closed_streams()
    if sys.stdout is None or sys.stdout.closed:
        _show_error(Failure("standard output is closed; leave it open, or redirect it to a file"))
        return Failure.exit_code
    words = None if arguments is None else list(arguments)
    try:
        with _stop_on_sigterm():
            # With `standalone_mode=False`, click raises errors instead of printing them, and does not exit.
            status = forsyth.main(words, prog_name="forsyth", standalone_mode=False)
    except click.ClickException as error:
        _show_error(error)
        return error.exit_code
    except click.Abort as error:
        # Click raises `Abort` in place of `KeyboardInterrupt`, which it keeps as the cause.
        return _get_stop_status(error.__cause__)
    except KeyboardInterrupt as error:
        return _get_stop_status(error)
    # A command that calls `Context.exit` gives a status. Any other command has succeeded.
    return status if isinstance(status, int) else 0


def _reserve_closed_streams() -> None:
    """Open the null device in place of each standard stream (input, output, error) that is closed.

    Otherwise the next file that is opened would get the descriptor of that stream, and output for the stream
    would be written into the file.
    """
    for descriptor in _STANDARD_DESCRIPTORS:
        try:
            os.fstat(descriptor)
        except OSError:
            # The operating system assigns the lowest free descriptor, which is this one.
            os.open(os.devnull, os.O_RDWR)


def _show_error(error: click.ClickException) -> None:
    """Print an error to standard error. Do nothing if standard error is closed or cannot be written.

    Control characters in the message, such as those in the name of a file, are escaped.
    """
    if sys.stderr is None:
        return
    message = io.StringIO()
    error.show(message)
    try:
        click.echo(escape_controls(message.getvalue(), kept="\n"), nl=False, err=True)
    except (OSError, ValueError):
        discard_output(sys.stderr)
