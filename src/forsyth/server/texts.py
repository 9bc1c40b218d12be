"""Reading the texts of requests: which game, which variant, from which store.

Accepted: a text in any form, white space around it removed first. Without a `game` it is told from the text.
A call that plays or draws uses the variant ``auto``, where the game has it, so that each text says itself
what it is; the others use the game's usual variant, as the command line does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from forsyth import reading, registry
from forsyth.arguments import quoted
from forsyth.diagnostics import Reading
from forsyth.game import Game, in_profile
from forsyth.server.problems import Problem, bad_text
from forsyth.store import Store

AUTO: Final = "auto"

DOCUMENT_GAME: Final = "azul"
"""The game whose source document has the calls validate-fen and game_state."""


class Read(NamedTuple):
    """A reading and the game, in its variant, that read it; no game when the text does not tell it."""

    reading: Reading[Any]
    game: Game | None


class Found(NamedTuple):
    """A text that could be read: its game, its position, and the reading with every finding."""

    game: Game
    position: Any
    reading: Reading[Any]


def named(name: str, variant: str | None = None, *, plays: bool = True, status: int = 400) -> Game:
    """The game of this name in a variant; refused where there is none."""
    try:
        game = registry.game(name)
    except registry.UnknownGameError as error:
        raise Problem(status, "UNKNOWN_GAME", str(error)) from None
    return in_variant(game, variant, plays=plays)


def _in_profile(game: Game | None, profile: str | None) -> Game:
    try:
        chosen = in_profile(game, profile)
    except ValueError as error:
        raise Problem(400, "UNKNOWN_PROFILE", str(error)) from None
    assert chosen is not None, "a game or a profile is given"
    return chosen


def in_variant(game: Game, variant: str | None, *, plays: bool) -> Game:
    """The game in the variant asked for, or in the one a call uses by itself."""
    if variant is None:
        return _automatic(game) if plays else game
    try:
        return game.with_variant(variant)
    except ValueError:
        listed = ", ".join(game.variants)
        message = f"{game.name} has no variant {quoted(variant)}; it has {listed}"
        raise Problem(400, "UNKNOWN_VARIANT", message) from None


def _automatic(game: Game) -> Game:
    try:
        return game.with_variant(AUTO)
    except ValueError:
        return game


def game_of_name(text: str, game: str | None) -> str | None:
    """The game of a text in the calls of the source document: without one, a name is that document's."""
    if game is None and text.strip() in registry.game(DOCUMENT_GAME).names:
        return DOCUMENT_GAME
    return game


def read_with(
    how: Callable[..., Reading[Any]],
    text: str,
    game: str | None,
    variant: str | None,
    *,
    store: Store | None,
    plays: bool = False,
    profile: str | None = None,
    **options: Any,
) -> Read:
    """Read a text with `reading.read`, `check` or `repair`, in the game asked for or the one it tells.

    A profile tells the game too.
    """
    text = text.strip()
    if game is not None or profile is not None:
        usual = None if game is None else named(game, plays=False)
        chosen = in_variant(_in_profile(usual, profile), variant, plays=plays)
        return Read(how(text, chosen, store=store, **options), chosen)
    found = how(text, None, store=store, **options)
    if found.game is None:
        return Read(found, None)
    usual = registry.game(found.game)
    chosen = in_variant(usual, variant, plays=plays)
    return Read(found if chosen is usual else how(text, chosen, store=store, **options), chosen)


def check(text: str, game: str | None, variant: str | None, store: Store | None, **options: Any) -> Read:
    """`reading.check` of a text that is to be played or drawn."""
    return read_with(reading.check, text, game, variant, store=store, plays=True, **options)


def position_of(
    text: str,
    game: str | None,
    variant: str | None,
    store: Store | None,
    *,
    plays: bool = True,
    **options: Any,
) -> Found:
    """A text that has to be a position, legal or not; refused with its findings where it is none."""
    read = read_with(reading.check, text, game, variant, store=store, plays=plays, **options)
    if read.game is None or read.reading.position is None:
        raise bad_text(read.reading)
    return Found(read.game, read.reading.position, read.reading)


def legal_position_of(
    text: str, game: str | None, variant: str | None, store: Store | None, *, plays: bool = True
) -> Found:
    """A text that has to be a legal position; refused with its findings where it is not."""
    found = position_of(text, game, variant, store, plays=plays)
    if not found.reading.ok:
        raise bad_text(found.reading)
    return found
