r"""EPD: the first four fields of a FEN, then operations such as ``bm Nf3; id "WAC.001";`` (spec/chess 9).

An operation is an opcode (a letter, then letters, digits or ``_``, at most 15 characters), its operands and
a ``;``; one space stands before each opcode and each operand. What the operands are, the opcode says:

* ``bm am``: moves in this position; ``sm pm``: one move; ``pv``: moves one after the other;
* ``id c0…c9 v0…v9 eco nic``: a string in double quotes, in which ``;`` is nothing special;
* ``acd acn acs ce dm rc hmvc fmvn``: an integer; ``hmvc`` and ``fmvn`` are the clocks of the position;
* ``draw_accept draw_claim draw_offer draw_reject resign noop``: nothing (``noop`` may have anything);
* all others: anything, kept as it is.

Reading, besides what `fen` accepts in the four fields. Without a word: the escapes ``\"`` and ``\\`` in
strings. With a warning, which strict mode makes an error:

* no ``;`` after the last operation;
* superfluous or missing blanks around opcodes, operands and ``;``;
* moves not written as SAN, such as ``e2e4``, ``Ng1-f3`` or ``Nf3!``;
* a decimal number where an integer belongs, except for the clocks;
* an opcode twice.

Writing: operations in the order and the words they were read in, one space between; canonical text comes
back as it was. A bare position is written with its clocks as ``hmvc`` and ``fmvn``.
Stability: what is written never changes. Limits: 4,096 characters; 64 findings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Final, NamedTuple

from forsyth.arguments import require_choice, require_type, to_tuple
from forsyth.diagnostics import MODES, Confidence, Diagnostic, Fix, Mode, MoveError, Reading, Span
from forsyth.findings import Findings
from forsyth.game import wrong_position_error
from forsyth.games.chess.codes import BOOK
from forsyth.games.chess.documents.source_document import select_code_book
from forsyth.games.chess.notation.fen import read_fen, rules_named, write_fen
from forsyth.games.chess.notation.san import read_san, write_san
from forsyth.games.chess.position import THREE_CHECK, Position
from forsyth.games.chess.rules.moves import MAX_CLOCK, Move, play
from forsyth.limits import MAX_WRAPPED


class OperandKind(StrEnum):
    """What the operands of an operation are."""

    MOVES = "moves"
    MOVE = "move"
    LINE = "line"
    STRING = "str"
    INTEGER = "int"
    FLOAT = "float"
    NONE = "none"
    RAW = "raw"


Value = tuple[Move, ...] | tuple[str, ...] | Move | str | int | float | None

_STRING_OPCODES: Final = ("id", "eco", "nic", *(f"{letter}{digit}" for letter in "cv" for digit in range(10)))
_EMPTY_OPCODES: Final = ("draw_accept", "draw_claim", "draw_offer", "draw_reject", "resign", "noop")
_KINDS: Final[dict[str, OperandKind]] = (
    {
        "bm": OperandKind.MOVES,
        "am": OperandKind.MOVES,
        "pv": OperandKind.LINE,
        "sm": OperandKind.MOVE,
        "pm": OperandKind.MOVE,
    }
    | dict.fromkeys(_STRING_OPCODES, OperandKind.STRING)
    | dict.fromkeys(("acd", "acn", "acs", "ce", "dm", "rc", "hmvc", "fmvn"), OperandKind.INTEGER)
    | dict.fromkeys(_EMPTY_OPCODES, OperandKind.NONE)
)
_CLOCKS: Final = {"hmvc": ("half", 0), "fmvn": ("full", 1)}
"""The clock each opcode sets, and the least it can be: what it is without the operation."""

_OPCODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,14}")
_WORD: Final = re.compile(r"\S+")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_TOKEN: Final = re.compile(r';|"(?:[^"\\]|\\.)*"?|[^\s;"]+', re.DOTALL)
"""A semicolon, a string (closed or not) or a word; everything between tokens is blank."""
_ESCAPE: Final = re.compile(r'\\(["\\])')
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]{1,18}\.[0-9]{0,18}|\.[0-9]{1,18})")
_CHECKS: Final = re.compile(r"[0-9]\+[0-9]")


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: its opcode, its operands as written (one space between them) and what they say.

    `value` is a tuple of moves (MOVES, LINE), a move, a string, a number, None, or for an opcode that is
    not known (RAW) the operands as written.
    """

    opcode: str
    raw: str
    kind: OperandKind
    value: Value

    def __str__(self) -> str:
        return f"{self.opcode} {self.raw};" if self.raw else f"{self.opcode};"


