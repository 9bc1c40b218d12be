"""Editing a chess position: men put on squares and into pockets, fields set, the start of a new game.

Accepts
    Squares (``e4``) and, in Crazyhouse, places of the pockets (``Q@`` White's queens, ``q@`` Black's).
    Symbols are the letters of the board; in Crazyhouse ``Q~`` is a promoted queen.
Writes
    Positions that a text can say, legal or not. Castling rights and the en-passant square stay as they are
    when the men move away that they need: `check` says so. A pocket gains one man or loses one.
Limits
    Fields take what default reading takes: clocks 0 to 9999, at most 64 men in the pockets.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from forsyth.arguments import quoted, require_text, whole_number
from forsyth.game import Field
from forsyth.game_values import one_word
from forsyth.games.chess.board import SQUARE_NUMBER, SQUARES
from forsyth.games.chess.drawing.pieces import GLYPHS
from forsyth.games.chess.drawing.scene import PALETTE, token
from forsyth.games.chess.notation.fen import read_fen
from forsyth.games.chess.notation.kernel import encode
from forsyth.games.chess.position import LETTERS, POCKET_ORDER, Position, castling_text
from forsyth.games.chess.variants import VARIANTS
from forsyth.scene import Area, Cell, Scene

_KINDS: Final = ("pawns", "knights", "bishops", "rooks", "queens", "kings")
_PROMOTED: Final = "~"
_IN_HAND: Final = "@"
_POCKETS: Final = {f"{letter}{_IN_HAND}": letter for letter in POCKET_ORDER + POCKET_ORDER.lower()}

CHESS960_STARTS: Final = 960
_KNIGHT_PAIRS: Final = tuple((a, b) for a in range(5) for b in range(a + 1, 5))
"""Where the knights stand among the five squares left to them, in the usual order of the 960 starts."""

_SIDES: Final = (("w", "White"), ("b", "Black"))
_CASTLING: Final = {
    "K": "White, king side",
    "Q": "White, queen side",
    "k": "Black, king side",
    "q": "Black, queen side",
}
_EP: Final = (("-", "none"), *((square, square) for square in SQUARES if square[1] in "36"))
_COUNTS: Final = tuple((str(count), str(count)) for count in range(4))
_WORDS: Final = {"side": 1, "castling": 2, "ep": 3, "half": -2, "full": -1}
"""Which word of a text says a field."""
_CHECKS: Final = ("white_checks", "black_checks")
_CHECKS_WORD: Final = 4


# --- men --------------------------------------------------------------------------------------------


def put(position: Position, square: str, symbol: str | None) -> Position:
    """The position with a man on a square or one more in a pocket; for None with one less."""
    if symbol is not None and str(symbol).removesuffix(_PROMOTED) not in tuple(LETTERS):
        raise ValueError(f"{quoted(symbol)} is not a chess man, expected one of {LETTERS}")
    _require_place(square)
    if square in _POCKETS and _has_pockets(position):
        return _put_in_hand(position, _POCKETS[square], symbol)
    if square not in SQUARE_NUMBER:
        raise _no_place(square)
    return _put_on_board(position, 1 << SQUARE_NUMBER[square], symbol)


def _put_on_board(position: Position, square: int, symbol: str | None) -> Position:
    men = {name: getattr(position, name) & ~square for name in (*_KINDS, "white", "black", "promoted")}
    if symbol is not None:
        number = LETTERS.index(symbol[0])
        men[_KINDS[number % 6]] |= square
        men["black" if number > 5 else "white"] |= square
        if symbol.endswith(_PROMOTED):
            men["promoted"] |= square
    return position.replace(**men)


def _put_in_hand(position: Position, letter: str, symbol: str | None) -> Position:
    if symbol is not None and symbol[0] != letter:
        raise ValueError(
            f"{letter}{_IN_HAND} holds {token(letter).label}s only, not a {token(symbol[0]).label}"
        )
    number = LETTERS.index(letter)
    pocket = "black_pocket" if number > 5 else "white_pocket"
    held = getattr(position, pocket)
    one = 1 << 8 * (number % 6)
    if symbol is not None:
        return position.replace(**{pocket: held + one})
    return position.replace(**{pocket: held - one}) if letter in position.pockets else position


def lift(position: Position, source: str, target: str) -> Position:
    """The position with the man of one place on another."""
    _require_place(source)
    _require_place(target)
    symbol = _standing(position, source)
    if symbol is None:
        raise ValueError(f"nothing is on {source}")
    if source == target:
        return position
    if target in _POCKETS:
        # A promoted man becomes a pawn when it is captured, but an editor moves what is there.
        symbol = symbol[0]
    return put(put(position, source, None), target, symbol)


def _standing(position: Position, square: str) -> str | None:
    """What stands on a place, as a symbol for `put`."""
    if square in _POCKETS and _has_pockets(position):
        return _POCKETS[square] if _POCKETS[square] in position.pockets else None
    if square not in SQUARE_NUMBER:
        raise _no_place(square)
    letter = position.piece_at(square)
    promoted = position.promoted >> SQUARE_NUMBER[square] & 1
    return f"{letter}{_PROMOTED}" if promoted else letter


def _require_place(square: object) -> None:
    if not isinstance(square, str):
        raise _no_place(square)


def _no_place(square: object) -> ValueError:
    return ValueError(f"{quoted(square)} is not a place of the board, expected a square such as e4")


def _has_pockets(position: Position) -> bool:
    return position.variant == "crazyhouse"


def palette(position: Position) -> Scene:
    """The men of both colours, White's above Black's."""
    return Scene(
        title="Chess men",
        description="Men to put on the board: king, queen, rook, bishop, knight and pawn of both colours.",
        width=6.4,
        height=2.5,
        areas=(_strip("White", "KQRBNP", 0.2), _strip("Black", "kqrbnp", 1.3)),
        glyphs=GLYPHS,
        palette=PALETTE,
    )


def _strip(name: str, letters: str, y: float) -> Area:
    cells = tuple(
        Cell(letter, column, 0, "pocket", (token(letter),)) for column, letter in enumerate(letters)
    )
    return Area(name, len(cells), 1, cells, x=0.2, y=y)


# --- fields -----------------------------------------------------------------------------------------


def fields(position: Position) -> tuple[Field, ...]:
    """Everything of a position that is not on the board."""
    rights = position.castling.replace("-", "")
    return (
        Field("side", "Side to move", position.side, "choice", _SIDES),
        Field("castling", "Castling", rights, "flags", tuple(_castling_choices(position))),
        Field("ep", "En passant", position.ep, "choice", _EP),
        Field("half", "Half-move clock", str(position.half), "number"),
        Field("full", "Move number", str(position.full), "number"),
        *_variant_fields(position),
    )


def _castling_choices(position: Position) -> Iterator[tuple[str, str]]:
    """The four usual rights; in Chess960 also those of rooks further inside, by their file."""
    yield from _CASTLING.items()
    if position.variant != "chess960":
        return
    at_home = position.rooks & (position.white & 255 | position.black & 255 << 56)
    for letter in castling_text(position.replace(rights=position.rights | at_home), False):
        if letter not in _CASTLING and letter != "-":
            side, rank = ("White", 1) if letter.isupper() else ("Black", 8)
            yield letter, f"{side}, rook on {letter.lower()}{rank}"


def _variant_fields(position: Position) -> Iterator[Field]:
    if _has_pockets(position):
        yield Field("pockets", "Pockets", position.pockets, "text")
    if position.variant == "3check":
        for name, side, left in zip(_CHECKS, ("White", "Black"), position.checks, strict=True):
            yield Field(name, f"Checks {side} has to give", str(left), "choice", _COUNTS)


def with_field(position: Position, name: str, value: str) -> Position:
    """The position with another value in one of its fields, read as a text would be."""
    require_text("the value", value)
    known = {field.name: field for field in fields(position)}
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"a chess position has no field {quoted(name)}; it has {', '.join(known)}")
    if known[name].value == value:
        return position
    words = encode(position).split(" ")
    if name == "pockets":
        words[0] = f"{words[0].partition('[')[0]}[{one_word(known[name], value or '-')}]"
    elif name in _CHECKS:
        counts = words[_CHECKS_WORD].split("+")
        counts[_CHECKS.index(name)] = one_word(known[name], value)
        words[_CHECKS_WORD] = "+".join(counts)
    else:
        words[_WORDS[name]] = one_word(known[name], value or "-" if name == "castling" else value)
    reading = read_fen(" ".join(words), rules=VARIANTS.index(position.variant))
    if reading.position is None:
        raise ValueError(next(finding.message for finding in reading.diagnostics if finding.is_error))
    return reading.position


# --- new games --------------------------------------------------------------------------------------


def new_game(rules: int, start: str, seed: int | None) -> Position:
    """The position a game of these rules begins with; in Chess960 the one with the number of the seed."""
    if rules < 0 or VARIANTS[rules] != "chess960":
        return read_fen(start, rules=max(0, rules)).require()
    if seed is None:
        number = random.randrange(CHESS960_STARTS)
    else:
        number = whole_number("the number of a Chess960 start", seed, 0, CHESS960_STARTS - 1)
    back = "".join(back_rank(number))
    text = f"{back.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{back} w KQkq - 0 1"
    return read_fen(text, rules=rules).require()


def back_rank(number: int) -> list[str]:
    """White's men of one of the 960 starts, by its usual number: bishops, queen, knights, the rest."""
    rank = [""] * 8
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    knights, queen = divmod(number, 6)
    rank[2 * light + 1] = rank[2 * dark] = "B"
    rank[_free(rank)[queen]] = "Q"
    left = _free(rank)
    for knight in _KNIGHT_PAIRS[knights]:
        rank[left[knight]] = "N"
    for square, man in zip(_free(rank), "RKR", strict=True):
        rank[square] = man
    return rank


def _free(rank: list[str]) -> list[int]:
    return [square for square, man in enumerate(rank) if not man]
