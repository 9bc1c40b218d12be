"""Hypothesis strategies for chess: any text at all, good texts, good texts gone wrong, positions, games."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st
from tests.golden_data import CHESS, rows, variant_of

from forsyth.games.chess import Chess, Move, Position
from forsyth.games.chess.variants import VARIANTS

READINGS = (*VARIANTS, "auto")

DASHES = "–—−‐‑‒―﹘﹣－"
BLANKS = " \t\n\r\x0b\x0c\u00a0\u2003\u3000\u200b\u200c\u2060\ufeff\x1c\x85"
FEN_LETTERS = "PNBRQKpnbrqk012345678 9/wb-KQkqabcdefghABCDEFGH+~[]_%.;\"'"
ODD = DASHES + BLANKS + "\x00\x7f\u212a\u0663\uff11٣²①é😀\ud800\udfff�"

GOOD: dict[str, list[str]] = {variant: [] for variant in VARIANTS}
for _name, _step in (("valid_fens", 29), ("variants", 1), ("perft", 5), ("more_variants", 9)):
    for _row in rows(_name)[::_step]:
        GOOD[variant_of(_row)].append(_row["fen"])
        for _column in ("shredder", "alt"):
            if _column in _row:
                GOOD[variant_of(_row)].append(_row[_column])
ALL_GOOD = [text for texts in GOOD.values() for text in texts]
BROKEN = [row["fen"] for row in rows("invalid_fens")[::7]]


def characters() -> st.SearchStrategy[str]:
    """Any character at all, lone surrogates too, often one that matters in a FEN."""
    return st.one_of(st.sampled_from(FEN_LETTERS), st.sampled_from(ODD), st.characters())


@st.composite
def edited(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A text after a few slips: characters lost, added, changed, exchanged or doubled, a piece cut away."""
    text = draw(texts)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        to = draw(st.integers(at, min(len(text), at + 8)))
        edit = draw(
            st.sampled_from(("delete", "insert", "replace", "swap", "double", "cut", "word", "blanks"))
        )
        if edit == "delete":
            text = text[:at] + text[to:]
        elif edit == "insert":
            text = text[:at] + draw(st.text(characters(), min_size=1, max_size=4)) + text[at:]
        elif edit == "replace":
            text = text[:at] + draw(characters()) + text[at + 1 :]
        elif edit == "swap":
            text = text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
        elif edit == "double":
            text = text[:to] + text[at:]
        elif edit == "cut":
            text = draw(st.sampled_from((text[:at], text[at:])))
        elif edit == "word":
            text = _with_other_word(draw, text)
        else:
            text = text.replace(
                " ", draw(st.sampled_from(("  ", "\t", "_", "\u00a0", " \n", "%20"))), to - at
            )
    return text


WORDS = """
w b W black - -- KQkq qkQK KK HAha Gkq AHah K- KQkqK e3 E3 a6 e4 e33 0 1 00 007 0000 00000 9999 10000
+5 149 150 3+3 +1+2 3+3+3 4+0 8/8/8/8/8/8/8/8 44/8/8/8/8/8/8/8 p7/8/8/8/8/8/8/8/ 8/8/8/8/8/8/8/8[Qq]
moves bm Nf3; hmvc 3;
""".split()  # noqa: SIM905


def _with_other_word(draw: st.DrawFn, text: str) -> str:
    words = text.split(" ")
    words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(WORDS))
    return " ".join(words)


def _one_of(texts: list[str]) -> st.SearchStrategy[str]:
    # Not sampled_from: it shows all of its thousands of texts when a test fails.
    return st.integers(0, len(texts) - 1).map(texts.__getitem__)


def canonical_texts(variant: str = "standard") -> st.SearchStrategy[str]:
    """Golden texts of one variant."""
    return _one_of(GOOD[variant])


