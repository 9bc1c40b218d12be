import type { Move, PaletteEntry } from "../../api/types";
import { Thumb } from "../../board/Thumb";

/** Which of several moves is meant that all begin and end on the same places. */
export function WhichMove({ moves, onChoose }: { moves: readonly Move[]; onChoose: (move: Move) => void }) {
  return (
    <div className="chooser" role="group" aria-label="Which move?">
      <span>Which move?</span>
      {moves.map((move) => (
        <button key={move.move} type="button" className="chip" autoFocus={move === moves[0]} onClick={() => onChoose(move)}>
          {move.move}
        </button>
      ))}
    </div>
  );
}

interface WhichPieceProps {
  pieces: readonly string[];
  chosen: string | null;
  palette: readonly PaletteEntry[];
  onChoose: (piece: string | null) => void;
}

/** Which of the things on a place is taken. */
export function WhichPiece({ pieces, chosen, palette, onChoose }: WhichPieceProps) {
  return (
    <div className="chooser" role="group" aria-label="Which piece?">
      <span>Take</span>
      <button type="button" className="chip" aria-pressed={!chosen} onClick={() => onChoose(null)}>
        any
      </button>
      {pieces.map((piece) => (
        <button key={piece} type="button" className="chip" aria-pressed={chosen === piece} onClick={() => onChoose(piece)}>
          <Piece symbol={piece} palette={palette} />
        </button>
      ))}
    </div>
  );
}

/** A piece as the palette draws it, or in its letters. */
function Piece({ symbol, palette }: { symbol: string; palette: readonly PaletteEntry[] }) {
  const entry = palette.find((one) => one.symbol === symbol);
  if (!entry) return symbol;
  return (
    <>
      <Thumb svg={entry.svg} />
      <span className="sr-only">{entry.label}</span>
    </>
  );
}
