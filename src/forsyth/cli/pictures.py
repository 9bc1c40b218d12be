"""Pictures as files: how something becomes bytes, and where they are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from forsyth.atomic_write import atomic_write
from forsyth.cli.inputs import STANDARD_INPUT
from forsyth.cli.output import Failure


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to write: where to, and how what is drawn becomes its bytes."""

    name: str
    paint: Callable[[Any], bytes]

    def write(self, what: Any) -> None:
        """Draw and write it, to a file that is whole or absent, or to standard output."""
        try:
            data = self.paint(what)
        except ImportError as error:
            raise Failure(str(error)) from error
        if self.name == STANDARD_INPUT:
            click.echo(data, nl=False)
            return
        with atomic_write(self.name) as file:
            file.write(data)
