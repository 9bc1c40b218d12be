"""Positions by the million: columns of texts in, columns of facts out, as streams of Arrow record batches.

Three layers, each on the one below. `arrow` has a function for each verb over arrays; `verbs` says what is to
be done with every record batch; `jobs` and `dedupe` do that to files of any number of rows, in constant
memory, on this machine or on the workers of a cluster. The room knows no game by name.

    scan_files(["games.parquet"]).codes
    run_files("key", ["*.csv.gz"], "keys.parquet", game="chess")
    dedupe_files(["evals.parquet"], "best.parquet", rule=Rule("best", "depth"))

Whatever is wrong with a file, its data or what was asked for is a `BulkError`: one sentence with the place
and a remedy. Without the extra `bulk` the import itself says what to install."""

try:
    from forsyth.bulk.dedupe import Rule, dedupe_files
    from forsyth.bulk.errors import BulkError
    from forsyth.bulk.jobs import Way, run_files, scan_files
    from forsyth.bulk.report import Report, write_report
    from forsyth.bulk.verbs import Verb
except ModuleNotFoundError as error:
    needed = (error.name or "").partition(".")[0]
    if needed not in ("pyarrow", "numpy"):
        raise
    raise ImportError(f"forsyth.bulk needs {needed}: pip install 'forsyth[bulk]'", name=needed) from error

__all__ = [
    "BulkError",
    "Report",
    "Rule",
    "Verb",
    "Way",
    "dedupe_files",
    "run_files",
    "scan_files",
    "write_report",
]
