"""A sequence of moves as one animated SVG without a script.

Input: a match, a record, or a node of a record, which stands for the moves that lead to it. Or a position,
reading or match, and further `moves`: a list of texts, or one text with blanks between the moves, whose move
numbers are ignored. The options of `scene` apply to every frame.

Output: a picture that shows the position after each move for `seconds`, shows the last position longer, and
starts again. Pieces slide from the origin of a move to its target. The animation is written as CSS. A viewer
that prefers reduced motion (``prefers-reduced-motion``) or supports no animation shows the last position.

Limits: at most `MAX_ANIMATED_MOVES` moves, each shown for `MIN_SECONDS` to `MAX_SECONDS`. An illegal move
raises `MoveError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from forsyth.arguments import quoted, require_choice, require_integer, to_tuple, type_name
from forsyth.draw.film import Film, Layer, PartKey, PartRun, build_film, timed_group
from forsyth.draw.markup import PREFIX, format_number
from forsyth.draw.options import find_position, list_move_squares, require_scene_options
from forsyth.draw.options import scene as build_scene
from forsyth.draw.overlays import find_cell_centres
from forsyth.draw.svg import DEFAULT_SIZE, MAX_SIZE, MIN_SIZE, THEMES, Svg, Theme, write_document
from forsyth.match import Match

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.draw.options import SceneOptions, Subject
    from forsyth.scene import Scene

MAX_ANIMATED_MOVES: Final = 600
"""Maximum number of moves in an animation. Nearly every game has fewer, and the SVG has a few megabytes."""
MIN_SECONDS: Final = 0.1
"""Minimum time of a move."""
MAX_SECONDS: Final = 60.0
"""Maximum time of a move."""
DEFAULT_SECONDS: Final = 1.0
"""Default time of a move."""

LAST_FRAME_FACTOR: Final = 2
"""The last position is shown this many times as long as the others."""
_SLIDE_SHARE: Final = 0.35
"""The share of a move's time in which the piece slides."""
_MOVE_NUMBER: Final = re.compile(r"[0-9]+\.+")


class _Slide(NamedTuple):
    """The movement of a piece in the animation, from the origin of its move to the target."""

    target: str
    """The id of the target cell, such as ``e4``."""
    x: float
    y: float
    """The distance from the target to the origin, to the right (x) and down (y): 100 units are one cell."""


def animation(
    subject: Subject,
    moves: Iterable[str] | str = (),
    *,
    seconds: float = DEFAULT_SECONDS,
    size: int = DEFAULT_SIZE,
    theme: Theme = "auto",
    **options: Unpack[SceneOptions],
) -> Svg:
    """Draw a sequence of moves, and return an animated SVG that shows one position after the other.

    A notebook displays the result as a picture.

    Args:
        subject: A position, reading, match, record or node of a record. The moves of a match or record are
            shown first.
        moves: Further moves, as texts or as one text with blanks between them.
        seconds: Time for which the position after each move is shown.
        size: Width of the picture in pixels.
        theme: The colours: ``light``, ``dark``, or ``auto`` for those of the page.
        **options: The options of `forsyth.draw.scene`. Each frame marks its last move unless `last` is given.

    Raises:
        MoveError: If a move is not legal.
        TypeError: If `subject` contains no position of a game, such as a scene.
        ValueError: If an argument has an unknown value, or there are more than `MAX_ANIMATED_MOVES` moves.
    """
    require_scene_options("animation", options)
    size = require_integer("the size", size, MIN_SIZE, MAX_SIZE)
    require_choice("theme", theme, THEMES)
    seconds = require_duration(seconds)
    match = match_to_animate(subject, moves)
    scenes = build_frame_scenes(match, **options)
    film = build_film(scenes)
    slides = _find_slides(match, scenes)
    last_frame = len(scenes) - 1

    body = film.write_body(lambda key, run: _write_moving_part(key, run, slides, last_frame))
    # Frame 0 shows the start, so the number of the last frame is the number of moves.
    moves_played = "1 move" if last_frame == 1 else f"{last_frame} moves"
    scene = replace(film.scene, title=f"{film.scene.title}; {moves_played} played")
    motion_rules = _write_motion_rules(film, slides, seconds)
    return Svg(write_document(scene, body, film.sheet, size, theme, motion_rules))


