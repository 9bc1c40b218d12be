import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { useBeforePaint } from "../beforePaint";

/** How soon a letter must follow another one to be taken back with it, in milliseconds. */
const TOGETHER = 700;
const MOST = 300;

interface Past {
  texts: string[];
  /** Which of them is in the field. */
  at: number;
}

/**
 * A text with its past: undo and redo as in any editor, whoever changed it. What a button does is one step; letters that
 * are typed one after the other are one step up to the next pause or blank.
 */
export function useTextHistory(first: string, field: RefObject<HTMLTextAreaElement | null>) {
  const [past, setPast] = useState<Past>({ texts: [first], at: 0 });
  const typedAt = useRef(0);
  const caret = useRef<number | null>(null);
  const text = past.texts[past.at] ?? "";

  const set = useCallback((next: string, typed = false) => {
    const now = Date.now();
    const together = typed && now - typedAt.current < TOGETHER && !/\s$/.test(next);
    typedAt.current = typed ? now : 0;
    setPast(({ texts, at }) => {
      if (texts[at] === next) return { texts, at };
      const kept = texts.slice(0, together && at > 0 ? at : at + 1).slice(-MOST);
      return { texts: [...kept, next], at: kept.length };
    });
  }, []);

  const step = useCallback((by: 1 | -1) => {
    typedAt.current = 0;
    setPast(({ texts, at }) => {
      const next = at + by;
      const [before, after] = [texts[at], texts[next]];
      if (before === undefined || after === undefined) return { texts, at };
      caret.current = endOfChange(before, after);
      return { texts, at: next };
    });
  }, []);
  const undo = useCallback(() => step(-1), [step]);
  const redo = useCallback(() => step(1), [step]);
  /** Begin anew; what was there before is not gone back to. */
  const reset = useCallback((next: string) => setPast({ texts: [next], at: 0 }), []);

  useBeforePaint(() => {
    const at = caret.current;
    caret.current = null;
    if (at !== null && document.activeElement === field.current) field.current?.setSelectionRange(at, at);
  }, [past]);

  useEffect(() => listenTo(field.current, undo, redo), [field, redo, undo]);

  return { text, set, undo, redo, reset, canUndo: past.at > 0, canRedo: past.at < past.texts.length - 1 };
}

/** Take the keys of undo and redo, and what a browser's own menu asks for. */
function listenTo(field: HTMLTextAreaElement | null, undo: () => void, redo: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    const action = historyKey(event);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    (action === "undo" ? undo : redo)();
  };
  const onInput = (event: InputEvent) => {
    if (event.inputType !== "historyUndo" && event.inputType !== "historyRedo") return;
    event.preventDefault();
    (event.inputType === "historyUndo" ? undo : redo)();
  };
  field?.addEventListener("keydown", onKey);
  field?.addEventListener("beforeinput", onInput);
  return () => {
    field?.removeEventListener("keydown", onKey);
    field?.removeEventListener("beforeinput", onInput);
  };
}

/** Whether a key means undo or redo. */
export function historyKey(event: { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; altKey: boolean }): "undo" | "redo" | null {
  if ((!event.ctrlKey && !event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" && !event.shiftKey ? "redo" : null;
}

/** Where the part of a text ends that was changed. */
function endOfChange(before: string, after: string): number {
  let same = 0;
  const most = Math.min(before.length, after.length);
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return after.length - same;
}
