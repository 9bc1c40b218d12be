"""Finding the files to lint: those that are named, and those of directories.

Accepts: files, each of which is taken unless `exclude` matches it, and directories, of which those files are
taken that `include` matches, in the order of their names, except links and what the defaults leave out.

A glob is compared with the path from the folder of the settings and with every folder and file name on it;
``*`` matches slashes too. Files of ``.gitignore`` are not read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from fnmatch import translate
from pathlib import Path, PurePath
from re import Pattern
from re import compile as pattern

from forsyth.lint.settings import EXCLUDED, Settings


def find_files(
    paths: Iterable[str | Path], settings: Settings, on_error: Callable[[OSError], None] | None = None
) -> Iterator[str]:
    """The files to lint, each once; raises `FileNotFoundError` for a path that does not exist.

    A folder that cannot be listed raises too, unless `on_error` takes the error: then the walk goes on.
    """
    walker = _Walker(settings, on_error)
    seen: set[str] = set()
    for path in paths:
        name = os.fspath(path)
        is_directory = stat.S_ISDIR(Path(path).stat().st_mode)
        for file in walker.walk(name) if is_directory else walker.named(name):
            if file not in seen:
                seen.add(file)
                yield file


class _Walker:
    """Walks directories as settings say."""

    def __init__(self, settings: Settings, on_error: Callable[[OSError], None] | None) -> None:
        self._on_error = on_error
        self._root = os.path.realpath(settings.root)
        self._included = _any_of(settings.include)
        self._excluded = _any_of(settings.exclude)
        self._never = _any_of(EXCLUDED)

    def named(self, file: str) -> Iterator[str]:
        """A file that was named, unless it or a folder that it is in is left out."""
        parts = self._relative(file).parts
        if not any(self._excluded.match(one) for one in (*parts, *_paths(parts))):
            yield file

    def walk(self, top: str) -> Iterator[str]:
        """The files below a directory."""
        yield from self._below(top, "".join(f"{part}/" for part in self._relative(top).parts))

    def _below(self, directory: str, base: str) -> Iterator[str]:
        folders: list[os.DirEntry[str]] = []
        for entry in self._listed(directory):
            if entry.is_symlink() or self._is_left_out(base, entry.name):
                continue
            if entry.is_dir():
                folders.append(entry)
            elif entry.is_file() and self._matches(self._included, base, entry.name):
                yield entry.path.removeprefix(f".{os.sep}")
        for folder in folders:
            yield from self._below(folder.path, f"{base}{folder.name}/")

    def _listed(self, directory: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(directory) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if self._on_error is None:
                raise
            self._on_error(error)
            return []

    def _relative(self, path: str) -> PurePath:
        return PurePath(os.path.relpath(os.path.realpath(path), self._root))

    def _is_left_out(self, base: str, name: str) -> bool:
        # The defaults are names alone: whoever names a hidden folder wants what is in it.
        return self._never.match(name) is not None or self._matches(self._excluded, base, name)

    @staticmethod
    def _matches(globs: Pattern[str], base: str, name: str) -> bool:
        return globs.match(name) is not None or globs.match(f"{base}{name}") is not None


def _paths(parts: tuple[str, ...]) -> list[str]:
    """The paths of the folders on a path, and of the path itself."""
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


def _any_of(globs: Iterable[str]) -> Pattern[str]:
    return pattern("|".join(translate(glob.removesuffix("/")) for glob in globs) or r"(?!)")
