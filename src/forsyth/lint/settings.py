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
from forsyth.atomic_write import is_stream
from forsyth.diagnostics import MODES, SHARED_CODES, CodeInfo, Diagnostic, Mode, Severity
from forsyth.lint.ignores import includes_code
from forsyth.lint.kinds import KIND_BY_SUFFIX, POSITION_KINDS, FileKind
from forsyth.record import RECORD_CODES
from forsyth.resolver import GameChoice, Resolver, make_resolver

SETTINGS_FILE: Final = "pyproject.toml"
SETTINGS_TABLE: Final = "[tool.forsyth.lint]"
_TABLE_PATH: Final = ("tool", "forsyth", "lint")
"""The names of the tables that contain each other, the outermost first."""
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
        """Return True if the linter, with these settings, reports a diagnostic in a file of the kind `kind`.

        The severity and the code of the diagnostic decide. Without a minimum severity, warnings are reported
        only in files of positions or records, not in documents and source code.
        """
        default_severity = Severity.WARNING if kind in POSITION_KINDS else Severity.ERROR
        min_severity = self.severity or default_severity
        if min_severity is Severity.ERROR and not diagnostic.is_error:
            return False
        is_selected = not self.select or includes_code(self.select, diagnostic.code)
        return is_selected and not includes_code(self.ignore, diagnostic.code)

    def make_resolver(self) -> Resolver:
        """Return a reader of position texts that uses the game and variant of these settings.

        If the settings name no game, the reader detects the game from each text. Raise `SettingsError` if the
        game or variant does not exist.
        """
        try:
            return make_resolver(GameChoice(self.game, self.variant))
        except (LookupError, ValueError) as error:
            raise SettingsError(str(error)) from None

    def validate(self) -> Settings:
        """Return these settings unchanged. Raise `SettingsError` if one of them has an invalid value."""
        self.make_resolver()
        if self.mode not in MODES:
            raise SettingsError(f"mode is {quoted(self.mode)}, expected one of {', '.join(MODES)}")
        for code in (*self.select, *self.ignore):
            if code not in _list_known_codes():
                raise SettingsError(
                    f"there is no diagnostic code {quoted(code)}; expected a code such as castling.order, "
                    "or its part before the dot"
                )
        return self


def read_settings(start: Path) -> Settings:
    """Return the settings of the nearest ``pyproject.toml`` with a table ``[tool.forsyth.lint]``.

    The folder `start` is searched first, and then the folders above it. If no such file exists, return the
    default settings. Raise `SettingsError` if a file is not valid.
    """
    first_folder = start.resolve()
    for folder in (first_folder, *first_folder.parents):
        file = folder / SETTINGS_FILE
        table = _read_table(file) if file.is_file() else None
        if table is not None:
            return _parse_table(table, file)
    return Settings(root=first_folder)


def read_settings_file(file: Path) -> Settings:
    """Return the settings in the table ``[tool.forsyth.lint]`` of a TOML file.

    Raise `SettingsError` if the file has no such table or is not valid.
    """
    if is_stream(file):
        raise SettingsError(f"{file} is not a regular file; name a TOML file")
    table = _read_table(file)
    if table is None:
        raise SettingsError(f"{file} has no table {SETTINGS_TABLE}; add it, or name another file")
    return _parse_table(table, file)


def collect_code_infos() -> dict[str, CodeInfo]:
    """Return the descriptions of all diagnostic codes by code, such as ``castling.order``.

    These are the codes of game records and of all installed games. If several games share a code, the
    description of the first game is returned.
    """
    code_infos = [*SHARED_CODES, *RECORD_CODES]
    for game_name in registry.games():
        code_infos += registry.game(game_name).codes
    # A later entry of a dictionary replaces an earlier one, therefore the first game comes last.
    return {info.code: info for info in reversed(code_infos)}


@cache
def _list_known_codes() -> frozenset[str]:
    """Return all diagnostic codes, such as ``castling.order``, and the part of each before its dot."""
    codes = set(collect_code_infos())
    families = {code.split(".")[0] for code in codes}
    return frozenset(codes | families)


def _read_table(file: Path) -> Mapping[str, Any] | None:
    """Return the table ``[tool.forsyth.lint]`` of a TOML file, or None if the file has no such table.

    Raise `SettingsError` if the file is not valid TOML.
    """
    try:
        with file.open("rb") as stream:
            text = stream.read(_MAX_FILE_BYTES).decode("utf-8")
        value: Any = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{file} is not valid TOML: {error}; correct the file") from None
    # A name of the path can be missing, or its value can be of another type than a table.
    for name in _TABLE_PATH:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else None


def _parse_table(table: Mapping[str, Any], file: Path) -> Settings:
    """Return the settings in the table of a settings file. A setting that the table lacks has its default.

    `file` is the settings file. Globs are relative to its folder. Raise `SettingsError` if the name or the
    value of a setting is not valid.
    """
    settings = Settings(root=file.parent.resolve())
    for name, value in table.items():
        try:
            settings = replace(settings, **{name: _parse_value(name, value)})
        except SettingsError as error:
            raise SettingsError(f"{file}: {SETTINGS_TABLE}: {error}") from None
    return settings


def _parse_value(name: str, value: Any) -> Any:
    """Return the value of the setting `name` in the type that the field of `Settings` has.

    `value` comes from a TOML file. A list becomes a tuple, and the value of ``severity`` a `Severity`. Raise
    `SettingsError` if there is no such setting or the value is not valid.
    """
    if name in _LIST_SETTINGS:
        return _parse_list(name, value)
    if name not in _TEXT_SETTINGS:
        choices = ", ".join((*_LIST_SETTINGS, *_TEXT_SETTINGS))
        raise SettingsError(f"there is no setting {quoted(name)}; choose one of {choices}")
    if not isinstance(value, str):
        raise SettingsError(f"{name} is {quoted(value)}, expected a text")
    return _parse_severity(value) if name == "severity" else value


def _parse_list(name: str, value: Any) -> tuple[str, ...]:
    """Return the value of a setting, a list of texts, as a tuple.

    Raise `SettingsError` if `value` is not a list of texts. `name` is the name of the setting.
    """
    is_list_of_texts = isinstance(value, list) and all(isinstance(element, str) for element in value)
    if not is_list_of_texts:
        raise SettingsError(f"{name} is {quoted(value)}, expected a list of texts")
    return tuple(value)


def _parse_severity(value: str) -> Severity:
    """Return the severity with a name such as ``error``. Raise `SettingsError` if there is none."""
    try:
        return Severity(value)
    except ValueError:
        levels = ", ".join(Severity)
        raise SettingsError(f"severity is {quoted(value)}, expected one of {levels}") from None
