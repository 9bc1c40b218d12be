"""Azul text to position without a compiler: from what the scanner made of the fields of earlier texts.

Character by character is too slow in plain Python. So each field is looked up by its text: factories, centre,
walls, lines, floors and numbers. A field that is new goes through the tables and functions of `scanner`,
which alone know the grammar; whether the fields fit each other `legality` decides, as for the scanner. A memo
is emptied when it is full, so that no history of texts makes the next one slow for ever.

Accepts exactly the texts that are SOUND to `scanner`. Limits: `_MEMO_SIZE` texts for each kind of field.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import getitem
from typing import Final, NamedTuple, TypeVar

from forsyth.games.azul.notation.cells import (
    BAG,
    BOARD,
    BOARD_CELLS,
    CELLS,
    CENTER,
    CLASHES,
    COMPLETE,
    CURRENT,
    DISCARD,
    FINDINGS,
    FLOOR,
    FLOOR_LANES,
    FORM_LANES,
    HELD,
    LINE_LANES,
    MARKER_IN_CENTER,
    PHASE,
    PLAYERS,
    ROUND,
    SCORE,
    SPACES,
    START,
    STRANGE,
    TARGET,
    WALL_LANES,
    Cells,
    spread,
)
from forsyth.games.azul.notation.scanner import (
    FACTORY_PARTS,
    KNOWN,
    LONGEST,
    NARROW_PARTS,
    NOT_SORTED,
    WALL_PARTS,
    WIDE_PARTS,
    assume,
    take_center,
    take_counts,
    take_floor,
    take_scores,
    take_standard_turn,
    take_turn,
)
from forsyth.games.azul.position import (
    PHASES,
    Board,
    Position,
    draft_board,
    draft_position,
    seal_board,
    seal_position,
)
from forsyth.games.azul.rules.legality import is_sound
from forsyth.games.azul.tiles import SIZE

_MEMO_SIZE: Final = 1 << 14
_PHASES: Final = tuple(PHASES)
_NUMBER_OF_PHASE: Final = {phase: number for number, phase in enumerate(_PHASES)}
_PLAYERS_OF: Final = {f"v2/{players}/": players for players in (2, 3, 4)}
_FACTORY: Final = {
    part.decode(): (FORM_LANES[number & ~NOT_SORTED], number < NOT_SORTED)
    for part, number in KNOWN[FACTORY_PARTS].items()
}
"""What each text of a factory adds to the counts, and whether its tiles are sorted."""
_ROW: Final = [
    {
        part.decode(): (WALL_LANES[row][mask], mask << SIZE * row)
        for part, mask in KNOWN[WALL_PARTS + row].items()
    }
    for row in range(SIZE)
]
"""For each row of a wall, by its text, what it adds to the counts and its cells as bits."""


def _lines_by_text(kind: int) -> list[dict[str, tuple[str, int, int]]]:
    """For each line, by its text, its tiles, what it adds to the counts, and the cell it is to fill."""
    return [
        {
            part.decode(): (
                part.decode().rstrip("-"),
                LINE_LANES[row][number],
                TARGET[row][number] << SIZE * row,
            )
            for part, number in KNOWN[kind + row].items()
        }
        for row in range(SIZE)
    ]


_WIDE: Final = _lines_by_text(WIDE_PARTS)
_NARROW: Final = _lines_by_text(NARROW_PARTS)

T = TypeVar("T")


class _Factories(NamedTuple):
    tiles: tuple[str, ...]
    lanes: int
    plain: bool
    """Whether they are spelled as in the canonical text."""


class _Center(NamedTuple):
    tiles: str
    marker: bool
    counts: list[int]
    plain: bool


class _Wall(NamedTuple):
    rows: tuple[str, ...]
    lanes: int
    filled: int
    """The cells with tiles as bits, row by row."""


class _Lines(NamedTuple):
    tiles: tuple[str, ...]
    lanes: int
    targets: int
    """The wall cells that the lines are to fill as bits, row by row."""
    wide: bool
    plain: bool


class _Floor(NamedTuple):
    tiles: str
    lanes: int
    spaces: int
    held: bool


class _Turn(NamedTuple):
    round: int
    current: int
    start: int


class _Memo:
    """What is known about the fields of texts of one kind, standard or extended, for so many players."""

    def __init__(self, players: int, complete: bool) -> None:
        self.players = players
        self.complete = complete
        self.factories: dict[str, _Factories] = {}
        self.centers: dict[str, _Center] = {}
        self.walls: dict[str, _Wall] = {}
        self.lines: dict[str, _Lines] = {}
        self.floors: dict[str, _Floor] = {}
        self.scores: dict[str, tuple[int, ...]] = {}
        self.turns: dict[str, _Turn] = {}
        self.counts: dict[str, tuple[int, ...]] = {}

    def blank_cells(self) -> Cells:
        """Cells of a text of this kind."""
        cells = [0] * CELLS
        cells[PLAYERS] = self.players
        cells[COMPLETE] = self.complete
        return cells

    def new(self, known: dict[str, T], text: str, learn: Callable[[_Memo, str], T | None]) -> T | None:
        """What the scanner makes of a field that is new, None where it refuses it."""
        if len(known) >= _MEMO_SIZE:
            known.clear()
        found = learn(self, text)
        if found is not None:
            known[text] = found
        return found


_STANDARD: Final = _Memo(2, False)
_EXTENDED: Final = {head: _Memo(players, True) for head, players in _PLAYERS_OF.items()}


def decode_known(text: str, canonical: bool) -> Position | None:
    """The position of a text without error, or of a canonical one only; None for any other."""
    if not 0 < len(text) <= LONGEST or not text.isascii():
        return None
    if text[0] != "v":
        parts = text.split("/", 9)
        return _decoded(_STANDARD, parts, parts[9], canonical) if len(parts) == 10 else None
    memo = _EXTENDED.get(text[:5])
    parts = text.split("/")
    if memo is None or len(parts) != 11 + 3 * memo.players or parts[2] not in _NUMBER_OF_PHASE:
        return None
    return _decoded(memo, parts, "/".join(parts[-5:-2]), canonical)


def _decoded(memo: _Memo, parts: list[str], turn_text: str, canonical: bool) -> Position | None:
    at = 3 if memo.complete else 0
    factories = memo.factories.get(parts[at]) or memo.new(memo.factories, parts[at], _learn_factories)
    center = memo.centers.get(parts[at + 1]) or memo.new(memo.centers, parts[at + 1], _learn_center)
    after = at + 2 + 3 * memo.players
    scores = memo.scores.get(parts[after]) or memo.new(memo.scores, parts[after], _learn_scores)
    turn = memo.turns.get(turn_text) or memo.new(memo.turns, turn_text, _learn_turn)
    if factories is None or center is None or scores is None or turn is None:
        return None
    if canonical and not (factories.plain and center.plain):
        return None
    cells = memo.blank_cells()
    cells[CENTER : CENTER + SIZE] = center.counts
    cells[MARKER_IN_CENTER] = center.marker
    boards = _take_boards(memo, parts, at + 2, scores, cells, factories.lanes, canonical)
    if boards is None:
        return None
    if memo.complete:
        bag = memo.counts.get(parts[-2]) or memo.new(memo.counts, parts[-2], _learn_counts)
        discard = memo.counts.get(parts[-1]) or memo.new(memo.counts, parts[-1], _learn_counts)
        if bag is None or discard is None:
            return None
        cells[PHASE] = _NUMBER_OF_PHASE[parts[2]]
        cells[BAG : BAG + SIZE] = bag
        cells[DISCARD : DISCARD + SIZE] = discard
    else:
        assume(cells)
        bag, discard = tuple(cells[BAG : BAG + SIZE]), (0,) * SIZE
    if not is_sound(cells):
        return None
    position = draft_position()
    position.factories = factories.tiles
    position.center = center.tiles
    position.marker_in_center = cells[MARKER_IN_CENTER] != 0
    position.boards = boards
    position.phase = _PHASES[cells[PHASE]]
    position.round = turn.round
    position.current = turn.current
    position.start = turn.start
    position.bag = bag
    position.discard = discard
    position.complete = memo.complete
    position.is_sound = True
    return seal_position(position)


def _take_boards(
    memo: _Memo,
    parts: list[str],
    at: int,
    scores: tuple[int, ...],
    cells: Cells,
    shown: int,
    canonical: bool,
) -> tuple[Board, ...] | None:
    """The boards, and in the cells what is counted; None where one of them is refused."""
    boards: list[Board] = []
    lanes = spaces = held = clashes = 0
    for score in scores:
        wall = memo.walls.get(parts[at]) or memo.new(memo.walls, parts[at], _learn_wall)
        lines = memo.lines.get(parts[at + 1]) or memo.new(memo.lines, parts[at + 1], _learn_lines)
        floor = memo.floors.get(parts[at + 2]) or memo.new(memo.floors, parts[at + 2], _learn_floor)
        if wall is None or lines is None or floor is None or (canonical and not lines.plain):
            return None
        at += 3
        lanes += wall.lanes + lines.lanes + floor.lanes
        clashes |= wall.filled & lines.targets
        spaces += floor.spaces
        held += floor.held
        board = draft_board()
        board.wall = wall.rows
        board.lines = lines.tiles
        board.floor = floor.tiles
        board.held = floor.held
        board.score = score
        board.wide = lines.wide
        boards.append(seal_board(board))
    cells[CLASHES] = clashes
    spread(cells, shown, lanes, spaces, held)
    return tuple(boards)


# --- fields that are new ----------------------------------------------------------------------------


def _learn_factories(memo: _Memo, text: str) -> _Factories | None:
    spelled = text.split("|")
    try:
        found = [_FACTORY[part] for part in spelled]
    except KeyError:
        return None
    if len(found) != 2 * memo.players + 1:
        return None
    tiles = tuple([part.rstrip("-") for part in spelled])
    return _Factories(tiles, sum([lanes for lanes, _ in found]), all(plain for _, plain in found))


def _learn_center(memo: _Memo, text: str) -> _Center | None:
    cells = memo.blank_cells()
    if take_center(f"{text}//".encode(), 0, len(text) + 2, cells) != len(text) + 1:
        return None
    counts = cells[CENTER : CENTER + SIZE]
    return _Center(text.strip("-F"), cells[MARKER_IN_CENTER] != 0, counts, not cells[FINDINGS])


def _learn_wall(memo: _Memo, text: str) -> _Wall | None:
    rows = text.split("|")
    try:
        first, second, third, fourth, fifth = map(getitem, _ROW, rows)
    except (KeyError, ValueError):
        return None
    if len(rows) != SIZE:
        return None
    return _Wall(
        tuple(rows),
        first[0] + second[0] + third[0] + fourth[0] + fifth[0],
        first[1] | second[1] | third[1] | fourth[1] | fifth[1],
    )


def _learn_lines(memo: _Memo, text: str) -> _Lines | None:
    lines = text.split("|")
    wide = len(lines[0]) != 1
    try:
        first, second, third, fourth, fifth = map(getitem, _WIDE if wide else _NARROW, lines)
    except (KeyError, ValueError):
        return None
    if len(lines) != SIZE or (wide and memo.complete):
        return None
    return _Lines(
        (first[0], second[0], third[0], fourth[0], fifth[0]),
        first[1] + second[1] + third[1] + fourth[1] + fifth[1],
        first[2] | second[2] | third[2] | fourth[2] | fifth[2],
        wide,
        memo.complete or wide,
    )


def _learn_floor(memo: _Memo, text: str) -> _Floor | None:
    cells = memo.blank_cells()
    if take_floor(f"{text}//".encode(), 0, len(text) + 2, cells, 0) != len(text) + 1:
        return None
    if cells[STRANGE]:
        return None
    spaces = cells[BOARD + SPACES]
    lanes = sum([FLOOR_LANES[cells[BOARD + FLOOR] >> 3 * space & 7] for space in range(spaces)])
    return _Floor(text[:spaces], lanes, spaces, cells[BOARD + HELD] != 0)


def _learn_scores(memo: _Memo, text: str) -> tuple[int, ...] | None:
    cells = memo.blank_cells()
    if take_scores(f"{text}/".encode(), 0, len(text) + 1, cells) != len(text) + 1:
        return None
    if cells[STRANGE]:
        return None
    return tuple([cells[BOARD + BOARD_CELLS * player + SCORE] for player in range(memo.players)])


def _learn_turn(memo: _Memo, text: str) -> _Turn | None:
    cells = memo.blank_cells()
    if memo.complete:
        end = take_turn(f"{text}/".encode(), 0, len(text) + 1, cells) - 1
    else:
        end = take_standard_turn(text.encode(), 0, len(text), cells)
    return _Turn(cells[ROUND], cells[CURRENT], cells[START]) if end == len(text) else None


def _learn_counts(memo: _Memo, text: str) -> tuple[int, ...] | None:
    cells = memo.blank_cells()
    if take_counts(text.encode(), 0, len(text), cells, BAG, 0) != len(text):
        return None
    return tuple(cells[BAG : BAG + SIZE])
