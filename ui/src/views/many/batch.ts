/**
 * Many texts and what is known of each: read part by part, and kept while the visitor looks at other views.
 *
 * A browser sends a whole request before it reads the answer; so the texts go in parts, and of each part the answers are
 * taken as they come. What a failure leaves unread stays, and reading goes on from there.
 */

import { api, isAbort, sentence } from "../../api/client";
import type { Checked } from "../../api/types";

export const MOST_TEXTS = 100_000;
/** Texts of one request, and how long they may be together. */
const PART = 500;
const PART_LETTERS = 100_000;
/** How long the list stays as it is while answers come, in milliseconds. */
const PAUSE = 150;

export interface Row {
  line: number;
  text: string;
  /** The text as it was given, where it was repaired. */
  given: string | null;
  game: string | null;
  ok: boolean;
  errors: number;
  warnings: number;
  codes: string[];
  fixable: boolean;
}

export interface Batch {
  rows: readonly Row[];
  total: number;
  /** Lines beyond the most that are taken. */
  leftOut: number;
  doing: "" | "reading" | "fixing";
  /** How many of those that are to be repaired were. */
  repaired: { done: number; of: number; changed: number } | null;
  error: string;
  codes: ReadonlyMap<string, number>;
}

const NOTHING: Batch = { rows: [], total: 0, leftOut: 0, doing: "", repaired: null, error: "", codes: new Map() };

let texts: { line: number; text: string }[] = [];
let rows: Row[] = [];
let now: Batch = NOTHING;
let control: AbortController | null = null;
let shownAt = 0;
const listeners = new Set<() => void>();

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function batch(): Batch {
  return now;
}

function tell(change: Partial<Batch>): void {
  now = { ...now, ...change };
  for (const listener of listeners) listener();
}

/** Take the lines of a text in place of those before, and read them. */
export function begin(words: string): void {
  stop();
  const lines = words.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const found = lines.flatMap((line, index) => (line.trim() ? [{ line: index + 1, text: unquoted(line.trim()) }] : []));
  texts = found.slice(0, MOST_TEXTS);
  rows = [];
  now = { ...NOTHING, total: texts.length, leftOut: found.length - texts.length };
  void read();
}

/** The text of a line of JSON, as batches have it; any other line is its own text. */
function unquoted(line: string): string {
  if (!line.startsWith('"') && !line.startsWith("{")) return line;
  try {
    const value = JSON.parse(line) as string | { text?: unknown };
    const text = typeof value === "string" ? value : value.text;
    return typeof text === "string" ? text : line;
  } catch {
    return line;
  }
}

/** Read what is not read yet. */
export async function read(): Promise<void> {
  await attempt("reading", async (signal) => {
    while (rows.length < texts.length) {
      const part = partFrom(texts, rows.length, ({ text }) => text);
      for await (const answers of api.checkAll(part.map(({ text }) => text), {}, signal)) {
        for (const answer of answers) {
          const source = texts[rows.length];
          if (source) rows.push(rowOf(source.line, answer, null));
        }
        show();
      }
    }
  });
}

/** Repair every text that has findings, and read it again. */
export async function fixAll(): Promise<void> {
  const wanted = rows.flatMap((row, index) => (row.fixable || !row.ok ? [index] : []));
  const repaired = { done: 0, of: wanted.length, changed: 0 };
  tell({ repaired });
  await attempt("fixing", async (signal) => {
    while (repaired.done < wanted.length) {
      const part = partFrom(wanted, repaired.done, (index) => rows[index]?.text ?? "");
      repaired.changed += await fixPart(part, signal);
      repaired.done += part.length;
      show({ repaired: { ...repaired } });
    }
  });
}

/** Repair some rows; they are changed together, when all of them are known. */
async function fixPart(part: readonly number[], signal: AbortSignal): Promise<number> {
  const fixed: (string | null)[] = [];
  for await (const answers of api.fixAll(part.map((index) => rows[index]?.text ?? ""), {}, signal)) {
    for (const answer of answers) fixed.push(answer.fixed);
  }
  const better = part.flatMap((index, at) => {
    const text = fixed[at];
    return text && text !== rows[index]?.text ? [{ index, text }] : [];
  });
  if (!better.length) return 0;
  const read: Checked[] = [];
  for await (const answers of api.checkAll(better.map(({ text }) => text), {}, signal)) read.push(...answers);
  better.forEach(({ index }, at) => {
    const [row, answer] = [rows[index], read[at]];
    if (row && answer) rows[index] = rowOf(row.line, answer, row.given ?? row.text);
  });
  return better.length;
}

/** Put every repaired text back as it was given, and read those again. */
export async function unfix(): Promise<void> {
  const wanted = rows.flatMap((row, index) => (row.given === null ? [] : [index]));
  await attempt("fixing", async (signal) => {
    let done = 0;
    while (done < wanted.length) {
      const part = partFrom(wanted, done, (index) => rows[index]?.given ?? "");
      const read: Checked[] = [];
      for await (const answers of api.checkAll(part.map((index) => rows[index]?.given ?? ""), {}, signal)) read.push(...answers);
      part.forEach((index, at) => {
        const [row, answer] = [rows[index], read[at]];
        if (row && answer) rows[index] = rowOf(row.line, answer, null);
      });
      done += part.length;
      show();
    }
    tell({ repaired: null });
  });
}

export function stop(): void {
  control?.abort();
  control = null;
  if (now.doing) show({ doing: "" });
}

export function clear(): void {
  stop();
  texts = [];
  rows = [];
  tell(NOTHING);
}

async function attempt(doing: "reading" | "fixing", work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  control?.abort();
  const own = new AbortController();
  control = own;
  tell({ doing, error: "" });
  try {
    await work(own.signal);
    if (control === own) show({ doing: "" });
  } catch (error) {
    if (control === own && !isAbort(error)) show({ doing: "", error: sentence(error) });
  }
}

/** As many as fit into one request. */
function partFrom<T>(items: readonly T[], from: number, textOf: (item: T) => string): T[] {
  let letters = 0;
  let end = from;
  while (end < items.length && end - from < PART && (end === from || letters < PART_LETTERS)) {
    letters += textOf(items[end] as T).length;
    end += 1;
  }
  return items.slice(from, end);
}

function rowOf(line: number, answer: Checked, given: string | null): Row {
  const errors = answer.diagnostics.filter(({ severity }) => severity === "error").length;
  return {
    line,
    text: answer.text,
    given,
    game: answer.game,
    ok: answer.ok,
    errors,
    warnings: answer.diagnostics.length - errors,
    codes: [...new Set(answer.diagnostics.map(({ code }) => code))],
    fixable: answer.diagnostics.some(({ fix }) => fix),
  };
}

/** Show what is known; while more comes, not so often that the page has no time for its visitor. */
function show(more: Partial<Batch> = {}): void {
  const time = performance.now();
  if (!Object.keys(more).length && time - shownAt < PAUSE) return;
  shownAt = time;
  const codes = new Map<string, number>();
  for (const row of rows) for (const code of row.codes) codes.set(code, (codes.get(code) ?? 0) + 1);
  tell({ rows: [...rows], codes, ...more });
}
