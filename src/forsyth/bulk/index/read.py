"""The records of a shard, read into plies: by the kernel of their game where it has one, else one by one."""

from __future__ import annotations

from collections.abc import Iterator

from forsyth.bulk.index.kernel_plies import WANTED, plies_of_block
from forsyth.bulk.index.plies import Plies
from forsyth.bulk.sources.shards import Shard, open_shard
from forsyth.game import Game
from forsyth.record.kernels import record_kernel
from forsyth.record_words import COMPILED


def plies_of_shard(shard: Shard, game: Game, *, material: bool = False) -> Iterator[Plies]:
    """The plies of all records of a shard, those of some hundred games at once."""
    wanted = (*WANTED, "boards") if material else WANTED
    kernel = record_kernel(game, wanted) if COMPILED and len(game.players) == 2 else None
    for file in shard.files:
        with open_shard(file) as blocks:
            for batch in blocks:
                for text in batch.column("text").to_pylist():
                    yield from plies_of_block(text, game, kernel, material=material)
