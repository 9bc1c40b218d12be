"""What rows are chosen by: the set that they belong to, and whether `filter` keeps them.

*Sets* and samples are decided by 16 bytes and a seed. The bytes are the key of the position, that of the
position and its twin with the sides exchanged (`forsyth.kit.mirror`; a position whose twin cannot be read is
known by its own key), or those of another column (`group_keys`): all rows with the same go together, in every
run, on every machine. A null is in no set.

*Filter* keeps rows for which all that is asked for holds. `keep` is ``ok`` or ``bad``: whether the text has
no error (as `scan` says; a row without a text is neither). `code` is the code of the row's first finding.
`material` (`forsyth.bulk.verbs.material`) is given with either side as the first. `where` is a condition
(`forsyth.bulk.where`) on columns of the data and, under names that the data does not have, on the features of
the game, the columns of `scan`, and ``material``.

Stability: the numbers of `split` by key are those of the first version. Limits: of the bytes that decide
about sets the first 8 do.
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
from forsyth.bulk.errors import BulkError, must_be_one_of
from forsyth.bulk.verbs.material import BETWEEN, letters_of
from forsyth.bulk.where import Condition, columns_in, field_path, kept_rows, read_where
from forsyth.game import Columnar, Game
from forsyth.kit import mirror


def read_material(text: str, game: Game) -> frozenset[str]:
    """The material that a person asks for, with either side as the first; raises `BulkError` for none."""
    letters = letters_of(game)
    sides = text.strip().split(BETWEEN)
    if len(sides) != 2 or any(set(side) - set(letters) for side in sides):
        raise BulkError(
            f"{text[:40]!r} is no material of {game.name}; write it as in {letters[:2]}v{letters[0]}"
        )
    first, second = ("".join(sorted(side, key=letters.index)) for side in sides)
    return frozenset((f"{first}{BETWEEN}{second}", f"{second}{BETWEEN}{first}"))


# --- sets -------------------------------------------------------------------------------------------


def twin_keys(texts: Any, game: Game, **way: Any) -> pa.Array:
    """For each text the lower of the keys of its position and of its twin: one key for both."""
    keys = arrow.key(texts, game, **way)
    flip = twin_of(game)
    canonical = arrow.normalise(texts, game, **way).to_pylist()
    twins = pa.array([None if text is None else flip(text) for text in canonical], pa.large_string())
    others = arrow.key(twins, game)
    lower = _words(keys) <= _words(others)
    own = lower | others.is_null().to_numpy(zero_copy_only=False)
    return pc.if_else(pa.array(own), keys, others)


def twin_of(game: Game) -> Callable[[str], str | None]:
    """What gives the twin of a canonical text; raises `BulkError` where a game has none."""
    flip = mirror.twin_of(game)
    if flip is None:
        raise BulkError(f"the sides of {game.name} cannot be exchanged; split it without --twins")
    return flip


def _words(keys: pa.Array) -> np.ndarray:
    if not len(keys):
        return np.zeros(0, "S16")
    words = np.frombuffer(keys.buffers()[1], ">u8", 2 * len(keys), 16 * keys.offset).reshape(-1, 2)
    # Keys are compared by their first half: two of a billion have the same.
    return words[:, 0].astype(np.uint64)


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


def group_keys(column: pa.Array, name: str) -> pa.Array:
    """For each value of a column 16 bytes, the same for the same value in every file and type of number."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_nested(column.type):
        raise BulkError(f"the column {name!r} is of {column.type}; name one of single values with --by")
    values = column if pa.types.is_binary(column.type) else column.cast(pa.large_string())
    encoded = values.dictionary_encode()
    told = [
        blake2b(one if isinstance(one, bytes) else one.encode(), digest_size=KEY_BYTES).digest()
        for one in encoded.dictionary.to_pylist()
    ]
    return pa.array(told, pa.binary(KEY_BYTES)).take(encoded.indices)


# --- filter -----------------------------------------------------------------------------------------


