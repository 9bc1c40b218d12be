/** Fallback drawings for texts that are not positions. */

import { api, type GameHint } from "../../api/client";
import type { GameInfo, PositionView, Theme } from "../../api/types";

/** How the drawing looks. */
export interface DrawingLook {
  theme: Theme;
  flip: boolean;
  look?: string;
}

/** The drawing on the board. */
export interface ShownDrawing {
  position: Pick<PositionView, "svg" | "scene" | "title" | "game" | "description">;
  /** The look of the drawing, serialized as JSON. */
  look: string;
  /** What the drawing shows: the text, its readable part, or only an empty board of the game. */
  kind: "drawn" | "part" | "board";
}

/** Draw the readable part of a text, else an empty board of its game. Return null if the game is unknown. */
export async function drawFallback(
  request: { text: string } & GameHint,
  game: GameInfo | null,
  look: DrawingLook,
  lastDrawing: ShownDrawing | null,
  signal: AbortSignal,
): Promise<ShownDrawing | null> {
  if (!game) return null;
  const lookKey = JSON.stringify(look);
  const { partial } = await api.partial({ ...request, ...look }, signal);
  if (partial) return { position: partial, kind: "part", look: lookKey };
  if (lastDrawing?.kind === "board" && lastDrawing.position.game === game.name && lastDrawing.look === lookKey) return lastDrawing;
  const { position } = await api.read({ text: game.names.empty ?? game.start, game: game.name, ...look, marks: false }, signal);
  return position && { position, kind: "board", look: lookKey };
}
