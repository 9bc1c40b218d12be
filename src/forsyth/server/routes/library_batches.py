"""Routes that import and export the library as NDJSON, line by line.

Import accepts lines as `forsyth.server.routes.batch` does: a JSON string, or an object with a string ``text``
and, for saving the position in the library, ``name``, ``tags`` and ``note``. A text without a name is only
stored. A position may be illegal, and of any variant that a text can name. The ``game`` of a line is used if
the query names none, so that an exported file can be imported. The response has an object ``{line, message}``
for each refused line, and ``{kept, saved, refused}`` at the end.

Export returns an object for each saved position, newest first, with the fields of `GET /library/{id}`.

The limits are those of `forsyth.server.routes.batch`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from forsyth import reading
from forsyth.arguments import quoted
from forsyth.identity import stored_text
from forsyth.resolver import GameChoice, Resolver, make_resolver
from forsyth.server.bounds.compute_slots import ComputeSlots, stop_if_abandoned
from forsyth.server.json_responses import encode_json
from forsyth.server.problems import Problem
from forsyth.server.routes.batch import (
    NDJSON,
    LineSplitter,
    NumberedLine,
    StreamedResponse,
    answer_lines,
    find_text,
    require_game_for_variant,
)
from forsyth.server.routing import BASE, GameQuery, PrivateStore, WritableStore
from forsyth.server.settings import Settings
from forsyth.server.strict_json import parse_json
from forsyth.server.texts import trim_text
from forsyth.store import Saved, Store, StoreError, ToSave
from forsyth.store.library import require_savable, split_into_batches

routes = APIRouter(prefix=BASE, tags=["library"])

_TEXT_FIELDS: Final = ("game", "name", "note")
"""Fields of a line that must be texts, if they are present."""

_EXPORT_BATCH_SIZE: Final = 500
"""Number of saved positions that are sent at once: a few hundred kilobytes."""
_EXAMPLE: Final = '{"text": "8/8/8/4k3/8/8/8/4K3 w - - 0 1", "name": "Bare kings", "tags": ["endgame"]}\n'
_LINES: Final = {"schema": {"type": "string"}, "example": _EXAMPLE}
_BODY: Final = {"requestBody": {"required": True, "content": {NDJSON: _LINES}}}
_ANSWER: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {NDJSON: {"schema": {"type": "string"}}}}}


_NumberedEntry = tuple[int, ToSave]
"""Number of a line, and the entry to be stored or saved from it."""


_Refusal = tuple[int, str]
"""Number of a line that was not imported, and the reason."""


class _LineFields(NamedTuple):
    """Fields of one line of an import. Those that the line does not have are None."""

    text: str
    game: str | None = None
    name: str | None = None
    tags: list[Any] | None = None
    note: str | None = None


class Importer:
    """Importer that stores the positions of one import, saves the named ones in the library, and counts them.

    Args:
        choice: Names of the game, variant and profile in the query.
        store: Store to write to.
        limit: Maximum length of a line in bytes, for the message about a line that is longer.
    """

    def __init__(self, choice: GameChoice, store: Store, limit: int) -> None:
        self._choice = choice
        self._resolvers = {choice.game: make_resolver(choice)}
        self._store = store
        self._limit = limit
        self._kept_count = 0
        self._saved_count = 0
        self._refused_count = 0

    def answer_group(self, lines: Sequence[NumberedLine]) -> bytes:
        """Import some numbered lines, and return an answer for each refused line as NDJSON.

        An answer is ``{"line": 3, "message": "the line is not JSON"}``, for example. Positions without a name
        are stored. Positions with a name are also saved in the library.
        """
        refusals: list[_Refusal] = []
        unnamed_entries: list[_NumberedEntry] = []
        named_entries: list[_NumberedEntry] = []
        for number, line in lines:
            stop_if_abandoned()
            try:
                entry = self._read_entry(line)
            except (LookupError, TypeError, ValueError) as error:
                refusals.append((number, str(error)))
                continue
            entries = named_entries if entry.name else unnamed_entries
            entries.append((number, entry))

        self._write_entries(unnamed_entries, named_entries, refusals)
        refusals.sort()
        self._refused_count += len(refusals)
        answers = [encode_json({"line": number, "message": message}) for number, message in refusals]
        return b"".join(answer + b"\n" for answer in answers)

    def _write_entries(
        self,
        unnamed_entries: Sequence[_NumberedEntry],
        named_entries: Sequence[_NumberedEntry],
        refusals: list[_Refusal],
    ) -> None:
        """Store the unnamed entries, save the named ones in the library, and count both.

        The numbers of lines that cannot be written are added to `refusals`, each with the reason: an entry is
        not valid, or the store fails.
        """
        unwritten_lines = _line_numbers(unnamed_entries) | _line_numbers(named_entries)
        try:
            for unnamed_batch in split_into_batches(unnamed_entries):
                texts = ((entry.text, entry.game) for _, entry in unnamed_batch)
                self._kept_count += self._store.put_many(texts)
                unwritten_lines -= _line_numbers(unnamed_batch)
            for named_batch in split_into_batches(named_entries):
                self._saved_count += self._save_batch(named_batch, refusals)
                unwritten_lines -= _line_numbers(named_batch)
        except StoreError as error:
            # The response has begun with status 200, so the error can only be reported line by line.
            unwritten_lines -= _line_numbers(refusals)
            refusals += [(number, f"the store cannot be written: {error}") for number in unwritten_lines]

    def _save_batch(self, batch: Sequence[_NumberedEntry], refusals: list[_Refusal]) -> int:
        """Save a batch of positions in the library, and return the number of saved positions.

        Entries that are not valid are added to `refusals`, each with its line number and an error message.
        The others are saved.
        """
        try:
            return self._store.save_many(entry for _, entry in batch)
        except (TypeError, ValueError):
            # The store saves a batch completely or not at all, so try again without the invalid entries.
            valid_entries = _drop_unsavable(batch, refusals)
            return self._store.save_many(valid_entries)

    def encode_counts(self) -> bytes:
        """Return the last line of the response: the numbers of stored, saved and refused positions.

        It is ``{"kept": 7, "saved": 2, "refused": 1}`` and a line feed, for example.
        """
        counts = {"kept": self._kept_count, "saved": self._saved_count, "refused": self._refused_count}
        return encode_json(counts) + b"\n"

    def _read_entry(self, line: bytes | None) -> ToSave:
        """Return the position in a line of the import, with its name, tags and note.

        None stands for a line that was too long. Raise `ValueError` if the line contains no position, or a
        field is not valid.
        """
        fields = self._parse_line(line)
        resolver = self._get_resolver(fields.game)
        text = trim_text(fields.text, self._choice)
        result, read_game = resolver.read(reading.read, text, store=self._store)
        if read_game is None or result.position is None:
            raise ValueError(result.errors[0].message)

        entry = ToSave(
            text=stored_text(result.position),
            game=read_game.name,
            name=fields.name or "",
            tags=fields.tags or [],
            note=fields.note or "",
        )
        if fields.name == "":
            # An empty name is an error, while a missing name means that the text is only stored.
            require_savable(*entry)
        return entry

    def _parse_line(self, line: bytes | None) -> _LineFields:
        """Return the fields in a line of the import, which is a JSON string or an object.

        None stands for a line that was too long. Raise `ValueError` if the line is not JSON, contains no
        text, or has a field of a wrong type.
        """
        if line is None:
            raise ValueError(f"the line has more than {self._limit} bytes; send a shorter one")
        try:
            data = parse_json(line)
        except (ValueError, RecursionError) as error:
            raise ValueError("the line is not JSON") from error

        text = find_text(data)
        if not isinstance(text, str):
            raise ValueError("the line is neither a JSON string nor an object with a text")
        if not isinstance(data, dict):
            return _LineFields(text)
        for field in _TEXT_FIELDS:
            value = data.get(field)
            if not isinstance(value, str | None):
                raise ValueError(f"{field} is {quoted(value)}, expected text")
        tags = data.get("tags")
        if not isinstance(tags, list | None):
            raise ValueError(f"tags is {quoted(tags)}, expected a list of texts")
        return _LineFields(text, data.get("game"), data.get("name"), tags, data.get("note"))

    def _get_resolver(self, line_game: str | None) -> Resolver:
        """Return the object that reads the text of a line in the right game.

        The query or the line names the game. `line_game` is the name of the game in the line, or None. A game
        in the query, or in its profile, takes precedence.
        """
        query_has_game = self._choice.game is not None or self._choice.profile is not None
        game = self._choice.game if query_has_game else line_game
        if game not in self._resolvers:
            self._resolvers[game] = make_resolver(self._choice._replace(game=game))
        return self._resolvers[game]


def _line_numbers(numbered_items: Iterable[tuple[int, Any]]) -> set[int]:
    """Return the line numbers of entries or refusals.

    Both are pairs of a line number and an item.
    """
    return {number for number, _ in numbered_items}


def _drop_unsavable(batch: Sequence[_NumberedEntry], refusals: list[_Refusal]) -> list[ToSave]:
    """Return the entries of a batch that can be saved in the library.

    The others, such as an entry with too long a name, are added to `refusals`, each with its line number and
    an error message.
    """
    savable_entries = []
    for number, entry in batch:
        try:
            require_savable(*entry)
        except (TypeError, ValueError) as error:
            refusals.append((number, str(error)))
        else:
            savable_entries.append(entry)
    return savable_entries


@routes.post("/batch/library", responses=_ANSWER, openapi_extra=_BODY, response_class=Response)
async def import_library(request: Request, choice: GameQuery, store: WritableStore) -> Response:
    """Store one position per line, and save those with a name in the library.

    The response has an object for each refused line, sent while lines arrive, and the counts at the end.
    """
    require_game_for_variant(choice)
    settings: Settings = request.app.state.settings
    compute_slots: ComputeSlots = request.app.state.compute_slots
    compute_slots.refuse_if_full()
    importer = Importer(choice, store, settings.line_limit)
    splitter = LineSplitter(settings.line_limit)
    answers = answer_lines(request.stream(), importer, splitter, compute_slots, request.scope)
    return StreamedResponse(_append_counts(answers, importer))


async def _append_counts(answers: AsyncIterator[bytes], importer: Importer) -> AsyncIterator[bytes]:
    """Yield the answers to the lines of an import, then a last line with the counts of positions."""
    async for answer in answers:
        yield answer
    yield importer.encode_counts()


@routes.get("/batch/library", responses=_ANSWER, response_class=Response)
async def export_library(
    request: Request,
    store: PrivateStore,
    game: str | None = None,
    tag: str | None = None,
    q: str | None = None,
) -> Response:
    """Export the saved positions, newest first, one JSON object per line.

    `game`, `tag` and `q` (a part of the name, note, a tag or the text) select the positions.
    """
    compute_slots: ComputeSlots = request.app.state.compute_slots
    compute_slots.refuse_if_full()
    try:
        saved_positions = store.all_saved(game or None, tag or None, q or None)
        first_batch = await run_in_threadpool(_encode_batch, saved_positions)
    except ValueError as error:
        raise Problem(400, "BAD_TYPE", str(error)) from None
    return StreamedResponse(_encode_batches(first_batch, saved_positions))


async def _encode_batches(first_batch: bytes, saved_positions: Iterator[Saved]) -> AsyncIterator[bytes]:
    """Yield `first_batch`, and then the remaining saved positions in batches, as NDJSON.

    The caller has encoded the first batch before the response began, so that an error could still get its own
    HTTP status.
    """
    encoded_batch = first_batch
    while encoded_batch:
        yield encoded_batch
        encoded_batch = await run_in_threadpool(_encode_batch, saved_positions)


def _encode_batch(saved_positions: Iterator[Saved]) -> bytes:
    """Return the next saved positions of an iterator as NDJSON, a JSON object per line.

    At most `_EXPORT_BATCH_SIZE` positions are taken from the iterator. Return empty bytes if there are none
    left.
    """
    batch = islice(saved_positions, _EXPORT_BATCH_SIZE)
    return b"".join(encode_json(saved.to_dict()) + b"\n" for saved in batch)
