"""The verbs of bulk work: what is to be done with every record batch, as a value that can travel.

A `Verb` names what to do, for which game and column, and with which options; `apply` does it to one batch and
is the one function under every command, engine and adapter. It is plain data (`to_dict`, `from_dict`), so
that a worker on another machine does the same.

Columns written: `scan` ok, code, severity, start, end, square, findings; `normalise` the text column itself;
`key` key; `pack` packed; `unpack` fen; `features` those of the game; `planes` planes; `split` split. `sample`
writes none and keeps some of the rows. With a `prefix` each of them has it before its name, and `normalise`
leaves the text column alone too. A name that the data has already is refused: no column of the data is ever
replaced but the texts by `normalise`.

`sample` and `split` decide by the key of the position and a seed, never by the row: all texts of one position
go together, in every run, on every machine, whatever else is in the data. A text that cannot be read is in no
sample and no set. The two use different numbers for the same seed, so that a sample can be split.

Stability: the numbers of `split` are those of the first version. Limits: keys have 16 bytes, of which the
first 8 decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth import registry
from forsyth.arguments import quoted
from forsyth.bulk import arrow
from forsyth.bulk.arrow import KEY_BYTES
from forsyth.bulk.batches import bytes_of, decoded_type, is_bytes, is_text
from forsyth.bulk.errors import BulkError, must_be_one_of
from forsyth.diagnostics import MODES, Mode
from forsyth.game import Game, require_columnar

SETS: Final = "train=0.8,valid=0.1,test=0.1"
"""How `split` divides where nothing else is asked for."""

_SALTS: Final = {"split": 0, "sample": 0x8CB92BA72F3D8DD7}
"""What makes the numbers of one verb others than those of another."""
_SPREAD: Final = 0x9E3779B97F4A7C15
_FOLD: Final = 0xBF58476D1CE4E5B9
_ALL: Final = (1 << 64) - 1
_SCALE: Final = 2.0**-53


def shares(keys: pa.Array, verb: str, seed: int) -> pa.Array:
    """For each key a number between 0 and 1, another one for another seed; null for a null."""
    if not len(keys):
        return pa.nulls(0, pa.float64())
    start = keys.offset * KEY_BYTES
    words = np.frombuffer(keys.buffers()[1], ">u8", 2 * len(keys), start)[::2].astype(np.uint64)
    if _SALTS[verb]:
        words = _mixed(words ^ np.uint64(_SALTS[verb]))
    words = _mixed(words ^ np.uint64(seed * _SPREAD & _ALL))
    numbers = pa.array((words >> np.uint64(11)).astype(np.float64) * _SCALE)
    return pc.if_else(keys.is_valid(), numbers, pa.scalar(None, pa.float64()))


def _mixed(words: Any) -> Any:
    """Words of 64 bits, each bit of which hangs on all bits of the word it was."""
    with np.errstate(over="ignore"):
        words = (words ^ words >> np.uint64(30)) * np.uint64(_FOLD)
    return words ^ words >> np.uint64(31)


def labelled(numbers: pa.Array, sets: list[tuple[str, float]]) -> pa.Array:
    """The set that each number falls into; null for a null."""
    places = pa.nulls(len(numbers), pa.int16())
    for place in range(len(sets) - 1, -1, -1):
        places = pc.if_else(pc.less(numbers, sets[place][1]), pa.scalar(place, pa.int16()), places)
    return pa.DictionaryArray.from_arrays(places, pa.array([name for name, _ in sets]))


def read_sets(text: str) -> list[tuple[str, float]]:
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
        raise BulkError(f"a set is named twice in {text!r}; give each a different name")
    if abs(total - 1) > 1e-9:
        raise BulkError(f"the shares of {text!r} are {total:g} together, expected 1")
    # What is left by rounding belongs to the last set.
    return [*found[:-1], (found[-1][0], 2.0)]


VERBS: Final = ("scan", "normalise", "key", "pack", "unpack", "features", "planes", "sample", "split")
TEXT_NAMES: Final = ("fen", "text", "position", "epd", "line")
"""The columns that are taken for the texts where none is named, the likeliest first."""
PACKED: Final = "packed"
TEXT: Final = "fen"

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "pack": ("width",),
    "sample": ("fraction", "seed"),
    "split": ("sets", "seed"),
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
    """`pack`: width. `sample`: fraction, seed. `split`: sets (such as ``train=0.9,test=0.1``), seed."""
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

        The first column is null where the text is, and (but for `scan`) where the text could not be read.
        """
        texts = batch.column(_place(batch.schema, self.column))
        game = self.the_game()
        if self.name == "unpack":
            # Files of text hold packed forms as digits.
            found = arrow.unpack(bytes_of(texts), game, threads=threads)
            return _columns([pa.field(TEXT, pa.large_string())], [found])
        legality = self.name == "scan" if self.legality is None else self.legality
        way: dict[str, Any] = {"mode": self.mode, "legality": legality, "threads": threads}
        if self.name in ("sample", "split"):
            return self._divided(arrow.key(texts, game, **way))
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
        """A batch with its answers as further columns, or for `sample` the rows that are in it."""
        if self.name == "sample":
            return batch.filter(pc.fill_null(answers.column(0), False))
        fields = [one.with_name(self.prefix + one.name) for one in answers.schema]
        if self.name == "normalise" and not self.prefix:
            return batch.set_column(_place(batch.schema, self.column), fields[0], answers.column(0))
        self.must_be_free(batch.schema.names)
        schema = pa.schema([*batch.schema, *fields], batch.schema.metadata)
        return pa.RecordBatch.from_arrays([*batch.columns, *answers.columns], schema=schema)

    def written(self) -> list[str]:
        """The names of the columns that are added."""
        if self.name == "sample" or (self.name == "normalise" and not self.prefix):
            return []
        texts = pa.RecordBatch.from_arrays([pa.nulls(0, pa.string())], [self.column])
        return [self.prefix + name for name in self.answers(texts).schema.names]

    def text_written(self) -> str | None:
        """The column of texts that the verb is for; None where it writes something else."""
        if self.name == "sample":
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
            f"{self.name} writes {columns} {_listed(taken)}, which the data already has; name the new ones "
            f"with --prefix, as in --prefix {other} (in Python prefix={other!r}), or rename yours"
        )

    def unreadable(self, batch: pa.RecordBatch, answers: pa.RecordBatch) -> int:
        """How many rows have a text that could not be read (in a scan: that has an error)."""
        missing: int = batch.column(_place(batch.schema, self.column)).null_count
        first = answers.column(0)
        if self.name == "scan":
            return len(first) - missing - int(first.true_count)
        return int(first.null_count) - missing

    def _divided(self, keys: pa.Array) -> pa.RecordBatch:
        numbers = shares(keys, self.name, int(self.options.get("seed", 0)))
        if self.name == "sample":
            return _columns([pa.field("sample", pa.bool_())], [pc.less(numbers, self.fraction)])
        labels = labelled(numbers, self.sets())
        return _columns([pa.field("split", labels.type)], [labels])


