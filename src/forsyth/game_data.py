"""Positions and findings as data: what a game may offer besides, for programs that do not read texts.

A game without any of it is served all the same: its positions are their texts, and a finding is about the
field of its number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol, runtime_checkable

from forsyth.diagnostics import Diagnostic
from forsyth.game import Game

WHOLE: Final = "fen"
"""The component of a finding that is about the text as a whole."""


@runtime_checkable
class PositionData(Protocol):
    """What a game offers besides where its positions can be given as data."""

    @property
    def data_schema(self) -> Mapping[str, Any]:
        """The JSON schema of the data, an object."""

    def as_data(self, position: Any, text: str) -> dict[str, Any]:
        """A position as JSON-ready data: what is on the board and beside it; `text` is how it is written."""


@runtime_checkable
class DataText(Protocol):
    """What a game offers besides where data alone can be made a position."""

    def text_of_data(self, data: Mapping[str, Any]) -> str:
        """The text that data says; `ValueError` where it is not of the right shape."""


@runtime_checkable
class Components(Protocol):
    """What a game offers besides where the fields of its texts have names."""

    def component_of(self, finding: Diagnostic) -> str:
        """The name of the field that a finding is about, ``fen`` for the text as a whole."""


def as_data(game: Game, position: Any, text: str) -> dict[str, Any]:
    """A position as the data that its game offers; nothing where it offers none."""
    return game.as_data(position, text) if isinstance(game, PositionData) else {}


def component_of(game: Game | None, finding: Diagnostic) -> str:
    """The name of the field that a finding is about; a field that is no number is its own name."""
    if isinstance(finding.field, int) and isinstance(game, Components):
        return game.component_of(finding)
    return str(finding.field or WHOLE)
