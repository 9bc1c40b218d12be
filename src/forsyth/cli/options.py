"""The options that commands for single texts share, and the `TextJob` that they are collected in."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import click

from forsyth import forms
from forsyth.cli.arguments import unescape_dashes
from forsyth.cli.inputs import InputText, Sources, require_readable_files
from forsyth.cli.lazy_store import LazyStore
from forsyth.cli.output import Tally, echo, format_path, is_terminal, show_progress
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
        callback=require_readable_files,
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


def add_options(command: Callable[..., Any], options: Sequence[Decorator]) -> Callable[..., Any]:
    """Return `command` with further arguments and options of click. Its help lists them in this order."""
    # Click lists options in the reverse order in which they are added.
    for add_option in reversed(options):
        command = add_option(command)
    return command


@dataclass(frozen=True, slots=True)
class TextJob:
    """One run of a command: its texts, the reader for them, and the format of the output."""

    sources: Sources
    reader: Reader
    as_json: bool = False

    def answer_texts(self, answer: Callable[[InputText], bool]) -> int:
        """Call `answer` with every text, print the number of texts, and return the exit status.

        The exit status is 0 if all texts are ok, else 1. With ``--json`` the number of texts is not printed.

        Args:
            answer: Prints the result for one text, and returns True if the text is ok.
        """
        tally = Tally()
        # On a terminal the answers already show the progress, and no bar is needed.
        total_bytes = None if is_terminal() else self.sources.total_bytes
        with show_progress("reading", total_bytes) as advance:
            for input_text in self.sources:
                is_ok = answer(input_text)
                tally.add(is_ok)
                if not is_ok:
                    self.suggest_file_option(input_text)
                advance(input_text.size)
        if not self.as_json:
            tally.print_summary()
        return tally.exit_status

    def read_single_text(self, expectation: str) -> InputText:
        """Return the only text of this run. Raise `click.UsageError` if there is no text or more than one.

        `expectation` is the beginning of the message, such as ``draw expects``.
        """
        # Two texts are enough to notice that there is more than one.
        input_texts = list(islice(self.sources, 2))
        if len(input_texts) == 1:
            return input_texts[0]
        found = "several" if input_texts else "none"
        raise click.UsageError(
            f"{expectation} exactly one text, found {found}; run the command once for each text"
        )

    def suggest_file_option(self, input_text: InputText) -> None:
        """Print a hint to use ``--file`` if a text that was given as an argument is the name of a file."""
        file_name = self.sources.find_named_file(input_text)
        if file_name is not None:
            display_name = format_path(file_name)
            echo(f"{display_name} is a file; to read the texts in it, use --file {display_name}", err=True)

    def format_line_label(self, input_text: InputText) -> str:
        """Return the label ``line 3: `` to print before the result for a text, on the same line.

        Return an empty text if the run has a single text, given as an argument, which needs no label.
        """
        return f"line {input_text.line}: " if self.sources.is_numbered else ""

    def format_line_heading(self, input_text: InputText) -> str:
        """Return the heading ``line 3:`` with a newline, to print above the result for a text.

        Return an empty text if the run has a single text, given as an argument, which needs no heading.
        """
        return f"line {input_text.line}:\n" if self.sources.is_numbered else ""


def text_command(
    *,
    takes_texts: bool = True,
    takes_game: bool = True,
    takes_mode: bool = True,
    writes_json: bool = True,
) -> Decorator:
    """Return a decorator that adds the options that all commands for single texts share.

    The decorated function is called with a `TextJob`, which has the values of the shared options, and with
    its own options. It returns the exit status.

    Args:
        takes_texts: Whether the command reads any number of texts, also with ``--file``.
        takes_game: Whether it has the options ``--game``, ``--variant`` and ``--profile``.
        takes_mode: Whether it has the option ``--mode``.
        writes_json: Whether it has the option ``--json``.
    """

    def decorate(command: Callable[..., int]) -> Callable[..., None]:
        """Return a function that click can call, with the shared options added to those of `command`."""

        @functools.wraps(command)
        def run_with_job(**arguments: Any) -> None:
            """Call the command with a `TextJob` and its own options, and exit with the status it returns."""
            own_arguments = {name: unescape_dashes(value) for name, value in arguments.items()}
            job = _extract_job(own_arguments)
            # Closes the store if it was opened, also if the command fails.
            with job.reader.store:
                exit_status = command(job, **own_arguments)
            click.get_current_context().exit(exit_status)

        shared_options = [
            *(_SOURCE_OPTIONS if takes_texts else ()),
            *(_GAME_OPTIONS if takes_game else ()),
            *((_MODE_OPTION,) if takes_mode else ()),
            *_FORM_OPTIONS,
            *((_JSON_OPTION,) if writes_json else ()),
        ]
        return add_options(run_with_job, shared_options)

    return decorate


def _extract_job(arguments: dict[str, Any]) -> TextJob:
    """Remove the shared options from `arguments`, in place, and return a `TextJob` with their values.

    `arguments` has the values of all arguments and options of a command, by name. Those of the command itself
    remain.
    """
    game_choice = GameChoice(
        game=arguments.pop("game", None),
        variant=arguments.pop("variant", None),
        profile=arguments.pop("profile", None),
    )
    form = arguments.pop("form")
    reader = make_reader(
        game_choice,
        mode=arguments.pop("mode", "default"),
        form=None if form == AUTO_FORM else form,
        store=LazyStore(arguments.pop("store")),
    )
    sources = Sources(
        texts=arguments.pop("texts", ()),
        files=arguments.pop("files", ()),
        jsonl=arguments.pop("lines", "lines") == "jsonl",
    )
    return TextJob(sources, reader, as_json=arguments.pop("as_json", False))
