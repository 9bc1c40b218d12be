import { useEffect, useState, type RefObject } from "react";
import type { Theme } from "../api/types";
import { useBeforePaint } from "../beforePaint";
import { useSystemTheme } from "../shell/hooks";

/** The colours of a component: those that were chosen, else those of its place on the page; null until they are known. */
export function usePageTheme(place: RefObject<Element | null>, chosen: Theme | undefined): Theme | null {
  const system = useSystemTheme();
  const [found, setFound] = useState<Theme | null>(null);
  const [, look] = useState(0);
  useBeforePaint(() => {
    const around = place.current?.parentElement;
    if (around) setFound(themeOf(getComputedStyle(around).colorScheme, system));
  });
  // A page that lets its visitors choose says so at its root, and tells nobody else.
  useEffect(() => {
    const observer = new MutationObserver(() => look((count) => count + 1));
    for (const root of [document.documentElement, document.body]) observer.observe(root, { attributes: true });
    return () => observer.disconnect();
  }, []);
  return chosen ?? found;
}

/** What a CSS `color-scheme` comes to: a page that says nothing is light. */
function themeOf(scheme: string | undefined, system: Theme): Theme {
  const words = (scheme ?? "").split(/\s+/);
  if (!words.includes("dark")) return "light";
  return words.includes("light") ? system : "dark";
}
