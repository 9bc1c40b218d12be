import { Board, FENDisplay, FENInput, FENManager, useForsyth, type GameState } from "forsyth-components";
import { useState } from "react";
import { chessFENs, exampleFENs, START } from "./positions.js";

/** The three components as the document about them writes them, and a board that shows what they load. */
export function App() {
  const service = useForsyth();
  const [gameState, setGameState] = useState<GameState>({ fen_string: START });
  const [chess, setChess] = useState("start");

  const loadGameState = async (fen: string) => setGameState(await service.load(fen, { game: "azul" }));

  return (
    <main>
      <h1>Positions</h1>
      <div className="columns">
        <section aria-labelledby="position">
          <h2 id="position">The position</h2>
          <Board fenString={gameState.fen_string} game="azul" label="The position" />
        </section>
        <div className="tools">
          <section aria-labelledby="shown">
            <h2 id="shown">Show</h2>
            <FENDisplay 
              fenString={gameState.fen_string}
              onCopy={() => navigator.clipboard.writeText(gameState.fen_string)}
            />
          </section>
          <section aria-labelledby="loaded">
            <h2 id="loaded">Load</h2>
            <FENInput 
              onLoad={(fen) => loadGameState(fen)}
              examples={exampleFENs}
            />
          </section>
          <section aria-labelledby="managed">
            <h2 id="managed">Both</h2>
            <FENManager 
              fenString={gameState.fen_string}
              onLoad={(fen) => loadGameState(fen)}
              onCopy={() => navigator.clipboard.writeText(gameState.fen_string)}
            />
          </section>
        </div>
        <section aria-labelledby="chess">
          <h2 id="chess">Another game</h2>
          <Board fenString={chess} game="chess" label="Chess" className="chess" />
        </section>
        <div className="tools">
          <section aria-labelledby="chess-loaded">
            <h2 id="chess-loaded">Load chess</h2>
            <FENInput game="chess" onLoad={setChess} examples={chessFENs} />
          </section>
        </div>
      </div>
    </main>
  );
}
