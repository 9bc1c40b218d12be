"""Optional abilities of games: protocols that a game may implement in addition to `Game`.

A game has an ability if it has the members of its protocol. It need not name the protocol as a base class.
The command line, the HTTP service and the bulk jobs check for an ability with ``isinstance``. Where a game
lacks one, they leave out the feature or raise an error with one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol, cast, runtime_checkable

from forsyth.arguments import quoted, require_choice
from forsyth.column import Column, Feature, Planes
from forsyth.diagnostics import Diagnostic, Reading
from forsyth.game_values import (
    Field,
    M,
    M_contra,
    Outcome,
    Overlay,
    P,
    P_contra,
    Past,
    Prospect,
    RoundScore,
    ScoreLine,
)
from forsyth.move_errors import UNEXPLAINED, Hindrance
from forsyth.record_bytes.columns import RecordKernel, Start
from forsyth.scene import Colour, Scene

if TYPE_CHECKING:
    from forsyth.game import Game

WHOLE_TEXT: Final = "fen"
"""Name of the component for a finding that is about the text as a whole."""


@runtime_checkable
class Editable(Protocol[P]):
    """A game whose positions can be edited: pieces on the board, and fields beside it.

    Editing does not check legality: an edited position may be illegal, and `Game.check` reports it. Reading
    the text of an edited position always returns the same position.
    """

    def palette(self, position: P) -> Scene:
        """Return a drawing of all pieces that can be placed on the board, with an area for each group.

        Each cell shows one piece. The id of the cell, such as ``N``, is the symbol that `put` takes.
        """

    def put(self, position: P, square: str, symbol: str | None) -> P:
        """Return the position with a piece placed on a square. None as `symbol` empties the square.

        Legality is not checked here, but by `Game.check`.

        Args:
            position: The position to edit. It is not changed.
            square: The id of a cell of the scene.
            symbol: The id of a cell of `palette`, or None.

        Raises:
            ValueError: If the square or symbol does not exist, or the position cannot hold the piece there.
        """

    def lift(self, position: P, source: str, target: str) -> P:
        """Return the position with everything on the square `source` moved to the square `target`.

        The rules of the game are ignored, and the given position does not change. Raise `ValueError` if
        one of the squares does not exist, or the position cannot hold the result.
        """

    def fields(self, position: P) -> tuple[Field, ...]:
        """Return the editable values of a position that are not on the board, such as the side to move."""

    def with_field(self, position: P, name: str, value: str) -> P:
        """Return the position with another value in the field `name`, one of `fields`.

        Raise `ValueError` if there is no such field, or the position cannot hold the value.
        """


@runtime_checkable
class Columnar(Protocol[P_contra]):
    """A game whose positions can be table columns: packed forms of one width, features and tensors."""

    @property
    def packed_width(self) -> int:
        """Bytes per row in a column of packed forms: enough for every legal position of the game."""

    @property
    def feature_list(self) -> tuple[Feature, ...]:
        """The features that `features` returns, in the same order."""

    def features(self, position: P_contra) -> tuple[int, ...]:
        """Return the features of a position: one 32-bit integer for each entry of `feature_list`."""

    @property
    def plane_shape(self) -> Planes:
        """The shape of the tensor that `planes` returns."""

    def planes(self, position: P_contra) -> bytes:
        """Return the position as a tensor of bytes for training, plane by plane and row by row."""

    @property
    def column(self) -> Column | None:
        """The kernels for whole columns, or None if every row is read on its own."""


@runtime_checkable
class ColumnarRecords(Protocol[P_contra]):
    """A game with a compiled reader (kernel) that reads many records at once into table columns."""

    def record_kernel(
        self, usual: P_contra, start: Start, want: Iterable[str], games: int, plies: int
    ) -> RecordKernel | None:
        """Return a compiled reader of game records (a kernel), or None if there is none for these columns.

        Args:
            usual: The start position of records whose tags name none.
            start: Returns the start position for the tags `Variant`, `SetUp` and `FEN` of a record.
            want: The names of the columns to fill.
            games: The largest number of games in one batch, for which buffers are allocated.
            plies: The largest number of half-moves in one batch, for which buffers are allocated.
        """


@runtime_checkable
class Historical(Protocol[P, M]):
    """A game whose rules need the earlier positions and moves, such as a rule against perpetual check.

    `Match` calls these methods. `Game.outcome` and `Game.claims` consider the current position alone.
    """

    def outcome_of(self, past: Past[P, M]) -> Outcome | None:
        """Return how the game ended with the last position of `past`, or None if it goes on.

        `past` has all positions of the match and the moves between them.
        """

    def claims_of(self, past: Past[P, M]) -> tuple[str, ...]:
        """Return the reasons for which the side to move may claim a draw in the last position of `past`.

        The result is empty if there are none, or the game has ended.
        """


@runtime_checkable
class Passing(Protocol):
    """A game whose records may contain a pass (a null move), although its rules do not allow one."""

    def read_pass(self, position: Any, text: str) -> Any | None:
        """Return the pass (null move) that a text such as ``--`` names, or None for other texts.

        The result is a move for `Game.play` and `Game.write_move`. Raise `MoveError` if the text names a
        pass, but the side to move cannot pass here.
        """


@runtime_checkable
class Figurines(Protocol):
    """A game whose records are also printed with figurines: piece symbols in place of piece letters."""

    @property
    def figurines(self) -> Mapping[int, str]:
        """The letters for the code point of each figurine, as a table for `str.translate`."""


@runtime_checkable
class PackedMoves(Protocol[M]):
    """A game whose moves can be table columns: as 16-bit numbers and in UCI notation."""

    def pack_move(self, move: M) -> int:
        """Return the move as a number from 0 to 65535, which is the same in every version of Forsyth."""

    def unpack_move(self, number: int) -> M:
        """Return the move for a number from `pack_move`. Raise `ValueError` if no move has this number."""

    def uci_move(self, move: M) -> str:
        """Return the move in UCI notation, such as ``e2e4`` or ``e7e8q``."""


@runtime_checkable
class VariantNames(Protocol):
    """A game whose records name its variants in different ways, or not at all."""

    @property
    def variant_names(self) -> Mapping[str, str]:
        """The variant for each further name that records use for it.

        The names are in lower case, without blanks, punctuation and the name of the game.
        """

    def variant_of(self, position: Any) -> str:
        """Return the name of the variant whose rules a position follows, such as ``antichess``."""


@runtime_checkable
class VariantTags(Protocol):
    """A game whose records use other names for some variants than Forsyth does."""

    @property
    def variant_tags(self) -> Mapping[str, str]:
        """The value of the tag ``Variant`` for each variant that records call by another name."""


@runtime_checkable
class OwnTags(Protocol):
    """A game whose records have tags that records of no other game have."""

    @property
    def own_tags(self) -> tuple[str, ...]:
        """The names of these tags, such as ``ECO``."""


@runtime_checkable
class Profiles(Protocol):
    """A game that can imitate how other programs read its texts."""

    @property
    def profiles(self) -> tuple[str, ...]:
        """The names of the profiles, one for each program that can be imitated."""

    def with_profile(self, profile: str | None) -> Game:
        """Return the game with a reader that imitates another program. None selects Forsyth's own reader.

        `profile` is one of `profiles`. Raise `ValueError` if the game has no such profile.
        """


@runtime_checkable
class PositionData(Protocol):
    """A game whose positions can be written as structured data for JSON: the board and the fields."""

    @property
    def data_schema(self) -> Mapping[str, Any]:
        """The JSON schema of the data that `as_data` returns; it describes an object."""

    def as_data(self, position: Any, text: str) -> dict[str, Any]:
        """Return a position as JSON-ready data: the board and the fields. `text` is its canonical text."""


@runtime_checkable
class DataText(Protocol):
    """A game that can restore a position from structured data."""

    def text_of_data(self, data: Mapping[str, Any]) -> str:
        """Return the position text that `data` describes. Raise `ValueError` if `data` is malformed."""


@runtime_checkable
class Components(Protocol):
    """A game whose text fields have names."""

    def component_of(self, finding: Diagnostic) -> str:
        """Return the name of the field that a finding is about, or ``fen`` for the text as a whole."""


@runtime_checkable
class Reporting(Protocol[P]):
    """A game whose source document prescribes its own terms for reports about a text."""

    def type_of(self, reading: Reading[P]) -> str:
        """Return the kind of text that was read, as the game's source document calls it."""

    def details_of(self, position: P) -> dict[str, Any]:
        """Return the content of a position as JSON-ready data, in the terms of the source document."""

    def places_of(self, square: str | None) -> Mapping[str, int]:
        """Return the numbers in the name of a square by what they count, such as the player and the row.

        `square` is the square that a finding is about. The result is empty if it is None, or if its name
        contains no numbers.
        """


