import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { isAbort } from "../api/transport";
import type { Theme } from "../api/types";
import { useBeforePaint } from "../beforePaint";

/** The current path and query of the page. */
export interface Route {
  path: string;
  query: URLSearchParams;
}

const NAVIGATION_EVENT = "forsyth:moved";

/** Go to the URL `to`. With `replace`, correct the current history entry instead of adding one. */
export function navigate(url: string, replace = false): void {
  if (url === location.pathname + location.search + location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", url);
  if (!replace) dispatchEvent(new Event(NAVIGATION_EVENT));
}

/** Call `listener` after each navigation. Return a function that removes it. */
function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  addEventListener(NAVIGATION_EVENT, listener);
  return () => {
    removeEventListener("popstate", listener);
    removeEventListener(NAVIGATION_EVENT, listener);
  };
}

/** Return the current route. `visit` grows with each navigation, but not when `navigate` only replaces the URL. */
export function useRoute(): Route & { visit: number } {
  const [visit, setVisit] = useState(0);
  useEffect(() => subscribe(() => setVisit((count) => count + 1)), []);
  return { path: location.pathname, query: new URLSearchParams(location.search), visit };
}

const THEME_KEY = "forsyth.theme";

/** Return the media query for a dark system theme, or null if there is no browser. */
function darkModeQuery(): MediaQueryList | null {
  return typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;
}

/** Call `listener` when the system theme changes. Return a function that removes it. */
function watchDarkMode(listener: () => void): () => void {
  const media = darkModeQuery();
  media?.addEventListener("change", listener);
  return () => media?.removeEventListener("change", listener);
}

/** Return the colour theme of the operating system, and re-render when it changes. On a server: light. */
export function useSystemTheme(): Theme {
  return useSyncExternalStore(
    watchDarkMode,
    () => (darkModeQuery()?.matches ? "dark" : "light"),
    () => "light",
  );
}

/** Return the theme and a function that sets it. Until the visitor chooses one, the system's theme is used. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const system = useSystemTheme();
  const [chosen, setChosen] = useState(() => readStored(THEME_KEY));
  const theme: Theme = chosen === "light" || chosen === "dark" ? chosen : system;
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const choose = useCallback((newTheme: Theme) => {
    writeStored(THEME_KEY, newTheme);
    setChosen(newTheme);
  }, []);
  return [theme, choose];
}

/** Read a value of the browser's storage. Return null if it is missing or the storage is blocked. */
export function readStored(key: string, store: "localStorage" | "sessionStorage" = "localStorage"): string | null {
  try {
    return window[store].getItem(key);
  } catch {
    return null;
  }
}

/** Write a value to the browser's storage. Return false if the storage is full or blocked. */
export function writeStored(key: string, value: string, store: "localStorage" | "sessionStorage" = "localStorage"): boolean {
  try {
    window[store].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** The state of a request. */
export interface Answer<T> {
  data: T | null;
  error: unknown;
  pending: boolean;
  /** Send the same request again. */
  retry: () => void;
}

/**
 * Send a request whenever `key` changes, and return its state.
 *
 * The previous data stays until the next answer arrives. A request is aborted when `key` changes again. No request is
 * sent while `key` is null. `delay` is the waiting time before sending, in milliseconds.
 */
export function useLatestAnswer<T>(key: string | null, request: (signal: AbortSignal) => Promise<T>, delay = 0): Answer<T> {
  const [attempt, setAttempt] = useState(0);
  const [answer, setAnswer] = useState<Omit<Answer<T>, "retry">>({ data: null, error: null, pending: key !== null });
  const currentRequest = useRef(request);
  currentRequest.current = request;
  const currentDelay = useRef(delay);
  currentDelay.current = delay;
  // Before paint, so that the request does not wait for the next frame.
  useBeforePaint(() => {
    if (key === null) {
      setAnswer((previous) => (previous.pending || previous.error ? { ...previous, error: null, pending: false } : previous));
      return;
    }
    const controller = new AbortController();
    const send = () =>
      currentRequest.current(controller.signal).then(
        (data) => !controller.signal.aborted && setAnswer({ data, error: null, pending: false }),
        (error: unknown) => {
          if (controller.signal.aborted || isAbort(error)) return;
          setAnswer((previous) => ({ ...previous, error, pending: false }));
        },
      );
    const timer = currentDelay.current ? setTimeout(send, currentDelay.current) : void send();
    setAnswer((previous) => (previous.pending ? previous : { ...previous, pending: true }));
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, attempt]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { ...answer, retry };
}

/** Pause in typing after which a request is sent, in milliseconds. */
export const TYPING_DELAY = 120;
