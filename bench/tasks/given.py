"""Arguments of each task, and the parts of the answers that are compared between libraries."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MIDDLE: Final = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8"
MATE: Final = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
PIN: Final = "r1bqk1nr/pppp1ppp/2n5/1B2p3/1b2P3/2NP4/PPP2PPP/R1BQK1NR w KQkq - 1 5"
ILLEGAL: Final = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"
REPETITION: Final = ("Nf3", "Nf6", "Ng1", "Ng8") * 2
MOVES: Final = [
    "e4",
    "e5",
    "Nf3",
    "Nc6",
    "Bb5",
    "a6",
    "Ba4",
    "Nf6",
    "O-O",
    "Be7",
    "Re1",
    "b5",
    "Bb3",
    "d6",
    "c3",
    "O-O",
    "h3",
    "Nb8",
    "d4",
    "Nbd7",
    "c4",
    "c6",
    "cxb5",
    "axb5",
    "Nc3",
    "Bb7",
    "Bg5",
    "b4",
    "Nb1",
    "h6",
    "Bh4",
    "c5",
    "dxe5",
    "Nxe4",
    "Bxe7",
    "Qxe7",
    "exd6",
    "Qf6",
    "Nbd2",
    "Nxd6",
    "Nc4",
    "Nxc4",
    "Bxc4",
    "Nb6",
    "Ne5",
    "Rae8",
    "Bxf7+",
    "Rxf7",
    "Nxf7",
    "Rxe1+",
    "Qxe1",
    "Kxf7",
]


def _write_record(moves: list[str]) -> str:
    """Return a PGN record of a game with a clock after each move."""
    tags = {
        "Event": "?",
        "Site": "?",
        "Date": "2026.01.01",
        "Round": "1",
        "White": "A",
        "Black": "B",
        "Result": "*",
    }
    tag_lines = "\n".join(f'[{name} "{value}"]' for name, value in tags.items())
    movetext = " ".join(
        f"{number // 2 + 1}{'...' if number % 2 else '.'} {move} {{[%clk 0:{59 - number:02}:00]}}"
        for number, move in enumerate(moves)
    )
    return f"{tag_lines}\n\n{movetext} *\n"


GAME: Final = _write_record(MOVES)
BROKEN_GAME: Final = _write_record([*MOVES[:20], "Qxh7"])

ARGUMENTS: Final[Mapping[str, tuple[Any, ...]]] = {
    "is_valid": (MIDDLE,),
    "faults": (ILLEGAL,),
    "legal_moves": (MIDDLE,),
    "play": (START, MOVES),
    "uci_to_san": (MIDDLE, "f4c7"),
    "result": (MATE,),
    "count_nodes": (START, 3),
    "attackers": (MIDDLE, "e5", "w"),
    "pinned": (PIN,),
    "same_position": (MIDDLE, MIDDLE.replace("4 8", "0 30")),
    "targets": (MIDDLE, "d1"),
    "may_claim_repetition": (REPETITION,),
    "best_moves": (f"{MIDDLE.removesuffix(' 4 8')} bm O-O dxc5;",),
    "tags": (GAME,),
    "positions": (GAME,),
    "is_sound": (BROKEN_GAME,),
    "clocks": (GAME,),
    "add_variation": (GAME, 3, ["Bc4", "Bc5"]),
    "draw": (MIDDLE,),
    "show": (MIDDLE,),
}
"""The arguments of each task, in the order of the table."""


def _movetext_line(text: str) -> str:
    """Return the movetext of a record on one line, because the libraries break lines differently."""
    return " ".join(re.sub(r"^\[.*\]$", "", text, flags=re.MULTILINE).split())


COMPARED: Final[Mapping[str, Callable[[Any], Any]]] = {
    "faults": bool,
    "add_variation": lambda text: re.search(r"\( ?2\. Bc4 Bc5 ?\)", _movetext_line(text)) is not None,
    "draw": lambda picture: picture.startswith("<svg"),
    "show": lambda board: [line.split()[-8:] for line in board.splitlines()[:8]],
}
"""Functions that return the compared part of an answer, for tasks whose right answers differ."""