@runtime_checkable
class Rounds(Protocol[P_contra]):
    """A game that is played in rounds, with scoring at the end of each."""

    def end_round(self, position: P_contra) -> tuple[RoundScore, ...]:
        """Return the round scores of all players if a round ends with this position, else an empty tuple."""


@runtime_checkable
class Foreseeing(Protocol[P_contra, M_contra]):
    """A game that can predict the score of a move before it is played."""

    def prospect(self, position: P_contra, move: M_contra) -> Prospect | None:
        """Return the predicted score of a legal move, or None for an action that never scores."""


@runtime_checkable
class Accounting(Protocol[P_contra]):
    """A game that is won by points and can list where they come from."""

    def score_table(self, position: P_contra) -> tuple[ScoreLine, ...]:
        """Return the final scores line by line, or an empty tuple if the game has not ended."""


@runtime_checkable
class Overlaying(Protocol[P_contra]):
    """A game that can show covered squares, such as air defence, and the reach of a piece."""

    def overlays(self, position: P_contra) -> tuple[Overlay, ...]:
        """Return the sets of squares that a picture can highlight, such as each side's air defence."""

    def reach(self, position: P_contra, square: str) -> tuple[str, ...]:
        """Return the squares that the piece on `square` could move to or capture on.

        The side to move and the safety of the king are ignored.
        """


