"""Routes that draw a line of moves as one animated picture, as SVG or PNG.

A request has a position, the moves that follow it, and the options of a drawing. An SVG shows at most
`MAX_ANIMATED_MOVES` moves, a PNG at most `MAX_PNG_MOVES`, and a PNG is at most `MAX_PNG_WIDTH` pixels wide. A
PNG is drawn frame by frame, and drawing stops if nobody waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final

from fastapi import Query
from starlette.responses import Response

from forsyth import draw
from forsyth.draw.animation import (
    DEFAULT_SECONDS,
    MAX_ANIMATED_MOVES,
    MAX_SECONDS,
    MIN_SECONDS,
    build_frame_scenes,
    split_moves,
)
from forsyth.draw.animation_png import join_pngs, render_frames
from forsyth.draw.patches import Patch
from forsyth.draw.png import select_png_theme
from forsyth.limits import MAX_MOVE_TEXT
from forsyth.match import Match
from forsyth.scene import Scene
from forsyth.server.bounds.compute_slots import stop_if_abandoned
from forsyth.server.problems import Problem
from forsyth.server.routes.matches import play_all
from forsyth.server.routes.pictures import (
    PNG,
    PNG_TYPE,
    SVG,
    SVG_TYPE,
    DrawOptionsQuery,
    PointerOptions,
    PointerOptionsQuery,
    select_cache_headers,
)
from forsyth.server.routing import GameQuery, ReadableStore, TextQuery, make_picture_router
from forsyth.server.texts import require_legal_position
from forsyth.server.views import DrawOptions, build_scene

routes = make_picture_router("positions")

MAX_PNG_MOVES: Final = 60
"""Maximum number of moves in an animated PNG. Each takes about ten milliseconds and 10 kB."""

MAX_PNG_WIDTH: Final = 640
"""Maximum width of an animated PNG in pixels."""

MovesQuery = Annotated[
    str,
    Query(
        max_length=MAX_ANIMATED_MOVES * MAX_MOVE_TEXT,
        description="Moves, separated by spaces. Move numbers are ignored.",
    ),
]
SecondsQuery = Annotated[
    float, Query(ge=MIN_SECONDS, le=MAX_SECONDS, description="Seconds that each position is shown.")
]


@routes.get("/animation.svg", name="animation_svg", responses=SVG, response_class=Response)
def draw_animation_svg(
    store: ReadableStore,
    choice: GameQuery,
    text: TextQuery,
    moves: MovesQuery,
    options: DrawOptionsQuery,
    pointers: PointerOptionsQuery,
    seconds: SecondsQuery = DEFAULT_SECONDS,
) -> Response:
    """Draw a line of moves as an animated SVG. If the client prefers reduced motion, it shows the end."""
    parsed = require_legal_position(text, choice, store)
    # Refuse an unknown piece set or board before the moves are played.
    build_scene(parsed, options)
    match = _play_moves(Match(parsed.game, parsed.position), moves, MAX_ANIMATED_MOVES)
    try:
        picture = draw.animation(
            match,
            seconds=seconds,
            size=options.size,
            theme=options.theme,
            **_make_frame_options(options, pointers),
        )
    except ValueError as error:
        raise Problem(400, "NOT_DRAWABLE", str(error)) from None
    return Response(picture, 200, select_cache_headers(parsed), SVG_TYPE)


@routes.get("/animation.png", name="animation_png", responses=PNG, response_class=Response)
def draw_animation_png(
    store: ReadableStore,
    choice: GameQuery,
    text: TextQuery,
    moves: MovesQuery,
    options: DrawOptionsQuery,
    pointers: PointerOptionsQuery,
    seconds: SecondsQuery = DEFAULT_SECONDS,
) -> Response:
    """Draw a line of moves as an animated PNG (APNG). The theme `auto` is light."""
    if options.size > MAX_PNG_WIDTH:
        message = f"the width is {options.size} pixels, expected at most {MAX_PNG_WIDTH} for an animated PNG"
        raise Problem(400, "NOT_DRAWABLE", message)
    parsed = require_legal_position(text, choice, store)
    # Refuse an unknown piece set or board before the moves are played.
    build_scene(parsed, options)
    match = _play_moves(Match(parsed.game, parsed.position), moves, MAX_PNG_MOVES)
    try:
        scenes = build_frame_scenes(match, **_make_frame_options(options, pointers))
        frames = list(_render_png_frames(scenes, options))
        picture = join_pngs(frames, seconds)
    except ValueError as error:
        raise Problem(400, "NOT_DRAWABLE", str(error)) from None
    except ImportError as error:
        raise Problem(501, "NOT_INSTALLED", str(error)) from None
    return Response(picture, 200, select_cache_headers(parsed), PNG_TYPE)


def _play_moves(match: Match, moves_text: str, max_moves: int) -> Match:
    """Play the moves of a text such as ``1. e4 e5`` in `match`, and return `match`.

    Raise a `Problem` if there are more than `max_moves` moves, or one of them is illegal.
    """
    move_texts = split_moves(moves_text)
    if len(move_texts) > max_moves:
        message = f"the line has {len(move_texts)} moves, expected at most {max_moves}"
        raise Problem(400, "NOT_DRAWABLE", message)
    play_all(match, move_texts)
    return match


def _render_png_frames(scenes: list[Scene], options: DrawOptions) -> Iterator[bytes | Patch]:
    """Yield each frame of an animation, in the size and theme of `options`.

    Raise a `Problem` between two frames if nobody waits for the picture any more. `scenes` contain what each
    frame shows.
    """
    for frame in render_frames(scenes, options.size, select_png_theme(options.theme)):
        stop_if_abandoned()
        yield frame


def _make_frame_options(options: DrawOptions, pointers: PointerOptions) -> dict[str, Any]:
    """Return the options of a drawing as keyword arguments of `draw.animation` and `build_frame_scenes`.

    `pointers` are the arrows, circles and highlighted squares.
    """
    return {
        "flip": options.flip,
        "look": options.look,
        "board": options.board,
        "captions": options.captions,
        **pointers._asdict(),
    }
