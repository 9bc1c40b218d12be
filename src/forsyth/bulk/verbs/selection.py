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

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from hashlib import blake2b
from typing import Any, Final, NamedTuple, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk import arrow
from forsyth.bulk.arrow import KEY_BYTES
from forsyth.bulk.errors import BulkError, require_one_of
from forsyth.bulk.verbs.material import SIDE_SEPARATOR, list_piece_letters
from forsyth.bulk.where import Condition, find_field_path, list_columns, match_rows, parse_where
from forsyth.game import Columnar, Game
from forsyth.kit import mirror

_SHOWN_CHARS: Final = 40
"""Number of characters of an invalid value that a message repeats."""


def parse_material(text: str, game: Game) -> frozenset[str]:
    """Return both ways to write a material, the pieces of both sides: ``KRPvKR`` and ``KRvKRP``.

    Raise `BulkError` if `text` is not like ``KRPvKR``, or has a letter that is not a piece.
    """
    letters = list_piece_letters(game)
    sides = text.strip().split(SIDE_SEPARATOR)
    has_unknown_letter = any(set(side) - set(letters) for side in sides)
    has_two_sides = len(sides) == 2
    if not has_two_sides or has_unknown_letter:
        raise BulkError(
            f"{text[:_SHOWN_CHARS]!r} is not a material of {game.name}; "
            f"write it as in {letters[:2]}{SIDE_SEPARATOR}{letters[0]}"
        )
    # Put the pieces of each side into their usual order.
    first_side, second_side = ("".join(sorted(side, key=letters.index)) for side in sides)
    return frozenset(
        (f"{first_side}{SIDE_SEPARATOR}{second_side}", f"{second_side}{SIDE_SEPARATOR}{first_side}")
    )


# --- sets -----------------------------------------------------------------------------------------


def compute_twin_keys(texts: Any, game: Game, **options: Any) -> pa.Array:
    """Return a key for each position that is the same for its twin, which has the sides exchanged.

    It is the lower one of the keys of the position and its twin.

    Args:
        texts: The positions as texts.
        game: The game of the positions.
        **options: The options of `arrow.key`: mode, legality and threads.

    Returns:
        One key for each text; null for a text that cannot be read.
    """
    keys = arrow.key(texts, game, **options)
    exchange_sides = make_side_exchange(game)
    canonical_texts = arrow.normalise(texts, game, **options).to_pylist()
    twins = [None if text is None else exchange_sides(text) for text in canonical_texts]
    twin_keys = arrow.key(pa.array(twins, pa.large_string()), game)
    # The first halves are enough to find the lower key, because two keys hardly ever have the same half.
    is_lower = read_key_halves(keys).high <= read_key_halves(twin_keys).high
    has_no_twin = twin_keys.is_null().to_numpy(zero_copy_only=False)
    return pc.if_else(pa.array(is_lower | has_no_twin), keys, twin_keys)


def make_side_exchange(game: Game) -> Callable[[str], str | None]:
    """Return a function that exchanges the sides of a position, such as White and Black.

    Its argument and its result are canonical texts. The result is None if the sides of a position cannot be
    exchanged. Raise `BulkError` if this is so for all positions of the game.
    """
    exchange_sides = mirror.make_mirror(game)
    if exchange_sides is None:
        raise BulkError(f"the sides of {game.name} cannot be exchanged; split it without --twins")
    return exchange_sides


class KeyHalves(NamedTuple):
    """Keys of 16 bytes, as arrays of their high and low halves: unsigned integers of 64 bits."""

    high: np.ndarray
    low: np.ndarray


def read_key_halves(keys: pa.Array) -> KeyHalves:
    """Return the first and the last 8 bytes of each key as integers, without copying them.

    `keys` is an array of 16-byte values. The halves of a null may have any value.
    """
    if not len(keys):
        return KeyHalves(np.zeros(0, ">u8"), np.zeros(0, ">u8"))
    _, data = keys.buffers()
    halves = np.frombuffer(data, ">u8", 2 * len(keys), keys.offset * KEY_BYTES)
    return KeyHalves(high=halves[::2], low=halves[1::2])


