"""Route that returns the moves played in a position, if the service was started with an index."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Query, Request
from starlette.responses import Response

from forsyth.resolver import GameChoice
from forsyth.server.answer_models import ExploreAnswer
from forsyth.server.json_responses import json_response
from forsyth.server.problems import Problem
from forsyth.server.routing import ReadableStore, make_computing_router
from forsyth.server.texts import ParsedText, check_text, find_game, require_position
from forsyth.store import Store

routes = make_computing_router("index")


async def _require_book(request: Request) -> Any:
    """Return the opening index of the service. Raise a 404 `Problem` if the service has none."""
    book = request.app.state.book
    if book is None:
        raise Problem(404, "NO_INDEX", "the service has no index; start it with forsyth serve --index")
    return book


def _read_position(text: str, game: str, variant: str, store: Store) -> ParsedText:
    """Return the position of a text in a variant of a game, or else in another variant of the game.

    `game` and `variant` are those of the index. A position of another variant is valid, although no game of
    the index contains it. Raise a `Problem` if the text contains no position.
    """
    resolved = check_text(text, GameChoice(game, variant), store)
    if resolved.game is not None and resolved.reading.position is not None:
        return ParsedText(resolved.game, resolved.reading.position, resolved.reading)
    return require_position(text, GameChoice(game), store)


IndexBook = Annotated[Any, Depends(_require_book)]
"""Dependency: the opening index; a 404 if the service has none."""


@routes.get("/explore", response_model=ExploreAnswer)
def explore_position(
    store: ReadableStore,
    book: IndexBook,
    text: Annotated[str, Query(description="Position text in any form.")],
    game: Annotated[
        str | None, Query(description="Game of the text, which must be that of the index.")
    ] = None,
) -> Response:
    """Return the moves played in a position with their results, and some of the games.

    Wins and losses are those of the side to move.
    """
    # Imported here, because a service without an index does not need the libraries of `forsyth.bulk`.
    from forsyth.bulk.errors import BulkError
    from forsyth.bulk.index.book import explore

    manifest = book.manifest
    if game is not None and find_game(game).name != manifest.game:
        message = f"the index of the service contains games of {manifest.game}, not of {game}"
        raise Problem(404, "NO_INDEX", message)
    parsed = _read_position(text, manifest.game, manifest.variant, store)
    try:
        return json_response(explore(book, parsed.game, parsed.position).to_dict())
    except BulkError:
        raise Problem(503, "INDEX_UNAVAILABLE", "the index cannot be read now") from None
