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
    compute_twin_keys,
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
    """An operation on record batches, such as ``key`` or ``split``, with its options.

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
        self._check_option_names()
        if self.name == "sample" and not 0 <= self.fraction <= 1:
            raise BulkError(f"the fraction of the sample is {self.fraction}, expected a number from 0 to 1")
        if self.name == "split":
            self._check_split_options()
        # These functions raise an error for options that are not valid.
        if self.name == "filter":
            RowFilter.from_options(self.options)
        if self.name == "apply":
            self.list_component_verbs()

    def _check_option_names(self) -> None:
        """Raise `BulkError` if an option is not one of this verb."""
        known_options = OPTIONS.get(self.name, ())
        for option in self.options:
            if option not in known_options:
                option_names = ", ".join(known_options) or "none"
                raise BulkError(
                    f"{self.name} has no option {quoted(option)}; its options are: {option_names}"
                )

    def to_dict(self) -> dict[str, Any]:
        """Return the verb as a dictionary that can be written as JSON."""
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
        """Return the verb that `to_dict` has converted to `data`."""
        return cls(**data)

    @property
    def fraction(self) -> float:
        """The fraction of the positions that `sample` keeps, such as 0.01."""
        return float(self.options.get("fraction", 0.01))

    @property
    def _seed(self) -> int:
        """The seed of `sample` and `split`."""
        return int(self.options.get("seed", 0))

    def sets(self) -> list[tuple[str, float]]:
        """Return the name and the upper bound of each set of `split`.

        The sets ``train=0.9,test=0.1`` give ``[("train", 0.9), ("test", 2.0)]`` (see `parse_sets`).
        """
        return parse_sets(str(self.options.get("sets", DEFAULT_SETS)))

    def _check_split_options(self) -> None:
        """Raise `BulkError` if the options of `split` are not valid, or exclude each other."""
        names = [name for name, _ in self.sets()]
        if self.options.get("only", names[0]) not in names:
            raise BulkError(f"unknown set {self.options['only']!r}; the sets are {quote_names(names)}")
        if self.options.get("by") is not None and self.options.get("twins"):
            raise BulkError("--by and --twins cannot be used together; choose one of them")

    def list_component_verbs(self) -> list[Verb]:
        """Return the verbs that `apply` combines, such as ``key``, each with its options.

        Raise `BulkError` if one of them does not add columns, or is named twice.
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
        """Whether the verb replaces the column of the texts, instead of adding a column."""
        return self.name == "normalise" and not self.prefix

    def list_source_columns(self) -> list[str]:
        """Return the names of the columns besides the texts that the verb may read.

        A name in a condition of `filter` may also be a feature of the game, such as ``phase``.
        """
        if self.name == "filter":
            return list(RowFilter.from_options(self.options).list_condition_columns())
        by = self.options.get("by")
        return [] if by is None else [str(by)]

    def load_game(self) -> Game:
        """Return the game in its variant."""
        return registry.game(self.game, self.variant)

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """Return the schema of the output of `apply` for an input with the schema `schema`."""
        empty_columns = [pa.nulls(0, column.type) for column in schema]
        empty_batch = pa.RecordBatch.from_arrays(empty_columns, schema=schema)
        return self.apply(empty_batch).schema

    def apply(self, batch: pa.RecordBatch, threads: int = 1) -> pa.RecordBatch:
        """Return the batch with the columns that the verb adds, or only the rows that it selects.

        The work is done by `threads` threads. Raise `BulkError` if the batch already has a column of the same
        name as an added one.
        """
        return self.join_results(batch, self.compute(batch, threads))

    def compute(self, batch: pa.RecordBatch, threads: int = 1) -> pa.RecordBatch:
        """Return only the results of the verb, as columns with one value for each row of the batch.

        The names of the columns have no prefix. The first column is null if the text is null, or (except for
        `scan`) cannot be read. With the option `by` of `split`, it is null if the value of that column is
        null.
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
        """Return one column, `filter`: whether each row meets the conditions in the options.

        `texts` are the texts of the batch. `read_options` has the mode, the legality and the threads.
        """
        row_filter = RowFilter.from_options(self.options)
        # Conditions on findings include those about legality, unless the option excludes them.
        legality = self.legality is not False
        is_kept = row_filter.find_kept_rows(batch, texts, game, legality, read_options)
        return _make_batch([pa.field("filter", pa.bool_())], [is_kept])

    def _compute_columns(self, texts: pa.Array, game: Game, read_options: dict[str, Any]) -> pa.RecordBatch:
        """Return the results of a verb that computes columns from each text, such as ``key``.

        `read_options` has the options for reading the texts: mode, legality and threads.
        """
        if self.name in ("scan", "features"):
            compute = arrow.scan if self.name == "scan" else arrow.features
            structs = compute(texts, game, **read_options)
            return _make_batch(list(structs.type), structs.flatten())
        if self.name == "normalise":
            canonical_texts = arrow.normalise(texts, game, **read_options)
            return _make_batch([pa.field(self.column, pa.large_string())], [canonical_texts])
        if self.name == "key":
            keys = arrow.key(texts, game, **read_options)
            return _make_batch([pa.field("key", pa.binary(arrow.KEY_BYTES))], [keys])
        if self.name == "material":
            materials = arrow.material(texts, game, **read_options)
            return _make_batch([pa.field("material", MATERIAL_TYPE)], [materials])
        if self.name == "pack":
            width_option = self.options.get("width")
            width = None if width_option is None else int(width_option)
            packed = arrow.pack(texts, game, width=width, **read_options)
            return _make_batch([pa.field(PACKED, packed.type)], [packed])
        planes = arrow.planes(texts, game, **read_options)
        return _make_batch([make_planes_field(game)], [planes])

    def join_results(self, batch: pa.RecordBatch, results: pa.RecordBatch) -> pa.RecordBatch:
        """Add the results of `compute` to the batch, or return only the rows that they select.

        Raise `BulkError` if the batch already has a column of the same name.
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

    def list_added_columns(self) -> list[str]:
        """Return the names of the columns that the verb adds, with the prefix."""
        if self.only_selects_rows or self._replaces_texts:
            return []
        # The results of a batch without rows have the names.
        distinct_input_names = list(dict.fromkeys([self.column, *self.list_source_columns()]))
        empty_columns = [pa.nulls(0, pa.string()) for _ in distinct_input_names]
        results = self.compute(pa.RecordBatch.from_arrays(empty_columns, distinct_input_names))
        return [self.prefix + name for name in results.schema.names]

    def find_output_text_column(self) -> str | None:
        """Return the name of the column with texts in the output, or None if the verb writes no texts.

        This is the input column if the verb only selects rows.
        """
        if self.only_selects_rows:
            return self.column
        column = {"normalise": self.column, "unpack": TEXT}.get(self.name)
        return None if column is None else self.prefix + column

    def require_free_names(self, names: list[str]) -> None:
        """Raise `BulkError` if the verb would add a column with one of the names `names`.

        They are the names of the columns that the data has already.
        """
        duplicates = [name for name in self.list_added_columns() if name in names]
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
        """Return the number of rows whose text is null.

        With the option `by`, which names another column, count the rows with null in that column instead.
        """
        by = self.options.get("by")
        values = get_texts(batch, self.column) if by is None else get_column(batch, str(by))
        return int(values.null_count)

    def count_unreadable(self, batch: pa.RecordBatch, results: pa.RecordBatch) -> int:
        """Return the number of rows whose text cannot be read, or if the verb is `scan`, has an error.

        `results` is what `compute` returned for the batch. The number is 0 for `filter`, and for `split` by
        another column than the texts.
        """
        if self.name == "filter":
            return 0
        missing_count = self.count_missing(batch)
        first_column = results.column(0)
        # `apply` may also begin with the columns of `scan`.
        is_scan_result = first_column.type == pa.bool_() and self.name != "sample"
        if is_scan_result:
            # The first column of a scan is true for texts without errors.
            return len(first_column) - missing_count - int(first_column.true_count)
        # The results of other verbs are null for unreadable texts.
        return int(first_column.null_count) - missing_count

    def _find_text_index(self, batch: pa.RecordBatch) -> int:
        """Return the index of the column of texts, to replace it.

        Raise `BulkError` if the texts are in a field inside another column, such as ``pos.fen``.
        """
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
        for verb in self.list_component_verbs():
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
        """Return one column, `sample`: whether the position with each key is in the sample."""
        fractions = hash_fractions(keys, self.name, self._seed)
        is_in_sample = pc.less(fractions, self.fraction)
        return _make_batch([pa.field("sample", pa.bool_())], [is_in_sample])

    def _hash_rows(
        self, batch: pa.RecordBatch, texts: pa.Array, game: Game, read_options: dict[str, Any]
    ) -> pa.Array:
        """Return 16 bytes for each row. Rows with the same bytes will be in the same set of `split`.

        The bytes are the key of the position. With the option `twins` they are one key for the position and
        its twin with the sides exchanged, and with the option `by` a hash of another column.
        """
        by = self.options.get("by")
        if by is not None:
            return hash_values(get_column(batch, str(by)), str(by))
        if self.options.get("twins"):
            return compute_twin_keys(texts, game, **read_options)
        return arrow.key(texts, game, **read_options)

    def _assign_sets(self, keys: pa.Array) -> pa.RecordBatch:
        """Return one column, `split`: the name of the set of each row, such as ``train``.

        Rows with the same 16 bytes in `keys` are in the same set.
        """
        fractions = hash_fractions(keys, self.name, self._seed)
        labels = assign_sets(fractions, self.sets())
        return _make_batch([pa.field("split", labels.type)], [labels])


def make_planes_field(game: Game) -> pa.Field:
    """Return the name, type and metadata of the column `planes`.

    Each tensor is one value of bytes. The metadata contain the shape of a tensor, such as ``12,8,8``, and the
    names of its planes.
    """
    shape = require_columns(game, "planes").plane_shape
    shape_text = f"{len(shape.names)},{shape.height},{shape.width}"
    metadata = {"shape": shape_text, "planes": ",".join(shape.names)}
    return pa.field("planes", pa.binary(shape.size), metadata=metadata)


def _make_batch(fields: list[pa.Field], columns: list[pa.Array]) -> pa.RecordBatch:
    """Return a record batch of `columns`, with the names, types and metadata of `fields`."""
    return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))
