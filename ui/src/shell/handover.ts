/**
 * Texts that one view passes to another and that are too long for a URL. They stay in memory. The history entry contains
 * the number of its text, so *Back* and *Forward* find it again.
 */

import { navigate } from "./hooks";

const texts: string[] = [];

/** Navigate to the view at `path` and pass it `text`. */
export function openWithText(path: string, text: string): void {
  texts.push(text);
  navigate(path);
  history.replaceState({ handed: texts.length - 1 }, "");
}

/** Return the text that was passed to the current view, or null. */
export function receivedText(): string | null {
  const state = history.state as { handed?: number } | null;
  return texts[state?.handed ?? -1] ?? null;
}
