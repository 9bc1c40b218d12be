"""Writes the golden files of xiangqi and shogi: positions, legal moves, counts, keys and packed forms.

`python -m tests.golden.make_fairy` writes both folders anew, or those that it is given by name; the same
files come out every time. Legal moves and the positions after them are Fairy-Stockfish's (pyffish). Move
texts, keys and packed forms are made here from the specifications alone, without Forsyth, and the move texts
are compared with Fairy-Stockfish's. Broken texts with their codes are written by hand (`broken.jsonl`).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pyffish

FOLDER: Final = Path(__file__).parent
SEED: Final = 13
Row = dict[str, Any]

XIANGQI_START: Final = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
XIANGQI_MEN: Final = "KABNRCPkabnrcp"
SHOGI_START: Final = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
HANDICAP: Final = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
SHOGI_STARTS: Final = (
    *(SHOGI_START,) * 5,
    f"lnsgkgsn1/1r5b1/{HANDICAP}",
    f"lnsgkgsnl/9/{HANDICAP}",
    f"2sgkgs2/9/{HANDICAP}",
)
SHOGI_KINDS: Final = ["K", "R", "B", "G", "S", "N", "L", "P", "+R", "+B", "+S", "+N", "+L", "+P"]
SHOGI_MEN: Final = (*SHOGI_KINDS, *(kind.lower() for kind in SHOGI_KINDS))
HELD: Final = "RBGSNLPrbgsnlp"
SHOGI_MOST: Final = {"R": 2, "B": 2, "G": 4, "S": 4, "N": 4, "L": 4, "P": 18}


def write_rows(game: str, name: str, rows: Iterable[Row]) -> None:
    """One file of JSON Lines, without the time at which it was compressed."""
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    (FOLDER / game / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{game}/{name}: {text.count(chr(10)):,} rows")


def squares(board: str) -> list[str]:
    """What stands on the squares of a board in reading order, empty ones as a dot."""
    found = re.findall(r"\+?[A-Za-z]|[1-9]", board)
    return [man for part in found for man in (["."] * int(part) if part.isdigit() else [part])]


def board_of(men: list[str], width: int) -> str:
    """The board field of a text."""
    ranks = ("".join(men[at : at + width]) for at in range(0, len(men), width))
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), rank) for rank in ranks)


def bits_of(number: int, width: int) -> str:
    """A number as so many binary digits."""
    return f"{number:0{width}b}"


def bytes_of(bits: str) -> bytes:
    """Binary digits as bytes, filled up with zeros."""
    filled = bits + "0" * (-len(bits) % 8)
    return int(filled, 2).to_bytes(len(filled) // 8, "big")


def key_of(identity: str) -> str:
    """The key of a position, of its text without clocks (section 8 of both specifications)."""
    return hashlib.blake2b(identity.encode(), digest_size=16).hexdigest()


# --- xiangqi ----------------------------------------------------------------------------------------


def xiangqi_played(rng: random.Random, count: int) -> Iterator[str]:
    """Positions of games in which every move is chosen by chance."""
    found = 0
    while True:
        fen = XIANGQI_START
        for ply in range(240):
            moves = pyffish.legal_moves("xiangqi", fen, [])
            if ply % 7 == 0 or not moves:
                yield fen
                found += 1
                if found == count:
                    return
            if not moves:
                break
            # Captures are avoided at times: otherwise few men are left after a hundred plies.
            move = rng.choice(moves)
            if rng.random() < 0.5 and pyffish.is_capture("xiangqi", fen, [], move):
                move = rng.choice(moves)
            fen = pyffish.get_fen("xiangqi", fen, [move])


def _points(kind: str, red: bool) -> list[int]:
    """Where a man of xiangqi can be, by reading order (section 5)."""
    names = {
        "K": "d1 e1 f1 d2 e2 f2 d3 e3 f3",
        "A": "d1 f1 e2 d3 f3",
        "B": "c1 g1 a3 e3 i3 c5 g5",
        "P": "a4 c4 e4 g4 i4 a5 c5 e5 g5 i5 "
        + " ".join(f"{f}{r}" for f in "abcdefghi" for r in range(6, 11)),
    }
    every = [f"{file}{rank}" for rank in range(10, 0, -1) for file in "abcdefghi"]
    points = [at for at, name in enumerate(every) if kind not in names or name in names[kind].split()]
    return points if red else [89 - at for at in points]


def xiangqi_placed(rng: random.Random, count: int) -> Iterator[str]:
    """Legal positions of men put on the board by chance."""
    found = 0
    while found < count:
        men = ["."] * 90
        sparse = rng.random()
        for red in (True, False):
            for kind, most in {"K": 1, "A": 2, "B": 2, "N": 2, "R": 2, "C": 2, "P": 5}.items():
                for _ in range(most):
                    if kind != "K" and rng.random() < sparse:
                        continue
                    free = [at for at in _points(kind, red) if men[at] == "."]
                    if free:
                        men[rng.choice(free)] = kind if red else kind.lower()
        board, side = board_of(men, 9), rng.choice("wb")
        other = "b" if side == "w" else "w"
        if pyffish.gives_check("xiangqi", f"{board} {other} - - 0 1", []):
            continue
        found += 1
        yield f"{board} {side} - - {rng.choice((0, 0, 1, 17, 119))} {rng.randint(1, 200)}"


def wxf(fen: str, move: str) -> str:
    """A move as WXF (section 6)."""
    board, red = squares(fen.split(maxsplit=1)[0]), fen.split()[1] == "w"
    (file, rank), (to_file, to_rank) = ((at[0], int(at[1:])) for at in re.findall(r"[a-i]\d+", move))

    def number(letter: str) -> int:
        return 9 - "abcdefghi".index(letter) if red else 1 + "abcdefghi".index(letter)

    column, row = "abcdefghi".index(file), 10 - rank
    man = board[row * 9 + column]
    letter = {"N": "H", "B": "E"}.get(man.upper(), man.upper())
    ahead = (to_rank - rank) if red else (rank - to_rank)
    end = ("=" if not ahead else "+" if ahead > 0 else "-") + str(
        abs(ahead) if file == to_file else number(to_file)
    )
    alike = [at // 9 for at in range(column, 90, 9) if board[at] == man]
    if not red:
        alike.reverse()
    if len(alike) == 1 or letter in "KAE":
        return f"{letter}{number(file)}{end}"
    doubled = sum(board[one::9].count(man) > 1 for one in range(9))
    if letter == "P" and (len(alike) > 2 or doubled > 1):
        return f"{alike.index(row) + 1}{number(file)}{end}"
    return f"{letter}{'+-'[alike.index(row)]}{end}"


def xiangqi_row(rng: random.Random, source: str, fen: str) -> Row:
    """A position with its legal moves, and the texts after some of them."""
    moves = sorted(pyffish.legal_moves("xiangqi", fen, []))
    texts = {move: wxf(fen, move) for move in moves}
    assert len(set(texts.values())) == len(moves), fen
    other = {}
    for move in rng.sample(moves, min(12, len(moves))):
        theirs = pyffish.get_san("xiangqi", fen, move, False, pyffish.NOTATION_XIANGQI_WXF)
        if theirs != texts[move]:
            # Theirs has a file where only one of two men on it can make the move; ours a sign always.
            assert texts[move][1] in "+-", (fen, move, texts[move], theirs)
            other[move] = theirs
    chosen = rng.sample(moves, min(3, len(moves)))
    row: Row = {"src": source, "fen": fen, "check": pyffish.gives_check("xiangqi", fen, [])}
    row["moves"] = [[move, texts[move]] for move in moves]
    row["after"] = {move: pyffish.get_fen("xiangqi", fen, [move]) for move in chosen}
    return row | ({"fairy": other} if other else {})


def xiangqi_packed(fen: str) -> bytes:
    """The packed form of a canonical text (section 8)."""
    board, side, _, _, half, full = fen.split()
    men = squares(board)
    bits = bits_of(2 | (side == "b"), 8) + bits_of(int(half), 16) + bits_of(int(full), 16)
    bits += "".join("0" if man == "." else "1" for man in men) + "0" * 6
    return bytes_of(bits + "".join(bits_of(XIANGQI_MEN.index(man), 4) for man in men if man != "."))


def xiangqi_identity(fen: str) -> Row:
    """The key and the packed form of a canonical text."""
    identity = " ".join(fen.split()[:4])
    return {"fen": fen, "key": key_of(f"xiangqi {identity}"), "packed": xiangqi_packed(fen).hex()}


XIANGQI_ILLEGAL: Final = (
    "9/9/9/9/9/9/9/9/9/9 w - - 0 1",
    f"{board_of(list((XIANGQI_MEN * 7)[:90]), 9)} b - - 9999 9999",
    "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
)


def write_xiangqi() -> None:
    """All files of xiangqi."""
    rng = random.Random(SEED)
    played, placed = list(xiangqi_played(rng, 700)), list(xiangqi_placed(rng, 500))
    rows = [xiangqi_row(rng, "played", fen) for fen in played]
    rows += [xiangqi_row(rng, "placed", fen) for fen in placed]
    write_rows("xiangqi", "legal_moves", rows)
    write_rows("xiangqi", "keys", map(xiangqi_identity, (*played[::3], *placed[::3], *XIANGQI_ILLEGAL)))
    known = {"fen": XIANGQI_START, "nodes": [44, 1920, 79666, 3290240]}
    counted = ({"fen": fen, "nodes": xiangqi_counts(fen)} for fen in (*played[10::35], *placed[::25]))
    write_rows("xiangqi", "perft", [known, *counted])


def xiangqi_counts(fen: str) -> list[int]:
    """How many lines of one and of two legal moves there are."""
    moves = pyffish.legal_moves("xiangqi", fen, [])
    return [len(moves), sum(len(pyffish.legal_moves("xiangqi", fen, [move])) for move in moves)]


# --- shogi ------------------------------------------------------------------------------------------


def fairy_of(sfen: str) -> str:
    """The text that Fairy-Stockfish reads."""
    board, side, hands, _ = sfen.split()
    held = "".join(man * int(many or 1) for many, man in re.findall(r"(\d*)([A-Za-z])", hands))
    return f"{board}[{held}] {'w' if side == 'b' else 'b'} - - 0 1"


def usi_of(move: str) -> str:
    """A move of Fairy-Stockfish's as USI."""
    return re.sub(
        r"([a-i])([1-9])", lambda at: f"{9 - 'abcdefghi'.index(at[1])}{'ihgfedcba'[int(at[2]) - 1]}", move
    ).replace("@", "*")


