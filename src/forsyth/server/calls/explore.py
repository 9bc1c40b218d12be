"""What was played in a position, where the service was started with an index."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Query, Request
from starlette.responses import Response

from forsyth.resolver import Choice
from forsyth.server.answer_models import ExploreAnswer
from forsyth.server.answers import answer
from forsyth.server.problems import Problem
from forsyth.server.routing import Stored, computing_router
from forsyth.server.texts import ReadText, check, named, position_of
from forsyth.store import Store

routes = computing_router("index")


async def _book(request: Request) -> Any:
    book = request.app.state.book
    if book is None:
        raise Problem(404, "NO_INDEX", "the service has no index; start it with forsyth serve --index")
    return book


def _position(text: str, game: str, variant: str, store: Store) -> ReadText:
    """A position by the rules of the index, or by others, by which none of its games reached it."""
    read = check(text, Choice(game, variant), store)
    if read.game is not None and read.reading.position is not None:
        return ReadText(read.game, read.reading.position, read.reading)
    return position_of(text, Choice(game), store)


Indexed = Annotated[Any, Depends(_book)]
"""The index; refused where there is none."""


@routes.get("/explore", response_model=ExploreAnswer)
def explore_position(
    store: Stored,
    book: Indexed,
    text: Annotated[str, Query(description="A position text in any form.")],
    game: Annotated[str | None, Query(description="The game, which must be that of the index.")] = None,
) -> Response:
    """What was played in a position and how it ended, from the view of who moves, and the games that did."""
    # The index is read by what it was made with, which other services need not have.
    from forsyth.bulk.errors import BulkError
    from forsyth.bulk.index.book import explore

    manifest = book.manifest
    if game is not None and named(game).name != manifest.game:
        raise Problem(404, "NO_INDEX", f"the index is of {manifest.game}, not of {game}")
    one = _position(text, manifest.game, manifest.variant, store)
    try:
        return answer(explore(book, one.game, one.position).to_dict())
    except BulkError:
        raise Problem(503, "INDEX_UNAVAILABLE", "the index cannot be read now") from None
