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
        """Return a drawing (`Scene`) of all pieces that users can place on the board.

        Each cell shows one piece. The id of the cell, such as ``N``, is the symbol that `put` takes. Each
        group of pieces, such as those of one side, is an area of the drawing.
        """

    def put(self, position: P, square: str, symbol: str | None) -> P:
        """Return the position after placing a piece on a square, or removing it.

        The result may be illegal. `Game.check` reports that.

        Args:
            position: The position to edit. It is not changed.
            square: The name of the square, such as ``e4``: the id of a cell of the scene.
            symbol: The symbol of the piece, such as ``N``: the id of a cell of `palette`. None empties the
                square.

        Raises:
            ValueError: If the square or symbol does not exist, or the position cannot hold the piece there.
        """

    def lift(self, position: P, source: str, target: str) -> P:
        """Return the position after moving everything on the square `source` to the square `target`.

        The rules of the game are ignored. `position` itself does not change. Raise `ValueError` if one of the
        squares does not exist, or if no position can contain the result.
        """

    def fields(self, position: P) -> tuple[Field, ...]:
        """Return the editable values of a position that are not on the board, such as the side to move."""

    def with_field(self, position: P, name: str, value: str) -> P:
        """Return a position like `position`, but with the value `value` in one of its fields.

        `name` is the name of a field that `fields` returns, such as ``castling`` with the value ``KQ``. Raise
        `ValueError` if there is no such field, or if the value is not valid for it.
        """


@runtime_checkable
class Columnar(Protocol[P_contra]):
    """A game whose positions can be table columns: packed forms of one width, features and tensors."""

    @property
    def packed_width(self) -> int:
        """The number of bytes for one position in a column of packed forms (positions as a few bytes).

        It is enough for every legal position of the game. Shorter packed forms are padded with zeros.
        """

    @property
    def feature_list(self) -> tuple[Feature, ...]:
        """The names and meanings of the numbers that `features` returns, in the same order."""

    def features(self, position: P_contra) -> tuple[int, ...]:
        """Return the numbers that describe a position, such as its clocks.

        There is one for each entry of `feature_list`. Each of them fits in 32 bits.
        """

    @property
    def plane_shape(self) -> Planes:
        """The shape of the tensor that `planes` returns.

        It has the names of the planes, their height and their width.
        """

    def planes(self, position: P_contra) -> bytes:
        """Return a position as a tensor, the input of a neural network, in `Planes.size` bytes.

        A plane has one byte for each square, for example 1 for each white pawn and 0 elsewhere. The planes
        follow one another, and so do the rows of a plane.
        """

    @property
    def column(self) -> Column | None:
        """The compiled functions (kernels) for whole table columns of texts, or None if there are none.

        Without them, every row is read on its own.
        """


@runtime_checkable
class ColumnarRecords(Protocol[P_contra]):
    """A game with a compiled reader (kernel) that reads many records at once into table columns."""

    def record_kernel(
        self, usual: P_contra, start: Start, want: Iterable[str], games: int, plies: int
    ) -> RecordKernel | None:
        """Return a compiled reader (kernel) of many game records, or None if the game has none.

        Args:
            usual: The start position of records whose tags name no other.
            start: A function that returns the start position for the values of the tags `Variant`, `SetUp`
                and `FEN` of a record. A value is None if the record has no such tag.
            want: The names of the columns to fill, such as ``clocks``.
            games: The largest number of games in one batch, for which buffers are allocated.
            plies: The largest number of half-moves in one batch, for which buffers are allocated.
        """


