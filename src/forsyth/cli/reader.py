"""Reading texts with the game, variant, profile, mode, form and store that the options select.

Without ``--game`` the game is detected from each text, unless ``--profile`` determines it. `forsyth.resolver`
looks the names up; an unknown name becomes a usage error that names the option.
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
    GameChoice,
    ResolvedReading,
    Resolver,
    UnknownProfileError,
    UnknownVariantError,
    make_resolver,
    require_known_variant,
    select_variant,
)


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of texts with the options of one run."""

    resolver: Resolver
    mode: Mode
    form: str | None
    store: LazyStore

    @property
    def game(self) -> Game | None:
        """The game that the options select, or None if it is detected from each text."""
        return self.resolver.game

    def default_game(self) -> Game:
        """Return the game that the options select, or else the first installed game, in the variant selected.

        Raise `click.UsageError` if the game does not have the variant of the options.
        """
        if self.game is not None:
            return self.game
        first_game = registry.game(registry.games()[0])
        with _raise_usage_errors():
            return select_variant(first_game, self.resolver.variant, auto_variant=self.resolver.auto_variant)

    def for_game(self, name: str) -> Reader:
        """Return a reader for the game `name`. If the options already select a game, return this reader.

        Raise `UnknownGameError` if there is no such game, and `UnknownVariantError` if the game does not have
        the variant of the options.
        """
        if self.game is not None:
            return self
        game = select_variant(
            registry.game(name), self.resolver.variant, auto_variant=self.resolver.auto_variant
        )
        return replace(self, resolver=replace(self.resolver, game=game))

    def read(self, text: str) -> ResolvedReading:
        """Parse a text without checking whether the position is legal."""
        return self._read_with(reading.read, text, mode=self.mode)

    def check(self, text: str) -> ResolvedReading:
        """Parse a text and check whether the position is legal."""
        return self._read_with(reading.check, text, mode=self.mode)

    def repair(self, text: str, min_confidence: Confidence | None) -> ResolvedReading:
        """Read a text and repair its errors.

        `min_confidence` is the lowest confidence of the proposed fixes that are tried if errors remain. None
        tries none of them and makes only the repairs of the lenient mode.
        """
        return self._read_with(reading.repair, text, min_confidence=min_confidence)

    def _read_with(self, read_function: Any, text: str, **options: Any) -> ResolvedReading:
        """Read a text in the game, form and store that the options select, or in a detected game.

        `read_function` is one of the functions of `forsyth.reading`, and `options` are its further arguments.
        """
        with _raise_usage_errors():
            return self.resolver.read(read_function, text, form=self.form, store=self.store, **options)


def make_reader(
    choice: GameChoice, *, uses_rules: bool, mode: Mode, form: str | None, store: LazyStore
) -> Reader:
    """Return the reader for the options of a command.

    Raise `click.UsageError` if the game, the variant or the profile does not exist.

    Args:
        choice: The names of the game, the variant and the profile, each None if not given.
        uses_rules: Whether the command uses the rules; by default it detects the variant of each text.
        mode: The reading mode.
        form: The form of the texts; None detects it from each text.
        store: The store that resolves ``state_`` texts.
    """
    with _raise_usage_errors():
        resolver = make_resolver(choice, auto_variant=uses_rules)
        if resolver.game is None and choice.variant is not None:
            require_known_variant(choice.variant)
    return Reader(resolver, mode, form, store)


@contextmanager
def _raise_usage_errors() -> Iterator[None]:
    """Turn an unknown game, variant or profile into a usage error that names the option (``--game``)."""
    try:
        yield
    except registry.UnknownGameError as error:
        raise click.UsageError(f"--game: {error}") from error
    except UnknownProfileError as error:
        raise click.UsageError(f"--profile: {error}") from error
    except UnknownVariantError as error:
        raise click.UsageError(f"--variant: {error}") from error
