"""Reading texts with the game, variant, profile, mode, form and store that the options select.

Without ``--game`` the game is detected from each text, unless ``--profile`` determines it. `forsyth.resolver`
looks the names up; an unknown name becomes a usage error that names the option.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

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


class PlayablePosition(NamedTuple):
    """A legal position and its game, in the variant of the position."""

    game: Game
    position: Any


def get_playable_position(resolved: ResolvedReading) -> PlayablePosition | None:
    """Return the legal position of a text that was read, with its game, or None if the text has an error."""
    reading, game = resolved
    if game is None or reading.position is None or not reading.ok:
        return None
    return PlayablePosition(game, reading.position)


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

    def get_default_game(self) -> Game:
        """Return the game that the options select, or else the first installed game.

        The game is in the variant that the options name. Raise `click.UsageError` if it has no such variant.
        """
        if self.game is not None:
            return self.game
        first_game = registry.game(registry.games()[0])
        with _raise_usage_errors():
            return select_variant(first_game, self.resolver.variant)

    def select_game(self, name: str) -> Reader:
        """Return a reader that reads texts as positions of the game `name`.

        If the options already select a game, return this reader. Raise `UnknownGameError` if there is no such
        game, and `UnknownVariantError` if the game does not have the variant that the options name.
        """
        if self.game is not None:
            return self
        resolver = self.resolver
        game = select_variant(registry.game(name), resolver.variant)
        return replace(self, resolver=replace(resolver, game=game))

    def read(self, text: str) -> ResolvedReading:
        """Read a text, and return its position or its errors. Do not check whether the position is legal."""
        return self._read_with(reading.read, text, mode=self.mode)

    def check(self, text: str) -> ResolvedReading:
        """Read a text and check whether the position is legal. Return the position and all errors."""
        return self._read_with(reading.check, text, mode=self.mode)

    def repair(self, text: str, min_confidence: Confidence | None) -> ResolvedReading:
        """Read a text in lenient mode, which repairs some errors, and return the position and all repairs.

        If errors remain, also try the fixes that are proposed for them with at least the confidence
        `min_confidence`. None tries no proposed fix.
        """
        return self._read_with(reading.repair, text, min_confidence=min_confidence)

    def _read_with(self, read_function: Any, text: str, **options: Any) -> ResolvedReading:
        """Read a text with `read_function`, such as `reading.check`, and return the result with its game.

        If the options select no game, the game is detected from the text. `options` are further arguments of
        `read_function`, such as `mode`.
        """
        with _raise_usage_errors():
            return self.resolver.read(read_function, text, form=self.form, store=self.store, **options)


def make_reader(choice: GameChoice, *, mode: Mode, form: str | None, store: LazyStore) -> Reader:
    """Return a reader of texts with the options of a command.

    Args:
        choice: The names of the game, of the variant and of the profile (another reader whose judgement is
            followed). A name that was not given is None. Without a variant, each text names its own.
        mode: The reading mode, such as ``strict``.
        form: The form of the texts, such as ``base64``. None detects it from each text.
        store: The store in which ``state_`` texts are looked up.

    Raises:
        click.UsageError: If the game, the variant or the profile does not exist.
    """
    with _raise_usage_errors():
        resolver = make_resolver(choice)
        if resolver.game is None and choice.variant is not None:
            require_known_variant(choice.variant)
    return Reader(resolver, mode, form, store)


@contextmanager
def _raise_usage_errors() -> Iterator[None]:
    """Raise `click.UsageError` if the ``with`` block uses an unknown game, variant or profile.

    The message begins with the option that names it, such as ``--game``.
    """
    try:
        yield
    except registry.UnknownGameError as error:
        raise click.UsageError(f"--game: {error}") from error
    except UnknownProfileError as error:
        raise click.UsageError(f"--profile: {error}") from error
    except UnknownVariantError as error:
        raise click.UsageError(f"--variant: {error}") from error
