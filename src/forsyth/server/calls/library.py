"""The library: positions that somebody saved, with a name, tags and a note."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Query
from starlette.responses import Response

from forsyth.identity import kept_text
from forsyth.limits import MAX_PAGE
from forsyth.server.answer_models import Deleted, LibraryPage, SavedData
from forsyth.server.answers import answer
from forsyth.server.problems import Problem
from forsyth.server.request_models import ChangeRequest, SaveRequest
from forsyth.server.routing import Stored, Writable, router
from forsyth.server.texts import position_of

routes = router("library")

T = TypeVar("T")


@routes.get("/library", response_model=LibraryPage)
def search_library(
    store: Stored,
    game: str | None = None,
    tag: str | None = None,
    q: Annotated[str | None, Query(description="A part of the name, the note, a tag or the text.")] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
    after: Annotated[str | None, Query(description="The cursor `next` of the page before.")] = None,
) -> Response:
    """Saved positions, newest first."""
    page = _asked(lambda: store.search(game or None, tag or None, q or None, limit, after or None))
    positions = [saved.to_dict() for saved in page.positions]
    return answer({"positions": positions, "next": page.next, "total": page.total})


@routes.post("/library", response_model=SavedData)
def save_position(given: SaveRequest, store: Writable) -> Response:
    """Save a position, legal or not, under a name."""
    one = position_of(given.text, given.choice, store, plays=False)
    text = kept_text(one.position)
    saved = _asked(lambda: store.save(text, one.game.name, given.name, given.tags, given.note))
    return answer(saved.to_dict())


@routes.get("/library/{id}", response_model=SavedData)
def show_saved(id: str, store: Stored) -> Response:
    """One saved position."""
    return answer(_there(store.saved(id)).to_dict())


@routes.patch("/library/{id}", response_model=SavedData)
def change_saved(id: str, given: ChangeRequest, store: Writable) -> Response:
    """Change name, tags or note of a saved position; what is left out stays."""
    changed = _asked(lambda: store.change(id, name=given.name, tags=given.tags, note=given.note))
    return answer(_there(changed).to_dict())


@routes.delete("/library/{id}", response_model=Deleted)
def forget_saved(id: str, store: Writable) -> Response:
    """Take a position out of the library; its text can still be loaded by its `state_id`."""
    if not store.forget(id):
        _there(None)
    return answer({"success": True, "id": id})


def _there(saved: T | None) -> T:
    if saved is None:
        raise Problem(404, "NOT_FOUND", "there is no saved position with this identifier")
    return saved


def _asked(question: Callable[[], T]) -> T:
    """What the store answers; what it does not take is refused in its words."""
    try:
        return question()
    except ValueError as error:
        raise Problem(400, "BAD_TYPE", str(error)) from None
