"""Which game reads a text, in which variant, as which reader: the one resolver of command line and service.

A `Choice` is what a caller says about it, as names. Without a game the profile names it, or each text does. A
caller that plays, or keeps positions of every variant, uses the variant ``auto``, which lets each text say
what it is, where the game has it; the others use the game's usual variant.

A name that does not exist is an `UnknownGameError`, `UnknownVariantError` or `UnknownProfileError`: only the
text is diagnosed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from forsyth import registry
from forsyth.arguments import quoted
from forsyth.diagnostics import Reading
from forsyth.game import AUTO, Game, automatic, in_profile


class UnknownVariantError(ValueError):
    """A variant that the game does not have, or no game."""


class UnknownProfileError(ValueError):
    """A profile that the game does not have, or no game."""


class Choice(NamedTuple):
    """Who reads a text, as far as a caller says it: which game, in which variant, as which other reader."""

    game: str | None = None
    variant: str | None = None
    profile: str | None = None


class Read(NamedTuple):
    """A reading and the game, in its variant, that read it; no game when the text does not tell it."""

    reading: Reading[Any]
    game: Game | None


@dataclass(frozen=True, slots=True)
class Resolver:
    """Reads texts as a choice says."""

    game: Game | None
    """The game chosen, in its variant; None detects it from each text."""
    variant: str | None
    plays: bool

    def read(self, how: Callable[..., Reading[Any]], text: str, **options: Any) -> Read:
        """Read a text with `reading.read`, `check` or `repair`, in the game chosen or the one it tells."""
        found = how(text, self.game, **options)
        if self.game is not None or found.game is None:
            return Read(found, _as_read(self.game, found))
        usual = registry.game(found.game)
        game = in_variant(usual, self.variant, plays=self.plays)
        again = found if game is usual else how(text, game, **options)
        return Read(again, _as_read(game, again))


def _as_read(game: Game | None, found: Reading[Any]) -> Game | None:
    """The game in the variant that a text named by itself, where nobody else chose one."""
    if game is None or found.position is None or game.variant != game.variants[0]:
        return game
    # Of `VariantNames`: asking whether a game has all of that takes longer than reading the text.
    variant_of = getattr(game, "variant_of", None)
    if variant_of is None:
        return game
    variant = variant_of(found.position)
    return game if variant == game.variant else in_variant(game, variant, plays=False)


def resolver(choice: Choice, *, plays: bool) -> Resolver:
    """The resolver of a choice."""
    return Resolver(chosen_game(choice, plays=plays), choice.variant, plays)


def chosen_game(choice: Choice, *, plays: bool) -> Game | None:
    """The game that a choice names, by itself or by a profile; None where the text has to tell it."""
    usual = None if choice.game is None else registry.game(choice.game)
    try:
        game = in_profile(usual, choice.profile)
    except ValueError as error:
        raise UnknownProfileError(str(error)) from None
    return None if game is None else in_variant(game, choice.variant, plays=plays)


def in_variant(game: Game, variant: str | None, *, plays: bool) -> Game:
    """The game in the variant asked for, or in the one that a caller uses by itself."""
    if variant is None:
        return automatic(game) if plays else game
    try:
        return game.with_variant(variant)
    except ValueError:
        listed = ", ".join(game.variants)
        message = f"{game.name} has no variant {quoted(variant)}; it has {listed}"
        raise UnknownVariantError(message) from None


def require_variant_somewhere(variant: str) -> None:
    """Refuse at once a variant that no installed game has."""
    if variant == AUTO:
        return
    known = {name: registry.game(name).variants for name in registry.games()}
    if any(variant in variants for variants in known.values()):
        return
    listed = "; ".join(f"{name}: {', '.join(variants)}" for name, variants in known.items())
    raise UnknownVariantError(f"no game has a variant {quoted(variant)}; there are {listed}")
