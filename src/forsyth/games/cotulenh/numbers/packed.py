"""Packed form of a CoTuLenh position: bytes for stores and columns.

The first byte is the version, 1. Then follow

* 17 bytes: the occupied squares, 132 bits, a1 the lowest bit of the first byte;
* for each of them, a1 first: one byte, bits 0 to 5 the stack (its index in FORMS), bit 6 set for Blue, bit 7
  set if a member is heroic; in that case a byte with the heroic members, bit 0 the carrier;
* one byte: bit 0 set if Blue is to move, bit 1 if a session is open;
* the half-move clock and the move number in LEB128;
* with a session: one byte for the origin; two bytes for the types of the original stack and two for its
  heroic ones; two bytes for the types that have moved; one byte, bit 0 set if the steps are known, bit 1 if
  the start is; the number of steps, then for each two bytes for types, two for heroic ones, one for the
  target, one for the flags; and if the start is known its board as above.

Numbers of several bytes are little-endian. `unpack_position` accepts only the bytes that `pack_position`
writes.
Stability: the bytes of a position never change (tests/golden/cotulenh/keys.jsonl.gz tests that).
Limits: at most 2048 bytes.
"""

from __future__ import annotations

from typing import Final

from forsyth.games.cotulenh.board import BOARD_SIZE
from forsyth.games.cotulenh.numbers.packing import pack_board, pack_plain, unpack_plain
from forsyth.games.cotulenh.position import MAX_CLOCK, Position, Session, Step, build_position
from forsyth.games.cotulenh.rules.generate import CAPTURE, COMBINE, DEPLOY, QUIET, STAY, SUICIDE
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    FORMS,
    HEROIC_SHIFT,
    TYPES,
    get_heroic_types,
    read_unit,
    split_unit,
)

VERSION: Final = 1
MAX_BYTES: Final = 2048
FORM_MASK: Final = 63
BLUE_FLAG: Final = 64
HEROIC_FLAG: Final = 128
"""Parts of a unit byte: the index in FORMS, the colour, and whether a byte of heroic marks follows."""
GROUP_MASK: Final = 127
GROUP_BITS: Final = 7
MORE_FLAG: Final = 128
"""Parts of a byte in LEB128: seven bits of the number, and whether another byte follows."""
BITMAP_BYTES: Final = 17
"""Size of the bitmap of the occupied squares."""
TYPES_BYTES: Final = 2
"""Size of a set of piece types."""
UNIT_BITS: Final = 23
"""Number of bits in a unit: types, heroic marks and colour."""
BLUE_TO_MOVE: Final = 1
HAS_SESSION: Final = 2
"""Flags of the state byte."""
HAS_KNOWN_STEPS: Final = 1
HAS_START: Final = 2
"""Flags of a session."""

_STACKS_OF_TYPES: Final = frozenset(read_unit(form) & TYPES for form in FORMS)
_STEP_FLAGS: Final = frozenset(DEPLOY | flag for flag in (QUIET, CAPTURE, STAY, SUICIDE, COMBINE))


def pack_position(position: Position) -> bytes:
    """Return a position as bytes, its packed form, which `unpack_position` reads.

    The form contains the board, the side to move, both clocks and an open deploy session.
    """
    session = position.session
    # The fast form fails only if there is a session or if a clock exceeds 32 bits.
    plain = pack_plain(position) if session is None else None
    if plain is not None:
        return plain
    packed = bytearray((VERSION,)) + pack_board(position)
    session_flag = HAS_SESSION if session is not None else 0
    packed.append(position.blue_to_move | session_flag)
    _append_leb128(packed, position.half)
    _append_leb128(packed, position.full)
    if session is not None:
        _append_session(packed, session)
    return bytes(packed)


