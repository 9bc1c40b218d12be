"""Games as a server writes them, to measure with: tags, moves, evaluations and clocks, made with a fixed
seed.

A few thousand games are played, at random but for captures and checks, which are taken more often than not;
their texts are repeated with other names, dates and ratings until there are as many as asked for. No text is
a copy of a real game, and none occurs twice.
"""

from __future__ import annotations

from random import Random
from typing import Final

import forsyth
from forsyth.games.chess.notation.san import write_san
from forsyth.games.chess.position import Position
from forsyth.games.chess.rules.moves import legal_moves, play

SEED: Final = 14
DISTINCT: Final = 2_000
_START: Final = forsyth.game("chess").parse(forsyth.game("chess").start)
_NAMES: Final = ("Alekhine", "kasparov_fan", "Botvinnik1911", "rook_lift", "tal", "zugzwang64", "ÉmileD", "Q")
_OPENINGS: Final = (
    ("A04", "Zukertort Opening"),
    ("B12", "Caro-Kann Defense: Advance Variation"),
    ("B90", "Sicilian Defense: Najdorf Variation, English Attack"),
    ("C65", "Ruy Lopez: Berlin Defense"),
    ("D37", "Queen's Gambit Declined: Three Knights Variation"),
)


def played(random: Random) -> tuple[list[str], str]:
    """The moves of a game and its result."""
    position: Position = _START
    written: list[str] = []
    plies = max(4, min(240, int(random.gauss(70, 28))))
    for _ in range(plies):
        moves = legal_moves(position)
        if not moves:
            break
        lively = [move for move in moves if position.piece_at(move.target) is not None]
        move = random.choice(lively if lively and random.random() < 0.3 else moves)
        written.append(write_san(position, move))
        position = play(position, move)
    outcome = position.outcome
    return written, outcome.result if outcome else random.choice(("1-0", "0-1", "1-0", "0-1", "1/2-1/2"))


def movetext(written: list[str], result: str, random: Random) -> str:
    """The moves as Lichess writes them, an evaluation and a clock behind each."""
    clocks = [180_000, 180_000]
    cents = 20
    words = []
    for ply, san in enumerate(written):
        clocks[ply % 2] = max(0, clocks[ply % 2] - int(random.expovariate(1 / 3000)) + 2000)
        cents = max(-1500, min(1500, cents + int(random.gauss(0, 45))))
        seconds = clocks[ply % 2] // 1000
        clock = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        said = f"#{1 + ply % 9}" if abs(cents) > 1400 else f"{cents / 100:.2f}"
        number = f"{ply // 2 + 1}. " if ply % 2 == 0 else f"{ply // 2 + 1}... "
        words.append(f"{number}{san} {{ [%eval {said}] [%clk {clock}] }}")
    return " ".join([*words, result])


def tags(number: int, result: str, random: Random) -> str:
    """The tags of one game."""
    white, black = random.sample(_NAMES, 2)
    rating, other = random.randint(800, 2800), random.randint(800, 2800)
    eco, opening = random.choice(_OPENINGS)
    day = f"2024.{random.randint(1, 12):02}.{random.randint(1, 28):02}"
    values = (
        ("Event", "Rated Blitz game"),
        ("Site", f"https://example.org/{number:08x}"),
        ("Date", day),
        ("Round", "-"),
        ("White", white),
        ("Black", black),
        ("Result", result),
        ("UTCDate", day),
        ("UTCTime", f"{random.randint(0, 23):02}:{random.randint(0, 59):02}:{random.randint(0, 59):02}"),
        ("WhiteElo", str(rating)),
        ("BlackElo", str(other)),
        ("WhiteRatingDiff", f"{random.randint(-12, 12):+}"),
        ("BlackRatingDiff", f"{random.randint(-12, 12):+}"),
        ("ECO", eco),
        ("Opening", opening),
        ("TimeControl", "180+2"),
        ("Termination", random.choice(("Normal", "Time forfeit"))),
    )
    return "".join(f'[{name} "{value}"]\n' for name, value in values)


def corpus(games: int, distinct: int = DISTINCT) -> bytes:
    """The bytes of a file with that many games."""
    random = Random(SEED)
    bodies = []
    for _ in range(min(games, distinct)):
        written, result = played(random)
        bodies.append((movetext(written, result, random), result))
    texts = []
    for number in range(games):
        text, result = bodies[number % len(bodies)]
        texts.append(f"{tags(number, result, random)}\n{text}\n\n")
    return "".join(texts).encode()
