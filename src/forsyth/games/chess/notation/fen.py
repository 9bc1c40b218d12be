# cython: annotation_typing=False
"""Chess FEN: reading any text and saying everything that is wrong with it; writing a position.

Reading, default mode (spec/chess 4 and 5). Accepted with a warning:

* dash look-alikes (en dash, em dash, minus, …) for ``-``;
* several blanks, tabs or line breaks between fields, blanks around the text;
* four fields: the clocks are ``0 1``;
* castling letters out of order, repeated, or mixed with dashes;
* clocks with leading zeros, a move number of 0;
* an EPD record (see `epd`).

Lenient mode also mends, each with a report: Unicode blanks and zero-width characters, ``_`` between the
fields, missing last fields, adjacent digits, a slash after the last rank, ``W``/``white``, castling
letters ``AHah`` and too many of them, an upper-case en-passant square or one that cannot be, a clock ``-``
or ``+5``, castling rights and en-passant squares that the board contradicts.

Strict mode takes canonical text only.

Writing: `write_fen`, canonical by default. Stability: canonical text is promised for ever.
Limits: 512 characters; 64 findings.
"""

from __future__ import annotations

import re
from typing import Final, Literal, get_args
from urllib.parse import unquote

from forsyth.arguments import fold_choice, require_choice, unknown_choice_error
from forsyth.dashes import DASHES
from forsyth.diagnostics import MODES, Confidence, Fix, Mode, Reading, Span
from forsyth.findings import BROKEN, Findings, Word, make_fix, make_reading
from forsyth.game import wrong_position_error
from forsyth.games.chess.documents.source_document import (
    find_part_number,
    imitate_seed_parser,
    select_code_book,
)
from forsyth.games.chess.notation.extensions import read_checks, read_pocket
from forsyth.games.chess.notation.fields import (
    BoardField,
    read_board,
    read_castling,
    read_ep,
    read_number,
    read_side,
)
from forsyth.games.chess.notation.kernel import decode, encode
from forsyth.games.chess.position import (
    CHESS960,
    CRAZYHOUSE,
    HORDE,
    STANDARD,
    THREE_CHECK,
    Position,
    format_castling_rights,
    from_fields,
)
from forsyth.games.chess.rules.legality import (
    find_legal_ep_square,
    find_xfen_ep_square,
    repair_castling,
    repair_ep,
)
from forsyth.games.chess.variants import VARIANTS

MAX_LENGTH: Final = 512
"""Characters; the longest canonical text has 91 (spec/chess 5.1)."""

_DEFAULTS: Final = ("", "w", "-", "-", "0", "1")

_NO_TEXT: Final = "the text is empty, expected a FEN of six fields"
_ODD_DASH: Final = re.compile("[" + "".join(map(chr, DASHES)) + "]")
_ZERO_WIDTH: Final = "\u200b\u200c\u200d\u2060\ufeff"
_BLANKS: Final = " \t\n\r\x0b\x0c"
_BAD: Final = re.compile(r"[^\x20-\x7e\t\n\r\x0b\x0c]")
_WORD: Final = re.compile(r"[^ \t\n\r\x0b\x0c]+")
_ODD_BLANK: Final = re.compile(
    r"^[ \t\n\r\x0b\x0c]+|[ \t\n\r\x0b\x0c]+$|[ \t\n\r\x0b\x0c]{2,}|[\t\n\r\x0b\x0c]"
)
_CHECKS: Final = re.compile(r"\+?[0-9]\+[0-9]")
_POCKET_RANK: Final = re.compile(r"^(?:[^/]*/){8}[QRBNPqrbnp]*$")
"""A board with the pocket of Crazyhouse in place of a ninth rank."""
_CASTLING_LETTERS: Final = re.compile("[A-Ha-hKQkq-]+")
"""The letters of castling rights in any variant: those of standard chess, and files of rooks in Chess960."""

EpStyle = Literal["given", "fen", "xfen", "legal"]
CastlingStyle = Literal["xfen", "shredder"]


# --- reading ----------------------------------------------------------------------------------------


