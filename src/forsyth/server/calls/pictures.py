"""Pictures of one position, as SVG or PNG, and what every call that draws may be asked for."""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple

from fastapi import Depends, Query
from pydantic import Field
from starlette.responses import Response

from forsyth import draw, forms
from forsyth.draw.png import ground_of
from forsyth.draw.pointers import MOST
from forsyth.limits import MAX_NAME
from forsyth.scene import Labels
from forsyth.server.problems import Problem
from forsyth.server.routing import Chosen, Stored, computing_router
from forsyth.server.texts import ReadText, position_of
from forsyth.server.views import Look, Theme, scene_of

routes = computing_router("positions")

LARGEST: Final = 2048
"""Widest picture in pixels: a PNG of this size takes a sixth of a second."""

CACHED: Final = {"Cache-Control": "public, max-age=86400"}
FRESH: Final = {"Cache-Control": "no-cache"}
SVG_TYPE: Final = "image/svg+xml"
PNG_TYPE: Final = "image/png"

SVG: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {SVG_TYPE: {"schema": {"type": "string"}}}}}
PNG: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {PNG_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
}
_EITHER: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {**SVG[200]["content"], **PNG[200]["content"]}}
}


DrawnText = Annotated[str, Query(description="A position text in any form.")]
Size = Annotated[int, Query(ge=16, le=LARGEST, description="Width in pixels.")]
LookName = Annotated[
    str | None, Query(max_length=MAX_NAME, description="How men are drawn, such as `letters`.")
]
BoardQuery = Annotated[
    str | None, Query(max_length=MAX_NAME, description="The colours of the board, such as `green`.")
]


def asked_look(
    theme: Theme = "auto",
    flip: bool = False,
    marks: bool = False,
    size: Size = 480,
    look: LookName = None,
    board: BoardQuery = None,
    captions: Annotated[bool, Query(description="Whether the lines below the board are drawn.")] = True,
) -> Look:
    """How a picture is to be drawn, as the query of a call says it."""
    return Look(theme, flip, marks, size, look, board, captions)


AskedLook = Annotated[Look, Depends(asked_look)]
Spelled = Annotated[str, Field(max_length=MAX_NAME)]
Arrows = Annotated[list[Spelled] | None, Query(max_length=MOST, description="`e2e4` or `e2e4:red`, each.")]
Places = Annotated[list[Spelled] | None, Query(max_length=MOST, description="`e4` or `e4:red`, each.")]


class Drawings(NamedTuple):
    """What is drawn on a picture, and where the names of files and ranks stand."""

    coordinates: Labels
    arrows: list[str]
    circles: list[str]
    highlights: list[str]


def asked_drawings(
    coordinates: Annotated[Labels, Query(description="Where files and ranks are named.")] = "outside",
    arrow: Arrows = None,
    circle: Places = None,
    highlight: Places = None,
) -> Drawings:
    """What is to be drawn on a picture, as the query of a call says it."""
    return Drawings(coordinates, arrow or [], circle or [], highlight or [])


AskedDrawings = Annotated[Drawings, Depends(asked_drawings)]


@routes.get("/draw.svg", responses=SVG, response_class=Response)
def draw_svg(
    store: Stored, choice: Chosen, text: DrawnText, look: AskedLook, on_it: AskedDrawings
) -> Response:
    """A position as SVG; with `marks` the squares of its findings are marked."""
    return _drawing("svg", position_of(text, choice, store), look, on_it)


@routes.get("/draw.png", responses=PNG, response_class=Response)
def draw_png(
    store: Stored, choice: Chosen, text: DrawnText, look: AskedLook, on_it: AskedDrawings
) -> Response:
    """The same as PNG; the theme `auto` is light."""
    return _drawing("png", position_of(text, choice, store), look, on_it)


@routes.get("/draw/{name:path}", responses=_EITHER, response_class=Response)
def draw_named(store: Stored, choice: Chosen, name: str, look: AskedLook, on_it: AskedDrawings) -> Response:
    """A position whose text is in the path, `fenz_….svg` or `.png`: an address without a query."""
    text, _, kind = name.rpartition(".")
    if kind not in ("svg", "png"):
        raise Problem(404, "NOT_FOUND", "a drawing ends with .svg or .png")
    form = forms.form_of(text)
    one = position_of(text, choice, store, form=form if form == "url" else None)
    return _drawing(kind, one, look, on_it)


def _drawing(kind: str, one: ReadText, look: Look, on_it: Drawings) -> Response:
    headers = caching_of(one)
    try:
        scene = draw.scene(scene_of(one, look), captions=look.captions, **on_it._asdict())
    except ValueError as error:
        raise Problem(400, "NOT_DRAWABLE", str(error)) from None
    if kind == "svg":
        return Response(draw.svg(scene, size=look.size, theme=look.theme), 200, headers, SVG_TYPE)
    try:
        picture = draw.png(scene, size=look.size, theme=ground_of(look.theme))
    except ImportError as error:
        raise Problem(501, "NOT_INSTALLED", str(error)) from None
    return Response(picture, 200, headers, PNG_TYPE)


def caching_of(one: ReadText) -> dict[str, str]:
    """How long a picture may be kept: the position of a name may change, every other is the same for ever."""
    return FRESH if one.reading.form == "name" else CACHED
