"""The open deploy session that a suffix means on a board (spec/cotulenh 14).

From the board before the session the steps are played again, so that they can be taken back. From a current
board that is possible if exactly one start position leads to it, see `session_starts`. Marks of heroic
pieces come from the board; only a piece that became heroic within the session goes as the step says. Where
only a number of moved pieces is given (first spelling) which ones they were is taken from the stacks,
those first that may stand on the origin and whose pieces are on the board.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from forsyth.diagnostics import Confidence
from forsyth.findings import Findings, make_fix
from forsyth.games.cotulenh.board import SQUARES
from forsyth.games.cotulenh.codes import BOOK
from forsyth.games.cotulenh.notation.deploy_fen import (
    Suffix,
    WrittenStep,
    letters_of,
    own_types,
    session_faults,
    write_step,
    write_suffix,
)
from forsyth.games.cotulenh.notation.words import words_of
from forsyth.games.cotulenh.position import Position, Session, Step, with_session
from forsyth.games.cotulenh.rules.deploy import (
    get_remaining_types,
    get_remaining_unit,
    list_ordinary_steps,
    may_unit_stand,
    repeat_step,
)
from forsyth.games.cotulenh.rules.generate import STAY
from forsyth.games.cotulenh.rules.moves import Rules, list_first_deploy_steps
from forsyth.games.cotulenh.rules.session_starts import find_only_start
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    HEROIC_SHIFT,
    LETTERS,
    STACKS,
    TYPES,
    read_unit,
)

_MOST_CANDIDATES: Final = 12


def open_session(findings: Findings, suffix: Suffix, position: Position, rules: Rules) -> Position:
    """The position in the session that a suffix means; after an error the position as it was."""
    opened = _opened(findings, suffix, position, rules)
    if opened is None or opened.session is None:
        return position
    _require_remaining(findings, suffix, opened, opened.session)
    if findings.has_errors:
        return position
    canonical = write_suffix(opened)
    given = " ".join(word.text for word in words_of(findings.text[slice(*suffix.place)]))
    if given != canonical:
        # Where the text shows another board than the canonical one, the suffix alone cannot be replaced.
        mend = None if opened.session.start else make_fix(suffix.place, canonical, Confidence.CERTAIN)
        message = (
            f"deploy suffix: not in canonical spelling, expected {canonical} after the board of the moment"
        )
        findings.add("deploy.spelling", suffix.place, message, field=7, fix=mend)
    return opened


def _opened(findings: Findings, suffix: Suffix, position: Position, rules: Rules) -> Position | None:
    moved = _types("".join(step.letters for step in suffix.steps))
    standing = own_types(position, suffix.origin)
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
    if opened is None or opened.session is None:
        return None
    start = find_only_start(opened, rules)
    return opened if start is None else with_session(opened, replace(opened.session, start=start))


def _types(letters: str) -> int:
    found = 0
    for letter in letters.replace("+", ""):
        found |= 1 << LETTERS.index(letter)
    return found


def _replays(suffix: Suffix, position: Position, rules: Rules) -> bool:
    silent = Findings("", "default", BOOK)
    return _from_start(silent, suffix, position, rules) is not None


def _from_start(findings: Findings, suffix: Suffix, start: Position, rules: Rules) -> Position | None:
    """The steps played again from the board before the session."""
    position = start
    for written in suffix.steps:
        unit = read_unit(written.letters, bool(start.blue_to_move))
        unit |= start.unit_on(suffix.origin) & (unit & TYPES) << HEROIC_SHIFT
        step = Step(unit, written.target, written.flags)
        after = repeat_step(position, suffix.origin, step, rules) if unit else None
        if after is None:
            _illegal_step(findings, suffix, position, written, rules)
            return None
        position = after
    return position


def _illegal_step(
    findings: Findings, suffix: Suffix, position: Position, written: WrittenStep, rules: Rules
) -> None:
    session = position.session
    if session is None:
        numbers = list_first_deploy_steps(position, suffix.origin, rules.last_guard)
    else:
        numbers = list_ordinary_steps(position, session)
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
    standing = own_types(position, suffix.origin)
    count = 0 if suffix.count is None else int(suffix.count.text)
    elsewhere = 0
    for square in range(len(SQUARES)):
        if square != suffix.origin:
            elsewhere |= own_types(position, square)
    possible = [
        types
        for types in map(_types, STACKS)
        if types & (remaining | standing) == remaining | standing
        and (types & ~remaining).bit_count() == count
    ]
    if not possible or not count:
        place = suffix.place if suffix.count is None else suffix.count.place
        shown = suffix.remaining.text or "nothing"
        message = f"deploy suffix: {count} moved and {shown} remaining cannot form a stack"
        findings.add("deploy.count", place, message, field=7)
        return None
    likely = [
        types
        for types in possible
        if not types & ~remaining & ~standing & ~elsewhere and may_unit_stand(types, suffix.origin)
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
        mend = make_fix(suffix.count.place, str(moved.bit_count()), Confidence.LIKELY)
        findings.add("deploy.count", suffix.count.place, message, field=7, fix=mend)
    return _sane(findings, suffix, with_session(position, session))


def _sane(findings: Findings, suffix: Suffix, opened: Position) -> Position | None:
    faults = session_faults(opened)
    for code, index, message in faults:
        place = suffix.place if index is None else suffix.steps[index].word.place
        square = SQUARES[suffix.origin if index is None else suffix.steps[index].target]
        findings.add(code, place, message, field=7, square=square)
    return None if faults else opened


def _require_remaining(findings: Findings, suffix: Suffix, opened: Position, session: Session) -> None:
    if _types(suffix.remaining.text) == get_remaining_types(session):
        return
    right = letters_of(get_remaining_unit(opened, session)) or "EMPTY"
    message = f"deploy suffix: {suffix.remaining.text or 'nothing'} said to remain, expected {right}"
    findings.add("deploy.remaining", suffix.place, message, field=7, square=session.origin)
