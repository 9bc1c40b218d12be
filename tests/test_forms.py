from __future__ import annotations

import base64
import copy
import re
import tracemalloc
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.work import calls_of, memory_of

from forsyth import forms, registry
from forsyth.diagnostics import (
    SHARED_CODES,
    Confidence,
    Diagnostic,
    Fix,
    Mode,
    Reading,
    Severity,
    Span,
    apply_fixes,
)
from forsyth.game import Game
from forsyth.identity import state_id
from forsyth.limits import MAX_DIAGNOSTICS, MAX_INFLATED, MAX_PLAIN, MAX_WRAPPED
from forsyth.reading import check, read, repair
from forsyth.store import MemoryStore

AZUL_START = (
    "BYRK|WBYR|KWBY|RKWB|YRKW/-/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/"
    "-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/0,0/1/0"
)
AZUL_START_CANONICAL = AZUL_START.replace("WBYR|KWBY|RKWB", "BYRW|BYKW|BRKW")
"""The same position with the tiles of each factory in order: what spec/azul 6.2 takes the identifier of."""
AZUL_START_ID = "state_ngwufu2useqzbwcvdx22ejqbwgb2fsd63jgwa4ivsa7223q4pi4a"


# --- a stand-in game ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class StandIn:
    """Reads words behind its own name: ``x`` is an error, a double space a warning.

    In a position ``z`` is illegal and ``q`` unusual. A text that begins ``both`` fits every stand-in.
    """

    name: str = "toy"
    max_text: int = 300
    variant: str = "standard"
    variants: tuple[str, ...] = ("standard",)

    @property
    def names(self) -> Mapping[str, str]:
        return {"start": f"{self.name} begin", f"{self.name}-end": f"{self.name} end"}

    def with_variant(self, variant: str) -> StandIn:
        return self

    def likelihood(self, text: str) -> float:
        return 0.9 if text.startswith(self.name) else 0.5 if text.startswith("both") else 0.0

    def read(self, text: str, *, mode: Mode = "default") -> Reading[Place]:
        found = tuple(self._findings(text, mode))
        broken = any(d.is_error for d in found)
        position = None if broken else Place(" ".join(text.split()))
        return Reading(text, self.name, position, found, variant=self.variant)

    def check(
        self, position: Place, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        place = str(position) if text is None else text
        illegal = [_finding("toy.z", m.span(), Severity.ERROR) for m in re.finditer("z", place)]
        unusual = [_finding("toy.q", m.span(), Severity.WARNING) for m in re.finditer("q", place)]
        return (*illegal, *unusual)

    def _findings(self, text: str, mode: Mode) -> Iterator[Diagnostic]:
        if len(text) > self.max_text:
            yield _finding("fen.length", (self.max_text, len(text)), Severity.ERROR)
            return
        if not text.startswith((self.name, "both")):
            yield _finding("toy.head", (0, len(text)), Severity.ERROR)
        for match in re.finditer("x", text):
            yield _finding("toy.x", match.span(), Severity.ERROR, "y_")
        severity = Severity.ERROR if mode == "strict" else Severity.WARNING
        for match in re.finditer("  +", text):
            yield _finding("toy.space", match.span(), severity, " ")


def _finding(code: str, at: tuple[int, int], severity: Severity, better: str | None = None) -> Diagnostic:
    fix = None if better is None else Fix(Span(*at), better, Confidence.CERTAIN)
    return Diagnostic(code, code, severity, "text", Span(*at), fix=fix)


TOY = cast(Game, StandIn())
BAR = cast(Game, StandIn("bar"))


@pytest.fixture
def two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = {"toy": TOY, "bar": BAR}

    def find(name: str | Game, variant: str | None = None) -> Game:
        if not isinstance(name, str):
            return name
        if name not in installed:
            raise registry.UnknownGameError(name)
        return installed[name]

    monkeypatch.setattr(registry, "games", lambda: tuple(installed))
    monkeypatch.setattr(registry, "game", find)


def codes(reading: Reading[Any] | forms.Unwrapped) -> list[str]:
    return [d.code for d in reading.diagnostics]


def deflated(data: bytes) -> bytes:
    deflate = zlib.compressobj(level=9, wbits=-15)
    return deflate.compress(data) + deflate.flush()


def fenz(packed: bytes) -> str:
    return "fenz_" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def base64_of(plain: str) -> str:
    return "base64_" + base64.b64encode(plain.encode()).decode()


# --- form_of ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("", "plain"),
        ("toy a b", "plain"),
        ("state_", "state"),
        ("state_ABC", "state"),
        ("base64_%%%", "base64"),
        ("fenz_!!!!", "fenz"),
        ("State_abcdef", "url"),
        ("toy_a_b", "url"),
        ("toy%20a", "url"),
        ("toy%2", "plain"),
        ("toy_a b", "plain"),
        ("start", "name"),
        ("Start", "plain"),
        ("start ", "plain"),
    ],
)
def test_form_of(text: str, form: str) -> None:
    assert forms.guess_form(text, TOY.names) == form


