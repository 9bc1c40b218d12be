"""Counts of what the service did, as Prometheus reads them (text exposition format 0.0.4).

Written: requests by method, route and status; the time they took, in buckets; requests in flight; bytes are
not counted. Routes are templates such as ``/api/v1/library/{id}``, never paths as given: a client must not be
able to make new series. Each worker process counts for itself.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import defaultdict
from typing import Final

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper bounds in seconds: a page waits at most 0.1, anything above 1 is worth a look."""

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
UNMATCHED: Final = "unmatched"

_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class Metrics:
    """What one process has answered so far."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[tuple[str, str, int], int] = defaultdict(int)
        self._buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BUCKETS) + 1))
        self._seconds: dict[str, float] = defaultdict(float)
        self.in_flight = 0

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request that was answered."""
        method = method if method in _METHODS else "OTHER"
        at = bisect_left(BUCKETS, seconds)
        with self._lock:
            self._requests[method, route, status] += 1
            self._buckets[route][at] += 1
            self._seconds[route] += seconds

    def text(self, version: str) -> str:
        """Everything counted, as Prometheus reads it."""
        with self._lock:
            lines = [
                "# HELP forsyth_info The version of the service.",
                "# TYPE forsyth_info gauge",
                f'forsyth_info{{version="{version}"}} 1',
                "# HELP forsyth_requests_in_flight Requests being answered.",
                "# TYPE forsyth_requests_in_flight gauge",
                f"forsyth_requests_in_flight {self.in_flight}",
                "# HELP forsyth_requests_total Requests answered.",
                "# TYPE forsyth_requests_total counter",
                *(
                    f'forsyth_requests_total{{method="{method}",route="{route}",status="{status}"}} {number}'
                    for (method, route, status), number in sorted(self._requests.items())
                ),
                "# HELP forsyth_request_seconds How long requests took.",
                "# TYPE forsyth_request_seconds histogram",
                *(line for route in sorted(self._buckets) for line in self._histogram(route)),
            ]
        return "\n".join(lines) + "\n"

    def _histogram(self, route: str) -> list[str]:
        name, label = "forsyth_request_seconds", f'route="{route}"'
        total = 0
        lines = []
        for bound, number in zip((*map(str, BUCKETS), "+Inf"), self._buckets[route], strict=True):
            total += number
            lines.append(f'{name}_bucket{{{label},le="{bound}"}} {total}')
        return [
            *lines,
            f"{name}_sum{{{label}}} {self._seconds[route]:.6f}",
            f"{name}_count{{{label}}} {total}",
        ]