def _write_moving_part(key: PartKey, run: PartRun, slides: dict[int, _Slide], last_frame: int) -> str:
    """Return the SVG group of a part of the picture, such as a piece, for some of the frames.

    Its CSS class makes it visible in these frames. A piece that has just been moved there is also put into
    another group, whose class lets it slide from the origin of the move.

    Args:
        key: The identity of the part: its layer and its place.
        run: The frames that show the part, and its SVG in these frames.
        slides: The slides of pieces, by the number of the frame in which they begin.
        last_frame: The number of the last frame.
    """
    slide = slides.get(run.first)
    is_moved_piece = key.layer is Layer.TOKENS and slide is not None and slide.target == key.place
    markup = run.markup
    if is_moved_piece:
        markup = f'<g class="{_make_slide_class(run.first)}">{markup}</g>'
    class_attribute = f' class="{_make_run_class(run.first, run.end)}"'
    return timed_group(run._replace(markup=markup), visible_frame=last_frame, attributes=class_attribute)


def match_to_animate(subject: Any, moves: Iterable[str] | str = ()) -> Match:
    """Return a new match with the moves of `subject`, followed by `moves`. `subject` is not changed.

    Args:
        subject: A match, a record or a node of a record. Or a position or reading, where the match starts.
        moves: Texts of moves, or one text with blanks between the moves.

    Raises:
        MoveError: If a move is not legal.
        TypeError: If `subject` has no position of a game.
        ValueError: If the text of `subject` could not be read, or there are too many moves.
    """
    can_have_position = subject is not None and not isinstance(subject, str)
    drawn_position = find_position(subject) if can_have_position else None
    if drawn_position is None:
        raise TypeError(f"a position, match or record is expected, not {type_name(subject)}")
    # A record, and a node of a record, has a method that plays its moves.
    source = subject.match() if callable(getattr(subject, "match", None)) else subject
    if isinstance(source, Match):
        match = source.copy()
    else:
        match = Match(drawn_position.game, drawn_position.position)

    further_moves = split_moves(moves) if isinstance(moves, str) else to_tuple("the moves", moves, "texts")
    move_count = len(match) + len(further_moves)
    if move_count > MAX_ANIMATED_MOVES:
        raise ValueError(f"there are {move_count} moves to animate, expected at most {MAX_ANIMATED_MOVES}")
    for move in further_moves:
        match.play_recorded(move)
    return match


def split_moves(text: str) -> list[str]:
    """Split a text at its blanks into moves, and leave out move numbers.

    ``"1. e4 e5 2. Nf3"`` gives ``["e4", "e5", "Nf3"]``.
    """
    return _MOVE_NUMBER.sub(" ", text).split()


def build_frame_scenes(match: Match, **options: Unpack[SceneOptions]) -> list[Scene]:
    """Return one scene for each position of a match: its start, then the position after each move.

    `options` are those of `forsyth.draw.scene`. The squares of the move that led to a position are marked,
    unless the option `last` is False or names other squares.
    """
    last_option = options.get("last", True)
    # No move leads to the start.
    options["last"] = False
    scenes = [build_scene(Match(match.game, match.start), **options)]
    for ply in match:
        # Each frame is drawn from a match without moves, so the squares of the move are passed.
        options["last"] = tuple(list_move_squares(match.game, ply)) if last_option is True else last_option
        scenes.append(build_scene(Match(match.game, ply.after), **options))
    return scenes


def require_duration(seconds: float) -> float:
    """Return `seconds`, the time of one move, unchanged.

    Raise `ValueError` if it is not a number from `MIN_SECONDS` to `MAX_SECONDS` (0.1 to 60).
    """
    is_number = isinstance(seconds, int | float)
    if not is_number or not MIN_SECONDS <= seconds <= MAX_SECONDS:
        raise ValueError(
            f"the time of a move is {quoted(seconds)}, expected {MIN_SECONDS} to {MAX_SECONDS:g} seconds"
        )
    return seconds


def _find_slides(match: Match, scenes: list[Scene]) -> dict[int, _Slide]:
    """Return the slide of the piece in each move, by the number of the frame in which the slide begins.

    Frame 0 shows the start, frame 1 the position after the first move. A move whose origin or target is not
    in the picture, such as a drop, has no slide.

    Args:
        match: The match with the moves.
        scenes: The scene of each frame.
    """
    slides = {}
    for frame, ply in enumerate(match, start=1):
        squares = tuple(list_move_squares(match.game, ply))
        centres = find_cell_centres(scenes[frame])
        has_origin_and_target = len(squares) == 2 and all(square in centres for square in squares)
        if not has_origin_and_target:
            continue
        origin_square, target_square = squares
        origin, target = centres[origin_square], centres[target_square]
        # The piece is drawn in the group of the target's area, which has a scale of its own.
        x = (origin.x - target.x) / target.scale
        y = (origin.y - target.y) / target.scale
        slides[frame] = _Slide(target_square, x, y)
    return slides


