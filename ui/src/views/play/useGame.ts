import { useCallback, useRef, useState } from "react";
import type { GameInfo } from "../../api/types";
import { useBeforePaint } from "../../beforePaint";
import { recall, remember } from "../../shell/hooks";
import { gameOfFragment, keepGame, lastGame, newKey, type Held } from "./address";
import { fresh, type Game } from "./tree";

/** The game that an address asks for, else the one that was last on the board. */
export function firstGame(games: readonly GameInfo[], query: URLSearchParams, fragment: string): Held {
  const known = (held: Held | null) => (held && games.some(({ name }) => name === held.game.game) ? held : null);
  const addressed = known(gameOfFragment(fragment));
  if (addressed) return addressed;
  const text = query.get("text");
  const wanted = query.get("game");
  const last = text ? null : known(lastGame());
  if (last && (!wanted || wanted === last.game.game)) return last;
  const name = wanted ?? recall("forsyth.game");
  const info = games.find((one) => one.name === name) ?? games[0];
  return { game: fresh(info?.name ?? "", query.get("variant") ?? "", text ?? ""), key: newKey() };
}

/**
 * The game on the board. Each change is kept and is in the address; another game is a new step of the browser's history,
 * so that Back leads to the one before.
 */
export function useGame(games: readonly GameInfo[], query: URLSearchParams) {
  const [first] = useState(() => firstGame(games, query, location.hash));
  const [game, setGame] = useState(first.game);
  const key = useRef(first.key);
  const step = useRef<"replaceState" | "pushState">("replaceState");

  // Before paint: an effect that waits could run after a click on a link, and overwrite the address of the next view.
  useBeforePaint(() => {
    const kept = keepGame(game, key.current);
    key.current = kept.key;
    if (location.hash !== kept.fragment || location.search) history[step.current](null, "", location.pathname + kept.fragment);
    step.current = "replaceState";
    remember("forsyth.game", game.game);
  }, [game]);

  /** Put another game on the board; the one before stays where it is kept. */
  const begin = useCallback((next: Game, under: string = newKey()) => {
    key.current = under;
    step.current = "pushState";
    setGame(next);
  }, []);

  return { game, setGame, begin };
}
