"""Everything about one text: read and check it, repair it, convert it, play from it, edit it, draw it."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from fastapi import Depends, Query
from starlette.responses import Response

from forsyth import draw, forms, reading
from forsyth.abilities import drawn_as
from forsyth.conversion import WRITABLE_FORMS, converted
from forsyth.diagnostics import Confidence, MoveError, Reading
from forsyth.game import Editable, Game, require_editable
from forsyth.identity import state_id
from forsyth.limits import MAX_NAME
from forsyth.server import texts
from forsyth.server.answers import answer
from forsyth.server.models import (
    ConvertAnswer,
    ConvertRequest,
    EditAnswer,
    EditRequest,
    FixAnswer,
    FixRequest,
    FormsAnswer,
    MovesAnswer,
    PlayAnswer,
    PlayRequest,
    ReadAnswer,
    ReadRequest,
    TextRequest,
)
from forsyth.server.problems import Problem, bad_move
from forsyth.server.routing import Chosen, Kept, Stored, computing_router
from forsyth.server.texts import Found, legal_position_of, position_of, read_with
from forsyth.server.views import (
    Look,
    Theme,
    fields_view,
    found,
    move_list,
    palette_view,
    position_view,
    scene_of,
)
from forsyth.store import Store

routes = computing_router("positions")

LARGEST: Final = 2048
"""Widest picture in pixels: a PNG of this size takes a sixth of a second."""

CACHED: Final = {"Cache-Control": "public, max-age=86400"}
FRESH: Final = {"Cache-Control": "no-cache"}
SVG_TYPE: Final = "image/svg+xml"
PNG_TYPE: Final = "image/png"

_SVG: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {SVG_TYPE: {"schema": {"type": "string"}}}}}
_PNG: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {PNG_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
}
_EITHER: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {**_SVG[200]["content"], **_PNG[200]["content"]}}
}


def _findings(read: Reading[Any]) -> list[dict[str, Any]]:
    return [d.to_dict() for d in read.diagnostics]


# --- texts ----------------------------------------------------------------------------------------------


@routes.post("/read", response_model=ReadAnswer)
def read_text(given: ReadRequest, store: Stored) -> Response:
    """Read and check a text: every finding, and where there is a position all that a page shows of it."""
    read, game = texts.check(given.text, given.choice, store, mode=given.mode, form=given.form)
    view = None
    if game is not None and read.position is not None:
        one = Found(game, read.position, read)
        view = position_view(one, Look(given.theme, given.flip, given.marks))
    return answer({**read.to_dict(), "position": view})


@routes.post("/fix", response_model=FixAnswer)
def fix_text(given: FixRequest, store: Stored) -> Response:
    """Repair a text, and say what was repaired; `fixed` is null where no position could be made out."""
    least = None if given.least is None else Confidence(given.least)
    read, _ = read_with(reading.repair, given.text, given.choice, store=store, least=least)
    fixed = None if read.position is None else str(read.position)
    return answer(
        {
            "text": read.text,
            "game": read.game,
            "ok": read.ok,
            "fixed": fixed,
            "diagnostics": _findings(read),
        }
    )


@routes.post("/convert", response_model=ConvertAnswer)
def convert_text(given: ConvertRequest, store: Stored, keep: Kept) -> Response:
    """Write a text in another form (`state` keeps it in the store), `canonical`, or a style of its game."""
    read, game = read_with(reading.check, given.text, given.choice, store=store)
    result = None
    if game is not None and read.position is not None:
        result = written_as(game, read.position, given.to, keep)
    return answer(
        {
            "text": read.text,
            "game": read.game,
            "ok": read.ok and result is not None,
            "result": result,
            "diagnostics": _findings(read),
        }
    )


def written_as(game: Game, position: Any, to: str, keep: Store | None) -> str:
    """A position in a form or style; refused where there is none such, or it cannot hold the position."""
    try:
        return converted(game, position, to, keep)
    except ValueError as error:
        raise Problem(400, "NOT_EXPRESSIBLE", str(error)) from None


@routes.post("/forms", response_model=FormsAnswer)
def list_forms(given: TextRequest, store: Stored, keep: Kept) -> Response:
    """A position in every form, and the path of the page that shows it; the `state` form is kept."""
    one = position_of(given.text, given.choice, store, plays=False)
    canonical = one.game.write(one.position)
    found = {form: _wrapped(canonical, form, one.game.name, keep) for form in WRITABLE_FORMS}
    plain = one.reading.text if one.reading.form == "plain" else canonical
    link = None if found["fenz"] is None else f"/p/{found['fenz']}"
    return answer({"forms": {**found, "plain": plain, "canonical": canonical, "link": link}})


def _wrapped(canonical: str, form: str, game: str, keep: Store | None) -> str | None:
    if form == "state" and keep is None:
        return state_id(canonical)
    try:
        return forms.wrap(canonical, form, store=keep, game=game)
    except ValueError:
        return None


# --- rules ----------------------------------------------------------------------------------------------


@routes.post("/moves", response_model=MovesAnswer)
def list_moves(given: TextRequest, store: Stored) -> Response:
    """The legal moves of a position, and what else can be done there; none where it is not ok."""
    read, game = texts.check(given.text, given.choice, store)
    playable = game is not None and read.position is not None and read.ok
    moves = move_list(game, read.position) if game is not None and playable else []
    actions = list(game.actions(read.position)) if game is not None and playable else []
    return answer({"text": read.text, "game": read.game, "ok": read.ok, "moves": moves, "actions": actions})


@routes.post("/play", response_model=PlayAnswer)
def play_move(given: PlayRequest, store: Stored) -> Response:
    """Play a move, given as a person may write it, and show the position after it."""
    game, position, _ = legal_position_of(given.text, given.choice, store)
    try:
        move = game.read_move(position, given.move.strip())
    except MoveError as error:
        raise bad_move(error) from None
    after = found(game, game.play(position, move))
    facts = game.describe_move(position, move)
    last = {square: "last" for square in (facts.origin, facts.target) if square is not None}
    return answer(
        {
            "success": True,
            "game": game.name,
            "move": facts.move,
            "after": after.reading.text,
            "position": position_view(after, Look(given.theme, given.flip), last=last),  # type: ignore[arg-type]
        }
    )


# --- the editor -----------------------------------------------------------------------------------------


@routes.post("/edit", response_model=EditAnswer)
def edit_position(given: EditRequest, store: Stored) -> Response:
    """Change a position, which may be illegal before and after, and show it with what can be put on it."""
    one = position_of(given.text, given.choice, store)
    game = one.game
    try:
        editable = require_editable(game)
        position = _edited(editable, one.position, given)
    except ValueError as error:
        raise Problem(400, "NOT_EXPRESSIBLE", str(error)) from None
    if position is not one.position:
        text = game.write(position)
        read = Reading(text, game.name, position, tuple(game.check(position, text=text)))
        one = Found(game, position, read)
    return answer(
        {
            "text": one.reading.text,
            "diagnostics": _findings(one.reading),
            "position": position_view(one, Look(given.theme, given.flip)),
            "palette": palette_view(editable, one.position, given.theme),
            "fields": fields_view(editable, one.position),
        }
    )


def _edited(game: Editable, position: Any, given: EditRequest) -> Any:
    if given.put is not None:
        position = game.put(position, given.put.square, given.put.symbol)
    if given.move is not None:
        position = game.lift(position, given.move.from_, given.move.to)
    if given.field is not None:
        position = game.with_field(position, given.field.name, str(given.field.value))
    return position


# --- pictures -------------------------------------------------------------------------------------------

DrawnText = Annotated[str, Query(description="A position text in any form.")]
Size = Annotated[int, Query(ge=16, le=LARGEST, description="Width in pixels.")]
LookName = Annotated[
    str | None, Query(max_length=MAX_NAME, description="How men are drawn, such as `letters`.")
]


def asked_look(
    theme: Theme = "auto",
    flip: bool = False,
    marks: bool = False,
    size: Size = 480,
    look: LookName = None,
) -> Look:
    """How a picture is to be drawn, as the query of a call says it."""
    return Look(theme, flip, marks, size, look)


AskedLook = Annotated[Look, Depends(asked_look)]


@routes.get("/draw.svg", responses=_SVG, response_class=Response)
def draw_svg(store: Stored, choice: Chosen, text: DrawnText, look: AskedLook) -> Response:
    """A position as SVG; with `marks` the squares of its findings are marked."""
    return _drawing("svg", position_of(text, choice, store), look)


@routes.get("/draw.png", responses=_PNG, response_class=Response)
def draw_png(store: Stored, choice: Chosen, text: DrawnText, look: AskedLook) -> Response:
    """The same as PNG; the theme `auto` is light."""
    return _drawing("png", position_of(text, choice, store), look)


@routes.get("/draw/{name:path}", responses=_EITHER, response_class=Response)
def draw_named(store: Stored, choice: Chosen, name: str, look: AskedLook) -> Response:
    """A position whose text is in the path, `fenz_….svg` or `.png`: an address without a query."""
    text, _, kind = name.rpartition(".")
    if kind not in ("svg", "png"):
        raise Problem(404, "NOT_FOUND", "a drawing ends with .svg or .png")
    form = forms.form_of(text)
    one = position_of(text, choice, store, form=form if form == "url" else None)
    return _drawing(kind, one, look)


def _drawn(one: Found, look: str | None) -> Found:
    """The position with its men drawn in a look that its game has."""
    try:
        return one._replace(game=drawn_as(one.game, look))
    except ValueError as error:
        raise Problem(400, "UNKNOWN_LOOK", str(error)) from None


def _drawing(kind: str, one: Found, look: Look) -> Response:
    # The position of a name may change; every other text is the same position for ever.
    headers = FRESH if one.reading.form == "name" else CACHED
    scene = scene_of(_drawn(one, look.men), look)
    if kind == "svg":
        return Response(draw.svg(scene, size=look.size, theme=look.theme), 200, headers, SVG_TYPE)
    ground: Literal["light", "dark"] = "dark" if look.theme == "dark" else "light"
    try:
        return Response(draw.png(scene, size=look.size, theme=ground), 200, headers, PNG_TYPE)
    except ImportError as error:
        raise Problem(501, "NOT_INSTALLED", str(error)) from None
