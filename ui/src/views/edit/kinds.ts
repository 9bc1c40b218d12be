/** Kinds of palette entries. Of pieces that exist with and without a sign, such as `+`, only one kind is shown at a time. */

import type { PaletteEntry } from "../../api/types";

/** A switch between two kinds. */
export interface Toggle {
  /** The sign before the symbols of the second kind, such as `+`. */
  sign: string;
  label: string;
}

/** Return the entry whose symbol lacks the sign of `entry`, or undefined if `entry` has no sign. */
function findPlainEntry(entry: PaletteEntry, palette: readonly PaletteEntry[]): PaletteEntry | undefined {
  return palette.find((candidate) => candidate.group === entry.group && candidate.symbol !== entry.symbol && entry.symbol.endsWith(candidate.symbol) && prefixSign(entry, candidate));
}

/** Return the sign that `entry` has before the symbol of `plain`, or "" if that prefix has letters or digits. */
function prefixSign(entry: PaletteEntry, plain: PaletteEntry): string {
  const sign = entry.symbol.slice(0, entry.symbol.length - plain.symbol.length);
  return /^[^A-Za-z0-9]+$/.test(sign) ? sign : "";
}

/** Return a toggle for each sign. Its label is the word that distinguishes most labels with the sign, such as "Promoted". */
export function findToggles(palette: readonly PaletteEntry[]): Toggle[] {
  const wordCountsBySign = new Map<string, Map<string, number>>();
  for (const entry of palette) {
    const plain = findPlainEntry(entry, palette);
    if (!plain) continue;
    const sign = prefixSign(entry, plain);
    const counts = wordCountsBySign.get(sign) ?? new Map<string, number>();
    for (const word of entry.label.split(" ")) {
      if (!plain.label.split(" ").includes(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    wordCountsBySign.set(sign, counts);
  }
  return [...wordCountsBySign].map(([sign, counts]) => {
    const [[label] = [sign]] = [...counts].sort(([, a], [, b]) => b - a);
    return { sign, label: label.charAt(0).toUpperCase() + label.slice(1) };
  });
}

/** Return the entries to show. A piece appears with a sign if that sign is in `activeSigns` and such a kind exists. */
export function visibleEntries(palette: readonly PaletteEntry[], activeSigns: ReadonlySet<string>): PaletteEntry[] {
  return palette.flatMap((entry) => {
    if (findPlainEntry(entry, palette)) return [];
    const signedEntry = palette.find((candidate) => candidate.group === entry.group && [...activeSigns].some((sign) => candidate.symbol === sign + entry.symbol));
    return [signedEntry ?? entry];
  });
}
