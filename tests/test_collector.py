"""The one collector of findings: severity by mode, places, and what is told of too many."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from forsyth.diagnostics import CodeInfo, Diagnostic, Fix, Mode, Reading, Severity, Span, apply_fixes
from forsyth.findings import (
    BROKEN,
    CERTAIN,
    GUESS,
    LIKELY,
    CodeBook,
    Findings,
    Word,
    make_fix,
    make_reading,
    make_rewrite,
)
from forsyth.limits import MAX_DIAGNOSTICS

CODES = (
    *(CodeInfo(f"e.{n}", Severity.ERROR, "fields", "an error") for n in range(3)),
    *(CodeInfo(f"w.{n}", Severity.WARNING, "text", "a warning") for n in range(3)),
)
BOOK = CodeBook(CODES, families={"e.1": "E_ONE"}, seeds={0: ("as a whole", None), 2: ("field two", None)})


def findings(text: str = "x" * 500, mode: Mode = "default", **more: Any) -> Findings:
    return Findings(text, mode, BOOK, **more)


def many(found: Findings, code: str, count: int, first: int = 0, **more: Any) -> None:
    for at in range(first, first + count):
        found.add(code, (at, at + 1), f"{code} at {at}", **more)


def codes(found: Findings) -> list[str]:
    return [finding.code for finding in found.diagnostics]


@pytest.mark.parametrize(
    ("mode", "code", "mended", "severity"),
    [
        ("default", "e.0", True, "error"),
        ("default", "w.0", False, "warning"),
        ("strict", "w.0", True, "error"),
        ("lenient", "e.0", True, "warning"),
        ("lenient", "e.0", False, "error"),
    ],
)
def test_severity_follows_the_mode(mode: Mode, code: str, mended: bool, severity: str) -> None:
    found = findings(mode=mode)
    assert found.add(code, (0, 1), "m", repaired=mended) is (severity == "error")
    assert found.diagnostics[0].severity.value == severity
    assert found.has_errors is (severity == "error")


def test_a_reader_may_mend_in_any_mode_but_strict() -> None:
    assert not findings(tolerates_repairs=True).add("e.0", (0, 1), "m", repaired=True)
    assert findings(mode="strict", tolerates_repairs=True).add("e.0", (0, 1), "m", repaired=True)
    assert findings(mode="lenient", tolerates_repairs=False).add("e.0", (0, 1), "m", repaired=True)


def test_the_book_says_what_follows_from_a_code_and_a_field() -> None:
    found = findings()
    found.add("e.1", (1, 2), "m", field=2, square="a1")
    found.add("w.0", (1, 2), "m", seed="said here")
    found.add("fen.fields", (1, 2), "m", field=1)
    first, second, third = found.diagnostics
    assert (first.stage, first.family, first.seed_message, first.square) == (
        "fields",
        "E_ONE",
        "field two",
        "a1",
    )
    assert (second.stage, second.family, second.seed_message, second.field) == ("text", "w.0", "said here", 0)
    assert (third.stage, third.seed_message) == ("text", "")
    assert BOOK.make_diagnostic("e.1", (1, 2), "m") == Diagnostic(
        "e.1", "m", Severity.ERROR, "fields", Span(1, 2), family="E_ONE"
    )


def test_values_that_are_filled_are_those_of_their_constructors() -> None:
    found = findings()
    found.add("e.1", (1, 2), "m", field=2, fix=make_fix((1, 2), "x", LIKELY))
    made = Diagnostic(
        *("e.1", "m", Severity.ERROR, "fields", Span(1, 2), 2, None),
        *(Fix(Span(1, 2), "x", LIKELY), "E_ONE", "field two"),
    )
    filled = make_reading("text", "chess", "a position", tuple(found.diagnostics))
    assert repr(filled) == repr(Reading("text", "chess", "a position", (made,)))
    assert filled == Reading("text", "chess", "a position", (made,))
    assert copy.deepcopy(filled) == filled


def test_what_was_found_elsewhere_is_an_error_in_strict_mode() -> None:
    for found, severity in ((findings(), Severity.WARNING), (findings(mode="strict"), Severity.ERROR)):
        found.add_diagnostic(BOOK.make_diagnostic("w.0", (0, 1), "m"))
        assert found.diagnostics[0].severity is severity


def test_places_in_a_cleaned_text_become_places_in_the_text_as_given() -> None:
    found = findings("a..bc")
    found.offsets = [0, 3, 4, 5]
    found.add("e.0", (1, 3), "m", fix=make_fix((1, 1), "!", LIKELY))
    found.add("e.0", (3, 3), "m", fix=make_fix((0, 2), BROKEN, LIKELY))
    assert [finding.span for finding in found.diagnostics] == [(3, 5), (5, 5)]
    assert found.diagnostics[0].fix == Fix(Span(3, 3), "!", LIKELY)
    assert found.diagnostics[1].fix is None, "a stand-in must not get into a text"


def test_every_code_is_told_before_a_code_is_told_twice() -> None:
    found = findings()
    many(found, "e.0", 80)
    many(found, "w.0", 1, 80)
    many(found, "e.1", 1, 81)
    assert len(found.diagnostics) == MAX_DIAGNOSTICS
    assert codes(found)[-3:] == ["e.0", "w.0", "e.1"]
    assert [finding.span.start for finding in found.diagnostics[:-2]] == [*range(MAX_DIAGNOSTICS - 2)]


def test_errors_are_told_before_warnings() -> None:
    found = findings()
    many(found, "w.0", 40)
    many(found, "w.1", 40, 40)
    many(found, "e.0", 90, 80)
    assert len(found.diagnostics) == MAX_DIAGNOSTICS
    assert codes(found) == ["w.0", "w.1", *["e.0"] * (MAX_DIAGNOSTICS - 2)]
    assert (found.errors, found.is_full) == (90, True)
    many(found, "w.1", 5, 200)
    assert codes(found).count("w.1") == 1


def test_the_fix_of_what_is_left_out_joins_another() -> None:
    text = "x." * 100
    found = findings(text)
    for at in range(0, 200, 2):
        found.add("e.0", (at, at + 1), "m", fix=make_fix((at, at + 1), "y", LIKELY))
    assert len(found.diagnostics) == MAX_DIAGNOSTICS
    assert apply_fixes(text, found.diagnostics, LIKELY) == "y." * 100


def test_fixes_of_other_confidence_or_before_the_last_one_are_not_joined() -> None:
    found = findings()
    many(found, "e.0", MAX_DIAGNOSTICS - 1, 10, fix=None)
    found.add("e.0", (100, 101), "m", fix=make_fix((100, 101), "y", LIKELY))
    last = found.diagnostics[-1]
    found.add("e.0", (110, 111), "m", fix=make_fix((110, 111), "y", GUESS))
    found.add("e.0", (90, 91), "m", fix=make_fix((90, 91), "y", LIKELY))
    found.add("e.0", (499, 502), "m", fix=make_fix((499, 502), "y", LIKELY))
    assert found.diagnostics[-1] == last


def test_words_know_their_places() -> None:
    word = Word("ab|c", 5, "lines", 1)
    assert (word.place, word.char_place(1)) == ((5, 9), (6, 7))
    assert word.split("|") == [Word("ab", 5, "lines", 1), Word("c", 8, "lines", 1)]
    assert word.slice(1, 3) == Word("b|", 6, "lines", 1)


@pytest.mark.parametrize(
    ("text", "wanted", "span", "replacement"),
    [("abcd", "abXd", (12, 13), "X"), ("aa", "aaa", (12, 12), "a"), ("abc", "", (10, 13), "")],
)
def test_rewriting_touches_only_what_differs(
    text: str, wanted: str, span: tuple[int, int], replacement: str
) -> None:
    assert make_rewrite(text, wanted, 10, CERTAIN) == Fix(Span(*span), replacement, CERTAIN)


def _merged(text: str, earlier: tuple[int, int], later: tuple[int, int]) -> str | None:
    """The text after a fix that two findings share, because the list was full; None if they share none."""
    found = findings(text)
    many(found, "e.1", MAX_DIAGNOSTICS - 1)
    found.add("e.0", earlier, "m", fix=make_fix(earlier, "(", CERTAIN))
    (before,) = (one for one in found.diagnostics if one.code == "e.0")
    found.add("e.0", later, "m", fix=make_fix(later, ")!", CERTAIN))
    (after,) = (one for one in found.diagnostics if one.code == "e.0")
    if after == before:
        return None
    assert after.fix is not None and after.fix.confidence is CERTAIN
    assert after.fix.span == (earlier[0], later[1])
    assert after == replace(before, fix=after.fix)
    return apply_fixes(text, [after])


@pytest.mark.parametrize(
    ("earlier", "later", "merged"),
    [
        ((1, 2), (5, 6), "a(cde)!ghij"),
        ((0, 1), (9, 10), "(bcdefghi)!"),
        ((1, 2), (2, 3), "a()!defghij"),
        ((1, 1), (1, 1), "a()!bcdefghij"),
        ((2, 5), (7, 8), "ab(fg)!ij"),
        ((4, 4), (10, 10), "abcd(efghij)!"),
        ((1, 3), (2, 4), None),
        ((5, 6), (1, 2), None),
        ((1, 2), (9, 11), None),
    ],
)
def test_the_text_between_two_fixes_stays(
    earlier: tuple[int, int], later: tuple[int, int], merged: str | None
) -> None:
    assert _merged("abcdefghij", earlier, later) == merged