def test_form_of_knows_no_name_that_is_not_given() -> None:
    assert forms.guess_form("start") == "plain"


def test_form_of_takes_a_name_before_a_prefix() -> None:
    assert forms.guess_form("state_of_play", {"state_of_play"}) == "name"


# --- wrap ---------------------------------------------------------------------------------------------


def test_state_of_the_specifications_example() -> None:
    assert forms.wrap(AZUL_START_CANONICAL, "state") == AZUL_START_ID
    assert forms.wrap(AZUL_START, "state") != AZUL_START_ID


def test_fenz_of_the_specifications_example_is_as_short_as_it_says() -> None:
    wrapped = forms.wrap(AZUL_START, "fenz")
    assert len(wrapped) <= 61
    assert forms.unwrap(wrapped).plain == AZUL_START


def test_base64_is_padded_standard_base64() -> None:
    assert forms.wrap("Hello World", "base64") == "base64_SGVsbG8gV29ybGQ="
    assert forms.wrap("??>", "base64") == "base64_Pz8+"


def test_url_escapes_what_a_path_does_not_allow() -> None:
    unreserved = "AZaz09-.~"
    assert forms.wrap(unreserved + "!$&'()*+,;=:@/", "url") == unreserved + "!$&'()*+,;=:@/"
    assert forms.wrap("a b_c%20|?#[]", "url") == "a_b%5Fc%2520%7C%3F%23%5B%5D"
    assert forms.wrap("é\t", "url") == "%C3%A9%09"


def test_state_goes_into_the_store_with_its_game() -> None:
    store = MemoryStore()
    id = forms.wrap("toy a", "state", store=store, game="toy")
    assert id == state_id("toy a")
    assert store.entry(id) == forms.Entry(id, "toy a", "toy")


def test_name_is_looked_up() -> None:
    assert forms.wrap("toy end", "name", names=TOY.names) == "toy-end"
    with pytest.raises(ValueError, match="the names are start, toy-end"):
        forms.wrap("toy other", "name", names=TOY.names)


@pytest.mark.parametrize("form", forms.FORMS)
@pytest.mark.parametrize(
    "plain", ["", "a" * (MAX_PLAIN + 1), "state_abcdef", "base64_", "fenz_AwA", "\ud800", "start"]
)
def test_wrap_refuses_what_could_not_be_read_back(plain: str, form: str) -> None:
    with pytest.raises(ValueError):
        forms.wrap(plain, form, names=TOY.names)


@pytest.mark.parametrize("form", ["base64", "fenz", "url"])
def test_wrap_refuses_what_becomes_too_long(form: str) -> None:
    with pytest.raises(ValueError, match="expected at most"):
        forms.wrap("\U0001f600" * MAX_PLAIN, form)


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match="no form 'zip'"):
        forms.wrap("toy a", "zip")
    with pytest.raises(ValueError, match="no form 'zip'"):
        forms.unwrap("toy a", form="zip")