def unpack_position(data: bytes) -> Position:
    """Return the position whose packed form is `data`.

    Raise ValueError if `pack_position` returns these bytes for no position.
    """
    reader = _ByteReader(data)
    plain_position = unpack_plain(reader.data)
    if plain_position is not None:
        return plain_position
    version = reader.read_byte()
    if version != VERSION:
        raise ValueError(f"packed cotulenh: unknown version {version}, expected {VERSION}")
    board = reader.read_board()
    state_flags = reader.read_byte()
    blue_to_move = state_flags & BLUE_TO_MOVE
    half = reader.read_number()
    full = reader.read_number()
    session = reader.read_session(blue_to_move, half, full) if state_flags & HAS_SESSION else None
    try:
        position = build_position(board, blue_to_move, half, full, session)
    except ValueError as error:
        raise ValueError(f"packed cotulenh: {error}") from error
    if pack_position(position) != reader.data:
        raise ValueError(
            "packed cotulenh: the bytes are not canonical, expected the packed form of a position"
        )
    return position


def _is_possible_step(step: Step) -> bool:
    """Return whether a deploy step is possible on some board.

    Its pieces must be a single piece or a legal stack, only its own members may be heroic, and its flags must
    be DEPLOY and one other flag.
    """
    heroic_but_missing = get_heroic_types(step.unit) & ~step.unit
    return step.unit & TYPES in _STACKS_OF_TYPES and not heroic_but_missing and step.flags in _STEP_FLAGS


def _append_leb128(packed: bytearray, number: int) -> None:
    """Append a number to `packed` in LEB128.

    Each byte has seven bits of the number, lowest first, and bit 7 set if another byte follows.
    """
    while number > GROUP_MASK:
        packed.append((number & GROUP_MASK) | MORE_FLAG)
        number >>= GROUP_BITS
    packed.append(number)


def _append_types(packed: bytearray, unit: int) -> None:
    """Append to `packed` the piece types of a unit and its heroic types, two bytes each.

    `unit` is a piece or stack as one number. Its colour is left out.
    """
    packed += (unit & TYPES).to_bytes(TYPES_BYTES, "little")
    packed += get_heroic_types(unit).to_bytes(TYPES_BYTES, "little")


def _append_session(packed: bytearray, session: Session) -> None:
    """Append an open deploy session to `packed`: origin, stack, moved types, flags and steps.

    The board before the session follows if it is known.
    """
    packed.append(session.origin_square)
    _append_types(packed, session.original)
    packed += session.moved_types.to_bytes(TYPES_BYTES, "little")
    known_steps_flag = HAS_KNOWN_STEPS if session.has_known_steps else 0
    start_flag = HAS_START if session.start is not None else 0
    packed.append(known_steps_flag | start_flag)
    packed.append(len(session.steps))
    for step in session.steps:
        _append_types(packed, step.unit)
        packed += bytes((step.target, step.flags))
    if session.start is not None:
        packed += pack_board(session.start)


