"""Request models, which the bodies of requests are validated against.

The value of a field must have exactly the declared type, and unknown fields are refused. A position text may
be sent as `fen_string`, its name in the source document, in place of `text` or `start`. The models do not
limit the length of a position text: a game reports a text that is too long as a diagnostic.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from forsyth.limits import MAX_MOVE_TEXT, MAX_NAME, MAX_NOTE, MAX_TAG, MAX_TAGS
from forsyth.record.notation import Notation
from forsyth.resolver import GameChoice

MAX_TEXTS: Final = 1000
"""Maximum number of texts in one validate-fen request (spec/azul 10.4)."""

MAX_MOVES: Final = 5000
"""Maximum number of moves in one request. All are replayed for each request, which takes up to a second."""

MAX_RECORD_TAGS: Final = 64
"""Maximum number of record tags in one request."""

_CHESS: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_BROKEN: Final = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_TILES: Final = (
    "BYRK|WBYR|KWBY|RKWB|YRKW/BYRKW/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-"
    "/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/0,0/1/0"
)

FEN_FIELD: Final = "fen_string"
"""Name of a position text in the source document, accepted wherever a request contains one text."""

Text = Annotated[str, Field(description="Position text in any form.", examples=[_CHESS])]
Start = Annotated[Text | None, Field(validation_alias=AliasChoices("start", FEN_FIELD))]
GameName = Annotated[
    str | None, Field(description="Game of the text (default: detected).", examples=["chess"])
]
Variant = Annotated[str | None, Field(description="Variant of the game, or `auto`.", examples=["standard"])]
Profile = Annotated[
    str | None,
    Field(
        description="Profile of another parser whose rules to apply. `seed` is that of the source document "
        "of chess, which takes the text literally.",
        examples=["seed"],
    ),
]
Theme = Literal["light", "dark", "auto"]
LookName = Annotated[
    str | None,
    Field(
        max_length=MAX_NAME,
        description="Piece set of the game (default: its first).",
    ),
]
BoardName = Annotated[
    str | None,
    Field(max_length=MAX_NAME, description="Board colours of the game (default: its first)."),
]
MoveText = Annotated[str, Field(max_length=MAX_MOVE_TEXT)]
Object = dict[str, Any]


class Request(BaseModel):
    """Base of all request models; values must have exactly the declared type, unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid")


class ChoosingRequest(Request):
    """Base of the requests that name a game, variant and profile."""

    game: GameName = None
    variant: Variant = None
    profile: Profile = None

    @property
    def choice(self) -> GameChoice:
        """Game, variant and profile of the request."""
        return GameChoice(self.game, self.variant, self.profile)


class ValidateRequest(ChoosingRequest):
    """One text (`fen_string`), or many (`fen_strings`), to be checked."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"fen_string": _TILES}]})

    fen_string: str | None = None
    fen_strings: Annotated[list[str], Field(max_length=MAX_TEXTS)] | None = None
    level: Literal["format", "content", "strict"] = "content"


class FenRequest(ChoosingRequest):
    """Position text in the field `fen_string` of the source document."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"fen_string": _TILES}]})

    fen_string: str


class StateData(Request):
    """Position as data, as game_state returns it."""

    game_state: Object


class TextRequest(ChoosingRequest):
    """Position text, with its game, variant and profile. The text may also be named `fen_string`."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _CHESS}]})

    text: Annotated[Text, Field(validation_alias=AliasChoices("text", FEN_FIELD))]


class ReadRequest(TextRequest):
    """Text to be read, checked and drawn."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _BROKEN}]})

    mode: Literal["strict", "default", "lenient"] = "default"
    form: Literal["plain", "state", "base64", "fenz", "url", "name"] | None = None
    theme: Theme = "auto"
    flip: bool = False
    look: LookName = None
    board: BoardName = None
    marks: bool = True


class FixRequest(TextRequest):
    """Text to be repaired; `least` is the lowest confidence of the fixes that are applied."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"text": _BROKEN, "least": "guess"}]}
    )

    least: Literal["certain", "likely", "guess"] | None = None


class PartialRequest(TextRequest):
    """Invalid text, whose readable part is to be drawn."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _BROKEN}]})

    theme: Theme = "auto"
    flip: bool = False
    look: LookName = None
    board: BoardName = None


class DiffRequest(ChoosingRequest):
    """Two texts of one game, to be compared."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"a": _CHESS, "b": _CHESS}]})

    a: Text
    b: Text


class ConvertRequest(TextRequest):
    """Text to be written in another form or style (`to`)."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _CHESS, "to": "fenz"}]})

    to: str


class FenConvertRequest(FenRequest):
    """Text to be written in another form, with the field names of the specification."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"fen_string": _TILES, "to": "compressed"}]}
    )

    to: str


class MoveRequest(TextRequest):
    """Position, and a move to be read in it."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _CHESS, "move": "e2e4"}]})

    move: MoveText


class ExplainRequest(TextRequest):
    """Two squares between which there is no legal move, and the piece that should move."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"text": _CHESS, "from": "a1", "to": "a5"}]}
    )

    origin: Annotated[str, Field(alias="from", max_length=MAX_NAME)]
    target: Annotated[str, Field(alias="to", max_length=MAX_NAME)]
    piece: Annotated[
        str, Field(max_length=MAX_NAME, description="Symbol of the piece, if there are several on `from`.")
    ] = ""


class ReachRequest(TextRequest):
    """Square of the piece whose reach is requested."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _CHESS, "square": "a1"}]})

    square: Annotated[str, Field(max_length=MAX_NAME)]


