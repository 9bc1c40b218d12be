"""The shapes in which a position is shown: its scene, its moves, its end, and what can be edited."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class HindranceData(BaseModel):
    """Why a move is not possible."""

    code: str
    message: str
    squares: list[str]


class OverlayData(BaseModel):
    """Something that covers places of the scene and can be shown, such as air defence."""

    name: str
    owner: str
    cells: list[str]


class ScoreLineData(BaseModel):
    """One line of the account at the end of a game, with a number for each player."""

    label: str
    values: list[int]


class ProspectData(BaseModel):
    """What a move would score."""

    points: int
    words: str


class TokenData(BaseModel):
    """Something that stands on a cell."""

    symbol: str
    label: str
    owner: str
    count: int


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
    becomes: Annotated[
        list[TokenData],
        Field(description="What stands on `to` afterwards; said where several moves have the same ends."),
    ] = []
    prospect: Annotated[
        ProspectData | None, Field(description="What it would score, where the game foresees it.")
    ] = None


class OutcomeData(BaseModel):
    """How a game ended."""

    result: str
    reason: str


class CellData(BaseModel):
    """A place of the board, what stands there, the lowest first, and what is said about it."""

    id: str
    tokens: list[TokenData] = []
    note: str = ""
    label: Annotated[str, Field(description="What people call the place; its id by default.")] = ""


class AreaData(BaseModel):
    """A part of the board."""

    name: str
    cells: list[CellData]


class SceneData(BaseModel):
    """What stands where; the elements of the drawing have the same identifiers and order."""

    areas: list[AreaData]
    captions: list[str]


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
    player: Annotated[int, Field(description="The index in the players of the game of who moves.")]
    move_number: int
    outcome: OutcomeData | None
    scores: Annotated[list[ScoreLineData], Field(description="Where the points of an ended game come from.")]
    unfinished: Annotated[
        HindranceData | None, Field(description="Why the turn that was begun cannot end here.")
    ]
    overlays: Annotated[list[OverlayData], Field(description="What can be laid over the picture.")]
    claims: list[str]
    moves: list[MoveData]
    actions: list[str]
    checked: Annotated[list[str], Field(description="The places of who is in check.")]
    svg: str
    scene: SceneData
    description: str


class Played(BaseModel):
    """One move of a match."""

    number: int
    player: int
    step: Annotated[
        bool, Field(description="Whether it is a further step of the turn of the move before.")
    ] = False
    action: Annotated[str | None, Field(description="Its name if it is an action, such as a deal.")] = None
    move: str
    after: str
    from_: Annotated[str | None, Field(alias="from")]
    to: str | None
    captured: str | None
    piece: str


class MatchView(PositionView):
    """A position with its past."""

    start: str
    history: list[Played]
    captured: Annotated[list[TokenData], Field(description="What was captured and left the board.")]
    result: str
    record: str
    at: int


class PartialView(BaseModel):
    """A drawing of what could be read of a text, the rest of it hatched."""

    title: str
    game: str
    svg: str
    scene: SceneData
    description: str
    unread: Annotated[list[str], Field(description="The cells that could not be read.")]


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
