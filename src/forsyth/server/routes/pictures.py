"""Routes that draw a position as SVG or PNG, and the query parameters of every route that draws."""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple

from fastapi import Depends, Query
from pydantic import Field
from starlette.responses import Response

from forsyth import draw, forms
from forsyth.arguments import quoted
from forsyth.draw.png import select_png_theme
from forsyth.draw.pointers import MAX_POINTERS
from forsyth.limits import MAX_NAME
from forsyth.scene import Labels
from forsyth.server.problems import Problem
from forsyth.server.routing import GameQuery, ReadableStore, TextQuery, make_picture_router
from forsyth.server.texts import ParsedText, require_position
from forsyth.server.views import DrawOptions, Theme, build_scene

routes = make_picture_router("positions")

MAX_PICTURE_WIDTH: Final = 2048
"""Maximum width of a picture in pixels. A PNG of this size takes a sixth of a second."""

_SHOWN_ANYWHERE: Final = {"Cross-Origin-Resource-Policy": "cross-origin"}
"""Header of a picture, which pages of other origins may show."""

CACHE_DAY: Final = {"Cache-Control": "public, max-age=86400", **_SHOWN_ANYWHERE}
NO_CACHE: Final = {"Cache-Control": "no-cache", **_SHOWN_ANYWHERE}
SVG_TYPE: Final = "image/svg+xml"
PNG_TYPE: Final = "image/png"

SVG: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {SVG_TYPE: {"schema": {"type": "string"}}}}}
PNG: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {PNG_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
}
_SVG_OR_PNG: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {**SVG[200]["content"], **PNG[200]["content"]}}
}


SizeQuery = Annotated[int, Query(ge=16, le=MAX_PICTURE_WIDTH, description="Width in pixels.")]
LookQuery = Annotated[
    str | None, Query(max_length=MAX_NAME, description="Piece set of the game, such as `letters`.")
]
BoardQuery = Annotated[
    str | None, Query(max_length=MAX_NAME, description="Colours of the board, such as `green`.")
]


def read_draw_options(
    theme: Theme = "auto",
    flip: bool = False,
    marks: bool = False,
    size: SizeQuery = 480,
    look: LookQuery = None,
    board: BoardQuery = None,
    captions: Annotated[bool, Query(description="Draw the lines of text below the board.")] = True,
) -> DrawOptions:
    """Return the drawing options in the query of a request."""
    return DrawOptions(theme, flip, marks, size, look, board, captions)


DrawOptionsQuery = Annotated[DrawOptions, Depends(read_draw_options)]
PointerText = Annotated[str, Field(max_length=MAX_NAME)]
ArrowsQuery = Annotated[
    list[PointerText] | None,
    Query(max_length=MAX_POINTERS, description="Arrows, each as `e2e4` or `e2e4:red`."),
]
SquaresQuery = Annotated[
    list[PointerText] | None,
    Query(max_length=MAX_POINTERS, description="Squares, each as `e4` or `e4:red`."),
]


class PointerOptions(NamedTuple):
    """Arrows, circles and highlighted squares on a picture, and the position of the coordinates."""

    coordinates: Labels
    arrows: list[str]
    circles: list[str]
    highlights: list[str]


def read_pointer_options(
    coordinates: Annotated[Labels, Query(description="Where file and rank names are drawn.")] = "outside",
    arrow: ArrowsQuery = None,
    circle: SquaresQuery = None,
    highlight: SquaresQuery = None,
) -> PointerOptions:
    """Return the arrows, circles, highlights and coordinates in the query of a request."""
    return PointerOptions(coordinates, arrow or [], circle or [], highlight or [])


PointerOptionsQuery = Annotated[PointerOptions, Depends(read_pointer_options)]


@routes.get("/draw.svg", responses=SVG, response_class=Response)
def draw_svg(
    store: ReadableStore,
    choice: GameQuery,
    text: TextQuery,
    options: DrawOptionsQuery,
    pointers: PointerOptionsQuery,
) -> Response:
    """Draw a position as SVG. With `marks`, the squares of its diagnostics are marked."""
    return _draw_picture("svg", require_position(text, choice, store), options, pointers)


@routes.get("/draw.png", responses=PNG, response_class=Response)
def draw_png(
    store: ReadableStore,
    choice: GameQuery,
    text: TextQuery,
    options: DrawOptionsQuery,
    pointers: PointerOptionsQuery,
) -> Response:
    """Draw a position as PNG. The theme `auto` is light.

    With `marks`, the squares of its diagnostics are marked.
    """
    return _draw_picture("png", require_position(text, choice, store), options, pointers)


@routes.get("/draw/{name:path}", responses=_SVG_OR_PNG, response_class=Response)
def draw_named(
    store: ReadableStore,
    choice: GameQuery,
    name: str,
    options: DrawOptionsQuery,
    pointers: PointerOptionsQuery,
) -> Response:
    """Draw the position whose text is in the path, as `fenz_….svg` or `fenz_….png`.

    The address needs no query, so it can be used where a link must be short.
    """
    text, _, picture_format = name.rpartition(".")
    if picture_format not in ("svg", "png"):
        message = f"{quoted(name)} is not the address of a drawing, expected .svg or .png at its end"
        raise Problem(404, "NOT_FOUND", message)
    # All other forms are detected when the text is read.
    form = "url" if forms.guess_form(text) == "url" else None
    parsed = require_position(text, choice, store, form=form)
    return _draw_picture(picture_format, parsed, options, pointers)


def _draw_picture(
    picture_format: str, parsed: ParsedText, options: DrawOptions, pointers: PointerOptions
) -> Response:
    """Return a response with a picture of a position.

    Raise a `Problem` if the picture cannot be drawn, or the optional library for PNG is not installed.

    Args:
        picture_format: `svg` or `png`.
        parsed: The position, with its game and its diagnostics.
        options: Options of the drawing, such as its size.
        pointers: Arrows, circles and highlighted squares.
    """
    headers = select_cache_headers(parsed)
    board_scene = build_scene(parsed, options)
    try:
        scene = draw.scene(board_scene, captions=options.captions, **pointers._asdict())
    except ValueError as error:
        raise Problem(400, "NOT_DRAWABLE", str(error)) from None
    if picture_format == "svg":
        svg = draw.svg(scene, size=options.size, theme=options.theme)
        return Response(svg, 200, headers, SVG_TYPE)
    try:
        png = draw.png(scene, size=options.size, theme=select_png_theme(options.theme))
    except ImportError as error:
        raise Problem(501, "NOT_INSTALLED", str(error)) from None
    return Response(png, 200, headers, PNG_TYPE)


def select_cache_headers(parsed: ParsedText) -> dict[str, str]:
    """Return the HTTP headers that control how long a client may cache the picture of a position.

    A picture may be cached for a day. Only that of a named position, such as ``initial``, is not cached,
    because a client can change which position has the name.
    """
    is_named_position = parsed.reading.form == "name"
    return NO_CACHE if is_named_position else CACHE_DAY
