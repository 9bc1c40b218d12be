"""The command `forsyth`: its subcommands in the order a newcomer needs them, and how it ends.

Exit status: 0 all texts are ok, 1 some are not, 2 usage, input or output went wrong, 130 stopped with
Ctrl-C, 141 the reader of standard output went away (as with ``| head``). None of them shows a traceback. A
closed standard output is an error of every command: nobody would see its answer.
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
from forsyth.cli.arguments import example, shielded
from forsyth.cli.output import Failure, mute

INTERRUPTED: Final = 130
"""128 + SIGINT, what a shell reports for a program stopped with Ctrl-C."""

READER_GONE: Final = 141
"""128 + SIGPIPE, what a shell reports for a program whose reader went away."""

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
"""The commands in the order a newcomer needs them."""

_MODULES: Final = {"import": "store_import", "export": "store_export"}
"""The modules that cannot have the names of their commands."""


def command(name: str) -> click.Command:
    """A command of `COMMANDS`, loaded when it is first asked for."""
    module = import_module(f"forsyth.cli.commands.{_MODULES.get(name, name)}")
    return next(one for one in vars(module).values() if isinstance(one, click.Command) and one.name == name)


class Forsyth(click.Group):
    """The group of all commands; every way of ending that is not an answer is decided here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order they are worth learning, not of the alphabet."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        return command(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command and its arguments, texts that begin with dashes among them."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            ctx.fail(_no_command(name))
        return super().resolve_command(ctx, [name, *shielded(args[1:])])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; interruptions and failed writes end it with a status, not a traceback."""
        with _ended_with_a_status():
            return super().invoke(ctx)

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Read the arguments; ``--help`` and ``--version`` write here, before any command."""
        with _ended_with_a_status():
            return super().make_context(*arguments, **more)


def _no_command(name: str) -> str:
    """What was probably meant: a command with a slip in it, or a text without a command."""
    # Only here: most runs make no such slip.
    from difflib import get_close_matches

    from forsyth.arguments import quoted
    from forsyth.limits import MAX_NAME

    meant = get_close_matches(name[:MAX_NAME].lower(), COMMANDS, n=1)
    if meant:
        advice = f"did you mean '{meant[0]}'?"
    elif "/" in name:
        advice = "to check a text, write 'forsyth check' before it"
    else:
        advice = "--help lists them"
    return f"there is no command {quoted(name)}; {advice}"


@contextmanager
def _ended_with_a_status() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as error:
        mute()
        raise Exit(INTERRUPTED) from error
    except BrokenPipeError as error:
        mute()
        raise Exit(READER_GONE) from error
    except OSError as error:
        mute(sys.stdout)
        raise Failure(_sentence(error)) from error


def _sentence(error: OSError) -> str:
    place = "standard input or output" if error.filename is None else click.format_filename(error.filename)
    reason = error.strerror or str(error)
    return f"{place}: {reason}; check that it exists, may be used and has space, then run the command again"


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    click.echo(f"forsyth {installed_version()}")
    ctx.exit(0)


@click.group(
    cls=Forsyth,
    name="forsyth",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=example(
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
    """Read, explain, repair, play and draw position texts (FEN) of board games.

    Exit status: 0 all texts are ok, 1 some are not, 2 usage, input or output went wrong.
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on these arguments; the exit status."""
    _fill_gaps()
    if sys.stdout is None or sys.stdout.closed:
        _say(Failure("standard output is closed; leave it open, or send it to a file"))
        return Failure.exit_code
    try:
        status = forsyth.main(
            None if arguments is None else list(arguments), prog_name="forsyth", standalone_mode=False
        )
    except click.ClickException as error:
        _say(error)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return status if isinstance(status, int) else 0


def _fill_gaps() -> None:
    """Put nothing where a standard stream is closed: the next file that is opened would be taken for it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free is the one that is given.
            os.open(os.devnull, os.O_RDWR)


def _say(error: click.ClickException) -> None:
    """Tell a person what went wrong, unless standard error takes nothing: the exit status says it still."""
    if sys.stderr is None:
        return
    try:
        error.show()
    except (OSError, ValueError):
        mute(sys.stderr)
