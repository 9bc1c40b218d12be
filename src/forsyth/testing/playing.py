"""Checks of the rules: moves and their texts, playing, the end of the game, undo and redo."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Final

from forsyth.arguments import quoted, type_name
from forsyth.diagnostics import MoveError
from forsyth.game import Game, M, Outcome, P
from forsyth.match import Match
from forsyth.record import Record, parse_record, write_record
from forsyth.testing.positions import is_same_position, list_cells
from forsyth.testing.promise import require, require_refusal

_MAX_MOVES: Final = 48
"""Maximum number of moves that are tried in a position: enough for every kind of move."""
_MAX_PLIES: Final = 40
"""Maximum number of half-moves in the match that is played."""
_RESULT: Final = re.compile(r"(?:0|1|1/2)(?:-(?:0|1|1/2))+")
"""A share for each player, separated by hyphens."""
_NON_MOVES: Final = ("", " ", "\0", "–", "no move", "9" * 300)


def require_rules(game: Game[P, M], position: P) -> None:
    """Check the rules in a legal position: moves and their texts, actions, perft (move counts) and outcome.

    At most `_MAX_MOVES` moves are tried. Raise `AssertionError` if a check fails.
    """
    moves = list(game.moves(position))
    _require_perft(game, position, len(moves))
    move_texts = [game.write_move(position, move) for move in moves]
    _require_different_moves(game, position, move_texts)
    tried_moves = moves if len(moves) <= _MAX_MOVES else Random(str(position)).sample(moves, _MAX_MOVES)
    cells = list_cells(game.scene(position))
    # The cells f0.1 and f0.2 belong to the square f0.
    squares = {*cells, *(cell.partition(".")[0] for cell in cells)}
    for move in tried_moves:
        _require_move(game, position, move, squares)
    for action in game.actions(position):
        after = game.play(position, game.read_move(position, action))
        _require_readable(game, action, after)
    for non_move in _NON_MOVES:
        description = f"reading the move text {quoted(non_move)}"
        require_refusal(game, description, MoveError, game.read_move, position, non_move)
    _require_outcome(game, position)


def _require_different_moves(game: Game[P, M], position: P, move_texts: Sequence[str]) -> None:
    """Check that the legal moves of a position, written in `move_texts`, have different notations.

    Raise `AssertionError` if two are the same, for example because a move is listed twice.
    """
    repeated_text = next((text for text in move_texts if move_texts.count(text) > 1), "")
    require(
        len(set(move_texts)) == len(move_texts),
        game,
        f"two moves of {quoted(str(position))} have the same notation {quoted(repeated_text)}, "
        "expected different ones",
    )


def _require_perft(game: Game[P, M], position: P, move_count: int) -> None:
    """Check the perft of a position (its number of move sequences) for the depths 0 and 1.

    `move_count` is the number of its legal moves. Raise `AssertionError` if a check fails.
    """
    text = quoted(str(position))
    count = game.perft(position, 0)
    require(count == 1, game, f"perft(0) of {text} is {count}, expected 1")
    # A game may count an action that ends a turn as a move.
    max_count = move_count + len(game.actions(position))
    count = game.perft(position, 1)
    require(
        move_count <= count <= max_count,
        game,
        f"perft(1) of {text} is {count}, expected {move_count} to {max_count}",
    )


def _require_move(game: Game[P, M], position: P, move: M, squares: set[str]) -> None:
    """Check that a legal move can be written, read, played and described.

    `squares` are the names of all squares, which the description of the move may mention. Raise
    `AssertionError` if a check fails.
    """
    text_before = str(position)
    move_text = game.write_move(position, move)
    restored = game.read_move(position, move_text)
    require(restored == move, game, f"the move text {quoted(move_text)} is read as another move")
    require(
        re.fullmatch(game.move_pattern, move_text),
        game,
        f"move_pattern does not match the move {quoted(move_text)}",
    )
    after = game.play(position, move)
    require(
        str(position) == text_before,
        game,
        f"playing {quoted(move_text)} changes the position before the move",
    )
    _require_readable(game, move_text, after)
    facts = game.describe_move(position, move)
    require(
        facts.move == move_text and facts.after == str(after),
        game,
        f"describe_move of {move_text} returns the move {facts.move} to {quoted(facts.after)}, "
        f"expected {quoted(str(after))}",
    )
    for square in (facts.origin, facts.target):
        require(
            square is None or square in squares,
            game,
            f"describe_move of {quoted(move_text)} returns the square {quoted(square)}, "
            "which is not in the scene",
        )


def _require_readable(game: Game[P, M], move_text: str, after: P) -> None:
    """Check that the text of a position is read as the same position. Raise `AssertionError` if it is not.

    `after` is the position after the move `move_text`, which the message names.
    """
    restored = game.read(str(after)).position
    is_restored = restored is not None and is_same_position(game, restored, after)
    require(
        is_restored,
        game,
        f"the move {quoted(move_text)} leads to {quoted(str(after))}, which is read as another position",
    )


def _require_outcome(game: Game[P, M], position: P) -> None:
    """Check the outcome of a position in which the game has ended. Other positions pass.

    The result must have a share for each player, such as ``1-0``, and no draw may be claimed any more. Raise
    `AssertionError` if a check fails.
    """
    outcome = game.outcome(position)
    if outcome is None:
        return
    require(
        isinstance(outcome, Outcome),
        game,
        f"the outcome is of type {type_name(outcome)}, expected an Outcome or None",
    )
    require(
        game.claims(position) == (),
        game,
        "a draw can be claimed after the end of the game, expected no claims",
    )
    require(
        _RESULT.fullmatch(outcome.result),
        game,
        f"the result is {quoted(outcome.result)}, expected a share 0, 1 or 1/2 for each player, such as 1-0",
    )


def require_match(game: Game[P, M]) -> None:
    """Play a random match, always the same one, and check its record, undo and redo.

    Raise `AssertionError` if a check fails.
    """
    match = Match(game)
    positions = _play_random_moves(game, match)
    require(len(match) > 0, game, "the start position has no legal moves, expected at least one")
    record = write_record(Record.of(match))
    restored = parse_record(record, game).match()
    require(restored == match, game, "the record of a match is read as another match")
    _require_undo_and_redo(game, match, positions)


def _play_random_moves(game: Game[P, M], match: Match[P, M]) -> list[P]:
    """Play random moves in a match until the game ends, or until the match has `_MAX_PLIES` moves.

    Return the positions: the one before the first move, and the one after each move. Raise `AssertionError`
    if a move number is wrong, or if two moves have the same notation.
    """
    random = Random(game.name)
    positions = [match.position]
    while len(match) < _MAX_PLIES:
        # "cancel" would undo a begun turn again and again.
        move_texts = match.texts() or [action for action in match.actions() if action != "cancel"]
        if match.outcome is not None or not move_texts:
            break
        _require_move_number(game, match.position)
        _require_different_moves(game, match.position, match.texts())
        match.play(random.choice(move_texts))
        positions.append(match.position)
    return positions


def _require_undo_and_redo(game: Game[P, M], match: Match[P, M], positions: list[P]) -> None:
    """Undo and redo all moves of a match, and check the position after each step.

    `positions` has the position before the first move, and the one after each move. Raise `AssertionError` if
    a position or the match differs.
    """
    original = match.copy()
    for position in reversed(positions[:-1]):
        match.undo()
        require(match.position == position, game, "undo does not restore the position before the move")
    while match.redo() is not None:
        position = positions[len(match)]
        require(match.position == position, game, "redo does not restore the position after the move")
    require(match == original, game, "a match after undo and redo of all moves differs from the original")


def _require_move_number(game: Game[P, M], position: P) -> None:
    """Check that `move_number` returns a number of at least 0 and the index of a player.

    The position must be from a match, because a text may have more players than the variant. Raise
    `AssertionError` if the check fails.
    """
    number, player = game.move_number(position)
    # A bool is not accepted: it would be written to JSON as true or false.
    are_integers = type(number) is int and type(player) is int
    require(are_integers, game, f"move_number returns {(number, player)}, expected two whole numbers")
    is_valid = number >= 0 and 0 <= player < len(game.players)
    require(
        is_valid,
        game,
        f"move_number returns {(number, player)}, expected a number of at least 0 and an index of players",
    )
