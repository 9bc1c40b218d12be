"""Pydantic: fields that hold positions.

``Annotated[Position, Fen("chess")]`` takes a text in any form, or a position, and holds the position.

Accepts: what `forsyth.check` accepts in the mode of the annotation, except `state_` texts: there is no store.
Without a game each text says it.

Refuses: a text with errors. Each of them is one error of the model: its type is the code, its context has
``code``, ``severity``, ``field``, ``span``, ``square`` and ``fix`` as in the JSON of a finding. Warnings are
no errors, unless the mode is strict.

Writes: the canonical text, where the model is written as JSON; otherwise the position stays one. The JSON
schema says that it is a string.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from forsyth import registry
from forsyth.arguments import require_choice
from forsyth.diagnostics import MODES, Diagnostic, Mode, Severity
from forsyth.game import Game
from forsyth.reading import check, read

try:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
    from pydantic_core import InitErrorDetails, PydanticCustomError, core_schema
except ImportError as error:
    raise ImportError("this needs pydantic: pip install 'forsyth[pydantic]'", name="pydantic") from error


@dataclass(frozen=True, slots=True)
class Fen:
    """How the text of a position is read: beside the type of the position in `Annotated`."""

    game: str | None = None
    """The name of the game; without it each text says it."""
    variant: str | None = None
    mode: Mode = "default"
    legality: bool = True
    """Whether a position must be legal."""

    def __post_init__(self) -> None:
        require_choice("mode", self.mode, MODES)
        if self.variant is not None and self.game is None:
            raise ValueError(f"the variant {self.variant!r} needs its game; name it as well")
        self._game()

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self._validated, serialization=core_schema.to_string_ser_schema()
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        game = self._game()
        if game is None:
            return {"type": "string", "description": "The text of a position"}
        return {
            "type": "string",
            "description": f"The text of a position of {game.title}",
            "examples": [game.start],
        }

    def _game(self) -> Game | None:
        return None if self.game is None else registry.game(self.game, self.variant)

    def _validated(self, value: Any) -> Any:
        game = self._game()
        found = None if isinstance(value, str) else self._checked(value, game)
        if found is not None:
            _refuse(self._weighed(found if self.legality else ()), value)
            return value
        reading = (check if self.legality else read)(value, game, mode=self.mode)
        _refuse(self._weighed(reading.diagnostics), value)
        return reading.position

    def _checked(self, value: Any, game: Game | None) -> tuple[Diagnostic, ...] | None:
        """The findings about a position of the game, or of any where none is given; None for other values."""
        for one in [registry.game(name) for name in registry.games()] if game is None else [game]:
            try:
                return one.check(value, mode=self.mode)
            except TypeError:
                # The position of another game, or none.
                continue
        return None

    def _weighed(self, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
        strict = self.mode == "strict"
        return [one for one in findings if strict or one.severity is Severity.ERROR]


def _refuse(findings: list[Diagnostic], value: Any) -> None:
    """Raises one error for each finding."""
    if not findings:
        return
    errors = [InitErrorDetails(type=_error(one), input=value) for one in findings]
    raise ValidationError.from_exception_data("position", errors)


def _error(finding: Diagnostic) -> PydanticCustomError:
    data = finding.to_dict()
    told = ("code", "severity", "field", "span", "square", "fix")
    context = {"message": data["message"], **{name: data[name] for name in told}}
    return PydanticCustomError(finding.code, "{message}", context)
