"""Units and stacks of CoTuLenh (spec/cotulenh 7).

A unit is the content of one square, a piece or a stack, as one number:

* bits 0 to 10: the set of its piece types, in the order of LETTERS (`TYPES`);
* bits 11 to 21: the set of the types that are heroic (`HEROIC_SHIFT`);
* bit 22: the colour, set for Blue (`COLOUR_SHIFT`, `BLUE_BIT`).

The number 0 is an empty square. A stack contains each type at most once, and the set of its types determines
its carrier and the order of its members.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

LETTERS: Final = "CITMEAGSFNH"
"""Piece letters. The index of a letter is the number of its type."""
MEMBER_ORDER: Final = "NFTEHCIMAGS"
"""Piece letters in the order in which the members of a stack are written, the carrier first."""
STACKS: Final = (
    "NF NC NI NM NT NFC NFI NFM NFT FT FC FI FM FTC FTI FTM TC TI TM EA EG ES HC".split()  # noqa: SIM905
)
"""All legal stacks of two or three pieces (spec/cotulenh 7)."""
FORMS: Final = (*LETTERS, *STACKS)
"""All sets of types that a unit can have. Packed positions contain their indexes, so the order is fixed."""
NAMES: Final = {
    "C": "commander",
    "I": "infantry",
    "T": "tank",
    "M": "militia",
    "E": "engineer",
    "A": "artillery",
    "G": "anti-air",
    "S": "missile",
    "F": "air force",
    "N": "navy",
    "H": "headquarter",
}

if not cython.compiled:
    from forsyth.games.cotulenh.board import i32, u32

    COMMANDER: Final = 0
    INFANTRY: Final = 1
    TANK: Final = 2
    MILITIA: Final = 3
    ENGINEER: Final = 4
    ARTILLERY: Final = 5
    ANTI_AIR: Final = 6
    MISSILE: Final = 7
    AIR_FORCE: Final = 8
    NAVY: Final = 9
    HEADQUARTER: Final = 10
    TYPES: Final = 2047
    HEROIC_SHIFT: Final = 11
    COLOUR_SHIFT: Final = 22
    BLUE_BIT: Final = 1 << COLOUR_SHIFT
    CARRIERS = [-1] * (TYPES + 1)


def _fill_carrier_table() -> None:
    """Fill CARRIERS: for each set of piece types, the type that carries the others.

    The index is the set, with one bit for each type. The entry is −1 if the set is neither a single piece nor
    a legal stack.
    """
    for types in range(TYPES + 1):
        CARRIERS[types] = -1
    for letters in FORMS:
        carrier_letter = letters[0]
        types = sum(1 << LETTERS.index(letter) for letter in letters)
        CARRIERS[types] = LETTERS.index(carrier_letter)


_fill_carrier_table()


def get_carrier_type(unit: u32) -> i32:
    """Return the type of the piece that carries the others: NAVY for ``(NFT)``.

    `unit` is a piece or stack as one number. A single piece is its own carrier. Return −1 if `unit` is 0,
    which is an empty square, or if its types do not make a legal stack.
    """
    return CARRIERS[unit & TYPES]


def combine_units(unit: u32, other: u32) -> u32:
    """Return the stack of two units, ``(NFT)`` for N and ``(FT)``, or 0 if they make none.

    A unit is a piece or stack as one number. The units must have the same colour and no piece type in common,
    and together they must be a legal stack.
    """
    have_common_type: u32 = unit & other & TYPES
    have_other_colours: u32 = (unit ^ other) & BLUE_BIT
    if have_common_type or have_other_colours:
        return 0
    return unit | other if CARRIERS[(unit | other) & TYPES] >= 0 else 0


def split_unit(unit: int) -> list[int]:
    """Return the pieces of a unit, a piece or stack as one number: N, F and T for ``(NFT)``.

    Each piece is a unit of its own, with its colour and its heroic mark. The carrier comes first.
    """
    pieces = []
    for letter in MEMBER_ORDER:
        type_bit = 1 << LETTERS.index(letter)
        if unit & type_bit:
            pieces.append(select_members(unit, type_bit))
    return pieces


def select_members(unit: int, types: int) -> int:
    """Return the part of a unit with the piece types `types`: the unit T if `unit` is ``(NFT)``.

    `types` is a set of bits, such as ``1 << TANK``. The pieces keep their colour and their heroic marks.
    """
    heroic_marks = types << HEROIC_SHIFT
    return unit & (types | heroic_marks | BLUE_BIT)


def get_heroic_types(unit: u32) -> u32:
    """Return the set of the heroic piece types of a unit: ``1 << AIR_FORCE`` for ``(N+F)``.

    A heroic piece has been promoted. The set has one bit for each type.
    """
    return unit >> HEROIC_SHIFT & TYPES


def get_piece_letter(piece: int) -> str:
    """Return the capital letter of a single piece, such as ``T`` for a tank of either colour.

    `piece` is a unit with one member.
    """
    # The only bit of the set is the number of the type.
    type_number = (piece & TYPES).bit_length() - 1
    return LETTERS[type_number]


def is_heroic_piece(piece: int) -> bool:
    """Return whether a single piece, a unit with one member, is heroic (promoted)."""
    return get_heroic_types(piece) != 0


def write_unit(unit: int, *, fen: bool = False) -> str:
    """Return a unit as text: ``T``, ``+T`` for a heroic tank, or ``(N+FT)`` for a stack.

    If `fen` is true, the letters of a blue unit are small, as in a FEN. The unit must not be 0.
    """
    piece_texts = [_write_piece(piece) for piece in split_unit(unit)]
    is_stack = len(piece_texts) > 1
    text = f"({''.join(piece_texts)})" if is_stack else piece_texts[0]
    is_blue = unit & BLUE_BIT
    return text.lower() if fen and is_blue else text


def _write_piece(piece: int) -> str:
    """Return a single piece as text: ``T``, or ``+T`` for a heroic tank."""
    heroic_mark = "+" if is_heroic_piece(piece) else ""
    return heroic_mark + get_piece_letter(piece)


def read_unit(text: str, is_blue: bool = False) -> int:
    """Return the unit of a text such as ``N+FT``, a piece or stack as one number.

    Return 0 if the text is not a legal piece or stack. The letters may be in any order and case, with or
    without parentheses around them. ``B`` is another letter for anti-air. The unit is Blue's if `is_blue` is
    true, else Red's.
    """
    unit = BLUE_BIT if is_blue else 0
    is_next_heroic = False
    for character in text.strip("()").upper().replace("B", "G"):
        if character == "+":
            is_next_heroic = True
            continue
        if character not in LETTERS:
            return 0
        type_bit = 1 << LETTERS.index(character)
        if unit & type_bit:
            # A stack contains each type at most once.
            return 0
        unit |= type_bit
        if is_next_heroic:
            unit |= type_bit << HEROIC_SHIFT
        is_next_heroic = False
    return unit if CARRIERS[unit & TYPES] >= 0 else 0
