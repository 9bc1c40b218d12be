"""The verbs of bulk work: what is to be done with every record batch, as a value that can travel.

A `Verb` names what to do, for which game and column, and with which options; `apply` does it to one batch and
is the one function under every command, engine and adapter. It is plain data (`to_dict`, `from_dict`), so
that a worker on another machine does the same.

Columns written: `scan` ok, code, severity, start, end, square, findings; `normalise` the text column itself;
`key` key; `pack` packed; `unpack` fen; `features` those of the game; `planes` planes; `split` split. A column
that has the name already is replaced. `sample` writes none and keeps some of the rows.

`sample` and `split` decide by the key of the position and a seed, never by the row: all texts of one position
go together, in every run, on every machine, whatever else is in the data. A text that cannot be read is in no
sample and no set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from forsyth import registry
from forsyth.bulk import arrow
from forsyth.bulk.errors import BulkError
from forsyth.bulk.plain import bytes_of
from forsyth.diagnostics import Mode
from forsyth.game import Game

VERBS: Final = ("scan", "normalise", "key", "pack", "unpack", "features", "planes", "sample", "split")
TEXT_NAMES: Final = ("fen", "text", "position", "epd", "line")
"""The columns that are taken for the texts where none is named, the likeliest first."""
PACKED: Final = "packed"
TEXT: Final = "fen"
SETS: Final = "train=0.8,valid=0.1,test=0.1"
"""How `split` divides where nothing else is asked for."""
_SPREAD: Final = 0x9E3779B97F4A7C15
_FOLD: Final = 0xBF58476D1CE4E5B9
_SCALE: Final = 2.0**-53

Option = str | int | float


@dataclass(frozen=True, slots=True)
class Verb:
    """What to do with every batch."""

    name: str
    game: str
    variant: str | None = None
    column: str = TEXT
    """The column that holds the texts (for `unpack` the packed forms)."""
    mode: Mode = "default"
    legality: bool | None = None
    """Whether a text must be legal to count as read; by default only `scan` asks for it."""
    options: Mapping[str, Option] = field(default_factory=dict)
    """`pack`: width. `sample`: fraction, seed. `split`: sets (such as ``train=0.9,test=0.1``), seed."""

    def __post_init__(self) -> None:
        if self.name not in VERBS:
            raise BulkError(f"there is no verb {self.name!r}; there are {', '.join(VERBS)}")
        if self.name == "sample" and not 0 <= self.fraction <= 1:
            raise BulkError(f"a sample of {self.fraction} is none; give a fraction between 0 and 1")
        if self.name == "split":
            self.sets()

    def to_dict(self) -> dict[str, Any]:
        """The verb as JSON-ready data."""
        return {
            "name": self.name,
            "game": self.game,
            "variant": self.variant,
            "column": self.column,
            "mode": self.mode,
            "legality": self.legality,
            "options": dict(self.options),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Verb:
        """The verb that `to_dict` wrote."""
        return cls(**data)

    @property
    def fraction(self) -> float:
        """How much of the data `sample` takes."""
        return float(self.options.get("fraction", 0.01))

    def sets(self) -> list[tuple[str, float]]:
        """The sets of `split` and where each ends, between 0 and 1."""
        return _sets(str(self.options.get("sets", SETS)))

    def the_game(self) -> Game:
        """The game in its variant."""
        return registry.game(self.game, self.variant)

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """The columns that come out where these go in."""
        empty = pa.RecordBatch.from_arrays([pa.nulls(0, one.type) for one in schema], schema=schema)
        return self.apply(empty).schema

    def apply(self, batch: pa.RecordBatch, threads: int = 1) -> pa.RecordBatch:
        """The batch with what the verb adds to it."""
        texts = batch.column(_place(batch.schema, self.column))
        game = self.the_game()
        if self.name == "unpack":
            # Files of text hold packed forms as digits.
            found = arrow.unpack(bytes_of(texts), game, threads=threads)
            return _with(batch, {TEXT: pa.field(TEXT, found.type)}, [found])
        legality = self.name == "scan" if self.legality is None else self.legality
        way: dict[str, Any] = {"mode": self.mode, "legality": legality, "threads": threads}
        if self.name in ("sample", "split"):
            return self._divided(batch, self._shares(batch, threads))
        if self.name in ("scan", "features"):
            found = (arrow.scan if self.name == "scan" else arrow.features)(texts, game, **way)
            return _with(batch, {one.name: one for one in found.type}, found.flatten())
        if self.name == "normalise":
            column = pa.field(self.column, pa.large_string())
            return _with(batch, {self.column: column}, [arrow.normalise(texts, game, **way)])
        if self.name == "key":
            return _with(
                batch, {"key": pa.field("key", pa.binary(arrow.KEY_BYTES))}, [arrow.key(texts, game, **way)]
            )
        if self.name == "pack":
            width = self.options.get("width")
            packed = arrow.pack(texts, game, width=None if width is None else int(width), **way)
            return _with(batch, {PACKED: pa.field(PACKED, packed.type)}, [packed])
        return _with(batch, {"planes": planes_field(game)}, [arrow.planes(texts, game, **way)])

    def judged(self, batch: pa.RecordBatch, threads: int = 1) -> tuple[pa.RecordBatch, int]:
        """The same, and how many rows have a text that could not be read (in a scan: that has an error)."""
        missing = batch.column(_place(batch.schema, self.column)).null_count
        if self.name == "sample":
            # Rows that cannot be read are in no sample: they have to be counted before it is taken.
            shares = self._shares(batch, threads)
            return self._divided(batch, shares), shares.null_count - missing
        result = self.apply(batch, threads)
        if self.name == "scan":
            ok = result.column("ok")
            return result, len(ok) - missing - ok.true_count
        return result, result.column(self._answer()).null_count - missing

    def _shares(self, batch: pa.RecordBatch, threads: int) -> pa.Array:
        texts = batch.column(_place(batch.schema, self.column))
        keys = arrow.key(
            texts, self.the_game(), mode=self.mode, legality=bool(self.legality), threads=threads
        )
        return _shares(keys, int(self.options.get("seed", 0)))

    def _answer(self) -> str:
        """A column that is null where the text could not be read."""
        if self.name == "features":
            return self.the_game().feature_list[0].name
        names = {"normalise": self.column, "pack": PACKED, "unpack": TEXT}
        return names.get(self.name, self.name)

    def _divided(self, batch: pa.RecordBatch, shares: pa.Array) -> pa.RecordBatch:
        if self.name == "sample":
            return batch.filter(pc.fill_null(pc.less(shares, self.fraction), False))
        sets = self.sets()
        numbers = pa.nulls(len(shares), pa.int16())
        for number in range(len(sets) - 1, -1, -1):
            numbers = pc.if_else(pc.less(shares, sets[number][1]), pa.scalar(number, pa.int16()), numbers)
        labels = pa.DictionaryArray.from_arrays(numbers, pa.array([name for name, _ in sets]))
        return _with(batch, {"split": pa.field("split", labels.type)}, [labels])


def planes_field(game: Game) -> pa.Field:
    """The column of `planes`, with its shape for whoever makes tensors of it."""
    shape = game.plane_shape
    text = f"{len(shape.names)},{shape.height},{shape.width}"
    return pa.field(
        "planes", pa.binary(shape.size), metadata={"shape": text, "planes": ",".join(shape.names)}
    )


def texts_column(schema: pa.Schema, wanted: str | None = None) -> str:
    """The column that holds the texts: the one wanted, one of TEXT_NAMES, or the only one with strings."""
    names: list[str] = schema.names
    if wanted is not None:
        _place(schema, wanted)
        return wanted
    for name in TEXT_NAMES:
        if name in names:
            return name
    strings: list[str] = [one.name for one in schema if _is_text(one.type)]
    if len(strings) == 1:
        return strings[0]
    raise BulkError(f"which column holds the texts is not clear; name one of {_listed(names)} with --column")


def _place(schema: pa.Schema, name: str) -> int:
    places = schema.get_all_field_indices(name)
    if len(places) == 1:
        return int(places[0])
    problem = "there is no column" if not places else f"there are {len(places)} columns"
    raise BulkError(f"{problem} {name!r}; name another with --column: there are {_listed(schema.names)}")


def _listed(names: list[str]) -> str:
    return ", ".join(repr(name) for name in names[:20]) or "none"


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view())


def _with(batch: pa.RecordBatch, fields: dict[str, pa.Field], arrays: list[pa.Array]) -> pa.RecordBatch:
    """The batch with these columns, in place of those of the same name or behind the others."""
    columns = {one.name: (one, batch.column(place)) for place, one in enumerate(batch.schema)}
    columns |= {name: (one, array) for (name, one), array in zip(fields.items(), arrays, strict=True)}
    schema = pa.schema([one for one, _ in columns.values()])
    return pa.RecordBatch.from_arrays([array for _, array in columns.values()], schema=schema)


def _shares(keys: pa.Array, seed: int) -> pa.Array:
    """For each key a number of its own between 0 and 1, another one for another seed; null for a null."""
    import numpy as np

    if not len(keys):
        return pa.nulls(0, pa.float64())
    start = keys.offset * arrow.KEY_BYTES
    words = np.frombuffer(keys.buffers()[1], ">u8", 2 * len(keys), start)[::2].astype(np.uint64)
    with np.errstate(over="ignore"):
        words ^= np.uint64(seed * _SPREAD & (1 << 64) - 1)
        words = (words ^ words >> np.uint64(30)) * np.uint64(_FOLD)
        words ^= words >> np.uint64(31)
    shares = pa.array((words >> np.uint64(11)).astype(np.float64) * _SCALE)
    return pc.if_else(keys.is_valid(), shares, pa.scalar(None, pa.float64()))


def _sets(text: str) -> list[tuple[str, float]]:
    """The sets of a text such as ``train=0.9,test=0.1``, each with the sum of shares up to it."""
    found: list[tuple[str, float]] = []
    total = 0.0
    for part in text.split(","):
        name, _, share = part.partition("=")
        try:
            number = float(share)
        except ValueError:
            number = -1.0
        if not name.strip() or not 0 < number <= 1:
            raise BulkError(f"{part!r} is not a set; write its name and share, as in {SETS}")
        total += number
        found.append((name.strip(), total))
    if len({name for name, _ in found}) != len(found):
        raise BulkError(f"a set is named twice in {text!r}; give each a name of its own")
    if abs(total - 1) > 1e-9:
        raise BulkError(f"the shares of {text!r} are {total:g} together, expected 1")
    # What is left by rounding belongs to the last set.
    return [*found[:-1], (found[-1][0], 2.0)]
