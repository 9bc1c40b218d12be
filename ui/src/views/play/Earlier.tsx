import type { GameInfo } from "../../api/types";
import { gameOfKey, shelf } from "./address";
import type { Game } from "./tree";

/** The games that this browser keeps, the latest first. */
export function Earlier({ games, onOpen }: { games: readonly GameInfo[]; onOpen: (game: Game, key: string) => void }) {
  const kept = shelf();
  if (!kept.length) return <p className="muted panel">No games yet. Every game that is played here is kept by this browser.</p>;
  const open = (key: string) => {
    const held = gameOfKey(key);
    if (held) onOpen(held.game, held.key);
  };
  return (
    <ul className="panel earlier">
      {kept.map(({ key, game, moves, when }) => (
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
