"""A line of moves as one SVG that moves by itself, without a script.

Accepts
    What was played: a match, a record, a node of one, with the moves that lead there. Or a position, reading
    or match and the `moves` from there on, as texts: a list, or one text with blanks between them, in which
    move numbers are passed over. The options of `scene` are those of every frame.
Writes
    A picture that shows the position after each move for `seconds`, the last one for longer, and begins
    again. Men slide from where a move began to where it ended. It is moved by its style sheet: where motion
    is not wanted (``prefers-reduced-motion``), and where a viewer knows no animation, the end of the line is
    a still picture.
Limits
    At most `MOST_MOVES` moves, each for `SHORTEST` to `LONGEST` seconds. A move that is not legal raises
    `MoveError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from forsyth.arguments import quoted, require_choice, several, type_of, whole_number
from forsyth.draw.film import TOKENS, Film, Key, Run, film, timed
from forsyth.draw.markup import PREFIX, short
from forsyth.draw.options import scene as dressed
from forsyth.draw.options import shown_of, squares_of
from forsyth.draw.overlays import Spot, spots
from forsyth.draw.svg import LARGEST, SIZE, SMALLEST, THEMES, Theme, document
from forsyth.match import Match

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.draw.options import Options, Subject
    from forsyth.scene import Scene

MOST_MOVES: Final = 600
"""Longest line that is drawn: longer than nearly every game; the picture is a few megabytes then."""
SHORTEST: Final = 0.1
LONGEST: Final = 60.0
SECONDS: Final = 1.0

LAST: Final = 2
"""How many times longer the last position is shown."""
_SLIDE: Final = 0.35
"""The part of its time that a man slides."""
_NUMBER: Final = re.compile(r"[0-9]+\.+")


def animation(
    what: Subject,
    moves: Iterable[str] | str = (),
    *,
    seconds: float = SECONDS,
    size: int = SIZE,
    theme: Theme = "auto",
    **how: Unpack[Options],
) -> str:
    """A line of moves as an SVG document `size` pixels wide that shows one position after the other.

    The other options are those of `forsyth.draw.scene`; the last move is marked unless `last` says otherwise.
    """
    size = whole_number("the size", size, SMALLEST, LARGEST)
    require_choice("theme", theme, THEMES)
    seconds = duration(seconds)
    match = played(what, moves)
    scenes = frames(match, **how)
    reel = film(scenes)
    slides = _slides(match, scenes)
    last = len(scenes) - 1

    def wrap(key: Key, run: Run) -> str:
        slide = slides.get(run.first) if key.layer == TOKENS else None
        names = f"{PREFIX}f{run.first}-{run.end}"
        if slide is not None and slide[0] == key.place:
            markup = f'<g class="{PREFIX}m{run.first}">{run.markup}</g>'
            return timed(run._replace(markup=markup), last, f' class="{names}"')
        return timed(run, last, f' class="{names}"')

    body = reel.body(wrap)
    title = f"{reel.scene.title}; {last} move{'' if last == 1 else 's'} played"
    scene = replace(reel.scene, title=title)
    return document(scene, body, reel.sheet, size, theme, _motion(reel, slides, seconds))


def played(what: Any, moves: Iterable[str] | str = ()) -> Match:
    """What was played, and further moves, as one match; raises `MoveError`, `ValueError` and `TypeError`."""
    shown = None if what is None or isinstance(what, str) else shown_of(what)
    if shown is None:
        raise TypeError(f"a position, match or record is expected, not {type_of(what)}")
    match = what.match() if callable(getattr(what, "match", None)) else what
    match = match.copy() if isinstance(match, Match) else Match(shown.game, shown.position)
    further = split_moves(moves) if isinstance(moves, str) else several("the moves", moves, "texts")
    if len(match) + len(further) > MOST_MOVES:
        raise ValueError(f"a line of {len(match) + len(further)} moves is too long, expected {MOST_MOVES}")
    for move in further:
        match.play_recorded(move)
    return match


def split_moves(text: str) -> list[str]:
    """The moves of a text with blanks between them, without move numbers."""
    return _NUMBER.sub(" ", text).split()


def frames(match: Match, **how: Unpack[Options]) -> list[Scene]:
    """The scene of every position of a match, the start first; each marks the move that led to it."""
    marked = how.get("last", True)
    how["last"] = False
    scenes = [dressed(Match(match.game, match.start), **how)]
    for ply in match:
        how["last"] = tuple(squares_of(match.game, ply)) if marked is True else marked
        scenes.append(dressed(Match(match.game, ply.after), **how))
    return scenes


def duration(seconds: float) -> float:
    """The time of a move; raises `ValueError` where it is out of bounds."""
    if not isinstance(seconds, int | float) or not SHORTEST <= seconds <= LONGEST:
        raise ValueError(
            f"the time of a move is {quoted(seconds)}, expected {SHORTEST} to {LONGEST:g} seconds"
        )
    return seconds


def _slides(match: Match, scenes: list[Scene]) -> dict[int, tuple[str, float, float]]:
    """For frames that a move leads to: the place where it ends, and how far from there it began."""
    found = {}
    for number, ply in enumerate(match, start=1):
        squares = tuple(squares_of(match.game, ply))
        where = spots(scenes[number])
        if len(squares) == 2 and all(square in where for square in squares):
            found[number] = (squares[1], *_way(where[squares[0]], where[squares[1]]))
    return found


def _way(origin: Spot, target: Spot) -> tuple[float, float]:
    return (origin.x - target.x) / target.scale, (origin.y - target.y) / target.scale


def _motion(reel: Film, slides: dict[int, tuple[str, float, float]], seconds: float) -> str:
    """The rules that show each part in its time, for viewers who want motion."""
    whole = reel.frames - 1 + LAST
    times = sorted({run[:2] for runs in reel.parts.values() for run in runs} - {(0, reel.frames)})

    def at(frame: float) -> str:
        return f"{short(100 * (whole if frame >= reel.frames else frame) / whole)}%"

    keyframes, rules = [], []
    for first, end in times:
        name = f"{PREFIX}f{first}-{end}"
        hidden = "" if first == 0 else "0%{visibility:hidden}"
        gone = "" if end >= reel.frames else f"{at(end)},100%{{visibility:hidden}}"
        keyframes.append(f"@keyframes {name}{{{hidden}{at(first)}{{visibility:visible}}{gone}}}")
        rules.append(f".{name}{{animation:{name} {short(whole * seconds)}s step-end infinite}}")
    for first, (_, x, y) in slides.items():
        name = f"{PREFIX}m{first}"
        away = f"0%,{at(first)}{{transform:translate({short(x)}px,{short(y)}px)}}"
        keyframes.append(f"@keyframes {name}{{{away}{at(first + _SLIDE)},100%{{transform:none}}}}")
        rules.append(f".{name}{{animation:{name} {short(whole * seconds)}s ease-in-out infinite}}")
    return f"{''.join(keyframes)}@media(prefers-reduced-motion:no-preference){{{''.join(rules)}}}"
