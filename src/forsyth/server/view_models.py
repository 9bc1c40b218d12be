"""Response models for a position: its scene, its moves, its outcome, and what an editor can change."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class HindranceData(BaseModel):
    """Reason why a move is not possible."""

    code: str
    message: str
    squares: list[str]


class OverlayData(BaseModel):
    """Set of squares that can be shown over the board, such as an air defence zone."""

    name: str
    owner: str
    cells: list[str]


class ScoreLineData(BaseModel):
    """Line of the final score, with a number for each player."""

    label: str
    values: list[int]


class ProspectData(BaseModel):
    """Points that a move would score."""

    points: int
    words: str


class TokenData(BaseModel):
    """Piece, or another object on a square."""

    symbol: str
    label: str
    owner: str
    count: int


class MoveData(BaseModel):
    """Legal move."""

    move: str
    lan: str
    from_: Annotated[str | None, Field(alias="from")]
    to: str | None
    flags: str
    captured: str | None
    after: str
    piece: str
    becomes: Annotated[
        list[TokenData],
        Field(
            description="Pieces on `to` after the move. Present only if several moves have the same piece, "
            "`from` and `to`."
        ),
    ] = []
    prospect: Annotated[
        ProspectData | None, Field(description="Points of the move, if the game can predict them.")
    ] = None


class OutcomeData(BaseModel):
    """Result of a game, and the reason for it."""

    result: str
    reason: str


class CellData(BaseModel):
    """Square of the board with its pieces, the lowest first, and a note about it."""

    id: str
    tokens: list[TokenData] = []
    note: str = ""
    label: Annotated[
        str, Field(description="Name of the square for people. Without one, its id is used.")
    ] = ""


class AreaData(BaseModel):
    """Part of the board."""

    name: str
    cells: list[CellData]


class SceneData(BaseModel):
    """Squares and pieces of a position. The elements of the drawing have the same ids and order."""

    areas: list[AreaData]
    captions: list[str]


class PositionView(BaseModel):
    """Everything that a page shows of a position."""

    text: str
    canonical: str
    game: str
    variant: str
    title: str
    state_id: str
    key: str
    side_to_move: str
    player: Annotated[int, Field(description="Index of the player to move, in `players` of the game.")]
    move_number: int
    outcome: OutcomeData | None
    scores: Annotated[
        list[ScoreLineData], Field(description="Final score, line by line; empty before the end.")
    ]
    unfinished: Annotated[
        HindranceData | None, Field(description="Reason why the current turn cannot end here, or null.")
    ]
    overlays: Annotated[list[OverlayData], Field(description="Overlays that can be shown over the board.")]
    claims: list[str]
    moves: list[MoveData]
    actions: list[str]
    checked: Annotated[list[str], Field(description="Squares of the pieces in check.")]
    svg: str
    scene: SceneData
    description: str


class Played(BaseModel):
    """Move of a match."""

    number: int
    player: int
    step: Annotated[bool, Field(description="Whether the move continues the turn of the previous move.")] = (
        False
    )
    action: Annotated[
        str | None, Field(description="Name of the action, such as `deal`, if the move is one.")
    ] = None
    move: str
    after: str
    from_: Annotated[str | None, Field(alias="from")]
    to: str | None
    captured: str | None
    piece: str


class MatchView(PositionView):
    """Position of a match, with the history of the match."""

    start: str
    history: list[Played]
    captured: Annotated[list[TokenData], Field(description="Captured pieces that have left the board.")]
    result: str
    record: str
    at: int


class PartialView(BaseModel):
    """Drawing of the readable part of a text, with the other squares hatched."""

    title: str
    game: str
    svg: str
    scene: SceneData
    description: str
    unread: Annotated[list[str], Field(description="Ids of the squares that could not be read.")]


class PaletteData(BaseModel):
    """Piece, or another object, that can be put on the board."""

    symbol: str
    label: str
    group: str
    svg: str


class ChoiceData(BaseModel):
    """Value that a field may have."""

    value: str
    label: str


class FieldData(BaseModel):
    """Field of a position that is not on the board, such as the side to move."""

    name: str
    label: str
    value: str
    kind: Literal["choice", "number", "flags", "text"]
    choices: list[ChoiceData]
