/** A drawing for a text that has none of its own: what could be read of it, else a board of its game. */

import { api, type Told } from "../../api/client";
import type { GameInfo, PositionView, Theme } from "../../api/types";

export interface Look {
  theme: Theme;
  flip: boolean;
  look?: string;
}

export interface Shown {
  position: Pick<PositionView, "svg" | "scene" | "title" | "game" | "description">;
  /** How it was asked for. */
  look: string;
  /** What the drawing is of: the text, what could be read of it, or only a board of its game. */
  kind: "drawn" | "part" | "board";
}

export async function drawInstead(
  given: { text: string } & Told,
  game: GameInfo | null,
  look: Look,
  last: Shown | null,
  signal: AbortSignal,
): Promise<Shown | null> {
  if (!game) return null;
  const words = JSON.stringify(look);
  const { partial } = await api.partial({ ...given, ...look }, signal);
  if (partial) return { position: partial, kind: "part", look: words };
  if (last?.kind === "board" && last.position.game === game.name && last.look === words) return last;
  const { position } = await api.read({ text: game.names.empty ?? game.start, game: game.name, ...look, marks: false }, signal);
  return position && { position, kind: "board", look: words };
}