@runtime_checkable
class NamedPlayers(Protocol):
    """A game whose player names for display differ from the tags in its records."""

    @property
    def player_names(self) -> tuple[str, ...]:
        """The display names of the players, in order, such as ``Player 1``."""


@runtime_checkable
class Looks(Protocol):
    """A game with several sets of piece drawings, such as characters and letters."""

    @property
    def looks(self) -> tuple[str, ...]:
        """The names of the sets of piece drawings, the default first."""

    def with_look(self, look: str) -> Game:
        """Return the game with another set of piece drawings. Raise `ValueError` if there is no such set."""


@runtime_checkable
class Boards(Protocol):
    """A game with several colour schemes for its board."""

    @property
    def boards(self) -> Mapping[str, Mapping[str, Colour]]:
        """The colour schemes by name, the default first. Each maps palette roles to their new colours."""


@runtime_checkable
class Checking(Protocol[P_contra]):
    """A game in which a side can be in check."""

    def is_check(self, position: P_contra) -> bool:
        """Return whether the side to move is in check."""


@runtime_checkable
class Explaining(Protocol[P_contra]):
    """A game that can explain why a move is not possible."""

    def explain(self, position: P_contra, text: str) -> Hindrance | None:
        """Return the reason why `text` is not a legal move or action here, or None if it is legal."""

    def why_not(self, position: P_contra, origin: str, target: str, piece: str = "") -> Hindrance | None:
        """Return the reason why no legal move leads from `origin` to `target`, or None if one does.

        Both are squares of the scene. `piece` is a symbol that selects a piece if several share the square.
        """


@runtime_checkable
class OpenTurns(Protocol[P_contra]):
    """A game whose turns may have several steps, after some of which the turn cannot end."""

    def why_open(self, position: P_contra) -> Hindrance | None:
        """Return the reason why a turn that was begun cannot end in `position`.

        The result is None if the turn can end here, or if no turn was begun.
        """


