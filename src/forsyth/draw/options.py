"""What can be drawn, and how: of what holds a position a scene is made, with everything asked for on it.

Accepts
    A position; a reading, whose findings are marked; a match; a record, of which the end is drawn; a node of
    one, whose arrows and circles are drawn; a board of a game's own class, such as `CoTuLenh`; or a `Scene`.
Writes
    A scene. Where a place has several reasons to be marked, a mark that was given comes first, then a
    finding, then check, then the last move.
Limits
    A bare scene is what a game made of a position: what only a position can answer (which way up, which
    look, who is in check) is refused, with the name of the option.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypedDict

from forsyth.abilities import drawn_as, on_board
from forsyth.arguments import require_choice, require_text, type_of
from forsyth.diagnostics import Diagnostic, Reading
from forsyth.draw.checked import checked_places
from forsyth.draw.findings import marks as finding_marks
from forsyth.draw.findings import notes as finding_notes
from forsyth.draw.pointers import (
    LETTERS,
    USUAL,
    ArrowLike,
    CircleLike,
    palette_of,
    read_arrows,
    read_circles,
    read_highlights,
)
from forsyth.game import Game
from forsyth.match import Match, Ply
from forsyth.registry import game as find_game
from forsyth.scene import LABELS, Area, Drawable, Labels, Mark, Scene, require_marks, scene_of

_NOTHING: Final = ((), (), ())
"""Neither highlights nor arrows nor circles."""
_EDGE: Final = 0.25
"""Room around a picture without labels beside it, in cells: what scenes leave at their right edge."""


class HasPosition(Protocol):
    """What holds a position, such as a reading, a match or a node of a record."""

    @property
    def position(self) -> Any:
        """The position, or None."""


class HasMatch(Protocol):
    """What can be played through, such as a record."""

    def match(self) -> Match:
        """All of it as a match."""


Subject = Drawable | HasPosition | HasMatch


class Options(TypedDict, total=False):
    """The options of `scene`, for the type checker."""

    flip: bool
    look: str | None
    board: str | None
    coordinates: Labels
    captions: bool
    marks: Mapping[str, Mark]
    notes: Mapping[str, str]
    highlights: Mapping[str, str] | Iterable[CircleLike]
    arrows: Iterable[ArrowLike]
    circles: Iterable[CircleLike]
    last: bool | Iterable[str]
    check: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A position with what is known around it."""

    game: Game
    position: Any
    findings: tuple[Diagnostic, ...] = ()
    last: Ply | None = None
    arrows: tuple[Any, ...] = ()
    circles: tuple[Any, ...] = ()


def scene(
    what: Subject,
    *,
    flip: bool = False,
    look: str | None = None,
    board: str | None = None,
    coordinates: Labels = "outside",
    captions: bool = True,
    marks: Mapping[str, Mark] | None = None,
    notes: Mapping[str, str] | None = None,
    highlights: Mapping[str, str] | Iterable[CircleLike] = (),
    arrows: Iterable[ArrowLike] = (),
    circles: Iterable[CircleLike] = (),
    last: bool | Iterable[str] = False,
    check: bool = False,
) -> Scene:
    """What to draw of a position, or of what holds one.

    `flip` shows it from the other side; `look` and `board` are a set of pieces and colours that the game has;
    `coordinates` are ``outside``, ``inside`` or ``none``; without `captions` there are no lines below the
    board. `marks` and `notes` are by place. `highlights`, `arrows` and `circles` are written ``e4:yellow``
    and ``e2e4:green``. `last` marks the last move of a match or node, or the squares that it names, and
    `check` who is in check. Raises `ValueError` for a value that does not exist.
    """
    require_choice("place of coordinates", coordinates, LABELS)
    shown = None if isinstance(what, Scene) else shown_of(what)
    if shown is None:
        found = scene_of(what)  # type: ignore[arg-type]
        asked = {"flip": flip, "look": look, "board": board, "marks": marks, "notes": notes}
        _refuse_without_position({**asked, "last": last, "check": check})
    else:
        require_marks(marks, notes)
        found = _scene_of(shown, flip, look, board, marks or {}, notes or {}, last, check)
    found = _drawn_on(found, shown, highlights, arrows, circles)
    return _framed(found, coordinates, captions)


def shown_of(what: Any) -> Shown | None:
    """The position in something, or None where there is a scene and no game."""
    if isinstance(what, Reading) and what.position is None:
        raise ValueError("the text could not be read, so there is no position to draw")
    findings = what.diagnostics if isinstance(what, Reading) else ()
    arrows, circles = getattr(what, "arrows", ()), getattr(what, "circles", ())
    if callable(getattr(what, "match", None)):
        what = what.match()
    position = getattr(what, "position", what)
    game = getattr(what, "game", None)
    if game is None or isinstance(game, str):
        # A reading has the name alone; its position knows the variant as well.
        game = getattr(position, "game", game)
    if game is None:
        return None
    played = what.history if isinstance(what, Match) else ()
    last = played[-1] if played else None
    return Shown(find_game(game), position, findings, last, arrows, circles)


