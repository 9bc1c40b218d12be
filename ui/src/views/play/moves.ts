/** Which of the legal moves a visitor means. */

import type { MatchView, Move, Scene } from "../../api/types";
import type { Badge } from "../../board/Signs";
import { groupOf } from "../../board/geometry";
import type { Place } from "./tree";

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

/** Moves that begin nowhere, such as drops, begin where their piece lies beside the board. */
export function withOrigins(moves: readonly Move[], scene: Scene): readonly Move[] {
  if (moves.every(({ from, piece }) => from !== null || !piece)) return moves;
  const areaOf = (cell: string | null) => scene.areas.find(({ cells }) => cells.some(({ id }) => id === cell));
  return moves.map((move) => {
    if (move.from !== null || !move.piece) return move;
    const board = areaOf(move.to);
    const beside = scene.areas.filter((area) => area !== board).flatMap(({ cells }) => cells);
    const place = beside.find(({ tokens = [] }) => tokens.some(({ symbol }) => symbol === move.piece));
    return place ? { ...move, from: place.id } : move;
  });
}

/** The pieces of a cell that can move, where it holds several. */
export function piecesOf(moves: readonly Move[], cell: string): string[] {
  return [...new Set(movesFrom(moves, cell).map(({ piece }) => piece ?? ""))].filter(Boolean);
}

/** The move that a visitor typed, where it is one of these; its spelling may be that of any reader. */
export function typedMove(moves: readonly Move[], typed: string): string {
  const plain = (words: string) => words.replace(/[\s+#!?]/g, "").toLowerCase();
  const exact = moves.find(({ move, lan }) => move === typed || lan === typed);
  if (exact) return exact.move;
  const alike = moves.filter(({ move, lan }) => plain(move) === plain(typed) || plain(lan) === plain(typed));
  return alike.length === 1 ? alike[0]!.move : typed;
}

/** How many of the last moves are steps of a turn that is still open. */
export function openSteps(view: MatchView): number {
  const played = view.history.slice(0, view.at);
  const last = played[played.length - 1];
  if (!last || !view.actions.length || view.outcome) return 0;
  if (last.player !== view.player) return 0;
  const before = [...played].reverse().findIndex((ply) => ply.player !== last.player || ply.number !== last.number);
  return before < 0 ? played.length : before;
}

/**
 * Where the next move stands, so that it is in its place of the list at once; of an action, such as a deal, the service says
 * it.
 */
export function placeOfNext(view: MatchView, move: string): Place {
  if (view.actions.includes(move)) return {};
  return { number: view.move_number, player: view.player, ...(openSteps(view) ? { step: true } : {}) };
}

/** What can be done beside moving; a turn that was begun here is cancelled by taking its steps back. */
export function actionsOf(view: MatchView, turnSteps: number): string[] {
  return view.actions.filter((action) => action !== "cancel" || !turnSteps);
}

/** What each target of a selection would score, where only one thing can be meant. */
export function badgesOf(moves: readonly Move[]): ReadonlyMap<string, Badge> {
  const badges = new Map<string, Badge>();
  const often = new Set<string>();
  for (const { to, prospect } of moves) {
    if (!to || !prospect || often.has(to)) continue;
    if (badges.has(to)) {
      badges.delete(to);
      often.add(to);
      continue;
    }
    badges.set(to, { text: signed(prospect.points), words: prospect.words });
  }
  return badges;
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : `${points}`.replace("-", "\u2212");
}
