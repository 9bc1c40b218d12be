import { useRef } from "react";
import { api, ApiError } from "../../api/client";
import type { MatchView, ReadAnswer, Theme } from "../../api/types";
import { useLatestAnswer } from "../../shell/hooks";
import { currentLine, type Game } from "./tree";

/** How the board is drawn. */
export interface BoardLook {
  theme: Theme;
  flip: boolean;
  look?: string;
  board?: string;
}

/** The state of the match. */
export interface MatchState {
  /** The last answer. It stays until the next one arrives. */
  view: MatchView | null;
  /** Whether `view` is the answer to the current line. */
  isReady: boolean;
  /** The service's message if the line cannot be played, else "". */
  lineError: string;
  /** The starting position if it cannot be played, else "". */
  invalidStart: string;
  /** The answer that describes and draws `unplayable`. */
  startReading: ReadAnswer | null;
  /** Whether no request is pending. */
  isSettled: boolean;
  /** The error of a failed request. */
  error: unknown;
  retry: () => void;
}

/** Let the service play the current line, with one request per change. */
export function useMatch(game: Game, look: BoardLook): MatchState {
  const moves = currentLine(game).map(({ move }) => move);
  const variantField = game.variant ? { variant: game.variant } : {};
  const lineKey = JSON.stringify([game.game, game.variant, game.start, moves, game.playedCount, look]);
  const answer = useLatestAnswer(lineKey, async (signal) => {
    const start = game.start ? { start: game.start } : {};
    const request = { game: game.game, ...variantField, ...start, moves, at: game.playedCount, ...look };
    try {
      return { question: lineKey, view: await api.match(request, signal), problem: null };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      return { question: lineKey, view: null, problem: error.message };
    }
  });
  const current = answer.data?.question === lineKey ? answer.data : null;
  const lineError = current?.problem ?? "";
  const lastView = useRef<MatchView | null>(null);
  if (answer.data) lastView.current = answer.data.view ?? (lineError && !moves.length ? null : lastView.current);
  const view = lastView.current;

  const invalidStart = lineError && !view ? game.start : "";
  const startAnswer = useLatestAnswer(invalidStart ? JSON.stringify([invalidStart, game.game, game.variant, look]) : null, (signal) =>
    api.read({ text: invalidStart, game: game.game, ...variantField, ...look, marks: true }, signal),
  );
  return {
    view,
    isReady: Boolean(current?.view),
    lineError,
    invalidStart,
    startReading: invalidStart ? startAnswer.data : null,
    isSettled: !answer.pending && !startAnswer.pending,
    error: answer.error,
    retry: answer.retry,
  };
}
