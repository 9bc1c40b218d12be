"""One key for a position and its twin with the sides exchanged (see `forsyth.kit.mirror`).

A position whose twin cannot be read is known by its own key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk import arrow
from forsyth.bulk.errors import BulkError
from forsyth.game import Game
from forsyth.kit import mirror


def twin_keys(texts: Any, game: Game, **way: Any) -> pa.Array:
    """For each text the lower of the keys of its position and of its twin: one key for both."""
    keys = arrow.key(texts, game, **way)
    flip = twin_of(game)
    canonical = arrow.normalise(texts, game, **way).to_pylist()
    twins = pa.array([None if text is None else flip(text) for text in canonical], pa.large_string())
    others = arrow.key(twins, game)
    lower = _words(keys) <= _words(others)
    own = lower | others.is_null().to_numpy(zero_copy_only=False)
    return pc.if_else(pa.array(own), keys, others)


def twin_of(game: Game) -> Callable[[str], str | None]:
    """What gives the twin of a canonical text; raises `BulkError` where a game has none."""
    flip = mirror.twin_of(game)
    if flip is None:
        raise BulkError(f"the sides of {game.name} cannot be exchanged; split it without --twins")
    return flip


def _words(keys: pa.Array) -> np.ndarray:
    if not len(keys):
        return np.zeros(0, "S16")
    words = np.frombuffer(keys.buffers()[1], ">u8", 2 * len(keys), 16 * keys.offset).reshape(-1, 2)
    # Keys are compared by their first half: two of a billion have the same.
    return words[:, 0].astype(np.uint64)
