/** Which of the legal moves a visitor means, and how the played ones stand together. */

import type { GameInfo, MatchView, Move, Played } from "../../api/types";
import { groupOf } from "../../board/geometry";

export interface Selection {
  cell: string;
  piece: string | null;
}

/** The moves that begin on a cell, by the cell's own name or by its group's. */
export function movesFrom(moves: readonly Move[], cell: string): Move[] {
  return moves.filter(({ from }) => from !== null && (from === cell || from === groupOf(cell)));
}

/** The moves of a selection; a piece narrows them only where it moves alone. */
export function movesOf(moves: readonly Move[], selection: Selection): Move[] {
  const here = movesFrom(moves, selection.cell);
  const narrowed = selection.piece ? here.filter(({ piece }) => piece === selection.piece) : here;
  return narrowed.length ? narrowed : here;
}

export function movesTo(moves: readonly Move[], cell: string): Move[] {
  return moves.filter(({ to }) => to !== null && (to === cell || to === groupOf(cell)));
}

/** The pieces of a cell that can move, where it holds several. */
export function piecesOf(moves: readonly Move[], cell: string): string[] {
  return [...new Set(movesFrom(moves, cell).map(({ piece }) => piece ?? ""))].filter(Boolean);
}

/** How many of the last moves are steps of a turn that is still open. */
export function openSteps(view: MatchView, info: GameInfo | undefined): number {
  const last = view.history[view.history.length - 1];
  if (!last || !view.actions.length || view.outcome) return 0;
  const plain = (words: string) => words.replace(/\s/g, "").toLowerCase();
  const mover = typeof last.player === "number" ? (info?.players[last.player] ?? "") : last.player;
  if (plain(mover) !== plain(view.side_to_move)) return 0;
  const before = [...view.history].reverse().findIndex((ply) => ply.player !== last.player || ply.number !== last.number);
  return before < 0 ? view.history.length : before;
}

/** What can be done beside moving; a turn that was begun here is cancelled by taking its steps back. */
export function actionsOf(view: MatchView, turnSteps: number): string[] {
  return view.actions.filter((action) => action !== "cancel" || !turnSteps);
}

/** The moves of one number. */
export interface Row {
  number: number;
  plies: { ply: Played; index: number }[];
}

export function rowsOf(history: readonly Played[]): Row[] {
  const rows: Row[] = [];
  history.forEach((ply, index) => {
    const row = rows[rows.length - 1];
    const last = row?.plies[row.plies.length - 1]?.ply;
    const numbered = history.some(({ number }) => number !== history[0]?.number);
    const sameTurn = last && last.player === ply.player && last.number === ply.number;
    const next = row && last && last.number === ply.number && (sameTurn || (numbered && row.plies[0]?.ply.player !== ply.player));
    const pair = row && !numbered && row.plies.length < 2;
    if (row && (next || pair)) row.plies.push({ ply, index });
    else rows.push({ number: numbered ? ply.number : rows.length + 1, plies: [{ ply, index }] });
  });
  return rows;
}
