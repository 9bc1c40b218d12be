"""What is counted while a job runs: rows, rows that could not be read, findings by code with a few examples.

A tally is small however much was counted: one entry for each code, EXAMPLES texts in each, CLIP characters of
each text. Tallies of parts add up to that of the whole, in the order of the parts, wherever they were made;
adding gives the same result however the parts are grouped."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from forsyth.bulk.sources.shards import ShardFiles
from forsyth.bulk.verbs.text_arrays import read_row
from forsyth.bulk.verbs.verb import Verb
from forsyth.diagnostics import printable
from forsyth.limits import MAX_BULK_LINE

EXAMPLES: Final = 3
"""How many texts are shown for each code, the first ones."""
CLIP: Final = 400
"""Longest part of a text that is kept as an example: the longest real text of a game fits."""


@dataclass(frozen=True, slots=True)
class Example:
    """One text with a finding: where it stands and what is said about it."""

    shard: int
    row: int
    """From 0, in the part of its file that belongs to the shard."""
    text: str
    """The text, or CLIP characters of it around the finding."""
    start: int
    """Where in `text` the finding is."""
    end: int
    message: str
    square: str | None = None
    clipped: bool = False
    file: int = 0
    """Which file of its shard it is in."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many rows have a finding of one code as their first, and the first few of them."""

    code: str
    severity: str
    rows: int
    examples: tuple[Example, ...]

    def __add__(self, other: Count) -> Count:
        kept = (self.examples + other.examples)[:EXAMPLES]
        return Count(self.code, self.severity, self.rows + other.rows, kept)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Count:
        """The count that `asdict` made plain data of."""
        return cls(**{**data, "examples": tuple(Example(**one) for one in data["examples"])})


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of some rows."""

    read: int = 0
    written: int = 0
    missing: int = 0
    """Rows that have no text: null."""
    unreadable: int = 0
    """Rows whose text could not be read, or, in a scan, has an error."""
    counts: tuple[Count, ...] = ()
    """In order of the first row that has the code."""
    games: int = 0
    """Of records: how many were read."""
    asked: int = 0
    """Of records: how many the record reader had to read."""
    lines: int = 0
    """Of records: how many lines they take."""

    @property
    def told(self) -> int:
        """How much of it is told to whoever watches: games where there are any, else rows."""
        return self.games or self.read

    def __add__(self, other: Tally) -> Tally:
        found = {(one.severity, one.code): one for one in self.counts}
        for one in other.counts:
            known = found.get((one.severity, one.code))
            found[one.severity, one.code] = one if known is None else known + one
        return Tally(
            self.read + other.read,
            self.written + other.written,
            self.missing + other.missing,
            self.unreadable + other.unreadable,
            tuple(found.values()),
            self.games + other.games,
            self.asked + other.asked,
            self.lines + other.lines,
        )

    def to_dict(self) -> dict[str, Any]:
        """The tally as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Tally:
        """The tally that `to_dict` wrote."""
        return cls(**{**data, "counts": tuple(Count.from_dict(one) for one in data["counts"])})


class Origin(NamedTuple):
    """Where a batch comes from: the files that are being read, and the number of its first row in them."""

    files: ShardFiles
    first: int

    @property
    def shard(self) -> int:
        """The number of the shard."""
        return self.files.shard.number


def counted(verb: Verb, texts: pa.Array, answers: pa.RecordBatch, origin: Origin) -> tuple[Count, ...]:
    """The findings in the answers of a scan to a batch that came from there."""
    codes, severities = answers.column("code"), answers.column("severity")
    if codes.null_count == len(codes):
        return ()
    rows = np.flatnonzero(codes.is_valid().to_numpy(zero_copy_only=False))
    numbers = codes.indices.fill_null(0).to_numpy()[rows].astype(np.int64)
    weights = severities.indices.fill_null(0).to_numpy()[rows].astype(np.int64)
    pairs = numbers * len(severities.dictionary) + weights
    kinds, firsts, totals = np.unique(pairs, return_index=True, return_counts=True)
    counts = []
    for place in np.argsort(firsts):
        of_kind = rows[np.flatnonzero(pairs == kinds[place])[:EXAMPLES]]
        number, weight = divmod(int(kinds[place]), len(severities.dictionary))
        examples = tuple(_example(verb, texts, int(row), origin) for row in of_kind)
        counts.append(
            Count(
                codes.dictionary[number].as_py(),
                severities.dictionary[weight].as_py(),
                int(totals[place]),
                examples,
            )
        )
    return tuple(counts)


def _example(verb: Verb, texts: pa.Array, row: int, origin: Origin) -> Example:
    value = texts[row].as_py()
    data: bytes = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    data = data[:MAX_BULK_LINE]
    found = read_row(verb.the_game(), data, verb.mode, verb.legality is not False).first
    text = data.decode("utf-8", "surrogateescape")
    start, end, message, square = (
        (0, 0, "", None) if found is None else (*found.span, found.message, found.square)
    )
    file, number = origin.files.place_of(origin.first + row)
    example = Example(origin.shard, number, text, start, end, printable(message)[:CLIP], square, file=file)
    return _clipped(example)


def _clipped(example: Example) -> Example:
    """The example with the part of its text around the finding, if the text is longer than that."""
    length = len(example.text)
    begin = max(0, min(example.start - CLIP // 2, length - CLIP))
    text = printable(example.text[begin : begin + CLIP])
    start = min(example.start - begin, len(text))
    end = max(start, min(example.end - begin, len(text)))
    return replace(example, text=text, start=start, end=end, clipped=len(text) < length)
