"""Which rows `filter` keeps: the good or the bad ones, those of a code, a material, or a condition.

All that is asked for must hold. `keep` is ``ok`` or ``bad``: whether the text has no error (as `scan` says; a
row without a text is neither). `code` is the code of the row's first finding. `material` is as in ``KRPvKR``,
with either side as the first. `where` is a condition (`forsyth.bulk.where`) on columns of the data and, under
names that the data does not have, on the features of the game, the columns of `scan`, and ``material``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, Self

import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk import arrow
from forsyth.bulk.errors import BulkError, must_be_one_of
from forsyth.bulk.verbs.material import material, read_material
from forsyth.bulk.where import Condition, columns_in, field_path, kept_rows, read_where
from forsyth.game import Columnar, Game

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
            parts.append(pc.is_in(material(texts, game, **way).dictionary_decode(), wanted))
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
        added[_MATERIAL] = material(texts, game, **way)
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
