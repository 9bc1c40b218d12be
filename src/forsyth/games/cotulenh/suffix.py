"""The deploy suffix of a CoTuLenh FEN: an open deploy session as text (spec/cotulenh 14).

Reading takes four spellings, all but the canonical ones with a warning:

* ``DEPLOY c3:FT 1``: the board is the one of the moment, where the moved pieces went is not known;
* ``DEPLOY c3:FT 1 N>c5``: the same, and the steps are known (canonical);
* ``DEPLOY c3:(FT)<Nc5...``: the board is the one before the session if the moved pieces still stand on c3,
  otherwise that of the moment; ``>`` and ``...`` may be missing;
* ``c3:(FT):N>c5...``: the board is the one before the session.

From the board before the session the steps are played again, so that they can be taken back; from a board of
the moment that is possible where nothing was captured and no piece is heroic. Marks of heroic pieces come
from the board; only a piece that became heroic within the session goes as the step says. Where only a number
of moved pieces is given (first spelling) which ones they were is taken from the stacks that are possible,
those first that may stand on the origin and whose pieces are on the board.

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
from forsyth.findings import Findings, Place, Word, fix_at
from forsyth.games.cotulenh.board import SQUARE_NUMBER, SQUARES
from forsyth.games.cotulenh.codes import BOOK
from forsyth.games.cotulenh.deploy import may_stand, ordinary_steps, remaining_types, remaining_unit, replayed
from forsyth.games.cotulenh.generate import CAPTURE, COMBINE, DEPLOY, QUIET, STAY, SUICIDE
from forsyth.games.cotulenh.moves import Rules, opening_moves
from forsyth.games.cotulenh.position import Position, Session, Step, build, with_session
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    HEROIC_SHIFT,
    LETTERS,
    STACKS,
    TYPES,
    carrier_of,
    read_unit,
    write_unit,
)
from forsyth.games.cotulenh.words import words_of
from forsyth.games.cotulenh.write import encode

_SIGNS: Final = {"": QUIET, "x": CAPTURE, "_": STAY, "@": SUICIDE, "&": COMBINE}
_SIGN_OF: Final = {flag: sign for sign, flag in _SIGNS.items()}
_PIECES: Final = r"\+?[A-Z]|\((?:\+?[A-Z])+\)"
_STEP: Final = re.compile(rf"({_PIECES})>?([x_@&]?)([a-k](?:1[0-2]|[1-9]))(?:\([A-Z+|]+\))?[\^#]?")
_REMAINING: Final = re.compile(r"(?:\+?[A-Za-z])+|\((?:\+?[A-Za-z])+\)")
_COUNT: Final = re.compile(r"[0-9]{1,3}")
_SHAPES: Final = "expected DEPLOY c3:FT 1 N>c5, DEPLOY c3:FT 1, DEPLOY c3:(FT)<Nc5... or c3:(FT):N>c5..."
_MOST_CANDIDATES: Final = 12


# --- writing ----------------------------------------------------------------------------------------


def write_suffix(position: Position) -> str:
    """The canonical suffix of the open session; nothing where there is none."""
    session = position.session
    if session is None:
        return ""
    head = _marker(position, session)
    if not session.known or not session.steps:
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
    left = remaining_unit(position, session)
    return f"DEPLOY {session.origin}:{_letters(left) or 'EMPTY'} {session.moved_types.bit_count()}"


def write_replay(position: Position) -> str:
    """The board before the open session and its steps: read back, every one of them can be taken back.

    The canonical text where no session is open, or where what stood before it is not known.
    """
    session = position.session
    if session is None or session.start is None:
        return encode(position)
    left = remaining_unit(position, session)
    steps = ",".join(write_step(step) for step in session.steps)
    more = "..." if left else ""
    return f"{encode(session.start)} {session.origin}:{write_unit(left) if left else ''}:{steps}{more}"


def write_step(step: Step) -> str:
    """A step without its origin: ``N>c6``, ``(N+F)>xc6``."""
    return f"{write_unit(step.unit)}>{_SIGN_OF[step.flags & ~DEPLOY]}{SQUARES[step.target]}"


def _letters(unit: int) -> str:
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
    origin = _read_origin(findings, body.part(0, colon))
    rest = body.part(colon + 1, len(body.text))
    cut = rest.text.find(":" if on_start else "<")
    told = rest.part(cut + 1, len(rest.text)) if cut >= 0 else words[3] if len(words) > 3 else None
    for word in words[1:] if on_start else words[2:] if cut >= 0 else words[4:]:
        _bad_shape(findings, word)
    remaining = _read_remaining(findings, rest.part(0, cut) if cut >= 0 else rest)
    count = _read_count(findings, words, place) if cut < 0 else None
    steps = () if told is None else tuple(_read_steps(findings, told))
    if findings.failed:
        return None
    return Suffix(place, origin, remaining, count, steps, on_start)


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
        word = told.part(start, start + len(text))
        start += len(text) + 1
        found = _STEP.fullmatch(text)
        if found is None:
            _bad_shape(findings, word, "expected a step such as N>c5")
            continue
        pieces = word.part(0, found.end(1))
        letters = _plain_letters(findings, pieces)
        yield WrittenStep(letters, SQUARE_NUMBER[found[3]], _SIGNS[found[2]] | DEPLOY, word)


def _plain_letters(findings: Findings, word: Word) -> str:
    """Capital letters and marks, ``B`` read as anti-air in lenient mode; odd letters are reported."""
    for index, ch in enumerate(word.text):
        letter = word.part(index, index + 1)
        if ch in "Bb":
            mend = fix_at(letter.place, "G", Confidence.LIKELY)
            code = "alias.b" if findings.lenient else "deploy.format"
            message = f"deploy suffix: {quoted(ch)} for anti-air, expected G"
            findings.add(code, letter.place, message, field=7, fix=mend)
        elif ch not in "()+" and ch.upper() not in LETTERS:
            _bad_shape(findings, letter, f"expected one of {LETTERS}")
    return word.text.strip("()").upper().replace("B", "G")


# --- reading: the session it means on a board -------------------------------------------------------


def open_session(findings: Findings, suffix: Suffix, position: Position, rules: Rules) -> Position:
    """The position in the session that a suffix means; after an error the position as it was."""
    opened = _opened(findings, suffix, position, rules)
    if opened is None or opened.session is None:
        return position
    _require_remaining(findings, suffix, opened, opened.session)
    if findings.failed:
        return position
    canonical = write_suffix(opened)
    given = " ".join(word.text for word in words_of(findings.text[slice(*suffix.place)]))
    if given != canonical:
        # Where the text shows another board than the canonical one, the suffix alone cannot be replaced.
        mend = None if opened.session.start else fix_at(suffix.place, canonical, Confidence.CERTAIN)
        message = (
            f"deploy suffix: not in canonical spelling, expected {canonical} after the board of the moment"
        )
        findings.add("deploy.spelling", suffix.place, message, field=7, fix=mend)
    return opened


def _opened(findings: Findings, suffix: Suffix, position: Position, rules: Rules) -> Position | None:
    moved = _types("".join(step.letters for step in suffix.steps))
    standing = _own_types(position, suffix.origin)
    if suffix.on_start:
        return _from_start(findings, suffix, position, rules)
    if suffix.count is None and moved & standing == moved:
        # Pieces that captured without moving stand on the origin on both boards.
        stays = all(step.flags & STAY for step in suffix.steps)
        if not stays or _replays(suffix, position, rules):
            return _from_start(findings, suffix, position, rules)
    if not suffix.steps:
        return _with_unknown_steps(findings, suffix, position)
    opened = _on_current(findings, suffix, position)
    return None if opened is None else _with_start(opened, rules)


def _types(letters: str) -> int:
    found = 0
    for letter in letters.replace("+", ""):
        found |= 1 << LETTERS.index(letter)
    return found


def _own_types(position: Position, square: int) -> int:
    """The types that the side to move has on a square."""
    unit = position.unit_on(square)
    return unit & TYPES if unit and unit >> 22 == position.blue_to_move else 0


def _replays(suffix: Suffix, position: Position, rules: Rules) -> bool:
    silent = Findings("", "default", BOOK)
    return _from_start(silent, suffix, position, rules) is not None


def _from_start(findings: Findings, suffix: Suffix, start: Position, rules: Rules) -> Position | None:
    """The steps played again from the board before the session."""
    position = start
    steps: tuple[Step, ...] = ()
    for written in suffix.steps:
        unit = read_unit(written.letters, bool(start.blue_to_move))
        live, first = position.unit_on(suffix.origin), start.unit_on(suffix.origin)
        types = unit & TYPES
        unit |= first & types << HEROIC_SHIFT
        sound = unit != 0 and not unit & ~live & TYPES << HEROIC_SHIFT
        after = None
        if sound:
            step = Step(unit, written.target, written.flags)
            after = replayed(start, suffix.origin, (*steps, step), rules)
        if after is None:
            _illegal_step(findings, suffix, position, written, rules)
            return None
        steps = (*steps, step)
        position = after
    return position


def _illegal_step(
    findings: Findings, suffix: Suffix, position: Position, written: WrittenStep, rules: Rules
) -> None:
    session = position.session
    if session is None:
        numbers = opening_moves(position, suffix.origin, rules.last_guard)
    else:
        numbers = ordinary_steps(position, session)
    unit = position.unit_on(suffix.origin)
    meant = _types(written.letters)
    named = sorted(_step_name(unit, n) for n in numbers if n >> 16 & meant)
    named += sorted(_step_name(unit, n) for n in numbers if not n >> 16 & meant)
    listed = ", ".join(named[:_MOST_CANDIDATES]) + (", …" if len(named) > _MOST_CANDIDATES else "")
    message = f"deploy step {written.word.text}: not possible from {SQUARES[suffix.origin]}, "
    message += f"expected one of {listed}" if named else "where no piece has a step"
    square = SQUARES[written.target]
    findings.add("deploy.step", written.word.place, message, field=7, square=square)


def _step_name(unit: int, number: int) -> str:
    types = number >> 16 & TYPES
    sent = unit & (types | types << HEROIC_SHIFT | BLUE_BIT)
    return write_step(Step(sent, number >> 8 & 255, number >> 27))


def _with_unknown_steps(findings: Findings, suffix: Suffix, position: Position) -> Position | None:
    """A session of which only the number of moved pieces is known."""
    remaining = _types(suffix.remaining.text)
    standing = _own_types(position, suffix.origin)
    count = 0 if suffix.count is None else int(suffix.count.text)
    elsewhere = 0
    for square in range(len(SQUARES)):
        if square != suffix.origin:
            elsewhere |= _own_types(position, square)
    possible = [
        types
        for types in map(_types, STACKS)
        if types & (remaining | standing) == remaining | standing
        and (types & ~remaining).bit_count() == count
    ]
    if not possible or not count:
        place = suffix.place if suffix.count is None else suffix.count.place
        shown = suffix.remaining.text or "nothing"
        message = f"deploy suffix: {count} moved and {shown} remaining make no stack"
        findings.add("deploy.count", place, message, field=7)
        return None
    likely = [
        types
        for types in possible
        if not types & ~remaining & ~standing & ~elsewhere and may_stand(types, suffix.origin)
    ]
    types = (likely or possible)[0]
    unit = position.unit_on(suffix.origin)
    marks = unit & types << HEROIC_SHIFT if standing else 0
    original = types | marks | (BLUE_BIT if position.blue_to_move else 0)
    session = Session(suffix.origin, original, (), None, False, types & ~remaining)
    return _sane(findings, suffix, with_session(position, session))


def _on_current(findings: Findings, suffix: Suffix, position: Position) -> Position | None:
    """A session on the board of the moment: nothing to go back to."""
    blue = bool(position.blue_to_move)
    remaining = _types(suffix.remaining.text)
    unit = position.unit_on(suffix.origin)
    original = unit & (remaining | remaining << HEROIC_SHIFT) | (BLUE_BIT if blue else 0) | remaining
    steps = []
    moved = 0
    for written in suffix.steps:
        sent = read_unit(written.letters, blue)
        if not sent or sent & TYPES & (moved | remaining):
            said = "moves a piece twice or one that remains" if sent else "is not of one piece or stack"
            message = f"deploy step {written.word.text}: {said}"
            findings.add("deploy.step", written.word.place, message, field=7, square=SQUARES[written.target])
            return None
        moved |= sent & TYPES
        original |= sent
        steps.append(Step(sent, written.target, written.flags))
    session = Session(suffix.origin, original, tuple(steps), None, True, moved)
    if suffix.count is not None and int(suffix.count.text) != moved.bit_count():
        message = f"deploy suffix: {suffix.count.text} moved, but the steps move {moved.bit_count()}"
        mend = fix_at(suffix.count.place, str(moved.bit_count()), Confidence.LIKELY)
        findings.add("deploy.count", suffix.count.place, message, field=7, fix=mend)
    return _sane(findings, suffix, with_session(position, session))


def _with_start(opened: Position, rules: Rules) -> Position:
    """The session with the position it began with, where the board of the moment tells it.

    A captured unit is not in the text, and a heroic piece may or may not have become so within the session:
    where there is either, there is nothing to go back to.
    """
    session = opened.session
    board = list(opened.board())
    if session is None or any(unit >> HEROIC_SHIFT & TYPES for unit in board):
        return opened
    if any(step.flags & (CAPTURE | STAY | SUICIDE) for step in session.steps):
        return opened
    for step in session.steps:
        board[step.target] &= ~(step.unit & TYPES)
        if not board[step.target] & TYPES:
            board[step.target] = 0
        board[session.origin_square] |= step.unit
    try:
        start = build(tuple(board), opened.blue_to_move, opened.half, opened.full)
    except ValueError:
        return opened
    again = replayed(start, session.origin_square, session.steps, rules)
    return opened if again is None or again.board() != opened.board() else again


def _sane(findings: Findings, suffix: Suffix, opened: Position) -> Position | None:
    faults = session_faults(opened)
    for code, index, message in faults:
        place = suffix.place if index is None else suffix.steps[index].word.place
        square = SQUARES[suffix.origin if index is None else suffix.steps[index].target]
        findings.add(code, place, message, field=7, square=square)
    return None if faults else opened


def _require_remaining(findings: Findings, suffix: Suffix, opened: Position, session: Session) -> None:
    if _types(suffix.remaining.text) == remaining_types(session):
        return
    right = _letters(remaining_unit(opened, session)) or "EMPTY"
    message = f"deploy suffix: {suffix.remaining.text or 'nothing'} said to remain, expected {right}"
    findings.add("deploy.remaining", suffix.place, message, field=7, square=session.origin)


# --- sense ------------------------------------------------------------------------------------------


def session_faults(position: Position) -> list[tuple[str, int | None, str]]:
    """What in an open session contradicts the board: code, number of the step if it is one, sentence."""
    session = position.session
    if session is None:
        return []
    remaining = remaining_types(session)
    standing = _own_types(position, session.origin_square)
    stayed = sum(step.unit & TYPES for step in session.steps if step.flags & STAY)
    found: list[tuple[str, int | None, str]] = []
    if carrier_of(session.original) < 0 or (session.original & TYPES).bit_count() < 2:
        shown = "".join(LETTERS[kind] for kind in range(11) if session.original >> kind & 1)
        found.append(("deploy.remaining", None, f"deploy suffix: {shown or 'nothing'} makes no stack"))
    elif standing & remaining != remaining or (session.known and standing != remaining | stayed):
        message = f"deploy suffix: what is on {session.origin} is not what remains of the stack"
        found.append(("deploy.remaining", None, message))
    for index, step in enumerate(session.steps):
        types = step.unit & TYPES
        gone = step.flags & (STAY | SUICIDE)
        if not gone and _own_types(position, step.target) & types != types:
            name = write_unit(step.unit)
            message = f"deploy step {write_step(step)}: there is no {name} on {SQUARES[step.target]}"
            found.append(("deploy.step", index, message))
    return found
