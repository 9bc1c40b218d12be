"""Generate games to measure with, as a server writes them: tags, moves, evaluations and clocks.

The games are random with a fixed seed; captures are played more often than other moves. A few thousand games
are played, and their moves are repeated with other tags until there are enough games. No game is copied from
a real one, and no text occurs twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Final

import forsyth
from forsyth.games.chess.notation.san import write_san
from forsyth.games.chess.position import Position
from forsyth.games.chess.rules.moves import legal_moves, play

SEED: Final = 14
DISTINCT_GAMES: Final = 2_000
_START: Final = forsyth.game("chess").parse(forsyth.game("chess").start)
_NAMES: Final = ("Alekhine", "kasparov_fan", "Botvinnik1911", "rook_lift", "tal", "zugzwang64", "ÉmileD", "Q")
_OPENINGS: Final = (
    ("A04", "Zukertort Opening"),
    ("B12", "Caro-Kann Defense: Advance Variation"),
    ("B90", "Sicilian Defense: Najdorf Variation, English Attack"),
    ("C65", "Ruy Lopez: Berlin Defense"),
    ("D37", "Queen's Gambit Declined: Three Knights Variation"),
)


def play_random_game(random: Random) -> tuple[list[str], str]:
    """Play a random game. Return its moves in SAN and its result."""
    position: Position = _START
    sans: list[str] = []
    plies = max(4, min(240, int(random.gauss(70, 28))))
    for _ in range(plies):
        moves = legal_moves(position)
        if not moves:
            break
        captures = [move for move in moves if position.piece_at(move.target) is not None]
        move = random.choice(captures if captures and random.random() < 0.3 else moves)
        sans.append(write_san(position, move))
        position = play(position, move)
    outcome = position.outcome
    return sans, outcome.result if outcome else random.choice(("1-0", "0-1", "1-0", "0-1", "1/2-1/2"))


def write_movetext(sans: list[str], result: str, random: Random) -> str:
    """Return the moves as Lichess writes them, with a random evaluation and clock after each."""
    clocks_ms = [180_000, 180_000]
    centipawns = 20
    words = []
    for ply, san in enumerate(sans):
        clocks_ms[ply % 2] = max(0, clocks_ms[ply % 2] - int(random.expovariate(1 / 3000)) + 2000)
        centipawns = max(-1500, min(1500, centipawns + int(random.gauss(0, 45))))
        seconds = clocks_ms[ply % 2] // 1000
        clock = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        evaluation = f"#{1 + ply % 9}" if abs(centipawns) > 1400 else f"{centipawns / 100:.2f}"
        number = f"{ply // 2 + 1}. " if ply % 2 == 0 else f"{ply // 2 + 1}... "
        words.append(f"{number}{san} {{ [%eval {evaluation}] [%clk {clock}] }}")
    return " ".join([*words, result])


def write_tags(number: int, result: str, random: Random) -> str:
    """Return the tags of a game with random players, date and ratings. `number` makes the site unique."""
    white, black = random.sample(_NAMES, 2)
    white_rating, black_rating = random.randint(800, 2800), random.randint(800, 2800)
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
        ("WhiteElo", str(white_rating)),
        ("BlackElo", str(black_rating)),
        ("WhiteRatingDiff", f"{random.randint(-12, 12):+}"),
        ("BlackRatingDiff", f"{random.randint(-12, 12):+}"),
        ("ECO", eco),
        ("Opening", opening),
        ("TimeControl", "180+2"),
        ("Termination", random.choice(("Normal", "Time forfeit"))),
    )
    return "".join(f'[{name} "{value}"]\n' for name, value in values)


_FINAL_RESULT: Final = re.compile(r" (?:1-0|0-1|1/2-1/2)(?=\n\n\Z)")
"""The result at the end of a game."""
UNUSUAL_SHAPES: Final[dict[str, Callable[[str], str]]] = {
    "no result": lambda game: _FINAL_RESULT.sub("", game),
    "a result that is not that of the tag": lambda game: _FINAL_RESULT.sub(" *", game),
    "a repeated tag": lambda game: game.replace("\n\n", '\n[Event "again"]\n\n', 1),
    "an illegal last move": lambda game: _FINAL_RESULT.sub(r" Qh9\g<0>", game),
    "an illegal variation": lambda game: game.replace(" 1... ", " (1. Qh8) 1... ", 1),
    "+-": lambda game: game.replace(" 2. ", " +- 2. ", 1),
    "a null move": lambda game: _FINAL_RESULT.sub(r" --\g<0>", game),
    "piece symbols": lambda game: re.sub(r"(?<= )N(?=[a-h1-8x])", "♘", game),
    "0-0": lambda game: re.sub(r"O-O(-O)?", lambda castling: castling[0].replace("O", "0"), game),
    "moves after a dead position": lambda game: (
        game[: game.index("\n\n") + 1]
        + '[SetUp "1"]\n[FEN "8/8/3k4/8/8/3K4/8/8 w - - 0 1"]\n\n'
        + " ".join(f"{n}. K{'dc'[n % 2]}4 K{'dc'[n % 2]}6" for n in range(1, 36))
        + (_FINAL_RESULT.search(game) or ["*"])[0]
        + "\n\n"
    ),
}
"""Functions that turn a clean game into an unusual one, by what is unusual."""


def make_mixed_corpus(games: int, unusual_every: int = 20) -> bytes:
    """Return the bytes of a file like that of `make_corpus`. One game in `unusual_every` is unusual."""
    texts = split_texts(make_corpus(games).decode())
    shapes = list(UNUSUAL_SHAPES.values())
    for index in range(0, len(texts), unusual_every):
        texts[index] = shapes[index // unusual_every % len(shapes)](texts[index])
    return "".join(texts).encode()


def split_texts(text: str) -> list[str]:
    """Return the texts of the games of a corpus."""
    return [f"[Event {game}" for game in text.split("[Event ")[1:]]


def make_corpus(games: int, distinct: int = DISTINCT_GAMES) -> bytes:
    """Return the bytes of a file with `games` games, of which at most `distinct` have different moves."""
    random = Random(SEED)
    bodies = []
    for _ in range(min(games, distinct)):
        sans, result = play_random_game(random)
        bodies.append((write_movetext(sans, result, random), result))
    texts = []
    for number in range(games):
        movetext, result = bodies[number % len(bodies)]
        texts.append(f"{write_tags(number, result, random)}\n{movetext}\n\n")
    return "".join(texts).encode()
