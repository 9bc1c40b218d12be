"""The shapes of requests and answers. Requests are checked against them; answers are described by them.

Accepted: fields of exactly the type named; fields that are not named are ignored. A text may have any length
that fits in a body: its game bounds it, and says so as a finding.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from forsyth.limits import MAX_MOVE_TEXT, MAX_NAME, MAX_NOTE, MAX_TAG, MAX_TAGS
from forsyth.resolver import Choice

MOST_TEXTS: Final = 1000
"""Most texts of one validate-fen call (spec/azul 10.4)."""

MOST_MOVES: Final = 5000
"""Most moves of a match in one request: they are played anew each time, and a second is long for a page."""

MOST_TAGS: Final = 64
"""Most tags of a record in one request."""

_CHESS: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_BROKEN: Final = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_TILES: Final = (
    "BYRK|WBYR|KWBY|RKWB|YRKW/BYRKW/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-"
    "/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/0,0/1/0"
)

Text = Annotated[str, Field(description="A position text in any form.", examples=[_CHESS])]
GameName = Annotated[
    str | None, Field(description="The game; detected from the text by default.", examples=["chess"])
]
Variant = Annotated[str | None, Field(description="A variant of the game, or auto.", examples=["standard"])]
Profile = Annotated[
    str | None,
    Field(
        description="Read as another reader does; seed: as the source document of chess, to the letter.",
        examples=["seed"],
    ),
]
Theme = Literal["light", "dark", "auto"]
MoveText = Annotated[str, Field(max_length=MAX_MOVE_TEXT)]
Object = dict[str, Any]


class Request(BaseModel):
    """What every request has in common: its types are taken at their word."""

    model_config = ConfigDict(strict=True)


class ChoosingRequest(Request):
    """A request with a text, and who is to read it."""

    game: GameName = None
    variant: Variant = None
    profile: Profile = None

    @property
    def choice(self) -> Choice:
        """The three of them in one."""
        return Choice(self.game, self.variant, self.profile)


class ValidateRequest(ChoosingRequest):
    """One text, or many."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"fen_string": _TILES}]})

    fen_string: str | None = None
    fen_strings: Annotated[list[str], Field(max_length=MOST_TEXTS)] | None = None
    level: Literal["format", "content", "strict"] = "content"


class FenRequest(ChoosingRequest):
    """A text in the field that the source document names."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"fen_string": _TILES}]})

    fen_string: str


class StateData(Request):
    """A position as data, as game_state answers it."""

    game_state: Object


class TextRequest(ChoosingRequest):
    """A text, and who is to read it."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _CHESS}]})

    text: Text


class ReadRequest(TextRequest):
    """A text to be read, checked and drawn."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _BROKEN}]})

    mode: Literal["strict", "default", "lenient"] = "default"
    form: Literal["plain", "state", "base64", "fenz", "url", "name"] | None = None
    theme: Theme = "auto"
    flip: bool = False
    marks: bool = True


class FixRequest(TextRequest):
    """A text to be repaired; `least` is how sure a fix must be to be tried."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"text": _BROKEN, "least": "guess"}]}
    )

    least: Literal["certain", "likely", "guess"] | None = None


class ConvertRequest(TextRequest):
    """A text to be written in another form or style."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _CHESS, "to": "fenz"}]})

    to: str


class FenConvertRequest(FenRequest):
    """The same in the words of the specification."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"fen_string": _TILES, "to": "compressed"}]}
    )

    to: str


class PlayRequest(TextRequest):
    """A move to be played in a position."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _CHESS, "move": "e4"}]})

    move: MoveText
    theme: Theme = "auto"
    flip: bool = False


class MatchRequest(ChoosingRequest):
    """A match by its moves: undo is one fewer, `at` shows an earlier position."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"game": "chess", "moves": ["e4", "e5"], "move": "Nf3"}]}
    )

    game: str
    start: Text | None = None
    moves: Annotated[list[MoveText], Field(max_length=MOST_MOVES)] = []
    move: MoveText | None = None
    theme: Theme = "auto"
    flip: bool = False
    at: Annotated[int, Field(ge=0)] | None = None


class RecordRequest(Request):
    """A record of one game as text."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"record": "1. e4 e5 2. Nf3 *", "game": "chess"}]}
    )

    record: str
    game: GameName = None
    profile: Profile = None


class RecordWriteRequest(ChoosingRequest):
    """A match to be written as a record."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={
            "examples": [{"game": "chess", "moves": ["e4", "e5"], "tags": {"White": "Anna"}, "result": "1-0"}]
        },
    )

    game: str
    start: Text | None = None
    moves: Annotated[list[MoveText], Field(max_length=MOST_MOVES)] = []
    tags: Annotated[dict[str, str], Field(max_length=MOST_TAGS)] = {}
    result: str | None = None


