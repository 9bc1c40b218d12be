import { useRef } from "react";
import { useBeforePaint } from "../../beforePaint";
import { navigate } from "../../shell/hooks";

/** Pause in scrolling after which the address is updated, in milliseconds. */
const SCROLL_PAUSE = 200;

/**
 * Keep search, sort order and scroll position in the address, so that *Back* and links restore them.
 *
 * `count` is the number of loaded entries, `isReady` whether the first ones are shown, `query` the query of the first address.
 */
export function useAddress(search: Record<string, string>, count: number, isReady: boolean, query: URLSearchParams): void {
  const searchQuery = queryString(search);
  const isRestored = useRef(false);
  // Before paint: a later effect could run after a click on a link and overwrite the address of the next view.
  useBeforePaint(() => {
    if (!isReady || isRestored.current) return;
    isRestored.current = true;
    const y = Number(query.get("y"));
    if (y > 0) scrollTo(0, y);
  }, [query, isReady]);

  useBeforePaint(() => {
    if (!isRestored.current) return;
    const updateAddress = () => {
      const y = Math.round(scrollY);
      const scrollPosition: Record<string, string> = y ? { n: String(count), y: String(y) } : {};
      navigate(`/library${queryString({ ...search, ...scrollPosition })}`, true);
    };
    updateAddress();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      clearTimeout(timer);
      timer = setTimeout(updateAddress, SCROLL_PAUSE);
    };
    addEventListener("scroll", onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener("scroll", onScroll);
    };
  }, [searchQuery, count, isReady]);
}

/** Return a query string without empty parameters. */
function queryString(parameters: Record<string, string>): string {
  const search = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value));
  return search.size ? `?${search.toString()}` : "";
}
