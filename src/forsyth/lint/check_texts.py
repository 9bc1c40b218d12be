"""Checks of the positions and records in the text of one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Final, NamedTuple

from forsyth import reading as readings
from forsyth import registry
from forsyth.diagnostics import Diagnostic
from forsyth.game import Game
from forsyth.lint.candidates import Candidate
from forsyth.lint.kinds import POSITION_KINDS, FileKind
from forsyth.lint.recognise import (
    FIELD_COUNT_CODE,
    count_fields,
    detect_game,
    find_candidates,
    find_named_variants,
    is_false_alarm,
    is_position,
)
from forsyth.lint.running_text import list_possible_ends
from forsyth.lint.settings import Settings
from forsyth.record import read_records
from forsyth.record_bytes.epd_lines import epd_text
from forsyth.resolver import Resolver

_RANK_COUNT_CODE: Final = "board.rank_count"
_UNDETECTED_GAME_CODE: Final = "game.unknown"
_MAX_VARIANT_DISTANCE: Final = 4000
"""Number of characters before a text in which the name of its variant is searched: about a section."""


class CheckedText(NamedTuple):
    """A position or a game record in a file, with its errors and warnings."""

    candidate: Candidate
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
    """A checker of the positions and game records in one file."""

    def __init__(self, settings: Settings, kind: FileKind, file: str) -> None:
        """Create a checker. Raise `SettingsError` if the game or variant of the settings does not exist.

        Args:
            settings: The settings of the linter.
            kind: The kind of the file, such as Markdown.
            file: The path of the file. Its name can contain a variant, as in ``atomic.fen``.
        """
        self.settings = settings
        self._file_name = PurePath(file).name
        self._kind = kind
        self._resolver: Resolver = settings.make_resolver()

    def check_all(self, text: str) -> Iterator[CheckedText]:
        """Yield each position in the text of a file with its diagnostics. In a PGN file, yield each record.

        In source code and documents, a text is left out if it is probably not meant as a position.
        """
        if self._kind is FileKind.RECORDS:
            yield from self._check_records(text)
            return
        for alternatives in find_candidates(text, self._kind):
            if self._kind in POSITION_KINDS:
                line = alternatives[0]
                yield self._check_line(line)
                continue
            checked = self._select_alternative(text, alternatives)
            if checked is not None:
                yield checked

    def _check_line(self, line: Candidate) -> CheckedText:
        """Check a line of a FEN or EPD file by the usual rules, or by those of a variant of the game.

        The variant is one that the name of the file contains. Its rules are used only if the line has errors
        by the usual rules, and fewer errors by those of the variant.
        """
        checked = self.check_candidate(line)
        if checked.game is None or self.settings.variant is not None or not checked.has_errors:
            return checked
        named_variants = find_named_variants(self._file_name, registry.game(checked.game))
        checked_as_variants = [self._check_as_variant(line, variant) for variant in named_variants]
        # `min` returns the first of several minima, so the usual rules precede those of a variant.
        return min([checked, *checked_as_variants], key=count_errors)

    def _select_alternative(self, file_text: str, alternatives: Iterable[Candidate]) -> CheckedText | None:
        """Check the texts that may be meant at one place of a file, and return the most plausible one.

        That is the first text without an error, or else the one with the fewest errors. Return None if no
        text is meant as a position. `file_text` is the content of the file.
        """
        best: CheckedText | None = None
        for alternative in alternatives:
            for candidate in self._list_possible_ends(alternative):
                if not is_position(candidate.text, self._game):
                    continue
                checked = self.check_candidate(candidate)
                if not checked.has_errors:
                    return checked
                is_shortened = candidate.text != alternative.text
                if is_shortened and _has_only_missing_fields(checked):
                    continue
                if is_false_alarm(candidate.text, checked.diagnostics):
                    continue
                if best is None or _rate_implausibility(checked) < _rate_implausibility(best):
                    best = checked
        if best is not None and self._is_valid_in_named_variant(file_text, best):
            return None
        return best

    def _list_possible_ends(self, candidate: Candidate) -> list[Candidate]:
        """Return the texts with which a position at one place of a file may end, the longest one first.

        In running text, the words after a position can be its fields or belong to the sentence. The result is
        empty if no game has such a position.
        """
        if candidate.is_exact:
            return [candidate]
        game = self._game or detect_game(candidate.text)
        if game is None:
            return []
        ends = list_possible_ends(candidate.text, count_fields(game.start))
        return [candidate.slice_text(0, end) for end in ends]

    def _is_valid_in_named_variant(self, file_text: str, checked: CheckedText) -> bool:
        """Return True if a text has no errors in a variant that the file names before the text.

        The rules of the usual variant do not apply to ``Antichess: 8/8/8/8/8/8/8/K7 w - - 0 1``. The name of
        the file can also contain the variant. `file_text` is the content of the file.
        """
        if checked.game is None or self.settings.variant is not None:
            return False
        text_start = checked.candidate.start
        search_start = max(text_start - _MAX_VARIANT_DISTANCE, 0)
        text_before = f"{self._file_name} {file_text[search_start:text_start]}"
        return any(
            not self._check_as_variant(checked.candidate, variant).has_errors
            for variant in find_named_variants(text_before, registry.game(checked.game))
        )

    def _check_as_variant(self, candidate: Candidate, variant: Game) -> CheckedText:
        """Check a position text by the rules of a variant of a game, and return it with its diagnostics."""
        text = self._complete_text(candidate.text)
        reading = readings.check(text, variant, mode=self.settings.mode)
        return CheckedText(candidate, reading.game, reading.diagnostics, is_record=False)

    def _complete_text(self, text: str) -> str:
        """Return a line of an EPD file with the move counters that EPD lacks, such as `` 0 1``.

        They are added at the end, so that they do not change the offsets of diagnostics. A text of another
        kind of file is returned unchanged.
        """
        return _add_move_counters(text) if self._kind is FileKind.EPD else text

    def check_candidate(self, candidate: Candidate) -> CheckedText:
        """Check a position text, and return it with its errors and warnings.

        That no game was detected counts as an error only if the text does not resemble a position of any
        game, because several games can share a correct text.
        """
        text = self._complete_text(candidate.text)
        reading = self._resolver.read(readings.check, text, mode=self.settings.mode).reading
        diagnostics = reading.diagnostics
        if reading.game is None and _resembles_any_game(text):
            diagnostics = _drop_undetected_game(diagnostics)
        return CheckedText(candidate, reading.game, diagnostics, is_record=False)

    def is_reported(self, diagnostic: Diagnostic) -> bool:
        """Return True if the settings let the linter report a diagnostic in this kind of file."""
        return self.settings.reports(diagnostic, self._kind)

    def check_again(self, checked: CheckedText, new_text: str) -> CheckedText:
        """Check `new_text`, the corrected text of a position or record, and return it with its diagnostics.

        `checked` is the position or record before the correction.
        """
        if not checked.is_record:
            return self.check_candidate(Candidate(checked.candidate.start, new_text))
        records = list(read_records(new_text, self._game, mode=self.settings.mode))
        diagnostics = tuple(diagnostic for record in records for diagnostic in record.diagnostics)
        return checked._replace(
            candidate=Candidate(checked.candidate.start, new_text), diagnostics=diagnostics
        )

    @property
    def _game(self) -> Game | None:
        """The game of the settings, or None if each text determines it."""
        return self._resolver.game

    def _check_records(self, text: str) -> Iterator[CheckedText]:
        """Yield each game record in the text of a PGN file, in order, with its diagnostics."""
        previous_end = 0
        for record in read_records(text, self._game, mode=self.settings.mode):
            # Equal records can follow each other, so the search begins at the end of the previous record.
            found_start = text.find(record.text, previous_end)
            # `find` returns -1 if the record is not in the file as it is.
            start = max(found_start, previous_end)
            previous_end = start + len(record.text)
            diagnostics = _drop_undetected_game(record.diagnostics)
            yield CheckedText(Candidate(start, record.text), record.game, diagnostics, is_record=True)


def _drop_undetected_game(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics without the error that the game of a text was not detected.

    Several games can share a correct text, and a correct record can lack the tags that name its game.
    """
    return tuple(diagnostic for diagnostic in diagnostics if diagnostic.code != _UNDETECTED_GAME_CODE)


