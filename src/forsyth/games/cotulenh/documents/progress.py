"""How a game of CoTuLenh goes on: the turn that is being played, turns that are over, and what ends them.

The values behind the class `CoTuLenh`; none of them changes, so that a failure leaves everything as it was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from forsyth.diagnostics import Diagnostic, Mode, Reading
from forsyth.games.cotulenh.documents.api_values import MoveRecord
from forsyth.games.cotulenh.game import CoTuLenhGame
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules import deploy
from forsyth.games.cotulenh.rules.moves import Move, Rules, commander_in_danger, commander_of
from forsyth.games.cotulenh.rules.turns import Action, Commit, Turn
from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, combine, write_unit


@dataclass(frozen=True, slots=True)
class Taken:
    """One step of the open session, and the position before it."""

    before: Position
    number: int


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One completed turn."""

    before: Position
    after: Position
    record: MoveRecord
    nags: tuple[int, ...] = ()
    variations: tuple[Any, ...] = ()
    """Lines of a record that could stand in its place."""


@dataclass(frozen=True, slots=True)
class State:
    """The turn that goes on: where it began, the steps since, the position now."""

    begin: Position
    position: Position
    taken: tuple[Taken, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the steps."""
        return tuple(step.number for step in self.taken)


def advanced(state: State, action: Action, rules: Rules, auto_commit: bool) -> State:
    """The state after an action; a turn that is over keeps its steps."""
    if isinstance(action, Move) and "d" not in action.flags:
        return replace(state, position=deploy.play(state.position, action.id, rules))
    numbers = action.steps if isinstance(action, Turn) else (action.id,) if isinstance(action, Move) else ()
    position, taken = state.position, state.taken
    for number in numbers:
        taken = (*taken, Taken(position, number))
        position = deploy.taken(position, number, rules)
    if auto_commit:
        position = deploy.settled(position, rules)
    commits = isinstance(action, Commit) or (isinstance(action, Turn) and action.commit)
    if commits and position.session is not None:
        position = deploy.commit(position, rules)
    return State(state.begin, position, taken)


def why_not(position: Position) -> str:
    """Why the open session may not end."""
    session = position.session
    assert session is not None, "asked for an open session only"
    left = deploy.remaining_unit(position, session)
    if left and not deploy.may_stand(left, session.origin_square):
        return f"{write_unit(left)} may not stay on {session.origin}"
    if commander_of(position, position.blue_to_move) >= 0 and commander_in_danger(
        position, position.blue_to_move
    ):
        return "the commander would be in danger"
    return "no piece has moved"


class OpenGame(CoTuLenhGame):
    """The game as the class `CoTuLenh` plays it: a side may lack its commander, in records too."""

    def with_variant(self, variant: str) -> OpenGame:
        """The same game by other rules; ``auto`` is the standard ones."""
        return self if variant == "auto" else OpenGame(super().with_variant(variant).variant)

    def check(
        self, position: Position, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Every finding about a position's legality, but for a missing commander."""
        found = super().check(position, text=text, mode=mode)
        return tuple(finding for finding in found if finding.code != "commander.missing")


def game_by(rules: Rules) -> OpenGame:
    """The game with these rules, named by its variant where they have a name."""
    for variant in OpenGame.variants:
        game = OpenGame(variant)
        if game.rules == rules:
            return game
    game = OpenGame()
    game.rules = rules
    return game


def read_position(game: OpenGame, fen: str, mode: Mode, skip_validation: bool) -> Reading[Position]:
    """What a text says; a side may lack its commander."""
    reading = game.read(fen, mode=mode, skip_validation=skip_validation)
    if reading.position is None or skip_validation:
        return reading
    return reading.with_findings(game.check(reading.position, text=fen, mode=mode))


def member_of(unit: int, kind: int) -> int:
    """The member of one type of a unit; 0 if there is none."""
    return unit & (1 << kind | 1 << kind + HEROIC_SHIFT | BLUE_BIT) if unit >> kind & 1 else 0


def joined_unit(standing: int, unit: int) -> int:
    """The stack of two units; raises `ValueError` if there is none."""
    joined = combine(standing, unit)
    if not joined:
        names = f"{write_unit(standing, fen=True)} and {write_unit(unit, fen=True)}"
        raise ValueError(f"{names} make no stack")
    return joined
