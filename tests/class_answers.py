"""What the classes for programs answer, as it is kept: tests/golden/answers/README.md says what for.

`python -m tests.class_answers` writes it anew, for a change that is meant; read the difference before it is
kept.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, Final

from tests.answers import FOLDER, kept
from tests.notation_answers import Answer, told

import forsyth
from forsyth.games.azul.documents.state import AzulState
from forsyth.games.cotulenh.documents.api import CoTuLenh

FILE: Final = FOLDER / "classes.jsonl"

# --- CoTuLenh ---------------------------------------------------------------------------------------

_STACKS: Final = "6c4/11/5g5/2n2(ft)5/11/4t6/2(+NFT)2(TI)5/3(EG)7/11/11/11/5(HC)5 r - - 0 9"
_PIECES: Final = (
    *("T", "t", "+T", "(FT)", "N", "(TF)", "", "x"),
    {"type": "t", "color": "r"},
    {"type": "f", "color": "b", "heroic": True},
)


def _cotulenh() -> Iterator[Answer]:
    for game in (CoTuLenh(), CoTuLenh(_STACKS)):
        yield from _played(game)
    game = CoTuLenh()
    for square in ("e5", "a1", "k12", "f1", "z9", "e13"):
        yield from _changed(game, square)
    yield "comments", told(game.set_comment, "one {two}"), game.get_comment(), game.remove_comment()
    yield (
        "headers",
        told(game.set_header, "A b", "x"),
        told(game.set_header, "Event", "x"),
        game.get_headers(),
    )
    yield "headers", game.remove_header("Event"), game.remove_header("Event"), game.get_comment()


def _played(game: CoTuLenh) -> Iterator[Answer]:
    """A game that is played, looked at and taken back."""
    chance = random.Random("cotulenh")
    for number in range(12):
        choices = game.moves()
        if not choices:
            break
        move = chance.choice([one for one in choices if ">" in one or "(" in one] or choices)
        yield "move", move, str(told(lambda move: game.move(move, auto_commit=False), move))
        yield "seen", *_seen(game)
        if number % 3 == 2:
            again = game.copy()
            yield "cancel", told(again.cancel_session), again.fen()
            yield "cancel", str(told(game.copy().move, "cancel")), str(told(game.copy().move, "commit"))
            yield "commit", str(told(game.commit_session)), game.fen()
    yield (
        "pgn",
        game.pgn(),
        game.pgn(max_width=40),
        game.history(),
        list(map(str, game.history(verbose=True))),
    )
    for _ in range(4):
        yield "undo", told(game.undo), game.fen()


def _seen(game: CoTuLenh) -> Iterator[Any]:
    yield game.fen()
    yield game.fen(current_only=True)
    yield str([told(one) for one in (game.turn, game.move_number, game.half_moves)])
    yield [len(game.moves()), str(game.moves(verbose=True)[:2])]
    yield str(game.get_deploy_session())
    yield [game.can_commit_session(), list(game.actions())]
    yield [game.is_check(), game.is_checkmate(), game.is_stalemate(), game.is_draw(), game.is_game_over()]
    yield [[game.is_commander_in_danger(side), game.get_commander_square(side)] for side in "rb"]
    yield str(game.get_air_defense())


def _changed(game: CoTuLenh, square: str) -> Iterator[Answer]:
    """A board of which one square is changed."""
    for piece in _PIECES:
        yield "put", str(piece), square, str(told(game.put, piece, square)), game.fen()
    yield "join", square, str(told(game.put, "I", square, True)), game.fen()
    for kind in (None, "t", "f", "x"):
        yield (
            "get",
            square,
            kind,
            str(told(game.get, square, kind)),
            told(game.get_heroic_status, square, kind),
        )
        yield "raise", square, kind, told(game.set_heroic_status, square, kind, True), game.fen()
    yield "attackers", square, [str(told(game.get_attackers, square, side)) for side in "rbx"]
    yield "remove", square, str(told(game.remove, square, "t")), str(told(game.remove, square)), game.fen()


# --- Azul -------------------------------------------------------------------------------------------

_SLIPS: Final[dict[str, tuple[Any, ...]]] = {
    "phase": ("x", None),
    "round": (0, "x", None, 2.5, 10**30),
    "current_player": (9, None),
    "players": ([], None, 5),
    "factories": ([], [["B", "BB"]], [[5]], None),
    "center": (["F"], "BY", None),
    "first_player_marker": (None, {}, {"place": "held", "player": 1}),
    "bag": (None, {}, {"B": -1}),
    "complete": (True, False, None),
}


def _azul() -> Iterator[Answer]:
    names = forsyth.game("azul").names
    for name, text in (*names.items(), ("dealt", AzulState.example().to_fen(version=2))):
        state = AzulState.from_fen(text)
        yield "state", name, state.to_dict(), state.marker, state.bag, state.discard
        yield "state", name, state.complete, state.phase, state.start_player, state.winners
        yield from _of_data(name, state.to_dict())
        for level in ("format", "content", "strict", "x"):
            yield "report", name, level, str(told(AzulState.check_fen, text, level))
    yield from _rounds()


def _of_data(name: str, data: dict[str, Any]) -> Iterator[Answer]:
    """Data with a slip in one field, or without it."""
    for field, values in _SLIPS.items():
        for value in values:
            yield "data", name, field, str(value), _written({**data, field: value})
        yield "data", name, field, "missing", _written({key: data[key] for key in data if key != field})


def _written(data: dict[str, Any]) -> Any:
    said = told(lambda: AzulState.from_dict(data).to_fen())
    # What Python says of a value of the wrong type differs from one version to the next.
    return said.partition("(")[0] if isinstance(said, str) and "Error: " in said else said


def _rounds() -> Iterator[Answer]:
    """Rounds that are played, scored and dealt, with what is refused on the way."""
    chance = random.Random("azul")
    state = AzulState.example()
    for number in range(12):
        while state.legal_moves():
            state = state.apply(chance.choice(state.legal_moves()))
        for step in (state.finish, state.end_round, state.end_round, state.finish):
            yield "step", number, step.__name__, str(told(step)), state.to_fen(version=2), state.winners
        yield "deal", number, str(told(state.deal, None, ["BBBB"])), str(told(state.deal, chance))
        yield "dealt", number, state.to_fen(version=2), state.to_fen(version=1), state.marker
        if not state.legal_moves():
            break


def answers() -> Iterator[str]:
    """Every question with its answer, a line each."""
    for source in (_cotulenh, _azul):
        for line in source():
            yield json.dumps(kept(list(line)), ensure_ascii=False, default=str)


if __name__ == "__main__":
    FILE.write_text("\n".join(answers()) + "\n", encoding="utf-8", newline="\n")
