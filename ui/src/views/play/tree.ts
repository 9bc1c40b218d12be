/**
 * A game as the page keeps it: a tree of moves, and which of its positions is on the board.
 *
 * The service is given one line of it at a time and keeps nothing. Playing cuts nothing off: a move that is taken back, or
 * left for another one, stays in the tree until it is deleted.
 */

import type { Played, RecordNode } from "../../api/types";

export interface Node {
  move: string;
  /** The number a record gives the move, and who plays it; not known before the service has answered. */
  number?: number;
  player?: number;
  /** Whether it goes on with the turn of the move before it. */
  step?: boolean;
  /** What it is called where it is no move of a piece, such as a deal. */
  action?: string | null;
  nags?: number[];
  before?: string[];
  after?: string[];
  /** What was played next; the first is the main line. */
  children: Node[];
}

/** The text that a game was read from; it is given back as it was while nothing has changed. */
export interface Source {
  text: string;
  /** What stood before and behind it in a file of several games. */
  before: string;
  behind: string;
}

export interface Game {
  game: string;
  variant: string;
  start: string;
  tags: Record<string, string>;
  /** What the record says about the end, where it says something. */
  result: string | null;
  comments: string[];
  children: Node[];
  /** Which child was taken at each move of the line on the board, to the end of the line. */
  path: number[];
  /** How many of these moves are on the board. */
  at: number;
  source: Source | null;
  /** Whether something was changed since it was read. */
  changed: boolean;
}

export function fresh(game: string, variant: string, start: string): Game {
  return {
    game,
    variant,
    start,
    tags: {},
    result: null,
    comments: [],
    children: [],
    path: [],
    at: 0,
    source: null,
    changed: false,
  };
}

/** The moves of the line on the board. */
export function lineOf(game: Game): Node[] {
  return lineTo(game, game.path);
}

/** The moves on the way to a place of the tree. */
export function lineTo(game: Game, path: readonly number[]): Node[] {
  const line: Node[] = [];
  let children = game.children;
  for (const index of path) {
    const node = children[index];
    if (!node) break;
    line.push(node);
    children = node.children;
  }
  return line;
}

/** The path from a node of the tree on, along the first moves, to the end of the line. */
export function onward(children: readonly Node[]): number[] {
  const path: number[] = [];
  for (let next = children[0]; next; next = next.children[0]) path.push(0);
  return path;
}

/** The children at a place of the line. */
function childrenAt(game: Game, at: number): Node[] {
  return at ? (lineOf(game)[at - 1]?.children ?? []) : game.children;
}

/** The tree with other children at a place of the line. */
function withChildren(game: Game, at: number, children: Node[]): Game {
  const rebuild = (siblings: Node[], depth: number): Node[] => {
    if (depth === at) return children;
    return siblings.map((node, index) =>
      index === game.path[depth] ? { ...node, children: rebuild(node.children, depth + 1) } : node,
    );
  };
  return { ...game, children: rebuild(game.children, 0) };
}

/** Where a move stands in its game. */
export type Place = Pick<Node, "number" | "player" | "step">;

/**
 * A move from the position on the board: a new line, or one that is there already. `place` is where it is expected to stand;
 * the service has the last word, see `confirmed`.
 */
export function withMove(game: Game, move: string, place: Place = {}): Game {
  const siblings = childrenAt(game, game.at);
  const known = siblings.findIndex((node) => node.move === move);
  if (known >= 0) {
    const path = [...game.path.slice(0, game.at), known, ...onward(siblings[known]!.children)];
    return { ...game, path: samePath(game, known) ? game.path : path, at: game.at + 1 };
  }
  const grown = withChildren(game, game.at, [...siblings, { ...place, move, children: [] }]);
  return { ...grown, path: [...game.path.slice(0, game.at), siblings.length], at: game.at + 1, changed: true };
}

/** Whether the line goes on with a child anyway. */
function samePath(game: Game, child: number): boolean {
  return game.path[game.at] === child;
}

export function steppedTo(game: Game, at: number): Game {
  return { ...game, at: Math.max(0, Math.min(game.path.length, at)) };
}

/** The game with the position after a node on the board; the line goes on from there along the first moves. */
export function goneTo(game: Game, path: readonly number[]): Game {
  if (path.every((index, depth) => game.path[depth] === index)) return { ...game, at: path.length };
  const there = { ...game, path: [...path], at: path.length };
  return { ...there, path: [...path, ...onward(childrenAt(there, path.length))] };
}

/** What the service says of the line: moves in their usual spelling, with their numbers. */
export function confirmed(game: Game, history: readonly Played[]): Game {
  let next = game;
  let line = lineOf(game);
  for (const [depth, ply] of history.entries()) {
    const node = line[depth];
    if (!node || isKnown(node, ply)) continue;
    const siblings = childrenAt(next, depth);
    const index = next.path[depth]!;
    const twin = siblings.findIndex((one, at) => at !== index && one.move === ply.move);
    if (twin >= 0 && !node.children.length) {
      // It was there already, in another spelling.
      const left = withChildren(next, depth, siblings.filter((_, at) => at !== index));
      next = { ...left, path: [...next.path.slice(0, depth), twin > index ? twin - 1 : twin] };
    } else {
      const known = { ...node, ...placeOf(ply), move: ply.move };
      next = withChildren(next, depth, siblings.map((one, at) => (at === index ? known : one)));
    }
    line = lineOf(next);
  }
  return next;
}

/** Where the service says that a move stands in its game. */
function placeOf({ number, player, step, action }: Played): Partial<Node> {
  return { number, player, ...(step ? { step } : {}), ...(action ? { action } : {}) };
}

function isKnown(node: Node, ply: Played): boolean {
  const same = node.number === ply.number && node.player === ply.player && node.move === ply.move;
  return same && Boolean(node.step) === Boolean(ply.step) && (node.action ?? null) === (ply.action ?? null);
}

/** How many moves a tree has, all lines together. */
export function sizeOf(children: readonly Node[]): number {
  let count = 0;
  const open = [...children];
  for (let node = open.pop(); node; node = open.pop()) {
    count += 1;
    open.push(...node.children);
  }
  return count;
}

// --- records ------------------------------------------------------------------------------------------

/** The moves of a record as a tree. */
export function treeOf(line: readonly RecordNode[]): Node[] {
  const first: Node[] = [];
  let siblings = first;
  for (const { variations = [], ...said } of line) {
    const node: Node = { ...said, children: [] };
    siblings.push(node);
    for (const variation of variations) siblings.push(...treeOf(variation));
    siblings = node.children;
  }
  return first;
}

/** A tree as the moves of a record: the first children, each with what could replace it. */
export function recordOf(children: readonly Node[]): RecordNode[] {
  const line: RecordNode[] = [];
  for (let siblings = children; siblings.length; siblings = siblings[0]!.children) {
    const { children: _, ...said } = siblings[0]!;
    const variations = siblings.slice(1).map(({ children: next, ...one }) => [one, ...recordOf(next)]);
    line.push({ ...said, ...(variations.length ? { variations } : {}) });
  }
  return line;
}