def read_fen(text: object, *, mode: Mode = "default", rules: int = STANDARD) -> Reading[Position]:
    """Read a plain chess text: the position or none, and every finding about the text."""
    if not isinstance(text, str):
        return _refused("", "fen.type", Span(0, 0), f"a text is expected, not {type(text).__name__}")
    if rules == STANDARD:
        position = decode(text)
        if position is not None and mode in ("default", "strict"):
            return make_reading(text, "chess", position)
    if mode not in MODES:
        raise unknown_choice_error("mode", mode, MODES)
    if len(text) > MAX_LENGTH:
        message = f"the text has {len(text)} characters, expected at most {MAX_LENGTH}"
        return _refused(text, "fen.length", Span(MAX_LENGTH, len(text)), message)
    if not text.strip():
        return _refused(text, "fen.empty", Span(0, len(text)), _NO_TEXT)
    findings, cleaned = _clean(text, mode)
    if not cleaned.strip():
        # Lenient mode has removed every character. The finding is about the text as given.
        findings.offsets = None
        findings.add("fen.empty", (0, len(text)), _NO_TEXT)
        return make_reading(text, "chess", None, tuple(findings.diagnostics))
    words = _words(cleaned)
    checks = _take_checks(findings, words) if rules == THREE_CHECK else 0
    words = _six_fields(findings, words, cleaned)
    if len(words) != 6:
        # In a URL, or a text that does not begin with a board, the rest would only be noise.
        board = words[0].text
        if "/" in board and "_" not in board and "%" not in board:
            read_board(findings, words[0], rules)
        return make_reading(text, "chess", None, tuple(findings.diagnostics))
    position = _build(findings, words, rules, checks)
    return make_reading(text, "chess", position, tuple(findings.diagnostics))


def _refused(text: str, code: str, span: Span, message: str) -> Reading[Position]:
    findings = Findings(text, "default", select_code_book(text))
    findings.add(code, span, message)
    return make_reading(text, "chess", None, tuple(findings.diagnostics))


def _clean(text: str, mode: Mode) -> tuple[Findings, str]:
    """The text with dashes and (in lenient mode) blanks mended; what is still bad is marked as broken."""
    findings = Findings(text, mode, select_code_book(text))
    if text.isascii() and text.isprintable() and "_" not in text and _is_tidy(text):
        return findings, text
    dash = _ODD_DASH.search(text)
    if dash is not None:
        _report_dashes(findings, text, dash.start())
        text = text.translate(DASHES)
    text = _report_characters(findings, text)
    if "_" in text and mode == "lenient":
        text = _report_underscores(findings, text)
    blank = _ODD_BLANK.search(text)
    if blank is not None:
        _report_blanks(findings, text, blank)
    return findings, text


def _is_tidy(text: str) -> bool:
    """Whether the blanks of a printable text are single spaces between words."""
    return "  " not in text and not text.startswith(" ") and not text.endswith(" ")


def _words(cleaned: str) -> list[Word]:
    """The words of a text with their places."""
    if not cleaned.isprintable() or not _is_tidy(cleaned):
        return [Word(found.group(), found.start()) for found in _WORD.finditer(cleaned)]
    words = []
    start = 0
    for word in cleaned.split(" "):
        words.append(Word(word, start))
        start += len(word) + 1
    return words


def _report_dashes(findings: Findings, text: str, first: int) -> None:
    last = max(found.start() for found in _ODD_DASH.finditer(text))
    findings.add(
        "fen.dash",
        (first, first + 1),
        f"{_name(text[first])} is read as '-'",
        field=0,
        fix=make_fix((first, last + 1), text[first : last + 1].translate(DASHES), Confidence.CERTAIN),
        repaired=True,
        seed_field=find_part_number(text, first),
    )


def _report_characters(findings: Findings, text: str) -> str:
    pieces: list[str] = []
    offsets: list[int] = []
    done = 0
    source = findings.text
    for found in _BAD.finditer(text):
        index, ch = found.start(), found.group()
        meant = " " if ch.isspace() else "" if ch in _ZERO_WIDTH else None
        findings.add(
            "fen.chars",
            (index, index + 1),
            f"{_name(ch)} does not belong in a FEN, expected ASCII letters, digits, '/', '-' and spaces",
            field=0,
            fix=None if meant is None else make_fix((index, index + 1), meant, Confidence.LIKELY),
            repaired=meant is not None,
            seed_field=find_part_number(source, index),
        )
        shown = meant if meant is not None and findings.lenient else BROKEN
        pieces += (text[done:index], shown)
        offsets += range(done, index + len(shown))
        done = index + 1
    if len(offsets) + len(text) - done != len(text):
        findings.offsets = [*offsets, *range(done, len(text) + 1)]
    return "".join(pieces) + text[done:]


def _report_underscores(findings: Findings, text: str) -> str:
    """Lenient mode takes underscores for spaces, as URLs write them."""
    first, last = text.index("_"), text.rindex("_") + 1
    spaced = text.replace("_", " ")
    findings.add(
        "fen.fields",
        (first, last),
        "underscores between the fields, expected spaces",
        field=0,
        fix=make_fix((first, last), spaced[first:last], Confidence.LIKELY),
        repaired=True,
    )
    return spaced


