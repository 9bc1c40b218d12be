import { useCallback, useRef, useState } from "react";
import type { GameInfo } from "../../api/types";
import { useBeforePaint } from "../../beforePaint";
import { readStored, writeStored } from "../../shell/hooks";
import { gameFromFragment, storeGame, findLastGame, newKey, type KeyedGame } from "./gameStorage";
import { newGame, type Game } from "./tree";

/** Return the game of the address, else the last game on the board, else a new one. */
export function firstGame(games: readonly GameInfo[], query: URLSearchParams, fragment: string): KeyedGame {
  const withKnownGame = (keyed: KeyedGame | null) => (keyed && games.some(({ name }) => name === keyed.game.game) ? keyed : null);
  const fromAddress = withKnownGame(gameFromFragment(fragment));
  if (fromAddress) return fromAddress;
  const text = query.get("text");
  const requestedGame = query.get("game");
  const lastKeyed = text ? null : withKnownGame(findLastGame());
  if (lastKeyed && (!requestedGame || requestedGame === lastKeyed.game.game)) return lastKeyed;
  const gameName = requestedGame ?? readStored("forsyth.game");
  const info = games.find((candidate) => candidate.name === gameName) ?? games[0];
  return { game: newGame(info?.name ?? "", query.get("variant") ?? "", text ?? ""), key: newKey() };
}

/**
 * Keep the game on the board. Each change is stored and written to the address. Another game adds a history entry, so that
 * *Back* leads to the previous game.
 */
export function useGame(games: readonly GameInfo[], query: URLSearchParams) {
  const [initial] = useState(() => firstGame(games, query, location.hash));
  const [game, setGame] = useState(initial.game);
  const key = useRef(initial.key);
  const historyMethod = useRef<"replaceState" | "pushState">("replaceState");

  // Before paint: a later effect could run after a click on a link and overwrite the address of the next view.
  useBeforePaint(() => {
    const stored = storeGame(game, key.current);
    key.current = stored.key;
    if (location.hash !== stored.fragment || location.search) history[historyMethod.current](null, "", location.pathname + stored.fragment);
    historyMethod.current = "replaceState";
    writeStored("forsyth.game", game.game);
  }, [game]);

  /** Put another game on the board. The previous game stays stored. */
  const startGame = useCallback((next: Game, gameKey: string = newKey()) => {
    key.current = gameKey;
    historyMethod.current = "pushState";
    setGame(next);
  }, []);

  return { game, setGame, startGame };
}
