import type { Diagnostic, Fix, Severity } from "../api/types";

/** A run of characters with the same findings. An empty run marks a place where something is missing. */
export interface Run {
  text: string;
  start: number;
  findings: number[];
  severity: Severity | null;
}

/** Count the leading white space in code points. The spans of findings do not count it. */
export function leadingSpace(text: string): number {
  return Array.from(text).length - Array.from(text.trimStart()).length;
}

/** Split a text into runs at the edges of the findings' spans. */
export function splitIntoRuns(text: string, diagnostics: readonly Diagnostic[]): Run[] {
  const characters = Array.from(text);
  const shift = leadingSpace(text);
  const clampOffset = (offset: number) => Math.max(0, Math.min(characters.length, offset + shift));
  const spans = diagnostics.map(({ span }) => [clampOffset(span[0]), clampOffset(span[1])] as const);
  const edges = [...new Set([0, characters.length, ...spans.flat()])].sort((a, b) => a - b);
  const result: Run[] = [];
  edges.forEach((start, index) => {
    const emptySpans = findIndices(spans, ([from, to]) => from === to && from === start);
    if (emptySpans.length) result.push(createRun("", start, emptySpans, diagnostics));
    const end = edges[index + 1];
    if (end === undefined) return;
    const coveringSpans = findIndices(spans, ([from, to]) => from < to && from <= start && to >= end);
    result.push(createRun(characters.slice(start, end).join(""), start, coveringSpans, diagnostics));
  });
  return result;
}

/** Return the indices of the items that pass `test`. */
function findIndices<T>(items: readonly T[], test: (item: T) => boolean): number[] {
  return items.flatMap((item, index) => (test(item) ? [index] : []));
}

/** Return a run with the highest severity of its findings. */
function createRun(text: string, start: number, findings: number[], diagnostics: readonly Diagnostic[]): Run {
  const isError = findings.some((index) => diagnostics[index]?.severity === "error");
  return { text, start, findings, severity: isError ? "error" : findings.length ? "warning" : null };
}

/** Return the text with one fix applied. */
export function applyFix(text: string, fix: Fix): string {
  const characters = Array.from(text);
  const offset = leadingSpace(text);
  characters.splice(fix.span[0] + offset, fix.span[1] - fix.span[0], fix.replacement);
  return characters.join("");
}

/** Return the text with all fixes applied. Of two that overlap, apply only the earlier one, as the library does. */
export function applyFixes(text: string, diagnostics: readonly Diagnostic[]): string {
  const fixes = diagnostics.flatMap(({ fix }) => (fix ? [fix] : []));
  fixes.sort((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1]);
  const accepted: Fix[] = [];
  for (const fix of fixes) {
    const lastSpan = accepted.at(-1)?.span;
    const isSameSpan = lastSpan && fix.span[0] === lastSpan[0] && fix.span[1] === lastSpan[1];
    if (!lastSpan || (fix.span[0] >= lastSpan[1] && !isSameSpan)) accepted.push(fix);
  }
  return accepted.reverse().reduce(applyFix, text);
}

/** Describe the effect of a fix, for the label of a button. */
export function describeFix(text: string, fix: Fix): string {
  const offset = leadingSpace(text);
  const original = Array.from(text).slice(fix.span[0] + offset, fix.span[1] + offset).join("");
  if (!original) return `insert “${fix.replacement}”`;
  if (!fix.replacement) return `remove “${original}”`;
  return `replace “${original}” with “${fix.replacement}”`;
}

/** Return the squares that findings of one severity refer to. */
export function squaresOf(diagnostics: readonly Diagnostic[], severity: Severity): ReadonlySet<string> {
  return new Set(diagnostics.flatMap((finding) => (finding.severity === severity && finding.square ? [finding.square] : [])));
}

/** Return the messages of findings by square. */
export function notesOf(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  for (const { square, message } of diagnostics) {
    if (square) notes.set(square, [notes.get(square), message].filter(Boolean).join(" "));
  }
  return notes;
}
