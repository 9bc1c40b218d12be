import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { useBeforePaint } from "../beforePaint";

/** Letters typed within this time belong to the same undo step, in milliseconds. */
const TYPING_PAUSE = 700;
/** Maximum number of texts in the history. */
const MAX_TEXTS = 300;

/** The earlier and later versions of a text. */
interface History {
  texts: string[];
  /** Index of the text in the field. */
  index: number;
}

/**
 * Keep a text with undo and redo, for changes by typing and by buttons alike.
 *
 * A change by a button is one undo step. Typed letters form one step until a pause or a space. `initialText` is
 * the first text, `field` the text field whose caret follows undo and redo.
 */
export function useTextHistory(initialText: string, field: RefObject<HTMLTextAreaElement | null>) {
  const [history, setHistory] = useState<History>({ texts: [initialText], index: 0 });
  const lastTypedAt = useRef(0);
  const caret = useRef<number | null>(null);
  const text = history.texts[history.index] ?? "";

  const setText = useCallback((next: string, isTyped = false) => {
    const now = Date.now();
    const joinsLastStep = isTyped && now - lastTypedAt.current < TYPING_PAUSE && !/\s$/.test(next);
    lastTypedAt.current = isTyped ? now : 0;
    setHistory(({ texts, index }) => {
      if (texts[index] === next) return { texts, index };
      const earlierTexts = texts.slice(0, joinsLastStep && index > 0 ? index : index + 1).slice(-MAX_TEXTS);
      return { texts: [...earlierTexts, next], index: earlierTexts.length };
    });
  }, []);

  const step = useCallback((direction: 1 | -1) => {
    lastTypedAt.current = 0;
    setHistory(({ texts, index }) => {
      const next = index + direction;
      const [before, after] = [texts[index], texts[next]];
      if (before === undefined || after === undefined) return { texts, index };
      caret.current = endOfChange(before, after);
      return { texts, index: next };
    });
  }, []);
  const undo = useCallback(() => step(-1), [step]);
  const redo = useCallback(() => step(1), [step]);
  /** Replace the text and clear the history. */
  const reset = useCallback((next: string) => setHistory({ texts: [next], index: 0 }), []);

  useBeforePaint(() => {
    const caretOffset = caret.current;
    caret.current = null;
    if (caretOffset !== null && document.activeElement === field.current) field.current?.setSelectionRange(caretOffset, caretOffset);
  }, [history]);

  useEffect(() => addHistoryListeners(field.current, undo, redo), [field, redo, undo]);

  return { text, set: setText, undo, redo, reset, canUndo: history.index > 0, canRedo: history.index < history.texts.length - 1 };
}

/** Handle undo and redo by keys and by the browser's menu. Return a function that removes the listeners. */
function addHistoryListeners(field: HTMLTextAreaElement | null, undo: () => void, redo: () => void): () => void {
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

/** Return "undo" or "redo" if a key event means that, else null. */
export function historyKey(event: { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; altKey: boolean }): "undo" | "redo" | null {
  if ((!event.ctrlKey && !event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" && !event.shiftKey ? "redo" : null;
}

/** Return the offset in `after` at which its changed part ends. */
function endOfChange(before: string, after: string): number {
  let equalLength = 0;
  const maxEqual = Math.min(before.length, after.length);
  while (equalLength < maxEqual && before[before.length - 1 - equalLength] === after[after.length - 1 - equalLength]) equalLength += 1;
  return after.length - equalLength;
}