@dataclass(frozen=True, slots=True)
class Epd:
    """An EPD record: the position, with the clocks that its operations give it, and the operations."""

    position: Position
    operations: tuple[Operation, ...] = ()

    def get(self, opcode: str) -> Operation | None:
        """The first operation with this opcode, or None."""
        return next((found for found in self.operations if found.opcode == opcode), None)

    def __str__(self) -> str:
        return write_epd(self)


# --- writing ----------------------------------------------------------------------------------------


def write_epd(subject: Epd | Position, operations: Iterable[Operation] = ()) -> str:
    """A record, or a position with its clocks as operations, as text; further operations go behind."""
    if isinstance(subject, Position):
        half, full = subject.half, subject.full
        hmvc = Operation("hmvc", str(half), OperandKind.INTEGER, half)
        fmvn = Operation("fmvn", str(full), OperandKind.INTEGER, full)
        subject = Epd(subject, (hmvc, fmvn))
    if not isinstance(subject, Epd):
        raise wrong_position_error("chess", subject)
    said = [
        one
        for given in (subject.operations, operations)
        for one in to_tuple("the operations", given, "values of Operation")
    ]
    for one in said:
        require_type("an operation", one, Operation, "an Operation")
    return " ".join([write_fen(subject.position, fields=4), *map(str, said)])


def operation(position: Position, opcode: str, value: Value) -> Operation:
    """The operation that says a value: moves are written as SAN, strings in quotes, raw operands as they are.

    Raises `ValueError` if that is not one operation that can be read back.
    """
    said = Operation(opcode, _written(position, opcode, value), OperandKind.RAW, ())
    found = parse_epd(f"{write_fen(position, fields=4)} {said}", variant=position.variant).operations
    if len(found) != 1 or (found[0].opcode, found[0].raw) != (said.opcode, said.raw):
        raise ValueError(f"'{said}' cannot be written as one EPD operation that is read back unchanged")
    return found[0]


def _written(position: Position, opcode: str, value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, Move):
        return write_san(position, value)
    if not isinstance(value, tuple):
        return str(value)
    words = []
    for item in value:
        words.append(write_san(position, item) if isinstance(item, Move) else item)
        if opcode == "pv" and isinstance(item, Move):
            position = play(position, item)
    return " ".join(words)


# --- reading ----------------------------------------------------------------------------------------


class _Token(NamedTuple):
    """A word of the text and where it stands."""

    text: str
    start: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.start + len(self.text))

    @property
    def shown(self) -> str:
        return repr(self.text if len(self.text) <= 20 else self.text[:20] + "…")


def parse_epd(text: str, *, mode: Mode = "default", variant: str = "standard") -> Epd:
    """The record of a text; raises `FenError` with every finding when there is an error."""
    return read_epd(text, mode=mode, variant=variant).require()


def read_epd(text: str, *, mode: Mode = "default", variant: str = "standard") -> Reading[Epd]:
    """Read an EPD record: the record or none, and every finding about the text. Never raises on bad text."""
    rules = rules_named(variant)
    require_choice("mode", mode, MODES)
    if not isinstance(text, str):
        return Reading("", "chess", None, read_fen(text).diagnostics)
    findings = Findings(text, mode, select_code_book(text))
    if len(text) > MAX_WRAPPED:
        message = f"the text has {len(text)} characters, expected at most {MAX_WRAPPED}"
        findings.add("fen.length", Span(MAX_WRAPPED, len(text)), message)
        return Reading(text, "chess", None, tuple(findings.diagnostics))
    end = _end_of_fields(text, rules)
    if end is None:
        bare = read_fen(text, mode=mode, rules=rules)
        record = None if bare.position is None else Epd(bare.position)
        return Reading(text, "chess", record, bare.diagnostics)
    # The clocks stand in the operations; with them the four fields are a whole FEN.
    reading = read_fen(f"{text[:end]} 0 1", mode=mode, rules=rules)
    operations = tuple(_read_operations(findings, text, end, reading.position))
    both = Findings(text, mode, BOOK)
    for finding in reading.diagnostics:
        both.add_diagnostic(_inside(finding, end))
    for finding in findings.diagnostics:
        both.add_diagnostic(finding)
    if reading.position is None or both.has_errors:
        return Reading(text, "chess", None, tuple(both.diagnostics))
    record = Epd(_with_clocks(reading.position, operations), operations)
    return Reading(text, "chess", record, tuple(both.diagnostics))


