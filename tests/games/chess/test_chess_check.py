"""Where each finding about the legality of a chess position points: span, square, fix, severity, field."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import forsyth
from forsyth.diagnostics import Diagnostic
from forsyth.games.chess.codes import CODES
from forsyth.games.chess.rules.legality import FAULTS

BOARD, TURN, CASTLING, EP, HALF = range(1, 6)


@dataclass(frozen=True, slots=True)
class Case:
    """A text, one of its findings, and what that finding points at: ``«»`` stand around its span."""

    code: str
    text: str
    field: int
    square: str | None = None
    fix: tuple[str, str] | None = None
    severity: str = "error"
    variant: str = "standard"

    @property
    def plain(self) -> str:
        """The text without the marks of the span."""
        return self.text.replace("«", "").replace("»", "")

    @property
    def span(self) -> tuple[int, int]:
        """Where the marks stand."""
        start = self.text.index("«")
        return start, self.text.index("»") - 1


CASES = [
    Case("king.missing", "«8/8/8/8/8/8/8/4K3» w - - 0 1", BOARD),
    Case("king.missing", "«8/8/8/8/8/8/8/8» b - - 0 1", BOARD),
    Case("king.many", "4k3/8/8/8/8/8/8/«K»3K3 w - - 0 1", BOARD, "a1"),
    Case("king.many", "k7/8/«k»7/8/8/8/8/4K3 b - - 0 1", BOARD, "a6"),
    Case("king.many", "4k3/8/8/8/8/8/8/«K»3K3[] w - - 0 1", BOARD, "a1", variant="crazyhouse"),
    Case("pawn.backrank", "P3k3/8/8/8/8/8/8/4K2«p» w - - 0 1", BOARD, "h1"),
    Case("pawn.backrank", "1«P»2k3/8/8/8/8/8/8/4K3 w - - 0 1", BOARD, "b8"),
    Case("pawn.many", "«4k3/pppppppp/p7/8/8/8/8/4K3» w - - 0 20", BOARD),
    Case("pawn.many", "«4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[p]» w - - 0 1", BOARD, variant="crazyhouse"),
    Case("pieces.many", "«4k3/8/8/8/NNNN4/NNNNBBBB/RRRRQQQQ/4K3» w - - 0 1", BOARD),
    Case(
        "pieces.many",
        "«rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[N]» w KQkq - 0 1",
        BOARD,
        variant="crazyhouse",
    ),
    Case("pieces.promoted", "«4k3/8/8/8/8/8/PPPPPPPP/QQ2K3» w - - 0 1", BOARD),
    Case("castling.no_king", "4k3/8/8/8/8/8/8/R2K3R w «KQ» - 0 1", CASTLING, fix=("-", "likely")),
    Case("castling.no_rook", "r3k3/8/8/8/8/8/8/4K2R w «KQq» - 0 1", CASTLING, fix=("Kq", "likely")),
    Case("castling.ambiguous", "4k3/8/8/8/8/8/8/RR2K3 w «AB» - 0 1", CASTLING, variant="chess960"),
    Case(
        "castling.kings_differ",
        "r2k4/8/8/8/8/8/8/R3K3 w «Qq» - 0 1",
        CASTLING,
        severity="warning",
        variant="chess960",
    ),
    Case(
        "castling.variant",
        "r3k2r/8/8/8/8/8/8/R3K2R w «KQkq» - 0 1",
        CASTLING,
        fix=("-", "likely"),
        variant="antichess",
    ),
    Case("ep.side", "4k3/8/8/3pP3/8/8/8/4K3 w - «d3» 0 2", EP, "d3", ("-", "likely")),
    Case("ep.side", "4k3/8/8/8/3Pp3/8/8/4K3 b - «d6» 0 2", EP, "d6", ("-", "likely")),
    Case("ep.no_pawn", "4k3/8/8/4P3/8/8/8/4K3 w - «d6» 0 2", EP, "d6", ("-", "likely")),
    Case("ep.blocked", "4k3/3n4/8/3pP3/8/8/8/4K3 w - «d6» 0 2", EP, "d6", ("-", "likely")),
    Case("ep.half", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 «3» 9", HALF, fix=("0", "guess"), severity="warning"),
    Case("check.opposite", "4k3/8/8/8/8/8/4R3/4K3 «w» - - 0 1", TURN, "e8", ("b", "guess")),
    Case("check.opposite", "4k3/8/8/8/8/8/4r3/4K3 «b» - - 0 1", TURN, "e1", ("w", "guess")),
    Case("check.opposite", "  4k3/8/8/8/8/8/4R3/4K3   «w»  -  -  0  1", TURN, "e8", ("b", "guess")),
    Case("kings.adjacent", "8/8/8/3«k»K3/8/8/8/8 w - - 0 1", BOARD, "d5"),
    Case("kings.adjacent", "8/8/3K4/4«k»3/8/8/8/8 w - - 0 1", BOARD, "e5"),
    Case("check.many", "4k3/8/8/8/7b/8/3p4/«r»3K2r w - - 0 1", BOARD, "a1"),
    Case("check.impossible", "4k3/8/8/8/7b/8/3p4/«r»3K2r w - - 0 1", BOARD, "a1"),
    Case("check.race", "8/8/8/8/7k/8/8/K6«R» b - - 0 1", BOARD, "h1", variant="racingkings"),
    Case(
        "half.inconsistent",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - «5» 2",
        HALF,
        severity="warning",
    ),
    Case(
        "half.inconsistent",
        "4k3/8/8/8/8/8/8/4K3 w - - 3+3 «9» 1",
        HALF,
        severity="warning",
        variant="3check",
    ),
    Case("half.seventyfive", "4k3/8/8/8/8/8/8/4K2R w - - «150» 200", HALF, severity="warning"),
]


def findings(text: str, variant: str, place: str | None) -> dict[str, Diagnostic]:
    """What is said about the position of a text, placed in another one, by code."""
    game = forsyth.game("chess", variant)
    return {found.code: found for found in game.check(game.read(text).require(), text=place)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.text}")
def test_a_finding_points_at_what_is_wrong(case: Case) -> None:
    found = findings(case.plain, case.variant, case.plain)[case.code]
    fix = None if found.fix is None else (found.fix.replacement, str(found.fix.confidence))
    assert tuple(found.span) == case.span
    assert found.square == case.square
    assert fix == case.fix
    assert found.fix is None or tuple(found.fix.span) == case.span
    assert (str(found.severity), found.field, found.stage) == (case.severity, case.field, "position")
    assert found.family == case.code


def test_every_code_has_a_case() -> None:
    assert {case.code for case in CASES} == set(FAULTS)
    assert {info.code for info in CODES if info.stage == "position"} == set(FAULTS)


def test_the_canonical_text_is_the_place_where_none_is_given() -> None:
    given = "4k3/8/8/8/8/8/4R3/4K3   w  - - 0 1"
    assert tuple(findings(given, "standard", None)["check.opposite"].span) == (22, 23)


@pytest.mark.parametrize("place", ["", "start", "state_abc", "4k3/8/8/8/8/8/4R3/4K3 w -"])
def test_in_a_text_that_is_no_fen_the_whole_is_the_place_and_nothing_is_put_there(place: str) -> None:
    found = findings("4k3/8/8/8/8/8/4R3/K3K3 w - d6 9 1", "standard", place)
    assert {tuple(finding.span) for finding in found.values()} == {(0, len(place))}
    assert all(finding.fix is None for finding in found.values())
    assert set(found) == {"ep.half", "ep.no_pawn", "half.inconsistent", "king.many"}


def test_a_field_that_was_left_out_is_looked_for_in_the_last_one() -> None:
    place = "4k3/8/8/8/8/8/8/4K2R w - d6"
    found = findings("4k3/8/8/8/8/8/8/4K2R w - d6 150 200", "standard", place)
    assert tuple(found["half.seventyfive"].span) == (25, 27)


def test_a_board_that_lacks_the_man_is_the_place_itself() -> None:
    found = findings("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "standard", "4k3/8 w - - 0 1")["pawn.backrank"]
    assert (tuple(found.span), found.square) == ((0, 5), "a8")


@pytest.mark.parametrize(
    ("board", "impossible"),
    [
        ("4k3/8/8/8/8/3n1n2/8/4K3", "d3, f3"),
        ("4k3/8/8/8/8/8/3p1p2/4K3", "d2, f2"),
        ("4k3/8/8/8/8/3n4/3p4/4K3", "d2, d3"),
        ("r3k3/8/8/8/8/8/8/r3K2r", "a1, h1"),
        ("4k3/8/8/8/4r3/3n4/8/4K3", None),
        ("4k3/8/8/8/4r3/8/8/r3K3", None),
        ("4k3/8/8/8/7b/8/3p4/4K3", None),
        ("4k3/8/8/8/1b6/8/8/r3K3", None),
        ("4k3/8/8/8/1b2r3/3n4/8/4K3", "d3, b4, e4"),
    ],
)
def test_checks_that_no_move_can_have_given(board: str, impossible: str | None) -> None:
    found = findings(f"{board} w - - 0 1", "standard", None).get("check.impossible")
    said = None if impossible is None else f"no move can have given the check from {impossible}"
    assert (None if found is None else found.message) == said
