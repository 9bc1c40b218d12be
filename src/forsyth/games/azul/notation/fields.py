# cython: annotation_typing=False
"""The components of an Azul text, one function each: the value, and every finding about it (spec/azul 8.2).

Each function first looks whether the component is sound, which is quick, and only else for what is wrong with
it. Where there was an error the value means nothing. `marked` says that the text is an extended one, in
which centre and floors show the first-player marker.
"""

from __future__ import annotations

import re
from typing import Final

from forsyth.diagnostics import Fix, make_printable
from forsyth.findings import GUESS, LIKELY, Findings, Word, make_fix
from forsyth.games.azul.notation.write import FACTORY_TEXT, NARROW_TEXT, WIDE_TEXT
from forsyth.games.azul.position import PHASES
from forsyth.games.azul.tiles import (
    COLOURS,
    FLOOR_SPACES,
    MARKER,
    NO_TILES,
    SIZE,
    TILES_PER_FACTORY,
    factory_count,
)

_FACTORIES: Final = {text: tiles for tiles, text in FACTORY_TEXT.items()}
"""The tiles of every well-formed factory."""
_WIDE: Final = {text: tiles for tiles, text in WIDE_TEXT.items()}
_NARROW: Final = tuple({text: tiles for tiles, text in texts.items()} for texts in NARROW_TEXT)
"""The tiles of pattern lines of one colour; lines of several are looked at more closely."""

_WIDE_WIDTHS: Final = (SIZE,) * SIZE
_NARROW_WIDTHS: Final = tuple(range(1, SIZE + 1))

_TILES: Final = re.compile(r"[BYRKW]+")
_MARKED_CENTER: Final = re.compile(r"[BYRKW]*F|[BYRKW]+")
_MARKED_FLOOR: Final = re.compile(r"[BYRKWF]{7}\+F|[BYRKWF]+")
_WALL: Final = re.compile(r"[BYRKW-]{5}(?:\|[BYRKW-]{5}){4}")
_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]{0,3}")
_COUNT: Final = re.compile(r"0|[1-9][0-9]{0,2}")
_NOT_CELL: Final = re.compile(r"[^BYRKW-]")
_SLOPPY: Final = re.compile(r"\s*(?:\+|(-))?0*([0-9]{1,4})(?:\.0*)?\s*")
"""A number with blanks, a plus, leading zeros or a fraction of nothing (spec/azul, C15)."""

_SHOWN: Final = 60
"""How many characters of a component a message quotes: no sound one that is quoted is longer."""

_DASHES: Final = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")


