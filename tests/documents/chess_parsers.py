"""What the parser of the chess document and the profile ``seed`` make of a text, side by side."""

from __future__ import annotations

from tests.documents import chess_document as document

from forsyth.games.chess import Chess, Position

CHESS = Chess()


def said_by_the_document(text: str | None) -> str:
    """What the transcription makes of a text: ``ok``, ``panic`` or the name of its error."""
    try:
        document.Board().fen_setup(text)
    except document.Err as refused:
        return refused.error.name
    except document.Panic:
        return "panic"
    return "ok"


def said_by_the_profile(text: str) -> str:
    """The same for Forsyth, which reports what would abort the document's program as Part 1 (spec 3.2)."""
    reading = CHESS.read(text, profile="seed")
    if reading.ok:
        return "ok"
    (finding,) = reading.diagnostics
    assert finding.seed_kind is not None
    assert finding.message == finding.seed_message == document.FenError[finding.seed_kind.value].value
    return finding.seed_kind.value


def codes(text: str) -> list[str]:
    """The findings of the usual reader about the text alone."""
    return [finding.code for finding in CHESS.read(text).diagnostics]


def agree(text: str, verdict: str) -> None:
    """Both parsers give this verdict."""
    assert (said_by_the_document(text), said_by_the_profile(text)) == (verdict, verdict), text


def read(text: str) -> Position:
    return CHESS.parse(text, profile="seed")


def require_same(text: str) -> None:
    """Both parsers make the same board of a text that the document accepts."""
    theirs = document.Board()
    theirs.fen_setup(text)
    ours = read(text)
    letters = ("KQRBNP", "kqrbnp")
    for number in range(64):
        square = f"{'abcdefgh'[number % 8]}{number // 8 + 1}"
        standing: set[str | None] = {
            letters[side][kind]
            for side in (document.WHITE, document.BLACK)
            for kind in range(6)
            if theirs.bb_pieces[side][kind] >> number & 1
        }
        # Of two men on one square a position holds the later one.
        assert ours.piece_at(square) in (standing or {None}), (text, square)
    assert ours.side == document.WHITE_OR_BLACK[theirs.active_color]
    assert sum(1 << "KQkq".index(right) for right in ours.castling.replace("-", "")) == theirs.castling
    assert ours.ep_square == (-1 if theirs.en_passant is None else theirs.en_passant)
    assert (ours.half, ours.full) == (theirs.halfmove_clock, max(theirs.fullmove_number, 1))
