"""The check of Azul positions: content errors and reachability warnings (spec/azul 8.3 and 8.4).

Any position is accepted. Reachability is checked only if the content has no error. No position of a real
game breaks a reachability rule. A position that is not complete is judged only by what a standard text
contains: not by its marker, phase or bag. `content_faults` and `reachability_faults` return faults without
places, and `check` returns findings with places in a text. At most 64 findings are returned, with each code
among them.
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


class Fault(NamedTuple):
    """A violation of the rules that has no place in a text yet."""

    code: str
    message: str
    field: str = WHOLE
    player: int = -1
    """Number of the player whose board or score it is about, or -1."""
    part: int = -1
    """Index of the factory, wall row, pattern line, score or count, or -1."""
    column: int = -1
    """Column of the wall cell, or -1."""
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
    """Return every finding about a position: errors of its content, or else warnings that no game reaches it.

    Args:
        position: Any position.
        text: The text in which the findings get their places. By default the canonical text.
        mode: The reading mode. In strict mode every finding is an error.
    """
    tally = _count_tiles(position)
    faults = [] if position.is_sound else _find_content_faults(position, tally)
    faults = faults or _find_reachability_faults(position, tally)
    if not faults:
        return ()
    text = str(position) if text is None else text
    findings = Findings(text, mode, BOOK)
    places = ComponentPlaces(text)
    for fault in faults:
        place = places.place(fault.field, fault.player, fault.part, fault.column)
        fix: Fix | None = None
        if fault.replacement is not None and places.known:
            fix = make_fix(place, fault.replacement, GUESS)
        findings.add(fault.code, place, fault.message, field=fault.field, square=_scene_place(fault), fix=fix)
    return tuple(findings.diagnostics)


def content_faults(position: Position) -> tuple[Fault, ...]:
    """Return the violations of the content rules, such as a wrong number of tiles (spec/azul 8.3)."""
    return tuple(_find_content_faults(position, _count_tiles(position)))


def reachability_faults(position: Position) -> tuple[Fault, ...]:
    """Return the reasons why no game reaches a position, such as a score that is too high (spec/azul 8.4).

    The content must have no fault.
    """
    return tuple(_find_reachability_faults(position, _count_tiles(position)))


def _count_tiles(position: Position) -> _Tally:
    """Return the numbers of tiles on display, in lines and on floors, as several rules need them."""
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

    The marker and the phase are checked only if the position is complete. `tally` has its counts of tiles.
    """
    faults: list[Fault] = []
    _check_factories(position, faults)
    for player, board in enumerate(position.boards):
        _check_board(board, player, faults)
        spaces = len(board.floor) if position.complete else len(board.floor_tiles)
        if spaces > FLOOR_SPACES:
            message = f"Floor line of player {player} holds {spaces} tiles, at most {FLOOR_SPACES}"
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
    partial = [
        index for index, tiles in enumerate(position.factories) if len(tiles) not in (0, TILES_PER_FACTORY)
    ]
    if not partial:
        return
    may_be_short = len(partial) == 1 and len(position.boards) > 2 and not any(position.bag)
    if may_be_short and len(position.factories[partial[0]]) < TILES_PER_FACTORY:
        return
    for index in partial:
        message = f"Factory {index} has {len(position.factories[index])} tiles, expected {TILES_PER_FACTORY}"
        faults.append(Fault("factory.tiles", message, "factories", -1, index))


def _check_board(board: Board, player: int, faults: Faults) -> None:
    """Add a fault to `faults` for each misplaced wall tile and impossible pattern line of one board."""
    lines = board.lines
    for index, row in enumerate(board.wall):
        if row not in _MASKS[index]:
            _report_misplaced_tiles(row, player, index, faults)
        tiles = lines[index]
        if tiles and (tiles not in _LINE_TEXTS[index] or tiles[0] in row):
            _report_wrong_line(row, tiles, player, index, faults)


def _report_misplaced_tiles(cells: str, player: int, row: int, faults: Faults) -> None:
    """Add a fault to `faults` for each tile of a wall row that is not on a cell of its colour.

    `cells` is the text of the row, such as ``B-R--``.
    """
    for column, cell in enumerate(cells):
        printed = PRINTED[row][column]
        if cell not in ("-", printed):
            message = f"Invalid wall placement at row {row}, col {column}"
            faults.append(Fault("wall.placement", message, "wall", player, row, column, printed))