def drop_mate(sfen: str) -> str | None:
    """The drop of a pawn before the other king, where it would give mate, in Fairy-Stockfish's notation.

    Fairy-Stockfish allows it, and says that who does it loses.
    """
    board, side, _, _ = sfen.split()
    men = squares(board)
    king = men.index("k" if side == "b" else "K")
    row, column = divmod(king + (9 if side == "b" else -9), 9)
    drop = f"P@{'abcdefghi'[column]}{9 - row}"
    fairy = fairy_of(sfen)
    legal = 0 <= row < 9 and drop in pyffish.legal_moves("shogi", fairy, [])
    return drop if legal and not pyffish.legal_moves("shogi", fairy, [drop]) else None


def shogi_moves(sfen: str) -> list[str]:
    """The legal moves in Fairy-Stockfish's notation."""
    mate = drop_mate(sfen)
    return [move for move in pyffish.legal_moves("shogi", fairy_of(sfen), []) if move != mate]


def shogi_counts(sfen: str) -> list[int]:
    """How many lines of one and of two legal moves there are."""
    moves = shogi_moves(sfen)
    return [len(moves), sum(len(shogi_moves(after(sfen, move))) for move in moves)]


def after(sfen: str, move: str) -> str:
    """The text after a move in Fairy-Stockfish's notation."""
    board, side, hands, _ = pyffish.get_fen("shogi", fairy_of(sfen), [move], False, True).split()
    held = {man: int(many or 1) for many, man in re.findall(r"(\d*)([A-Za-z])", hands)}
    return f"{board} {side} {hands_of(held)} {int(sfen.split()[3]) + 1}"


