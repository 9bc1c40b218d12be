import { useState } from "react";
import type { Move, PaletteEntry, Token } from "../../api/types";
import { Thumb } from "../../board/Thumb";

interface WhichMoveProps {
  moves: readonly Move[];
  palette: readonly PaletteEntry[];
  onChoose: (move: Move) => void;
}

/** Which of several moves is meant that all begin and end on the same places. */
export function WhichMove({ moves, palette, onChoose }: WhichMoveProps) {
  // What a palette names first is what is wanted most often. A palette that arrives while the question is open changes
  // no order: the choices would change places under the hand.
  const rank = ({ becomes = [] }: Move) => palette.findIndex(({ symbol }) => symbol === becomes[0]?.symbol);
  const [ranked] = useState(() => [...moves].sort((a, b) => rank(a) - rank(b)));
  return (
    <div className="chooser" role="group" aria-label="Which move?">
      {ranked.map((move) => {
        const [token] = move.becomes ?? [];
        const entry = token && moves.length > 2 ? palette.find(({ symbol }) => symbol === token.symbol) : undefined;
        return (
          <button
            key={move.move}
            type="button"
            className="chip"
            autoFocus={move === ranked[0]}
            aria-label={wordsOf(move, moves) === move.move ? move.move : `${move.move}: ${wordsOf(move, moves)}`}
            onClick={() => onChoose(move)}
          >
            {entry ? <Thumb svg={entry.svg} /> : wordsOf(move, moves)}
          </button>
        );
      })}
    </div>
  );
}

/** What a move does with the place it goes to, in words; where one of several stays, the others go there. */
function wordsOf({ move, captured, becomes = [] }: Move, all: readonly Move[]): string {
  const label = becomes.map((token) => token.label).join(", ");
  if (captured && !label) return "capture and stay";
  if (captured && all.some((other) => other.captured && !other.becomes?.length)) return `capture and move there: ${label}`;
  return label || move;
}

interface WhichPieceProps {
  pieces: readonly string[];
  /** What stands on the place. */
  tokens: readonly Token[];
  chosen: string | null;
  palette: readonly PaletteEntry[];
  onChoose: (piece: string | null) => void;
}

/** Which of the things on a place is taken. */
export function WhichPiece({ pieces, tokens, chosen, palette, onChoose }: WhichPieceProps) {
  return (
    <div className="chooser" role="group" aria-label="Which piece?">
      <span>Take</span>
      <button type="button" className="chip" aria-pressed={!chosen} onClick={() => onChoose(null)}>
        any
      </button>
      {pieces.map((piece) => {
        const parts = partsOf(piece, tokens);
        const whole = parts.length > 1 && parts.length === tokens.length;
        return (
          <button key={piece} type="button" className="chip" aria-pressed={chosen === piece} onClick={() => onChoose(piece)}>
            {parts.map((part, index) => (
              <Piece key={index} symbol={part} palette={palette} />
            ))}
            <span>{whole ? "whole stack" : labelOf(parts, palette)}</span>
          </button>
        );
      })}
    </div>
  );
}

/** The tokens of a place that a name of several holds, such as a stack; of a single one itself. */
function partsOf(piece: string, tokens: readonly Token[]): string[] {
  if (tokens.some(({ symbol }) => symbol === piece)) return [piece];
  const parts = tokens.flatMap(({ symbol }) => (piece.includes(symbol) ? [symbol] : []));
  return parts.length ? parts : [piece];
}

function labelOf(parts: readonly string[], palette: readonly PaletteEntry[]): string {
  return parts.map((part) => palette.find(({ symbol }) => symbol === part)?.label ?? part).join(", ");
}

/** A piece as the palette draws it, or in its letters. */
function Piece({ symbol, palette }: { symbol: string; palette: readonly PaletteEntry[] }) {
  const entry = palette.find((one) => one.symbol === symbol);
  return entry ? <Thumb svg={entry.svg} /> : <span aria-hidden="true">{symbol}</span>;
}
