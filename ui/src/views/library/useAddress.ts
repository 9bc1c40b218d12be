import { useRef } from "react";
import { useBeforePaint } from "../../beforePaint";
import { navigate } from "../../shell/hooks";

/** How long scrolling pauses before the address follows, in milliseconds. */
const PAUSE = 200;

/** Keep search, order and place in the address, so that *Back* and a link lead to the same shelf. */
export function useAddress(search: Record<string, string>, count: number, ready: boolean, query: URLSearchParams): void {
  const words = addressOf(search);
  const restored = useRef(false);
  // Before paint: effects that wait could run after a click on a link, and overwrite the address of the next view.
  useBeforePaint(() => {
    if (!ready || restored.current) return;
    restored.current = true;
    const y = Number(query.get("y"));
    if (y > 0) scrollTo(0, y);
  }, [query, ready]);

  useBeforePaint(() => {
    if (!restored.current) return;
    const keep = () => {
      const y = Math.round(scrollY);
      const place: Record<string, string> = y ? { n: String(count), y: String(y) } : {};
      navigate(`/library${addressOf({ ...search, ...place })}`, true);
    };
    keep();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      clearTimeout(timer);
      timer = setTimeout(keep, PAUSE);
    };
    addEventListener("scroll", onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener("scroll", onScroll);
    };
  }, [words, count, ready]);
}

function addressOf(parameters: Record<string, string>): string {
  const search = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value));
  return search.size ? `?${search.toString()}` : "";
}
