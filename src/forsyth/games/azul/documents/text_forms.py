"""Azul texts in every form, as functions on strings with the names of the specification (spec/azul 9).

`detect` names the form of a text (spec/azul 6.1), `canonical_fen` and `import_fen` rewrite one, the others
wrap and unwrap. All raise `FenError`, a `ValueError`, for what they cannot read, except `detect`, which
takes anything. Limits: those of the forms (`forsyth.forms`).
"""

from __future__ import annotations

import re
from typing import Final

from forsyth.diagnostics import FenError
from forsyth.forms import Store, unwrap, wrap
from forsyth.games.azul.game import GAME
from forsyth.games.azul.notation.kernel import decode
from forsyth.games.azul.position import Position
from forsyth.identity import state_id as identifier
from forsyth.reading import check

_VERSION: Final = re.compile(r"v[0-9]+/")
_PREFIXES: Final = (("state_", "hash"), ("base64_", "base64"), ("fenz_", "compressed"))


def detect(text: object) -> str:
    """``empty special hash base64 compressed extended standard`` or ``unknown`` (spec/azul 6.1)."""
    if not isinstance(text, str) or not text:
        return "empty"
    if text in GAME.names:
        return "special"
    for prefix, kind in _PREFIXES:
        if text.startswith(prefix):
            return kind
    if _VERSION.match(text):
        return "extended"
    return "standard" if "/" in text else "unknown"


def read_any(text: str, store: Store | None = None) -> Position:
    """The position of a text in any form; raises `FenError` with every finding."""
    position: Position | None = decode(text)
    return check(text, GAME, store=store).require() if position is None else position


def canonical_fen(text: str, *, store: Store | None = None) -> str:
    """The canonical text of a position in any form."""
    return str(read_any(text, store))


def import_fen(text: str) -> str:
    """The canonical text of a text that may be carelessly spelled: blanks around it, bare pattern lines."""
    return str(check(text, GAME, mode="lenient").require())


def state_id(fen: str) -> str:
    """The ``state_…`` identifier of a position."""
    return identifier(canonical_fen(fen))


def encode_base64(fen: str) -> str:
    """A text as ``base64_…``, letter by letter."""
    return wrap(fen, "base64")


def decode_base64(text: str) -> str:
    """The text inside a ``base64_…``; it need not be a position."""
    return _unwrapped(text, "base64")


def compress(fen: str) -> str:
    """A text as ``fenz_…``, letter by letter."""
    return wrap(fen, "fenz")


def decompress(text: str) -> str:
    """The text inside a ``fenz_…``; it need not be a position."""
    return _unwrapped(text, "fenz")


def _unwrapped(text: str, form: str) -> str:
    unwrapped = unwrap(text, form=form)
    if unwrapped.plain is None:
        raise FenError(text, unwrapped.diagnostics)
    return unwrapped.plain
