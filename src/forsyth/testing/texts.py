"""Checks of reading: no exceptions, valid findings, and agreement of modes, fixes, parse and check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final

from forsyth.arguments import quoted, type_name
from forsyth.diagnostics import (
    MODES,
    SHARED_CODES,
    Diagnostic,
    FenError,
    Mode,
    Reading,
    Severity,
    apply_fixes,
)
from forsyth.game import Game, M, P
from forsyth.limits import MAX_DIAGNOSTICS
from forsyth.testing.promise import call_or_none, require

_UNEXPECTED_CHARACTERS: Final = "\0\t\n é–０\u202e\ud800\U0001f0cf/|+,-9"
"""Characters from typing errors, web pages and attacks."""
_RANDOM_VARIATIONS: Final = 12
"""Number of random changes that are tried for each text."""


def collect_texts(game: Game, texts: Iterable[str]) -> tuple[str, ...]:
    """Return `texts` and the texts that the game itself provides, each text once.

    The game provides its start, its named positions and its examples.
    """
    all_texts = (game.start, *texts, *game.names.values(), *game.examples.values())
    return tuple(dict.fromkeys(all_texts))


def read_positions(game: Game[P, M], texts: Iterable[str]) -> tuple[P, ...]:
    """Return the positions of the texts that can be read, each position once."""
    positions = [game.read(text).position for text in texts]
    known_positions = [position for position in positions if position is not None]
    return tuple(dict.fromkeys(known_positions))


def require_reading(game: Game, texts: Iterable[str]) -> None:
    """Check how a game reads position texts, and invalid texts that are derived from them.

    Reading must not raise an error, and its findings must be valid and consistent. Raise `AssertionError` if
    a check fails.
    """
    known_codes = {info.code for info in (*game.codes, *SHARED_CODES)}
    for text in texts:
        for variation in (text, *_make_variations(text)):
            _require_text(game, variation, known_codes)
    too_long_text = game.start + "9" * (game.max_text + 1)
    require(
        not game.read(too_long_text).ok,
        game,
        f"a text of {len(too_long_text)} characters has no error, expected one because max_text is "
        f"{game.max_text}",
    )
    likelihood = game.likelihood(game.start)
    require(likelihood > 0, game, f"the likelihood of the start is {likelihood}, expected more than 0")


def _make_variations(text: str) -> Iterator[str]:
    """Yield mostly invalid texts that are similar to `text`: cut, doubled, or with changed characters.

    The same `text` always gives the same variations.
    """
    yield from ("", " ", text[:-1], text[1:], text * 2, text.swapcase(), text[::-1], f" {text}\n")
    yield from (
        text.replace(" ", "  "),
        text.replace("/", ""),
        text.replace("-", "–"),
        text.replace(" ", "_"),
    )
    random = Random(ascii(text))
    for _ in range(_RANDOM_VARIATIONS):
        index = random.randrange(len(text) + 1)
        character = random.choice(_UNEXPECTED_CHARACTERS + text)
        removed_count = random.randrange(3)
        yield text[:index] + character + text[index + removed_count :]


def _require_text(game: Game, text: str, known_codes: set[str]) -> None:
    """Check the reading of one text in all modes, and that modes, fixes, `parse` and `check` agree.

    `known_codes` are the diagnostic codes that may occur. Raise `AssertionError` if a check fails.
    """
    likelihood = game.likelihood(text)
    require(0 <= likelihood <= 1, game, f"the likelihood of {quoted(text)} is {likelihood}, expected 0 to 1")
    readings = {mode: _read(game, text, mode) for mode in MODES}
    for mode, reading in readings.items():
        _require_valid_reading(game, text, mode, reading, known_codes)
    _require_strict(game, text, readings["default"], readings["strict"])
    _require_fixes(game, text, readings["default"])
    _require_parse(game, text, readings["default"])


def _require_strict(game: Game, text: str, default: Reading[Any], strict: Reading[Any]) -> None:
    """Check that strict mode accepts only canonical texts, and only those that default mode accepts.

    `default` and `strict` are the readings of `text` in these modes. Raise `AssertionError` if a check fails.
    """
    if not strict.ok:
        return
    require(default.ok, game, f"{quoted(text)} has errors in default mode, but not in strict mode")
    canonical = str(strict.position)
    require(
        canonical == text,
        game,
        f"{quoted(text)} has no errors in strict mode, but is not canonical, expected {quoted(canonical)}",
    )


def _require_fixes(game: Game, text: str, reading: Reading[Any]) -> None:
    """Check that applying the certain fixes of a reading does not give a text with more errors.

    `reading` is the reading of `text` in default mode. Raise `AssertionError` if the fixed text has more.
    """
    # A full list may lack findings, so that the fixed text may have errors that were not reported before.
    if len(reading.diagnostics) >= MAX_DIAGNOSTICS:
        return
    fixed_text = apply_fixes(text, reading.diagnostics)
    error_count = len(_read(game, fixed_text, "default").errors)
    require(
        error_count <= len(reading.errors),
        game,
        f"applying the certain fixes of {quoted(text)} gives more errors: "
        f"{error_count} after {len(reading.errors)}",
    )


def _require_parse(game: Game, text: str, reading: Reading[Any]) -> None:
    """Check that `parse` accepts exactly the legal texts and returns the position that was read.

    `reading` is the reading of `text` in default mode. Raise `AssertionError` if a check fails.
    """
    legality_findings = _check_legality(game, text, reading)
    is_legal = reading.ok and not any(finding.is_error for finding in legality_findings)
    parsed = call_or_none(game, f"parsing {quoted(text)}", FenError, game.parse, text)
    is_parsed = parsed is not None
    require(is_parsed == is_legal, game, f"parse and check disagree about {quoted(text)}")
    require(
        parsed is None or parsed == reading.position, game, f"parse and read disagree about {quoted(text)}"
    )


def _read(game: Game, text: str, mode: Mode) -> Reading[Any]:
    """Return the reading of a text. Raise `AssertionError` if reading raises any error."""
    try:
        return game.read(text, mode=mode)
    except Exception as error:
        raise AssertionError(
            f"{game.name}: reading {quoted(text)} in mode {mode} raises {error!r}, expected a Reading"
        ) from error


def _require_valid_reading(
    game: Game, text: str, mode: Mode, reading: Reading[Any], known_codes: set[str]
) -> None:
    """Check that a reading belongs to `text` and that its findings (errors and warnings) are valid.

    `mode` is the mode of the reading, and `known_codes` are the diagnostic codes that may occur. Raise
    `AssertionError` if a check fails.
    """
    subject = f"the reading of {quoted(text)} in mode {mode}"
    require(
        isinstance(reading, Reading), game, f"{subject} is of type {type_name(reading)}, expected Reading"
    )
    require(reading.text == text and reading.game == game.name, game, f"{subject} has another text or game")
    require(
        reading.position is not None or not reading.ok, game, f"{subject} has neither a position nor an error"
    )
    for finding in (*reading.diagnostics, *_check_legality(game, text, reading)):
        _require_valid_finding(game, text, finding, known_codes, subject)
    if mode == "strict":
        require(
            all(finding.severity == Severity.ERROR for finding in reading.diagnostics),
            game,
            f"{subject} has a warning, expected only errors in strict mode",
        )


def _require_valid_finding(
    game: Game, text: str, finding: Diagnostic, known_codes: set[str], subject: str
) -> None:
    """Check that a finding has a known code, a message, and spans (start and end) inside `text`.

    `subject` names the reading in the messages. Raise `AssertionError` if a check fails.
    """
    code = finding.code
    require(
        code in known_codes,
        game,
        f"{subject} has the code {code}, which is not listed in the codes of the game",
    )
    require(finding.message.strip(), game, f"{subject} has a finding {code} with an empty message")
    spans = [finding.span] if finding.fix is None else [finding.span, finding.fix.span]
    for start, end in spans:
        require(
            0 <= start <= end <= len(text),
            game,
            f"{subject} has a finding {code} with the span {start} to {end}, outside the text of "
            f"{len(text)} characters",
        )


def _check_legality(game: Game, text: str, reading: Reading[Any]) -> tuple[Diagnostic, ...]:
    """Return the findings about the legality of the position that was read.

    Without a position the result is empty.
    """
    if reading.position is None:
        return ()
    return game.check(reading.position, text=text)
