"""Selection of rows: the set that a row belongs to, and whether `filter` keeps it.

*Sets* and samples are decided by 16 bytes and a seed. The bytes are the key of the position, or one key for
the position and its twin with the sides exchanged (`forsyth.kit.mirror`; a position whose twin cannot be read
has its own key), or a hash of another column (`hash_values`). All rows with the same bytes go together, in
every run, on every machine. A null is in no set.

*Filter* keeps the rows that meet all given conditions. `keep` is ``ok`` or ``bad``: whether the text has no
error, as `scan` reports it; a row without a text is neither. `code` is the code of the row's first finding.
`material` (`forsyth.bulk.verbs.material`) may have either side first. `where` is a condition
(`forsyth.bulk.where`) on columns of the data, and, for names that the data does not have, on the features of
the game, the columns of `scan`, and ``material``.

Stability: the numbers of `split` by key are those of the first version. Limits: only the first 8 of the 16
bytes decide about sets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from hashlib import blake2b
from typing import Any, Final, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk import arrow
from forsyth.bulk.arrow import KEY_BYTES
from forsyth.bulk.errors import BulkError, require_one_of
from forsyth.bulk.verbs.material import SIDE_SEPARATOR, piece_letters
from forsyth.bulk.where import Condition, field_path, list_columns, matching_rows, parse_where
from forsyth.game import Columnar, Game
from forsyth.kit import mirror


def parse_material(text: str, game: Game) -> frozenset[str]:
    """Return the two ways to write a material: ``KRPvKR`` gives ``KRPvKR`` and ``KRvKRP``.

    Raise `BulkError` if `text` is not a material of the game, such as ``KRPvKR``.
    """
    letters = piece_letters(game)
    sides = text.strip().split(SIDE_SEPARATOR)
    if len(sides) != 2 or any(set(side) - set(letters) for side in sides):
        raise BulkError(
            f"{text[:40]!r} is not a material of {game.name}; write it as in {letters[:2]}v{letters[0]}"
        )
    first, second = ("".join(sorted(side, key=letters.index)) for side in sides)
    return frozenset((f"{first}{SIDE_SEPARATOR}{second}", f"{second}{SIDE_SEPARATOR}{first}"))


# --- sets -----------------------------------------------------------------------------------------


def canonical_twin_keys(texts: Any, game: Game, **options: Any) -> pa.Array:
    """Return one key for each position and its twin, the position with the sides exchanged.

    It is the lower of the two keys, so that both get the same. A text that cannot be read gives null.
    `options` are those of `arrow.key`: mode, legality and threads.
    """
    keys = arrow.key(texts, game, **options)
    flip = get_flip(game)
    canonical = arrow.normalise(texts, game, **options).to_pylist()
    twins = pa.array([None if text is None else flip(text) for text in canonical], pa.large_string())
    twin_keys = arrow.key(twins, game)
    is_lower = _read_high_words(keys) <= _read_high_words(twin_keys)
    keeps_own = is_lower | twin_keys.is_null().to_numpy(zero_copy_only=False)
    return pc.if_else(pa.array(keeps_own), keys, twin_keys)


def get_flip(game: Game) -> Callable[[str], str | None]:
    """Return a function that exchanges the sides of a position, from canonical text to canonical text.

    The function returns None for a position whose sides cannot be exchanged. Raise `BulkError` if those of
    the game never can.
    """
    flip = mirror.make_mirror(game)
    if flip is None:
        raise BulkError(f"the sides of {game.name} cannot be exchanged; split it without --twins")
    return flip


def _read_high_words(keys: pa.Array) -> np.ndarray:
    """Return the first 8 bytes of each key of 16 bytes as a number, which sorts as the key does."""
    if not len(keys):
        return np.zeros(0, "S16")
    words = np.frombuffer(keys.buffers()[1], ">u8", 2 * len(keys), 16 * keys.offset).reshape(-1, 2)
    # The first half of the keys decides which one is lower: two keys hardly ever have the same.
    return words[:, 0].astype(np.uint64)


DEFAULT_SETS: Final = "train=0.8,valid=0.1,test=0.1"
"""The sets of `split` if none are given."""

_SALTS: Final = {"split": 0, "sample": 0x8CB92BA72F3D8DD7}
"""One number per verb, so that `split` and `sample` use different random numbers for the same seed."""
_SEED_FACTOR: Final = 0x9E3779B97F4A7C15
_MIX_FACTOR: Final = 0xBF58476D1CE4E5B9
_MASK_64: Final = (1 << 64) - 1
_UNIT: Final = 2.0**-53


def hash_fractions(keys: pa.Array, verb: str, seed: int) -> pa.Array:
    """Return a number from 0 to below 1 for each key, which looks random but depends on the key only.

    A null gives null. `verb` is ``split`` or ``sample``. Another verb or seed gives other numbers.
    """
    if not len(keys):
        return pa.nulls(0, pa.float64())
    start = keys.offset * KEY_BYTES
    words = np.frombuffer(keys.buffers()[1], ">u8", 2 * len(keys), start)[::2].astype(np.uint64)
    if _SALTS[verb]:
        words = _mix_bits(words ^ np.uint64(_SALTS[verb]))
    words = _mix_bits(words ^ np.uint64(seed * _SEED_FACTOR & _MASK_64))
    fractions = pa.array((words >> np.uint64(11)).astype(np.float64) * _UNIT)
    return pc.if_else(keys.is_valid(), fractions, pa.scalar(None, pa.float64()))


def _mix_bits(words: Any) -> Any:
    """Return each 64-bit word as another one that looks random, by a step of the generator splitmix64."""
    with np.errstate(over="ignore"):
        words = (words ^ words >> np.uint64(30)) * np.uint64(_MIX_FACTOR)
    return words ^ words >> np.uint64(31)


def assign_sets(fractions: pa.Array, sets: list[tuple[str, float]]) -> pa.Array:
    """Return the name of the set that each fraction belongs to, null for a null.

    `sets` has the name and the upper bound of each set, such as ``[("train", 0.9), ("test", 2.0)]``.
    """
    set_indices = pa.nulls(len(fractions), pa.int16())
    # The bounds increase, so a lower set replaces the sets that were assigned before it.
    for index, (_, upper_bound) in reversed(list(enumerate(sets))):
        is_below = pc.less(fractions, upper_bound)
        set_indices = pc.if_else(is_below, pa.scalar(index, pa.int16()), set_indices)
    return pa.DictionaryArray.from_arrays(set_indices, pa.array([name for name, _ in sets]))


def parse_sets(text: str) -> list[tuple[str, float]]:
    """Parse sets such as ``train=0.9,test=0.1``, and return the name and the upper bound of each set.

    The upper bound is the sum of the shares up to the set; that of the last set is 2. Raise `BulkError` if
    the text is not valid, or the shares do not add up to 1.
    """
    sets: list[tuple[str, float]] = []
    total = 0.0
    for part in text.split(","):
        name, _, share = part.partition("=")
        try:
            fraction = float(share)
        except ValueError:
            # The check below reports it.
            fraction = -1.0
        if not name.strip() or not 0 < fraction <= 1:
            raise BulkError(f"{part!r} is not a set; write a name and a share above 0, as in {DEFAULT_SETS}")
        total += fraction
        sets.append((name.strip(), total))
    if len({name for name, _ in sets}) != len(sets):
        raise BulkError(f"two sets in {text!r} have the same name; give each set a different name")
    if abs(total - 1) > 1e-9:
        raise BulkError(f"the shares of {text!r} add up to {total:g}, expected 1")
    # The last set has no upper bound, so that rounding cannot leave a number without a set.
    return [*sets[:-1], (sets[-1][0], 2.0)]


def hash_values(column: pa.Array, name: str) -> pa.Array:
    """Return a hash of 16 bytes for each value of `column`. `name` is its name in error messages.

    Equal values have the same hash in every file and type of number. Raise `BulkError` for nested values.
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_nested(column.type):
        raise BulkError(
            f"the column {name!r} is of type {column.type}, expected single values; name another with --by"
        )
    values = column if pa.types.is_binary(column.type) else column.cast(pa.large_string())
    encoded = values.dictionary_encode()
    hashes = [
        blake2b(value if isinstance(value, bytes) else value.encode(), digest_size=KEY_BYTES).digest()
        for value in encoded.dictionary.to_pylist()
    ]
    return pa.array(hashes, pa.binary(KEY_BYTES)).take(encoded.indices)


