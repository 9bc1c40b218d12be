import { useRef, useState } from "react";
import type { GameInfo, Theme } from "../../api/types";
import { TYPING } from "../../shell/hooks";
import { lookOf, useSettings } from "../../shell/settings";
import { useTextHistory } from "../../text/useTextHistory";
import { useReading } from "../workbench/useReading";

/** One of two texts that are compared: typed in, read and drawn. */
export function useSide(
  first: string,
  choice: { game: string; variant: string },
  { theme, flip }: { theme: Theme; flip: boolean },
  games: readonly GameInfo[],
) {
  const field = useRef<HTMLTextAreaElement>(null);
  const history = useTextHistory(first, field);
  const [delay, setDelay] = useState(0);
  const game = useRef<string | null>(null);
  const look = { theme, flip, ...lookOf(useSettings(), choice.game || game.current) };
  const given = history.text.trim();
  const reading = useReading(given, choice, look, games, delay);
  game.current = reading.game;
  const set = (next: string, typed = false) => {
    setDelay(typed ? TYPING : 0);
    history.set(next, typed);
  };
  return { field, text: history.text, given, reading, set };
}
