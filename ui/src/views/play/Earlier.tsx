import type { GameInfo } from "../../api/types";
import { gameFromKey, listSavedGames } from "./gameStorage";
import type { Game } from "./tree";

/** The games that this browser has stored, latest first. */
export function Earlier({ games, onOpen }: { games: readonly GameInfo[]; onOpen: (game: Game, key: string) => void }) {
  const savedGames = listSavedGames();
  if (!savedGames.length) return <p className="muted panel">No games yet. This browser stores every game that you play here.</p>;
  const open = (key: string) => {
    const storedGame = gameFromKey(key);
    if (storedGame) onOpen(storedGame.game, storedGame.key);
  };
  return (
    <ul className="panel earlier">
      {savedGames.map(({ key, game, moves, when }) => (
        <li key={key}>
          <button type="button" className="link" onClick={() => open(key)}>
            {games.find(({ name }) => name === game)?.title ?? game}, {new Date(when).toLocaleString()}
          </button>
          <span className="muted small">{moves}</span>
        </li>
      ))}
    </ul>
  );
}
