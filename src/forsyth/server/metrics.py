"""Count requests, for Prometheus (text exposition format 0.0.4).

The metrics are: requests by method, route and status; their duration, in buckets; requests in flight. Bytes
are not counted. A route is a template such as ``/api/v1/library/{id}``, never a path that a client sent, so
that a client cannot create new series. Each worker process counts for itself.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import defaultdict
from typing import Final

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper bounds of the buckets in seconds. A page waits at most 0.1 s; more than 1 s is unusual."""

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
UNMATCHED: Final = "unmatched"
"""Route name for all paths that match no route."""

_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class Metrics:
    """Counters of the requests that one process has answered."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[tuple[str, str, int], int] = defaultdict(int)
        self._buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BUCKETS) + 1))
        self._seconds: dict[str, float] = defaultdict(float)
        self.in_flight = 0

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request.

        Args:
            method: HTTP method. Unknown methods are counted together, so that a client cannot invent series.
            route: Path template, such as ``/api/v1/library/{id}``.
            status: HTTP status of the response.
            seconds: Time until the response was complete.
        """
        method_label = method if method in _METHODS else "OTHER"
        # The first bucket whose upper bound is not exceeded, or the last one, which has no upper bound.
        bucket_index = bisect_left(BUCKETS, seconds)
        with self._lock:
            self._requests[method_label, route, status] += 1
            self._buckets[route][bucket_index] += 1
            self._seconds[route] += seconds

    def text(self, version: str) -> str:
        """Return all metrics in the text format of Prometheus; `version` is that of the service."""
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
            ]
            for (method, route, status), count in sorted(self._requests.items()):
                labels = f'method="{method}",route="{route}",status="{status}"'
                lines.append(f"forsyth_requests_total{{{labels}}} {count}")
            lines += [
                "# HELP forsyth_request_seconds How long requests took.",
                "# TYPE forsyth_request_seconds histogram",
            ]
            for route in sorted(self._buckets):
                lines += self._histogram_lines(route)
        return "\n".join(lines) + "\n"

    def _histogram_lines(self, route: str) -> list[str]:
        """Return the durations of the requests of one route as the lines of a Prometheus histogram.

        The line of a bucket contains the number of requests that took at most its upper bound in seconds. Two
        lines follow: the sum of all durations, and the number of all requests.
        """
        metric = "forsyth_request_seconds"
        label = f'route="{route}"'
        upper_bounds = (*map(str, BUCKETS), "+Inf")
        lines = []
        total = 0
        for upper_bound, count in zip(upper_bounds, self._buckets[route], strict=True):
            total += count
            lines.append(f'{metric}_bucket{{{label},le="{upper_bound}"}} {total}')
        lines.append(f"{metric}_sum{{{label}}} {self._seconds[route]:.6f}")
        lines.append(f"{metric}_count{{{label}}} {total}")
        return lines
