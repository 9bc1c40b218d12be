"""Response models. They describe the responses in OpenAPI, and are not used when the service runs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from forsyth.server.request_models import NodeData, Object
from forsyth.server.view_models import (
    FieldData,
    HindranceData,
    MoveData,
    PaletteData,
    PartialView,
    PositionView,
)


class Diagnostic(BaseModel):
    """Diagnostic of a text. `reading_schema` replaces this schema."""


class Issue(BaseModel):
    """Diagnostic in the form of the specification. `reading_schema` replaces this schema."""


class ProblemData(BaseModel):
    """Error response (RFC 9457)."""

    model_config = ConfigDict(extra="allow")

    success: Literal[False]
    error: str
    code: str
    errors: list[Issue]
    status: int
    type: str
    title: str
    detail: str
    diagnostics: Annotated[list[Diagnostic], Field(description="All diagnostics of the refused text.")] = []


class Validation(BaseModel):
    """Result of checking a text: whether it is valid, its format, errors and warnings."""

    model_config = ConfigDict(extra="allow")

    valid: bool
    format: str
    level: str
    game: str | None
    variant: str | None
    details: Object | None
    error: Annotated[str, Field(description="Message of the first error; absent if there is none.")] = ""
    errors: list[Issue]
    warnings: list[Issue]
    diagnostics: list[Diagnostic]
    canonical: str | None
    state_id: str | None


class Validations(BaseModel):
    """Results for many texts, in order."""

    results: list[Validation]


class GameState(BaseModel):
    """Position as data: the fields common to all games, and those of its game."""

    model_config = ConfigDict(extra="allow")

    fen_string: str
    state_id: str
    game: str
    key: str
    side_to_move: str
    move_number: int
    canonical: str
    warnings: list[Diagnostic]


class StateAnswer(BaseModel):
    """Response with a position as data."""

    success: Literal[True]
    game_state: GameState


class StatePut(BaseModel):
    """Text and identifier of a position that was sent as data."""

    success: Literal[True]
    fen_string: str
    state_id: str
    game: str


class CodeData(BaseModel):
    """Code of a diagnostic, with its meaning."""

    code: str
    severity: Literal["error", "warning"]
    stage: str
    summary: str


class GameData(BaseModel):
    """Game: its names, variants, named positions, players, and what can be drawn."""

    name: str
    title: str
    variants: list[str]
    start: str
    names: dict[str, str]
    styles: dict[str, str]
    examples: dict[str, str]
    players: list[str]
    player_names: Annotated[list[str], Field(description="Names of the players for people, in order.")]
    looks: Annotated[list[str], Field(description="Names of the piece sets, if there is a choice.")]
    boards: Annotated[list[str], Field(description="Names of the board colours, if there is a choice.")]
    overlays: Annotated[bool, Field(description="Whether the game has overlays and `/reach`.")]
    not_judged: Annotated[
        list[str], Field(description="Rules that the program does not apply, for the players to judge.")
    ]
    codes: int | list[CodeData]


class IndexData(BaseModel):
    """Opening index of a service: its game and variant, and its numbers of games and positions."""

    game: str
    variant: str
    games: int
    positions: int


class GamesAnswer(BaseModel):
    """Installed games, and the opening index of the service, or null."""

    games: list[GameData]
    index: IndexData | None


class ReadAnswer(BaseModel):
    """Result of reading a text, with everything that a page shows of its position, or null."""

    position: PositionView | None
    """`reading_schema` adds the fields of a reading to this schema."""


class FixAnswer(BaseModel):
    """Repaired text with its diagnostics; `fixed` is null if the text cannot be repaired."""

    text: str
    game: str | None
    variant: str | None
    ok: bool
    fixed: str | None
    diagnostics: list[Diagnostic]


class PartialAnswer(BaseModel):
    """Readable part of an invalid text; `partial` is null if too little of it can be read."""

    game: str | None
    variant: str | None
    partial: PartialView | None


class FieldChange(BaseModel):
    """Field that differs between two texts, with its value in each."""

    field: str
    a: str
    b: str


class SquareChange(BaseModel):
    """Square that differs between two positions, with its content in each."""

    square: str
    a: str
    b: str


class DiffAnswer(BaseModel):
    """Differences between two positions of one game."""

    game: str
    variant: str
    same: bool
    fields: list[FieldChange]
    squares: list[SquareChange]


class ConvertAnswer(BaseModel):
    """Text in another form; `result` is null if the text contains no position."""

    text: str
    game: str | None
    variant: str | None
    ok: bool
    result: str | None
    diagnostics: list[Diagnostic]


class FenConvertAnswer(BaseModel):
    """Text in another form, with the field names of the specification."""

    success: Literal[True]
    result: str


class FormsAnswer(BaseModel):
    """Position in every form; null for a form that cannot hold it."""

    forms: dict[str, str | None]


class MovesAnswer(BaseModel):
    """Legal moves and actions of a position; empty if the position is illegal."""

    text: str
    game: str | None
    variant: str | None
    ok: bool
    moves: list[MoveData]
    actions: list[str]


class LegalMovesAnswer(BaseModel):
    """Legal moves of a position, with the field names of the specification."""

    success: Literal[True]
    current_player: int
    count: int
    moves: list[str]


class MoveAnswer(BaseModel):
    """Legal move that a text names, in canonical notation, or the reason why it names none."""

    move: str | None
    error: str
    candidates: list[str]
    why: HindranceData | None


class ExplainAnswer(BaseModel):
    """Reason why no move leads from one square to another; null if there is one."""

    why: HindranceData | None


class ReachAnswer(BaseModel):
    """Squares that a piece could move to or capture on."""

    cells: list[str]


class PlayAnswer(BaseModel):
    """Move that was played, and the position after it."""

    success: Literal[True]
    game: str
    move: str
    after: str
    position: PositionView


class RecordAnswer(BaseModel):
    """Record that was read, up to its first illegal move if there is one."""

    ok: bool
    game: str | None
    variant: str | None
    tags: dict[str, str]
    start: str | None
    moves: list[str]
    line: list[NodeData]
    comments: list[str]
    result: str | None
    diagnostics: list[Diagnostic]


class RecordEntry(BaseModel):
    """Record in a list, with its tags, result and number of moves."""

    text: str
    game: str | None
    ok: bool
    tags: dict[str, str]
    result: str | None
    plies: int


class RecordListAnswer(BaseModel):
    """Records in a text; `more` is true if the text contains further records."""

    records: list[RecordEntry]
    more: bool


class RecordWritten(BaseModel):
    """Response with a record as text."""

    record: str


class EditAnswer(BaseModel):
    """Position after a change, with the pieces and fields that an editor offers."""

    text: str
    diagnostics: list[Diagnostic]
    position: PositionView
    palette: list[PaletteData]
    fields: list[FieldData]


class PlayedMove(BaseModel):
    """Move that was played in a position, with its results for the side to move."""

    move: str
    games: int
    wins: int
    draws: int
    losses: int
    rating: int | None


class PlayerData(BaseModel):
    """Player of a game; null for what the record does not contain."""

    name: str | None
    rating: int | None


class IndexedGame(BaseModel):
    """Game in the opening index; null for what its record does not contain."""

    game: int
    players: list[PlayerData]
    result: str
    date: str | None
    event: str | None
    site: str | None
    round: str | None
    plies: int


class ExploreAnswer(BaseModel):
    """Moves played in a position with their results; empty if no game contains the position."""

    text: str
    game: str
    variant: str
    key: str
    side: str
    games: int
    wins: int
    draws: int
    losses: int
    ended: int
    moves: list[PlayedMove]
    latest: list[IndexedGame]
    strongest: list[IndexedGame]


class StateText(BaseModel):
    """Text of a position, and its identifier."""

    state_id: str
    fen_string: str
    game: str | None


class PositionsAnswer(BaseModel):
    """Named positions of a game."""

    game: str
    positions: dict[str, str]


class SavedData(BaseModel):
    """Saved position of the library."""

    id: str
    state_id: str
    game: str
    text: str
    name: str
    tags: list[str]
    note: str
    created: str
    updated: str


class LibraryPage(BaseModel):
    """Page of saved positions, newest first; `next` is the cursor of the next page, or null."""

    positions: list[SavedData]
    next: str | None
    total: int


class Deleted(BaseModel):
    """Confirmation that a saved position was removed."""

    success: Literal[True]
    id: str


class Created(BaseModel):
    """New game, with the field names of the specification."""

    success: Literal[True]
    game: str
    fen_string: str
    fen_v2: str | None
    state_id: str
    game_state: GameState


class Executed(BaseModel):
    """Result of a move, with the field names of the specification."""

    success: Literal[True]
    new_fen: str
    new_fen_v2: str | None
    new_game_state: GameState
    move_executed: str
    placements: list[Object]
    penalties: list[int]
    scores: list[int]
    round_over: bool
    game_over: bool
    winners: list[int]


class Health(BaseModel):
    """Status and version of the service."""

    status: Literal["healthy"]
    version: str


class VersionAnswer(BaseModel):
    """Version of the service, whether it is compiled, and the installed games."""

    version: str
    compiled: bool
    games: list[str]
