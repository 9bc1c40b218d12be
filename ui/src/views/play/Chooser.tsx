import { useState } from "react";
import type { Move, PaletteEntry, Token } from "../../api/types";
import { Thumb } from "../../board/Thumb";

interface MoveChooserProps {
  moves: readonly Move[];
  palette: readonly PaletteEntry[];
  onChoose: (move: Move) => void;
}

/** A choice among moves with the same origin and target, such as promotions. */
export function MoveChooser({ moves, palette, onChoose }: MoveChooserProps) {
  // The palette lists the most common pieces first. The order is computed once, so that buttons do not change places when
  // the palette arrives late.
  const rank = ({ becomes = [] }: Move) => palette.findIndex(({ symbol }) => symbol === becomes[0]?.symbol);
  const [orderedMoves] = useState(() => [...moves].sort((a, b) => rank(a) - rank(b)));
  return (
    <div className="chooser" role="group" aria-label="Which move?">
      {orderedMoves.map((move) => {
        const [token] = move.becomes ?? [];
        const entry = token && moves.length > 2 ? palette.find(({ symbol }) => symbol === token.symbol) : undefined;
        return (
          <button
            key={move.move}
            type="button"
            className="chip"
            autoFocus={move === orderedMoves[0]}
            aria-label={describeMove(move, moves) === move.move ? move.move : `${move.move}: ${describeMove(move, moves)}`}
            onClick={() => onChoose(move)}
          >
            {entry ? <Thumb svg={entry.svg} /> : describeMove(move, moves)}
          </button>
        );
      })}
    </div>
  );
}

/** Describe what a move does on its target. If a capture without moving is among the choices, name the difference. */
function describeMove({ move, captured, becomes = [] }: Move, candidates: readonly Move[]): string {
  const label = becomes.map((token) => token.label).join(", ");
  if (captured && !label) return "capture and stay";
  if (captured && candidates.some((candidate) => candidate.captured && !candidate.becomes?.length)) return `capture and move there: ${label}`;
  return label || move;
}

interface PieceChooserProps {
  pieces: readonly string[];
  /** The tokens of the cell. */
  tokens: readonly Token[];
  chosen: string | null;
  palette: readonly PaletteEntry[];
  onChoose: (piece: string | null) => void;
}

/** A choice among the pieces of a cell that can move alone. */
export function PieceChooser({ pieces, tokens, chosen, palette, onChoose }: PieceChooserProps) {
  return (
    <div className="chooser" role="group" aria-label="Which piece?">
      <span>Move</span>
      <button type="button" className="chip" aria-pressed={!chosen} onClick={() => onChoose(null)}>
        any
      </button>
      {pieces.map((piece) => {
        const parts = tokensOfPiece(piece, tokens);
        const isWholeStack = parts.length > 1 && parts.length === tokens.length;
        return (
          <button key={piece} type="button" className="chip" aria-pressed={chosen === piece} onClick={() => onChoose(piece)}>
            {parts.map((part, index) => (
              <Piece key={index} symbol={part} palette={palette} />
            ))}
            <span>{isWholeStack ? "whole stack" : labelsOf(parts, palette)}</span>
          </button>
        );
      })}
    </div>
  );
}

/** Return the tokens that a piece consists of: several for a stack, else the piece itself. */
function tokensOfPiece(piece: string, tokens: readonly Token[]): string[] {
  if (tokens.some(({ symbol }) => symbol === piece)) return [piece];
  const parts = tokens.flatMap(({ symbol }) => (piece.includes(symbol) ? [symbol] : []));
  return parts.length ? parts : [piece];
}

/** Return the names of the parts, separated by commas. */
function labelsOf(parts: readonly string[], palette: readonly PaletteEntry[]): string {
  return parts.map((part) => palette.find(({ symbol }) => symbol === part)?.label ?? part).join(", ");
}

/** The drawing of a piece, or its symbol if the palette does not have it. */
function Piece({ symbol, palette }: { symbol: string; palette: readonly PaletteEntry[] }) {
  const entry = palette.find((candidate) => candidate.symbol === symbol);
  return entry ? <Thumb svg={entry.svg} /> : <span aria-hidden="true">{symbol}</span>;
}
