"""Units and stacks of CoTuLenh: what stands on one square, as one number.

A unit holds the set of its piece types (bits 0 to 10, in the order of LETTERS), the set of those that are
heroic (bits 11 to 21) and its colour (bit 22, blue). No type stands twice in a stack, and the set of types
determines carrier and order, so nothing else is needed; 0 is an empty square (spec/cotulenh 7).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

LETTERS: Final = "CITMEAGSFNH"
"""Piece letters; the place of a letter is the number of its type."""
ORDER: Final = "NFTEHCIMAGS"
"""The order in which the members of a stack are written, the carrier first."""
STACKS: Final = (
    "NF NC NI NM NT NFC NFI NFM NFT FT FC FI FM FTC FTI FTM TC TI TM EA EG ES HC".split()  # noqa: SIM905
)
"""Every legal stack of two or three (spec/cotulenh 7)."""
FORMS: Final = (*LETTERS, *STACKS)
"""Every set of types a unit can have; the place in this list is its number for ever (`packed`)."""
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
    BLUE_BIT: Final = 1 << 22
    CARRIERS = [-1] * 2048


def _fill_carriers() -> None:
    for types in range(2048):
        CARRIERS[types] = -1
    for letter in LETTERS:
        CARRIERS[1 << LETTERS.index(letter)] = LETTERS.index(letter)
    for stack in STACKS:
        CARRIERS[sum(1 << LETTERS.index(letter) for letter in stack)] = LETTERS.index(stack[0])


_fill_carriers()


def carrier_of(unit: u32) -> i32:
    """The type that carries a unit; −1 for an empty square or a set that is no stack."""
    return CARRIERS[unit & TYPES]


def combine(a: u32, b: u32) -> u32:
    """The stack of two units of one colour, or 0 if there is none."""
    if a & b & TYPES or (a ^ b) & BLUE_BIT or CARRIERS[(a | b) & TYPES] < 0:
        return 0
    return a | b


def members(unit: int) -> list[int]:
    """The single pieces of a unit, carrier first, each a unit of its own."""
    found = []
    for letter in ORDER:
        bit = 1 << LETTERS.index(letter)
        if unit & bit:
            found.append(unit & (bit | bit << HEROIC_SHIFT | BLUE_BIT))
    return found


def write_unit(unit: int, *, fen: bool = False) -> str:
    """A unit as letters: ``T``, ``+T``, ``(N+FT)``; with `fen` a blue one in small letters."""
    parts = [
        ("+" if piece >> HEROIC_SHIFT & TYPES else "") + LETTERS[(piece & TYPES).bit_length() - 1]
        for piece in members(unit)
    ]
    text = parts[0] if len(parts) == 1 else f"({''.join(parts)})"
    return text.lower() if fen and unit & BLUE_BIT else text


def read_unit(text: str, blue: bool = False) -> int:
    """The unit of letters such as ``N+FT``, in any order, with or without parentheses; 0 if it is none."""
    unit = BLUE_BIT if blue else 0
    heroic = False
    for ch in text.strip("()").upper():
        if ch == "+":
            heroic = True
            continue
        number = LETTERS.find("G" if ch == "B" else ch)
        if number < 0 or unit >> number & 1:
            return 0
        unit |= 1 << number | (1 << number + HEROIC_SHIFT if heroic else 0)
        heroic = False
    return unit if CARRIERS[unit & TYPES] >= 0 else 0
