/**
 * What one view hands to another: a text too long for an address. It stays in the memory of the page, and the entry of
 * the history knows it by a number, so that *Back* and *Forward* find it again.
 */

import { navigate } from "./hooks";

const kept: string[] = [];

/** Go to a view and hand it a text. */
export function handOver(path: string, text: string): void {
  kept.push(text);
  navigate(path);
  history.replaceState({ handed: kept.length - 1 }, "");
}

/** The text that was handed to the view on the screen. */
export function handed(): string | null {
  const state = history.state as { handed?: number } | null;
  return kept[state?.handed ?? -1] ?? null;
}