def planes_field(game: Game) -> pa.Field:
    """The column of `planes`, with its shape for whoever makes tensors of it."""
    shape = require_columnar(game, "planes").plane_shape
    text = f"{len(shape.names)},{shape.height},{shape.width}"
    return pa.field(
        "planes", pa.binary(shape.size), metadata={"shape": text, "planes": ",".join(shape.names)}
    )


def texts_column(schema: pa.Schema, wanted: str | None = None) -> str:
    """The column that holds the texts: the one wanted, one of TEXT_NAMES, or the only one with strings.

    Raises `BulkError` where it is not clear, not there, or of a type that holds neither texts nor bytes.
    """
    name = _texts_name(schema, wanted)
    kind = schema.field(_place(schema, name)).type
    values = decoded_type(kind)
    if not (is_text(values) or is_bytes(values) or pa.types.is_null(values)):
        raise BulkError(
            f"the column {name!r} is of {kind}, which holds no texts; name one of strings or bytes with "
            f"--column: there are {_listed(schema.names)}"
        )
    return name


def _texts_name(schema: pa.Schema, wanted: str | None) -> str:
    names: list[str] = schema.names
    if wanted is not None:
        return wanted
    for name in TEXT_NAMES:
        if name in names:
            return name
    strings: list[str] = [one.name for one in schema if is_text(decoded_type(one.type))]
    if len(strings) == 1:
        return strings[0]
    raise BulkError(f"the column with the texts is not clear; name one of {_listed(names)} with --column")


def _place(schema: pa.Schema, name: str) -> int:
    places = schema.get_all_field_indices(name)
    if len(places) == 1:
        return int(places[0])
    problem = "there is no column" if not places else f"there are {len(places)} columns"
    raise BulkError(f"{problem} {name!r}; name another with --column: there are {_listed(schema.names)}")


def _listed(names: list[str]) -> str:
    return ", ".join(repr(name) for name in names[:20]) or "none"


def _columns(fields: list[pa.Field], arrays: list[pa.Array]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))
