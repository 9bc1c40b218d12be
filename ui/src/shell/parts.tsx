import { useEffect, useRef, useState, type AnchorHTMLAttributes, type MouseEvent, type ReactNode } from "react";
import { navigate } from "./hooks";

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; disabled?: boolean };

/** A link to another view. If disabled, it has no target and is marked as disabled for screen readers. */
export function Link({ href, onClick, disabled = false, ...attributes }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(href);
  };
  if (disabled) return <a role="link" aria-disabled="true" {...attributes} />;
  return <a href={href} onClick={follow} {...attributes} />;
}

/** Copy `text` to the clipboard. Throw `Error` if the browser offers no clipboard. */
export async function copyToClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  throw new Error("This browser does not allow this page to use the clipboard.");
}

/** A button that copies `text` and shows "Copied" or "Failed" for two seconds. */
export function CopyButton({ text, label, name }: { text: string; label?: string; name?: string }) {
  const [state, setState] = useState<"" | "Copied" | "Failed">("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = () => {
    const showState = (newState: "Copied" | "Failed") => {
      setState(newState);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setState(""), 2000);
    };
    copyToClipboard(text).then(
      () => showState("Copied"),
      () => showState("Failed"),
    );
  };
  return (
    <button type="button" className="quiet copy" disabled={!text} onClick={copy} aria-label={name ? `Copy ${name}` : undefined}>
      <span aria-live="polite">{state || (label ?? "Copy")}</span>
    </button>
  );
}

/** A section with a heading. `aside` is rendered beside the heading. */
export function Section({ title, children, aside }: { title: string; children: ReactNode; aside?: ReactNode }) {
  return (
    <section className="section">
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A drawing of an empty board. */
export function EmptyDrawing() {
  return (
    <svg viewBox="0 0 120 120" aria-hidden="true" className="empty-drawing">
      <path d="M10 10h100v100H10zM10 35h100M10 60h100M10 85h100M35 10v100M60 10v100M85 10v100" />
      <circle cx="72.5" cy="72.5" r="7" />
    </svg>
  );
}

/** A message with a drawing, shown where there is no content. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <EmptyDrawing />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** An alert. With `onRetry`, it has a button *Try again*. */
export function Notice({ children, onRetry }: { children: ReactNode; onRetry?: () => void }) {
  return (
    <div className="notice" role="alert">
      <p>{children}</p>
      {onRetry && (
        <button type="button" className="quiet" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
