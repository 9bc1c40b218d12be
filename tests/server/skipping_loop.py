"""An event loop whose clock a test puts forward, so that no test waits until a limit of time is over."""

from __future__ import annotations

import asyncio


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop with a clock that can be put forward. The timers that are due then run at once."""

    _skipped = 0.0

    def time(self) -> float:
        """Return the seconds of the system's clock and those that were skipped."""
        return super().time() + self._skipped

    def skip(self, seconds: float) -> None:
        """Put the clock forward. Another thread has to go through `call_soon_threadsafe`."""
        self._skipped += seconds
