"""Stored positions: a text in, its `state_…` identifier out, and back; and the named positions of a game."""

from __future__ import annotations

from starlette.responses import Response

from forsyth.identity import kept_text
from forsyth.reading import INITIAL
from forsyth.server.answer_models import PositionsAnswer, StateText
from forsyth.server.answers import answer
from forsyth.server.problems import Problem
from forsyth.server.request_models import FenRequest, TextRequest
from forsyth.server.routing import Stored, Writable, router
from forsyth.server.texts import legal_position_of, named
from forsyth.store import Store

routes = router("stored positions")


@routes.put("/states", response_model=StateText)
def put_state(given: TextRequest, store: Writable) -> Response:
    """Keep a legal position; a second time changes nothing."""
    one = legal_position_of(given.text, given.choice, store, plays=False)
    text = kept_text(one.position)
    id = store.put(text, one.game.name)
    return answer({"state_id": id, "fen_string": text, "game": one.game.name})


@routes.get("/states/{state_id}", response_model=StateText)
def get_state(state_id: str, store: Stored) -> Response:
    """The canonical text of an identifier; never another position."""
    entry = store.entry(state_id)
    if entry is None:
        raise Problem(404, "HASH_UNKNOWN", "Unknown state identifier")
    return answer({"state_id": entry.id, "fen_string": entry.text, "game": entry.game})


@routes.get("/positions/{game}", response_model=PositionsAnswer)
def list_positions(game: str, store: Stored) -> Response:
    """The named positions of a game; `initial` is the one that was set."""
    return answer(_positions(game, store))


@routes.put("/positions/{game}/initial", response_model=PositionsAnswer)
def set_initial(game: str, given: FenRequest, store: Writable) -> Response:
    """Make another position `initial`, also after a restart."""
    named(game, plays=False, status=404)
    one = legal_position_of(given.fen_string, given.choice._replace(game=game), store, plays=False)
    store.set_initial(game, kept_text(one.position))
    return answer(_positions(game, store))


def _positions(name: str, store: Store) -> dict[str, object]:
    game = named(name, plays=False, status=404)
    initial = store.initial(name) or game.names.get(INITIAL, game.start)
    return {"game": name, "positions": {**game.names, INITIAL: initial}}
