import { useEffect, useRef, useState, type AnchorHTMLAttributes, type MouseEvent, type ReactNode } from "react";
import { navigate } from "./hooks";

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; disabled?: boolean };

/** A link within the page; disabled it leads nowhere and is said to be so. */
export function Link({ href, onClick, disabled = false, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(href);
  };
  if (disabled) return <a role="link" aria-disabled="true" {...rest} />;
  return <a href={href} onClick={follow} {...rest} />;
}

export async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  throw new Error("This browser gives no access to the clipboard.");
}

/** A button that copies and says so where it stands. */
export function CopyButton({ text, label, name }: { text: string; label?: string; name?: string }) {
  const [state, setState] = useState<"" | "Copied" | "Failed">("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = () => {
    const say = (next: "Copied" | "Failed") => {
      setState(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setState(""), 2000);
    };
    toClipboard(text).then(
      () => say("Copied"),
      () => say("Failed"),
    );
  };
  return (
    <button type="button" className="quiet copy" disabled={!text} onClick={copy} aria-label={name ? `Copy ${name}` : undefined}>
      <span aria-live="polite">{state || (label ?? "Copy")}</span>
    </button>
  );
}

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

export function EmptyDrawing() {
  return (
    <svg viewBox="0 0 120 120" aria-hidden="true" className="empty-drawing">
      <path d="M10 10h100v100H10zM10 35h100M10 60h100M10 85h100M35 10v100M60 10v100M85 10v100" />
      <circle cx="72.5" cy="72.5" r="7" />
    </svg>
  );
}

/** An empty place that says what would be there. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <EmptyDrawing />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

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
