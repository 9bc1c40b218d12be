# cython: annotation_typing=False
"""CoTuLenh moves as people write them: ``Ic6``, ``F&c4(NF)``, ``T5>xc4^``, ``(FT)<N>c6`` (spec/cotulenh 15).

Reading also takes, each with a warning code where it is one of these:

- a dash between the squares (``lan.dash``), bare coordinates ``e2e6``, ``e6xc6``;
- a missing mark or result; a wrong one (``mark.wrong``, ``result.wrong``); ``+`` as mark (``mark.plus``);
- stacks in any order (``stack.order``), with bars as in ``(T|I)`` (``pipe.in_stack``); ``B`` for ``G``
  (``alias.b``);
- missing and superfluous disambiguators; a missing capture sign (``capture.missing``), a missing heroic ``+``
  (``heroic.missing``): all as long as one legal move fits;
- in a session or a turn text, a step without ``>`` (``deploy.missing``);
- whole deploy turns ``T<I>d4``, ``I>d4,T>e4``, ``c5:(FT):N>c6``, ``c5:(FT)<Nc6``; ``...`` behind them leaves
  the session open, as does a list of steps without a stay part while something remains;
- a stay part that names the whole stack (``stay.contains_moved``) or an origin (``stay.disambiguator``);
- in a session, the text of the turn so far, or ``commit``: the commit; ``cancel``: back to before it;
- blanks, ``!`` and ``?`` around the text.

``&x`` is read and never legal (``combine.capture``).

Writing: disambiguated among legal moves by carrier type. Limits: 64 characters. A text that names no move
raises `SanError`: invalid, illegal or ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from forsyth.arguments import quoted
from forsyth.diagnostics import Span
from forsyth.games.cotulenh.board import SQUARE_NUMBER
from forsyth.games.cotulenh.notation.san_grammar import (
    BLANK,
    CAPTURE_SIGNS,
    SanError,
    Shape,
    StepShape,
    read_shape,
    shown,
)
from forsyth.games.cotulenh.notation.san_write import CARRIER, write_lan, write_moves, write_plain, write_san
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.deploy import (
    get_remaining_types,
    list_legal_deploy_steps,
    list_legal_moves,
    may_commit,
)
from forsyth.games.cotulenh.rules.generate import DEPLOY, STAY
from forsyth.games.cotulenh.rules.moves import DEFAULT_RULES, Move, Rules, move_from_number
from forsyth.games.cotulenh.rules.turns import (
    CANCEL,
    CANCEL_TEXT,
    COMMIT,
    COMMIT_TEXT,
    Action,
    Cancel,
    Commit,
    PlayedSteps,
    StepPattern,
    Turn,
    play_step_patterns,
    write_action,
    write_turn,
)
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    HEROIC_SHIFT,
    LETTERS,
    TYPES,
    read_unit,
)

_SHOWN: Final = 12
"""How many candidates a message names; the error carries them all."""


# --- reading ----------------------------------------------------------------------------------------


def read_move(position: Position, text: str, rules: Rules = DEFAULT_RULES) -> Action:
    """The legal move, whole deploy turn or commit that a text names; raises `SanError`."""
    return _find(position, text, rules)[0]


def read_move_with_notes(
    position: Position, text: str, rules: Rules = DEFAULT_RULES
) -> tuple[Action, tuple[str, ...]]:
    """What a text names, and the codes of everything that was read leniently; raises `SanError`."""
    action, shape = _find(position, text, rules)
    if shape is None:
        return action, ()
    return action, (*shape.warnings, *_notes(position, action, shape, rules))


def _find(position: Position, text: str, rules: Rules) -> tuple[Action, Shape | None]:
    if text.strip(BLANK) == COMMIT_TEXT:
        return _commit(position, text), None
    if text.strip(BLANK) == CANCEL_TEXT:
        return _cancel(position, text), None
    shape = read_shape(text)
    if not shape.steps:
        message = f"Invalid or illegal move: {shown(text)}: what stays is named, but no step"
        raise SanError("invalid", text, message, (), Span(0, len(text)))
    step = shape.steps[0]
    together = step.unit & TYPES & (step.unit & TYPES) - 1
    if shape.is_turn or (together and (">" in step.sign or position.session is not None)):
        return _find_turn(position, shape, rules), shape
    board = position.board()
    numbers = list_legal_moves(position, rules)
    in_session = position.session is not None
    fitting = [n for n in numbers if _fits(n, board, step, in_session)]
    if len(fitting) == 1:
        return move_from_number(fitting[0]), shape
    if fitting:
        raise _ambiguous(text, _written(position, fitting, rules), step.span)
    raise _illegal(text, _near(position, step, numbers, rules), step.span)


def _commit(position: Position, text: str) -> Commit:
    if position.session is not None and may_commit(position):
        return COMMIT
    why = "the open session cannot end like this" if position.session else "no deploy session is open"
    raise _illegal(text, (), Span(0, len(text)), why)


def _cancel(position: Position, text: str) -> Cancel:
    session = position.session
    if session is not None and session.start is not None:
        return CANCEL
    why = "no deploy session is open"
    if session is not None:
        why = "what stood before the session is not in the text it was read from"
    raise _illegal(text, (), Span(0, len(text)), why)


def _mover(number: int, board: tuple[int, ...]) -> int:
    """The unit that goes, with its heroic marks; the colour aside."""
    types = number >> 16 & TYPES
    return board[number & 255] & (types | types << HEROIC_SHIFT)


def _fits(number: int, board: tuple[int, ...], step: StepShape, in_session: bool) -> bool:
    """Whether a legal move is the one described; outside a session only ``>`` starts one."""
    if number >> 8 & 255 != step.target or not number >> 27 & step.kinds:
        return False
    if step.file >= 0 and (number & 255) % 11 != step.file:
        return False
    if step.rank >= 0 and (number & 255) // 11 != step.rank:
        return False
    if not in_session and (">" in step.sign) != bool(number >> 27 & DEPLOY):
        return False
    if not step.unit:
        return True
    return step.unit & TYPES == number >> 16 & TYPES and not step.unit & ~_mover(number, board)


def _find_turn(position: Position, shape: Shape, rules: Rules) -> Turn | Commit:
    wishes = tuple(step.wish() for step in shape.steps)
    session = position.session
    if session is None:
        return _find_whole_turn(position, shape, wishes, rules)
    # The text may tell the turn from its start, or go on from here.
    done = len(session.steps)
    if all(map(StepPattern.matches, wishes, session.steps)) and len(wishes) >= done:
        wishes = wishes[done:]
        if not wishes:
            if shape.stay is not None and shape.stay & TYPES != get_remaining_types(session):
                raise _illegal(shape.text, (), shape.steps[-1].span, "something else stays")
            return _commit(position, shape.text)
    played = play_step_patterns(position, session.origin_square, wishes, rules)
    if played is None:
        raise _illegal_step(position, [session.origin_square], shape, wishes, rules)
    return _ended(played, shape, rules)


def _find_whole_turn(position: Position, shape: Shape, wishes: tuple[StepPattern, ...], rules: Rules) -> Turn:
    exact, larger = _stacks_for(position, shape)
    found: list[PlayedSteps] = []
    for squares in (exact, larger):
        found = [
            p for p in (play_step_patterns(position, s, wishes, rules) for s in squares) if p is not None
        ]
        if found:
            break
    if len(found) == 1:
        return _ended(found[0], shape, rules)
    if found:
        turns = [write_turn(position, Turn(played.numbers), rules) for played in found]
        raise _ambiguous(shape.text, turns, shape.steps[0].span)
    squares = exact + larger
    if not squares:
        raise _illegal(shape.text, (), shape.steps[0].span, "no own stack consists of these pieces")
    raise _illegal_step(position, squares, shape, wishes, rules)


def _stacks_for(position: Position, shape: Shape) -> tuple[list[int], list[int]]:
    """The mover's stacks that consist of exactly what stays and moves, and, if nothing is said to stay, those
    that hold more.
    """
    colour = BLUE_BIT if position.blue_to_move else 0
    types = (shape.stay or 0) & TYPES
    for step in shape.steps:
        types |= step.unit & TYPES
    first = shape.steps[0]
    files = {file for file in (shape.file, first.file) if file >= 0}
    ranks = {rank for rank in (shape.rank, first.rank) if rank >= 0}
    exact, larger = [], []
    for square, unit in enumerate(position.board()):
        if not unit or unit & BLUE_BIT != colour or types & ~unit:
            continue
        if files - {square % 11} or ranks - {square // 11}:
            continue
        if unit & TYPES == types:
            exact.append(square)
        elif shape.stay is None:
            larger.append(square)
    return exact, larger


def _ended(played: PlayedSteps, shape: Shape, rules: Rules) -> Turn:
    """The turn of some steps, committed if the text says that it is over."""
    after = played.position
    session = after.session
    if session is None or shape.unfinished:
        return Turn(played.numbers)
    left = get_remaining_types(session)
    if shape.stay is None and left:
        return Turn(played.numbers)
    if shape.stay is not None and shape.stay & TYPES != left:
        raise _illegal(shape.text, (), shape.steps[-1].span, "something else stays")
    if not may_commit(after):
        raise _illegal(shape.text, (), shape.steps[-1].span, "the turn cannot end like this")
    return Turn(played.numbers, commit=True)


# --- an object instead of a text --------------------------------------------------------------------

_KEYS: Final = ("from", "to", "piece", "stay", "deploy")


def read_object(position: Position, move: Mapping[str, object], rules: Rules = DEFAULT_RULES) -> Move:
    """The legal move with these values; raises `SanError`.

    ``from`` and ``to`` are needed; ``piece`` is a letter, which means the carrier, or a stack, which means
    exactly these pieces; ``stay`` tells ``_`` from ``x``, ``deploy`` a member from the whole stack.
    """
    text = _object_text(move)
    origin, target = (_object_square(move, key, text) for key in ("from", "to"))
    types = _object_types(move, text)
    board = position.board()
    numbers = [n for n in list_legal_moves(position, rules) if n & 255 == origin and n >> 8 & 255 == target]
    fitting = [
        n
        for n in numbers
        if (not types or types in (n >> 16 & TYPES, 1 << CARRIER[n >> 16 & TYPES]))
        and move.get("stay") in (None, bool(n >> 27 & STAY))
        and move.get("deploy") in (None, bool(n >> 27 & DEPLOY))
    ]
    if len(fitting) == 1:
        return move_from_number(fitting[0])
    if fitting:
        raise _ambiguous(text, _written(position, fitting, rules), Span(0, len(text)))
    near = numbers or [n for n in list_legal_moves(position, rules) if n & 255 == origin and board[origin]]
    raise _illegal(text, _written(position, near, rules), Span(0, len(text)))


def _object_text(move: Mapping[str, object]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in move.items()) + "}"


def _object_square(move: Mapping[str, object], key: str, text: str) -> int:
    name = move.get(key)
    if isinstance(name, str) and name in SQUARE_NUMBER:
        return SQUARE_NUMBER[name]
    message = f"Invalid square in move: {shown(text)}: {key} is {quoted(name)}, expected a1 to k12"
    raise SanError("invalid", text, message, (), Span(0, len(text)), name)


def _object_types(move: Mapping[str, object], text: str) -> int:
    """The types of ``piece``; 0 if none is given. Checks the other values on the way."""
    piece = move.get("piece")
    types = read_unit(piece) & TYPES if isinstance(piece, str) else 0
    if piece is not None and not types:
        wrong = f"piece is {quoted(piece)}, expected a letter of {LETTERS} or a stack"
    elif not set(move) <= set(_KEYS):
        wrong = f"its keys are {', '.join(map(str, move))}, expected some of {', '.join(_KEYS)}"
    elif any(move.get(key) not in (None, True, False) for key in ("stay", "deploy")):
        wrong = "stay and deploy are true or false"
    else:
        return types
    message = f"Invalid or illegal move: {shown(text)}: {wrong}"
    raise SanError("invalid", text, message, (), Span(0, len(text)))


# --- warnings, errors and their candidates ----------------------------------------------------------


def _notes(position: Position, action: Action, shape: Shape, rules: Rules) -> Iterable[str]:
    """What only the position shows to be missing or wrong."""
    # The canonical text tells every mark, sign and result that there should have been; in it, pieces that
    # travelled together are one step, and a session is written from its start.
    expected = read_shape(write_action(position, action, rules))
    pairs = [
        (said, meant)
        for said in shape.steps
        for meant in expected.steps
        if said.target == meant.target and not said.unit & TYPES & ~meant.unit
    ]
    alike = [(said, meant) for said, meant in pairs if (said.unit ^ meant.unit) & TYPES == 0 or not said.unit]
    if any(
        said.unit & TYPES & ~(said.unit >> HEROIC_SHIFT) & meant.unit >> HEROIC_SHIFT for said, meant in pairs
    ):
        yield "heroic.missing"
    if any(said.sign in ("", "-", ">") and meant.sign.strip(">") in CAPTURE_SIGNS for said, meant in alike):
        yield "capture.missing"
    if any(">" in meant.sign and ">" not in said.sign for said, meant in alike):
        yield "deploy.missing"
    if any(said.result and said.result != meant.result for said, meant in alike):
        yield "result.wrong"
    if shape.mark and shape.mark != expected.mark:
        yield "mark.wrong"


def _written(position: Position, numbers: list[int], rules: Rules) -> list[str]:
    wanted = set(numbers)
    return [text for move, text in write_moves(position, rules) if move.id in wanted]


def _steps_from(position: Position, origins: list[int], rules: Rules) -> list[str]:
    """The deploy steps of some stacks."""
    return _written(
        position, [n for origin in origins for n in list_legal_deploy_steps(position, origin, rules)], rules
    )


def _near(position: Position, step: StepShape, numbers: list[int], rules: Rules) -> list[str]:
    """The moves that a text may have meant: of these pieces to this square, else of one of the two."""
    types = step.unit & TYPES
    carrier = CARRIER[types]
    to_target = [n for n in numbers if n >> 8 & 255 == step.target]
    of_carrier = [n for n in numbers if carrier >= 0 and CARRIER[n >> 16 & TYPES] == carrier]
    both = [n for n in of_carrier if n >> 8 & 255 == step.target]
    return _written(position, both or of_carrier or to_target, rules)


def _illegal_step(
    position: Position, squares: list[int], shape: Shape, wishes: tuple[StepPattern, ...], rules: Rules
) -> SanError:
    """Return the error about the first step of a turn that cannot be played, with the steps in its place.

    Args:
        position: The position.
        squares: The squares of the stacks that the turn may mean.
        shape: The text of the turn.
        wishes: The steps of the text that have not been played yet.
        rules: The rule options.
    """
    before, count = position, 0
    for count in range(1, len(wishes)):
        tries = (play_step_patterns(position, square, wishes[:count], rules) for square in squares)
        played = next((played for played in tries if played is not None), None)
        if played is None:
            count -= 1
            break
        before = played.position
    failing = shape.steps[len(shape.steps) - len(wishes) + count]
    candidates = [] if before.blue_to_move != position.blue_to_move else _steps_from(before, squares, rules)
    step = shape.text[failing.span.start : failing.span.end]
    why = f"the step {shown(step)} is not possible" if len(shape.steps) > 1 or shape.stay is not None else ""
    return _illegal(shape.text, candidates, failing.span, why)


def _named(candidates: Iterable[str]) -> str:
    names = list(candidates)
    if not names:
        return ""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"; candidates are {', '.join(names[:_SHOWN])}{more}"


def _illegal(text: str, candidates: Iterable[str], span: Span, why: str = "") -> SanError:
    names = tuple(candidates)
    reason = f": {why}" if why else ""
    message = f"No matching legal move found: {shown(text)}{reason}{_named(names)}"
    return SanError("illegal", text, message, names, span)


def _ambiguous(text: str, candidates: Iterable[str], span: Span) -> SanError:
    names = tuple(candidates)
    message = f"Ambiguous move: multiple matches for {shown(text)}{_named(names)}"
    return SanError("ambiguous", text, message, names, span)


__all__ = [
    "SanError",
    "Shape",
    "read_move",
    "read_move_with_notes",
    "read_object",
    "read_shape",
    "write_lan",
    "write_moves",
    "write_plain",
    "write_san",
]