DEFAULT_SETS: Final = "train=0.8,valid=0.1,test=0.1"
"""The sets of `split` if none are given."""
_MAX_SHARE_ERROR: Final = 1e-9
"""Upper bound on the rounding error of the sum of all shares."""
_NO_UPPER_BOUND: Final = 2.0
"""The upper bound of the last set; every fraction is below it."""

_SALTS: Final = {"split": 0, "sample": 0x8CB92BA72F3D8DD7}
"""One number per verb, so that `split` and `sample` use different random numbers for the same seed."""
_SEED_FACTOR: Final = 0x9E3779B97F4A7C15
_MIX_FACTOR: Final = 0xBF58476D1CE4E5B9
_MIX_SHIFTS: Final = (np.uint64(30), np.uint64(31))
_MASK_64: Final = (1 << 64) - 1
_FRACTION_BITS: Final = 53
"""Number of bits that a float holds exactly."""
_DROPPED_BITS: Final = np.uint64(64 - _FRACTION_BITS)
_FRACTION_UNIT: Final = 2.0**-_FRACTION_BITS


def hash_fractions(keys: pa.Array, verb: str, seed: int) -> pa.Array:
    """Return a number from 0 to below 1 for each key, which looks random, such as 0.7312.

    The number depends on nothing but the key, the verb and the seed. A null gives null.

    Args:
        keys: Keys of 16 bytes.
        verb: ``split`` or ``sample``. Each of them gives other numbers.
        seed: A number. Another seed gives other numbers.
    """
    if not len(keys):
        return pa.nulls(0, pa.float64())
    words = read_key_halves(keys).high.astype(np.uint64)
    salt = _SALTS[verb]
    if salt:
        words = _mix_bits(words ^ np.uint64(salt))
    seed_word = np.uint64((seed * _SEED_FACTOR) & _MASK_64)
    random_words = _mix_bits(words ^ seed_word)
    fractions = pa.array((random_words >> _DROPPED_BITS).astype(np.float64) * _FRACTION_UNIT)
    return pc.if_else(keys.is_valid(), fractions, pa.scalar(None, pa.float64()))


def _mix_bits(words: Any) -> Any:
    """Return an array of 64-bit integers with their bits mixed, so that they look random.

    Equal integers stay equal, and different ones stay different. This is a step of the random number
    generator splitmix64.
    """
    first_shift, second_shift = _MIX_SHIFTS
    with np.errstate(over="ignore"):
        multiplied = (words ^ (words >> first_shift)) * np.uint64(_MIX_FACTOR)
    return multiplied ^ (multiplied >> second_shift)


def assign_sets(fractions: pa.Array, sets: list[tuple[str, float]]) -> pa.Array:
    """Return the name of the set that each fraction belongs to, as a dictionary array.

    A null gives null. A fraction belongs to the first set whose upper bound is above it: with the `sets`
    ``[("train", 0.9), ("test", 2.0)]``, 0.7 belongs to ``train`` and 0.95 to ``test``.
    """
    set_indices = pa.nulls(len(fractions), pa.int16())
    # The sets are assigned from the last to the first: each replaces the later ones below its bound.
    for index, (_, upper_bound) in reversed(list(enumerate(sets))):
        is_below = pc.less(fractions, upper_bound)
        set_indices = pc.if_else(is_below, pa.scalar(index, pa.int16()), set_indices)
    return pa.DictionaryArray.from_arrays(set_indices, pa.array([name for name, _ in sets]))


def parse_sets(text: str) -> list[tuple[str, float]]:
    """Parse sets and their shares: ``train=0.9,test=0.1`` gives ``[("train", 0.9), ("test", 2.0)]``.

    The number of a set in the result is its upper bound: the sum of its share and all shares before it. The
    last set has the bound 2 instead of 1, so that rounding cannot leave a row without a set. Raise
    `BulkError` if the text is not valid, or the shares do not add up to 1.
    """
    sets: list[tuple[str, float]] = []
    total = 0.0
    for set_text in text.split(","):
        name, share = _parse_set(set_text)
        total += share
        sets.append((name, total))
    distinct_names = {name for name, _ in sets}
    if len(distinct_names) != len(sets):
        raise BulkError(f"two sets in {text!r} have the same name; give each set a different name")
    if abs(total - 1) > _MAX_SHARE_ERROR:
        raise BulkError(f"the shares of {text!r} add up to {total:g}, expected 1; change a share")
    last_name, _ = sets[-1]
    return [*sets[:-1], (last_name, _NO_UPPER_BOUND)]


