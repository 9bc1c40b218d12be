"""Rules: moves and their texts invert each other, playing changes nothing behind, a match undoes."""

from __future__ import annotations

import re
from random import Random
from typing import Final

from forsyth.arguments import quoted
from forsyth.diagnostics import MoveError
from forsyth.game import Game, M, Outcome, P
from forsyth.match import Match
from forsyth.record import Record, parse_record, write_record
from forsyth.testing.positions import alike, cells_of
from forsyth.testing.promise import require, require_refusal

_MOVES: Final = 48
"""How many moves of a position are played: enough for every kind of them."""
_PLIES: Final = 40
_NO_MOVES: Final = ("", " ", "\0", "–", "no move", "9" * 300)


def require_rules(game: Game[P, M], position: P) -> None:
    """Hold a legal position to what the rules make of it."""
    moves = list(game.moves(position))
    text = quoted(str(position))
    require(game.perft(position, 0) == 1, game, f"perft(0) of {text} is not 1")
    # Where an action ends a turn, a game may count it as a move.
    most = len(moves) + len(game.actions(position))
    counted = game.perft(position, 1)
    require(len(moves) <= counted <= most, game, f"perft(1) of {text} is {counted}, of {len(moves)} moves")
    words = [game.write_move(position, move) for move in moves]
    require(len(set(words)) == len(words), game, f"two moves of {text} are written alike")
    chosen = moves if len(moves) <= _MOVES else Random(str(position)).sample(moves, _MOVES)
    places = {name for cell in cells_of(game.scene(position)) for name in (cell, cell.partition(".")[0])}
    for move in chosen:
        _require_move(game, position, move, places)
    for action in game.actions(position):
        after = game.play(position, game.read_move(position, action))
        _require_readable(game, action, after)
    for word in _NO_MOVES:
        require_refusal(game, f"the move text {quoted(word)}", MoveError, game.read_move, position, word)
    _require_end(game, position)


def _require_move(game: Game[P, M], position: P, move: M, places: set[str]) -> None:
    before = str(position)
    word = game.write_move(position, move)
    require(game.read_move(position, word) == move, game, f"{quoted(word)} is read as another move")
    require(
        re.fullmatch(game.move_pattern, word), game, f"move_pattern does not match {quoted(word)}, a move"
    )
    after = game.play(position, move)
    require(str(position) == before, game, f"playing {quoted(word)} changes the position it was played in")
    _require_readable(game, word, after)
    facts = game.describe_move(position, move)
    require(
        facts.move == word and facts.after == str(after), game, f"describe_move tells of another than {word}"
    )
    for place in (facts.origin, facts.target):
        require(place is None or place in places, game, f"{quoted(word)} names {quoted(place)}, no cell")


def _require_readable(game: Game[P, M], word: str, after: P) -> None:
    again = game.read(str(after)).position
    same = again is not None and alike(game, again, after)
    require(same, game, f"{quoted(word)} gives {quoted(str(after))}, which is read as another position")


def _require_end(game: Game[P, M], position: P) -> None:
    outcome = game.outcome(position)
    if outcome is None:
        return
    require(isinstance(outcome, Outcome), game, "the outcome is no Outcome")
    require(game.claims(position) == (), game, "a draw may be claimed after the end")
    shares = re.fullmatch(r"(?:0|1|1/2)(?:-(?:0|1|1/2))+", outcome.result)
    require(shares, game, f"{quoted(outcome.result)} is no result with a share for each player")


def require_match(game: Game[P, M]) -> None:
    """Hold a match of the game to its past: undone, redone, and recorded."""
    match, chance = Match(game), Random(game.name)
    seen = [match.position]
    while len(match) < _PLIES:
        words = match.texts() or [action for action in match.actions() if action != "cancel"]
        if match.outcome is not None or not words:
            break
        # Not of any position: a text may say more players than the variant has.
        number, player = game.move_number(match.position)
        # JSON tells a truth value from a number.
        whole = type(number) is int and type(player) is int
        require(whole, game, "move_number gives something else than two whole numbers")
        known = number >= 0 and 0 <= player < len(game.players)
        require(known, game, "move_number names a player there is not")
        match.play(chance.choice(words))
        seen.append(match.position)
    require(len(match) > 0, game, "nothing can be played from the start")
    played = match.copy()
    record = write_record(Record.of(match))
    require(parse_record(record, game).match() == match, game, "the record of a match is read as another")
    for position in reversed(seen[:-1]):
        match.undo()
        require(match.position == position, game, "undoing a move gives another position than before it")
    while match.redo() is not None:
        require(match.position == seen[len(match)], game, "redoing a move gives another position")
    require(match == played, game, "a match that was undone and redone is another")
