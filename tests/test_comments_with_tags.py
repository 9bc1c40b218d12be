"""A comment that contains a blank line and a tag does not split its game in two."""

from __future__ import annotations

import io

import pytest

from forsyth.bulk import games
from forsyth.bulk.sources import pgn
from forsyth.bulk.sources.files import MemoryStream
from forsyth.bulk.sources.pgn import RecordBlocks, view_block_texts
from forsyth.limits import MAX_COMMENT_LOOKAHEAD
from forsyth.record import read_records

GAME = (
    '[Event "a"]\n[White "w"]\n\n1. e4 {see\n\n[Event "x"]\n\nmore\n\n'
    '[Event "y"]\n[Site "z"]\n\nand more} e5\n2. Nf3 1-0\n\n'
)
NEXT = '[Event "b"]\n\n1. d4 {fine} d5 *\n\n'
UNCLOSED = '[Event "c"]\n\n1. c4 {never closed\n\n'
PLAIN = '[Event "d"]\n\n1. f4 *\n\n'


def _plies(text: str) -> list[int]:
    table = games(text.encode(), game="chess", threads=1).read_all()
    return [0 if plies is None else plies for plies in table.column("plies").to_pylist()]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_comment_with_a_blank_line_and_a_tag_stays_whole(line_end: str) -> None:
    text = (GAME + NEXT + GAME).replace("\n", line_end)
    readings = list(read_records(io.StringIO(text, newline=""), "chess"))
    assert [reading.require().moves for reading in readings] == [
        ["e4", "e5", "Nf3"],
        ["d4", "d5"],
        ["e4", "e5", "Nf3"],
    ]
    assert '[Event "x"] more [Event "y"] [Site "z"] and more' in readings[0].require().line[0].after[0]
    assert _plies(text) == [3, 2, 3]
    # Without a brace, the end of a comment is not known before the end of the file.
    assert _plies(PLAIN * 5000 + text) == [1] * 5000 + [3, 2, 3]


def test_a_comment_that_is_not_closed_still_ends_before_the_next_game() -> None:
    for text in (UNCLOSED + NEXT, UNCLOSED + PLAIN, UNCLOSED + GAME, UNCLOSED + PLAIN * 9):
        readings = list(read_records(text, "chess"))
        assert [finding.code for finding in readings[0].errors] == ["record.comment"]
        assert readings[1].ok
        assert _plies(text)[:2] == [1, len(readings[1].require().line)]


def test_the_end_of_a_comment_is_searched_in_a_bounded_part_of_the_text() -> None:
    for size, count in ((MAX_COMMENT_LOOKAHEAD - 300, 1), (MAX_COMMENT_LOOKAHEAD, 2)):
        text = '[Event "a"]\n\n1. e4 {see\n\n[Event "x"]\n\n' + "é\n" * (size // 3) + "} e5 *\n"
        assert len(list(read_records(text, "chess"))) == count
        assert len(_plies(text)) == count


@pytest.mark.parametrize("text", [GAME + NEXT + PLAIN + GAME, PLAIN * 3 + UNCLOSED + PLAIN + NEXT, PLAIN * 6])
def test_ranges_cover_each_game_once_wherever_the_file_is_cut(text: str) -> None:
    data = text.encode()
    for cut in range(1, len(data)):
        parts = [
            bytes(block)
            for first, count in ((0, cut), (cut, None))
            for batch in RecordBlocks(_stream_at(data, first), first, count)
            for block in view_block_texts(batch)
        ]
        assert b"".join(parts) == data
        assert all(part.startswith(b"[Event") and b'[Event "x"]' not in part[:12] for part in parts)


def _stream_at(data: bytes, first: int) -> MemoryStream:
    """Return a stream that is positioned at the byte before `first`."""
    stream = MemoryStream("the bytes given", data)
    stream.read(max(first - 1, 0))
    return stream


def test_hostile_comments_take_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = 0
    search = pgn._Braces._search

    def count(self: pgn._Braces, start: int, end: int) -> int:
        nonlocal searched
        searched += max(end - start, 0)
        return search(self, start, end)

    monkeypatch.setattr(pgn._Braces, "_search", count)
    data = b"1. e4 {\n" + b'a\n\n[E "x"]\n' * 20_000 + b"}\n"
    assert pgn.find_border(data, 0) is not None
    assert pgn._find_last_border(data) > 0
    assert searched < 4 * len(data)
