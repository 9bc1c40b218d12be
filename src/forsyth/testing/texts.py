"""Reading: never an exception, every finding listed and in its place, canonical texts without one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final

from forsyth.arguments import quoted
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
from forsyth.testing.promise import attempted, require

_STRANGE: Final = "\0\t\n é–０\u202e\ud800\U0001f0cf/|+,-9"
"""Characters that come with a slip, a copy from a page or an attack."""
_MUTANTS: Final = 12
"""How many broken texts are made of each by chance."""


def texts_of(game: Game, given: Iterable[str]) -> tuple[str, ...]:
    """The texts given and the game's own, each once."""
    return tuple(dict.fromkeys((game.start, *given, *game.names.values(), *game.examples.values())))


def positions_of(game: Game[P, M], texts: Iterable[str]) -> tuple[P, ...]:
    """The positions of the texts that can be read."""
    found = [game.read(text).position for text in texts]
    return tuple(dict.fromkeys(position for position in found if position is not None))


def require_reading(game: Game, texts: Iterable[str]) -> None:
    """Hold a game to the rules of reading, on these texts and on broken ones made of them."""
    codes = {info.code for info in (*game.codes, *SHARED_CODES)}
    for text in texts:
        for tried in (text, *_broken(text)):
            _require_text(game, tried, codes)
    endless = game.start + "9" * (game.max_text + 1)
    require(not game.read(endless).ok, game, "a text longer than max_text is read without an error")
    require(game.likelihood(game.start) > 0, game, "the start has no likelihood of being this game's")


def _broken(text: str) -> Iterator[str]:
    """Texts that are like a text and wrong, always the same ones."""
    yield from ("", " ", text[:-1], text[1:], text * 2, text.swapcase(), text[::-1], f" {text}\n")
    yield from (
        text.replace(" ", "  "),
        text.replace("/", ""),
        text.replace("-", "–"),
        text.replace(" ", "_"),
    )
    chance = Random(ascii(text))
    for _ in range(_MUTANTS):
        at = chance.randrange(len(text) + 1)
        other = chance.choice(_STRANGE + text)
        yield text[:at] + other + text[at + chance.randrange(3) :]


def _require_text(game: Game, text: str, codes: set[str]) -> None:
    likelihood = game.likelihood(text)
    require(0 <= likelihood <= 1, game, f"the likelihood of {quoted(text)} is {likelihood}, expected 0 to 1")
    readings = {mode: _read(game, text, mode) for mode in MODES}
    for mode, reading in readings.items():
        _require_reading_of(game, text, mode, reading, codes)
    usual, strict = readings["default"], readings["strict"]
    if strict.ok:
        require(usual.ok, game, f"strict mode reads {quoted(text)}, default mode does not")
        require(
            str(strict.position) == text, game, f"strict mode reads {quoted(text)}, which is not canonical"
        )
    # Where some findings were left out, there is nothing to compare.
    if len(usual.diagnostics) < MAX_DIAGNOSTICS:
        fixed = _read(game, apply_fixes(text, usual.diagnostics), "default")
        fewer = len(fixed.errors) <= len(usual.errors)
        require(fewer, game, f"the certain fixes of {quoted(text)} add errors")
    legal = usual.ok and not _errors(_legality(game, text, usual))
    parsed = attempted(game, f"parsing {quoted(text)}", FenError, game.parse, text)
    require((parsed is not None) == legal, game, f"parse and check disagree about {quoted(text)}")
    if parsed is not None:
        require(parsed == usual.position, game, f"parse and read disagree about {quoted(text)}")


def _read(game: Game, text: str, mode: Mode) -> Reading[Any]:
    try:
        return game.read(text, mode=mode)
    except Exception as error:
        raise AssertionError(
            f"{game.name}: reading {quoted(text)} in mode {mode} raises {error!r}"
        ) from error


def _require_reading_of(game: Game, text: str, mode: Mode, reading: Reading[Any], codes: set[str]) -> None:
    what = f"the reading of {quoted(text)} in mode {mode}"
    require(isinstance(reading, Reading), game, f"{what} is no Reading")
    require(reading.text == text and reading.game == game.name, game, f"{what} is of another text or game")
    require(reading.position is not None or not reading.ok, game, f"{what} has neither position nor error")
    findings = (*reading.diagnostics, *_legality(game, text, reading))
    for finding in findings:
        require(finding.code in codes, game, f"{what} has the code {finding.code}, which is not listed")
        require(finding.message.strip(), game, f"{what} has a finding {finding.code} without a sentence")
        spans = [finding.span] if finding.fix is None else [finding.span, finding.fix.span]
        for start, end in spans:
            require(
                0 <= start <= end <= len(text),
                game,
                f"{what} has a finding {finding.code} at {start} to {end}, outside the text",
            )
    if mode == "strict":
        require(
            all(finding.severity == Severity.ERROR for finding in reading.diagnostics),
            game,
            f"{what} has a warning, which strict mode makes an error",
        )


def _legality(game: Game, text: str, reading: Reading[Any]) -> tuple[Diagnostic, ...]:
    return () if reading.position is None else game.check(reading.position, text=text)


def _errors(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [finding for finding in findings if finding.is_error]
