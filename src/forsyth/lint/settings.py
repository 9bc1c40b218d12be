"""The settings of the linter: the table ``[tool.forsyth.lint]`` of a ``pyproject.toml``, and its defaults.

Input: ``include`` and ``exclude`` (lists of globs, relative to the file), ``select`` and ``ignore`` (lists of
codes, or of the parts before their dots), ``game``, ``variant``, ``mode`` and ``severity``. An unknown name
or value raises `SettingsError`, so that a typing error does not silently change what is linted.
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
from forsyth.lint.ignores import includes_code
from forsyth.lint.kinds import KIND_BY_SUFFIX, POSITION_KINDS, FileKind
from forsyth.record import RECORD_CODES
from forsyth.resolver import GameChoice, Resolver, make_resolver

SETTINGS_FILE: Final = "pyproject.toml"
SETTINGS_TABLE: Final = "[tool.forsyth.lint]"
_MAX_FILE_BYTES: Final = 1 << 20
"""Maximum number of bytes that are read from a settings file, far more than any real one has."""
_LIST_SETTINGS: Final = ("include", "exclude", "select", "ignore")
_TEXT_SETTINGS: Final = ("game", "variant", "mode", "severity")

DEFAULT_INCLUDES: Final = tuple(f"*{suffix}" for suffix in KIND_BY_SUFFIX)
"""The files of directories that are linted by default."""
DEFAULT_EXCLUDES: Final = (
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
"""Names of entries that are skipped in directories: hidden ones, and those that tools install or build."""


class SettingsError(ValueError):
    """Error for an unknown setting, or a setting with an invalid value."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the linter: the files, the findings to report, and the reading of texts."""

    root: Path = Path()
    """The folder to which globs are relative."""
    include: tuple[str, ...] = DEFAULT_INCLUDES
    """Globs of the files of directories to lint."""
    exclude: tuple[str, ...] = ()
    """Globs of the files and folders to skip, in addition to `DEFAULT_EXCLUDES`."""
    select: tuple[str, ...] = ()
    """The codes to report. An empty tuple means all codes."""
    ignore: tuple[str, ...] = ()
    """The codes not to report."""
    game: str | None = None
    """The name of the game of the texts, or None to detect it."""
    variant: str | None = None
    """The variant of the game, or None to detect it."""
    mode: Mode = "default"
    """The mode in which texts are read."""
    severity: Severity | None = None
    """The minimum severity to report.

    None reports all findings in files of positions and records, and only errors in documents and source code.
    """

    def reports(self, diagnostic: Diagnostic, kind: FileKind) -> bool:
        """Return True if the settings report a diagnostic in a file of this kind.

        Its severity and its code decide. Without a minimum severity, warnings are reported only in files of
        positions or records, not in documents and source code.
        """
        default_severity = Severity.WARNING if kind in POSITION_KINDS else Severity.ERROR
        min_severity = self.severity or default_severity
        if min_severity is Severity.ERROR and not diagnostic.is_error:
            return False
        if self.select and not includes_code(self.select, diagnostic.code):
            return False
        return not includes_code(self.ignore, diagnostic.code)

    def make_resolver(self) -> Resolver:
        """Return the reader of texts in the game and variant of the settings, or else in a detected game.

        Raise `SettingsError` if the game or variant does not exist.
        """
        try:
            return make_resolver(GameChoice(self.game, self.variant), auto_variant=True)
        except (LookupError, ValueError) as error:
            raise SettingsError(str(error)) from None

    def validate(self) -> Settings:
        """Return these settings unchanged. Raise `SettingsError` if one of them has an invalid value."""
        self.make_resolver()
        if self.mode not in MODES:
            raise SettingsError(f"mode is {quoted(self.mode)}, expected one of {', '.join(MODES)}")
        for code in (*self.select, *self.ignore):
            if code not in _known_codes():
                raise SettingsError(
                    f"there is no diagnostic code {quoted(code)}; expected a code such as castling.order, "
                    "or its part before the dot"
                )
        return self


def read_settings(start: Path) -> Settings:
    """Return the settings of the nearest ``pyproject.toml`` with a table ``[tool.forsyth.lint]``.

    The folder `start` and the folders above it are searched. If no such file exists, return the default
    settings. Raise `SettingsError` if a file is not valid.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        file = folder / SETTINGS_FILE
        table = _read_table(file) if file.is_file() else None
        if table is not None:
            return _parse_table(table, file)
    return Settings(start)


def read_settings_file(file: Path) -> Settings:
    """Return the settings in the table ``[tool.forsyth.lint]`` of a TOML file.

    Raise `SettingsError` if the file has no such table or is not valid.
    """
    table = _read_table(file)
    if table is None:
        raise SettingsError(f"{file} has no table {SETTINGS_TABLE}")
    return _parse_table(table, file)


def collect_code_infos() -> dict[str, CodeInfo]:
    """Return the descriptions of all diagnostic codes of records and installed games, by code.

    If several games share a code, the description of the first game is returned.
    """
    infos = [*SHARED_CODES, *RECORD_CODES]
    for name in registry.games():
        infos += registry.game(name).codes
    # A later entry of a dictionary replaces an earlier one, therefore the first game comes last.
    return {info.code: info for info in reversed(infos)}


@cache
def _known_codes() -> frozenset[str]:
    """Return all diagnostic codes, such as ``castling.order``, and the part of each before its dot."""
    codes = collect_code_infos()
    return frozenset({*codes, *(code.partition(".")[0] for code in codes)})


def _read_table(file: Path) -> Mapping[str, Any] | None:
    """Return the table ``[tool.forsyth.lint]`` of a TOML file, or None if the file has no such table.

    Raise `SettingsError` if the file is not TOML.
    """
    try:
        with file.open("rb") as stream:
            data: Any = tomllib.loads(stream.read(_MAX_FILE_BYTES).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{file} is not valid TOML: {error}") from None
    for name in ("tool", "forsyth", "lint"):
        data = data.get(name) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else None


def _parse_table(table: Mapping[str, Any], file: Path) -> Settings:
    """Return the settings in a table; settings that it lacks have their defaults.

    `file` is the file that contains the table: globs are relative to its folder. Raise `SettingsError` if a
    name or value is not valid.
    """
    settings = Settings(file.parent.resolve())
    for name, value in table.items():
        try:
            settings = replace(settings, **{name: _parse_value(name, value)})
        except SettingsError as error:
            raise SettingsError(f"{file}: {SETTINGS_TABLE}: {error}") from None
    return settings


def _parse_value(name: str, value: Any) -> Any:
    """Return a value of the TOML table in the type that the field `name` of `Settings` has.

    Lists become tuples, and ``severity`` becomes a `Severity`. Raise `SettingsError` if there is no such
    setting or the value is not valid.
    """
    if name in _LIST_SETTINGS:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise SettingsError(f"{name} is {quoted(value)}, expected a list of texts")
        return tuple(value)
    if name not in _TEXT_SETTINGS:
        choices = ", ".join((*_LIST_SETTINGS, *_TEXT_SETTINGS))
        raise SettingsError(f"there is no setting {quoted(name)}; choose one of {choices}")
    if not isinstance(value, str):
        raise SettingsError(f"{name} is {quoted(value)}, expected a text")
    if name != "severity":
        return value
    try:
        return Severity(value)
    except ValueError:
        levels = ", ".join(Severity)
        raise SettingsError(f"severity is {quoted(value)}, expected one of {levels}") from None
