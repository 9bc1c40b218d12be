"""The library in batches: NDJSON in, NDJSON out, line by line as they arrive.

Import accepts lines as `batch` does: a JSON string, or an object with a string ``text`` and, to be saved in
the library, ``name``, ``tags`` and ``note``; a text without a name is only kept. Positions may be illegal,
and of any variant that a text can name. A ``game`` counts where the request names none: what export writes
can be imported.
Written: an object for each line that is refused, ``{line, message}``, and at the end ``{kept, saved,
refused}``.

Export writes an object for each saved position, newest first, as `GET /library/{id}` answers.

Limits: those of `batch`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from forsyth import reading
from forsyth.identity import kept_text
from forsyth.resolver import Choice, Resolver, chosen_game, resolver
from forsyth.server.answers import encoded
from forsyth.server.bodies import parsed
from forsyth.server.bounds.work import Work, require_wanted
from forsyth.server.calls.batch import NDJSON, Lines, Numbered, Streamed, answers_to
from forsyth.server.problems import Problem
from forsyth.server.routing import BASE, Chosen, Stored, Writable
from forsyth.server.settings import Settings
from forsyth.server.texts import trimmed
from forsyth.store import Saved, Store, StoreError, ToSave
from forsyth.store.library import in_batches, require_savable

routes = APIRouter(prefix=BASE, tags=["library"])

_FIELDS: Final = ("text", "game", "name", "tags", "note")
_PART: Final = 500
"""Saved positions sent at once: a few hundred kilobytes."""
_EXAMPLE: Final = '{"text": "8/8/8/4k3/8/8/8/4K3 w - - 0 1", "name": "Bare kings", "tags": ["endgame"]}\n'
_LINES: Final = {"schema": {"type": "string"}, "example": _EXAMPLE}
_BODY: Final = {"requestBody": {"required": True, "content": {NDJSON: _LINES}}}
_ANSWER: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {NDJSON: {"schema": {"type": "string"}}}}}


_Wanted = tuple[int, ToSave]
"""What is to be saved, with the number of its line."""


class Importer:
    """Keeps the lines of one import."""

    def __init__(self, choice: Choice, store: Store, limit: int) -> None:
        self._choice = choice
        self._resolvers = {choice.game: resolver(choice, plays=True)}
        self._store = store
        self._limit = limit
        self._kept = self._saved = self._refused = 0

    def answer(self, lines: Sequence[Numbered]) -> bytes:
        """Keep some lines; an object for each of them that is refused."""
        refused: list[tuple[int, str]] = []
        texts: list[_Wanted] = []
        named: list[_Wanted] = []
        for number, line in lines:
            require_wanted()
            try:
                one = self._position(line)
            except (LookupError, TypeError, ValueError) as error:
                refused.append((number, str(error)))
                continue
            (named if one.name else texts).append((number, one))
        left = {number for number, _ in (*texts, *named)}
        try:
            for kept in in_batches(texts):
                self._kept += self._store.put_many((one.text, one.game) for _, one in kept)
                left -= {number for number, _ in kept}
            for batch in in_batches(named):
                self._saved += self._save(batch, refused)
                left -= {number for number, _ in batch}
        except StoreError as error:
            # The answer has begun: what is wrong can only be said in it.
            left -= {number for number, _ in refused}
            refused += [(number, f"the store cannot be written: {error}") for number in left]
        refused.sort()
        self._refused += len(refused)
        return b"".join(encoded({"line": line, "message": message}) + b"\n" for line, message in refused)

    def _save(self, batch: Sequence[_Wanted], refused: list[tuple[int, str]]) -> int:
        """Save one batch of the store, which is whole or absent; what it does not take is refused alone."""
        try:
            return self._store.save_many(one for _, one in batch)
        except (TypeError, ValueError):
            sound = []
            for number, one in batch:
                try:
                    require_savable(*one)
                    sound.append(one)
                except (TypeError, ValueError) as error:
                    refused.append((number, str(error)))
            return self._store.save_many(sound)

    def end(self) -> bytes:
        """What became of all lines."""
        return encoded({"kept": self._kept, "saved": self._saved, "refused": self._refused}) + b"\n"

    def _position(self, line: bytes | None) -> ToSave:
        """What is to be saved; raises `ValueError` for a line that holds no position."""
        if line is None:
            raise ValueError(f"the line has more than {self._limit} bytes")
        try:
            given = parsed(line)
        except (ValueError, RecursionError) as error:
            raise ValueError("the line is not JSON") from error
        data = given if isinstance(given, dict) else {"text": given}
        text, game, name, tags, note = map(data.get, _FIELDS)
        if not isinstance(text, str):
            raise ValueError("the line is neither a JSON string nor an object with a text")
        if (
            not isinstance(game, str | None)
            or not isinstance(name, str | None)
            or not isinstance(tags, list | None)
            or not isinstance(note, str | None)
        ):
            raise ValueError("game, name and note must be texts, tags a list of texts")
        known = self._resolver(game)
        found = known.read(reading.read, trimmed(text, self._choice), store=self._store)
        position = found.reading.position
        if found.game is None or position is None:
            raise ValueError(found.reading.errors[0].message)
        wanted = ToSave(kept_text(position), found.game.name, name or "", tags or [], note or "")
        if name == "":
            # Given and empty: not the same as a text that is only to be kept.
            require_savable(*wanted)
        return wanted

    def _resolver(self, game: str | None) -> Resolver:
        """Who reads a line that names a game or none."""
        if self._choice.game is not None or self._choice.profile is not None:
            game = self._choice.game
        if game not in self._resolvers:
            self._resolvers[game] = resolver(self._choice._replace(game=game), plays=True)
        return self._resolvers[game]


@routes.post("/batch/library", responses=_ANSWER, openapi_extra=_BODY, response_class=Response)
async def import_library(request: Request, choice: Chosen, store: Writable) -> Response:
    """Keep a position per line, and save those that have a name, while the lines arrive."""
    if chosen_game(choice, plays=False) is None and choice.variant is not None:
        raise Problem(400, "MISSING_FIELD", "a variant is one of a game: name the game as well")
    settings: Settings = request.app.state.settings
    work: Work = request.app.state.work
    work.require_room()
    importer = Importer(choice, store, settings.line_limit)
    lines = Lines(settings.line_limit)
    return Streamed(_ended(answers_to(request.stream(), importer, lines, work, request.scope), importer))


async def _ended(answers: AsyncIterator[bytes], importer: Importer) -> AsyncIterator[bytes]:
    async for answer in answers:
        yield answer
    yield importer.end()


@routes.get("/batch/library", responses=_ANSWER, response_class=Response)
async def export_library(
    request: Request, store: Stored, game: str | None = None, tag: str | None = None, q: str | None = None
) -> Response:
    """All saved positions of a game, with a tag, that hold a query, an object per line, newest first."""
    work: Work = request.app.state.work
    work.require_room()
    try:
        found = store.all_saved(game or None, tag or None, q or None)
        first = await run_in_threadpool(_part, found)
    except ValueError as error:
        raise Problem(400, "BAD_TYPE", str(error)) from None
    return Streamed(_parts(first, found))


async def _parts(first: bytes, found: Iterator[Saved]) -> AsyncIterator[bytes]:
    part = first
    while part:
        yield part
        part = await run_in_threadpool(_part, found)


def _part(found: Iterator[Saved]) -> bytes:
    return b"".join(encoded(saved.to_dict()) + b"\n" for saved in islice(found, _PART))
