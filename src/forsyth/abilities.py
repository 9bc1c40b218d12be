"""What a game may offer besides `Game`: each protocol is one ability, asked for with ``isinstance``.

A game has an ability by having its members; it names no base class for it, but may. Surfaces offer what is
there, and say in one sentence what is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol, cast, runtime_checkable

from forsyth.arguments import require_choice
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
from forsyth.hindrances import UNEXPLAINED, Hindrance
from forsyth.record_bytes.columns import RecordKernel, Start
from forsyth.scene import Colour, Scene

if TYPE_CHECKING:
    from forsyth.game import Game

WHOLE: Final = "fen"
"""The component of a finding that is about the text as a whole."""


@runtime_checkable
class Editable(Protocol[P]):
    """A game whose positions can be edited: things put on the board, and fields beside it set.

    None of it judges: an edited position may be illegal, and `Game.check` says so. The text of an edited
    position can always be read, and gives the same position.
    """

    def palette(self, position: P) -> Scene:
        """Everything that can be put on the board, an area for each group; a cell's id is its symbol."""

    def put(self, position: P, square: str, symbol: str | None) -> P:
        """The position with a thing of the palette on a place of the scene, or with nothing there for None.

        It never judges legality, `check` does. Raises `ValueError` with one sentence for a place or symbol
        that does not exist, or where the position cannot hold it.
        """

    def lift(self, position: P, source: str, target: str) -> P:
        """The position with what stands on one place of the scene on another, as `put` would put it there."""

    def fields(self, position: P) -> tuple[Field, ...]:
        """Everything of a position that is not on the board and that an editor may change."""

    def with_field(self, position: P, name: str, value: str) -> P:
        """The position with another value in one of `fields`; `ValueError` where it cannot hold that."""


@runtime_checkable
class Columnar(Protocol[P_contra]):
    """A game whose positions can be columns of tables: packed forms of one width, numbers and tensors."""

    @property
    def packed_width(self) -> int:
        """How many bytes a column of packed forms gives each: enough for every legal position of a game."""

    @property
    def feature_list(self) -> tuple[Feature, ...]:
        """What `features` tells about a position, in order."""

    def features(self, position: P_contra) -> tuple[int, ...]:
        """The numbers of a position, one for each of `feature_list`, each of 32 bits."""

    @property
    def plane_shape(self) -> Planes:
        """The shape of what `planes` gives."""

    def planes(self, position: P_contra) -> bytes:
        """The position as a tensor of bytes for training, plane by plane, row by row."""

    @property
    def column(self) -> Column | None:
        """Its kernels for whole columns, or None where every row is read by itself."""


@runtime_checkable
class ColumnarRecords(Protocol[P_contra]):
    """A game whose records can be read into columns by a kernel."""

    def record_kernel(
        self, usual: P_contra, start: Start, want: Iterable[str], games: int, plies: int
    ) -> RecordKernel | None:
        """A kernel with room for some games and plies; `usual` is the start where no tag speaks of one."""


@runtime_checkable
class Historical(Protocol[P, M]):
    """A game whose rules need the past, such as who gave check all the time or which boards there were.

    A match asks these. `Game.outcome` and `Game.claims` say what can be said of a position alone.
    """

    def outcome_of(self, past: Past[P, M]) -> Outcome | None:
        """How the game ended with the last position of the past, or None."""

    def claims_of(self, past: Past[P, M]) -> tuple[str, ...]:
        """Why the side to move may claim a draw now; nothing once the game ended."""


@runtime_checkable
class Passing(Protocol):
    """A game whose records hold a pass that its rules do not allow."""

    def read_pass(self, position: Any, text: str) -> Any | None:
        """The pass a text means, for `play` and `write_move`, or None; `MoveError` where nobody can pass."""


@runtime_checkable
class Figurines(Protocol):
    """A game whose records are also printed with signs for its men in place of their letters."""

    @property
    def figurines(self) -> Mapping[int, str]:
        """The letters of each sign, for `str.translate`."""


@runtime_checkable
class PackedMoves(Protocol[M]):
    """A game whose moves can be columns of tables: as numbers of 16 bits and in the notation of UCI."""

    def pack_move(self, move: M) -> int:
        """The number of a move, from 0 to 65535; the same for ever."""

    def unpack_move(self, number: int) -> M:
        """The move of a number; raises `ValueError` where it is none."""

    def uci_move(self, move: M) -> str:
        """The move as UCI writes it."""


