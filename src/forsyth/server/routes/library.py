"""Routes of the library: positions that users saved under a name, with tags and a note."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Query
from starlette.responses import Response

from forsyth.arguments import quoted
from forsyth.identity import stored_text
from forsyth.limits import MAX_PAGE
from forsyth.server.answer_models import Deleted, LibraryPage, SavedData
from forsyth.server.json_responses import make_json_response
from forsyth.server.problems import Problem
from forsyth.server.request_models import ChangeRequest, SaveRequest
from forsyth.server.routing import PrivateStore, WritableStore, make_router
from forsyth.server.texts import require_position

routes = make_router("library")

T = TypeVar("T")


@routes.get("/library", response_model=LibraryPage)
def search_library(
    store: PrivateStore,
    game: str | None = None,
    tag: str | None = None,
    q: Annotated[str | None, Query(description="Part of the name, note, a tag or the text.")] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
    after: Annotated[str | None, Query(description="Cursor `next` of the previous page.")] = None,
) -> Response:
    """Search the saved positions, newest first. A page has at most `limit` positions."""
    # An empty parameter, as in "?game=", selects all positions.
    page = _run_or_refuse(lambda: store.search(game or None, tag or None, q or None, limit, after or None))
    positions = [saved.to_dict() for saved in page.positions]
    return make_json_response({"positions": positions, "next": page.next, "total": page.total})


@routes.post("/library", response_model=SavedData)
def save_position(body: SaveRequest, store: WritableStore) -> Response:
    """Save a position, legal or not, under a name."""
    parsed = require_position(body.text, body.choice, store)
    text = stored_text(parsed.position)
    saved = _run_or_refuse(lambda: store.save(text, parsed.game.name, body.name, body.tags, body.note))
    return make_json_response(saved.to_dict())


@routes.get("/library/{id}", response_model=SavedData)
def show_saved(id: str, store: PrivateStore) -> Response:
    """Return one saved position."""
    return make_json_response(_require_saved(store.saved(id), id).to_dict())


@routes.patch("/library/{id}", response_model=SavedData)
def change_saved(id: str, body: ChangeRequest, store: WritableStore) -> Response:
    """Change the name, tags or note of a saved position. Fields that are left out do not change."""
    changed = _run_or_refuse(lambda: store.change(id, name=body.name, tags=body.tags, note=body.note))
    return make_json_response(_require_saved(changed, id).to_dict())


@routes.delete("/library/{id}", response_model=Deleted)
def forget_saved(id: str, store: WritableStore) -> Response:
    """Remove a position from the library. Its text can still be loaded by its `state_id`."""
    was_saved = store.forget(id)
    if not was_saved:
        raise _make_unsaved_problem(id)
    return make_json_response({"success": True, "id": id})


def _require_saved(saved: T | None, identifier: str) -> T:
    """Return the saved position `saved` unchanged. Raise a 404 `Problem` if it is None.

    `identifier` is the identifier that was looked up in the library, for the message.
    """
    if saved is None:
        raise _make_unsaved_problem(identifier)
    return saved


def _make_unsaved_problem(identifier: str) -> Problem:
    """Return the error response for an identifier that no saved position in the library has."""
    message = f"there is no saved position with the identifier {quoted(identifier)}"
    return Problem(404, "NOT_FOUND", message)


def _run_or_refuse(operation: Callable[[], T]) -> T:
    """Call `operation`, which uses the store, and return its result.

    Raise a 400 `Problem` if the store refuses a value, such as a name that is too long.
    """
    try:
        return operation()
    except ValueError as error:
        raise Problem(400, "BAD_TYPE", str(error)) from None
