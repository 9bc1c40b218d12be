"""Routes for stored positions (a text and its `state_…` identifier) and for the named positions of a game."""

from __future__ import annotations

from starlette.responses import Response

from forsyth.identity import stored_text
from forsyth.reading import INITIAL
from forsyth.server.answer_models import PositionsAnswer, StateText
from forsyth.server.json_responses import make_json_response
from forsyth.server.problems import Problem
from forsyth.server.request_models import FenRequest, TextRequest
from forsyth.server.routing import ReadableStore, WritableStore, make_router
from forsyth.server.texts import find_game, require_legal_position
from forsyth.store import Store

routes = make_router("stored positions")


@routes.put("/states", response_model=StateText)
def put_state(body: TextRequest, store: WritableStore) -> Response:
    """Store a legal position and return its identifier. Storing it again changes nothing."""
    parsed = require_legal_position(body.text, body.choice, store)
    text = stored_text(parsed.position)
    identifier = store.put(text, parsed.game.name)
    return make_json_response({"state_id": identifier, "fen_string": text, "game": parsed.game.name})


@routes.get("/states/{state_id}", response_model=StateText)
def get_state(state_id: str, store: ReadableStore) -> Response:
    """Return the canonical text of a stored position. The text of an identifier never changes."""
    entry = store.entry(state_id)
    if entry is None:
        raise Problem(404, "HASH_UNKNOWN", "Unknown state identifier")
    return make_json_response({"state_id": entry.id, "fen_string": entry.text, "game": entry.game})


@routes.get("/positions/{game}", response_model=PositionsAnswer)
def list_positions(game: str, store: ReadableStore) -> Response:
    """Return the named positions of a game. `initial` is the position set by `PUT`, if there is one."""
    return make_json_response(_list_named_positions(game, store))


@routes.put("/positions/{game}/initial", response_model=PositionsAnswer)
def set_initial(game: str, body: FenRequest, store: WritableStore) -> Response:
    """Set the named position `initial` of a game. The store keeps it when the service restarts."""
    find_game(game, status=404)
    choice = body.choice._replace(game=game)
    parsed = require_legal_position(body.fen_string, choice, store)
    store.set_initial(game, stored_text(parsed.position))
    return make_json_response(_list_named_positions(game, store))


def _list_named_positions(game_name: str, store: Store) -> dict[str, object]:
    """Return the named positions of a game, such as ``empty``, as JSON-ready data: texts by name.

    The position ``initial`` is the one that a client has set in the store, or else the usual one of the game.
    """
    game = find_game(game_name, status=404)
    usual_initial = game.names.get(INITIAL, game.start)
    initial = store.initial(game_name) or usual_initial
    return {"game": game_name, "positions": {**game.names, INITIAL: initial}}
