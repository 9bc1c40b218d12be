"""The shapes of answers: the description of the service is made of them."""

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
    """One finding: `reading_schema` describes it."""


class Issue(BaseModel):
    """One finding in the words of the specification: `reading_schema` describes it."""


class ProblemData(BaseModel):
    """A refusal (RFC 9457)."""

    model_config = ConfigDict(extra="allow")

    success: Literal[False]
    error: str
    code: str
    errors: list[Issue]
    status: int
    type: str
    title: str
    detail: str
    diagnostics: Annotated[
        list[Diagnostic], Field(description="All findings, of a text that was refused.")
    ] = []


class Validation(BaseModel):
    """What a text is and whether it is valid."""

    model_config = ConfigDict(extra="allow")

    valid: bool
    format: str
    level: str
    game: str | None
    details: Object | None
    error: Annotated[str, Field(description="The first error's message, where there is one.")] = ""
    errors: list[Issue]
    warnings: list[Issue]
    diagnostics: list[Diagnostic]
    canonical: str | None
    state_id: str | None


class Validations(BaseModel):
    """The answers to many texts, in order."""

    results: list[Validation]


class GameState(BaseModel):
    """A position as data: what every game has; beside it stands what its own game has."""

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
    """A position as data."""

    success: Literal[True]
    game_state: GameState


class StatePut(BaseModel):
    """Data that became a text."""

    success: Literal[True]
    fen_string: str
    state_id: str
    game: str


class CodeData(BaseModel):
    """A code of findings."""

    code: str
    severity: Literal["error", "warning"]
    stage: str
    summary: str


class GameData(BaseModel):
    """What there is to know about a game."""

    name: str
    title: str
    variants: list[str]
    start: str
    names: dict[str, str]
    styles: dict[str, str]
    examples: dict[str, str]
    players: list[str]
    player_names: Annotated[list[str], Field(description="What people call the players, in order.")]
    looks: Annotated[list[str], Field(description="How its men can be drawn, where there is a choice.")]
    boards: Annotated[list[str], Field(description="The colours of its board, where there is a choice.")]
    overlays: Annotated[bool, Field(description="Whether it has overlays, and knows what a piece reaches.")]
    not_judged: Annotated[list[str], Field(description="Rules that are left to the players.")]
    codes: int | list[CodeData]


class IndexData(BaseModel):
    """The index that a service has: of which game and variant, of how many games and positions."""

    game: str
    variant: str
    games: int
    positions: int


class GamesAnswer(BaseModel):
    """Every game there is; `index` is null where the service has none."""

    games: list[GameData]
    index: IndexData | None


class ReadAnswer(BaseModel):
    """A reading and, where there is a position, what to show of it."""

    position: PositionView | None
    """Beside it stands a reading: `reading_schema` describes it."""


class FixAnswer(BaseModel):
    """A text repaired; `fixed` is null where that was refused."""

    text: str
    game: str | None
    ok: bool
    fixed: str | None
    diagnostics: list[Diagnostic]


class PartialAnswer(BaseModel):
    """What could be read of a text that is no position; null where too little could."""

    game: str | None
    partial: PartialView | None


class FieldChange(BaseModel):
    """A field that differs, and what it is in each text."""

    field: str
    a: str
    b: str


class SquareChange(BaseModel):
    """A square that differs, and what stands there in each text."""

    square: str
    a: str
    b: str


class DiffAnswer(BaseModel):
    """What differs between two positions of one game."""

    game: str
    same: bool
    fields: list[FieldChange]
    squares: list[SquareChange]


class ConvertAnswer(BaseModel):
    """A text in another form; `result` is null where it could not be read."""

    text: str
    game: str | None
    ok: bool
    result: str | None
    diagnostics: list[Diagnostic]


class FenConvertAnswer(BaseModel):
    """The same in the words of the specification."""

    success: Literal[True]
    result: str


class FormsAnswer(BaseModel):
    """A position in every form, null where one cannot hold it."""

    forms: dict[str, str | None]


class MovesAnswer(BaseModel):
    """The legal moves of a position that is ok."""

    text: str
    game: str | None
    ok: bool
    moves: list[MoveData]
    actions: list[str]


class LegalMovesAnswer(BaseModel):
    """The same in the words of the specification."""

    success: Literal[True]
    current_player: int
    count: int
    moves: list[str]


class MoveAnswer(BaseModel):
    """The move that a text names in its canonical spelling, or why it names none."""

    move: str | None
    error: str
    candidates: list[str]
    why: HindranceData | None


class ExplainAnswer(BaseModel):
    """Why nothing goes from one place to another; null where something does."""

    why: HindranceData | None


class ReachAnswer(BaseModel):
    """Where something could go or capture."""

    cells: list[str]


class PlayAnswer(BaseModel):
    """The position after a move."""

    success: Literal[True]
    game: str
    move: str
    after: str
    position: PositionView


class RecordAnswer(BaseModel):
    """A record that was read; after a bad move, the record up to it."""

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
    """One of many records."""

    text: str
    game: str | None
    ok: bool
    tags: dict[str, str]
    result: str | None
    plies: int


class RecordListAnswer(BaseModel):
    """The records of a text; `more` says whether the list had to end before them."""

    records: list[RecordEntry]
    more: bool


class RecordWritten(BaseModel):
    """A record as text."""

    record: str


class EditAnswer(BaseModel):
    """The position after a change."""

    text: str
    diagnostics: list[Diagnostic]
    position: PositionView
    palette: list[PaletteData]
    fields: list[FieldData]


class PlayedMove(BaseModel):
    """One move that was played; wins, draws and losses are those of who moves."""

    move: str
    games: int
    wins: int
    draws: int
    losses: int
    rating: int | None


class PlayerData(BaseModel):
    """Who played a game, as far as its record says it."""

    name: str | None
    rating: int | None


class IndexedGame(BaseModel):
    """One game of an index, as far as its record says it."""

    game: int
    players: list[PlayerData]
    result: str
    date: str | None
    event: str | None
    site: str | None
    round: str | None
    plies: int


class ExploreAnswer(BaseModel):
    """What was played in a position: nothing where no game reached it."""

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
    """A text and its identifier."""

    state_id: str
    fen_string: str
    game: str | None


class PositionsAnswer(BaseModel):
    """The named positions of a game."""

    game: str
    positions: dict[str, str]


class SavedData(BaseModel):
    """One saved position."""

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
    """Some of the saved positions, newest first."""

    positions: list[SavedData]
    next: str | None
    total: int


class Deleted(BaseModel):
    """That a saved position is gone."""

    success: Literal[True]
    id: str


class Created(BaseModel):
    """A new game in the words of the specification."""

    success: Literal[True]
    game: str
    fen_string: str
    fen_v2: str | None
    state_id: str
    game_state: GameState


class Executed(BaseModel):
    """What a move brought, in the words of the specification."""

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
    """That the service answers."""

    status: Literal["healthy"]
    version: str


class VersionAnswer(BaseModel):
    """Which version answers, and how it was built."""

    version: str
    compiled: bool
    games: list[str]
