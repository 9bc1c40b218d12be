"""`forsyth detect`: detect the game and the form of texts.

Writes for each text the game, its variant if that is not the usual one, the form, and the confidence from 0
to 1. With ``--json`` the fields are ``line text game variant form confidence``. If the game of a text is not
detected, ``game`` is null and the exit status is 1.
"""

from __future__ import annotations

from collections.abc import Mapping

import click

from forsyth import forms, registry
from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import InputText
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import echo, write_json

_NO_CONFIDENCE = 0.0
_FULL_CONFIDENCE = 1.0


@click.command(
    epilog=format_examples(
        "forsyth detect 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
        "forsyth detect --json --file mixed.txt",
    )
)
@text_command(takes_game=False, takes_mode=False)
def detect(job: TextJob) -> int:
    """Detect the game and the form of texts from their structure."""
    games = [registry.game(name) for name in registry.games()]
    named_positions = {name: text for game in games for name, text in game.names.items()}
    return job.answer_texts(lambda input_text: _print_detection(job, input_text, named_positions))


def _print_detection(job: TextJob, input_text: InputText, named_positions: Mapping[str, str]) -> bool:
    """Print the game of a text, its form and the confidence. Return True if the game was detected.

    Args:
        job: The options of the run.
        input_text: The text, with its line number.
        named_positions: The text of each position that has a name in a game, such as ``start``, by the name.
    """
    form = job.reader.form or forms.guess_form(input_text.text, named_positions)
    unwrapped = forms.unwrap(input_text.text, form=form, names=named_positions, store=job.reader.store)
    detection = _detect_game(unwrapped)
    if job.as_json:
        write_json(
            {
                "line": input_text.line,
                "text": input_text.text,
                "game": detection.game,
                "variant": detection.variant,
                "form": form,
                "confidence": detection.confidence,
            }
        )
    else:
        label = job.format_line_label(input_text)
        echo(f"{label}{_format_detected_game(detection)}  {form}  {detection.confidence:.2f}")
    return detection.game is not None


def _format_detected_game(detection: registry.Detection) -> str:
    """Format the detected game, with its variant unless it is the usual one.

    If the game was not detected, return ``unknown`` and the possible games in parentheses.
    """
    if detection.game is None:
        candidates = " or ".join(detection.candidates)
        return f"unknown ({candidates})" if candidates else "unknown"
    # The first variant of a game is the usual one.
    usual_variant = registry.game(detection.game).variants[0]
    is_usual = detection.variant in (None, usual_variant)
    return detection.game if is_usual else f"{detection.game} ({detection.variant})"


def _detect_game(unwrapped: forms.Unwrapped) -> registry.Detection:
    """Return the game of a text, its variant, and the confidence from 0 to 1.

    `unwrapped` is the text after its form, such as Base64, was decoded. Some forms name the game. If the game
    is not detected, its name in the result is None.
    """
    # Several games may give a position the same name, so a name alone does not identify the game.
    if unwrapped.plain is None or unwrapped.form == "name":
        return registry.Detection(None, _NO_CONFIDENCE)
    if unwrapped.game is not None:
        game = registry.with_auto_variant(registry.game(unwrapped.game))
        return registry.Detection(unwrapped.game, _FULL_CONFIDENCE, game.read(unwrapped.plain).variant)
    return registry.detect(unwrapped.plain)
