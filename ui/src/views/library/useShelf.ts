import { useEffect, useMemo, useRef, useState } from "react";
import { api, sentence, type LibraryFilter } from "../../api/client";
import type { Saved } from "../../api/types";
import { useLatest } from "../../shell/hooks";

/** How many cards come at a time, and the most that the service gives at once. */
export const PAGE = 48;
const MOST = 200;

export const SORTS = {
  newest: "Newest first",
  oldest: "Oldest first",
  changed: "Last changed",
  name: "By name",
  game: "By game",
} as const;
export type Sort = keyof typeof SORTS;

const ORDERS: Record<Exclude<Sort, "newest">, (a: Saved, b: Saved) => number> = {
  oldest: (a, b) => a.created.localeCompare(b.created),
  changed: (a, b) => b.updated.localeCompare(a.updated),
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true, sensitivity: "base" }),
  game: (a, b) => a.game.localeCompare(b.game) || a.name.localeCompare(b.name, undefined, { numeric: true }),
};

interface Found {
  positions: Saved[];
  next: string | null;
  total: number;
}

/**
 * The saved positions that were asked for, in an order. The newest come page by page; for any other order all that fit
 * the search are fetched and put in order here. `first` is how many are wanted at once, as after *Back*.
 */
export function useShelf(filter: LibraryFilter, sort: Sort, version: number, first: number, delay: number) {
  const found = useLatest(
    JSON.stringify([filter, sort, version]),
    (signal) => (sort === "newest" ? newest(filter, first, signal) : sorted(filter, sort, signal)),
    delay,
  );
  const [more, setMore] = useState<{ of: unknown; positions: Saved[]; next: string | null } | null>(null);
  const [count, setCount] = useState(first);
  const [failed, setFailed] = useState("");
  const added = more?.of === found.data ? more : null;
  const latest = useRef(found.data);
  latest.current = found.data;
  useEffect(() => setFailed(""), [found.data]);

  const loaded = useMemo(() => [...(found.data?.positions ?? []), ...(added?.positions ?? [])], [added, found.data]);
  const next = added ? added.next : (found.data?.next ?? null);
  const whole = sort !== "newest";
  const positions = whole ? loaded.slice(0, count) : loaded;

  const loadMore = async () => {
    setCount(positions.length + PAGE);
    const of = found.data;
    if (whole || !next) return;
    try {
      const page = await api.library({ ...filter, limit: PAGE, after: next });
      if (latest.current === of) setMore({ of, positions: [...(added?.positions ?? []), ...page.positions], next: page.next });
    } catch (error) {
      setFailed(sentence(error));
    }
  };
  return {
    ...found,
    positions,
    total: found.data?.total ?? 0,
    hasMore: whole ? loaded.length > positions.length : next !== null,
    loadMore,
    failed,
  };
}

async function newest(filter: LibraryFilter, wanted: number, signal: AbortSignal): Promise<Found> {
  const begin = await api.library({ ...filter, limit: Math.min(MOST, wanted) }, signal);
  const positions = [...begin.positions];
  let { next } = begin;
  while (next && positions.length < wanted) {
    const page = await api.library({ ...filter, limit: Math.min(MOST, wanted - positions.length), after: next }, signal);
    positions.push(...page.positions);
    next = page.next;
  }
  return { positions, next, total: begin.total };
}

async function sorted(filter: LibraryFilter, sort: Exclude<Sort, "newest">, signal: AbortSignal): Promise<Found> {
  const positions = await everySaved(filter, signal);
  return { positions: positions.sort(ORDERS[sort]), next: null, total: positions.length };
}

/** All saved positions that fit a search. */
export async function everySaved(filter: LibraryFilter, signal?: AbortSignal): Promise<Saved[]> {
  const positions: Saved[] = [];
  for await (const some of api.allSaved(filter, signal)) positions.push(...some);
  return positions;
}
