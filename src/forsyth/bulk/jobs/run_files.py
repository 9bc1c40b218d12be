"""A job from its sources to its target: inspect the input, make the folder, run the engine, join the parts,
report.

`run_files` is every verb on files, `scan_files` the most common one. The target is written whole or not at
all: it appears under its name when everything is done, and an existing file of that name stays until then. A
target that ends with ``/`` is a new directory of parts. To standard output (``-``), a device or a named pipe
rows are written as they come.

Limits: what comes from standard input or a pipe, or goes to one, cannot be resumed, and needs the local
engine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from itertools import accumulate
from typing import Any, Final

import pyarrow as pa

import forsyth
from forsyth import registry
from forsyth.bulk.engines import checkpoints, shard_work
from forsyth.bulk.engines.checkpoints import OneSink, Part, PartFiles
from forsyth.bulk.engines.job import BATCH_ROWS, ROLL_ROWS, ROW, Job, Progress, Tally, cores
from forsyth.bulk.engines.records import numbered
from forsyth.bulk.errors import STANDARD, BulkError
from forsyth.bulk.jobs.inspect_input import Input, look
from forsyth.bulk.jobs.report import Heading, Report, report_of
from forsyth.bulk.sinks import deliver, is_streamed, must_be_free, must_be_written, open_sink
from forsyth.bulk.sources.files import Cells, Compression, Format, detect_format, names_format
from forsyth.bulk.sources.shards import Shard, ShardFiles
from forsyth.bulk.verbs.text_column import column_with
from forsyth.bulk.verbs.verb import Verb
from forsyth.bulk.where import field_path
from forsyth.diagnostics import Mode
from forsyth.game import Columnar, Game

LOCAL: Final = "local"
ENGINES: Final = (LOCAL, "ray", "spark")
_PLANE_BYTES: Final = 16 << 20
"""Tensors of a batch together: a batch of them has as many rows as fit."""

AnyPath = str | os.PathLike[str]
Sources = AnyPath | Sequence[AnyPath]
"""A path, a pattern or a URL, or several."""

Engine = Callable[[Job, Sequence[Shard], Progress | None], Iterable[list[Part]]]
Begin = Callable[[int | None], Progress]
"""Told how many bytes there are to read, where that is known; gives what is told about each step."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a job is done; nothing of it changes what comes out."""

    engine: str = LOCAL
    threads: int | None = None
    """How many batches are worked on at the same time; by default as many as there are cores, on a cluster
    one in each worker."""
    resume: bool = False
    begin: Begin | None = None
    """Called before the work begins, for whoever shows how far it is."""
    begin_counting: Begin | None = None
    """The same before an index counts what was read: with how many parts there are."""
    roll_rows: int = ROLL_ROWS
    batch_rows: int = BATCH_ROWS
    shard_bytes: int | None = None

    def the_threads(self) -> int:
        """The number of threads."""
        return self.threads or (cores() if self.engine == LOCAL else 1)

    def the_engine(self) -> Engine:
        """What gives out the shards; raises `BulkError` where it is not installed."""
        if self.engine == LOCAL:
            return shard_work.run_shards
        if self.engine not in ENGINES:
            raise BulkError(f"there is no engine {self.engine!r}; there are {', '.join(ENGINES)}")
        try:
            found: Engine = import_module(f"forsyth.bulk.{self.engine}").run_shards
        except ImportError as error:
            raise BulkError(
                f"the engine {self.engine} is not installed: pip install 'forsyth[{self.engine}]'"
            ) from error
        return found


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: which verb, on which sources, into which target."""

    verb: str
    sources: Sequence[str] = ()
    target: str | None = None
    game: str | None = None
    variant: str | None = None
    column: str | None = None
    mode: Mode = "default"
    legality: bool | None = None
    options: Mapping[str, str | int | float] = field(default_factory=dict)
    format_in: str | None = None
    format_out: str | None = None
    prefix: str = ""
    """What stands before the names of the columns that the verb writes."""
    select: Sequence[str] = ()
    """The columns that are written, in this order; all where none is named."""
    rows: str | None = None
    """Beside a NumPy file: where the columns and the number of each row go that has a tensor in it."""
    delimiter: str | None = None
    """What stands between the cells of CSV; a comma by default, a tab in TSV."""
    header: bool = True
    """Whether the first line of CSV names the columns."""
    typed: bool = True
    """Whether columns of numbers in CSV are numbers."""

    def look(self, *, packed: bool, whole: bool, way: Way) -> Input:
        """What the sources hold."""
        return look(
            self.sources,
            given=self.format_in,
            cells=Cells(self.delimiter, self.header, self.typed),
            game=self.game,
            variant=self.variant,
            column=self.column,
            packed=packed,
            whole=whole,
            shard_bytes=way.shard_bytes,
        )


def scan_files(sources: Sources, target: AnyPath | None = None, **how: Any) -> Report:
    """What is wrong with the texts of files; with a target its rows, and what was found, are written too."""
    return run_files("scan", sources, target, **how)


def run_files(
    verb: str,
    sources: Sources,
    target: AnyPath | None,
    *,
    way: Way | None = None,
    **asked: Any,
) -> Report:
    """Do a verb to all rows of files and write them to a target; `asked` are the fields of `Request`."""
    return conduct(request_of(verb, sources, target, **asked), way or Way())


def request_of(
    verb: str,
    sources: Sources,
    target: AnyPath | None,
    *,
    game: Game | str | None = None,
    variant: str | None = None,
    **asked: Any,
) -> Request:
    """What a caller asks for: one source stands for itself, a game for its name and variant."""
    listed = [sources] if isinstance(sources, str | os.PathLike) else sources
    if game is not None and not isinstance(game, str):
        known = registry.game(game)
        usual = registry.game(known.name).variant
        game, variant = known.name, variant or (None if known.variant == usual else known.variant)
    unknown = asked.keys() - {one.name for one in fields(Request)}
    if unknown:
        raise BulkError(f"{verb} has no argument {min(unknown)!r}; options of a single verb go into options")
    return Request(
        verb,
        [os.fspath(one) for one in listed],
        None if target is None else os.fspath(target),
        game,
        variant,
        **asked,
    )


def conduct(request: Request, way: Way) -> Report:
    """Do what is asked for."""
    if request.target is None and request.verb != "scan":
        raise BulkError(f"{request.verb} writes rows; name the target with -o")
    found = request.look(packed=request.verb == "unpack", whole=request.target is not None, way=way)
    must_allow(request, found, way)
    job = job_of(request, found, way)
    progress = None if way.begin is None else way.begin(found.total)
    if request.target is None:
        total = collect(parts_of(job, found, way, progress), found.shards)
    elif is_streamed(request.target):
        total = to_stream(request.target, job, found, progress)
    else:
        total = _to_files(request.target, job, found, way, progress)
        if request.rows is not None:
            _to_files(request.rows, rows_job(request, found, way, total), found, way, None)
    return report_of(heading_of(request, found), total.tally, found.shards, total.rows)


# --- what is to be done -----------------------------------------------------------------------------


def must_allow(request: Request, found: Input, way: Way) -> None:
    """Raises `BulkError` for what cannot be done together."""
    streamed = request.target is not None and is_streamed(request.target)
    if way.resume and (found.is_once or request.target is None or streamed):
        raise BulkError("--resume needs files to read and a file to write; name them, the target with -o")
    if way.engine != LOCAL and (found.is_once or streamed):
        raise BulkError(f"the engine {way.engine} reads and writes files; name them, the target with -o")
    if request.target is not None:
        must_be_free(request.target)


def job_of(request: Request, found: Input, way: Way) -> Job:
    """The pass over the input that a request needs; its folder is not known yet."""
    verb = Verb(
        request.verb,
        found.game,
        request.variant,
        found.column,
        request.mode,
        request.legality,
        dict(request.options),
        request.prefix,
    )
    texts = pa.schema([column_with(found.schema, found.column)])
    batch_rows = way.batch_rows
    game = verb.the_game()
    columnar = game if isinstance(game, Columnar) else None
    if request.verb == "features" and (columnar is None or not columnar.feature_list):
        raise BulkError(f"{game.name} has no features; choose another verb")
    if request.verb == "planes":
        if columnar is None or not columnar.plane_shape.size:
            raise BulkError(f"{game.name} has no planes; choose another verb")
        batch_rows = max(1, min(batch_rows, _PLANE_BYTES // columnar.plane_shape.size))
    job = Job(
        found.schema,
        verb,
        None,
        game=found.game,
        kinds=found.kinds,
        roll_rows=way.roll_rows,
        batch_rows=batch_rows,
        threads=way.the_threads(),
    )
    if request.target is None:
        return replace(job, schema=texts, whole=False, counts_only=True)
    form, compression = target_format(request.target, request.format_out, job.result_schema())
    if request.rows is not None:
        must_go_beside(request, found, form)
    if form is Format.NPY and request.verb != "planes":
        raise BulkError("only planes can be written to a NumPy file; choose another format, such as parquet")
    job = selected(replace(job, format=form, compression=compression), request.select)
    if form is Format.NPY:
        return replace(job, schema=texts, whole=False, kept_columns=(f"{verb.prefix}planes",))
    return as_lines(job, request, verb.text_written()) if form is Format.TEXT else job


def selected(job: Job, names: Sequence[str]) -> Job:
    """A job that writes these columns and reads only what it needs; raises `BulkError` for unknown ones."""
    if not names:
        return job
    there = job.result_schema().names
    for name in names:
        if name not in there:
            raise BulkError(f"there is no column {name!r} to select; there are {', '.join(map(repr, there))}")
    if len(set(names)) < len(names):
        raise BulkError("a column is selected twice; name each once")
    asked = [] if job.verb is None else [job.verb.column, *job.verb.columns_asked()]
    needed = {*names, *(_column_of(job.schema, name) for name in asked)}
    schema = pa.schema([one for one in job.schema if one.name in needed], job.schema.metadata)
    return replace(job, schema=schema, whole=False, kept_columns=tuple(names))


def _column_of(schema: pa.Schema, name: str) -> str:
    """The column that a name means, or the name itself where it is none of the data."""
    try:
        return str(schema.field(field_path(schema, name)[0]).name)
    except BulkError:
        return name


def must_go_beside(request: Request, found: Input, form: Format) -> None:
    """Raises `BulkError` where columns cannot be written beside tensors."""
    if form is not Format.NPY or request.rows is None:
        raise BulkError("rows are written beside a NumPy file; other formats hold all columns themselves")
    if is_streamed(request.rows) or found.is_once:
        raise BulkError("rows beside a NumPy file need files to read and a file to write; name them")
    if ROW in found.schema.names:
        raise BulkError(f"the data has a column {ROW!r} already; rename it")
    target_format(request.rows, None, found.schema)
    must_be_free(request.rows)


def rows_job(request: Request, found: Input, way: Way, total: Total) -> Job:
    """The pass that writes the columns and numbers of the rows that have a tensor: those that can be read."""
    # The key says which can be read; its column is for this pass alone.
    prefix = "_" * (1 + max(map(len, found.schema.names)))
    verb = Verb(
        "key", found.game, request.variant, found.column, request.mode, request.legality, prefix=prefix
    )
    form, compression = target_format(str(request.rows), None, found.schema)
    return Job(
        found.schema,
        verb,
        None,
        form,
        compression,
        kept_columns=(*found.schema.names, ROW),
        numbered=tuple(accumulate(total.rows, initial=0)),
        game=found.game,
        kinds=found.kinds,
        roll_rows=way.roll_rows,
        batch_rows=way.batch_rows,
        threads=way.the_threads(),
    )


def as_lines(job: Job, request: Request, column: str | None) -> Job:
    """A job whose target is a file of lines, which holds one column; raises `BulkError` where more is lost.

    The results of the verb are never left out; other columns of the data only where lines were asked for
    explicitly.
    """
    if column is None:
        raise BulkError(
            f"a file of text holds one text a line, and not what {request.verb} writes; "
            "write parquet, csv or jsonl"
        )
    if column not in job.result_schema().names:
        raise BulkError(f"the texts are inside a column ({column}); write parquet, csv or jsonl")
    read = job.verb.column if job.verb is not None else column
    lost = [name for name in job.schema.names if name not in (column, read)]
    if lost and request.format_out is None:
        raise BulkError(
            f"a file of text holds one text a line, and {', '.join(map(repr, lost))} would be lost; write "
            "parquet, csv or jsonl, or ask for lines with --to text (in Python format_out='text')"
        )
    return replace(job, kept_columns=(column,))


def target_format(target: str, given: str | None, schema: pa.Schema) -> tuple[Format, Compression | None]:
    """The format of a target: as given, by its name, or what suits its columns; raises `BulkError`."""
    if given is None and is_streamed(target) and not names_format(target):
        one_text = len(schema) == 1 and pa.types.is_large_string(schema.field(0).type)
        return (Format.TEXT if one_text or schema.names == ["fen"] else Format.JSONL), None
    if given is None and target.endswith("/"):
        return Format.PARQUET, None
    format, compression = detect_format(target.rstrip("/"), given)
    must_be_written(target, format, compression, schema)
    return format, compression


def heading_of(request: Request, found: Input) -> Heading:
    """What was asked for, with what was found out about it."""
    by = request.options.get("by")
    return Heading(
        request.verb,
        found.game,
        request.variant,
        found.detected,
        found.column,
        request.mode,
        tuple(request.sources) or (STANDARD,),
        request.target,
        None if by is None else str(by),
    )


def manifest_of(job: Job, found: Input) -> dict[str, Any]:
    """What must be the same for a job to be resumed."""
    data = job.to_dict()
    # Where the folder stands and how many threads work does not change what comes out.
    asked = {name: value for name, value in data.items() if name not in ("folder", "threads")}
    return {
        "forsyth": forsyth.build_info()["version"],
        "job": asked,
        "sources": [[file.path, file.size, file.stamp] for file in found.files],
        "shards": len(found.shards),
    }


# --- doing it ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class Total:
    """What came of all shards: the tally, the rows of each shard, the files of the parts in order."""

    tally: Tally
    rows: list[int]
    paths: list[str]


def collect(results: Generator[list[Part], None, None], shards: Sequence[Shard]) -> Total:
    """Add up the parts of all shards, in any order in which an engine finishes them."""
    total = Total(Tally(), [], [])
    waiting: dict[int, list[Part]] = {}
    # An engine that is left half-way stops its workers when it is closed, before their folder goes away.
    with closing(results):
        for parts in results:
            waiting[parts[0].shard] = parts
            while (turn := waiting.pop(len(total.rows), None)) is not None:
                tally = sum((part.tally for part in turn), Tally())
                total.tally += tally
                total.rows.append(tally.read)
                total.paths += [part.path for part in turn if part.path is not None]
    if len(total.rows) != len(shards):
        raise BulkError(f"{len(shards) - len(total.rows)} shards were not finished; run it again")
    return total


def parts_of(
    job: Job, found: Input, way: Way, progress: Progress | None
) -> Generator[list[Part], None, None]:
    """Have the engine do a job; the parts of each shard as it is finished."""
    shards = found.shards
    if found.opened is not None:
        output = PartFiles(job, 0, [])
        shard_work.stream(job, ShardFiles(shards[0], found.opened), output, 0, progress)
        yield output.parts
        shards = shards[1:]
    yield from way.the_engine()(job, shards, progress)


def to_stream(target: str, job: Job, found: Input, progress: Progress | None) -> Total:
    """Do a job and write its rows as they come: to standard output, a pipe or a device."""
    rows = []
    with open_sink(target, job.result_schema(), job.format, job.compression) as sink:
        output = OneSink(sink)
        for shard in found.shards:
            before = output.tally.read
            is_opened = found.opened is not None and not shard.number
            source = ShardFiles(shard, found.opened) if is_opened else shard_work.files_of(job, shard)
            numbers = numbered(job, replace(shard, games_before=output.tally.games), output, [])
            shard_work.stream(job, source, numbers, 0, progress)
            rows.append(output.tally.read - before)
    return Total(output.tally, rows, [])


def _to_files(target: str, job: Job, found: Input, way: Way, progress: Progress | None) -> Total:
    with checkpoints.opened(target, manifest_of(job, found), resume=way.resume) as place:
        job = replace(job, folder=str(place.absolute()))
        total = collect(parts_of(job, found, way, progress), found.shards)
        deliver(total.paths, target, job.format, job.compression)
    return total
