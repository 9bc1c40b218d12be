"""Everything about one text: read and check it, repair it, convert it, play from it, edit it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from starlette.responses import Response

from forsyth import draw, forms, reading
from forsyth.abilities import Explaining, Overlaying, explain
from forsyth.conversion import WRITABLE_FORMS, converted
from forsyth.diagnostics import Confidence, MoveError, Reading
from forsyth.game import Editable, Game, require_editable
from forsyth.identity import kept_text, state_id
from forsyth.scene import Mark
from forsyth.server import texts
from forsyth.server.answer_models import (
    ConvertAnswer,
    DiffAnswer,
    EditAnswer,
    ExplainAnswer,
    FixAnswer,
    FormsAnswer,
    MoveAnswer,
    MovesAnswer,
    PartialAnswer,
    PlayAnswer,
    ReachAnswer,
    ReadAnswer,
)
from forsyth.server.answers import answer
from forsyth.server.calls.batch import repaired
from forsyth.server.partial import read_partly, unread_cells, unread_scene
from forsyth.server.problems import Problem, bad_move
from forsyth.server.request_models import (
    ConvertRequest,
    DiffRequest,
    EditRequest,
    ExplainRequest,
    FixRequest,
    MoveRequest,
    PartialRequest,
    PlayRequest,
    ReachRequest,
    ReadRequest,
    TextRequest,
)
from forsyth.server.routing import Kept, Stored, computing_router
from forsyth.server.texts import ReadText, legal_position_of, position_of, read_with
from forsyth.server.views import (
    Look,
    drawn,
    fields_view,
    found,
    look_of,
    move_list,
    palette_view,
    position_view,
    scene_of,
    scene_view,
)
from forsyth.store import Store

routes = computing_router("positions")

MOST_ALIKE: Final = 128
"""Things on one place that are taken off one by one: more than any game has of one kind."""


def _findings(read: Reading[Any]) -> list[dict[str, Any]]:
    return [d.to_dict() for d in read.diagnostics]


# --- texts ----------------------------------------------------------------------------------------------


@routes.post("/read", response_model=ReadAnswer)
def read_text(given: ReadRequest, store: Stored) -> Response:
    """Read and check a text: every finding, and where there is a position all that a page shows of it."""
    read, game = texts.check(given.text, given.choice, store, mode=given.mode, form=given.form)
    view = None
    if game is not None and read.position is not None:
        one = ReadText(game, read.position, read)
        view = position_view(one, look_of(given, marks=given.marks))
    return answer({**read.to_dict(), "position": view})


@routes.post("/fix", response_model=FixAnswer)
def fix_text(given: FixRequest, store: Stored) -> Response:
    """Repair a text, and say what was repaired; `fixed` is null where no position could be made out."""
    least = None if given.least is None else Confidence(given.least)
    read, _ = read_with(reading.repair, given.text, given.choice, store=store, least=least)
    return answer(repaired(read))


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
    kept = kept_text(one.position)
    found = {form: _wrapped(kept, form, one.game.name, keep) for form in WRITABLE_FORMS}
    plain = one.reading.text if one.reading.form == "plain" else canonical
    link = None if found["fenz"] is None else f"/p/{found['fenz']}"
    return answer({"forms": {**found, "plain": plain, "canonical": canonical, "link": link}})


def _wrapped(kept: str, form: str, game: str, keep: Store | None) -> str | None:
    if form == "state" and keep is None:
        return state_id(kept)
    try:
        return forms.wrap(kept, form, store=keep, game=game)
    except ValueError:
        return None


@routes.post("/partial", response_model=PartialAnswer)
def read_part(given: PartialRequest, store: Stored) -> Response:
    """Draw what could be read of a text that is no position, and hatch what could not."""
    read, game = texts.check(given.text, given.choice, store)
    broken = game is not None and read.position is None and read.form == "plain"
    partial = read_partly(game, read.text, read.errors) if game is not None and broken else None
    if game is None or partial is None:
        return answer({"game": read.game, "partial": None})
    look = Look(given.theme, given.flip, marks=False, men=given.look)
    scene = scene_of(ReadText(game, partial.position, read), look)
    unread = unread_cells(scene, partial)
    places = ", ".join(unread) or "none"
    shown = unread_scene(scene, partial)
    view = {
        "title": game.title,
        "game": game.name,
        "svg": draw.svg(shown, size=look.size, theme=look.theme),
        "scene": scene_view(shown),
        "description": f"What could be read of the text; places that could not: {places}.",
        "unread": unread,
    }
    return answer({"game": read.game, "partial": view})


@routes.post("/diff", response_model=DiffAnswer)
def compare_texts(given: DiffRequest, store: Stored) -> Response:
    """What differs between two positions of one game, field by field and square by square."""
    a = position_of(given.a, given.choice, store)
    b = position_of(given.b, given.choice, store)
    if a.game.name != b.game.name:
        message = f"the texts belong to different games, {a.game.name} and {b.game.name}"
        raise Problem(400, "DIFFERENT_GAMES", message)
    return answer({"game": a.game.name, **a.game.diff(a.position, b.position).to_dict()})


# --- rules ----------------------------------------------------------------------------------------------


@routes.post("/moves", response_model=MovesAnswer)
def list_moves(given: TextRequest, store: Stored) -> Response:
    """The legal moves of a position, and what else can be done there; none where it is not ok."""
    read, game = texts.check(given.text, given.choice, store)
    playable = game is not None and read.position is not None and read.ok
    moves = move_list(game, read.position) if game is not None and playable else []
    actions = list(game.actions(read.position)) if game is not None and playable else []
    return answer({"text": read.text, "game": read.game, "ok": read.ok, "moves": moves, "actions": actions})


@routes.post("/move", response_model=MoveAnswer)
def read_a_move(given: MoveRequest, store: Stored) -> Response:
    """The legal move that a text names, as a person may write it; where it names none, why."""
    game, position, _ = legal_position_of(given.text, given.choice, store)
    try:
        move = game.read_move(position, given.move.strip())
    except MoveError as error:
        why = explain(game, position, given.move.strip())
        told = None if why is None else why.to_dict()
        return answer({"move": None, "error": str(error), "candidates": list(error.candidates), "why": told})
    return answer({"move": game.write_move(position, move), "error": "", "candidates": [], "why": None})


@routes.post("/explain", response_model=ExplainAnswer)
def explain_move(given: ExplainRequest, store: Stored) -> Response:
    """Why nothing goes from one place of the scene to another; null where something does, or nobody knows."""
    game, position, _ = legal_position_of(given.text, given.choice, store)
    if not isinstance(game, Explaining):
        return answer({"why": None})
    why = game.why_not(position, given.origin, given.target, given.piece)
    return answer({"why": None if why is None else why.to_dict()})


@routes.post("/reach", response_model=ReachAnswer)
def show_reach(given: ReachRequest, store: Stored) -> Response:
    """Where what stands on a place could go or capture, whoever is to move; nothing where nobody knows."""
    game, position, _ = legal_position_of(given.text, given.choice, store)
    cells = game.reach(position, given.square) if isinstance(game, Overlaying) else ()
    return answer({"cells": list(cells)})


@routes.post("/play", response_model=PlayAnswer)
def play_move(given: PlayRequest, store: Stored) -> Response:
    """Play a move, given as a person may write it, and show the position after it."""
    game, position, _ = legal_position_of(given.text, given.choice, store)
    try:
        move = game.read_move(position, given.move.strip())
    except MoveError as error:
        raise bad_move(error, explain(game, position, given.move.strip())) from None
    after = found(game, game.play(position, move))
    facts = game.describe_move(position, move)
    last: dict[str, Mark] = {square: "last" for square in (facts.origin, facts.target) if square is not None}
    return answer(
        {
            "success": True,
            "game": game.name,
            "move": facts.move,
            "after": after.reading.text,
            "position": position_view(after, look_of(given), last=last),
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
        before = _cleared(game, editable, one.position) if given.clear else one.position
        position = _edited(editable, before, given)
    except ValueError as error:
        raise Problem(400, "NOT_EXPRESSIBLE", str(error)) from None
    if position is not one.position:
        text = game.write(position)
        read = Reading(text, game.name, position, tuple(game.check(position, text=text)))
        one = ReadText(game, position, read)
    look = look_of(given, marks=given.marks)
    return answer(
        {
            "text": one.reading.text,
            "diagnostics": _findings(one.reading),
            "position": position_view(one, look),
            "palette": palette_view(require_editable(drawn(game, look)), one.position, look),
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


def _cleared(game: Game, editor: Editable, position: Any) -> Any:
    """The position with nothing on its board; what no editor can take off stays."""
    for _ in range(MOST_ALIKE):
        before = position
        # From the end: what is left of a heap moves up to its first places.
        cells = [cell for area in game.scene(position).areas for cell in area.cells if cell.tokens]
        for cell in reversed(cells):
            with suppress(ValueError):
                position = editor.put(position, cell.id, None)
        if position == before:
            break
    return position
