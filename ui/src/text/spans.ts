import type { Diagnostic, Fix, Severity } from "../api/types";

/** A run of characters under the same findings; an empty run stands where something is missing. */
export interface Run {
  text: string;
  start: number;
  findings: number[];
  severity: Severity | null;
}

/** How many characters of white space the service removes before it counts. */
export function leadingSpace(text: string): number {
  return Array.from(text).length - Array.from(text.trimStart()).length;
}

/** Cut a text into runs at the edges of the findings' spans. */
export function runs(text: string, diagnostics: readonly Diagnostic[]): Run[] {
  const characters = Array.from(text);
  const shift = leadingSpace(text);
  const clamp = (offset: number) => Math.max(0, Math.min(characters.length, offset + shift));
  const spans = diagnostics.map(({ span }) => [clamp(span[0]), clamp(span[1])] as const);
  const edges = [...new Set([0, characters.length, ...spans.flat()])].sort((a, b) => a - b);
  const result: Run[] = [];
  edges.forEach((start, index) => {
    const missing = indices(spans, ([from, to]) => from === to && from === start);
    if (missing.length) result.push(run("", start, missing, diagnostics));
    const end = edges[index + 1];
    if (end === undefined) return;
    const covering = indices(spans, ([from, to]) => from < to && from <= start && to >= end);
    result.push(run(characters.slice(start, end).join(""), start, covering, diagnostics));
  });
  return result;
}

function indices<T>(items: readonly T[], test: (item: T) => boolean): number[] {
  return items.flatMap((item, index) => (test(item) ? [index] : []));
}

function run(text: string, start: number, findings: number[], diagnostics: readonly Diagnostic[]): Run {
  const severe = findings.some((index) => diagnostics[index]?.severity === "error");
  return { text, start, findings, severity: severe ? "error" : findings.length ? "warning" : null };
}

/** The text with one fix applied. */
export function applyFix(text: string, fix: Fix): string {
  const characters = Array.from(text);
  const shift = leadingSpace(text);
  characters.splice(fix.span[0] + shift, fix.span[1] - fix.span[0], fix.replacement);
  return characters.join("");
}

/** The text with every fix applied; of two that overlap the earlier one, as the library does it. */
export function applyFixes(text: string, diagnostics: readonly Diagnostic[]): string {
  const wanted = diagnostics.flatMap(({ fix }) => (fix ? [fix] : []));
  wanted.sort((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1]);
  const taken: Fix[] = [];
  for (const fix of wanted) {
    const last = taken.at(-1)?.span;
    const same = last && fix.span[0] === last[0] && fix.span[1] === last[1];
    if (!last || (fix.span[0] >= last[1] && !same)) taken.push(fix);
  }
  return taken.reverse().reduce(applyFix, text);
}

/** What a fix does, for a button's description. */
export function describeFix(text: string, fix: Fix): string {
  const shift = leadingSpace(text);
  const found = Array.from(text).slice(fix.span[0] + shift, fix.span[1] + shift).join("");
  if (!found) return `insert “${fix.replacement}”`;
  if (!fix.replacement) return `remove “${found}”`;
  return `replace “${found}” with “${fix.replacement}”`;
}

/** The places that findings of one severity name. */
export function squaresOf(diagnostics: readonly Diagnostic[], severity: Severity): ReadonlySet<string> {
  return new Set(diagnostics.flatMap((one) => (one.severity === severity && one.square ? [one.square] : [])));
}

/** What findings say about places, by the place. */
export function notesOf(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  for (const { square, message } of diagnostics) {
    if (square) notes.set(square, [notes.get(square), message].filter(Boolean).join(" "));
  }
  return notes;
}
