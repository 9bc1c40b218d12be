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
    """Yield the path of each file to lint. A file that is found several times is yielded once.

    Args:
        paths: Files to lint, and directories to search for such files.
        settings: The setting `include` has the globs of the files in directories to lint, such as ``*.md``.
            The setting `exclude` has the globs of the files and folders to skip.
        on_error: A function that is called with the error if a folder cannot be listed. The search then
            continues. If `on_error` is None, the error is raised.

    Raises:
        FileNotFoundError: If one of `paths` does not exist.
    """
    search = _FileSearch(settings, on_error)
    seen_files: set[str] = set()
    for path in paths:
        path_text = os.fspath(path)
        # Unlike `Path.is_dir`, `stat` raises an error if the path does not exist.
        is_directory = stat.S_ISDIR(Path(path).stat().st_mode)
        files = search.search_directory(path_text) if is_directory else search.select_named_file(path_text)
        for file in files:
            if file not in seen_files:
                seen_files.add(file)
                yield file


class _FileSearch:
    """A search of directories for the files to lint, by the globs in the settings."""

    def __init__(self, settings: Settings, on_error: Callable[[OSError], None] | None) -> None:
        """Create a search with the globs of the settings.

        `on_error` is called with the error if a folder cannot be listed. If it is None, the error is raised.
        """
        self._on_error = on_error
        self._root = os.path.realpath(settings.root)
        self._included = _compile_globs(settings.include)
        self._excluded = _compile_globs(settings.exclude)
        self._excluded_by_default = _compile_globs(DEFAULT_EXCLUDES)

    def select_named_file(self, file: str) -> Iterator[str]:
        """Yield a file that the caller named, or nothing if the setting `exclude` matches it or its folders.

        The setting `include` and the default excludes do not matter here. They apply only to files that are
        found in directories.
        """
        parts = self._make_relative_path(file).parts
        # For src/data/a.fen: src, data and a.fen, then src, src/data and src/data/a.fen.
        names_and_paths = (*parts, *_list_path_prefixes(parts))
        if not any(self._excluded.match(candidate) for candidate in names_and_paths):
            yield file

    def search_directory(self, directory: str) -> Iterator[str]:
        """Yield the files to lint below a directory that the caller named."""
        parts = self._make_relative_path(directory).parts
        path_prefix = "".join(f"{part}/" for part in parts)
        yield from self._search_folders(directory, path_prefix)

    def _search_folders(self, directory: str, path_prefix: str) -> Iterator[str]:
        """Yield the files to lint in a directory, then those in its subfolders, the first subfolder first.

        `path_prefix` is the path of the directory, relative to the folder of the settings, with a slash at
        its end, such as ``src/data/``. It is empty for that folder itself.
        """
        # A list of folders instead of recursion, because folders can be nested thousands of levels deep.
        remaining_folders = [(directory, path_prefix)]
        while remaining_folders:
            folder, prefix = remaining_folders.pop()
            subfolders: list[tuple[str, str]] = []
            for entry in self._list_directory(folder):
                if entry.is_symlink() or self._is_excluded(prefix, entry.name):
                    continue
                if entry.is_dir():
                    subfolders.append((entry.path, f"{prefix}{entry.name}/"))
                elif entry.is_file() and _matches_glob(self._included, prefix, entry.name):
                    yield entry.path.removeprefix(f".{os.sep}")
            # `pop` takes the last folder of the list, so the first subfolder must be the last one there.
            remaining_folders += reversed(subfolders)

    def _list_directory(self, directory: str) -> list[os.DirEntry[str]]:
        """Return the files and folders in a directory, sorted by name.

        If the directory cannot be listed, pass the error to the function `on_error` of `find_files`, and
        return an empty list. Without such a function, raise the error.
        """
        try:
            with os.scandir(directory) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if self._on_error is None:
                raise
            self._on_error(error)
            return []

    def _make_relative_path(self, path: str) -> PurePath:
        """Return a path relative to the folder of the settings, with symbolic links resolved."""
        return PurePath(os.path.relpath(os.path.realpath(path), self._root))

    def _is_excluded(self, path_prefix: str, name: str) -> bool:
        """Return True if a file or folder that was found in a directory is to be skipped.

        Args:
            path_prefix: The path of the folder that contains it, such as ``src/data/``, or an empty text.
            name: The name of the file or folder.
        """
        # The defaults are compared with names found in the search, not with the path of a named directory:
        # a caller who names a hidden folder wants to lint its files.
        is_excluded_by_default = self._excluded_by_default.match(name) is not None
        return is_excluded_by_default or _matches_glob(self._excluded, path_prefix, name)


def _matches_glob(globs: re.Pattern[str], path_prefix: str, name: str) -> bool:
    """Return True if a glob matches the name of a file or folder, or its path.

    Args:
        globs: One or more globs as a regular expression, which `_compile_globs` has returned.
        path_prefix: The path of the folder that contains the file or folder, such as ``src/data/``, or an
            empty text.
        name: The name of the file or folder.
    """
    path = f"{path_prefix}{name}"
    return globs.match(name) is not None or globs.match(path) is not None


def _list_path_prefixes(parts: tuple[str, ...]) -> list[str]:
    """Return the path of each folder around a file, and then the path of the file itself.

    ``("src", "data", "a.fen")`` gives ``["src", "src/data", "src/data/a.fen"]``.
    """
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


def _compile_globs(globs: Iterable[str]) -> re.Pattern[str]:
    """Return a regular expression that matches a text if one of the globs matches it.

    A glob is a text such as ``*.md``. A slash at its end, as in ``build/``, is ignored. Without globs, the
    expression matches nothing.
    """
    expressions = [translate(glob.removesuffix("/")) for glob in globs]
    return re.compile("|".join(expressions) or _MATCHES_NOTHING)