def _end_of_fields(text: str, rules: int) -> int | None:
    """Where the position ends: behind four words, and in Three-check behind the remaining checks too."""
    words = list(islice(_WORD.finditer(text), 5))
    if len(words) < 4:
        return None
    if rules == THREE_CHECK and _CHECKS.fullmatch(words[-1].group()):
        return words[-1].end()
    return words[3].end()


def _inside(finding: Diagnostic, end: int) -> Diagnostic:
    """The finding, if it is about something missing, at the end of the four fields."""
    span = Span(min(finding.span.start, end), min(finding.span.end, end))
    fix = finding.fix
    if fix is not None and fix.span.end > end:
        fix = None
    return replace(finding, span=span, fix=fix)


def _with_clocks(position: Position, operations: tuple[Operation, ...]) -> Position:
    # Of an opcode that stands there twice the first one counts, as in `Epd.get`.
    clocks = {found.opcode: found.value for found in reversed(operations) if found.opcode in _CLOCKS}
    if not clocks:
        return position
    return position.replace(**{_CLOCKS[opcode][0]: value for opcode, value in clocks.items()})


def _read_operations(
    findings: Findings, text: str, at: int, position: Position | None
) -> Iterator[Operation]:
    tokens = [_Token(found.group(), found.start()) for found in _TOKEN.finditer(text, at)]
    if tokens and tokens[0].text[0] in "0123456789":
        _report_fen(findings, text, tokens[0].start)
        return
    _check_blanks(findings, text, at, tokens)
    seen: set[str] = set()
    words: list[_Token] = []
    for token in tokens:
        if token.text != ";":
            words.append(token)
            continue
        found = _read_operation(findings, words or [token], seen, position)
        words = []
        if found is not None:
            yield found
    if words:
        end = words[-1].span.end
        # Behind a string that is not closed it would be a part of the string.
        fix = None if _is_open(words[-1]) else Fix(Span(end, end), ";", Confidence.CERTAIN)
        findings.add("epd.semicolon", Span(end, end), "there is no ';' after the last operation", fix=fix)
        found = _read_operation(findings, words, seen, position)
        if found is not None:
            yield found


def _is_open(word: _Token) -> bool:
    """Whether a word is a string that is not closed."""
    return word.text[0] == '"' and not _STRING.fullmatch(word.text)


def _report_fen(findings: Findings, text: str, start: int) -> None:
    span = Span(start, len(text))
    clocks = text[start:].split()
    fix = None
    if len(clocks) == 2 and all(_INTEGER.fullmatch(clock) for clock in clocks):
        fix = Fix(span, f"hmvc {clocks[0]}; fmvn {clocks[1]};", Confidence.LIKELY)
    findings.add(
        "epd.is_fen",
        span,
        "a clock after the fourth field: this is a FEN, expected an opcode",
        fix=fix,
    )


def _check_blanks(findings: Findings, text: str, at: int, tokens: list[_Token]) -> None:
    for word, start in (*tokens, _Token("", len(text))):
        expected = "" if word in (";", "") else " "
        if text[at:start] != expected:
            wanted = "one space" if expected else "no blank"
            span = Span(at, start)
            fix = Fix(span, expected, Confidence.CERTAIN)
            findings.add("epd.whitespace", span, f"unexpected spaces, expected {wanted} here", fix=fix)
        at = start + len(word)


