"""What an index says about a position, as values that command line, service and page show.

Wins, draws and losses are those of the player who moves. `latest` and `strongest` are chosen among the games
of the moves that were played most often.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from forsyth.bulk.index.book import Book, Played
from forsyth.bulk.index.parts import rating_tags
from forsyth.bulk.index.tallies import SHOWN
from forsyth.game import Game

_CANDIDATES: Final = 64
"""Most games looked at to find the latest and the strongest: each may be in another place of the disk."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who played; None where the record does not say it."""

    name: str | None
    rating: int | None


@dataclass(frozen=True, slots=True)
class GameShown:
    """One game of an index, as far as its record says it."""

    game: int
    players: tuple[Player, ...]
    result: str
    date: str | None
    event: str | None
    site: str | None
    round: str | None
    plies: int

    def to_dict(self) -> dict[str, Any]:
        """The game as JSON-ready data."""
        data = asdict(self)
        data["players"] = list(data["players"])
        return data


@dataclass(frozen=True, slots=True)
class MoveShown:
    """One move that was played."""

    move: str
    games: int
    wins: int
    draws: int
    losses: int
    rating: int | None
    """The average rating of who played it."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """What was played in a position."""

    text: str
    game: str
    variant: str
    key: str
    side: str
    """Who moves."""
    games: int
    """How many games came here; where there are too many to list, one that came back may count again."""
    wins: int
    draws: int
    losses: int
    ended: int
    """How many games ended here."""
    moves: tuple[MoveShown, ...]
    """What was played most often first."""
    latest: tuple[GameShown, ...]
    strongest: tuple[GameShown, ...]

    def to_dict(self) -> dict[str, Any]:
        """The exploration as JSON-ready data."""
        data = asdict(self)
        data["moves"] = [asdict(move) for move in self.moves]
        for name in ("latest", "strongest"):
            data[name] = [game.to_dict() for game in getattr(self, name)]
        return data


def explore(book: Book, game: Game, position: Any) -> Exploration:
    """What was played in a position of the index's game."""
    key = game.key(position)
    rows = book.played(key)
    return Exploration(
        text=game.write(position),
        game=book.manifest.game,
        variant=book.manifest.variant,
        key=key,
        side=game.side_to_move(position),
        games=reached(rows).games,
        wins=sum(row.wins for row in rows),
        draws=sum(row.draws for row in rows),
        losses=sum(row.losses for row in rows),
        ended=sum(row.games for row in rows if row.move is None),
        moves=tuple(_move(row) for row in rows if row.move is not None),
        latest=_chosen(book, rows, "latest", "day"),
        strongest=_chosen(book, rows, "strongest", "rating"),
    )


def _move(row: Played) -> MoveShown:
    rating = None if row.rating is None else round(row.rating)
    return MoveShown(str(row.move), row.games, row.wins, row.draws, row.losses, rating)


def _chosen(book: Book, rows: Sequence[Played], name: str, by: str) -> tuple[GameShown, ...]:
    """The games of all rows that are the latest or the strongest."""
    numbers = [number for row in rows for number in getattr(row, name) or (row.reached or ())[-SHOWN:]]
    found = book.games(dict.fromkeys(numbers[:_CANDIDATES]))
    best = sorted(found, key=lambda row: (row[by] or 0, row["game"]), reverse=True)[:SHOWN]
    return tuple(shown(book.game, row) for row in best)


def shown(game: Game, row: dict[str, Any]) -> GameShown:
    """A row of the table of games."""
    ratings = (row[tag] for tag in rating_tags(game))
    players = zip((row[name] for name in game.players), ratings, strict=True)
    return GameShown(
        row["game"],
        tuple(
            Player(name, int(rating) if rating and rating.isdecimal() else None) for name, rating in players
        ),
        row["result"],
        row["Date"],
        row["Event"],
        row["Site"],
        row["Round"],
        row["plies"],
    )


@dataclass(frozen=True, slots=True)
class Reached:
    """The games that reached a position, or had a material."""

    numbers: tuple[int, ...]
    complete: bool
    """Whether they are all; of a position of too many games the index names only some."""
    games: int
    """How many there are; where not all are named, a game that came back may count more than once."""


def reached(rows: Sequence[Played]) -> Reached:
    """The games of some rows, in the order of their numbers."""
    listed = sorted({number for row in rows for number in _listed(row)})
    complete = all(row.reached is not None for row in rows)
    return Reached(tuple(listed), complete, len(listed) if complete else sum(row.games for row in rows))


def _listed(row: Played) -> Iterable[int]:
    return (*row.latest, *row.strongest) if row.reached is None else row.reached
