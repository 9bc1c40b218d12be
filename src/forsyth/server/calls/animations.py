"""A line of moves as one picture that moves by itself, as SVG or PNG.

Accepted: a position and the moves from there on, `MOST_MOVES` of them as SVG and `MOST_PNG` as PNG, and how a
position is to be drawn. An animated PNG is at most `WIDEST_PNG` pixels wide. It is drawn picture by picture,
and drawing ends when nobody waits for it any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final

from fastapi import Query
from starlette.responses import Response

from forsyth import draw
from forsyth.draw.animation import LONGEST, MOST_MOVES, SECONDS, SHORTEST, frames, split_moves
from forsyth.draw.animation_png import joined, pictures
from forsyth.draw.png import ground_of
from forsyth.limits import MAX_MOVE_TEXT
from forsyth.match import Match
from forsyth.scene import Scene
from forsyth.server.bounds.work import require_wanted
from forsyth.server.calls.matches import play_all
from forsyth.server.calls.pictures import (
    PNG,
    PNG_TYPE,
    SVG,
    SVG_TYPE,
    AskedDrawings,
    AskedLook,
    Drawings,
    DrawnText,
    caching_of,
)
from forsyth.server.problems import Problem
from forsyth.server.routing import Chosen, Stored, computing_router
from forsyth.server.texts import legal_position_of
from forsyth.server.views import Look, scene_of

routes = computing_router("positions")

MOST_PNG: Final = 60
"""Most moves of an animated PNG: each takes a tenth of a second, and some 30 kB."""
WIDEST_PNG: Final = 640

Moves = Annotated[
    str,
    Query(
        max_length=MOST_MOVES * MAX_MOVE_TEXT,
        description="The moves with blanks between them; move numbers are passed over.",
    ),
]
Seconds = Annotated[float, Query(ge=SHORTEST, le=LONGEST, description="How long each position is shown.")]


@routes.get("/animation.svg", responses=SVG, response_class=Response)
def animation_svg(
    store: Stored,
    choice: Chosen,
    text: DrawnText,
    moves: Moves,
    look: AskedLook,
    on_it: AskedDrawings,
    seconds: Seconds = SECONDS,
) -> Response:
    """A line of moves as an SVG that plays by itself; where motion is not wanted, its end."""
    one = legal_position_of(text, choice, store)
    scene_of(one, look)
    match = _played(Match(one.game, one.position), moves, MOST_MOVES)
    try:
        picture = draw.animation(
            match, seconds=seconds, size=look.size, theme=look.theme, **_how(look, on_it)
        )
    except ValueError as error:
        raise Problem(400, "NOT_DRAWABLE", str(error)) from None
    return Response(picture, 200, caching_of(one), SVG_TYPE)


@routes.get("/animation.png", responses=PNG, response_class=Response)
def animation_png(
    store: Stored,
    choice: Chosen,
    text: DrawnText,
    moves: Moves,
    look: AskedLook,
    on_it: AskedDrawings,
    seconds: Seconds = SECONDS,
) -> Response:
    """The same as an animated PNG (APNG); the theme `auto` is light."""
    if look.size > WIDEST_PNG:
        message = f"an animated PNG is at most {WIDEST_PNG} pixels wide"
        raise Problem(400, "NOT_DRAWABLE", message)
    one = legal_position_of(text, choice, store)
    scene_of(one, look)
    match = _played(Match(one.game, one.position), moves, MOST_PNG)
    try:
        scenes = frames(match, **_how(look, on_it))
        picture = joined(list(_drawn(scenes, look)), seconds)
    except ValueError as error:
        raise Problem(400, "NOT_DRAWABLE", str(error)) from None
    except ImportError as error:
        raise Problem(501, "NOT_INSTALLED", str(error)) from None
    return Response(picture, 200, caching_of(one), PNG_TYPE)


def _played(match: Match, moves: str, most: int) -> Match:
    several = split_moves(moves)
    if len(several) > most:
        raise Problem(400, "NOT_DRAWABLE", f"a line of {len(several)} moves is too long, expected {most}")
    play_all(match, several)
    return match


def _drawn(scenes: list[Scene], look: Look) -> Iterator[bytes]:
    for picture in pictures(scenes, look.size, ground_of(look.theme)):
        require_wanted()
        yield picture


def _how(look: Look, on_it: Drawings) -> dict[str, Any]:
    return {
        "flip": look.flip,
        "look": look.men,
        "board": look.board,
        "captions": look.captions,
        **on_it._asdict(),
    }
