"""Reading texts as the options ask: which game, which variant, which mode and form, which store.

Without ``--game`` the game is detected from each text; ``--profile`` names it too. What a name means is for
`forsyth.resolver` to say; one that stands for nothing is a usage error that names the option.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import click

from forsyth import reading, registry
from forsyth.cli.lazy_store import LazyStore
from forsyth.diagnostics import Confidence, Mode
from forsyth.game import Game
from forsyth.resolver import (
    Choice,
    Read,
    Resolver,
    UnknownProfileError,
    UnknownVariantError,
    in_variant,
    require_variant_somewhere,
    resolver,
)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one text after the other, each as the options ask."""

    resolver: Resolver
    mode: Mode
    form: str | None
    store: LazyStore

    @property
    def game(self) -> Game | None:
        """The game asked for; None detects it from each text."""
        return self.resolver.game

    def usual_game(self) -> Game:
        """The game asked for, or the first of those installed."""
        if self.game is not None:
            return self.game
        first = registry.game(registry.games()[0])
        with _usage_errors():
            return in_variant(first, self.resolver.variant, plays=self.resolver.plays)

    def of_game(self, name: str) -> Reader:
        """The same where no game was asked for and a text comes with the name of its own."""
        if self.game is not None:
            return self
        game = in_variant(registry.game(name), self.resolver.variant, plays=self.resolver.plays)
        return replace(self, resolver=replace(self.resolver, game=game))

    def read(self, text: str) -> Read:
        """What a text says, without judging whether it is legal."""
        return self._with(reading.read, text, mode=self.mode)

    def check(self, text: str) -> Read:
        """What a text says, and whether it is legal."""
        return self._with(reading.check, text, mode=self.mode)

    def repair(self, text: str, least: Confidence | None) -> Read:
        """What a text says when it is repaired, with the fixes that are at least this sure."""
        return self._with(reading.repair, text, least=least)

    def _with(self, how: Any, text: str, **options: Any) -> Read:
        with _usage_errors():
            return self.resolver.read(how, text, form=self.form, store=self.store, **options)


def open_reader(choice: Choice, *, plays: bool, mode: Mode, form: str | None, store: LazyStore) -> Reader:
    """The reader the options describe; a usage error when a game, variant or profile does not exist."""
    with _usage_errors():
        found = resolver(choice, plays=plays)
        if found.game is None and choice.variant is not None:
            require_variant_somewhere(choice.variant)
    return Reader(found, mode, form, store)


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Say which option gave a name that does not exist."""
    try:
        yield
    except registry.UnknownGameError as error:
        raise click.UsageError(f"--game: {error}") from error
    except UnknownProfileError as error:
        raise click.UsageError(f"--profile: {error}") from error
    except UnknownVariantError as error:
        raise click.UsageError(f"--variant: {error}") from error
