import { useMemo } from "react";
import { api } from "../../api/client";
import type { Saved } from "../../api/types";
import { useLatest } from "../../shell/hooks";

/** The largest page that the service gives, and after how many of them the search for tags ends. */
const PAGE = 200;
const PAGES = 25;

/**
 * The tags of the whole library, sorted, not of the entries alone that are on the page. They are collected behind the
 * visitor's back, page by page; `version` says that the library has changed.
 */
export function useTags(version: number, loaded: readonly Saved[]): string[] {
  const all = useLatest(`tags ${version}`, collect);
  return useMemo(
    () => [...new Set([...(all.data ?? []), ...loaded.flatMap(({ tags }) => tags)])].sort((a, b) => a.localeCompare(b)),
    [all.data, loaded],
  );
}

async function collect(signal: AbortSignal): Promise<string[]> {
  const tags = new Set<string>();
  let after: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const { positions, next } = await api.library({ limit: PAGE, ...(after ? { after } : {}) }, signal);
    for (const saved of positions) for (const tag of saved.tags) tags.add(tag);
    if (!next) break;
    after = next;
  }
  return [...tags];
}
