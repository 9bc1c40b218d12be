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
    from forsyth.games.cotulenh.board import (
        DIRECTION_COUNT,
        FIRST_DIAGONAL,
        RAY_LENGTH,
        RAYS,
        SQUARE_COUNT,
        get_file,
        i32,
        u32,
        u64,
    )
    from forsyth.games.cotulenh.rules.attacks import (
        AIR_RAID,
        COMMANDER_BIT,
        MAX_ATTACK_DISTANCE,
        MAX_ATTACKERS,
        NO_SQUARE,
        SQUARE_MASK,
        TYPES_SHIFT,
        AttackerList,
        Units,
        are_exposed,
        classify_attack,
        fill_air_cover,
        find_attack_directions,
        find_raider,
        make_heroic,
    )
    from forsyth.games.cotulenh.rules.generate import (
        DEPLOY,
        DOWN,
        ENDANGERED,
        FLAGS_SHIFT,
        LEFT,
        RIGHT,
        SAFE,
        STAY,
        SUICIDE,
        UNSETTLED,
        UP,
        BoardFacts,
        MoveList,
    )
    from forsyth.games.cotulenh.rules.packed_moves import get_flags, get_target
    from forsyth.games.cotulenh.rules.trials import (
        find_attacking_air_defence,
        find_enemy_guard,
        is_safe_after,
        may_change_own_cover,
        promote_zone,
    )
    from forsyth.games.cotulenh.stacks import BLUE_BIT

    SquareMarks = list[int]
    COMMANDER_MOVES = COMMANDER_BIT << TYPES_SHIFT
    """The bit that is set in the packed moves of a commander."""
    EMPTIES_TARGET = (STAY | SUICIDE) << FLAGS_SHIFT
    """The bits of which one is set in the packed stay and suicide captures, which leave the target empty."""

    def has_several_bits(bits: int) -> bool:
        """Return whether at least two bits of a number are set."""
        # Subtracting 1 and intersecting removes the lowest bit.
        return bits & (bits - 1) != 0


def drop_illegal_moves(
    units: Units, colour: u32, moves: MoveList, facts: BoardFacts, last_guard: i32
) -> None:
    """Remove from `moves` the moves that leave the mover's commander in danger.

    The first deploy steps of a stack that contains the commander stay: they are tested at the commit. A side
    without a commander has no legal move.

    Args:
        units: The board.
        colour: The colour of the mover: 0 for Red, BLUE_BIT for Blue.
        moves: The packed pseudo-legal moves, a list that is changed in place.
        facts: The facts about the board, see `collect_facts`. The state of the commander is set in it.
        last_guard: 1 if the last guard of a side, its only unit beside the commander, is promoted, else 0.
    """
    kept_count: i32 = 0
    index: i32
    is_deferred: i32
    origin_unit: u32
    move: u64
    if facts.own_commander < 0:
        moves.truncate(0)
        return
    assess_commander(units, facts, colour, last_guard)
    for index in range(moves.count):
        move = moves.items[index]
        origin_unit = units[move & SQUARE_MASK]
        is_deferred = 1 if origin_unit & COMMANDER_BIT and get_flags(move) & DEPLOY else 0
        if is_deferred or is_legal_move(units, move, facts, colour, last_guard):
            moves.items[kept_count] = move
            kept_count += 1
    moves.truncate(kept_count)


def is_legal_move(units: Units, move: u64, facts: BoardFacts, colour: u32, last_guard: i32) -> i32:
    """Return a number other than 0 if a move leaves the mover's commander safe, else 0.

    The move must obey the rules of movement. It is tried on the board only if the facts do not decide.

    Args:
        units: The board.
        move: The packed move.
        facts: The facts about the board, for which `assess_commander` must have been called.
        colour: The colour of the mover: 0 for Red, BLUE_BIT for Blue.
        last_guard: 1 if the last guard of a side is promoted, else 0.
    """
    if facts.commander_state == SAFE and not may_endanger(move, facts):
        return 1
    if facts.commander_state == ENDANGERED and not may_rescue(move, facts):
        return 0
    return is_safe_after(units, move, facts, colour, last_guard)


