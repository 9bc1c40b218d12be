"""The registry of installed games: find a game by its name, list all games, detect the game of a text.

Built-in games are listed in `BUILT_IN`. Other packages add games by entry points of the group
``forsyth.games`` that refer to `Game` objects. They cannot replace a built-in game.
"""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar, cast, overload

from forsyth.arguments import quoted, require_text, type_name
from forsyth.limits import MAX_WRAPPED

if TYPE_CHECKING:
    from collections.abc import Callable

    from forsyth.diagnostics import Reading
    from forsyth.game import Game
    from forsyth.games.azul.game import AzulGame
    from forsyth.games.chess.game import Chess
    from forsyth.games.cotulenh.game import CoTuLenhGame
    from forsyth.kit.game import GridGame

G = TypeVar("G", bound="Game[Any, Any]")

ENTRY_POINT_GROUP: Final = "forsyth.games"

MAX_COMPARED_NAME: Final = 64
"""Characters of an unknown name that are compared with the names of games, to suggest a similar one."""

MIN_CONFIDENCE: Final = 0.1
"""Minimum rating of a detected game, and the difference in rating that decides between games with errors."""
_MIN_FAULTY_RATING: Final = 0.25
"""Minimum rating of a game that reads the text with errors. A lower rating is too weak a sign: the page would
change its board while somebody edits a text of another game."""

_READ_MARGIN: Final = 0.3
"""Difference from the highest rating up to which games read the text to decide between them."""

_READABLE_RATING: Final = 0.5
"""Minimum rating of a built-in game that tries to read a text before other built-in games are rated."""

AUTO: Final = "auto"
"""The name that stands for the variant that each text names itself."""

BUILT_IN: Final[dict[str, str]] = {
    "chess": "forsyth.games.chess:GAME",
    "cotulenh": "forsyth.games.cotulenh:GAME",
    "azul": "forsyth.games.azul:GAME",
    "xiangqi": "forsyth.games.xiangqi:GAME",
    "shogi": "forsyth.games.shogi:GAME",
}
"""The built-in games, as module and attribute like in an entry point."""


class Detection(NamedTuple):
    """The detected game and variant of a text."""

    game: str | None
    """The name of the game, or None if it is not detected."""
    confidence: float
    """The confidence of the detection, from 0 to 1."""
    variant: str | None = None
    """The name of the variant that the text names. It is None if the game is not detected."""
    candidates: tuple[str, ...] = ()
    """The names of the games that fit equally well, if several do."""


class UnknownGameError(LookupError):
    """Error for a name that no installed game has."""

    def __init__(self, name: str) -> None:
        self.name = name
        hint = _format_suggestion(name)
        super().__init__(f"there is no game {quoted(name)}; {hint}installed games: {', '.join(games())}")

    def __reduce__(self) -> tuple[type[UnknownGameError], tuple[str]]:
        return type(self), (self.name,)


def _format_suggestion(name: str) -> str:
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
def _load_game(name: str) -> Game:
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
    selected = _load_game(name) if isinstance(name, str) else _require_game(name)
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


# --- detection --------------------------------------------------------------------------------------


def detect(text: str) -> Detection:
    """Detect the game and the variant of a position text.

    Each game rates how likely the text is one of its own, from 0 to 1, by the structure of the text. Games
    whose ratings are close to the highest read the text: one that reads it without an error comes before one
    that does not, then one in which the position is legal, then one whose canonical text it is. If no game
    reads it, the one with the fewest errors comes first, then the one with the higher rating. Games that are
    still equal are `Detection.candidates`.

    The confidence is the rating of the detected game minus the highest rating that is not close to it.
    """
    require_text("the text", text)
    if not text.strip() or len(text) > MAX_WRAPPED:
        return Detection(None, 0.0)
    contest = _Contest(text)
    ratings = contest.rate_games()
    best_rating = max(ratings.values(), default=0.0)
    if best_rating < MIN_CONFIDENCE:
        return Detection(None, 0.0)
    finalists = contest.select_best(best_rating)
    if best_rating < _MIN_FAULTY_RATING and not any(map(contest.can_read, finalists)):
        return Detection(None, 0.0)
    if len(finalists) > 1:
        return Detection(None, 0.0, None, finalists)
    (name,) = finalists
    other_ratings = (rating for rating in ratings.values() if rating < best_rating - _READ_MARGIN)
    confidence = round(ratings[name] - max(other_ratings, default=0.0), 3)
    return Detection(name, confidence, contest.read(name).variant)


class _Contest:
    """The ratings and the readings of one text in the installed games, to find the game that fits best."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ratings: dict[str, float] = {}
        self._readings: dict[str, Reading[Any]] = {}

    def rate_games(self) -> dict[str, float]:
        """Return how likely the text is one of each game, from 0 to 1, by the name of the game.

        The built-in games are rated in order, up to one that reads the text without an error: their boards
        differ so much that no other built-in game can read it. This avoids importing the games that follow.
        """
        is_read = False
        for name in games():
            if is_read and name in BUILT_IN:
                continue
            rating = game(name).likelihood(self._text)
            self._ratings[name] = rating
            is_read = is_read or (rating >= _READABLE_RATING and self.can_read(name))
        return self._ratings

    def select_best(self, best_rating: float) -> tuple[str, ...]:
        """Return the names of the games that fit best. There are several if they fit equally well."""
        close = self._select_rated(best_rating - _READ_MARGIN)
        if len(close) == 1:
            return close
        readable = tuple(name for name in close if self.can_read(name))
        if readable:
            return _select_highest(readable, self._rank_readable)
        similar = self._select_rated(best_rating - MIN_CONFIDENCE)
        return _select_highest(similar, lambda name: (-len(self.read(name).errors), self._ratings[name]))

    def read(self, name: str) -> Reading[Any]:
        """Return the reading of the text in the game with this name. The text names its variant."""
        if name not in self._readings:
            self._readings[name] = with_auto_variant(game(name)).read(self._text)
        return self._readings[name]

    def _select_rated(self, min_rating: float) -> tuple[str, ...]:
        """Return the names of the games that are rated higher than `min_rating`."""
        return tuple(name for name, rating in self._ratings.items() if rating > min_rating)

    def can_read(self, name: str) -> bool:
        """Return whether the game with this name reads the text without an error."""
        reading = self.read(name)
        return reading.position is not None and reading.ok

    def _rank_readable(self, name: str) -> tuple[int, bool]:
        """Return how well the text fits the game with this name, which can read it, for comparison.

        The values are minus the number of rules that the position breaks, and whether the text is canonical.
        """
        position = self.read(name).position
        findings = with_auto_variant(game(name)).check(position, text=self._text)
        error_count = sum(finding.is_error for finding in findings)
        return -error_count, str(position) == self._text


def _select_highest(names: tuple[str, ...], rank: Callable[[str], Any]) -> tuple[str, ...]:
    """Return the names of highest rank, in their order. Only several names are ranked."""
    if len(names) == 1:
        return names
    ranks = {name: rank(name) for name in names}
    highest = max(ranks.values())
    return tuple(name for name in names if ranks[name] == highest)


def with_auto_variant(game: G) -> G:
    """Return a game in the variant ``auto``, in which each text names its own variant.

    A game that does not support ``auto`` is returned unchanged.
    """
    try:
        return cast("G", game.with_variant(AUTO))
    except ValueError:
        return game