def _read_operation(
    findings: Findings, words: list[_Token], seen: set[str], position: Position | None
) -> Operation | None:
    """One operation, or None after a finding that leaves it without a value."""
    opcode, operands = words[0], words[1:]
    for word in words:
        if _is_open(word):
            findings.add("epd.string", word.span, "a string that is not closed, expected '\"' at its end")
            return None
    if not _OPCODE.fullmatch(opcode.text):
        expected = "expected a letter and up to 14 letters, digits or _"
        findings.add("epd.opcode", opcode.span, f"{opcode.shown} is not an opcode, {expected}")
        return None
    if opcode.text in seen:
        message = f"the opcode {opcode.text} occurs twice, expected each opcode once"
        findings.add("epd.duplicate", opcode.span, message)
    seen.add(opcode.text)
    return _read_operands(findings, opcode, operands, position)


def _read_operands(
    findings: Findings, opcode: _Token, operands: list[_Token], position: Position | None
) -> Operation | None:
    name = opcode.text
    raw = " ".join(operand.text for operand in operands)
    kind = _KINDS.get(name, OperandKind.RAW)
    if kind is OperandKind.RAW or (name == "noop" and operands):
        return Operation(name, raw, OperandKind.RAW, tuple(operand.text for operand in operands))
    wanted = _wanted(kind, len(operands))
    if wanted:
        span = Span(operands[0].start, operands[-1].span.end) if operands else opcode.span
        findings.add("epd.operand", span, f"{name} has {len(operands)} operands, expected {wanted}")
        return None
    if kind is OperandKind.NONE:
        return Operation(name, raw, kind, None)
    if kind is OperandKind.STRING:
        return _read_string(findings, name, operands[0])
    if kind is OperandKind.INTEGER:
        return _read_number(findings, name, operands[0])
    moves = None if position is None else _read_moves(findings, operands, position, kind)
    if moves is None:
        return None
    return Operation(name, raw, kind, moves[0] if kind is OperandKind.MOVE else moves)


def _wanted(kind: OperandKind, count: int) -> str:
    """How many operands a kind wants, unless it is that many."""
    if kind is OperandKind.NONE:
        return "none" if count else ""
    if kind is OperandKind.MOVES:
        return "" if count else "at least one move"
    return "" if count == 1 or kind is OperandKind.LINE else "one"


def _read_string(findings: Findings, name: str, operand: _Token) -> Operation | None:
    if operand.text[0] != '"':
        fix = Fix(operand.span, f'"{operand.text}"', Confidence.LIKELY)
        message = f"{name} has {operand.shown}, expected a string in double quotes"
        findings.add("epd.operand", operand.span, message, fix=fix)
        return None
    return Operation(name, operand.text, OperandKind.STRING, _ESCAPE.sub(r"\1", operand.text[1:-1]))


def _read_number(findings: Findings, name: str, operand: _Token) -> Operation | None:
    text = operand.text
    clock = _CLOCKS.get(name)
    if _INTEGER.fullmatch(text):
        number = int(text)
        if clock is None or clock[1] <= number <= MAX_CLOCK:
            return Operation(name, text, OperandKind.INTEGER, number)
        findings.add("epd.operand", operand.span, f"{name} is {text}, expected {clock[1]} to {MAX_CLOCK}")
        return None
    if clock is None and _DECIMAL.fullmatch(text):
        findings.add("epd.number", operand.span, f"{name} is {text}, expected an integer")
        return Operation(name, text, OperandKind.FLOAT, float(text))
    findings.add("epd.operand", operand.span, f"{name} has {operand.shown}, expected an integer")
    return None


def _read_moves(
    findings: Findings, operands: list[_Token], position: Position, kind: OperandKind
) -> tuple[Move, ...] | None:
    moves: list[Move] = []
    for operand in operands:
        try:
            move = read_san(position, operand.text)
        except MoveError as error:
            findings.add("epd.move", operand.span, str(error))
            if kind is OperandKind.LINE:
                return None
            continue
        written = write_san(position, move)
        if written != operand.text:
            fix = Fix(operand.span, written, Confidence.CERTAIN)
            findings.add("epd.san", operand.span, f"{operand.shown} is not SAN, expected {written}", fix=fix)
        moves.append(move)
        if kind is OperandKind.LINE:
            position = play(position, move)
    return tuple(moves) if len(moves) == len(operands) else None
