/** Selection of legal moves by the visitor's input. */

import type { MatchView, Move, Scene } from "../../api/types";
import type { Badge } from "../../board/Signs";
import { groupOf } from "../../board/geometry";
import type { Place } from "./tree";

/** A selected cell. `piece` is null if the whole cell is selected. */
export interface Selection {
  cell: string;
  piece: string | null;
}

/** Return the moves that start on a cell or on its group. */
export function movesFrom(moves: readonly Move[], cell: string): Move[] {
  return moves.filter(({ from }) => from !== null && (from === cell || from === groupOf(cell)));
}

/** Return the moves of a selection. If its piece cannot move alone, return all moves of the cell. */
export function movesOfSelection(moves: readonly Move[], selection: Selection): Move[] {
  const movesOfCell = movesFrom(moves, selection.cell);
  const movesOfPiece = selection.piece ? movesOfCell.filter(({ piece }) => piece === selection.piece) : movesOfCell;
  return movesOfPiece.length ? movesOfPiece : movesOfCell;
}

/** Return the moves that end on a cell or on its group. */
export function movesTo(moves: readonly Move[], cell: string): Move[] {
  return moves.filter(({ to }) => to !== null && (to === cell || to === groupOf(cell)));
}

/** Give moves without an origin, such as drops, the cell outside the board where their piece is. */
export function addOrigins(moves: readonly Move[], scene: Scene): readonly Move[] {
  if (moves.every(({ from, piece }) => from !== null || !piece)) return moves;
  const findArea = (cell: string | null) => scene.areas.find(({ cells }) => cells.some(({ id }) => id === cell));
  return moves.map((move) => {
    if (move.from !== null || !move.piece) return move;
    const board = findArea(move.to);
    const cellsOutside = scene.areas.filter((area) => area !== board).flatMap(({ cells }) => cells);
    const origin = cellsOutside.find(({ tokens = [] }) => tokens.some(({ symbol }) => symbol === move.piece));
    return origin ? { ...move, from: origin.id } : move;
  });
}

/** Return the pieces of a cell that can move, each once. */
export function movablePieces(moves: readonly Move[], cell: string): string[] {
  return [...new Set(movesFrom(moves, cell).map(({ piece }) => piece ?? ""))].filter(Boolean);
}

/** Return the listed move that a typed text means. If none or several match, return the text unchanged. */
export function matchTypedMove(moves: readonly Move[], typed: string): string {
  const normalise = (text: string) => text.replace(/[\s+#!?]/g, "").toLowerCase();
  const exactMatch = moves.find(({ move, lan }) => move === typed || lan === typed);
  if (exactMatch) return exactMatch.move;
  const looseMatches = moves.filter(({ move, lan }) => normalise(move) === normalise(typed) || normalise(lan) === normalise(typed));
  return looseMatches.length === 1 ? looseMatches[0]!.move : typed;
}

/** Count the steps that were played of a turn that is not finished. */
export function countOpenSteps(view: MatchView): number {
  const played = view.history.slice(0, view.at);
  const lastMove = played[played.length - 1];
  if (!lastMove || !view.actions.length || view.outcome) return 0;
  if (lastMove.player !== view.player) return 0;
  const stepCount = [...played].reverse().findIndex((ply) => ply.player !== lastMove.player || ply.number !== lastMove.number);
  return stepCount < 0 ? played.length : stepCount;
}

/**
 * Return number, player and step of the next move, so that the move list shows it before the service answers. Return {}
 * for an action, such as a deal.
 */
export function nextPlace(view: MatchView, move: string): Place {
  if (view.actions.includes(move)) return {};
  return { number: view.move_number, player: view.player, ...(countOpenSteps(view) ? { step: true } : {}) };
}

/** Return the possible actions. Leave out `cancel` if the steps of the turn can be undone instead. */
export function availableActions(view: MatchView, turnSteps: number): string[] {
  return view.actions.filter((action) => action !== "cancel" || !turnSteps);
}

/** Return the expected points by target. Targets with several moves have no badge. */
export function pointBadges(moves: readonly Move[]): ReadonlyMap<string, Badge> {
  const badges = new Map<string, Badge>();
  const ambiguous = new Set<string>();
  for (const { to, prospect } of moves) {
    if (!to || !prospect || ambiguous.has(to)) continue;
    if (badges.has(to)) {
      badges.delete(to);
      ambiguous.add(to);
      continue;
    }
    badges.set(to, { text: formatPoints(prospect.points), spoken: prospect.words });
  }
  return badges;
}

/** Format points with a sign. */
function formatPoints(points: number): string {
  return points > 0 ? `+${points}` : `${points}`.replace("-", "\u2212");
}
