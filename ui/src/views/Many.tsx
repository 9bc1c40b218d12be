import { useEffect, useMemo, useState, useSyncExternalStore, type DragEvent } from "react";
import { useAnnounce } from "../shell/Announcer";
import type { ViewProps } from "../shell/App";
import { FileButton } from "../shell/FileButton";
import { handed } from "../shell/handover";
import { Notice } from "../shell/parts";
import { saveAsFile, textOfFile } from "../text/files";
import { batch, begin, clear, fixAll, MOST_TEXTS, read, stop, subscribe, unfix, type Batch, type Row } from "./many/batch";
import { Rows } from "./many/Rows";

const ALL = "";
const VALID = "=valid";
const FAULTY = "=faulty";

/** Many texts at once: verdicts as they come, those of one code, repairs, files. */
export function Many({ games }: ViewProps) {
  const announce = useAnnounce();
  const now = useSyncExternalStore(subscribe, batch);
  const [draft, setDraft] = useState("");
  const [filter, setFilter] = useState(ALL);
  const [over, setOver] = useState(false);

  // What another view handed over is read once, though the view be opened again.
  useEffect(() => {
    const words = handed();
    if (words === null || words === taken) return;
    taken = words;
    begin(words);
  }, []);

  const take = (words: string) => {
    setFilter(ALL);
    begin(words);
  };
  const takeFile = async (file: File | undefined) => file && take(await textOfFile(file));
  const dropArea = {
    onDragOver: (event: DragEvent) => (event.preventDefault(), setOver(true)),
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer.files;
      void (file ? takeFile(file) : take(event.dataTransfer.getData("text/plain")));
    },
  };

  const shown = useMemo(() => now.rows.filter((row) => fits(row, filter)), [filter, now.rows]);
  useEffect(() => {
    if (!now.doing && now.total && now.rows.length === now.total) announce(wordsOf(now));
  }, [announce, now]);

  if (!now.total) {
    return (
      <div className={`many${over ? " over" : ""}`} {...dropArea}>
        <h1>Many</h1>
        <form
          className="many-form"
          onSubmit={(event) => {
            event.preventDefault();
            take(draft);
          }}
        >
          <label>
            One text per line, up to {MOST_TEXTS.toLocaleString("en")}
            <textarea className="record" rows={14} spellCheck={false} value={draft} onChange={(event) => setDraft(event.target.value)} />
          </label>
          <p className="onward">
            <button type="submit" className="primary" disabled={!draft.trim()}>
              Read
            </button>
            <FileButton label="Open a file" onFile={takeFile} />
          </p>
          <p className="muted small">A file can be dropped here too. JSON lines with a text are read as well.</p>
        </form>
      </div>
    );
  }

  const faulty = now.rows.filter((row) => !row.ok || row.codes.length).length;
  const fixable = now.rows.some((row) => row.fixable);
  const repaired = now.rows.some((row) => row.given !== null);
  return (
    <div className={`many${over ? " over" : ""}`} {...dropArea}>
      <header className="many-head">
        <h1>Many</h1>
        <p role="status" data-testid="many-words">
          {wordsOf(now)}
        </p>
      </header>
      <Progress now={now} />
      {now.error && <Notice onRetry={now.rows.length < now.total ? read : fixAll}>{now.error} What was read stays.</Notice>}
      {now.leftOut > 0 && <Notice>{now.leftOut.toLocaleString("en")} further lines were left out: {MOST_TEXTS.toLocaleString("en")} are the most.</Notice>}
      <div className="strip-head">
        <label className="inline-select">
          <span className="sr-only">Show</span>
          <select value={filter} onChange={(event) => setFilter(event.target.value)}>
            <option value={ALL}>All ({now.rows.length.toLocaleString("en")})</option>
            <option value={VALID}>Valid ({now.rows.filter(({ ok }) => ok).length.toLocaleString("en")})</option>
            <option value={FAULTY}>With findings ({faulty.toLocaleString("en")})</option>
            {[...now.codes].sort(([, a], [, b]) => b - a).map(([code, count]) => (
              <option key={code} value={code}>
                {code} ({count.toLocaleString("en")})
              </option>
            ))}
          </select>
        </label>
        {now.doing ? (
          <button type="button" className="quiet" onClick={stop}>
            Stop
          </button>
        ) : now.rows.length < now.total ? (
          <button type="button" className="quiet" onClick={read}>
            Go on
          </button>
        ) : null}
        <button type="button" className="quiet" disabled={Boolean(now.doing) || !fixable} onClick={fixAll}>
          Fix all
        </button>
        <button type="button" className="quiet" disabled={Boolean(now.doing) || !repaired} onClick={unfix}>
          Undo fixes
        </button>
        <span className="spacer" />
        <button type="button" className="quiet" disabled={!shown.length} onClick={() => saveAsFile(textsOf(shown), "positions.txt")}>
          Download texts
        </button>
        <button type="button" className="quiet" disabled={!shown.length} onClick={() => saveAsFile(tableOf(shown), "positions.jsonl")}>
          Download table
        </button>
        <button type="button" className="quiet" onClick={clear}>
          Start over
        </button>
      </div>
      <Rows key={filter} rows={shown} games={games} />
    </div>
  );
}

/** The text that was last handed over and read. */
let taken: string | null = null;

function Progress({ now }: { now: Batch }) {
  const [done, of] = now.doing === "fixing" && now.repaired ? [now.repaired.done, now.repaired.of] : [now.rows.length, now.total];
  return <progress className="many-progress" aria-label="Progress" value={done} max={of || 1} hidden={!now.doing} />;
}

function fits(row: Row, filter: string): boolean {
  if (filter === ALL) return true;
  if (filter === VALID) return row.ok;
  if (filter === FAULTY) return !row.ok || row.codes.length > 0;
  return row.codes.includes(filter);
}

function wordsOf({ rows, total, doing, repaired }: Batch): string {
  const valid = rows.filter(({ ok }) => ok).length;
  const count = (number: number) => number.toLocaleString("en");
  const read = rows.length < total ? `${count(rows.length)} of ${count(total)} read` : `${count(total)} ${total === 1 ? "text" : "texts"}`;
  const said = [read, `${count(valid)} valid`, `${count(rows.length - valid)} not`];
  if (repaired) said.push(doing === "fixing" ? `repairing, ${count(repaired.done)} of ${count(repaired.of)}` : `${count(repaired.changed)} repaired`);
  return `${said.join(", ")}.`;
}

function textsOf(rows: readonly Row[]): string {
  return rows.map(({ text }) => `${text}\n`).join("");
}

function tableOf(rows: readonly Row[]): string {
  return rows.map(({ line, text, given, game, ok, codes }) => `${JSON.stringify({ line, text, given: given ?? text, game, ok, codes })}\n`).join("");
}
