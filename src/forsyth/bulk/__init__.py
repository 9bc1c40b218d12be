"""Positions by the million: columns of texts in, columns of facts out, as streams of Arrow record batches.

`arrow` has a function for each verb over arrays; `verbs` say what is done with every record batch; `jobs` do
that to files of any number of rows, in constant memory: `sources` read them, `sinks` write them, `engines` do
the work here or on a cluster. `polars`, `duckdb`, `ray` and `spark` give the verbs to those libraries. No
game is known by name.

    scan_files(["games.parquet"]).codes
    run_files("key", ["*.csv.gz"], "keys.parquet", game="chess")
    dedupe_files(["evals.parquet"], "best.parquet", rule=Rule("best", "depth"))
    build_index(["games.pgn.zst"], "book")

Everything that is wrong with a file, its data or the request is a `BulkError`: one sentence with the place
and a remedy. Without the extra `bulk` the import says what to install."""

try:
    from forsyth.bulk.engines.records import games, positions
    from forsyth.bulk.errors import BulkError
    from forsyth.bulk.index.book import Book, explore
    from forsyth.bulk.index.build import build_index, merge_indexes
    from forsyth.bulk.jobs.dedupe import Rule, dedupe_files
    from forsyth.bulk.jobs.report import Report, write_report
    from forsyth.bulk.jobs.run_files import Way, run_files, scan_files
    from forsyth.bulk.jobs.run_records import RecordReport, run_records, write_epd, write_pgn
    from forsyth.bulk.verbs.verb import Verb
except ModuleNotFoundError as error:
    needed = (error.name or "").partition(".")[0]
    if needed not in ("pyarrow", "numpy"):
        raise
    raise ImportError(f"forsyth.bulk needs {needed}: pip install 'forsyth[bulk]'", name=needed) from error

__all__ = [
    "Book",
    "BulkError",
    "RecordReport",
    "Report",
    "Rule",
    "Verb",
    "Way",
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
