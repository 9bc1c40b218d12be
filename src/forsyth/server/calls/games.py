"""The games there are, and new games of them."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from starlette.responses import Response

from forsyth import registry
from forsyth.game import Game
from forsyth.resolver import Choice
from forsyth.server.answer_models import GameData, GamesAnswer
from forsyth.server.answers import answer, tagged
from forsyth.server.problems import Problem
from forsyth.server.request_models import NewRequest
from forsyth.server.routing import Stored, computing_router
from forsyth.server.service_index import index_view
from forsyth.server.texts import legal_position_of, named, require_game
from forsyth.server.view_models import PositionView
from forsyth.server.views import code_list, found, game_view, look_of, position_view

routes = computing_router("games")


@routes.get("/games", response_model=GamesAnswer)
def list_games(request: Request) -> Response:
    """Every game there is, the built-in ones first, and of which of them the service has an index."""
    games = [game_view(registry.game(name)) for name in registry.games()]
    return tagged(request, {"games": games, "index": index_view(request.app.state.book)})


@routes.get("/games/{game}", response_model=GameData)
def show_game(request: Request, game: str, variant: str | None = None) -> Response:
    """One game, with every code its findings can carry."""
    chosen = named(game, variant, plays=False, status=404)
    return tagged(request, {**game_view(chosen), "codes": code_list(chosen.codes)})


@routes.post("/games/{game}/new", response_model=PositionView)
def begin_game(game: str, given: NewRequest, store: Stored) -> Response:
    """The position a new game begins with. Where chance decides about it, a seed gives the same one again."""
    named(game, plays=False, status=404)
    choice = Choice(game, given.variant, given.profile)
    chosen = require_game(choice, plays=True)
    look = look_of(given)
    if isinstance(given.start, str):
        return answer(position_view(legal_position_of(given.start, choice, store), look))
    chosen = for_players(chosen, given.players)
    return answer(position_view(found(chosen, new_position(chosen, given.seed, given.start)), look))


def for_players(game: Game, players: int | None) -> Game:
    """The game in the variant for so many players; refused where there is none."""
    if players is None or len(game.players) == players:
        return game
    fitting = (game.with_variant(variant) for variant in game.variants)
    found = next((one for one in fitting if len(one.players) == players), None)
    if found is None:
        raise Problem(400, "UNKNOWN_VARIANT", f"{game.name} is not played by {players}")
    return found


def new_position(game: Game, seed: int | None, start: int | None) -> Any:
    """The first position of a new game; only some games let another player than the first begin."""
    if start in (None, 0):
        try:
            return game.new_game(seed)
        except ValueError as error:
            raise Problem(400, "NOT_EXPRESSIBLE", str(error)) from None
    try:
        return game.new_game(seed, start=start)  # type: ignore[call-arg]
    except (TypeError, ValueError):
        message = f"player {start} cannot begin a game of {game.name}"
        raise Problem(400, "NOT_EXPRESSIBLE", message) from None
