"""The options of a drawing: `scene` returns the scene of a position with everything that the options add.

Input: a position; a reading, whose findings are marked; a match; a record, whose last position is drawn; a
node of a record, whose arrows and circles are drawn; a board of a game's own class, such as `CoTuLenh`; or a
`Scene`.

If a place has several marks, one is drawn: a mark of the caller, else that of a finding, else check, else the
last move.

Limits: a `Scene` contains no position. The options that need one (`flip`, `look`, `board`, `marks`, `notes`,
`last` and `check`) therefore raise `ValueError` for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypedDict

from forsyth.abilities import with_board_colours, with_look
from forsyth.arguments import describe_unknown_option, require_choice, require_text, type_name
from forsyth.diagnostics import Diagnostic, Reading
from forsyth.draw.checked_places import find_checked_places
from forsyth.draw.findings import make_finding_marks, make_finding_notes
from forsyth.draw.pointers import (
    COLOUR_LETTERS,
    DEFAULT_COLOUR,
    ArrowLike,
    CircleLike,
    make_palette,
    read_arrows,
    read_circles,
    read_highlights,
)
from forsyth.game import Game
from forsyth.match import Match, Ply
from forsyth.registry import game as find_game
from forsyth.scene import (
    LABELS,
    Area,
    Drawable,
    Labels,
    Mark,
    Pointer,
    Ring,
    Scene,
    require_marks,
    to_scene,
)

_NO_DRAWINGS: Final = ((), (), ())
"""The default values of highlights, arrows and circles."""
_EDGE_WIDTH: Final = 0.25
"""Space around a picture without outside labels, in cells. Scenes have the same space at their right edge."""


class HasPosition(Protocol):
    """An object with a position, such as a reading, a match or a node of a record."""

    @property
    def position(self) -> Any:
        """The position, or None."""


class HasMatch(Protocol):
    """An object with moves that can be played, such as a record."""

    def match(self) -> Match:
        """Return a match with all moves played."""


Subject = Drawable | HasPosition | HasMatch
"""Everything that can be drawn."""


class SceneOptions(TypedDict, total=False):
    """The keyword arguments of `scene`, for type checkers."""

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
class DrawnPosition:
    """A position to draw, and the facts about it that a drawing can show."""

    game: Game
    position: Any
    findings: tuple[Diagnostic, ...] = ()
    last_ply: Ply | None = None
    """The last move of a match, or None."""
    arrows: tuple[Any, ...] = ()
    """The arrows in the comment of a node of a record."""
    circles: tuple[Any, ...] = ()
    """The circles in the comment of a node of a record."""


def scene(
    subject: Subject,
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
    """Return the scene (a description of what to draw) of a position, with all that the options add.

    Args:
        subject: A position, reading, match, record, node of a record, or scene.
        flip: Show the position from the other side.
        look: The set of piece drawings, one that the game has. None selects its default.
        board: The colour scheme of the board, one that the game has. None selects its default.
        coordinates: The place of row and column labels: ``outside``, ``inside`` or ``none``.
        captions: Whether to show the lines of text below the board.
        marks: The mark of each place, such as ``{"e4": "error"}``.
        notes: The tooltip of each place.
        highlights: Places to tint, such as ``e4:yellow``, or a mapping from places to colours.
        arrows: Arrows such as ``e2e4:green``.
        circles: Circles such as ``e4:green``.
        last: True to mark the last move of a match, record or node, or the squares to mark.
        check: Whether to mark the pieces that are in check.

    Raises:
        TypeError: If `subject` cannot be drawn, or an argument has the wrong type.
        ValueError: If an argument has an unknown value, or if `subject` is a scene and an option needs a
            position.
    """
    require_choice("place of coordinates", coordinates, LABELS)
    drawn = None if isinstance(subject, Scene) else find_position(subject)
    if drawn is None:
        base_scene = to_scene(subject)  # type: ignore[arg-type]
        _reject_position_options(
            flip=flip, look=look, board=board, marks=marks, notes=notes, last=last, check=check
        )
    else:
        require_marks(marks, notes)
        base_scene = _build_scene(
            drawn,
            flip=flip,
            look=look,
            board=board,
            marks=marks or {},
            notes=notes or {},
            last=last,
            check=check,
        )
    scene_with_drawings = _add_drawings(base_scene, drawn, highlights, arrows, circles)
    return _arrange_labels(scene_with_drawings, coordinates, captions)


def scene_for(function_name: str, subject: Subject, options: SceneOptions) -> Scene:
    """Return the scene of `subject` with the options that the user passed to another function.

    Raise what `scene` raises. A `TypeError` about an unknown option names the function `function_name`.
    """
    require_scene_options(function_name, options)
    return scene(subject, **options)


def require_scene_options(function_name: str, options: SceneOptions) -> None:
    """Raise `TypeError` if `options`, passed to a function such as ``svg``, has an unknown option."""
    message = describe_unknown_option(f"draw.{function_name}", options, SceneOptions.__optional_keys__)
    if message is not None:
        raise TypeError(message)


def find_position(subject: Any) -> DrawnPosition | None:
    """Return the position that `subject` contains, with its game, or None if it has no game, such as a scene.

    The result also has the findings of a reading, the last move of a match or record, and the arrows and
    circles in the comment of a node of a record. Raise `ValueError` if `subject` is a reading whose text
    could not be read.
    """
    if isinstance(subject, Reading) and subject.position is None:
        raise ValueError(
            "the text could not be read, so it has no position to draw; the diagnostics of the reading "
            "give the reasons"
        )
    findings = subject.diagnostics if isinstance(subject, Reading) else ()
    arrows = getattr(subject, "arrows", ())
    circles = getattr(subject, "circles", ())
    # A record, and a node of a record, has a method that plays its moves.
    source = subject.match() if callable(getattr(subject, "match", None)) else subject
    position = getattr(source, "position", source)
    game = getattr(source, "game", None)
    if game is None or isinstance(game, str):
        # A reading has only the name of its game, but the game of its position is in the right variant.
        game = getattr(position, "game", game)
    if game is None:
        return None
    plies = source.history if isinstance(source, Match) else ()
    last_ply = plies[-1] if plies else None
    return DrawnPosition(find_game(game), position, findings, last_ply, arrows, circles)


def _reject_position_options(**options: object) -> None:
    """Raise `ValueError` if one of the options is set.

    Each of them, such as `flip`, needs a position, but the caller draws a scene without one.
    """
    for name, value in options.items():
        if value:
            raise ValueError(f"{name} needs a position, but a scene contains none; draw the position instead")


def _build_scene(
    drawn: DrawnPosition,
    *,
    flip: bool,
    look: str | None,
    board: str | None,
    marks: Mapping[str, Mark],
    notes: Mapping[str, str],
    last: bool | Iterable[str],
    check: bool,
) -> Scene:
    """Return the scene of a position with all marks and notes.

    Each square has at most one mark: that of the caller, else that of an error or warning, else check, else
    the last move. The parameters after `drawn` are options of `forsyth.draw.scene`.
    """
    game = with_look(drawn.game, look)
    # Each later mark of a square replaces an earlier one.
    all_marks: dict[str, Mark] = dict.fromkeys(_list_last_move_squares(drawn, last), "last")
    if check:
        unmarked_scene = game.scene(drawn.position)
        checked_places = find_checked_places(game, drawn.position, unmarked_scene)
        all_marks |= dict.fromkeys(checked_places, "check")
    all_marks |= make_finding_marks(drawn.findings)
    all_marks |= marks
    all_notes = {**make_finding_notes(drawn.findings), **notes}
    marked_scene = game.scene(drawn.position, marks=all_marks, flip=flip, notes=all_notes)
    return with_board_colours(game, marked_scene, board)


def _list_last_move_squares(drawn: DrawnPosition, last: bool | Iterable[str]) -> Iterator[str]:
    """Yield the squares to mark as the last move.

    If `last` is True, these are the origin and target of the last move of a match. If `last` is False, there
    are none. Otherwise `last` is a list of the squares. Raise `TypeError` if it has another type.
    """
    if isinstance(last, str) or not isinstance(last, bool | Iterable):
        raise TypeError(f"last is of type {type_name(last)}, expected True or the squares to mark in a list")
    if not isinstance(last, bool):
        for square in last:
            require_text("a square to mark", square)
            yield square
    elif last and drawn.last_ply is not None:
        yield from list_move_squares(drawn.game, drawn.last_ply)


def list_move_squares(game: Game, ply: Ply) -> Iterator[str]:
    """Yield the origin and the target of a move, such as ``e2`` and ``e4``.

    A square that the move does not have is left out: a piece that is dropped from a hand has no origin.
    """
    move_facts = game.describe_move(ply.before, ply.move)
    for square in (move_facts.origin, move_facts.target):
        if square is not None:
            yield square


def _add_drawings(
    scene: Scene,
    drawn: DrawnPosition | None,
    highlights: Mapping[str, str] | Iterable[CircleLike],
    arrows: Iterable[ArrowLike],
    circles: Iterable[CircleLike],
) -> Scene:
    """Return the scene with highlights, arrows and circles.

    Those of the options come first. Those in the comment of a node of a record follow, except where the
    picture lacks a square. Raise `ValueError` if an option names a square that the picture lacks.

    Args:
        scene: The scene without them.
        drawn: The position to draw, which can have a comment. None if a scene is drawn.
        highlights: The option `highlights` of `forsyth.draw.scene`.
        arrows: The option `arrows`.
        circles: The option `circles`.
    """
    has_node_drawings = drawn is not None and bool(drawn.arrows or drawn.circles)
    has_drawing_options = (highlights, arrows, circles) != _NO_DRAWINGS
    if not has_drawing_options and not has_node_drawings:
        return scene
    places = [cell.id for area in scene.areas for cell in area.cells]
    tints = read_highlights(highlights, places)
    pointers = read_arrows(arrows, places)
    rings = read_circles(circles, places)
    if drawn is not None:
        pointers += _read_node_arrows(drawn, places)
        rings += _read_node_circles(drawn, places)
    if not (tints or pointers or rings):
        return scene
    roles = [*tints.values(), *(pointer.role for pointer in pointers), *(ring.role for ring in rings)]
    areas = tuple(_tint_area(area, tints) for area in scene.areas)
    palette = {**scene.palette, **make_palette(roles)}
    return replace(scene, areas=areas, palette=palette, pointers=pointers, rings=rings)


def _read_node_arrows(drawn: DrawnPosition, places: list[str]) -> tuple[Pointer, ...]:
    """Return the arrows in the comment of a node of a record, without those that the picture cannot show.

    `places` are the ids of all cells of the picture.
    """
    known_places = set(places)
    arrows = [
        (arrow.origin, arrow.target, _get_colour_name(arrow.colour))
        for arrow in drawn.arrows
        if arrow.origin in known_places and arrow.target in known_places
    ]
    return read_arrows(arrows, places)


def _read_node_circles(drawn: DrawnPosition, places: list[str]) -> tuple[Ring, ...]:
    """Return the circles in the comment of a node of a record, without those that the picture cannot show.

    `places` are the ids of all cells of the picture.
    """
    known_places = set(places)
    circles = [
        (circle.square, _get_colour_name(circle.colour))
        for circle in drawn.circles
        if circle.square in known_places
    ]
    return read_circles(circles, places)


def _get_colour_name(letter: str) -> str:
    """Return the name of the colour that a letter stands for in a record: ``red`` for ``R``.

    An unknown letter stands for the default colour of arrows.
    """
    return COLOUR_LETTERS.get(letter, DEFAULT_COLOUR)


def _tint_area(area: Area, tints: Mapping[str, str]) -> Area:
    """Return the area with some of its cells highlighted, or the same object if none of them is.

    `tints` maps the id of each highlighted cell to the palette role of its colour, such as ``drawn-yellow``.
    """
    if not any(cell.id in tints for cell in area.cells):
        return area
    tinted_cells = tuple(replace(cell, tint=tints.get(cell.id, "")) for cell in area.cells)
    return replace(area, cells=tinted_cells)


# --- labels and captions -------------------------------------------------------------------------------


def _arrange_labels(scene: Scene, coordinates: Labels, captions: bool) -> Scene:
    """Return the scene with its row and column labels in another place.

    `coordinates` is ``outside``, ``inside`` or ``none``. Labels that are not outside need no space beside the
    board, so that space is cropped. If `captions` is False, the lines of text below the board are removed.
    """
    captioned_scene = scene if captions else remove_captions(scene)
    if coordinates == "outside":
        return captioned_scene
    areas = tuple(replace(area, labels=coordinates) for area in captioned_scene.areas)
    return _crop_label_space(replace(captioned_scene, areas=areas))


def remove_captions(scene: Scene) -> Scene:
    """Return the scene without the lines of text below its board, and without the space for these lines."""
    height = min([scene.height, *_list_caption_tops(scene)])
    return replace(scene, captions=(), height=height)


def _list_caption_tops(scene: Scene) -> list[float]:
    """Return the distance of the upper edge of each caption from the top of the scene, in cells."""
    # The y of a caption is that of its baseline.
    return [caption.y - caption.size for caption in scene.captions]


def _crop_label_space(scene: Scene) -> Scene:
    """Return the scene without the space for labels beside and below its areas.

    Areas and captions move to the left, and captions also move up, so that only a small edge remains.
    """
    if not scene.areas:
        return scene
    areas_left = min(area.x - area.margin * area.scale for area in scene.areas)
    areas_bottom = max(area.y + (area.rows + area.margin) * area.scale for area in scene.areas)
    caption_tops = _list_caption_tops(scene)

    # How far areas and captions move to the left, and captions move up.
    shift_left = max(0.0, areas_left - _EDGE_WIDTH)
    shift_up = 0.0
    height = min(scene.height, areas_bottom + _EDGE_WIDTH)
    if caption_tops:
        shift_up = max(0.0, min(caption_tops) - areas_bottom - _EDGE_WIDTH)
        height = scene.height - shift_up
    areas = [replace(area, x=area.x - shift_left) for area in scene.areas]
    captions = [
        replace(caption, x=caption.x - shift_left, y=caption.y - shift_up) for caption in scene.captions
    ]
    return replace(
        scene,
        width=scene.width - shift_left,
        height=height,
        areas=tuple(areas),
        captions=tuple(captions),
    )
