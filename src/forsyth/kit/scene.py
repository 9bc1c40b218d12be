"""A position on a grid as a scene: the board, the men, and the hands at its side.

Accepts any position, legal or not. Marks and notes by square (``e4``) or, for men in hand, by their place
(``P*``, ``p*``); others are ignored. Writes the top rank of a text at the top, or all of it turned by half
when flipped, men that point somewhere among it. The description names every man with its square.
Limits: a hand shows each kind once, with its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from forsyth.kit.edit import hand_men, hand_place
from forsyth.kit.sheet import SIDES, Sheet
from forsyth.scene import Area, Caption, Cell, Mark, Scene, Stroke, Token, require_marks

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame
    from forsyth.kit.position import GridPosition

_LEFT: Final = 0.55
_TOP: Final = 0.25
_FOOT: Final = 1.15
"""Room below the board for the names of the files and one caption."""
_HAND_COLUMNS: Final = 2
_HAND_SCALE: Final = 0.8
_HAND_GAP: Final = 0.3
_TURNED: Final = " turned"
_MOST_TURNED: Final = 4096
"""Turned strokes that are kept: all of several games, whose outlines take long to turn."""
_PAIR: Final = re.compile(r"(-?[\d.]+) (-?[\d.]+)")


def scene(
    game: GridGame,
    position: GridPosition,
    *,
    marks: Mapping[str, Mark] | None = None,
    flip: bool = False,
    notes: Mapping[str, str] | None = None,
) -> Scene:
    """What to draw of a position as a game shows it; `marks` and `notes` say what to point out where."""
    require_marks(marks, notes)
    sheet = game.sheet
    marks, notes, flip = marks or {}, notes or {}, bool(flip)
    areas = [_board(game, position, marks, notes, flip)]
    width = _LEFT + len(sheet.files) + _TOP
    if sheet.has_hands:
        areas += [_hand(game, position, side, marks, notes, flip) for side in (1, 0)]
        width += _HAND_GAP + _HAND_COLUMNS * _HAND_SCALE
    turn = f"{sheet.sides[position.turn].name} to move"
    foot = _TOP + len(sheet.ranks) + 0.85
    return Scene(
        title=f"{sheet.title} position, {turn}",
        description=" ".join(_sentences(position, turn)),
        width=width,
        height=_TOP + len(sheet.ranks) + _FOOT,
        areas=tuple(areas),
        captions=(Caption(f"{turn} · move {position.full}", _LEFT, foot),),
        glyphs=glyphs(game),
        palette=sheet.look.palette,
    )


def glyphs(game: GridGame) -> Mapping[str, tuple[Stroke, ...]]:
    """The drawings of all men, and where they point somewhere those of men that are turned."""
    found = dict(game.sheet.look.glyphs[game.look])
    if game.sheet.look.pointed:
        found |= {
            f"{man}{_TURNED}": tuple(turned(stroke, 100, 100) for stroke in strokes)
            for man, strokes in found.items()
        }
    return found


@lru_cache(maxsize=_MOST_TURNED)
def turned(stroke: Stroke, width: float, height: float) -> Stroke:
    """A stroke turned by half in its box; its path has absolute pairs of numbers only."""
    path = _PAIR.sub(lambda pair: f"{width - float(pair[1]):g} {height - float(pair[2]):g}", stroke.path)
    return stroke._replace(path=path)


def token(game: GridGame, man: int, *, upside_down: bool = False, count: int = 1) -> Token:
    """A man as it is drawn, or so many alike in hand."""
    sheet = game.sheet
    side, kind, letters = sheet.side_of(man), sheet.kind_of(man), sheet.letters[man]
    text = kind.characters[side] if game.look != "letters" else ""
    owner = sheet.sides[side].name.lower()
    return Token(
        symbol=letters,
        owner=owner,
        glyph=f"{letters}{_TURNED}" if upside_down and sheet.look.pointed else letters,
        text=text or letters,
        label=f"{owner} {kind.name}",
        count=count,
        counter=True,
    )


def _board(
    game: GridGame, position: GridPosition, marks: Mapping[str, Mark], notes: Mapping[str, str], flip: bool
) -> Area:
    sheet = position.game.sheet
    width, height, look = len(sheet.files), len(sheet.ranks), sheet.look
    step = -1 if flip else 1
    shown = list(zip(sheet.squares, position.board, strict=True))[::step]
    cells = tuple(
        Cell(
            id=name,
            column=at % width,
            row=at // width,
            ground=look.grounds[(at // width + at % width) % 2],
            tokens=(token(game, man, upside_down=sheet.side_of(man) != flip),) if man else (),
            mark=marks.get(name),
            note=notes.get(name, ""),
        )
        for at, (name, man) in enumerate(shown)
    )
    turn = [turned(stroke, 100 * width, 100 * height) for stroke in look.map] if flip else look.map
    return Area(
        name="Board",
        columns=width,
        rows=height,
        cells=cells,
        x=_LEFT,
        y=_TOP,
        column_labels=tuple(sheet.files)[::step],
        row_labels=sheet.ranks[::step],
        map=tuple(turn),
        between=look.between,
    )


def _hand(
    game: GridGame,
    position: GridPosition,
    side: int,
    marks: Mapping[str, Mark],
    notes: Mapping[str, str],
    flip: bool,
) -> Area:
    """The men that a side has in hand, on its own side of the board."""
    sheet = position.game.sheet
    men = hand_men(sheet, side)
    rows = -(-len(men) // _HAND_COLUMNS)
    cells = []
    for at, man in enumerate(men):
        place, count = hand_place(sheet.letters[man]), position.hands[man - 1]
        shown = (token(game, man, upside_down=side != flip, count=count),) if count else ()
        cells.append(
            Cell(
                place,
                at % _HAND_COLUMNS,
                at // _HAND_COLUMNS,
                "hand",
                shown,
                marks.get(place),
                notes.get(place, ""),
            )
        )
    at_top = (side == 1) != flip
    right = 100 * _HAND_COLUMNS
    return Area(
        name=f"{sheet.sides[side].name}'s hand",
        columns=_HAND_COLUMNS,
        rows=rows,
        cells=tuple(cells),
        x=_LEFT + len(sheet.files) + _HAND_GAP,
        y=_TOP if at_top else _TOP + len(sheet.ranks) - rows * _HAND_SCALE,
        scale=_HAND_SCALE,
        map=(Stroke(f"M0 0L{right} 0L{right} {100 * rows}L0 {100 * rows}Z", "hand", "none"),),
    )


def _sentences(position: GridPosition, turn: str) -> Iterator[str]:
    sheet = position.game.sheet
    for side in SIDES:
        yield f"{sheet.sides[side].name}: {_men(position, side) or 'no men'}."
        if sheet.has_hands:
            held = [(man, position.hands[man - 1]) for man in hand_men(sheet, side)]
            words = ", ".join(_counted(sheet, man, count) for man, count in held if count)
            yield f"In {sheet.sides[side].name}'s hand: {words or 'nothing'}."
    clock = f"; plies since the last capture: {position.half}" if "half" in sheet.fields else ""
    yield f"{turn}, move {position.full}{clock}."


def _men(position: GridPosition, side: int) -> str:
    """One side's men with their squares, such as ``general e1, advisors d1 f1``."""
    sheet = position.game.sheet
    found = []
    for number, kind in enumerate(sheet.kinds):
        man = 1 + side * len(sheet.kinds) + number
        squares = [sheet.squares[at] for at, there in enumerate(position.board) if there == man]
        if squares:
            found.append(f"{kind.plural if len(squares) > 1 else kind.name} {' '.join(squares)}")
    return ", ".join(found)


def _counted(sheet: Sheet, man: int, count: int) -> str:
    kind = sheet.kind_of(man)
    return f"{count} {kind.plural if count > 1 else kind.name}"


def palette(game: GridGame) -> Scene:
    """The men of both sides, the first side's above the second's."""
    sheet = game.sheet
    many = len(sheet.kinds)
    names = ", ".join(kind.name for kind in sheet.kinds)
    return Scene(
        title=f"{sheet.title} men",
        description=f"Men to put on the board: {names} of both sides.",
        width=many + 0.4,
        height=2.5,
        areas=tuple(_strip(game, side, 0.2 + 1.1 * side) for side in SIDES),
        glyphs=glyphs(game),
        palette=sheet.look.palette,
    )


def _strip(game: GridGame, side: int, y: float) -> Area:
    sheet = game.sheet
    many = len(sheet.kinds)
    men = range(1 + side * many, 1 + (side + 1) * many)
    cells = tuple(
        Cell(sheet.letters[man], at, 0, "page", (token(game, man, upside_down=bool(side)),))
        for at, man in enumerate(men)
    )
    return Area(sheet.sides[side].name, many, 1, cells, x=0.2, y=y)