@given(plain=st.text(min_size=1, max_size=255), form=st.sampled_from(forms.FORMS))
def test_round_trip(plain: str, form: str) -> None:
    assume(forms.guess_form(plain) in ("plain", "url"))
    store = MemoryStore()
    names = {"this\0one": plain}
    wrapped = forms.wrap(plain, form, store=store, names=names)
    unwrapped = forms.unwrap(wrapped, form="url" if form == "url" else None, names=names, store=store)
    assert (unwrapped.form, unwrapped.plain, unwrapped.diagnostics) == (form, plain, ())


@given(plain=st.text(min_size=1, max_size=255))
def test_url_form_is_a_path_and_known_as_url(plain: str) -> None:
    wrapped = forms.wrap(plain, "url") if forms.guess_form(plain) in ("plain", "url") else "a_b"
    assert re.fullmatch(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-F]{2})+", wrapped)


# --- unwrap -------------------------------------------------------------------------------------------

MALFORMED = [
    ("state_", "hash.format"),
    ("state_75", "hash.format"),
    ("state_abc", "hash.format"),
    ("state_ABC123", "hash.format"),
    ("state_" + "a" * 65, "hash.format"),
    ("state_sflplvy2fmpnvc7dv7ud-m4hhlxzxtul3g3duxjur", "hash.format"),
    ("state_abcdef\n", "hash.format"),
    ("state_abcde\u0661", "hash.format"),
    ("state_b4e6646b", "hash.unknown"),
    (AZUL_START_ID, "hash.unknown"),
    ("base64_", "base64.format"),
    ("base64_%%%%", "base64.format"),
    ("base64_abc", "base64.format"),
    ("base64_SGVsbG8gV29ybGQ", "base64.format"),
    ("base64_SGVsbG8gV29ybGQ=\n", "base64.format"),
    ("base64_SGVs bG8gV29ybGQ=", "base64.format"),
    ("base64_SGVsbG8gV29ybGQ=AAAA", "base64.format"),
    ("base64_SGVsbG8gV29ybGQhIQ===", "base64.format"),
    ("base64_SGVsbG8gV29ybGQh=", "base64.format"),
    ("base64_Pz8-", "base64.format"),
    ("base64_é", "base64.format"),
    ("base64_/w==", "base64.payload"),
    ("base64_c3RhcnQ=", "base64.payload"),
    (base64_of(AZUL_START_ID), "base64.payload"),
    (base64_of("base64_dG95"), "base64.payload"),
    (base64_of("fenz_AwA"), "base64.payload"),
    ("fenz_", "compressed.format"),
    ("fenz_!!!!", "compressed.format"),
    ("fenz_AAAA", "compressed.format"),
    ("fenz_A", "compressed.format"),
    ("fenz_Ky5JLCoBAA==", "compressed.format"),
    ("fenz_Ky5JLCoB", "compressed.format"),
    ("fenz_Ky5JLCoBAA", "compressed.payload"),
    (fenz(deflated(b"\xff")), "compressed.payload"),
    (fenz(deflated(b"state_abcdef")), "compressed.payload"),
    (fenz(zlib.compress(b"toy a")), "compressed.format"),
    (fenz(deflated(b"toy a") + b"\0"), "compressed.format"),
    (fenz(deflated(b"toy a") * 2), "compressed.format"),
]


@pytest.mark.parametrize(("text", "code"), MALFORMED)
def test_malformed(text: str, code: str) -> None:
    unwrapped = forms.unwrap(text, names=TOY.names, store=MemoryStore())
    assert (unwrapped.plain, codes(unwrapped)) == (None, [code])
    found = unwrapped.diagnostics[0]
    assert (found.stage, found.severity) == ("form", Severity.ERROR)
    assert found.span == (text.index("_") + 1, len(text))


def test_messages_are_the_specifications() -> None:
    def message(text: str) -> str:
        return forms.unwrap(text).diagnostics[0].message

    assert message("state_ABC") == "Invalid state identifier"
    assert message("state_b4e6646b") == "Unknown state identifier: state_b4e6646b"
    assert message("base64_abc") == "Invalid base64 data"
    assert message("base64_/w==") == "Base64 payload is not a valid FEN"
    assert message("fenz_!!!!") == "Invalid compressed FEN"
    assert message(fenz(deflated(b"\xff"))) == "Compressed payload is not a valid FEN"


