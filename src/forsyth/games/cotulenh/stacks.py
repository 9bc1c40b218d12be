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
        type_numbers = [LETTERS.index(letter) for letter in letters]
        types = sum(1 << number for number in type_numbers)
        CARRIERS[types] = type_numbers[0]


_fill_carrier_table()


def get_carrier_type(unit: u32) -> i32:
    """Return the number of the piece type that carries a unit, an index of LETTERS: 9 (N) for ``(NFT)``.

    Return −1 for an empty square or for types that do not make a stack.
    """
    return CARRIERS[unit & TYPES]


def combine_units(a: u32, b: u32) -> u32:
    """Return the stack of two units such as N and ``(FT)``, or 0 if they do not make one.

    The units must have one colour and no type in common, and together they must be a legal stack.
    """
    if a & b & TYPES:
        return 0
    if (a ^ b) & BLUE_BIT:
        return 0
    return a | b if CARRIERS[(a | b) & TYPES] >= 0 else 0


def split_unit(unit: int) -> list[int]:
    """Return the pieces of a unit, each as a unit of its own: N, F and T for ``(NFT)``.

    The carrier comes first. Each piece keeps its colour and its heroic mark.
    """
    pieces = []
    for letter in MEMBER_ORDER:
        type_bit = 1 << LETTERS.index(letter)
        if unit & type_bit:
            pieces.append(select_members(unit, type_bit))
    return pieces


def select_members(unit: int, types: int) -> int:
    """Return the members of a unit whose types are in the set `types`, with heroic marks and colour.

    `types` has one bit for each piece type, such as ``1 << TANK``.
    """
    return unit & (types | types << HEROIC_SHIFT | BLUE_BIT)


def get_heroic_types(unit: u32) -> u32:
    """Return the set of the piece types that are heroic in a unit, one bit for each type."""
    return unit >> HEROIC_SHIFT & TYPES


def get_piece_letter(piece: int) -> str:
    """Return the capital letter of a single piece, such as ``T`` for a tank of either colour."""
    type_number = (piece & TYPES).bit_length() - 1
    return LETTERS[type_number]


def is_heroic_piece(piece: int) -> bool:
    """Return whether a single piece, a unit with one member, is heroic."""
    return get_heroic_types(piece) != 0


def write_unit(unit: int, *, fen: bool = False) -> str:
    """Return a unit as text, such as ``T``, ``+T`` or ``(N+FT)``.

    If `fen` is true, the letters of a blue unit are small, as in a FEN. The unit must not be empty.
    """
    piece_texts = [
        ("+" if is_heroic_piece(piece) else "") + get_piece_letter(piece) for piece in split_unit(unit)
    ]
    text = piece_texts[0] if len(piece_texts) == 1 else f"({''.join(piece_texts)})"
    return text.lower() if fen and unit & BLUE_BIT else text


def read_unit(text: str, is_blue: bool = False) -> int:
    """Return the unit of a text such as ``N+FT``, or 0 if the text is not a legal unit.

    The letters may be in any order and case, with or without parentheses around them. ``B`` is another letter
    for anti-air. `is_blue` sets the colour.
    """
    unit = BLUE_BIT if is_blue else 0
    has_plus = False
    for character in text.strip("()").upper().replace("B", "G"):
        if character == "+":
            has_plus = True
            continue
        if character not in LETTERS:
            return 0
        type_bit = 1 << LETTERS.index(character)
        if unit & type_bit:
            # A stack contains each type at most once.
            return 0
        unit |= type_bit
        if has_plus:
            unit |= type_bit << HEROIC_SHIFT
        has_plus = False
    return unit if CARRIERS[unit & TYPES] >= 0 else 0
