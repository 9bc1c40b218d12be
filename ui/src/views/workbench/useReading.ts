import { useRef } from "react";
import { api, type Told } from "../../api/client";
import type { Diagnostic, GameInfo, ReadAnswer } from "../../api/types";
import { useLatest } from "../../shell/hooks";
import { drawInstead, type Look, type Shown } from "./standIn";

const NO_FINDINGS: readonly Diagnostic[] = [];

export interface Reading {
  /** What was found in this very text; null while it is not known. */
  answer: ReadAnswer | null;
  diagnostics: readonly Diagnostic[];
  /** Whether the text is being read, or could not be, which `error` explains. */
  state: "empty" | "reading" | "read" | "failed";
  error: unknown;
  retry: () => void;
  /** The game of the text; while the next one is read, that of the one before. */
  game: string | null;
  told: Told;
  /** What there is to draw, and whether it is of this text. */
  shown: Shown | null;
  undrawn: boolean;
  /** Whether it is being drawn as far as it could be read. */
  drawing: boolean;
}

/** A text read, checked and drawn. Nothing that is said of it is of another text. */
export function useReading(
  given: string,
  choice: { game: string; variant: string },
  look: Look,
  games: readonly GameInfo[],
  delay: number,
): Reading {
  const { game, variant } = choice;
  const judged = JSON.stringify([given, game, variant]);
  const reading = useLatest(
    given ? JSON.stringify([judged, look]) : null,
    async (signal) => {
      const asked = { ...(game ? { game } : {}), ...(variant ? { variant } : {}) };
      const answer = await api.read({ text: given, ...asked, ...look, marks: false }, signal);
      return { judged, answer, look: JSON.stringify(look) };
    },
    delay,
  );
  const answer = given && reading.data?.judged === judged ? reading.data.answer : null;
  const diagnostics = answer?.diagnostics ?? NO_FINDINGS;
  const known = (answer ?? reading.data?.answer)?.game ?? null;
  const told: Told = { ...(answer?.game ? { game: answer.game } : {}), ...(variant ? { variant } : {}) };

  const shown = useRef<Shown | null>(null);
  const undrawn = answer !== null && !answer.position;
  const standIn = useLatest(undrawn ? JSON.stringify([judged, look]) : null, (signal) => {
    const info = games.find(({ name }) => name === answer?.game) ?? null;
    return drawInstead({ text: given, ...told }, info, look, shown.current, signal);
  });
  if (answer?.position) shown.current = { position: answer.position, kind: "drawn", look: reading.data!.look };
  else if (undrawn && !standIn.pending) shown.current = (standIn.error ? null : standIn.data) ?? asGround(shown.current);

  return {
    answer,
    diagnostics,
    state: !given ? "empty" : answer ? "read" : reading.error ? "failed" : "reading",
    error: reading.error,
    retry: reading.retry,
    game: known,
    told,
    shown: shown.current,
    undrawn,
    drawing: undrawn && standIn.pending,
  };
}

/** A drawing of an older text as no more than a board, which keeps its place. */
function asGround(shown: Shown | null): Shown | null {
  return shown?.kind === "board" ? shown : shown && { ...shown, kind: "board" };
}
