import { api } from "../api/client";
import type { EditAnswer, GameInfo, Theme } from "../api/types";
import { useLatest } from "../shell/hooks";
import { lookOf, useSettings } from "../shell/settings";

const asked = new Map<string, Promise<EditAnswer>>();

/** A game's palette: what can stand on its board, drawn and named. Asked for once per game, theme and look. */
export function usePalette(game: string | null, games: readonly GameInfo[], theme: Theme) {
  const start = games.find(({ name }) => name === game)?.start;
  const drawn = lookOf(useSettings(), game);
  const key = game && start ? `${game} ${theme} ${drawn.look ?? ""} ${drawn.board ?? ""}` : null;
  const answer = useLatest(key, () => {
    const known = asked.get(key!);
    if (known) return known;
    const fresh = api.edit({ text: start!, game: game!, theme, ...drawn });
    asked.set(key!, fresh);
    fresh.catch(() => asked.delete(key!));
    return fresh;
  });
  return (key ? answer.data?.palette : undefined) ?? [];
}
