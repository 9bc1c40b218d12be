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
    """Counters of the requests that one process has answered, and of those in flight."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Number of requests by method, route and status.
        self._request_counts: dict[tuple[str, str, int], int] = defaultdict(int)
        # Number of requests in each bucket of durations, by route. The last bucket has no upper bound.
        self._bucket_counts: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BUCKETS) + 1))
        # Sum of the durations in seconds, by route.
        self._total_seconds: dict[str, float] = defaultdict(float)
        self.in_flight = 0

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
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
            self._request_counts[method_label, route, status] += 1
            self._bucket_counts[route][bucket_index] += 1
            self._total_seconds[route] += seconds

    def format_metrics(self, version: str) -> str:
        """Return all metrics in the text format of Prometheus.

        `version` is the version of the service.
        """
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
            for (method, route, status), count in sorted(self._request_counts.items()):
                labels = f'method="{method}",route="{route}",status="{status}"'
                lines.append(f"forsyth_requests_total{{{labels}}} {count}")
            lines += [
                "# HELP forsyth_request_seconds How long requests took.",
                "# TYPE forsyth_request_seconds histogram",
            ]
            for route in sorted(self._bucket_counts):
                lines += self._format_histogram(route)
        return "\n".join(lines) + "\n"

    def _format_histogram(self, route: str) -> list[str]:
        """Return the durations of the requests of one route as the lines of a Prometheus histogram.

        Each line but the last two contains the number of requests that took at most a number of seconds, such
        as ``..._bucket{route="/p",le="0.5"} 7``. The last two contain the sum of all durations and the number
        of all requests.
        """
        metric = "forsyth_request_seconds"
        label = f'route="{route}"'
        upper_bounds = (*map(str, BUCKETS), "+Inf")
        lines = []
        # The counts of a Prometheus histogram are cumulative.
        request_count = 0
        for upper_bound, bucket_count in zip(upper_bounds, self._bucket_counts[route], strict=True):
            request_count += bucket_count
            lines.append(f'{metric}_bucket{{{label},le="{upper_bound}"}} {request_count}')
        lines.append(f"{metric}_sum{{{label}}} {self._total_seconds[route]:.6f}")
        lines.append(f"{metric}_count{{{label}}} {request_count}")
        return lines
