"""Route game_state of the source document (spec/azul 10.3): convert a position of any game to data and back.

A text may have any form. A name without a game is a named position of Azul. If a game cannot make a text from
its data, the `fen_string` in the data is used.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from starlette.responses import Response

from forsyth import reading
from forsyth.abilities import DataText, position_to_data
from forsyth.arguments import quoted
from forsyth.game import Game
from forsyth.identity import state_id, stored_text
from forsyth.resolver import GameChoice
from forsyth.server.answer_models import StateAnswer, StatePut
from forsyth.server.json_responses import make_json_response
from forsyth.server.problems import Problem
from forsyth.server.request_models import FenRequest, StateData
from forsyth.server.routing import GameQuery, OptionalStore, ReadableStore, make_computing_router
from forsyth.server.service_store import store_if_possible
from forsyth.server.texts import (
    DOCUMENT_GAME,
    ParsedText,
    default_to_document_game,
    find_game,
    require_legal_position,
)
from forsyth.store import Store

routes = make_computing_router("the two calls of the source document")


@routes.post("/game_state", response_model=StateAnswer)
def load_state(body: FenRequest, store: ReadableStore, saving_store: OptionalStore) -> Response:
    """Return the position of a text as data, and store it, so that its `state_id` can be used from now on."""
    return _load_position(body.fen_string, body.choice, store, saving_store)


@routes.get("/game_state", response_model=StateAnswer)
def show_state(
    store: ReadableStore,
    choice: GameQuery,
    fen_string: Annotated[str, Query(description="Position text in any form.")] = reading.INITIAL,
) -> Response:
    """Return the position of a text as data, without storing it.

    Without a text, the initial position is returned.
    """
    return _load_position(fen_string, choice, store, None)


@routes.put("/game_state", response_model=StatePut)
def put_state(body: StateData, store: ReadableStore, saving_store: OptionalStore) -> Response:
    """Convert position data, as game_state returns it, to a text. The position must be legal."""
    game_name = body.game_state.get("game", DOCUMENT_GAME)
    if not isinstance(game_name, str):
        message = f"game_state.game is {quoted(game_name)}, expected the name of a game such as 'azul'"
        raise Problem(400, "BAD_TYPE", message)
    text = _write_data_as_text(find_game(game_name), body.game_state)
    parsed = require_legal_position(text, GameChoice(game_name), store)
    identifier = store_position(parsed, saving_store)
    return make_json_response(
        {"success": True, "fen_string": text, "state_id": identifier, "game": game_name}
    )


def _write_data_as_text(game: Game, state_data: dict[str, Any]) -> str:
    """Return the text of a position that was sent as data.

    If the game cannot make a text from data, return the field ``fen_string`` of the data. Raise a `Problem`
    if that is missing, or the data is not valid.
    """
    try:
        text = game.text_of_data(state_data) if isinstance(game, DataText) else state_data.get("fen_string")
    except ValueError as error:
        raise Problem(400, "BAD_TYPE", str(error)) from None
    if not isinstance(text, str):
        raise Problem(400, "MISSING_FIELD", "game_state.fen_string is missing, expected a position text")
    return text


def _load_position(text: str, choice: GameChoice, store: Store, saving_store: Store | None) -> Response:
    """Return a response with the position of a text as data.

    Raise a `Problem` if the text contains no legal position.

    Args:
        text: The text in any form.
        choice: Names of the game, variant and profile. None means that the text determines it.
        store: Store for looking up identifiers (``state_...``).
        saving_store: Store to save the position in, or None to save it nowhere.
    """
    parsed = require_legal_position(text, default_to_document_game(text, choice), store)
    store_position(parsed, saving_store)
    return make_json_response({"success": True, "game_state": build_state_data(parsed)})


def store_position(parsed: ParsedText, saving_store: Store | None) -> str:
    """Store a position in `saving_store`, and return its identifier (``state_...``).

    If `saving_store` is None or cannot be written, the identifier is only computed.
    """
    return store_if_possible(stored_text(parsed.position), parsed.game.name, saving_store)


def build_state_data(parsed: ParsedText) -> dict[str, Any]:
    """Return a position as JSON-ready data: fields that all games have, and those of its own game.

    The field ``fen_string`` is the text that was read, or the canonical text if that text was wrapped, for
    example as ``base64_...``.
    """
    game, position, parsed_reading = parsed
    canonical = game.write(position)
    text = parsed_reading.text if parsed_reading.form == "plain" else canonical
    move_number, _ = game.move_number(position)
    return {
        "fen_string": text,
        "state_id": state_id(stored_text(position)),
        "game": game.name,
        "key": game.key(position),
        "side_to_move": game.side_to_move(position),
        "move_number": move_number,
        "canonical": canonical,
        "warnings": [diagnostic.to_dict() for diagnostic in parsed_reading.warnings],
        **position_to_data(game, position, text),
    }
