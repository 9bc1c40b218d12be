"""Checks of the positions and records in the text of one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Final, NamedTuple

from forsyth import reading as readings
from forsyth import registry
from forsyth.diagnostics import Diagnostic
from forsyth.game import Game
from forsyth.lint.kinds import POSITION_KINDS, FileKind
from forsyth.lint.recognise import (
    FIELD_COUNT_CODE,
    count_fields,
    detect_game,
    find_spots,
    find_variants,
    is_false_alarm,
    is_position,
)
from forsyth.lint.running_text import list_ends
from forsyth.lint.settings import Settings
from forsyth.lint.spots import Spot
from forsyth.record import read_records
from forsyth.record_bytes.epd_lines import epd_text
from forsyth.resolver import Resolver

_RANK_COUNT_CODE: Final = "board.rank_count"
_UNDECIDED_GAME_CODE: Final = "game.unknown"
_MAX_VARIANT_DISTANCE: Final = 4000
"""Number of characters before a text in which the name of its variant is searched: about a section."""


class CheckedText(NamedTuple):
    """A position or a record in a file, with its diagnostics."""

    spot: Spot
    """The text and its place in the file."""
    game: str | None
    diagnostics: tuple[Diagnostic, ...]
    is_record: bool
    """Whether the text is a record, which may have several lines."""

    @property
    def has_errors(self) -> bool:
        """Whether one of the diagnostics is an error."""
        return any(diagnostic.is_error for diagnostic in self.diagnostics)


class TextChecker:
    """A reader of the positions and records in files of one kind."""

    def __init__(self, settings: Settings, kind: FileKind, file: str) -> None:
        """Create a reader. Raise `SettingsError` if the game or variant of the settings does not exist.

        Args:
            settings: The settings of the linter.
            kind: The kind of the file.
            file: The path of the file, whose name can name a variant.
        """
        self.settings = settings
        self._file_name = PurePath(file).name
        self._kind = kind
        self._resolver: Resolver = settings.make_resolver()

    def check_all(self, text: str) -> Iterator[CheckedText]:
        """Yield all positions in the text of a file with their diagnostics. In a PGN file, yield all records.

        In source code and documents, a text is left out if it is probably not meant as a position.
        """
        if self._kind is FileKind.RECORDS:
            yield from self._check_records(text)
            return
        for spots in find_spots(text, self._kind):
            if self._kind in POSITION_KINDS:
                yield self._check_line(spots[0])
                continue
            checked = self._check_alternatives(text, spots)
            if checked is not None:
                yield checked

    def _check_line(self, spot: Spot) -> CheckedText:
        """Check a line of a FEN or EPD file, if need be by the rules of the variant in the name of the file.

        The variant decides only if the text has errors by the usual rules, and fewer errors by its own.
        """
        checked = self.check_spot(spot)
        if checked.game is None or self.settings.variant is not None or not checked.has_errors:
            return checked
        variants = find_variants(self._file_name, registry.game(checked.game))
        return min([checked, *(self._read_variant(spot, variant) for variant in variants)], key=count_errors)

    def _check_alternatives(self, text: str, spots: Iterable[Spot]) -> CheckedText | None:
        """Return the first of several texts that has no errors, or else the one with the fewest errors.

        The texts are all that one place of the file may contain. Return None if none is meant as a position.
        `text` is the content of the file.
        """
        best: CheckedText | None = None
        for spot in spots:
            for candidate in self._list_candidates(spot):
                if not is_position(candidate.text, self._game):
                    continue
                checked = self.check_spot(candidate)
                if not checked.has_errors:
                    return checked
                is_cut = candidate.text != spot.text
                if is_cut and _has_only_missing_fields(checked):
                    continue
                if is_false_alarm(candidate.text, checked.diagnostics):
                    continue
                if best is None or _rate_alternative(checked) < _rate_alternative(best):
                    best = checked
        if best is not None and self._belongs_to_named_variant(text, best):
            return None
        return best

    def _list_candidates(self, spot: Spot) -> list[Spot]:
        """Return the texts that a spot may be. A spot in running text can end at several of its words."""
        if spot.is_exact:
            return [spot]
        game = self._game or detect_game(spot.text)
        if game is None:
            return []
        usual_count = count_fields(game.start)
        return [spot.cut(0, end) for end in list_ends(spot.text, usual_count)]

    def _belongs_to_named_variant(self, text: str, checked: CheckedText) -> bool:
        """Return True if the file names a variant, before a text, in which the text has no errors.

        The rules of the usual variant do not apply to ``Antichess: 8/8/8/8/8/8/8/K7 w - - 0 1``. `text` is
        the content of the file.
        """
        if checked.game is None or self.settings.variant is not None:
            return False
        start = checked.spot.start
        nearby_text = f"{self._file_name} {text[max(start - _MAX_VARIANT_DISTANCE, 0) : start]}"
        return any(
            not self._read_variant(checked.spot, variant).has_errors
            for variant in find_variants(nearby_text, registry.game(checked.game))
        )

    def _read_variant(self, spot: Spot, variant: Game) -> CheckedText:
        """Check a position text by the rules of a game in a variant, and return it with its diagnostics."""
        reading = readings.check(self._complete(spot.text), variant, mode=self.settings.mode)
        return CheckedText(spot, reading.game, reading.diagnostics, is_record=False)

    def _complete(self, text: str) -> str:
        """Return a text with the clocks that EPD lines lack.

        Clocks are added at the end, so they do not change the offsets of diagnostics.
        """
        return _add_clocks(text) if self._kind is FileKind.EPD else text

    def check_spot(self, spot: Spot) -> CheckedText:
        """Check a position text and return it with its diagnostics.

        `spot` has the text and the number of characters before it in the file.
        """
        text = self._complete(spot.text)
        reading = self._resolver.read(readings.check, text, mode=self.settings.mode).reading
        diagnostics = reading.diagnostics
        if reading.game is None and _resembles_any_game(text):
            diagnostics = _without_undecided_game(diagnostics)
        return CheckedText(spot, reading.game, diagnostics, is_record=False)

    def is_reported(self, diagnostic: Diagnostic) -> bool:
        """Return True if the settings report a diagnostic in this kind of file."""
        return self.settings.reports(diagnostic, self._kind)

    def check_again(self, checked: CheckedText, new_text: str) -> CheckedText:
        """Check `new_text`, which replaces the text of a position or record, and return it with diagnostics.

        `checked` is the position or record before the change.
        """
        if not checked.is_record:
            return self.check_spot(Spot(checked.spot.start, new_text))
        records = list(read_records(new_text, self._game, mode=self.settings.mode))
        diagnostics = tuple(diagnostic for record in records for diagnostic in record.diagnostics)
        return checked._replace(spot=Spot(checked.spot.start, new_text), diagnostics=diagnostics)

    @property
    def _game(self) -> Game | None:
        """The game of the settings, or None if each text determines it."""
        return self._resolver.game

    def _check_records(self, text: str) -> Iterator[CheckedText]:
        """Yield all game records in the text of a file, in order, with their diagnostics."""
        previous_end = 0
        for record in read_records(text, self._game, mode=self.settings.mode):
            # Equal records can follow each other, so the search begins at the end of the previous record.
            start = max(text.find(record.text, previous_end), previous_end)
            previous_end = start + len(record.text)
            diagnostics = _without_undecided_game(record.diagnostics)
            yield CheckedText(Spot(start, record.text), record.game, diagnostics, is_record=True)


def _without_undecided_game(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics without the error that the game of a text is not detected.

    Several games can share a correct text, and a correct record can lack the tags that name its game.
    """
    return tuple(diagnostic for diagnostic in diagnostics if diagnostic.code != _UNDECIDED_GAME_CODE)


