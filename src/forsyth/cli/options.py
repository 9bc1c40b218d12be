"""The options that commands for single texts share, and the `Job` that they are collected in."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import click

from forsyth import forms
from forsyth.cli.arguments import unescape_dashes
from forsyth.cli.inputs import Item, Sources, check_files
from forsyth.cli.lazy_store import LazyStore
from forsyth.cli.output import Tally, echo, is_terminal, show_progress
from forsyth.cli.reader import Reader, make_reader
from forsyth.diagnostics import MODES
from forsyth.resolver import GameChoice

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
"""A function that adds an argument or an option to a command of click."""

AUTO_FORM: Final = "auto"
"""The value of ``--form`` that detects the form of each text."""

_SOURCE_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.argument("texts", nargs=-1, metavar="[TEXT]..."),
    click.option(
        "--file",
        "files",
        multiple=True,
        metavar="FILE",
        callback=check_files,
        help="Read one text per line from FILE; - is standard input. Blank lines and lines that begin with # "
        "are skipped. Repeatable.",
    ),
    click.option(
        "--in",
        "lines",
        type=click.Choice(["lines", "jsonl"]),
        default="lines",
        show_default=True,
        help='Format of the files; jsonl: one JSON string, or one JSON object with "text", per line.',
    ),
)

_GAME_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.option("--game", metavar="NAME", help="Game of the texts.  [default: detected]"),
    click.option("--variant", metavar="NAME", help="Variant of the game; auto detects it."),
    click.option(
        "--profile",
        metavar="NAME",
        help="Judge texts as another reader does; seed: as the source document prescribes.",
    ),
)

_MODE_OPTION: Final[Decorator] = click.option(
    "--mode",
    type=click.Choice(MODES),
    default="default",
    show_default=True,
    help="Reading mode. strict: canonical texts only; default: all valid texts; "
    "lenient: repair errors and report them.",
)

_FORM_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.option(
        "--form",
        type=click.Choice([AUTO_FORM, *forms.FORMS]),
        default=AUTO_FORM,
        show_default=True,
        help="Form of the texts; auto detects all but url.",
    ),
    click.option(
        "--store",
        metavar="LOCATION",
        help="Store of the state_ texts: a file or postgresql://… (see forsyth doctor).",
    ),
)

_JSON_OPTION: Final[Decorator] = click.option(
    "--json", "as_json", is_flag=True, help="Write one JSON object per text."
)


@dataclass(frozen=True, slots=True)
class Job:
    """One run of a command: its texts, the reader for them, and the format of the output."""

    sources: Sources
    reader: Reader
    as_json: bool = False

    def answer_texts(self, answer: Callable[[Item], bool]) -> int:
        """Call `answer` for every text as it arrives, print a summary, and return the exit status.

        The status is 0 if all texts are ok, else 1. With ``--json`` no summary is printed.

        Args:
            answer: Prints the result for one text, and returns whether the text is ok.
        """
        tally = Tally()
        # On a terminal the answers already show the progress.
        total_bytes = None if is_terminal() else self.sources.total_bytes
        with show_progress("reading", total_bytes) as advance:
            for item in self.sources:
                is_ok = answer(item)
                tally.add(is_ok)
                if not is_ok:
                    self.suggest_file_option(item)
                advance(item.size)
        if not self.as_json:
            tally.print_summary()
        return tally.exit_status

    def suggest_file_option(self, item: Item) -> None:
        """Print a hint to use ``--file`` if the text of `item` is the name of a file."""
        name = self.sources.find_named_file(item)
        if name is not None:
            display_name = click.format_filename(name)
            echo(f"{display_name} is a file; to read the texts in it, use --file {display_name}", err=True)

    def line_label(self, item: Item) -> str:
        """Return a label such as ``line 3: `` for a result of one line.

        It is empty if the only text is an argument.
        """
        return f"line {item.line}: " if self.sources.is_numbered else ""

    def line_heading(self, item: Item) -> str:
        """Return a heading such as ``line 3:``, with a newline, for a result of several lines.

        It is empty if the only text is an argument.
        """
        return f"line {item.line}:\n" if self.sources.is_numbered else ""


def text_command(
    *,
    uses_rules: bool = False,
    takes_texts: bool = True,
    takes_game: bool = True,
    takes_mode: bool = True,
    writes_json: bool = True,
) -> Decorator:
    """Return a decorator that adds the options that all commands for single texts share.

    The decorated function is called with a `Job` and the options of its own, and returns the exit status.

    Args:
        uses_rules: Whether the command uses the rules of the game, so that the variant matters.
        takes_texts: Whether the command reads any number of texts, also with ``--file``.
        takes_game: Whether it has the options ``--game``, ``--variant`` and ``--profile``.
        takes_mode: Whether it has the option ``--mode``.
        writes_json: Whether it has the option ``--json``.
    """

    def decorate(command: Callable[..., int]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**arguments: Any) -> None:
            arguments = {name: unescape_dashes(value) for name, value in arguments.items()}
            job = _extract_job(arguments, uses_rules)
            # Closes the store if it was opened, also if the command fails.
            with job.reader.store:
                status = command(job, **arguments)
            click.get_current_context().exit(status)

        shared_options = [
            *(_SOURCE_OPTIONS if takes_texts else ()),
            *(_GAME_OPTIONS if takes_game else ()),
            *((_MODE_OPTION,) if takes_mode else ()),
            *_FORM_OPTIONS,
            *((_JSON_OPTION,) if writes_json else ()),
        ]
        wrapped: Callable[..., None] = run
        # Click lists options in the reverse order in which they are added.
        for option in reversed(shared_options):
            wrapped = option(wrapped)
        return wrapped

    return decorate


def _extract_job(arguments: dict[str, Any], uses_rules: bool) -> Job:
    """Remove the shared options from `arguments`, in place, and return the `Job` that their values describe.

    `uses_rules` says whether the command uses the rules of the game: then the variant is detected by default.
    """
    form = arguments.pop("form")
    game_names = (arguments.pop(name, None) for name in GameChoice._fields)
    reader = make_reader(
        GameChoice(*game_names),
        uses_rules=uses_rules,
        mode=arguments.pop("mode", "default"),
        form=None if form == AUTO_FORM else form,
        store=LazyStore(arguments.pop("store")),
    )
    is_jsonl = arguments.pop("lines", "lines") == "jsonl"
    sources = Sources(arguments.pop("texts", ()), arguments.pop("files", ()), is_jsonl)
    return Job(sources, reader, arguments.pop("as_json", False))