def hands_of(held: dict[str, int]) -> str:
    """The field of the hands."""
    return "".join(f"{held[man] if held[man] > 1 else ''}{man}" for man in HELD if held.get(man)) or "-"


def shogi_played(rng: random.Random, count: int) -> Iterator[str]:
    """Positions of games in which every move is chosen by chance, drops less often than others."""
    found = 0
    while True:
        sfen = rng.choice(SHOGI_STARTS)
        for ply in range(260):
            moves = shogi_moves(sfen)
            if ply % 7 == 0 or not moves:
                yield sfen
                found += 1
                if found == count:
                    return
            if not moves:
                break
            moved = [move for move in moves if "@" not in move]
            sfen = after(sfen, rng.choice(moved if moved and rng.random() < 0.7 else moves))


def shogi_placed(rng: random.Random, count: int) -> Iterator[str]:
    """Legal positions of men put on the board and into the hands by chance."""
    found = 0
    while found < count:
        men, held = ["."] * 81, dict.fromkeys(HELD, 0)
        sparse, in_hand = rng.random(), rng.random()
        for king in "Kk":
            men[rng.choice([at for at in range(81) if men[at] == "."])] = king
        for kind, most in SHOGI_MOST.items():
            for _ in range(most):
                if rng.random() < sparse:
                    continue
                _put_shogi(rng, men, held, kind, in_hand)
        board, side = board_of(men, 9), rng.choice("bw")
        sfen = f"{board} {side} {hands_of(held)} {rng.randint(1, 300)}"
        other = f"{board} {'w' if side == 'b' else 'b'} - 1"
        if not pyffish.gives_check("shogi", fairy_of(other), []):
            found += 1
            yield sfen