# --- filter ---------------------------------------------------------------------------------------


_SCAN_COLUMNS: Final = tuple(field.name for field in arrow.SCAN_TYPE)
_MATERIAL: Final = "material"


@dataclass(frozen=True, slots=True)
class RowFilter:
    """The conditions of `filter`. None is no condition; a row must meet all others."""

    keep: str | None = None
    code: str | None = None
    material: str | None = None
    where: Condition | None = None

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Self:
        """Return the filter with the options of a verb.

        Raise `BulkError` if the options are not valid, or there are none.
        """
        keep, code, material, where = (options.get(name) for name in ("keep", "code", "material", "where"))
        if (keep, code, material, where) == (None, None, None, None):
            raise BulkError(
                "filter has no condition; give at least one of --ok, --bad, --code, --where and --material"
            )
        if keep is not None:
            require_one_of("keep", keep, ("ok", "bad"))
        return cls(keep, code, material, None if where is None else parse_where(str(where)))

    def columns(self) -> tuple[str, ...]:
        """Return the names that the condition `where` contains."""
        return () if self.where is None else list_columns(self.where)

    def find_kept_rows(
        self, batch: pa.RecordBatch, texts: pa.Array, game: Game, legality: bool, read_options: dict[str, Any]
    ) -> pa.Array:
        """Return for each row of a batch whether it is kept.

        Args:
            batch: The rows.
            texts: The texts of the rows.
            game: The game of the texts.
            legality: Whether a position must be legal to be ``ok``.
            read_options: The other options for reading the texts.
        """
        scan_options = {**read_options, "legality": legality}
        results = []
        if self.keep is not None or self.code is not None:
            results += self._check_findings(arrow.scan(texts, game, **scan_options))
        if self.material is not None:
            wanted = pa.array(sorted(parse_material(self.material, game)))
            results.append(pc.is_in(arrow.material(texts, game, **read_options).dictionary_decode(), wanted))
        if self.where is not None:
            results.append(
                matching_rows(
                    self.where, _add_columns(batch, texts, self.columns(), game, read_options, scan_options)
                )
            )
        return reduce(pc.and_, (pc.fill_null(result, False) for result in results))

    def _check_findings(self, scanned: pa.StructArray) -> list[pa.Array]:
        """Return which rows meet the conditions `keep` and `code`: one array of booleans per condition.

        `scanned` has the results of `arrow.scan`. Raise `BulkError` if no finding has the code `code`.
        """
        results = []
        if self.keep is not None:
            results.append(pc.equal(scanned.field("ok"), self.keep == "ok"))
        if self.code is not None:
            code = scanned.field("code")
            if self.code not in code.dictionary.to_pylist():
                raise BulkError(
                    f"unknown code of finding {self.code!r}; docs/reference/codes.md lists all codes"
                )
            results.append(pc.equal(code.dictionary_decode(), self.code))
        return results


