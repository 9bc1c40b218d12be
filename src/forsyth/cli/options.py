"""The options commands share, and the `Job` they add up to."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import click

from forsyth import forms
from forsyth.cli.arguments import unshielded
from forsyth.cli.inputs import Item, Sources, existing_files
from forsyth.cli.lazy_store import LazyStore
from forsyth.cli.output import Tally, echo, on_terminal, progress
from forsyth.cli.reader import Reader, open_reader
from forsyth.diagnostics import MODES
from forsyth.resolver import Choice

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

AUTO_FORM: Final = "auto"

_SOURCES: Final[tuple[Decorator, ...]] = (
    click.argument("texts", nargs=-1, metavar="[TEXT]..."),
    click.option(
        "--file",
        "files",
        multiple=True,
        metavar="FILE",
        callback=existing_files,
        help="Read texts from FILE, one per line, except blank lines and # comments; - is standard input. "
        "May be given more than once.",
    ),
    click.option(
        "--in",
        "lines",
        type=click.Choice(["lines", "jsonl"]),
        default="lines",
        show_default=True,
        help='How files hold texts; jsonl: a JSON string, or an object with "text", per line.',
    ),
)

_GAME: Final[tuple[Decorator, ...]] = (
    click.option("--game", metavar="NAME", help="The game; detected from each text by default."),
    click.option("--variant", metavar="NAME", help="The variant of the game; auto lets each text say it."),
    click.option(
        "--profile",
        metavar="NAME",
        help="Read as another reader does; seed: as the source document of the game.",
    ),
)

_MODE: Final[Decorator] = click.option(
    "--mode",
    type=click.Choice(MODES),
    default="default",
    show_default=True,
    help="strict: canonical text only; default: what the specification accepts; lenient: repair and report.",
)

_FORM: Final[tuple[Decorator, ...]] = (
    click.option(
        "--form",
        type=click.Choice([AUTO_FORM, *forms.FORMS]),
        default=AUTO_FORM,
        show_default=True,
        help="The form of the texts.",
    ),
    click.option(
        "--store",
        metavar="WHERE",
        help="The store that resolves state_ texts, a file or postgresql://…; see forsyth doctor.",
    ),
)

_JSON: Final[Decorator] = click.option(
    "--json", "as_json", is_flag=True, help="One JSON object per text, for programs."
)


@dataclass(frozen=True, slots=True)
class Job:
    """What one run was asked to do: the texts, how to read them, and for whom to answer."""

    sources: Sources
    reader: Reader
    as_json: bool = False

    def each(self, answer: Callable[[Item], bool]) -> int:
        """Answer every text in order as it arrives; the exit status."""
        tally = Tally()
        # On a terminal the answers themselves are the progress.
        total = None if on_terminal() else self.sources.total
        with progress("reading", total) as advance:
            for item in self.sources:
                ok = answer(item)
                tally.add(ok)
                if not ok:
                    self.suggest_file(item)
                advance(item.size)
        if not self.as_json:
            tally.report()
        return tally.status

    def suggest_file(self, item: Item) -> None:
        """Say what to do about a text that could not be read because it is the name of a file."""
        name = self.sources.file_named_by(item)
        if name is not None:
            shown = click.format_filename(name)
            echo(f"{shown} is a file; to read the texts in it, name it with --file {shown}", err=True)

    def label(self, item: Item) -> str:
        """What is printed before an answer: its number, when there may be more than one."""
        return f"line {item.line}: " if self.sources.numbered else ""

    def heading(self, item: Item) -> str:
        """The same on a separate line."""
        return f"line {item.line}:\n" if self.sources.numbered else ""


def text_command(
    *, plays: bool = False, sources: bool = True, game: bool = True, mode: bool = True, json: bool = True
) -> Decorator:
    """Give a command the shared options; it is called with a `Job` and returns the exit status.

    `plays` says that it uses the rules, `sources` that it reads any number of texts; the others say which
    options make sense for it.
    """

    def decorate(command: Callable[..., int]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**given: Any) -> None:
            given = {name: unshielded(value) for name, value in given.items()}
            job = _job(given, plays)
            # A store that was opened is closed, however the command ends.
            with job.reader.store:
                status = command(job, **given)
            click.get_current_context().exit(status)

        wrapped: Callable[..., None] = run
        for option in reversed(_options(sources, game, mode, json)):
            wrapped = option(wrapped)
        return wrapped

    return decorate


def _options(sources: bool, game: bool, mode: bool, json: bool) -> list[Decorator]:
    return [
        *(_SOURCES if sources else ()),
        *(_GAME if game else ()),
        *((_MODE,) if mode else ()),
        *_FORM,
        *((_JSON,) if json else ()),
    ]


def _job(given: dict[str, Any], plays: bool) -> Job:
    """Take the shared options out of those given and add them up."""
    form = given.pop("form")
    names = (given.pop(name, None) for name in Choice._fields)
    reader = open_reader(
        Choice(*names),
        plays=plays,
        mode=given.pop("mode", "default"),
        form=None if form == AUTO_FORM else form,
        store=LazyStore(given.pop("store")),
    )
    sources = Sources(given.pop("texts", ()), given.pop("files", ()), given.pop("lines", "lines") == "jsonl")
    return Job(sources, reader, given.pop("as_json", False))
