"""Build the tree of moves of a record from its tokens.

After a move that cannot be played, the rest of its line is skipped, but the surrounding lines are read.

The builder also accepts missing move numbers, any number of dots after them, ``!`` and ``?`` after a move
(as glyphs 1 to 6), and the letter of a dropped pawn (``P@g4``). With a warning, it accepts

- any spelling of a move that the game reads, such as piece symbols (`forsyth.game.Figurines`);
- wrong move numbers (with one warning as long as each number follows from the one before);
- a pass that the rules do not allow, if the game can read one (`forsyth.game.Passing`);
- a word after a move that only adds to its spelling, such as ``e.p.``;
- a symbol of printed games, such as ``+-`` (as the glyph 18).

Limits: variations nested MAX_VARIATION_DEPTH deep, MAX_MOVES moves in the main line.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from forsyth.arguments import quoted
from forsyth.dashes import DASHES
from forsyth.diagnostics import Confidence, Fix, MoveError, Span
from forsyth.findings import Findings
from forsyth.game import Figurines, Game, read_pass
from forsyth.limits import MAX_MOVE_TEXT, MAX_MOVES, MAX_VARIATION_DEPTH
from forsyth.record.encoding import replace_wrong_characters
from forsyth.record.model import GLYPHS, MAX_NAG, SYMBOL_GLYPHS, Line, Node
from forsyth.record.tokens import Token

_DROP: Final = "@"
"""The beginning of a move that drops a pawn, such as ``@g4``."""
_PAWN: Final = "P"
"""The letter that many programs write before such a move."""
_MAX_NAG_DIGITS: Final = 3
"""Digits of the longest number of an annotation glyph."""
_MAX_SHOWN: Final = 16
"""Upper bound on the characters of a meaningless text that a message shows."""


def _is_drop_of_named_pawn(text: str, canonical_text: str) -> bool:
    """Return True if a move is the drop of a pawn with the letter of the pawn: ``P@g4`` for ``@g4``."""
    return canonical_text.startswith(_DROP) and text == f"{_PAWN}{canonical_text}"


class Tree(NamedTuple):
    """The main line of a record with its variations, its positions and its moves."""

    line: Line
    comments: tuple[str, ...]
    """The comments of a main line without moves."""
    positions: list[Any]
    """The positions of the main line, from the start position on."""
    moves: list[Any]
    """The moves of the main line, as values of the game."""
    is_broken: bool
    """Whether the main line could not be read to its end."""


class _OpenLine:
    """A line that is still being read.

    Comments, glyphs and variations of the last move are collected until the next move follows.
    """

    __slots__ = (
        "after",
        "before",
        "has_annotations",
        "nags",
        "nodes",
        "number_shift",
        "pending",
        "position",
        "position_before",
        "span",
        "text",
        "variations",
    )

    def __init__(self, position: Any, span: Span) -> None:
        self.position = position
        """The position after the last move; None if the line cannot be read further."""
        self.position_before: Any = None
        """The position before the last move, in which its variations begin."""
        self.nodes: list[Node] = []
        """The moves before the last one."""
        self.text: str | None = None
        """The text of the last move; None if the line has no moves."""
        self.has_annotations = False
        """Whether the last move has comments, glyphs or variations. Most moves have none."""
        self.before: tuple[str, ...] = ()
        self.nags: list[int] = []
        self.after: list[str] = []
        self.variations: list[Line] = []
        self.pending: list[str] = []
        """Comments for the next move: those at the start of the line or after a variation."""
        self.number_shift = 0
        """The difference between the last wrong move number and the right one."""
        self.span = span
        """The place of the opening bracket."""

    def add_comment(self, comment: str) -> None:
        """Add a comment to the last move, or to the next one if a variation comes between."""
        if self.text is None or self.variations:
            self.pending.append(comment)
        else:
            self.after.append(comment)
            self.has_annotations = True

    def add_nag(self, nag: int) -> None:
        """Add an annotation glyph to the last move."""
        self.nags.append(nag)
        self.has_annotations = True

    def add_variation(self, line: Line) -> None:
        """Add a variation of the last move."""
        self.variations.append(line)
        self.has_annotations = True

    def add_move(self, text: str, position: Any) -> None:
        """Add a move. `position` is the position after it."""
        if self.text is not None:
            self._finish_move(self.text)
        if self.pending:
            self.before = tuple(self.pending)
            self.pending.clear()
            self.has_annotations = True
        self.text = text
        self.position_before, self.position = self.position, position

    def finish(self) -> Line:
        """Return all moves of the line.

        Comments that wait for a next move are added to the last move. If there is no move, they stay in
        `pending`.
        """
        if self.text is not None:
            for text in self.pending:
                self.after.append(text)
                self.has_annotations = True
            self.pending.clear()
            self._finish_move(self.text)
            self.text = None
        return tuple(self.nodes)

    def _finish_move(self, text: str) -> None:
        """Append the last move to `nodes` with its comments, glyphs and variations, and clear these.

        `text` is the text of the move.
        """
        if not self.has_annotations:
            self.nodes.append(Node(text))
            return
        self.nodes.append(
            Node(text, tuple(self.nags), self.before, tuple(self.after), tuple(self.variations))
        )
        self.nags, self.after, self.variations = [], [], []
        self.before = ()
        self.has_annotations = False


class TreeBuilder:
    """Builder of the tree of moves, to which the tokens of a record are added one by one."""

    def __init__(self, game: Game | None, start: Any, findings: Findings) -> None:
        """Create a builder.

        Args:
            game: The game; None if it is unknown, then moves are ignored.
            start: The start position; None if it is unknown, then moves are ignored.
            findings: Receives the findings about the moves.
        """
        self._game = game
        self._findings = findings
        self._root = _OpenLine(start, Span(0, 0))
        self._stack = [self._root]
        """The main line and the open variations, the innermost last."""
        self._skipped_depth = 0
        """Number of open variations that are skipped."""
        self._skipped_span = Span(0, 0)
        """The opening bracket of the outermost skipped variation."""
        self._positions = [start]
        self._moves: list[Any] = []
        self._handlers = {
            "move": self._add_move_token,
            "number": self._check_number,
            "comment": self._add_comment,
            "unclosed": self._add_unclosed_comment,
            "nag": self._add_nag,
            "suffix": self._add_suffix,
            "open": self._open_variation,
            "close": self._close_variation,
            "stray": self._report_stray_brace,
            "odd": self._report_odd_token,
            "bracket": self._report_odd_token,
        }

    @property
    def is_in_variation(self) -> bool:
        """Whether a variation is open."""
        return self._skipped_depth > 0 or len(self._stack) > 1

    def add_token(self, token: Token) -> None:
        """Add a token that is neither a tag nor a result."""
        self._handlers[token.kind](token)

    def finish(self, end: int) -> Tree:
        """Return the tree, after closing all variations that are still open.

        Args:
            end: The offset in the text of the record at which the moves end.
        """
        if self._skipped_depth:
            self._report_unclosed_variation(self._skipped_span, end)
            self._skipped_depth = 0
        while len(self._stack) > 1:
            self._report_unclosed_variation(self._stack[-1].span, end)
            self._close_line()
        root = self._root
        line = root.finish()
        return Tree(line, tuple(root.pending), self._positions, self._moves, root.position is None)

    # --- moves --------------------------------------------------------------------------------------

    def _add_move_token(self, token: Token) -> None:
        """Read a move and add it to the line that is being read, or add an error if it is not legal.

        Nothing happens if the line cannot be read any further.
        """
        line = self._stack[-1]
        game, position, text = self._game, line.position, token.text
        is_ignored = position is None or self._skipped_depth > 0
        if game is None or is_ignored:
            return
        is_full = len(self._positions) > MAX_MOVES
        if is_full and line is self._root:
            self._reject_surplus_move(token)
            return
        try:
            if len(text) > MAX_MOVE_TEXT:
                message = f"the move has {len(text)} characters, expected at most {MAX_MOVE_TEXT}"
                raise MoveError("invalid", text, message)
            move = game.read_move(position, text if text.isascii() else _replace_symbols(game, text))
        except MoveError as error:
            self._handle_illegal_move(token, error, game)
            return
        canonical_text = game.write_move(position, move)
        if text != canonical_text and not _is_drop_of_named_pawn(text, canonical_text):
            span = Span(token.start, token.end)
            fix = Fix(span, canonical_text, Confidence.CERTAIN)
            message = f"the move is spelled {quoted(text)}, expected {canonical_text}"
            self._findings.add("record.spelling", span, message, fix=fix)
        self._add_move(canonical_text, move, game.play(position, move))

    def _add_move(self, text: str, move: Any, position: Any) -> None:
        """Add a move to the innermost line. `position` is the position after it."""
        line = self._stack[-1]
        line.add_move(text, position)
        if line is self._root:
            self._positions.append(position)
            self._moves.append(move)

    def _handle_illegal_move(self, token: Token, error: MoveError, game: Game) -> None:
        """Add the pass that a word names, or a finding that the word is superfluous or a mistake.

        The word is not a legal move, and `error` is the reason. ``--`` passes the turn. ``e.p.`` after a move
        that captures en passant is superfluous.
        """
        line = self._stack[-1]
        span = Span(token.start, token.end)
        if len(token.text) > MAX_MOVE_TEXT:
            self._reject_move(token, error)
            return
        try:
            pass_move = read_pass(game, line.position, token.text)
        except MoveError as pass_error:
            self._reject_move(token, pass_error)
            return
        if pass_move is not None:
            text = game.write_move(line.position, pass_move)
            message = f"{quoted(token.text)} passes the turn, which the rules do not allow"
            self._findings.add("record.pass", span, message)
            self._add_move(text, pass_move, game.play(line.position, pass_move))
        elif line.text is not None and _is_addition(game, line.position_before, line.text, token.text):
            message = f"{quoted(token.text)} after {line.text} is superfluous"
            fix = Fix(span, "", Confidence.CERTAIN)
            self._findings.add("record.spelling", span, message, fix=fix)
        else:
            self._reject_move(token, error)

    def _reject_surplus_move(self, token: Token) -> None:
        """Add an error for the first move after the maximum number of moves, and stop reading moves."""
        message = f"a record has at most {MAX_MOVES} moves; this move and all later moves are left out"
        self._findings.add("record.long", Span(token.start, token.end), message)
        self._root.position = None

    def _reject_move(self, token: Token, error: MoveError) -> None:
        """Add an error for a move that cannot be played, and stop reading its line.

        `error` is the reason. The moves that may be meant are added to its message if it lacks them.
        """
        self._stack[-1].position = None
        new_candidates = [text for text in error.candidates if text not in str(error)]
        candidate_list = f"; candidates are {', '.join(new_candidates)}" if new_candidates else ""
        message = f"{error}{candidate_list}; this move and the rest of its line are left out"
        self._findings.add(f"record.move_{error.kind}", Span(token.start, token.end), message)
        if self._findings.is_full:
            # Explaining an illegal move takes far longer than playing a legal one. This limits the time for
            # a text that consists of illegal moves.
            for line in self._stack:
                line.position = None

    def _check_number(self, token: Token) -> None:
        """Add a finding if a move number such as ``12.`` is wrong.

        After a wrong number, numbers that continue its count are not reported again.
        """
        line = self._stack[-1]
        if line.position is None or self._game is None or self._skipped_depth:
            return
        digits = token.text.rstrip(".…")
        number = int(digits)
        expected, _ = self._game.move_number(line.position)
        continues_wrong_count = number == expected + line.number_shift
        if number == expected or continues_wrong_count:
            return
        line.number_shift = number - expected
        span = Span(token.start, token.start + len(digits))
        fix = Fix(span, str(expected), Confidence.LIKELY)
        message = f"the move number is {number}, expected {expected}"
        self._findings.add("record.number", span, message, fix=fix)

    # --- comments and glyphs ------------------------------------------------------------------------

    def _add_comment(self, token: Token) -> None:
        """Add a comment to the innermost line."""
        line = self._stack[-1]
        if line.position is not None and not self._skipped_depth:
            line.add_comment(replace_wrong_characters(token.text))

    def _add_unclosed_comment(self, token: Token) -> None:
        """Add a comment without a closing brace, and an error about it."""
        span = Span(token.start, token.start + 1)
        self._findings.add("record.comment", span, "the comment that begins here is not closed")
        self._add_comment(token)

    def _add_nag(self, token: Token) -> None:
        """Add a numeric annotation glyph such as ``$14``, or a finding if its number is invalid."""
        digits = token.text[1:]
        # Longer numbers are too large anyway, and would take long to convert.
        has_usual_length = 1 <= len(digits) <= _MAX_NAG_DIGITS
        if has_usual_length and int(digits) <= MAX_NAG:
            self._annotate_move(int(digits), token)
            return
        message = f"{token.text[:8]!r} is not an annotation glyph, expected $0 to ${MAX_NAG}"
        self._findings.add("record.nag", Span(token.start, token.end), message)

    def _add_suffix(self, token: Token) -> None:
        """Add an annotation such as ``!?``, or a finding if it is unknown."""
        if token.text in GLYPHS:
            self._annotate_move(GLYPHS[token.text], token)
            return
        message = f"{token.text[:8]!r} is not an annotation, expected one of {' '.join(GLYPHS)}"
        self._findings.add("record.nag", Span(token.start, token.end), message)

    def _add_symbol(self, glyph: int, token: Token) -> None:
        """Add the annotation glyph that a symbol such as ``+-`` stands for, and a finding about it."""
        line = self._stack[-1]
        if line.position is not None and line.text is not None and not self._skipped_depth:
            span = Span(token.start, token.end)
            fix = Fix(span, f"${glyph}", Confidence.CERTAIN)
            message = f"{quoted(token.text)} is the symbol of an annotation glyph, expected ${glyph}"
            self._findings.add("record.nag", span, message, fix=fix)
        self._annotate_move(glyph, token)

    def _annotate_move(self, number: int, token: Token) -> None:
        """Add an annotation glyph to the last move, or a finding if there is no move.

        `number` is the number of the glyph, and `token` its place in the text.
        """
        line = self._stack[-1]
        if self._skipped_depth or line.position is None:
            return
        if line.text is not None:
            line.add_nag(number)
            return
        message = f"{quoted(token.text)} does not follow a move"
        self._findings.add("record.nag", Span(token.start, token.end), message)

    def _report_stray_brace(self, token: Token) -> None:
        """Add an error for a closing brace without an opening one."""
        self._report_removable("record.comment", "this closing brace has no opening brace", token)

    def _report_odd_token(self, token: Token) -> None:
        """Add a glyph for a symbol such as ``+-``, or an error for characters without a meaning (``@@``)."""
        glyph = SYMBOL_GLYPHS.get(token.text.translate(DASHES))
        if glyph is not None:
            self._add_symbol(glyph, token)
            return
        is_short = len(token.text) <= _MAX_SHOWN
        shown_text = token.text if is_short else token.text[:_MAX_SHOWN] + "…"
        message = f"{shown_text!r} has no meaning here, expected a move or the result"
        self._report_removable("record.token", message, token)

    def _report_removable(self, code: str, message: str, token: Token) -> None:
        """Add an error whose fix removes the token, unless there are too many findings."""
        if self._findings.is_full:
            return
        span = Span(token.start, token.end)
        removal = Fix(span, "", Confidence.LIKELY)
        self._findings.add(code, span, message, fix=removal)

    # --- variations ---------------------------------------------------------------------------------

    def _open_variation(self, token: Token) -> None:
        """Begin a variation at the bracket `token`, or skip it if it cannot be read.

        A variation cannot be read if it follows no move, follows an illegal move, or is nested too deeply.
        """
        line = self._stack[-1]
        span = Span(token.start, token.end)
        if self._skipped_depth:
            self._skipped_depth += 1
        elif line.position is None:
            self._skip_variation(span)
        elif line.text is None:
            self._skip_variation(span)
            self._findings.add("record.variation", span, "the variation does not follow a move")
        elif len(self._stack) > MAX_VARIATION_DEPTH:
            self._skip_variation(span)
            message = f"the variation is nested too deeply, expected at most {MAX_VARIATION_DEPTH} levels"
            self._findings.add("record.variation", span, message)
        else:
            self._stack.append(_OpenLine(line.position_before, span))

    def _skip_variation(self, span: Span) -> None:
        """Ignore all tokens up to the end of the variation whose opening bracket is at `span`."""
        self._skipped_depth = 1
        self._skipped_span = span

    def _close_variation(self, token: Token) -> None:
        """End the innermost variation, or add an error if none is open."""
        if self._skipped_depth:
            self._skipped_depth -= 1
        elif len(self._stack) == 1:
            self._report_removable("record.variation", "this closing bracket has no opening bracket", token)
        else:
            self._close_line()

    def _close_line(self) -> None:
        """End the innermost variation, and add it to the line around it.

        A variation without moves is reported, and only its comments are added.
        """
        variation = self._stack.pop()
        line = variation.finish()
        outer_line = self._stack[-1]
        if line:
            outer_line.add_variation(line)
            return
        for text in variation.pending:
            outer_line.add_comment(text)
        if variation.position is not None:
            message = "the variation has no moves and is left out"
            self._findings.add("record.variation_empty", variation.span, message)

    def _report_unclosed_variation(self, span: Span, end: int) -> None:
        """Add an error for a variation that is not closed. Its fix adds a bracket at the offset `end`."""
        message = "the variation that begins here is not closed"
        fix = Fix(Span(end, end), ")", Confidence.LIKELY)
        self._findings.add("record.variation", span, message, fix=fix)


def _replace_symbols(game: Game, text: str) -> str:
    """Return a move with hyphens for dashes and letters for piece symbols: ``♘f3`` becomes ``Nf3``."""
    text = text.translate(DASHES)
    return text.translate(game.figurines) if isinstance(game, Figurines) else text


def _is_addition(game: Game, position: Any, move: str, word: str) -> bool:
    """Return whether `word` only adds to the spelling of `move`, as ``e.p.`` does to ``exd6``.

    `move` is in canonical notation, and `position` is the position before it.
    """
    try:
        move_with_word = game.read_move(position, f"{move} {word}")
        return game.write_move(position, move_with_word) == move
    except MoveError:
        return False
