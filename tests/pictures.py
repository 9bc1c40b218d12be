"""The pictures that are kept line by line: tests/golden/pictures/README.md says what they hold.

`python -m tests.pictures` draws them anew, for a change of the look that is meant; look at them before they
are committed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final

from tests.whole_game import whole

import forsyth
from forsyth import draw
from forsyth.abilities import with_board_colours, with_look
from forsyth.scene import Area, Caption, Cell, Colour, Hatch, Mark, Scene, Stroke, Token

FOLDER: Final = Path(__file__).parent / "golden" / "pictures"
LOOKS: Final = FOLDER / "looks.txt"

_CRAZYHOUSE: Final = "r1bqk2r/ppp2ppp/2n5/3Q~4/1b2P3/2N2N2/PPP2PPP/R1B1KB1R[PNNpq] b KQkq - 0 9"
_COTULENH: Final = (
    "4h1c4/1(nfi)3(fti)2h2/3(ea)2+s2a1/2(n+f)1g2tg2/3e2+m2ei/2i2t1A3/"
    "2(+NFT)(TI)+I1g4/3(EG)2M2EI/5+T1TG2/3A2S2+A1/1N3H1HF2/5(HC)5 r - - 4 12"
)
_DEPLOYING: Final = "6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1 N>c6"
_MARKER: Final = (
    "v2/2/o/----|----|----|----|RRKW/K/B----|-----|-----|-----|-----/-|W-|---|----|-----/BBBBBBB+F/"
    "-----|-----|-----|-----|-----/-|--|---|----|-----/YYYYRR/0,17/1/1/0/12,16,16,18,18/1,0,0,0,0"
)
_MARKS: Final[Mapping[str, tuple[str, ...]]] = {
    "chess": ("e4", "d5", "c6", "b4", "f7"),
    "cotulenh": ("c6", "d6", "f4", "k8", "a1"),
    "azul": ("f4.2", "c.4", "p0w11", "p1f.5", "p0l3.3"),
    "xiangqi": ("g7", "e8", "c5", "e5", "i9"),
    "shogi": ("3d", "8f", "P*", "5e", "p*"),
}


def _position(game: str, text: str, *, variant: str = "auto", flip: bool = False) -> Scene:
    rules = forsyth.game(game).with_variant(variant)
    position = rules.parse(text, legality=False)
    kinds: tuple[Mark, ...] = ("error", "warning", "last", "target", "zone")
    marks = dict(zip(_MARKS.get(game, ()), kinds, strict=False))
    return rules.scene(position, marks=marks, flip=flip, notes=dict.fromkeys(marks, "A note"))


def _start(game: str, variant: str) -> Scene:
    rules = forsyth.game(game).with_variant(variant)
    return rules.scene(rules.parse(rules.start))


def _palette(game: str) -> Scene:
    rules = whole(game)
    return rules.palette(rules.parse(rules.start))


def _toy() -> Scene:
    """Everything that a scene can hold and no game needs at once."""
    tank = (
        Stroke("M20 40H80V70H20Z"),
        Stroke("M30 50H60", fill="none", line="owner", width=7),
        Stroke("M50 50H55V55Z", fill="owner-line", line="none", opacity=0.5),
        Stroke("M10 80H90", fill="water", line="outline", width=2.5),
    )
    one = Token("T", "red", "tank", "T", "red tank")
    many = Token("+T", "red", "none", "戦", "red wall", count=12, counter=True)
    tile = Token("S", "blue", "tank", "S", "blue tile", solid="◆", square=True)
    stacks = tuple(
        Cell(f"s{column}", column, 0, "land", (one, many, tile, one, one)[:column]) for column in range(6)
    )
    signs: tuple[tuple[Mark, tuple[Token, ...]], ...] = (
        ("error", ()),
        ("warning", (one,)),
        ("last", ()),
        ("target", (tile,)),
        ("target", (one,)),
        ("zone", ()),
    )
    marked = tuple(
        Cell(f"m{column}", column, 1, "land", tokens, mark) for column, (mark, tokens) in enumerate(signs)
    )
    covered = (
        Cell("h0", 0, 2, "water", hatches=(Hatch("red", "/"), Hatch("blue", "\\")), blank="~"),
        Cell("h1", 1, 2, "page", mark="last", print="tank"),
        Cell("h2", 2, 2, "water", mark="target", note='a "note" & more'),
    )
    board = Area(
        "Board",
        6,
        3,
        (*stacks, *marked, *covered),
        x=0.5,
        column_labels=tuple("abcdef"),
        row_labels=("3", "2", "1"),
    )
    map_ = Area(
        "Map",
        2,
        1,
        (Cell("p0", 0, 0, "land", (many,)), Cell("p1", 1, 0, "water")),
        x=7.25,
        y=0.5,
        scale=0.75,
        map=(Stroke("M-50 -50H250V150H-50Z", fill="water", line="none"),),
        margin=0.5,
        captions=(Caption("A map", 1, 1.4, anchor="middle", size=0.4),),
        between=(Cell("", 0, 0, "water", blank="~"), Cell("", 1, 0, "water", blank="~")),
    )
    framed = Area("Frame", 2, 1, (Cell("q0", 0, 0, "land"), Cell("q1", 1, 0, "land", (tile,))), x=7.25, y=2.5)
    return Scene(
        "Toy",
        "A toy.",
        10,
        4,
        (board, map_, framed),
        (Caption("Red to move", 0, 3.8), Caption("Move 3", 10, 3.8, anchor="end", role="red")),
        {"tank": tank},
        {
            "land": Colour("#e8e2d0", "#8a8577"),
            "water": Colour("#b8cfe0", "#4f6a80"),
            "red": Colour("#c0392b", "#7a1f14"),
            "red-line": Colour("#3a0f0a", "#ffffff"),
            "blue": Colour("#2b39c0", "#141f7a"),
            "outline": Colour("#222222", "#222222"),
        },
    )


SCENES: Final[Mapping[str, Callable[[], Scene]]] = {
    "toy": _toy,
    "chess": lambda: _position("chess", _CRAZYHOUSE, variant="crazyhouse"),
    "chess-flipped": lambda: _position("chess", forsyth.game("chess").start, flip=True),
    "chess-palette": lambda: _palette("chess"),
    "cotulenh": lambda: _position("cotulenh", _COTULENH),
    "cotulenh-flipped": lambda: _position("cotulenh", _DEPLOYING, flip=True),
    "cotulenh-palette": lambda: _palette("cotulenh"),
    "azul": lambda: _position("azul", forsyth.game("azul").names["midgame"]),
    "azul-marker": lambda: _position("azul", _MARKER, flip=True),
    "azul-three": lambda: _start("azul", "3-players"),
    "azul-four": lambda: _start("azul", "4-players"),
    "azul-palette": lambda: _palette("azul"),
    **{
        name: scene
        for game in ("xiangqi", "shogi")
        for name, scene in {
            game: partial(_position, game, whole(game).names["midgame"]),
            f"{game}-flipped": partial(_position, game, whole(game).names["midgame"], flip=True),
            f"{game}-palette": partial(_palette, game),
        }.items()
    },
}


def svg(name: str) -> str:
    """The picture of a scene for a page, in both themes."""
    return draw.svg(SCENES[name]())


def text(name: str) -> str:
    """The picture of a scene for a terminal: plain, in Unicode, with colours."""
    scene = SCENES[name]()
    plain = draw.text(scene, unicode=False)
    return f"{plain}\n\n{draw.text(scene)}\n\n{draw.text(scene, colour=True)}\n".replace("\x1b", "^[")


def looks() -> Iterator[str]:
    """The pictures of every look on every board, as digests, each a line."""
    for name in _MARKS:
        game: Any = whole(name)
        position = game.parse(game.names["midgame"])
        for look, board in product(game.looks, game.boards):
            drawn = draw.svg(with_board_colours(game, with_look(game, look).scene(position), board))
            digest = hashlib.sha256(drawn.encode()).hexdigest()[:24]
            yield f"{name} {look} {board} {len(drawn)} characters {digest}"


if __name__ == "__main__":
    LOOKS.write_text("\n".join(looks()) + "\n", encoding="utf-8", newline="\n")
    for each in SCENES:
        (FOLDER / f"{each}.svg").write_text(svg(each), encoding="utf-8", newline="\n")
        (FOLDER / f"{each}.txt").write_text(text(each), encoding="utf-8", newline="\n")