def test_inflation_stops_at_the_bound() -> None:
    assert forms.unwrap(fenz(deflated(b"a" * MAX_INFLATED))).plain == "a" * MAX_INFLATED
    assert codes(forms.unwrap(fenz(deflated(b"a" * (MAX_INFLATED + 1))))) == ["compressed.format"]


def test_a_stored_block_at_the_bound_is_read() -> None:
    deflate = zlib.compressobj(level=0, wbits=-15)
    packed = deflate.compress(b"a" * MAX_INFLATED) + deflate.flush()
    assert forms.unwrap(fenz(packed)).plain == "a" * MAX_INFLATED


def test_a_bomb_is_not_inflated() -> None:
    bomb = fenz(deflated(bytes(2_500_000)))
    assert len(bomb) <= MAX_WRAPPED
    tracemalloc.start()
    unwrapped = forms.unwrap(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert codes(unwrapped) == ["compressed.format"]
    assert peak < 200_000


@pytest.mark.parametrize("prefix", ["state_", "base64_", "fenz_"])
def test_a_wrapped_text_has_a_bound(prefix: str) -> None:
    unwrapped = forms.unwrap(prefix + "A" * MAX_WRAPPED)
    assert codes(unwrapped) == ["fen.length"]
    assert unwrapped.diagnostics[0].span == (MAX_WRAPPED, MAX_WRAPPED + len(prefix))
    assert unwrapped.diagnostics[0].stage == "text"


def test_url_is_read_only_when_asked_for() -> None:
    assert forms.unwrap("toy_a%20b").plain == "toy_a%20b"
    assert forms.unwrap("toy_a%20b", form="url").plain == "toy a b"
    assert forms.unwrap("toy_a_b", form="url").plain == "toy a b"


def test_plain_that_is_asked_for_is_left_alone() -> None:
    for text in ("state_abcdef", "start", "toy_a"):
        assert forms.unwrap(text, form="plain", names=TOY.names) == forms.Unwrapped(text, "plain", text)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a%", [(1, 2)]),
        ("a%2", [(1, 3)]),
        ("a%zzb", [(1, 4)]),
        ("%%41%4%z", [(0, 1), (4, 6), (6, 8)]),
        ("%C3%A9%", [(6, 7)]),
        ("%E2%82", [(0, 3), (3, 6)]),
        ("%C3%41", [(0, 3)]),
        ("%C0%80", [(0, 3), (3, 6)]),
        ("%ED%A0%80", [(0, 3), (3, 6), (6, 9)]),
        ("%FFa%g", [(0, 3), (4, 6)]),
    ],
)
def test_every_broken_escape_is_named(text: str, spans: list[tuple[int, int]]) -> None:
    unwrapped = forms.unwrap(text, form="url")
    assert unwrapped.plain is None
    assert set(codes(unwrapped)) == {"url.format"}
    assert [d.span for d in unwrapped.diagnostics] == spans


def test_broken_escapes_are_bounded() -> None:
    assert len(forms.unwrap("%" * MAX_WRAPPED, form="url").diagnostics) == MAX_DIAGNOSTICS


@pytest.mark.parametrize("form", ["state", "base64", "fenz", "name"])
def test_a_form_that_is_asked_for_and_not_there(form: str) -> None:
    expected = {"state": "hash.format", "base64": "base64.format", "fenz": "compressed.format"}
    unwrapped = forms.unwrap("toy a", form=form, names=TOY.names)
    assert (unwrapped.form, unwrapped.plain) == (form, None)
    assert codes(unwrapped) == [expected.get(form, "name.unknown")]
    assert unwrapped.diagnostics[0].span == (0, 5)


def test_spans_are_placed_in_the_text_as_given() -> None:
    url = forms.unwrap("t_%C3%A9%5Fx", form="url")
    assert url.plain == "t é_x"
    assert [url.to_source_span(Span(i, i + 1)) for i in range(5)] == [
        (0, 1),
        (1, 2),
        (2, 8),
        (8, 11),
        (11, 12),
    ]
    assert url.to_source_span(Span(5, 5)) == (12, 12)
    assert forms.unwrap("toy a").to_source_span(Span(1, 2)) == (1, 2)
    assert forms.unwrap("start", names=TOY.names).to_source_span(Span(1, 2)) == (0, 5)
    packed = forms.wrap("toy a", "base64")
    assert forms.unwrap(packed).to_source_span(Span(1, 2)) == (7, len(packed))


