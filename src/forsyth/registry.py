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

_CONFIDENCE_DECIMALS: Final = 3

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
    """The confidence, from 0 to 1: the lead in rating over all games that are not close to it."""
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
    """Return a hint for the message about an unknown game, such as ``did you mean 'chess'? ``.

    The hint suggests a game with a name similar to `name`, or explains that `name` looks like the text of a
    position. It is empty if neither applies.
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
    """Return where each installed game is: ``{"chess": "forsyth.games.chess:GAME"}``.

    A value consists of a module and an attribute. The built-in games come first, then the games of other
    packages in alphabetical order.
    """
    # Imported on use: it takes longer to load than a game does, and built-in games do not need it.
    from importlib.metadata import entry_points

    location_by_name = {point.name: point.value for point in entry_points(group=ENTRY_POINT_GROUP)}
    # Other packages cannot replace a built-in game.
    added_names = sorted(location_by_name.keys() - BUILT_IN.keys())
    added_games = {name: location_by_name[name] for name in added_names}
    return {**BUILT_IN, **added_games}


@cache
def _load_game(name: str) -> Game:
    """Import and return the game with the name `name`.

    Raise `UnknownGameError` if it is not installed.
    """
    # Searching the games of other packages takes long, and built-in games do not need it.
    location_by_name = BUILT_IN if name in BUILT_IN else _find_installed()
    if name not in location_by_name:
        raise UnknownGameError(name)
    module_name, _, attribute = location_by_name[name].partition(":")
    game_object: Game = getattr(importlib.import_module(module_name), attribute)
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
    """Return the game with a name, such as ``chess``, in one of its variants.

    Args:
        name: The name of an installed game, or a `Game`.
        variant: The name of the variant, such as ``antichess``. None means the default variant. A `Game`
            keeps its own variant then.

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
    # Users often pass `forsyth.chess`, which is the module of the game.
    found = f"the module {value.__name__}" if isinstance(value, ModuleType) else type_name(value)
    raise TypeError(
        f"a game is expected, by its name such as 'chess' or as game(name) returns it, not {found}"
    )


def games() -> tuple[str, ...]:
    """Return the names of all installed games, built-in games first."""
    return tuple(_find_installed())


# --- detection --------------------------------------------------------------------------------------


def detect(text: str) -> Detection:
    """Return the game and the variant of a position text, if they can be detected.

    Each game rates from 0 to 1 how likely the text is one of its positions, by its structure. Of the games
    with the highest ratings, the best is one that reads the text without an error, then one in which the
    position is legal, then one in which the text is canonical. If no game can read it, the best has the
    fewest errors, then the highest rating. If several are best, they are `Detection.candidates`.
    """
    require_text("the text", text)
    nothing_detected = Detection(game=None, confidence=0.0)
    if not text.strip() or len(text) > MAX_WRAPPED:
        return nothing_detected
    contest = _DetectionContest(text)
    ratings = contest.rate_games()
    best_rating = max(ratings.values(), default=0.0)
    if best_rating < MIN_CONFIDENCE:
        return nothing_detected
    best_games = contest.select_best(best_rating)
    is_weak_sign = best_rating < _MIN_FAULTY_RATING
    if is_weak_sign and not any(map(contest.can_read, best_games)):
        return nothing_detected
    if len(best_games) > 1:
        return Detection(game=None, confidence=0.0, candidates=best_games)

    (name,) = best_games
    # Games with a rating close to the best have lost against it, so they do not lower the confidence.
    other_ratings = (rating for rating in ratings.values() if rating < best_rating - _READ_MARGIN)
    lead = ratings[name] - max(other_ratings, default=0.0)
    return Detection(name, round(lead, _CONFIDENCE_DECIMALS), contest.read_as(name).variant)


class _DetectionContest:
    """The search for the installed game that fits one text best, by ratings and readings."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ratings: dict[str, float] = {}
        self._readings: dict[str, Reading[Any]] = {}

    def rate_games(self) -> dict[str, float]:
        """Return how likely the text is a position of each game, such as ``{"chess": 0.9}``.

        A rating is a number from 0 to 1. Once a built-in or other game reads the text without an error, the
        remaining built-in games are left out. This avoids importing them. Their boards differ so much that
        only one of them can read a text.
        """
        has_reader = False
        for name in games():
            if has_reader and name in BUILT_IN:
                continue
            rating = game(name).likelihood(self._text)
            self._ratings[name] = rating
            if not has_reader and rating >= _READABLE_RATING:
                has_reader = self.can_read(name)
        return self._ratings

    def select_best(self, best_rating: float) -> tuple[str, ...]:
        """Return the name of the game that fits the text best, or several equally good ones.

        `best_rating` is the highest rating of all games.
        """
        close_games = self._select_rated_above(best_rating - _READ_MARGIN)
        if len(close_games) == 1:
            return close_games
        readers = tuple(name for name in close_games if self.can_read(name))
        if readers:
            return _select_highest(readers, self._rank_reader)
        # No game can read the text, so a smaller difference in rating decides.
        closest_games = self._select_rated_above(best_rating - MIN_CONFIDENCE)
        return _select_highest(closest_games, self._rank_by_errors)

    def read_as(self, name: str) -> Reading[Any]:
        """Return the reading of the text by the game `name`, in the variant that the text names.

        Each game reads the text only once.
        """
        if name not in self._readings:
            self._readings[name] = with_auto_variant(game(name)).read(self._text)
        return self._readings[name]

    def _select_rated_above(self, threshold: float) -> tuple[str, ...]:
        """Return the names of the games whose rating is higher than `threshold`."""
        return tuple(name for name, rating in self._ratings.items() if rating > threshold)

    def can_read(self, name: str) -> bool:
        """Return True if the game with the name `name` reads the text without an error."""
        reading = self.read_as(name)
        return reading.position is not None and reading.ok

    def _rank_reader(self, name: str) -> tuple[int, bool]:
        """Return the rank of a game that can read the text. A game that fits better has a higher one.

        The rank consists of minus the number of errors about the legality of the position, and of True if the
        text is canonical.
        """
        position = self.read_as(name).position
        legality_findings = with_auto_variant(game(name)).check(position, text=self._text)
        error_count = sum(finding.is_error for finding in legality_findings)
        is_canonical = str(position) == self._text
        return -error_count, is_canonical

    def _rank_by_errors(self, name: str) -> tuple[int, float]:
        """Return the rank of a game that reads the text with errors. Fewer errors give a higher rank.

        The rank consists of minus the number of errors, and of the rating.
        """
        return -len(self.read_as(name).errors), self._ratings[name]


def _select_highest(names: tuple[str, ...], get_rank: Callable[[str], Any]) -> tuple[str, ...]:
    """Return those of `names` for which `get_rank` returns the highest value, in their order.

    A single name is returned without calling `get_rank`.
    """
    if len(names) == 1:
        return names
    rank_by_name = {name: get_rank(name) for name in names}
    highest_rank = max(rank_by_name.values())
    return tuple(name for name, rank in rank_by_name.items() if rank == highest_rank)


def with_auto_variant(game: G) -> G:
    """Return the game in the variant ``auto``, in which each text names its own variant.

    Return the game unchanged if it has no such variant.
    """
    try:
        return cast("G", game.with_variant(AUTO))
    except ValueError:
        return game
