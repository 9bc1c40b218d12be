/**
 * The batch of the view *Many*: texts and their results. It stays in memory while the visitor uses other views.
 *
 * Browsers send a whole request before they read the answer, so the texts are sent in several requests. The answers of
 * each request are streamed. After a failure, reading continues with the first text that has no result.
 */

import { api, isAbort, errorMessage } from "../../api/client";
import type { CheckedLine } from "../../api/types";

/** Maximum number of texts in a batch. */
export const MAX_TEXTS = 100_000;
/** Maximum number of texts in one request. */
const MAX_REQUEST_TEXTS = 500;
/** Length of the texts of one request, in characters. The last text may exceed it. */
const MAX_REQUEST_CHARACTERS = 100_000;
/** Minimum time between two updates of the list while answers arrive, in milliseconds. */
const MIN_UPDATE_INTERVAL = 150;

/** A text and its result. */
export interface Row {
  line: number;
  text: string;
  /** The original text if the text was repaired, else null. */
  original: string | null;
  game: string | null;
  ok: boolean;
  errors: number;
  warnings: number;
  codes: string[];
  fixable: boolean;
}

/** The state that the view shows. */
export interface Batch {
  rows: readonly Row[];
  total: number;
  /** Number of lines beyond the maximum, which are skipped. */
  skippedCount: number;
  activity: "" | "reading" | "fixing";
  /** The progress of repairing: texts done, texts in all, texts changed. */
  repaired: { done: number; count: number; changed: number } | null;
  error: string;
  /** Number of texts by the code of a finding. */
  codes: ReadonlyMap<string, number>;
}

const EMPTY_BATCH: Batch = { rows: [], total: 0, skippedCount: 0, activity: "", repaired: null, error: "", codes: new Map() };

let texts: { line: number; text: string }[] = [];
let rows: Row[] = [];
let currentBatch: Batch = EMPTY_BATCH;
let controller: AbortController | null = null;
let lastUpdateAt = 0;
const listeners = new Set<() => void>();

/** Call `listener` after each change of the batch. Return a function that removes it. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Return the current state. */
export function getBatch(): Batch {
  return currentBatch;
}

/** Change the state and notify the listeners. */
function updateBatch(change: Partial<Batch>): void {
  currentBatch = { ...currentBatch, ...change };
  for (const listener of listeners) listener();
}

/** Replace the batch by the lines of `content`, and read them. */
export function startBatch(content: string): void {
  stopTask();
  const lines = content.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const nonBlank = lines.flatMap((line, index) => (line.trim() ? [{ line: index + 1, text: unwrapJson(line.trim()) }] : []));
  texts = nonBlank.slice(0, MAX_TEXTS);
  rows = [];
  currentBatch = { ...EMPTY_BATCH, total: texts.length, skippedCount: nonBlank.length - texts.length };
  void readRemaining();
}

/** Return the text of a line that is a JSON string or a JSON object with a `text`, else the line itself. */
function unwrapJson(line: string): string {
  if (!line.startsWith('"') && !line.startsWith("{")) return line;
  try {
    const value = JSON.parse(line) as string | { text?: unknown };
    const text = typeof value === "string" ? value : value.text;
    return typeof text === "string" ? text : line;
  } catch {
    return line;
  }
}

/** Read the texts that have no result yet. */
export async function readRemaining(): Promise<void> {
  await runTask("reading", async (signal) => {
    while (rows.length < texts.length) {
      const chunk = takeChunk(texts, rows.length, ({ text }) => text);
      for await (const answers of api.checkAll(chunk.map(({ text }) => text), {}, signal)) {
        for (const answer of answers) {
          const source = texts[rows.length];
          if (source) rows.push(rowOf(source.line, answer, null));
        }
        publish();
      }
    }
  });
}

/** Repair every text that has findings, and read it again. */
export async function fixAll(): Promise<void> {
  const indices = rows.flatMap((row, index) => (row.fixable || !row.ok ? [index] : []));
  const repaired = { done: 0, count: indices.length, changed: 0 };
  updateBatch({ repaired });
  await runTask("fixing", async (signal) => {
    while (repaired.done < indices.length) {
      const chunk = takeChunk(indices, repaired.done, (index) => rows[index]?.text ?? "");
      repaired.changed += await fixChunk(chunk, signal);
      repaired.done += chunk.length;
      publish({ repaired: { ...repaired } });
    }
  });
}