def any_text() -> st.SearchStrategy[str]:
    anything = st.text(st.characters(exclude_categories=()), max_size=40)
    escapes = st.text(st.sampled_from("%_0123456789ABCDEFabcdef éz"), max_size=40)
    alphabet = st.text(st.sampled_from("abcdefABCDEF0189+/=-_\n"), max_size=80)
    packed = st.binary(max_size=60).map(fenz)
    wrapped = st.binary(max_size=60).map(lambda data: "base64_" + base64.b64encode(data).decode())
    prefixed = st.builds(
        str.__add__, st.sampled_from(["state_", "base64_", "fenz_", "start"]), anything | alphabet
    )
    return anything | escapes | alphabet | packed | wrapped | prefixed


@given(text=any_text(), form=st.sampled_from([None, *forms.FORMS]), data=st.data())
def test_unwrap_never_raises_and_places_inside_the_text(
    text: str, form: str | None, data: st.DataObject
) -> None:
    unwrapped = forms.unwrap(text, form=form, names=TOY.names, store=MemoryStore())
    assert (unwrapped.plain is None) == bool(unwrapped.diagnostics)
    assert unwrapped.form == (form or forms._detect_form(text, TOY.names))
    for diagnostic in unwrapped.diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
    if unwrapped.plain is not None:
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(unwrapped.plain))] * 2)))
        placed = unwrapped.to_source_span(Span(start, end))
        assert 0 <= placed.start <= placed.end <= len(text)


@given(plain=st.text(min_size=1, max_size=100), data=st.data())
def test_a_placed_url_span_holds_the_same_characters(plain: str, data: st.DataObject) -> None:
    assume(forms.guess_form(plain) in ("plain", "url"))
    unwrapped = forms.unwrap(forms.wrap(plain, "url"), form="url")
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(plain))] * 2)))
    placed = unwrapped.to_source_span(Span(start, end))
    assert forms.unwrap(unwrapped.text[placed.start : placed.end], form="url").plain == plain[start:end]


# --- read ---------------------------------------------------------------------------------------------


def test_read_plain_is_the_games_reading() -> None:
    assert read("toy a  b", TOY) == TOY.read("toy a  b")
    assert read("toy x", TOY) == TOY.read("toy x")
    assert read("toy a  b", TOY, mode="strict") == TOY.read("toy a  b", mode="strict")


@pytest.mark.parametrize("form", forms.FORMS)
def test_read_in_every_form(form: str) -> None:
    store = MemoryStore()
    wrapped = forms.wrap("toy begin", form, store=store, names=TOY.names)
    reading = read(wrapped, TOY, form=form, store=store)
    assert reading == Reading(wrapped, "toy", Place("toy begin"), (), form, "standard")
    assert check(wrapped, TOY, form=form, store=store) == reading


@pytest.mark.parametrize("value", [None, 7, b"toy a", ["toy a"]])
@pytest.mark.parametrize("game", [TOY, None])
def test_what_is_not_text(value: Any, game: Game | None) -> None:
    for reading in (read(value, game), check(value, game, form="url")):
        assert codes(reading) == ["fen.type"]
        assert (reading.text, reading.position, reading.diagnostics[0].span) == ("", None, (0, 0))
        assert type(value).__name__ in reading.diagnostics[0].message


def test_url_findings_and_fixes_are_placed_in_the_url() -> None:
    reading = read("toy_%C3%A9x__b", TOY, form="url")
    assert [(d.code, d.span) for d in reading.diagnostics] == [("toy.x", (10, 11)), ("toy.space", (11, 13))]
    fixed = apply_fixes(reading.text, reading.diagnostics)
    assert fixed == "toy_%C3%A9y%5F_b"
    assert read(fixed, TOY, form="url").position == Place("toy éy_ b")


