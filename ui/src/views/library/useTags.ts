import { useMemo } from "react";
import type { SavedPosition } from "../../api/types";
import { useLatestAnswer } from "../../shell/hooks";
import { loadAllSaved } from "./useSavedPositions";

/**
 * Return all tags of the library, sorted.
 *
 * Tags of the `loaded` positions are available at once, the others when the whole library has been loaded in the
 * background. A new `version` reloads them.
 */
export function useTags(version: number, loaded: readonly SavedPosition[]): string[] {
  const libraryTags = useLatestAnswer(`tags ${version}`, async (signal) => {
    const saved = await loadAllSaved({}, signal);
    return [...new Set(saved.flatMap(({ tags }) => tags))];
  });
  return useMemo(
    () => [...new Set([...(libraryTags.data ?? []), ...loaded.flatMap(({ tags }) => tags)])].sort((a, b) => a.localeCompare(b)),
    [libraryTags.data, loaded],
  );
}
