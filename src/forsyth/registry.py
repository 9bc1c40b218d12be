"""The registry of installed games: find a game by its name, list all games, detect the game of a text.

Built-in games are listed in `BUILT_IN`. Other packages add games by entry points of the group
``forsyth.games`` that refer to `Game` objects. They cannot replace a built-in game.
"""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar, overload

from forsyth.arguments import quoted, require_text, type_name
from forsyth.limits import MAX_WRAPPED

if TYPE_CHECKING:
    from forsyth.game import Game
    from forsyth.games.azul.game import AzulGame
    from forsyth.games.chess.game import Chess
    from forsyth.games.cotulenh.game import CoTuLenhGame
    from forsyth.kit.game import GridGame

    G = TypeVar("G", bound=Game[Any, Any])

ENTRY_POINT_GROUP: Final = "forsyth.games"

MAX_COMPARED_NAME: Final = 64
"""Characters of an unknown name that are compared with the names of games, to suggest a similar one."""

MIN_CONFIDENCE: Final = 0.1
"""Minimum confidence with which a game is detected."""

BUILT_IN: Final[dict[str, str]] = {
    "chess": "forsyth.games.chess:GAME",
    "cotulenh": "forsyth.games.cotulenh:GAME",
    "azul": "forsyth.games.azul:GAME",
    "xiangqi": "forsyth.games.xiangqi:GAME",
    "shogi": "forsyth.games.shogi:GAME",
}
"""The built-in games, as module and attribute like in an entry point."""


class Detection(NamedTuple):
    """The name of the detected game, or None, and the confidence of the detection from 0 to 1."""

    game: str | None
    confidence: float


class UnknownGameError(LookupError):
    """Error for a name that no installed game has."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"there is no game {quoted(name)}; {_suggest(name)}installed games: {', '.join(games())}"
        )

    def __reduce__(self) -> tuple[type[UnknownGameError], tuple[str]]:
        return type(self), (self.name,)


def _suggest(name: str) -> str:
    """Return a hint for the error about an unknown game name, such as ``did you mean 'chess'? ``.

    It suggests a game with a similar name, or explains that `name` looks like the text of a position. If
    neither applies, it is empty.
    """
    # Imported on use, because it is rarely needed.
    from difflib import get_close_matches

    similar_names = get_close_matches(name[:MAX_COMPARED_NAME].lower(), games(), n=1)
    if similar_names:
        return f"did you mean {similar_names[0]!r}? "
    # Position texts separate the rows of the board by slashes.
    if "/" in name:
        return "this looks like the text of a position, expected the name of a game; "
    return ""


@cache
def _find_installed() -> dict[str, str]:
    """Return where each installed game is, by its name, such as ``forsyth.games.chess:GAME`` for ``chess``.

    The built-in games come first, then the games of other packages in alphabetical order.
    """
    # Imported on use: it takes longer to load than a game does, and built-in games do not need it.
    from importlib.metadata import entry_points

    locations = {point.name: point.value for point in entry_points(group=ENTRY_POINT_GROUP)}
    added_names = sorted(locations.keys() - BUILT_IN.keys())
    return {**BUILT_IN, **{name: locations[name] for name in added_names}}


@cache
def _load(name: str) -> Game:
    """Import and return the game with this name. Raise `UnknownGameError` if it is not installed."""
    locations = BUILT_IN if name in BUILT_IN else _find_installed()
    if name not in locations:
        raise UnknownGameError(name)
    module, _, attribute = locations[name].partition(":")
    game_object: Game = getattr(importlib.import_module(module), attribute)
    return game_object


@overload
def game(name: Literal["chess"], variant: str | None = None) -> Chess: ...
@overload
def game(name: Literal["cotulenh"], variant: str | None = None) -> CoTuLenhGame: ...
@overload
def game(name: Literal["azul"], variant: str | None = None) -> AzulGame: ...
@overload
def game(name: Literal["xiangqi", "shogi"], variant: str | None = None) -> GridGame: ...
@overload
def game(name: G, variant: str | None = None) -> G: ...
@overload
def game(name: str | Game, variant: str | None = None) -> Game: ...
def game(name: str | Game, variant: str | None = None) -> Game:
    """Return a game by its name.

    Args:
        name: The name of an installed game. A `Game` is used as it is.
        variant: The variant of the game. None means the default variant, or the present one of a `Game`.

    Raises:
        UnknownGameError: If no game has the name.
        ValueError: If the game has no such variant.
        TypeError: If `name` is neither a string nor a game.
    """
    selected = _load(name) if isinstance(name, str) else _require_game(name)
    return selected if variant is None else selected.with_variant(variant)


def _require_game(value: Game) -> Game:
    """Return `value` unchanged if it is a `Game`. Raise `TypeError` if it is not."""
    # The isinstance check with the protocol takes longer than reading a text. Only games have this method.
    if hasattr(value, "likelihood"):
        return value
    actual = f"the module {value.__name__}" if isinstance(value, ModuleType) else type_name(value)
    raise TypeError(
        f"a game is expected, by its name such as 'chess' or as game(name) returns it, not {actual}"
    )


def games() -> tuple[str, ...]:
    """Return the names of all installed games, built-in games first."""
    return tuple(_find_installed())


def detect(text: str) -> Detection:
    """Detect the game of a position text by its structure.

    Each game rates how likely the text is one of its own, from 0 to 1. The confidence is the highest rating
    minus the second highest. The detected game is None if the confidence is below `MIN_CONFIDENCE`.
    """
    require_text("the text", text)
    if not text.strip() or len(text) > MAX_WRAPPED:
        return Detection(None, 0.0)
    likelihoods = {name: game(name).likelihood(text) for name in games()}
    best_name, second_name = sorted(likelihoods, key=likelihoods.__getitem__, reverse=True)[:2]
    confidence = round(likelihoods[best_name] - likelihoods[second_name], 3)
    return Detection(best_name, confidence) if confidence >= MIN_CONFIDENCE else Detection(None, 0.0)
