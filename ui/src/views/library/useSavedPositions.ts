import { useEffect, useMemo, useRef, useState } from "react";
import { api, errorMessage, type LibraryFilter } from "../../api/client";
import type { SavedPosition } from "../../api/types";
import { useLatestAnswer } from "../../shell/hooks";

/** Number of entries per page. */
export const PAGE_SIZE = 48;
/** Maximum number of entries per request. */
const MAX_REQUEST_SIZE = 200;

/** The sort orders and their labels. */
export const SORTS = {
  newest: "Newest first",
  oldest: "Oldest first",
  changed: "Last changed",
  name: "By name",
  game: "By game",
} as const;
/** A sort order. */
export type Sort = keyof typeof SORTS;

const ORDERS: Record<Exclude<Sort, "newest">, (a: SavedPosition, b: SavedPosition) => number> = {
  oldest: (a, b) => a.created.localeCompare(b.created),
  changed: (a, b) => b.updated.localeCompare(a.updated),
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true, sensitivity: "base" }),
  game: (a, b) => a.game.localeCompare(b.game) || a.name.localeCompare(b.name, undefined, { numeric: true }),
};

/** Saved positions, the cursor of the next page, and the number of all matches. */
interface SavedPage {
  positions: SavedPosition[];
  next: string | null;
  total: number;
}

/**
 * Load the saved positions that match `filter`.
 *
 * In the order "newest" they are loaded page by page. For any other order all matches are loaded and sorted here. A new
 * `version` reloads them. `initialCount` is the number to load at first, `delay` the waiting time in milliseconds.
 */
export function useSavedPositions(filter: LibraryFilter, sort: Sort, version: number, initialCount: number, delay: number) {
  const result = useLatestAnswer(
    JSON.stringify([filter, sort, version]),
    (signal) => (sort === "newest" ? loadNewest(filter, initialCount, signal) : loadSorted(filter, sort, signal)),
    delay,
  );
  const [extraPages, setExtraPages] = useState<{ sourceData: unknown; positions: SavedPosition[]; next: string | null } | null>(null);
  const [count, setCount] = useState(initialCount);
  const [pageError, setPageError] = useState("");
  const extra = extraPages?.sourceData === result.data ? extraPages : null;
  const latest = useRef(result.data);
  latest.current = result.data;
  useEffect(() => setPageError(""), [result.data]);

  const loadedPositions = useMemo(() => [...(result.data?.positions ?? []), ...(extra?.positions ?? [])], [extra, result.data]);
  const nextCursor = extra ? extra.next : (result.data?.next ?? null);
  const isFullyLoaded = sort !== "newest";
  const positions = isFullyLoaded ? loadedPositions.slice(0, count) : loadedPositions;

  const loadMore = async () => {
    setCount(positions.length + PAGE_SIZE);
    const sourceData = result.data;
    if (isFullyLoaded || !nextCursor) return;
    try {
      const page = await api.library({ ...filter, limit: PAGE_SIZE, after: nextCursor });
      if (latest.current === sourceData) setExtraPages({ sourceData, positions: [...(extra?.positions ?? []), ...page.positions], next: page.next });
    } catch (error) {
      setPageError(errorMessage(error));
    }
  };
  return {
    ...result,
    positions,
    total: result.data?.total ?? 0,
    hasMore: isFullyLoaded ? loadedPositions.length > positions.length : nextCursor !== null,
    loadMore,
    pageError,
  };
}

/** Load the `limit` newest positions, in several requests if necessary. */
async function loadNewest(filter: LibraryFilter, limit: number, signal: AbortSignal): Promise<SavedPage> {
  const firstPage = await api.library({ ...filter, limit: Math.min(MAX_REQUEST_SIZE, limit) }, signal);
  const positions = [...firstPage.positions];
  let { next } = firstPage;
  while (next && positions.length < limit) {
    const page = await api.library({ ...filter, limit: Math.min(MAX_REQUEST_SIZE, limit - positions.length), after: next }, signal);
    positions.push(...page.positions);
    next = page.next;
  }
  return { positions, next, total: firstPage.total };
}

/** Load all matching positions and sort them. */
async function loadSorted(filter: LibraryFilter, sort: Exclude<Sort, "newest">, signal: AbortSignal): Promise<SavedPage> {
  const positions = await loadAllSaved(filter, signal);
  return { positions: positions.sort(ORDERS[sort]), next: null, total: positions.length };
}

/** Load all saved positions that match `filter`. */
export async function loadAllSaved(filter: LibraryFilter, signal?: AbortSignal): Promise<SavedPosition[]> {
  const positions: SavedPosition[] = [];
  for await (const batch of api.streamLibrary(filter, signal)) positions.push(...batch);
  return positions;
}
