"""Tags and moves of chess records as columns of texts, made of the rows of a kernel."""

from __future__ import annotations

from forsyth.games.chess.records.rows import Rows
from forsyth.games.chess.rules.moves import from_number
from forsyth.record_bytes.columns import Texts
from forsyth.record_bytes.texts import bits_of, gather, numbers, rows_named


def tag_texts(rows: Rows, data: memoryview, name: str) -> tuple[memoryview, memoryview, bytes, int]:
    """The values of a tag: texts, which games have it, and how many have not."""
    chosen = _rows_of(rows, data, name)
    starts, lengths, escaped = (rows.column(f"tag_{what}") for what in ("value", "value_length", "escaped"))
    places, sizes, kinds = numbers(len(chosen)), numbers(len(chosen)), bytearray(len(chosen))
    for game, row in enumerate(chosen):
        if row >= 0:
            places[game], sizes[game], kinds[game] = starts[row], lengths[row], escaped[row]
    return (*gather(data, places, sizes, kinds), *bits_of(chosen, -1))


def tag_table(rows: Rows, data: memoryview, skip: tuple[str, ...]) -> tuple[memoryview, Texts, Texts]:
    """All other tags: where those of each game begin, names and values."""
    left_out = {row for name in skip for row in _rows_of(rows, data, name)}
    first, names, name_lengths, values, value_lengths, escaped = (
        rows.column(column)
        for column in (
            *("first_tag", "tag_name", "tag_name_length"),
            *("tag_value", "tag_value_length", "tag_escaped"),
        )
    )
    kept = [row for row in range(len(names)) if row not in left_out]
    begins = numbers(len(first))
    number = 0
    for game, begin in enumerate(first):
        while number < len(kept) and kept[number] < begin:
            number += 1
        begins[game] = number
    return (
        begins,
        gather(data, _chosen(names, kept), _chosen(name_lengths, kept), bytes(len(kept))),
        gather(
            data, _chosen(values, kept), _chosen(value_lengths, kept), bytes(escaped[row] for row in kept)
        ),
    )


def uci_texts(moves: memoryview) -> Texts:
    """Moves in long algebraic notation for programs."""
    texts = [_UCI.get(number) or _uci(number) for number in moves]
    offsets = numbers(len(texts) + 1)
    size = 0
    for row, text in enumerate(texts):
        size += len(text)
        offsets[row + 1] = size
    return offsets, memoryview(b"".join(texts))


_UCI: dict[int, bytes] = {}
"""There are few thousand moves, and each is written often."""


def _uci(number: int) -> bytes:
    return _UCI.setdefault(number, from_number(number).uci.encode())


def _rows_of(rows: Rows, data: memoryview, name: str) -> memoryview:
    first, names, lengths = (rows.column(f"{what}") for what in ("first_tag", "tag_name", "tag_name_length"))
    return rows_named(data, first, names, lengths, memoryview(name.encode()))


def _chosen(column: memoryview, rows: list[int]) -> memoryview:
    found = numbers(len(rows))
    for number, row in enumerate(rows):
        found[number] = column[row]
    return found