@runtime_checkable
class VariantNames(Protocol):
    """A game whose variants records name in many ways, or not at all."""

    @property
    def variant_names(self) -> Mapping[str, str]:
        """Further names of its variants, in small letters without blanks, signs and the game's own name."""

    def variant_of(self, position: Any) -> str:
        """The variant whose rules a position follows."""


@runtime_checkable
class VariantTags(Protocol):
    """A game some of whose variants are written in records by another name than their own."""

    @property
    def variant_tags(self) -> Mapping[str, str]:
        """What is written in the tag `Variant`, by the names of variants; others stay as they are."""


@runtime_checkable
class Profiles(Protocol):
    """A game whose texts can be read as other readers read them."""

    @property
    def profiles(self) -> tuple[str, ...]:
        """The names of those readers."""

    def with_profile(self, profile: str | None) -> Game:
        """The same game with another reader, None being its own; `ValueError` for one it does not have."""


@runtime_checkable
class PositionData(Protocol):
    """A game whose positions can be given as data."""

    @property
    def data_schema(self) -> Mapping[str, Any]:
        """The JSON schema of the data, an object."""

    def as_data(self, position: Any, text: str) -> dict[str, Any]:
        """A position as JSON-ready data: what is on the board and beside it; `text` is how it is written."""


@runtime_checkable
class DataText(Protocol):
    """A game that can make a position of data alone."""

    def text_of_data(self, data: Mapping[str, Any]) -> str:
        """The text that data says; `ValueError` where it is not of the right shape."""


@runtime_checkable
class Components(Protocol):
    """A game whose texts have fields with names."""

    def component_of(self, finding: Diagnostic) -> str:
        """The name of the field that a finding is about, ``fen`` for the text as a whole."""


@runtime_checkable
class Reporting(Protocol[P]):
    """A game that has its own words for what was found in a text, such as those of its source document."""

    def type_of(self, reading: Reading[P]) -> str:
        """What kind of text was read."""

    def details_of(self, position: P) -> dict[str, Any]:
        """What a position shows, as JSON-ready data."""

    def places_of(self, square: str | None) -> Mapping[str, int]:
        """The numbers in the name of a place that a finding is about; nothing where it has none."""


@runtime_checkable
class Rounds(Protocol[P_contra]):
    """A game that is played in rounds, each of which is scored at its end."""

    def end_round(self, position: P_contra) -> tuple[RoundScore, ...]:
        """What the end of the round that is due here brings each player; nothing where none is due."""


@runtime_checkable
class Foreseeing(Protocol[P_contra, M_contra]):
    """A game that says what a move would score before it is made."""

    def prospect(self, position: P_contra, move: M_contra) -> Prospect | None:
        """What a legal move would bring its player; None for an action that scores nothing."""


@runtime_checkable
class Accounting(Protocol[P_contra]):
    """A game that is won by points and says where they come from."""

    def score_table(self, position: P_contra) -> tuple[ScoreLine, ...]:
        """The points of an ended game line by line; nothing before its end."""


@runtime_checkable
class Overlaying(Protocol[P_contra]):
    """A game with more to see than what stands where: what is covered, and what a piece reaches."""

    def overlays(self, position: P_contra) -> tuple[Overlay, ...]:
        """What can be laid over a picture of the position, each under its name."""

    def reach(self, position: P_contra, square: str) -> tuple[str, ...]:
        """Where what stands on a place could go or capture, whoever is to move; safety aside."""


@runtime_checkable
class NamedPlayers(Protocol):
    """A game whose players have other names for people than the tags of its records."""

    @property
    def player_names(self) -> tuple[str, ...]:
        """What people call the players, in order, such as ``Player 1``."""


@runtime_checkable
class Looks(Protocol):
    """A game whose men can be drawn in several ways, such as with characters or with letters."""

    @property
    def looks(self) -> tuple[str, ...]:
        """The names of the sets of drawings, the usual one first."""

    def with_look(self, look: str) -> Game:
        """The same game with its men drawn otherwise; `ValueError` for a look it does not have."""


@runtime_checkable
class Boards(Protocol):
    """A game whose board can be drawn in several colours."""

    @property
    def boards(self) -> Mapping[str, Mapping[str, Colour]]:
        """The colours of each board by its name, the usual one first: what it changes in the palette."""


