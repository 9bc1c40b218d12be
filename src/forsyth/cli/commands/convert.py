"""`forsyth convert`: convert texts to another form or style.

Accepts as ``--to``: ``canonical``, a form (plain, state, base64, fenz, url), or a style of the game. Writes
for each text the result to standard output and the findings to standard error. With ``--json`` the fields are
``line text game variant ok result diagnostics``; ``result`` is null if the text cannot be read or converted.
A conversion to ``state`` stores the canonical text, so that its identifier can be resolved later. It needs no
store: if the default store cannot be used, the identifier is written with a warning.
"""

from __future__ import annotations

from typing import NamedTuple

import click

from forsyth import registry
from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import InputText
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import echo, make_text_fields, print_findings, write_json
from forsyth.conversion import CANONICAL, WRITABLE_FORMS, conversion_targets, convert_position
from forsyth.game import Game
from forsyth.identity import stored_text
from forsyth.resolver import ResolvedReading


@click.command(
    epilog=format_examples(
        "forsyth convert --to url 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
        "forsyth convert --to fenz --file positions.txt",
    )
)
@click.option(
    "--to",
    "target",
    required=True,
    metavar="FORM",
    help=f"Form to write: {CANONICAL}, {', '.join(WRITABLE_FORMS)}, or a style of the game.",
)
@text_command()
def convert(job: TextJob, target: str) -> int:
    """Convert texts to another form or style."""
    _require_known_target(job.reader.game, target)
    return job.answer_texts(lambda input_text: _print_conversion(job, input_text, target))


def _print_conversion(job: TextJob, input_text: InputText, target: str) -> bool:
    """Convert a text to another form and print the result. Return True if a legal position was converted.

    Args:
        job: The options of the run.
        input_text: The text, with its line number.
        target: ``canonical``, a form such as ``fenz``, or a style of the game.
    """
    resolved = job.reader.check(input_text.text)
    reading = resolved.reading
    result, error_message = _convert_position(resolved, target)
    is_ok = reading.ok and result is not None
    if job.as_json:
        write_json(
            {
                **make_text_fields(input_text, reading),
                "ok": is_ok,
                "result": result,
                "diagnostics": [diagnostic.to_dict() for diagnostic in reading.diagnostics],
            }
        )
    else:
        print_findings(reading, job.format_line_heading(input_text))
        if result is not None:
            echo(result)
    if error_message:
        echo(f"{job.format_line_label(input_text)}{error_message}", err=True)
    if result is not None and target == "state":
        assert resolved.game is not None, "a converted text has a game"
        job.reader.store.put_if_possible(stored_text(reading.position), resolved.game.name)
    return is_ok


class _Conversion(NamedTuple):
    """The result of a conversion."""

    result: str | None
    """The position in the other form, or None if it could not be converted."""
    error_message: str
    """The reason for that, or an empty text. It is also empty if the errors of the text are the reason."""


def _convert_position(resolved: ResolvedReading, target: str) -> _Conversion:
    """Convert the position of a text that was read, with its game, to the form `target`."""
    position = resolved.reading.position
    if resolved.game is None or position is None:
        return _Conversion(None, error_message="")
    try:
        result = convert_position(resolved.game, position, target, None)
    except ValueError as error:
        return _Conversion(None, str(error))
    return _Conversion(result, error_message="")


def _require_known_target(game: Game | None, target: str) -> None:
    """Raise `click.UsageError` if `target` is neither a form such as ``fenz`` nor a style of the game.

    `game` is the game that the options select. If it is None, a style of any game is accepted.
    """
    games = [registry.game(name) for name in registry.games()] if game is None else [game]
    known_targets = conversion_targets(games)
    if target not in known_targets:
        raise click.UsageError(f"--to: unknown form {target!r}; choose one of {', '.join(known_targets)}")