@pytest.mark.parametrize(("form", "code"), [("base64", "base64.payload"), ("fenz", "compressed.payload")])
def test_errors_inside_a_payload_are_one_finding(form: str, code: str) -> None:
    broken = forms.wrap("toy x x", form)
    for reading in (read(broken, TOY), check(broken, TOY)):
        assert codes(reading) == [code]
        assert reading.position is None
        assert reading.form == form
        (found,) = reading.diagnostics
        assert found.span == (broken.index("_") + 1, len(broken))
        assert found.unwrapped == "toy x x"
        assert found.inside == TOY.read("toy x x").diagnostics


@pytest.mark.parametrize(("form", "code"), [("base64", "base64.payload"), ("fenz", "compressed.payload")])
def test_illegality_inside_a_payload_is_one_finding(form: str, code: str) -> None:
    illegal = forms.wrap("toy z z q", form)
    assert read(illegal, TOY).ok
    assert codes(check(illegal, TOY)) == [code]


@pytest.mark.parametrize(("form", "code"), [("base64", "base64.payload"), ("fenz", "compressed.payload")])
def test_warnings_inside_a_payload_are_passed_on(form: str, code: str) -> None:
    unusual = forms.wrap("toy  q", form)
    reading = check(unusual, TOY)
    assert reading.ok
    assert codes(reading) == ["toy.space", "toy.q"]
    payload = (unusual.index("_") + 1, len(unusual))
    assert [(d.span, d.fix) for d in reading.diagnostics] == [(payload, None)] * 2
    assert codes(check(unusual, TOY, mode="strict")) == [code]


def test_errors_of_a_stored_text_keep_their_codes() -> None:
    store = MemoryStore()
    id = store.put("toy x")
    reading = read(id, TOY, store=store)
    assert codes(reading) == ["toy.x"]
    assert (reading.diagnostics[0].span, reading.diagnostics[0].fix) == ((6, len(id)), None)


def test_an_unknown_state_is_never_another_position() -> None:
    store = MemoryStore()
    store.put("toy begin")
    reading = read(AZUL_START_ID, TOY, store=store)
    assert (reading.position, reading.game, reading.form) == (None, "toy", "state")
    assert codes(reading) == ["hash.unknown"]


def test_default_mode_leaves_underscores_to_the_game() -> None:
    assert codes(read("_toy_a", TOY)) == ["toy.head"]


@given(
    text=any_text(), form=st.sampled_from([None, *forms.FORMS]), mode=st.sampled_from(["default", "strict"])
)
def test_check_never_raises_and_places_inside_the_text(text: str, form: str | None, mode: Mode) -> None:
    reading = check(text, TOY, mode=mode, form=form, store=MemoryStore())
    assert reading.text == text
    for diagnostic in reading.diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
    assert reading.ok == (reading.position is not None and not reading.errors)
    assert mode == "default" or not reading.warnings


# --- check --------------------------------------------------------------------------------------------


def test_check_adds_legality_behind_syntax() -> None:
    reading = check("toy  a z q", TOY)
    assert [(d.code, d.span, d.is_error) for d in reading.diagnostics] == [
        ("toy.space", (3, 5), False),
        ("toy.z", (7, 8), True),
        ("toy.q", (9, 10), False),
    ]
    assert reading.position == Place("toy a z q")


def test_check_places_legality_in_the_url() -> None:
    assert check("toy%20z", TOY, form="url").diagnostics[0].span == (6, 7)


def test_check_does_not_judge_what_could_not_be_read() -> None:
    assert codes(check("toy x z", TOY)) == ["toy.x"]


def test_strict_makes_every_warning_an_error() -> None:
    assert check("toy q", TOY).ok
    reading = check("toy q", TOY, mode="strict")
    assert [(d.code, d.severity) for d in reading.diagnostics] == [("toy.q", Severity.ERROR)]


# --- without a game -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("two_games")
def test_the_game_is_told_from_the_text() -> None:
    assert read("bar a").game == "bar"
    assert read(forms.wrap("bar a", "fenz")).game == "bar"
    assert read("bar_a", form="url").game == "bar"
    assert codes(check("bar z")) == ["toy.z"]