@runtime_checkable
class Historical(Protocol[P, M]):
    """A game whose rules need the earlier positions and moves, such as a rule against perpetual check.

    `Match` calls these methods. `Game.outcome` and `Game.claims` consider the current position alone.
    """

    def outcome_of(self, past: Past[P, M]) -> Outcome | None:
        """Return the result of a game after the last position of `past`, or None if it goes on.

        `past` contains all positions of the match and the moves between them.
        """

    def claims_of(self, past: Past[P, M]) -> tuple[str, ...]:
        """Return the reasons for a draw claim in the last position of `past`.

        An example is ``("fifty moves",)``. The result is empty if there is no reason, or if the game has
        ended. `past` contains all positions of the match and the moves between them.
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
        """The piece letter for the code point of each piece symbol, as a table for `str.translate`.

        For example, it turns ``♘f3`` into ``Nf3``.
        """


@runtime_checkable
class PackedMoves(Protocol[M]):
    """A game whose moves can be table columns: as 16-bit numbers and in UCI notation."""

    def pack_move(self, move: M) -> int:
        """Return a move as a number from 0 to 65535, which is the same in every version of Forsyth."""

    def unpack_move(self, number: int) -> M:
        """Return the move for a number from `pack_move`. Raise `ValueError` if there is none."""

    def uci_move(self, move: M) -> str:
        """Return a move in UCI notation, which engines use, such as ``e2e4`` or ``e7e8q``."""


@runtime_checkable
class VariantNames(Protocol):
    """A game whose records name its variants in different ways, or not at all."""

    @property
    def variant_names(self) -> Mapping[str, str]:
        """The variants by other names in records, such as ``{"fischerrandom": "chess960"}``.

        The names are in lower case, without blanks, punctuation and the name of the game.
        """

    def variant_of(self, position: Any) -> str:
        """Return the name of the variant whose rules a position follows, such as ``antichess``."""


@runtime_checkable
class VariantTags(Protocol):
    """A game whose records use other names for some variants than Forsyth does."""

    @property
    def variant_tags(self) -> Mapping[str, str]:
        """The value of the tag ``Variant`` for each variant that has another name in records."""


@runtime_checkable
class OwnTags(Protocol):
    """A game whose records have tags that records of no other game have."""

    @property
    def own_tags(self) -> tuple[str, ...]:
        """The names of the tags that only records of this game have, such as ``ECO``."""


@runtime_checkable
class Profiles(Protocol):
    """A game that can imitate how other programs read its texts."""

    @property
    def profiles(self) -> tuple[str, ...]:
        """The names of the programs or documents whose reading can be imitated, such as ``seed``."""

    def with_profile(self, profile: str | None) -> Game:
        """Return the game with a reader that imitates another program.

        `profile` names that program. It is one of `profiles`, or None for Forsyth's own reader. Raise
        `ValueError` if the game has no such profile.
        """


@runtime_checkable
class PositionData(Protocol):
    """A game whose positions can be written as structured data for JSON: the board and the fields."""

    @property
    def data_schema(self) -> Mapping[str, Any]:
        """The JSON schema of the data that `as_data` returns; it describes an object."""

    def as_data(self, position: Any, text: str) -> dict[str, Any]:
        """Return the board and the fields of a position as JSON-ready data that fits `data_schema`.

        `text` is the canonical text of the position.
        """


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
        """Return the type of the text that was read, such as ``standard`` or ``base64``.

        The names of the types are those of the document that defines the game's notation.
        """

    def details_of(self, position: P) -> dict[str, Any]:
        """Return a summary of a position as JSON-ready data, such as ``{"players": 2, "round": 3}``.

        The keys are those of the document that defines the game's notation.
        """

    def places_of(self, square: str | None) -> Mapping[str, int]:
        """Return the numbers in the name of a square, such as the player and the row.

        For ``p0w12`` they are ``{"player": 0, "row": 1, "col": 2}``. `square` is the square that an error or
        warning is about. The result is empty if it is None, or if its name contains no numbers.
        """


@runtime_checkable
class Rounds(Protocol[P_contra]):
    """A game that is played in rounds, with scoring at the end of each."""

    def end_round(self, position: P_contra) -> tuple[RoundScore, ...]:
        """Return the score of each player for the round that ends with this position.

        The result is an empty tuple if no round ends here. The position does not change.
        """


@runtime_checkable
class Foreseeing(Protocol[P_contra, M_contra]):
    """A game that can predict the score of a move before it is played."""

    def prospect(self, position: P_contra, move: M_contra) -> Prospect | None:
        """Return the points that a legal move will score, as far as they can be predicted now.

        The result is None for an action that never scores, such as dealing tiles.
        """


@runtime_checkable
class Accounting(Protocol[P_contra]):
    """A game that is won by points and can list where they come from."""

    def score_table(self, position: P_contra) -> tuple[ScoreLine, ...]:
        """Return the lines of the final score table, such as a bonus with the points of each player.

        The result is an empty tuple if the game has not ended.
        """


@runtime_checkable
class Overlaying(Protocol[P_contra]):
    """A game that can show covered squares, such as air defence, and the reach of a piece."""

    def overlays(self, position: P_contra) -> tuple[Overlay, ...]:
        """Return the sets of squares that a picture can highlight, such as each side's air defence."""

    def reach(self, position: P_contra, square: str) -> tuple[str, ...]:
        """Return the squares that the piece on `square` could move to or capture on.

        It does not matter whose turn it is, and whether the move would expose the king to an attack.
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
        """Return the game with the set of piece drawings named `look`, such as ``letters``.

        Raise `ValueError` if it is not one of `looks`.
        """


@runtime_checkable
class Boards(Protocol):
    """A game with several colour schemes for its board."""

    @property
    def boards(self) -> Mapping[str, Mapping[str, Colour]]:
        """The colour schemes by name, the default first.

        A colour scheme maps palette roles, such as the name of a square's background, to their colours.
        """


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

        Both are names of squares, such as ``e4``. If several pieces share the square `origin`, `piece` is the
        symbol of the one to move. An empty text means any of them.
        """


