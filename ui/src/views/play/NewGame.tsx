import { useState, type FormEvent } from "react";
import { api, errorMessage } from "../../api/client";
import type { GameInfo } from "../../api/types";
import { GameSelect, VariantSelect } from "../choices";
import { newGame, type Game } from "./tree";

/** A form that starts a game of any variant. The current game stays in the list of earlier games. */
export function NewGame({ games, current, onStart }: { games: readonly GameInfo[]; current: string; onStart: (game: Game) => void }) {
  const [game, setGame] = useState(current);
  const info = games.find(({ name }) => name === game);
  const [variant, setVariant] = useState("");
  const [seed, setSeed] = useState("");
  const [error, setError] = useState("");

  const startGame = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const view = await api.newGame(game, {
        ...(variant ? { variant } : {}),
        ...(seed.trim() ? { seed: Number(seed) } : {}),
      });
      onStart(newGame(game, view.variant === info?.variants[0] ? "" : view.variant, view.canonical));
    } catch (failure) {
      setError(errorMessage(failure));
    }
  };

  return (
    <form className="panel" onSubmit={startGame}>
      <label>
        Game
        <GameSelect games={games} value={game} onChange={(next) => (setGame(next), setVariant(""))} />
      </label>
      {info && info.variants.length > 1 && (
        <label>
          Variant
          <VariantSelect info={info} value={variant || (info.variants[0] ?? "")} onChange={setVariant} />
        </label>
      )}
      <label>
        Seed <span className="muted">for random setups</span>
        <input inputMode="numeric" pattern="[0-9]*" value={seed} onChange={(event) => setSeed(event.target.value)} />
      </label>
      <button type="submit" className="primary">
        Begin
      </button>
      {error && <p className="refused">{error}</p>}
    </form>
  );
}