class PutPiece(Request):
    """A place of the scene and what to put there; null clears it."""

    square: str
    symbol: str | None


class MovePiece(Request):
    """What stands on one place, to be put on another."""

    from_: Annotated[str, Field(alias="from")]
    to: str


class SetField(Request):
    """Another value of something that is not on the board."""

    name: str
    value: str | int


class EditRequest(TextRequest):
    """A change to a position that may be illegal; without one the editor's view of it."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={"examples": [{"text": _CHESS, "put": {"square": "e4", "symbol": "Q"}}]},
    )

    put: PutPiece | None = None
    move: MovePiece | None = None
    field: SetField | None = None
    theme: Theme = "auto"
    flip: bool = False


class NewRequest(Request):
    """How a new game begins: a variant or a number of players, a seed, a text or who begins."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"seed": 7}]})

    variant: Variant = None
    profile: Profile = None
    players: int | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    start: str | int | None = None
    theme: Theme = "auto"
    flip: bool = False


class CreateRequest(Request):
    """A new game in the words of the specification."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"player_count": 2, "seed": 7}]})

    game: str = "azul"
    player_count: int | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    start: int | None = None


class MoveParts(Request):
    """A move by its parts (spec/azul 10.4)."""

    source: int | str
    color: str
    line: int | str


class ExecuteRequest(FenRequest):
    """A move in the words of the specification; `auto` also does what follows by itself."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"fen_string": _TILES, "move": "0B2"}]}
    )

    move: MoveText | MoveParts
    auto: bool = False
    draw: Annotated[list[str], Field(max_length=16)] | None = None


class SaveRequest(TextRequest):
    """A position for the library."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={"examples": [{"text": _CHESS, "name": "The start", "tags": ["opening"]}]},
    )

    name: Annotated[str, Field(max_length=MAX_NAME)]
    tags: Annotated[list[Annotated[str, Field(max_length=MAX_TAG)]], Field(max_length=MAX_TAGS)] = []
    note: Annotated[str, Field(max_length=MAX_NOTE)] = ""


class ChangeRequest(Request):
    """What to change of a saved position; what is left out stays."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"name": "Another name"}]})

    name: Annotated[str, Field(max_length=MAX_NAME)] | None = None
    tags: Annotated[list[Annotated[str, Field(max_length=MAX_TAG)]], Field(max_length=MAX_TAGS)] | None = None
    note: Annotated[str, Field(max_length=MAX_NOTE)] | None = None


# --- answers ------------------------------------------------------------------------------------------


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
    not_judged: Annotated[list[str], Field(description="Rules that are left to the players.")]
    codes: int | list[CodeData]


class GamesAnswer(BaseModel):
    """Every game there is."""

    games: list[GameData]


class MoveData(BaseModel):
    """One legal move."""

    move: str
    lan: str
    from_: Annotated[str | None, Field(alias="from")]
    to: str | None
    flags: str
    captured: str | None
    after: str
    piece: str


class OutcomeData(BaseModel):
    """How a game ended."""

    result: str
    reason: str


class PositionView(BaseModel):
    """Everything a page shows of a position."""

    text: str
    canonical: str
    game: str
    variant: str
    title: str
    state_id: str
    key: str
    side_to_move: str
    move_number: int
    outcome: OutcomeData | None
    claims: list[str]
    moves: list[MoveData]
    actions: list[str]
    svg: str
    description: str


class Played(BaseModel):
    """One move of a match."""

    number: int
    player: int
    move: str
    after: str
    from_: Annotated[str | None, Field(alias="from")]
    to: str | None


class MatchView(PositionView):
    """A position with its past."""

    start: str
    history: list[Played]
    result: str
    record: str
    at: int


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
    result: str | None
    diagnostics: list[Diagnostic]


class RecordWritten(BaseModel):
    """A record as text."""

    record: str


class PaletteData(BaseModel):
    """Something that can be put on the board."""

    symbol: str
    label: str
    group: str
    svg: str


class ChoiceData(BaseModel):
    """A value a field may have."""

    value: str
    label: str


class FieldData(BaseModel):
    """Something of a position that is not on the board."""

    name: str
    label: str
    value: str
    kind: Literal["choice", "number", "flags", "text"]
    choices: list[ChoiceData]


class EditAnswer(BaseModel):
    """The position after a change."""

    text: str
    diagnostics: list[Diagnostic]
    position: PositionView
    palette: list[PaletteData]
    fields: list[FieldData]


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
