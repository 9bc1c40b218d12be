import { useRef } from "react";
import { api, ApiError } from "../../api/client";
import type { MatchView, ReadAnswer, Theme } from "../../api/types";
import { useLatest } from "../../shell/hooks";
import type { Line } from "./line";

export interface Played {
  /** The line and look that this answers; another one means another question. */
  question: string;
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

/** A line played by the service: one request for each change of it. */
export function useMatch(line: Line, theme: Theme, flip: boolean): Played {
  const variant = line.variant ? { variant: line.variant } : {};
  const question = JSON.stringify([line.game, line.variant, line.start, line.moves, line.at, theme, flip]);
  const answer = useLatest(question, async (signal) => {
    const start = line.start ? { start: line.start } : {};
    const request = { game: line.game, ...variant, ...start, moves: line.moves, at: line.at, theme, flip };
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
  if (answer.data) last.current = answer.data.view ?? (problem && !line.moves.length ? null : last.current);
  const view = last.current;

  const unplayable = problem && !view ? line.start : "";
  const standIn = useLatest(unplayable ? JSON.stringify([unplayable, line.game, line.variant, theme, flip]) : null, (signal) =>
    api.read({ text: unplayable, game: line.game, ...variant, theme, flip, marks: true }, signal),
  );
  return {
    question,
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
