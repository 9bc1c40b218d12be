"""The deploy suffix of a CoTuLenh FEN: an open deploy session as text (spec/cotulenh 14).

Reading takes four spellings, all but the canonical ones with a warning:

* ``DEPLOY c3:FT 1``: the board is the one of the moment, where the moved pieces went is not known;
* ``DEPLOY c3:FT 1 N>c5``: the same, and the steps are known (canonical);
* ``DEPLOY c3:(FT)<Nc5...``: the board is the one before the session if the moved pieces still stand on c3,
  otherwise that of the moment; ``>`` and ``...`` may be missing, and ``(FT)<`` where nothing stays;
* ``c3:(FT):N>c5...``: the board is the one before the session.

`deploy_restore` finds the session that a suffix means on a board.

Writing: `write_suffix`, ``EMPTY`` where nothing remains; `write_replay`, the fourth spelling, which restores
a session whole; `write_marker`, the first, which is the source document's and loses the steps. Limits: those
of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from forsyth.arguments import quoted
from forsyth.diagnostics import Confidence
from forsyth.findings import Findings, Place, Word, make_fix
from forsyth.games.cotulenh.board import RANK_COUNT, SQUARE_NUMBER, SQUARES
from forsyth.games.cotulenh.notation.write import encode
from forsyth.games.cotulenh.position import Position, Session, Step, with_session
from forsyth.games.cotulenh.rules.deploy import get_remaining_types, get_remaining_unit
from forsyth.games.cotulenh.rules.generate import CAPTURE, COMBINE, DEPLOY, QUIET, STAY, SUICIDE
from forsyth.games.cotulenh.stacks import (
    LETTERS,
    TYPES,
    get_carrier_type,
    write_unit,
)

_SIGNS: Final = {"": QUIET, "x": CAPTURE, "_": STAY, "@": SUICIDE, "&": COMBINE}
_SIGN_OF: Final = {flag: sign for sign, flag in _SIGNS.items()}
_PIECES: Final = r"\+?[A-Z]|\((?:\+?[A-Z])+\)"
_STEP: Final = re.compile(rf"({_PIECES})>?([x_@&]?)([a-k](?:1[0-2]|[1-9]))(?:\([A-Z+|]+\))?[\^#]?")
_REMAINING: Final = re.compile(r"(?:\+?[A-Za-z])+|\((?:\+?[A-Za-z])+\)")
_SQUARE: Final = re.compile(r"([a-k])(1[0-2]|[1-9])")
_COUNT: Final = re.compile(r"[0-9]{1,3}")
_SHAPES: Final = "expected DEPLOY c3:FT 1 N>c5, DEPLOY c3:FT 1, DEPLOY c3:(FT)<Nc5... or c3:(FT):N>c5..."


# --- writing ----------------------------------------------------------------------------------------


def write_suffix(position: Position) -> str:
    """The canonical suffix of the open session; nothing where there is none."""
    session = position.session
    if session is None:
        return ""
    head = _marker(position, session)
    if not session.has_known_steps or not session.steps:
        return head
    return f"{head} {','.join(write_step(step) for step in session.steps)}"


def write_marker(position: Position) -> str:
    """The text with the first spelling of the open session: what remains and how many have moved.

    The canonical text where no session is open.
    """
    session = position.session
    if session is None:
        return encode(position)
    return f"{encode(with_session(position, None))} {_marker(position, session)}"


def _marker(position: Position, session: Session) -> str:
    left = get_remaining_unit(position, session)
    return f"DEPLOY {session.origin}:{letters_of(left) or 'EMPTY'} {session.moved_types.bit_count()}"


def write_replay(position: Position) -> str:
    """The board before the open session and its steps: read back, every one of them can be taken back.

    The canonical text where no session is open, or where what stood before it is not known.
    """
    session = position.session
    if session is None or session.start is None:
        return encode(position)
    left = get_remaining_unit(position, session)
    steps = ",".join(write_step(step) for step in session.steps)
    more = "..." if left else ""
    return f"{encode(session.start)} {session.origin}:{write_unit(left) if left else ''}:{steps}{more}"


def write_step(step: Step) -> str:
    """A step without its origin: ``N>c6``, ``(N+F)>xc6``."""
    return f"{write_unit(step.unit)}>{_SIGN_OF[step.flags & ~DEPLOY]}{SQUARES[step.target]}"


def across(field: str) -> str:
    """A field behind the side to move with its squares on the other side of the board."""
    return _SQUARE.sub(lambda found: f"{found[1]}{RANK_COUNT + 1 - int(found[2])}", field)


def letters_of(unit: int) -> str:
    """The pieces of a unit without parentheses."""
    return write_unit(unit).strip("()") if unit else ""


# --- reading: what the suffix says ------------------------------------------------------------------


class WrittenStep(NamedTuple):
    """A step as it is written."""

    letters: str
    target: int
    flags: int
    word: Word


@dataclass(frozen=True, slots=True)
class Suffix:
    """What a suffix says; `count` is None in the spellings without it, `steps` empty where none are told."""

    place: Place
    origin: int
    remaining: Word
    count: Word | None
    steps: tuple[WrittenStep, ...]
    on_start: bool
    """Whether the board is always the one before the session."""


def is_suffix(words: list[Word]) -> bool:
    """Whether the words after the sixth field are meant as a deploy suffix."""
    if not words:
        return False
    return words[0].text == "DEPLOY" or (len(words) == 1 and words[0].text.count(":") == 2)


def read_suffix(findings: Findings, words: list[Word]) -> Suffix | None:
    """What a suffix says, or None after an error in it."""
    place = (words[0].start, words[-1].place[1])
    on_start = words[0].text != "DEPLOY"
    body = words[0] if on_start else words[1] if len(words) > 1 else None
    colon = -1 if body is None else body.text.find(":")
    if body is None or colon < 0:
        _bad_shape(findings, Word(findings.text[slice(*place)], place[0]))
        return None
    origin = _read_origin(findings, body.slice(0, colon))
    rest = body.slice(colon + 1, len(body.text))
    cut = rest.text.find(":" if on_start else "<")
    if cut < 0 and not on_start and _is_step_list(rest.text):
        # Nothing stays behind, so that nothing stands before the steps.
        rest, cut = Word(f"<{rest.text}", rest.start - 1), 0
    told = rest.slice(cut + 1, len(rest.text)) if cut >= 0 else words[3] if len(words) > 3 else None
    for word in words[1:] if on_start else words[2:] if cut >= 0 else words[4:]:
        _bad_shape(findings, word)
    remaining = _read_remaining(findings, rest.slice(0, cut) if cut >= 0 else rest)
    count = _read_count(findings, words, place) if cut < 0 else None
    steps = () if told is None else tuple(_read_steps(findings, told))
    if findings.has_errors:
        return None
    return Suffix(place, origin, remaining, count, steps, on_start)


def _is_step_list(text: str) -> bool:
    """Return whether a text such as ``N>b7,C>c4`` consists of deploy steps."""
    return all(_STEP.fullmatch(part) for part in text.removesuffix("...").split(","))


def _bad_shape(findings: Findings, word: Word, expected: str = _SHAPES) -> None:
    findings.add("deploy.format", word.place, f"deploy suffix: {quoted(word.text)}, {expected}", field=7)


def _read_origin(findings: Findings, word: Word) -> int:
    if word.text in SQUARE_NUMBER:
        return SQUARE_NUMBER[word.text]
    message = (
        f"deploy suffix: {quoted(word.text)} is not a square, expected the origin of the stack, a1 to k12"
    )
    findings.add("deploy.square", word.place, message, field=7)
    return 0


def _read_remaining(findings: Findings, word: Word) -> Word:
    """The letters of the pieces that remain, with their marks and without parentheses."""
    if word.text in ("", "EMPTY"):
        return Word("", word.start)
    if not _REMAINING.fullmatch(word.text):
        _bad_shape(findings, word, "expected the letters of the pieces that remain, or EMPTY")
        return word
    return Word(_plain_letters(findings, word), word.start)


def _read_count(findings: Findings, words: list[Word], place: Place) -> Word:
    if len(words) > 2 and _COUNT.fullmatch(words[2].text):
        return words[2]
    shown = words[2] if len(words) > 2 else Word("", place[1])
    message = f"deploy suffix: {quoted(shown.text)}, expected the number of pieces that have moved"
    findings.add("deploy.count", shown.place, message, field=7)
    return shown


def _read_steps(findings: Findings, told: Word) -> Iterator[WrittenStep]:
    end = len(told.text.removesuffix("..."))
    start = 0
    for text in told.text[:end].split(","):
        word = told.slice(start, start + len(text))
        start += len(text) + 1
        found = _STEP.fullmatch(text)
        if found is None:
            _bad_shape(findings, word, "expected a step such as N>c5")
            continue
        pieces = word.slice(0, found.end(1))
        letters = _plain_letters(findings, pieces)
        yield WrittenStep(letters, SQUARE_NUMBER[found[3]], _SIGNS[found[2]] | DEPLOY, word)


def _plain_letters(findings: Findings, word: Word) -> str:
    """Capital letters and marks, ``B`` read as anti-air in lenient mode; odd letters are reported."""
    for index, ch in enumerate(word.text):
        letter = word.slice(index, index + 1)
        if ch in "Bb":
            mend = make_fix(letter.place, "G", Confidence.LIKELY)
            code = "alias.b" if findings.lenient else "deploy.format"
            message = f"deploy suffix: {quoted(ch)} for anti-air, expected G"
            findings.add(code, letter.place, message, field=7, fix=mend)
        elif ch not in "()+" and ch.upper() not in LETTERS:
            _bad_shape(findings, letter, f"expected one of {LETTERS}")
    return word.text.strip("()").upper().replace("B", "G")


# --- sense ------------------------------------------------------------------------------------------


def own_types(position: Position, square: int) -> int:
    """The types that the side to move has on a square."""
    unit = position.unit_on(square)
    return unit & TYPES if unit and unit >> 22 == position.blue_to_move else 0


def session_faults(position: Position) -> list[tuple[str, int | None, str]]:
    """What in an open session contradicts the board: code, number of the step if it is one, sentence."""
    session = position.session
    if session is None:
        return []
    remaining = get_remaining_types(session)
    standing = own_types(position, session.origin_square)
    stayed = sum(step.unit & TYPES for step in session.steps if step.flags & STAY)
    found: list[tuple[str, int | None, str]] = []
    if get_carrier_type(session.original) < 0 or (session.original & TYPES).bit_count() < 2:
        shown = "".join(LETTERS[kind] for kind in range(11) if session.original >> kind & 1)
        found.append(("deploy.remaining", None, f"deploy suffix: {shown or 'nothing'} cannot form a stack"))
    elif standing & remaining != remaining or (session.has_known_steps and standing != remaining | stayed):
        message = f"deploy suffix: what is on {session.origin} is not what remains of the stack"
        found.append(("deploy.remaining", None, message))
    for index, step in enumerate(session.steps):
        types = step.unit & TYPES
        gone = step.flags & (STAY | SUICIDE)
        if not gone and own_types(position, step.target) & types != types:
            name = write_unit(step.unit)
            message = f"deploy step {write_step(step)}: there is no {name} on {SQUARES[step.target]}"
            found.append(("deploy.step", index, message))
    return found
