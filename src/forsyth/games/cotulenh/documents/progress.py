"""The state of a game of the class `CoTuLenh`: the unfinished turn and the completed turns.

All values are immutable, so that a failed operation changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from forsyth.diagnostics import Diagnostic, Mode, Reading
from forsyth.games.cotulenh.codes import BOOK
from forsyth.games.cotulenh.documents.api_values import MoveRecord
from forsyth.games.cotulenh.game import CoTuLenhGame
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules import deploy
from forsyth.games.cotulenh.rules.moves import Move, Rules, find_commander_square, is_commander_in_danger
from forsyth.games.cotulenh.rules.turns import Action, Commit, Turn
from forsyth.games.cotulenh.stacks import combine_units, select_members, write_unit


@dataclass(frozen=True, slots=True)
class TakenStep:
    """One deploy step of the unfinished turn, and the position before it."""

    before: Position
    packed_step: int
    """The step as one number, as in `Move.id`."""


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One completed turn: its positions, its record, and what a loaded record adds to it."""

    before: Position
    after: Position
    record: MoveRecord
    nags: tuple[int, ...] = ()
    variations: tuple[Any, ...] = ()
    """The alternative lines to this turn, from a record that was loaded."""


@dataclass(frozen=True, slots=True)
class TurnState:
    """The unfinished turn: the position at its start, its deploy steps and the current position."""

    start: Position
    """The position at the start of the turn."""
    position: Position
    """The current position."""
    steps: tuple[TakenStep, ...] = ()

    @property
    def packed_steps(self) -> tuple[int, ...]:
        """The deploy steps of the turn, each packed into one number as in `Move.id`."""
        return tuple(step.packed_step for step in self.steps)


def advance_state(state: TurnState, action: Action, rules: Rules, auto_commit: bool) -> TurnState:
    """Return the state of the turn after an action, with its deploy steps even if it is over.

    The caller uses these steps for the record of the turn and then starts the state of the next turn.

    Args:
        state: The state before the action, which must be legal.
        action: A move, deploy step, deploy turn or commit. A cancellation is handled by the caller.
        rules: The rule options.
        auto_commit: Whether to commit a deploy session whose pieces have all moved or cannot move.
    """
    is_deploy_step = isinstance(action, Move) and "d" in action.flags
    if isinstance(action, Move) and not is_deploy_step:
        return replace(state, position=deploy.play_packed_move(state.position, action.id, rules))

    position = state.position
    taken_steps = list(state.steps)
    for packed_step in _list_steps(action):
        taken_steps.append(TakenStep(position, packed_step))
        position = deploy.take_step(position, packed_step, rules)
    if auto_commit:
        position = deploy.commit_if_done(position, rules)
    is_commit = isinstance(action, Commit) or (isinstance(action, Turn) and action.commit)
    if is_commit and position.session is not None:
        position = deploy.commit(position, rules)
    return replace(state, position=position, steps=tuple(taken_steps))


def _list_steps(action: Action) -> tuple[int, ...]:
    """Return the packed steps of an action, each one number as in `Move.id`.

    A turn has all its steps, a move or step only itself, and a commit none.
    """
    if isinstance(action, Turn):
        return action.steps
    return (action.id,) if isinstance(action, Move) else ()


def explain_open_session(position: Position) -> str:
    """Return the reason why the open deploy session of a position may not be committed now.

    In a deploy session the pieces of a stack leave it one by one, and the commit ends it. A session must be
    open, and the caller has tested that it may not be committed.
    """
    session = position.session
    assert session is not None, "the position has no open deploy session"
    remaining = deploy.get_remaining_unit(position, session)
    if remaining and not deploy.may_unit_stand(remaining, session.origin_square):
        return f"{write_unit(remaining)} may not stay on {session.origin}"
    side = position.blue_to_move
    if find_commander_square(position, side) >= 0 and is_commander_in_danger(position, side):
        return "the commander would be in danger"
    return "no piece has moved"


class OpenGame(CoTuLenhGame):
    """The game that the class `CoTuLenh` plays, in which a side need not have a commander."""

    def with_variant(self, variant: str) -> OpenGame:
        """Return the game in another variant. The variant ``auto`` returns this game unchanged.

        Raise `ValueError` if there is no such variant.
        """
        return self if variant == "auto" else OpenGame(super().with_variant(variant).variant)

    def check(
        self, position: Position, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Return all findings about the legality of a position, except for a missing commander.

        Args:
            position: The position.
            text: The plain text that spans refer to. None means the canonical text.
            mode: The mode in which the text was read.
        """
        findings = super().check(position, text=text, mode=mode)
        return tuple(finding for finding in findings if finding.code != "commander.missing")


def make_game_with_rules(rules: Rules) -> OpenGame:
    """Return the game that is played by these rules.

    It is the variant that has the same rules, or else a new game with them.
    """
    for variant in OpenGame.variants:
        game = OpenGame(variant)
        if game.rules == rules:
            return game
    game = OpenGame()
    game.rules = rules
    return game


def read_position(game: OpenGame, fen: str, mode: Mode, skip_validation: bool) -> Reading[Position]:
    """Read a text, and return its position, if it has one, with all findings about the text.

    No text raises an error. A missing commander is a warning.

    Args:
        game: The game, whose rules determine whether the position is legal.
        fen: The text of the position.
        mode: The reading mode.
        skip_validation: Whether to leave out findings about legality.
    """
    reading = game.read(fen, mode=mode, skip_validation=skip_validation)
    if reading.position is None or skip_validation:
        return reading
    findings = CoTuLenhGame.check(game, reading.position, text=fen, mode=mode)
    return reading.with_findings(tuple(map(_tolerate_missing_commander, findings)))


def _tolerate_missing_commander(finding: Diagnostic) -> Diagnostic:
    """Return a warning for a missing commander, and any other finding unchanged.

    The warning is the one that lenient mode has for it.
    """
    if finding.code != "commander.missing":
        return finding
    place = (finding.span.start, finding.span.end)
    return BOOK.make_diagnostic("no.commander", place, finding.message, field=int(finding.field))


def select_member(unit: int, type_number: int) -> int:
    """Return the member of a unit that has a piece type, or 0 if there is none.

    A unit is a piece or stack as one number. The member is a unit of its own, with its colour and its heroic
    mark. `type_number` is the number of the type, such as TANK.
    """
    type_bit = 1 << type_number
    return select_members(unit, type_bit) if unit & type_bit else 0


def join_units(standing_unit: int, joining_unit: int) -> int:
    """Return the stack of a unit on a square and a unit that joins it: ``(NF)`` for N and F.

    A unit is a piece or stack as one number. Raise `ValueError` if the two do not make a legal stack.
    """
    stack = combine_units(standing_unit, joining_unit)
    if not stack:
        names = f"{write_unit(standing_unit, fen=True)} and {write_unit(joining_unit, fen=True)}"
        raise ValueError(f"{names} do not make a legal stack, expected one such as (NF) or (TI)")
    return stack
