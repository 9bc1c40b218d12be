import { useEffect, useState, type RefObject } from "react";
import type { Theme } from "../api/types";
import { useBeforePaint } from "../beforePaint";
import { useSystemTheme } from "../shell/hooks";

/** Return the theme of a component: `chosen`, else that of the page around `place`. Return null until it is known. */
export function usePageTheme(element: RefObject<Element | null>, chosen: Theme | undefined): Theme | null {
  const system = useSystemTheme();
  const [pageTheme, setPageTheme] = useState<Theme | null>(null);
  const [, rerender] = useState(0);
  useBeforePaint(() => {
    const parent = element.current?.parentElement;
    if (parent) setPageTheme(themeOf(getComputedStyle(parent).colorScheme, system));
  });
  // A page that switches its theme changes attributes of its root elements and fires no event.
  useEffect(() => {
    const observer = new MutationObserver(() => rerender((count) => count + 1));
    for (const root of [document.documentElement, document.body]) observer.observe(root, { attributes: true });
    return () => observer.disconnect();
  }, []);
  return chosen ?? pageTheme;
}

/** Return the theme that a CSS `color-scheme` selects. Default: light. */
function themeOf(scheme: string | undefined, system: Theme): Theme {
  const schemes = (scheme ?? "").split(/\s+/);
  if (!schemes.includes("dark")) return "light";
  return schemes.includes("light") ? system : "dark";
}
