"""Drop the moves that leave the mover's commander in danger (spec/cotulenh 10).

The state of the commander is found once for all moves. Most moves then need no trial (see `trials`), because
they cannot put a safe commander in danger, or cannot rescue an endangered one. A colour is 0 for Red and
BLUE_BIT for Blue. The module runs as it is and compiles with Cython (`safety.pxd` has the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.cotulenh.board import RAYS, SQUARE_COUNT, i32, u32, u64
    from forsyth.games.cotulenh.rules.attacks import (
        AIR_RAID,
        COMMANDER_BIT,
        MAX_ATTACKERS,
        SQUARE_MASK,
        TYPES_SHIFT,
        AttackerList,
        Units,
        are_exposed,
        classify_attack,
        fill_air_cover,
        find_attack_directions,
        find_raider,
    )
    from forsyth.games.cotulenh.rules.generate import (
        DEPLOY,
        ENDANGERED,
        FLAGS_SHIFT,
        SAFE,
        STAY,
        SUICIDE,
        TARGET_SHIFT,
        UNSETTLED,
        BoardFacts,
        MoveList,
    )
    from forsyth.games.cotulenh.rules.trials import (
        find_attacking_air_defence,
        find_enemy_guard,
        is_safe_after,
        may_change_own_cover,
        promote_zone,
    )
    from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, TYPES

    SquareMarks = list[int]


def drop_illegal_moves(
    units: Units, colour: u32, moves: MoveList, facts: BoardFacts, last_guard: i32
) -> None:
    """Remove from `moves` those that leave the mover's commander in danger (spec/cotulenh 10).

    The first deploy steps of a stack that contains the commander stay: they are tested at the commit. A side
    without a commander has no legal move.

    Args:
        units: The board.
        colour: The colour of the mover.
        moves: The pseudo-legal moves, which are changed in place.
        facts: The facts about the board, in which the state of the commander is set.
        last_guard: 1 if the last guard of a side is promoted, else 0.
    """
    kept_count: i32 = 0
    i: i32
    move: u64
    if facts.own_commander < 0:
        moves.truncate(0)
        return
    assess_commander(units, facts, colour, last_guard)
    for i in range(moves.count):
        move = moves.items[i]
        if (move >> FLAGS_SHIFT & DEPLOY and units[move & SQUARE_MASK] & COMMANDER_BIT) or is_legal_move(
            units, move, facts, colour, last_guard
        ):
            moves.items[kept_count] = move
            kept_count += 1
    moves.truncate(kept_count)


def is_legal_move(units: Units, move: u64, facts: BoardFacts, colour: u32, last_guard: i32) -> i32:
    """Return a number other than 0 if a pseudo-legal move leaves the mover's commander safe, else 0.

    `assess_commander` must have been called with these facts. The move is tried on the board only if the
    facts do not decide. `last_guard` is 1 if the last guard of a side is promoted, else 0.
    """
    if facts.commander_state == SAFE and not may_endanger(move, facts):
        return 1
    if facts.commander_state == ENDANGERED and not may_rescue(move, facts):
        return 0
    return is_safe_after(units, move, facts, colour, last_guard)


def assess_commander(units: Units, facts: BoardFacts, colour: u32, last_guard: i32) -> None:
    """Set `facts.commander_state`, the state of the mover's commander after a move that does not concern it.

    SAFE and ENDANGERED hold after every such move. UNSETTLED means that every move must be tried: a side has
    two commanders, or air forces attack the commander and a last guard of the mover may be promoted.

    Args:
        units: The board, which is changed for the test and restored.
        facts: The facts about the board, changed in place.
        colour: The colour of the mover.
        last_guard: 1 if the last guard of a side is promoted, else 0.
    """
    guard: i32 = find_enemy_guard(units, facts, -1) if last_guard else -1
    unpromoted_guard: u32 = 0
    # Every move promotes the enemy's last guard, unless it captures that guard.
    if guard >= 0:
        unpromoted_guard = units[guard]
        units[guard] |= (unpromoted_guard & TYPES) << HEROIC_SHIFT
    facts.commander_state = (
        UNSETTLED if facts.extra_commanders else find_commander_state(units, facts, colour)
    )
    if guard >= 0:
        units[guard] = unpromoted_guard


def find_commander_state(units: Units, facts: BoardFacts, colour: u32) -> i32:
    """Return the state of the mover's commander after a move that does not concern it.

    SAFE means that it is not in danger, ENDANGERED that it is, UNSETTLED that every move must be tried. Also
    mark in `facts` the squares where other pieces may rescue the commander or shield it.
    """
    own: i32 = facts.own_commander
    enemy: i32 = facts.enemy_commander
    raider: i32
    raiding_unit: u32
    facts.danger_directions = find_danger_directions(units, own, enemy, colour)
    if facts.danger_directions:
        # If the danger comes on two lines, only a move of the commander itself can end it.
        if facts.danger_directions & (facts.danger_directions - 1) == 0:
            mark_danger_line(facts)
        return ENDANGERED
    facts.faces_raid = classify_attack(units, own, BLUE_BIT - colour) == AIR_RAID
    if not facts.faces_raid:
        mark_shields(units, own, BLUE_BIT - colour, facts.shield_squares)
        return SAFE
    fill_air_cover(units, colour, facts.own_cover)
    facts.has_own_cover = 1
    fill_promoted_cover(units, facts, colour)
    if facts.own_guards <= 2:
        return UNSETTLED
    raider = find_raider(units, own, BLUE_BIT - colour, facts.promoted_cover)
    if raider < 0:
        mark_shields(units, own, BLUE_BIT - colour, facts.shield_squares)
        return SAFE
    # Capturing the raider rescues the commander if there is no second one.
    raiding_unit = units[raider]
    units[raider] = 0
    if find_raider(units, own, BLUE_BIT - colour, facts.promoted_cover) < 0:
        facts.rescue_squares[raider] = 1
    units[raider] = raiding_unit
    return ENDANGERED


def find_danger_directions(units: Units, own: i32, enemy: i32, colour: u32) -> i32:
    """Return the directions from which the mover's commander is in danger even with perfect air defence.

    Bit `i` of the result stands for the direction `board.DIRECTIONS[i]`. The danger is an attack, or the
    enemy commander on an open line. `own` and `enemy` are the squares of the two commanders.
    """
    directions: i32 = find_attack_directions(units, own, BLUE_BIT - colour)
    if not are_exposed(units, own, enemy):
        return directions
    # Directions 0 to 3 lead up, right, down and left.
    if own % 11 == enemy % 11:
        return directions | (1 << 0 if enemy > own else 1 << 2)
    return directions | (1 << 1 if enemy > own else 1 << 3)


def fill_promoted_cover(units: Units, facts: BoardFacts, colour: u32) -> None:
    """Compute `facts.promoted_cover`: what own air defence covers after a move of another piece.

    Every move promotes the pieces that attack the enemy commander, and promoted air defence covers more. So
    the result differs from `facts.own_cover`, which must have been computed.
    """
    promoted_squares: AttackerList
    square: i32
    i: i32
    count: i32 = 0
    if not cython.compiled:
        promoted_squares = [0] * MAX_ATTACKERS
    if facts.enemy_commander >= 0:
        count = find_attacking_air_defence(units, facts.enemy_commander, colour, promoted_squares)
    for square in range(SQUARE_COUNT):
        facts.promoted_cover[square] = facts.own_cover[square]
    for i in range(count):
        promote_zone(facts.promoted_cover, promoted_squares[i], units[promoted_squares[i]], 1)


def mark_danger_line(facts: BoardFacts) -> None:
    """Mark in `facts.rescue_squares` all squares from the commander to the edge in the direction of danger.

    A move to one of these squares, or a capture there, may rescue the commander. `facts.danger_directions`
    must have exactly one bit.
    """
    direction: i32
    i: i32
    for direction in range(8):
        if not facts.danger_directions >> direction & 1:
            continue
        for i in range(12):
            if RAYS[facts.own_commander][direction][i] < 0:
                return
            facts.rescue_squares[RAYS[facts.own_commander][direction][i]] = 1


def may_rescue(move: u64, facts: BoardFacts) -> i32:
    """Return 1 if a move may end the danger to the mover's commander, else 0.

    It may if it moves the commander, goes to or captures on a square of `facts.rescue_squares`, or changes
    what own air defence covers or which piece is the enemy's last guard. The move is not tried.
    """
    if move >> TYPES_SHIFT & COMMANDER_BIT or facts.rescue_squares[move >> TARGET_SHIFT & SQUARE_MASK]:
        return 1
    return 1 if may_change_own_cover(move, facts) or may_change_last_guard(move, facts) else 0


def may_change_last_guard(move: u64, facts: BoardFacts) -> i32:
    """Return 1 if a move captures one of the last two guards of the enemy, else 0.

    A guard is a unit whose carrier is not the commander. The last guard of a side is promoted.
    """
    target: i32 = move >> TARGET_SHIFT & SQUARE_MASK
    if facts.enemy_guards == 0 or facts.enemy_guards > 2:
        return 0
    if target == facts.enemy_guard_squares[0]:
        return 1
    return facts.enemy_guards == 2 and target == facts.enemy_guard_squares[1]


def mark_shields(units: Units, target: i32, colour: u32, shields: SquareMarks) -> None:
    """Set `shields` to 1 for each square whose unit stands alone between `target` and a unit of `colour`.

    The three are on one file, rank or diagonal. Only if such a square is cleared can a line to the target
    open.
    """
    direction: i32
    i: i32
    square: i32
    first_occupied: i32
    for direction in range(8):
        first_occupied = -1
        # Commanders see each other at any distance. No piece attacks farther than five squares.
        for i in range(12 if direction < 4 else 5):
            square = RAYS[target][direction][i]
            if square < 0:
                break
            if units[square] == 0:
                continue
            if first_occupied < 0:
                first_occupied = square
                continue
            if units[square] & BLUE_BIT == colour:
                shields[first_occupied] = 1
            break


def may_endanger(move: u64, facts: BoardFacts) -> i32:
    """Return 1 if a move may put the mover's commander in danger, else 0.

    `facts.commander_state` must be SAFE. A move that returns 0 needs no trial on the board.
    """
    target: i32 = move >> TARGET_SHIFT & SQUARE_MASK
    # A piece that joins the commander may become its carrier, and a navy is attacked from farther away.
    if move >> TYPES_SHIFT & COMMANDER_BIT or target == facts.own_commander:
        return 1
    if facts.shield_squares[move & SQUARE_MASK] or (
        move >> FLAGS_SHIFT & (STAY | SUICIDE) and facts.shield_squares[target]
    ):
        return 1
    return 1 if may_change_own_cover(move, facts) or may_change_last_guard(move, facts) else 0
