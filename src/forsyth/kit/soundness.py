"""Validation of a sheet when it is made: each contradiction is reported in one sentence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from forsyth.arguments import quoted
from forsyth.kit.movement import FACE, HOP_MOVE, HOP_TAKE, MOVE, TAKE, Leap, Line, Movement, find_targets
from forsyth.kit.tables import MAX_KINDS, MAX_SQUARES

if TYPE_CHECKING:
    from forsyth.kit.sheet import Kind, Sheet

_FIELDS: Final = ("board", "side", "hands", "unused", "half", "full")
_REQUIRED_FIELDS: Final = ("board", "side", "full")
_KIND_LETTER: Final = re.compile(r"\+?[A-Z]")
_SIDE_LETTER: Final = re.compile("[A-Za-z]")
_LINE_NAME: Final = re.compile("[A-Za-z0-9]+")
"""The name of a file or rank."""
_GAME_NAME: Final = re.compile("[a-z][a-z0-9_-]*")

Square = tuple[int, int]
"""A square as (right, ahead) from the square of a piece."""


class _Step(NamedTuple):
    """One way in which a movement leads to a square, with what must stand on other squares."""

    move: Movement
    target: Square
    empty: frozenset[Square]
    """The squares that must be empty."""
    screens: frozenset[Square]
    """The squares of which exactly one must have a piece, to jump over; empty without a jump."""


def require_valid_sheet(sheet: Sheet) -> None:
    """Raise `ValueError`, with the first problem, if parts of a sheet contradict each other.

    A sheet is the data of a game: the fields of a text, the board, the kinds of pieces, the sides and the
    drawings.
    """
    first_problem = next(_find_problems(sheet), None)
    if first_problem is not None:
        raise ValueError(f"the sheet of {sheet.name}: {first_problem}")


def _find_problems(sheet: Sheet) -> Iterator[str]:
    """Yield a sentence for each problem of a sheet, which is the data of a game.

    An example is ``the field side is missing``.
    """
    if not _GAME_NAME.fullmatch(sheet.name):
        yield f"name is {quoted(sheet.name)}, expected small letters, digits, - and _, a letter first"
    yield from _check_fields(sheet)
    yield from _check_grid(sheet)
    yield from _check_kinds(sheet)
    for kind in sheet.kinds:
        for move in kind.moves:
            yield from _check_movement(kind.name, move, sheet.zones)
        yield from _check_duplicate_moves(sheet, kind)
    yield from _check_letters(sheet)
    yield from _check_look(sheet)


def _check_look(sheet: Sheet) -> Iterator[str]:
    """Yield a sentence for each set of piece drawings in which a piece is missing."""
    # The first letter stands for an empty square.
    letters = sheet.letters[1:]
    for name, drawings in sheet.look.glyphs.items():
        missing = [letter for letter in letters if letter not in drawings]
        if missing:
            yield f"the look {quoted(name)} does not draw {', '.join(missing)}"


def _check_fields(sheet: Sheet) -> Iterator[str]:
    """Yield a sentence for each problem of `fields`, `short_counts` and `repetitions` of a sheet.

    These are the names of the fields of a text, the numbers of fields that a short text may have, and the
    occurrence of a position that ends a game.
    """
    for name in sheet.fields:
        if name not in _FIELDS:
            yield f"there is no field {quoted(name)}, expected some of {', '.join(_FIELDS)}"
        elif name != "unused" and sheet.fields.count(name) > 1:
            yield f"the field {name} occurs twice, expected once"
    for name in _REQUIRED_FIELDS:
        if name not in sheet.fields:
            yield f"the field {name} is missing, expected {', '.join(_REQUIRED_FIELDS)} and others"
    if sheet.fields[0] != "board":
        yield f"the first field is {sheet.fields[0]}, expected board"
    max_short_count = len(sheet.fields) - 1
    if not all(1 <= count <= max_short_count for count in sheet.short_counts):
        yield f"short_counts is {sheet.short_counts}, expected numbers of 1 to {max_short_count}"
    if sheet.repetitions < 2:
        yield f"repetitions is {sheet.repetitions}, expected 2 or more"


def _check_grid(sheet: Sheet) -> Iterator[str]:
    """Yield a sentence for each problem of the files, the ranks, the size of the board and the zones."""
    yield from _check_line_names("file", list(sheet.files))
    yield from _check_line_names("rank", list(sheet.ranks))
    rank_lengths = {len(rank) for rank in sheet.ranks}
    has_digit_files = any(file.isdigit() for file in sheet.files)
    if has_digit_files and len(rank_lengths) > 1:
        yield "where files are digits, ranks need names of one length: squares in a row would be ambiguous"
    square_count = len(sheet.files) * len(sheet.ranks)
    if square_count > MAX_SQUARES:
        yield f"the board has {square_count} squares, expected at most {MAX_SQUARES}"
    for name, zone in sheet.zones.items():
        unknown_names = [file for file in zone.files if file not in sheet.files]
        unknown_names += [rank for rank in zone.ranks if rank not in sheet.ranks]
        if unknown_names:
            yield (
                f"the zone {quoted(name)} has files or ranks that the board does not have: "
                f"{', '.join(unknown_names)}"
            )
    if sheet.promotion and sheet.promotion not in sheet.zones:
        yield f"there is no zone {quoted(sheet.promotion)} to promote in, expected one of zones"


def _check_line_names(noun: str, names: list[str]) -> Iterator[str]:
    """Yield a sentence for each problem of the names of files or ranks. `noun` is ``file`` or ``rank``."""
    if not names:
        yield f"there are no {noun}s, expected at least one"
    if len(set(names)) < len(names):
        yield f"two {noun}s have the same name, expected different names"
    for name in names:
        if not _LINE_NAME.fullmatch(name):
            yield f"{quoted(name)} is not a name of a {noun}, expected letters or digits"


def _check_kinds(sheet: Sheet) -> Iterator[str]:
    """Yield a sentence for each problem of the kinds of pieces: their letters, the king and the hands."""
    letters = [kind.letter for kind in sheet.kinds]
    if not 0 < len(letters) <= MAX_KINDS:
        yield f"there are {len(letters)} kinds, expected 1 to {MAX_KINDS}"
    for letter in letters:
        if not _KIND_LETTER.fullmatch(letter):
            yield f"{quoted(letter)} is not a letter of a kind, expected a capital, promoted with + before it"
        if letters.count(letter) > 1:
            yield f"two kinds have the letter {letter}, expected different letters"
    if sum(kind.royal for kind in sheet.kinds) > 1:
        yield "several kinds are royal, expected at most one"
    if any(kind.royal and kind.promotes for kind in sheet.kinds):
        yield "a royal kind promotes, which would leave its side without a king"
    if sheet.has_hands and not sheet.hand_kinds:
        yield "there is a field hands, but no kind can be in hand"
    yield from _check_promotions(sheet, letters)


def _check_promotions(sheet: Sheet, letters: list[str]) -> Iterator[str]:
    """Yield a sentence for each problem of the promotions. `letters` are those of all kinds."""
    promoted_letters = [kind.promotes for kind in sheet.kinds if kind.promotes]
    for letter in promoted_letters:
        if letter not in letters:
            yield f"there is no kind {quoted(letter)} to promote to, expected one of {', '.join(letters)}"
        if promoted_letters.count(letter) > 1:
            yield f"several kinds promote to {letter}, expected a promoted kind for each"
    if promoted_letters and not sheet.promotion:
        yield "a kind promotes, but the sheet names no zone to promote in, expected one in promotion"


def _check_movement(kind_name: str, move: Movement, zones: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each problem of one movement of a kind of piece.

    A movement must lead to another square, and its zones must be in `zones`. `kind_name` is only used in the
    message.
    """
    if not (move.right or move.ahead):
        noun = "line" if isinstance(move, Line) else "leap"
        yield f"a {noun} of the {kind_name} ends where it begins, expected another square"
    if isinstance(move, Leap):
        for zone in (move.start, move.end):
            if zone and zone not in zones:
                yield f"a leap of the {kind_name} names a zone {quoted(zone)}, which the sheet does not have"