def _resembles_any_game(text: str) -> bool:
    """Return True if a text looks at least a little like a position of some installed game."""
    return any(registry.game(name).likelihood(text) > 0 for name in registry.games())


def _add_clocks(line: str) -> str:
    """Return an EPD line of four fields with the two clocks of a FEN at its end.

    Return any other line unchanged, such as a line with operations (``bm e4;``).
    """
    text_with_clocks = epd_text(line)
    has_only_fields = text_with_clocks.startswith(line)
    return text_with_clocks if has_only_fields else line


def _has_only_missing_fields(checked: CheckedText) -> bool:
    """Return True if all errors of a text are about missing fields.

    In a sentence, a position can lack fields, because the sentence needs only some of them.
    """
    errors = [diagnostic for diagnostic in checked.diagnostics if diagnostic.is_error]
    # The span of a missing field is empty. A field too many is the text of its span.
    return all(error.code == FIELD_COUNT_CODE and error.span.start == error.span.end for error in errors)


def _rate_alternative(checked: CheckedText) -> tuple[bool, int]:
    """Return a rating of one of several texts with errors at one place. The lowest rating is the best.

    A part of a path before a position, as in ``analysis/8/8/...``, looks like a rank too many.
    """
    has_other_ranks = any(diagnostic.code == _RANK_COUNT_CODE for diagnostic in checked.diagnostics)
    return has_other_ranks, count_errors(checked)


def count_errors(checked: CheckedText) -> int:
    """Return the number of diagnostics of a text that are errors."""
    return sum(diagnostic.is_error for diagnostic in checked.diagnostics)
