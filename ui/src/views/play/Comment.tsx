import { useEffect, useRef, type KeyboardEvent } from "react";

interface CommentProps {
  name: string;
  words: string;
  writing: boolean;
  onWrite: () => void;
  /** What was written, or null where it is to stay as it was; and whether a key said so. */
  onDone: (words: string | null, byKey: boolean) => void;
}

/** A comment in its place; a click makes it a field. Enter keeps what is written, Escape what was there before. */
export function Comment({ name, words, writing, onWrite, onDone }: CommentProps) {
  if (writing) return <CommentField name={name} words={words} onDone={onDone} />;
  return (
    <button type="button" className="comment" aria-label={`${name}: ${words}`} title="Edit the comment" onClick={onWrite}>
      {words}
    </button>
  );
}

function CommentField({ name, words, onDone }: Pick<CommentProps, "name" | "words" | "onDone">) {
  const field = useRef<HTMLTextAreaElement>(null);
  const done = useRef(false);
  const pressed = usePressAround(field);
  useEffect(() => {
    const at = field.current?.value.length ?? 0;
    field.current?.focus();
    field.current?.setSelectionRange(at, at);
  }, []);
  const finish = (written: string | null, byKey: boolean) => {
    if (done.current) return;
    done.current = true;
    onDone(written === words ? null : written, byKey);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") finish(null, true);
    else if (event.key === "Enter" && !event.nativeEvent.isComposing) finish(field.current?.value ?? "", true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onBlur = () => {
    const written = field.current?.value ?? "";
    // The list must not move under a pointer that is pressed on another move of it.
    if (!pressed.current) finish(written, false);
    else addEventListener("pointerup", () => setTimeout(() => finish(written, false)), { once: true });
  };
  return (
    <textarea
      ref={field}
      className="comment-field"
      rows={2}
      maxLength={4000}
      aria-label={name}
      defaultValue={words}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    />
  );
}

/** Whether a pointer is pressed elsewhere in the list that an element stands in. */
function usePressAround(element: React.RefObject<HTMLElement | null>) {
  const pressed = useRef(false);
  useEffect(() => {
    const list = element.current?.closest("ol");
    const down = () => (pressed.current = true);
    const up = () => (pressed.current = false);
    list?.addEventListener("pointerdown", down, true);
    addEventListener("pointerup", up, true);
    addEventListener("pointercancel", up, true);
    return () => {
      list?.removeEventListener("pointerdown", down, true);
      removeEventListener("pointerup", up, true);
      removeEventListener("pointercancel", up, true);
    };
  }, [element]);
  return pressed;
}
