"""The command `forsyth`: the group of all subcommands, and the exit status of each run.

Exit status: 0 all texts are ok, 1 some are not, 2 wrong usage, input or output, 130 stopped with Ctrl-C, 141
the reader of standard output closed it (as with ``| head``). No error shows a traceback. Every command fails
if standard output is closed, because its answer would be lost.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

import click
from click.exceptions import Exit

from forsyth.build import installed_version
from forsyth.cli.arguments import escape_dashes, format_examples
from forsyth.cli.output import Failure, discard_output

EXIT_INTERRUPTED: Final = 130
"""128 + SIGINT, what a shell reports for a program stopped with Ctrl-C."""

EXIT_READER_GONE: Final = 141
"""128 + SIGPIPE, what a shell reports for a program whose reader closed the pipe."""

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

_MODULES: Final = {"import": "store_import", "export": "store_export"}
"""Commands whose module has another name, because ``import`` is a Python keyword."""


def load_command(name: str) -> click.Command:
    """Return the command `name`, which is one of `COMMANDS`.

    Its module is imported only now, so that a run imports only the command that it needs.
    """
    module = import_module(f"forsyth.cli.commands.{_MODULES.get(name, name)}")
    return next(
        value for value in vars(module).values() if isinstance(value, click.Command) and value.name == name
    )


class Forsyth(click.Group):
    """The group of all commands; it also turns interruptions and system errors into an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in `COMMANDS` in their order, where click would sort them alphabetically."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command named `cmd_name`, or None if there is no such command."""
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command name, the command and its arguments.

        Arguments that begin with ``---`` are position texts, and are escaped so that click does not read them
        as options. Raise `click.UsageError` if the first word of `args` is not a command.
        """
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            ctx.fail(_format_unknown_command(name))
        return super().resolve_command(ctx, [name, *escape_dashes(args[1:])])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Ctrl-C or a failed write ends it with an exit status, not with a traceback."""
        with _exit_with_status():
            return super().invoke(ctx)

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Parse the arguments. A failed write ends the program with an exit status, not with a traceback.

        ``--help`` and ``--version`` already write to standard output here.
        """
        with _exit_with_status():
            return super().make_context(*arguments, **options)


def _format_unknown_command(name: str) -> str:
    """Return the error message for a command `name` that does not exist.

    It suggests a command with a similar name, or ``forsyth check`` if `name` looks like a position text.
    """
    # Imported here, because most runs do not need them.
    from difflib import get_close_matches

    from forsyth.arguments import quoted
    from forsyth.limits import MAX_NAME

    similar_names = get_close_matches(name[:MAX_NAME].lower(), COMMANDS, n=1)
    if similar_names:
        advice = f"did you mean '{similar_names[0]}'?"
    elif "/" in name:
        advice = "to check a text, write 'forsyth check' before it"
    else:
        advice = "'forsyth --help' lists the commands"
    return f"unknown command {quoted(name)}; {advice}"


@contextmanager
def _exit_with_status() -> Iterator[None]:
    """Turn Ctrl-C and failed input or output into an exit status without a traceback.

    Ctrl-C raises `Exit` with status 130. A reader that closed standard output, such as ``head``, raises
    `Exit` with status 141. Any other `OSError` raises `Failure`, which prints its reason.
    """
    try:
        yield
    except KeyboardInterrupt as error:
        discard_output()
        raise Exit(EXIT_INTERRUPTED) from error
    except BrokenPipeError as error:
        discard_output()
        raise Exit(EXIT_READER_GONE) from error
    except OSError as error:
        discard_output(sys.stdout)
        raise Failure(_format_os_error(error)) from error


def _format_os_error(error: OSError) -> str:
    """Return a message for a failed read or write: the file, the reason of the system, and the remedy."""
    place = "standard input or output" if error.filename is None else click.format_filename(error.filename)
    reason = error.strerror or str(error)
    return f"{place}: {reason}; check the path, the permissions and the free disk space, then try again"


def _show_version(ctx: click.Context, _: click.Parameter, is_requested: bool) -> None:
    """Print the version and exit if `is_requested`, the value of ``--version``, is true (called by click)."""
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

    0 means that all texts are ok, 1 that some are not, 2 wrong usage, input or output, and 130 Ctrl-C.

    Args:
        arguments: The words after the program name. None takes them from `sys.argv`.
    """
    _reserve_closed_streams()
    if sys.stdout is None or sys.stdout.closed:
        _show_error(Failure("standard output is closed; leave it open, or redirect it to a file"))
        return Failure.exit_code
    try:
        status = forsyth.main(
            None if arguments is None else list(arguments), prog_name="forsyth", standalone_mode=False
        )
    except click.ClickException as error:
        _show_error(error)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    return status if isinstance(status, int) else 0


def _reserve_closed_streams() -> None:
    """Open the null device on each standard descriptor (0, 1, 2) that is closed.

    Otherwise the next file that is opened would get that number, and output meant for a standard stream
    would be written into it.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            # The operating system assigns the lowest free number, which is this one.
            os.open(os.devnull, os.O_RDWR)


def _show_error(error: click.ClickException) -> None:
    """Print an error to standard error. Do nothing if standard error is closed or cannot be written."""
    if sys.stderr is None:
        return
    try:
        error.show()
    except (OSError, ValueError):
        discard_output(sys.stderr)
