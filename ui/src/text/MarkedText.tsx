import { useMemo, useRef, type ClipboardEvent, type MouseEvent, type Ref } from "react";
import type { Diagnostic } from "../api/types";
import { splitIntoRuns } from "./spans";

interface Props {
  id?: string;
  ref?: Ref<HTMLTextAreaElement>;
  text: string;
  diagnostics: readonly Diagnostic[];
  /** Index of the highlighted finding. */
  highlighted: number | null;
  onChange: (text: string) => void;
  onHighlight: (finding: number | null) => void;
  label: string;
  invalid: boolean;
  describedBy?: string;
  placeholder?: string;
  onEnter?: () => void;
  onPaste?: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
}

/**
 * A text field in which findings are underlined. The underlines are drawn on a copy of the text, which lies under the
 * field and wraps at the same characters.
 */
export function MarkedText(props: Props) {
  const { text, diagnostics, highlighted } = props;
  const copy = useRef<HTMLDivElement>(null);
  const runs = useMemo(() => splitIntoRuns(text, diagnostics), [text, diagnostics]);

  /** Return the index of the finding under the mouse, or null. */
  const findingAt = (event: MouseEvent) => {
    for (const mark of copy.current?.querySelectorAll<HTMLElement>("mark") ?? []) {
      for (const box of mark.getClientRects()) {
        const isInside =
          event.clientX >= box.left - 3 &&
          event.clientX <= box.right + 3 &&
          event.clientY >= box.top &&
          event.clientY <= box.bottom;
        if (isInside) return Number(mark.dataset.finding);
      }
    }
    return null;
  };

  return (
    <div className="marked">
      <div ref={copy} className="marked-copy" aria-hidden="true">
        {runs.map((part) =>
          part.severity === null ? (
            <span key={`${part.start}`}>{part.text}</span>
          ) : (
            <mark
              key={`${part.start}${part.text ? "" : "-"}`}
              data-finding={part.findings[0]}
              className={`${part.severity}${part.text ? "" : " gap"}${highlighted !== null && part.findings.includes(highlighted) ? " lit" : ""}`}
            >
              {part.text}
            </mark>
          ),
        )}
        {"\u200b"}
      </div>
      <textarea
        id={props.id}
        ref={props.ref}
        className="marked-field"
        value={text}
        rows={1}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        aria-label={props.label}
        aria-invalid={props.invalid}
        aria-describedby={props.describedBy}
        placeholder={props.placeholder}
        onPaste={props.onPaste}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey) return;
          event.preventDefault();
          props.onEnter?.();
        }}
        onMouseMove={(event) => props.onHighlight(findingAt(event))}
        onMouseLeave={() => props.onHighlight(null)}
      />
    </div>
  );
}
