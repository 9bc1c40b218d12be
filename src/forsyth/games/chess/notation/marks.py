"""A text with the name of its variant in front, as in ``atomic:4k3/8/8/8/8/8/8/4K3 w - - 0 1``.

The texts of some variants look like those of standard chess. In stores, wrapped forms and links, where
nothing else says the variant, a position is kept as such a text (`Position.stored_text`). Reading takes the
mark in the standard variant, in ``auto`` and in the variant that it names; in others it is an error. The
canonical text has no mark. Limits: names are those of `variants.VARIANTS`, in small letters.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from forsyth.diagnostics import Diagnostic, Reading, Span
from forsyth.games.chess.codes import BOOK
from forsyth.games.chess.position import Position
from forsyth.games.chess.variants import VARIANTS

_MARK: Final = re.compile(f"({'|'.join(VARIANTS)}):")


def mark_of(text: object) -> str:
    """The variant that a text is marked with; empty where it has no mark."""
    found = _MARK.match(text) if isinstance(text, str) else None
    return "" if found is None else found[1]


def behind_mark(text: str) -> int:
    """Where the text behind a mark begins; 0 where there is none."""
    mark = mark_of(text)
    return len(mark) + 1 if mark else 0


def read_behind(text: str, inner: Reading[Position]) -> Reading[Position]:
    """The reading of what stands behind a mark as the reading of the whole text."""
    by = behind_mark(text)
    found = tuple(_moved(finding, by) for finding in inner.diagnostics)
    return Reading(text, inner.game, inner.position, found, inner.form, inner.variant)


def other_variant(text: str, variant: str) -> Reading[Position]:
    """The reading of a text that is marked as one of another variant than the one asked for."""
    mark = mark_of(text)
    message = f"the text is one of {mark}, expected one of {variant}"
    error = BOOK.make_diagnostic("variant.other", Span(0, len(mark)), message)
    return Reading(text, "chess", None, (error,), variant=variant)


def _moved(finding: Diagnostic, by: int) -> Diagnostic:
    fix = finding.fix
    if fix is not None:
        fix = replace(fix, span=_shifted(fix.span, by))
    return replace(finding, span=_shifted(finding.span, by), fix=fix)


def _shifted(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)
