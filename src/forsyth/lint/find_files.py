"""The search for the files to lint.

Input: paths of files and of directories. A file is linted unless `exclude` matches it. In a directory, those
files are linted that `include` matches, and neither `exclude` nor `DEFAULT_EXCLUDES`. The files of a folder
come in the order of their names, before those of its subfolders. Symbolic links in a directory are ignored.

A glob is compared with the path relative to the folder of the settings, and with the name of every folder and
file on that path. ``*`` also matches slashes. ``.gitignore`` files are not read.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from fnmatch import translate
from pathlib import Path, PurePath
from typing import Final

from forsyth.lint.settings import DEFAULT_EXCLUDES, Settings

_MATCHES_NOTHING: Final = r"(?!)"


def find_files(
    paths: Iterable[str | Path], settings: Settings, on_error: Callable[[OSError], None] | None = None
) -> Iterator[str]:
    """Yield the path of each file to lint once.

    Args:
        paths: Files, and directories to search.
        settings: Select the files: `include` has the globs of files in directories, `exclude` those of files
            and folders to skip.
        on_error: Is called with the error if a folder cannot be listed, and the search continues. If it is
            None, the error is raised.

    Raises:
        FileNotFoundError: If one of `paths` does not exist.
    """
    walker = _Walker(settings, on_error)
    seen_files: set[str] = set()
    for path in paths:
        name = os.fspath(path)
        is_directory = stat.S_ISDIR(Path(path).stat().st_mode)
        for file in walker.walk(name) if is_directory else walker.select_named(name):
            if file not in seen_files:
                seen_files.add(file)
                yield file


class _Walker:
    """A search of directories for the files to lint, by the globs in the settings."""

    def __init__(self, settings: Settings, on_error: Callable[[OSError], None] | None) -> None:
        """Create a search. See `find_files` for the parameters."""
        self._on_error = on_error
        self._root = os.path.realpath(settings.root)
        self._included = _compile_globs(settings.include)
        self._excluded = _compile_globs(settings.exclude)
        self._excluded_by_default = _compile_globs(DEFAULT_EXCLUDES)

    def select_named(self, file: str) -> Iterator[str]:
        """Yield a file that the caller named, unless the setting `exclude` matches it or one of its folders.

        The setting `include` and the default excludes apply only to files that are found in directories.
        """
        parts = self._make_relative(file).parts
        if not any(self._excluded.match(candidate) for candidate in (*parts, *_list_paths(parts))):
            yield file

    def walk(self, directory: str) -> Iterator[str]:
        """Yield the files to lint below a directory that the caller named."""
        relative_path = "".join(f"{part}/" for part in self._make_relative(directory).parts)
        yield from self._walk_below(directory, relative_path)

    def _walk_below(self, directory: str, relative_path: str) -> Iterator[str]:
        """Yield the files to lint below a directory, the files of a folder before those of its subfolders.

        `relative_path` is the path of the directory, relative to the folder of the settings. It is empty or
        ends with a slash.
        """
        folders: list[os.DirEntry[str]] = []
        for entry in self._list_entries(directory):
            if entry.is_symlink() or self._is_excluded(relative_path, entry.name):
                continue
            if entry.is_dir():
                folders.append(entry)
            elif entry.is_file() and self._matches(self._included, relative_path, entry.name):
                yield entry.path.removeprefix(f".{os.sep}")
        for folder in folders:
            yield from self._walk_below(folder.path, f"{relative_path}{folder.name}/")

    def _list_entries(self, directory: str) -> list[os.DirEntry[str]]:
        """Return the entries of a directory, sorted by name.

        If the directory cannot be listed, pass the error to `on_error` and return an empty list. Without
        `on_error`, raise the error.
        """
        try:
            with os.scandir(directory) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if self._on_error is None:
                raise
            self._on_error(error)
            return []

    def _make_relative(self, path: str) -> PurePath:
        """Return a path relative to the folder of the settings, with symbolic links resolved."""
        return PurePath(os.path.relpath(os.path.realpath(path), self._root))

    def _is_excluded(self, relative_path: str, name: str) -> bool:
        """Return True if a file or folder that the search found is to be skipped.

        Args:
            relative_path: The path of the folder around it, which is empty or ends with a slash.
            name: The name of the file or folder.
        """
        # The defaults are compared with names found in the search, not with the path of a named directory:
        # a caller who names a hidden folder wants to lint its files.
        is_excluded_by_default = self._excluded_by_default.match(name) is not None
        return is_excluded_by_default or self._matches(self._excluded, relative_path, name)

    @staticmethod
    def _matches(globs: re.Pattern[str], relative_path: str, name: str) -> bool:
        """Return True if a glob matches the name of a file or folder, or its path.

        `relative_path` is the path of the folder around it, which is empty or ends with a slash.
        """
        return globs.match(name) is not None or globs.match(f"{relative_path}{name}") is not None


def _list_paths(parts: tuple[str, ...]) -> list[str]:
    """Return the paths of all folders on a path, and the path itself.

    ``("src", "data", "a.fen")`` gives ``["src", "src/data", "src/data/a.fen"]``.
    """
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


def _compile_globs(globs: Iterable[str]) -> re.Pattern[str]:
    """Return one pattern that matches if one of several globs does, such as ``*.md`` or ``build/``.

    A slash at the end of a glob is ignored. Without globs, the pattern matches nothing.
    """
    patterns = [translate(glob.removesuffix("/")) for glob in globs]
    return re.compile("|".join(patterns) or _MATCHES_NOTHING)
