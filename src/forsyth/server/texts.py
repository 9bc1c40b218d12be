"""Read the texts of requests: resolve the game, variant and profile, and look identifiers up in the store.

A text may have any form. White space around it is removed first, unless the request names a profile, whose
parser takes the text literally. `forsyth.resolver` resolves the names in a request.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from forsyth import reading, registry
from forsyth.diagnostics import Reading
from forsyth.game import Game
from forsyth.resolver import GameChoice, ResolvedReading, make_resolver, resolve_game, select_variant
from forsyth.server.problems import Problem, make_text_problem
from forsyth.store import Store

DOCUMENT_GAME: Final = "azul"
"""Game whose source document defines the routes validate-fen and game_state."""


class ParsedText(NamedTuple):
    """Text with a position: its game, the position, and the reading with all diagnostics."""

    game: Game
    position: Any
    reading: Reading[Any]


def find_game(name: str, variant: str | None = None, *, status: int = 400) -> Game:
    """Return a game by its name, such as ``chess``, in one of its variants.

    Args:
        name: Name of the game.
        variant: Name of the variant, or None for the usual one.
        status: HTTP status of the error response if there is no such game.

    Returns:
        The game.

    Raises:
        Problem: If there is no game of this name.
        UnknownVariantError: If the game does not have the variant.
    """
    try:
        game = registry.game(name)
    except registry.UnknownGameError as error:
        raise Problem(status, "UNKNOWN_GAME", str(error)) from None
    return game if variant is None else select_variant(game, variant)


def resolve_named_game(choice: GameChoice) -> Game:
    """Return the game that a request names, in the variant that it names.

    A profile (the rules of another parser) names its game too. If the request names no variant, the game is
    in the variant `auto`, in which each text names its own.
    """
    game = resolve_game(choice)
    assert game is not None, "the request model requires the name of a game"
    return game


def trim_text(text: str, choice: GameChoice) -> str:
    """Return a text without white space around it.

    If the request names a profile (the rules of another parser), return the text unchanged, because such a
    parser takes white space literally.
    """
    return text.strip() if choice.profile is None else text


def default_to_document_game(text: str, choice: GameChoice) -> GameChoice:
    """Return `choice`, with Azul as the game of a name such as ``initial``.

    Several games have a position of that name. Azul is the game of the source document that defines the
    routes that call this function. If `choice` names a game or a profile, or the text is not the name of a
    position, `choice` is returned unchanged.
    """
    has_game = choice.game is not None or choice.profile is not None
    is_position_name = text.strip() in registry.game(DOCUMENT_GAME).names
    if has_game or not is_position_name:
        return choice
    return choice._replace(game=DOCUMENT_GAME)


def resolve_and_read(
    read_function: Callable[..., Reading[Any]],
    text: str,
    choice: GameChoice,
    *,
    store: Store | None,
    **options: Any,
) -> ResolvedReading:
    """Read a text in the chosen game, or in the game detected from the text.

    Args:
        read_function: `read`, `check` or `repair` of `forsyth.reading`.
        text: The text. White space around it is removed, unless a profile is chosen.
        choice: Names of the game, variant and profile. Without a variant, the text names its own.
        store: Store for looking up identifiers (``state_...``), or None for no store.
        **options: Further keyword arguments of `read_function`, such as `mode`.

    Returns:
        The reading, which has the position and the diagnostics, and the game in its variant.
    """
    resolver = make_resolver(choice)
    return resolver.read(read_function, trim_text(text, choice), store=store, **options)


def check_text(text: str, choice: GameChoice, store: Store | None, **options: Any) -> ResolvedReading:
    """Read a text, and report all errors and warnings, including those of an illegal position.

    Args:
        text: The text in any form.
        choice: Names of the game, variant and profile. None means that the text determines it.
        store: Store for looking up identifiers (``state_...``), or None for no store.
        **options: Further keyword arguments of `forsyth.reading.check`, such as `mode`.
    """
    return resolve_and_read(reading.check, text, choice, store=store, **options)


def require_position(text: str, choice: GameChoice, store: Store | None, **options: Any) -> ParsedText:
    """Read a text that must contain a position, which may be illegal.

    The arguments are those of `check_text`. Raise a `Problem` with the diagnostics if the text contains no
    position.
    """
    resolved = check_text(text, choice, store, **options)
    if resolved.game is None or resolved.reading.position is None:
        raise make_text_problem(resolved.reading)
    return ParsedText(resolved.game, resolved.reading.position, resolved.reading)


def require_legal_position(text: str, choice: GameChoice, store: Store | None) -> ParsedText:
    """Read a text that must contain a legal position.

    The arguments are those of `check_text`. Raise a `Problem` with the diagnostics if the text contains no
    legal position. With a profile (the rules of another parser), every position that this parser accepts
    counts as legal.
    """
    parsed = require_position(text, choice, store)
    if not parsed.reading.ok:
        raise make_text_problem(parsed.reading)
    return parsed