class PlayRequest(TextRequest):
    """Position, and a move to be played in it."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _CHESS, "move": "e4"}]})

    move: MoveText
    theme: Theme = "auto"
    flip: bool = False
    look: LookName = None
    board: BoardName = None


class MatchRequest(ChoosingRequest):
    """Moves of a match. `at` is the number of moves after which the position is shown."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"game": "chess", "moves": ["e4", "e5"], "move": "Nf3"}]}
    )

    game: str
    start: Start = None
    moves: Annotated[list[MoveText], Field(max_length=MAX_MOVES)] = []
    move: MoveText | None = None
    theme: Theme = "auto"
    flip: bool = False
    look: LookName = None
    board: BoardName = None
    at: Annotated[int, Field(ge=0)] | None = None


class RecordRequest(Request):
    """Text with one record or more."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"record": "1. e4 e5 2. Nf3 *", "game": "chess"}]}
    )

    record: str
    game: GameName = None
    profile: Profile = None


class NodeData(Request):
    """Move of a record, with comments before and after it, and the variations that replace it."""

    move: MoveText
    number: Annotated[int, Field(description="Move number; only in responses.")] = 0
    player: Annotated[int, Field(description="Index of the player; only in responses.")] = 0
    step: Annotated[
        bool,
        Field(description="Whether the move continues the turn of the previous move; only in responses."),
    ] = False
    action: Annotated[
        str | None, Field(description="Name of the action, if the move is one; only in responses.")
    ] = None
    nags: Annotated[
        list[Annotated[int, Field(ge=0, le=255)]], Field(description="Numeric annotation glyphs (NAG).")
    ] = []
    before: list[str] = []
    after: list[str] = []
    variations: list[list[NodeData]] = []


class RecordWriteRequest(ChoosingRequest):
    """Match to be written as a record. `line`, a tree of moves with variations, replaces `moves`."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={
            "examples": [{"game": "chess", "moves": ["e4", "e5"], "tags": {"White": "Anna"}, "result": "1-0"}]
        },
    )

    game: str
    start: Start = None
    moves: Annotated[list[MoveText], Field(max_length=MAX_MOVES)] = []
    line: Annotated[list[NodeData], Field(max_length=MAX_MOVES)] | None = None
    comments: list[str] = []
    tags: Annotated[dict[str, str], Field(max_length=MAX_RECORD_TAGS)] = {}
    result: str | None = None
    notation: Annotated[Notation, Field(description="Notation of the moves. Not every game has UCI.")] = (
        "canonical"
    )
    source: Annotated[
        str | None,
        Field(description="Text that the record was read from. Unchanged parts are copied from it."),
    ] = None


class PutPiece(Request):
    """Square, and the symbol of the piece to put on it; null clears the square."""

    square: str
    symbol: str | None


class MovePiece(Request):
    """Square of a piece, and the square to move it to."""

    from_: Annotated[str, Field(alias="from")]
    to: str


class SetField(Request):
    """Name of a field that is not on the board, and its new value."""

    name: str
    value: str | int


class EditRequest(TextRequest):
    """Changes to a position, which may be illegal. Without changes, the position is returned as it is."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={"examples": [{"text": _CHESS, "put": {"square": "e4", "symbol": "Q"}}]},
    )

    put: PutPiece | None = None
    move: MovePiece | None = None
    field: SetField | None = None
    clear: Annotated[bool, Field(description="Remove all pieces from the board.")] = False
    theme: Theme = "auto"
    flip: bool = False
    look: LookName = None
    board: BoardName = None
    marks: bool = True


class NewRequest(Request):
    """Options of a new game. `start` is a position text, or the index of the player who begins."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"seed": 7}]})

    variant: Variant = None
    profile: Profile = None
    players: int | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    start: Annotated[str | int | None, Field(validation_alias=AliasChoices("start", FEN_FIELD))] = None
    theme: Theme = "auto"
    flip: bool = False
    look: LookName = None
    board: BoardName = None


class CreateRequest(Request):
    """Options of a new game, with the field names of the specification."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"player_count": 2, "seed": 7}]})

    game: str = "azul"
    player_count: int | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    start: int | None = None


class MoveParts(Request):
    """Move given by its source, colour and line (spec/azul 10.4)."""

    source: int | str
    color: str
    line: int | str


class ExecuteRequest(FenRequest):
    """Move to be played. With `auto`, the automatic steps that follow are played too."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"fen_string": _TILES, "move": "0B2"}]}
    )

    move: MoveText | MoveParts
    auto: bool = False
    draw: Annotated[list[str], Field(max_length=16)] | None = None


class SaveRequest(TextRequest):
    """Position to be saved in the library."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={"examples": [{"text": _CHESS, "name": "The start", "tags": ["opening"]}]},
    )

    name: Annotated[str, Field(max_length=MAX_NAME)]
    tags: Annotated[list[Annotated[str, Field(max_length=MAX_TAG)]], Field(max_length=MAX_TAGS)] = []
    note: Annotated[str, Field(max_length=MAX_NOTE)] = ""


class ChangeRequest(Request):
    """Changes to a saved position. Fields that are left out do not change."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"name": "Another name"}]})

    name: Annotated[str, Field(max_length=MAX_NAME)] | None = None
    tags: Annotated[list[Annotated[str, Field(max_length=MAX_TAG)]], Field(max_length=MAX_TAGS)] | None = None
    note: Annotated[str, Field(max_length=MAX_NOTE)] | None = None
