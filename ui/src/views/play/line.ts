/** The line of a match as the page keeps it: the service is given all of it and keeps nothing. */

import type { GameInfo } from "../../api/types";
import { recall, remember } from "../../shell/hooks";

export interface Line {
  game: string;
  variant: string;
  start: string;
  moves: string[];
  /** How many of the moves are on the board. */
  at: number;
  /** What was taken back and can be played again, the latest last. */
  undone: string[];
}

const LINE_KEY = "forsyth.line";

export function fresh(game: string, variant: string, start: string): Line {
  return { game, variant, start, moves: [], at: 0, undone: [] };
}

/** The line that an address asks for, else the one that was last on the board. */
export function firstLine(games: readonly GameInfo[], query: URLSearchParams): Line {
  const text = query.get("text");
  const game = query.get("game");
  const kept = text ? null : keptLine();
  if (kept && games.some(({ name }) => name === kept.game) && (!game || game === kept.game)) return kept;
  const last = game ?? recall("forsyth.game");
  const info = games.find(({ name }) => name === last) ?? games[0];
  return fresh(info?.name ?? "", query.get("variant") ?? "", text ?? "");
}

function keptLine(): Line | null {
  try {
    return JSON.parse(recall(LINE_KEY, "sessionStorage") ?? "null") as Line | null;
  } catch {
    return null;
  }
}

export function keepLine(line: Line): void {
  remember(LINE_KEY, JSON.stringify(line), "sessionStorage");
  remember("forsyth.game", line.game);
}

/** A move from where the line stands; what came after it is given up. */
export function withMove(line: Line, move: string): Line {
  return { ...line, moves: [...line.moves.slice(0, line.at), move], at: line.at + 1, undone: [] };
}

export function steppedTo(line: Line, at: number): Line {
  return { ...line, at: Math.max(0, Math.min(line.moves.length, at)) };
}

export function takenBack(line: Line, count: number): Line {
  const left = Math.max(0, line.moves.length - count);
  const taken = line.moves.slice(left).reverse();
  return { ...line, moves: line.moves.slice(0, left), at: left, undone: [...line.undone, ...taken] };
}

export function playedAgain(line: Line): Line {
  const move = line.undone[line.undone.length - 1];
  if (!move) return line;
  const moves = [...line.moves, move];
  return { ...line, moves, at: moves.length, undone: line.undone.slice(0, -1) };
}
