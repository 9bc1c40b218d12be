"""Fuzz the reader of Azul's JSON: data are a state that says the same again, or `ValueError` says why not."""

from __future__ import annotations

import json

from tests.fuzz.harness import fuzz, require, text_of

from forsyth.azul import AzulState

LONGEST_MESSAGE = 4000


def check(data: bytes) -> None:
    """Read JSON as a state, alone and laid over the data of the start."""
    try:
        found = json.loads(text_of(data))
    except (ValueError, RecursionError):
        return
    start = AzulState.example().to_dict()
    for given in (found, {**start, **found} if isinstance(found, dict) else start):
        try:
            state = AzulState.from_dict(given)
        except ValueError as error:
            require(len(str(error)) < LONGEST_MESSAGE, len(str(error)))
            continue
        require(AzulState.from_dict(state.to_dict()).to_fen() == state.to_fen(), state.to_fen())


if __name__ == "__main__":
    fuzz(check)
