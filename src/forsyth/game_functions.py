"""The functions that the module of each game offers: `forsyth.chess.parse`, `read`, `check`, `repair`.

They are those of `forsyth.reading` for one game, with the types of its positions. Each module binds them to
its game.
"""

from __future__ import annotations

from typing import Generic

from forsyth import reading
from forsyth.diagnostics import Confidence, Mode, Reading
from forsyth.forms import Store
from forsyth.game import Game, M, P


class GameFunctions(Generic[P, M]):
    """The functions of one game: `parse`, `read`, `check` and `repair`."""

    __slots__ = ("_game",)

    def __init__(self, game: Game[P, M]) -> None:
        self._game = game

    def parse(
        self,
        text: str,
        *,
        mode: Mode = "default",
        legality: bool = True,
        form: str | None = None,
        store: Store | None = None,
        profile: str | None = None,
    ) -> P:
        """Return the position of a text in any form, such as ``base64_…``.

        Args:
            text: The text in any form, or the name of a position, such as ``start``.
            mode: The reading mode: ``default``, ``strict`` or ``lenient``.
            legality: Whether the position must be legal.
            form: The form of the text. None detects it.
            store: The store that resolves ``state_`` identifiers.
            profile: The name of another reader to imitate, such as ``seed``. None selects Forsyth's own.

        Raises:
            FenError: If a finding is an error. It contains all findings.
            ValueError: If there is no such mode, form or profile.
        """
        read_text = self.check if legality else self.read
        return read_text(text, mode=mode, form=form, store=store, profile=profile).require()

    def read(
        self,
        text: str,
        *,
        mode: Mode = "default",
        form: str | None = None,
        store: Store | None = None,
        profile: str | None = None,
    ) -> Reading[P]:
        """Read a text in any form, and return the position, if there is one, and all findings.

        The legality of the position is not checked. See `forsyth.read` for the arguments.
        """
        return reading.read(text, self._game, mode=mode, form=form, store=store, profile=profile)

    def check(
        self,
        text: str | P,
        *,
        mode: Mode = "default",
        form: str | None = None,
        store: Store | None = None,
        profile: str | None = None,
    ) -> Reading[P]:
        """Read a text in any form, and check the legality of its position.

        The result has the position, if there is one, and all findings. `text` may also be a position. See
        `forsyth.check` for the arguments.
        """
        return reading.check(text, self._game, mode=mode, form=form, store=store, profile=profile)

    def repair(
        self,
        text: str,
        *,
        min_confidence: Confidence | None = None,
        form: str | None = None,
        store: Store | None = None,
        profile: str | None = None,
    ) -> Reading[P]:
        """Check a text in lenient mode, and apply the fixes that its findings propose.

        Without `min_confidence`, no fix is applied. See `forsyth.repair` for the arguments.
        """
        return reading.repair(
            text, self._game, min_confidence=min_confidence, form=form, store=store, profile=profile
        )
