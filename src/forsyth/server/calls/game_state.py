"""The call game_state of the source document (spec/azul 10.3): a position of any game as data, and back.

Accepted: a text in any form; a name without a game is one of Azul's. Data becomes a text where its game can
make one of it; of any other game the `fen_string` of the data is what counts.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from starlette.responses import Response

from forsyth import reading
from forsyth.abilities import DataText, as_data
from forsyth.identity import kept_text, state_id
from forsyth.resolver import Choice
from forsyth.server.answer_models import StateAnswer, StatePut
from forsyth.server.answers import answer
from forsyth.server.problems import Problem
from forsyth.server.request_models import FenRequest, StateData
from forsyth.server.routing import Chosen, Kept, Stored, computing_router
from forsyth.server.texts import ReadText, legal_position_of, named, with_document_names
from forsyth.store import Store

routes = computing_router("the two calls of the source document")


@routes.post("/game_state", response_model=StateAnswer)
def load_state(given: FenRequest, store: Stored, keep: Kept) -> Response:
    """The position of a text as data. The position is kept: its `state_id` can be loaded from now on."""
    return _loaded(given.fen_string, given.choice, store, keep)


@routes.get("/game_state", response_model=StateAnswer)
def show_state(
    store: Stored,
    choice: Chosen,
    fen_string: Annotated[str, Query(description="A text in any form.")] = reading.INITIAL,
) -> Response:
    """The same for a text in the address, which is not kept; without one the initial position."""
    return _loaded(fen_string, choice, store, None)


@routes.put("/game_state", response_model=StatePut)
def put_state(given: StateData, store: Stored, keep: Kept) -> Response:
    """Data as game_state answers it, back to a text. The data is checked like a text."""
    data = given.game_state
    name = data.get("game", "azul")
    if not isinstance(name, str):
        raise Problem(400, "BAD_TYPE", "game_state.game is not text")
    game = named(name)
    try:
        text = game.text_of_data(data) if isinstance(game, DataText) else data.get("fen_string")
    except ValueError as error:
        raise Problem(400, "BAD_TYPE", str(error)) from None
    if not isinstance(text, str):
        raise Problem(400, "MISSING_FIELD", "game_state.fen_string is missing")
    one = legal_position_of(text, Choice(name), store, plays=False)
    id = keep_position(one, keep)
    return answer({"success": True, "fen_string": text, "state_id": id, "game": name})


def _loaded(text: str, choice: Choice, store: Store, keep: Store | None) -> Response:
    one = legal_position_of(text, with_document_names(text, choice), store, plays=False)
    keep_position(one, keep)
    return answer({"success": True, "game_state": state_data(one)})


def keep_position(one: ReadText, keep: Store | None) -> str:
    """Put a position into the store, where that is allowed; its identifier in any case."""
    text = kept_text(one.position)
    return state_id(text) if keep is None else keep.put(text, one.game.name)


def state_data(one: ReadText) -> dict[str, Any]:
    """A position as data: what every game has, and what this one's own data has."""
    game, position, read = one
    canonical = game.write(position)
    text = read.text if read.form == "plain" else canonical
    return {
        "fen_string": text,
        "state_id": state_id(kept_text(position)),
        "game": game.name,
        "key": game.key(position),
        "side_to_move": game.side_to_move(position),
        "move_number": game.move_number(position)[0],
        "canonical": canonical,
        "warnings": [d.to_dict() for d in read.warnings],
        **as_data(game, position, text),
    }