def _check_duplicate_moves(sheet: Sheet, kind: Kind) -> Iterator[str]:
    """Yield a sentence if two movements of a kind can make the same move in the same position.

    The list of moves would then contain the move twice. `sheet` is the data of the game.
    """
    max_steps = max(len(sheet.files), len(sheet.ranks)) - 1
    steps_by_target: dict[tuple[int, Square], list[_Step]] = {}
    for move in kind.moves:
        for flag, step in _list_steps(move, max_steps):
            steps_by_target.setdefault((flag, step.target), []).append(step)
    for (_, target), steps in steps_by_target.items():
        for step, other_step in combinations(steps, 2):
            if _can_coincide(step, other_step) and _have_common_origin(sheet, step, other_step):
                movement_names = _name_movements(step.move, other_step.move)
                yield (
                    f"{movement_names} of the {kind.name} lead to the same square, "
                    f"{target[0]} right and {target[1]} ahead, so its moves would contain it twice; "
                    "remove one, or give them different flags, zones or lengths"
                )


def _list_steps(move: Movement, max_steps: int) -> Iterator[tuple[int, _Step]]:
    """Yield the steps of a movement, each with `MOVE` for a step to an empty square or `TAKE` for a capture.

    A step is one target with the squares that must be empty or occupied, so a line of a rook has a step for
    each distance. `max_steps` is the largest distance on the board.
    """
    no_squares: frozenset[Square] = frozenset()
    if isinstance(move, Leap):
        empty = no_squares if move.leg is None else frozenset((move.leg,))
        for flag in (MOVE, TAKE):
            if move.flags & flag:
                yield flag, _Step(move, (move.right, move.ahead), empty, no_squares)
        return
    if move.flags & FACE:  # Such a line attacks a king, but no piece moves along it.
        return
    path = no_squares
    for step_count in range(1, min(move.max_steps, max_steps) + 1):
        target = (step_count * move.right, step_count * move.ahead)
        for flag, hop_flag in ((MOVE, HOP_MOVE), (TAKE, HOP_TAKE)):
            if move.flags & flag:
                yield flag, _Step(move, target, path, no_squares)
            if path and move.flags & hop_flag:
                yield flag, _Step(move, target, no_squares, path)
        path |= {target}


