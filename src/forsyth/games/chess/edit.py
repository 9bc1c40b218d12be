"""Editing a chess position: pieces on squares and in pockets, the fields, and the start of a new game.

Accepts
    Squares (``e4``) and, in Crazyhouse, places in the pockets (``Q@`` for White's queens, ``q@`` for
    Black's). Symbols are piece letters; in Crazyhouse ``Q~`` is a promoted queen.
Writes
    Positions that a text can express, legal or not. Castling rights and the en-passant square do not change
    when their king, rook or pawn is moved away. `check` reports the contradiction.
Limits
    A field accepts the values that the reader accepts in default mode: clocks from 0 to 9999, at most 64
    pieces in the pockets.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from forsyth.arguments import quoted, require_integer, require_text
from forsyth.game import Field
from forsyth.game_values import require_one_word
from forsyth.games.chess.board import SQUARE_NUMBER, SQUARES
from forsyth.games.chess.drawing.pieces import GLYPHS
from forsyth.games.chess.drawing.scene import PALETTE, make_token
from forsyth.games.chess.notation.fen import read_fen
from forsyth.games.chess.notation.kernel import encode
from forsyth.games.chess.position import (
    LETTERS,
    MAX_CHECKS,
    POCKET_COUNT_BITS,
    POCKET_ORDER,
    RANK_8_SHIFT,
    RANK_MASK,
    Position,
    format_castling_rights,
)
from forsyth.games.chess.variants import VARIANTS
from forsyth.scene import Area, Cell, Scene

_KIND_FIELDS: Final = {
    "P": "pawns",
    "N": "knights",
    "B": "bishops",
    "R": "rooks",
    "Q": "queens",
    "K": "kings",
}
"""The field of a position that contains the squares of each kind of piece."""
_PIECE_SETS: Final = (*_KIND_FIELDS.values(), "white", "black", "promoted")
"""The fields of a position that contain squares of pieces."""
_PROMOTED: Final = "~"
_IN_HAND: Final = "@"
_POCKET_PLACES: Final = {f"{letter}{_IN_HAND}": letter for letter in POCKET_ORDER + POCKET_ORDER.lower()}
"""The letter of the pieces in each place of the pockets."""

_PALETTE_MARGIN: Final = 0.2
_BLACK_ROW_Y: Final = 1.3
"""Upper edges of the rows of the palette, in units of one cell. The margin is also that on the left."""

CHESS960_STARTS: Final = 960
"""Number of start positions in Chess960."""
_KNIGHT_PAIRS: Final = tuple((left, right) for left in range(5) for right in range(left + 1, 5))
"""The squares of the knights among the five squares still free, in the order of the start numbers."""

_SIDE_CHOICES: Final = (("w", "White"), ("b", "Black"))
_CASTLING_LABELS: Final = {
    "K": "White, king side",
    "Q": "White, queen side",
    "k": "Black, king side",
    "q": "Black, queen side",
}
_EP_CHOICES: Final = (("-", "none"), *((square, square) for square in SQUARES if square[1] in "36"))
_CHECKS_CHOICES: Final = tuple((str(count), str(count)) for count in range(MAX_CHECKS + 1))
_WORD_INDEX: Final = {"side": 1, "castling": 2, "ep": 3, "half": -2, "full": -1}
"""Index of the word of a text that contains a field."""
_CHECKS_FIELDS: Final = ("white_checks", "black_checks")
_CHECKS_WORD_INDEX: Final = 4


# --- pieces -----------------------------------------------------------------------------------------


def place_piece(position: Position, place: str, symbol: str | None) -> Position:
    """Return the position with a piece placed on a square, or added to a pocket. `position` is not changed.

    Args:
        position: The position before.
        place: A square such as ``e4`` or, in Crazyhouse, the place of a piece in hand, such as ``Q@``.
        symbol: A piece letter such as ``Q``, or ``Q~`` for a promoted queen. None empties the square, or
            removes one piece from the pocket.

    Raises:
        ValueError: If the place or the symbol does not exist, or the place is for another piece.
    """
    is_piece = str(symbol).removesuffix(_PROMOTED) in tuple(LETTERS)
    if symbol is not None and not is_piece:
        raise ValueError(f"{quoted(symbol)} is not a chess piece, expected one of {LETTERS}")
    _require_place(place)
    if place in _POCKET_PLACES and _has_pockets(position):
        return _change_pocket(position, _POCKET_PLACES[place], symbol)
    if place not in SQUARE_NUMBER:
        raise _make_unknown_place_error(place)
    return _change_square(position, 1 << SQUARE_NUMBER[place], symbol)


def _change_square(position: Position, square_bit: int, symbol: str | None) -> Position:
    """Return the position with another piece, such as ``Q``, on a square. None as `symbol` empties it.

    `square_bit` is the square as a set: a number in which only the bit of this square is 1.
    """
    # First remove the square from all sets of pieces, then add it to those of the new piece.
    changed_sets = {name: getattr(position, name) & ~square_bit for name in _PIECE_SETS}
    if symbol is not None:
        letter = symbol[0]
        changed_sets[_KIND_FIELDS[letter.upper()]] |= square_bit
        changed_sets["white" if letter.isupper() else "black"] |= square_bit
        if symbol.endswith(_PROMOTED):
            changed_sets["promoted"] |= square_bit
    return position.replace(**changed_sets)


def _change_pocket(position: Position, letter: str, symbol: str | None) -> Position:
    """Return the position with one piece in hand more or, if `symbol` is None, one less.

    Without such a piece in hand, removing one changes nothing.

    Args:
        position: The position before.
        letter: The kind of piece whose number changes, such as ``Q`` for White's queens in hand.
        symbol: The piece to add, such as ``Q`` or ``Q~``, or None.

    Raises:
        ValueError: If `symbol` is a piece of another kind.
    """
    if symbol is not None and symbol[0] != letter:
        raise ValueError(
            f"{letter}{_IN_HAND} holds {make_token(letter).label}s only, not a {make_token(symbol[0]).label}"
        )
    pocket_field = "white_pocket" if letter.isupper() else "black_pocket"
    pocket = getattr(position, pocket_field)
    # A pocket has one byte with the count of each kind of piece, so one piece is a 1 in its byte.
    kind = tuple(_KIND_FIELDS).index(letter.upper())
    one_piece = 1 << (POCKET_COUNT_BITS * kind)

    if symbol is not None:
        return position.replace(**{pocket_field: pocket + one_piece})
    if letter not in position.pockets:
        return position
    return position.replace(**{pocket_field: pocket - one_piece})


def move_piece(position: Position, source: str, target: str) -> Position:
    """Return the position with the piece in the place `source` moved to the place `target`.

    A place is a square (``e4``) or the pocket of a kind of piece (``Q@``). The rules of chess do not matter,
    so a piece on the target is replaced. Raise `ValueError` if a place does not exist, `source` is empty, or
    `target` cannot hold the piece.
    """
    _require_place(source)
    _require_place(target)
    symbol = _find_symbol_at(position, source)
    if symbol is None:
        raise ValueError(f"nothing is on {source}, so nothing can be moved from there; choose a piece")
    if source == target:
        return position
    # In a game a captured promoted piece becomes a pawn. An editor moves the piece itself, without its mark.
    moved_symbol = symbol[0] if target in _POCKET_PLACES else symbol
    without_piece = place_piece(position, source, None)
    return place_piece(without_piece, target, moved_symbol)


def _find_symbol_at(position: Position, place: str) -> str | None:
    """Return the piece in a place: ``Q``, ``Q~`` for a promoted queen, or None if the place is empty.

    A place is a square such as ``e4``, or a piece in hand such as ``Q@``. Raise `ValueError` if it does not
    exist.
    """
    if place in _POCKET_PLACES and _has_pockets(position):
        letter_in_hand = _POCKET_PLACES[place]
        return letter_in_hand if letter_in_hand in position.pockets else None
    if place not in SQUARE_NUMBER:
        raise _make_unknown_place_error(place)
    letter = position.piece_at(place)
    is_promoted = position.promoted & (1 << SQUARE_NUMBER[place])
    return f"{letter}{_PROMOTED}" if is_promoted else letter


def _require_place(place: object) -> None:
    """Raise `ValueError` if `place` is not a string, and so not the name of a square or piece in hand."""
    if not isinstance(place, str):
        raise _make_unknown_place_error(place)


def _make_unknown_place_error(place: object) -> ValueError:
    """Return the error for a place that is neither a square such as ``e4`` nor a piece in hand."""
    return ValueError(f"{quoted(place)} is not a place of the board, expected a square such as e4")


def _has_pockets(position: Position) -> bool:
    """Return True if the variant of the position is Crazyhouse, the only one with pieces in hand."""
    return position.variant == "crazyhouse"


def make_palette(position: Position) -> Scene:
    """Return the drawing of the pieces that an editor offers: White's in one row, Black's in a row below.

    The drawing is the same for all positions of chess.
    """
    return Scene(
        title="Chess pieces",
        description="Pieces to put on the board: king, queen, rook, bishop, knight and pawn of both colours.",
        width=6.4,
        height=2.5,
        areas=(
            _make_piece_row("White", "KQRBNP", y=_PALETTE_MARGIN),
            _make_piece_row("Black", "kqrbnp", y=_BLACK_ROW_Y),
        ),
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _make_piece_row(name: str, letters: str, y: float) -> Area:
    """Return one row of the palette, with a cell for each piece letter in `letters`, such as ``KQRBNP``.

    The palette is the drawing from which an editor's user chooses a piece. `name` is the name of the side,
    and `y` the upper edge of the row, in units of one cell.
    """
    cells = tuple(
        Cell(id=letter, column=column, row=0, ground="pocket", tokens=(make_token(letter),))
        for column, letter in enumerate(letters)
    )
    return Area(name=name, columns=len(cells), rows=1, cells=cells, x=_PALETTE_MARGIN, y=y)


# --- fields -----------------------------------------------------------------------------------------


def list_fields(position: Position) -> tuple[Field, ...]:
    """Return the editable values of a position that are not on the board, such as the side to move.

    Each `Field` has a name, a label, the value as text, and the values to choose from.
    """
    rights = position.castling.replace("-", "")
    return (
        Field("side", "Side to move", position.side, "choice", _SIDE_CHOICES),
        Field("castling", "Castling", rights, "flags", tuple(_list_castling_choices(position))),
        Field("ep", "En passant", position.ep, "choice", _EP_CHOICES),
        Field("half", "Half-move clock", str(position.half), "number"),
        Field("full", "Move number", str(position.full), "number"),
        *_list_variant_fields(position),
    )


def _list_castling_choices(position: Position) -> Iterator[tuple[str, str]]:
    """Yield the castling letters that can be chosen, each with a label: ``K`` and ``White, king side``.

    Chess960 adds the file letters of rooks that K, Q, k and q do not name.
    """
    yield from _CASTLING_LABELS.items()
    if position.variant != "chess960":
        return
    # Write the position as if every rook on its back rank had a castling right, to find all letters.
    white_rooks = position.rooks & position.white & RANK_MASK
    black_rooks = position.rooks & position.black & (RANK_MASK << RANK_8_SHIFT)
    with_all_rights = position.replace(rights=position.rights | white_rooks | black_rooks)
    for letter in format_castling_rights(with_all_rights, is_shredder=False):
        if letter in _CASTLING_LABELS or letter == "-":
            continue
        side, rank = ("White", 1) if letter.isupper() else ("Black", 8)
        yield letter, f"{side}, rook on {letter.lower()}{rank}"


def _list_variant_fields(position: Position) -> Iterator[Field]:
    """Yield the fields that only Crazyhouse (pieces in hand) or Three-check (remaining checks) has."""
    if _has_pockets(position):
        yield Field("pockets", "Pockets", position.pockets, "text")
    if position.variant == "3check":
        for name, side, remaining in zip(_CHECKS_FIELDS, ("White", "Black"), position.checks, strict=True):
            yield Field(name, f"Checks {side} has to give", str(remaining), "choice", _CHECKS_CHOICES)


def replace_field(position: Position, name: str, value: str) -> Position:
    """Return the position with another value in a field, such as ``b`` in the field ``side``.

    The new value is read like the word of a FEN. Raise `ValueError` if `list_fields` has no field `name`, or
    if the value cannot be read.
    """
    require_text("the value", value)
    fields = {field.name: field for field in list_fields(position)}
    if not isinstance(name, str) or name not in fields:
        raise ValueError(f"a chess position has no field {quoted(name)}; its fields are {', '.join(fields)}")
    field = fields[name]
    if field.value == value:
        return position
    words = encode(position).split(" ")
    _replace_value(words, field, value)
    reading = read_fen(" ".join(words), rules=VARIANTS.index(position.variant))
    if reading.position is None:
        first_error = next(finding for finding in reading.diagnostics if finding.is_error)
        raise ValueError(first_error.message)
    return reading.position


def _replace_value(words: list[str], field: Field, value: str) -> None:
    """Replace the value of a field in the words of a canonical text. The list `words` is changed in place.

    Raise `ValueError` if `value` is empty or contains white space. An empty value is allowed for pockets and
    castling.
    """
    if field.name == "pockets":
        board = words[0].partition("[")[0]
        pockets = require_one_word(field, value or "-")
        words[0] = f"{board}[{pockets}]"
    elif field.name in _CHECKS_FIELDS:
        counts = words[_CHECKS_WORD_INDEX].split("+")
        counts[_CHECKS_FIELDS.index(field.name)] = require_one_word(field, value)
        words[_CHECKS_WORD_INDEX] = "+".join(counts)
    else:
        # A position without castling rights is written with a dash.
        word = "-" if field.name == "castling" and not value else value
        words[_WORD_INDEX[field.name]] = require_one_word(field, word)


# --- new games --------------------------------------------------------------------------------------


def new_game(rules: int, start: str, seed: int | None) -> Position:
    """Return the position that a new game of a variant begins with.

    Args:
        rules: The index of the variant in VARIANTS. A negative number, for a game in which each text chooses
            its variant, starts a game of standard chess.
        start: The text of the start position, which Chess960 ignores.
        seed: The number of the start position in Chess960. None chooses a random one.

    Raises:
        ValueError: If `seed` is not the number of a Chess960 start position.
    """
    if rules < 0 or VARIANTS[rules] != "chess960":
        return read_fen(start, rules=max(0, rules)).require()
    if seed is None:
        start_number = random.randrange(CHESS960_STARTS)
    else:
        start_number = require_integer("the number of a Chess960 start", seed, 0, CHESS960_STARTS - 1)
    back_rank = "".join(make_chess960_back_rank(start_number))
    text = f"{back_rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{back_rank} w KQkq - 0 1"
    return read_fen(text, rules=rules).require()


def make_chess960_back_rank(start_number: int) -> list[str]:
    """Return the letters of White's back rank in a Chess960 start position, from the a-file to the h-file.

    `start_number` is the usual number of the position, 0 to 959, such as 518 for standard chess. It encodes
    the squares of the bishops, the queen and the knights. Rooks and king take the last three squares, with
    the king in the middle.
    """
    rank = [""] * 8
    # The four light squares of the rank are b, d, f and h, and the four dark ones a, c, e and g.
    remainder, light_bishop = divmod(start_number, 4)
    remainder, dark_bishop = divmod(remainder, 4)
    rank[2 * light_bishop + 1] = "B"
    rank[2 * dark_bishop] = "B"

    # The queen is on one of the six squares that are left, and the knights on two of the other five.
    knight_pair, queen = divmod(remainder, 6)
    rank[_find_empty_squares(rank)[queen]] = "Q"
    knight_squares = _find_empty_squares(rank)
    for knight_index in _KNIGHT_PAIRS[knight_pair]:
        rank[knight_squares[knight_index]] = "N"

    for file_index, letter in zip(_find_empty_squares(rank), "RKR", strict=True):
        rank[file_index] = letter
    return rank


def _find_empty_squares(rank: list[str]) -> list[int]:
    """Return the indexes of the empty squares of a rank, 0 for the a-file.

    `rank` is a list of eight piece letters, with an empty string for an empty square.
    """
    return [file_index for file_index, letter in enumerate(rank) if not letter]
