"""The packed form of a CoTuLenh position: bytes, for stores and columns.

The first byte is the version, 1. Then

* 17 bytes: the occupied squares, 132 bits, a1 the lowest bit of the first byte;
* for each of them, a1 first: one byte, bits 0 to 5 the stack (its place in FORMS), bit 6 blue, bit 7 if a
  member is heroic; then a byte with the heroic members, bit 0 the carrier, only if one is;
* one byte: bit 0 Blue to move, bit 1 a session is open;
* the half-move clock and the move number in LEB128;
* with a session: one byte for the origin; two bytes for the types of the original stack and two for its
  heroic ones; two bytes for the types that have moved; one byte, bit 0 if the steps are known, bit 1 if the
  start is; the number of steps, then for each two bytes for types, two for heroic ones, one for the target,
  one for the flags; and if the start is known its board as above.

Numbers of several bytes are little-endian. Reading: `unpack` takes what `pack` writes and nothing else.
Stability: the bytes of a position never change (tests/golden/cotulenh/keys.jsonl.gz holds that).
Limits: at most 2048 bytes.
"""

from __future__ import annotations

from typing import Final

from forsyth.games.cotulenh.board import BOARD_SIZE
from forsyth.games.cotulenh.numbers.packing import board_form, from_plain_form, plain_form
from forsyth.games.cotulenh.position import MAX_CLOCK, Position, Session, Step, build
from forsyth.games.cotulenh.rules.generate import CAPTURE, COMBINE, DEPLOY, QUIET, STAY, SUICIDE
from forsyth.games.cotulenh.stacks import BLUE_BIT, FORMS, HEROIC_SHIFT, TYPES, members, read_unit

VERSION: Final = 1
MAX_BYTES: Final = 2048

_STACKS_OF_TYPES: Final = frozenset(read_unit(form) & TYPES for form in FORMS)
_STEP_FLAGS: Final = frozenset(DEPLOY | way for way in (QUIET, CAPTURE, STAY, SUICIDE, COMBINE))


def pack(position: Position) -> bytes:
    """The one packed form of a position."""
    session = position.session
    plain = plain_form(position) if session is None else None
    if plain is not None:
        return plain
    out = bytearray((VERSION,)) + board_form(position)
    out.append(position.blue_to_move | (2 if session is not None else 0))
    _put_number(out, position.half)
    _put_number(out, position.full)
    if session is not None:
        _put_session(out, session)
    return bytes(out)


def unpack(data: bytes) -> Position:
    """The position of a packed form; `ValueError` for every other string of bytes."""
    source = _Source(data)
    plain = from_plain_form(source.data)
    if plain is not None:
        return plain
    if source.byte() != VERSION:
        raise ValueError(f"packed cotulenh: the version is not {VERSION}")
    board = source.board()
    state = source.byte()
    half, full = source.number(), source.number()
    session = source.session(board, state & 1, half, full) if state & 2 else None
    try:
        position = build(board, state & 1, half, full, session)
    except ValueError as error:
        raise ValueError(f"packed cotulenh: {error}") from error
    if pack(position) != source.data:
        raise ValueError("packed cotulenh: these bytes are not the packed form of a position")
    return position


def _is_step(step: Step) -> bool:
    """Whether a text can say the step: a unit that there is, going in one way."""
    heroic = step.unit >> HEROIC_SHIFT & TYPES
    return step.unit & TYPES in _STACKS_OF_TYPES and not heroic & ~step.unit and step.flags in _STEP_FLAGS


def _put_number(out: bytearray, number: int) -> None:
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def _put_types(out: bytearray, unit: int) -> None:
    out += (unit & TYPES).to_bytes(2, "little") + (unit >> HEROIC_SHIFT & TYPES).to_bytes(2, "little")


def _put_session(out: bytearray, session: Session) -> None:
    out.append(session.origin_square)
    _put_types(out, session.original)
    out += session.moved_types.to_bytes(2, "little")
    out.append(int(session.known) | (2 if session.start is not None else 0))
    out.append(len(session.steps))
    for step in session.steps:
        _put_types(out, step.unit)
        out += bytes((step.target, step.flags))
    if session.start is not None:
        out += board_form(session.start)


class _Source:
    """Bytes that are read one after the other; running out of them is an error."""

    def __init__(self, data: bytes) -> None:
        if not isinstance(data, bytes | bytearray | memoryview):
            raise ValueError(f"packed cotulenh: bytes are expected, not {type(data).__name__}")
        self.data = bytes(data)
        self._at = 0
        if len(self.data) > MAX_BYTES:
            raise ValueError(f"packed cotulenh: {len(self.data)} bytes, expected at most {MAX_BYTES}")

    def take(self, count: int) -> bytes:
        """The next bytes."""
        taken = self.data[self._at : self._at + count]
        if len(taken) < count:
            raise ValueError("packed cotulenh: the bytes end too early")
        self._at += count
        return taken

    def byte(self) -> int:
        """The next byte."""
        return self.take(1)[0]

    def number(self) -> int:
        """The next number in LEB128."""
        found = shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 127) << shift
            shift += 7
            if not byte & 128:
                return found
            if found > MAX_CLOCK:
                raise ValueError("packed cotulenh: a clock is too large")

    def board(self) -> tuple[int, ...]:
        """The next board."""
        occupied = int.from_bytes(self.take(17), "little")
        if occupied >> BOARD_SIZE:
            raise ValueError("packed cotulenh: a square off the board is occupied")
        return tuple(self.unit() if occupied >> square & 1 else 0 for square in range(BOARD_SIZE))

    def unit(self) -> int:
        """The next unit."""
        byte = self.byte()
        if byte & 63 >= len(FORMS):
            raise ValueError("packed cotulenh: a unit is not known")
        unit = read_unit(FORMS[byte & 63], bool(byte & 64))
        heroic = self.byte() if byte & 128 else 0
        pieces = members(unit)
        if heroic >> len(pieces):
            raise ValueError("packed cotulenh: a member that is not there is heroic")
        for place, piece in enumerate(pieces):
            if heroic >> place & 1:
                unit |= (piece & TYPES) << HEROIC_SHIFT
        return unit

    def types(self, blue: int) -> int:
        """The next types with their heroic marks, as a unit."""
        kinds = int.from_bytes(self.take(2), "little")
        heroic = int.from_bytes(self.take(2), "little")
        return kinds | heroic << HEROIC_SHIFT | (BLUE_BIT if blue else 0)

    def session(self, board: tuple[int, ...], blue: int, half: int, full: int) -> Session:
        """The next session."""
        origin = self.byte()
        original = self.types(blue)
        moved = int.from_bytes(self.take(2), "little")
        marks = self.byte()
        steps = tuple(Step(self.types(blue), self.byte(), self.byte()) for _ in range(self.byte()))
        squares = [origin, *(step.target for step in steps)]
        if max(squares) >= BOARD_SIZE or max((original, moved)) >> 23:
            raise ValueError("packed cotulenh: the session is not on the board")
        if not all(map(_is_step, steps)):
            raise ValueError("packed cotulenh: a step of the session is none")
        start = build(self.board(), blue, half, full) if marks & 2 else None
        return Session(origin, original, steps, start, bool(marks & 1), moved)
