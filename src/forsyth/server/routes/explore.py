"""Route that returns the moves played in a position, if the service was started with an index."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Query, Request
from starlette.responses import Response

from forsyth.resolver import GameChoice
from forsyth.server.answer_models import ExploreAnswer
from forsyth.server.json_responses import make_json_response
from forsyth.server.problems import Problem
from forsyth.server.routing import ReadableStore, TextQuery, make_computing_router
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
    """Return the position in a text of the game of the index, in any variant.

    A position of another variant is accepted, although no game of the index contains it. Raise a `Problem` if
    the text contains no position.

    Args:
        text: The text in any form.
        game: Name of the game of the index.
        variant: Name of the variant of the index.
        store: Store for looking up identifiers (``state_...``).
    """
    reading, resolved_game = check_text(text, GameChoice(game, variant), store)
    if resolved_game is not None and reading.position is not None:
        return ParsedText(resolved_game, reading.position, reading)
    # Without a variant, the text names its own.
    return require_position(text, GameChoice(game), store)


IndexBook = Annotated[Any, Depends(_require_book)]
"""Dependency: the opening index; a 404 if the service has none."""


@routes.get("/explore", response_model=ExploreAnswer)
def explore_position(
    store: ReadableStore,
    book: IndexBook,
    text: TextQuery,
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
    is_other_game = game is not None and find_game(game).name != manifest.game
    if is_other_game:
        message = f"the index of the service contains games of {manifest.game}, not of {game}"
        raise Problem(404, "NO_INDEX", message)
    parsed = _read_position(text, manifest.game, manifest.variant, store)
    try:
        return make_json_response(explore(book, parsed.game, parsed.position).to_dict())
    except BulkError:
        message = "the index cannot be read now; check its files, or write it again with forsyth index"
        raise Problem(503, "INDEX_UNAVAILABLE", message) from None