_SCANNED: Final = tuple(field.name for field in arrow.SCAN_TYPE)
_MATERIAL: Final = "material"


@dataclass(frozen=True, slots=True)
class RowFilter:
    """What a row must be to be kept."""

    keep: str | None = None
    code: str | None = None
    material: str | None = None
    where: Condition | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """The filter of a verb's options; raises `BulkError` for what is none, and for nothing."""
        keep, code, wanted, where = (options.get(name) for name in ("keep", "code", "material", "where"))
        if (keep, code, wanted, where) == (None, None, None, None):
            raise BulkError(
                "filter keeps all rows where nothing is asked for; give --ok, --bad, --code or --where"
            )
        if keep is not None:
            must_be_one_of("keep", keep, ("ok", "bad"))
        return cls(keep, code, wanted, None if where is None else read_where(str(where)))

    def columns(self) -> tuple[str, ...]:
        """The columns that the condition asks about."""
        return () if self.where is None else columns_in(self.where)

    def kept(
        self, batch: pa.RecordBatch, texts: pa.Array, game: Game, legality: bool, way: dict[str, Any]
    ) -> pa.Array:
        """Which rows of a batch are kept: true or false."""
        judged = {**way, "legality": legality}
        parts = []
        if self.keep is not None or self.code is not None:
            parts += self._judged(arrow.scan(texts, game, **judged))
        if self.material is not None:
            wanted = pa.array(sorted(read_material(self.material, game)))
            parts.append(pc.is_in(arrow.material(texts, game, **way).dictionary_decode(), wanted))
        if self.where is not None:
            parts.append(
                kept_rows(self.where, _with_answers(batch, texts, self.columns(), game, way, judged))
            )
        return reduce(pc.and_, (pc.fill_null(part, False) for part in parts))

    def _judged(self, scanned: pa.StructArray) -> list[pa.Array]:
        parts = []
        if self.keep is not None:
            parts.append(pc.equal(scanned.field("ok"), self.keep == "ok"))
        if self.code is not None:
            code = scanned.field("code")
            if self.code not in code.dictionary.to_pylist():
                raise BulkError(f"there is no code {self.code!r}; docs/reference/codes.md lists them by game")
            parts.append(pc.equal(code.dictionary_decode(), self.code))
        return parts


def _with_answers(
    batch: pa.RecordBatch,
    texts: pa.Array,
    names: tuple[str, ...],
    game: Game,
    way: dict[str, Any],
    judged: dict[str, Any],
) -> pa.RecordBatch:
    """The batch with the features, findings and material that a condition asks about."""
    asked = [name for name in names if not _is_there(batch.schema, name)]
    features = [one.name for one in game.feature_list] if isinstance(game, Columnar) else []
    added: dict[str, pa.Array] = {}
    if any(name in features for name in asked):
        added |= _fields(arrow.features(texts, game, **way), asked)
    if any(name in _SCANNED for name in asked):
        added |= _fields(arrow.scan(texts, game, **judged), asked)
    if _MATERIAL in asked:
        added[_MATERIAL] = arrow.material(texts, game, **way)
    unknown = [name for name in asked if name not in added]
    if unknown:
        there = ", ".join(map(repr, [*batch.schema.names, *features, *_SCANNED, _MATERIAL]))
        raise BulkError(f"neither the data nor {game.name} has {unknown[0]!r}; there are {there}")
    schema = pa.schema([*batch.schema, *((name, one.type) for name, one in added.items())])
    return pa.RecordBatch.from_arrays([*batch.columns, *added.values()], schema=schema)


def _fields(answers: pa.StructArray, wanted: list[str]) -> dict[str, pa.Array]:
    return {
        field.name: column
        for field, column in zip(answers.type, answers.flatten(), strict=True)
        if field.name in wanted
    }


def _is_there(schema: pa.Schema, name: str) -> bool:
    try:
        field_path(schema, name)
    except BulkError:
        return False
    return True
