"""Azul positions against the rules: content errors and reachability warnings (spec/azul 8.3 and 8.4).

Accepts any position. Reachability is looked at only where the content has no error; each of its rules is
sound: no position of a real game breaks one. Of a position that is not complete only what the standard text
shows is judged, neither marker nor phase nor bag. `content_faults` and `reachability_faults` say what is
wrong, `check` says it of a text, each finding in its place. Limits: 64 findings, each code among them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.diagnostics import Diagnostic, Fix, Mode
from forsyth.findings import GUESS, Findings, fix_at
from forsyth.games.azul.codes import BOOK, WHOLE
from forsyth.games.azul.notation.components import ComponentPlaces
from forsyth.games.azul.notation.kernel import Text
from forsyth.games.azul.notation.write import NARROW_TEXT
from forsyth.games.azul.position import DONE, ENDED, OFFER, TILING, Board, Position
from forsyth.games.azul.rules.scoring import bonus
from forsyth.games.azul.tiles import COLOURS, MARKER, NAMES, PRINTED, ROWS, factory_count, is_complete

if not cython.compiled:
    from forsyth.games.azul.rules.walls import TILES_IN, most_points
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE, TILES_PER_COLOUR, TILES_PER_FACTORY

    Count = int
    Masks = list[int]


class Fault(NamedTuple):
    """One thing that is wrong, before it is placed in a text."""

    code: str
    message: str
    field: str = WHOLE
    player: int = -1
    part: int = -1
    """Which factory, wall row, pattern line, score or count."""
    column: int = -1
    replacement: str | None = None
    """What may have been meant to stand there."""


Faults = list[Fault]


class _Tally:
    """What is counted once and asked several times."""

    if not cython.compiled:
        __slots__ = ("complete", "display", "full", "in_lines", "on_floors")
        display: int
        in_lines: int
        on_floors: int
        """Tiles on floor lines, without the marker."""
        full: int
        """How many pattern lines are full."""
        complete: bool
        """Whether a wall row is."""


def check(position: Position, *, text: Text | None = None, mode: Mode = "default") -> tuple[Diagnostic, ...]:
    """Every finding about a position, placed in `text` (by default its canonical text)."""
    tally = _tally_of(position)
    found = [] if position.sound else _content(position, tally)
    found = found or _reachability(position, tally)
    if not found:
        return ()
    text = str(position) if text is None else text
    findings = Findings(text, mode, BOOK)
    places = ComponentPlaces(text)
    for fault in found:
        place = places.place(fault.field, fault.player, fault.part, fault.column)
        fix: Fix | None = None
        if fault.replacement is not None and places.known:
            fix = fix_at(place, fault.replacement, GUESS)
        findings.add(fault.code, place, fault.message, field=fault.field, square=_square(fault), fix=fix)
    return tuple(findings.found)


def content_faults(position: Position) -> tuple[Fault, ...]:
    """What the rules forbid (spec/azul 8.3)."""
    return tuple(_content(position, _tally_of(position)))


def reachability_faults(position: Position) -> tuple[Fault, ...]:
    """What no game leads to (spec/azul 8.4); of a position without content faults."""
    return tuple(_reachability(position, _tally_of(position)))


def _tally_of(position: Position) -> _Tally:
    tally = _Tally()
    board: Board
    tiles: str
    row: str
    line: Count
    tally.display = len(position.center)
    for tiles in position.factories:
        tally.display += len(tiles)
    tally.in_lines = tally.on_floors = tally.full = 0
    tally.complete = False
    for board in position.boards:
        for line in range(SIZE):
            tiles = board.lines[line]
            tally.in_lines += len(tiles)
            if len(tiles) > line:
                tally.full += 1
        if board.floor:
            tally.on_floors += len(board.floor) - board.floor.count(MARKER)
        for row in board.wall:
            if "-" not in row:
                tally.complete = True
    return tally


# --- content ----------------------------------------------------------------------------------------


_MASKS: Final = ROWS
_LINES: Final = NARROW_TEXT
"""For each pattern line the tiles it can hold."""


def _content(position: Position, tally: _Tally) -> list[Fault]:
    found: list[Fault] = []
    _judge_factories(position, found)
    for player, board in enumerate(position.boards):
        _judge_board(board, player, found)
        spaces = len(board.floor) if position.complete else len(board.floor_tiles)
        if spaces > FLOOR_SPACES:
            message = f"Floor line of player {player} holds {spaces} tiles, at most {FLOOR_SPACES}"
            found.append(Fault("floor.overflow", message, "floor", player))
        if board.score < 0:
            message = f"Player {player} has a negative score: {board.score}"
            found.append(Fault("score.negative", message, "scores", part=player))
    _judge_supply(position, found)
    if position.complete:
        _judge_marker(position, found)
        _judge_phase(position, tally, found)
    return found


def _judge_factories(position: Position, found: Faults) -> None:
    """With three or four players one factory may be short, once there was nothing left to deal."""
    odd = [
        index for index, tiles in enumerate(position.factories) if len(tiles) not in (0, TILES_PER_FACTORY)
    ]
    if not odd:
        return
    if len(odd) == 1 and len(position.boards) > 2 and not any(position.bag):
        if len(position.factories[odd[0]]) < TILES_PER_FACTORY:
            return
    for index in odd:
        message = f"Factory {index} has {len(position.factories[index])} tiles, expected {TILES_PER_FACTORY}"
        found.append(Fault("factory.tiles", message, "factories", -1, index))


def _judge_board(board: Board, player: int, found: Faults) -> None:
    lines = board.lines
    for index, row in enumerate(board.wall):
        if row not in _MASKS[index]:
            _misplaced(row, player, index, found)
        tiles = lines[index]
        if tiles and (tiles not in _LINES[index] or tiles[0] in row):
            _odd_line(row, tiles, player, index, found)


def _misplaced(cells: str, player: int, row: int, found: Faults) -> None:
    for column, cell in enumerate(cells):
        meant = PRINTED[row][column]
        if cell not in ("-", meant):
            message = f"Invalid wall placement at row {row}, col {column}"
            found.append(Fault("wall.placement", message, "wall", player, row, column, meant))


def _odd_line(row: str, tiles: str, player: int, line: int, found: Faults) -> None:
    if len(tiles) > line + 1:
        message = f"Player {player} line {line} holds {len(tiles)} tiles, capacity {line + 1}"
        found.append(Fault("line.capacity", message, "lines", player, line))
    colours = [colour for colour in COLOURS if colour in tiles]
    if len(colours) > 1:
        message = f"Player {player} line {line} mixes colors"
        found.append(Fault("line.mixed", message, "lines", player, line))
    for colour in colours:
        if colour in row:
            message = f"Player {player} line {line}: {NAMES[colour]} is already on wall row {line}"
            found.append(Fault("line.wall_conflict", message, "lines", player, line))


def _judge_supply(position: Position, found: Faults) -> None:
    parts = [*position.factories, position.center]
    for board in position.boards:
        parts += board.wall
        parts += board.lines
        parts.append(board.floor)
    seen = "".join(parts)
    for index, colour in enumerate(COLOURS):
        count = seen.count(colour)
        if not position.complete:
            if count > TILES_PER_COLOUR:
                message = f"Too many {NAMES[colour]} tiles: {count} of {TILES_PER_COLOUR}"
                found.append(Fault("tile.count", message))
            continue
        total = count + position.bag[index] + position.discard[index]
        if total != TILES_PER_COLOUR:
            message = f"{NAMES[colour]}: {total} tiles in the game, expected {TILES_PER_COLOUR}"
            rest = TILES_PER_COLOUR - count - position.discard[index]
            # The bag is what nobody sees: it makes up the difference where it can.
            meant = str(rest) if rest >= 0 else None
            found.append(Fault("tile.conservation", message, "bag", -1, index, -1, meant))


def _judge_marker(position: Position, found: Faults) -> None:
    expected = 1 if position.phase in (OFFER, TILING) else 0
    count = int(position.marker_in_center)
    for board in position.boards:
        count += board.floor.count(MARKER) + board.held
    if count == expected:
        return
    message = f"Expected {expected} first-player marker, found {count}"
    if not count:
        found.append(Fault("marker.count", message, "center", replacement=position.center + MARKER))
        return
    places = ["center"] if position.marker_in_center else []
    owners = [-1] if position.marker_in_center else []
    for player, board in enumerate(position.boards):
        for _ in range(board.floor.count(MARKER) + board.held):
            places.append("floor")
            owners.append(player)
    found.append(Fault("marker.count", message, places[expected], owners[expected]))


def _judge_phase(position: Position, tally: _Tally, found: Faults) -> None:
    if _fits(position.phase, position, tally):
        return
    likely_first = (OFFER, ENDED, DONE, TILING) if tally.complete else (OFFER, DONE, TILING)
    meant = next((phase for phase in likely_first if _fits(phase, position, tally)), None)
    message = f"Phase {position.phase} does not fit the position"
    found.append(Fault("phase.mismatch", message, "phase", replacement=meant))


def _fits(phase: str, position: Position, tally: _Tally) -> bool:
    if phase == OFFER:
        return tally.display > 0
    if phase == TILING:
        return tally.display == 0
    if tally.display or tally.full or any(board.floor for board in position.boards):
        return False
    return phase == DONE or tally.complete or not (any(position.bag) or any(position.discard))


# --- reachability -----------------------------------------------------------------------------------


_ONLY_MARKER_SHORT: Final = FLOOR_SPACES - 1


def _reachability(position: Position, tally: _Tally) -> list[Fault]:
    found: list[Fault] = []
    said = position.complete
    players: Count = len(position.boards)
    dealt: Count = TILES_PER_FACTORY * factory_count(players)
    pending = bool(tally.display or tally.full or tally.on_floors)
    if said:
        pending = position.phase in (OFFER, TILING)
    _judge_center(position, found)
    _judge_round(position, tally, dealt, pending, found)
    finished: Count = position.round - 1 if pending else position.round
    over = position.phase == ENDED if said else tally.complete
    drafted: Count = tally.in_lines + tally.on_floors + tally.display
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
            tiles = TILES_IN[masks[row]]
            drafted += tiles * (row + 1)
            if tiles > finished:
                _row_too_soon(player, row, tiles, finished, found)
        # Each tile scored at least one point, whenever it was placed.
        if board.score > 0:
            _judge_score(board, player, masks, over, found)
    if drafted > dealt * position.round:
        rounds = _many(position.round, "round")
        message = f"{drafted} tiles were drafted but {rounds} cannot deal more than {dealt * position.round}"
        found.append(Fault("draft.supply", message, "round"))
    if tally.complete and (tally.display or tally.full or tally.on_floors or (said and pending)):
        _play_after_end(position, found)
    if said and position.phase == OFFER and all(position.factories):
        _judge_first_turn(position, found)
    return found


def _judge_center(position: Position, found: Faults) -> None:
    """An emptied factory sends at most three tiles to the centre."""
    tiles = len(position.center)
    if not tiles:
        return
    empty = position.factories.count("")
    if tiles > (TILES_PER_FACTORY - 1) * empty:
        factories = "1 factory is" if empty == 1 else f"{empty} factories are"
        message = f"Center holds {_many(tiles, 'tile')} but {factories} empty"
        found.append(Fault("center.overfull", message, "center"))


def _judge_round(position: Position, tally: _Tally, dealt: int, pending: bool, found: Faults) -> None:
    first = position.round == 1 and pending
    # A full line got at least one tile in this round, in the first round all of them.
    seen = tally.display + tally.on_floors + (tally.in_lines if first else tally.full)
    if seen > dealt:
        message = f"At least {seen} tiles of this round are in play but a round deals {dealt}"
        found.append(Fault("round.tiles", message))
    if not first or seen >= dealt:
        return
    # Tiles leave the table over a full floor only; a standard text hides a marker on it.
    for board in position.boards:
        if len(board.floor) >= FLOOR_SPACES or (
            not position.complete and len(board.floor_tiles) >= _ONLY_MARKER_SHORT
        ):
            return
    message = f"{_many(seen, 'tile')} of the first round in play but {dealt} were dealt and no floor is full"
    found.append(Fault("missing.tiles", message))


def _row_too_soon(player: int, row: int, tiles: int, finished: int, found: Faults) -> None:
    rounds = "1 round is" if finished == 1 else f"{finished} rounds are"
    message = f"Wall row {row} of player {player} holds {_many(tiles, 'tile')} but {rounds} finished"
    found.append(Fault("wall.round", message, "wall", player, row))


def _judge_score(board: Board, player: Count, masks: Masks, over: bool, found: Faults) -> None:
    most: Count = most_points(masks, 0)
    if board.score <= most:
        return
    if over:
        most += bonus(board.wall).points
    if board.score > most:
        message = f"Player {player} has {_many(board.score, 'point')} but the wall earns at most {most}"
        found.append(Fault("score.wall", message, "scores", part=player))


def _play_after_end(position: Position, found: Faults) -> None:
    for player, board in enumerate(position.boards):
        for row, cells in enumerate(board.wall):
            if is_complete(cells):
                message = f"Wall row {row} of player {player} is complete but play continues"
                found.append(Fault("play.after_end", message, "wall", player, row))
                return


def _judge_first_turn(position: Position, found: Faults) -> None:
    """All factories are full: nobody has moved yet."""
    if not position.marker_in_center:
        message = "The marker has left the center but no factory is empty"
        found.append(Fault("marker.early", message, "center"))
    if position.current != position.start:
        message = (
            f"Player {position.current} is to move but player {position.start} starts and nobody has moved"
        )
        found.append(Fault("turn.order", message, "current_player"))


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _square(fault: Fault) -> str | None:
    """The place on the table: a factory, the centre, a wall cell, a pattern line, a floor line, a score."""
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
