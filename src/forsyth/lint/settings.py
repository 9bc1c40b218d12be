"""What is linted and how: the table ``[tool.forsyth.lint]`` of a ``pyproject.toml``, and its defaults.

Accepts: ``include`` and ``exclude`` (lists of globs, relative to the file), ``select`` and ``ignore`` (lists
of codes, or of what stands before their dot), ``game``, ``variant``, ``mode`` and ``severity``. A name that
means nothing is a `SettingsError` of one sentence: a typo must not leave things out silently.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from forsyth import registry
from forsyth.arguments import quoted
from forsyth.diagnostics import MODES, SHARED_CODES, CodeInfo, Diagnostic, Mode, Severity
from forsyth.lint.ignores import names_code
from forsyth.lint.kinds import KIND_OF, OF_POSITIONS, FileKind
from forsyth.record import RECORD_CODES
from forsyth.resolver import Choice, Resolver, resolver

FILE: Final = "pyproject.toml"
TABLE: Final = "[tool.forsyth.lint]"
_LARGEST: Final = 1 << 20
"""Most bytes of a file of settings: far above any real one."""

INCLUDED: Final = tuple(f"*{suffix}" for suffix in KIND_OF)
EXCLUDED: Final = (
    ".*",
    "__pycache__",
    "node_modules",
    "venv",
    "build",
    "dist",
    "site",
    "target",
    "vendor",
    "*.egg-info",
    "*.min.js",
)
"""What is never looked into unless it is named: hidden folders, and what tools install or build."""


class SettingsError(ValueError):
    """Settings that mean nothing."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is linted and how."""

    root: Path = Path()
    """The folder that globs are relative to."""
    include: tuple[str, ...] = INCLUDED
    exclude: tuple[str, ...] = ()
    """What is left out beside `EXCLUDED`."""
    select: tuple[str, ...] = ()
    """The codes that are reported; all where there is none."""
    ignore: tuple[str, ...] = ()
    game: str | None = None
    variant: str | None = None
    mode: Mode = "default"
    severity: Severity | None = None
    """The least severity that is reported; without it all findings in files of positions and records, and
    errors alone in documents and source code."""

    def reports(self, diagnostic: Diagnostic, kind: FileKind) -> bool:
        """Whether a finding in a file of a kind is reported."""
        least = self.severity or (Severity.WARNING if kind in OF_POSITIONS else Severity.ERROR)
        if least is Severity.ERROR and not diagnostic.is_error:
            return False
        if self.select and not names_code(self.select, diagnostic.code):
            return False
        return not names_code(self.ignore, diagnostic.code)

    def resolver(self) -> Resolver:
        """Who reads the texts; raises `SettingsError` for a game or variant that does not exist."""
        try:
            return resolver(Choice(self.game, self.variant), plays=True)
        except (LookupError, ValueError) as error:
            raise SettingsError(str(error)) from None

    def checked(self) -> Settings:
        """These settings; raises `SettingsError` where one of them means nothing."""
        self.resolver()
        if self.mode not in MODES:
            raise SettingsError(f"mode is {quoted(self.mode)}, expected one of {', '.join(MODES)}")
        for code in (*self.select, *self.ignore):
            if code not in _known_codes():
                raise SettingsError(f"{quoted(code)} is not a code, nor what stands before the dot of one")
        return self


def read_settings(start: Path) -> Settings:
    """The settings of the nearest ``pyproject.toml`` with the table, upwards from a folder; else defaults."""
    start = start.resolve()
    for folder in (start, *start.parents):
        file = folder / FILE
        table = _table(file) if file.is_file() else None
        if table is not None:
            return _settings(table, file)
    return Settings(start)


def settings_of(file: Path) -> Settings:
    """The settings of a file; `SettingsError` where it has no such table."""
    table = _table(file)
    if table is None:
        raise SettingsError(f"{file} has no table {TABLE}")
    return _settings(table, file)


def code_infos() -> dict[str, CodeInfo]:
    """Every code of every installed game and of records; where games share one, the first counts."""
    listed = [*SHARED_CODES, *RECORD_CODES]
    for name in registry.games():
        listed += registry.game(name).codes
    return {info.code: info for info in reversed(listed)}


@cache
def _known_codes() -> frozenset[str]:
    codes = code_infos()
    return frozenset({*codes, *(code.partition(".")[0] for code in codes)})


def _table(file: Path) -> Mapping[str, Any] | None:
    try:
        with file.open("rb") as stream:
            data: Any = tomllib.loads(stream.read(_LARGEST).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{file} is not TOML that can be read: {error}") from None
    for name in ("tool", "forsyth", "lint"):
        data = data.get(name) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else None


def _settings(table: Mapping[str, Any], file: Path) -> Settings:
    settings = Settings(file.parent.resolve())
    for name, value in table.items():
        try:
            settings = replace(settings, **{name: _value(name, value)})
        except SettingsError as error:
            raise SettingsError(f"{file}: {TABLE}: {error}") from None
    return settings


def _value(name: str, value: Any) -> Any:
    if name in ("include", "exclude", "select", "ignore"):
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise SettingsError(f"{name} is {quoted(value)}, expected a list of texts")
        return tuple(value)
    if name not in ("game", "variant", "mode", "severity"):
        raise SettingsError(f"there is no setting {quoted(name)}")
    if not isinstance(value, str):
        raise SettingsError(f"{name} is {quoted(value)}, expected a text")
    if name != "severity":
        return value
    try:
        return Severity(value)
    except ValueError:
        levels = ", ".join(Severity)
        raise SettingsError(f"severity is {quoted(value)}, expected one of {levels}") from None
