"""Selection of the game, variant and profile that read a text, for the command line and the HTTP service.

A `GameChoice` contains the names that the caller chose. Without a game, the profile determines it, or it is
detected from each text. Callers that play games or store positions of every variant use the variant ``auto``
by default, so that each text can name its variant. Other callers use the default variant of the game.

An unknown name raises `UnknownGameError`, `UnknownVariantError` or `UnknownProfileError`. Only problems of
the text are reported as findings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from forsyth import registry
from forsyth.arguments import quoted
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
    """The chosen variant, for games that are detected from texts. None means no choice."""
    auto_variant: bool
    """Whether texts name their variant if none is chosen."""

    def read(self, read_text: Callable[..., Reading[Any]], text: str, **options: Any) -> ResolvedReading:
        """Read a text in the chosen game, or in the game that is detected from it.

        The result has the reading and the game in the variant that read it, or None as the game if none is
        detected.

        Args:
            read_text: The function to read it with: `read`, `check` or `repair` of `forsyth.reading`.
            text: The text in any form.
            options: Further keyword arguments of that function.
        """
        reading = read_text(text, self.game, **options)
        if self.game is not None or reading.game is None:
            return ResolvedReading(reading, _with_variant_of_text(self.game, reading))
        # The game was detected and read in its default variant. Read again if another variant was chosen.
        default_game = registry.game(reading.game)
        game = select_variant(default_game, self.variant, auto_variant=self.auto_variant)
        if game is not default_game:
            reading = read_text(text, game, **options)
        return ResolvedReading(reading, _with_variant_of_text(game, reading))


def _with_variant_of_text(game: Game | None, reading: Reading[Any]) -> Game | None:
    """Return the game in the variant that the text itself named, such as ``antichess``.

    The game is returned unchanged if it is None, if it is not in its default variant, if the text has no
    position, or if texts of the game name no variant.
    """
    if game is None or reading.position is None:
        return game
    has_default_variant = game.variant == game.variants[0]
    if not has_default_variant:
        return game
    # A method of `VariantNames`. The isinstance check with the protocol takes longer than reading the text.
    variant_of = getattr(game, "variant_of", None)
    if variant_of is None:
        return game
    variant = variant_of(reading.position)
    if variant == game.variant:
        return game
    return select_variant(game, variant, auto_variant=False)


def make_resolver(choice: GameChoice, *, auto_variant: bool) -> Resolver:
    """Return the `Resolver` that reads texts in the game, variant and profile of `choice`.

    If `choice` names no variant, `auto_variant` lets each text name its own. Raise `UnknownGameError`,
    `UnknownVariantError` or `UnknownProfileError` if a name does not exist.
    """
    return Resolver(resolve_game(choice, auto_variant=auto_variant), choice.variant, auto_variant)


def resolve_game(choice: GameChoice, *, auto_variant: bool) -> Game | None:
    """Return the game that `choice` names, or the game that has the chosen profile, in the chosen variant.

    The result is None if `choice` has neither, so that the game is detected from each text. If no variant is
    chosen, `auto_variant` lets each text name its own. Raise `UnknownGameError`, `UnknownVariantError` or
    `UnknownProfileError` if a name does not exist.
    """
    default_game = None if choice.game is None else registry.game(choice.game)
    try:
        game = select_profile(default_game, choice.profile)
    except ValueError as error:
        raise UnknownProfileError(str(error)) from None
    return None if game is None else select_variant(game, choice.variant, auto_variant=auto_variant)


def select_variant(game: Game, variant: str | None, *, auto_variant: bool) -> Game:
    """Return the game in the variant with this name, such as ``antichess``.

    None means the variant ``auto``, in which each text names its own variant, if `auto_variant` is true. Else
    it means the present variant of `game`. Raise `UnknownVariantError` if the game has no such variant.
    """
    if variant is None:
        return with_auto_variant(game) if auto_variant else game
    try:
        return game.with_variant(variant)
    except ValueError:
        variants = ", ".join(game.variants)
        message = f"{game.name} has no variant {quoted(variant)}; choose one of {variants}"
        raise UnknownVariantError(message) from None


def require_known_variant(variant: str) -> None:
    """Raise `UnknownVariantError` if no installed game has the variant. ``auto`` is always accepted."""
    if variant == AUTO:
        return
    variants_by_game = {name: registry.game(name).variants for name in registry.games()}
    if any(variant in variants for variants in variants_by_game.values()):
        return
    listing = "; ".join(f"{name}: {', '.join(variants)}" for name, variants in variants_by_game.items())
    raise UnknownVariantError(f"no game has a variant {quoted(variant)}; choose one of {listing}")
