"""The verbs of bulk work: what is to be done with every record batch, as a value that can travel.

A `Verb` names what to do, for which game and column, and with which options; `apply` does it to one batch and
is the one function under every command, engine and adapter. It is plain data (`to_dict`, `from_dict`), so
that a worker on another machine does the same.

Columns written: `scan` ok, code, severity, start, end, square, findings; `normalise` the text column itself;
`key` key; `pack` packed; `unpack` fen; `features` those of the game; `planes` planes; `material` material;
`split` split; `apply` those of the verbs that it names. `sample` and `filter` write none and keep some of the
rows, and so does `split` with the option `only`. With a `prefix` each of them has it before its name, and
`normalise` leaves the text column alone too. A name that the data has already is refused: no column of the
data is ever replaced but the texts by `normalise`.

`sample` and `split` decide by the key of the position and a seed, never by the row (`selection`): all texts
of one position go together, in every run, on every machine, whatever else is in the data. A text that cannot
be read is in no sample and no set. The two use different numbers for the same seed, so that a sample can be
split. `split` may go by another column (`by`), or by the position and its colour-flipped twin together
(`twins`). With `by` the texts are not read: a row is in a set where it has a value of that column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from forsyth import registry
from forsyth.arguments import quoted
from forsyth.bulk import arrow
from forsyth.bulk.batches import bytes_of
from forsyth.bulk.errors import BulkError, must_be_one_of
from forsyth.bulk.verbs.material import MATERIAL_TYPE
from forsyth.bulk.verbs.selection import (
    SETS,
    RowFilter,
    group_keys,
    labelled,
    read_sets,
    shares,
    twin_keys,
)
from forsyth.bulk.verbs.text_column import listed, texts_of
from forsyth.bulk.where import column_of
from forsyth.diagnostics import MODES, Mode
from forsyth.game import Game, require_columnar

VERBS: Final = (
    "scan",
    "normalise",
    "key",
    "pack",
    "unpack",
    "features",
    "planes",
    "material",
    "sample",
    "split",
    "filter",
    "apply",
)
JOINABLE: Final = ("scan", "key", "pack", "features", "planes", "material", "split")
"""The verbs that `apply` does together: those that add columns."""
PACKED: Final = "packed"
TEXT: Final = "fen"

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "pack": ("width",),
    "sample": ("fraction", "seed"),
    "split": ("sets", "seed", "by", "twins", "only"),
    "filter": ("keep", "code", "where", "material"),
    "apply": ("verbs", "width", "sets", "seed"),
}
"""The options of each verb, besides how it reads."""

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
    """`pack`: width. `sample`: fraction, seed. `split`: sets (such as ``train=0.9,test=0.1``), seed, by (a
    column), twins (1 for true), only (the set whose rows are kept). `filter`: see `selection`. `apply`:
    verbs (such as ``key,features``), and the options of these."""
    prefix: str = ""
    """What stands before the names of the columns that the verb writes."""

    def __post_init__(self) -> None:
        if self.name not in VERBS:
            raise BulkError(f"there is no verb {self.name!r}; there are {', '.join(VERBS)}")
        must_be_one_of("mode", self.mode, MODES)
        known = OPTIONS.get(self.name, ())
        for option in self.options:
            if option not in known:
                has = ", ".join(known) or "none"
                raise BulkError(f"{self.name} has no option {quoted(option)}; it has {has}")
        if self.name == "sample" and not 0 <= self.fraction <= 1:
            raise BulkError(f"a sample of {self.fraction} is none; give a fraction between 0 and 1")
        if self.name == "split":
            self._must_have_sets()
        if self.name == "filter":
            RowFilter.of(self.options)
        if self.name == "apply":
            self.verbs()

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
            "prefix": self.prefix,
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
        return read_sets(str(self.options.get("sets", SETS)))

    def _must_have_sets(self) -> None:
        names = [name for name, _ in self.sets()]
        if self.options.get("only", names[0]) not in names:
            raise BulkError(f"there is no set {self.options['only']!r}; there are {listed(names)}")
        if self.options.get("by") is not None and self.options.get("twins"):
            raise BulkError(
                "a split goes by a column or by positions and their twins; choose --by or --twins"
            )

    def verbs(self) -> list[Verb]:
        """The verbs that `apply` does, each as a verb of its own."""
        names = [name.strip() for name in str(self.options.get("verbs", "")).split(",")]
        for name in names:
            if name not in JOINABLE:
                raise BulkError(f"{name!r} cannot be applied with others; choose from {', '.join(JOINABLE)}")
        if len(set(names)) != len(names):
            raise BulkError(f"a verb is named twice in {self.options['verbs']!r}; name each once")
        given = {name: value for name, value in self.options.items() if name != "verbs"}
        return [
            replace(
                self,
                name=name,
                options={one: value for one, value in given.items() if one in OPTIONS.get(name, ())},
                prefix="",
            )
            for name in names
        ]

    @property
    def keeps_rows(self) -> bool:
        """Whether rows are left out, and nothing is added."""
        return self.name in ("sample", "filter") or "only" in self.options

    def columns_asked(self) -> list[str]:
        """The columns of the data that the verb needs beside the texts, as far as the data has them."""
        if self.name == "filter":
            return list(RowFilter.of(self.options).columns())
        by = self.options.get("by")
        return [] if by is None else [str(by)]

    def the_game(self) -> Game:
        """The game in its variant."""
        return registry.game(self.game, self.variant)

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """The columns that come out where these go in."""
        empty = pa.RecordBatch.from_arrays([pa.nulls(0, one.type) for one in schema], schema=schema)
        return self.apply(empty).schema

    def apply(self, batch: pa.RecordBatch, threads: int = 1) -> pa.RecordBatch:
        """The batch with what the verb adds to it."""
        return self.joined(batch, self.answers(batch, threads))

    def answers(self, batch: pa.RecordBatch, threads: int = 1) -> pa.RecordBatch:
        """What the verb says of each row of a batch, in columns of their own under their own names.

        The first column is null where the text is, and (but for `scan`) where the text could not be read;
        with `by` where that column is.
        """
        texts = texts_of(batch, self.column)
        game = self.the_game()
        if self.name == "apply":
            return self._applied(batch, threads)
        if self.name == "unpack":
            # Files of text hold packed forms as digits.
            found = arrow.unpack(bytes_of(texts), game, threads=threads)
            return _columns([pa.field(TEXT, pa.large_string())], [found])
        legality = self.name == "scan" if self.legality is None else self.legality
        way: dict[str, Any] = {"mode": self.mode, "legality": legality, "threads": threads}
        if self.name == "sample":
            return self._sampled(arrow.key(texts, game, **way))
        if self.name == "split":
            return self._divided(self._split_keys(batch, texts, game, way))
        if self.name == "filter":
            kept = RowFilter.of(self.options).kept(batch, texts, game, self.legality is not False, way)
            return _columns([pa.field("filter", pa.bool_())], [kept])
        if self.name == "material":
            return _columns([pa.field("material", MATERIAL_TYPE)], [arrow.material(texts, game, **way)])
        if self.name in ("scan", "features"):
            found = (arrow.scan if self.name == "scan" else arrow.features)(texts, game, **way)
            return _columns(list(found.type), found.flatten())
        if self.name == "normalise":
            return _columns([pa.field(self.column, pa.large_string())], [arrow.normalise(texts, game, **way)])
        if self.name == "key":
            return _columns([pa.field("key", pa.binary(arrow.KEY_BYTES))], [arrow.key(texts, game, **way)])
        if self.name == "pack":
            width = self.options.get("width")
            packed = arrow.pack(texts, game, width=None if width is None else int(width), **way)
            return _columns([pa.field(PACKED, packed.type)], [packed])
        return _columns([planes_field(game)], [arrow.planes(texts, game, **way)])

    def joined(self, batch: pa.RecordBatch, answers: pa.RecordBatch) -> pa.RecordBatch:
        """A batch with its answers as further columns, or the rows of it that are kept."""
        if self.keeps_rows:
            kept = (
                answers.column(0)
                if self.name != "split"
                else pc.equal(answers.column(0), self.options["only"])
            )
            return batch.filter(pc.fill_null(kept, False))
        fields = [one.with_name(self.prefix + one.name) for one in answers.schema]
        if self.name == "normalise" and not self.prefix:
            return batch.set_column(self._place_of_texts(batch), fields[0], answers.column(0))
        self.must_be_free(batch.schema.names)
        schema = pa.schema([*batch.schema, *fields], batch.schema.metadata)
        return pa.RecordBatch.from_arrays([*batch.columns, *answers.columns], schema=schema)

    def written(self) -> list[str]:
        """The names of the columns that are added."""
        if self.keeps_rows or (self.name == "normalise" and not self.prefix):
            return []
        names = list(dict.fromkeys([self.column, *self.columns_asked()]))
        texts = pa.RecordBatch.from_arrays([pa.nulls(0, pa.string()) for _ in names], names)
        return [self.prefix + name for name in self.answers(texts).schema.names]

    def text_written(self) -> str | None:
        """The column of texts that the verb is for; None where it writes something else."""
        if self.keeps_rows:
            return self.column
        written = {"normalise": self.column, "unpack": TEXT}.get(self.name)
        return None if written is None else self.prefix + written

    def must_be_free(self, names: list[str]) -> None:
        """Raises `BulkError` where data with columns of these names has one that would be written."""
        taken = [name for name in self.written() if name in names]
        if not taken:
            return
        columns = "the columns" if len(taken) > 1 else "the column"
        other = f"{self.prefix}{self.name}_"
        raise BulkError(
            f"{self.name} writes {columns} {listed(taken)}, which the data already has; name the new ones "
            f"with --prefix, as in --prefix {other} (in Python prefix={other!r}), or rename yours"
        )

    def missing(self, batch: pa.RecordBatch) -> int:
        """How many rows lack what the verb goes by: the text, or a value of the column that `by` names."""
        by = self.options.get("by")
        found = texts_of(batch, self.column) if by is None else column_of(batch, str(by))
        return int(found.null_count)

    def unreadable(self, batch: pa.RecordBatch, answers: pa.RecordBatch) -> int:
        """How many rows have a text that could not be read (in a scan: that has an error).

        None of them where the verb goes by another column: it does not read the texts.
        """
        if self.name == "filter":
            return 0
        missing = self.missing(batch)
        first = answers.column(0)
        if first.type == pa.bool_() and self.name != "sample":
            return len(first) - missing - int(first.true_count)
        return int(first.null_count) - missing

    def _place_of_texts(self, batch: pa.RecordBatch) -> int:
        place: int = batch.schema.get_field_index(self.column)
        if place < 0:
            raise BulkError(
                f"the texts are inside a column ({self.column}), where they cannot be replaced; name a new "
                "column with --prefix"
            )
        return place

    def _applied(self, batch: pa.RecordBatch, threads: int) -> pa.RecordBatch:
        found = [verb.answers(batch, threads) for verb in self.verbs()]
        fields = [field for one in found for field in one.schema]
        names = [field.name for field in fields]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise BulkError(
                f"two of these verbs write the column {twice[0]!r}; run the command once for each"
            )
        return _columns(fields, [column for one in found for column in one.columns])

    def _sampled(self, keys: pa.Array) -> pa.RecordBatch:
        numbers = shares(keys, self.name, int(self.options.get("seed", 0)))
        return _columns([pa.field("sample", pa.bool_())], [pc.less(numbers, self.fraction)])

    def _split_keys(
        self, batch: pa.RecordBatch, texts: pa.Array, game: Game, way: dict[str, Any]
    ) -> pa.Array:
        by = self.options.get("by")
        if by is not None:
            return group_keys(column_of(batch, str(by)), str(by))
        return twin_keys(texts, game, **way) if self.options.get("twins") else arrow.key(texts, game, **way)

    def _divided(self, keys: pa.Array) -> pa.RecordBatch:
        numbers = shares(keys, self.name, int(self.options.get("seed", 0)))
        labels = labelled(numbers, self.sets())
        return _columns([pa.field("split", labels.type)], [labels])


def planes_field(game: Game) -> pa.Field:
    """The column of `planes`, with its shape for whoever makes tensors of it."""
    shape = require_columnar(game, "planes").plane_shape
    text = f"{len(shape.names)},{shape.height},{shape.width}"
    return pa.field(
        "planes", pa.binary(shape.size), metadata={"shape": text, "planes": ",".join(shape.names)}
    )


def _columns(fields: list[pa.Field], arrays: list[pa.Array]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))
