"""The verbs of bulk work: what to do with every record batch, as plain data.

A `Verb` has a name, a game, a column, and options. Every command, engine and adapter calls its `apply` on one
batch after the other. It can be converted to JSON (`to_dict`, `from_dict`), so that a worker on another
machine does the same.

Columns written: `scan` ok, code, severity, start, end, square, findings; `normalise` the text column itself;
`key` key; `pack` packed; `unpack` fen; `features` those of the game; `planes` planes; `material` material;
`split` split; `apply` those of the verbs that it names. `sample`, `filter`, and `split` with the option
`only` add no column, but select rows. `prefix` is put before the names of the columns. With a prefix,
`normalise` adds a column instead of replacing the texts. No other verb replaces a column of the data: a name
that exists already is an error.

`sample` and `split` decide by the key of the position and a seed, not by the row (`selection`). All texts of
one position go together, in every run, on every machine, whatever else is in the data. A text that cannot be
read is in no sample and no set. The two verbs use different numbers for the same seed, so that a sample can
be split. `split` can also use another column (`by`), or treat a position and its colour-flipped twin as one
(`twins`). With `by` the texts are not read, and each row with a value in that column is in a set.
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
from forsyth.bulk.batches import decode_hex
from forsyth.bulk.errors import BulkError, require_columns, require_one_of
from forsyth.bulk.verbs.material import MATERIAL_TYPE
from forsyth.bulk.verbs.selection import (
    DEFAULT_SETS,
    RowFilter,
    assign_sets,
    canonical_twin_keys,
    hash_fractions,
    hash_values,
    parse_sets,
)
from forsyth.bulk.verbs.text_column import get_texts, quote_names
from forsyth.bulk.where import get_column
from forsyth.diagnostics import MODES, Mode
from forsyth.game import Game

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
"""The verbs that `apply` can combine: those that add columns."""
PACKED: Final = "packed"
TEXT: Final = "fen"

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "pack": ("width",),
    "sample": ("fraction", "seed"),
    "split": ("sets", "seed", "by", "twins", "only"),
    "filter": ("keep", "code", "where", "material"),
    "apply": ("verbs", "width", "sets", "seed"),
}
"""The options of each verb, apart from those for reading texts."""

Option = str | int | float


@dataclass(frozen=True, slots=True)
class Verb:
    """An operation on batches, such as ``key`` or ``split``, with its options.

    The constructor raises `BulkError` if an option is not valid.
    """

    name: str
    game: str
    variant: str | None = None
    column: str = TEXT
    """The column with the texts, or for `unpack` with the packed forms."""
    mode: Mode = "default"
    legality: bool | None = None
    """Whether a position that is not legal is an error.

    None means yes for `scan` and for the findings that `filter` uses, and no otherwise.
    """
    options: Mapping[str, Option] = field(default_factory=dict)
    """The options of the verb.

    * `pack`: width.
    * `sample`: fraction, seed.
    * `split`: sets (such as ``train=0.9,test=0.1``), seed, by (a column), twins (1 for true), only (the set
      whose rows are kept).
    * `filter`: keep, code, where, material (see `selection`).
    * `apply`: verbs (such as ``key,features``), and the options of these verbs.
    """
    prefix: str = ""
    """Text that is put before the names of the columns that the verb writes."""

    def __post_init__(self) -> None:
        """Raise `BulkError` if the verb or one of its options is not valid."""
        if self.name not in VERBS:
            raise BulkError(f"unknown verb {self.name!r}; the verbs are {', '.join(VERBS)}")
        require_one_of("mode", self.mode, MODES)
        known_options = OPTIONS.get(self.name, ())
        for option in self.options:
            if option not in known_options:
                option_names = ", ".join(known_options) or "none"
                raise BulkError(
                    f"{self.name} has no option {quoted(option)}; its options are: {option_names}"
                )
        if self.name == "sample" and not 0 <= self.fraction <= 1:
            raise BulkError(f"the fraction of the sample is {self.fraction}, expected a number from 0 to 1")
        if self.name == "split":
            self._check_split_options()
        if self.name == "filter":
            RowFilter.from_options(self.options)
        if self.name == "apply":
            self.component_verbs()

    def to_dict(self) -> dict[str, Any]:
        """Return the verb as JSON-ready data."""
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
        """Return the verb with the data that `to_dict` returned."""
        return cls(**data)

    @property
    def fraction(self) -> float:
        """The fraction of the data that `sample` keeps."""
        return float(self.options.get("fraction", 0.01))

    def sets(self) -> list[tuple[str, float]]:
        """Return the sets of `split`: the name and the upper bound of each; see `parse_sets`."""
        return parse_sets(str(self.options.get("sets", DEFAULT_SETS)))

    def _check_split_options(self) -> None:
        """Raise `BulkError` if the options of `split` are not valid."""
        names = [name for name, _ in self.sets()]
        if self.options.get("only", names[0]) not in names:
            raise BulkError(f"unknown set {self.options['only']!r}; the sets are {quote_names(names)}")
        if self.options.get("by") is not None and self.options.get("twins"):
            raise BulkError("--by and --twins cannot be used together; choose one of them")

    def component_verbs(self) -> list[Verb]:
        """Return the verbs that `apply` combines, such as ``key`` and ``features``, each with its options.

        Raise `BulkError` if a verb does not add columns, or is named twice.
        """
        names = [name.strip() for name in str(self.options.get("verbs", "")).split(",")]
        for name in names:
            if name not in JOINABLE:
                raise BulkError(
                    f"{name!r} cannot be combined with other verbs; choose from {', '.join(JOINABLE)}"
                )
        if len(set(names)) != len(names):
            raise BulkError(f"a verb is named twice in {self.options['verbs']!r}; name each verb once")
        verbs = []
        for name in names:
            known_options = OPTIONS.get(name, ())
            options = {option: value for option, value in self.options.items() if option in known_options}
            verbs.append(replace(self, name=name, options=options, prefix=""))
        return verbs

    @property
    def only_selects_rows(self) -> bool:
        """Whether the verb selects rows, and adds no column."""
        return self.name in ("sample", "filter") or "only" in self.options

    @property
    def _replaces_texts(self) -> bool:
        """Whether the verb replaces the column of the texts, and adds no column."""
        return self.name == "normalise" and not self.prefix

    def source_columns(self) -> list[str]:
        """Return the names of columns that the verb may use besides the texts."""
        if self.name == "filter":
            return list(RowFilter.from_options(self.options).columns())
        by = self.options.get("by")
        return [] if by is None else [str(by)]

    def load_game(self) -> Game:
        """Return the game in its variant."""
        return registry.game(self.game, self.variant)

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """Return the schema of the output for an input with this schema."""
        no_rows = [pa.nulls(0, column.type) for column in schema]
        return self.apply(pa.RecordBatch.from_arrays(no_rows, schema=schema)).schema

    def apply(self, batch: pa.RecordBatch, threads: int = 1) -> pa.RecordBatch:
        """Return the batch with the columns that the verb adds, or the rows that it selects."""
        return self.join_results(batch, self.compute(batch, threads))

    def compute(self, batch: pa.RecordBatch, threads: int = 1) -> pa.RecordBatch:
        """Return the results of the verb for each row of a batch, as columns without the rows' own columns.

        The names of the columns have no prefix. The first column is null if the text is null, or (except for
        `scan`) cannot be read. With the option `by`, it is null if the value of that column is null.
        """
        texts = get_texts(batch, self.column)
        game = self.load_game()
        if self.name == "apply":
            return self._compute_components(batch, threads)
        if self.name == "unpack":
            # Text files contain packed forms as hexadecimal digits.
            unpacked = arrow.unpack(decode_hex(texts), game, threads=threads)
            return _make_batch([pa.field(TEXT, pa.large_string())], [unpacked])
        legality = self.name == "scan" if self.legality is None else self.legality
        read_options: dict[str, Any] = {"mode": self.mode, "legality": legality, "threads": threads}
        if self.name == "sample":
            return self._sample_keys(arrow.key(texts, game, **read_options))
        if self.name == "split":
            return self._assign_sets(self._hash_rows(batch, texts, game, read_options))
        if self.name == "filter":
            return self._filter_rows(batch, texts, game, read_options)
        return self._compute_columns(texts, game, read_options)

    def _filter_rows(
        self, batch: pa.RecordBatch, texts: pa.Array, game: Game, read_options: dict[str, Any]
    ) -> pa.RecordBatch:
        """Return a batch with the column `filter`: whether each row meets the conditions of `filter`."""
        row_filter = RowFilter.from_options(self.options)
        # The findings that conditions use include those on legality, unless the option excludes them.
        legality = self.legality is not False
        is_kept = row_filter.find_kept_rows(batch, texts, game, legality, read_options)
        return _make_batch([pa.field("filter", pa.bool_())], [is_kept])

    def _compute_columns(self, texts: pa.Array, game: Game, read_options: dict[str, Any]) -> pa.RecordBatch:
        """Return the results of a verb that computes columns from each text, such as ``key`` or ``scan``.

        `read_options` has the options for reading the texts: mode, legality and threads.
        """
        if self.name in ("scan", "features"):
            compute = arrow.scan if self.name == "scan" else arrow.features
            results = compute(texts, game, **read_options)
            return _make_batch(list(results.type), results.flatten())
        if self.name == "normalise":
            field = pa.field(self.column, pa.large_string())
            return _make_batch([field], [arrow.normalise(texts, game, **read_options)])
        if self.name == "key":
            field = pa.field("key", pa.binary(arrow.KEY_BYTES))
            return _make_batch([field], [arrow.key(texts, game, **read_options)])
        if self.name == "material":
            field = pa.field("material", MATERIAL_TYPE)
            return _make_batch([field], [arrow.material(texts, game, **read_options)])
        if self.name == "pack":
            width = self.options.get("width")
            packed = arrow.pack(texts, game, width=None if width is None else int(width), **read_options)
            return _make_batch([pa.field(PACKED, packed.type)], [packed])
        return _make_batch([planes_field(game)], [arrow.planes(texts, game, **read_options)])

    def join_results(self, batch: pa.RecordBatch, results: pa.RecordBatch) -> pa.RecordBatch:
        """Return the batch with the results of `compute` as more columns, or the rows that they select.

        Raise `BulkError` if the batch already has a column of that name.
        """
        if self.only_selects_rows:
            is_kept = results.column(0)
            if self.name == "split":
                is_kept = pc.equal(is_kept, self.options["only"])
            return batch.filter(pc.fill_null(is_kept, False))
        fields = [column.with_name(self.prefix + column.name) for column in results.schema]
        if self._replaces_texts:
            return batch.set_column(self._find_text_index(batch), fields[0], results.column(0))
        self.require_free_names(batch.schema.names)
        schema = pa.schema([*batch.schema, *fields], batch.schema.metadata)
        return pa.RecordBatch.from_arrays([*batch.columns, *results.columns], schema=schema)

    def added_columns(self) -> list[str]:
        """Return the names of the columns that the verb adds, with the prefix."""
        if self.only_selects_rows or self._replaces_texts:
            return []
        # The results of a batch without rows have the names.
        input_names = list(dict.fromkeys([self.column, *self.source_columns()]))
        no_rows = [pa.nulls(0, pa.string()) for _ in input_names]
        results = self.compute(pa.RecordBatch.from_arrays(no_rows, input_names))
        return [self.prefix + name for name in results.schema.names]

    def output_text_column(self) -> str | None:
        """Return the name of the column of texts in the output, or None if the verb writes no texts.

        A verb that only selects rows keeps the input column.
        """
        if self.only_selects_rows:
            return self.column
        column = {"normalise": self.column, "unpack": TEXT}.get(self.name)
        return None if column is None else self.prefix + column

    def require_free_names(self, names: list[str]) -> None:
        """Raise `BulkError` if the data has a column that the verb would add.

        `names` are the names of the columns of the data.
        """
        duplicates = [name for name in self.added_columns() if name in names]
        if not duplicates:
            return
        noun = "the columns" if len(duplicates) > 1 else "the column"
        example_prefix = f"{self.prefix}{self.name}_"
        raise BulkError(
            f"{self.name} writes {noun} {quote_names(duplicates)}, which the data already has; rename the "
            f"new columns with --prefix, as in --prefix {example_prefix} (in Python "
            f"prefix={example_prefix!r}), or rename the columns of the data"
        )

    def count_missing(self, batch: pa.RecordBatch) -> int:
        """Return the number of rows without a text, or with `by` without a value of that column."""
        by = self.options.get("by")
        values = get_texts(batch, self.column) if by is None else get_column(batch, str(by))
        return int(values.null_count)

    def count_unreadable(self, batch: pa.RecordBatch, results: pa.RecordBatch) -> int:
        """Return the number of rows whose text cannot be read, or in a scan has an error.

        `results` are those of `compute` for the batch. The number is 0 for `filter`, and if the verb uses
        another column instead of the texts.
        """
        if self.name == "filter":
            return 0
        missing = self.count_missing(batch)
        first_column = results.column(0)
        is_scan_result = first_column.type == pa.bool_() and self.name != "sample"
        if is_scan_result:
            # A scan has true for texts without errors.
            return len(first_column) - missing - int(first_column.true_count)
        # The results of other verbs are null for unreadable texts.
        return int(first_column.null_count) - missing

    def _find_text_index(self, batch: pa.RecordBatch) -> int:
        """Return the index of the text column. Raise `BulkError` if it is a field inside another column."""
        index: int = batch.schema.get_field_index(self.column)
        if index < 0:
            raise BulkError(
                f"the texts are in a field inside a column ({self.column}), where they cannot be replaced; "
                "write them to a new column with --prefix"
            )
        return index

    def _compute_components(self, batch: pa.RecordBatch, threads: int) -> pa.RecordBatch:
        """Return the results of all verbs that `apply` combines, as columns of one batch.

        Raise `BulkError` if two of the verbs write a column of the same name.
        """
        fields: list[pa.Field] = []
        columns: list[pa.Array] = []
        for verb in self.component_verbs():
            results = verb.compute(batch, threads)
            fields += results.schema
            columns += results.columns
        names = [field.name for field in fields]
        duplicates = sorted({name for name in names if names.count(name) > 1})
        if duplicates:
            raise BulkError(
                f"two of these verbs write the column {duplicates[0]!r}; run the command once per verb"
            )
        return _make_batch(fields, columns)

    def _sample_keys(self, keys: pa.Array) -> pa.RecordBatch:
        """Return a batch with the column `sample`: whether the position with each key is in the sample."""
        fractions = hash_fractions(keys, self.name, int(self.options.get("seed", 0)))
        return _make_batch([pa.field("sample", pa.bool_())], [pc.less(fractions, self.fraction)])

    def _hash_rows(
        self, batch: pa.RecordBatch, texts: pa.Array, game: Game, read_options: dict[str, Any]
    ) -> pa.Array:
        """Return 16 bytes for each row, which decide about its set: equal bytes belong to the same set.

        They are the key of the position, the common key of a position and its twin (the option `twins`), or a
        hash of another column (the option `by`).
        """
        by = self.options.get("by")
        if by is not None:
            return hash_values(get_column(batch, str(by)), str(by))
        if self.options.get("twins"):
            return canonical_twin_keys(texts, game, **read_options)
        return arrow.key(texts, game, **read_options)

    def _assign_sets(self, keys: pa.Array) -> pa.RecordBatch:
        """Return a batch with the column `split`: the set of each row, decided by the bytes in `keys`."""
        fractions = hash_fractions(keys, self.name, int(self.options.get("seed", 0)))
        labels = assign_sets(fractions, self.sets())
        return _make_batch([pa.field("split", labels.type)], [labels])


def planes_field(game: Game) -> pa.Field:
    """Return the name, type and metadata of the column `planes`: tensors as bytes.

    The metadata contain the shape, such as ``12,8,8``, and the names of the planes.
    """
    shape = require_columns(game, "planes").plane_shape
    shape_text = f"{len(shape.names)},{shape.height},{shape.width}"
    metadata = {"shape": shape_text, "planes": ",".join(shape.names)}
    return pa.field("planes", pa.binary(shape.size), metadata=metadata)


def _make_batch(fields: list[pa.Field], columns: list[pa.Array]) -> pa.RecordBatch:
    """Return a batch of `columns`, whose names and types are those of `fields`."""
    return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))