def _report_wrong_line(row: str, tiles: str, player: int, line: int, faults: Faults) -> None:
    """Add a fault to `faults` if a pattern line is too long, mixed, or in conflict with its wall row.

    Args:
        row: The text of the wall row, such as ``B-R--``.
        tiles: The tiles of the pattern line.
        player: The number of the player.
        line: The number of the line, which has room for ``line + 1`` tiles.
        faults: The list to which faults are added.
    """
    if len(tiles) > line + 1:
        message = f"Player {player} line {line} holds {len(tiles)} tiles, capacity {line + 1}"
        faults.append(Fault("line.capacity", message, "lines", player, line))
    colours = [colour for colour in COLOURS if colour in tiles]
    if len(colours) > 1:
        message = f"Player {player} line {line} mixes colors"
        faults.append(Fault("line.mixed", message, "lines", player, line))
    for colour in colours:
        if colour in row:
            message = f"Player {player} line {line}: {COLOUR_NAMES[colour]} is already on wall row {line}"
            faults.append(Fault("line.wall_conflict", message, "lines", player, line))


def _check_supply(position: Position, faults: Faults) -> None:
    """Add a fault to `faults` for each colour that has a wrong number of tiles in the game.

    In a position that is not complete, bag and discard are unknown, so only too many tiles are wrong.
    """
    parts = [*position.factories, position.center]
    for board in position.boards:
        parts += board.wall
        parts += board.lines
        parts.append(board.floor)
    visible_tiles = "".join(parts)
    for index, colour in enumerate(COLOURS):
        count = visible_tiles.count(colour)
        if not position.complete:
            if count > TILES_PER_COLOUR:
                message = f"Too many {COLOUR_NAMES[colour]} tiles: {count} of {TILES_PER_COLOUR}"
                faults.append(Fault("tile.count", message))
            continue
        total = count + position.bag[index] + position.discard[index]
        if total != TILES_PER_COLOUR:
            message = f"{COLOUR_NAMES[colour]}: {total} tiles in the game, expected {TILES_PER_COLOUR}"
            bag_count = TILES_PER_COLOUR - count - position.discard[index]
            # The suggestion changes the bag, because its tiles are not visible on the table.
            replacement = str(bag_count) if bag_count >= 0 else None
            faults.append(Fault("tile.conservation", message, "bag", -1, index, -1, replacement))


def _check_marker(position: Position, faults: Faults) -> None:
    """Add a fault to `faults` if the first-player marker is missing, or for the first one too many.

    There must be one marker during the factory offer and until the tiling, and none after it.
    """
    expected = 1 if position.phase in (OFFER, TILING) else 0
    count = int(position.marker_in_center)
    for board in position.boards:
        count += board.floor.count(MARKER) + board.held
    if count == expected:
        return
    message = f"Expected {expected} first-player marker, found {count}"
    if not count:
        faults.append(Fault("marker.count", message, "center", replacement=position.center + MARKER))
        return
    places = ["center"] if position.marker_in_center else []
    owners = [-1] if position.marker_in_center else []
    for player, board in enumerate(position.boards):
        for _ in range(board.floor.count(MARKER) + board.held):
            places.append("floor")
            owners.append(player)
    faults.append(Fault("marker.count", message, places[expected], owners[expected]))


def _check_phase(position: Position, tally: _Tally, faults: Faults) -> None:
    """Add a fault to `faults` if the phase does not fit the position, and suggest one that does."""
    if _phase_fits(position.phase, position, tally):
        return
    likely_first = (OFFER, ENDED, DONE, TILING) if tally.has_complete_row else (OFFER, DONE, TILING)
    replacement = next((phase for phase in likely_first if _phase_fits(phase, position, tally)), None)
    message = f"Phase {position.phase} does not fit the position"
    faults.append(Fault("phase.mismatch", message, "phase", replacement=replacement))


def _phase_fits(phase: str, position: Position, tally: _Tally) -> bool:
    """Return True if a position with these tiles can be in `phase`.

    In the offer there are tiles on display, and in the later phases there are none. After the tiling the
    floors are empty, and no pattern line is full. A game ends with a complete row or without tiles to deal.
    """
    if phase == OFFER:
        return tally.on_display > 0
    if phase == TILING:
        return tally.on_display == 0
    if tally.on_display or tally.full_lines or any(board.floor for board in position.boards):
        return False
    return phase == DONE or tally.has_complete_row or not (any(position.bag) or any(position.discard))


# --- reachability -----------------------------------------------------------------------------------


_MIN_TILES_BESIDE_MARKER: Final = FLOOR_SPACES - 1
"""Number of visible floor tiles from which a floor of a standard text may be full.

The text does not contain the marker, which may occupy the last space.
"""


