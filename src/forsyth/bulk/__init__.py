"""Bulk work on millions of positions: from columns of texts to columns of results, as Arrow record batches.

* `arrow`: one function per verb, for arrays.
* `verbs`: the verbs for record batches.
* `jobs`: verbs for files with any number of rows, in constant memory. They use `sources` to read files,
  `sinks` to write them, and `engines` to do the work on this machine or a cluster.
* `polars`, `duckdb`, `ray` and `spark`: the verbs for users of these libraries.

No module here depends on a particular game.

    scan_files(["games.parquet"]).codes
    run_files("key", ["*.csv.gz"], "keys.parquet", game="chess")
    dedupe_files(["evals.parquet"], "best.parquet", rule=Rule("best", "depth"))
    build_index(["games.pgn.zst"], "book")

Errors in a file, its data or the arguments raise `BulkError`. Its message is one sentence with the place of
the error and a remedy. Importing this package without the extra `bulk` raises an `ImportError` that names the
missing package.
"""

try:
    from forsyth.bulk.engines.records import games, positions
    from forsyth.bulk.errors import BulkError
    from forsyth.bulk.index.book import Book, explore
    from forsyth.bulk.index.build import build_index, merge_indexes
    from forsyth.bulk.jobs.dedupe import Rule, dedupe_files
    from forsyth.bulk.jobs.report import Report, write_report
    from forsyth.bulk.jobs.run_files import RunOptions, run_files, scan_files
    from forsyth.bulk.jobs.run_records import RecordReport, run_records, write_epd, write_pgn
    from forsyth.bulk.verbs.verb import Verb
except ModuleNotFoundError as error:
    missing_package = (error.name or "").partition(".")[0]
    if missing_package not in ("pyarrow", "numpy"):
        raise
    raise ImportError(
        f"forsyth.bulk needs {missing_package}: pip install 'forsyth[bulk]'", name=missing_package
    ) from error

__all__ = [
    "Book",
    "BulkError",
    "RecordReport",
    "Report",
    "Rule",
    "RunOptions",
    "Verb",
    "build_index",
    "dedupe_files",
    "explore",
    "games",
    "merge_indexes",
    "positions",
    "run_files",
    "run_records",
    "scan_files",
    "write_epd",
    "write_pgn",
    "write_report",
]
