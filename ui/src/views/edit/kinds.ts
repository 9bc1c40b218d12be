/** A palette folded up: of what exists in two kinds, such as one with a sign before its letter, one is shown at a time. */

import type { PaletteEntry } from "../../api/types";

export interface Toggle {
  /** What stands before the letters of the other kind. */
  sign: string;
  label: string;
}

/** The entry without a sign that an entry is another kind of. */
function plainOf(entry: PaletteEntry, palette: readonly PaletteEntry[]): PaletteEntry | undefined {
  return palette.find((other) => other.group === entry.group && other.symbol !== entry.symbol && entry.symbol.endsWith(other.symbol) && signOf(entry, other));
}

function signOf(entry: PaletteEntry, plain: PaletteEntry): string {
  const sign = entry.symbol.slice(0, entry.symbol.length - plain.symbol.length);
  return /^[^A-Za-z0-9]+$/.test(sign) ? sign : "";
}

/** What can be switched: each sign there is, called by the word that labels with it have and labels without it have not. */
export function togglesOf(palette: readonly PaletteEntry[]): Toggle[] {
  const words = new Map<string, Map<string, number>>();
  for (const entry of palette) {
    const plain = plainOf(entry, palette);
    if (!plain) continue;
    const sign = signOf(entry, plain);
    const counts = words.get(sign) ?? new Map<string, number>();
    for (const word of entry.label.split(" ")) {
      if (!plain.label.split(" ").includes(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    words.set(sign, counts);
  }
  return [...words].map(([sign, counts]) => {
    const [[word] = [sign]] = [...counts].sort(([, a], [, b]) => b - a);
    return { sign, label: word.charAt(0).toUpperCase() + word.slice(1) };
  });
}

/** The entries to show: of each thing the kind that is switched on, where there is one. */
export function shownOf(palette: readonly PaletteEntry[], on: ReadonlySet<string>): PaletteEntry[] {
  return palette.flatMap((entry) => {
    if (plainOf(entry, palette)) return [];
    const other = palette.find((one) => one.group === entry.group && [...on].some((sign) => one.symbol === sign + entry.symbol));
    return [other ?? entry];
  });
}
