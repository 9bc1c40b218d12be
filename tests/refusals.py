"""What calls from Python are refused with, as it is kept: tests/golden/answers/README.md says what for.

`python -m tests.refusals` writes it anew, for a change that is meant; read the difference before it is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from random import Random
from types import ModuleType
from typing import Any, Final

from tests.answers import FOLDER

import forsyth
from forsyth import draw
from forsyth.draw.animation import match_to_animate
from forsyth.draw.animation_png import join_pngs
from forsyth.games.azul import position as azul_positions
from forsyth.games.azul.documents import text_forms
from forsyth.games.azul.documents.state import AzulState
from forsyth.games.azul.drawing.describe import place_name
from forsyth.games.chess.documents import api as chess_api
from forsyth.games.chess.notation.uci import read_uci_move
from forsyth.games.chess.squares import Square
from forsyth.games.cotulenh.documents.api import CoTuLenh
from forsyth.games.cotulenh.documents.options import parse_options
from forsyth.games.cotulenh.documents.piece_values import parse_piece
from forsyth.identity import unpack_text
from forsyth.kit.mirror import mirror_position
from forsyth.record import comment_values
from forsyth.record.model import Record
from forsyth.record.move_tree import MoveTree
from forsyth.store import MemoryStore, open_store

FILE: Final = FOLDER / "refusals.txt"

GAMES: Final = ("chess", "cotulenh", "azul", "xiangqi", "shogi")
CHESS: Final[Any] = forsyth.game("chess")
START: Final[Any] = CHESS.parse(CHESS.start)
LATER: Final[Any] = CHESS.play(START, CHESS.read_move(START, "e4"))
UNREAD: Final[Any] = forsyth.read("8/8/8/8/8/8/8/9 w - - 0 1", "chess")
AZUL: Final[Any] = forsyth.game("azul")
OFFER: Final[Any] = AZUL.parse(AZUL.names["midgame"])
COTULENH: Final[Any] = forsyth.game("cotulenh")
LAST_STEP: Final = "6c4/11/11/11/11/11/1N9/1(FT)9/11/11/11/5C5 r - - 0 9 DEPLOY b5:FT 1 N>b6"
LONE: Final = "a\ud800"

Call = Callable[[], object]


def call(done: Any, *given: Any, **named: Any) -> Call:
    """A call whose arguments need not be what its types say."""
    return partial(done, *given, **named)


# --- what all games share -----------------------------------------------------------------------------


def _texts() -> Iterator[Call]:
    wrap, names = forsyth.wrap, {"start": CHESS.start}
    for text in ("", "x" * 10_000, "fenz_abc", LONE, "rnbq", 5):
        yield call(wrap, text, "fenz")
    yield call(wrap, "€" * 4000, "fenz")
    yield call(wrap, "\N{GRINNING FACE}" * 4000, "url")
    yield call(wrap, "x", "name", names=names)
    yield call(wrap, "x", "name")
    for form, text in (("name", "x"), ("url", "a%2"), ("url", "a%zzb"), ("url", "a%e2%82b"), ("url", "%")):
        yield call(_found, form, text, names)
    for form in ("base64", "fenz", "state", "url", "name"):
        for text in (f"{form}_", f"{form}_!", f"{form}_" + "a" * 9, "", "x" * 300_000, LONE):
            yield call(_found, form, text, {})
    yield call(forsyth.apply_fixes, CHESS.start, UNREAD)
    yield call(forsyth.apply_fixes, 5, ())
    yield call(setattr, UNREAD, "text", "x")
    yield call(delattr, UNREAD, "text")
    yield UNREAD.require
    for given in (5, None, b"x"):
        yield call(lambda given: str(forsyth.read(given, "chess")), given)
    for name in ("go", "Ches", "8/8", 5, None, forsyth.chess):
        yield call(forsyth.game, name)
    for data in (b"", b"\1\0\1", b"\0\0\1x", b"\1\0\2x"):
        yield call(unpack_text, data)


def _found(form: str, text: str, names: dict[str, str]) -> None:
    raise ValueError([one.message for one in forsyth.unwrap(text, form=form, names=names).diagnostics])


def _positions() -> Iterator[Call]:
    """What is no position and no move, in every game."""
    for name in GAMES:
        game: Any = forsyth.game(name)
        position = game.parse(game.start)
        move = game.moves(position)[0]
        for given in ("x", None, 5, UNREAD, LATER if name != "chess" else OFFER):
            yield call(game.write, given)
        for given in ("x", None, 5):
            yield call(game.play, position, given)
            yield call(game.write_move, position, given)
        for given in (None, 5, "", "zz", "x" * 200):
            yield call(game.read_move, position, given)
        yield call(game.play, game.play(position, move), move)
        for depth in (-1, 10_000, "x"):
            yield call(game.perft, position, depth)
        for data in (b"", b"\xff" * 40, b"\xff" * 5000, "x", 5, game.pack(position)[:-1]):
            yield call(game.unpack, data)
        if name in ("chess", "cotulenh", "azul"):
            yield type(position)
        yield call(game.write, position, "x")
        yield call(game.with_variant, "x")
        yield call(game.put, position, "z99", None)
        yield call(game.put, position, game.scene(position).areas[0].cells[0].id, "?")
        yield call(game.with_field, position, "x", "1")
        yield call(game.with_field, position, "side", 5)
        yield call(game.scene, position, marks={"e4": "red"})
        yield call(mirror_position, game, position)
        yield call(draw.svg, position, look="x")
        yield call(draw.svg, position, board="x")


def _pictures() -> Iterator[Call]:
    scene = CHESS.scene(START)
    for given in (None, 5, "x", UNREAD):
        yield call(draw.svg, given)
        yield call(match_to_animate, given)
    for name in ("flip", "look", "board", "marks", "notes", "last", "check"):
        yield call(draw.svg, scene, **{name: True})
    for option, values in {
        "last": ("e4", 5),
        "coordinates": ("x", None),
        "theme": ("x",),
        "size": (0, 10**6, "x"),
        "marks": ({"e4": "x"},),
        "arrows": ("e2e4", 5, [5], ["e2"], ["e2z9"], ["e2e4:x"], [("e2",)], [("e2", "z9")], ["e2e4"] * 999),
        "circles": ("e4", [5], ["z9"], ["e4:x"], [()], ["e4"] * 999),
        "highlights": ("e4", [5], ["z9"], ["e4:#12"], ["e4"] * 999),
    }.items():
        for value in values:
            yield call(draw.svg, START, **{option: value})
    for seconds in (0, -1, 1e9, "x"):
        yield call(draw.animation, START, moves="e4", seconds=seconds)
    yield call(join_pngs, [draw.png(START, size=80), draw.png(START, size=90)], 1.0)
    yield call(draw.animation, START, moves="e4 e9")
    yield call(draw.animation, START, moves=["Nf3", "Nf6", "Ng1", "Ng8"] * 1000)


# --- records and stores -------------------------------------------------------------------------------


def _records() -> Iterator[Call]:
    given: Any
    for given in ((None, None), (1, 1), (500_001, None), (None, -500_001), (500_000, None), (None, -500_000)):
        yield call(comment_values.Evaluation, *given)
    for given in (("", "e4"), ("e2", "x"), ("e2", "e4", "g"), ("e2", "e4", "GG")):
        yield call(comment_values.Arrow, *given)
    for given in (("",), ("e4", "g"), ("4",)):
        yield call(comment_values.Circle, *given)
    for tags in (
        (("No name", "x"),),
        (("Result", "1-0"),),
        (("FEN", "x"),),
        (("A", "b"),) * 2,
        (("A", "\n"),),
    ):
        yield call(Record, CHESS, tags, START)
    yield call(Record, CHESS, (), START, result="x")
    yield call(forsyth.write_record, START)
    yield call(forsyth.write_record, Record(CHESS, (), START), notation="x")
    yield call(forsyth.write_record, Record(AZUL, (), OFFER), notation="uci")
    for given in (5, None):
        yield call(forsyth.read_record, given, "chess")
    yield call(MoveTree.of, START)
    tree: Any = MoveTree(CHESS, START)
    yield call(tree.merge, MoveTree(CHESS, LATER))
    yield call(tree.merge, MoveTree(AZUL, OFFER))
    for name, values in {
        "nags": ([-1], [10**6], ["x"]),
        "glyph": ("x", "!!!", None),
        "after": ("x", [5]),
        "before": ("x", [5]),
    }.items():
        for value in values:
            yield call(setattr, tree.root, name, value)
    yield call(tree.root.play, "e9")
    yield call(tree.root.play, CHESS.moves(LATER)[0])
    yield call(tree.root.add_line, *["Nf3", "Nf6", "Ng1", "Ng8"] * 3000)
    match: Any = forsyth.Match("chess")
    yield call(match.play, "e9")
    yield call(match.play, 5)


def _stores() -> Iterator[Call]:
    given: Any
    for where in (5, "", "mysql://x"):
        yield call(open_store, where)
    store: Any = MemoryStore()
    for given in ("", "x" * 400_000, LONE, "a\0", 5):
        yield call(store.put, given)
    for name in ("", " ", "x" * 500, "a\0", "a\x07", LONE, 5):
        yield call(store.save, CHESS.start, "chess", name)
    for tags in ("x", 5, [5], [""], ["x" * 500], ["a\x07"], [str(number) for number in range(500)]):
        yield call(store.save, CHESS.start, "chess", "name", tags)
    for note in (5, "x" * 100_000, "a\x07", "a\0"):
        yield call(store.save, CHESS.start, "chess", "name", (), note)
    for game in ("", 5, "x" * 500):
        yield call(store.save, CHESS.start, game, "name")
    for given in ({"after": "x"}, {"after": 5}, {"limit": 0}, {"limit": 10**6}, {"query": 5}, {"tag": 5}):
        yield call(store.search, **given)
    closed: Any = MemoryStore()
    closed.close()
    yield call(closed.put, CHESS.start)


# --- one game -----------------------------------------------------------------------------------------


def _chess() -> Iterator[Call]:
    given: Any
    yield call(chess_api.Board().fen_setup, None, profile="x")
    board = chess_api.Board()
    for text in ("e9", 5, "", "Ke2"):
        yield call(board.play, text)
    for changes in (
        {"x": 1},
        {"pawns": START.pawns | START.knights},
        {"white": START.white | START.black},
        {"castling": 1 << 20},
        {"promoted": 1},
        {"white_pocket": 1},
        {"remaining": 1},
        {"black_to_move": 2},
        {"ep_square": 30},
        {"rules": 99},
        {"half": 10_000},
        {"full": 0},
    ):
        yield call(START.replace, **changes)
    for name in ("z9", "", "E4", 5):
        yield call(Square, name)
    for number in (-1, 64, "x"):
        yield call(Square.from_number, number)
    for variant, text in (("horde", "start"), ("racingkings", "start"), ("3check", "end")):
        game = forsyth.game("chess", variant)
        position: Any = game.parse(game.names.get(text, game.start))
        yield call(position.mirror)
    yield call(START.targets, "z9")
    yield call(START.piece_at, "z9")
    yield call(repr, chess_api.Board())
    for given in (5, None, UNREAD):
        yield call(forsyth.chess.write_epd, given)
    for given in (5, None, "", "e2e5", "e9e9"):
        yield call(read_uci_move, START, given)
    for text in ("--", "Z0", "0000"):
        yield call(forsyth.chess.read_san, START, text)
    for text in ("Ng1f3", "e2-e4", "e4!"):
        yield call(forsyth.chess.read_san, START, text, strict=True)


def _cotulenh() -> Iterator[Call]:
    given: Any
    game: Any = CoTuLenh()
    stacks: Any = CoTuLenh(LAST_STEP)
    for given in (
        5,
        {},
        {"from": "z9", "to": "a1"},
        {"from": "c5", "to": 5},
        {"from": "c5", "to": "c6", "x": 1},
    ):
        yield call(game.move, given)
    for given in (
        {"piece": "x"},
        {"piece": 5},
        {"stay": "x"},
        {"deploy": 1.5},
        {"deploy": True},
        {"stay": True},
    ):
        yield call(game.move, {"from": "c5", "to": "c6", **given})
    for text in ("commit", "cancel", "x", "", "N<", "(NFT)<N>a1", "F>a1", "(FT):N>b6", "N>b6,T>b7", "T<N>b6"):
        yield call(game.move, text)
        yield call(stacks.move, text)
    for text in (
        "c5",
        "c5N:c6",
        "c5:N",
        "c5:N:",
        "c5:Nc6",
        "c5:x:c6",
        "z9:N:c6",
        ":N:c6",
        "c5:N:c6:",
        "c5:F:T>b6",
    ):
        yield call(COTULENH.read_move, COTULENH.parse(COTULENH.start), text)
    yield call(stacks.put, "T", "a1")
    yield call(game.put, "C", "e1")
    yield call(game.put, "N", "k1")
    for name in ("FEN", "SetUp", "Variant", "Result", "A b"):
        yield call(game.set_header, name, "x")
    for given in (5, None, "x", {"x": 1}, {"verbose": 5}):
        yield call(parse_options, given, ("verbose", "square", "piece_type"))
    for piece in (
        *(5, "", "x", "Tf", "(TT)", "(NFTI)", {}, {"color": "r"}, {"type": "x"}, {"type": "t", "heroic": 5}),
        *({"type": "t", "carrying": 5}, {"type": "t", "carrying": ["T"]}, {"type": "t", "carrying": ["f"]}),
        *({"type": "i", "carrying": ["T"]}, {"type": "t", "color": "x"}, {"type": "t", "x": 1}),
    ):
        yield call(parse_piece, piece)
    for square in ("z9", 5, None):
        yield call(game.get, square)
        yield call(game.get_attackers, square, "r")
    yield call(game.get_attackers, "e5", "x")
    yield game.commit_session
    yield game.cancel_session


def _azul() -> Iterator[Call]:
    boards = OFFER.boards
    board = boards[0]
    build_board: Any = azul_positions.build_board
    values = (board.wall, board.lines, board.floor, board.held, board.score, board.wide)
    for at, wrong in ((0, ()), (0, ("-----",) * 4 + ("xxxxx",)), (1, ()), (1, ("X",) * 5), (2, "X")):
        yield call(build_board, *values[:at], wrong, *values[at + 1 :])
    for changes in (
        {"boards": ()},
        {"boards": (5, 5)},
        {"factories": ()},
        {"factories": ("X",) * 5},
        {"center": "F"},
        {"phase": "x"},
        {"current": 2},
        {"start": -1},
        {"bag": ()},
        {"discard": ("x",) * 5},
    ):
        yield call(azul_positions.replace_fields, OFFER, **changes)
    yield type(board)
    for place in ("f9", "p9w00", "x", 5):
        yield call(AZUL.put, OFFER, place, "B")
    for name in ("round", "center", "version", "scores", "score1"):
        for value in ("a/b", "x", ""):
            yield call(AZUL.with_field, OFFER, name, value)
    for text in ("deal", "deal#", "deal#x", "deal:", "deal:XXXX", "deal:BBBB|BBBB", "9B1", "cB9", "0X1", "-"):
        yield call(AZUL.read_move, OFFER, text)
    dealt = AzulState.example()
    yield call(dealt.deal, 5)
    yield call(dealt.deal, Random(1), 5)
    yield call(dealt.deal, None, ["B"])
    yield AzulState(deal=False).to_fen
    yield AzulState.example().end_round
    text = AZUL.write(OFFER)
    for given in ({"marker": 9}, {"marker": "x"}, {"bag": {"X": 1}}, {"bag": [1]}, {"discard": {"B": 99}}):
        yield call(AzulState.from_fen, text, **given)
    extended = dealt.to_fen(version=2)
    yield call(AzulState.from_fen, extended, marker=0)
    for form in (text_forms.decode_base64, text_forms.decompress):
        for wrapped in ("", "x", "base64_", "fenz_", "base64_!", "fenz_!", "fenz_abc"):
            yield call(form, wrapped)
    for place in ("", "x", "f", "f0", "f4.3", "c", "c.2", "p0", "p1f", "p0l4", "p1w00", "p1w44", "p0f6"):
        yield call(place_name, place)
    for level in ("x", None):
        yield call(AzulState.check_fen, text, level)


def _sheets() -> Iterator[Call]:
    """Games that are written as a sheet: hands that are full, nobody who may pass, what is exchanged."""
    shogi: Any = forsyth.game("shogi")
    xiangqi: Any = forsyth.game("xiangqi")
    for count in (30, 31):
        held = shogi.read(f"4k4/9/9/9/9/9/9/9/4K4 b {count}P 1").position
        yield call(_with_one_more, shogi, held)
    for text in ("3k5/3R5/9/9/9/9/9/9/9/4K4 b - - 0 1", "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1"):
        yield xiangqi.read(text).position.pass_turn
    yield shogi.read("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1").position.pass_turn
    yield xiangqi.read("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1").position.pass_turn
    for text in (f"4k4/9/9/9/9/9/9/9/R3K4 {side} - {full}" for side in "bw" for full in (1, 9998, 9999)):
        yield shogi.read(text).position.pass_turn
    for text in (f"3k5/9/9/9/4p4/4P4/9/9/R8/4K4 {side} - - 5 9" for side in "wb"):
        yield xiangqi.read(text).position.pass_turn
    yield call(str, xiangqi.parse("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 3 4").mirror())
    yield call(str, shogi.parse("4k4/9/9/9/9/9/9/9/R3K4 b 2Pb3p 1").mirror())
    for fields in ("3+3 0 1", "2+1 4 9", "1+3 0 1"):
        three: Any = forsyth.game("chess", "3check")
        yield call(
            lambda given: str(mirror_position(*given)),
            (three, three.parse(f"4k3/8/8/8/8/8/8/4K2R w K - {fields}")),
        )


def _with_one_more(game: Any, held: Any) -> str:
    return str(game.put(held, "P*", "P"))


_SOURCES: Final = (
    *(_texts, _positions, _pictures, _records, _stores),
    *(_chess, _cotulenh, _azul, _sheets),
)


def _shown(value: object) -> str:
    text = repr(value)
    if " at 0x" in text or "\n" in text or isinstance(value, ModuleType):
        return type(value).__name__
    return text if len(text) <= 60 else f"{text[:60]}…"


def _label(call: Any) -> str:
    done = getattr(call, "func", call)
    given = [_shown(one) for one in getattr(call, "args", ())]
    given += [f"{name}={_shown(value)}" for name, value in getattr(call, "keywords", {}).items()]
    return f"{done.__name__}({', '.join(given[:6])})"


def _said(call: Call) -> str:
    try:
        found = call()
    except Exception as error:
        details = [str(getattr(error, name)) for name in ("kind", "candidates") if hasattr(error, name)]
        return " | ".join([type(error).__name__, str(error), *details])
    return f"gives {_shown(found)}"


def told(sources: Iterable[Callable[[], Iterator[Call]]]) -> Iterator[str]:
    """Every call with what it is refused with, a line each."""
    for source in sources:
        for one in source():
            yield json.dumps([source.__name__[1:], _label(one), _said(one)])


def refusals() -> Iterator[str]:
    """The calls above."""
    return told(_SOURCES)


if __name__ == "__main__":
    FILE.write_text("\n".join(refusals()) + "\n", encoding="utf-8", newline="\n")
