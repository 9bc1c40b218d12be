"""Material: which men stand on the board, as `forsyth.bulk.verbs.material` writes them, to find games by.

A person may also ask for the men of both sides in a row, those of the first player in capitals: ``KRPkrp`` is
``KRPvKRP``.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from forsyth.bulk.errors import BulkError
from forsyth.bulk.verbs.material import BETWEEN, label_of, letters_of
from forsyth.game import Game

MOST_MEN: Final = 200
"""Most men that are asked for: more than any board has squares."""


def has_material(game: Game) -> bool:
    """Whether a game has two sides of equal men."""
    try:
        letters_of(game)
    except BulkError:
        return False
    return True


def material_of(text: str, letters: str) -> str:
    """The material of a canonical text."""
    return label_of(text.partition(" ")[0].partition("[")[0], letters)


def read_material(text: str, game: Game) -> str:
    """The material that a person asks for; raises `BulkError` for what is none."""
    letters = letters_of(game)
    first, between, second = text.partition(BETWEEN)
    men = first + second.lower() if between and first.isupper() and second.isupper() else text
    if not men or len(men) > MOST_MEN or set(men) - set(letters + letters.lower()):
        raise BulkError(
            f"{text[:40]!r} is no material of {game.name}; name the men of both sides by their letters, "
            f"as in {letters[:2]}{BETWEEN}{letters[0]} or {letters[:2]}{letters[0].lower()}"
        )
    return label_of(men, letters)


def material_key(men: str) -> str:
    """The key of a material, in hexadecimal digits."""
    return blake2b(men.encode(), digest_size=16).hexdigest()
