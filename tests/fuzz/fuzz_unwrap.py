"""Fuzz the forms: any text is unwrapped, or the findings say why not; nothing is inflated without bound."""

from __future__ import annotations

from tests.fuzz.harness import fuzz, require, require_findings, require_reading, text_of
from tests.golden_data import CHESS

import forsyth
from forsyth.diagnostics import MODES
from forsyth.forms import FORMS
from forsyth.limits import MAX_INFLATED, MAX_WRAPPED
from forsyth.store import MemoryStore

STORE = MemoryStore()
STORE.put(CHESS.start, "chess")


def check(data: bytes) -> None:
    """Unwrap, read and check a text, its form told and not."""
    text = text_of(data)
    for form in (None, *FORMS):
        unwrapped = forsyth.unwrap(text, form=form, names=CHESS.names, store=STORE)
        require_findings(text, unwrapped.diagnostics)
        require((unwrapped.plain is None) is bool(unwrapped.diagnostics), text, form)
        if unwrapped.plain is not None and unwrapped.form != "plain":
            require(len(unwrapped.plain) <= max(MAX_WRAPPED, MAX_INFLATED), len(unwrapped.plain))
        for game in (None, CHESS):
            require_findings(text, forsyth.read(text, game, form=form, store=STORE).diagnostics)
    for mode in MODES:
        require_reading(forsyth.read(text, CHESS, mode=mode, store=STORE))
        require_findings(text, forsyth.check(text, CHESS, mode=mode, store=STORE).diagnostics)
    plain = forsyth.unwrap(text, names=CHESS.names, store=STORE).plain
    if plain is not None:
        _require_round_trip(plain)


def _require_round_trip(plain: str) -> None:
    for form in ("base64", "fenz", "url"):
        try:
            wrapped = forsyth.wrap(plain, form, names=CHESS.names)
        except ValueError:
            continue
        require(forsyth.unwrap(wrapped, form=form, names=CHESS.names).plain == plain, plain, form)


if __name__ == "__main__":
    fuzz(check)
