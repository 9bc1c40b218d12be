"""Explain the errors of records that a kernel has read: the first rejected move of each record.

A kernel stores only the place of a word that is not a legal move, and the position before it. The sentence is
made here, by the same code as for a record that the record reader reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from forsyth.diagnostics import Diagnostic, Span
from forsyth.findings import Findings
from forsyth.game import Game
from forsyth.record.codes import CODE_BOOK
from forsyth.record.tokens import read_token
from forsyth.record.tree import TreeBuilder
from forsyth.record_bytes.columns import FAULTY, RecordKernel

_FEN_WIDTH: Final = 320
"""Bytes of a row of the column ``error_fen``."""


class KernelError(NamedTuple):
    """The first error of a record that a kernel has read."""

    row: int
    """Index of the record among the records that the kernel found."""
    diagnostic: Diagnostic
    """The error. Its places are offsets in the text of the record."""
    line: int
    """Line number, from 1, in the bytes that the kernel has read."""
    column: int
    """Number of the character in its line, from 1."""


class KernelErrors:
    """The first error of each record with an error that the last call of `kernel.read` has read.

    The errors are made when the object is iterated, which must happen before the next call.
    """

    def __init__(self, kernel: RecordKernel, data: memoryview, game: Game[Any, Any]) -> None:
        """Store the kernel, the bytes that it has read, and the game of the records."""
        self._kernel = kernel
        self._data = data
        self._game = game

    def __len__(self) -> int:
        return self._kernel.error_count

    def __iter__(self) -> Iterator[KernelError]:
        if not self._kernel.error_count:
            return
        kernel, data = self._kernel, self._data
        starts, variants = kernel.column("start"), kernel.column("variant")
        notes, note_lengths = kernel.column("note"), kernel.column("note_length")
        error_notes, fen_lengths = kernel.column("error_note"), kernel.column("error_fen_length")
        fens = kernel.column("error_fen")
        rows = (row for row, verdict in enumerate(kernel.column("verdict")) if verdict == FAULTY)
        # The number of line ends before the last record, which are counted only once.
        lines_before = counted_bytes = 0
        for error, row in enumerate(rows):
            start, place = starts[row], notes[error_notes[error]]
            length = note_lengths[error_notes[error]]
            lines_before += _count_line_ends(bytes(data[counted_bytes:start]))
            counted_bytes = start
            fen = bytes(fens[_FEN_WIDTH * error : _FEN_WIDTH * error + fen_lengths[error]])
            text_before = bytes(data[start:place]).decode()
            # Marks such as ``!`` can follow the word, and whether they belong to it depends on the word.
            word = bytes(data[place : place + length + 1]).decode("utf-8", "ignore")
            diagnostic = _explain_move(self._get_rules(variants[row]), fen.decode(), word)
            unified_text = text_before.replace("\r\n", "\n").replace("\r", "\n")
            yield KernelError(
                row,
                replace(diagnostic, span=_shift(diagnostic.span, len(text_before))),
                lines_before + unified_text.count("\n") + 1,
                len(unified_text) - unified_text.rfind("\n"),
            )

    def _get_rules(self, variant: int) -> Game[Any, Any]:
        """Return the game in the variant with an index."""
        game = self._game
        name = game.variants[variant]
        return game if game.variant == name else game.with_variant(name)


def _explain_move(game: Game[Any, Any], fen: str, text: str) -> Diagnostic:
    """Return the error about the word at the start of `text`, which is not a legal move.

    `fen` is the position, and `game` is in its variant. The places of the error are offsets in `text`.
    """
    findings = Findings("", "default", CODE_BOOK)
    builder = TreeBuilder(game, game.read(fen).position, findings)
    builder.add_token(read_token(text, game.move_pattern))
    return findings.diagnostics[0]


def _shift(span: Span, offset: int) -> Span:
    """Return a span whose offsets are greater by `offset`."""
    return Span(span.start + offset, span.end + offset)


def _count_line_ends(data: bytes) -> int:
    """Return the number of line ends in `data`: LF, CR and CRLF."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
