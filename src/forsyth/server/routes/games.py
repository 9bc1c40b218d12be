"""Routes that list the games and start new ones."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from starlette.responses import Response

from forsyth import registry
from forsyth.game import Game
from forsyth.resolver import GameChoice
from forsyth.server.answer_models import GameData, GamesAnswer
from forsyth.server.json_responses import make_cacheable_response, make_json_response
from forsyth.server.problems import Problem
from forsyth.server.request_models import NewRequest
from forsyth.server.routing import ReadableStore, make_computing_router
from forsyth.server.service_index import build_index_view
from forsyth.server.texts import find_game, require_legal_position, resolve_named_game
from forsyth.server.view_models import PositionView
from forsyth.server.views import (
    as_parsed_text,
    build_code_list,
    build_game_view,
    build_position_view,
    make_draw_options,
)

routes = make_computing_router("games")


@routes.get("/games", response_model=GamesAnswer)
def list_games(request: Request) -> Response:
    """List the installed games, the built-in ones first, and the index of the service if it has one."""
    games = [build_game_view(registry.game(name)) for name in registry.games()]
    return make_cacheable_response(
        request, {"games": games, "index": build_index_view(request.app.state.book)}
    )


@routes.get("/games/{game}", response_model=GameData)
def show_game(request: Request, game: str, variant: str | None = None) -> Response:
    """Return one game, with every code that its diagnostics can have."""
    selected_game = find_game(game, variant, status=404)
    codes = build_code_list(selected_game.codes)
    return make_cacheable_response(request, {**build_game_view(selected_game), "codes": codes})


@routes.post("/games/{game}/new", response_model=PositionView)
def begin_game(game: str, body: NewRequest, store: ReadableStore) -> Response:
    """Return the first position of a new game.

    If the game begins with a random position, the same `seed` gives the same position.
    """
    find_game(game, status=404)
    choice = GameChoice(game, body.variant, body.profile)
    selected_game = resolve_named_game(choice)
    options = make_draw_options(body)
    if isinstance(body.start, str):
        return make_json_response(
            build_position_view(require_legal_position(body.start, choice, store), options)
        )
    selected_game = select_player_count(selected_game, body.players)
    parsed = as_parsed_text(selected_game, make_first_position(selected_game, body.seed, body.start))
    return make_json_response(build_position_view(parsed, options))


def select_player_count(game: Game, player_count: int | None) -> Game:
    """Return a game in its first variant for `player_count` players.

    Return the game unchanged if `player_count` is None, or is its number of players already. Raise a
    `Problem` if no variant has that number of players.
    """
    if player_count is None or len(game.players) == player_count:
        return game
    for variant in game.variants:
        game_in_variant = game.with_variant(variant)
        if len(game_in_variant.players) == player_count:
            return game_in_variant
    counts_of_variants = {len(game.with_variant(variant).players) for variant in game.variants}
    possible_counts = {len(game.players), *counts_of_variants}
    expected = " or ".join(map(str, sorted(possible_counts)))
    message = f"{game.name} has no variant for {player_count} players, expected {expected}"
    raise Problem(400, "UNKNOWN_VARIANT", message)


def make_first_position(game: Game, seed: int | None, start: int | None) -> Any:
    """Return the first position of a new game, which is random in games such as Azul.

    Args:
        game: The game.
        seed: Number that determines a random position, or None for another position each time.
        start: Index of the player who begins, or None for the first. Only some games allow another player.

    Returns:
        The position.

    Raises:
        Problem: If the game does not accept the seed, or the player cannot begin.
    """
    first_player_begins = start in (None, 0)
    if first_player_begins:
        try:
            return game.new_game(seed)
        except ValueError as error:
            raise Problem(400, "NOT_EXPRESSIBLE", str(error)) from None
    try:
        return game.new_game(seed, start=start)  # type: ignore[call-arg]
    except (TypeError, ValueError):
        message = f"player {start} cannot begin a game of {game.name}; leave out start"
        raise Problem(400, "NOT_EXPRESSIBLE", message) from None