def _resembles_any_game(text: str) -> bool:
    """Return True if at least one installed game finds it possible that a text is one of its positions."""
    return any(registry.game(name).likelihood(text) > 0 for name in registry.games())


def _add_move_counters(line: str) -> str:
    """Return an EPD line of four fields with the two move counters of a FEN (`` 0 1``) at its end.

    Return any other line unchanged, such as a line with operations (``bm e4;``).
    """
    position_text = epd_text(line)
    # The position text lacks the operations of the line, so it then does not begin with the line.
    has_no_operations = position_text.startswith(line)
    return position_text if has_no_operations else line


def _has_only_missing_fields(checked: CheckedText) -> bool:
    """Return True if all errors of a text are about missing fields, such as the side to move.

    In a sentence, a position can lack fields, because the sentence needs only some of them.
    """
    errors = [diagnostic for diagnostic in checked.diagnostics if diagnostic.is_error]
    return all(_is_missing_field(error) for error in errors)


def _is_missing_field(error: Diagnostic) -> bool:
    """Return True if an error is that a field is missing, and not that there is a field too many."""
    has_empty_span = error.span.start == error.span.end
    return error.code == FIELD_COUNT_CODE and has_empty_span


def _rate_implausibility(checked: CheckedText) -> tuple[bool, int]:
    """Return a sort key for texts with errors: the smallest key is that of the most plausible text.

    A text with a wrong number of ranks comes last, because a part of a path before a position, as in
    ``analysis/8/8/...``, looks like a rank too many. Otherwise the number of errors decides.
    """
    has_wrong_rank_count = any(diagnostic.code == _RANK_COUNT_CODE for diagnostic in checked.diagnostics)
    return has_wrong_rank_count, count_errors(checked)


def count_errors(checked: CheckedText) -> int:
    """Return the number of diagnostics of a text that are errors."""
    return sum(diagnostic.is_error for diagnostic in checked.diagnostics)
