"""Single records: the quick way and the one that explains say the same, and moves are made when asked for."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import pytest

from forsyth.record import Record, parse_record, read, read_record

SOUND = '[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 {[%clk 0:01:00]} e5 (1... c5 $1) 2. Nf3 1-0\n'


def test_a_record_alone_is_read_the_quick_way_too(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = _slowly(SOUND, monkeypatch)
    monkeypatch.setattr(read, "_RecordReader", None)
    quick = parse_record(SOUND, "chess")
    assert quick == slow
    assert parse_record(SOUND) == slow


@pytest.mark.parametrize(
    "text",
    [
        f"\n\n{SOUND}\n \n",
        f"{SOUND}{{a last word}}",
        f"{SOUND}\n{SOUND}",
        f"\ufeff{SOUND}",
        f"% escaped\n{SOUND}",
        SOUND.replace("\n", "\r"),
        SOUND.rstrip(),
    ],
    ids=["blanks", "a comment behind", "two", "a byte order mark", "an escape", "CR", "no line end"],
)
def test_both_ways_say_the_same_of_a_text_with_something_around_it(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = read_record(text, "chess")
    monkeypatch.setattr(read, "get_fast_reader", lambda game, mode: None)
    assert quick == read_record(text, "chess")


def test_moves_that_nobody_has_asked_for_are_there_when_somebody_does() -> None:
    fresh = [parse_record(SOUND, "chess") for _ in range(5)]
    assert fresh[0].moves == ["e4", "e5", "Nf3"]
    again = pickle.loads(pickle.dumps(fresh[1]))  # noqa: S301
    assert again == copy.deepcopy(fresh[2]) == fresh[0]
    assert hash(fresh[3]) == hash(fresh[0])
    assert replace(fresh[4], result="*").moves == fresh[0].moves
    with pytest.raises(AttributeError, match="'Record' object has no attribute 'lines'"):
        fresh[0].lines  # type: ignore[attr-defined]  # noqa: B018


def _slowly(text: str, monkeypatch: pytest.MonkeyPatch) -> Record[Any, Any]:
    with monkeypatch.context() as here:
        here.setattr(read, "get_fast_reader", lambda game, mode: None)
        return parse_record(text, "chess")
