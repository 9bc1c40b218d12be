import { api } from "../api/client";
import type { EditAnswer, GameInfo, Theme } from "../api/types";
import { useLatestAnswer } from "../shell/hooks";
import { drawingChoices, useSettings } from "../shell/settings";

/** Answers by game, theme and look. */
const requests = new Map<string, Promise<EditAnswer>>();

/** Return the pieces of a game with names and drawings. They are requested once per game, theme and look. */
export function usePalette(game: string | null, games: readonly GameInfo[], theme: Theme) {
  const start = games.find(({ name }) => name === game)?.start;
  const choices = drawingChoices(useSettings(), game);
  const key = game && start ? `${game} ${theme} ${choices.look ?? ""} ${choices.board ?? ""}` : null;
  const answer = useLatestAnswer(key, () => {
    const pendingRequest = requests.get(key!);
    if (pendingRequest) return pendingRequest;
    const newRequest = api.edit({ text: start!, game: game!, theme, ...choices });
    requests.set(key!, newRequest);
    newRequest.catch(() => requests.delete(key!));
    return newRequest;
  });
  return (key ? answer.data?.palette : undefined) ?? [];
}
