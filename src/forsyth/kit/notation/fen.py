"""Reading any text of a position on a grid, with everything that is wrong with it.

Accepted with a warning: dash look-alikes for ``-``, odd white space, the first fields alone where the sheet
says so, clocks with leading zeros, a move number of 0, men in hand in another order or form. Lenient mode
also mends missing fields, letters and sides that the sheet knows to be meant, digits in a row, a slash behind
the last rank, a ``+`` that promotes nothing, other characters in unused fields, a dash for a clock.

Strict mode takes canonical text only. Limits: `max_text` characters of the game, which is `MAX_LENGTH` unless
a canonical text can be longer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from forsyth.arguments import require_choice
from forsyth.dashes import DASHES
from forsyth.diagnostics import MODES, Mode, Reading
from forsyth.findings import CERTAIN, LIKELY, Findings, Word, make_fix, make_rewrite
from forsyth.kit.notation.board_field import read_board
from forsyth.kit.notation.fields import read_number, read_side, read_unused
from forsyth.kit.notation.hands_field import read_hands

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame
    from forsyth.kit.position import GridPosition

MAX_LENGTH: Final = 512
"""Characters; the longest canonical texts of most games have less than half of it."""

_CLOCKS: Final = {"half": 0, "full": 1}
"""The least that each clock may be."""
_SLOPPY_CLOCK: Final = re.compile("0[0-9]{0,3}")
_WORD: Final = re.compile(r"\S+")
_ODD_BLANK: Final = re.compile(r"^\s+|\s+$|\s{2,}|[^\S ]")
_ODD_DASH: Final = re.compile("[" + "".join(map(chr, DASHES)) + "]")


def read(game: GridGame, text: object, mode: Mode) -> Reading[GridPosition]:
    """Read a plain text: the position or none, and every finding about the text."""
    require_choice("mode", mode, MODES)
    if not isinstance(text, str):
        found = game.book.make_diagnostic(
            "fen.type", (0, 0), f"a text is expected, not {type(text).__name__}"
        )
        return Reading("", game.name, None, (found,), variant=game.variant)
    if len(text) > game.max_text:
        return explained(game, text, mode)
    position = game.notation.decode(text)
    if position is not None:
        return Reading(text, game.name, position)
    position = None if mode == "strict" else _accepted(game, text)
    if position is not None:
        return Reading(text, game.name, position, explain=lambda: explained(game, text, mode).diagnostics)
    return explained(game, text, mode)


def explained(game: GridGame, text: str, mode: Mode) -> Reading[GridPosition]:
    """What `read` says of a text, with every finding, whatever could have been decoded at once."""
    findings = Findings(text, mode, game.book)
    position = _read(game, findings, text)
    position = None if findings.has_errors else position
    return Reading(text, game.name, position, tuple(findings.diagnostics), variant=game.variant)


def _accepted(game: GridGame, text: str) -> GridPosition | None:
    """The position of a text that is accepted with warnings alone, if its fields are plain enough.

    Each field is spelled canonically, and the text decoded: what a field means only the decoder says.
    """
    words = (text if text.isascii() else text.translate(DASHES)).split()
    fields, defaults = game.sheet.fields, game.sheet.default_fields
    if len(words) in game.sheet.short_counts:
        words += defaults[len(words) :]
    if len(words) != len(fields):
        return None
    for number, (name, word) in enumerate(zip(fields, words, strict=True)):
        if name in _CLOCKS and _SLOPPY_CLOCK.fullmatch(word):
            words[number] = str(max(int(word), _CLOCKS[name]))
        elif name == "hands":
            words[number] = game.notation.sorted_hands(word)
    return game.notation.decode(" ".join(words))


def _read(game: GridGame, findings: Findings, text: str) -> GridPosition | None:
    most = game.max_text
    if len(text) > most:
        findings.add(
            "fen.length", (most, len(text)), f"the text has {len(text)} characters, expected at most {most}"
        )
        return None
    if not text.strip():
        findings.add("fen.empty", (0, len(text)), "the text is empty, expected a position")
        return None
    text = _clean(findings, text)
    words = [Word(found.group(), found.start()) for found in _WORD.finditer(text)]
    words = _all_fields(game, findings, words)
    board = read_board(game.sheet, findings, words[0])
    if len(words) != len(game.sheet.fields):
        return None
    values = {"half": 0, "turn": 0}
    hands = b""
    for number, (name, word) in enumerate(zip(game.sheet.fields, words, strict=True), 1):
        if name == "side":
            values["turn"] = read_side(game.sheet, findings, word, number)
        elif name == "hands":
            hands = read_hands(game, findings, word, number)
        elif name == "unused":
            read_unused(game.sheet, findings, word, number)
        elif name != "board":
            values[name] = read_number(findings, word, name, number)
    if findings.has_errors:
        return None
    return game.position(board, hands, values["turn"], values["half"], values["full"])


def _clean(findings: Findings, text: str) -> str:
    """The text with dashes mended, which keep their places; blanks are reported and left."""
    dashes = [found.start() for found in _ODD_DASH.finditer(text)]
    if dashes:
        first, end = dashes[0], dashes[-1] + 1
        mended = text.translate(DASHES)
        fix = make_fix((first, end), mended[first:end], CERTAIN)
        message = f"{text[first]!r} (U+{ord(text[first]):04X}) is read as '-'"
        findings.add("fen.dash", (first, first + 1), message, fix=fix, repaired=True)
        text = mended
    blank = _ODD_BLANK.search(text)
    if blank is not None:
        message = "unexpected white space, expected exactly one space between fields and none around them"
        fix = make_rewrite(text, " ".join(text.split()), 0, CERTAIN)
        findings.add("fen.whitespace", blank.span(), message, fix=fix, repaired=True)
    return text


def _all_fields(game: GridGame, findings: Findings, words: list[Word]) -> list[Word]:
    """All fields: those that are there, and the others where the mode allows to fill them in."""
    defaults = game.sheet.default_fields
    count, wanted = len(words), len(defaults)
    end = words[-1].place[1]
    if count == wanted:
        return words
    if count > wanted:
        extra = (words[wanted].start, end)
        fix = make_fix((words[wanted - 1].place[1], end), "", LIKELY)
        findings.add("fen.fields", extra, f"{count} fields, expected {wanted}", fix=fix)
        return words
    usual = count in game.sheet.short_counts
    rest = " ".join(defaults[count:])
    message = f"{count} field{'s' * (count > 1)}, expected {wanted}"
    if usual:
        message = f"{message}; the missing fields are read as {rest}"
    fix = make_fix((end, end), f" {rest}", CERTAIN if usual else LIKELY)
    findings.add("fen.short" if usual else "fen.fields", (end, end), message, fix=fix, repaired=True)
    if usual or findings.lenient:
        return [*words, *(Word(value, end) for value in defaults[count:])]
    return words
