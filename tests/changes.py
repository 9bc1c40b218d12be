"""What comes of moves and edits, as it is kept: tests/golden/changes/README.md says what for.

`python -m tests.changes` writes it anew, for a change that is meant; read the difference before it is kept.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.whole_game import WholeGame, whole

from forsyth import draw
from forsyth.abilities import position_to_data
from forsyth.diagnostics import MoveError

FOLDER: Final = Path(__file__).parent / "golden" / "changes"
GAMES: Final[dict[str, tuple[str, str | None, tuple[str, ...]]]] = {
    "chess": (
        "chess",
        None,
        (
            "r3k2r/pP3ppp/2n2q2/3pP3/1b1N1N2/8/PPP2PPP/R3K2R w KQkq d6 3 12",
            "4k3/8/8/8/8/8/4r3/R3K2R b KQ - 99 80",
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        ),
    ),
    "chess960": ("chess", "chess960", ("1rk2r2/8/8/8/8/8/8/1RK2R2 w FBfb - 0 1",)),
    "crazyhouse": (
        "chess",
        "crazyhouse",
        ("r1bqk2r/ppp2ppp/2n5/3Q~4/1b2P3/2N2N2/PPP2PPP/R1B1KB1R[PNNpq] b KQkq - 0 9",),
    ),
    "3check": ("chess", "3check", ("4k3/8/8/8/8/8/4R3/4K2R w K - 1+3 0 1",)),
    "cotulenh": (
        "cotulenh",
        None,
        (
            "start",
            "4h1c4/1(nfi)3(fti)2h2/3(ea)2+s2a1/2(n+f)1g2tg2/3e2+m2ei/2i2t1A3/"
            "2(+NFT)(TI)+I1g4/3(EG)2M2EI/5+T1TG2/3A2S2+A1/1N3H1HF2/5(HC)5 r - - 4 12",
            "6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1 N>c6",
            "1n1f2c4/11/2tI7/2N8/3G7/11/2T8/2N1t6/2F8/11/11/5C5 r - - 4 10 DEPLOY c4:F 2 T>c6,N>c5",
            "6c4/11/2s8/11/1n9/2(nfi)8/2S1(FT)6/3(EA)7/5(TM)5/11/11/5(HC)5 b - - 3 9",
        ),
    ),
    "azul": ("azul", None, ("midgame", "endgame")),
    "xiangqi": ("xiangqi", None, ("midgame", "endgame")),
    "shogi": ("shogi", None, ("midgame", "endgame")),
}
"""Games, variants and positions by the names of their files."""

ENDED: Final[dict[str, tuple[str, ...]]] = {
    "chess": (
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "8/8/8/4k3/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 150 100",
    ),
    "3check": ("4k3/8/8/8/8/8/4R3/4K2R b K - 0+3 0 1",),
    "cotulenh": (
        "11/11/11/11/11/11/11/11/11/11/11/5C5 b - - 0 9",
        "6c4/11/11/11/11/11/11/11/11/11/11/5C5 r - - 100 60",
    ),
    "azul": (
        "v2/2/e/----|----|----|----|----/-/BYRKW|---RK|-W---|----Y|-----/-|Y-|R--|RR--|RR---/-/"
        "BY-K-|WBY--|K---R|-----|--K--/-|K-|---|YYY-|YY---/-/2,1/5/0/0/14,10,11,11,11/3,0,1,3,6",
    ),
    "xiangqi": ("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 9",),
    "shogi": ("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 9",),
}
"""Further positions, of games that have ended or could be claimed as drawn."""

_MOST_MOVES: Final = 9
"""Legal moves of a position that are looked at, with the slips made of each."""
_OTHERS: Final = (
    "",
    " ",
    "x",
    "zz9",
    "e4",
    "Ke2",
    "O-O",
    "0-0-0",
    "--",
    "a1a1",
    "N@e4",
    "P@e1",
    "deal",
    "pass",
)
_WORDS: Final = ("", "x", "-", "w", "b", "r", "KQkq", "qk", "HAha", "e3", "d6", "e5")
_NUMBERS: Final = ("0", "1", "10", "11", "100", "101", "1000", "9999", "10000")
_SYMBOLS: Final = (None, "", "?", "K", "p", "B", "+F", "(FT)", "P*")


def _slips(text: str) -> Iterator[str]:
    """A move as it is often written wrong or otherwise."""
    yield text
    yield f" {text} "
    yield text + "+"
    yield text + "!?"
    yield text.swapcase()
    yield text[1:]
    yield text[:-1]
    yield text.replace("x", "")
    yield text.replace("-", "–").replace("=", "")


def _moves(game: WholeGame, position: Any) -> Iterator[tuple[str, ...]]:
    legal = game.moves(position)
    step = max(1, len(legal) // _MOST_MOVES)
    for move in legal[::step]:
        facts = game.describe_move(position, move)
        yield "facts", facts.move
        for text in dict.fromkeys((*_slips(facts.move), *_slips(facts.lan or ""))):
            yield "move", text
    for text in (*_OTHERS, *game.actions(position)):
        yield "move", text


def _edits(game: WholeGame, position: Any) -> Iterator[tuple[str | None, ...]]:
    cells = [cell for area in game.scene(position).areas for cell in area.cells]
    full = [cell.id for cell in cells if cell.tokens]
    free = [cell.id for cell in cells if not cell.tokens]
    places = dict.fromkeys((*full[:: max(1, len(full) // 4)], *free[:: max(1, len(free) // 4)], "nowhere"))
    palette = [cell.id for area in game.palette(position).areas for cell in area.cells]
    for place in places:
        for symbol in dict.fromkeys((*palette[::5], *_SYMBOLS)):
            yield "put", place, symbol
        for target in (*full[:1], *free[:1], *full[-1:], "nowhere"):
            yield "lift", place, target
    for field in (*(field.name for field in game.fields(position)), "none"):
        for value in (*_WORDS, *_NUMBERS):
            yield "field", field, value


def _measures(game: WholeGame, position: Any) -> Iterator[tuple[str, ...]]:
    """What columns hold of a position, and its packed form with each byte damaged in two ways, or cut off."""
    yield ("features",)
    yield ("planes",)
    yield ("key",)
    packed = game.pack(position)
    yield "unpack", packed.hex()
    for at in range(len(packed)):
        for byte in dict.fromkeys((packed[at] ^ 1, packed[at] ^ 0x80, 0xFF)):
            yield "unpack", (packed[:at] + bytes([byte]) + packed[at + 1 :]).hex()
        yield "unpack", packed[:at].hex()
    yield "unpack", (packed + b"\0").hex()
    yield "unpack", (packed + b"\1").hex()


_ABILITIES: Final = {
    "details": "details_of",
    "overlays": "overlays",
    "reach": "reach",
    "open": "why_open",
    "check": "is_check",
    "score": "score_table",
    "round": "end_round",
    "prospects": "prospect",
}
_ASKED: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "data": lambda game, position: position_to_data(game, position, game.write(position)),
    "fields": lambda game, position: game.fields(position),
    "styles": lambda game, position: [_answer(partial(game.write, position, style)) for style in game.styles],
    "drawn": lambda game, position: draw.text(position),
    "findings": lambda game, position: [finding.to_dict() for finding in game.check(position)],
    "actions": lambda game, position: game.actions(position),
    "outcome": lambda game, position: game.outcome(position),
    "claims": lambda game, position: (game.claims(position), game.claims(position, 3)),
    "number": lambda game, position: game.move_number(position),
    "pieces": lambda game, position: (position.piece_map(), position.material()),
    "details": lambda game, position: game.details_of(position),
    "overlays": lambda game, position: game.overlays(position),
    "reach": lambda game, position: [(place, game.reach(position, place)) for place in position.piece_map()],
    "open": lambda game, position: game.why_open(position),
    "check": lambda game, position: game.is_check(position),
    "score": lambda game, position: game.score_table(position),
    "round": lambda game, position: game.end_round(position),
    "prospects": lambda game, position: [game.prospect(position, move) for move in game.moves(position)[:40]],
}
"""What can be asked of a position; not every game has the abilities above."""


def _asked(game: WholeGame) -> Iterator[tuple[str, ...]]:
    for name in _ASKED:
        if hasattr(game, _ABILITIES.get(name, "name")):
            yield "ask", name


def _answer(done: Callable[[], Any]) -> str:
    try:
        return str(done())
    except MoveError as error:
        return f"{error.kind}: {error} {list(error.candidates)}"
    except ValueError as error:
        return f"refused: {error}"


def _done(game: WholeGame, position: Any, what: tuple[Any, ...]) -> str:
    kind, *given = what
    if kind == "move":
        return _answer(lambda: game.write(game.play(position, game.read_move(position, given[0]))))
    if kind == "ask":
        return _answer(lambda: _ASKED[given[0]](game, position))
    if kind == "facts":
        return str(list(game.describe_move(position, game.read_move(position, given[0]))))
    if kind == "unpack":
        return _answer(lambda: game.write(game.unpack(bytes.fromhex(given[0]))))
    if kind == "planes":
        return hashlib.sha256(bytes(game.planes(position))).hexdigest()
    if kind in ("features", "key"):
        return str(getattr(game, kind)(position))
    change = {"put": game.put, "lift": game.lift, "field": game.with_field}[kind]
    return _answer(lambda: game.write(change(position, *given)))


def changes(name: str) -> Iterator[str]:
    """What is done to the positions of a game and what comes of it, each as a line of JSON."""
    game_name, variant, texts = GAMES[name]
    game = whole(game_name, variant)
    for text in (*texts, *ENDED.get(name, ())):
        position = game.parse(game.names.get(text, text), legality=False)
        done: list[tuple[Any, ...]] = [*_asked(game)]
        if text in texts:
            done += [*_moves(game, position), *_edits(game, position), *_measures(game, position)]
        for what in dict.fromkeys(done):
            yield json.dumps([text[:24], *what, _done(game, position, what)], ensure_ascii=False)


if __name__ == "__main__":
    for each in GAMES:
        (FOLDER / f"{each}.jsonl").write_text("\n".join(changes(each)) + "\n", encoding="utf-8", newline="\n")
