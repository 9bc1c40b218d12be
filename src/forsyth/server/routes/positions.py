"""Routes for a single text: read, check, repair, convert, compare, play and edit."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from starlette.responses import Response

from forsyth import draw, forms, reading
from forsyth.abilities import Explaining, Overlaying, find_hindrance
from forsyth.conversion import WRITABLE_FORMS, convert_position
from forsyth.diagnostics import Confidence, MoveError, Reading
from forsyth.game import Editable, Game, require_editable
from forsyth.identity import stored_text
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
from forsyth.server.json_responses import make_json_response
from forsyth.server.partial import (
    PartialPosition,
    hatch_unread_cells,
    list_unread_cells,
    read_partial_position,
)
from forsyth.server.problems import Problem, make_move_problem
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
from forsyth.server.routes.batch import build_repair_answer
from forsyth.server.routing import OptionalStore, ReadableStore, make_computing_router
from forsyth.server.service_store import store_if_possible
from forsyth.server.texts import ParsedText, require_legal_position, require_position, resolve_and_read
from forsyth.server.views import (
    DrawOptions,
    apply_look,
    as_parsed_text,
    build_field_views,
    build_move_list,
    build_palette_views,
    build_position_view,
    build_scene,
    build_scene_view,
    make_draw_options,
)
from forsyth.store import Store

routes = make_computing_router("positions")

MAX_STACKED_PIECES: Final = 128
"""Upper bound on the number of pieces on one square, which are removed one by one."""


def _list_diagnostics(result: Reading[Any]) -> list[dict[str, Any]]:
    """Return the errors and warnings in the result of reading a text, as JSON-ready data."""
    return [diagnostic.to_dict() for diagnostic in result.diagnostics]


# --- texts ----------------------------------------------------------------------------------------------


@routes.post("/read", response_model=ReadAnswer)
def read_text(body: ReadRequest, store: ReadableStore) -> Response:
    """Read and check a text, and return its diagnostics and everything that a page shows of its position.

    `position` is null if the text contains no position.
    """
    result, game = texts.check_text(body.text, body.choice, store, mode=body.mode, form=body.form)
    view = None
    if game is not None and result.position is not None:
        parsed = ParsedText(game, result.position, result)
        view = build_position_view(parsed, make_draw_options(body, marks=body.marks))
    return make_json_response({**result.to_dict(), "position": view})


@routes.post("/fix", response_model=FixAnswer)
def fix_text(body: FixRequest, store: ReadableStore) -> Response:
    """Repair a text, and return the result with a diagnostic for each repair.

    `least` is the lowest confidence of the fixes that are applied. `fixed` is null if the text cannot be
    repaired.
    """
    min_confidence = None if body.least is None else Confidence(body.least)
    repair, _ = resolve_and_read(
        reading.repair, body.text, body.choice, store=store, min_confidence=min_confidence
    )
    return make_json_response(build_repair_answer(repair))


@routes.post("/convert", response_model=ConvertAnswer)
def convert_text(body: ConvertRequest, store: ReadableStore, saving_store: OptionalStore) -> Response:
    """Write a text in another form, as `canonical` text, or in a style of its game.

    The form `state` also stores the position.
    """
    result, game = resolve_and_read(reading.check, body.text, body.choice, store=store)
    converted = None
    if game is not None and result.position is not None:
        converted = convert_or_refuse(game, result.position, body.to, saving_store)
    return make_json_response(
        {
            "text": result.text,
            "game": result.game,
            "variant": result.variant,
            "ok": result.ok and converted is not None,
            "result": converted,
            "diagnostics": _list_diagnostics(result),
        }
    )


def convert_or_refuse(game: Game, position: Any, form: str, saving_store: Store | None) -> str:
    """Return a position as text in a form such as ``fenz``, or in a style of its game.

    Raise a 400 `Problem` if the form does not exist or cannot express the position.

    Args:
        game: The game.
        position: The position.
        form: Name of the form or style.
        saving_store: Store in which the form ``state`` saves the position, or None to save it nowhere.
    """
    try:
        converted = convert_position(game, position, form, None)
    except ValueError as error:
        raise Problem(400, "NOT_EXPRESSIBLE", str(error)) from None
    if form == "state":
        store_if_possible(stored_text(position), game.name, saving_store)
    return converted


@routes.post("/forms", response_model=FormsAnswer)
def list_forms(body: TextRequest, store: ReadableStore, saving_store: OptionalStore) -> Response:
    """Return a position in every form, and the path of the page that shows it (`link`).

    The position is stored, so that its form `state` can be used. A form that cannot hold the position is
    null.
    """
    parsed = require_position(body.text, body.choice, store)
    canonical = parsed.game.write(parsed.position)
    text = stored_text(parsed.position)
    text_by_form: dict[str, str | None] = {
        form: _wrap_text(text, form, parsed.game.name, saving_store) for form in WRITABLE_FORMS
    }
    compressed = text_by_form["fenz"]
    text_by_form["plain"] = parsed.reading.text if parsed.reading.form == "plain" else canonical
    text_by_form["canonical"] = canonical
    text_by_form["link"] = None if compressed is None else f"/p/{compressed}"
    return make_json_response({"forms": text_by_form})


def _wrap_text(text: str, form: str, game_name: str, saving_store: Store | None) -> str | None:
    """Return a canonical text in a form such as ``fenz``, or None if the form cannot express it.

    The form ``state`` also saves the text in `saving_store`, unless that is None or cannot be written.
    """
    if form == "state":
        return store_if_possible(text, game_name, saving_store)
    try:
        return forms.wrap(text, form, game=game_name)
    except ValueError:
        return None


@routes.post("/partial", response_model=PartialAnswer)
def read_part(body: PartialRequest, store: ReadableStore) -> Response:
    """Draw what can be read of an invalid text, with the squares hatched that cannot be read.

    `partial` is null if the text is valid, or too little of it can be read.
    """
    result, game = texts.check_text(body.text, body.choice, store)
    is_readable = result.position is not None
    if game is None or is_readable or result.form != "plain":
        return make_json_response({"game": result.game, "variant": result.variant, "partial": None})
    partial = read_partial_position(game, result.text, result.errors)
    if partial is None:
        return make_json_response({"game": result.game, "variant": result.variant, "partial": None})
    options = make_draw_options(body, marks=False)
    view = _build_partial_view(ParsedText(game, partial.position, result), partial, options)
    return make_json_response({"game": result.game, "variant": result.variant, "partial": view})


def _build_partial_view(parsed: ParsedText, partial: PartialPosition, options: DrawOptions) -> dict[str, Any]:
    """Return the drawing of the readable part of a text, with the fields of `PartialView`.

    Args:
        parsed: The position in the readable part of the text, with its game.
        partial: The same position, with the ids of the squares that could not be read.
        options: Options of the drawing.
    """
    scene = build_scene(parsed, options)
    unread_cells = list_unread_cells(scene, partial)
    unread_names = ", ".join(unread_cells) or "none"
    hatched_scene = hatch_unread_cells(scene, partial)
    return {
        "title": parsed.game.title,
        "game": parsed.game.name,
        "svg": draw.svg(hatched_scene, size=options.size, theme=options.theme),
        "scene": build_scene_view(hatched_scene),
        "description": f"Readable part of the text; squares that could not be read: {unread_names}.",
        "unread": unread_cells,
    }


@routes.post("/diff", response_model=DiffAnswer)
def compare_texts(body: DiffRequest, store: ReadableStore) -> Response:
    """Compare two positions of one game, field by field and square by square."""
    first_text = require_position(body.a, body.choice, store)
    second_text = require_position(body.b, body.choice, store)
    game = first_text.game
    if game.name != second_text.game.name:
        message = (
            f"the texts belong to different games, {game.name} and {second_text.game.name}; "
            "send two positions of one game"
        )
        raise Problem(400, "DIFFERENT_GAMES", message)
    differences = game.diff(first_text.position, second_text.position)
    return make_json_response({"game": game.name, "variant": game.variant, **differences.to_dict()})


# --- rules ----------------------------------------------------------------------------------------------


@routes.post("/moves", response_model=MovesAnswer)
def list_moves(body: TextRequest, store: ReadableStore) -> Response:
    """List the legal moves and actions of a position. An illegal position has none."""
    result, game = texts.check_text(body.text, body.choice, store)
    move_list: list[dict[str, Any]] = []
    actions: list[str] = []
    if game is not None and result.position is not None and result.ok:
        move_list = build_move_list(game, result.position)
        actions = list(game.actions(result.position))
    return make_json_response(
        {
            "text": result.text,
            "game": result.game,
            "variant": result.variant,
            "ok": result.ok,
            "moves": move_list,
            "actions": actions,
        }
    )


@routes.post("/move", response_model=MoveAnswer)
def read_a_move(body: MoveRequest, store: ReadableStore) -> Response:
    """Return the legal move that a text names, in canonical notation, or the reason why it names none.

    The move may be in any notation that the game can read.
    """
    game, position, _ = require_legal_position(body.text, body.choice, store)
    move_text = body.move.strip()
    try:
        move = game.read_move(position, move_text)
    except MoveError as error:
        reason = find_hindrance(game, position, move_text)
        return make_json_response(
            {
                "move": None,
                "error": str(error),
                "candidates": list(error.candidates),
                "why": None if reason is None else reason.to_dict(),
            }
        )
    canonical_move = game.write_move(position, move)
    return make_json_response({"move": canonical_move, "error": "", "candidates": [], "why": None})


@routes.post("/explain", response_model=ExplainAnswer)
def explain_move(body: ExplainRequest, store: ReadableStore) -> Response:
    """Explain why no move leads from one square to another.

    `why` is null if there is such a move, or the game gives no explanations.
    """
    game, position, _ = require_legal_position(body.text, body.choice, store)
    if not isinstance(game, Explaining):
        return make_json_response({"why": None})
    reason = game.why_not(position, body.origin, body.target, body.piece)
    return make_json_response({"why": None if reason is None else reason.to_dict()})


@routes.post("/reach", response_model=ReachAnswer)
def show_reach(body: ReachRequest, store: ReadableStore) -> Response:
    """List the squares that the piece on a square could move to or capture on, whichever side is to move.

    The list is empty if the game does not support this.
    """
    game, position, _ = require_legal_position(body.text, body.choice, store)
    reachable_cells = game.reach(position, body.square) if isinstance(game, Overlaying) else ()
    return make_json_response({"cells": list(reachable_cells)})


@routes.post("/play", response_model=PlayAnswer)
def play_move(body: PlayRequest, store: ReadableStore) -> Response:
    """Play a move, in any notation that the game can read, and return the position after it."""
    game, position, _ = require_legal_position(body.text, body.choice, store)
    move_text = body.move.strip()
    try:
        move = game.read_move(position, move_text)
    except MoveError as error:
        raise make_move_problem(error, find_hindrance(game, position, move_text)) from None

    after = as_parsed_text(game, game.play(position, move))
    description = game.describe_move(position, move)
    squares = (description.origin, description.target)
    last_move: dict[str, Mark] = {square: "last" for square in squares if square is not None}
    return make_json_response(
        {
            "success": True,
            "game": game.name,
            "move": description.move,
            "after": after.reading.text,
            "position": build_position_view(after, make_draw_options(body), last_move=last_move),
        }
    )


# --- the editor -----------------------------------------------------------------------------------------


@routes.post("/edit", response_model=EditAnswer)
def edit_position(body: EditRequest, store: ReadableStore) -> Response:
    """Change a position, and return it with the pieces and fields that an editor offers.

    The position may be illegal before and after the change. Without a change, the position is only returned.
    """
    original = require_position(body.text, body.choice, store)
    game = original.game
    try:
        editable = require_editable(game)
        before = _clear_board(game, editable, original.position) if body.clear else original.position
        position = _apply_changes(editable, before, body)
    except ValueError as error:
        raise Problem(400, "NOT_EXPRESSIBLE", str(error)) from None

    # Without a change, the text and the diagnostics are those of the request.
    edited = original if position is original.position else _check_edited(game, position)
    options = make_draw_options(body, marks=body.marks)
    palette_game = require_editable(apply_look(game, options))
    return make_json_response(
        {
            "text": edited.reading.text,
            "diagnostics": _list_diagnostics(edited.reading),
            "position": build_position_view(edited, options),
            "palette": build_palette_views(palette_game, position, options),
            "fields": build_field_views(editable, position),
        }
    )


def _check_edited(game: Game, position: Any) -> ParsedText:
    """Check an edited position, and return it with its text, errors and warnings."""
    text = game.write(position)
    diagnostics = tuple(game.check(position, text=text))
    return ParsedText(game, position, Reading(text, game.name, position, diagnostics))


def _apply_changes(game: Editable, position: Any, body: EditRequest) -> Any:
    """Return a position with the changes of a request: to a piece, or to a field.

    The order is: put a piece, move a piece, set a field. The rules of the game do not apply. Raise
    `ValueError` if a change is not possible, such as on an unknown square.
    """
    changed = position
    if body.put is not None:
        changed = game.put(changed, body.put.square, body.put.symbol)
    if body.move is not None:
        changed = game.lift(changed, body.move.from_, body.move.to)
    if body.field is not None:
        changed = game.with_field(changed, body.field.name, str(body.field.value))
    return changed


def _clear_board(game: Game, editable: Editable, position: Any) -> Any:
    """Return a position without pieces. Pieces that an editor may not remove stay on the board.

    `editable` is the same game as `game`, with the methods of an editor.
    """
    # Removing a piece from a stack uncovers the one below, so repeat this until nothing changes.
    for _ in range(MAX_STACKED_PIECES):
        cleared = _remove_top_pieces(game, editable, position)
        if cleared == position:
            break
        position = cleared
    return position


def _remove_top_pieces(game: Game, editable: Editable, position: Any) -> Any:
    """Return a position without the top piece of each square.

    Pieces that an editor may not remove stay. `editable` is the same game as `game`, with the methods of an
    editor.
    """
    occupied_cells = [cell for area in game.scene(position).areas for cell in area.cells if cell.tokens]
    # Begin at the end, because the rest of a heap moves up to its first cells.
    for cell in reversed(occupied_cells):
        # The game raises ValueError for a piece that may not be removed.
        with suppress(ValueError):
            position = editable.put(position, cell.id, None)
    return position
