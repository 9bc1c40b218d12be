"""Functions on Azul texts in every form, with the names of the specification (spec/azul 9).

`detect` returns the form of a text (spec/azul 6.1). `canonical_fen` and `import_fen` rewrite a text. The
other functions wrap and unwrap texts. `detect` accepts any object. The others raise `FenError`, a
`ValueError`, if they cannot read a text. The limits are those of `forsyth.forms`.
"""

from __future__ import annotations

import re
from typing import Final

from forsyth.diagnostics import FenError
from forsyth.forms import Store, unwrap, wrap
from forsyth.games.azul.game import GAME
from forsyth.games.azul.notation.kernel import decode
from forsyth.games.azul.position import Position
from forsyth.identity import state_id as make_state_id
from forsyth.reading import check

_VERSION_PREFIX: Final = re.compile(r"v[0-9]+/")
_FORM_PREFIXES: Final = (("state_", "hash"), ("base64_", "base64"), ("fenz_", "compressed"))


def detect(text: object) -> str:
    """Return the form of a text, judged by its first characters (spec/azul 6.1).

    The form is ``empty``, ``special`` (a name such as ``start``), ``hash`` (``state_…``), ``base64``
    (``base64_…``), ``compressed`` (``fenz_…``), ``extended`` (``v2/…``), ``standard`` or ``unknown``. A value
    that is not a string is ``empty``.
    """
    if not isinstance(text, str) or not text:
        return "empty"
    if text in GAME.names:
        return "special"
    for prefix, form in _FORM_PREFIXES:
        if text.startswith(prefix):
            return form
    if _VERSION_PREFIX.match(text):
        return "extended"
    return "standard" if "/" in text else "unknown"


def read_any(text: str, store: Store | None = None) -> Position:
    """Return the position of a text in any form, such as standard, extended or ``base64_…``.

    `store` resolves identifiers (``state_…``). Raise `FenError` with every finding if the text has an error.
    """
    # Most texts are valid, and `decode` reads these faster. It returns None for any other text.
    position: Position | None = decode(text)
    if position is not None:
        return position
    return check(text, GAME, store=store).require()


def canonical_fen(text: str, *, store: Store | None = None) -> str:
    """Read a text in any form, such as ``base64_…``, and return the canonical text of its position.

    `store` resolves identifiers (``state_…``). Raise `FenError` if the text has an error.
    """
    return str(read_any(text, store))


def import_fen(text: str) -> str:
    """Read a text that is not written exactly, and return the canonical text of its position.

    Blanks around the text, for example, and pattern lines without dashes are accepted. Raise `FenError` if
    the text has an error that cannot be repaired.
    """
    return str(check(text, GAME, mode="lenient").require())


def state_id(fen: str) -> str:
    """Read a text in any form, and return the ``state_…`` identifier of its position."""
    return make_state_id(canonical_fen(fen))


def encode_base64(fen: str) -> str:
    """Return a text as ``base64_…``. Raise `ValueError` if decoding would not restore it."""
    return wrap(fen, "base64")


def decode_base64(text: str) -> str:
    """Return the text inside a ``base64_…`` text. It need not be a position.

    Raise `FenError` if `text` is not a well-formed ``base64_…`` text.
    """
    return _unwrap_text(text, "base64")


def compress(fen: str) -> str:
    """Return a text as ``fenz_…``, compressed. Raise `ValueError` if decompressing would not restore it."""
    return wrap(fen, "fenz")


def decompress(text: str) -> str:
    """Return the text inside a ``fenz_…`` text. It need not be a position.

    Raise `FenError` if `text` is not a well-formed ``fenz_…`` text.
    """
    return _unwrap_text(text, "fenz")


def _unwrap_text(text: str, form: str) -> str:
    """Return the text inside a wrapped text such as ``base64_…``.

    `form` is the form that `text` must have, ``base64`` or ``fenz``. Raise `FenError` if it does not.
    """
    unwrapped = unwrap(text, form=form)
    if unwrapped.plain is None:
        raise FenError(text, unwrapped.diagnostics)
    return unwrapped.plain
