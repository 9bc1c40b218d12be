"""Chess texts of every kind in one column, and what the reader says of each: the law for every adapter."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from tests.strategies import BROKEN, GOOD

import forsyth
from forsyth.bulk.verbs.verb import Verb

CHESS = forsyth.game("chess")
START = CHESS.start
SPELLED = START.replace("KQkq", "QKqk")
"""The start, with a warning."""
ILLEGAL = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"
AZUL = forsyth.game("azul").start
COTULENH = forsyth.game("cotulenh").start

TEXTS: list[str | None] = [
    START,
    None,
    SPELLED,
    ILLEGAL,
    "",
    "not a position",
    *GOOD["standard"][:60],
    None,
    *(text for text in BROKEN[:60] if text.isprintable()),
    START,
]


def by_reader(text: str | None) -> forsyth.Reading[Any] | None:
    """What the reader says of a text; of no text, nothing."""
    return None if text is None else forsyth.check(text, CHESS)


def is_ok(text: str | None) -> bool | None:
    reading = by_reader(text)
    return None if reading is None else reading.ok


def code(text: str | None) -> str | None:
    """The code of the first error, else of the first warning."""
    reading = by_reader(text)
    found = () if reading is None else (*reading.errors, *reading.warnings)
    return found[0].code if found else None


def position(text: str | None) -> Any:
    """The position, legal or not; None where there is none."""
    return None if text is None else forsyth.read(text, CHESS).position


def canonical(text: str | None) -> str | None:
    found = position(text)
    return None if found is None else str(found)


def packed(text: str | None) -> bytes | None:
    """The packed form, filled up; None where the position needs more room than legal ones do."""
    found = position(text)
    form = b"" if found is None else CHESS.pack(found)
    return form.ljust(CHESS.packed_width, b"\0") if 0 < len(form) <= CHESS.packed_width else None


def key(text: str | None) -> bytes | None:
    found = position(text)
    return None if found is None else bytes.fromhex(CHESS.key(found))


def locally(verb: Verb, texts: list[Any] = TEXTS) -> list[dict[str, Any]]:
    """What a verb gives in this process, row by row."""
    kind = pa.binary() if verb.name == "unpack" else pa.string()
    found: list[dict[str, Any]] = verb.apply(
        pa.record_batch([pa.array(texts, kind)], [verb.column])
    ).to_pylist()
    return found
