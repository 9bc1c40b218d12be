"""One row at a time: what the reader says of a text that no kernel answers for.

This is the law of bulk work and its slow path: every verb gives for a row what the functions here give, which
is what `forsyth check` says of the same text. Wrapped forms are unwrapped (but for `state_…`, which needs a
store); bytes that are not UTF-8 reach the reader as lone surrogates and are diagnosed like any other
character.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from forsyth import reading
from forsyth.diagnostics import Diagnostic, Mode, Severity
from forsyth.game import Game
from forsyth.limits import MAX_BULK_LINE


class Row(NamedTuple):
    """What became of one text."""

    position: Any
    """The position; None where there is an error."""
    findings: tuple[Diagnostic, ...]

    @property
    def first(self) -> Diagnostic | None:
        """The finding that stands for the row: the first error, else the first warning."""
        errors = [finding for finding in self.findings if finding.severity is Severity.ERROR]
        return next(iter(errors or self.findings), None)

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return self.position is not None


def read_row(game: Game, text: bytes, mode: Mode, legality: bool) -> Row:
    """Read one text; with `legality` the position is judged as well."""
    judge = reading.check if legality else reading.read
    # No text is that long: what is left of it has the same finding.
    text = text[:MAX_BULK_LINE]
    found = judge(text.decode("utf-8", "surrogateescape"), game, mode=mode)
    return Row(found.position if found.ok else None, found.diagnostics)


def unpack_row(game: Game, data: bytes) -> Any:
    """The position of a packed form that may be filled up with zeros; None where it is none.

    A form may itself end with zeros, but followed by zeros it is no form (`Game.unpack`): of the lengths that
    the bytes may have, one at most is that of a form.
    """
    form = data.rstrip(b"\0")
    for size in range(len(form), len(data) + 1):
        try:
            return game.unpack(data[:size])
        except ValueError:
            continue
    return None