@pytest.mark.usefixtures("two_games")
@pytest.mark.parametrize("text", ["both a", "neither"])
def test_a_game_that_cannot_be_told(text: str) -> None:
    reading = check(text)
    assert (reading.game, reading.position, codes(reading)) == (None, None, ["game.unknown"])
    assert reading.diagnostics[0].span == (0, len(text))
    assert reading.diagnostics[0].stage == "text"
    assert "toy, bar" in reading.diagnostics[0].message


@pytest.mark.usefixtures("two_games")
@pytest.mark.parametrize(("text", "form"), [("", None), (" \n", None), ("__", "url"), ("%20", "url")])
def test_an_empty_text_without_a_game(text: str, form: str | None) -> None:
    reading = read(text, form=form)
    assert (codes(reading), reading.diagnostics[0].span) == (["fen.empty"], (0, len(text)))


@pytest.mark.usefixtures("two_games")
def test_a_payload_without_a_game() -> None:
    hello = read("base64_SGVsbG8gV29ybGQ=")
    assert codes(hello) == ["base64.payload"]
    (inner,) = hello.diagnostics[0].inside
    assert (inner.code, inner.span) == ("game.unknown", (0, len("Hello World")))
    assert codes(read(fenz(deflated(b"")))) == ["compressed.payload"]
    assert codes(read(base64_of(" "))) == ["base64.payload"]
    assert codes(read(base64_of("toy-end"))) == ["base64.payload"]
    assert codes(read(base64_of("both a"))) == ["game.unknown"]


@pytest.mark.usefixtures("two_games")
def test_a_name_without_a_game() -> None:
    start, end = read("start"), read("toy-end")
    assert codes(start) == codes(end) == ["game.unknown"]
    assert (start.form, start.position, start.diagnostics[0].span) == ("name", None, (0, 5))
    assert "toy, bar" in start.diagnostics[0].message
    assert "toy" in end.diagnostics[0].message
    assert "bar" not in end.diagnostics[0].message
    assert codes(read("nothing", form="name")) == ["name.unknown"]


@pytest.mark.usefixtures("two_games")
def test_the_store_may_know_the_game() -> None:
    store = MemoryStore()
    known, unknown, gone = store.put("both a", "bar"), store.put("both b"), store.put("both c", "go")
    assert read(known, store=store).game == "bar"
    assert codes(read(unknown, store=store)) == ["game.unknown"]
    assert codes(read(gone, store=store)) == ["game.unknown"]
    assert "'go'" in read(gone, store=store).diagnostics[0].message
    assert read(store.put("toy a"), store=store).game == "toy"


@pytest.mark.usefixtures("two_games")
def test_a_long_text_without_a_game() -> None:
    reading = read("toy " + "a" * MAX_WRAPPED)
    assert (codes(reading), reading.diagnostics[0].span) == (["fen.length"], (MAX_PLAIN, MAX_WRAPPED + 4))


