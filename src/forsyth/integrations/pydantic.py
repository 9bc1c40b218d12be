"""Pydantic fields that contain positions.

A field of type ``Annotated[Position, Fen("chess")]`` accepts a position or a text in any form, and contains
the position.

Validation: a text is checked as by `forsyth.check`. `state_` texts are rejected, because there is no store.
If the annotation names no game, the game is detected from each text. Each error is one validation error: its
type is the diagnostic code, and its context has ``code``, ``severity``, ``field``, ``span``, ``square`` and
``fix`` as in the JSON of a finding. Warnings are accepted unless the mode is strict.

Serialisation: JSON contains the canonical text, and the JSON schema describes a string. In Python mode the
value stays a position.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from forsyth import registry
from forsyth.arguments import require_choice
from forsyth.diagnostics import MODES, Diagnostic, Mode, Severity
from forsyth.game import Game
from forsyth.reading import check, read

try:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
    from pydantic_core import InitErrorDetails, PydanticCustomError, core_schema
except ImportError as error:
    message = "pydantic is not installed; install it with: pip install 'forsyth[pydantic]'"
    raise ImportError(message, name="pydantic") from error

_CONTEXT_FIELDS: Final = ("message", "code", "severity", "field", "span", "square", "fix")
"""The JSON fields of a finding that the context of a pydantic error contains."""


@dataclass(frozen=True, slots=True)
class Fen:
    """An annotation for a pydantic field that contains a position, such as ``Fen("chess")``.

    It determines how texts are read and checked.
    """

    game: str | None = None
    """The name of the game. None detects it from each text."""
    variant: str | None = None
    """The variant of the game. None means the default variant."""
    mode: Mode = "default"
    """The reading mode."""
    legality: bool = True
    """Whether the position must be legal."""

    def __post_init__(self) -> None:
        require_choice("mode", self.mode, MODES)
        if self.variant is not None and self.game is None:
            raise ValueError(f"the variant {self.variant!r} is given without a game; name the game as well")

        # Raises an error for an unknown name now, not when the first value is validated.
        self._find_game()

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self._validate_value, serialization=core_schema.to_string_ser_schema()
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        game = self._find_game()
        if game is None:
            return {"type": "string", "description": "The text of a position"}
        return {
            "type": "string",
            "description": f"The text of a position of {game.title}",
            "examples": [game.start],
        }

    def _find_game(self) -> Game | None:
        """Return the game that the annotation names, in its variant, or None if it names no game."""
        return None if self.game is None else registry.game(self.game, self.variant)

    def _validate_value(self, value: Any) -> Any:
        """Return the position for the value of a field, which is a text or a position.

        Raise `ValidationError` if the value is neither, if the text cannot be read, or if the position must
        be legal and is not.
        """
        game = self._find_game()
        is_text = isinstance(value, str)
        legality_findings = None if is_text else self._check_position(value, game)
        if legality_findings is not None:
            if self.legality:
                self._raise_for_errors(legality_findings, value)
            return value

        # A value that is neither a text nor a position is rejected here: `read` reports an error for it.
        read_text = check if self.legality and is_text else read
        reading = read_text(value, game, mode=self.mode)
        self._raise_for_errors(reading.diagnostics, value)
        return reading.position

    def _check_position(self, value: Any, game: Game | None) -> tuple[Diagnostic, ...] | None:
        """Return the findings about the legality of a position, or None if `value` is not a position.

        It must be a position of `game`, or of any installed game if `game` is None.
        """
        candidates = [registry.game(name) for name in registry.games()] if game is None else [game]
        for candidate in candidates:
            try:
                return candidate.check(value, mode=self.mode)
            except TypeError:
                # Not a position of this game.
                continue
        return None

    def _raise_for_errors(self, findings: Iterable[Diagnostic], value: Any) -> None:
        """Raise `ValidationError` if one of the findings makes `value` invalid.

        Errors do, and in strict mode warnings too. The exception contains one error for each such finding.
        """
        is_strict = self.mode == "strict"
        errors = [
            InitErrorDetails(type=_to_pydantic_error(finding), input=value)
            for finding in findings
            if is_strict or finding.severity is Severity.ERROR
        ]
        if errors:
            raise ValidationError.from_exception_data("position", errors)


def _to_pydantic_error(finding: Diagnostic) -> PydanticCustomError:
    """Return a finding (an error or warning) as a pydantic error.

    The type of the pydantic error is the code of the finding, such as ``board.digit``. Its context has the
    fields `_CONTEXT_FIELDS` of the JSON of the finding.
    """
    finding_data = finding.to_dict()
    context = {name: finding_data[name] for name in _CONTEXT_FIELDS}
    # Pydantic replaces the placeholder by the message in the context.
    message_template = "{message}"
    return PydanticCustomError(finding.code, message_template, context)
