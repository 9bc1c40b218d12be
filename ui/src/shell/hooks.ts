import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { isAbort } from "../api/transport";
import type { Theme } from "../api/types";
import { useBeforePaint } from "../beforePaint";

/** Where the page is. */
export interface Route {
  path: string;
  query: URLSearchParams;
}

const MOVED = "forsyth:moved";

export function navigate(to: string, replace = false): void {
  if (to === location.pathname + location.search + location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", to);
  if (!replace) dispatchEvent(new Event(MOVED));
}

function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  addEventListener(MOVED, listener);
  return () => {
    removeEventListener("popstate", listener);
    removeEventListener(MOVED, listener);
  };
}

/** The route; each step of the visitor's gives a new `visit`, corrections of the address do not. */
export function useRoute(): Route & { visit: number } {
  const [visit, setVisit] = useState(0);
  useEffect(() => subscribe(() => setVisit((count) => count + 1)), []);
  return { path: location.pathname, query: new URLSearchParams(location.search), visit };
}

const THEME_KEY = "forsyth.theme";

function systemDark(): MediaQueryList | null {
  return typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;
}

function watchSystem(listener: () => void): () => void {
  const media = systemDark();
  media?.addEventListener("change", listener);
  return () => media?.removeEventListener("change", listener);
}

/** The colours of the system; light where there is no screen. */
export function useSystemTheme(): Theme {
  return useSyncExternalStore(
    watchSystem,
    () => (systemDark()?.matches ? "dark" : "light"),
    () => "light",
  );
}

/** The colours: the system's until the visitor says otherwise. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const system = useSystemTheme();
  const [chosen, setChosen] = useState(() => recall(THEME_KEY));
  const theme: Theme = chosen === "light" || chosen === "dark" ? chosen : system;
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const choose = useCallback((next: Theme) => {
    remember(THEME_KEY, next);
    setChosen(next);
  }, []);
  return [theme, choose];
}

export function recall(key: string, store: "localStorage" | "sessionStorage" = "localStorage"): string | null {
  try {
    return window[store].getItem(key);
  } catch {
    return null;
  }
}

/** Keep something; the answer is whether the browser did. */
export function remember(key: string, value: string, store: "localStorage" | "sessionStorage" = "localStorage"): boolean {
  try {
    window[store].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

export interface Answer<T> {
  data: T | null;
  error: unknown;
  pending: boolean;
  /** Ask the same again, as after a failure. */
  retry: () => void;
}

/**
 * The answer to the latest question. The last answer stays until the next is there; a question that is
 * overtaken is given up. `key` is null when there is nothing to ask.
 */
export function useLatest<T>(key: string | null, ask: (signal: AbortSignal) => Promise<T>, delay = 0): Answer<T> {
  const [attempt, setAttempt] = useState(0);
  const [answer, setAnswer] = useState<Omit<Answer<T>, "retry">>({ data: null, error: null, pending: key !== null });
  const question = useRef(ask);
  question.current = ask;
  const wait = useRef(delay);
  wait.current = delay;
  // Before the browser paints: an action should not wait for a frame until it is on its way.
  useBeforePaint(() => {
    if (key === null) {
      setAnswer((last) => (last.pending || last.error ? { ...last, error: null, pending: false } : last));
      return;
    }
    const control = new AbortController();
    const send = () =>
      question.current(control.signal).then(
        (data) => !control.signal.aborted && setAnswer({ data, error: null, pending: false }),
        (error: unknown) => {
          if (control.signal.aborted || isAbort(error)) return;
          setAnswer((last) => ({ ...last, error, pending: false }));
        },
      );
    const timer = wait.current ? setTimeout(send, wait.current) : void send();
    setAnswer((last) => (last.pending ? last : { ...last, pending: true }));
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key, attempt]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { ...answer, retry };
}

/** How long typing pauses before the service is asked, in milliseconds. */
export const TYPING = 120;
