"""Detection of the game of a record, by its tags and its first moves.

The first of these that fits exactly one installed game decides:

1. the tag ``Variant``: the name of a game, or the name of a variant that only one game has;
2. the tags with the names of all players, such as ``White`` and ``Black``;
3. the text in the tag ``FEN``;
4. a tag that only records of one game have, such as ``ECO``;
5. the tags about some of the players, such as ``WhiteElo``;
6. the first moves: the game that can read most of them.

If none of these decides, the game is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from forsyth import registry
from forsyth.abilities import OwnTags
from forsyth.diagnostics import MoveError
from forsyth.game import Game
from forsyth.record.setup import find_variant, is_name_of_game, names_variant
from forsyth.record.tags import Tag

MAX_DECIDING_MOVES: Final = 8
"""Upper bound on the moves that are read to detect the game."""

_DECIDING_MOVES: Final = (2, MAX_DECIDING_MOVES)
"""Numbers of moves with which the games are compared, one after the other. Two moves are mostly enough."""
_TOKEN: Final = re.compile(r"\{[^}]*\}?|;[^\n]*|[()]|[^\s{}();]+")
"""A comment, a bracket of a variation, or a word."""
_MOVE_NUMBER: Final = re.compile(r"^(?:\d+[.…]+|\d+$|[.…]+)")
"""A move number at the start of a word, such as ``12.``, or the dots before a move of the second player."""
_NO_MOVE: Final = re.compile(r"\$\d+|[!?]+|\*|1-0|0-1|1/2-1/2|½-½")
"""A word that is an annotation glyph or a result."""


def detect_game(tags: Mapping[str, Tag], moves: Callable[[], Sequence[str]]) -> Game | None:
    """Return the game of a record, or None if it is unknown.

    `moves` returns the texts of its first moves. It is called only if the tags do not decide.
    """
    game = detect_game_of_tags(tags)
    if game is not None:
        return game
    fen = tags["FEN"].value if "FEN" in tags else None
    name = _detect_name_by_moves(tuple(moves()[:MAX_DECIDING_MOVES]), fen, registry.games())
    return None if name is None else registry.game(name)


def detect_game_of_tags(tags: Mapping[str, Tag]) -> Game | None:
    """Return the game that the tags of a record name or fit best, or None if they do not decide."""
    games = [registry.game(name) for name in registry.games()]
    if "Variant" in tags:
        variant = tags["Variant"].value
        named_game = _find_only(game for game in games if is_name_of_game(game, variant))
        named_game = named_game or _find_only(game for game in games if _has_variant(game, variant))
        if named_game is not None:
            return named_game
    game_of_players = _find_only(game for game in games if all(player in tags for player in game.players))
    if game_of_players is not None:
        return game_of_players
    name = registry.detect(tags["FEN"].value).game if "FEN" in tags else None
    if name is not None:
        return registry.game(name)
    own_game = _find_only(game for game in games if _has_own_tag(game, tags))
    return own_game or _find_by_some_players(games, tags)


def split_moves(text: str) -> list[str]:
    """Return the first moves of the main line in the text of a record behind its tags.

    Move numbers, comments, variations, glyphs and results are left out. There are at most
    `MAX_DECIDING_MOVES`.
    """
    moves: list[str] = []
    for word in _split_main_line(text):
        move = _MOVE_NUMBER.sub("", word, count=1).rstrip("!?")
        if move and _NO_MOVE.fullmatch(move) is None:
            moves.append(move)
        if len(moves) == MAX_DECIDING_MOVES:
            break
    return moves


def _split_main_line(text: str) -> Iterator[str]:
    """Yield the words of the moves of a record that are in neither a comment nor a variation."""
    depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == "(":
            depth += 1
        elif token == ")":
            depth = max(0, depth - 1)
        elif depth == 0 and token[0] not in "{;":
            yield token


def _find_only(games: Iterable[Game]) -> Game | None:
    """Return the game if there is exactly one, else None."""
    candidates = list(games)
    return candidates[0] if len(candidates) == 1 else None


def _has_variant(game: Game, name: str) -> bool:
    """Return whether a value of the tag ``Variant`` names a variant of the game, such as ``Atomic``."""
    return names_variant(game, name) and find_variant(game, name) is not None


def _has_own_tag(game: Game, tags: Mapping[str, Tag]) -> bool:
    """Return whether there is a tag that only records of the game have."""
    return isinstance(game, OwnTags) and any(name in tags for name in game.own_tags)


def _find_by_some_players(games: Iterable[Game], tags: Mapping[str, Tag]) -> Game | None:
    """Return the only game with most players that a tag is about, such as ``White`` or ``WhiteElo``."""
    counts = {
        game: sum(any(name.startswith(player) for name in tags) for player in game.players) for game in games
    }
    most = max(counts.values(), default=0)
    return _find_only(game for game, count in counts.items() if count == most) if most else None


@lru_cache(maxsize=1024)
def _detect_name_by_moves(moves: tuple[str, ...], fen: str | None, names: tuple[str, ...]) -> str | None:
    """Return the name of the only game that can read most of the moves, or None.

    Args:
        moves: The texts of the first moves.
        fen: The text of the start position, or None for the start of each game.
        names: The names of the games.
    """
    for count in _DECIDING_MOVES:
        read_counts = {name: _count_readable_moves(registry.game(name), fen, moves[:count]) for name in names}
        most = max(read_counts.values(), default=0)
        best_names = [name for name in names if read_counts[name] == most]
        if most and len(best_names) == 1:
            return best_names[0]
    return None


def _count_readable_moves(game: Game, fen: str | None, moves: Sequence[str]) -> int:
    """Return how many of the first moves are legal moves of the game, from `fen` or from its start."""
    family = registry.with_auto_variant(game)
    position = family.read(game.start if fen is None else fen).position
    if position is None:
        return 0
    for count, text in enumerate(moves):
        try:
            position = family.play(position, family.read_move(position, text))
        except MoveError:
            return count
    return len(moves)
