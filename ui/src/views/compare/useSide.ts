import { useRef, useState } from "react";
import type { GameInfo, Theme } from "../../api/types";
import { TYPING_DELAY } from "../../shell/hooks";
import { drawingChoices, useSettings } from "../../shell/settings";
import { useTextHistory } from "../../text/useTextHistory";
import { useReading } from "../workbench/useReading";

/** Keep one of the two compared texts, and read and draw it. `initialText` is its first value. */
export function useSide(
  initialText: string,
  choice: { game: string; variant: string },
  { theme, flip }: { theme: Theme; flip: boolean },
  games: readonly GameInfo[],
) {
  const field = useRef<HTMLTextAreaElement>(null);
  const history = useTextHistory(initialText, field);
  const [delay, setDelay] = useState(0);
  const game = useRef<string | null>(null);
  const look = { theme, flip, ...drawingChoices(useSettings(), choice.game || game.current) };
  const trimmedText = history.text.trim();
  const reading = useReading(trimmedText, choice, look, games, delay);
  game.current = reading.game;
  const setText = (next: string, isTyped = false) => {
    setDelay(isTyped ? TYPING_DELAY : 0);
    history.set(next, isTyped);
  };
  return { field, text: history.text, trimmedText, reading, setText };
}