def _report_blanks(findings: Findings, text: str, blank: re.Match[str]) -> None:
    start = blank.start()
    end = max(found.end() for found in _ODD_BLANK.finditer(text))
    tidy = " ".join(text.split())
    # The fix covers everything from the first odd blank to the last: what stands around it is fine.
    head, tail = text[:start], text[end:]
    findings.add(
        "fen.whitespace",
        (start, blank.end()),
        "unexpected white space, expected exactly one space between fields and none around them",
        field=0,
        fix=make_fix((start, end), tidy[len(head) : len(tidy) - len(tail)], Confidence.CERTAIN),
        repaired=True,
        seed_field=find_part_number(
            findings.text, start if findings.offsets is None else findings.offsets[start]
        ),
    )


def _name(ch: str) -> str:
    return f"U+{ord(ch):04X}" if not ch.isprintable() or ord(ch) > 0xFFFF else f"'{ch}' (U+{ord(ch):04X})"


def _six_fields(findings: Findings, words: list[Word], cleaned: str) -> list[Word]:
    """The six fields, missing ones filled in where the mode allows it; the words as they are where not."""
    end = len(cleaned)
    if len(words) == 6:
        return words
    if len(words) == 4:
        message = "4 fields, expected 6; the clocks are read as 0 1"
        place = words[3].place
        clocks = make_fix((place[1], place[1]), " 0 1", Confidence.CERTAIN)
        findings.add("fen.fields4", place, message, field=0, fix=clocks, repaired=True)
        return [*words, Word("0", end), Word("1", end)]
    whole = (words[0].start, words[-1].place[1])
    counted = f"{len(words)} field{'s' if len(words) > 1 else ''}, expected 6"
    if len(words) > 6:
        place = (words[6].start, whole[1])
        findings.add(
            "fen.fields", place, counted, field=0, fix=_fix_extra(words), seed_field=_rejected_part(findings)
        )
        return words
    missing = _DEFAULTS[len(words) :]
    fix = _fix_url(cleaned[slice(*whole)], whole)
    if fix is None and "/" in words[0].text:
        fix = make_fix((whole[1], whole[1]), " " + " ".join(missing), Confidence.LIKELY)
    findings.add(
        "fen.fields",
        (whole[1], whole[1]),
        counted,
        field=0,
        fix=fix,
        repaired=True,
        seed_field=_rejected_part(findings),
    )
    if not findings.lenient:
        return words
    return [*words, *(Word(value, end) for value in missing)]


def _rejected_part(findings: Findings) -> int:
    """Return the number of the part that the source document rejects, or 0 for the whole text.

    The document counts an empty part between two spaces, which is not a field here.
    """
    return imitate_seed_parser(findings.text)[0].field


def _fix_url(text: str, place: tuple[int, int]) -> Fix | None:
    """The URL form: underscores or percent escapes for spaces."""
    if "_" not in text and "%" not in text:
        return None
    replacement = " ".join(unquote(text).replace("_", " ").split())
    # A percent sign need not begin an escape.
    if replacement == " ".join(text.split()):
        return None
    # A fix of the whole text is certain only if what comes out has nothing wrong with it.
    sure = decode(replacement) is not None
    return make_fix(place, replacement, Confidence.CERTAIN if sure else Confidence.GUESS)


def _fix_extra(words: list[Word]) -> Fix | None:
    """Words behind a whole FEN, such as ``moves e2e4``, can go; so can ``position fen`` before one."""
    for first in range(len(words) - 5):
        six = words[first : first + 6]
        candidate = " ".join(word.text for word in six)
        if decode(candidate) is not None:
            start, end = words[0].start, words[-1].place[1]
            return make_fix((start, end), candidate, Confidence.LIKELY)
    return None


def _take_checks(findings: Findings, words: list[Word]) -> int:
    """Three-check: take the checks out of the words, remaining ones (field 5) or given ones (last field)."""
    for index in (4, len(words) - 1):
        if 3 < index < len(words) and _CHECKS.fullmatch(words[index].text):
            return read_checks(findings, words.pop(index))
    end = words[-1].place[1]
    if len(words) == 7:
        return read_checks(findings, words.pop(4))
    findings.add(
        "checks.value",
        (end, end),
        "there are no remaining checks, expected a field such as 3+3 before the clocks",
        field=5,
        repaired=True,
    )
    return 3 + 16 * 3


def _build(findings: Findings, words: list[Word], rules: int, checks: int) -> Position | None:
    """The position of six fields, or None when there was an error before or in them."""
    board = read_board(findings, words[0], rules)
    pockets = (0, 0) if board.pocket is None else read_pocket(findings, board.pocket)
    side = read_side(findings, words[1])
    rights = read_castling(findings, words[2], rules, board)
    ep_square = read_ep(findings, words[3])
    half = read_number(findings, words[4], 5)
    full = read_number(findings, words[5], 6)
    if findings.has_errors:
        return None
    position = _position(board, pockets, side, rights, ep_square, half, full, rules, checks)
    if findings.mode == "strict" and encode(position) != findings.text:
        # Chess960 knows several spellings of a right; all else that is not canonical has been reported.
        message = f"castling: {words[2].text}, the canonical text has {position.castling}"
        fix = make_fix(words[2].place, position.castling, Confidence.CERTAIN)
        findings.add("castling.order", words[2].place, message, field=3, fix=fix)
        return None
    return _mend(findings, words, position) if findings.lenient else position


