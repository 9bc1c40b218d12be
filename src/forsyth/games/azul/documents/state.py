# cython: annotation_typing=False
"""The class of the source document: one game of Azul that is set up, dealt, played and written (spec/azul 9).

`AzulState` is a thin face over the functions of this folder. `apply` gives a new state. What happens between
the moves happens to the state itself: `end_round`, `deal` and `finish` carry it on and give it back, and
either succeed or change nothing; `copy` keeps how it was. States are equal when their positions are,
whatever the order of tiles on display, the spelling of pattern lines and the version they are written in.

Deals are by chance unless a `seed`, a source of random numbers or the tiles themselves (`draw`) are given.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, get_args

from forsyth.arguments import quoted, require_choice, type_of, whole_number
from forsyth.diagnostics import MoveError
from forsyth.display import html_of
from forsyth.forms import Store
from forsyth.game import not_a_move_text, not_a_position
from forsyth.games.azul.documents.hidden_state import Marker, Supply, with_given
from forsyth.games.azul.documents.report import FenReport, Level, report
from forsyth.games.azul.documents.text_forms import read_any
from forsyth.games.azul.edit import seeded
from forsyth.games.azul.game import SEED_EXAMPLE
from forsyth.games.azul.json_state import as_dict, by_colour, marker_of, text_of_dict
from forsyth.games.azul.notation.kernel import decode
from forsyth.games.azul.notation.write import (
    Lines,
    NotExpressible,
    is_standard,
    write_extended,
    write_standard,
)
from forsyth.games.azul.position import ENDED, PHASES, Board, Position
from forsyth.games.azul.rules import rounds
from forsyth.games.azul.rules.moves import apply_move, legal_moves, read_move
from forsyth.games.azul.tiles import FEWEST_PLAYERS, MOST_PLAYERS
from forsyth.scene import Scene

Version = Literal[1, 2]
VERSIONS: Final[tuple[int, ...]] = get_args(Version)


class IllegalMove(MoveError):  # noqa: N818 - the name of the specification
    """A move that cannot be played, or a text that is none."""


class AzulState:
    """One game of Azul."""

    __slots__ = ("_position", "_version")

    def __init__(
        self, players: int = 2, *, seed: int | None = None, start: int = 0, deal: bool = True
    ) -> None:
        """A new game; without a `deal` its table is empty and has no text yet."""
        if players not in range(FEWEST_PLAYERS, MOST_PLAYERS + 1):
            found = quoted(players)
            raise ValueError(f"Number of players must be {FEWEST_PLAYERS} to {MOST_PLAYERS}, got {found}")
        players = whole_number("the number of players", players)
        start = whole_number("the starting player", start, 0, players - 1)
        self._position = rounds.before_first_deal(players, start)
        self._version: Version | None = None
        if deal:
            self.deal(seeded(seed))

    @classmethod
    def of(cls, position: Position, version: Version | None = None) -> AzulState:
        """The state of a position, written in a version, or in the one that suits it."""
        if not isinstance(position, Position):
            raise not_a_position("azul", position)
        if version is not None:
            require_choice("version", version, VERSIONS)
        state: AzulState = object.__new__(cls)
        state._position = position
        state._version = version
        return state

    @classmethod
    def example(cls) -> AzulState:
        """The position that the source document prints."""
        return cls.from_fen(SEED_EXAMPLE)

    # --- texts --------------------------------------------------------------------------------------

    @classmethod
    def from_fen(
        cls,
        text: str,
        *,
        marker: Marker | None = None,
        bag: Supply | None = None,
        discard: Supply | None = None,
        store: Store | None = None,
    ) -> AzulState:
        """The state of a text in any form; raises `FenError`, a `ValueError`, with every finding.

        What a standard text does not say is assumed, or given here: where the marker is (``center`` or a
        player), and the tiles in bag and discard by colour; of these two one follows from the other. With the
        marker and the tiles given the state is complete. Raises `ValueError` for what does not fit the text.
        """
        position = read_any(text, store)
        version: Version = 2 if position.complete else 1
        if marker is not None or bag is not None or discard is not None:
            position = with_given(position, marker, bag, discard)
        return cls.of(position, version)

    @staticmethod
    def validate_fen(text: str, level: Level = "content", store: Store | None = None) -> bool:
        """Whether `from_fen` takes a text, or whether it passes at another level (spec/azul 8.1)."""
        sound = level == "content" and decode(text) is not None
        return sound or report(text, level, store).valid

    @staticmethod
    def check_fen(text: str, level: Level = "content", store: Store | None = None) -> FenReport:
        """Everything that is wrong with a text."""
        return report(text, level, store)

    def to_fen(
        self, version: Version | None = None, *, canonical: bool = False, lines: Lines | None = None
    ) -> str:
        """The state as text, in the version it was read from, else as standard text where that can hold it.

        Raises `NotExpressible` where a version cannot hold the state, and before the first deal.
        """
        position = self._position
        if not position.round:
            raise NotExpressible("before the first deal there is no text")
        if version is None:
            version = 1 if self._version != 2 and is_standard(position) else 2
        require_choice("version", version, VERSIONS)
        if lines is not None:
            require_choice("spelling of lines", lines, get_args(Lines))
        if version == 1:
            return write_standard(position, canonical=canonical, lines=lines)
        return write_extended(position, canonical=canonical)

    def __str__(self) -> str:
        return self.to_fen() if self._position.round else "before the first deal"

    def __repr__(self) -> str:
        return f"<AzulState {self}>"

    def _repr_html_(self) -> str:
        return html_of(self)

    def to_dict(self) -> dict[str, Any]:
        """The state as JSON-ready data (spec/azul 10.3)."""
        return as_dict(self._position, self.to_fen())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AzulState:
        """The state of such data; raises `ValueError` where it is no sound position."""
        return cls.from_fen(text_of_dict(data))

    def scene(self) -> Scene:
        """What to draw of it."""
        return self._position.scene()

    # --- what is on the table -----------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position now, as a value."""
        return self._position

    @property
    def agents(self) -> list[Board]:
        """The boards of the players, in order: `wall`, `lines`, `floor`, `score`."""
        return list(self._position.boards)

    @property
    def factories(self) -> list[str]:
        """The tiles of each factory."""
        return list(self._position.factories)

    @property
    def center(self) -> str:
        """The tiles in the centre."""
        return self._position.center

    @property
    def round(self) -> int:
        """The number of the round; 0 before the first deal."""
        return self._position.round

    @property
    def current_player(self) -> int:
        """Whose turn it is."""
        return self._position.current

    @property
    def start_player(self) -> int | None:
        """Who began the round, between rounds who begins the next; None where that is not known."""
        return self._position.start if self.complete else None

    @property
    def phase(self) -> str:
        """``offer``, ``tiling due``, ``tiling done`` or ``ended``."""
        return PHASES[self._position.phase]

    @property
    def bag(self) -> dict[str, int] | None:
        """The tiles in the bag by colour; None where that is not known."""
        return by_colour(self._position.bag) if self.complete else None

    @property
    def discard(self) -> dict[str, int] | None:
        """The tiles in the discard by colour; None where that is not known."""
        return by_colour(self._position.discard) if self.complete else None

    @property
    def marker(self) -> dict[str, Any]:
        """Where the first-player marker is: `place` and `player`."""
        return marker_of(self._position)

    @property
    def complete(self) -> bool:
        """Whether bag, discard, marker and starting player are known, not assumed."""
        return self._position.complete

    # --- play ---------------------------------------------------------------------------------------

    def legal_moves(self) -> list[str]:
        """The legal moves in canonical order."""
        return legal_moves(self._position)

    def apply(self, move: str) -> AzulState:
        """A new state after a move; raises `IllegalMove`."""
        position = self._position
        try:
            if not isinstance(move, str):
                raise not_a_move_text(move)
            move = read_move(position, move)
        except MoveError as error:
            raise IllegalMove(error.kind, error.text, str(error), error.candidates) from None
        return AzulState.of(apply_move(position, move), self._version)

    def end_round(self) -> AzulState:
        """Tile and score every board; who had the marker begins the next round."""
        self._position = rounds.end_round(self._position).position
        return self

    def deal(self, rng: rounds.Chance | None = None, draw: Sequence[str] | None = None) -> AzulState:
        """Begin the next round with the tiles of each factory as drawn, or with tiles drawn by chance."""
        if rng is not None and not hasattr(rng, "random"):
            raise TypeError(f"a source of random numbers is expected, not {type_of(rng)}; try Random(seed)")
        if draw is not None and not isinstance(draw, Sequence):
            raise TypeError(f"the tiles of each factory are expected, not {type_of(draw)}")
        if draw is not None:
            self._position = rounds.deal(self._position, draw)
        else:
            self._position = rounds.deal_by_chance(self._position, random.Random() if rng is None else rng)
        return self

    def finish(self) -> AzulState:
        """Add the bonuses; the game is over."""
        self._position = rounds.finish(self._position).position
        return self

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won; several where a victory is shared, nobody before the end."""
        return rounds.winners_of(self._position) if self._position.phase == ENDED else ()

    def copy(self) -> AzulState:
        """Another state that is equal to this one."""
        return type(self).of(self._position, self._version)

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        return self._position == other._position if isinstance(other, AzulState) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._position)