def _add_columns(
    batch: pa.RecordBatch,
    texts: pa.Array,
    names: tuple[str, ...],
    game: Game,
    read_options: dict[str, Any],
    scan_options: dict[str, Any],
) -> pa.RecordBatch:
    """Return the batch with the computed columns that a condition needs, such as ``phase`` or ``material``.

    Args:
        batch: The rows.
        texts: The texts of the rows.
        names: The names in the condition. Names that the batch does not have are features of the game,
            columns of a scan (such as ``code``), or ``material``.
        game: The game.
        read_options: The options for reading the texts.
        scan_options: The same for a scan.

    Raises:
        BulkError: If a name is none of these.
    """
    missing_names = [name for name in names if not _has_column(batch.schema, name)]
    features = [column.name for column in game.feature_list] if isinstance(game, Columnar) else []
    added: dict[str, pa.Array] = {}
    if any(name in features for name in missing_names):
        added |= _select_fields(arrow.features(texts, game, **read_options), missing_names)
    if any(name in _SCAN_COLUMNS for name in missing_names):
        added |= _select_fields(arrow.scan(texts, game, **scan_options), missing_names)
    if _MATERIAL in missing_names:
        added[_MATERIAL] = arrow.material(texts, game, **read_options)
    unknown = [name for name in missing_names if name not in added]
    if unknown:
        known_names = ", ".join(map(repr, [*batch.schema.names, *features, *_SCAN_COLUMNS, _MATERIAL]))
        raise BulkError(
            f"neither the data nor {game.name} has a column {unknown[0]!r}; the columns are {known_names}"
        )
    schema = pa.schema([*batch.schema, *((name, column.type) for name, column in added.items())])
    return pa.RecordBatch.from_arrays([*batch.columns, *added.values()], schema=schema)


def _select_fields(answers: pa.StructArray, wanted: list[str]) -> dict[str, pa.Array]:
    """Return the fields of a struct array whose names are in `wanted`, by name."""
    return {
        field.name: column
        for field, column in zip(answers.type, answers.flatten(), strict=True)
        if field.name in wanted
    }


def _has_column(schema: pa.Schema, name: str) -> bool:
    """Return whether the data has the column `name`, or a field inside a column, such as ``pos.fen``."""
    try:
        field_path(schema, name)
    except BulkError:
        return False
    return True