def shown(text: str) -> str:
    """A component as a message quotes it: on one line, and not endless."""
    return make_printable(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


# --- factories and centre ---------------------------------------------------------------------------


def read_factories(findings: Findings, field: Word, players: int) -> tuple[str, ...]:
    """The tiles of each factory."""
    factories = [_FACTORIES.get(text) for text in field.text.split("|")]
    sound = tuple([tiles for tiles in factories if tiles is not None])
    expected = factory_count(players)
    if len(factories) != expected:
        message = f"Expected {expected} factories, got {len(factories)}"
        findings.add("factory.count", field.place, message, field=field.name)
    if len(sound) != len(factories):
        for index, factory in enumerate(field.split("|")):
            _judge_factory(findings, factory, index, f"f{index}" if index < expected else None)
    return sound


def _judge_factory(findings: Findings, factory: Word, index: int, square: str | None) -> None:
    text = factory.text
    if len(text) != TILES_PER_FACTORY:
        message = f"Factory {index} has {len(text)} tiles, expected {TILES_PER_FACTORY}"
        fix = _resized_factory(factory)
        findings.add("factory.size", factory.place, message, field=factory.name, square=square, fix=fix)
    _judge_order(
        findings, factory, "factory.padding", f"Factory {index}: dashes must follow the tiles", square
    )
    for found in _NOT_CELL.finditer(text):
        _odd_tile(findings, factory, found.start(), square)


def _resized_factory(factory: Word) -> Fix | None:
    """A dash too many or too few, where no tile can be missing."""
    tiles = factory.text.rstrip("-")
    if not factory.text or "-" in tiles or len(tiles) not in (0, TILES_PER_FACTORY):
        return None
    return make_fix(factory.place, tiles.ljust(TILES_PER_FACTORY, "-"), LIKELY)


def read_center(findings: Findings, field: Word, *, marked: bool) -> tuple[str, bool]:
    """The tiles in the centre, and whether the marker lies there."""
    text = field.text
    if text == "-":
        return "", False
    if (_MARKED_CENTER if marked else _TILES).fullmatch(text):
        return text.rstrip(MARKER), text.endswith(MARKER)
    misplaced = marked and MARKER in text[:-1]
    if not text or "-" in text or "|" in text or misplaced:
        wanted = _without(text, f"-|{MARKER}" if marked else "-|")
        if marked and MARKER in text:
            wanted += MARKER
        message = f"Invalid center: {shown(text)}"
        fix = make_fix(field.place, wanted or "-", LIKELY)
        findings.add("center.format", field.place, message, field=field.name, square="c", fix=fix)
    known = f"{COLOURS}-|{MARKER}" if marked else f"{COLOURS}-|"
    _judge_tiles(findings, field, known, "c")
    return "", False


# --- boards -----------------------------------------------------------------------------------------


def read_wall(findings: Findings, field: Word) -> tuple[str, ...]:
    """The five rows of a wall."""
    rows = tuple(field.text.split("|"))
    if _WALL.fullmatch(field.text):
        return rows
    message = f"Wall of player {field.player} must be {SIZE} rows of {SIZE} cells"
    if len(rows) != SIZE:
        findings.add("wall.shape", field.place, message, field=field.name)
    for number, row in enumerate(field.split("|")):
        if len(row.text) != SIZE and len(rows) == SIZE:
            empty = row.text and not row.text.strip("-")
            fix = make_fix(row.place, "-" * SIZE, LIKELY) if empty else None
            findings.add("wall.shape", row.place, message, field=field.name, fix=fix)
        for found in _NOT_CELL.finditer(row.text):
            column = found.start()
            on_board = number < SIZE and column < SIZE
            _odd_tile(findings, row, column, f"p{field.player}w{number}{column}" if on_board else None)
    return rows


def read_lines(findings: Findings, field: Word, *, marked: bool) -> tuple[tuple[str, ...], bool]:
    """The tiles of five pattern lines, and whether they were spelled wide."""
    texts = field.text.split("|")
    if len(texts) == SIZE:
        wide = not marked and len(texts[0]) == SIZE
        if wide:
            known = [_WIDE.get(text) for text in texts]
        else:
            known = [_NARROW[line].get(text) for line, text in enumerate(texts)]
        tiles = tuple([text for text in known if text is not None])
        if len(tiles) == SIZE:
            return tiles, wide
    return _judge_lines(findings, field, marked)


def _judge_lines(findings: Findings, field: Word, marked: bool) -> tuple[tuple[str, ...], bool]:
    lines = field.split("|")
    widths = tuple([len(line.text) for line in lines])
    wide = widths == _WIDE_WIDTHS and not marked
    if len(lines) != SIZE:
        message = f"Player {field.player}: expected {SIZE} pattern lines, got {len(lines)}"
        findings.add("line.count", field.place, message, field=field.name)
    elif not wide and widths != _NARROW_WIDTHS:
        wide = _odd_widths(findings, field, lines, widths, marked)
    for number, line in enumerate(lines):
        square = f"p{field.player}l{number}" if number < SIZE else None
        message = f"Player {field.player} line {number}: tiles must be left-aligned"
        _judge_order(findings, line, "line.gap", message, square)
        for found in _NOT_CELL.finditer(line.text):
            _odd_tile(findings, line, found.start(), square)
    return tuple([line.text.rstrip("-") for line in lines]), wide


def _odd_widths(
    findings: Findings, field: Word, lines: list[Word], widths: tuple[int, ...], marked: bool
) -> bool:
    """Five lines of other widths than allowed; whether they are then taken as spelled wide."""
    spellings = (_NARROW_WIDTHS,) if marked else (_WIDE_WIDTHS, _NARROW_WIDTHS)
    line, wanted = -1, spellings[0]
    for spelling in spellings:
        off = [number for number in range(SIZE) if widths[number] != spelling[number]]
        if len(off) == 1:
            line, wanted = off[0], spelling
    tiles = [part.text.rstrip("-") for part in lines]
    fits = all("-" not in text and len(text) <= wanted[number] for number, text in enumerate(tiles))
    padded = [text.ljust(wanted[number], "-") for number, text in enumerate(tiles)]
    place, replacement, square = field.place, "|".join(padded), None
    if line >= 0:
        place, replacement, square = lines[line].place, padded[line], f"p{field.player}l{line}"
    bare = fits and "-" not in field.text
    if bare:
        place, replacement, square = field.place, "|".join(padded), None
    listed = ",".join(map(str, widths))
    findings.add(
        "line.width",
        place,
        f"Player {field.player}: pattern line widths {listed} are not allowed",
        field=field.name,
        square=square,
        fix=make_fix(place, replacement, LIKELY) if fits else None,
        repaired=bare,
    )
    return wanted is _WIDE_WIDTHS


def read_floor(findings: Findings, field: Word, *, marked: bool) -> tuple[str, bool]:
    """The floor line with the marker where it lies there, and whether the marker is held beside it."""
    text = field.text
    if text == "-":
        return "", False
    if (_MARKED_FLOOR if marked else _TILES).fullmatch(text):
        held = f"+{MARKER}"
        return text.removesuffix(held), text.endswith(held)
    square = f"p{field.player}f"
    misplaced = marked and "+" in text and not _is_held(text)
    if not text or "-" in text or "|" in text or misplaced:
        message = f"Invalid floor line of player {field.player}: {shown(text)}"
        fix = _mended_floor(field, marked)
        findings.add("floor.format", field.place, message, field=field.name, square=square, fix=fix)
    known = f"{COLOURS}-|{MARKER}+" if marked else f"{COLOURS}-|"
    _judge_tiles(findings, field, known, square)
    return "", False


def _is_held(text: str) -> bool:
    """Whether ``+F`` stands where it may: behind seven characters."""
    return text.index("+") == FLOOR_SPACES and text[FLOOR_SPACES:] == f"+{MARKER}"


def _mended_floor(field: Word, marked: bool) -> Fix | None:
    text = field.text
    if not marked or "+" not in text:
        return make_fix(field.place, _without(text, "-|") or "-", LIKELY)
    tiles = text.removesuffix(f"+{MARKER}")
    if len(tiles) == len(text) or len(tiles) >= FLOOR_SPACES or tiles.strip(COLOURS):
        return None
    # The floor has room: the marker lies there and is not held.
    return make_fix(field.place, tiles + MARKER, LIKELY)


# --- tiles ------------------------------------------------------------------------------------------


def _judge_order(findings: Findings, part: Word, code: str, message: str, square: str | None) -> None:
    """A dash before anything that is none: whatever stands there was meant as a tile."""
    text = part.text
    first = text.find("-")
    last_tile = len(text.rstrip("-")) - 1
    if not 0 <= first < last_tile:
        return
    last = text.rindex("-", 0, last_tile)
    fix = make_fix(part.place, text.replace("-", "").ljust(len(text), "-"), LIKELY)
    place = (part.start + first, part.start + last + 1)
    findings.add(code, place, message, field=part.name, square=square, fix=fix)


def _judge_tiles(findings: Findings, field: Word, known: str, square: str) -> None:
    for index, ch in enumerate(field.text):
        if ch not in known:
            _odd_tile(findings, field, index, square)


def _odd_tile(findings: Findings, part: Word, index: int, square: str | None) -> None:
    ch = part.text[index]
    place = part.char_place(index)
    fix: Fix | None = None
    if ch in "byrkw":
        fix = make_fix(place, ch.upper(), LIKELY)
    elif ch in _DASHES:
        fix = make_fix(place, "-", LIKELY)
    message = f"Invalid tile color: {shown(ch)}"
    findings.add("tile.color", place, message, field=part.name, square=square, fix=fix)


def _without(text: str, unwanted: str) -> str:
    return "".join([ch for ch in text if ch not in unwanted])


# --- numbers ----------------------------------------------------------------------------------------


def read_scores(findings: Findings, field: Word, players: int) -> tuple[int, ...]:
    """One score for each player."""
    texts = field.text.split(",")
    sound = [text for text in texts if _INTEGER.fullmatch(text)]
    if len(sound) == len(texts) == players:
        return tuple([int(text) for text in texts])
    message = f"Scores must be comma-separated integers, got {shown(field.text)}"
    if len(texts) != players:
        findings.add("score.format", field.place, message, field=field.name)
        return (0,) * players
    # The message quotes them all: it is said once, at the one that is wrong or else at all of them.
    odd = [player for player, text in enumerate(texts) if not _INTEGER.fullmatch(text)]
    part, square = field, None
    if len(odd) == 1:
        part, square = field.split(",")[odd[0]], f"p{odd[0]}s"
    meant = [_meant(text) for text in part.text.split(",")]
    known = [str(number) for number in meant if number is not None]
    fix = make_fix(part.place, ",".join(known), LIKELY) if len(known) == len(meant) else None
    findings.add("score.format", part.place, message, field=field.name, square=square, fix=fix)
    return (0,) * players


def read_round(findings: Findings, field: Word, most: int) -> int:
    """The number of the round."""
    allowed = range(1, most + 1)
    if not _INTEGER.fullmatch(field.text):
        message = f"Round must be a positive integer, got {shown(field.text)}"
        findings.add("round.format", field.place, message, field=field.name, fix=_meant_in(field, allowed))
        return 1
    value = int(field.text)
    if value not in allowed:
        message = f"Round must be between 1 and {most}, got {value}"
        findings.add("round.range", field.place, message, field=field.name)
    return value


def read_player(findings: Findings, field: Word, players: int) -> int:
    """The number of a player: of the current one, or of the one who began the round."""
    subject, who = _PLAYERS[field.name]
    allowed = range(players)
    if not _INTEGER.fullmatch(field.text):
        message = f"{who} must be an integer, got {shown(field.text)}"
        fix = _meant_in(field, allowed)
        findings.add(f"{subject}.format", field.place, message, field=field.name, fix=fix)
        return 0
    value = int(field.text)
    if value not in allowed:
        listed = ", ".join(map(str, allowed[:-1]))
        message = f"{who} must be {listed} or {allowed[-1]}, got {value}"
        findings.add(f"{subject}.range", field.place, message, field=field.name)
    return value


_PLAYERS: Final = {"current_player": ("player", "Current player"), "start": ("start", "Starting player")}


def read_counts(findings: Findings, field: Word) -> tuple[int, ...]:
    """How many tiles of each colour are in the bag or in the discard."""
    texts = field.text.split(",")
    sound = [text for text in texts if _COUNT.fullmatch(text)]
    if len(sound) == len(texts) == SIZE:
        return tuple([int(text) for text in texts])
    listed = ",".join(COLOURS)
    message = f"{field.name.capitalize()} must list {SIZE} counts ({listed}), got {shown(field.text)}"
    meant = [_meant(text) for text in texts]
    numbers = [str(number) for number in meant if number is not None and 0 <= number <= 999]
    fix = make_fix(field.place, ",".join(numbers), LIKELY) if len(numbers) == len(texts) == SIZE else None
    findings.add(f"{field.name}.format", field.place, message, field=field.name, fix=fix)
    return NO_TILES


def read_phase(findings: Findings, field: Word) -> str:
    """The letter of the phase."""
    if field.text not in PHASES:
        meant = field.text.strip().lower()[:1]
        fix = make_fix(field.place, meant, GUESS) if meant in PHASES else None
        message = f"Invalid phase: {shown(field.text)}"
        findings.add("phase.format", field.place, message, field=field.name, fix=fix)
    return field.text


def _meant(text: str) -> int | None:
    """The number that a sloppy one must have been."""
    found = _SLOPPY.fullmatch(text)
    if found is None:
        return None
    return -int(found.group(2)) if found.group(1) else int(found.group(2))


def _meant_in(field: Word, allowed: range) -> Fix | None:
    meant = _meant(field.text)
    return make_fix(field.place, str(meant), LIKELY) if meant is not None and meant in allowed else None
