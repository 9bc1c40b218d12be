"""Finding a game: by name, all of them, or from a text.

Built-in games are in `BUILT_IN`; third parties join by an entry point in the group ``forsyth.games``
whose value is a `Game` object. A built-in name cannot be taken over.
"""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar, overload

from forsyth.arguments import quoted, require_text, type_of
from forsyth.limits import MAX_WRAPPED

if TYPE_CHECKING:
    from forsyth.game import Game
    from forsyth.games.azul.game import AzulGame
    from forsyth.games.chess.game import Chess
    from forsyth.games.cotulenh.game import CoTuLenhGame
    from forsyth.kit.game import GridGame

    G = TypeVar("G", bound=Game[Any, Any])

GROUP: Final = "forsyth.games"

MAX_NAME: Final = 64
"""How much of a name that no game has is compared with those that there are."""

LEAST_CONFIDENCE: Final = 0.1
"""Below this no game is detected."""

BUILT_IN: Final[dict[str, str]] = {
    "chess": "forsyth.games.chess:GAME",
    "cotulenh": "forsyth.games.cotulenh:GAME",
    "azul": "forsyth.games.azul:GAME",
    "xiangqi": "forsyth.games.xiangqi:GAME",
    "shogi": "forsyth.games.shogi:GAME",
}


class Detection(NamedTuple):
    """Which game a plain text belongs to; `game` is None when it is not detected."""

    game: str | None
    confidence: float


class UnknownGameError(LookupError):
    """No game of that name is installed."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"there is no game {quoted(name)}; {_advice(name)}installed are {', '.join(games())}"
        )

    def __reduce__(self) -> tuple[type[UnknownGameError], tuple[str]]:
        return type(self), (self.name,)


def _advice(name: str) -> str:
    """What was probably meant: a name with a slip in it, or a text given where the game belongs."""
    # Only here: most runs make no such slip.
    from difflib import get_close_matches

    meant = get_close_matches(name[:MAX_NAME].lower(), games(), n=1)
    if meant:
        return f"did you mean {meant[0]!r}? "
    return "this looks like the text of a position, expected the name of a game; " if "/" in name else ""


@cache
def _installed() -> dict[str, str]:
    # Only here: it takes longer to load than a game does, and whoever names a built-in game does not need it.
    from importlib.metadata import entry_points

    found = {point.name: point.value for point in entry_points(group=GROUP)}
    return {**BUILT_IN, **{name: found[name] for name in sorted(found.keys() - BUILT_IN.keys())}}


@cache
def _load(name: str) -> Game:
    places = BUILT_IN if name in BUILT_IN else _installed()
    if name not in places:
        raise UnknownGameError(name)
    module, _, attribute = places[name].partition(":")
    found: Game = getattr(importlib.import_module(module), attribute)
    return found


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
    """The game of this name, in its usual variant or the one asked for; a `Game` is returned unchanged.

    Raises `UnknownGameError` for a name that no game has, `ValueError` for a variant that the game does not
    have, and `TypeError` for what is neither a name nor a game.
    """
    found = _load(name) if isinstance(name, str) else _given(name)
    return found if variant is None else found.with_variant(variant)


def _given(found: Game) -> Game:
    # Asking for the whole protocol takes longer than reading a text; only games have this.
    if hasattr(found, "likelihood"):
        return found
    named = f"the module {found.__name__}" if isinstance(found, ModuleType) else type_of(found)
    raise TypeError(f"a game is expected, by its name such as 'chess' or as game(name) gives it, not {named}")


def games() -> tuple[str, ...]:
    """The names of all installed games, built-in ones first."""
    return tuple(_installed())


def detect(text: str) -> Detection:
    """The game of a plain text, from its structure alone.

    The confidence is the likelihood of the best game less that of the next: two that fit equally well
    mean that no game is detected.
    """
    require_text("the text", text)
    if not text.strip() or len(text) > MAX_WRAPPED:
        return Detection(None, 0.0)
    name = ""
    best = second = 0.0
    for other in games():
        likelihood = game(other).likelihood(text)
        if likelihood > best:
            name, best, second = other, likelihood, best
        elif likelihood > second:
            second = likelihood
    confidence = round(best - second, 3)
    return Detection(name, confidence) if confidence >= LEAST_CONFIDENCE else Detection(None, 0.0)