@pytest.mark.usefixtures("two_games")
@pytest.mark.parametrize("fill", ["a", " ", "_", "%41", "\U0001f600"])
@pytest.mark.parametrize("game", [TOY, None])
def test_a_megabyte_costs_nothing(fill: str, game: Game | None) -> None:
    text = fill * (1_000_000 // len(fill))

    def use() -> None:
        assert codes(read(text, game)) == ["fen.length"]
        assert codes(check(text, game)) == ["fen.length"]
        assert forms.guess_form(text, TOY.names) == "plain"

    # Whatever split, stripped or replaced the text would take as much again.
    assert memory_of(use) < len(text) // 4
    assert calls_of(use) < 1_000


# --- codes --------------------------------------------------------------------------------------------


def test_every_code_is_in_the_shared_list() -> None:
    files = (Path(forms.__file__), Path(forms.__file__).with_name("reading.py"))
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    used = set(re.findall(r'"((?:fen|game|hash|base64|compressed|url|name)\.[a-z]+)"', source))
    assert used == {c.code for c in SHARED_CODES} - {"fen.fields"}


def test_stages_are_those_of_the_shared_list() -> None:
    stages = {c.code: c.stage for c in SHARED_CODES}
    found = [forms.unwrap(text, store=MemoryStore()).diagnostics for text, _ in MALFORMED]
    found += [forms.unwrap("%", form="url").diagnostics, read(cast(str, 1), TOY).diagnostics]
    for diagnostic in (d for some in found for d in some):
        assert stages[diagnostic.code] == diagnostic.stage


def test_values_are_frozen() -> None:
    unwrapped = forms.unwrap("toy a")
    assert replace(unwrapped, form="url") != unwrapped
    with pytest.raises(AttributeError):
        unwrapped.form = "url"  # type: ignore[misc]


# --- repairing ----------------------------------------------------------------------------------------

QUOTED = '"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";'


def test_repair_is_lenient_mode_unless_fixes_may_be_tried() -> None:
    chess = registry.game("chess")
    assert repair(QUOTED, chess) == check(QUOTED, chess, mode="lenient")
    assert repair(QUOTED, chess, min_confidence=Confidence.CERTAIN).position is None


def test_repair_tries_fixes_that_are_sure_enough_and_reports_each() -> None:
    repaired = repair(QUOTED, min_confidence=Confidence.LIKELY)
    assert str(repaired.position) == registry.game("chess").start
    assert repaired.ok
    assert repaired.text == QUOTED
    assert codes(repaired) == ["board.char", "full.value"]


def test_repair_does_what_single_fixes_do_though_errors_are_left() -> None:
    rows, lines = "-----|-----|-----|-----|-----/", "-----|-----|-----|-----|-----"
    board = rows.replace("-----", "--B--", 1) + lines.replace("-----", "RB---", 1)
    broken = AZUL_START.replace(rows + lines, board, 1)
    before = check(broken)
    repaired = repair(broken, min_confidence=Confidence.GUESS)
    assert str(repaired.position).count("--R--|") == 1
    assert len(repaired.errors) < len(before.errors)
    assert [d.code for d in repaired.warnings] == ["wall.placement"]
    # Where no fix is sure enough the position is as it was.
    assert repair(broken, min_confidence=Confidence.LIKELY).position == before.position


def test_repair_goes_on_with_what_a_fix_uncovers() -> None:
    # The separators come first; only then is the text long enough for the rest to be read.
    text = AZUL_START.replace("/-/-----|", "/--/-----|", 1).replace("0,0", "00,0").replace("/", ";")
    assert len(check(text, "azul").errors) == 3
    repaired = repair(text, "azul", min_confidence=Confidence.LIKELY)
    assert str(repaired.position) == str(check(AZUL_START).position)
    assert sorted(codes(repaired)) == ["center.format", "component.count", "score.format"]
    assert all(d.span == (0, len(text)) for d in repaired.diagnostics[1:])


@pytest.mark.parametrize("least", [Confidence.LIKELY, Confidence.GUESS])
def test_repair_of_four_fields_with_a_wrong_square(least: Confidence) -> None:
    text = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4"
    wanted = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert apply_fixes(text, check(text).diagnostics, least) == wanted
    assert str(repair(text, min_confidence=least).position) == wanted


def test_repair_keeps_the_legality_of_what_comes_out() -> None:
    repaired = repair("'4k3/8/8/8/8/8/4R3/4K3 w - - 0 1'", min_confidence=Confidence.LIKELY)
    assert repaired.position is not None
    assert not repaired.ok
    assert codes(repaired)[-1] == "check.opposite"


@given(st.text())
def test_repair_never_raises(text: str) -> None:
    for least in Confidence:
        assert repair(text, registry.game("chess"), min_confidence=least).text == text


def test_a_fix_of_a_plain_text_stays_where_it_is() -> None:
    fix = Fix(Span(1, 2), "x", Confidence.CERTAIN)
    assert forms.unwrap("abc").to_source_fix(fix) is fix


def test_an_unknown_game_can_be_copied_and_so_sent() -> None:
    error = registry.UnknownGameError("ches")
    again = copy.copy(error)
    assert (type(again), again.name, str(again)) == (type(error), "ches", str(error))
