import { useRef } from "react";
import { api, ApiError } from "../../api/client";
import type { MatchView, ReadAnswer, Theme } from "../../api/types";
import { useLatest } from "../../shell/hooks";
import { lineOf, type Game } from "./tree";

/** How the board is to be drawn. */
export interface BoardLook {
  theme: Theme;
  flip: boolean;
  look?: string;
  board?: string;
}

export interface Played {
  /** The match as last answered; it stays while the next answer is on its way. */
  view: MatchView | null;
  /** Whether that is the answer to the line. */
  ready: boolean;
  /** Why the line cannot be played, in the words of the service. */
  problem: string;
  /** A start that cannot be played, and its reading: it is shown with what is wrong marked on it. */
  unplayable: string;
  reading: ReadAnswer | null;
  /** Whether all questions are answered. */
  settled: boolean;
  /** What went wrong on the way. */
  error: unknown;
  retry: () => void;
}

/** The line on the board played by the service: one request for each change of it. */
export function useMatch(game: Game, look: BoardLook): Played {
  const moves = lineOf(game).map(({ move }) => move);
  const variant = game.variant ? { variant: game.variant } : {};
  const question = JSON.stringify([game.game, game.variant, game.start, moves, game.at, look]);
  const answer = useLatest(question, async (signal) => {
    const start = game.start ? { start: game.start } : {};
    const request = { game: game.game, ...variant, ...start, moves, at: game.at, ...look };
    try {
      return { question, view: await api.match(request, signal), problem: null };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      return { question, view: null, problem: error.message };
    }
  });
  const current = answer.data?.question === question ? answer.data : null;
  const problem = current?.problem ?? "";
  const last = useRef<MatchView | null>(null);
  if (answer.data) last.current = answer.data.view ?? (problem && !moves.length ? null : last.current);
  const view = last.current;

  const unplayable = problem && !view ? game.start : "";
  const standIn = useLatest(unplayable ? JSON.stringify([unplayable, game.game, game.variant, look]) : null, (signal) =>
    api.read({ text: unplayable, game: game.game, ...variant, ...look, marks: true }, signal),
  );
  return {
    view,
    ready: Boolean(current?.view),
    problem,
    unplayable,
    reading: unplayable ? standIn.data : null,
    settled: !answer.pending && !standIn.pending,
    error: answer.error,
    retry: answer.retry,
  };
}