def any_text() -> st.SearchStrategy[str]:
    """Any text at all: noise, FEN letters in any order, texts that are nearly good, texts known to be bad."""
    return st.one_of(
        edited(_one_of(ALL_GOOD)),
        st.text(characters(), max_size=120),
        st.text(st.sampled_from(FEN_LETTERS), max_size=120),
        st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
        edited(_one_of(BROKEN)),
        edited(positions().map(str)),
    )


@st.composite
def positions(draw: st.DrawFn, variants: tuple[str, ...] = VARIANTS) -> Position:
    """Any position, legal or not: men anywhere, any side, rights, en-passant square and clocks."""
    variant = draw(st.sampled_from(variants))
    letters = draw(st.sampled_from((".", "." * 8, "." * 30))) + "PNBRQKpnbrqk"
    board = draw(st.text(st.sampled_from(letters), min_size=64, max_size=64))
    planes = [
        sum(1 << (index ^ 56) for index, ch in enumerate(board) if ch == letter) for letter in "PNBRQKpnbrqk"
    ]
    kinds = {
        name: planes[kind] | planes[kind + 6]
        for kind, name in enumerate(("pawns", "knights", "bishops", "rooks", "queens", "kings"))
    }
    if variant == "chess960":
        rights = _two_rooks_each(draw, kinds["rooks"])
    else:
        rights = sum(draw(st.sets(st.sampled_from((1, 1 << 7, 1 << 56, 1 << 63)))))
    ep_square = draw(st.one_of(st.just(-1), st.integers(16, 23), st.integers(40, 47)))
    extra: dict[str, int] = {}
    if variant == "crazyhouse":
        promotable = kinds["knights"] | kinds["bishops"] | kinds["rooks"] | kinds["queens"]
        extra = {
            "promoted": promotable & draw(st.integers(0, (1 << 64) - 1)),
            "white_pocket": _pocket(draw),
            "black_pocket": _pocket(draw),
        }
    if variant == "3check":
        extra = {"remaining": draw(st.integers(0, 3)) + 16 * draw(st.integers(0, 3))}
    return EMPTY.replace(
        **kinds,
        white=sum(planes[:6]),
        black=sum(planes[6:]),
        rights=rights,
        black_to_move=draw(st.integers(0, 1)),
        ep_square=ep_square,
        half=draw(st.one_of(st.integers(0, 3), st.integers(0, 9999))),
        full=draw(st.one_of(st.integers(1, 3), st.integers(1, 9999))),
        rules=VARIANTS.index(variant),
        **extra,
    )


EMPTY: Position = CHESS.read("8/8/8/8/8/8/8/8 w - - 0 1").require()


def _two_rooks_each(draw: st.DrawFn, rooks: int) -> int:
    """At most two squares of each end rank: what a castling field can say."""
    chosen = rooks & draw(st.integers(0, (1 << 64) - 1))
    found = 0
    for rank in (0xFF, 0xFF00000000000000):
        rest = chosen & rank
        for _ in range(2):
            found |= rest & -rest
            rest &= rest - 1
    return found


def _pocket(draw: st.DrawFn) -> int:
    counts = draw(st.lists(st.integers(0, 6), min_size=5, max_size=5).filter(lambda held: sum(held) <= 30))
    return sum(count << 8 * kind for kind, count in enumerate(counts))


@st.composite
def played(draw: st.DrawFn, variants: tuple[str, ...] = VARIANTS) -> tuple[Chess, Position, list[Move]]:
    """A golden position and legal moves from it, chosen at random."""
    variant = draw(st.sampled_from(variants))
    game = CHESS.with_variant(variant)
    start = game.read(draw(canonical_texts(variant))).require()
    random = Random(draw(st.integers(0, 1 << 32)))
    position, moves = start, []
    for _ in range(draw(st.integers(1, 24))):
        legal = game.moves(position)
        if not legal:
            break
        moves.append(random.choice(legal))
        position = game.play(position, moves[-1])
    return game, start, moves