def _position(
    board: BoardField,
    pockets: tuple[int, int],
    side: int,
    rights: int,
    ep_square: int,
    half: int,
    full: int,
    rules: int,
    checks: int,
) -> Position:
    p = board.planes
    white = p[0] | p[1] | p[2] | p[3] | p[4] | p[5]
    black = p[6] | p[7] | p[8] | p[9] | p[10] | p[11]
    kinds = tuple(p[kind] | p[kind + 6] for kind in range(6))
    return from_fields(
        (*kinds, white, black, rights, board.promoted, *pockets, side, ep_square, half, full, rules, checks)
    )


def _mend(findings: Findings, words: list[Word], position: Position) -> Position:
    """Lenient mode drops castling rights and en-passant squares that the board contradicts."""
    mended, code = repair_castling(position)
    if code:
        message = f"castling: {words[2].text} contradicts the board; corrected to {mended.castling}"
        fix = make_fix(words[2].place, mended.castling, Confidence.LIKELY)
        findings.add(code, words[2].place, message, field=3, fix=fix, repaired=True)
    position, code = repair_ep(mended)
    if code:
        message = f"en passant: {words[3].text} contradicts the board; corrected to -"
        fix = make_fix(words[3].place, "-", Confidence.LIKELY)
        findings.add(code, words[3].place, message, field=4, square=mended.ep, fix=fix, repaired=True)
    return position


# --- variants ---------------------------------------------------------------------------------------


def rules_of(text: object) -> int:
    """Return the number of the variant that a text names.

    Pockets, counts of checks, a horde, file letters for rooks, and kings away from home name a variant.
    Characters that no variant knows name none, so that a mistake in a text of standard chess remains one.
    """
    words = text[:MAX_LENGTH].split() if isinstance(text, str) else []
    if not words:
        return STANDARD
    if "[" in words[0] or "~" in words[0] or _POCKET_RANK.search(words[0]):
        return CRAZYHOUSE
    if len(words) > 4 and any(_CHECKS.fullmatch(word) for word in (words[4], words[-1])):
        return THREE_CHECK
    if "K" not in words[0] and words[0].count("P") > 8:
        return HORDE
    if len(words) < 3 or words[2] == "-" or not _CASTLING_LETTERS.fullmatch(words[2]):
        return STANDARD
    if not set(words[2]) <= set("KQkq-"):
        return CHESS960
    standard = read_fen(text).position
    if standard is None or not repair_castling(standard)[1]:
        return STANDARD
    other = read_fen(text, rules=CHESS960).position
    return STANDARD if other is None or repair_castling(other)[1] else CHESS960


def rules_named(variant: str) -> int:
    """Return the number of the rules of a variant, whose name may be written in any case."""
    variant = fold_choice(variant, VARIANTS)
    require_choice("chess variant", variant, VARIANTS)
    return VARIANTS.index(variant)


# --- writing ----------------------------------------------------------------------------------------


def write_fen(
    position: Position,
    *,
    ep: EpStyle = "given",
    castling: CastlingStyle = "xfen",
    fields: Literal[4, 6] = 6,
    promoted: bool = True,
) -> str:
    """The position as text.

    `ep` says when an en-passant square is written: ``given`` and ``fen`` whenever the position holds one,
    ``xfen`` if an enemy pawn stands beside the pushed one, ``legal`` if it can really be captured.
    `castling` chooses X-FEN or Shredder-FEN letters, `fields` leaves the clocks away, `promoted` writes
    the marks of promoted pieces (Crazyhouse).
    """
    if not isinstance(position, Position):
        raise wrong_position_error("chess", position)
    require_choice("en-passant style", ep, get_args(EpStyle))
    require_choice("castling style", castling, get_args(CastlingStyle))
    require_choice("number of fields", fields, (4, 6))
    square = position.ep_square
    if ep == "xfen":
        square = find_xfen_ep_square(position)
    elif ep == "legal":
        square = find_legal_ep_square(position)
    if square != position.ep_square:
        position = position.replace(ep_square=square)
    if position.promoted and not promoted:
        position = position.replace(promoted=0)
    text = encode(position)
    if castling == "shredder":
        words = text.split(" ")
        words[2] = format_castling_rights(position, True)
        text = " ".join(words)
    return text if fields == 6 else text.rsplit(" ", 2)[0]