def _parse_set(text: str) -> tuple[str, float]:
    """Return the name and the share of a set: ``train=0.9`` gives ``("train", 0.9)``.

    Raise `BulkError` if there is no name, or the share is not a number above 0 and at most 1.
    """
    name_text, _, share_text = text.partition("=")
    name = name_text.strip()
    try:
        share = float(share_text)
    except ValueError:
        share = math.nan
    # A share that is not a number (NaN) is not in this range either.
    is_valid_share = 0 < share <= 1
    if not name or not is_valid_share:
        raise BulkError(f"{text!r} is not a set; write a name and a share above 0, as in {DEFAULT_SETS}")
    return name, share


def hash_values(column: pa.Array, name: str) -> pa.Array:
    """Return a hash of 16 bytes for each value of a column. A null gives null.

    Equal values have the same hash in every file, and also as numbers of different types. Raise `BulkError`
    if the values are lists or structs. `name` is the name of the column in the message.
    """
    values = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
    if pa.types.is_nested(values.type):
        raise BulkError(
            f"the column {name!r} is of type {values.type}, expected single values; name another with --by"
        )
    texts = values if pa.types.is_binary(values.type) else values.cast(pa.large_string())
    # Each distinct value is hashed once.
    encoded = texts.dictionary_encode()
    hashes = [_hash_value(value) for value in encoded.dictionary.to_pylist()]
    return pa.array(hashes, pa.binary(KEY_BYTES)).take(encoded.indices)


def _hash_value(value: str | bytes) -> bytes:
    """Return the BLAKE2b hash of bytes, or of a text in UTF-8: 16 bytes."""
    data = value if isinstance(value, bytes) else value.encode()
    return blake2b(data, digest_size=KEY_BYTES).digest()


# --- filter ---------------------------------------------------------------------------------------


_SCAN_COLUMNS: Final = tuple(field.name for field in arrow.SCAN_TYPE)
_MATERIAL: Final = "material"


@dataclass(frozen=True, slots=True)
class RowFilter:
    """The conditions of the verb `filter`. A row must meet all of them; None is no condition."""

    keep: str | None = None
    """``ok`` for texts without an error, ``bad`` for texts with one."""
    code: str | None = None
    """The code of the first finding, such as ``fen.fields``."""
    material: str | None = None
    """The pieces on the board, such as ``KRPvKR``, with either side first."""
    where: Condition | None = None
    """A condition on columns, features of the game and results of a scan."""

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Self:
        """Return the filter with the conditions in `options`, such as ``{"where": "phase > 10"}``.

        The names of the conditions are keep, code, material and where. Raise `BulkError` if a condition is
        not valid, or there is none.
        """
        keep = options.get("keep")
        code = options.get("code")
        material = options.get("material")
        where = options.get("where")
        if all(condition is None for condition in (keep, code, material, where)):
            raise BulkError(
                "filter has no condition; give at least one of --ok, --bad, --code, --where and --material"
            )
        if keep is not None:
            require_one_of("keep", keep, ("ok", "bad"))
        return cls(keep, code, material, None if where is None else parse_where(str(where)))

    def list_condition_columns(self) -> tuple[str, ...]:
        """Return the names of the columns in the condition `where`, such as ``phase`` in ``phase > 10``."""
        return () if self.where is None else list_columns(self.where)

    def find_kept_rows(
        self, batch: pa.RecordBatch, texts: pa.Array, game: Game, legality: bool, read_options: dict[str, Any]
    ) -> pa.Array:
        """Return for each row of a batch whether it meets all conditions, as an array of booleans.

        Args:
            batch: The rows.
            texts: The texts of the rows.
            game: The game of the texts.
            legality: Whether a position must be legal to be ``ok``.
            read_options: The other options for reading the texts.
        """
        scan_options = {**read_options, "legality": legality}
        is_met_by_condition = []
        if self.keep is not None or self.code is not None:
            scan_results = arrow.scan(texts, game, **scan_options)
            is_met_by_condition += self._evaluate_scan_conditions(scan_results)
        if self.material is not None:
            accepted_materials = pa.array(sorted(parse_material(self.material, game)))
            materials = arrow.material(texts, game, **read_options).dictionary_decode()
            is_met_by_condition.append(pc.is_in(materials, accepted_materials))
        if self.where is not None:
            rows = _add_columns(batch, texts, self.list_condition_columns(), game, read_options, scan_options)
            is_met_by_condition.append(match_rows(self.where, rows))
        # A condition on a missing value is not met.
        without_nulls = (pc.fill_null(is_met, False) for is_met in is_met_by_condition)
        return reduce(pc.and_, without_nulls)

    def _evaluate_scan_conditions(self, scan_results: pa.StructArray) -> list[pa.Array]:
        """Return an array of booleans for each of the conditions `keep` and `code`: which rows meet it.

        A condition that is None has no array. `scan_results` is the result of `arrow.scan`. Raise `BulkError`
        if no error or warning of the game has the code `code`.
        """
        is_met_by_condition = []
        if self.keep is not None:
            is_met_by_condition.append(pc.equal(scan_results.field("ok"), self.keep == "ok"))
        if self.code is not None:
            codes = scan_results.field("code")
            if self.code not in codes.dictionary.to_pylist():
                raise BulkError(
                    f"unknown code of finding {self.code!r}; docs/reference/codes.md lists all codes"
                )
            is_met_by_condition.append(pc.equal(codes.dictionary_decode(), self.code))
        return is_met_by_condition