def assess_commander(units: Units, facts: BoardFacts, colour: u32, last_guard: i32) -> None:
    """Set `facts.commander_state`, the state of the mover's commander.

    * SAFE: the commander is safe. Only moves for which `may_endanger` is 1 must be tried.
    * ENDANGERED: it is in danger. Only moves for which `may_rescue` is 1 must be tried.
    * UNSETTLED: every move must be tried. A side has two commanders, or air forces attack the commander and a
      last guard of the mover may be promoted.

    Args:
        units: The board, which is changed for the test and restored.
        facts: The facts about the board, changed in place.
        colour: The colour of the mover: 0 or BLUE_BIT.
        last_guard: 1 if last guards are promoted, else 0.
    """
    guard_square: i32 = find_enemy_guard(units, facts, NO_SQUARE) if last_guard else NO_SQUARE
    unpromoted_guard: u32 = 0
    if facts.extra_commanders:
        facts.commander_state = UNSETTLED
        return
    # Every move promotes the enemy's last guard, unless it captures that guard.
    if guard_square >= 0:
        unpromoted_guard = units[guard_square]
        units[guard_square] = make_heroic(unpromoted_guard)
    facts.commander_state = find_commander_state(units, facts, colour)
    if guard_square >= 0:
        units[guard_square] = unpromoted_guard


def find_commander_state(units: Units, facts: BoardFacts, colour: u32) -> i32:
    """Return the state of the mover's commander: SAFE, ENDANGERED or UNSETTLED.

    See `assess_commander` for these states. Also mark in `facts` the squares where other pieces may rescue
    the commander or shield it. `units` is the board. `colour` is the colour of the mover: 0 for Red, BLUE_BIT
    for Blue.
    """
    own_square: i32 = facts.own_commander
    enemy_colour: u32 = BLUE_BIT - colour
    facts.danger_directions = find_danger_directions(units, own_square, facts.enemy_commander, colour)
    if facts.danger_directions:
        # If the danger comes on two lines, only a move of the commander itself can end it.
        if not has_several_bits(facts.danger_directions):
            mark_danger_line(facts)
        return ENDANGERED
    facts.faces_raid = classify_attack(units, own_square, enemy_colour) == AIR_RAID
    if facts.faces_raid:
        return find_raid_state(units, facts, colour)
    mark_shields(units, own_square, enemy_colour, facts.shield_squares)
    return SAFE


def find_raid_state(units: Units, facts: BoardFacts, colour: u32) -> i32:
    """Return the state of a commander that only air forces attack.

    The state is SAFE, ENDANGERED or UNSETTLED, see `assess_commander`. It depends on the air defence of the
    mover. Also compute in `facts` what that air defence covers, and mark the squares where other pieces may
    rescue the commander or shield it. `units` is the board. `colour` is the colour of the mover: 0 for Red,
    BLUE_BIT for Blue.
    """
    own_square: i32 = facts.own_commander
    enemy_colour: u32 = BLUE_BIT - colour
    raider_square: i32
    raider: u32
    fill_air_cover(units, colour, facts.own_cover)
    facts.has_own_cover = 1
    fill_promoted_cover(units, facts, colour)
    # A move may promote the last guard of the mover, which may be air defence.
    if facts.own_guards <= 2:
        return UNSETTLED
    raider_square = find_raider(units, own_square, enemy_colour, facts.promoted_cover)
    if raider_square < 0:
        mark_shields(units, own_square, enemy_colour, facts.shield_squares)
        return SAFE

    # Capturing the raider rescues the commander if there is no second one.
    raider = units[raider_square]
    units[raider_square] = 0
    if find_raider(units, own_square, enemy_colour, facts.promoted_cover) < 0:
        facts.rescue_squares[raider_square] = 1
    units[raider_square] = raider
    return ENDANGERED


def find_danger_directions(units: Units, own_square: i32, enemy_square: i32, colour: u32) -> i32:
    """Return the directions of dangers to the mover's commander that air defence cannot stop.

    A danger is an attack, or the enemy commander on an open line. Bit `i` of the result stands for the
    direction ``board.DIRECTIONS[i]``.

    Args:
        units: The board.
        own_square: The square of the mover's commander.
        enemy_square: The square of the enemy commander, NO_SQUARE if it is missing.
        colour: The colour of the mover: 0 for Red, BLUE_BIT for Blue.
    """
    directions: i32 = find_attack_directions(units, own_square, BLUE_BIT - colour)
    if not are_exposed(units, own_square, enemy_square):
        return directions
    if get_file(own_square) == get_file(enemy_square):
        return directions | 1 << (UP if enemy_square > own_square else DOWN)
    return directions | 1 << (RIGHT if enemy_square > own_square else LEFT)


