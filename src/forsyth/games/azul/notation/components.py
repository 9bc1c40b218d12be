# cython: annotation_typing=False
"""The components of an Azul text, standard and extended: how many, what each is and where it stands.

A text that begins with ``v``, digits and a slash is an extended one, any other a standard one. `components`
splits a text whose components are all there; `structure` looks at the others.
"""

from __future__ import annotations

import re
from typing import Final

from forsyth.findings import Place, Word
from forsyth.games.azul.codes import WHOLE
from forsyth.games.azul.notation.write import STANDARD_PLAYERS
from forsyth.games.azul.tiles import MAX_PLAYERS, MIN_PLAYERS

STANDARD_COMPONENTS: Final = 11
EXTENDED_ROUNDS: Final = 9999

VERSION: Final = re.compile(r"v([0-9]+)/")
PLAYER_COUNTS: Final = {str(count): count for count in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
_BOARD: Final = ("wall", "lines", "floor")


def component_count(players: int) -> int:
    """How many components an extended text has, its version included."""
    return STANDARD_COMPONENTS + 3 * players


def _names(head: tuple[str, ...], players: int, tail: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """The name of each component, and whose it is."""
    boards = [(name, player) for player in range(players) for name in _BOARD]
    return (*[(name, -1) for name in head], *boards, *[(name, -1) for name in tail])


STANDARD: Final = _names(("factories", "center"), STANDARD_PLAYERS, ("scores", "round", "current_player"))
EXTENDED: Final = {
    players: _names(
        (WHOLE, "players", "phase", "factories", "center"),
        players,
        ("scores", "round", "current_player", "start", "bag", "discard"),
    )
    for players in PLAYER_COUNTS.values()
}


def components(text: str, offset: int = 0) -> list[Word] | None:
    """The components of a text with their places, or None where their number is wrong.

    `offset` is where the text begins in the text as given.
    """
    texts = text.split("/")
    names = STANDARD
    if VERSION.match(text):
        players = PLAYER_COUNTS.get(texts[1])
        if texts[0] != "v2" or players is None:
            return None
        names = EXTENDED[players]
    if len(texts) != len(names):
        return None
    fields = []
    for component, (name, player) in zip(texts, names, strict=True):
        fields.append(Word(component, offset, name, player))
        offset += len(component) + 1
    return fields


class ComponentPlaces:
    """Where components and their parts stand in a text; the whole text where that cannot be told."""

    def __init__(self, text: str) -> None:
        stripped = text.strip()
        fields = components(stripped, text.index(stripped)) or []
        self.known = bool(fields)
        self._whole: Place = (0, len(text))
        self._fields = {(field.name, field.player): field for field in fields if field.name != WHOLE}

    def place(self, name: str, player: int = -1, part: int = -1, column: int = -1) -> Place:
        """The place of a component, of its part of that number, or of one character of that part."""
        field = self._fields.get((name, player))
        if field is None:
            return self._whole
        parts = field.split("," if "," in field.text else "|")
        if not 0 <= part < len(parts):
            return field.place
        return parts[part].place if column < 0 else parts[part].char_place(column)