@runtime_checkable
class TwinFields(Protocol):
    """A game with text fields after the side to move that change when the two sides are exchanged."""

    def twin_field(self, field: str) -> str:
        """Return a field of a position text as it is after exchanging the sides, with mirrored squares."""


@runtime_checkable
class Unjudged(Protocol):
    """A game with rules that Forsyth does not decide, such as who must stop chasing."""

    @property
    def not_judged(self) -> tuple[str, ...]:
        """The rules that the players must apply themselves, each in a few words."""


def list_unjudged_rules(game: Game) -> tuple[str, ...]:
    """Return the rules that Forsyth does not decide, each in a few words, so that players must apply them.

    The result is empty if Forsyth decides all rules of the game.
    """
    return game.not_judged if isinstance(game, Unjudged) else ()


def list_player_names(game: Game) -> tuple[str, ...]:
    """Return the names of a game's players for display, such as ``White``, in the order of their moves."""
    return game.player_names if isinstance(game, NamedPlayers) else game.players


def find_hindrance(game: Game, position: Any, text: str) -> Hindrance | None:
    """Return the reason why `text` is not a legal move of a position, such as a piece in the way, or None.

    The result is None if the move is legal, if the game cannot explain moves, and if there is no reason
    besides that the text is unreadable, ambiguous or illegal.
    """
    if not isinstance(game, Explaining):
        return None
    hindrance = game.explain(position, text)
    if hindrance is None or hindrance.code in UNEXPLAINED:
        return None
    return hindrance


def with_look(game: Game, look: str | None) -> Game:
    """Return the game with the set of piece drawings that is called `look`, such as ``letters``.

    None selects the default set. Raise `ValueError` if the game has no such set.
    """
    if look is None:
        return game
    if isinstance(game, Looks):
        return game.with_look(look)
    raise ValueError(f"{game.name} has no look {quoted(look)}; its pieces are drawn in one way only")


def with_board_colours(game: Game, scene: Scene, board: str | None) -> Scene:
    """Return the scene in the colour scheme `board`. None keeps the default colours.

    Raise `ValueError` if the game has no such colour scheme.
    """
    if board is None:
        return scene
    boards = game.boards if isinstance(game, Boards) else {}
    require_choice(f"{game.name} board", board, boards)
    return replace(scene, palette={**scene.palette, **boards[board]})


def require_editable(game: Game[P, M]) -> Editable[P]:
    """Return the game, typed as `Editable`. Raise `ValueError` if its positions cannot be edited."""
    if isinstance(game, Editable):
        return game
    raise ValueError(f"positions of {game.name} cannot be edited")


def as_historical(game: Game[P, M]) -> Historical[P, M] | None:
    """Return the game, typed as `Historical`, or None if its rules need no earlier positions or moves."""
    # One attribute identifies such games. The isinstance check takes longer than most rules.
    return cast("Historical[P, M]", game) if hasattr(game, "outcome_of") else None


def as_reporting(game: Game[P, M]) -> Reporting[P] | None:
    """Return the game, typed as `Reporting`, or None if its source document has no terms of its own."""
    # One attribute identifies such games, as in `as_historical`.
    return cast("Reporting[P]", game) if hasattr(game, "details_of") else None


def column_kernels(game: Game) -> Column | None:
    """Return the compiled functions (kernels) that read many positions at once, or None if there are none."""
    # One attribute is enough, as in `as_historical`: this runs for every batch.
    return getattr(game, "column", None)


def position_to_data(game: Game, position: Any, text: str) -> dict[str, Any]:
    """Return a position as structured data, or an empty dict if its game does not offer any."""
    return game.as_data(position, text) if isinstance(game, PositionData) else {}


def find_component(game: Game | None, finding: Diagnostic) -> str:
    """Return the name of the field that a finding (an error or warning) is about, such as ``castling``.

    A finding has a field name or number. A game with named fields translates the number. Otherwise, and if
    `game` is None, the number is returned as text. The field of a finding about the whole text is ``fen``.
    """
    if isinstance(finding.field, int) and isinstance(game, Components):
        return game.component_of(finding)
    return str(finding.field or WHOLE_TEXT)
