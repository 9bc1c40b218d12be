"""The check of Azul positions: content errors and reachability warnings (spec/azul 8.3 and 8.4).

Any position is accepted. Reachability is checked only if the content has no error. No position of a real
game breaks a reachability rule. A position that is not complete is judged only by what a standard text
contains: not by its marker, phase or bag. `list_content_faults` and `list_reachability_faults` return faults
without places, and `check` returns findings with places in a text. At most 64 findings are returned, with
each code among them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.diagnostics import Diagnostic, Fix, Mode
from forsyth.findings import GUESS, Findings, make_fix
from forsyth.games.azul.codes import BOOK, WHOLE
from forsyth.games.azul.notation.components import ComponentPlaces
from forsyth.games.azul.notation.kernel import Text
from forsyth.games.azul.notation.write import NARROW_TEXT
from forsyth.games.azul.position import DONE, ENDED, OFFER, TILING, Board, Position
from forsyth.games.azul.rules.scoring import count_bonus
from forsyth.games.azul.tiles import (
    COLOUR_NAMES,
    COLOURS,
    MARKER,
    PRINTED,
    ROW_MASKS,
    factory_count,
    is_row_complete,
)

if not cython.compiled:
    from forsyth.games.azul.rules.walls import TILE_COUNTS, max_wall_points
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE, TILES_PER_COLOUR, TILES_PER_FACTORY

    Count = int
    Masks = list[int]


NO_NUMBER: Final = -1
"""Value of the player, the part or the column of a fault that is not about one."""


class Fault(NamedTuple):
    """A violation of the rules that has no place in a text yet."""

    code: str
    message: str
    field: str = WHOLE
    player: int = NO_NUMBER
    """Number of the player whose board or score it is about, or `NO_NUMBER`."""
    part: int = NO_NUMBER
    """Index of the factory, wall row, pattern line, score or count, or `NO_NUMBER`."""
    column: int = NO_NUMBER
    """Column of the wall cell, or `NO_NUMBER`."""
    replacement: str | None = None
    """Suggested text for the place, or None."""


Faults = list[Fault]


class _Tally:
    """Numbers of tiles that several rules need."""

    if not cython.compiled:
        __slots__ = ("full_lines", "has_complete_row", "in_lines", "on_display", "on_floors")
        on_display: int
        """Tiles on factories and in the centre."""
        in_lines: int
        """Tiles in pattern lines."""
        on_floors: int
        """Tiles on floor lines, without the marker."""
        full_lines: int
        """Number of full pattern lines."""
        has_complete_row: bool
        """True if a wall row of any player is complete."""


def check(position: Position, *, text: Text | None = None, mode: Mode = "default") -> tuple[Diagnostic, ...]:
    """Return every finding (error or warning) about a position.

    The findings are the errors of its content, such as a wrong number of tiles. If it has no such error, they
    are the warnings that no game reaches the position.

    Args:
        position: Any position.
        text: The text to which the spans of the findings refer. None for the canonical text.
        mode: The reading mode. In strict mode every finding is an error.
    """
    tally = _count_tiles(position)
    faults = [] if position.is_sound else _find_content_faults(position, tally)
    faults = faults or _find_reachability_faults(position, tally)
    if not faults:
        return ()
    checked_text = str(position) if text is None else text
    findings = Findings(checked_text, mode, BOOK)
    component_places = ComponentPlaces(checked_text)
    for fault in faults:
        _add_finding(fault, component_places, findings)
    return tuple(findings.diagnostics)


def _add_finding(fault: Fault, component_places: ComponentPlaces, findings: Findings) -> None:
    """Add a fault to `findings`, with its place in the text, and with a fix if it has a replacement.

    `component_places` knows the start and end of each component of the text.
    """
    place = component_places.place(fault.field, fault.player, fault.part, fault.column)
    fix: Fix | None = None
    if fault.replacement is not None and component_places.known:
        fix = make_fix(place, fault.replacement, GUESS)
    findings.add(
        fault.code, place, fault.message, field=fault.field, square=_name_scene_place(fault), fix=fix
    )


def list_content_faults(position: Position) -> tuple[Fault, ...]:
    """Return the violations of the content rules, such as a wrong number of tiles (spec/azul 8.3)."""
    return tuple(_find_content_faults(position, _count_tiles(position)))


def list_reachability_faults(position: Position) -> tuple[Fault, ...]:
    """Return the reasons why no game reaches a position, such as a score that is too high (spec/azul 8.4).

    The position must have no content fault (see `list_content_faults`).
    """
    return tuple(_find_reachability_faults(position, _count_tiles(position)))


def _count_tiles(position: Position) -> _Tally:
    """Count the tiles on display, in pattern lines and on floors, and the full pattern lines.

    Return the counts, and whether a wall row of any player is complete.
    """
    tally = _Tally()
    board: Board
    tiles: str
    row: str
    line: Count
    tally.on_display = len(position.center)
    for tiles in position.factories:
        tally.on_display += len(tiles)

    tally.in_lines = tally.on_floors = tally.full_lines = 0
    tally.has_complete_row = False
    for board in position.boards:
        for line in range(SIZE):
            tiles = board.lines[line]
            tally.in_lines += len(tiles)
            # Line i has room for i + 1 tiles.
            if len(tiles) > line:
                tally.full_lines += 1
        if board.floor:
            tally.on_floors += len(board.floor) - board.floor.count(MARKER)
        for row in board.wall:
            if "-" not in row:
                tally.has_complete_row = True
    return tally


# --- content ----------------------------------------------------------------------------------------


_MASKS: Final = ROW_MASKS
"""`ROW_MASKS` as a name of this module, because its C type is declared here."""
_LINE_TEXTS: Final = NARROW_TEXT
"""For each pattern line: the strings of tiles that it can hold, as keys."""


def _find_content_faults(position: Position, tally: _Tally) -> list[Fault]:
    """Return the violations of the content rules: tiles, boards, scores, marker and phase.

    The marker and the phase are checked only if the text of the position contained them. `tally` has the
    numbers of tiles of the position.
    """
    faults: list[Fault] = []
    _check_factories(position, faults)
    for player, board in enumerate(position.boards):
        _check_board(board, player, faults)
        occupied_spaces = len(board.floor) if position.complete else len(board.floor_tiles)
        if occupied_spaces > FLOOR_SPACES:
            message = f"Floor line of player {player} holds {occupied_spaces} tiles, at most {FLOOR_SPACES}"
            faults.append(Fault("floor.overflow", message, "floor", player))
        if board.score < 0:
            message = f"Player {player} has a negative score: {board.score}"
            faults.append(Fault("score.negative", message, "scores", part=player))
    _check_supply(position, faults)
    if position.complete:
        _check_marker(position, faults)
        _check_phase(position, tally, faults)
    return faults


def _check_factories(position: Position, faults: Faults) -> None:
    """Add a fault to `faults` for each factory that is neither full nor empty.

    With three or four players one factory may be short, once the bag is empty.
    """
    wrong_counts = {
        index: len(tiles)
        for index, tiles in enumerate(position.factories)
        if len(tiles) not in (0, TILES_PER_FACTORY)
    }
    if not wrong_counts:
        return
    one_may_be_short = len(position.boards) > 2 and not any(position.bag)
    is_one_short = len(wrong_counts) == 1 and min(wrong_counts.values()) < TILES_PER_FACTORY
    if one_may_be_short and is_one_short:
        return
    for index, tile_count in wrong_counts.items():
        message = f"Factory {index} has {tile_count} tiles, expected {TILES_PER_FACTORY}"
        faults.append(Fault("factory.tiles", message, "factories", part=index))


def _check_board(board: Board, player: int, faults: Faults) -> None:
    """Add a fault to `faults` for each misplaced wall tile and impossible pattern line of one board."""
    lines = board.lines
    for row, cells in enumerate(board.wall):
        # The tables contain every valid wall row and pattern line, so most boards pass without a closer look.
        if cells not in _MASKS[row]:
            _report_misplaced_tiles(cells, player, row, faults)
        line_tiles = lines[row]
        if not line_tiles:
            continue
        is_valid_line = line_tiles in _LINE_TEXTS[row] and line_tiles[0] not in cells
        if not is_valid_line:
            _report_wrong_line(cells, line_tiles, player, row, faults)


def _report_misplaced_tiles(cells: str, player: int, row: int, faults: Faults) -> None:
    """Add a fault to `faults` for each tile of a wall row that is not on a cell of its colour.

    `cells` is the text of the row, such as ``B-R--``, and `row` its number.
    """
    for column, cell in enumerate(cells):
        printed_colour = PRINTED[row][column]
        if cell not in ("-", printed_colour):
            message = f"Invalid wall placement at row {row}, col {column}"
            fault = Fault("wall.placement", message, "wall", player, row, column, replacement=printed_colour)
            faults.append(fault)


def _report_wrong_line(wall_row: str, line_tiles: str, player: int, line: int, faults: Faults) -> None:
    """Add a fault to `faults` if a pattern line is too long, mixed, or in conflict with its wall row.

    Args:
        wall_row: The text of the wall row beside the line, such as ``B-R--``.
        line_tiles: The tiles of the pattern line, such as ``RR``.
        player: The number of the player.
        line: The number of the line, which has room for ``line + 1`` tiles.
        faults: The list to which faults are added.
    """
    capacity = line + 1
    if len(line_tiles) > capacity:
        message = f"Player {player} line {line} holds {len(line_tiles)} tiles, capacity {capacity}"
        faults.append(Fault("line.capacity", message, "lines", player, line))
    colours = [colour for colour in COLOURS if colour in line_tiles]
    if len(colours) > 1:
        message = f"Player {player} line {line} mixes colors"
        faults.append(Fault("line.mixed", message, "lines", player, line))
    for colour in colours:
        if colour in wall_row:
            message = f"Player {player} line {line}: {COLOUR_NAMES[colour]} is already on wall row {line}"
            faults.append(Fault("line.wall_conflict", message, "lines", player, line))


def _check_supply(position: Position, faults: Faults) -> None:
    """Add a fault to `faults` for each colour that has a wrong number of tiles in the game.

    In a position that is not complete, bag and discard are unknown, so only too many tiles are wrong.
    """
    tile_groups = [*position.factories, position.center]
    for board in position.boards:
        tile_groups += board.wall
        tile_groups += board.lines
        tile_groups.append(board.floor)
    visible_tiles = "".join(tile_groups)
    for index, colour in enumerate(COLOURS):
        visible_count = visible_tiles.count(colour)
        if position.complete:
            _check_total(position, index, visible_count, faults)
        elif visible_count > TILES_PER_COLOUR:
            message = f"Too many {COLOUR_NAMES[colour]} tiles: {visible_count} of {TILES_PER_COLOUR}"
            faults.append(Fault("tile.count", message))


def _check_total(position: Position, colour_index: int, visible_count: int, faults: Faults) -> None:
    """Add a fault to `faults` if the game does not have 20 tiles of a colour, bag and discard included.

    `colour_index` is the index of the colour in `COLOURS`. `visible_count` is the number of its tiles outside
    bag and discard.
    """
    discarded_count = position.discard[colour_index]
    total = visible_count + position.bag[colour_index] + discarded_count
    if total == TILES_PER_COLOUR:
        return
    name = COLOUR_NAMES[COLOURS[colour_index]]
    message = f"{name}: {total} tiles in the game, expected {TILES_PER_COLOUR}"
    # The fix changes the bag, because its tiles are not visible on the table.
    fitting_bag_count = TILES_PER_COLOUR - visible_count - discarded_count
    replacement = str(fitting_bag_count) if fitting_bag_count >= 0 else None
    faults.append(Fault("tile.conservation", message, "bag", part=colour_index, replacement=replacement))


def _check_marker(position: Position, faults: Faults) -> None:
    """Add a fault to `faults` if the first-player marker is missing, or for the first one too many.

    There must be one marker during the factory offer and until the tiling, and none after it.
    """
    expected_count = 1 if position.phase in (OFFER, TILING) else 0
    markers = _list_markers(position)
    if len(markers) == expected_count:
        return
    message = f"Expected {expected_count} first-player marker, found {len(markers)}"
    if not markers:
        faults.append(Fault("marker.count", message, "center", replacement=position.center + MARKER))
        return
    # The first marker that is one too many.
    field, owner = markers[expected_count]
    faults.append(Fault("marker.count", message, field, owner))


def _list_markers(position: Position) -> list[tuple[str, int]]:
    """Return the field and the owner of each first-player marker, a marker in the centre first.

    A marker in the centre is ``("center", NO_NUMBER)``. A marker that lies on the floor of player 1, or is
    held beside that floor, is ``("floor", 1)``.
    """
    markers = [("center", NO_NUMBER)] if position.marker_in_center else []
    for player, board in enumerate(position.boards):
        marker_count = board.floor.count(MARKER) + int(board.held)
        markers += [("floor", player)] * marker_count
    return markers


def _check_phase(position: Position, tally: _Tally, faults: Faults) -> None:
    """Add a fault to `faults` if the phase does not fit the position, and suggest one that does.

    `tally` has the numbers of tiles of the position.
    """
    if _is_possible_phase(position.phase, position, tally):
        return
    phases_by_likelihood = (OFFER, ENDED, DONE, TILING) if tally.has_complete_row else (OFFER, DONE, TILING)
    fitting_phases = [phase for phase in phases_by_likelihood if _is_possible_phase(phase, position, tally)]
    replacement = fitting_phases[0] if fitting_phases else None
    message = f"Phase {position.phase} does not fit the position"
    faults.append(Fault("phase.mismatch", message, "phase", replacement=replacement))


def _is_possible_phase(phase: str, position: Position, tally: _Tally) -> bool:
    """Return True if a position with these tiles can be in `phase`.

    Only in the offer, tiles are on display. After the tiling the floors are empty, and no pattern line is
    full. A game ends with a complete row, or when no tiles are left to deal.
    """
    if phase == OFFER:
        return tally.on_display > 0
    if phase == TILING:
        return tally.on_display == 0
    has_tiles_on_floors = any(board.floor for board in position.boards)
    is_tiled = not (tally.on_display or tally.full_lines or has_tiles_on_floors)
    if phase == DONE or not is_tiled:
        return is_tiled
    can_deal = any(position.bag) or any(position.discard)
    return tally.has_complete_row or not can_deal


# --- reachability -----------------------------------------------------------------------------------


_MIN_TILES_BESIDE_MARKER: Final = FLOOR_SPACES - 1
"""Number of visible floor tiles from which a floor of a standard text may be full.