def fill_promoted_cover(units: Units, facts: BoardFacts, colour: u32) -> None:
    """Compute which squares the mover's air defence covers after a move of another piece.

    Every move promotes the pieces that attack the enemy commander, and promoted air defence covers more
    squares. The result is written into `facts.promoted_cover`. It adds these squares to `facts.own_cover`,
    which must have been computed. `units` is the board. `colour` is the colour of the mover: 0 for Red,
    BLUE_BIT for Blue.
    """
    promoted_squares: AttackerList
    square: i32
    index: i32
    promoted_count: i32 = 0
    if not cython.compiled:
        promoted_squares = [0] * MAX_ATTACKERS
    if facts.enemy_commander >= 0:
        promoted_count = find_attacking_air_defence(units, facts.enemy_commander, colour, promoted_squares)
    for square in range(SQUARE_COUNT):
        facts.promoted_cover[square] = facts.own_cover[square]
    for index in range(promoted_count):
        promote_zone(facts.promoted_cover, promoted_squares[index], units[promoted_squares[index]], 1)


def mark_danger_line(facts: BoardFacts) -> None:
    """Mark in `facts.rescue_squares` the squares from the commander to the edge toward a danger.

    A move to one of these squares, or a capture there, may rescue the commander. `facts.danger_directions`
    must have exactly one bit.
    """
    direction: i32 = 0
    index: i32
    square: i32
    while facts.danger_directions >> direction != 1:
        direction += 1
    for index in range(RAY_LENGTH):
        square = RAYS[facts.own_commander][direction][index]
        if square < 0:
            return
        facts.rescue_squares[square] = 1


def may_rescue(move: u64, facts: BoardFacts) -> i32:
    """Return 1 if a packed move may end the danger to the mover's commander, else 0.

    It may if it moves the commander, goes to or captures on a square of `facts.rescue_squares`, or changes
    what own air defence covers or which piece is the enemy's last guard. The move is not tried.
    """
    if move & COMMANDER_MOVES or facts.rescue_squares[get_target(move)]:
        return 1
    return 1 if may_change_own_cover(move, facts) or may_change_last_guard(move, facts) else 0


def may_change_last_guard(move: u64, facts: BoardFacts) -> i32:
    """Return 1 if a packed move captures one of the last two guards of the enemy, else 0.

    A guard is a unit whose carrier is not the commander. The last guard of a side is promoted, so that such a
    capture promotes the other guard or removes a promoted one.
    """
    target: i32
    if facts.enemy_guards == 0 or facts.enemy_guards > 2:
        return 0
    target = get_target(move)
    if target == facts.enemy_guard_squares[0]:
        return 1
    return facts.enemy_guards == 2 and target == facts.enemy_guard_squares[1]


def mark_shields(units: Units, target: i32, colour: u32, shields: SquareMarks) -> None:
    """Mark in `shields` each square whose unit alone shields `target` from a unit of `colour`.

    The three are on one file, rank or diagonal. If the unit between them leaves, a line to the target opens.

    Args:
        units: The board.
        target: The square of a commander.
        colour: The colour of the units that may attack it: 0 for Red, BLUE_BIT for Blue.
        shields: One number for each square of the board, set to 1 for the marked squares.
    """
    direction: i32
    index: i32
    square: i32
    first_occupied: i32
    for direction in range(DIRECTION_COUNT):
        first_occupied = NO_SQUARE
        # Commanders see each other at any distance on files and ranks.
        for index in range(RAY_LENGTH if direction < FIRST_DIAGONAL else MAX_ATTACK_DISTANCE):
            square = RAYS[target][direction][index]
            if square < 0:
                break
            if units[square] == 0:
                continue
            if first_occupied < 0:
                first_occupied = square
                continue
            # Here a second unit stands on the line.
            if (units[square] & BLUE_BIT) == colour:
                shields[first_occupied] = 1
            break


def may_endanger(move: u64, facts: BoardFacts) -> i32:
    """Return 1 if a packed move may put the mover's commander in danger, else 0.

    `facts.commander_state` must be SAFE. A move for which the result is 0 needs no trial on the board.
    """
    target: i32 = get_target(move)
    # A piece that joins the commander may become its carrier, and a navy is attacked from farther away.
    if move & COMMANDER_MOVES or target == facts.own_commander:
        return 1
    # A line to the commander may open where a unit leaves or is removed.
    if facts.shield_squares[move & SQUARE_MASK]:
        return 1
    if move & EMPTIES_TARGET and facts.shield_squares[target]:
        return 1
    return 1 if may_change_own_cover(move, facts) or may_change_last_guard(move, facts) else 0