def _make_run_class(first_frame: int, end_frame: int) -> str:
    """Return the CSS class of all parts that are visible from `first_frame` to before `end_frame`.

    For the frames 3 and 4, it is ``f3-5`` after the prefix that all class names in the picture have.
    """
    return f"{PREFIX}f{first_frame}-{end_frame}"


def _make_slide_class(frame: int) -> str:
    """Return the CSS class of the piece that slides at the beginning of a frame.

    For frame 3, it is ``m3`` after the prefix that all class names in the picture have.
    """
    return f"{PREFIX}m{frame}"


def _write_motion_rules(film: Film, slides: dict[int, _Slide], seconds: float) -> str:
    """Return the CSS rules that show each part of the picture in its frames and slide the pieces.

    The rules apply only if the viewer does not prefer reduced motion.

    Args:
        film: The parts of the picture, each with the frames that show it.
        slides: The slides of pieces, by frame number.
        seconds: Time for which each frame is shown; the last one for `LAST_FRAME_FACTOR` times as long.
    """
    # The last frame counts several times, because it is shown longer.
    total_frames = film.frame_count - 1 + LAST_FRAME_FACTOR
    duration = format_number(total_frames * seconds)
    keyframes = []
    rules = []
    # The keyframes of a class have the name of the class.
    for first_frame, end_frame in _list_visible_spans(film):
        name = _make_run_class(first_frame, end_frame)
        keyframes.append(_write_visibility_keyframes(name, first_frame, end_frame, film.frame_count))
        rules.append(f".{name}{{animation:{name} {duration}s step-end infinite}}")
    for frame, slide in slides.items():
        name = _make_slide_class(frame)
        keyframes.append(_write_slide_keyframes(name, frame, slide, film.frame_count))
        rules.append(f".{name}{{animation:{name} {duration}s ease-in-out infinite}}")
    return f"{''.join(keyframes)}@media(prefers-reduced-motion:no-preference){{{''.join(rules)}}}"


def _list_visible_spans(film: Film) -> list[tuple[int, int]]:
    """Return each span of frames in which a part of the picture is visible: its first frame and its end.

    The end is the frame after the last one. The span of all frames is left out, because parts that are always
    visible need no rule.
    """
    visible_spans = {(run.first, run.end) for runs in film.parts.values() for run in runs}
    all_frames = (0, film.frame_count)
    return sorted(visible_spans - {all_frames})


def _write_visibility_keyframes(name: str, first_frame: int, end_frame: int, frame_count: int) -> str:
    """Return CSS keyframes, which show a part of the picture in some frames and hide it in all others.

    Args:
        name: The name of the keyframes.
        first_frame: The first frame that shows the part.
        end_frame: The frame after the last one that shows it.
        frame_count: The number of frames of the whole animation.
    """
    hidden_before = "" if first_frame == 0 else "0%{visibility:hidden}"
    shown = f"{_write_time(first_frame, frame_count)}{{visibility:visible}}"
    hidden_after = ""
    if end_frame < frame_count:
        hidden_after = f"{_write_time(end_frame, frame_count)},100%{{visibility:hidden}}"
    return f"@keyframes {name}{{{hidden_before}{shown}{hidden_after}}}"


def _write_slide_keyframes(name: str, frame: int, slide: _Slide, frame_count: int) -> str:
    """Return CSS keyframes, which slide a piece to its target at the beginning of a frame.

    The piece is drawn at its target. The keyframes move it back to its origin until the frame begins.

    Args:
        name: The name of the keyframes.
        frame: The number of the frame.
        slide: The distance from the target to the origin.
        frame_count: The number of frames of the whole animation.
    """
    move_to_origin = f"translate({format_number(slide.x)}px,{format_number(slide.y)}px)"
    slide_end = frame + _SLIDE_SHARE
    at_origin = f"0%,{_write_time(frame, frame_count)}{{transform:{move_to_origin}}}"
    at_target = f"{_write_time(slide_end, frame_count)},100%{{transform:none}}"
    return f"@keyframes {name}{{{at_origin}{at_target}}}"


def _write_time(frame: float, frame_count: int) -> str:
    """Return the time at which a frame begins, as a percentage of the whole animation, such as ``25%``.

    A `frame` of 2.5 is the middle of frame 2. The end of the animation, where `frame` is `frame_count`, is
    ``100%``.
    """
    total_frames = frame_count - 1 + LAST_FRAME_FACTOR
    elapsed_frames = total_frames if frame >= frame_count else frame
    return f"{format_number(100 * elapsed_frames / total_frames)}%"
