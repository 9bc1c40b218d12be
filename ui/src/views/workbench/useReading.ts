import { useRef } from "react";
import { api, type GameHint } from "../../api/client";
import type { Diagnostic, GameInfo, ReadAnswer } from "../../api/types";
import { useLatestAnswer } from "../../shell/hooks";
import { drawFallback, type DrawingLook, type ShownDrawing } from "./fallbackDrawing";

const NO_FINDINGS: readonly Diagnostic[] = [];

/** The state of a text that is read by the service. */
export interface Reading {
  /** The answer for the current text, or null until it arrives. */
  answer: ReadAnswer | null;
  diagnostics: readonly Diagnostic[];
  /** "failed" means that there is no answer. `error` says why. */
  state: "empty" | "reading" | "read" | "failed";
  error: unknown;
  retry: () => void;
  /** The game of the text. Until the answer arrives, that of the previous text. */
  game: string | null;
  hint: GameHint;
  /** The drawing to show. It may belong to an older text. */
  shownDrawing: ShownDrawing | null;
  /** Whether the text was read but is not a position. */
  isUndrawable: boolean;
  /** Whether a fallback drawing was requested. */
  isDrawing: boolean;
}

/** Read, check and draw `text`. The answer and its findings never belong to another text. */
export function useReading(
  text: string,
  choice: { game: string; variant: string },
  look: DrawingLook,
  games: readonly GameInfo[],
  delay: number,
): Reading {
  const { game, variant } = choice;
  const textKey = JSON.stringify([text, game, variant]);
  const reading = useLatestAnswer(
    text ? JSON.stringify([textKey, look]) : null,
    async (signal) => {
      const parameters = { ...(game ? { game } : {}), ...(variant ? { variant } : {}) };
      const answer = await api.read({ text, ...parameters, ...look, marks: false }, signal);
      return { judged: textKey, answer, look: JSON.stringify(look) };
    },
    delay,
  );
  const answer = text && reading.data?.judged === textKey ? reading.data.answer : null;
  const diagnostics = answer?.diagnostics ?? NO_FINDINGS;
  const detectedGame = (answer ?? reading.data?.answer)?.game ?? null;
  const hint: GameHint = { ...(answer?.game ? { game: answer.game } : {}), ...(variant ? { variant } : {}) };

  const shownDrawing = useRef<ShownDrawing | null>(null);
  const isUndrawable = answer !== null && !answer.position;
  const fallback = useLatestAnswer(isUndrawable ? JSON.stringify([textKey, look]) : null, (signal) => {
    const info = games.find(({ name }) => name === answer?.game) ?? null;
    return drawFallback({ text, ...hint }, info, look, shownDrawing.current, signal);
  });
  if (answer?.position) shownDrawing.current = { position: answer.position, kind: "drawn", look: reading.data!.look };
  else if (isUndrawable && !fallback.pending) shownDrawing.current = (fallback.error ? null : fallback.data) ?? asBoardOnly(shownDrawing.current);

  return {
    answer,
    diagnostics,
    state: !text ? "empty" : answer ? "read" : reading.error ? "failed" : "reading",
    error: reading.error,
    retry: reading.retry,
    game: detectedGame,
    hint,
    shownDrawing: shownDrawing.current,
    isUndrawable,
    isDrawing: isUndrawable && fallback.pending,
  };
}

/** Mark the drawing of an older text as a mere board, so that the layout does not change. */
function asBoardOnly(drawing: ShownDrawing | null): ShownDrawing | null {
  return drawing?.kind === "board" ? drawing : drawing && { ...drawing, kind: "board" };
}
