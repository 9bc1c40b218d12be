"""Route game_state of the source document (spec/azul 10.3): convert a position of any game to data and back.

A text may have any form. A name without a game is a named position of Azul. If a game cannot make a text from
its data, the `fen_string` in the data is used.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from starlette.responses import Response

from forsyth import reading
from forsyth.abilities import DataText, position_data
from forsyth.arguments import quoted
from forsyth.identity import state_id, stored_text
from forsyth.resolver import GameChoice
from forsyth.server.answer_models import StateAnswer, StatePut
from forsyth.server.json_responses import make_json_response
from forsyth.server.problems import Problem
from forsyth.server.request_models import FenRequest, StateData
from forsyth.server.routing import GameQuery, OptionalStore, ReadableStore, make_computing_router
from forsyth.server.texts import ParsedText, default_to_document_game, find_game, require_legal_position
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
    data = body.game_state
    name = data.get("game", "azul")
    if not isinstance(name, str):
        message = f"game_state.game is {quoted(name)}, expected the name of a game such as 'azul'"
        raise Problem(400, "BAD_TYPE", message)
    game = find_game(name)
    try:
        text = game.text_of_data(data) if isinstance(game, DataText) else data.get("fen_string")
    except ValueError as error:
        raise Problem(400, "BAD_TYPE", str(error)) from None
    if not isinstance(text, str):
        raise Problem(400, "MISSING_FIELD", "game_state.fen_string is missing, expected a position text")

    parsed = require_legal_position(text, GameChoice(name), store)
    identifier = store_position(parsed, saving_store)
    return make_json_response({"success": True, "fen_string": text, "state_id": identifier, "game": name})


def _load_position(text: str, choice: GameChoice, store: Store, saving_store: Store | None) -> Response:
    """Return a response with the position of a text as data. The position must be legal.

    `store` is for looking up identifiers. The position is stored in `saving_store`, unless that is None.
    """
    parsed = require_legal_position(text, default_to_document_game(text, choice), store)
    store_position(parsed, saving_store)
    return make_json_response({"success": True, "game_state": build_state_data(parsed)})


def store_position(parsed: ParsedText, saving_store: Store | None) -> str:
    """Return the identifier of a position (``state_...``), and store the position in `saving_store`.

    If `saving_store` is None, the position is not stored.
    """
    text = stored_text(parsed.position)
    if saving_store is None:
        return state_id(text)
    return saving_store.put(text, parsed.game.name)


def build_state_data(parsed: ParsedText) -> dict[str, Any]:
    """Return a position as JSON-ready data: fields that all games have, and those of its own game.

    ``fen_string`` is the text of the request if it was plain text, else the canonical text.
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
        **position_data(game, position, text),
    }
