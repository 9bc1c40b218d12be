"""Reading texts as the options ask: which game, which variant, which mode and form, which store.

Without ``--game`` the game is told from each text; ``--profile`` names it too. A command that plays uses the
variant ``auto``, which lets each text say what it is, where the game has it; the others use the game's usual
variant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import click

from forsyth import reading, registry
from forsyth.cli.lazy_store import LazyStore
from forsyth.diagnostics import Confidence, Mode, Reading
from forsyth.game import Game, in_profile

AUTO = "auto"


class Read(NamedTuple):
    """A reading and the game, in its variant, that read it; no game when the text does not tell it."""

    reading: Reading[Any]
    game: Game | None


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one text after the other, each as the options ask."""

    game: Game | None
    """The game asked for; None tells it from each text."""
    variant: str | None
    plays: bool
    mode: Mode
    form: str | None
    store: LazyStore

    def read(self, text: str) -> Read:
        """What a text says, without judging whether it is legal."""
        return self._with(reading.read, text, mode=self.mode)

    def check(self, text: str) -> Read:
        """What a text says, and whether it is legal."""
        return self._with(reading.check, text, mode=self.mode)

    def repair(self, text: str, least: Confidence | None) -> Read:
        """What a text says when it is repaired, with the fixes that are at least this sure."""
        return self._with(reading.repair, text, least=least)

    def _with(self, read: Any, text: str, **how: Any) -> Read:
        options = {**how, "form": self.form, "store": self.store}
        reading: Reading[Any] = read(text, self.game, **options)
        if self.game is not None or reading.game is None:
            return Read(reading, self.game)
        usual = registry.game(reading.game)
        game = in_variant(usual, self.variant, plays=self.plays)
        if game is usual:
            return Read(reading, game)
        return Read(read(text, game, **options), game)


def open_reader(
    *,
    game: str | None,
    variant: str | None,
    profile: str | None,
    plays: bool,
    mode: Mode,
    form: str | None,
    store: LazyStore,
) -> Reader:
    """The reader the options describe; a usage error when a game, variant or profile does not exist."""
    chosen = _in_profile(None if game is None else named(game), profile)
    if chosen is not None:
        chosen = in_variant(chosen, variant, plays=plays)
    elif variant is not None:
        _require_somewhere(variant)
    return Reader(chosen, variant, plays, mode, form, store)


def named(name: str) -> Game:
    """The game of this name; a usage error that lists those installed when there is none."""
    try:
        return registry.game(name)
    except registry.UnknownGameError as error:
        raise click.UsageError(f"--game: {error}") from error


def _in_profile(game: Game | None, profile: str | None) -> Game | None:
    try:
        return in_profile(game, profile)
    except ValueError as error:
        raise click.UsageError(f"--profile: {error}") from error


def in_variant(game: Game, variant: str | None, *, plays: bool) -> Game:
    """The game in the variant asked for, or in the one the command uses by itself."""
    if variant is None:
        return _automatic(game) if plays else game
    try:
        return game.with_variant(variant)
    except ValueError as error:
        raise click.UsageError(
            f"--variant: {game.name} has no variant {variant!r}; it has {', '.join(game.variants)}"
        ) from error


def _automatic(game: Game) -> Game:
    try:
        return game.with_variant(AUTO)
    except ValueError:
        return game


def _require_somewhere(variant: str) -> None:
    """Refuse at once a variant that no installed game has."""
    if variant == AUTO:
        return
    known = {name: registry.game(name).variants for name in registry.games()}
    if any(variant in variants for variants in known.values()):
        return
    listed = "; ".join(f"{name}: {', '.join(variants)}" for name, variants in known.items())
    raise click.UsageError(f"--variant: no game has a variant {variant!r}; there are {listed}")