def _put_shogi(rng: random.Random, men: list[str], held: dict[str, int], kind: str, in_hand: float) -> None:
    black = rng.random() < 0.5
    if rng.random() < in_hand:
        held[kind if black else kind.lower()] += 1
        return
    promoted = kind != "G" and rng.random() < 0.3
    man = f"+{kind}" if promoted else kind
    last = {} if promoted else {"P": 1, "L": 1, "N": 2}
    free = [
        at
        for at in range(81)
        if men[at] == "."
        and (at // 9 if black else 8 - at // 9) >= last.get(kind, 0)
        and (man != "P" or ("P" if black else "p") not in men[at % 9 :: 9])
    ]
    if free:
        men[rng.choice(free)] = man if black else man.lower()


def drop_mates(rng: random.Random, count: int) -> Iterator[str]:
    """Positions in which a pawn would mate by being dropped before a king that its own men hem in."""
    found = 0
    while found < count:
        men, king = ["."] * 81, rng.randrange(9)
        front = king + 9
        men[king], men[rng.randrange(63, 81)] = "k", "K"
        beside = [column for column in (king - 1, king + 1) if 0 <= column < 9]
        for column in beside:
            men[column] = rng.choice("lnl+")
            men[column + 9] = rng.choice("pnp+")
        guards = {"G": front + 9, "S": beside[0] + 18, "N": beside[0] + 27, "+P": front + 9}
        guard = rng.choice(sorted(guards))
        men[guards[guard]] = guard
        men = ["." if man == "+" else man for man in men]
        sfen = f"{board_of(men, 9)} b {rng.choice(('P', 'GP', '2P'))} {rng.randint(1, 99)}"
        if drop_mate(sfen) is not None:
            found += 1
            yield sfen


def western(sfen: str, usi: str, moves: list[str]) -> str:
    """A move in Western notation (section 6)."""
    board, side = squares(sfen.split(maxsplit=1)[0]), sfen.split()[1]

    def at(name: str) -> int:
        return "abcdefghi".index(name[1]) * 9 + 9 - int(name[0])

    if usi[1] == "*":
        return usi
    origin, target = usi[:2], usi[2:4]
    man = board[at(origin)]
    others = {
        move[:2]
        for move in moves
        if move[1] != "*" and move[2:4] == target and board[at(move[:2])] == man and move[:2] != origin
    }
    could = f"{origin}{target}+" in moves
    sign = "-" if board[at(target)] == "." else "x"
    end = "+" if usi.endswith("+") else "=" if could else ""
    assert man.isupper() == (side == "b")
    return f"{man.upper()}{origin if others else ''}{sign}{target}{end}"


def shogi_row(rng: random.Random, source: str, sfen: str) -> Row:
    """A position with its legal moves, and the texts after some of them."""
    fairy = fairy_of(sfen)
    theirs = {usi_of(move): move for move in shogi_moves(sfen)}
    moves = sorted(theirs)
    texts = {move: western(sfen, move, moves) for move in moves}
    assert len(set(texts.values())) == len(moves), sfen
    for move in rng.sample(moves, min(12, len(moves))):
        text = pyffish.get_san("shogi", fairy, theirs[move], False, pyffish.NOTATION_SHOGI_HODGES)
        assert text == texts[move], (sfen, move, text, texts[move])
    board = [move for move in moves if move[1] != "*"]
    chosen = rng.sample(board, min(3, len(board))) + rng.sample(moves, min(1, len(moves)))
    row: Row = {"src": source, "sfen": sfen, "check": pyffish.gives_check("shogi", fairy, [])}
    row["moves"] = [[move, texts[move]] for move in moves]
    row["after"] = {move: after(sfen, theirs[move]) for move in chosen}
    return row


def shogi_packed(sfen: str) -> bytes:
    """The packed form of a canonical text (section 8)."""
    board, side, hands, number = sfen.split()
    men = squares(board)
    held = {man: int(many or 1) for many, man in re.findall(r"(\d*)([A-Za-z])", hands)}
    bits = bits_of(2 | (side == "w"), 8) + bits_of(int(number), 16)
    bits += "".join("0" if man == "." else "1" for man in men) + "0" * 7
    bits += "".join(bits_of(SHOGI_MEN.index(man), 5) for man in men if man != ".")
    return bytes_of(bits + "".join(bits_of(held.get(man, 0), 5) for man in HELD))


def shogi_identity(sfen: str) -> Row:
    """The key and the packed form of a canonical text."""
    identity = " ".join(sfen.split()[:3])
    return {"sfen": sfen, "key": key_of(f"shogi {identity}"), "packed": shogi_packed(sfen).hex()}


SHOGI_ILLEGAL: Final = (
    "9/9/9/9/9/9/9/9/9 b - 1",
    "K+RRBGS+NLP/" * 4 + "krb+bgsn+lp/" * 4 + "+Pp7 w 31R31B31G31S31N31L31P31r31b31g31s31n31l31p 9999",
    "4k4/4P4/4P4/9/9/9/9/9/9 b P 7",
)


def write_shogi() -> None:
    """All files of shogi."""
    rng = random.Random(SEED)
    played, placed = list(shogi_played(rng, 550)), list(shogi_placed(rng, 500))
    mates = list(drop_mates(rng, 40))
    rows = [
        shogi_row(rng, source, sfen)
        for source, sfens in (("played", played), ("placed", placed), ("drop-mate", mates))
        for sfen in sfens
    ]
    write_rows("shogi", "legal_moves", rows)
    write_rows("shogi", "keys", map(shogi_identity, (*played[::3], *placed[::3], *SHOGI_ILLEGAL)))
    known = {"sfen": SHOGI_START, "nodes": [30, 900, 25470, 719731]}
    chosen = (*played[10::60], *placed[::50], *mates[::10])
    counted = ({"sfen": sfen, "nodes": shogi_counts(sfen)} for sfen in chosen)
    write_rows("shogi", "perft", [known, *counted])


if __name__ == "__main__":
    for write in (write_xiangqi, write_shogi):
        if not sys.argv[1:] or write.__name__.removeprefix("write_") in sys.argv[1:]:
            write()
