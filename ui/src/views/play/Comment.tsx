import { useEffect, useRef, type KeyboardEvent } from "react";

interface CommentProps {
  name: string;
  text: string;
  isEditing: boolean;
  onWrite: () => void;
  /** Editing ended. `text` is the new comment, or null if it is unchanged. `byKey` says whether a key ended it. */
  onDone: (text: string | null, byKey: boolean) => void;
}

/** A comment in the move list. A click opens a text field. Enter saves the text, Escape restores the old one. */
export function Comment({ name, text, isEditing, onWrite, onDone }: CommentProps) {
  if (isEditing) return <CommentField name={name} text={text} onDone={onDone} />;
  return (
    <button type="button" className="comment" aria-label={`${name}: ${text}`} title="Edit the comment" onClick={onWrite}>
      {text}
    </button>
  );
}

/** The text field of a comment. Losing the focus saves the text. */
function CommentField({ name, text, onDone }: Pick<CommentProps, "name" | "text" | "onDone">) {
  const field = useRef<HTMLTextAreaElement>(null);
  const done = useRef(false);
  const isPressed = usePressAround(field);
  useEffect(() => {
    const textLength = field.current?.value.length ?? 0;
    field.current?.focus();
    field.current?.setSelectionRange(textLength, textLength);
  }, []);
  const finish = (written: string | null, byKey: boolean) => {
    if (done.current) return;
    done.current = true;
    onDone(written === text ? null : written, byKey);
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
    // Closing the field moves the list. Wait until a pointer that is pressed on another move is released.
    if (!isPressed.current) finish(written, false);
    else addEventListener("pointerup", () => setTimeout(() => finish(written, false)), { once: true });
  };
  return (
    <textarea
      ref={field}
      className="comment-field"
      rows={2}
      maxLength={4000}
      aria-label={name}
      defaultValue={text}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    />
  );
}

/** Return a ref that tells whether a pointer is pressed in the list around `element`. */
function usePressAround(element: React.RefObject<HTMLElement | null>) {
  const isPressed = useRef(false);
  useEffect(() => {
    const list = element.current?.closest("ol");
    const down = () => (isPressed.current = true);
    const up = () => (isPressed.current = false);
    list?.addEventListener("pointerdown", down, true);
    addEventListener("pointerup", up, true);
    addEventListener("pointercancel", up, true);
    return () => {
      list?.removeEventListener("pointerdown", down, true);
      removeEventListener("pointerup", up, true);
      removeEventListener("pointercancel", up, true);
    };
  }, [element]);
  return isPressed;
}