/** Repair the rows with the indices `chunk`, all at once when every answer is there. Return the number of changed texts. */
async function fixChunk(chunk: readonly number[], signal: AbortSignal): Promise<number> {
  const fixed: (string | null)[] = [];
  for await (const answers of api.fixAll(chunk.map((index) => rows[index]?.text ?? ""), {}, signal)) {
    for (const answer of answers) fixed.push(answer.fixed);
  }
  const changed = chunk.flatMap((index, position) => {
    const text = fixed[position];
    return text && text !== rows[index]?.text ? [{ index, text }] : [];
  });
  if (!changed.length) return 0;
  const read: CheckedLine[] = [];
  for await (const answers of api.checkAll(changed.map(({ text }) => text), {}, signal)) read.push(...answers);
  changed.forEach(({ index }, position) => {
    const [row, answer] = [rows[index], read[position]];
    if (row && answer) rows[index] = rowOf(row.line, answer, row.original ?? row.text);
  });
  return changed.length;
}

/** Restore the original of every repaired text, and read it again. */
export async function restoreOriginals(): Promise<void> {
  const indices = rows.flatMap((row, index) => (row.original === null ? [] : [index]));
  await runTask("fixing", async (signal) => {
    let done = 0;
    while (done < indices.length) {
      const chunk = takeChunk(indices, done, (index) => rows[index]?.original ?? "");
      const read: CheckedLine[] = [];
      for await (const answers of api.checkAll(chunk.map((index) => rows[index]?.original ?? ""), {}, signal)) read.push(...answers);
      chunk.forEach((index, position) => {
        const [row, answer] = [rows[index], read[position]];
        if (row && answer) rows[index] = rowOf(row.line, answer, null);
      });
      done += chunk.length;
      publish();
    }
    updateBatch({ repaired: null });
  });
}

/** Abort reading or repairing. The results so far stay. */
export function stopTask(): void {
  controller?.abort();
  controller = null;
  if (currentBatch.activity) publish({ activity: "" });
}

/** Remove all texts and results. */
export function clearBatch(): void {
  stopTask();
  texts = [];
  rows = [];
  updateBatch(EMPTY_BATCH);
}

/** Run `task`, abort any earlier task, and store the error if `task` fails. */
async function runTask(activity: "reading" | "fixing", task: (signal: AbortSignal) => Promise<void>): Promise<void> {
  controller?.abort();
  const ownController = new AbortController();
  controller = ownController;
  updateBatch({ activity, error: "" });
  try {
    await task(ownController.signal);
    if (controller === ownController) publish({ activity: "" });
  } catch (error) {
    if (controller === ownController && !isAbort(error)) publish({ activity: "", error: errorMessage(error) });
  }
}

/** Return the items from index `from` that fit into one request, at least one. */
function takeChunk<T>(items: readonly T[], from: number, textOf: (item: T) => string): T[] {
  let characters = 0;
  let end = from;
  while (end < items.length && end - from < MAX_REQUEST_TEXTS && (end === from || characters < MAX_REQUEST_CHARACTERS)) {
    characters += textOf(items[end] as T).length;
    end += 1;
  }
  return items.slice(from, end);
}

/** Build a row from the service's answer. */
function rowOf(line: number, answer: CheckedLine, original: string | null): Row {
  const errors = answer.diagnostics.filter(({ severity }) => severity === "error").length;
  return {
    line,
    text: answer.text,
    original,
    game: answer.game,
    ok: answer.ok,
    errors,
    warnings: answer.diagnostics.length - errors,
    codes: [...new Set(answer.diagnostics.map(({ code }) => code))],
    fixable: answer.diagnostics.some(({ fix }) => fix),
  };
}

/** Publish the rows and `changes`. Without changes, skip the update if the last one was a moment ago. */
function publish(changes: Partial<Batch> = {}): void {
  const now = performance.now();
  if (!Object.keys(changes).length && now - lastUpdateAt < MIN_UPDATE_INTERVAL) return;
  lastUpdateAt = now;
  const codeCounts = new Map<string, number>();
  for (const row of rows) for (const code of row.codes) codeCounts.set(code, (codeCounts.get(code) ?? 0) + 1);
  updateBatch({ rows: [...rows], codes: codeCounts, ...changes });
}