The text does not contain the marker, which may occupy the last space.
"""


def _find_reachability_faults(position: Position, tally: _Tally) -> list[Fault]:
    """Return the reasons why no game reaches a position, such as more tiles than the rounds have dealt.

    The position must have no content fault. `tally` has its numbers of tiles.
    """
    faults: list[Fault] = []
    is_complete = position.complete
    players: Count = len(position.boards)
    dealt_per_round: Count = TILES_PER_FACTORY * factory_count(players)
    has_open_tiles = bool(tally.on_display or tally.full_lines or tally.on_floors)
    # The round is pending until its tiles have been moved to the walls.
    is_pending = position.phase in (OFFER, TILING) if is_complete else has_open_tiles
    _check_center(position, faults)
    _check_round(position, tally, dealt_per_round, is_pending, faults)

    finished_rounds: Count = position.round - 1 if is_pending else position.round
    is_over = position.phase == ENDED if is_complete else tally.has_complete_row
    drafted: Count = tally.in_lines + tally.on_floors + tally.on_display
    player: Count
    row: Count
    tiles: Count
    board: Board
    masks: Masks
    if not cython.compiled:
        masks = [0] * SIZE
    for player in range(players):
        board = position.boards[player]
        for row in range(SIZE):
            masks[row] = _MASKS[row][board.wall[row]]
            tiles = TILE_COUNTS[masks[row]]
            # A tile in wall row i has cost the i + 1 tiles of a full pattern line.
            drafted += tiles * (row + 1)
            if tiles > finished_rounds:
                _report_early_row(player, row, tiles, finished_rounds, faults)
        # A score of 0 fits every wall, because penalties can take all points.
        if board.score > 0:
            _check_score(board, player, masks, is_over, faults)

    _check_drafted(position, drafted, dealt_per_round, faults)
    if tally.has_complete_row and (has_open_tiles or (is_complete and is_pending)):
        _report_play_after_end(position, faults)
    if is_complete and position.phase == OFFER and all(position.factories):
        _check_first_turn(position, faults)
    return faults


def _check_drafted(position: Position, drafted: int, dealt_per_round: int, faults: Faults) -> None:
    """Add a fault to `faults` if more tiles were taken from the factories than the rounds have dealt.

    `drafted` is the number of tiles that were taken or are on display in all rounds so far.
    """
    max_drafted = dealt_per_round * position.round
    if drafted > max_drafted:
        rounds = _format_count(position.round, "round")
        message = f"{drafted} tiles were drafted but {rounds} cannot deal more than {max_drafted}"
        faults.append(Fault("draft.supply", message, "round"))


def _check_center(position: Position, faults: Faults) -> None:
    """Add a fault to `faults` if the centre has too many tiles.

    An emptied factory sends at most three tiles to the centre.
    """
    center_tiles = len(position.center)
    if not center_tiles:
        return
    empty_factories = position.factories.count("")
    if center_tiles > (TILES_PER_FACTORY - 1) * empty_factories:
        factories_are = "1 factory is" if empty_factories == 1 else f"{empty_factories} factories are"
        message = f"Center holds {_format_count(center_tiles, 'tile')} but {factories_are} empty"
        faults.append(Fault("center.overfull", message, "center"))


def _check_round(
    position: Position, tally: _Tally, dealt_per_round: int, is_pending: bool, faults: Faults
) -> None:
    """Add a fault to `faults` if more tiles of this round are in play than were dealt.

    In the first round, missing tiles are a fault too.

    Args:
        position: The position.
        tally: The numbers of its tiles.
        dealt_per_round: The number of tiles that one round deals.
        is_pending: Whether the tiles of the round have not been moved to the walls yet.
        faults: The list to which faults are added.
    """
    is_first_round = position.round == 1 and is_pending
    # A full line received at least one tile in this round. In the first round all lines received all tiles.
    in_lines = tally.in_lines if is_first_round else tally.full_lines
    in_play = tally.on_display + tally.on_floors + in_lines
    if in_play > dealt_per_round:
        message = f"At least {in_play} tiles of this round are in play but a round deals {dealt_per_round}"
        faults.append(Fault("round.tiles", message))
    if not is_first_round or in_play >= dealt_per_round:
        return
    # Tiles reach the discard only if they do not fit on a floor line.
    if any(_may_floor_be_full(board.floor, position.complete) for board in position.boards):
        return
    tiles = _format_count(in_play, "tile")
    message = f"{tiles} of the first round in play but {dealt_per_round} were dealt and no floor is full"
    faults.append(Fault("missing.tiles", message))


def _may_floor_be_full(floor: str, complete: bool) -> bool:
    """Return True if a floor line such as ``BBYF`` may be full.

    If the position is not complete, its text does not contain the marker, which may be on the last space.
    """
    if len(floor) >= FLOOR_SPACES:
        return True
    tile_count = len(floor.replace(MARKER, ""))
    return not complete and tile_count >= _MIN_TILES_BESIDE_MARKER


def _report_early_row(player: int, row: int, tile_count: int, finished_rounds: int, faults: Faults) -> None:
    """Add a fault to `faults` for a wall row with more tiles than rounds have finished.

    Each round adds at most one tile to a row. `row` is the number of the row, from 0.
    """
    tiles = _format_count(tile_count, "tile")
    rounds_are = "1 round is" if finished_rounds == 1 else f"{finished_rounds} rounds are"
    message = f"Wall row {row} of player {player} holds {tiles} but {rounds_are} finished"
    faults.append(Fault("wall.round", message, "wall", player, row))


def _check_score(board: Board, player: Count, masks: Masks, is_over: bool, faults: Faults) -> None:
    """Add a fault to `faults` if the score is higher than the wall of the board can have earned.

    `masks` has one bit mask for each wall row, with bit c set if column c is occupied. If `is_over` is True,
    the game has ended, and the bonuses count too.
    """
    first_row: Count = 0
    max_score: Count = max_wall_points(masks, first_row)
    if board.score <= max_score:
        return
    if is_over:
        max_score += count_bonus(board.wall).points
    if board.score > max_score:
        points = _format_count(board.score, "point")
        message = f"Player {player} has {points} but the wall earns at most {max_score}"
        faults.append(Fault("score.wall", message, "scores", part=player))


def _report_play_after_end(position: Position, faults: Faults) -> None:
    """Add a fault to `faults` for the first complete wall row, which should have ended the game."""
    for player, board in enumerate(position.boards):
        for row, cells in enumerate(board.wall):
            if is_row_complete(cells):
                message = f"Wall row {row} of player {player} is complete but play continues"
                faults.append(Fault("play.after_end", message, "wall", player, row))
                return


def _check_first_turn(position: Position, faults: Faults) -> None:
    """Add a fault to `faults` for a taken marker or a wrong player before the first move of a round.

    The position must be one in which all factories still have their tiles.
    """
    if not position.marker_in_center:
        message = "The marker has left the center but no factory is empty"
        faults.append(Fault("marker.early", message, "center"))
    if position.current != position.start:
        message = (
            f"Player {position.current} is to move but player {position.start} starts and nobody has moved"
        )
        faults.append(Fault("turn.order", message, "current_player"))


def _format_count(count: int, noun: str) -> str:
    """Return a count with its noun, such as ``1 tile`` or ``2 tiles``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _name_scene_place(fault: Fault) -> str | None:
    """Return the name of the place in the drawing that a fault is about, or None if there is no such place.

    Names are ``f0`` (factory), ``c`` (centre), ``p0w12`` (wall cell), ``p0l3`` (pattern line), ``p0f`` (floor
    line) and ``p0s`` (score).
    """
    if fault.field == "factories":
        return f"f{fault.part}"
    if fault.field == "center":
        return "c"
    if fault.field == "wall":
        # A fault about a whole row has no cell.
        return None if fault.column == NO_NUMBER else f"p{fault.player}w{fault.part}{fault.column}"
    if fault.field == "lines":
        return f"p{fault.player}l{fault.part}"
    if fault.field == "floor":
        return f"p{fault.player}f"
    return f"p{fault.part}s" if fault.field == "scores" else None