def _can_coincide(step: _Step, other_step: _Step) -> bool:
    """Return whether two steps to the same square are possible with the same pieces around them.

    A step that jumps needs a piece to jump over, on a square that the other step does not need to be empty.
    """
    has_screen = not step.screens or bool(step.screens - other_step.empty)
    has_other_screen = not other_step.screens or bool(other_step.screens - step.empty)
    return has_screen and has_other_screen


def _have_common_origin(sheet: Sheet, step: _Step, other_step: _Step) -> bool:
    """Return whether both steps, which have the same target, are possible from one square of the board.

    Leaps are only possible in their zones.
    """
    grid = sheet.grid
    for square in range(grid.size):
        target = grid.step(square, *step.target, side=0)
        if target < 0:
            continue
        moves = (step.move, other_step.move)
        if all(target in find_targets(grid, (move,), sheet.zones, square, side=0) for move in moves):
            return True
    return False


def _name_movements(move: Movement, other_move: Movement) -> str:
    """Return what two movements are, for a message: ``two leaps``, ``two lines`` or ``a leap and a line``."""
    if isinstance(move, Leap) and isinstance(other_move, Leap):
        return "two leaps"
    return "two lines" if isinstance(move, Line) and isinstance(other_move, Line) else "a leap and a line"


def _check_letters(sheet: Sheet) -> Iterator[str]:
    """Yield a sentence for each problem of the letters of the sides, and of the aliases in lenient reading.

    An alias must stand for the letter of a side or of a piece.
    """
    side_letters = [side.letter for side in sheet.sides]
    are_letters = all(_SIDE_LETTER.fullmatch(letter) for letter in side_letters)
    are_two_different = len(side_letters) == 2 and side_letters[0] != side_letters[1]
    if not (are_letters and are_two_different):
        yield f"the letters of the sides are {', '.join(side_letters)}, expected two different letters"
    for letter in sheet.side_aliases.values():
        if letter not in side_letters:
            expected = " or ".join(side_letters)
            yield f"side_aliases: {quoted(letter)} is not the letter of a side, expected {expected}"
    for letter in sheet.letter_aliases.values():
        if letter not in sheet.piece_number:
            expected = ", ".join(sheet.piece_number)
            yield f"letter_aliases: {quoted(letter)} is not the letter of a piece, expected one of {expected}"