@runtime_checkable
class OpenTurns(Protocol[P_contra]):
    """A game whose turns may have several steps, after some of which the turn cannot end."""

    def why_open(self, position: P_contra) -> Hindrance | None:
        """Return the reason why the turn cannot end in `position`, which is in the middle of a turn.

        The result is None if the turn can end here, or if `position` is not in the middle of a turn.
        """


@runtime_checkable
class TwinFields(Protocol):
    """A game with text fields after the side to move that change when the two sides are exchanged."""

    def twin_field(self, field: str) -> str:
        """Return a field of a position text as it is in the text of the position with exchanged sides.

        The names of squares in the field are mirrored, and everything else stays the same.
        """


@runtime_checkable
class Unjudged(Protocol):
    """A game with rules that Forsyth does not decide, such as who must stop chasing."""

    @property
    def not_judged(self) -> tuple[str, ...]:
        """The rules that the players must apply themselves, each in a few words."""


def list_unjudged_rules(game: Game) -> tuple[str, ...]:
    """Return the rules that the players must apply themselves, such as ``perpetual chasing``.

    Forsyth does not decide these rules. The result is empty if Forsyth decides all rules of the game.
    """
    return game.not_judged if isinstance(game, Unjudged) else ()


def list_player_names(game: Game) -> tuple[str, ...]:
    """Return the display names of a game's players, in the order of their moves, such as ``White``."""
    return game.player_names if isinstance(game, NamedPlayers) else game.players


def find_hindrance(game: Game, position: Any, text: str) -> Hindrance | None:
    """Return the reason why `text` is not a legal move in a position, such as a piece in the way.

    The result is None if the move is legal, or if the game has no reason to offer. That a text is unreadable,
    ambiguous or illegal is not such a reason, because the `MoveError` for the text contains it already.
    """
    if not isinstance(game, Explaining):
        return None
    hindrance = game.explain(position, text)
    adds_nothing = hindrance is None or hindrance.code in UNEXPLAINED
    return None if adds_nothing else hindrance


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
    """Return a drawing with the colours of the scheme that is called `board`, such as ``blue``.

    None returns the drawing unchanged. Raise `ValueError` if the game has no such colour scheme.
    """
    if board is None:
        return scene
    colour_schemes = game.boards if isinstance(game, Boards) else {}
    require_choice(f"{game.name} board", board, colour_schemes)
    return replace(scene, palette={**scene.palette, **colour_schemes[board]})


def require_editable(game: Game[P, M]) -> Editable[P]:
    """Return the game unchanged, typed as `Editable`.

    Raise `ValueError` if it lacks the methods of `Editable`.
    """
    if isinstance(game, Editable):
        return game
    raise ValueError(f"positions of {game.name} cannot be edited")


def as_historical(game: Game[P, M]) -> Historical[P, M] | None:
    """Return the game unchanged, typed as `Historical`, or None if it is not historical.

    The rules of a historical game depend on earlier positions and moves.
    """
    # One attribute identifies such games. The isinstance check takes longer than most rules.
    return cast("Historical[P, M]", game) if hasattr(game, "outcome_of") else None


def as_reporting(game: Game[P, M]) -> Reporting[P] | None:
    """Return the game unchanged, typed as `Reporting`.

    Return None if it lacks the methods of `Reporting`.
    """
    # One attribute identifies such games, as in `as_historical`.
    return cast("Reporting[P]", game) if hasattr(game, "details_of") else None


def column_kernels(game: Game) -> Column | None:
    """Return the compiled functions (kernels) of a game for whole table columns of texts.

    Return None if the game has none, so that every text is read on its own.
    """
    # One attribute is enough, as in `as_historical`: this runs for every batch.
    return getattr(game, "column", None)


def position_to_data(game: Game, position: Any, text: str) -> dict[str, Any]:
    """Return the board and the fields of a position as JSON-ready data.

    `text` is the canonical text of the position. The result is an empty dict if the game lacks the ability
    `PositionData`.
    """
    return game.as_data(position, text) if isinstance(game, PositionData) else {}


def find_component(game: Game | None, finding: Diagnostic) -> str:
    """Return the name of the text field that a finding is about, such as ``castling``.

    A finding is an error or warning. If the finding has only the number of the field and the game has no
    names for its fields, or `game` is None, return the number as text. Return ``fen`` for a finding about the
    whole text.
    """
    if isinstance(finding.field, int) and isinstance(game, Components):
        return game.component_of(finding)
    return str(finding.field or WHOLE_TEXT)
