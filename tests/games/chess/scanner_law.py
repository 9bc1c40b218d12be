"""What the scanner of chess is held to: the reader, which is asked without it.

`law` is what the reader says of a text; `require_law` holds the scanner to it, by the rules of a variant and
in a mode. The scanner may leave a text to the reader.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.golden_data import CHESS

from forsyth.column import ASK, CANONICAL, DEFAULT, LENIENT, NOTED, NOTES, REFUSED, SPELLED, STRICT
from forsyth.diagnostics import Diagnostic, Mode, Severity
from forsyth.forms import has_form_prefix
from forsyth.games.chess.notation.fen import read_fen, rules_of
from forsyth.games.chess.notation.scanner import accept
from forsyth.games.chess.numbers.column import Kernels
from forsyth.games.chess.position import Position
from forsyth.games.chess.rules.check import check_position

NUMBERS: dict[Mode, int] = {"default": DEFAULT, "strict": STRICT, "lenient": LENIENT}
AUTO = -1


@dataclass(frozen=True)
class Law:
    """What the reader says of a text."""

    position: Position | None
    findings: tuple[Diagnostic, ...]
    foreign: bool
    """Whether it is no plain FEN: a wrapped text, a name, an EPD record."""

    @property
    def ok(self) -> bool:
        return self.position is not None and not any(finding.is_error for finding in self.findings)

    @property
    def first(self) -> Diagnostic:
        return next((one for one in self.findings if one.is_error), self.findings[0])

    def verdict(self, text: str) -> int:
        if not self.ok:
            return REFUSED
        if self.findings:
            return NOTED
        return CANONICAL if str(self.position) == text else SPELLED


def law(text: str, rules: int, mode: Mode, legality: bool) -> Law:
    """What the reader says, without the scanner."""
    reading = read_fen(text, mode=mode, rules=rules_of(text) if rules == AUTO else rules)
    findings = reading.diagnostics
    if legality and reading.position is not None:
        findings += check_position(reading.position, text=text)
    if mode == "strict":
        findings = tuple(finding.with_severity(Severity.ERROR) for finding in findings)
    foreign = has_form_prefix(text) or text in CHESS.names or (reading.position is None and ";" in text)
    return Law(reading.position, findings, foreign)


def scanned(
    kernels: Kernels, texts: Sequence[bytes], mode: Mode, legality: bool
) -> tuple[memoryview, memoryview]:
    """Verdicts and notes about some texts."""
    ends = array("q", [0])
    for text in texts:
        ends.append(ends[-1] + len(text))
    verdicts = memoryview(bytearray(len(texts)))
    notes = memoryview(array("i", [0]) * (NOTES * len(texts)))
    chars = memoryview(b"".join(texts))
    kernels.scan(chars, memoryview(ends), 0, len(texts), NUMBERS[mode], legality, verdicts, notes)
    return verdicts, notes


def noted(kernels: Kernels, numbers: Sequence[int]) -> tuple[Any, ...]:
    """What a row of notes says, in the words of a finding."""
    code, severity, start, end, square, count = numbers
    place = None if square < 0 else kernels.squares[square]
    return kernels.codes[code], tuple(Severity)[severity], (start, end), place, count


def require_law(texts: Sequence[bytes], rules: int, mode: Mode, legality: bool) -> dict[int, int]:
    """Hold scan and accept to the reader; how often each verdict was given."""
    kernels = Kernels(rules)
    verdicts, notes = scanned(kernels, texts, mode, legality)
    counted: dict[int, int] = {}
    for row, data in enumerate(texts):
        verdict = verdicts[row]
        counted[verdict] = counted.get(verdict, 0) + 1
        text = data.decode("utf-8", "surrogateescape")
        wanted = law(text, rules, mode, legality)
        case = (text, rules, mode, legality, wanted.findings)
        require_accepted(wanted, text, rules, mode, legality)
        if verdict == ASK:
            continue
        assert not wanted.foreign, case
        assert verdict == wanted.verdict(text), case
        if wanted.findings:
            first = wanted.first
            said = (first.code, first.severity, tuple(first.span), first.square, len(wanted.findings))
            assert noted(kernels, notes[NOTES * row : NOTES * (row + 1)]) == said, case
    return counted


def require_accepted(wanted: Law, text: str, rules: int, mode: Mode, legality: bool) -> None:
    """What `accept` takes is what the reader takes: the same position, with as many findings."""
    found = accept(text, rules, NUMBERS[mode], legality)
    if found is None:
        return
    case = (text, rules, mode, legality)
    assert wanted.ok, case
    assert found == (wanted.position, len(wanted.findings)), case


# --- texts with slips -----------------------------------------------------------------------------------

PIECES = "PNBRQKpnbrqk"
SLIPS = PIECES + "12345678/0 9 \t\n-wbKQkqAHah~[]+_;%xW3" + "\u2013\u2212\u00a0\u200b\u00e9"
FIELDS = (
    ("w", "b", "W", "white", "BLACK", "x", "-"),
    ("-", "KQkq", "qkQK", "KK", "K-", "--", "HAha", "AHah", "KQkqK", "Kx", "\u2013", "Bd", "kq", "Gg"),
    ("-", "e3", "e6", "E6", "d3", "a4", "z9", "e33", "\u2212", "h6", "c6"),
    ("0", "7", "00", "007", "12345", "00012", "-", "+5", "x", "150", "9999", "1", "+", "99"),
    ("1", "0", "00", "01", "12345", "-", "+7", "80", "x", "9999", "0001", "1;"),
    ("3+3", "+0+0", "2+1", "+3+1", "4+4", "3+", "33", "+9+0"),
)
POCKETS = ("[]", "[-]", "[QPnp]", "[pQ]", "[", "[K]", "/", "/Pp", "~", f"[{65 * 'p'}]")


def slipped(chance: random.Random, text: str) -> str:
    """A text after a slip, of the kinds that people and programs make."""
    kind = chance.randrange(10)
    if kind < 3:
        at = chance.randrange(len(text) + 1)
        some = chance.choice(SLIPS)
        to = at + chance.choice((0, 1, 1, 2))
        return text[:at] + chance.choice((some, some, "")) + text[to:]
    words = text.split(" ")
    if kind < 6:
        number = chance.randrange(1, 6)
        if number < len(words):
            words[number] = chance.choice(FIELDS[number - 1])
        return " ".join(words)
    if kind == 6:
        return " ".join(words[: chance.randrange(1, len(words) + 1)])
    if kind == 7:
        blank = chance.choice(("  ", "\t", "\n", " \r\n", ""))
        return chance.choice((text + blank, blank + text, text.replace(" ", blank, 1)))
    if kind == 8:
        words.insert(chance.choice((4, len(words))), chance.choice(FIELDS[5]))
        return " ".join(words)
    return with_board(chance, words)


def with_board(chance: random.Random, words: list[str]) -> str:
    """A text with other men on its board, most often legal in notation and not in chess."""
    ranks = words[0].split("/")
    at = chance.randrange(len(ranks))
    kind = chance.randrange(4)
    if kind == 0:
        ranks[at] = chance.choice(("8", "KK6", "PPPPPPPP", "4k3", "R3K2R", "QQQQQQQQ", "k7", "9", "", "44"))
    elif kind == 1:
        other = chance.randrange(len(ranks))
        ranks[at], ranks[other] = ranks[other], ranks[at]
    elif kind == 2:
        letters = [ch for ch in ranks[at] if ch in PIECES]
        if letters:
            ranks[at] = ranks[at].replace(chance.choice(letters), chance.choice(PIECES), 1)
    else:
        pocket = chance.choice(
            ("[]", "[-]", "[QPnp]", "[pQ]", "[", "[K]", "/", "/Pp", "~", "[" + 65 * "p" + "]")
        )
        return " ".join(["/".join(ranks) + pocket, *words[1:]])
    return " ".join(["/".join(ranks), *words[1:]])


def slips(chance: random.Random, texts: Sequence[str], count: int) -> Iterator[bytes]:
    """So many texts with up to three slips each."""
    for _ in range(count):
        text = chance.choice(texts)
        for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
            text = slipped(chance, text)
        yield text.encode("utf-8", "surrogatepass")
