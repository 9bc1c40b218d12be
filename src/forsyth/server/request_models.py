"""The shapes of requests: what is sent is checked against them.

Accepted: fields of exactly the type named; fields that are not named are ignored. A text may have any length
that fits in a body: its game bounds it, and says so as a finding.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from forsyth.limits import MAX_MOVE_TEXT, MAX_NAME, MAX_NOTE, MAX_TAG, MAX_TAGS
from forsyth.record.notation import Notation
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
MenLook = Annotated[
    str | None,
    Field(
        max_length=MAX_NAME,
        description="How men are drawn: a look of the game, the first by default.",
    ),
]
BoardName = Annotated[
    str | None,
    Field(max_length=MAX_NAME, description="The colours of the board, the first of the game by default."),
]
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
    look: MenLook = None
    board: BoardName = None
    marks: bool = True


class FixRequest(TextRequest):
    """A text to be repaired; `least` is how sure a fix must be to be tried."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"text": _BROKEN, "least": "guess"}]}
    )

    least: Literal["certain", "likely", "guess"] | None = None


class PartialRequest(TextRequest):
    """A text that is no position, to be drawn as far as it could be read."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _BROKEN}]})

    theme: Theme = "auto"
    flip: bool = False
    look: MenLook = None


class DiffRequest(ChoosingRequest):
    """Two texts of one game to be compared."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"a": _CHESS, "b": _CHESS}]})

    a: Text
    b: Text


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


class MoveRequest(TextRequest):
    """A move to be read in a position."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _CHESS, "move": "e2e4"}]})

    move: MoveText


class ExplainRequest(TextRequest):
    """Two places of the scene between which nothing goes, and what is meant to."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"text": _CHESS, "from": "a1", "to": "a5"}]}
    )

    origin: Annotated[str, Field(alias="from", max_length=MAX_NAME)]
    target: Annotated[str, Field(alias="to", max_length=MAX_NAME)]
    piece: Annotated[str, Field(max_length=MAX_NAME, description="The symbol of what is meant.")] = ""


class ReachRequest(TextRequest):
    """A place whose piece is asked about."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _CHESS, "square": "a1"}]})

    square: Annotated[str, Field(max_length=MAX_NAME)]


class PlayRequest(TextRequest):
    """A move to be played in a position."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": _CHESS, "move": "e4"}]})

    move: MoveText
    theme: Theme = "auto"
    flip: bool = False
    look: MenLook = None
    board: BoardName = None


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
    look: MenLook = None
    board: BoardName = None
    at: Annotated[int, Field(ge=0)] | None = None


class RecordRequest(Request):
    """A record of one game as text."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"record": "1. e4 e5 2. Nf3 *", "game": "chess"}]}
    )

    record: str
    game: GameName = None
    profile: Profile = None


class NodeData(Request):
    """One move of a record: what is said around it, and the lines that could replace it."""

    move: MoveText
    number: Annotated[int, Field(description="The number a record gives it; said in answers.")] = 0
    player: Annotated[int, Field(description="The index of who plays it; said in answers.")] = 0
    step: Annotated[
        bool, Field(description="A further step of the turn of the move before; said in answers.")
    ] = False
    action: Annotated[str | None, Field(description="Its name if it is an action; said in answers.")] = None
    nags: Annotated[list[Annotated[int, Field(ge=0, le=255)]], Field(description="Glyphs.")] = []
    before: list[str] = []
    after: list[str] = []
    variations: list[list[NodeData]] = []


class RecordWriteRequest(ChoosingRequest):
    """A match to be written as a record; a `line` is a whole tree in place of `moves`."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={
            "examples": [{"game": "chess", "moves": ["e4", "e5"], "tags": {"White": "Anna"}, "result": "1-0"}]
        },
    )

    game: str
    start: Text | None = None
    moves: Annotated[list[MoveText], Field(max_length=MOST_MOVES)] = []
    line: Annotated[list[NodeData], Field(max_length=MOST_MOVES)] | None = None
    comments: list[str] = []
    tags: Annotated[dict[str, str], Field(max_length=MOST_TAGS)] = {}
    result: str | None = None
    notation: Annotated[Notation, Field(description="How moves are written; not every game has UCI.")] = (
        "canonical"
    )
    source: Annotated[
        str | None,
        Field(description="The text that was edited: what it still says stays as it stands there."),
    ] = None


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
    clear: Annotated[bool, Field(description="Take everything off the board.")] = False
    theme: Theme = "auto"
    flip: bool = False
    look: MenLook = None
    board: BoardName = None
    marks: bool = True


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
    look: MenLook = None
    board: BoardName = None


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
