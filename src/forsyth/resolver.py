"""Selection of the game, variant and profile that read a text, for the command line and the HTTP service.

A `GameChoice` contains the names that the caller chose. Without a game, the profile determines it, or it is
detected from each text. Without a variant, each text names its own: the variant ``auto``.

An unknown name raises `UnknownGameError`, `UnknownVariantError` or `UnknownProfileError`. Only problems of
the text are reported as findings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from forsyth import registry
from forsyth.arguments import fold_choice, quoted
from forsyth.diagnostics import Reading
from forsyth.game import AUTO, Game, select_profile, with_auto_variant


class UnknownVariantError(ValueError):
    """Error for a variant that the game does not have, or that no game has."""


class UnknownProfileError(ValueError):
    """Error for a profile that the game does not have, or that no game has."""


class GameChoice(NamedTuple):
    """The names of the game, variant and profile that a caller chose. None means no choice."""

    game: str | None = None
    variant: str | None = None
    profile: str | None = None


class ResolvedReading(NamedTuple):
    """A reading and the game, in its variant, that read it. `game` is None if it was not detected."""

    reading: Reading[Any]
    game: Game | None


@dataclass(frozen=True, slots=True)
class Resolver:
    """A reader of texts in the game and variant that a caller chose, or that each text determines."""

    game: Game | None
    """The chosen game in its variant. None detects the game from each text."""
    variant: str | None
    """The chosen variant, for games that are detected from texts. None means that each text names its own."""

    def read(self, read_text: Callable[..., Reading[Any]], text: str, **options: Any) -> ResolvedReading:
        """Read a text in the chosen game, or in the game that is detected from it.

        The result consists of the reading and of the game in the variant that read the text. The game is None
        if it is not detected.

        Args:
            read_text: The function that reads the text: `read`, `check` or `repair` of `forsyth.reading`.
            text: The text in any form.
            options: Further keyword arguments of that function.
        """
        reading = read_text(text, self.game, **options)
        if self.game is not None or reading.game is None:
            # The game was chosen, or none is detected.
            return ResolvedReading(reading, _with_variant_of_text(self.game, reading))
        detected_game = registry.game(reading.game)
        if self.variant is not None:
            # The text was read in the variant that it names. Read it again in the chosen one.
            detected_game = select_variant(detected_game, self.variant)
            reading = read_text(text, detected_game, **options)
        return ResolvedReading(reading, _with_variant_of_text(detected_game, reading))


def _with_variant_of_text(game: Game | None, reading: Reading[Any]) -> Game | None:
    """Return the game in the variant in which a text was read, such as ``antichess``.

    Return None if `game` is None, because no game was detected.
    """
    if game is None or reading.variant in (None, game.variant):
        return game
    return select_variant(game, reading.variant)


def make_resolver(choice: GameChoice) -> Resolver:
    """Return the `Resolver` that reads texts in the game, variant and profile of `choice`.

    If `choice` names no variant, each text names its own. Raise `UnknownGameError`, `UnknownVariantError` or
    `UnknownProfileError` if a name does not exist.
    """
    return Resolver(resolve_game(choice), choice.variant)


def resolve_game(choice: GameChoice) -> Game | None:
    """Return the game that `choice` names, in the variant and with the profile that it names.

    A choice without a game means the first game that has the profile. Without a profile, too, return None:
    the game is to be detected from each text. Without a variant, each text names its own. Raise
    `UnknownGameError`, `UnknownVariantError` or `UnknownProfileError` if a name does not exist.
    """
    named_game = None if choice.game is None else registry.game(choice.game)
    try:
        game = select_profile(named_game, choice.profile)
    except ValueError as error:
        raise UnknownProfileError(str(error)) from None
    return None if game is None else select_variant(game, choice.variant)


def select_variant(game: Game, variant: str | None) -> Game:
    """Return the game in the variant with the name `variant`, such as ``antichess``.

    None means ``auto``, with which each text names its own variant. Raise `UnknownVariantError` if the game
    has no such variant.
    """
    if variant is None:
        return with_auto_variant(game)
    try:
        return game.with_variant(variant)
    except ValueError:
        variants = ", ".join(game.variants)
        message = f"{game.name} has no variant {quoted(variant)}; choose one of {variants}"
        raise UnknownVariantError(message) from None


def with_usual_variant(game: Game) -> Game:
    """Return the game in its default variant if its variant is ``auto``, else unchanged.

    In the variant ``auto``, each text names its own variant. Callers that have no text need a definite one.
    """
    default_variant = game.variants[0]
    return game.with_variant(default_variant) if game.variant == AUTO else game


def require_known_variant(variant: str) -> None:
    """Raise `UnknownVariantError` if no installed game has a variant with the name `variant`.

    ``auto`` is always accepted.
    """
    variants_by_game = {name: registry.game(name).variants for name in registry.games()}
    known_variants = (AUTO, *(name for variants in variants_by_game.values() for name in variants))
    if fold_choice(variant, known_variants) in known_variants:
        return
    game_lists = [f"{name}: {', '.join(variants)}" for name, variants in variants_by_game.items()]
    message = f"no game has a variant {quoted(variant)}; choose one of {'; '.join(game_lists)}"
    raise UnknownVariantError(message)
