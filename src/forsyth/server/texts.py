"""Reading the texts of requests: which game, which variant, which reader, from which store.

Accepted: a text in any form, white space around it removed first, but where a profile is named: its reader
takes a text to the letter. What the names in a request stand for is for `forsyth.resolver` to say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from forsyth import reading, registry
from forsyth.diagnostics import Reading
from forsyth.game import Game
from forsyth.resolver import Choice, Read, chosen_game, in_variant, resolver
from forsyth.server.problems import Problem, bad_text
from forsyth.store import Store

DOCUMENT_GAME: Final = "azul"
"""The game whose source document has the calls validate-fen and game_state."""


class ReadText(NamedTuple):
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


def require_game(choice: Choice, *, plays: bool) -> Game:
    """The game of a choice that names one."""
    game = chosen_game(choice, plays=plays)
    assert game is not None, "the call requires the name of a game"
    return game


def trimmed(text: str, choice: Choice) -> str:
    """A text as its reader takes it: one with a profile decides about white space itself."""
    return text.strip() if choice.profile is None else text


def with_document_names(text: str, choice: Choice) -> Choice:
    """Who reads a text in the calls of the source document: without a game, a name is that document's."""
    told = choice.game is not None or choice.profile is not None
    if told or text.strip() not in registry.game(DOCUMENT_GAME).names:
        return choice
    return choice._replace(game=DOCUMENT_GAME)


def read_with(
    how: Callable[..., Reading[Any]],
    text: str,
    choice: Choice,
    *,
    store: Store | None,
    plays: bool = False,
    **options: Any,
) -> Read:
    """Read a text with `reading.read`, `check` or `repair`, in the game asked for or the one it tells."""
    return resolver(choice, plays=plays).read(how, trimmed(text, choice), store=store, **options)


def check(text: str, choice: Choice, store: Store | None, **options: Any) -> Read:
    """`reading.check` of a text that is to be played or drawn."""
    return read_with(reading.check, text, choice, store=store, plays=True, **options)


def position_of(
    text: str, choice: Choice, store: Store | None, *, plays: bool = True, **options: Any
) -> ReadText:
    """A text that has to be a position, legal or not; refused with its findings where it is none."""
    read = read_with(reading.check, text, choice, store=store, plays=plays, **options)
    if read.game is None or read.reading.position is None:
        raise bad_text(read.reading)
    return ReadText(read.game, read.reading.position, read.reading)


def legal_position_of(text: str, choice: Choice, store: Store | None, *, plays: bool = True) -> ReadText:
    """A text that has to be a legal position; refused with its findings where it is not.

    With a profile every position that its reader accepts is one.
    """
    found = position_of(text, choice, store, plays=plays)
    if not found.reading.ok:
        raise bad_text(found.reading)
    return found
