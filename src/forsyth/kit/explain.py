"""Why a move on a grid is not possible, from the movement in the sheet alone.

Accepts
    Texts in the notation of squares (``h3e3``, ``P*5e``) and in that of the game, where it says what they may
    mean (`Rules.meant`), and pairs of places of the scene.
Writes
    One hindrance: a blocked leg or line, a screen that is missing, a zone that may not be left, a man of the
    mover on the target, a king that would be attacked, a man in hand that may not be put there.
Limits
    The first man in the way is named, and all men that attack the king.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from forsyth import hindrances
from forsyth.hindrances import Hindrance
from forsyth.kit.edit import hand_place
from forsyth.kit.movement import HOP_MOVE, HOP_TAKE, MOVE, TAKE, Leap, Line
from forsyth.kit.moves import GridMove

if TYPE_CHECKING:
    from forsyth.kit.position import GridPosition


def explain(position: GridPosition, move: GridMove) -> Hindrance | None:
    """Why a move that squares name is not legal, or None."""
    sheet = position.game.sheet
    target = sheet.squares[move.target]
    if move.drops:
        letter = move.drops.lower() if position.turn else move.drops
        return why_not(position, hand_place(letter), target)
    origin = sheet.squares[move.origin]
    found = why_not(position, origin, target)
    if found is not None or move in position.game.moves(position):
        return found
    must = "must promote there" if not move.promotes else "may not promote there"
    name = sheet.kind_of(position.board[move.origin]).name
    return Hindrance("move.promotion", f"the {name} that goes from {origin} to {target} {must}", (target,))


def explain_text(position: GridPosition, text: str) -> Hindrance | None:
    """Why a text in the notation of the game names no legal move; None where that is not known.

    Of all that may be meant, legal or not, ways that the men go on count, then what comes nearest to a legal
    move, then the shortest.
    """
    meant = position.game.rules.meant
    if meant is None:
        return None
    width = len(position.game.sheet.files)

    def length(move: GridMove) -> int:
        (row, column), (to_row, to_column) = divmod(move.origin, width), divmod(move.target, width)
        return abs(row - to_row) + abs(column - to_column)

    found = sorted(meant(position, text, _any_moves(position)), key=length)
    led = [move for move in found if _leads(position, move)]
    return hindrances.nearest(explain(position, move) for move in led or found)


def _any_moves(position: GridPosition) -> Iterator[GridMove]:
    """Every man of the mover to every square, also where nothing leads there."""
    sheet = position.game.sheet
    for origin, man in enumerate(position.board):
        if not man or sheet.side_of(man) != position.turn:
            continue
        endings = (False, True) if sheet.kind_of(man).promotes else (False,)
        for target in range(len(position.board)):
            if target != origin:
                yield from (GridMove(origin, target, promotes) for promotes in endings)


def _leads(position: GridPosition, move: GridMove) -> bool:
    """Whether the man goes that way at all, were nothing in its way."""
    ways = position.game.sheet.kind_of(position.board[move.origin]).moves
    return any(_way(position, way, move.origin, move.target) is not _ELSEWHERE for way in ways)


def why_not(position: GridPosition, origin: str, target: str) -> Hindrance | None:
    """Why nothing goes from one place to another; None where something does."""
    sheet, game = position.game.sheet, position.game
    end = sheet.square_number.get(target)
    if end is None:
        return hindrances.no_place(target)
    hands = {hand_place(letters): man for man, letters in enumerate(sheet.letters) if man}
    start = sheet.square_number.get(origin)
    if start is None and (not sheet.has_hands or origin not in hands):
        return hindrances.no_place(origin)
    man = hands[origin] if start is None else position.board[start]
    if not man:
        return hindrances.empty(origin)
    if sheet.side_of(man) != position.turn:
        owner = sheet.sides[sheet.side_of(man)].name.lower()
        return hindrances.other(f"{owner} {sheet.kind_of(man).name}", origin, game.side_to_move(position))
    if start is None:
        return _drop(position, man, end)
    legal = game.moves(position)
    if any(move.origin == start and move.target == end for move in legal):
        return None
    over = None if legal else game.outcome(position)
    if over is not None:
        return hindrances.ended(over.reason)
    found = hindrances.nearest(_ways(position, man, start, end))
    if found is not None and found.code in _NO_TARGET:
        return found
    there = position.board[end]
    if there and sheet.side_of(there) == position.turn:
        return hindrances.own(sheet.kind_of(there).name, target)
    return found or _danger(position, man, start, end)


def _ways(position: GridPosition, man: int, start: int, end: int) -> Iterator[Hindrance | None]:
    """For each way that leads to the target, what is in the way; one hindrance where none leads there."""
    sheet = position.game.sheet
    leads = False
    for way in sheet.kind_of(man).moves:
        found = _way(position, way, start, end)
        if found is not _ELSEWHERE:
            leads = True
            yield found
    if not leads:
        yield hindrances.no_way(sheet.kind_of(man).name, sheet.squares[start], sheet.squares[end])


_ELSEWHERE = Hindrance("move.way", "another way")
"""The answer of a way that does not lead to the target."""
_NO_TARGET = ("move.way", "move.zone")
"""Why a man does not get to a target, whatever stands there."""


def _way(position: GridPosition, way: Leap | Line, start: int, end: int) -> Hindrance | None:
    return _leap(position, way, start, end) if isinstance(way, Leap) else _line(position, way, start, end)


def _leap(position: GridPosition, way: Leap, start: int, end: int) -> Hindrance | None:
    sheet, side = position.game.sheet, position.turn
    if sheet.grid.step(start, way.right, way.ahead, side) != end:
        return _ELSEWHERE
    name, origin = sheet.kind_of(position.board[start]).name, sheet.squares[start]
    if way.start and start not in sheet.grid.zone(sheet.zones[way.start], side):
        return Hindrance("move.zone", f"the {name} on {origin} may move like that only on the {way.start}")
    if way.end and end not in sheet.grid.zone(sheet.zones[way.end], side):
        return Hindrance("move.zone", f"the {name} on {origin} may not leave its {way.end}")
    leg = -1 if way.leg is None else sheet.grid.step(start, *way.leg, side)
    if leg >= 0 and position.board[leg]:
        by = sheet.kind_of(position.board[leg]).name
        return hindrances.blocked(name, origin, by, sheet.squares[leg])
    return _taking(position, start, end, way.how & MOVE, way.how & TAKE)


def _line(position: GridPosition, way: Line, start: int, end: int) -> Hindrance | None:
    sheet = position.game.sheet
    if not way.how & (MOVE | TAKE | HOP_TAKE | HOP_MOVE):
        return _ELSEWHERE
    name, origin = sheet.kind_of(position.board[start]).name, sheet.squares[start]
    met: list[int] = []
    square = start
    for _ in range(way.most):
        square = sheet.grid.step(square, way.right, way.ahead, position.turn)
        if square < 0:
            return _ELSEWHERE
        if square == end:
            break
        if position.board[square]:
            met.append(square)
    else:
        return _ELSEWHERE
    captures = bool(position.board[end])
    hops = way.how & (HOP_TAKE if captures else HOP_MOVE)
    plain = way.how & (TAKE if captures else MOVE)
    if (hops and len(met) == 1) or (plain and not met):
        return None
    if hops:
        squares = tuple(sheet.squares[one] for one in met)
        number = f"{len(met)} are" if met else "none is"
        message = f"the {name} on {origin} needs one man to jump over on its way, and {number} there"
        return Hindrance("move.blocked", message, squares)
    if met:
        by = sheet.kind_of(position.board[met[0]]).name
        return hindrances.blocked(name, origin, by, sheet.squares[met[0]])
    return _taking(position, start, end, way.how & MOVE, way.how & TAKE)


def _taking(position: GridPosition, start: int, end: int, moves: int, takes: int) -> Hindrance | None:
    """What a man may do where it gets to."""
    sheet = position.game.sheet
    captures = bool(position.board[end])
    if takes if captures else moves:
        return None
    name, target = sheet.kind_of(position.board[start]).name, sheet.squares[end]
    message = f"does not capture like that on {target}" if captures else f"goes to {target} only to capture"
    return Hindrance("move.capture", f"the {name} on {sheet.squares[start]} {message}", (target,))


def _danger(position: GridPosition, man: int, start: int, end: int) -> Hindrance:
    """A man that gets there must leave its king attacked, or the move would be legal."""
    sheet = position.game.sheet
    board = bytearray(position.board)
    board[start], board[end] = 0, man
    return _exposed(position, man, sheet.squares[start], bytes(board))


def _exposed(position: GridPosition, man: int, origin: str, board: bytes) -> Hindrance:
    game, sheet, side = position.game, position.game.sheet, position.turn
    after = replace(position, board=board)
    attackers = game.checkers(after, side)
    king = board.find(sheet.kings[side]) if sheet.kings else -1
    name = sheet.kind_of(man).name
    if not attackers or king < 0:
        return Hindrance("move.illegal", f"the {name} may not do that here")
    who = [(sheet.kind_of(board[square]).name, sheet.squares[square]) for square in attackers]
    royal = (sheet.kind_of(board[king]).name, sheet.squares[king])
    return hindrances.attacked(name, origin, royal, who, before=game.is_check(position))


def _drop(position: GridPosition, man: int, end: int) -> Hindrance | None:
    game, sheet = position.game, position.game.sheet
    kind, target = sheet.kind_of(man), sheet.squares[end]
    if any(move.drops == kind.letter and move.target == end for move in game.moves(position)):
        return None
    if not position.hands[man - 1]:
        return Hindrance("move.empty", f"there is no {kind.name} in hand")
    if position.board[end]:
        by = sheet.kind_of(position.board[end]).name
        return Hindrance(
            "move.hand", f"a man in hand goes to an empty square only: the {by} is on {target}", (target,)
        )
    width = len(sheet.files)
    alike = [at for at in range(end % width, sheet.grid.size, width) if position.board[at] == man]
    if kind.one_per_file and alike:
        other = sheet.squares[alike[0]]
        return Hindrance(
            "move.hand", f"there is a {kind.name} on the same file already, on {other}", (other,)
        )
    if man and not any(_reachable(position, man, end)):
        return Hindrance("move.hand", f"a {kind.name} on {target} could never move")
    board = bytearray(position.board)
    board[end] = man
    found = _exposed(position, man, hand_place(sheet.letters[man]), bytes(board))
    if found.code == "move.illegal" and not kind.drop_mates:
        return Hindrance("move.hand", f"a {kind.name} may not be dropped to give mate", (target,))
    return found


def _reachable(position: GridPosition, man: int, square: int) -> Iterator[bool]:
    """Whether a man could get anywhere from a square on an empty board."""
    sheet = position.game.sheet
    for way in sheet.kind_of(man).moves:
        yield sheet.grid.step(square, way.right, way.ahead, position.turn) >= 0