@runtime_checkable
class Checking(Protocol[P_contra]):
    """A game in which a side can be in check."""

    def is_check(self, position: P_contra) -> bool:
        """Whether the side to move is in check."""


@runtime_checkable
class Explaining(Protocol[P_contra]):
    """A game that says why a move is not possible."""

    def explain(self, position: P_contra, text: str) -> Hindrance | None:
        """Why a text names no legal move or action here; None where it names one."""

    def why_not(self, position: P_contra, origin: str, target: str, piece: str = "") -> Hindrance | None:
        """Why nothing goes from one place of the scene to another; None where something does.

        `piece` is the symbol of what is meant, where several things lie on a place.
        """


@runtime_checkable
class OpenTurns(Protocol[P_contra]):
    """A game whose turns may take several steps and need not be able to end after each of them."""

    def why_open(self, position: P_contra) -> Hindrance | None:
        """Why the turn that was begun cannot end here; None where none was begun or it can."""


@runtime_checkable
class TwinFields(Protocol):
    """A game whose fields behind the side to move change in their own way when the sides are exchanged."""

    def twin_field(self, field: str) -> str:
        """A field of a canonical text, as it stands in the text with the sides exchanged."""


@runtime_checkable
class Unjudged(Protocol):
    """A game some of whose rules are left to the players, such as who must stop chasing."""

    @property
    def not_judged(self) -> tuple[str, ...]:
        """What the players have to judge themselves, each in a few words."""


def not_judged(game: Game) -> tuple[str, ...]:
    """What the players of a game have to judge themselves; nothing where it judges everything."""
    return game.not_judged if isinstance(game, Unjudged) else ()


def player_names(game: Game) -> tuple[str, ...]:
    """What people call the players of a game: the tags of its records unless it says otherwise."""
    return game.player_names if isinstance(game, NamedPlayers) else game.players


def explain(game: Game, position: Any, text: str) -> Hindrance | None:
    """Why a text names no legal move, where the game says it and knows more than that it is not legal."""
    found = game.explain(position, text) if isinstance(game, Explaining) else None
    return None if found is None or found.code in UNEXPLAINED else found


def drawn_as(game: Game, look: str | None) -> Game:
    """The game with its men drawn in a look, None being the usual one; `ValueError` where it has no such."""
    if look is None:
        return game
    if isinstance(game, Looks):
        return game.with_look(look)
    raise ValueError(f"the men of {game.name} are drawn in one way only")


def on_board(game: Game, scene: Scene, board: str | None) -> Scene:
    """The scene in the colours of a board, None being the usual one; `ValueError` where there is no such."""
    if board is None:
        return scene
    boards = game.boards if isinstance(game, Boards) else {}
    require_choice(f"{game.name} board", board, boards)
    return replace(scene, palette={**scene.palette, **boards[board]})


def require_editable(game: Game[P, M]) -> Editable[P]:
    """The game as one that can edit positions; `ValueError` where it cannot."""
    if isinstance(game, Editable):
        return game
    raise ValueError(f"positions of {game.name} cannot be edited")


def require_columnar(game: Game[P, M], what: str) -> Columnar[P]:
    """The game as one that has columns; `ValueError` that names what was asked for where it has none."""
    if isinstance(game, Columnar):
        return game
    raise ValueError(f"{game.name} has no {what} of its positions")


def historical(game: Game[P, M]) -> Historical[P, M] | None:
    """The game as one whose rules need the past, or None."""
    # Asking for the whole protocol takes longer than most rules; only such games have this.
    return cast("Historical[P, M]", game) if hasattr(game, "outcome_of") else None


def reporting(game: Game[P, M]) -> Reporting[P] | None:
    """The game as one that has its own words for findings, or None."""
    return cast("Reporting[P]", game) if hasattr(game, "details_of") else None


def kernels_of(game: Game) -> Column | None:
    """The game's kernels for whole columns, or None where every row is read by itself."""
    # As above: this is asked for every batch.
    return getattr(game, "column", None)


def as_data(game: Game, position: Any, text: str) -> dict[str, Any]:
    """A position as the data that its game offers; nothing where it offers none."""
    return game.as_data(position, text) if isinstance(game, PositionData) else {}


def component_of(game: Game | None, finding: Diagnostic) -> str:
    """The name of the field that a finding is about; a field that is no number is its own name."""
    if isinstance(finding.field, int) and isinstance(game, Components):
        return game.component_of(finding)
    return str(finding.field or WHOLE)
