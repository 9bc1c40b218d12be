"""The linter: it finds position texts in files of any kind and reports their mistakes.

`lint_text` checks the text of one file. `lint_file` reads a file, checks it, and fixes it on request.
`find_files` searches directories for the files to lint. `read_settings` reads the `Settings` of a
``pyproject.toml``. The modules `kinds` and `recognise` define which texts count as positions.
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
