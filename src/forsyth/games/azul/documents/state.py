# cython: annotation_typing=False, embedsignature=False
"""The class of the source document: one game of Azul that is set up, dealt, played and written (spec/azul 9).

`AzulState` wraps a position. `apply` returns a new state. The steps between the moves, `end_round`, `deal`
and `finish`, change the state itself and return it. They either succeed or change nothing. Use `copy` to
keep a state. Two states are equal if their positions are equal: the order of tiles on display, the spelling
of pattern lines and the version of the text do not count.

Deals are random unless a `seed`, a source of random numbers or the tiles themselves (`draw`) are given.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, get_args

from forsyth.arguments import quoted, require_choice, require_integer, type_name
from forsyth.diagnostics import MoveError
from forsyth.display import render_html
from forsyth.forms import Store
from forsyth.game import wrong_move_text_error, wrong_position_error
from forsyth.games.azul.documents.hidden_state import Marker, Supply, with_hidden_values
from forsyth.games.azul.documents.report import FenReport, Level, report
from forsyth.games.azul.documents.text_forms import read_any
from forsyth.games.azul.edit import make_random_source
from forsyth.games.azul.game import SEED_EXAMPLE
from forsyth.games.azul.json_state import (
    locate_marker,
    map_colours_to_counts,
    position_to_dict,
    text_from_dict,
)
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
from forsyth.games.azul.tiles import MAX_PLAYERS, MIN_PLAYERS
from forsyth.scene import Scene

Version = Literal[1, 2]
VERSIONS: Final[tuple[int, ...]] = get_args(Version)


class IllegalMove(MoveError):  # noqa: N818 - the name of the specification
    """A move that is not legal, or a text that is not a move."""


class AzulState:
    """One game of Azul."""

    __slots__ = ("_position", "_version")

    def __init__(
        self, players: int = 2, *, seed: int | None = None, start: int = 0, deal: bool = True
    ) -> None:
        """Set up a new game.

        Args:
            players: The number of players, 2 to 4.
            seed: The seed of the first deal, or None for a random one.
            start: The number of the starting player.
            deal: Whether to deal the first round. Without a deal the factories are empty, and the state has
                no text yet.
        """
        # A range contains 2.0, which is not a number of players.
        is_integer = hasattr(players, "__index__")
        if not is_integer or players not in range(MIN_PLAYERS, MAX_PLAYERS + 1):
            found = quoted(players)
            raise ValueError(f"Number of players must be {MIN_PLAYERS} to {MAX_PLAYERS}, got {found}")
        player_count = require_integer("the number of players", players)
        first_player = require_integer("the starting player", start, 0, player_count - 1)
        self._position = rounds.before_first_deal(player_count, first_player)
        self._version: Version | None = None
        if deal:
            self.deal(make_random_source(seed))

    @classmethod
    def of(cls, position: Position, version: Version | None = None) -> AzulState:
        """Return the state of a position.

        Args:
            position: The position.
            version: The version of the text that `to_fen` writes. None selects the standard text if it can
                hold the state, else the extended text.
        """
        if not isinstance(position, Position):
            raise wrong_position_error("azul", position)
        if version is not None:
            require_choice("version", version, VERSIONS)
        state: AzulState = object.__new__(cls)
        state._position = position
        state._version = version
        return state

    @classmethod
    def example(cls) -> AzulState:
        """Return the state of the example position in the document that specifies the text format."""
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
        """Return the state of a text in any form.

        A standard text does not contain the marker, the bag and the discard. They are assumed unless they are
        given here. If the marker and one of bag and discard are given, the state is complete.

        Args:
            text: The text.
            marker: The place of the first-player marker: ``center`` or the number of a player.
            bag: The tiles in the bag by colour. If it is None, `discard` determines it.
            discard: The tiles in the discard by colour. If it is None, `bag` determines it.
            store: The store that resolves state identifiers.

        Raises:
            FenError: If the text is not valid. It is a `ValueError` and carries every finding.
            ValueError: If the given values do not fit the text.
        """
        position = read_any(text, store)
        version: Version = 2 if position.complete else 1
        if marker is not None or bag is not None or discard is not None:
            position = with_hidden_values(position, marker, bag, discard)
        return cls.of(position, version)

    @staticmethod
    def validate_fen(text: str, level: Level = "content", store: Store | None = None) -> bool:
        """Return True if a text is valid at a level (spec/azul 8.1).

        ``format`` checks only structure and format. ``content`` also checks the rules, so that `from_fen`
        accepts each valid text. ``strict`` also treats warnings as errors. `store` resolves identifiers of
        states (``state_…``).
        """
        # `decode` reads a valid text faster than the report is made.
        is_quickly_valid = level == "content" and decode(text) is not None
        return is_quickly_valid or report(text, level, store).valid

    @staticmethod
    def check_fen(text: str, level: Level = "content", store: Store | None = None) -> FenReport:
        """Return a report with every error and warning about a text (see `validate_fen` for the levels)."""
        return report(text, level, store)

    def to_fen(
        self, version: Version | None = None, *, canonical: bool = False, lines: Lines | None = None
    ) -> str:
        """Return the text of the state.

        Args:
            version: 1 for a standard text, 2 for an extended one. None selects the version that the state was
                read from, or else the standard text if it can hold the state.
            canonical: Whether to sort the tiles on display and to use the canonical spelling of pattern
                lines.
            lines: The spelling of pattern lines in a standard text, or None to keep the present one.

        Raises:
            NotExpressible: If the version cannot express the state, or nothing has been dealt yet.
        """
        position = self._position
        if not position.round:
            raise NotExpressible("a state has no text before the first deal; call deal() first")
        text_version = self._choose_version() if version is None else version
        require_choice("version", text_version, VERSIONS)
        if lines is not None:
            require_choice("spelling of lines", lines, get_args(Lines))
        if text_version == 1:
            return write_standard(position, canonical=canonical, lines=lines)
        return write_extended(position, canonical=canonical)

    def _choose_version(self) -> Version:
        """Return the default version of the text: 1 (standard) if it can hold the state, else 2 (extended).

        A state that was read from an extended text is written as one again.
        """
        was_extended = self._version == 2
        return 1 if not was_extended and is_standard(self._position) else 2

    def __str__(self) -> str:
        return self.to_fen() if self._position.round else "before the first deal"

    def __repr__(self) -> str:
        return f"<AzulState {self}>"

    def _repr_html_(self) -> str:
        return render_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the state as data for JSON, from which `from_dict` restores it (spec/azul 10.3)."""
        return position_to_dict(self._position, self.to_fen())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AzulState:
        """Return the state that `data` describes, the result of `to_dict`.

        Raise `ValueError` if `data` does not describe a valid position.
        """
        return cls.from_fen(text_from_dict(data))

    def scene(self) -> Scene:
        """Return the drawing of the state, which can be saved as SVG or shown in a terminal."""
        return self._position.scene()

    # --- values -------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The current position, an immutable value."""
        return self._position

    @property
    def agents(self) -> list[Board]:
        """The boards of the players in order, with the attributes `wall`, `lines`, `floor` and `score`."""
        return list(self._position.boards)

    @property
    def factories(self) -> list[str]:
        """The tiles of each factory as letters, such as ``BYRK``; empty for an empty factory."""
        return list(self._position.factories)

    @property
    def center(self) -> str:
        """The tiles in the centre as letters, without the first-player marker."""
        return self._position.center

    @property
    def round(self) -> int:
        """The number of the round, or 0 before the first deal."""
        return self._position.round

    @property
    def current_player(self) -> int:
        """The number of the player to move."""
        return self._position.current

    @property
    def start_player(self) -> int | None:
        """The number of the player who began the round.

        Between the rounds it is the player who begins the next one. It is None if the state is not complete.
        """
        return self._position.start if self.complete else None

    @property
    def phase(self) -> str:
        """The phase: ``offer``, ``tiling due``, ``tiling done`` or ``ended``."""
        return PHASES[self._position.phase]

    @property
    def bag(self) -> dict[str, int] | None:
        """The tiles in the bag by colour, or None if the state is not complete."""
        return map_colours_to_counts(self._position.bag) if self.complete else None

    @property
    def discard(self) -> dict[str, int] | None:
        """The tiles in the discard by colour, or None if the state is not complete."""
        return map_colours_to_counts(self._position.discard) if self.complete else None

    @property
    def marker(self) -> dict[str, Any]:
        """The place of the first-player marker, such as ``{"place": "floor", "player": 1}``."""
        return locate_marker(self._position)

    @property
    def complete(self) -> bool:
        """True if bag, discard, marker and starting player are known, False if they are assumed."""
        return self._position.complete

    # --- play ---------------------------------------------------------------------------------------

    def legal_moves(self) -> list[str]:
        """Return the legal moves such as ``0B2`` in canonical order; none between the rounds."""
        return legal_moves(self._position)

    def apply(self, move: str) -> AzulState:
        """Return a new state after a move such as ``0B2``. This state does not change.

        Raise `IllegalMove` if the move is not legal.
        """
        position = self._position
        try:
            if not isinstance(move, str):
                raise wrong_move_text_error(move)
            legal_move = read_move(position, move)
        except MoveError as error:
            raise IllegalMove(error.kind, error.text, str(error), error.candidates) from None
        return AzulState.of(apply_move(position, legal_move), self._version)

    def end_round(self) -> AzulState:
        """Tile and score every board, in place, and return this state.

        The owner of the marker begins the next round. Raise `ValueError` if the tiling is not due.
        """
        self._position = rounds.end_round(self._position).position
        return self

    def deal(self, rng: rounds.RandomSource | None = None, draw: Sequence[str] | None = None) -> AzulState:
        """Begin the next round, in place, and return this state.

        Args:
            rng: The source of random numbers for a random deal, or None for a new one.
            draw: The tiles of each factory in the order drawn, or None for a random deal.

        Raises:
            ValueError: If no round can follow, or the tiles cannot be drawn.
            TypeError: If an argument has the wrong type.
        """
        if rng is not None and not hasattr(rng, "random"):
            raise TypeError(f"a source of random numbers is expected, not {type_name(rng)}; try Random(seed)")
        if draw is not None and not isinstance(draw, Sequence):
            raise TypeError(
                f"the tiles of each factory are expected, not {type_name(draw)};"
                " try a list of strings such as 'BYRK'"
            )
        if draw is not None:
            self._position = rounds.deal_tiles(self._position, draw)
        else:
            random_numbers = random.Random() if rng is None else rng
            self._position = rounds.deal_at_random(self._position, random_numbers)
        return self

    def finish(self) -> AzulState:
        """Add the bonuses to the scores and end the game, in place, and return this state.

        Raise `ValueError` if the game is not over.
        """
        self._position = rounds.finish_game(self._position).position
        return self

    @property
    def winners(self) -> tuple[int, ...]:
        """The numbers of the players who have won: several if they share the victory, none before the end."""
        return rounds.find_winners(self._position) if self._position.phase == ENDED else ()

    def copy(self) -> AzulState:
        """Return a copy of this state."""
        return type(self).of(self._position, self._version)

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        return self._position == other._position if isinstance(other, AzulState) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._position)