def _find_reachability_faults(position: Position, tally: _Tally) -> list[Fault]:
    """Return the reasons why no game reaches a position, such as more tiles than the rounds have dealt.

    `tally` has the counts of tiles of the position.
    """
    faults: list[Fault] = []
    is_complete = position.complete
    players: Count = len(position.boards)
    dealt_per_round: Count = TILES_PER_FACTORY * factory_count(players)
    is_pending = bool(tally.on_display or tally.full_lines or tally.on_floors)
    if is_complete:
        is_pending = position.phase in (OFFER, TILING)
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
            drafted += tiles * (row + 1)
            if tiles > finished_rounds:
                _report_early_row(player, row, tiles, finished_rounds, faults)
        # A score of 0 fits every wall, because penalties can take all points.
        if board.score > 0:
            _check_score(board, player, masks, is_over, faults)
    max_drafted: Count = dealt_per_round * position.round
    if drafted > max_drafted:
        rounds = _count_noun(position.round, "round")
        message = f"{drafted} tiles were drafted but {rounds} cannot deal more than {max_drafted}"
        faults.append(Fault("draft.supply", message, "round"))
    open_count: Count = tally.on_display + tally.full_lines + tally.on_floors
    if tally.has_complete_row and (open_count or (is_complete and is_pending)):
        _report_play_after_end(position, faults)
    if is_complete and position.phase == OFFER and all(position.factories):
        _check_first_turn(position, faults)
    return faults


def _check_center(position: Position, faults: Faults) -> None:
    """Add a fault to `faults` if the centre has too many tiles.

    An emptied factory sends at most three tiles to the centre.
    """
    tiles = len(position.center)
    if not tiles:
        return
    empty = position.factories.count("")
    if tiles > (TILES_PER_FACTORY - 1) * empty:
        factories = "1 factory is" if empty == 1 else f"{empty} factories are"
        message = f"Center holds {_count_noun(tiles, 'tile')} but {factories} empty"
        faults.append(Fault("center.overfull", message, "center"))


def _check_round(
    position: Position, tally: _Tally, dealt_per_round: int, is_pending: bool, faults: Faults
) -> None:
    """Add a fault to `faults` if more tiles of this round are in play than were dealt.

    In the first round, missing tiles are a fault too. `is_pending` is True if the round has not been tiled.
    """
    is_first_round = position.round == 1 and is_pending
    # A full line received at least one tile in this round, in the first round all of them.
    in_play = tally.on_display + tally.on_floors + (tally.in_lines if is_first_round else tally.full_lines)
    if in_play > dealt_per_round:
        message = f"At least {in_play} tiles of this round are in play but a round deals {dealt_per_round}"
        faults.append(Fault("round.tiles", message))
    if not is_first_round or in_play >= dealt_per_round:
        return
    # Tiles reach the discard only past a full floor line. A standard text hides a marker on the floor.
    for board in position.boards:
        if len(board.floor) >= FLOOR_SPACES or (
            not position.complete and len(board.floor_tiles) >= _MIN_TILES_BESIDE_MARKER
        ):
            return
    tiles = _count_noun(in_play, "tile")
    message = f"{tiles} of the first round in play but {dealt_per_round} were dealt and no floor is full"
    faults.append(Fault("missing.tiles", message))


def _report_early_row(player: int, row: int, tiles: int, finished_rounds: int, faults: Faults) -> None:
    """Add a fault to `faults` for a wall row with more tiles than finished rounds: a round adds one tile."""
    rounds = "1 round is" if finished_rounds == 1 else f"{finished_rounds} rounds are"
    message = f"Wall row {row} of player {player} holds {_count_noun(tiles, 'tile')} but {rounds} finished"
    faults.append(Fault("wall.round", message, "wall", player, row))


def _check_score(board: Board, player: Count, masks: Masks, is_over: bool, faults: Faults) -> None:
    """Add a fault to `faults` if the score is higher than the wall of the board can have earned.

    `masks` has the occupied cells of each wall row. If `is_over` is True, the bonuses count too.
    """
    max_score: Count = max_wall_points(masks, 0)
    if board.score <= max_score:
        return
    if is_over:
        max_score += count_bonus(board.wall).points
    if board.score > max_score:
        message = (
            f"Player {player} has {_count_noun(board.score, 'point')} but the wall earns at most {max_score}"
        )
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
    """Add a fault to `faults` for a taken marker or a wrong player before the first move of a round."""
    if not position.marker_in_center:
        message = "The marker has left the center but no factory is empty"
        faults.append(Fault("marker.early", message, "center"))
    if position.current != position.start:
        message = (
            f"Player {position.current} is to move but player {position.start} starts and nobody has moved"
        )
        faults.append(Fault("turn.order", message, "current_player"))


def _count_noun(count: int, noun: str) -> str:
    """Return a count with its noun, in the plural unless the count is 1."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _scene_place(fault: Fault) -> str | None:
    """Return the name of the place in the drawing that a fault is about, or None if there is no such place.

    Names are ``f0`` (factory), ``c`` (centre), ``p0w12`` (wall cell), ``p0l3`` (pattern line), ``p0f`` (floor
    line) and ``p0s`` (score).
    """
    if fault.field == "factories":
        return f"f{fault.part}"
    if fault.field == "center":
        return "c"
    if fault.field == "wall":
        return None if fault.column < 0 else f"p{fault.player}w{fault.part}{fault.column}"
    if fault.field == "lines":
        return f"p{fault.player}l{fault.part}"
    if fault.field == "floor":
        return f"p{fault.player}f"
    return f"p{fault.part}s" if fault.field == "scores" else None