def _add_columns(
    batch: pa.RecordBatch,
    texts: pa.Array,
    names: tuple[str, ...],
    game: Game,
    read_options: dict[str, Any],
    scan_options: dict[str, Any],
) -> pa.RecordBatch:
    """Add the columns that a condition needs, such as ``phase``, to a batch, and return it.

    Args:
        batch: The rows.
        texts: The texts of the rows.
        names: The names in the condition. If the batch has no such column, a name is a feature of the game
            such as ``phase``, a column of a scan such as ``code``, or ``material``.
        game: The game.
        read_options: The options for reading the texts.
        scan_options: The options for reading the texts for a scan.

    Raises:
        BulkError: If a name is none of these.
    """
    missing_names = [name for name in names if not _has_column(batch.schema, name)]
    feature_names = [feature.name for feature in game.feature_list] if isinstance(game, Columnar) else []
    computed: dict[str, pa.Array] = {}
    if any(name in feature_names for name in missing_names):
        computed |= _select_fields(arrow.features(texts, game, **read_options), missing_names)
    if any(name in _SCAN_COLUMNS for name in missing_names):
        computed |= _select_fields(arrow.scan(texts, game, **scan_options), missing_names)
    if _MATERIAL in missing_names:
        computed[_MATERIAL] = arrow.material(texts, game, **read_options)
    unknown_names = [name for name in missing_names if name not in computed]
    if unknown_names:
        known_names = [*batch.schema.names, *feature_names, *_SCAN_COLUMNS, _MATERIAL]
        raise BulkError(
            f"neither the data nor {game.name} has a column {unknown_names[0]!r}; "
            f"the columns are {', '.join(map(repr, known_names))}"
        )
    new_fields = [(name, column.type) for name, column in computed.items()]
    schema = pa.schema([*batch.schema, *new_fields])
    return pa.RecordBatch.from_arrays([*batch.columns, *computed.values()], schema=schema)


def _select_fields(structs: pa.StructArray, names: Sequence[str]) -> dict[str, pa.Array]:
    """Return the fields of an array of structs with the given names, as arrays by name."""
    return {
        field.name: column
        for field, column in zip(structs.type, structs.flatten(), strict=True)
        if field.name in names
    }


def _has_column(schema: pa.Schema, name: str) -> bool:
    """Return whether there is a column `name`, or a field inside a column, such as ``pos.fen``."""
    try:
        find_field_path(schema, name)
    except BulkError:
        return False
    return True
