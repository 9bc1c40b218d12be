"""The linter: position texts wherever they are written, checked where they stand.

`lint_text` looks through the text of one file, `lint_file` reads it, and fixes it when asked. `find_files`
walks directories as `Settings` say, `read_settings` takes them from a ``pyproject.toml``. `kinds` and
`recognise` say which texts are taken for positions.
"""

from forsyth.lint.find_files import find_files
from forsyth.lint.findings import Finding, Replacement
from forsyth.lint.lines import Place
from forsyth.lint.lint_file import FileReport, lint_file, lint_text
from forsyth.lint.settings import Settings, SettingsError, read_settings

__all__ = [
    "FileReport",
    "Finding",
    "Place",
    "Replacement",
    "Settings",
    "SettingsError",
    "find_files",
    "lint_file",
    "lint_text",
    "read_settings",
]