def _refuse_without_position(asked: Mapping[str, Any]) -> None:
    for name, value in asked.items():
        if value:
            raise ValueError(f"{name} needs a position of a game; a scene is drawn as it is")


def _scene_of(
    shown: Shown,
    flip: bool,
    look: str | None,
    board: str | None,
    marks: Mapping[str, Mark],
    notes: Mapping[str, str],
    last: bool | Iterable[str],
    check: bool,
) -> Scene:
    game = drawn_as(shown.game, look)
    known: dict[str, Mark] = dict.fromkeys(_last_squares(shown, last), "last")
    if check:
        plain = game.scene(shown.position)
        known |= dict.fromkeys(checked_places(game, shown.position, plain), "check")
    known |= finding_marks(shown.findings)
    said = {**finding_notes(shown.findings), **notes}
    found = game.scene(shown.position, marks={**known, **marks}, flip=flip, notes=said)
    return on_board(game, found, board)


def _last_squares(shown: Shown, last: bool | Iterable[str]) -> Iterator[str]:
    if isinstance(last, str) or not isinstance(last, bool | Iterable):
        raise TypeError(f"last is True or the squares to mark, not {type_of(last)}")
    if not isinstance(last, bool):
        for square in last:
            require_text("a square to mark", square)
            yield square
    elif last and shown.last is not None:
        yield from squares_of(shown.game, shown.last)


def squares_of(game: Game, ply: Ply) -> Iterator[str]:
    """Where a move began and ended, as far as the game says it."""
    facts = game.describe_move(ply.before, ply.move)
    yield from (square for square in (facts.origin, facts.target) if square is not None)


def _drawn_on(
    scene: Scene,
    shown: Shown | None,
    highlights: Mapping[str, str] | Iterable[CircleLike],
    arrows: Iterable[ArrowLike],
    circles: Iterable[CircleLike],
) -> Scene:
    if (highlights, arrows, circles) == _NOTHING and (shown is None or not (shown.arrows or shown.circles)):
        return scene
    places = [cell.id for area in scene.areas for cell in area.cells]
    tints = read_highlights(highlights, places)
    pointers, rings = read_arrows(arrows, places), read_circles(circles, places)
    if shown is not None:
        there = set(places)
        # What a comment says of squares that no board has is no reason to draw nothing.
        said = [one for one in shown.arrows if {one.origin, one.target} <= there]
        pointers += read_arrows([(one.origin, one.target, _usual(one.colour)) for one in said], places)
        ringed = [one for one in shown.circles if one.square in there]
        rings += read_circles([(one.square, _usual(one.colour)) for one in ringed], places)
    if not (tints or pointers or rings):
        return scene
    roles = [*tints.values(), *(one.role for one in pointers), *(one.role for one in rings)]
    areas = tuple(_tinted(area, tints) for area in scene.areas)
    palette = {**scene.palette, **palette_of(roles)}
    return replace(scene, areas=areas, palette=palette, pointers=pointers, rings=rings)


def _usual(letter: str) -> str:
    """A letter of a record as the name of a colour; one that nobody agreed on is the usual colour."""
    return LETTERS.get(letter, USUAL)


def _tinted(area: Area, tints: Mapping[str, str]) -> Area:
    if not any(cell.id in tints for cell in area.cells):
        return area
    return replace(area, cells=tuple(replace(cell, tint=tints.get(cell.id, "")) for cell in area.cells))


# --- what is around the board ------------------------------------------------------------------------


def _framed(scene: Scene, coordinates: Labels, captions: bool) -> Scene:
    if not captions:
        scene = without_captions(scene)
    if coordinates == "outside":
        return scene
    areas = tuple(replace(area, labels=coordinates) for area in scene.areas)
    return _cropped(replace(scene, areas=areas))


def without_captions(scene: Scene) -> Scene:
    """A scene cropped to its areas: without the lines below them, and without the room for these."""
    tops = [caption.y - caption.size for caption in scene.captions]
    return replace(scene, captions=(), height=min([scene.height, *tops]))


def _cropped(scene: Scene) -> Scene:
    """A scene without the room that labels need beside the areas; what is beside them moves up."""
    if not scene.areas:
        return scene
    left = max(0.0, min(area.x - area.margin * area.scale for area in scene.areas) - _EDGE)
    bottom = max(area.y + (area.rows + area.margin) * area.scale for area in scene.areas)
    tops = [caption.y - caption.size for caption in scene.captions]
    raised = max(0.0, min(tops) - bottom - _EDGE) if tops else 0.0
    height = scene.height - raised if tops else min(scene.height, bottom + _EDGE)
    return replace(
        scene,
        width=scene.width - left,
        height=height,
        areas=tuple(replace(area, x=area.x - left) for area in scene.areas),
        captions=tuple(replace(one, x=one.x - left, y=one.y - raised) for one in scene.captions),
    )
