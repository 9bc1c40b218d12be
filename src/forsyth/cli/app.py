"""The command `forsyth`: its subcommands in the order a newcomer needs them, and how it ends.

Exit status: 0 all texts are ok, 1 some are not, 2 usage, input or output went wrong, 130 stopped with
Ctrl-C, 141 the reader of standard output went away (as with ``| head``). None of them shows a traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

import click

from forsyth.cli.check import check
from forsyth.cli.convert import convert
from forsyth.cli.dedupe import dedupe
from forsyth.cli.detect import detect
from forsyth.cli.diff import diff
from forsyth.cli.doctor import doctor, version
from forsyth.cli.features import features
from forsyth.cli.fix import fix
from forsyth.cli.key import key
from forsyth.cli.moves import moves
from forsyth.cli.normalise import normalise
from forsyth.cli.options import example, shielded
from forsyth.cli.output import Failure, mute
from forsyth.cli.pack import pack
from forsyth.cli.perft import perft
from forsyth.cli.planes import planes
from forsyth.cli.play import play
from forsyth.cli.sample import sample
from forsyth.cli.scan import scan
from forsyth.cli.serve import serve
from forsyth.cli.show import show
from forsyth.cli.split import split
from forsyth.cli.unpack import unpack

INTERRUPTED: Final = 130
"""128 + SIGINT, what a shell reports for a program stopped with Ctrl-C."""

READER_GONE: Final = 141
"""128 + SIGPIPE, what a shell reports for a program whose reader went away."""

COMMANDS: Final[tuple[click.Command, ...]] = (
    check,
    fix,
    convert,
    show,
    moves,
    play,
    perft,
    diff,
    detect,
    scan,
    normalise,
    key,
    dedupe,
    pack,
    unpack,
    features,
    planes,
    sample,
    split,
    serve,
    doctor,
)


class Forsyth(click.Group):
    """The group of all commands; every way of ending that is not an answer is decided here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order they are worth learning, not of the alphabet."""
        return [command.name or "" for command in COMMANDS]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command and its arguments, texts that begin with dashes among them."""
        return super().resolve_command(ctx, [args[0], *shielded(args[1:])])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; interruptions and failed writes end it with a status, not a traceback."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            mute()
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            mute()
            ctx.exit(READER_GONE)
        except OSError as error:
            mute(sys.stdout)
            raise Failure(_sentence(error)) from error


def _sentence(error: OSError) -> str:
    place = "standard input or output" if error.filename is None else click.format_filename(error.filename)
    reason = error.strerror or str(error)
    return f"{place}: {reason}; check that it exists, may be used and has room, then run the command again"


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    click.echo(f"forsyth {version()}")
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


for _command in COMMANDS:
    forsyth.add_command(_command)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on these arguments; the exit status."""
    try:
        status = forsyth.main(
            None if arguments is None else list(arguments), prog_name="forsyth", standalone_mode=False
        )
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return status if isinstance(status, int) else 0