class _ByteReader:
    """Reader of packed bytes, one value after the other. Reading past the end raises ValueError."""

    def __init__(self, data: bytes) -> None:
        """Start at the first byte. Raise ValueError if the data is not bytes or too long."""
        if not isinstance(data, bytes | bytearray | memoryview):
            raise ValueError(f"packed cotulenh: the data is of type {type(data).__name__}, expected bytes")
        self.data = bytes(data)
        self._offset = 0
        if len(self.data) > MAX_BYTES:
            raise ValueError(f"packed cotulenh: {len(self.data)} bytes, expected at most {MAX_BYTES}")

    def read_bytes(self, count: int) -> bytes:
        """Return the next `count` bytes. Raise ValueError if there are fewer."""
        chunk = self.data[self._offset : self._offset + count]
        if len(chunk) < count:
            raise ValueError(
                f"packed cotulenh: the data ends early, expected {count} more bytes at byte {self._offset}"
            )
        self._offset += count
        return chunk

    def read_byte(self) -> int:
        """Return the next byte as a number. Raise ValueError at the end of the data."""
        return self.read_bytes(1)[0]

    def read_number(self) -> int:
        """Read a number in LEB128 and return it.

        Raise ValueError if the data ends early, or if the number is larger than a clock may be.
        """
        number = 0
        shift = 0
        while True:
            byte = self.read_byte()
            number |= (byte & GROUP_MASK) << shift
            shift += GROUP_BITS
            if not byte & MORE_FLAG:
                return number
            if number > MAX_CLOCK:
                raise ValueError(f"packed cotulenh: a clock is too large, expected at most {MAX_CLOCK}")

    def read_board(self) -> tuple[int, ...]:
        """Read a board and return the units of all squares, a1 first, 0 for an empty square.

        Raise ValueError if the bitmap of the occupied squares has a bit beyond the last square.
        """
        occupied = int.from_bytes(self.read_bytes(BITMAP_BYTES), "little")
        if occupied >> BOARD_SIZE:
            raise ValueError(
                f"packed cotulenh: a square off the board is occupied, expected {BOARD_SIZE} squares"
            )
        return tuple(self.read_unit() if occupied >> square & 1 else 0 for square in range(BOARD_SIZE))

    def read_unit(self) -> int:
        """Read a piece or stack of one or two bytes, and return it as a unit, one number.

        The second byte has the heroic marks. It follows if a member is heroic. Raise ValueError if the unit
        does not exist, or if a heroic mark has no member.
        """
        byte = self.read_byte()
        form_number = byte & FORM_MASK
        if form_number >= len(FORMS):
            raise ValueError(
                f"packed cotulenh: unknown unit {form_number}, expected a number below {len(FORMS)}"
            )
        unit = read_unit(FORMS[form_number], is_blue=bool(byte & BLUE_FLAG))
        heroic_marks = self.read_byte() if byte & HEROIC_FLAG else 0
        pieces = split_unit(unit)
        if heroic_marks >> len(pieces):
            raise ValueError(
                f"packed cotulenh: a heroic mark has no member in a unit of {len(pieces)} pieces"
            )
        for index, piece in enumerate(pieces):
            if heroic_marks >> index & 1:
                unit |= (piece & TYPES) << HEROIC_SHIFT
        return unit

    def read_types(self, blue: int) -> int:
        """Read the types of some pieces and the heroic ones of them, and return them as a unit.

        Each set of types is two bytes, and the unit is one number. `blue` is 1 if the pieces are Blue's, else
        0.
        """
        types = int.from_bytes(self.read_bytes(TYPES_BYTES), "little")
        heroic_types = int.from_bytes(self.read_bytes(TYPES_BYTES), "little")
        return types | heroic_types << HEROIC_SHIFT | (BLUE_BIT if blue else 0)

    def read_session(self, blue: int, half: int, full: int) -> Session:
        """Read a deploy session. Raise ValueError if a part of it is out of range or impossible.

        The board before the session, if the data contains it, gets the same side to move and clocks.

        Args:
            blue: 1 if Blue is to move, else 0.
            half: The half-move clock.
            full: The move number.
        """
        origin = self.read_byte()
        original = self.read_types(blue)
        moved_types = int.from_bytes(self.read_bytes(TYPES_BYTES), "little")
        session_flags = self.read_byte()
        step_count = self.read_byte()
        steps = tuple(self._read_step(blue) for _ in range(step_count))

        highest_square = max([origin, *(step.target for step in steps)])
        has_unknown_bits = max(original, moved_types) >> UNIT_BITS
        if highest_square >= BOARD_SIZE or has_unknown_bits:
            raise ValueError("packed cotulenh: a square or type of the deploy session is out of range")
        if not all(map(_is_possible_step, steps)):
            raise ValueError("packed cotulenh: a step of the deploy session has an impossible unit or flags")
        start = build_position(self.read_board(), blue, half, full) if session_flags & HAS_START else None
        return Session(
            origin_square=origin,
            original=original,
            steps=steps,
            start=start,
            has_known_steps=bool(session_flags & HAS_KNOWN_STEPS),
            moved_types=moved_types,
        )

    def _read_step(self, blue: int) -> Step:
        """Read a deploy step: its pieces, its target and its flags.

        `blue` is 1 if Blue is to move, else 0.
        """
        return Step(unit=self.read_types(blue), target=self.read_byte(), flags=self.read_byte())
