import { useMemo } from "react";
import { api } from "../api/client";
import type { EditAnswer, GameInfo, Theme } from "../api/types";
import { Names } from "../board/tokens";
import { useLatest } from "../shell/hooks";

const asked = new Map<string, Promise<EditAnswer>>();

/** A game's palette: what can stand on its board, drawn and named. Asked for once per game and theme. */
export function usePalette(game: string | null, games: readonly GameInfo[], theme: Theme) {
  const start = games.find(({ name }) => name === game)?.start;
  const key = game && start ? `${game} ${theme}` : null;
  const answer = useLatest(key, () => {
    const known = asked.get(key!);
    if (known) return known;
    const fresh = api.edit({ text: start!, game: game!, theme });
    asked.set(key!, fresh);
    fresh.catch(() => asked.delete(key!));
    return fresh;
  });
  const palette = key ? answer.data?.palette : undefined;
  const names = useMemo(() => (palette ? new Names(palette) : null), [palette]);
  return { palette: palette ?? [], names };
}
