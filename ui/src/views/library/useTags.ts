import { useMemo } from "react";
import type { Saved } from "../../api/types";
import { useLatest } from "../../shell/hooks";
import { everySaved } from "./useShelf";

/**
 * The tags of the whole library, sorted, not of the entries alone that are on the page. They are collected behind the
 * visitor's back; `version` says that the library has changed.
 */
export function useTags(version: number, loaded: readonly Saved[]): string[] {
  const all = useLatest(`tags ${version}`, async (signal) => {
    const saved = await everySaved({}, signal);
    return [...new Set(saved.flatMap(({ tags }) => tags))];
  });
  return useMemo(
    () => [...new Set([...(all.data ?? []), ...loaded.flatMap(({ tags }) => tags)])].sort((a, b) => a.localeCompare(b)),
    [all.data, loaded],
  );
}
