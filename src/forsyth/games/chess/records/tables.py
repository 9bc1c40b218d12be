"""Tags and moves of chess records as columns of texts, built from the rows of a kernel."""

from __future__ import annotations

from typing import Final

from forsyth.games.chess.records.rows import Rows
from forsyth.games.chess.rules.moves import from_number
from forsyth.record_bytes.columns import Texts
from forsyth.record_bytes.texts import allocate_ints, find_tag_rows, gather_texts, pack_validity

_NO_ROW: Final = -1
"""Value in place of the row of a tag, for a game without the tag."""


def tag_texts(rows: Rows, data: memoryview, name: str) -> tuple[memoryview, memoryview, bytes, int]:
    """Return the values of one tag, such as ``White``, with one value per game.

    The result is an Arrow string column: offsets, characters, validity bitmap and null count. The value is
    null for games without the tag. `data` is the text of all records.
    """
    starts = rows.column("tag_value")
    lengths = rows.column("tag_value_length")
    escaped = rows.column("tag_escaped")

    # Copy the row of the tag of each game. A game without the tag has an empty text.
    tag_rows = _find_tag_rows(rows, data, name)
    value_starts = allocate_ints(len(tag_rows))
    value_lengths = allocate_ints(len(tag_rows))
    kinds = bytearray(len(tag_rows))
    for game, row in enumerate(tag_rows):
        if row != _NO_ROW:
            value_starts[game] = starts[row]
            value_lengths[game] = lengths[row]
            kinds[game] = escaped[row]

    offsets, characters = gather_texts(data, value_starts, value_lengths, kinds)
    validity, null_count = pack_validity(tag_rows, _NO_ROW)
    return offsets, characters, validity, null_count


def tag_table(rows: Rows, data: memoryview, skip: tuple[str, ...]) -> tuple[memoryview, Texts, Texts]:
    """Return the tags of all games, except the tags named in `skip`, as a flat table with one row per tag.

    Returns:
        Three columns: the row at which the tags of each game begin, the names and the values. The first
        column has one more number than there are games, for the end of the last game.
    """
    skipped_rows = {row for name in skip for row in _find_tag_rows(rows, data, name)}
    names, values = rows.column("tag_name"), rows.column("tag_value")
    name_lengths, value_lengths = rows.column("tag_name_length"), rows.column("tag_value_length")
    escaped = rows.column("tag_escaped")
    kept_rows = [row for row in range(len(names)) if row not in skipped_rows]

    name_starts = _select_rows(names, kept_rows)
    name_kinds = bytes(len(kept_rows))
    name_texts = gather_texts(data, name_starts, _select_rows(name_lengths, kept_rows), name_kinds)

    value_starts = _select_rows(values, kept_rows)
    value_kinds = bytes(escaped[row] for row in kept_rows)
    value_texts = gather_texts(data, value_starts, _select_rows(value_lengths, kept_rows), value_kinds)

    return _count_kept_before(rows.column("first_tag"), kept_rows), name_texts, value_texts


def _count_kept_before(first_rows: memoryview, kept_rows: list[int]) -> memoryview:
    """Return, for each number in `first_rows`, how many of the `kept_rows` are below it.

    Both are in ascending order. If `first_rows` are the rows at which games begin, the result has the rows at
    which they begin in a table of the kept rows only.
    """
    counts = allocate_ints(len(first_rows))
    kept_before = 0
    for index, first_row in enumerate(first_rows):
        while kept_before < len(kept_rows) and kept_rows[kept_before] < first_row:
            kept_before += 1
        counts[index] = kept_before
    return counts


def uci_texts(moves: memoryview) -> Texts:
    """Return moves in UCI notation, such as ``e2e4``, as the offsets and the characters of a string column.

    `moves` are 16-bit move numbers. The offsets have one more entry than there are moves.
    """
    texts = [_UCI_TEXTS.get(number) or _format_uci(number) for number in moves]
    offsets = allocate_ints(len(texts) + 1)
    size = 0
    for row, text in enumerate(texts):
        size += len(text)
        offsets[row + 1] = size
    return offsets, memoryview(b"".join(texts))


_UCI_TEXTS: dict[int, bytes] = {}
"""Moves in UCI notation by number, kept because each of the few thousand moves occurs often."""


def _format_uci(number: int) -> bytes:
    """Return a move, given by its 16-bit number, in UCI notation (``b"e2e4"``), and cache the text."""
    return _UCI_TEXTS.setdefault(number, from_number(number).uci.encode())


def _find_tag_rows(rows: Rows, data: memoryview, name: str) -> memoryview:
    """Return, for each game, the row of its tag `name` in the table of all tags, or −1 if it has none."""
    first_rows, names = rows.column("first_tag"), rows.column("tag_name")
    name_lengths = rows.column("tag_name_length")
    return find_tag_rows(data, first_rows, names, name_lengths, memoryview(name.encode()))


def _select_rows(column: memoryview, rows: list[int]) -> memoryview:
    """Return a copy of `column` that has only the given rows, in the given order."""
    numbers = allocate_ints(len(rows))
    for index, row in enumerate(rows):
        numbers[index] = column[row]
    return numbers
