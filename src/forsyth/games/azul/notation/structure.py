"""What is wrong with an Azul text as a whole: its version, its number of players or of components.

The first of them that is wrong is told. Then the components that are there are judged like those of a whole
text, as far as their place is certain (spec/azul 8.1, step 3):

- too few: one run of components is taken to be missing, where the others then fit best; a text that fits as
  well when its end is missing is one that breaks off. What stands where two gaps fit equally is not judged;
- too many: the same, with a run of at most `_MOST_EXTRA` that is to be left out;
- another separator than a slash: the components between the separators;
- a number of players that does not go with the number of components: that of the components.

Where most of the text is nothing like its places, nothing but the structure is told. A fix is offered for
one missing component that has a usual value, for one too many, for another separator and for the players.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from forsyth.diagnostics import Confidence, Fix
from forsyth.findings import GUESS, LIKELY, Findings, Word, make_fix, make_rewrite
from forsyth.games.azul.codes import BOOK, WHOLE
from forsyth.games.azul.notation.components import (
    EXTENDED,
    EXTENDED_ROUNDS,
    PLAYER_COUNTS,
    STANDARD,
    VERSION,
    components,
)
from forsyth.games.azul.notation.fields import (
    read_center,
    read_counts,
    read_factories,
    read_floor,
    read_lines,
    read_phase,
    read_player,
    read_round,
    read_scores,
    read_wall,
    shown,
)
from forsyth.games.azul.notation.write import STANDARD_PLAYERS, STANDARD_ROUNDS
from forsyth.games.azul.position import PHASES
from forsyth.games.azul.tiles import MAX_PLAYERS, MIN_PLAYERS, SIZE, TILES_PER_FACTORY

Names = Sequence[tuple[str, int]]

_SEPARATORS: Final = ("\\", ";", " ", "_")
"""What people have put between components instead of a slash."""

_MOST_EXTRA: Final = 3
"""Most components too many for which it is asked which they are: a board has as many."""

_EMPTY_WALL: Final = "|".join(["-" * SIZE] * SIZE)
_EMPTY_LINES: Final = "|".join(["-" * width for width in range(1, SIZE + 1)])
_USUAL: Final = {
    "center": ("-", LIKELY),
    "floor": ("-", LIKELY),
    "wall": (_EMPTY_WALL, GUESS),
    "lines": (_EMPTY_WALL, GUESS),
    "round": ("1", GUESS),
    "current_player": ("0", GUESS),
    "start": ("0", GUESS),
    "discard": (",".join(["0"] * SIZE), GUESS),
}
"""What a component is when nothing has happened; people leave out what is empty."""

_GRIDS: Final = ("factories", "wall", "lines")
_NUMBER: Final = re.compile(r"[+-]?[0-9.]+")
_UNSOUND: Final = 1
_UNLIKE: Final = 100
"""How badly a component fits a place: one that is nothing like it is worse than all unsound ones together."""


class _Shape(NamedTuple):
    """The components a text should have, and for how many players."""

    names: Names
    players: int
    extended: bool


def report_structure(findings: Findings, text: str, offset: int) -> None:
    """The version, else the number of players, else the number of components: one of them is wrong."""
    parts = Word(text, offset, WHOLE).split("/")
    if VERSION.match(text) is None:
        _report_count(findings, text, parts, _Shape(STANDARD, STANDARD_PLAYERS, False))
        return
    if parts[0].text != "v2":
        message = f"Unsupported FEN version: {shown(parts[0].text)}"
        findings.add("version.unsupported", parts[0].place, message)
        return
    players = PLAYER_COUNTS.get(parts[1].text)
    if players is None:
        _report_players(findings, parts)
        return
    _report_count(findings, text, parts, _Shape(EXTENDED[players], players, True))


def _report_players(findings: Findings, parts: list[Word]) -> None:
    found = parts[1]
    message = f"Number of players must be {MIN_PLAYERS} to {MAX_PLAYERS}, got {shown(found.text)}"
    meant = _players_meant(parts)
    findings.add("players.range", found.place, message, field="players", fix=_mended_players(parts, meant))
    _judge_all_of(findings, parts, meant)


def _players_meant(parts: list[Word]) -> int | None:
    """How many play, from the number of components."""
    return next((players for players, names in EXTENDED.items() if len(names) == len(parts)), None)


def _mended_players(parts: list[Word], meant: int | None) -> Fix | None:
    return None if meant is None else make_fix(parts[1].place, str(meant), LIKELY)


def _judge_all_of(findings: Findings, parts: list[Word], players: int | None) -> None:
    """Every component of a text that has as many as a game of these players."""
    if players is not None:
        shape = _Shape(EXTENDED[players], players, True)
        _judge_all(findings, _placed(parts, shape.names)[2:], shape)


def _report_count(findings: Findings, text: str, parts: list[Word], shape: _Shape) -> None:
    expected = len(shape.names)
    message = f"Invalid FEN format: expected {expected} components, got {len(parts)}"
    start, end = parts[0].start, parts[-1].place[1]
    place = (start, end) if len(parts) < expected else (parts[expected].start - 1, end)
    meant = _players_meant(parts) if shape.extended else None
    if meant is not None:
        findings.add("component.count", place, message, fix=_mended_players(parts, meant))
        _judge_all_of(findings, parts, meant)
        return
    separated = _separated(text, start)
    if separated is not None:
        findings.add("component.count", place, message, fix=make_rewrite(text, separated, start, LIKELY))
        if len(separated) == len(text):
            _judge_all(findings, components(separated, start) or [], shape)
        return
    cuts = _cuts(parts, shape)
    findings.add("component.count", place, message, fix=_mend(parts, cuts, shape) if cuts else None)
    if cuts:
        _judge_all(findings, _certain(parts, cuts, shape), shape)


def _separated(text: str, offset: int) -> str | None:
    """Blanks before a version, a slash at the end, or another separator: where that makes a whole text."""
    swapped = [text.strip().replace(separator, "/") for separator in _SEPARATORS]
    for wanted in (text.strip(), text.strip().rstrip("/"), *swapped):
        if components(wanted, offset) is not None:
            return wanted
    return None


# --- which components are missing, or too many ------------------------------------------------------


def _cuts(parts: list[Word], shape: _Shape) -> list[int]:
    """Where the run that is missing, or too many, can begin; nothing where it cannot be told."""
    names = shape.names
    if len(parts) > len(names) + _MOST_EXTRA:
        return []
    costs = []
    for cut in range(min(len(parts), len(names)) + 1):
        costs.append(sum(_cost(field, shape) for field in _cut(parts, names, cut)))
    least = min(costs)
    if 4 * (least // _UNLIKE) >= len(parts):
        return []
    if costs[-1] == least:
        return [len(costs) - 1]
    return [cut for cut, cost in enumerate(costs) if cost == least]


def _cut(parts: list[Word], names: Names, cut: int) -> list[Word]:
    """The components with the names they have when the run begins at `cut`."""
    more = len(parts) - len(names)
    if more > 0:
        return _placed([*parts[:cut], *parts[cut + more :]], names)
    return _placed(parts, [*names[:cut], *names[cut - more :]])


def _placed(parts: Sequence[Word], names: Names) -> list[Word]:
    return [
        Word(part.text, part.start, name, player) for part, (name, player) in zip(parts, names, strict=True)
    ]


def _certain(parts: list[Word], cuts: list[int], shape: _Shape) -> list[Word]:
    """The components whose place is the same wherever the run begins, but for those that belong elsewhere."""
    first = _cut(parts, shape.names, cuts[0])
    last = _cut(parts, shape.names, cuts[-1])
    return [field for field in first if field in last and ("|" in field.text) == (field.name in _GRIDS)]


def _mend(parts: list[Word], cuts: list[int], shape: _Shape) -> Fix | None:
    """What makes the text whole, where one component is missing or too many."""
    more = len(parts) - len(shape.names)
    texts = [part.text for part in parts]
    start = parts[0].start
    written = "/".join(texts)
    if more == 1 and len(cuts) == 1:
        confidence = GUESS if texts[cuts[0]] else LIKELY
        wanted = "/".join([*texts[: cuts[0]], *texts[cuts[0] + 1 :]])
        return make_rewrite(written, wanted, start, confidence)
    if more != -1:
        return None
    mends = {_insertion(texts, cut, shape) for cut in cuts}
    made = mends.pop()
    if made is None or mends:
        return None
    wanted, confidence = made
    return make_rewrite(written, wanted, start, confidence)


def _insertion(texts: list[str], cut: int, shape: _Shape) -> tuple[str, Confidence] | None:
    """The text with the usual value of a component put in, and how sure that is."""
    name = shape.names[cut][0]
    if name not in _USUAL:
        return None
    value, confidence = _USUAL[name]
    if name == "lines" and shape.extended:
        value = _EMPTY_LINES
    return "/".join([*texts[:cut], value, *texts[cut:]]), confidence


# --- how well a component fits its place ------------------------------------------------------------


def _cost(field: Word, shape: _Shape) -> int:
    if field.name not in _like(field.text):
        return _UNLIKE
    alone = Findings(field.text, "default", BOOK)
    _judge(alone, Word(field.text, 0, field.name, field.player), shape)
    return _UNSOUND if alone.has_errors else 0


def _like(text: str) -> tuple[str, ...]:
    """The components that a text looks like."""
    if "|" in text:
        widths = [len(part) for part in text.split("|")]
        if 2 * widths.count(TILES_PER_FACTORY) > len(widths):
            return ("factories",)
        return ("wall", "lines") if len(widths) == SIZE or widths.count(SIZE) > 1 else ()
    if "," in text:
        return ("bag", "discard") if text.count(",") >= SIZE - 1 else ("scores",)
    if _NUMBER.fullmatch(text):
        return ("players", "round", "current_player", "start")
    if text in PHASES:
        return ("phase",)
    if text == "v2":
        return (WHOLE,)
    return ("center", "floor") if text.strip() else ()


def _judge_all(findings: Findings, fields: list[Word], shape: _Shape) -> None:
    for field in fields:
        _judge(findings, field, shape)


def _judge(findings: Findings, field: Word, shape: _Shape) -> None:
    """Every finding about the format of one component."""
    match field.name:
        case "phase":
            read_phase(findings, field)
        case "factories":
            read_factories(findings, field, shape.players)
        case "center":
            read_center(findings, field, marked=shape.extended)
        case "wall":
            read_wall(findings, field)
        case "lines":
            read_lines(findings, field, marked=shape.extended)
        case "floor":
            read_floor(findings, field, marked=shape.extended)
        case "scores":
            read_scores(findings, field, shape.players)
        case "round":
            read_round(findings, field, EXTENDED_ROUNDS if shape.extended else STANDARD_ROUNDS)
        case "current_player" | "start":
            read_player(findings, field, shape.players)
        case "bag" | "discard":
            read_counts(findings, field)
