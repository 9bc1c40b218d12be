import { useEffect, useMemo, useState, useSyncExternalStore, type DragEvent } from "react";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { FileButton } from "../shell/FileButton";
import { receivedText } from "../shell/handover";
import { Notice } from "../shell/parts";
import { saveAsFile, textOfFile } from "../text/files";
import { getBatch, startBatch, clearBatch, fixAll, MAX_TEXTS, readRemaining, stopTask, subscribe, restoreOriginals, type Batch, type Row } from "./many/batch";
import { Rows } from "./many/Rows";

const ALL = "";
const VALID = "=valid";
const WITH_FINDINGS = "=faulty";

/** The view *Many*: check many texts at once, filter them by finding, repair them, and download them. */
export function Many({ games }: ViewProps) {
  const announce = useAnnounce();
  const current = useSyncExternalStore(subscribe, getBatch);
  const [draft, setDraft] = useState("");
  const [filter, setFilter] = useState(ALL);
  const [isDraggedOver, setIsDraggedOver] = useState(false);

  // A text from another view is read once, even if this view is opened again.
  useEffect(() => {
    const content = receivedText();
    if (content === null || content === lastReceived) return;
    lastReceived = content;
    startBatch(content);
  }, []);

  const startWith = (content: string) => {
    setFilter(ALL);
    startBatch(content);
  };
  const openFile = async (file: File | undefined) => file && startWith(await textOfFile(file));
  const dropArea = {
    onDragOver: (event: DragEvent) => (event.preventDefault(), setIsDraggedOver(true)),
    onDragLeave: () => setIsDraggedOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setIsDraggedOver(false);
      const [file] = event.dataTransfer.files;
      void (file ? openFile(file) : startWith(event.dataTransfer.getData("text/plain")));
    },
  };

  const visibleRows = useMemo(() => current.rows.filter((row) => matchesFilter(row, filter)), [filter, current.rows]);
  useEffect(() => {
    if (!current.activity && current.total && current.rows.length === current.total) announce(summaryOf(current));
  }, [announce, current]);

  if (!current.total) {
    return (
      <div className={`many${isDraggedOver ? " over" : ""}`} {...dropArea}>
        <h1>Many</h1>
        <form
          className="many-form"
          onSubmit={(event) => {
            event.preventDefault();
            startWith(draft);
          }}
        >
          <label>
            One text per line, up to {MAX_TEXTS.toLocaleString("en")}
            <textarea className="record" rows={14} spellCheck={false} value={draft} onChange={(event) => setDraft(event.target.value)} />
          </label>
          <p className="onward">
            <button type="submit" className="primary" disabled={!draft.trim()}>
              Read
            </button>
            <FileButton label="Open a file" onFile={openFile} />
          </p>
          <p className="muted small">You can also drop a file here. Lines of JSON with a text field are accepted too.</p>
        </form>
      </div>
    );
  }

  const withFindingsCount = current.rows.filter((row) => !row.ok || row.codes.length).length;
  const canFix = current.rows.some((row) => row.fixable);
  const hasRepairs = current.rows.some((row) => row.original !== null);
  return (
    <div className={`many${isDraggedOver ? " over" : ""}`} {...dropArea}>
      <header className="many-head">
        <h1>Many</h1>
        <p role="status" data-testid="many-words">
          {summaryOf(current)}
        </p>
      </header>
      <Progress batch={current} />
      {current.error && <Notice onRetry={current.rows.length < current.total ? readRemaining : fixAll}>{current.error} The results so far are kept.</Notice>}
      {current.skippedCount > 0 && <Notice>{current.skippedCount.toLocaleString("en")} lines were skipped. The limit is {MAX_TEXTS.toLocaleString("en")} lines.</Notice>}
      <div className="strip-head">
        <label className="inline-select">
          <span className="sr-only">Show</span>
          <select value={filter} onChange={(event) => setFilter(event.target.value)}>
            <option value={ALL}>All ({current.rows.length.toLocaleString("en")})</option>
            <option value={VALID}>Valid ({current.rows.filter(({ ok }) => ok).length.toLocaleString("en")})</option>
            <option value={WITH_FINDINGS}>With findings ({withFindingsCount.toLocaleString("en")})</option>
            {[...current.codes].sort(([, a], [, b]) => b - a).map(([code, count]) => (
              <option key={code} value={code}>
                {code} ({count.toLocaleString("en")})
              </option>
            ))}
          </select>
        </label>
        {current.activity ? (
          <button type="button" className="quiet" onClick={stopTask}>
            Stop
          </button>
        ) : current.rows.length < current.total ? (
          <button type="button" className="quiet" onClick={readRemaining}>
            Continue
          </button>
        ) : null}
        <button type="button" className="quiet" disabled={Boolean(current.activity) || !canFix} onClick={fixAll}>
          Fix all
        </button>
        <button type="button" className="quiet" disabled={Boolean(current.activity) || !hasRepairs} onClick={restoreOriginals}>
          Undo fixes
        </button>
        <span className="spacer" />
        <button type="button" className="quiet" disabled={!visibleRows.length} onClick={() => saveAsFile(toLines(visibleRows), "positions.txt")}>
          Download texts
        </button>
        <button type="button" className="quiet" disabled={!visibleRows.length} onClick={() => saveAsFile(toJsonLines(visibleRows), "positions.jsonl")}>
          Download table
        </button>
        <button type="button" className="quiet" onClick={clearBatch}>
          Start over
        </button>
      </div>
      <Rows key={filter} rows={visibleRows} games={games} />
    </div>
  );
}

/** The last text that another view passed and that was read. */
let lastReceived: string | null = null;

/** The progress of reading or repairing. Hidden while neither is running. */
function Progress({ batch }: { batch: Batch }) {
  const [done, total] = batch.activity === "fixing" && batch.repaired ? [batch.repaired.done, batch.repaired.count] : [batch.rows.length, batch.total];
  return <progress className="many-progress" aria-label="Progress" value={done} max={total || 1} hidden={!batch.activity} />;
}

/** Report whether a row passes the filter: all, valid, with findings, or the code of a finding. */
function matchesFilter(row: Row, filter: string): boolean {
  if (filter === ALL) return true;
  if (filter === VALID) return row.ok;
  if (filter === WITH_FINDINGS) return !row.ok || row.codes.length > 0;
  return row.codes.includes(filter);
}

/** Summarize the batch: texts read, valid, invalid and repaired. */
function summaryOf({ rows, total, activity, repaired }: Batch): string {
  const valid = rows.filter(({ ok }) => ok).length;
  const count = (number: number) => number.toLocaleString("en");
  const read = rows.length < total ? `${count(rows.length)} of ${count(total)} read` : `${count(total)} ${total === 1 ? "text" : "texts"}`;
  const parts = [read, `${count(valid)} valid`, `${count(rows.length - valid)} invalid`];
  if (repaired) parts.push(activity === "fixing" ? `repairing, ${count(repaired.done)} of ${count(repaired.count)}` : `${count(repaired.changed)} repaired`);
  return `${parts.join(", ")}.`;
}

/** Return the texts, one per line. */
function toLines(rows: readonly Row[]): string {
  return rows.map(({ text }) => `${text}\n`).join("");
}

/** Return the rows as JSON lines. */
function toJsonLines(rows: readonly Row[]): string {
  return rows.map(({ line, text, original, game, ok, codes }) => `${JSON.stringify({ line, text, given: original ?? text, game, ok, codes })}\n`).join("");
}
